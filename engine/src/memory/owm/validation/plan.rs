//! What a validation is made of.

use crate::base::TableChecker;
use crate::market::{RegimeThresholds, Strategy};
use morta_memories::owm::mind::MindConfig;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The strategies that speak of a price alone; the others need a pool.
pub const STRATEGIES: [Strategy; 4] =
    [Strategy::TrendFollowing, Strategy::Breakout, Strategy::MeanReversion, Strategy::Momentum];
/// Most variants of a plan.
pub const VARIANTS_MAX: usize = 10_000;

/// How lots are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArmKind {
    /// The same lot for every trade.
    Fixed,
    /// The Kelly fraction of the training's trades of the strategy, the same to the end.
    SimpleKelly,
    /// The Kelly fraction of the strategy's newest trades, each counting the same.
    RecencyKelly,
    /// The Kelly fraction of outcome-weighted recall.
    Owm,
    /// The same with a sensitivity of 0: the outcome's quality bears neither on what is recalled nor on what it weighs. Explored, not part of
    /// any hypothesis.
    OwmLikeness,
}

impl ArmKind {
    /// Its name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::SimpleKelly => "simple_kelly",
            Self::RecencyKelly => "recency_kelly",
            Self::Owm => "owm",
            Self::OwmLikeness => "owm_likeness",
        }
    }
}

/// Who owns the equity that trades are sized by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Accounts {
    /// All variants trade one account, at the same time.
    Joint,
    /// Every variant trades an account of its own; measures are of all accounts together. Memory of trades is shared, states of mind
    /// are not.
    EachVariant,
}

/// One strategy with every combination of these values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VariantGrid {
    /// The strategy: trend_following, breakout, mean_reversion or momentum.
    pub strategy: Strategy,
    /// Least strengths of the signal to trade on, 0 to 1 each.
    pub strength: Vec<f64>,
    /// Distances of the stop, in those the strategy means, 0.05 to 20 each.
    pub stop: Vec<f64>,
    /// Most bars to hold, in those the strategy means, 0.05 to 20 each; at least one bar.
    pub hold: Vec<f64>,
}

/// The account, and what a lot is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AccountConfig {
    /// Who owns the equity (default joint).
    pub owner: Accounts,
    /// Equity of each account when the validation begins, dollars, above 0 (default 10000).
    pub start_equity: f64,
    /// Lots of every trade of the fixed arm, above 0 (default 0.1).
    pub fixed_lot: f64,
    /// Units of the asset in one lot, above 0 (default 100, ounces of gold): a stop loses lots · units · stop distance.
    pub lot_units: f64,
}

impl Default for AccountConfig {
    fn default() -> Self {
        Self { owner: Accounts::Joint, start_equity: 10_000.0, fixed_lot: 0.1, lot_units: 100.0 }
    }
}

/// How regimes are read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RegimeConfig {
    /// Trend strength beyond which the market trends, 0 to 10 (default 1.5).
    pub trend: f64,
    /// Volatility ratio beyond which it is volatile, 0.1 to 10 (default 1.6).
    pub volatility: f64,
    /// Days whose most frequent regime is the regime of the last of them, 1 to 250 (default 3): what changes of regime are told by.
    pub days: u32,
}

impl Default for RegimeConfig {
    fn default() -> Self {
        Self { trend: 1.5, volatility: 1.6, days: 3 }
    }
}

impl RegimeConfig {
    /// The lines between regimes.
    pub const fn thresholds(&self) -> RegimeThresholds {
        RegimeThresholds { trend: self.trend, volatility: self.volatility }
    }
}

/// How hypotheses are tested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TestConfig {
    /// Resamples of the bootstrap, 100 to 1,000,000 (default 10000).
    pub resamples: u32,
    /// Days of a block, 1 to 250 (default 10).
    pub block_days: u32,
    /// Level of the intervals, above 0.5 and below 1 (default 0.95).
    pub level: f64,
    /// The key of the random numbers (default 1).
    pub seed: u64,
}

impl Default for TestConfig {
    fn default() -> Self {
        Self { resamples: 10_000, block_days: 10, level: 0.95, seed: 1 }
    }
}

/// The part of a plan that doesn't speak of files and dates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Strategies with their variants.
    pub variants: Vec<VariantGrid>,
    /// The account, and what a lot is.
    #[serde(default)]
    pub account: AccountConfig,
    /// How regimes are read.
    #[serde(default)]
    pub regime: RegimeConfig,
    /// The arms, in the order of the tables (default fixed, simple_kelly, recency_kelly, owm). The hypotheses need fixed, simple_kelly
    /// and owm.
    #[serde(default = "four")]
    pub arms: Vec<ArmKind>,
    /// Whether memory ends with the training (default false: earlier validation trades are remembered too).
    #[serde(default)]
    pub train_only: bool,
    /// Trust in every remembered decision, 0 to 1 (default 0.5).
    #[serde(default = "half")]
    pub confidence: f64,
    /// Keys of outcome-weighted memory; `owm.kelly` holds for the other Kelly arms too, with an appetite of 1.
    #[serde(default)]
    pub owm: MindConfig,
    /// How hypotheses are tested.
    #[serde(default)]
    pub test: TestConfig,
}

fn four() -> Vec<ArmKind> {
    vec![ArmKind::Fixed, ArmKind::SimpleKelly, ArmKind::RecencyKelly, ArmKind::Owm]
}

const fn half() -> f64 {
    0.5
}

/// When training and validation begin, and the latter ends, seconds since 1970-01-01 UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// No trade is decided earlier: before, the windows of the reading fill.
    pub train_s: i64,
    /// Training trades have closed before this.
    pub validation_s: i64,
    /// The end of the validation: no trade closes later.
    pub end_s: i64,
}

/// One way of trading.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// The strategy.
    pub strategy: Strategy,
    /// Least strength of the signal.
    pub strength: f64,
    /// Distance of the stop, in the strategy's own.
    pub stop: f64,
    /// Most bars to hold, in the strategy's own.
    pub hold: f64,
}

impl Plan {
    /// Everything about the values that can't be.
    pub fn check(&self, table: &mut TableChecker<'_>) {
        for (place, grid) in self.variants.iter().enumerate() {
            grid.check(&mut table.table(&format!("variants.{place}")));
        }
        let count = self.variants().len();
        let some = (1..=VARIANTS_MAX).contains(&count);
        table.demand(some, "variants", format!("{count} variants"), format!("from 1 to {VARIANTS_MAX}"));
        let mut account = table.table("account");
        account.above("start_equity", self.account.start_equity, 0.0);
        account.above("fixed_lot", self.account.fixed_lot, 0.0);
        account.above("lot_units", self.account.lot_units, 0.0);
        let mut regime = table.table("regime");
        regime.within("trend", self.regime.trend, 0.0, 10.0);
        regime.within("volatility", self.regime.volatility, 0.1, 10.0);
        regime.whole("days", self.regime.days.into(), 1, 250);
        let mut kinds = self.arms.clone();
        kinds.sort_unstable();
        kinds.dedup();
        let names = || self.arms.iter().map(|arm| arm.name()).collect::<Vec<_>>().join(", ");
        table.demand(kinds.len() == self.arms.len(), "arms", names(), "name every arm once");
        let needed = [ArmKind::Fixed, ArmKind::SimpleKelly, ArmKind::Owm];
        let there = needed.iter().all(|arm| self.arms.contains(arm));
        table.demand(there, "arms", names(), "the hypotheses need fixed, simple_kelly and owm");
        table.share("confidence", self.confidence);
        self.owm.check(&mut table.table("owm"));
        let mut test = table.table("test");
        test.whole("resamples", self.test.resamples.into(), 100, 1_000_000);
        test.whole("block_days", self.test.block_days.into(), 1, 250);
        test.within("level", self.test.level, 0.500_001, 0.999_999);
    }

    /// Every variant, by the order of the file: strengths change last, holds first.
    pub fn variants(&self) -> Vec<Variant> {
        self.variants.iter().flat_map(VariantGrid::variants).collect()
    }
}

impl VariantGrid {
    fn check(&self, table: &mut TableChecker<'_>) {
        let speaks_of_price = STRATEGIES.contains(&self.strategy);
        let remedy = "needs a pool: use trend_following, breakout, mean_reversion or momentum";
        table.demand(speaks_of_price, "strategy", self.strategy.name(), remedy);
        self.strength.iter().for_each(|value| table.share("strength", *value));
        self.stop.iter().for_each(|value| table.within("stop", *value, 0.05, 20.0));
        self.hold.iter().for_each(|value| table.within("hold", *value, 0.05, 20.0));
        for (name, values) in [("strength", &self.strength), ("stop", &self.stop), ("hold", &self.hold)] {
            table.demand(!values.is_empty(), name, "[]", "give at least one value");
        }
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
