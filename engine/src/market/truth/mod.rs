//! Which strategy really pays in which true regime: the yardstick for memories, and what the `oracle` knows.

mod known;
pub mod timeline;
pub(crate) mod walk;

pub use known::Truth;

use crate::base::{Purpose, Usdc, WorldSeed};
use crate::market::{
    Bar, Impact, MarketConfig, MarketError, MarketState, Regime, RegimeThresholds, ScheduledShock, Strategy,
    blend,
};
use serde::{Deserialize, Serialize};
use walk::{Outcome, Walk};

/// Ticks walked through a synthetic world.
pub const TRUTH_TICKS: u64 = 20_000;
/// Trades of one stretch of this many ticks share their luck; they count as one cluster for the standard error.
const CLUSTER_TICKS: u64 = 256;

/// The expected outcome of one strategy in one regime.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TruthEntry {
    /// Mean R-multiple net of costs; 0 when the strategy never spoke there.
    pub mean_r: f64,
    /// Its standard error, clustered by stretches of 256 ticks of an asset.
    pub standard_error: f64,
    /// Mean square of the R-multiple, R²; 0 when the strategy never spoke there.
    pub mean_square_r: f64,
    /// Mean ticks a position is held, to its stop or the end of its horizon; 0 when the strategy never spoke there.
    pub mean_ticks: f64,
    /// Trades it was estimated from: one for each tick at which the strategy spoke.
    pub trades: u64,
}

impl TruthEntry {
    /// What is to be expected while one law gives way to another that has come so far, 0 to 1: the weighted mean of the two.
    pub fn mean(self, next: Self, weight: f64) -> Self {
        let of = |part: fn(&Self) -> f64| blend(part(&self), part(&next), weight);
        Self {
            mean_r: of(|entry| entry.mean_r),
            standard_error: of(|entry| entry.standard_error),
            mean_square_r: of(|entry| entry.mean_square_r),
            mean_ticks: of(|entry| entry.mean_ticks),
            trades: self.trades.min(next.trades),
        }
    }
}

/// Expected R-multiples by true regime at entry (row, as in [`Regime::ALL`]) and strategy (column).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TruthTable {
    /// Rows by regime, columns by strategy.
    pub entries: [[TruthEntry; Strategy::COUNT]; Regime::COUNT],
}

impl TruthTable {
    /// What a strategy is worth in a regime.
    pub fn entry(&self, regime: Regime, strategy: Strategy) -> &TruthEntry {
        &self.entries[regime.index()][strategy.index()]
    }

    /// The strategy with the highest expected R in a regime, among those that spoke there; `None` when none
    /// expects a gain.
    pub fn best(&self, regime: Regime) -> Option<Strategy> {
        let spoke = Strategy::ALL.into_iter().filter(|strategy| self.entry(regime, *strategy).trades > 0);
        let best =
            spoke.max_by(|a, b| self.entry(regime, *a).mean_r.total_cmp(&self.entry(regime, *b).mean_r))?;
        (self.entry(regime, best).mean_r > 0.0).then_some(best)
    }

    /// Estimates the table by paper-trading every signal of every strategy along a world without golems: a
    /// synthetic one of the same law and other luck, `ticks` long, or the recorded bars themselves. Costs are those
    /// of positions of `stake`. Planned shocks are left out, as they are a matter of the calendar and not of the
    /// regime ([`Truth`] has them); chance shocks come at their rates. All assets are taken together.
    ///
    /// # Errors
    /// When the market can't be made.
    pub fn estimate(
        config: &MarketConfig,
        seed: WorldSeed,
        bars: Vec<Vec<Bar>>,
        stake: Usdc,
        ticks: u64,
    ) -> Result<Self, MarketError> {
        let walked = Walked { config, seed, bars, stake, ticks, thresholds: None };
        Ok(Self::of_outcomes(&walked.outcomes(&[])?))
    }

    /// The same by the regime that somebody with these thresholds reads at the entry: what a rule that speaks of a regime as it
    /// is read is worth, as opposed to one that would know the true one.
    ///
    /// # Errors
    /// When the market can't be made.
    pub fn estimate_as_read(
        config: &MarketConfig,
        seed: WorldSeed,
        bars: Vec<Vec<Bar>>,
        stake: Usdc,
        ticks: u64,
        thresholds: RegimeThresholds,
    ) -> Result<Self, MarketError> {
        let walked = Walked { config, seed, bars, stake, ticks, thresholds: Some(thresholds) };
        Ok(Self::of_outcomes(&walked.outcomes(&[])?))
    }

    /// The table of outcomes, asset by asset, each in the order of time.
    fn of_outcomes(outcomes: &[Vec<Outcome<Regime>>]) -> Self {
        let mut sums = [[Tally::default(); Strategy::COUNT]; Regime::COUNT];
        for outcome in outcomes.iter().flatten() {
            sums[outcome.label.index()][outcome.strategy.index()].add(outcome);
        }
        let mut table = Self { entries: sums.map(|row| row.map(|tally| tally.entry())) };
        let mut squares = [[0.0; Strategy::COUNT]; Regime::COUNT];
        for walked in outcomes {
            for cluster in walked.chunk_by(|a, b| a.tick / CLUSTER_TICKS == b.tick / CLUSTER_TICKS) {
                let mut deviations = [[0.0; Strategy::COUNT]; Regime::COUNT];
                for outcome in cluster {
                    let (row, column) = (outcome.label.index(), outcome.strategy.index());
                    deviations[row][column] += outcome.r_multiple - table.entries[row][column].mean_r;
                }
                for (row, column) in cells() {
                    squares[row][column] += deviations[row][column] * deviations[row][column];
                }
            }
        }
        for (row, column) in cells() {
            let entry = &mut table.entries[row][column];
            entry.standard_error = squares[row][column].sqrt() / (entry.trades as f64).max(1.0);
        }
        table
    }
}

/// A world to be walked through.
#[derive(Clone, Debug)]
struct Walked<'a> {
    config: &'a MarketConfig,
    seed: WorldSeed,
    bars: Vec<Vec<Bar>>,
    stake: Usdc,
    ticks: u64,
    /// By which regimes are read; the true ones without.
    thresholds: Option<RegimeThresholds>,
}

impl Walked<'_> {
    /// What every signal came to under a calendar of shocks, by the regime at its entry: asset by asset, in the order of time.
    fn outcomes(self, calendar: &[ScheduledShock]) -> Result<Vec<Vec<Outcome<Regime>>>, MarketError> {
        let Self { config, seed, bars, stake, ticks, thresholds } = self;
        let mut market = other_luck(config, seed, bars, calendar, SHORT_EMBEDDING)?;
        let ticks = market.ticks_available().unwrap_or(ticks);
        let mut walks: Vec<Walk<Regime>> = config.assets.iter().map(|_| Walk::new()).collect();
        for tick in 0..ticks {
            for (walk, asset) in walks.iter_mut().zip(0..) {
                let truly = market.true_regime(asset).expect("the walk visits the market's own assets");
                let seen = market.view().asset(asset);
                let regime = thresholds.map_or(truly, |thresholds| thresholds.classify(seen));
                walk.visit(&market, asset, stake, |_, _, _| regime);
            }
            if tick + 1 < ticks {
                market.step(&[]);
            }
        }
        Ok(walks.into_iter().map(Walk::finish).collect())
    }
}

/// The signals don't look at embeddings: who doesn't either keeps those short.
const SHORT_EMBEDDING: u32 = 16;

/// A market of the same law and other luck, under a calendar of its own.
pub(crate) fn other_luck(
    config: &MarketConfig,
    seed: WorldSeed,
    bars: Vec<Vec<Bar>>,
    calendar: &[ScheduledShock],
    embedding_dimensions: u32,
) -> Result<MarketState, MarketError> {
    let luck = WorldSeed(seed.world(Purpose::TruthTable, 0, 0).word());
    let mut config = MarketConfig { impact: Impact::PriceTaker, embedding_dimensions, ..config.clone() };
    config.shocks.scheduled = calendar.to_vec();
    config.shocks.crisis.scheduled.clear();
    MarketState::new(&config, luck, bars)
}

fn cells() -> impl Iterator<Item = (usize, usize)> {
    (0..Regime::COUNT).flat_map(|row| (0..Strategy::COUNT).map(move |column| (row, column)))
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    sum_r: f64,
    sum_square_r: f64,
    ticks: u64,
    count: u64,
}

impl Tally {
    fn add(&mut self, outcome: &Outcome<Regime>) {
        self.sum_r += outcome.r_multiple;
        self.sum_square_r += outcome.r_multiple * outcome.r_multiple;
        self.ticks += u64::from(outcome.ticks_held);
        self.count += 1;
    }

    fn entry(self) -> TruthEntry {
        let mean = |sum: f64| if self.count > 0 { sum / self.count as f64 } else { 0.0 };
        TruthEntry {
            mean_r: mean(self.sum_r),
            standard_error: 0.0,
            mean_square_r: mean(self.sum_square_r),
            mean_ticks: mean(self.ticks as f64),
            trades: self.count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::market::{AssetConfig, AssetSource, GasConfig, OracleConfig, PoolConfig, SyntheticConfig};

    fn world(synthetic: SyntheticConfig) -> MarketConfig {
        let source = AssetSource::Synthetic(synthetic);
        MarketConfig {
            assets: vec![AssetConfig { symbol: "A".to_owned(), source }],
            ..MarketConfig::default()
        }
    }

    fn estimate(config: &MarketConfig, ticks: u64) -> TruthTable {
        let stake = Usdc::from_dollars(500.0);
        TruthTable::estimate(config, WorldSeed(2026), Vec::new(), stake, ticks).unwrap()
    }

    /// The positive control rests on this: there is something to learn, and it depends on the regime.
    #[test]
    fn which_strategy_pays_depends_on_the_regime() {
        let table = estimate(&world(SyntheticConfig::default()), TRUTH_TICKS);
        let r = |regime, strategy| table.entry(regime, strategy).mean_r;
        for trend in [Regime::TrendingUp, Regime::TrendingDown] {
            let gap = r(trend, Strategy::TrendFollowing) - r(Regime::RangeBound, Strategy::TrendFollowing);
            assert!(gap > 0.4, "{trend:?} {table:#?}");
            let gap = r(Regime::RangeBound, Strategy::MeanReversion) - r(trend, Strategy::MeanReversion);
            assert!(gap > 0.4, "{trend:?} {table:#?}");
        }
        assert_ne!(table.best(Regime::TrendingUp), table.best(Regime::RangeBound));
    }

    /// The negative control rests on this: where nothing can be known and nothing costs, nothing pays.
    #[test]
    fn nothing_pays_in_a_martingale_without_costs() {
        let mut config =
            world(SyntheticConfig { martingale: true, half_spread_bps: 0.0, ..SyntheticConfig::default() });
        let pool = PoolConfig::default();
        config.pool = PoolConfig { fee_bps: 0.0, arbitrage_rate: 1.0, depth_usdc: 1e8, ..pool };
        config.gas = GasConfig { base_usdc: 0.0, ..GasConfig::default() };
        config.oracle = OracleConfig { lag_ticks: 0, deviation_bps: 2.0 };
        let table = estimate(&config, TRUTH_TICKS);
        for (row, column) in cells() {
            let (regime, strategy, entry) =
                (Regime::ALL[row], Strategy::ALL[column], &table.entries[row][column]);
            assert!(entry.mean_r.abs() <= 4.0 * entry.standard_error, "{regime:?} {strategy} {entry:?}");
        }
    }

    #[test]
    fn a_table_without_trades_recommends_nothing() {
        assert_eq!(TruthTable::default().best(Regime::Volatile), None);
    }
}
