//! The `[memory.openclaw]` table.

use crate::base::TableChecker;
use crate::llm::Tier;
use morta_memories::openclaw::config::DreamingConfig;
use morta_memories::openclaw::execution::TokenCosts;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The `[memory.openclaw]` table. The keys of `dreaming` have the names of the document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OpenClawConfig {
    /// The three phases of sleep.
    pub dreaming: DreamingConfig,
    /// Tokens and time that a run of a phase takes.
    pub costs: TokenCosts,
    /// The tier that a cheap, a medium and an expensive budget ask.
    pub tiers: [Tier; 3],
    /// Seconds that pass on the clock of schedules and notes in one second of the market, above 0 to 1,000,000. In compressed
    /// worlds, where a life is a few days, more than 1.
    pub time_scale: f64,
    /// Notes that a memory search finds at most, 1 to 100.
    pub search_results: u32,
    /// Least likeness of a note that is found, 0 to 1.
    pub min_similarity: f64,
    /// Imagined trades the prior of a decision counts as, 0 or more.
    pub prior_weight: f64,
    /// Trades that a short-term note of full likeness counts as, 0 or more.
    pub short_term_weight: f64,
    /// Trades that a note in long-term memory counts as, 0 or more.
    pub promoted_weight: f64,
    /// Trades that a theme of full strength counts as, 0 or more.
    pub theme_weight: f64,
    /// R that bears a claim of gain out, 0 to 10; less bears out a claim of loss.
    pub confirm_margin_r: f64,
    /// Scars left at death, 0 to 100.
    pub scars: u32,
    /// Lessons left at death, 0 to 1,000.
    pub lessons: u32,
    /// What is left of an inherited confidence for each generation it has crossed, 0 to 1.
    pub confidence_decay: f64,
}

impl Default for OpenClawConfig {
    fn default() -> Self {
        Self {
            dreaming: DreamingConfig::default(),
            costs: TokenCosts::default(),
            tiers: [Tier::T0, Tier::T0, Tier::T1],
            time_scale: 1.0,
            search_results: 6,
            min_similarity: 0.5,
            prior_weight: 3.0,
            short_term_weight: 0.5,
            promoted_weight: 2.0,
            theme_weight: 0.5,
            confirm_margin_r: 0.25,
            scars: 5,
            lessons: 10,
            confidence_decay: 0.85,
        }
    }
}

impl OpenClawConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, table: &mut TableChecker<'_>) {
        self.dreaming.check(&mut table.table("dreaming"));
        self.costs.check(&mut table.table("costs"));
        let scale = self.time_scale;
        let remedy = "must be a number above 0 and at most 1000000";
        table.demand(scale > 0.0 && scale <= 1e6, "time_scale", scale, remedy);
        table.whole("search_results", self.search_results.into(), 1, 100);
        table.share("min_similarity", self.min_similarity);
        table.within("prior_weight", self.prior_weight, 0.0, 1e9);
        table.within("short_term_weight", self.short_term_weight, 0.0, 1e9);
        table.within("promoted_weight", self.promoted_weight, 0.0, 1e9);
        table.within("theme_weight", self.theme_weight, 0.0, 1e9);
        table.within("confirm_margin_r", self.confirm_margin_r, 0.0, 10.0);
        table.whole("scars", self.scars.into(), 0, 100);
        table.whole("lessons", self.lessons.into(), 0, 1_000);
        table.share("confidence_decay", self.confidence_decay);
    }
}
