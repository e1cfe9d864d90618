//! Market shocks: eight primitives, alone or composed, planned or by chance, each with a real consequence.
//!
//! A shock strikes with its full force and fades in a straight line until its duration is over. What several
//! shocks do at once is composed: multiples multiply, drifts and biases add.

use crate::base::math::exp;
use crate::base::{Purpose, Tick, WorldSeed};
use crate::market::{AssetIndex, ShocksConfig};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The eight primitives (replay spec, compositional primitives).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShockKind {
    /// Liquidity leaves: depth falls to a fifth, spreads widen fivefold, arbitrage halves.
    LiquidityCrisis,
    /// The price runs one way, half a standard deviation a tick, on three times the volume.
    MomentumBreakout,
    /// The price is pulled to its anchor by a tenth of the distance a tick, with less noise.
    MeanReversion,
    /// Gas costs ten times as much.
    GasSpike,
    /// The oracle is off by 1.5 % to one side.
    OracleDeviation,
    /// Forced sales: the price falls by 0.8 standard deviations a tick with twice the noise, and depth halves.
    CascadingLiquidation,
    /// Correlation with the first asset vanishes (and turns round beyond magnitude 1).
    CorrelationShift,
    /// Another regime begins at once; a replayed price drifts away instead.
    RegimeChange,
}

impl ShockKind {
    /// How many there are.
    pub const COUNT: usize = 8;
    /// All of them, in the order used everywhere.
    pub const ALL: [Self; Self::COUNT] = [
        Self::LiquidityCrisis,
        Self::MomentumBreakout,
        Self::MeanReversion,
        Self::GasSpike,
        Self::OracleDeviation,
        Self::CascadingLiquidation,
        Self::CorrelationShift,
        Self::RegimeChange,
    ];

    /// Its place in [`ShockKind::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LiquidityCrisis => "liquidity_crisis",
            Self::MomentumBreakout => "momentum_breakout",
            Self::MeanReversion => "mean_reversion",
            Self::GasSpike => "gas_spike",
            Self::OracleDeviation => "oracle_deviation",
            Self::CascadingLiquidation => "cascading_liquidation",
            Self::CorrelationShift => "correlation_shift",
            Self::RegimeChange => "regime_change",
        }
    }
}

/// A shock that began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShockEvent {
    /// The first tick at which it is felt.
    pub tick: Tick,
    /// What happens.
    pub kinds: Vec<ShockKind>,
    /// The asset it strikes; `None` for all. Gas belongs to no asset.
    pub asset: Option<AssetIndex>,
    /// How long it lasts.
    pub duration_ticks: u32,
    /// Its force at the start; 1 is a typical one.
    pub magnitude: f64,
    /// +1 or −1: the side to which prices run or oracles err.
    pub direction: i8,
}

/// What the shocks of a tick do to one asset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShockEffects {
    /// Added drift, in standard deviations a tick.
    pub drift: f64,
    /// Added drift of a replayed price in place of a change of regime.
    pub structural_drift: f64,
    pub volatility_multiple: f64,
    /// Added share of the distance to the anchor closed each tick.
    pub mean_reversion: f64,
    pub depth_multiple: f64,
    pub spread_multiple: f64,
    pub arbitrage_multiple: f64,
    pub volume_multiple: f64,
    pub gas_multiple: f64,
    /// Relative error of the oracle.
    pub oracle_bias: f64,
    /// Factor on correlations: 1 as ever, 0 none, −1 inverted.
    pub correlation_multiple: f64,
    /// Whether a new regime must begin at this tick.
    pub regime_change: bool,
}

impl ShockEffects {
    pub const NONE: Self = Self {
        drift: 0.0,
        structural_drift: 0.0,
        volatility_multiple: 1.0,
        mean_reversion: 0.0,
        depth_multiple: 1.0,
        spread_multiple: 1.0,
        arbitrage_multiple: 1.0,
        volume_multiple: 1.0,
        gas_multiple: 1.0,
        oracle_bias: 0.0,
        correlation_multiple: 1.0,
        regime_change: false,
    };

    /// Adds one primitive at `force` ≥ 0 (its magnitude, faded).
    fn compose(&mut self, kind: ShockKind, force: f64, direction: f64, first_tick: bool) {
        match kind {
            ShockKind::LiquidityCrisis => {
                self.depth_multiple *= exp(-1.6 * force);
                self.spread_multiple *= 1.0 + 4.0 * force;
                self.arbitrage_multiple *= 1.0 - 0.5 * force.min(1.0);
            }
            ShockKind::MomentumBreakout => {
                self.drift += 0.5 * force * direction;
                self.volume_multiple *= 1.0 + 2.0 * force;
            }
            ShockKind::MeanReversion => {
                self.mean_reversion += 0.1 * force;
                self.volatility_multiple *= exp(-0.35 * force);
            }
            ShockKind::GasSpike => self.gas_multiple *= 1.0 + 9.0 * force,
            ShockKind::OracleDeviation => self.oracle_bias += 0.015 * force * direction,
            ShockKind::CascadingLiquidation => {
                self.drift -= 0.8 * force;
                self.volatility_multiple *= 1.0 + force;
                self.depth_multiple *= exp(-0.7 * force);
            }
            ShockKind::CorrelationShift => self.correlation_multiple *= (1.0 - force).max(-1.0),
            ShockKind::RegimeChange => {
                self.regime_change |= first_tick;
                self.structural_drift += 0.25 * force * direction;
            }
        }
    }
}

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
pub(crate) struct PlannedShock {
    pub tick: Tick,
    pub kinds: Vec<ShockKind>,
    pub duration_ticks: u32,
    pub magnitude: f64,
    pub asset: Option<AssetIndex>,
}

/// Most shocks at work at a time; chance shocks beyond it are dropped, so that a reckless rate can't eat memory.
const ACTIVE_MAX: usize = 64;
/// Streams of planned shocks come after those of the eight kinds.
const PLANNED_PART: u32 = 1_000;

/// All shocks of a world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Shocks {
    rates: [f64; ShockKind::COUNT],
    duration_ticks: u32,
    magnitude: f64,
    /// Sorted by tick; of equal ticks, in the scenario's order.
    planned: Vec<PlannedShock>,
    active: Vec<ActiveShock>,
}

impl Shocks {
    pub fn new(config: &ShocksConfig, symbols: &[String]) -> Self {
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
            rates: ShockKind::ALL.map(|kind| config.rates.of(kind)),
            duration_ticks: config.duration_ticks,
            magnitude: config.magnitude,
            planned,
            active: Vec::new(),
        }
    }

    /// Moves on one tick. `step` keys the streams; `tick` is `None` during the warm-up, in which nothing planned
    /// happens. Returns the shocks that begin.
    pub fn advance(
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

    /// What all active shocks together do to one asset.
    pub fn effects(&self, asset: AssetIndex) -> ShockEffects {
        self.composed(|struck| struck.is_none_or(|struck| struck == asset))
    }

    /// What they do to gas, wherever they strike.
    pub fn gas_multiple(&self) -> f64 {
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
        effects
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
