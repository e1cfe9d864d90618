//! The `[dream]` table. Names and defaults are the dream architecture's; keys of our own say so.

use crate::dream::imagination::ImaginationConfig;
use crate::dream::micro::MicroConfig;
use crate::dream::onset::HypnagogiaConfig;
use crate::dream::schedule::timetable::{self, Surroundings};
use crate::dream::schedule::{
    BudgetConfig, ClocksConfig, DirectiveConfig, InterruptConfig, PhasesConfig, ScheduleConfig,
    WakeInterruptsConfig, WindowsConfig,
};
use crate::dream::tier::DreamTier;
use crate::dream::urgency::UrgencyConfig;
use crate::replay::ReplayConfig;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use crate::dream::integration::config::ConsolidationConfig;

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
    /// Most replay batches in one cycle (our own key), 1 to 100; all are asked at once.
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
        self.schedule.check(&mut table.table("schedule"));
        self.windows.check(&mut table.table("windows"));
        self.urgency.check(&mut table.table("urgency"));
        self.clocks.check(&mut table.table("clocks"));
        self.budget.check(&mut table.table("budget"));
        self.phases.check(&mut table.table("phases"));
        self.micro.check(&mut table.table("micro"));
        self.consolidation.check(&mut table.table("consolidation"));
        self.imagination.check(&mut table.table("imagination"));
        self.hypnagogia.check(&mut table.table("hypnagogia"));
    }

    /// Everything about the plans for a world that can't be in this one.
    pub fn check_plans(&self, check: &mut crate::base::Checker, around: Surroundings<'_>) {
        timetable::check(self, &mut check.table("dream"), around);
    }
}
