//! The tables of the scenario that say when to dream and what it may cost.

use crate::base::{TableChecker, Tick};
use crate::dream::schedule::Dollars;
use crate::dream::schedule::window::{Window, WindowConfig};
use crate::mortality::Phase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What lets a golem fall asleep once the gate is open. Directives of the owner and emergency dreams are granted in every
/// mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScheduleMode {
    /// Every request is granted: a golem asks every `dreamCycleInterval` ticks (our own mode).
    Interval,
    /// Only in the sleep windows.
    Owner,
    /// Only when urgency reaches the threshold of its phase.
    Autonomous,
    /// In the sleep windows, and outside them when urgency reaches the threshold.
    #[default]
    Hybrid,
}

impl ScheduleMode {
    /// Whether golems sleep in the windows.
    pub const fn keeps_windows(self) -> bool {
        matches!(self, Self::Owner | Self::Hybrid)
    }

    /// Whether urgency can send a golem to sleep.
    pub const fn heeds_urgency(self) -> bool {
        matches!(self, Self::Autonomous | Self::Hybrid)
    }
}

/// The `[dream.schedule]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct ScheduleConfig {
    /// What lets a golem fall asleep (default `hybrid`).
    pub mode: ScheduleMode,
    /// Urgency a thriving golem needs, 0 to 1 (default 0.8).
    pub autonomous_threshold: f64,
    /// How much less a stable golem needs, 0 to 1 (our own key; default 0.1: a threshold of .7).
    pub stable_discount: f64,
    /// How much less golems of all other phases need, and uncertain ones, 0 to 1 (our own key; default 0.2: .6).
    pub uncertain_discount: f64,
    /// Epistemic fitness below which a golem counts as uncertain, 0 to 1 (our own key; default 0.5).
    pub uncertain_below_fitness: f64,
    /// How much an active market raises the threshold and a quiet one lowers it, 0 to 1 (our own key): by
    /// activityWeight · (volatility quintile − 3) / 2. Default 0, the spec's fixed thresholds.
    pub activity_weight: f64,
    /// Whether an open position counts as a pending action, or only an order that is out (our own key; default true).
    pub position_is_pending: bool,
    /// Episodes before the first dream by behavioural phase (our own key; the spec says 50 to 200, depending on the phase);
    /// left out: `minEpisodes` in all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_episodes_by_phase: Option<EpisodesByPhase>,
    /// Whether a golem that enters its terminal phase dreams once more (our own key; default true).
    pub emergency_dream: bool,
    /// Most golems dreaming at once (our own key); 0 for no limit.
    pub max_concurrent: u32,
}

impl Default for ScheduleConfig {
    fn default() -> Self {
        Self {
            mode: ScheduleMode::default(),
            autonomous_threshold: 0.8,
            stable_discount: 0.1,
            uncertain_discount: 0.2,
            uncertain_below_fitness: 0.5,
            activity_weight: 0.0,
            position_is_pending: true,
            min_episodes_by_phase: None,
            emergency_dream: true,
            max_concurrent: 0,
        }
    }
}

impl ScheduleConfig {
    /// Urgency that must be reached: .8 thriving, .7 stable, .6 otherwise and when uncertain (spec; digest section 20).
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

    /// Everything about the values that can't be.
    pub fn check(&self, table: &mut TableChecker<'_>) {
        table.share("autonomousThreshold", self.autonomous_threshold);
        table.share("stableDiscount", self.stable_discount);
        table.share("uncertainDiscount", self.uncertain_discount);
        table.share("uncertainBelowFitness", self.uncertain_below_fitness);
        table.share("activityWeight", self.activity_weight);
        if let Some(by_phase) = &self.min_episodes_by_phase {
            let mut table = table.table("minEpisodesByPhase");
            for (name, count) in by_phase.named() {
                table.whole(name, count.into(), 1, 1_000_000);
            }
        }
    }
}

/// Episodes before the first dream in each phase, each 1 to 1,000,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EpisodesByPhase {
    /// Of a thriving golem: it has time to wait for more.
    pub thriving: u32,
    /// Of a stable one.
    pub stable: u32,
    /// Of a conserving one.
    pub conservation: u32,
    /// Of a declining one, and of a terminal one.
    pub declining: u32,
}

impl EpisodesByPhase {
    const fn named(&self) -> [(&'static str, u32); 4] {
        [
            ("thriving", self.thriving),
            ("stable", self.stable),
            ("conservation", self.conservation),
            ("declining", self.declining),
        ]
    }

    /// Of a phase.
    pub const fn of(&self, phase: Phase) -> u32 {
        match phase {
            Phase::Thriving => self.thriving,
            Phase::Stable => self.stable,
            Phase::Conservation => self.conservation,
            Phase::Declining | Phase::Terminal => self.declining,
        }
    }
}

/// The `[dream.windows]` table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WindowsConfig {
    /// Daily sleep windows in simulated time, at most 24. In `owner` and `hybrid` mode golems that dream don't trade in
    /// them. A window shorter than a tick may pass unnoticed. Default: 02:00 to 06:00 UTC.
    pub windows: Vec<WindowConfig>,
}

/// Most sleep windows; a day has no use for more.
const MAX_WINDOWS: usize = 24;

impl Default for WindowsConfig {
    fn default() -> Self {
        let [start, end, timezone] = ["02:00", "06:00", "UTC"].map(str::to_owned);
        Self { windows: vec![WindowConfig { start, end, timezone }] }
    }
}

impl WindowsConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, table: &mut TableChecker<'_>) {
        let count = self.windows.len();
        table.demand(count <= MAX_WINDOWS, "windows", count, "name at most 24 windows");
        for (place, window) in self.windows.iter().enumerate() {
            if let Err((key, remedy)) = Window::parse(window) {
                let value = match key {
                    "start" => &window.start,
                    "end" => &window.end,
                    _ => &window.timezone,
                };
                table.table(&format!("windows.{place}")).demand(false, key, value, remedy);
            }
        }
    }
}

/// The `[dream.budget]` table. Amounts are written `"$0.50"`, `"0.50"` or `0.5`, up to a million dollars.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct BudgetConfig {
    /// Most a hardened cycle may spend on inference (default $0.50).
    pub per_cycle_max: Dollars,
    /// Most a hardened golem may spend in one occurrence of a sleep window (default $2.00).
    pub per_session_max: Dollars,
    /// Most a golem of either tier may spend in a month (default $15.00). Months are blocks of 30 simulated days, counted
    /// from 1970-01-01 UTC.
    pub monthly_max: Dollars,
    /// Most a core cycle may spend (our own key; the spec puts a lightweight cycle at $0.001–0.003; default $0.003).
    pub core_cycle_max_usdc: Dollars,
    /// Share of the purse that must be left for inference before a dream may begin, 0 to 1 (our own key; default 0.15).
    pub min_llm_share: f64,
    /// Most a hardened cycle may spend in each behavioural phase (our own table; the spec's upper bounds: $1.00, $0.50,
    /// $0.20, $0.10). `perCycleMax` holds as well.
    pub cycle_max_by_phase: AmountByPhase,
    /// Most cycles of a hardened golem in one occurrence of a window, by behavioural phase (our own table; the spec's upper
    /// bounds: 4, 3, 2, 1).
    pub max_cycles_per_window: CyclesByPhase,
    /// Most the emergency dream of a hardened golem may spend (our own key; default $0.05, the least the spec gives any
    /// cycle): it comes out of the death reserve.
    pub emergency_cycle_max: Dollars,
    /// Least share of a cycle's cap that must be left for it to be worth falling asleep, 0 to 1 (our own key; default 0.1).
    pub worthwhile_share: f64,
}

/// An amount for each phase that dreams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AmountByPhase {
    /// Default $1.00.
    pub thriving: Dollars,
    /// Default $0.50.
    pub stable: Dollars,
    /// Default $0.20.
    pub conservation: Dollars,
    /// Default $0.10.
    pub declining: Dollars,
}

impl Default for AmountByPhase {
    fn default() -> Self {
        Self {
            thriving: Dollars::micros(1_000_000),
            stable: Dollars::micros(500_000),
            conservation: Dollars::micros(200_000),
            declining: Dollars::micros(100_000),
        }
    }
}

/// A number of cycles for each phase that dreams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CyclesByPhase {
    /// Default 4.
    pub thriving: u32,
    /// Default 3.
    pub stable: u32,
    /// Default 2.
    pub conservation: u32,
    /// Default 1.
    pub declining: u32,
}

impl Default for CyclesByPhase {
    fn default() -> Self {
        Self { thriving: 4, stable: 3, conservation: 2, declining: 1 }
    }
}

impl Default for BudgetConfig {
    fn default() -> Self {
        Self {
            per_cycle_max: Dollars::micros(500_000),
            per_session_max: Dollars::micros(2_000_000),
            monthly_max: Dollars::micros(15_000_000),
            core_cycle_max_usdc: Dollars::micros(3_000),
            min_llm_share: 0.15,
            cycle_max_by_phase: AmountByPhase::default(),
            max_cycles_per_window: CyclesByPhase::default(),
            emergency_cycle_max: Dollars::micros(50_000),
            worthwhile_share: 0.1,
        }
    }
}

impl BudgetConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, table: &mut TableChecker<'_>) {
        const MOST: f64 = 1e6;
        let phases = &self.cycle_max_by_phase;
        for (name, amount) in [
            ("perCycleMax", self.per_cycle_max),
            ("perSessionMax", self.per_session_max),
            ("monthlyMax", self.monthly_max),
            ("coreCycleMaxUsdc", self.core_cycle_max_usdc),
            ("emergencyCycleMax", self.emergency_cycle_max),
            ("cycleMaxByPhase.thriving", phases.thriving),
            ("cycleMaxByPhase.stable", phases.stable),
            ("cycleMaxByPhase.conservation", phases.conservation),
            ("cycleMaxByPhase.declining", phases.declining),
        ] {
            table.within(name, amount.0.dollars(), 0.0, MOST);
        }
        table.share("minLlmShare", self.min_llm_share);
        table.share("worthwhileShare", self.worthwhile_share);
    }
}

/// The `[dream.wakeInterrupts]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct WakeInterruptsConfig {
    /// Whether anything wakes a dreamer (default true).
    pub enabled: bool,
    /// Moves of a price that do, at most 16. Default: ETH by 10 % in five minutes, which worlds without ETH ignore.
    pub market_thresholds: Vec<MarketThreshold>,
}

/// Most market thresholds; one for each asset there can be.
const MAX_THRESHOLDS: usize = 16;

/// A move of a price that wakes dreamers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct MarketThreshold {
    /// Symbol of an asset of this world.
    pub asset: String,
    /// How far its pool price must have moved, per cent, either way; above 0 to 10,000.
    pub change_percent: f64,
    /// Within which time: a whole number of seconds, minutes, hours or days, as in `30s`, `5m`, `4h` or `1d`, at most 30
    /// days. It counts as the ticks that fit into it, at least one.
    pub window: String,
}

impl Default for WakeInterruptsConfig {
    fn default() -> Self {
        let threshold =
            MarketThreshold { asset: "ETH".to_owned(), change_percent: 10.0, window: "5m".to_owned() };
        Self { enabled: true, market_thresholds: vec![threshold] }
    }
}

impl WakeInterruptsConfig {
    /// Everything about the values that can't be, in a world with these assets.
    pub fn check(&self, table: &mut TableChecker<'_>, symbols: &[&str]) {
        let count = self.market_thresholds.len();
        table.demand(count <= MAX_THRESHOLDS, "marketThresholds", count, "name at most 16 thresholds");
        if *self == Self::default() {
            return;
        }
        for (place, threshold) in self.market_thresholds.iter().enumerate() {
            let mut table = table.table(&format!("marketThresholds.{place}"));
            let known = symbols.contains(&threshold.asset.as_str());
            let remedy = format!("use the symbol of an asset of this world: {}", symbols.join(", "));
            table.demand(known, "asset", &threshold.asset, remedy);
            table.within("changePercent", threshold.change_percent, 1e-6, 10_000.0);
            let readable = seconds(&threshold.window).is_some();
            let remedy = "write a time of up to 30 days like 30s, 5m, 4h or 1d";
            table.demand(readable, "window", &threshold.window, remedy);
        }
    }
}

/// `30s`, `5m`, `4h`, `1d` in seconds, 1 second to 30 days.
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

/// One entry of `[[dream.directives]]`: the owner says "dream now". It stands for ten ticks when something prevents it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DirectiveConfig {
    /// When.
    pub tick: Tick,
    /// To whom: a cohort's name; left out: all cohorts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cohort: Option<String>,
    /// To whom: a lineage slot; left out: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lineage: Option<u32>,
}

/// Who calls a dreamer by plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CallSource {
    /// The owner.
    Owner,
    /// An alert of its clade.
    Clade,
}

/// One entry of `[[dream.interrupts]]`: a call that wakes whoever dreams at that tick.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InterruptConfig {
    /// When.
    pub tick: Tick,
    /// Who calls.
    pub source: CallSource,
    /// Whom: a cohort's name; left out: all cohorts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cohort: Option<String>,
    /// Whom: a lineage slot; left out: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lineage: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Checker;

    #[test]
    fn thresholds_by_phase() {
        let config = ScheduleConfig::default();
        let check = |phase, uncertain, expected: f64| {
            assert!((config.threshold(phase, uncertain, 3) - expected).abs() < 1e-12, "{phase:?}");
        };
        check(Phase::Thriving, false, 0.8);
        check(Phase::Stable, false, 0.7);
        check(Phase::Conservation, false, 0.6);
        check(Phase::Declining, false, 0.6);
        check(Phase::Thriving, true, 0.6);
        // A wild market adds the whole weight, a calm one takes it away.
        let alert = ScheduleConfig { activity_weight: 0.1, ..config };
        assert!((alert.threshold(Phase::Thriving, false, 5) - 0.9).abs() < 1e-12);
        assert!((alert.threshold(Phase::Thriving, false, 1) - 0.7).abs() < 1e-12);
    }

    #[test]
    fn times_are_read() {
        for (text, expected) in
            [("5m", Some(300)), ("30s", Some(30)), ("4h", Some(14_400)), ("1d", Some(86_400))]
        {
            assert_eq!(seconds(text), expected, "{text}");
        }
        for bad in ["", "m", "5", "-5m", "5 m", "0s", "31d", "5µ", "99999999999999999999d"] {
            assert_eq!(seconds(bad), None, "{bad}");
        }
    }

    #[test]
    fn problems_name_their_key() {
        let mut config = WakeInterruptsConfig::default();
        config.market_thresholds[0].window = "soon".to_owned();
        let mut check = Checker::default();
        config.check(&mut check.table("dream.wakeInterrupts"), &["XAU"]);
        WakeInterruptsConfig::default().check(&mut check.table("fine"), &["XAU"]);
        let mut windows = WindowsConfig::default();
        windows.windows[0].timezone = "Europe/Zurich".to_owned();
        windows.check(&mut check.table("dream.windows"));
        let problems = check.into_problems();
        let keys: Vec<&str> = problems.iter().map(|problem| problem.key.as_str()).collect();
        assert_eq!(
            keys,
            [
                "dream.wakeInterrupts.marketThresholds.0.asset",
                "dream.wakeInterrupts.marketThresholds.0.window",
                "dream.windows.windows.0.timezone",
            ]
        );
        assert!(problems[2].remedy.contains("fixed offsets"), "{}", problems[2]);
    }
}
