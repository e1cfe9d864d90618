//! A branch in a few lines: a plain-text diff of two arms, which `morta branch` prints. Results are R, money is USDC, differences are
//! branch less control. Where no event differs, the text ends with the line `parted never` and has no table. Totals count from the branch
//! on, equity is the balance at the end. At most eight lineages that decided otherwise are listed; the last row adds up all lineages. The
//! full report is `divergence.json`; this text is short, so that it fits below the command.

use super::{Chosen, DecisionPair, DivergenceReport, LineageRow, OutcomeDifference};
use crate::io::text::{Align, or_dash, table};

/// Most lineages that are listed: those that chose differently before those that only staked differently, each by the size of the
/// difference in equity. Our choice, because a screen has room for about so many above the sums.
const SHOWN: usize = 8;

/// Words the result of a branch as a plain-text summary, line by line.
pub fn text(report: &DivergenceReport) -> Vec<String> {
    let mut lines = Vec::new();
    let control = &report.control;
    lines.push(format!(
        "branch of {} at tick {}, lived to tick {}; the unchanged arm is {control}",
        report.parent.display(),
        report.at,
        report.until
    ));
    lines.push(match (report.lived_from, &report.unused_checkpoint) {
        (0, Some(why)) => format!("lived        again from the start: {why}"),
        (0, None) => format!(
            "lived        again from the start: no checkpoint at or before tick {} was kept",
            report.at
        ),
        (tick, _) => format!("lived        again from the checkpoint at tick {tick}"),
    });
    let changes = report.changes.lines();
    lines.extend(changes.iter().map(|change| format!("changed      {change}")));
    if changes.is_empty() {
        lines.push("changed      nothing".to_owned());
    }
    let parting = &report.parting;
    let Some(first) = &parting.first_event else {
        lines.push("parted       never: both arms are the same to the byte".to_owned());
        return lines;
    };
    let whose = first.golem.as_deref().unwrap_or("the world");
    let kind = first.control.as_ref().or(first.branch.as_ref()).map_or("", |event| event.kind.as_str());
    lines.push(format!("parted       at tick {}: {whose}, {}", first.tick, crate::io::text::plain(kind)));
    match &parting.first_choice {
        Some(pair) => lines.extend(decision(pair)),
        None => {
            let stakes = report.lineages.iter().any(|row| row.decided_otherwise.is_some());
            let but = if stakes { ", but for stakes" } else { "" };
            lines.push(format!("decided      the same in both arms{but}"));
        }
    }
    let count = |of: fn(&LineageRow) -> bool| report.lineages.iter().filter(|row| of(row)).count();
    lines.push(format!(
        "lineages     {} of {} chose otherwise, {} at least staked otherwise",
        count(|row| row.chose_otherwise.is_some()),
        report.lineages.len(),
        count(|row| row.decided_otherwise.is_some())
    ));
    lines.push(String::new());
    lines.extend(rows(report));
    lines
}

fn decision(pair: &DecisionPair) -> Vec<String> {
    let arm = |name: &str, chosen: &Option<Chosen>| {
        let words = chosen.as_ref().map_or("no decision".to_owned(), Chosen::words);
        format!("  {name:<10} {words}")
    };
    vec![
        format!("decided      otherwise first at tick {}: L{}", pair.tick, pair.lineage),
        arm("control", &pair.control),
        arm("branch", &pair.branch),
    ]
}

fn rows(report: &DivergenceReport) -> Vec<String> {
    let columns = [
        ("lineage", Align::Left),
        ("cohort", Align::Left),
        ("otherwise from", Align::Right),
        ("equity", Align::Right),
        ("change", Align::Right),
        ("R", Align::Right),
        ("change", Align::Right),
        ("trades", Align::Right),
        ("change", Align::Right),
        ("deaths", Align::Right),
        ("change", Align::Right),
    ];
    let mut order: Vec<&LineageRow> =
        report.lineages.iter().filter(|row| row.decided_otherwise.is_some()).collect();
    let weight = |row: &LineageRow| row.outcome.equity_usdc.abs();
    // A lineage whose stakes alone differ comes after all others, because nearly any change moves some stake.
    let order_of = |a: &LineageRow, b: &LineageRow| {
        let chose = b.chose_otherwise.is_some().cmp(&a.chose_otherwise.is_some());
        chose.then(weight(b).total_cmp(&weight(a))).then(a.lineage.cmp(&b.lineage))
    };
    order.sort_by(|a, b| order_of(a, b));
    let mut cells: Vec<Vec<String>> = order
        .iter()
        .take(SHOWN)
        .map(|row| {
            let head = [
                format!("L{}", row.lineage),
                row.cohort.clone(),
                or_dash(row.chose_otherwise, |tick| tick.to_string()),
            ];
            head.into_iter().chain(figures(&row.outcome)).collect()
        })
        .collect();
    let head = ["all".to_owned(), String::new(), String::new()];
    cells.push(head.into_iter().chain(figures(&report.sum)).collect());
    let mut lines = table(&columns, &cells);
    if order.len() > SHOWN {
        lines.push(format!("and {} more lineages, in divergence.json", order.len() - SHOWN));
    }
    lines
}

/// Each figure of the branch with the difference to the control.
fn figures(outcome: &OutcomeDifference) -> [String; 8] {
    let branch = &outcome.branch;
    [
        format!("{:.4}", branch.equity_usdc),
        format!("{:+.4}", outcome.equity_usdc),
        format!("{:.2}", branch.total_r),
        format!("{:+.2}", outcome.total_r),
        branch.trades.to_string(),
        format!("{:+}", outcome.trades),
        branch.deaths.to_string(),
        format!("{:+}", outcome.deaths),
    ]
}
