//! Observational data: is an outcome associated with how or where trials were made?
//!
//! For experiments that were not randomised (imported results): association is not effect. What was randomised belongs
//! to [`crate::difference`].

mod logit;
mod ranks;

pub use logit::{ClusterLogit, cluster_logit};
pub use ranks::{Spearman, Wilcoxon, spearman, wilcoxon_signed_rank};
