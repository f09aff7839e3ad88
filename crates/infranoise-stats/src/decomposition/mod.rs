//! Why did the score change? Noise removed, maimed trials, and the rest; and where the turning point lies.

mod bounds;
mod broken_stick;
mod crossover;
mod phi;
mod split;
mod turning;

pub use bounds::{Bounds, recovered_bounds};
pub use broken_stick::{BrokenStick, broken_stick};
pub use crossover::{Crossover, crossover};
pub use phi::{Doomed, PhiPoint, phi_sweep};
pub use split::{Decomposition, decompose};
pub use turning::{Curves, curves, failure_drop};
pub(crate) use turning::{complete_rows, first_maximum};
