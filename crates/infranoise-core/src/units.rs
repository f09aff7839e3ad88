//! Amounts with their unit in the type: bytes, thousandths of a CPU, thousandths of a factor.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A number of bytes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Bytes(pub u64);

/// Thousandths of one CPU: `MilliCpu(1_500)` is one and a half CPUs.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct MilliCpu(pub u32);

/// A multiple of the task spec in thousandths: `Factor(3_000)` is 3x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Factor(pub u32);

/// Why a text is not an amount.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// The number itself does not parse or is negative, infinite or not a number.
    #[error("`{text}` is not a number: write for example `{example}`")]
    NotANumber {
        /// What was given.
        text: String,
        /// What would have been understood.
        example: &'static str,
    },
    /// The unit behind the number is unknown.
    #[error("`{unit}` in `{text}` is not a unit: use {known}")]
    UnknownUnit {
        /// What was given.
        text: String,
        /// The part that is not understood.
        unit: String,
        /// What would have been understood.
        known: &'static str,
    },
    /// The amount does not fit.
    #[error("`{text}` is out of range: at most {most}")]
    TooLarge {
        /// What was given.
        text: String,
        /// The largest amount, in words.
        most: &'static str,
    },
}

impl Bytes {
    /// One kibibyte.
    pub const KIB: u64 = 1 << 10;
    /// One mebibyte.
    pub const MIB: u64 = 1 << 20;
    /// One gibibyte.
    pub const GIB: u64 = 1 << 30;

    /// So many mebibytes.
    #[must_use]
    pub const fn mib(n: u64) -> Self {
        Self(n * Self::MIB)
    }

    /// So many gibibytes.
    #[must_use]
    pub const fn gib(n: u64) -> Self {
        Self(n * Self::GIB)
    }

    /// This amount times a factor, rounded down to a whole byte; saturates.
    #[must_use]
    pub fn times(self, factor: Factor) -> Self {
        let product = u128::from(self.0) * u128::from(factor.0) / 1000;
        Self(u64::try_from(product).unwrap_or(u64::MAX))
    }
}

impl MilliCpu {
    /// So many whole CPUs.
    #[must_use]
    pub const fn cpus(n: u32) -> Self {
        Self(n * 1000)
    }

    /// This amount times a factor, rounded down to a thousandth; saturates.
    #[must_use]
    pub fn times(self, factor: Factor) -> Self {
        let product = u64::from(self.0) * u64::from(factor.0) / 1000;
        Self(u32::try_from(product).unwrap_or(u32::MAX))
    }

    /// From a number of CPUs as task files write it (`1`, `0.5`).
    ///
    /// # Errors
    /// If the number is negative, not finite or larger than four million.
    pub fn try_from_cpus(cpus: f64) -> Result<Self, UnitError> {
        let milli = (cpus * 1000.0).round();
        if !milli.is_finite() || milli < 0.0 {
            return Err(UnitError::NotANumber { text: cpus.to_string(), example: "0.5" });
        }
        if milli > f64::from(u32::MAX) {
            return Err(UnitError::TooLarge { text: cpus.to_string(), most: "4,000,000 CPUs" });
        }
        Ok(Self(milli as u32))
    }
}

impl Factor {
    /// Exactly the task spec.
    pub const ONE: Self = Self(1000);

    /// This factor as a floating-point number.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// How many times `base` goes into `amount`, to a thousandth; `None` if `base` is zero or the ratio does not fit.
    #[must_use]
    pub fn ratio(amount: u64, base: u64) -> Option<Self> {
        let thousandths = (u128::from(amount) * 1000).checked_div(u128::from(base))?;
        u32::try_from(thousandths).ok().map(Self)
    }
}

fn split_number<'t>(text: &'t str, example: &'static str) -> Result<(f64, &'t str), UnitError> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let value = number.parse::<f64>().map_err(|_| UnitError::NotANumber { text: text.into(), example })?;
    Ok((value, unit.trim()))
}

impl FromStr for Bytes {
    type Err = UnitError;

    /// Reads `6GiB`, `512MB`, `2G`, `1024`. As in Docker, Harbor and the kernel, `K`, `M`, `G`, `T` with or without `B` or `iB` are
    /// powers of 1024.
    fn from_str(text: &str) -> Result<Self, UnitError> {
        let (value, unit) = split_number(text, "512MiB")?;
        let scale = match unit.to_ascii_lowercase().as_str() {
            "" | "b" => 1,
            "k" | "kb" | "kib" | "ki" => Self::KIB,
            "m" | "mb" | "mib" | "mi" => Self::MIB,
            "g" | "gb" | "gib" | "gi" => Self::GIB,
            "t" | "tb" | "tib" | "ti" => 1 << 40,
            _ => {
                return Err(UnitError::UnknownUnit {
                    text: text.into(),
                    unit: unit.into(),
                    known: "KiB, MiB, GiB or TiB (or K, M, G, T, likewise powers of 1024)",
                });
            }
        };
        let bytes = value * scale as f64;
        if bytes > 1e18 {
            return Err(UnitError::TooLarge { text: text.into(), most: "1e18 bytes" });
        }
        Ok(Self(bytes.round() as u64))
    }
}

impl FromStr for MilliCpu {
    type Err = UnitError;

    /// Reads `1.5` (CPUs) or `1500m`.
    fn from_str(text: &str) -> Result<Self, UnitError> {
        let (value, unit) = split_number(text, "1.5")?;
        match unit {
            "" => Self::try_from_cpus(value),
            "m" => Self::try_from_cpus(value / 1000.0),
            _ => Err(UnitError::UnknownUnit {
                text: text.into(),
                unit: unit.into(),
                known: "no unit for CPUs (`1.5`) or `m` for thousandths (`1500m`)",
            }),
        }
    }
}

impl FromStr for Factor {
    type Err = UnitError;

    /// Reads `3x`, `1.5x`.
    fn from_str(text: &str) -> Result<Self, UnitError> {
        let (value, unit) = split_number(text, "1.5x")?;
        if !unit.eq_ignore_ascii_case("x") {
            return Err(UnitError::UnknownUnit {
                text: text.into(),
                unit: unit.into(),
                known: "`x`, as in `1.5x`",
            });
        }
        let thousandths = (value * 1000.0).round();
        if thousandths < 1.0 {
            return Err(UnitError::NotANumber { text: text.into(), example: "1.5x" });
        }
        if thousandths > f64::from(u32::MAX) {
            return Err(UnitError::TooLarge { text: text.into(), most: "4,000,000x" });
        }
        Ok(Self(thousandths as u32))
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1u64 << 40, "TiB"), (Self::GIB, "GiB"), (Self::MIB, "MiB"), (Self::KIB, "KiB")];
        for (scale, name) in units {
            if self.0 >= scale {
                let value = self.0 as f64 / scale as f64;
                return if self.0.is_multiple_of(scale) {
                    write!(f, "{value:.0} {name}")
                } else {
                    write!(f, "{value:.1} {name}")
                };
            }
        }
        write!(f, "{} B", self.0)
    }
}

impl fmt::Display for MilliCpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} CPU", f64::from(self.0) / 1000.0)
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x", self.as_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_as_people_write_them() {
        let bytes: [(&str, Option<u64>); 8] = [
            ("2G", Some(2 << 30)),
            ("512 MiB", Some(512 << 20)),
            ("1.5GiB", Some(3 << 29)),
            ("1024", Some(1024)),
            ("10T", Some(10 << 40)),
            ("-1G", None),
            ("2 parsecs", None),
            ("", None),
        ];
        for (text, expected) in bytes {
            assert_eq!(text.parse::<Bytes>().ok().map(|b| b.0), expected, "{text}");
        }
        let factors = [("1x", Some(1000)), ("1.5X", Some(1500)), ("3", None), ("0x", None), ("x", None)];
        for (text, expected) in factors {
            assert_eq!(text.parse::<Factor>().ok().map(|f| f.0), expected, "{text}");
        }
        let cpus = [("0.2", Some(200)), ("1500m", Some(1500)), ("two", None), ("1GiB", None)];
        for (text, expected) in cpus {
            assert_eq!(text.parse::<MilliCpu>().ok().map(|c| c.0), expected, "{text}");
        }
    }

    #[test]
    fn amounts_print_so_that_they_read_back() {
        for text in ["96 MiB", "1.5 GiB", "10 TiB", "3 KiB"] {
            assert_eq!(text.parse::<Bytes>().expect("a size").to_string(), text);
        }
        assert_eq!(Factor(1500).to_string(), "1.5x");
        assert_eq!(Factor::ONE.to_string(), "1x");
        assert_eq!(MilliCpu(200).to_string(), "0.2 CPU");
    }

    #[test]
    fn scaling_never_overflows() {
        assert_eq!(Bytes::mib(64).times(Factor(1500)), Bytes::mib(96));
        assert_eq!(Bytes(u64::MAX).times(Factor(2000)), Bytes(u64::MAX));
        assert_eq!(Factor::ratio(3 << 30, 1 << 30), Some(Factor(3000)));
        assert_eq!(Factor::ratio(1, 0), None);
    }
}
