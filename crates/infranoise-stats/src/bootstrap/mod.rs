//! Resampling of whole tasks from a recorded seed.

mod draw;
mod percentile;
mod resample;

pub use draw::TaskDraws;
pub use percentile::{ClusterBootstrap, cluster_bootstrap_pct, percentile};
pub use resample::{Resampling, resampled_means};
