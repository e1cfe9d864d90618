//! The `[memory.owm]` table: outcome-weighted memory on the market.

use crate::base::TableChecker;
use morta_memories::owm::MindConfig;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an episode's outcome weighs in the expectation of the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExpectationWeight {
    /// The recall score: good outcomes come to mind more easily, and weigh more.
    Score,
    /// The recall score without the quality of the outcome: only likeness, freshness, trust and state of mind weigh.
    Likeness,
}

/// How decisions to stay out are remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Abstentions {
    /// Not at all.
    Ignored,
    /// As episodes without an outcome.
    Open,
    /// As episodes with the outcome they would have had.
    Counterfactual,
}

/// The `[memory.owm]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OwmConfig {
    /// The five memories, and how they are asked.
    pub mind: MindConfig,
    /// Seconds of memory for each simulated second, above 0 to 1,000,000: worlds that compress time set it, so that memories fade and
    /// plans expire at the pace of the lives lived there (default 1).
    pub time_scale: f64,
    /// How decisions to stay out are remembered (default open).
    pub abstentions: Abstentions,
    /// What an outcome weighs in the expectation of the next (default score).
    pub expectation: ExpectationWeight,
    /// Remembered episodes the prior of a decision counts as, 0 or more (default 3).
    pub prior_weight: f64,
    /// Most episodes' worth of weight that recall may have in a decision, 0 or more (default 12).
    pub max_recall_weight: f64,
    /// Episodes that a belief of full certainty counts as, 0 or more (default 8).
    pub belief_weight: f64,
    /// Size of a position, in usual sizes, while fewer than `mind.kelly.least_memories` episodes come to mind, 0 to 10 (default 1).
    pub cold_size: f64,
    /// Least size that memory suggests, in usual sizes, 0 to 10 (default 0.5).
    pub smallest_size: f64,
    /// Largest size that memory suggests, in usual sizes, 0 to 100 (default 1.5).
    pub largest_size: f64,
    /// Days a plan is valid, 0.001 to 1,000,000 (default 30).
    pub plan_days: f64,
    /// Belief in gain below which a plan is made to leave such trades out, if they lost on average, 0 to 1 (default 0.3); 0 for
    /// never.
    pub skip_below: f64,
    /// Drawdown above which a plan is made to trade smaller, 0 to 1 (default 0.15); 1 for never.
    pub defend_above: f64,
    /// Factor on sizes then, 0 to 1 (default 0.5).
    pub defence_size: f64,
    /// Plans that were carried out or have expired and are kept, 0 to 100,000 (default 50).
    pub plans_kept: u32,
    /// Scars left at death, 0 to 100 (default 5).
    pub scars: u32,
    /// Lessons left at death, 0 to 1,000 (default 10).
    pub lessons: u32,
    /// R from which an outcome bears out an inherited claim of gain, −100 to 100 (default 0.25).
    pub confirm_margin_r: f64,
    /// What is left of an inherited confidence for each generation it has crossed, 0 to 1 (default 0.85).
    pub confidence_decay: f64,
    /// Most confidence an inherited lesson starts from, 0 to 1 (default 0.7).
    pub confidence_ceiling: f64,
}

impl Default for OwmConfig {
    fn default() -> Self {
        Self {
            mind: MindConfig::default(),
            time_scale: 1.0,
            abstentions: Abstentions::Open,
            expectation: ExpectationWeight::Score,
            prior_weight: 3.0,
            max_recall_weight: 12.0,
            belief_weight: 8.0,
            cold_size: 1.0,
            smallest_size: 0.5,
            largest_size: 1.5,
            plan_days: 30.0,
            skip_below: 0.3,
            defend_above: 0.15,
            defence_size: 0.5,
            plans_kept: 50,
            scars: 5,
            lessons: 10,
            confirm_margin_r: 0.25,
            confidence_decay: 0.85,
            confidence_ceiling: 0.7,
        }
    }
}

impl OwmConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, table: &mut TableChecker<'_>) {
        self.mind.check(&mut table.table("mind"));
        table.within("time_scale", self.time_scale, 1e-6, 1e6);
        table.within("prior_weight", self.prior_weight, 0.0, 1e9);
        table.within("max_recall_weight", self.max_recall_weight, 0.0, 1e9);
        table.within("belief_weight", self.belief_weight, 0.0, 1e9);
        table.within("cold_size", self.cold_size, 0.0, 10.0);
        table.within("smallest_size", self.smallest_size, 0.0, 10.0);
        table.within("largest_size", self.largest_size, self.smallest_size.max(0.0), 100.0);
        table.within("plan_days", self.plan_days, 0.001, 1e6);
        table.share("skip_below", self.skip_below);
        table.share("defend_above", self.defend_above);
        table.share("defence_size", self.defence_size);
        table.whole("plans_kept", self.plans_kept.into(), 0, 100_000);
        table.whole("scars", self.scars.into(), 0, 100);
        table.whole("lessons", self.lessons.into(), 0, 1_000);
        table.within("confirm_margin_r", self.confirm_margin_r, -100.0, 100.0);
        table.share("confidence_decay", self.confidence_decay);
        table.share("confidence_ceiling", self.confidence_ceiling);
    }
}
