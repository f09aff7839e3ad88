//! From what a person typed to a sweep that is done: raw arguments and file, resolved request, plan, trials, report.

mod arms;
mod bands;
mod detect;
mod engine;
mod execute;
mod file;
mod files;
pub mod images;
mod name;
mod request;
mod started;
mod tasks;
mod timing;

pub use engine::{Engines, reclaim_all};
pub use execute::{MADE_BY, Outcome, execute};
pub use files::trial_files;
pub use request::{resolve_demo, resolve_run, resolve_sweep};
pub use tasks::own_images;
