//! What do numbers say? Statistics for infrastructure noise; pure, knows nothing of trials.
//!
//! Every method is a pure function: counts in, an [`Estimate`], a [`TestResult`] or a [`StatError`] out. There is no
//! input or output here, no clock, and no randomness but ChaCha8 from a seed that the caller gives. What is
//! deliberately absent: outcomes, blame and scoring (see `infranoise-core`), the document that puts methods together
//! (`infranoise-analysis`), and methods that must not be used (listed in `docs/methods.md` with the reasons).
//!
//! Two questions, two kinds of method, never mixed in one row: *would these tasks score differently?* and *would
//! tasks like these?* [`Method::scope`] says which one a method answers.
//!
//! Rates and differences are shares: 0.06 is six points. Differences are B minus A; A is the tighter arm.

pub mod association;
pub mod bootstrap;
mod cell;
mod check;
pub mod decomposition;
pub mod demand;
pub mod difference;
pub mod equivalence;
mod error;
mod estimate;
#[cfg(feature = "eval")]
pub mod eval;
mod fraction;
mod grid;
mod method;
mod moments;
pub mod multiplicity;
pub mod noise_floor;
#[cfg(feature = "serde")]
pub mod number;
pub mod power;
pub mod rate;
pub mod root;
pub mod sequential;
pub mod special;
mod t_test;
pub mod totals;
pub mod trend;
pub mod variance;

pub use cell::{Cell, Outcomes, Pair};
pub use error::{Result, StatError};
pub use estimate::{Estimate, TestResult};
pub use grid::Grid;
pub use method::{Method, Scope, UnknownMethod};
