//! The settings of a validation (backtest configuration): arms (rules of position sizing), variants of strategies (parameter grid),
//! account and lot size, regimes, the block bootstrap of the tests, and the train/validation split in Unix epoch seconds. They are read
//! from TOML; names, files and dates are in `owm::validation::Head`. Every table but a variant's grid has defaults, the document's where
//! it has any, so that a plan need only name what differs. `ArmKind` names the sizing rules: fixed lot, Kelly fraction of the training,
//! of the newest trades or of recall, and layers (sizing method of a strategy comparison). `VariantGrid` lists signal strength, stop
//! distance and holding time of a strategy. `AccountConfig` has the account settings: the starting equity (starting capital), the lot size
//! and its owner (account type, trading account): a joint account for all variants or separate accounts. A lot has `lot_units` units (100,
//! ounces of gold). `RegimeConfig` sets the regime thresholds (regime detection): trend strength and volatility ratio; `TestConfig` has the
//! test settings (statistical test, bootstrap settings): bootstrap resamples, block length and confidence level. The default thresholds of
//! regime classification are also those by which `owm::priced` completes contexts. `Plan` is the validation plan without names and files.

use morta_base::TableChecker;
use morta_base::keys;
use morta_engine::market::{RegimeThresholds, Strategy};
use morta_memories::owm::mind::MindConfig;
use serde::{Deserialize, Serialize};

/// Strategies that need a price alone; the others need a liquidity pool, which recorded bars don't have.
pub(crate) const STRATEGIES: [Strategy; 4] =
    [Strategy::TrendFollowing, Strategy::Breakout, Strategy::MeanReversion, Strategy::Momentum];
/// Most variants of a plan.
pub(crate) const VARIANTS_MAX: usize = 10_000;

morta_base::words! {
    /// How lots are chosen.
    pub enum ArmKind: Key {
        /// The same lot for every trade.
        Fixed = "fixed",
        /// The Kelly fraction of the training's trades of the strategy, the same to the end.
        SimpleKelly = "simple_kelly",
        /// The Kelly fraction of the strategy's newest trades, each counting the same.
        RecencyKelly = "recency_kelly",
        /// The Kelly fraction of outcome-weighted recall.
        Owm = "owm",
        /// The same with a sensitivity of 0: the outcome's quality bears neither on what is recalled nor on what it weighs. Explored, not part of
        /// any hypothesis.
        OwmLikeness = "owm_likeness",
        /// Three layers: raw trades, patterns found by a scan from time to time, adjustments of the fixed lot that hold until the next one. Part of
        /// no hypothesis.
        Layers = "layers",
    }

    /// Who owns the equity that trades are sized by.
    pub enum Accounts: Key {
        /// All variants trade one account, at the same time.
        Joint = "joint",
        /// Every variant trades an account of its own; measures are of all accounts together. Memory of trades is shared, states of mind
        /// are not.
        EachVariant = "each_variant",
    }
}

keys! {
    /// One strategy with every combination of these values.
    pub struct VariantGrid {
        /// The strategy: trend_following, breakout, mean_reversion or momentum.
        strategy: Strategy;
        /// Least strengths of the signal to trade on.
        strength: Vec<f64>, in 0.0..=1.0, "strength", len 1..=VARIANTS_MAX;
        /// Distances of the stop, in those the strategy means.
        stop: Vec<f64>, in 0.05..=20.0, "factor", len 1..=VARIANTS_MAX;
        /// Most bars to hold, in those the strategy means; at least one bar.
        hold: Vec<f64>, in 0.05..=20.0, "factor", len 1..=VARIANTS_MAX;
    }
    also strategy_needs_no_pool;
}

keys! {
    /// The account, and what a lot is.
    pub struct AccountConfig {
        /// Who owns the equity.
        owner: Accounts = Accounts::Joint;
        /// Equity of each account when the validation begins, dollars.
        start_equity: f64 = 10_000.0, in above(0.0).to(1e12), "dollars";
        /// Lots of every trade of the fixed arm.
        fixed_lot: f64 = 0.1, in above(0.0).to(1e12), "lots";
        /// Units of the asset in one lot (by default ounces of gold): a stop loses lots · units · stop distance.
        lot_units: f64 = 100.0, in above(0.0).to(1e12), "units";
    }
}

keys! {
    /// How the arm of three layers adjusts the fixed lot (rules as TradeMemory's, whose thresholds of profit are in percent of an account).
    pub struct LayersConfig {
        /// Days between scans for patterns.
        scan_days: u32 = 30, in 1..=3_650, "days";
        /// Least trades that make a pattern.
        trades: u32 = 30, in 1..=1_000_000, "trades";
        /// A strategy whose mean outcome is below this is disabled.
        disable_below: f64 = -0.05, in -100.0..=0.0, "R";
        /// Lots are reduced where the side that gains less often gains in less than this share of its trades.
        reduce_below: f64 = 0.35, in 0.0..=1.0, "share";
        /// What they are reduced to.
        reduced: f64 = 0.5, in 0.0..=1.0, "factor";
        /// Lots are increased where the side that gains more often gains in more than this share of its trades.
        increase_above: f64 = 0.6, in 0.0..=1.0, "share";
        /// What they are increased to.
        increased: f64 = 1.5, in 1.0..=100.0, "factor";
        /// Shorts are given up where longs alone would have made more by this share of what both made.
        // The rule is TradeMemory's.
        restrict_from: f64 = 0.5, in 0.0..=1_000.0, "share";
    }
}

keys! {
    /// How regimes are read.
    pub struct RegimeConfig {
        /// Trend strength beyond which the market trends.
        trend: f64 = 1.5, in 0.0..=10.0, "strength";
        /// Volatility ratio beyond which it is volatile.
        volatility: f64 = 1.6, in 0.1..=10.0, "ratio";
        /// Days whose most frequent regime is the regime of the last of them: what changes of regime are told by.
        days: u32 = 3, in 1..=250, "days";
    }
}

impl RegimeConfig {
    /// Converts the thresholds of regime classification to the form that the engine takes.
    pub const fn thresholds(&self) -> RegimeThresholds {
        RegimeThresholds { trend: self.trend, volatility: self.volatility }
    }
}

keys! {
    /// How hypotheses are tested.
    pub struct TestConfig {
        /// Resamples of the bootstrap.
        resamples: u32 = 10_000, in 100..=1_000_000, "resamples";
        /// Days of a block.
        block_days: u32 = 10, in 1..=250, "days";
        /// Level of the intervals, above .5 and below 1.
        level: f64 = 0.95, in 0.500_001..=0.999_999, "confidence";
        /// The key of the random numbers.
        seed: u64 = 1, in 0.., "seed";
    }
}

keys! {
    /// The part of a plan that doesn't speak of files and dates.
    pub struct Plan {
        /// Strategies with their variants, for recorded bars.
        #[serde(default)]
        variants: Vec<VariantGrid>, len 0..=VARIANTS_MAX;
        /// The account, and what a lot is.
        #[serde(default)]
        account: AccountConfig;
        /// How regimes are read.
        #[serde(default)]
        regime: RegimeConfig;
        /// The arms, in the order of the tables. The hypotheses need fixed, simple_kelly and owm.
        #[serde(default = "four")]
        arms: Vec<ArmKind>, len 3..=6;
        /// Whether memory ends with the training (the default: earlier validation trades are remembered too).
        #[serde(default)]
        train_only: bool;
        /// Trust in every remembered decision.
        #[serde(default = "half")]
        confidence: f64, in 0.0..=1.0, "confidence";
        /// Keys of outcome-weighted memory; `owm.kelly` holds for the other Kelly arms too, with an appetite of 1.
        #[serde(default)]
        owm: MindConfig;
        /// The arm of three layers.
        #[serde(default)]
        layers: LayersConfig;
        /// How hypotheses are tested.
        #[serde(default)]
        test: TestConfig;
    }
    also arms_suffice;
}

fn four() -> Vec<ArmKind> {
    vec![ArmKind::Fixed, ArmKind::SimpleKelly, ArmKind::RecencyKelly, ArmKind::Owm]
}

const fn half() -> f64 {
    0.5
}

/// The beginnings of training and validation, and the end of the latter, in seconds since 1970-01-01 UTC (train/validation split).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// No trade is decided before this; earlier bars only fill the windows of indicators.
    pub train_s: i64,
    /// Training trades close before this, validation trades are decided after it.
    pub validation_s: i64,
    /// The end of the validation: no trade closes later.
    pub end_s: i64,
}

/// A strategy with one set of parameters from its grid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// The strategy.
    pub strategy: Strategy,
    /// Lowest strength of a signal that is traded.
    pub strength: f64,
    /// Distance of the stop, as a factor of the strategy's own.
    pub stop: f64,
    /// Longest holding time, as a factor of the strategy's own.
    pub hold: f64,
}

impl Plan {
    fn arms_suffice(&self, table: &mut TableChecker<'_>) {
        let count = self.variants().len();
        let some = count <= VARIANTS_MAX;
        table.demand(some, "variants", format!("{count} variants"), format!("at most {VARIANTS_MAX}"));
        let mut kinds = self.arms.clone();
        kinds.sort_unstable();
        kinds.dedup();
        let names = || self.arms.iter().map(|arm| arm.name()).collect::<Vec<_>>().join(", ");
        table.demand(kinds.len() == self.arms.len(), "arms", names(), "name every arm once");
        let needed = [ArmKind::Fixed, ArmKind::SimpleKelly, ArmKind::Owm];
        let there = needed.iter().all(|arm| self.arms.contains(arm));
        table.demand(there, "arms", names(), "the hypotheses need fixed, simple_kelly and owm");
    }

    /// Lists all variants of the parameter grid, in the order of the file. The first parameter varies slowest: strengths change last,
    /// holding times first.
    pub fn variants(&self) -> Vec<Variant> {
        self.variants.iter().flat_map(VariantGrid::variants).collect()
    }
}

impl VariantGrid {
    fn strategy_needs_no_pool(&self, table: &mut TableChecker<'_>) {
        let speaks_of_price = STRATEGIES.contains(&self.strategy);
        let remedy = "needs a pool: use trend_following, breakout, mean_reversion or momentum";
        table.demand(speaks_of_price, "strategy", self.strategy.name(), remedy);
    }

    fn variants(&self) -> Vec<Variant> {
        let mut all = Vec::new();
        for &strength in &self.strength {
            for &stop in &self.stop {
                all.extend(self.hold.iter().map(|&hold| Variant {
                    strategy: self.strategy,
                    strength,
                    stop,
                    hold,
                }));
            }
        }
        all
    }
}
