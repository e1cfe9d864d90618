//! The `[memory]` table.

use crate::episode::{AgeingConfig, DemurrageConfig, GrimoireConfig};
use crate::memory::dark_pawns::DarkPawnsConfig;
use crate::memory::openclaw::arena::OpenClawConfig;
use crate::memory::owm::OwmConfig;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The `[memory]` table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MemoryConfig {
    /// Keys of the `bardo` architecture.
    pub bardo: BardoConfig,
    /// Keys of the `openclaw` architecture.
    pub openclaw: OpenClawConfig,
    /// Keys of the `dark-pawns` architecture.
    pub dark_pawns: DarkPawnsConfig,
    /// Keys of the `owm` architecture.
    pub owm: OwmConfig,
    /// Keys of architectures that a program has registered besides, each in a table of its name; they say themselves what they take.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub own: BTreeMap<String, serde_json::Value>,
}

/// The `[memory.bardo]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BardoConfig {
    /// The episode store.
    pub grimoire: GrimoireConfig,
    /// Waking recall of similar episodes.
    pub recall: RecallConfig,
    /// Imagined episodes the prior of a decision counts as, 0 or more.
    pub prior_weight: f64,
    /// Episodes a rule of full confidence counts as, 0 or more.
    pub rule_weight: f64,
    /// Episodes a conclusion under test counts as at full confidence, 0 or more.
    pub hypothesis_weight: f64,
    /// Episodes an active insight counts as at full confidence, 0 or more.
    pub insight_weight: f64,
    /// Episodes that what proved wrong counts as at full confidence, 0 or more.
    pub anti_weight: f64,
    /// Expected R at or below which a trusted rule forbids a trade; −100 for never.
    pub veto_below_r: f64,
    /// How unused knowledge fades.
    pub ageing: AgeingConfig,
    /// What knowledge pays that isn't borne out.
    pub demurrage: DemurrageConfig,
    /// Most active entries (insights, rules, claims under test, what proved wrong), 20 to 100,000; the least trusted goes to the
    /// archive.
    pub capacity: u32,
    /// Most entries in the archive, 0 to 100,000; the oldest leaves.
    pub archive_capacity: u32,
    /// Outcomes, net of contrary ones, that bring an archived entry back, 1 to 1,000.
    pub restore_after: u32,
    /// Confidence it comes back with if it had less, 0 to 1.
    pub restore_confidence: f64,
    /// Scars left at death, 0 to 100.
    pub scars: u32,
    /// Lessons left at death, 0 to 1,000.
    pub lessons: u32,
    /// What is left of an inherited confidence for each generation it has crossed, 0 to 1.
    pub confidence_decay: f64,
    /// Most confidence an inherited lesson starts from, 0 to 1.
    pub confidence_ceiling: f64,
}

impl Default for BardoConfig {
    fn default() -> Self {
        Self {
            grimoire: GrimoireConfig::default(),
            recall: RecallConfig::default(),
            prior_weight: 3.0,
            rule_weight: 8.0,
            hypothesis_weight: 2.0,
            insight_weight: 2.0,
            anti_weight: 4.0,
            veto_below_r: -0.3,
            ageing: AgeingConfig::default(),
            demurrage: DemurrageConfig::default(),
            capacity: 500,
            archive_capacity: 500,
            restore_after: 3,
            restore_confidence: 0.3,
            scars: 5,
            lessons: 10,
            confidence_decay: 0.85,
            confidence_ceiling: 0.7,
        }
    }
}

/// The `[memory.bardo.recall]` table: episodes of the same strategy speak in proportion to their likeness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RecallConfig {
    /// Whether episodes speak at all; without, only rules and hypotheses do.
    pub enabled: bool,
    /// Weight an episode keeps when its regime is another one, 0 to 1.
    pub regime_mismatch: f64,
    /// Least cosine similarity of an episode that speaks, −1 to 1.
    pub min_similarity: f64,
    /// Most episodes' worth of weight that recall may have in a decision, 0 or more.
    pub max_weight: f64,
}

impl Default for RecallConfig {
    fn default() -> Self {
        Self { enabled: true, regime_mismatch: 0.1, min_similarity: 0.0, max_weight: 40.0 }
    }
}

impl MemoryConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, check: &mut crate::base::Checker) {
        self.dark_pawns.check(&mut check.table("memory.dark_pawns"));
        self.owm.check(&mut check.table("memory.owm"));
        let bardo = &self.bardo;
        let mut table = check.table("memory.bardo");
        let mut grimoire = table.table("grimoire");
        grimoire.whole("capacity", bardo.grimoire.capacity.into(), 1, 1_000_000);
        grimoire.within("episode_half_life_ticks", bardo.grimoire.episode_half_life_ticks, 1.0, 1e12);
        grimoire.within(
            "bloodstain_half_life_multiple",
            bardo.grimoire.bloodstain_half_life_multiple,
            1.0,
            1e6,
        );
        let mut recall = table.table("recall");
        recall.share("regime_mismatch", bardo.recall.regime_mismatch);
        recall.within("min_similarity", bardo.recall.min_similarity, -1.0, 1.0);
        recall.within("max_weight", bardo.recall.max_weight, 0.0, 1e9);
        table.within("prior_weight", bardo.prior_weight, 0.0, 1e9);
        table.within("rule_weight", bardo.rule_weight, 0.0, 1e9);
        table.within("hypothesis_weight", bardo.hypothesis_weight, 0.0, 1e9);
        table.within("veto_below_r", bardo.veto_below_r, -100.0, 100.0);
        table.within("insight_weight", bardo.insight_weight, 0.0, 1e9);
        table.within("anti_weight", bardo.anti_weight, 0.0, 1e9);
        bardo.ageing.check(&mut table.table("ageing"));
        bardo.demurrage.check(&mut table.table("demurrage"));
        table.whole("capacity", bardo.capacity.into(), 20, 100_000);
        table.whole("archive_capacity", bardo.archive_capacity.into(), 0, 100_000);
        table.whole("restore_after", bardo.restore_after.into(), 1, 1_000);
        table.share("restore_confidence", bardo.restore_confidence);
        table.whole("scars", bardo.scars.into(), 0, 100);
        table.whole("lessons", bardo.lessons.into(), 0, 1_000);
        table.share("confidence_decay", bardo.confidence_decay);
        table.share("confidence_ceiling", bardo.confidence_ceiling);
        self.openclaw.check(&mut check.table("memory.openclaw"));
    }
}
