//! The difference of two arms, B minus A.

mod cmh;
mod cmh_exact;
mod conditional;
mod fixed_tasks;
mod leave_one_out;
mod mcnemar;
mod mh_rd;
mod paired_t;
mod signflip;
mod total_flip;

pub use cmh::{Cmh, cmh};
pub use cmh_exact::{CmhExact, cmh_exact};
pub use fixed_tasks::{fixed_task_difference, fixed_task_se, these_tasks};
pub use leave_one_out::{LeaveOneOut, leave_one_task_out};
pub use mcnemar::{McNemar, mcnemar_exact};
pub use mh_rd::mh_rd;
pub use paired_t::{interaction_t, paired_task_t};
pub use signflip::{SignFlip, signflip_exact, signflip_exact_values};
pub use total_flip::total_flip;
