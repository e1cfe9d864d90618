//! Equity curves over the validation, one line for each arm, in thousands of the account's money. Days without any trade repeat the day
//! before. An equity curve shows drawdowns, because final profits hide them. With an account for each variant it is their sum. It is drawn
//! only with `--out`.

use morta_lab::report::plot::Figure;
use morta_lab::report::plot::curves::{Chart, Curve, CurvePanel, PlottedPoint};
use morta_tools::validation::{Accounts, ArmOutcome, Plan, ValidationOutcome};

const THOUSAND: f64 = 1_000.0;

/// Draws the equity curves as SVG; `None` without days.
pub(super) fn equity(name: &str, plan: &Plan, outcome: &ValidationOutcome) -> Option<Figure> {
    let first = *outcome.days.first()?;
    let curve = |(colour, arm): (usize, &ArmOutcome)| {
        // The start value belongs to the beginning of the first day, the others to ends of days.
        let times = std::iter::once(0).chain(outcome.days.iter().map(|day| day - first + 1));
        let point = |(x, y): (i64, &f64)| PlottedPoint { x: x as f64, y: *y / THOUSAND, band: None };
        let points = times.zip(&arm.equity).map(point).collect();
        Curve::new(arm.arm.name(), colour, points)
    };
    let whose = match plan.account.owner {
        Accounts::Joint => "one account that all variants trade",
        Accounts::EachVariant => "the accounts of all variants together",
    };
    let chart = Chart {
        name: "equity".to_owned(),
        title: format!("Equity by arm, {name}"),
        description: format!(
            "Equity at the ends of days of {whose}, over the validation: {} trades that differ between arms in their \
             size alone.",
            outcome.trades.validation
        ),
        x_label: "days of the validation".to_owned(),
        y_label: "equity, thousand dollars".to_owned(),
        steps: true,
        panels: vec![CurvePanel {
            title: String::new(),
            curves: outcome.arms.iter().enumerate().map(curve).collect(),
        }],
        ..Chart::default()
    };
    chart.draw()
}
