//! The `[curator]` table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// When and how the Curator works.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CuratorConfig {
    /// Whether golems have their memories curated.
    pub enabled: bool,
    /// Waking ticks between two cycles, at least 1.
    pub interval_ticks: u64,
    /// Episodes a cluster needs for an insight, at least 2.
    pub cluster_size: u32,
    /// Share of a cluster that must agree in the sign of its result for an insight, 0.5 to 1.
    pub coherence: f64,
    /// What an insight's confidence is of the mean it was drawn from, 0 to 1.
    pub compression: f64,
    /// Confidence an insight of full coherence would start from, 0 to 1.
    pub insight_confidence: f64,
}

impl Default for CuratorConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            interval_ticks: 50,
            cluster_size: 3,
            coherence: 0.7,
            compression: 0.9,
            insight_confidence: 0.5,
        }
    }
}

impl CuratorConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, check: &mut crate::base::Checker) {
        let mut table = check.table("curator");
        table.whole("interval_ticks", self.interval_ticks, 1, 1_000_000_000);
        table.whole("cluster_size", self.cluster_size.into(), 2, 1_000_000);
        table.within("coherence", self.coherence, 0.5, 1.0);
        table.share("compression", self.compression);
        table.share("insight_confidence", self.insight_confidence);
    }
}
