//! The rate of one arm.

mod betabinom;
mod binomial;
mod cluster;
mod pass_at;
mod seed;
mod task_mean;

pub use betabinom::{BetaBinomial, betabinom_mle};
pub use binomial::{Side, clopper_pearson, clopper_pearson_upper, jeffreys, wilson};
pub use cluster::{TrialMean, trial_mean_cluster};
pub use pass_at::{pass_at, pass_hat};
pub use seed::{SeedSe, seed_se};
pub use task_mean::{TaskMean, WilsonNeff, task_mean_ci, wilson_neff};
