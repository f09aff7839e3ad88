//! Why a method has no answer: each degenerate input by its name.

/// What is wrong with the input of a method.
///
/// A method returns one of these instead of a NaN, and never panics.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StatError {
    /// More events than trials in one cell.
    #[error("{hits} hits in {trials} trials")]
    HitsExceedTrials {
        /// Counted events.
        hits: u32,
        /// Trials of the cell.
        trials: u32,
    },
    /// Too few tasks, trials, arms or looks for the method.
    #[error("needs at least {needed} {what}, has {found}")]
    TooFew {
        /// What is counted, in the plural.
        what: &'static str,
        /// The smallest number that the method can work with.
        needed: usize,
        /// The number that the input has.
        found: usize,
    },
    /// All values are equal, so their mean has no standard error and the test no statistic.
    #[error("{what} all equal {value}, so there is no standard error")]
    NoSpread {
        /// What the values are, in the plural.
        what: &'static str,
        /// The common value.
        value: f64,
    },
    /// Nothing in the input bears on the question (for instance: every task all-pass or all-fail in both arms).
    #[error("{what} carries no information on this question")]
    NoInformation {
        /// What was looked at.
        what: &'static str,
    },
    /// A number outside the range that it must lie in; NaN is outside every range.
    #[error("{name} = {value} is not in {range}")]
    OutOfRange {
        /// The name of the parameter.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The range, in mathematical notation.
        range: &'static str,
    },
    /// Two inputs that belong together have different lengths.
    #[error("{left} has {left_len} entries, {right} has {right_len}")]
    LengthMismatch {
        /// The first input.
        left: &'static str,
        /// Its length.
        left_len: usize,
        /// The second input.
        right: &'static str,
        /// Its length.
        right_len: usize,
    },
    /// A balanced method got unequal numbers of trials per cell.
    #[error("cell {index} has {found} trials, the first has {expected}; this method needs equal numbers")]
    Unbalanced {
        /// Position of the first odd cell.
        index: usize,
        /// Trials of the first cell.
        expected: u32,
        /// Trials of the odd one.
        found: u32,
    },
    /// Numbers that must be in order are not.
    #[error("{what} must be strictly increasing, entry {index} is not")]
    NotIncreasing {
        /// What the numbers are, in the plural.
        what: &'static str,
        /// Position of the first one out of order.
        index: usize,
    },
    /// A root was sought where the function has one sign only.
    #[error("no root between {low} and {high}")]
    NoRoot {
        /// Lower end of the bracket.
        low: f64,
        /// Upper end of the bracket.
        high: f64,
    },
    /// The exact method would need more work than it is allowed to do.
    #[error("{what} needs {needed} steps, the limit is {limit}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// Steps needed.
        needed: usize,
        /// Steps allowed.
        limit: usize,
    },
}

/// What every method returns.
pub type Result<T> = std::result::Result<T, StatError>;
