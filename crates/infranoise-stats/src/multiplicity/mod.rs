//! Several comparisons at once.

mod holm;
mod sequence;

pub use holm::holm;
pub use sequence::{behind_gate, fixed_sequence};
