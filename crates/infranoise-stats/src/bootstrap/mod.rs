//! Resampling of whole tasks from a recorded seed.

mod draw;
mod percentile;
mod resample;
mod sweep;

pub use draw::TaskDraws;
pub use percentile::{ClusterBootstrap, cluster_bootstrap_arms, cluster_bootstrap_pct, percentile};
pub use resample::{Resampling, resampled_means};
pub use sweep::{SweepBootstrap, sweep_bootstrap};
