//! The `[curator]` table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// By how much a vote moves confidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConfidenceUpdate {
    /// Up by .1, down by .15 (digest section 2, storage).
    #[default]
    Absolute,
    /// Up by 5 % of itself, down by 10 % (digest section 2, rewrite).
    Relative,
}

impl ConfidenceUpdate {
    /// Change of a confidence by one vote.
    pub fn change(self, confidence: f64, up: bool) -> f64 {
        match (self, up) {
            (Self::Absolute, true) => 0.10,
            (Self::Absolute, false) => -0.15,
            (Self::Relative, true) => 0.05 * confidence,
            (Self::Relative, false) => -0.10 * confidence,
        }
    }
}

/// Confidence an insight can reach at most (digest section 2).
pub const CONFIDENCE_CAP: f64 = 0.99;

/// When and how the Curator works.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CuratorConfig {
    /// Whether golems have their memories curated.
    pub enabled: bool,
    /// Waking ticks between two cycles, at least 1.
    pub interval_ticks: u64,
    /// Ticks between two deep cycles, in which everything is held against everything, at least 1 (default 250).
    pub deep_ticks: u64,
    /// Episodes a cluster needs for an insight, at least 2.
    pub cluster_size: u32,
    /// Share of a cluster that must agree in the sign of its result for an insight, 0.5 to 1.
    pub coherence: f64,
    /// What an insight's confidence is of the mean it was drawn from, 0 to 1.
    pub compression: f64,
    /// Confidence an insight of full coherence would start from, 0 to 1.
    pub insight_confidence: f64,
    /// Trades of a strategy after which its gains and losses are contrasted, 4 to 1,000 (default 10).
    pub contrast_every: u32,
    /// How a vote moves confidence: "absolute" (+.1/−.15) or "relative" (+5 %/−10 %); never above .99.
    pub confidence_update: ConfidenceUpdate,
    /// Difference in R from which an insight's size is corrected, 0 to 100 (our own key).
    pub edit_r: f64,
    /// Confidence from which a candidate speaks, 0 to 1 (default 0.6).
    pub promote_at: f64,
    /// Confidence from which an active insight is proposed as a rule, 0 to 1 (default 0.7).
    pub propose_at: f64,
    /// Confidence below which an active insight is a candidate again, 0 to 1 (default 0.4).
    pub demote_below: f64,
    /// Confidence below which an insight is too low, 0 to 1 (default 0.1).
    pub low_below: f64,
    /// Cycles in a row that an insight may be too low before it is archived, 1 to 1,000 (default 3).
    pub low_cycles: u32,
    /// Quality below which an insight that is hardly ever looked at is archived, 0 to 1 (default 0.05).
    pub prune_quality: f64,
    /// Looks that save it, 0 to 1,000 (default 2).
    pub prune_accesses: u32,
    /// Likeness above which two insights are merged in a deep cycle, 0 to 1 (default 0.9).
    pub merge_above: f64,
    /// Confidence that a dream's conclusion and an independent waking insight gain when they say the same, 0 to 1 (our own key,
    /// default 0.1).
    pub corroboration_step: f64,
    /// Most episodes tagged for the next dream in a cycle, 0 to 10,000 (our own key); those of the highest priority are.
    pub max_tags: u32,
}

impl Default for CuratorConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            interval_ticks: 50,
            deep_ticks: 250,
            cluster_size: 3,
            coherence: 0.7,
            compression: 0.9,
            insight_confidence: 0.5,
            contrast_every: 10,
            confidence_update: ConfidenceUpdate::default(),
            edit_r: 0.25,
            promote_at: 0.6,
            propose_at: 0.7,
            demote_below: 0.4,
            low_below: 0.1,
            low_cycles: 3,
            prune_quality: 0.05,
            prune_accesses: 2,
            merge_above: 0.9,
            corroboration_step: 0.1,
            max_tags: 50,
        }
    }
}

impl CuratorConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, check: &mut crate::base::Checker) {
        let mut table = check.table("curator");
        table.whole("interval_ticks", self.interval_ticks, 1, 1_000_000_000);
        table.whole("deep_ticks", self.deep_ticks, 1, 1_000_000_000);
        table.whole("cluster_size", self.cluster_size.into(), 2, 1_000_000);
        table.within("coherence", self.coherence, 0.5, 1.0);
        table.share("compression", self.compression);
        table.share("insight_confidence", self.insight_confidence);
        table.whole("contrast_every", self.contrast_every.into(), 4, 1_000);
        table.within("edit_r", self.edit_r, 0.0, 100.0);
        table.share("promote_at", self.promote_at);
        table.share("propose_at", self.propose_at);
        table.within("demote_below", self.demote_below, 0.0, self.promote_at);
        table.share("low_below", self.low_below);
        table.whole("low_cycles", self.low_cycles.into(), 1, 1_000);
        table.share("prune_quality", self.prune_quality);
        table.whole("prune_accesses", self.prune_accesses.into(), 0, 1_000);
        table.share("merge_above", self.merge_above);
        table.share("corroboration_step", self.corroboration_step);
        table.whole("max_tags", self.max_tags.into(), 0, 10_000);
    }
}

/// What epistemic age leaves of a confidence when it comes to promotion: all of it while fitness is above twice the senescence
/// threshold, else .2 + .8·fitness/(2·threshold) (digest section 3, G03).
pub fn age_discount(fitness: f64, threshold: f64) -> f64 {
    let twice = 2.0 * threshold;
    if fitness > twice || twice <= 0.0 { 1.0 } else { 0.2 + 0.8 * fitness / twice }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_models_promote_less() {
        assert_eq!(age_discount(0.71, 0.35), 1.0);
        assert!((age_discount(0.35, 0.35) - 0.6).abs() < 1e-12);
        assert!((age_discount(0.0, 0.35) - 0.2).abs() < 1e-12);
    }

    #[test]
    fn votes_move_confidence() {
        assert_eq!(ConfidenceUpdate::Absolute.change(0.5, true), 0.1);
        assert_eq!(ConfidenceUpdate::Absolute.change(0.5, false), -0.15);
        assert_eq!(ConfidenceUpdate::Relative.change(0.5, true), 0.025);
        assert_eq!(ConfidenceUpdate::Relative.change(0.5, false), -0.05);
    }
}
