//! Truth: which strategy pays in which true regime. It is the knowledge of the family `oracle`, whose results show how much could be known.
//! No other memory, no measure and no regret reads it.
//!
//! Every signal of every strategy is traded on paper; an entry is the mean R of its trades. Its standard error is √(Σ_c (Σ_{i∈c} (rᵢ −
//! r̄))²) / n: deviations are summed within clusters of 256 ticks before they are squared, because trades that overlap share their luck and
//! the usual s/√n would be far too small. An entry by the kind of signal is shrunk, (n r + k R)/(n + k), towards the entry R of all
//! signals, which counts as k trades. An entry without trades is 0, and a kind without trades equals its entry. It is the expected reward
//! of each action (arm) in each state, by Monte Carlo simulation with cluster-robust standard errors and shrinkage. Results are in R net of
//! costs of a fixed stake; the oracle replaces these by the costs of its own trade. Trades overlap and one is entered at every tick with a
//! signal, which no golem could do.

mod known;
mod staying;
pub mod timeline;
pub(crate) mod walk;

pub use known::Truth;
pub use staying::{StayEntry, StayTruth};

use crate::market::{
    AssetIndex, Bar, Impact, MarketConfig, MarketError, MarketState, Regime, RegimeThresholds,
    ScheduledShock, Signal, Strategy, blend,
};
use morta_base::{Purpose, Usdc, WorldSeed};
use serde::{Deserialize, Serialize};
use walk::{Walk, WalkOutcome};

/// Ticks walked through a synthetic world, for truth tables and values of staying; our choice: some eighty regimes of the default duration,
/// twenty of each kind.
pub const TRUTH_TICKS: u64 = 20_000;
/// Trades of one stretch of this many ticks share their luck; they count as one cluster for the standard error. About the mean duration of
/// a regime by default (240 ticks), and longer than every horizon.
const CLUSTER_TICKS: u64 = 256;

/// A Monte Carlo mean with its standard error: the expected outcome of one strategy in one regime.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TruthEntry {
    /// Mean R-multiple net of costs; 0 when the strategy never spoke there.
    pub mean_r: f64,
    /// Its standard error, clustered by stretches of 256 ticks of an asset; 0 in an entry by the kind of signal, which has none worked out.
    pub standard_error: f64,
    /// Mean square of the R-multiple, R²; 0 when the strategy never spoke there.
    pub mean_square_r: f64,
    /// Mean costs of a round trip in R, which are taken off in `mean_r`. An oracle puts them back and takes off the costs of its own trade
    /// now, which depend on gas and stake.
    pub mean_cost_r: f64,
    /// Mean ticks a position is held, to its stop or the end of its horizon; 0 when the strategy never spoke there.
    pub mean_ticks: f64,
    /// Trades it was estimated from: one for each tick at which the strategy spoke.
    pub trades: u64,
}

impl TruthEntry {
    /// Mixes two entries (linear interpolation) during gradual concept drift: the expectation while one law gives way to another, whose
    /// weight is 0 to 1, as the weighted mean of the two. Trades are the lesser number, so that a mean never looks better founded than its
    /// parts.
    pub fn mean(self, next: Self, weight: f64) -> Self {
        let of = |part: fn(&Self) -> f64| blend(part(&self), part(&next), weight);
        Self {
            mean_r: of(|entry| entry.mean_r),
            standard_error: of(|entry| entry.standard_error),
            mean_square_r: of(|entry| entry.mean_square_r),
            mean_cost_r: of(|entry| entry.mean_cost_r),
            mean_ticks: of(|entry| entry.mean_ticks),
            trades: self.trades.min(next.trades),
        }
    }
}

/// A table of expected rewards (payoff matrix, Q-table): R-multiples, with a row for each true regime at entry, as in [`Regime::ALL`], and
/// a column for each strategy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TruthTable {
    /// Rows by regime, columns by strategy.
    pub entries: [[TruthEntry; Strategy::COUNT]; Regime::COUNT],
    /// The same by the kind of signal: regime, strategy, long or not, then strength; each drawn to its entry above, the more the fewer
    /// trades it has. Empty in a table without trades.
    by_signal: Vec<TruthEntry>,
}

/// Classes of strength, by thirds of it.
const STRENGTHS: usize = 3;
/// Kinds of signals: two sides (the pool counts as long), each by its strength.
const SIGNALS: usize = 2 * STRENGTHS;
/// Trades that the entry of all signals counts as beside those of one kind: they overlap, so it takes hundreds to tell a tenth of an R.
const ENTRY_TRADES: f64 = 200.0;

/// The kind of a signal. Without kinds the oracle was beaten by memories that read the whole embedding: in an upward trend it must tell
/// longs from shorts, and weak signals from strong.
fn kind_of(signal: &Signal) -> usize {
    let strength = (signal.strength.abs() * STRENGTHS as f64) as usize;
    usize::from(signal.strength < 0.0) * STRENGTHS + strength.min(STRENGTHS - 1)
}

/// The circumstances of a trade at its entry: the state (table cell) that its outcome is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entered {
    regime: Regime,
    kind: usize,
}

impl TruthTable {
    /// Looks up an expected reward: the entry of a strategy in a regime, over all its signals.
    pub fn entry(&self, regime: Regime, strategy: Strategy) -> &TruthEntry {
        &self.entries[regime.index()][strategy.index()]
    }

    /// Looks up the entry of a strategy in a regime for signals of this kind, shrunk to the pooled mean. An oracle decides by it.
    pub(crate) fn entry_of(&self, regime: Regime, strategy: Strategy, signal: &Signal) -> &TruthEntry {
        self.by_signal
            .get(place(regime.index(), strategy.index(), kind_of(signal)))
            .unwrap_or_else(|| self.entry(regime, strategy))
    }

    /// The greedy policy (argmax), for tests: the strategy with the highest expected R in a regime, among those that spoke there; `None`
    /// when none expects a gain.
    pub fn best(&self, regime: Regime) -> Option<Strategy> {
        let spoke = Strategy::ALL.into_iter().filter(|strategy| self.entry(regime, *strategy).trades > 0);
        let best =
            spoke.max_by(|a, b| self.entry(regime, *a).mean_r.total_cmp(&self.entry(regime, *b).mean_r))?;
        (self.entry(regime, best).mean_r > 0.0).then_some(best)
    }

    /// Estimates expected rewards by Monte Carlo, by paper-trading every signal of every strategy along a world without golems: a synthetic
    /// one of the same law and other luck, `ticks` long, or the recorded bars themselves. Costs are those of positions of `stake`. Planned
    /// shocks are left out, as they are a matter of the calendar and not of the regime ([`Truth`] has them); chance shocks come at their
    /// rates. All assets are taken together. Runs use `Truth` and not this.
    ///
    /// Regimes are the true ones, or with `thresholds` those that a golem with these reads at the entry (partially observed state): the
    /// worth of a rule about the regime as it is read. Only an example has it estimated so.
    ///
    /// # Errors
    /// When the market can't be made.
    pub fn estimate(
        config: &MarketConfig,
        seed: WorldSeed,
        bars: Vec<Vec<Bar>>,
        stake: Usdc,
        ticks: u64,
        thresholds: Option<RegimeThresholds>,
    ) -> Result<Self, MarketError> {
        let walked = Walked { config, seed, bars, stake, ticks, thresholds };
        Ok(Self::of_outcomes(&walked.outcomes(&[])?))
    }

    /// The table of outcomes, asset by asset, each in the order of time.
    fn of_outcomes(outcomes: &[Vec<WalkOutcome<Entered>>]) -> Self {
        let mut sums = [[TradeTally::default(); Strategy::COUNT]; Regime::COUNT];
        let mut by_signal = vec![TradeTally::default(); place(Regime::COUNT, 0, 0)];
        for outcome in outcomes.iter().flatten() {
            let (row, column) = (outcome.label.regime.index(), outcome.strategy.index());
            sums[row][column].add(outcome);
            by_signal[place(row, column, outcome.label.kind)].add(outcome);
        }
        let entries = sums.map(|row| row.map(|tally| tally.entry()));
        let mut table = Self { entries, by_signal: Vec::new() };
        let flat = entries.iter().flatten().flat_map(|entry| [entry; SIGNALS]);
        table.by_signal =
            by_signal.iter().zip(flat).map(|(own, all)| own.entry().towards(all, ENTRY_TRADES)).collect();
        let mut squares = [[0.0; Strategy::COUNT]; Regime::COUNT];
        for walked in outcomes {
            for cluster in walked.chunk_by(|a, b| a.tick / CLUSTER_TICKS == b.tick / CLUSTER_TICKS) {
                let mut deviations = [[0.0; Strategy::COUNT]; Regime::COUNT];
                for outcome in cluster {
                    let (row, column) = (outcome.label.regime.index(), outcome.strategy.index());
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

impl TruthEntry {
    /// This entry, drawn to another one that counts as so many trades.
    fn towards(&self, other: &Self, trades: f64) -> Self {
        let own = self.trades as f64;
        let blend = |own_mean: f64, mean: f64| (own * own_mean + trades * mean) / (own + trades);
        Self {
            mean_r: blend(self.mean_r, other.mean_r),
            mean_square_r: blend(self.mean_square_r, other.mean_square_r),
            mean_cost_r: blend(self.mean_cost_r, other.mean_cost_r),
            mean_ticks: blend(self.mean_ticks, other.mean_ticks),
            ..*self
        }
    }
}

/// The place of a kind of signal among all.
const fn place(regime: usize, strategy: usize, kind: usize) -> usize {
    (regime * Strategy::COUNT + strategy) * SIGNALS + kind
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
    /// The outcomes of all signals under a calendar of shocks, by the regime at their entry: asset by asset, in the order of time.
    fn outcomes(self, calendar: &[ScheduledShock]) -> Result<Vec<Vec<WalkOutcome<Entered>>>, MarketError> {
        let Self { config, seed, bars, stake, ticks, thresholds } = self;
        let market = other_luck(config, seed, bars, calendar, SHORT_EMBEDDING)?;
        let walks: Vec<Walk<Entered>> = config.assets.iter().map(|_| Walk::new()).collect();
        let walks = along(market, ticks, thresholds, walks, |walk, market, asset, regime| {
            walk.visit(market, asset, stake, |_, signal, _| Entered { regime, kind: kind_of(signal) });
        });
        Ok(walks.into_iter().map(Walk::finish).collect())
    }
}

/// Takes records along a market to the end of its bars, or so many ticks: at each tick, that of each asset is shown the asset and its
/// regime, the true one or with thresholds that which is read by them.
fn along<T>(
    mut market: MarketState,
    ticks: u64,
    thresholds: Option<RegimeThresholds>,
    mut records: Vec<T>,
    mut visit: impl FnMut(&mut T, &MarketState, AssetIndex, Regime),
) -> Vec<T> {
    let ticks = market.ticks_available().unwrap_or(ticks);
    for tick in 0..ticks {
        for (record, asset) in records.iter_mut().zip(0..) {
            let truly = market.true_regime(asset).expect("the walk visits the market's own assets");
            let read = |thresholds: RegimeThresholds| thresholds.classify(market.view().asset(asset));
            visit(record, &market, asset, thresholds.map_or(truly, read));
        }
        if tick + 1 < ticks {
            market.step(&[]);
        }
    }
    records
}

/// The shortest embedding a market can have: signals don't read embeddings, and walks that don't either save the time of building longer
/// ones.
const SHORT_EMBEDDING: u32 = 16;

/// A market of the same law and other luck, under a calendar of its own. Other luck, because an oracle that had seen the world's own prices
/// would know the future; price-taking, because no golem trades there.
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
struct TradeTally {
    sum_r: f64,
    sum_square_r: f64,
    sum_cost_r: f64,
    ticks: u64,
    count: u64,
}

impl TradeTally {
    fn add(&mut self, outcome: &WalkOutcome<Entered>) {
        self.sum_r += outcome.r_multiple;
        self.sum_square_r += outcome.r_multiple * outcome.r_multiple;
        self.sum_cost_r += outcome.cost_r;
        self.ticks += u64::from(outcome.ticks_held);
        self.count += 1;
    }

    fn entry(self) -> TruthEntry {
        let mean = |sum: f64| if self.count > 0 { sum / self.count as f64 } else { 0.0 };
        TruthEntry {
            mean_r: mean(self.sum_r),
            standard_error: 0.0,
            mean_square_r: mean(self.sum_square_r),
            mean_cost_r: mean(self.sum_cost_r),
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
        TruthTable::estimate(config, WorldSeed(2026), Vec::new(), stake, ticks, None).unwrap()
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

    /// Three trades of one kind and one of another: (3 · 2 + 200 · 1.25) / 203 and (−1 + 200 · 1.25) / 201.
    #[test]
    fn kinds_of_signals_are_drawn_to_their_entry() {
        let long = Signal { strength: 0.9, stop_distance: 0.01, horizon_ticks: 8 };
        let short = Signal { strength: -0.2, ..long };
        assert_eq!((kind_of(&long), kind_of(&short)), (2, 3));
        let came = |signal: &Signal, r_multiple| WalkOutcome {
            tick: 0,
            strategy: Strategy::Momentum,
            label: Entered { regime: Regime::Volatile, kind: kind_of(signal) },
            r_multiple,
            cost_r: 0.0,
            ticks_held: 8,
        };
        let outcomes = vec![came(&long, 2.0), came(&long, 2.0), came(&long, 2.0), came(&short, -1.0)];
        let table = TruthTable::of_outcomes(&[outcomes]);
        let r = |signal| table.entry_of(Regime::Volatile, Strategy::Momentum, signal).mean_r;
        assert!((r(&long) - 256.0 / 203.0).abs() < 1e-12 && (r(&short) - 249.0 / 201.0).abs() < 1e-12);
        assert_eq!(table.entry(Regime::Volatile, Strategy::Momentum).mean_r, 1.25);
        assert_eq!(TruthTable::default().entry_of(Regime::Volatile, Strategy::Momentum, &long).mean_r, 0.0);
    }

    #[test]
    fn a_table_without_trades_recommends_nothing() {
        assert_eq!(TruthTable::default().best(Regime::Volatile), None);
    }
}
