//! The `[clade]` table.

use crate::episode::EntryKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What makes golems share more freely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SharingRule {
    /// Their behavioural phase: .6, .5, .4, .3, .1 from thriving to terminal, .2 in the second stage of senescence
    /// (`mortality.phases`).
    #[default]
    Phase,
    /// Their hazard h: .6 − .3·min(1, h/5·10⁻⁴).
    Hazard,
    /// Their hazard and their mood: .6 − .15·min(1, h/5·10⁻⁴) − e, with e by mood and phase.
    Affect,
}

/// Siblings that tell each other what they learned. A clade is up to `size` neighbouring lineage slots of one cohort.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CladeConfig {
    /// Whether there are clades. Without, golems learn nothing from the living.
    pub enabled: bool,
    /// Lineage slots in a clade, 1 to 20; the last clade of a cohort may be smaller.
    pub size: u32,
    /// Ticks between two exchanges of a golem with its clade, 1 to 1,000,000,000. Warnings and the last words of the dying don't
    /// wait for it.
    pub sync_ticks: u64,
    /// Trust from which a warning is offered, 0 to 1, as are all of these.
    pub warning_threshold: f64,
    /// Trust from which an insight is offered.
    pub insight_threshold: f64,
    /// Trust from which a heuristic is offered.
    pub heuristic_threshold: f64,
    /// Trust from which a causal link is offered.
    pub causal_threshold: f64,
    /// Trust from which a fragment of a strategy is offered.
    pub fragment_threshold: f64,
    /// Ticks a heuristic must have been in force before it is offered, 0 to 1,000,000,000.
    pub heuristic_age_ticks: u64,
    /// What makes golems share more freely. The thresholds hold at a sharing threshold of .6 and move with it.
    pub sharing: SharingRule,
    /// Most lessons a golem offers in an hour of simulated time, 0 to 1,000,000.
    pub push_per_hour: u32,
    /// Most lessons a golem takes in in an hour of simulated time, 0 to 1,000,000.
    pub ingest_per_hour: u32,
    /// How long a lesson can be asked for, simulated days, above 0 to 100,000.
    pub store_days: f64,
    /// What is left of the giver's trust in the receiver, 0 to 1.
    pub trust: f64,
    /// Most trust a lesson begins with in the receiver, 0 to 1.
    pub trust_ceiling: f64,
    /// Price of offering one lesson, dollars, 0 or more.
    pub write_usdc: f64,
    /// Rank of what is offered when there is more than can be taken in: weight of likeness to the present market, 0 or more, as
    /// are all of these.
    pub semantic_weight: f64,
    /// Weight of recency.
    pub temporal_weight: f64,
    /// Weight of the giver's trust.
    pub quality_weight: f64,
    /// Weight of how the giver had come by it.
    pub provenance_weight: f64,
    /// Weight of being somebody's last words.
    pub bloodstain_weight: f64,
}

impl Default for CladeConfig {
    fn default() -> Self {
        Self {
            enabled: false,
            size: 20,
            sync_ticks: 50,
            warning_threshold: 0.4,
            insight_threshold: 0.6,
            heuristic_threshold: 0.7,
            causal_threshold: 0.5,
            fragment_threshold: 0.6,
            heuristic_age_ticks: 10,
            sharing: SharingRule::Phase,
            push_per_hour: 100,
            ingest_per_hour: 200,
            store_days: 7.0,
            trust: 0.8,
            trust_ceiling: 0.4,
            write_usdc: 0.001,
            semantic_weight: 0.40,
            temporal_weight: 0.25,
            quality_weight: 0.15,
            provenance_weight: 0.15,
            bloodstain_weight: 0.05,
        }
    }
}

/// The sharing threshold at which the thresholds by kind hold as they are.
const NEUTRAL: f64 = 0.6;
/// A hazard a tick that frees as much as hazard can.
const FULL_HAZARD: f64 = 5e-4;

impl CladeConfig {
    /// Slots in a clade; 0 when there are no clades.
    pub fn clade_size(&self) -> u32 {
        if self.enabled { self.size } else { 0 }
    }

    /// The sharing threshold by hazard (digest section 15, M03): .6 − .3·min(1, h/5·10⁻⁴).
    pub fn sharing_by_hazard(hazard: f64) -> f64 {
        NEUTRAL - 0.3 * (hazard / FULL_HAZARD).min(1.0)
    }

    /// Trust from which a golem with this sharing threshold offers an entry of this kind; `None` for what isn't shared.
    pub fn threshold(&self, kind: EntryKind, sharing: f64) -> Option<f64> {
        let by_kind = match kind {
            EntryKind::Warning | EntryKind::AntiKnowledge => self.warning_threshold,
            EntryKind::Insight => self.insight_threshold,
            EntryKind::Heuristic => self.heuristic_threshold,
            EntryKind::CausalLink => self.causal_threshold,
            EntryKind::StrategyFragment => self.fragment_threshold,
            EntryKind::Question => return None,
        };
        Some((by_kind - (NEUTRAL - sharing)).clamp(0.0, 1.0))
    }

    /// Everything about the values that can't be.
    pub fn check(&self, check: &mut crate::base::Checker) {
        let mut table = check.table("clade");
        table.whole("size", self.size.into(), 1, 20);
        table.whole("sync_ticks", self.sync_ticks, 1, 1_000_000_000);
        table.share("warning_threshold", self.warning_threshold);
        table.share("insight_threshold", self.insight_threshold);
        table.share("heuristic_threshold", self.heuristic_threshold);
        table.share("causal_threshold", self.causal_threshold);
        table.share("fragment_threshold", self.fragment_threshold);
        table.whole("heuristic_age_ticks", self.heuristic_age_ticks, 0, 1_000_000_000);
        table.whole("push_per_hour", self.push_per_hour.into(), 0, 1_000_000);
        table.whole("ingest_per_hour", self.ingest_per_hour.into(), 0, 1_000_000);
        table.within("store_days", self.store_days, 1e-6, 1e5);
        table.share("trust", self.trust);
        table.share("trust_ceiling", self.trust_ceiling);
        table.at_least("write_usdc", self.write_usdc, 0.0);
        for (name, weight) in [
            ("semantic_weight", self.semantic_weight),
            ("temporal_weight", self.temporal_weight),
            ("quality_weight", self.quality_weight),
            ("provenance_weight", self.provenance_weight),
            ("bloodstain_weight", self.bloodstain_weight),
        ] {
            table.within(name, weight, 0.0, 1e6);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Digest section 15: by hazard .6 at 0, .45 at 2.5·10⁻⁴, .3 from 5·10⁻⁴ on.
    #[test]
    fn sharing_by_hazard() {
        for (hazard, expected) in [(0.0, 0.6), (2.5e-4, 0.45), (5e-4, 0.3), (1e-3, 0.3)] {
            let found = CladeConfig::sharing_by_hazard(hazard);
            assert!((found - expected).abs() < 1e-12, "{hazard}: {found}");
        }
    }

    /// A thriving golem offers heuristics from .7 on, a terminal one from .2.
    #[test]
    fn the_dying_give_freely() {
        let config = CladeConfig::default();
        let from = |kind, sharing| config.threshold(kind, sharing);
        assert_eq!(from(EntryKind::Heuristic, 0.6), Some(0.7));
        assert!((from(EntryKind::Heuristic, 0.1).unwrap() - 0.2).abs() < 1e-12);
        assert_eq!(from(EntryKind::Warning, 0.1), Some(0.0));
        assert_eq!(from(EntryKind::Question, 0.1), None);
    }
}
