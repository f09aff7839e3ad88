//! Checks of parameters, shared by the methods.

use crate::error::{Result, StatError};

/// A confidence level, error rate or power strictly between 0 and 1.
pub(crate) fn open_unit(name: &'static str, value: f64) -> Result<f64> {
    if value > 0.0 && value < 1.0 {
        Ok(value)
    } else {
        Err(StatError::OutOfRange { name, value, range: "(0, 1)" })
    }
}

/// A probability or share.
pub(crate) fn unit(name: &'static str, value: f64) -> Result<f64> {
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(StatError::OutOfRange { name, value, range: "[0, 1]" })
    }
}

/// A finite number.
pub(crate) fn finite(name: &'static str, value: f64) -> Result<f64> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(StatError::OutOfRange { name, value, range: "(-inf, inf)" })
    }
}

/// A finite number above zero.
pub(crate) fn positive(name: &'static str, value: f64) -> Result<f64> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(StatError::OutOfRange { name, value, range: "(0, inf)" })
    }
}

/// A finite number that is not negative.
pub(crate) fn not_negative(name: &'static str, value: f64) -> Result<f64> {
    if value >= 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(StatError::OutOfRange { name, value, range: "[0, inf)" })
    }
}

/// Only finite numbers.
pub(crate) fn all_finite(name: &'static str, values: &[f64]) -> Result<()> {
    values.iter().try_for_each(|&value| finite(name, value).map(|_| ()))
}

/// At least `needed` of something.
pub(crate) fn at_least(what: &'static str, needed: usize, found: usize) -> Result<()> {
    if found >= needed { Ok(()) } else { Err(StatError::TooFew { what, needed, found }) }
}

/// Two inputs of the same length.
pub(crate) fn same_length(
    left: &'static str,
    left_len: usize,
    right: &'static str,
    right_len: usize,
) -> Result<()> {
    if left_len == right_len {
        Ok(())
    } else {
        Err(StatError::LengthMismatch { left, left_len, right, right_len })
    }
}

/// Numbers in strictly increasing order.
pub(crate) fn increasing(what: &'static str, values: &[f64]) -> Result<()> {
    all_finite(what, values)?;
    match values.windows(2).position(|pair| pair[0] >= pair[1]) {
        None => Ok(()),
        Some(before) => Err(StatError::NotIncreasing { what, index: before + 1 }),
    }
}
