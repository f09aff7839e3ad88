//! Several comparisons at once.

mod holm;

pub use holm::holm;
