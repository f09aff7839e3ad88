//! Trends over arms ordered from the tightest.

mod mantel;
mod pava;
mod slope;

pub use mantel::{MantelTrend, mantel_trend};
pub use pava::pava;
pub use slope::{rank_scores, trend_slope};
