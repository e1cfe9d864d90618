//! Which strategy really pays in which true regime: the yardstick for memories, and what the `oracle` knows.

use crate::base::{Purpose, Usdc, WorldSeed};
use crate::market::paper_trade::{PaperTrade, PathPoint, paper_trade, round_trip_cost_bps};
use crate::market::{
    AssetIndex, Bar, Impact, MarketConfig, MarketError, MarketState, PositionSide, Regime, RegimeThresholds,
    Signal, Strategy,
};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

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
    /// Trades it was estimated from: one for each tick at which the strategy spoke.
    pub trades: u64,
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
    /// regime; chance shocks come at their rates.
    pub fn estimate(
        config: &MarketConfig,
        seed: WorldSeed,
        bars: Vec<Vec<Bar>>,
        stake: Usdc,
        ticks: u64,
    ) -> Result<Self, MarketError> {
        Self::estimate_by(config, seed, bars, stake, ticks, None)
    }

    /// The same by the regime that somebody with these thresholds reads at the entry: what a rule that speaks of a regime as it
    /// is read is worth, as opposed to one that would know the true one.
    pub fn estimate_as_read(
        config: &MarketConfig,
        seed: WorldSeed,
        bars: Vec<Vec<Bar>>,
        stake: Usdc,
        ticks: u64,
        thresholds: RegimeThresholds,
    ) -> Result<Self, MarketError> {
        Self::estimate_by(config, seed, bars, stake, ticks, Some(thresholds))
    }

    fn estimate_by(
        config: &MarketConfig,
        seed: WorldSeed,
        bars: Vec<Vec<Bar>>,
        stake: Usdc,
        ticks: u64,
        thresholds: Option<RegimeThresholds>,
    ) -> Result<Self, MarketError> {
        let other_luck = WorldSeed(seed.world(Purpose::TruthTable, 0, 0).word());
        let mut config = MarketConfig { impact: Impact::PriceTaker, ..config.clone() };
        config.shocks.scheduled.clear();
        config.shocks.crisis.scheduled.clear();
        // The signals don't look at embeddings: keep those short.
        config.embedding_dimensions = 16;
        let mut market = MarketState::new(&config, other_luck, bars)?;
        let ticks = market.ticks_available().unwrap_or(ticks);
        let mut walks: Vec<Walk> = config.assets.iter().map(|_| Walk::default()).collect();
        for tick in 0..ticks {
            for (walk, asset) in walks.iter_mut().zip(0..) {
                walk.visit(&market, asset, stake, thresholds.as_ref());
            }
            if tick + 1 < ticks {
                market.step(&[]);
            }
        }
        let mut sums = [[Tally::default(); Strategy::COUNT]; Regime::COUNT];
        let outcomes: Vec<Vec<Outcome>> = walks.into_iter().map(Walk::finish).collect();
        for outcome in outcomes.iter().flatten() {
            sums[outcome.regime.index()][outcome.strategy.index()].add(outcome.r_multiple);
        }
        Ok(Self::from_sums(&sums, &outcomes))
    }

    fn from_sums(sums: &[[Tally; Strategy::COUNT]; Regime::COUNT], outcomes: &[Vec<Outcome>]) -> Self {
        let mut table = Self { entries: sums.map(|row| row.map(|tally| tally.entry())) };
        let mut squares = [[0.0; Strategy::COUNT]; Regime::COUNT];
        for walked in outcomes {
            for cluster in walked.chunk_by(|a, b| a.cluster == b.cluster) {
                let mut deviations = [[0.0; Strategy::COUNT]; Regime::COUNT];
                for outcome in cluster {
                    let (row, column) = (outcome.regime.index(), outcome.strategy.index());
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

fn cells() -> impl Iterator<Item = (usize, usize)> {
    (0..Regime::COUNT).flat_map(|row| (0..Strategy::COUNT).map(move |column| (row, column)))
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    sum: f64,
    count: u64,
}

impl Tally {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn entry(self) -> TruthEntry {
        let mean_r = if self.count > 0 { self.sum / self.count as f64 } else { 0.0 };
        TruthEntry { mean_r, standard_error: 0.0, trades: self.count }
    }
}

#[derive(Clone, Copy, Debug)]
struct Outcome {
    cluster: u64,
    regime: Regime,
    strategy: Strategy,
    r_multiple: f64,
}

/// A trade whose horizon is not over yet.
#[derive(Clone, Copy, Debug)]
struct Entry {
    tick: u64,
    regime: Regime,
    strategy: Strategy,
    signal: Signal,
    side: PositionSide,
    cost_bps: f64,
}

/// One asset's path, and the signals seen along it.
#[derive(Default)]
struct Walk {
    path: Vec<PathPoint>,
    entries: VecDeque<Entry>,
}

impl Walk {
    fn visit(
        &mut self,
        market: &MarketState,
        asset: AssetIndex,
        stake: Usdc,
        thresholds: Option<&RegimeThresholds>,
    ) {
        let (view, tick) = (market.view(), self.path.len() as u64);
        let seen = view.asset(asset);
        self.path.push(PathPoint::from(seen));
        let truly = market.true_regime(asset).expect("the walk visits the market's own assets");
        let regime = thresholds.map_or(truly, |thresholds| thresholds.classify(seen));
        for (strategy, signal) in Strategy::ALL.into_iter().zip(seen.signals) {
            if let Some(side) = signal.side(strategy) {
                let cost_bps = round_trip_cost_bps(seen, side, stake, view.gas);
                self.entries.push_back(Entry { tick, regime, strategy, signal, side, cost_bps });
            }
        }
    }

    /// Outcomes of the trades whose whole horizon was walked, in the order of entry.
    fn finish(self) -> Vec<Outcome> {
        let last = self.path.len() as u64;
        let whole = self.entries.iter().filter(|e| e.tick + u64::from(e.signal.horizon_ticks) < last);
        whole.map(|entry| self.outcome(entry)).collect()
    }

    fn outcome(&self, entry: &Entry) -> Outcome {
        let at = entry.tick as usize;
        let end = at + entry.signal.horizon_ticks as usize;
        let trade = PaperTrade {
            side: entry.side,
            entry: self.path[at],
            stop_distance: entry.signal.stop_distance,
            cost_bps: entry.cost_bps,
        };
        let r_multiple = paper_trade(&trade, self.path[at + 1..=end].iter().copied()).r_multiple;
        Outcome {
            cluster: entry.tick / CLUSTER_TICKS,
            regime: entry.regime,
            strategy: entry.strategy,
            r_multiple,
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
