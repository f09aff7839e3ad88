//! The noise floor: the smallest score difference that the evidence can tell from none.

mod critical;
mod floor;
mod gap;

pub use critical::bias_aware_cv;
pub use floor::{
    LeaderboardRow, NoiseFloor, RowNoise, noise_floor, noise_floor_from_se, random_shift_variance, row_se,
};
pub use gap::{GapProbability, gap_probability, gap_sensitivity};
