//! What is on others' disks? Tasks and results of other harnesses; and a sweep as other people's tools want it.

pub mod exports;
pub mod results;
pub mod rollouts;
pub mod tasks;
