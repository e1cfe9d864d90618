//! The text of a validation: trades, arms by measures, hypotheses. It is the backtest report for a terminal, with Sharpe ratio, drawdown,
//! Calmar ratio and profit factor; money is in the account's currency, ratios have no unit, drawdown and stakes are percent. Hypotheses
//! stand below the measures, so that no p-value is read without them.

use morta_lab::text::date;
use morta_stats::Computed;
use morta_tools::owm::validation::{DataUsed, Loaded};
use morta_tools::validation::hypotheses::Hypothesis;
use morta_tools::validation::ledger::Measures;
use morta_tools::validation::measures::{Ratio, Waits};
use morta_tools::validation::{Accounts, ValidationOutcome};

/// All lines of the text (backtest report).
pub(super) fn lines(loaded: &Loaded, outcome: &ValidationOutcome) -> Vec<String> {
    let mut lines = heading(loaded, outcome);
    lines.push(String::new());
    lines.extend(arms(outcome));
    lines.push(String::new());
    lines.extend(outcome.hypotheses.iter().map(verdict_line));
    let level = 100.0 * loaded.plan.test.level;
    lines.push(format!(
        "Intervals of {level} % and p-values: circular block bootstrap, {} resamples of blocks of {} days, the same days for \
         all arms; p corrected for four hypotheses (Holm).",
        loaded.plan.test.resamples, loaded.plan.test.block_days
    ));
    lines.extend(by_variant(outcome));
    lines
}

fn heading(loaded: &Loaded, outcome: &ValidationOutcome) -> Vec<String> {
    let (split, trades) = (&loaded.split, &outcome.trades);
    let day = |time_s: i64| date(time_s)[..10].to_owned();
    let owner = match loaded.plan.account.owner {
        Accounts::Joint => "one account for all variants",
        Accounts::EachVariant => "an account for each variant",
    };
    let mut lines = vec![
        format!("{}: {}, {owner}", loaded.name, data(&loaded.data)),
        format!(
            "training     {} to {}: {} trades of {} variants, {:.1} % gains, mean {:+.4} R",
            day(split.train_s),
            day(split.validation_s),
            trades.training,
            trades.variants,
            100.0 * trades.win_rate[0],
            trades.mean_r[0]
        ),
        format!(
            "validation   {} to {}: {} trades, {:.1} % gains, mean {:+.4} R; {} left out; {} changes of regime",
            day(split.validation_s),
            day(split.end_s),
            trades.validation,
            100.0 * trades.win_rate[1],
            trades.mean_r[1],
            trades.left_out,
            outcome.regime_changes
        ),
    ];
    lines.extend(trades.strategies.iter().map(|s| {
        format!(
            "  {:<16} training {:>5} trades {:+.4} R, Kelly {:.4}; validation {:>5} trades {:+.4} R",
            s.strategy, s.training, s.training_r, s.training_kelly, s.validation, s.validation_r
        )
    }));
    lines
}

/// The data in a few words.
fn data(used: &DataUsed) -> String {
    let Some(trades) = &used.trades else { return format!("{} bars", used.bars.unwrap_or(0)) };
    let mut text = format!("{} trades of one's own", trades.ended);
    for (count, what) in [
        (trades.left_out, "rows left out"),
        (trades.r_from_stop, "with R from the stop"),
        (trades.usual_risk, "with the usual risk of a lot"),
    ] {
        if count > 0 {
            text.push_str(&format!(", {count} {what}"));
        }
    }
    text
}

/// A measure's name with its unit, and its text.
type Row = (&'static str, fn(&Measures) -> String);

const ROWS: [Row; 22] = [
    ("trades with a stake", |m| m.trades.to_string()),
    ("mean stake, % of equity", |m| percent(m.mean_fraction)),
    ("net profit, $", |m| money(m.net_pnl)),
    ("profit factor", |m| ratio(m.profit_factor)),
    ("Sharpe, annual", |m| format!("{:.3}", m.sharpe)),
    ("largest drawdown, %", |m| percent(Some(m.max_drawdown))),
    ("GHPR, % a trade", |m| m.ghpr.map_or_else(none, |x| format!("{:.4}", 100.0 * x))),
    ("Calmar", |m| ratio(m.calmar)),
    ("recall precision@5", |m| number(m.recall_precision)),
    ("Kelly accuracy, r", |m| number(m.kelly_accuracy)),
    ("rolling Sharpe, mean", |m| number(m.adaptation.map(|a| a.mean))),
    ("  standard deviation", |m| number(m.adaptation.map(|a| a.deviation))),
    ("  minimum", |m| number(m.adaptation.map(|a| a.minimum))),
    ("  after regime changes", |m| number(m.adaptation.and_then(|a| a.after_change))),
    ("regime lag, trades", |m| number(m.detection_lag.and_then(|w| w.median))),
    ("  found, cut off", |m| m.detection_lag.map_or_else(none, |w| counts(&w))),
    ("recovery, trades", |m| number(m.recovery.median)),
    ("  longest", |m| m.recovery.longest.map_or_else(none, |x| x.to_string())),
    ("  over, still open", |m| counts(&m.recovery)),
    ("disposition effect", |m| number(m.disposition)),
    ("sizing, Var(lots/Kelly)", |m| number(m.sizing_consistency)),
    ("over-trading, ratio", |m| number(m.over_trading)),
];

fn arms(outcome: &ValidationOutcome) -> Vec<String> {
    let row = |name: &str, cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!("{cell:>15}")).collect();
        format!("{name:<24}{cells}")
    };
    let mut lines = vec![row("measure", outcome.arms.iter().map(|arm| arm.arm.name().to_owned()).collect())];
    for (name, tell) in &ROWS {
        lines.push(row(name, outcome.arms.iter().map(|arm| tell(&arm.measures)).collect()));
    }
    lines
}

fn none() -> String {
    "-".to_owned()
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(none, |value| format!("{value:.3}"))
}

/// Larger amounts are written with an exponent, because they don't fit their column. Stakes that compound over thousands of trades reach them.
const LONGEST: f64 = 1e12;

fn money(dollars: f64) -> String {
    if dollars.abs() >= LONGEST { format!("{dollars:.2e}") } else { format!("{dollars:.0}") }
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(none, |share| format!("{:.2}", 100.0 * share))
}

fn ratio(ratio: Ratio) -> String {
    match ratio {
        // Larger ratios don't fit their column.
        Ratio::Known(value) if value.abs() >= 1e8 => format!("{value:.2e}"),
        Ratio::Known(value) => format!("{value:.3}"),
        Ratio::Infinite => "infinite".to_owned(),
        Ratio::Missing => none(),
    }
}

fn counts(waits: &Waits) -> String {
    format!("{}, {}", waits.ended, waits.censored)
}

fn verdict_line(hypothesis: &Hypothesis) -> String {
    let Hypothesis { name, says, statistic, test, corrected_p, holds } = hypothesis;
    let verdict = if *holds { "holds" } else { "not shown" };
    match test {
        Computed::Known(test) => {
            let corrected = corrected_p.map_or_else(none, |p| format!("{p:.4}"));
            format!(
                "{name} {says}: {verdict}. {statistic}: {:+.3} [{:+.3}, {:+.3}], p {:.4}, corrected {corrected}",
                test.estimate, test.interval.low, test.interval.high, test.p_value
            )
        }
        Computed::Unknown { cannot_be_computed: why } => {
            format!("{name} {says}: can't be tested. {statistic}: {why}")
        }
    }
}

fn by_variant(outcome: &ValidationOutcome) -> Vec<String> {
    let line = |pair: &morta_tools::validation::VariantPairs| {
        let profit = &pair.profit;
        let interval = match &profit.bootstrap {
            Computed::Known(found) => format!("[{:+.0}, {:+.0}]", found.bca.low, found.bca.high),
            Computed::Unknown { cannot_be_computed: why } => format!("({why})"),
        };
        format!(
            "By variant, owm less {}: {:+.0} $ {interval} over {} accounts. They trade one market: the interval is too narrow.",
            pair.against.name(),
            profit.difference.mean,
            profit.pairs
        )
    };
    outcome.pairs.iter().map(line).collect()
}
