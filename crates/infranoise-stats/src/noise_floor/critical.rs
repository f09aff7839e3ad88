//! The critical value of an estimate with bounded bias.

use crate::check;
use crate::error::Result;
use crate::root::find_root;
use crate::special::normal;

/// How many standard errors an estimate must lie from zero if its bias may be up to `bias_in_se` standard errors.
///
/// The root of Phi(c - t) - Phi(-c - t) = level, which is the square root of a non-central chi-squared quantile.
/// cv(0) = 1.960, cv(1) = 2.646; for large t it is t + 1.645. Source: Armstrong and Kolesar 2018. Complexity: one
/// root search.
///
/// # Errors
/// A level outside (0, 1); a bias that is negative or not finite.
pub fn bias_aware_cv(bias_in_se: f64, level: f64) -> Result<f64> {
    let t = check::not_negative("bias in standard errors", bias_in_se)?;
    let error = 1.0 - check::open_unit("level", level)?;
    let outside = |c: f64| normal::sf(c - t) + normal::sf(c + t) - error;
    let highest = t + normal::quantile(1.0 - error / 2.0) + 1.0;
    find_root(outside, 0.0, highest)
}
