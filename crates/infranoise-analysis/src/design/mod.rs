//! Before money is spent, and before a gap is believed: what a design can see, and what a leaderboard row can.

mod gap;
mod plan;
mod tiers;

pub use gap::{GapAnswer, GapQuestion, InfraAssumption, gap};
pub use plan::{DesignAnswer, DesignQuestion, LookRow, design};
pub use tiers::{Row, TieredRow, Tiers, tiers};
