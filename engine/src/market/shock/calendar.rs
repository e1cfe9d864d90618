//! Active shocks: those that the scenario planned and those that come by chance.
//!
//! A chance shock of each kind begins at a tick with the probability of its rate. Each kind has a random stream of its own, keyed by the
//! step, so a scenario that changes one rate has the other kinds' shocks at the same ticks as before. Durations are in ticks, a magnitude
//! of 1 is typical, force falls linearly to 0. It is an event scheduler with Bernoulli arrivals (discrete Poisson process) and scheduled
//! events. Chance shocks also come in the warm-up; planned ones from tick 0 on. Chance shocks are dropped while 64 shocks are active.
//! Crises are moved on here too, apart from shocks and never in the warm-up; their effects are composed with those of shocks.

use crate::market::shock::ShockEffects;
use crate::market::shock::crisis::{Crises, CrisisEvent};
use crate::market::{AssetIndex, ShockEvent, ShockKind, ShocksConfig};
use morta_base::{Purpose, Tick, WorldSeed};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ActiveShock {
    event: ShockEvent,
    age_ticks: u32,
}

impl ActiveShock {
    /// Magnitude, faded in a straight line from the first tick to the end.
    fn force(&self) -> f64 {
        let left = 1.0 - f64::from(self.age_ticks) / f64::from(self.event.duration_ticks);
        self.event.magnitude * left
    }
}

/// A planned shock with its asset found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PlannedShock {
    tick: Tick,
    kinds: Vec<ShockKind>,
    duration_ticks: u32,
    magnitude: f64,
    asset: Option<AssetIndex>,
}

/// Most active shocks at a time; chance shocks beyond it are dropped, so that a reckless rate can't eat memory.
const ACTIVE_MAX: usize = 64;
/// Streams of planned shocks come after those of the eight kinds, far enough that further kinds would not meet them.
const PLANNED_PART: u32 = 1_000;

/// The event scheduler of market shocks: planned, active and by chance, and the crises.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Shocks {
    rates: [f64; ShockKind::COUNT],
    duration_ticks: u32,
    magnitude: f64,
    /// Sorted by tick; of equal ticks, in the scenario's order.
    planned: Vec<PlannedShock>,
    active: Vec<ActiveShock>,
    crises: Crises,
}

impl Shocks {
    /// Makes the schedule of planned shocks, sorted by tick; none is active.
    pub(crate) fn new(config: &ShocksConfig, symbols: &[String]) -> Self {
        let index_of = |symbol: &String| symbols.iter().position(|s| s == symbol).map(|i| i as AssetIndex);
        let mut planned: Vec<PlannedShock> = config
            .scheduled
            .iter()
            .map(|shock| PlannedShock {
                tick: shock.tick,
                kinds: shock.kinds.clone(),
                duration_ticks: shock.duration_ticks,
                magnitude: shock.magnitude,
                asset: shock.asset.as_ref().and_then(index_of),
            })
            .collect();
        planned.sort_by_key(|shock| shock.tick);
        Self {
            rates: ShockKind::ALL.map(|kind| config.rates.rate(kind)),
            duration_ticks: config.duration_ticks,
            magnitude: config.magnitude,
            planned,
            active: Vec::new(),
            crises: Crises::new(&config.crisis),
        }
    }

    /// A reschedule, when a branch changes the configuration at runtime; active shocks run their course, because golems have felt them
    /// begin.
    pub(crate) fn rebind(&mut self, config: &ShocksConfig, symbols: &[String]) {
        let active = std::mem::take(&mut self.active);
        self.crises.rebind(&config.crisis);
        let crises = self.crises.clone();
        *self = Self { active, crises, ..Self::new(config, symbols) };
    }

    /// Moves on one tick. `step` keys the streams; `tick` is `None` during the warm-up, in which nothing planned happens. Returns the
    /// shocks that begin: an arrival step, with draws and due events.
    pub(crate) fn advance(
        &mut self,
        seed: WorldSeed,
        step: u64,
        tick: Option<Tick>,
        assets: u32,
    ) -> Vec<ShockEvent> {
        for shock in &mut self.active {
            shock.age_ticks += 1;
        }
        self.active.retain(|shock| shock.age_ticks < shock.event.duration_ticks);
        let mut started = self.chance_shocks(seed, step, tick.unwrap_or(0), assets);
        if let Some(tick) = tick {
            started.extend(self.planned_shocks(seed, step, tick));
        }
        for event in &started {
            self.active.push(ActiveShock { event: event.clone(), age_ticks: 0 });
        }
        started
    }

    fn chance_shocks(&self, seed: WorldSeed, step: u64, tick: Tick, assets: u32) -> Vec<ShockEvent> {
        let mut started = Vec::new();
        for kind in ShockKind::ALL {
            let rate = self.rates[kind.index()];
            if rate <= 0.0 || self.active.len() + started.len() >= ACTIVE_MAX {
                continue;
            }
            let mut stream = seed.world(Purpose::Shock, kind.index() as u32, step);
            if stream.chance(rate) {
                let asset = stream.below(assets as usize) as AssetIndex;
                let direction = if stream.chance(0.5) { 1 } else { -1 };
                started.push(ShockEvent {
                    tick,
                    kinds: vec![kind],
                    asset: Some(asset),
                    duration_ticks: self.duration_ticks,
                    magnitude: self.magnitude,
                    direction,
                });
            }
        }
        started
    }

    fn planned_shocks(&self, seed: WorldSeed, step: u64, tick: Tick) -> Vec<ShockEvent> {
        let first = self.planned.partition_point(|shock| shock.tick < tick);
        let due = self.planned[first..].iter().take_while(|shock| shock.tick == tick);
        (0_u32..)
            .zip(due)
            .map(|(number, shock)| {
                let mut stream = seed.world(Purpose::Shock, PLANNED_PART + number, step);
                ShockEvent {
                    tick,
                    kinds: shock.kinds.clone(),
                    asset: shock.asset,
                    duration_ticks: shock.duration_ticks,
                    magnitude: shock.magnitude,
                    direction: if stream.chance(0.5) { 1 } else { -1 },
                }
            })
            .collect()
    }

    /// Moves the crises (precursors and crash) on to a tick, and returns what begins with it; none happen in the warm-up.
    pub(crate) fn advance_crises(&mut self, seed: WorldSeed, tick: Option<Tick>) -> Option<CrisisEvent> {
        self.crises.advance(seed, tick?)
    }

    /// Aggregates the effects of all active shocks on one asset (superposition), crises included.
    pub(crate) fn effects(&self, asset: AssetIndex) -> ShockEffects {
        self.composed(|struck| struck.is_none_or(|struck| struck == asset))
    }

    /// The multiplier on transaction fees of all active shocks, whichever asset they strike: gas is paid to the chain, not to an asset's
    /// pool.
    pub(crate) fn gas_multiple(&self) -> f64 {
        self.composed(|_| true).gas_multiple
    }

    fn composed(&self, strikes: impl Fn(Option<AssetIndex>) -> bool) -> ShockEffects {
        let mut effects = ShockEffects::NONE;
        for shock in self.active.iter().filter(|shock| strikes(shock.event.asset)) {
            for &kind in &shock.event.kinds {
                let direction = f64::from(shock.event.direction);
                effects.compose(kind, shock.force(), direction, shock.age_ticks == 0);
            }
        }
        self.crises.compose(&mut effects);
        effects.bounded()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::market::ScheduledShock;

    fn planned(kinds: &[ShockKind], asset: Option<&str>) -> Shocks {
        let shock = ScheduledShock {
            tick: 3,
            kinds: kinds.to_vec(),
            duration_ticks: 10,
            magnitude: 1.0,
            asset: asset.map(str::to_owned),
        };
        let config = ShocksConfig { scheduled: vec![shock], ..ShocksConfig::default() };
        Shocks::new(&config, &["A".to_owned(), "B".to_owned()])
    }

    #[test]
    fn a_planned_shock_strikes_its_asset_and_fades() {
        let mut shocks = planned(&[ShockKind::LiquidityCrisis], Some("B"));
        for tick in 0..20 {
            let started = shocks.advance(WorldSeed(1), tick + 100, Some(tick), 2);
            assert_eq!(started.len(), usize::from(tick == 3));
            let depth = shocks.effects(1).depth_multiple;
            assert_eq!(depth < 1.0, (3..13).contains(&tick), "{tick}: {depth}");
            assert_eq!(shocks.effects(0), ShockEffects::NONE);
        }
    }

    #[test]
    fn kinds_compose() {
        let mut shocks = planned(&[ShockKind::GasSpike, ShockKind::CorrelationShift], None);
        shocks.advance(WorldSeed(1), 3, Some(3), 2);
        assert_eq!(shocks.gas_multiple(), 10.0);
        assert_eq!(shocks.effects(1).correlation_multiple, 0.0);
    }

    #[test]
    fn chance_shocks_come_at_their_rate() {
        let mut config = ShocksConfig { duration_ticks: 1, ..ShocksConfig::default() };
        config.rates.regime_change = 0.1;
        let mut shocks = Shocks::new(&config, &["A".to_owned()]);
        let count: usize =
            (0..5_000).map(|step| shocks.advance(WorldSeed(7), step, Some(step), 1).len()).sum();
        // Five standard errors of a binomial.
        assert!((395..=605).contains(&count), "{count}");
    }
}
