//! The `[lethe]` table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What leaving and finding bloodstains takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LetheConfig {
    /// Whether there is a Lethe at all. Without, nothing passes from the dead to the living.
    pub enabled: bool,
    /// Price of leaving one bloodstain, dollars, taken from the estate; 0 or more.
    pub deposit_usdc: f64,
    /// Price of one query, dollars, 0 or more.
    pub query_usdc: f64,
    /// Least time between a death and the moment its bloodstains can be found, simulated hours, 0 or more.
    pub delay_hours_min: f64,
    /// Most time, simulated hours; the delay is uniform in between.
    pub delay_hours_max: f64,
    /// Time constant of the temporal term of the rank, simulated hours, above 0.
    pub recency_hours: f64,
    /// Bloodstains a newborn draws, 0 to 1,000.
    pub draws_at_birth: u32,
    /// Most bloodstains kept; the oldest go first. 1 to 100,000,000.
    pub capacity: u32,
    /// Weight of likeness to the present market in the rank, 0 or more.
    pub semantic_weight: f64,
    /// Weight of recency.
    pub temporal_weight: f64,
    /// Weight of quality.
    pub quality_weight: f64,
    /// Weight of kinship (1 for the golem's own lineage, less for strangers).
    pub provenance_weight: f64,
    /// Weight of being a scar.
    pub scar_weight: f64,
}

impl Default for LetheConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            deposit_usdc: 0.005,
            query_usdc: 0.002,
            delay_hours_min: 1.0,
            delay_hours_max: 6.0,
            recency_hours: 168.0,
            draws_at_birth: 8,
            capacity: 1_000_000,
            semantic_weight: 0.35,
            temporal_weight: 0.20,
            quality_weight: 0.25,
            provenance_weight: 0.10,
            scar_weight: 0.10,
        }
    }
}

impl LetheConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, check: &mut crate::base::Checker) {
        let mut table = check.table("lethe");
        table.at_least("deposit_usdc", self.deposit_usdc, 0.0);
        table.at_least("query_usdc", self.query_usdc, 0.0);
        table.within("delay_hours_min", self.delay_hours_min, 0.0, 1e6);
        table.within("delay_hours_max", self.delay_hours_max, self.delay_hours_min, 1e6);
        table.within("recency_hours", self.recency_hours, 1e-6, 1e9);
        table.whole("draws_at_birth", self.draws_at_birth.into(), 0, 1_000);
        table.whole("capacity", self.capacity.into(), 1, 100_000_000);
        for (name, weight) in [
            ("semantic_weight", self.semantic_weight),
            ("temporal_weight", self.temporal_weight),
            ("quality_weight", self.quality_weight),
            ("provenance_weight", self.provenance_weight),
            ("scar_weight", self.scar_weight),
        ] {
            table.within(name, weight, 0.0, 1e6);
        }
    }
}
