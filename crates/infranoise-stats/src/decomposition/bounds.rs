//! What the counts alone say about noise removed.

use crate::cell::Outcomes;
use crate::check;
use crate::error::Result;

/// Bounds on the share of trials that failed by an infra error in A and pass in B, as means over tasks.
///
/// Plug-in bounds from few repeats are biased inwards: the lower one is too high.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bounds {
    /// Lower bound without any assumption: mean of max(0, i_A + s_B - 1).
    pub free_low: f64,
    /// Upper bound without any assumption: mean of min(i_A, s_B).
    pub free_high: f64,
    /// Lower bound if a looser ceiling never makes an infra error: mean of max(0, -di - a_B).
    pub monotone_low: f64,
    /// Upper bound under the same assumption: mean of min(-di, s_B), negative -di counted as zero.
    pub monotone_high: f64,
    /// Change of the success rate.
    pub delta_success: f64,
    /// Fall of the infra-error rate, -di.
    pub infra_removed: f64,
}

impl Bounds {
    /// Noise removed and newly solved if a share `phi` of the released trials would have failed anyway.
    ///
    /// R = (1 - phi)(-di), N = ds - R. Nothing in pass and infra counts identifies phi; telemetry can (the share of
    /// failures among trials of B whose peak exceeded A's ceiling and that no infra error ended).
    pub fn recovered_at(&self, phi: f64) -> (f64, f64) {
        let recovered = (1.0 - phi) * self.infra_removed;
        (recovered, self.delta_success - recovered)
    }
}

/// Sharp bounds on noise removed, tasks with trials in both arms. Complexity: O(T).
///
/// # Errors
/// Lists of different length; no task with trials in both arms.
pub fn recovered_bounds(a: &[Outcomes], b: &[Outcomes]) -> Result<Bounds> {
    check::same_length("arm A", a.len(), "arm B", b.len())?;
    let mut sum = Bounds {
        free_low: 0.0,
        free_high: 0.0,
        monotone_low: 0.0,
        monotone_high: 0.0,
        delta_success: 0.0,
        infra_removed: 0.0,
    };
    let mut tasks = 0;
    for (a, b) in a.iter().zip(b).filter(|(a, b)| a.trials() > 0 && b.trials() > 0) {
        let (k_a, k_b) = (f64::from(a.trials()), f64::from(b.trials()));
        let (i_a, i_b) = (f64::from(a.infra_errors()) / k_a, f64::from(b.infra_errors()) / k_b);
        let (s_a, s_b) = (f64::from(a.passes()) / k_a, f64::from(b.passes()) / k_b);
        let failures_b = f64::from(b.agent_failures()) / k_b;
        let removed = i_a - i_b;
        sum.free_low += (i_a + s_b - 1.0).max(0.0);
        sum.free_high += i_a.min(s_b);
        sum.monotone_low += (removed - failures_b).max(0.0);
        sum.monotone_high += removed.max(0.0).min(s_b);
        sum.delta_success += s_b - s_a;
        sum.infra_removed += removed;
        tasks += 1;
    }
    check::at_least("tasks with trials in both arms", 1, tasks)?;
    let mean = |total: f64| total / tasks as f64;
    Ok(Bounds {
        free_low: mean(sum.free_low),
        free_high: mean(sum.free_high),
        monotone_low: mean(sum.monotone_low),
        monotone_high: mean(sum.monotone_high),
        delta_success: mean(sum.delta_success),
        infra_removed: mean(sum.infra_removed),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_by_hand() {
        let of = |passes, infra| Outcomes::try_new(passes, infra, 4).unwrap();
        // Second task: more infra errors in B, which monotony forbids; third: no trials in A.
        let a = [of(0, 3), of(2, 1), Outcomes::default()];
        let b = [of(3, 0), of(2, 2), of(4, 0)];
        let bounds = recovered_bounds(&a, &b).unwrap();
        let expected = Bounds {
            free_low: (0.75 + 0.75 - 1.0) / 2.0,
            free_high: (0.75 + 0.25) / 2.0,
            monotone_low: (0.75 - 0.25) / 2.0,
            monotone_high: 0.75 / 2.0,
            delta_success: 0.75 / 2.0,
            infra_removed: (0.75 - 0.25) / 2.0,
        };
        assert_eq!(bounds, expected);
    }
}
