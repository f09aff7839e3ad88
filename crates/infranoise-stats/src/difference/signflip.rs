//! The exact sign-flip test.

use super::paired_t::used_trials;
use crate::cell::Pair;
use crate::check;
use crate::error::{Result, StatError};
use crate::fraction::common_denominator;

/// The result of a sign-flip test.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SignFlip {
    /// Mean task difference.
    pub effect: f64,
    /// Two-sided p-value: the share of sign patterns whose sum is at least as far from zero; ties count.
    pub p: f64,
    /// Trials.
    pub n: u64,
    /// Tasks.
    pub clusters: u64,
}

/// Steps of the dynamic programme (tasks times range of the sum) that are allowed.
const MOST_STEPS: usize = 2_000_000_000;
/// Common denominators that are tried for plain numbers.
const LARGEST_DENOMINATOR: u32 = 10_000;
/// Values whose patterns are counted one by one when they have no common denominator.
const MOST_ENUMERATED: usize = 24;

/// Exact sign-flip test of the task differences: if arms do not differ, the sign of each is a coin toss.
///
/// The differences are multiples of 1/L, L the least common multiple of the repeats, so the distribution of their sum
/// is found by dynamic programming over integers. Valid without any assumption on shape, but coarse, and conservative
/// because of ties (size 0-5 % at 5 %): a check of [`paired_task_t`](super::paired_task_t), not the default.
/// Source: Fisher 1935; Pagano and Tritchler 1983. Complexity: O(T * sum of |L d|).
///
/// # Errors
/// No task with trials in both arms; repeats so different that the range of the sum is too large.
pub fn signflip_exact(pairs: &[Pair]) -> Result<SignFlip> {
    let used: Vec<&Pair> = pairs.iter().filter(|pair| pair.difference().is_some()).collect();
    check::at_least("tasks with trials in both arms", 1, used.len())?;
    let mut scale: u64 = 1;
    for repeats in used.iter().flat_map(|pair| [pair.a.trials(), pair.b.trials()]) {
        let repeats = u64::from(repeats);
        scale = scale.saturating_mul(repeats / gcd(scale, repeats));
    }
    if scale > u64::from(u32::MAX) {
        let (needed, limit) = (scale as usize, u32::MAX as usize);
        return Err(StatError::TooLarge { what: "the common multiple of the repeats", needed, limit });
    }
    let share = |hits: u32, trials: u32| (u64::from(hits) * (scale / u64::from(trials))) as i64;
    let scaled: Vec<i64> =
        used.iter().map(|p| share(p.b.hits(), p.b.trials()) - share(p.a.hits(), p.a.trials())).collect();
    let effect = scaled.iter().sum::<i64>() as f64 / scale as f64 / used.len() as f64;
    Ok(SignFlip { effect, p: integer_p(&scaled)?, n: used_trials(pairs), clusters: used.len() as u64 })
}

/// The same for plain numbers, one per task. Numbers with a common denominator of up to 10,000 take the dynamic
/// programme; up to 24 other numbers are enumerated.
///
/// # Errors
/// No number, one that is not finite, or more than 24 numbers without a common denominator.
pub fn signflip_exact_values(differences: &[f64]) -> Result<SignFlip> {
    check::at_least("tasks", 1, differences.len())?;
    check::all_finite("difference", differences)?;
    let count = differences.len() as u64;
    let effect = differences.iter().sum::<f64>() / count as f64;
    let p = match common_denominator(differences, LARGEST_DENOMINATOR) {
        Some(scale) => {
            integer_p(&differences.iter().map(|d| (d * scale).round() as i64).collect::<Vec<_>>())?
        }
        None => enumerated_p(differences)?,
    };
    Ok(SignFlip { effect, p, n: count, clusters: count })
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// P(|sum of signed values| >= |observed sum|), by the distribution of the sum of the values with a plus.
fn integer_p(values: &[i64]) -> Result<f64> {
    let divisor = values.iter().fold(0, |all, value| gcd(all, value.unsigned_abs())).max(1);
    let sizes: Vec<usize> = values
        .iter()
        .map(|value| (value.unsigned_abs() / divisor) as usize)
        .filter(|&size| size > 0)
        .collect();
    let range: usize = sizes.iter().sum();
    let needed = range.saturating_mul(sizes.len());
    if needed > MOST_STEPS {
        return Err(StatError::TooLarge { what: "the sign-flip distribution", needed, limit: MOST_STEPS });
    }
    let mut chance = vec![0.0; range + 1];
    chance[0] = 1.0;
    let mut reached = 0;
    for &size in &sizes {
        reached += size;
        for plus in (0..=reached).rev() {
            let with = if plus >= size { chance[plus - size] } else { 0.0 };
            chance[plus] = 0.5 * (chance[plus] + with);
        }
    }
    let observed = (values.iter().sum::<i64>() / divisor as i64).unsigned_abs();
    let far = |plus: usize| (2 * plus).abs_diff(range) as u64 >= observed;
    let p: f64 = chance.iter().enumerate().filter(|&(plus, _)| far(plus)).map(|(_, chance)| chance).sum();
    Ok(p.min(1.0))
}

fn enumerated_p(values: &[f64]) -> Result<f64> {
    let nonzero: Vec<f64> = values.iter().copied().filter(|&value| value != 0.0).collect();
    if nonzero.len() > MOST_ENUMERATED {
        let (needed, limit) = (nonzero.len(), MOST_ENUMERATED);
        return Err(StatError::TooLarge {
            what: "a sign-flip test of numbers without common denominator",
            needed,
            limit,
        });
    }
    let observed = nonzero.iter().sum::<f64>().abs();
    let tie = 1e-12 * nonzero.iter().map(|value| value.abs()).sum::<f64>();
    let patterns = 1_u32 << nonzero.len();
    let signed = |pattern: u32| -> f64 {
        nonzero
            .iter()
            .enumerate()
            .map(|(bit, value)| if pattern >> bit & 1 == 1 { -value } else { *value })
            .sum()
    };
    let far = (0..patterns).filter(|&pattern| signed(pattern).abs() >= observed - tie).count();
    Ok(far as f64 / f64::from(patterns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dynamic_programme_agrees_with_enumeration() {
        for values in [vec![1.0, 2.0, -1.0, 3.0, 0.0], vec![0.2, 0.2, 0.4], vec![0.0, 0.0], vec![-1.0]] {
            let p = signflip_exact_values(&values).unwrap().p;
            assert!((p - enumerated_p(&values).unwrap()).abs() < 1e-15, "{values:?}");
        }
    }

    #[test]
    fn numbers_without_common_denominator() {
        let irrational = [std::f64::consts::PI, std::f64::consts::E, std::f64::consts::SQRT_2];
        assert_eq!(common_denominator(&irrational, LARGEST_DENOMINATOR), None);
        assert_eq!(signflip_exact_values(&irrational).unwrap().p, 0.25);
        let many: Vec<f64> = (1..40).map(|i| f64::from(i).sqrt()).collect();
        assert!(matches!(signflip_exact_values(&many), Err(StatError::TooLarge { .. })));
    }
}
