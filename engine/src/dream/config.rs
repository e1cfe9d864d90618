//! The `[dream]` table. Names and defaults are the dream architecture's; keys of our own say so. It is the root configuration of sleep:
//! memory consolidation, offline learning. Units and ranges are declared with each key. The other tables of dreams are nested in it.
//! Dreaming is off by default (a cohort's key `dreams` overrides `dream.enabled`) and on the tier `core`; only memories that dream
//! (`bardo`, `bardo+owm`) go by it, but for a few keys: all golems' questions are asked at its analytic temperature, planned calls reach
//! any waking gate, and the arousal of trades is averaged for all by `dream.urgency.emotional_trades`. Two keys are research controls.
//! The table sets the sleep cycle (offline replay); `enabled` is its feature flag.

use crate::dream::imagination::ImaginationConfig;
use crate::dream::micro::MicroConfig;
use crate::dream::onset::HypnagogiaConfig;
use crate::dream::pace::PaceConfig;
use crate::dream::schedule::config::MAX_CALLS;
use crate::dream::schedule::{
    BudgetConfig, ClocksConfig, DirectiveConfig, InterruptConfig, PhasesConfig, ScheduleConfig,
    WakeInterruptsConfig, WindowsConfig,
};
use crate::dream::tier::DreamTier;
use crate::dream::urgency::UrgencyConfig;
use crate::llm::ReadingConfig;
use crate::replay::ReplayConfig;
use morta_base::keys;

pub use crate::dream::integration::config::ConsolidationConfig;

keys! {
    /// The `[dream]` table.
    pub struct DreamConfig {
        /// Whether golems dream. Off by default: dreaming is opted into.
        enabled: bool = false;
        /// How much dreams may take: `core` (a fraction of a cent a cycle) or `hardened` (up to half a dollar).
        tier: DreamTier = DreamTier::default();
        /// Least ticks between two requests to dream; only hardened golems in a sleep window, owners and emergencies
        /// don't wait for it.
        dream_cycle_interval: u64 = 50, in 1..=1_000_000_000, "ticks";
        /// Episodes a golem must have before its first dream.
        min_episodes: u32 = 50, in 1..=1_000_000, "episodes";
        /// Most replay batches in one cycle (our own key); all are asked at once.
        max_batches: u32 = 3, in 1..=100, "batches";
        /// When to dream.
        schedule: ScheduleConfig = ScheduleConfig::default();
        /// When to sleep.
        windows: WindowsConfig = WindowsConfig::default();
        /// How badly a golem wants to dream.
        urgency: UrgencyConfig = UrgencyConfig::default();
        /// What the clocks of mortality do to dreams.
        clocks: ClocksConfig = ClocksConfig::default();
        /// What it may cost.
        budget: BudgetConfig = BudgetConfig::default();
        /// How a cycle's budget is divided; left out: by behavioural phase.
        phases: PhasesConfig = PhasesConfig::default();
        /// How long a cycle goes on, and how much it may ask.
        pace: PaceConfig = PaceConfig::default();
        /// What wakes a dreamer.
        wake_interrupts: WakeInterruptsConfig = WakeInterruptsConfig::default();
        /// Calls that wake dreamers, by plan.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        interrupts: Vec<InterruptConfig> = Vec::new(), len 0..=MAX_CALLS;
        /// When the owner says "dream now".
        #[serde(skip_serializing_if = "Vec::is_empty")]
        directives: Vec<DirectiveConfig> = Vec::new(), len 0..=MAX_CALLS;
        /// Glances at what is new between dreams.
        micro: MicroConfig = MicroConfig::default();
        /// What is replayed.
        replay: ReplayConfig = ReplayConfig::default();
        /// How what is replayed is read (our own table).
        reading: ReadingConfig = ReadingConfig::default();
        /// What is imagined.
        imagination: ImaginationConfig = ImaginationConfig::default();
        /// What happens at the edge of sleep.
        hypnagogia: HypnagogiaConfig = HypnagogiaConfig::default();
        /// How conclusions are tested.
        consolidation: ConsolidationConfig = ConsolidationConfig::default();
        /// A research control (our own key): whether dreams see the outcomes of trades dealt out among them at random.
        /// What they conclude then rests on nothing; awake, everything stays as it is.
        shuffle_outcomes: bool = false;
        /// A research control (our own key): another number gives dreams other luck under the same rules, and nothing else of a world. What taking a
        /// rule away does to golems is held against what this does, which changes nothing that a rule is about.
        luck: u32 = 0, in 0..=1_000_000, "draw";
    }
}
