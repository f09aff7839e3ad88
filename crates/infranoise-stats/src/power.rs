//! Before spending money: what can be detected, and what would be needed.

use crate::check;
use crate::error::Result;
use crate::special::student;

/// What a comparison of two arms on the same tasks is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// Variance between repeats of a task (at most 0.25).
    pub var_seed: f64,
    /// Variance of the effect between tasks: 2 var_interaction for a claim about unseen tasks, 0 for these tasks.
    pub var_delta: f64,
}

/// Error rates of a planned test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Errors {
    /// Two-sided probability of a false claim.
    pub alpha: f64,
    /// Probability of seeing an effect that is there.
    pub power: f64,
}

impl Default for Errors {
    fn default() -> Self {
        Self { alpha: 0.05, power: 0.8 }
    }
}

/// A smallest detectable effect.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DetectableEffect {
    /// Standard error of the difference.
    pub se: f64,
    /// The effect, as a share.
    pub effect: f64,
}

/// Standard errors that an effect must span: t(1 - alpha/2) + t(power), T - 1 degrees of freedom.
fn span(tasks: u64, errors: Errors) -> Result<f64> {
    check::at_least("tasks", 2, tasks as usize)?;
    let alpha = check::open_unit("alpha", errors.alpha)?;
    let power = check::open_unit("power", errors.power)?;
    let df = (tasks - 1) as f64;
    Ok(student::quantile(1.0 - alpha / 2.0, df) + student::quantile(power, df))
}

fn noise_checked(noise: Noise) -> Result<Noise> {
    check::not_negative("var_seed", noise.var_seed)?;
    check::not_negative("var_delta", noise.var_delta)?;
    Ok(noise)
}

/// The smallest effect that a paired comparison detects: MDE = (t + t) SE, SE = sqrt((var_delta + 2 var_seed/k) / T).
///
/// Source: Bloom 1995; Miller 2024. Complexity: two t quantiles.
///
/// # Errors
/// Fewer than two tasks, no repeat, a variance that is negative, error rates outside (0, 1).
pub fn mde(tasks: u64, repeats: u64, noise: Noise, errors: Errors) -> Result<DetectableEffect> {
    let noise = noise_checked(noise)?;
    check::at_least("repeats", 1, repeats as usize)?;
    let se = ((noise.var_delta + 2.0 * noise.var_seed / repeats as f64) / tasks as f64).sqrt();
    Ok(DetectableEffect { se, effect: span(tasks, errors)? * se })
}

/// The fewest repeats with which `effect` is detected; `None` if no number is enough, because the effect differs too
/// much between tasks: that needs more tasks, or a claim about these tasks only.
///
/// k = ceil(2 var_seed / (T SE*^2 - var_delta)), SE* = effect / (t + t). Source: Bloom 1995. Complexity: O(1).
///
/// # Errors
/// As [`mde`], and an effect that is not positive.
pub fn required_k(tasks: u64, effect: f64, noise: Noise, errors: Errors) -> Result<Option<u64>> {
    let noise = noise_checked(noise)?;
    let effect = check::positive("effect", effect)?;
    let target = effect / span(tasks, errors)?;
    let room = tasks as f64 * target * target - noise.var_delta;
    Ok((room > 0.0).then(|| (2.0 * noise.var_seed / room).ceil().max(1.0) as u64))
}

/// The fewest tasks with which `effect` is detected at `repeats` repeats each.
///
/// The smallest T >= 2 with mde(T) <= effect; the effect falls with T, so it is found by doubling and bisection.
/// `None` above 2^32 tasks. Complexity: about 60 evaluations of [`mde`].
///
/// # Errors
/// As [`mde`], and an effect that is not positive.
pub fn required_tasks(repeats: u64, effect: f64, noise: Noise, errors: Errors) -> Result<Option<u64>> {
    const MOST: u64 = 1 << 32;
    let effect = check::positive("effect", effect)?;
    let enough = |tasks: u64| Ok(mde(tasks, repeats, noise, errors)?.effect <= effect);
    let mut high = 2;
    while !enough(high)? {
        high *= 2;
        if high > MOST {
            return Ok(None);
        }
    }
    let mut low = high / 2;
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if enough(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(Some(high))
}

/// The fewest repeats with which two arms that differ by `true_difference` are shown equivalent within `margin`, for
/// these tasks; `None` if they differ by the margin or more.
///
/// A normal approximation of the power of two one-sided tests, evaluated for k = 1, 2, ... by bisection:
/// power = Phi((margin - d)/SE - z) + Phi((margin + d)/SE - z) - 1. Source: Schuirmann 1987. Complexity: O(log k).
///
/// # Errors
/// As [`required_k`], and a margin that is not positive.
pub fn required_k_equivalence(
    tasks: u64,
    margin: f64,
    true_difference: f64,
    noise: Noise,
    errors: Errors,
) -> Result<Option<u64>> {
    use crate::special::normal;
    const MOST: u64 = 1 << 32;
    let noise = noise_checked(noise)?;
    check::at_least("tasks", 2, tasks as usize)?;
    let margin = check::positive("margin", margin)?;
    let distance = check::finite("true_difference", true_difference)?.abs();
    let z = normal::quantile(1.0 - check::open_unit("alpha", errors.alpha)?);
    let power = check::open_unit("power", errors.power)?;
    let enough = |repeats: u64| {
        let se = ((noise.var_delta + 2.0 * noise.var_seed / repeats as f64) / tasks as f64).sqrt();
        normal::cdf((margin - distance) / se - z) + normal::cdf((margin + distance) / se - z) - 1.0 >= power
    };
    if distance >= margin || !enough(MOST) {
        return Ok(None);
    }
    let (mut low, mut high) = (0, MOST);
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if enough(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(Some(high))
}
