//! Whether arms were confounded with something else.

use infranoise_core::ArmId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One circumstance, compared over arms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BalanceRow {
    /// The circumstance: host, hour, concurrency, order, host pressure.
    pub what: String,
    /// Its value in each arm, in words.
    pub by_arm: Vec<(ArmId, String)>,
    /// Standardised difference between the arms that differ most: standard deviations of the circumstance (or the largest difference of
    /// shares, for circumstances that are categories).
    pub imbalance: f64,
    /// Whether that is more than chance and harmless.
    pub confounded: bool,
    /// The finding in one sentence.
    pub says: String,
}
