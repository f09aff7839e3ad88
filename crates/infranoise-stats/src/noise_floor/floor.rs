//! The floor itself, for own data and for rows of a leaderboard.

use super::bias_aware_cv;
use crate::check;
use crate::error::Result;

/// What a leaderboard tells of one result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeaderboardRow {
    /// The score, as a share.
    pub score: f64,
    /// Trials per task.
    pub repeats: u32,
}

/// What must be assumed about two rows, because they do not tell it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowNoise {
    /// Tasks of the benchmark.
    pub tasks: u32,
    /// Share of the variance of a trial that is due to its task; 0.5 if unknown.
    pub rho: f64,
    /// Correlation of the two rows' task rates, for a claim about unseen tasks (0.8 if unknown); `None` for a claim
    /// about these tasks.
    pub task_correlation: Option<f64>,
    /// Further variance of the difference, for instance of rounds: 2 var_round / B.
    pub extra_variance: f64,
}

/// A noise floor.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NoiseFloor {
    /// Standard error of the difference (the random part).
    pub se: f64,
    /// The largest infra shift between the two, as a share: an assumption.
    pub infra_shift: f64,
    /// Critical value in standard errors.
    pub critical: f64,
    /// The smallest difference that can be told from none, as a share.
    pub floor: f64,
    /// The observed difference, first minus second, as a share.
    pub gap: f64,
    /// Whether the difference exceeds the floor.
    pub believed: bool,
    /// Confidence level.
    pub level: f64,
}

/// Standard error of the difference of two rows:
/// SE^2 = (1-rho) [v1/(n k1) + v2/(n k2)] + rho [v1 + v2 - 2 r sqrt(v1 v2)] / n (unseen tasks only) + extra variance,
/// v = p (1 - p).
///
/// Complexity: O(1).
///
/// # Errors
/// A score, rho or correlation outside its range; no tasks or repeats.
pub fn row_se(first: LeaderboardRow, second: LeaderboardRow, noise: RowNoise) -> Result<f64> {
    check::at_least("tasks", 1, noise.tasks as usize)?;
    let rho = check::unit("rho", noise.rho)?;
    let extra = check::not_negative("extra_variance", noise.extra_variance)?;
    let n = f64::from(noise.tasks);
    let mut seed = 0.0;
    let mut variances = [0.0; 2];
    for (row, variance) in [first, second].into_iter().zip(&mut variances) {
        check::at_least("repeats", 1, row.repeats as usize)?;
        let p = check::unit("score", row.score)?;
        *variance = p * (1.0 - p);
        seed += *variance / (n * f64::from(row.repeats));
    }
    let [v1, v2] = variances;
    let tasks = match noise.task_correlation {
        None => 0.0,
        Some(r) => {
            let r = check::unit("task_correlation", r)?;
            rho * (v1 + v2 - 2.0 * r * (v1 * v2).sqrt()) / n
        }
    };
    Ok(((1.0 - rho) * seed + tasks + extra).sqrt())
}

/// **Default noise floor** of two leaderboard rows: floor = cv(b / SE) SE, b the largest infra shift between them.
///
/// The shift is an assumption and must be printed as one: 0 if both configurations are documented and matched, 0.02
/// if both lie within 1x to 3x, 0.06 if unknown (all from one article on Terminal-Bench 2.0), 0.0154 on SWE-bench;
/// show the sensitivity ([`gap_sensitivity`](super::gap_sensitivity)). Source: Armstrong and Kolesar 2018.
/// Complexity: one root search.
///
/// # Errors
/// As [`row_se`] and [`noise_floor_from_se`].
pub fn noise_floor(
    first: LeaderboardRow,
    second: LeaderboardRow,
    noise: RowNoise,
    infra_shift: f64,
    level: f64,
) -> Result<NoiseFloor> {
    noise_floor_from_se(first.score - second.score, row_se(first, second, noise)?, infra_shift, level)
}

/// The noise floor of a difference whose standard error is known from own data.
///
/// # Errors
/// A standard error that is not positive, a negative shift, a level outside (0, 1).
pub fn noise_floor_from_se(gap: f64, se: f64, infra_shift: f64, level: f64) -> Result<NoiseFloor> {
    let gap = check::finite("gap", gap)?;
    let se = check::positive("standard error", se)?;
    let infra_shift = check::not_negative("infra_shift", infra_shift)?;
    let critical = bias_aware_cv(infra_shift / se, level)?;
    let floor = critical * se;
    Ok(NoiseFloor { se, infra_shift, critical, floor, gap, believed: gap.abs() > floor, level })
}

/// The variance that infra shifts add to a difference if each row's shift is random rather than bounded:
/// 2 tau^2 with tau = spread / sqrt(12), to be used as extra variance with an infra shift of zero.
///
/// The robustness check of [`noise_floor`]: it gives a smaller floor. Complexity: O(1).
///
/// # Errors
/// A spread that is negative or not finite.
pub fn random_shift_variance(spread: f64) -> Result<f64> {
    let spread = check::not_negative("spread", spread)?;
    Ok(spread * spread / 6.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_shift_has_the_variance_of_two_uniforms() {
        // A uniform of width w has variance w^2 / 12; the difference of two has twice that.
        assert!((random_shift_variance(0.06).unwrap() - 2.0 * 0.06 * 0.06 / 12.0).abs() < 1e-18);
        assert!(random_shift_variance(-0.1).is_err());
    }

    #[test]
    fn equal_scores_of_nothing_have_no_floor() {
        let row = LeaderboardRow { score: 1.0, repeats: 5 };
        let noise = RowNoise { tasks: 89, rho: 0.6, task_correlation: None, extra_variance: 0.0 };
        assert_eq!(row_se(row, row, noise), Ok(0.0));
        assert!(noise_floor(row, row, noise, 0.02, 0.95).is_err());
    }
}
