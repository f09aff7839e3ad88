//! Several comparisons at once.

mod discovery;
mod holm;
mod sequence;

pub use discovery::benjamini_hochberg;
pub use holm::holm;
pub use sequence::{behind_gate, fixed_sequence};
