//! What the methods return.

use crate::method::Method;

/// A number with its interval. Rates and their differences are shares (0.06 is six points), never percentages.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The estimate; an odds ratio may be infinite (written `"inf"`).
    #[cfg_attr(feature = "serde", serde(with = "crate::number"))]
    #[cfg_attr(feature = "schema", schemars(with = "crate::number::Number"))]
    pub value: f64,
    /// Lower end of the interval.
    #[cfg_attr(feature = "serde", serde(with = "crate::number"))]
    #[cfg_attr(feature = "schema", schemars(with = "crate::number::Number"))]
    pub low: f64,
    /// Upper end of the interval.
    #[cfg_attr(feature = "serde", serde(with = "crate::number"))]
    #[cfg_attr(feature = "schema", schemars(with = "crate::number::Number"))]
    pub high: f64,
    /// Confidence level of the interval, for instance 0.95.
    pub level: f64,
    /// How the interval was made.
    pub method: Method,
    /// Trials that went in.
    pub n: u64,
    /// Tasks that went in.
    pub clusters: u64,
}

impl Estimate {
    /// Whether a value lies in the interval, its ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Half the width of the interval.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// A test with the effect that it is about.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TestResult {
    /// The effect, B minus A, with its interval, trials and tasks.
    pub effect: Estimate,
    /// Standard error of the effect.
    pub se: f64,
    /// The test statistic (t, z or the exact sum).
    pub statistic: f64,
    /// Degrees of freedom of a t statistic.
    pub df: Option<f64>,
    /// Two-sided p-value.
    pub p: f64,
    /// One-sided p-value against "B is greater".
    pub p_greater: f64,
    /// One-sided p-value against "B is less".
    pub p_less: f64,
    /// How the p-values were made.
    pub method: Method,
}
