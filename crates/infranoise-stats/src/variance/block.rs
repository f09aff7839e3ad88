//! Rounds: does the hour matter?

use crate::check;
use crate::error::{Result, StatError};
use crate::special::beta::f_sf;

/// The component of rounds.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BlockComponents {
    /// Mean square of rounds.
    pub ms_block: f64,
    /// Mean square left when cells and rounds are taken out.
    pub ms_error: f64,
    /// Variance of a single-round score from round to round. With few rounds it has no honest interval.
    pub var_block: f64,
    /// ms_block / ms_error.
    pub f: f64,
    /// p-value of the hypothesis that rounds do not differ.
    pub p: f64,
}

/// Splits off the component of rounds. `rounds` holds one list per round with one outcome (hit or not) per cell
/// (task by arm), in the same order in every round.
///
/// MS_block = N sum (y_b - y)^2 / (B - 1) with N cells, MS_error = residual of cells and rounds over
/// (N - 1)(B - 1), var_block = (MS_block - MS_error) / N, F = MS_block / MS_error.
/// Source: Searle, Casella, McCulloch 1992. Complexity: O(N B).
///
/// # Errors
/// Fewer than two rounds or cells; rounds of different size; every cell the same in every round (no residual).
pub fn block_varcomp<R: AsRef<[bool]>>(rounds: &[R]) -> Result<BlockComponents> {
    check::at_least("rounds", 2, rounds.len())?;
    let cells = rounds[0].as_ref().len();
    check::at_least("cells", 2, cells)?;
    let mut cell_sums = vec![0.0; cells];
    let mut round_means = Vec::with_capacity(rounds.len());
    for round in rounds {
        let round = round.as_ref();
        check::same_length("a round", round.len(), "the first round", cells)?;
        round.iter().zip(&mut cell_sums).for_each(|(&hit, sum)| *sum += f64::from(u8::from(hit)));
        round_means.push(round.iter().filter(|&&hit| hit).count() as f64 / cells as f64);
    }
    let (n, b) = (cells as f64, rounds.len() as f64);
    let grand = round_means.iter().sum::<f64>() / b;
    let between: f64 = n * round_means.iter().map(|mean| (mean - grand).powi(2)).sum::<f64>();
    // Within a cell of B outcomes with mean y the sum of squares is B y (1 - y).
    let within: f64 = cell_sums.iter().map(|sum| sum * (1.0 - sum / b)).sum();
    let ms_block = between / (b - 1.0);
    let ms_error = (within - between) / ((n - 1.0) * (b - 1.0));
    if ms_error <= 1e-15 {
        return Err(StatError::NoSpread {
            what: "the outcomes of each cell, but for the round's effect,",
            value: grand,
        });
    }
    let f = ms_block / ms_error;
    let p = f_sf(f, b - 1.0, (n - 1.0) * (b - 1.0));
    Ok(BlockComponents { ms_block, ms_error, var_block: (ms_block - ms_error) / n, f, p })
}
