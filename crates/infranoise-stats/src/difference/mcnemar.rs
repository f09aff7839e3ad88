//! The exact McNemar test: one trial per task and arm.

use crate::error::Result;
use crate::estimate::Estimate;
use crate::method::Method;
use crate::rate::{Side, clopper_pearson};
use crate::special::beta;
use crate::special::gamma::ln_choose;

/// The result of [`mcnemar_exact`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct McNemar {
    /// Share of the discordant pairs that favour B, with its exact interval; absent without discordant pairs.
    pub share: Option<Estimate>,
    /// Two-sided p-value; 1 without discordant pairs.
    pub p: f64,
    /// Mid-p: the exact p less the probability of the observed split. Less conservative, not exact.
    pub p_mid: f64,
}

/// Exact test of discordant pairs: `for_b` where only B hit, `against_b` where only A did.
///
/// p = min(1, 2 P(Binomial(b + c, 1/2) <= min(b, c))). It is [`cmh_exact`](super::cmh_exact) with one repeat.
/// Assumes independent pairs. Source: McNemar 1947. Complexity: one beta function.
///
/// # Errors
/// A level outside (0, 1).
pub fn mcnemar_exact(for_b: u64, against_b: u64, level: f64) -> Result<McNemar> {
    crate::check::open_unit("level", level)?;
    let discordant = for_b + against_b;
    if discordant == 0 {
        return Ok(McNemar { share: None, p: 1.0, p_mid: 1.0 });
    }
    let fewer = for_b.min(against_b);
    // P(Binomial(n, 1/2) <= k) = I_(1/2)(n - k, k + 1)
    let tail = beta::cdf(0.5, (discordant - fewer) as f64, fewer as f64 + 1.0);
    let share = clopper_pearson(for_b, discordant, level, Side::Two)?;
    let (n, k) = (discordant as f64, fewer as f64);
    let observed = (ln_choose(n, k) - n * std::f64::consts::LN_2).exp();
    let p = (2.0 * tail).min(1.0);
    Ok(McNemar { share: Some(Estimate { method: Method::McnemarExact, ..share }), p, p_mid: p - observed })
}
