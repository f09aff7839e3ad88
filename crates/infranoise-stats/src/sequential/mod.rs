//! Looking before the end.
//!
//! A p-value for a fixed number of trials must never be read while trials come in: with five looks its size is
//! 9-13 %. A live page shows the e-value, which is valid at any time, or the boundary of a planned look.

mod boundary;
mod evidence;

pub use boundary::{GroupSequential, gs_bounds, spent_alpha};
pub use evidence::{DiscordantEvidence, cs_discordant, e_value_discordant};
