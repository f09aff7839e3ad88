//! The Mantel-Haenszel risk difference.

use crate::cell::Pair;
use crate::check;
use crate::error::{Result, StatError};
use crate::estimate::{Estimate, TestResult};
use crate::method::Method;
use crate::special::normal;

/// The difference of rates within tasks, each task weighted by k_A k_B / (k_A + k_B).
///
/// RD = sum(w_t d_t) / sum(w_t); Var = (RD P + Q) / (sum w_t)^2 with
/// P = sum(x_A (k_B/N)^2 - x_B (k_A/N)^2 + k_A k_B (k_A - k_B) / 2N^2) and
/// Q = sum(x_B (k_A - x_A) + x_A (k_B - x_B)) / 2N, which stays valid for many small tasks.
/// For equal repeats RD is the mean task difference. The p-values are normal; for these tasks report the exact ones
/// ([`these_tasks`](super::these_tasks)). Assumes independent repeats and one common difference.
/// Source: Mantel and Haenszel 1959; Sato 1989. Complexity: O(T).
///
/// # Errors
/// No task with trials in both arms; nothing varies within any task (the variance is zero).
pub fn mh_rd(pairs: &[Pair], level: f64) -> Result<TestResult> {
    check::open_unit("level", level)?;
    let (mut weights, mut weighted, mut slope, mut spread) = (0.0, 0.0, 0.0, 0.0);
    let (mut trials, mut tasks) = (0, 0);
    for pair in pairs.iter().filter(|pair| pair.difference().is_some()) {
        let (x_a, k_a) = (f64::from(pair.a.hits()), f64::from(pair.a.trials()));
        let (x_b, k_b) = (f64::from(pair.b.hits()), f64::from(pair.b.trials()));
        let n = k_a + k_b;
        weights += k_a * k_b / n;
        weighted += (x_b * k_a - x_a * k_b) / n;
        slope += (x_a * k_b * k_b - x_b * k_a * k_a + k_a * k_b * (k_a - k_b) / 2.0) / (n * n);
        spread += (x_b * (k_a - x_a) + x_a * (k_b - x_b)) / (2.0 * n);
        trials += pair.trials();
        tasks += 1;
    }
    check::at_least("tasks with trials in both arms", 1, tasks)?;
    let value = weighted / weights;
    let variance = (value * slope + spread) / (weights * weights);
    if variance <= f64::EPSILON * f64::EPSILON {
        return Err(StatError::NoSpread { what: "the trials of each task", value });
    }
    let se = variance.sqrt();
    let half = normal::quantile(0.5 + level / 2.0) * se;
    let z = value / se;
    let effect = Estimate {
        value,
        low: value - half,
        high: value + half,
        level,
        method: Method::MhRd,
        n: trials,
        clusters: tasks as u64,
    };
    Ok(TestResult {
        effect,
        se,
        statistic: z,
        df: None,
        p: normal::two_sided(z),
        p_greater: normal::sf(z),
        p_less: normal::cdf(z),
        method: Method::MhRd,
    })
}
