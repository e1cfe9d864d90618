//! The execution of a validation plan: an out-of-sample backtest of all arms on the same trades, their metrics, and the tests of
//! hypotheses. Profits are in the account's currency. The verdicts are the hypotheses' block tests; the intervals by variant are shown
//! beside them, only where every variant has an account of its own, and are too narrow. Arms are compared on the same days, because
//! markets differ more than arms.

use super::arms::{self, Floor};
use super::days::Days;
use super::deals::{Book, Deal};
use super::hypotheses::{self, Hypothesis, Returns};
use super::ledger::{Ledger, Measures, Yardstick};
use super::measures::returns;
use super::plan::{Accounts, ArmKind, Plan, Split};
use super::trades::{self, Part};
use morta_base::WorldSeed;
use morta_engine::market::Bar;
use morta_stats::summary::mean;
use morta_stats::{CompareOptions, PairedComparison, compare_pairs};
use serde::Serialize;

/// Why a backtest can't be run: one of its parts has no trade, or a belief is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CantValidate {
    /// No trade closes in the training.
    #[error("no trade closed between the beginning of the training and the split")]
    NoTraining,
    /// No trade is decided in the validation.
    #[error("no trade was decided and closed between the split and the end")]
    NoValidation,
    /// A belief was invalid.
    #[error("a belief has no condition")]
    Belief,
}

/// How many trades the training and the validation have, and how many were left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TradeCount {
    /// Number of variants.
    pub variants: u64,
    /// Number of trades that closed before the split.
    pub training: u64,
    /// Number of trades decided after the split.
    pub validation: u64,
    /// Number of trades across the split or the end.
    pub left_out: u64,
    /// Share of trades with a gain: training, validation.
    pub win_rate: [f64; 2],
    /// Mean outcome in R: training, validation.
    pub mean_r: [f64; 2],
    /// For each strategy with trades, its results in the two parts.
    pub strategies: Vec<StrategyCount>,
    /// For each regime with training trades: its name, their number, and their mean R.
    pub regimes: Vec<(String, u64, f64)>,
}

/// How the variants of a strategy traded, before any arm sizes them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StrategyCount {
    /// Its name.
    pub strategy: String,
    /// Number of training trades.
    pub training: u64,
    /// Mean R of the training trades.
    pub training_r: f64,
    /// Kelly fraction of the training trades.
    pub training_kelly: f64,
    /// Number of validation trades.
    pub validation: u64,
    /// Mean R of the validation trades.
    pub validation_r: f64,
}

/// What a backtest measured of one arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmOutcome {
    /// The arm.
    pub arm: ArmKind,
    /// Its measures.
    pub measures: Measures,
    /// Total equity at the ends of days in dollars, beginning with the start.
    pub equity: Vec<f64>,
    /// Profit of each variant in dollars, in the variants' order.
    pub by_variant: Vec<f64>,
}

/// Compares OWM with another arm, variant by variant (pairwise comparison). The variants trade one market and so aren't independent: the
/// intervals are too narrow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantPairs {
    /// The other arm.
    pub against: ArmKind,
    /// Profit of OWM and of the other arm, in dollars.
    pub profit: PairedComparison,
}

/// The result of a backtest: its counts, the metrics of each arm, and the tests of hypotheses.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValidationOutcome {
    /// Counts of the trades.
    pub trades: TradeCount,
    /// The validation's trading days, as numbers since 1970-01-01.
    pub days: Vec<i64>,
    /// Number of changes of regime among these days.
    pub regime_changes: u64,
    /// Results of the arms, in the plan's order.
    pub arms: Vec<ArmOutcome>,
    /// Results of the hypotheses.
    pub hypotheses: Vec<Hypothesis>,
    /// Comparisons by variant; empty if the variants share one account, because then their profits depend on each other's stakes.
    pub pairs: Vec<VariantPairs>,
}

/// Runs a backtest on bars. The bars begin some time before the training, so that the indicators' windows are full by then.
///
/// # Errors
/// When the training or the validation has no trade.
pub fn validate(plan: &Plan, bars: &[Bar], split: &Split) -> Result<ValidationOutcome, CantValidate> {
    let seen = trades::read(bars, &plan.regime);
    let all = trades::all(bars, &seen, &plan.variants(), split.train_s);
    carry_out(plan, &Book::of_bars(bars, &seen, &all, (plan, split)), split)
}

/// Runs a backtest on trades of any origin.
///
/// # Errors
/// When the training or the validation has no trade.
pub fn carry_out(plan: &Plan, book: &Book, split: &Split) -> Result<ValidationOutcome, CantValidate> {
    let (training, validation) = (book.of_part(Part::Training, split), book.of_part(Part::Validation, split));
    // Without training trades the Kelly arms have no fraction, so the comparison would be meaningless.
    if training.is_empty() {
        return Err(CantValidate::NoTraining);
    }
    if validation.is_empty() {
        return Err(CantValidate::NoValidation);
    }
    let floor = Floor { plan, book };
    let mut by_regime = vec![Vec::new(); book.regimes.len()];
    for deal in &training {
        by_regime[deal.regime].push(deal.r);
    }
    let accounts = match plan.account.owner {
        Accounts::Joint => 1,
        Accounts::EachVariant => book.variants,
    };
    let yard = Yardstick {
        deals: &validation,
        days: &book.days,
        // Every account begins with the whole start equity, so measures are relative to their sum.
        start: plan.account.start_equity * accounts as f64,
        training_kelly: &arms::training_kelly(&training, floor),
        unfavourable: &by_regime.iter().map(|outcomes| mean_or_0(outcomes) <= 0.0).collect::<Vec<_>>(),
    };
    let mut arms = Vec::new();
    for &arm in &plan.arms {
        let ledger: Ledger =
            arms::live(arm, floor, &training, &validation).map_err(|_| CantValidate::Belief)?;
        arms.push(ArmOutcome {
            arm,
            measures: ledger.measures(&yard),
            equity: ledger.equity(&yard),
            by_variant: ledger.by_variant(&validation, book.variants),
        });
    }
    Ok(ValidationOutcome {
        trades: counted(book, &training, &yard, &by_regime),
        regime_changes: book.days.changes.len() as u64,
        hypotheses: hypotheses_of(&arms, &book.days, plan),
        pairs: pairs(&arms, plan),
        days: book.days.numbers.clone(),
        arms,
    })
}

fn mean_or_0(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { mean(values) }
}

fn counted(book: &Book, training: &[Deal], yard: &Yardstick<'_>, by_regime: &[Vec<f64>]) -> TradeCount {
    let validation = yard.deals;
    let outcomes = |deals: &[Deal]| deals.iter().map(|deal| deal.r).collect::<Vec<f64>>();
    let won =
        |deals: &[Deal]| deals.iter().filter(|deal| deal.r > 0.0).count() as f64 / deals.len().max(1) as f64;
    let strategy = |(number, name): (usize, &String)| {
        let of = |deals: &[Deal]| {
            let own = deals.iter().filter(|deal| usize::from(deal.domain.strategy) == number);
            own.map(|deal| deal.r).collect::<Vec<f64>>()
        };
        let (before, after) = (of(training), of(validation));
        (!before.is_empty() || !after.is_empty()).then(|| StrategyCount {
            strategy: name.clone(),
            training: before.len() as u64,
            training_r: mean_or_0(&before),
            training_kelly: yard.training_kelly[number],
            validation: after.len() as u64,
            validation_r: mean_or_0(&after),
        })
    };
    let regime = |(name, outcomes): (&String, &Vec<f64>)| {
        (!outcomes.is_empty()).then(|| (name.clone(), outcomes.len() as u64, mean(outcomes)))
    };
    TradeCount {
        variants: book.variants as u64,
        training: training.len() as u64,
        validation: validation.len() as u64,
        left_out: (book.deals.len() - training.len() - validation.len()) as u64,
        win_rate: [won(training), won(validation)],
        mean_r: [training, validation].map(|deals| mean_or_0(&outcomes(deals))),
        strategies: book.strategies.iter().enumerate().filter_map(strategy).collect(),
        regimes: book.regimes.iter().zip(by_regime).filter_map(regime).collect(),
    }
}

fn arm(arms: &[ArmOutcome], kind: ArmKind) -> Option<&ArmOutcome> {
    arms.iter().find(|outcome| outcome.arm == kind)
}

fn hypotheses_of(arms: &[ArmOutcome], days: &Days, plan: &Plan) -> Vec<Hypothesis> {
    let [fixed, simple, owm] = [ArmKind::Fixed, ArmKind::SimpleKelly, ArmKind::Owm]
        .map(|kind| arm(arms, kind).map_or_else(Vec::new, |outcome| returns(&outcome.equity)));
    let returns = Returns { fixed: &fixed, simple: &simple, owm: &owm, span_days: days.span() };
    hypotheses::test(&returns, &plan.test)
}

fn pairs(arms: &[ArmOutcome], plan: &Plan) -> Vec<VariantPairs> {
    let Some(owm) = arm(arms, ArmKind::Owm) else { return Vec::new() };
    let (resamples, level, seed) = (plan.test.resamples, plan.test.level, WorldSeed(plan.test.seed));
    let options = CompareOptions { level, resamples, seed };
    let others = arms.iter().filter(|_| plan.account.owner == Accounts::EachVariant);
    let others = others.filter(|other| other.arm != ArmKind::Owm);
    let pair = |other: &ArmOutcome| {
        let profit = compare_pairs(&owm.by_variant, &other.by_variant, &options).ok()?;
        Some(VariantPairs { against: other.arm, profit })
    };
    others.filter_map(pair).collect()
}
