//! The `[dream]` table. Names and defaults are the dream architecture's; keys of our own say so.

use crate::dream::micro::MicroConfig;
use crate::dream::schedule::timetable::{self, Surroundings};
use crate::dream::schedule::{
    BudgetConfig, ClocksConfig, DirectiveConfig, DreamTier, InterruptConfig, PhasesConfig, ScheduleConfig,
    WakeInterruptsConfig, WindowsConfig,
};
use crate::dream::urgency::UrgencyConfig;
use crate::episode::StagingConfig;
use crate::replay::ReplayConfig;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The `[dream]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct DreamConfig {
    /// Whether golems dream. Off by default: dreaming is opted into.
    pub enabled: bool,
    /// How much dreams may take: `core` (a fraction of a cent a cycle) or `hardened` (up to half a dollar). Default `core`.
    pub tier: DreamTier,
    /// Least ticks between two requests to dream, at least 1 (default 50); only hardened golems in a sleep window, owners and
    /// emergencies don't wait for it.
    pub dream_cycle_interval: u64,
    /// Episodes a golem must have before its first dream, at least 1.
    pub min_episodes: u32,
    /// Most replay batches in one cycle (our own key), 1 to 100.
    pub max_batches: u32,
    /// When to dream.
    pub schedule: ScheduleConfig,
    /// When to sleep.
    pub windows: WindowsConfig,
    /// How badly a golem wants to dream.
    pub urgency: UrgencyConfig,
    /// What the clocks of mortality do to dreams.
    pub clocks: ClocksConfig,
    /// What it may cost.
    pub budget: BudgetConfig,
    /// How a cycle's budget is divided; left out: by behavioural phase.
    pub phases: PhasesConfig,
    /// What wakes a dreamer.
    pub wake_interrupts: WakeInterruptsConfig,
    /// Calls that wake dreamers, by plan; at most 10,000.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub interrupts: Vec<InterruptConfig>,
    /// When the owner says "dream now"; at most 10,000.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub directives: Vec<DirectiveConfig>,
    /// Glances at what is new between dreams.
    pub micro: MicroConfig,
    /// What is replayed.
    pub replay: ReplayConfig,
    /// How conclusions are tested.
    pub consolidation: ConsolidationConfig,
}

impl Default for DreamConfig {
    fn default() -> Self {
        Self {
            enabled: false,
            tier: DreamTier::default(),
            dream_cycle_interval: 50,
            min_episodes: 50,
            max_batches: 3,
            schedule: ScheduleConfig::default(),
            windows: WindowsConfig::default(),
            urgency: UrgencyConfig::default(),
            clocks: ClocksConfig::default(),
            budget: BudgetConfig::default(),
            phases: PhasesConfig::default(),
            wake_interrupts: WakeInterruptsConfig::default(),
            interrupts: Vec::new(),
            directives: Vec::new(),
            micro: MicroConfig::default(),
            replay: ReplayConfig::default(),
            consolidation: ConsolidationConfig::default(),
        }
    }
}

/// The `[dream.consolidation]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct ConsolidationConfig {
    /// Confidence a counterfactual hypothesis starts from, 0 to 1.
    pub hypothesis_confidence: f64,
    /// Confidence an insight from replay starts from, 0 to 1.
    pub insight_confidence: f64,
    /// How the staging buffer works (our own table).
    pub staging: StagingConfig,
    /// Weight of one waking outcome in a rule's expected R (our own key), 0 to 1.
    pub rule_learning_rate: f64,
    /// Confidence below which a rule leaves the playbook, 0 to 1.
    pub retire_below: f64,
    /// Confidence a rule in force gains by a confirming outcome, 0 to 1 (our own key).
    pub rule_confirm_step: f64,
    /// Confidence it loses by a contradicting one, 0 to 1 (our own key).
    pub rule_contradict_step: f64,
    /// Most rules in a playbook (our own key), 1 to 10,000; the least trusted leaves.
    pub max_rules: u32,
}

impl Default for ConsolidationConfig {
    fn default() -> Self {
        Self {
            hypothesis_confidence: 0.2,
            insight_confidence: 0.3,
            staging: StagingConfig::default(),
            rule_learning_rate: 0.05,
            retire_below: 0.4,
            rule_confirm_step: 0.05,
            rule_contradict_step: 0.05,
            max_rules: 50,
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
        self.schedule.check(&mut table.table("schedule"));
        self.windows.check(&mut table.table("windows"));
        self.urgency.check(&mut table.table("urgency"));
        self.clocks.check(&mut table.table("clocks"));
        self.budget.check(&mut table.table("budget"));
        self.phases.check(&mut table.table("phases"));
        self.micro.check(&mut table.table("micro"));
        let consolidation = &self.consolidation;
        let mut table = table.table("consolidation");
        table.share("hypothesisConfidence", consolidation.hypothesis_confidence);
        table.share("insightConfidence", consolidation.insight_confidence);
        table.share("ruleLearningRate", consolidation.rule_learning_rate);
        table.share("retireBelow", consolidation.retire_below);
        table.share("ruleConfirmStep", consolidation.rule_confirm_step);
        table.share("ruleContradictStep", consolidation.rule_contradict_step);
        table.whole("maxRules", consolidation.max_rules.into(), 1, 10_000);
        consolidation.staging.check(&mut table.table("staging"));
    }

    /// Everything about the plans for a world that can't be in this one.
    pub fn check_plans(&self, check: &mut crate::base::Checker, around: Surroundings<'_>) {
        timetable::check(self, &mut check.table("dream"), around);
    }
}
