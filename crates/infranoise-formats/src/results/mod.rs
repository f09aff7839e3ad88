//! Results of trials in the formats of other harnesses.

mod harbor_write;

pub use harbor_write::harbor_result;
