//! Means of several values per task over resampled tasks.

use super::draw::TaskDraws;
use crate::check;
use crate::error::Result;
use crate::fraction::common_denominator;
use crate::grid::Grid;

/// How to resample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Resampling {
    /// Resamples to draw.
    pub draws: u32,
    /// The seed, recorded beside every result.
    pub seed: u64,
}

impl Default for Resampling {
    /// 10,000 draws.
    fn default() -> Self {
        Self { draws: 10_000, seed: 20_260_205 }
    }
}

/// Calls `use_means` with the mean of each column, once for each resample of whole rows (tasks).
///
/// All columns of a task are resampled together, which keeps what they share: put everything that is wanted into one
/// call, the drawing costs more than the columns. Values with a small common denominator (rates of few trials) are
/// added up as whole numbers, so that equal sums are exactly equal. Complexity: O(draws * T * columns).
///
/// # Errors
/// No task, no draw, or a value that is not finite.
pub fn resampled_means(
    values: &Grid<f64>,
    resampling: Resampling,
    mut use_means: impl FnMut(&[f64]),
) -> Result<()> {
    check::at_least("draws", 1, resampling.draws as usize)?;
    check::all_finite("value", values.cells())?;
    let mut draws = TaskDraws::new(values.tasks(), resampling.seed)?;
    let columns = Columns::new(values);
    // How often each task is in the resample; a mean is then a product of two lists.
    let mut counts = vec![0_u32; values.tasks()];
    let mut means = vec![0.0; values.arms()];
    let mut weights = Weights::default();
    for _ in 0..resampling.draws {
        draws.resample(&mut counts);
        columns.means(&counts, &mut weights, &mut means);
        use_means(&means);
    }
    Ok(())
}

/// The columns of a grid, with the number that a sum is divided by to make a mean. Both are whole where they can be, so
/// that the division is the only rounding; short numbers hold them exactly up to 2^24, and are added twice as fast.
enum Columns {
    Whole(f64, Vec<Vec<f32>>),
    Real(f64, Vec<Vec<f64>>),
}

/// The counts in the type of the columns, padded to whole lanes.
#[derive(Default)]
struct Weights {
    whole: Vec<f32>,
    real: Vec<f64>,
}

/// Numbers that are added up side by side.
const LANES: usize = 8;

impl Columns {
    fn new(values: &Grid<f64>) -> Self {
        const LARGEST_DENOMINATOR: u32 = 2_520;
        const LARGEST_SUM: f64 = (1 << 24) as f64;
        let tasks = values.tasks() as f64;
        let columns = (0..values.arms()).map(|arm| values.arm(arm));
        let largest = values.cells().iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let fits = |scale: &f64| tasks * largest * scale <= LARGEST_SUM;
        match common_denominator(values.cells(), LARGEST_DENOMINATOR).filter(fits) {
            Some(scale) => {
                let whole =
                    |column: Vec<f64>| padded(column.iter().map(|value| (value * scale).round() as f32));
                Self::Whole(tasks * scale, columns.map(whole).collect())
            }
            None => Self::Real(tasks, columns.map(|column| padded(column.into_iter())).collect()),
        }
    }

    fn means(&self, counts: &[u32], weights: &mut Weights, means: &mut [f64]) {
        let padded = counts.len().next_multiple_of(LANES);
        match self {
            Self::Whole(divisor, columns) => {
                weights.whole.clear();
                weights.whole.extend(counts.iter().map(|&count| count as f32));
                weights.whole.resize(padded, 0.0);
                let sums = columns.iter().map(|column| whole_product(&weights.whole, column));
                means.iter_mut().zip(sums).for_each(|(mean, sum)| *mean = f64::from(sum) / divisor);
            }
            Self::Real(divisor, columns) => {
                weights.real.clear();
                weights.real.extend(counts.iter().map(|&count| f64::from(count)));
                weights.real.resize(padded, 0.0);
                let sums = columns.iter().map(|column| real_product(&weights.real, column));
                means.iter_mut().zip(sums).for_each(|(mean, sum)| *mean = sum / divisor);
            }
        }
    }
}

fn padded<T: Clone + Default>(column: impl ExactSizeIterator<Item = T>) -> Vec<T> {
    let length = column.len().next_multiple_of(LANES);
    let mut list: Vec<T> = column.collect();
    list.resize(length, T::default());
    list
}

fn whole_product(left: &[f32], right: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    for (left, right) in left.chunks_exact(LANES).zip(right.chunks_exact(LANES)) {
        for lane in 0..LANES {
            sums[lane] += left[lane] * right[lane];
        }
    }
    sums.iter().sum()
}

fn real_product(left: &[f64], right: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    for (left, right) in left.chunks_exact(LANES).zip(right.chunks_exact(LANES)) {
        for lane in 0..LANES {
            sums[lane] += left[lane] * right[lane];
        }
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn means(values: Vec<f64>) -> Vec<f64> {
        let mut all = Vec::new();
        let grid = Grid::try_new(2, values).unwrap();
        resampled_means(&grid, Resampling { draws: 50, seed: 3 }, |means| all.extend_from_slice(means))
            .unwrap();
        all
    }

    #[test]
    fn whole_and_real_numbers_agree() {
        let fifths: Vec<f64> = (0..26).map(|i| f64::from(i % 6) / 5.0).collect();
        let root = std::f64::consts::SQRT_2;
        let real = means(fifths.iter().map(|value| value * root).collect());
        let whole = means(fifths);
        assert!(whole.iter().zip(&real).all(|(whole, real)| (whole * root - real).abs() < 1e-14));
    }

    #[test]
    fn large_numbers_do_not_overflow() {
        assert!(means(vec![1e6; 20]).iter().all(|&mean| (mean - 1e6).abs() < 1e-6));
        assert!(means(vec![30_000.0; 20]).iter().all(|&mean| mean == 30_000.0));
    }
}
