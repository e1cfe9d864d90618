//! The `[dream]` table. Names and defaults are the dream architecture's; keys of our own say so.

use crate::dream::imagination::ImaginationConfig;
use crate::dream::onset::HypnagogiaConfig;
use crate::replay::ReplayConfig;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use crate::dream::integration::config::ConsolidationConfig;

/// What lets a golem fall asleep once the gate is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScheduleMode {
    /// Every request is granted: a golem asks every `dreamCycleInterval` ticks.
    #[default]
    Interval,
    /// Urgency must also reach the threshold of the golem's phase.
    Autonomous,
}

/// The `[dream.schedule]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct ScheduleConfig {
    /// What lets a golem fall asleep.
    pub mode: ScheduleMode,
    /// Urgency a thriving golem needs in autonomous mode, 0 to 1. A stable one needs 0.1 less, others 0.2 less.
    pub autonomous_threshold: f64,
    /// Most golems dreaming at once (our own key); 0 for no limit.
    pub max_concurrent: u32,
}

impl Default for ScheduleConfig {
    fn default() -> Self {
        Self { mode: ScheduleMode::Interval, autonomous_threshold: 0.8, max_concurrent: 0 }
    }
}

/// The `[dream.budget]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct BudgetConfig {
    /// Most a cycle may spend on inference, dollars (our own key; the spec puts a lightweight cycle at $0.001–0.003).
    pub core_cycle_max_usdc: f64,
    /// Share of the purse that must be left for inference before a dream may begin, 0 to 1.
    pub min_llm_share: f64,
}

impl Default for BudgetConfig {
    fn default() -> Self {
        Self { core_cycle_max_usdc: 0.003, min_llm_share: 0.15 }
    }
}

/// The `[dream]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct DreamConfig {
    /// Whether golems dream. Off by default: dreaming is opted into.
    pub enabled: bool,
    /// Least ticks between two requests to dream, at least 1; a golem asks when it holds no position.
    pub dream_cycle_interval: u64,
    /// Episodes a golem must have before its first dream, at least 1.
    pub min_episodes: u32,
    /// Most replay batches in one cycle (our own key), 1 to 100; all are asked at once.
    pub max_batches: u32,
    /// When to dream.
    pub schedule: ScheduleConfig,
    /// What it may cost.
    pub budget: BudgetConfig,
    /// What is replayed.
    pub replay: ReplayConfig,
    /// What is imagined.
    pub imagination: ImaginationConfig,
    /// What happens at the edge of sleep.
    pub hypnagogia: HypnagogiaConfig,
    /// How conclusions are tested.
    pub consolidation: ConsolidationConfig,
    /// A research control (our own key, default false): whether dreams see the outcomes of trades dealt out among them at random. What
    /// they conclude then rests on nothing; awake, everything stays as it is.
    pub shuffle_outcomes: bool,
}

impl Default for DreamConfig {
    fn default() -> Self {
        Self {
            enabled: false,
            dream_cycle_interval: 50,
            min_episodes: 50,
            max_batches: 3,
            schedule: ScheduleConfig::default(),
            budget: BudgetConfig::default(),
            replay: ReplayConfig::default(),
            imagination: ImaginationConfig::default(),
            hypnagogia: HypnagogiaConfig::default(),
            consolidation: ConsolidationConfig::default(),
            shuffle_outcomes: false,
        }
    }
}

impl DreamConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, check: &mut crate::base::Checker) {
        let mut table = check.table("dream");
        table.whole("dreamCycleInterval", self.dream_cycle_interval, 1, 1_000_000_000);
        table.whole("minEpisodes", self.min_episodes.into(), 1, 1_000_000);
        table.whole("maxBatches", self.max_batches.into(), 1, 100);
        let mut schedule = table.table("schedule");
        schedule.share("autonomousThreshold", self.schedule.autonomous_threshold);
        let mut budget = table.table("budget");
        budget.at_least("coreCycleMaxUsdc", self.budget.core_cycle_max_usdc, 0.0);
        budget.share("minLlmShare", self.budget.min_llm_share);
        self.consolidation.check(&mut table.table("consolidation"));
        self.imagination.check(&mut table.table("imagination"));
        self.hypnagogia.check(&mut table.table("hypnagogia"));
    }
}
