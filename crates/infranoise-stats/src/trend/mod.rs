//! Trends over arms ordered from the tightest.

mod band;
mod cochran_armitage;
mod mantel;
mod pava;
mod slope;

pub(crate) use band::Band;
pub use band::{Direction, pava_band};
pub use cochran_armitage::{CochranArmitage, cochran_armitage};
pub use mantel::{MantelTrend, mantel_trend};
pub use pava::pava;
pub use slope::{rank_scores, trend_slope};
