//! Tables of the scenario for the schedule and the price of dreams: scheduling modes, budgets in dollars, windows and calls in ticks or
//! clock time, thresholds of urgency from 0 to 1.
//!
//! Sources are beside the keys. Durations as text (`5m`) are simulated time, not real time. It configures a job scheduler: a mode is a
//! scheduling policy (interval timer, on demand, autonomous, hybrid), spending caps, cron-like windows, price alerts, and planned
//! interrupts. Amounts, cycles and episodes by behavioural phase are lookup tables, such as the minimum number of episodes and the spending
//! limit of a phase.

use crate::dream::schedule::Dollars;
use crate::dream::schedule::window::WindowConfig;
use crate::mortality::Phase;
use morta_base::keys;
use morta_base::{TableChecker, Tick};

/// Most planned calls, and most directives, so that a scenario stays readable and a search of a tick's calls stays cheap. Those that are
/// given to a running world (`lab::run::steering`) count as well.
pub const MAX_CALLS: usize = 10_000;

morta_base::words! {
    /// What lets a golem fall asleep once the gate is open. Directives of the owner and emergency dreams are granted in every
    /// mode.
    #[derive(Default)]
    pub enum ScheduleMode: Key {
        /// Every request is granted: a golem asks every `dream_cycle_interval` ticks (our own mode).
        Interval = "interval",
        /// Only in the sleep windows.
        Owner = "owner",
        /// Only when urgency reaches the threshold of its phase.
        Autonomous = "autonomous",
        /// In the sleep windows, and outside them when urgency reaches the threshold.
        #[default]
        Hybrid = "hybrid",
    }
}

impl ScheduleMode {
    /// Whether golems sleep in the windows, i.e. by the time of day (cron-like).
    pub const fn keeps_windows(self) -> bool {
        matches!(self, Self::Owner | Self::Hybrid)
    }

    /// Whether urgency can send a golem to sleep (demand-driven scheduling).
    pub(crate) const fn heeds_urgency(self) -> bool {
        matches!(self, Self::Autonomous | Self::Hybrid)
    }
}

keys! {
    /// The `[dream.schedule]` table.
    pub struct ScheduleConfig {
        /// What lets a golem fall asleep.
        mode: ScheduleMode = ScheduleMode::default();
        /// Urgency a thriving golem needs.
        // Dream architecture, "urgency score threshold": .8 thriving, .6 uncertain; digest section 20: .7 stable.
        autonomous_threshold: f64 = 0.8, in 0.0..=1.0, "urgency";
        /// How much less a stable golem needs (our own key).
        stable_discount: f64 = 0.1, in 0.0..=1.0, "urgency";
        /// How much less golems of all other phases need, and uncertain ones (our own key).
        uncertain_discount: f64 = 0.2, in 0.0..=1.0, "urgency";
        /// Epistemic fitness below which a golem counts as uncertain (our own key).
        uncertain_below_fitness: f64 = 0.5, in 0.0..=1.0, "fitness";
        /// How much an active market raises the threshold and a quiet one lowers it (our own key): by activity_weight ·
        /// (volatility quintile − 3) / 2. Default 0, the spec's fixed thresholds.
        // Dream architecture, "urgency score threshold".
        activity_weight: f64 = 0.0, in 0.0..=1.0, "urgency";
        /// Whether an open position counts as a pending action, or only an order that is out (our own key). The spec's gate speaks of a pending
        /// ActionPermit, which is an order; a position has its stop with the venue while its holder sleeps. Where positions count, golems sleep
        /// between trades alone, and asking takes a tick of these.
        position_is_pending: bool = false;
        /// Episodes before the first dream by behavioural phase (our own key; the spec says 50 to 200, depending on the
        /// phase); left out: `min_episodes` in all of them.
        #[serde(skip_serializing_if = "Option::is_none")]
        min_episodes_by_phase: Option<EpisodesByPhase> = None;
        /// Whether a golem that enters its terminal phase dreams once more (our own key).
        emergency_dream: bool = true;
        /// Most golems dreaming at once (our own key); 0 for no limit.
        max_concurrent: u32 = 0, in 0.., "golems";
    }
}

impl ScheduleConfig {
    /// The urgency that must be reached, an adaptive threshold by phase and uncertainty: .8 thriving, .7 stable, .6 in the other phases and
    /// when uncertain (dream architecture, "urgency score threshold"; digest section 20). The volatility quintile of the first asset shifts
    /// it by `activity_weight`.
    pub fn threshold(&self, phase: Phase, uncertain: bool, volatility_quintile: u8) -> f64 {
        let discount = match phase {
            _ if uncertain => self.uncertain_discount,
            Phase::Thriving => 0.0,
            Phase::Stable => self.stable_discount,
            _ => self.uncertain_discount,
        };
        let activity = self.activity_weight * (f64::from(volatility_quintile) - 3.0) / 2.0;
        (self.autonomous_threshold - discount + activity).clamp(0.0, 1.0)
    }
}

keys! {
    /// Episodes before the first dream in each phase.
    #[derive(Copy, Eq)]
    pub struct EpisodesByPhase {
        /// Of a thriving golem: it has time to wait for more.
        thriving: u32, in 1..=1_000_000, "episodes";
        /// Of a stable one.
        stable: u32, in 1..=1_000_000, "episodes";
        /// Of a conserving one.
        conservation: u32, in 1..=1_000_000, "episodes";
        /// Of a declining one, and of a terminal one.
        declining: u32, in 1..=1_000_000, "episodes";
    }
}

keys! {
    /// The `[dream.windows]` table.
    #[derive(Eq)]
    pub struct WindowsConfig {
        /// Daily sleep windows in simulated time. In `owner` and `hybrid` mode golems that dream don't trade in them. A
        /// window shorter than a tick may pass unnoticed.
        windows: Vec<WindowConfig> = vec![WindowConfig::night()], len 0..=24;
    }
}

keys! {
    /// The `[dream.budget]` table. Amounts are written `"$0.50"`, `"0.50"` or `0.5`, up to a million dollars.
    pub struct BudgetConfig {
        /// Most a hardened cycle may spend on inference.
        // Dream architecture, configuration block: $0.50 a cycle, $2.00 a window, $15.00 a month.
        per_cycle_max: Dollars = Dollars::micros(500_000), in 0.0..=1e6, "dollars";
        /// Most a hardened golem may spend in one occurrence of a sleep window.
        per_session_max: Dollars = Dollars::micros(2_000_000), in 0.0..=1e6, "dollars";
        /// Most a golem of either tier may spend in a month. Months are blocks of 30 simulated days, counted from
        /// 1970-01-01 UTC.
        monthly_max: Dollars = Dollars::micros(15_000_000), in 0.0..=1e6, "dollars";
        /// Most a core cycle may spend (our own key; the spec puts a lightweight cycle at $0.001–0.003).
        // Dream architecture, "compute budget".
        core_cycle_max_usdc: Dollars = Dollars::micros(3_000), in 0.0..=1e6, "dollars";
        /// Share of the purse that must be left for inference before a dream may begin (our own key).
        // Dream architecture, gate: at least 15 % of the LLM partition.
        min_llm_share: f64 = 0.15, in 0.0..=1.0, "share";
        /// Most a hardened cycle may spend in each behavioural phase (our own table; the spec's upper bounds: $1.00,
        /// $0.50, $0.20, $0.10). `per_cycle_max` holds as well.
        // Dream architecture, "dream duration".
        cycle_max_by_phase: AmountByPhase = AmountByPhase::default();
        /// Most cycles of a hardened golem in one occurrence of a window, by behavioural phase (our own table; the
        /// spec's upper bounds: 4, 3, 2, 1).
        max_cycles_per_window: CyclesByPhase = CyclesByPhase::default();
    }
}

keys! {
    /// An amount for each phase that dreams.
    #[derive(Copy, Eq)]
    // Dream architecture, "dream duration", upper bounds of budget and cycles by phase.
    pub struct AmountByPhase {
        /// Of a thriving golem.
        thriving: Dollars = Dollars::micros(1_000_000), in 0.0..=1e6, "dollars";
        /// Of a stable golem.
        stable: Dollars = Dollars::micros(500_000), in 0.0..=1e6, "dollars";
        /// Of a conserving golem.
        conservation: Dollars = Dollars::micros(200_000), in 0.0..=1e6, "dollars";
        /// Of a declining golem.
        declining: Dollars = Dollars::micros(100_000), in 0.0..=1e6, "dollars";
    }
}

keys! {
    /// A number of cycles for each phase that dreams.
    #[derive(Copy, Eq)]
    pub struct CyclesByPhase {
        /// Of a thriving golem.
        thriving: u32 = 4, in 0.., "cycles";
        /// Of a stable golem.
        stable: u32 = 3, in 0.., "cycles";
        /// Of a conserving golem.
        conservation: u32 = 2, in 0.., "cycles";
        /// Of a declining golem.
        declining: u32 = 1, in 0.., "cycles";
    }
}

keys! {
    /// The `[dream.wake_interrupts]` table.
    pub struct WakeInterruptsConfig {
        /// Whether anything wakes a dreamer: prices, its owner, its clade's planned calls and its siblings' pheromones.
        enabled: bool = true;
        /// Moves of a price that do. The default, ETH by 10 % in five minutes, is ignored by worlds without ETH.
        market_thresholds: Vec<MarketThreshold> = vec![MarketThreshold::ether()], len 0..=16;
    }
}

keys! {
    /// A move of a price that wakes dreamers.
    pub struct MarketThreshold {
        /// Symbol of an asset of this world.
        asset: String;
        /// How far its pool price must have moved, per cent, either way.
        change_percent: f64, in 1e-6..=10_000.0, "per cent";
        /// Within which time: a whole number of seconds, minutes, hours or days, as in `30s`, `5m`, `4h` or `1d`, at
        /// most 30 days. It counts as the ticks that fit into it, at least one.
        window: String;
    }
    also window_is_a_time;
}

impl MarketThreshold {
    /// ETH by 10 % in five minutes.
    fn ether() -> Self {
        Self { asset: "ETH".to_owned(), change_percent: 10.0, window: "5m".to_owned() }
    }

    fn window_is_a_time(&self, table: &mut TableChecker<'_>) {
        let remedy = "write a time of up to 30 days like 30s, 5m, 4h or 1d";
        table.demand(seconds(&self.window).is_some(), "window", &self.window, remedy);
    }
}

impl WakeInterruptsConfig {
    /// Checks that everything about the thresholds can be in a world with these assets, across tables.
    pub fn check_symbols(&self, table: &mut TableChecker<'_>, symbols: &[&str]) {
        // The default is for worlds that have its asset, whatever else of the table is written.
        let ether = MarketThreshold::ether();
        for (place, threshold) in self.market_thresholds.iter().enumerate().filter(|(_, t)| **t != ether) {
            let mut table = table.table(&format!("market_thresholds.{place}"));
            let known = symbols.contains(&threshold.asset.as_str());
            let remedy = format!("use the symbol of an asset of this world: {}", symbols.join(", "));
            table.demand(known, "asset", &threshold.asset, remedy);
        }
    }
}

/// Parses a duration: `30s`, `5m`, `4h`, `1d` in seconds, 1 second to 30 days. `None` for anything else.
pub fn seconds(text: &str) -> Option<u64> {
    const MONTH_S: u64 = 30 * 86_400;
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let unit = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return None,
    };
    let number: u64 = number.bytes().all(|b| b.is_ascii_digit()).then(|| number.parse().ok())??;
    number.checked_mul(unit).filter(|seconds| (1..=MONTH_S).contains(seconds))
}

keys! {
    /// One entry of `[[dream.directives]]`: the owner says "dream now". It stands for ten ticks when something prevents
    /// it.
    #[derive(Eq)]
    pub struct DirectiveConfig {
        /// When.
        tick: Tick, in 0.., "ticks";
        /// To whom: a cohort's name; left out: all cohorts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cohort: Option<String>;
        /// To whom: a lineage slot; left out: all of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lineage: Option<u32>, in 0.., "slot";
    }
}

morta_base::words! {
    /// Who calls a dreamer by plan.
    pub enum CallSource: Key {
        /// The owner.
        Owner = "owner",
        /// An alert of its clade.
        Clade = "clade",
    }
}

keys! {
    /// One entry of `[[dream.interrupts]]`: a call that wakes whoever dreams at that tick.
    #[derive(Eq)]
    pub struct InterruptConfig {
        /// When.
        tick: Tick, in 0.., "ticks";
        /// Who calls.
        source: CallSource;
        /// Whom: a cohort's name; left out: all cohorts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cohort: Option<String>;
        /// Whom: a lineage slot; left out: all of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lineage: Option<u32>, in 0.., "slot";
    }
}
