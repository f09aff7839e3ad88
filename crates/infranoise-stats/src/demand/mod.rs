//! What ceiling is safe? From peaks that were seen.
//!
//! Peaks are in multiples of the task spec, of memory that cannot be reclaimed. All methods assume *no anticipation*:
//! what a trial does before it first exceeds a ceiling does not depend on that ceiling. Test it: compare the predicted
//! kill rate of each arm with its own.

mod ceiling;
mod direct;
mod km;

pub use ceiling::{SmallestCeiling, smallest_ceiling};
pub use direct::{CeilingTrial, direct, doomed_share, virtual_outcomes};
pub use km::{KmPoint, Peak, kaplan_meier};
