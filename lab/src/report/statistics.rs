//! Pages of statistics on a table of the user's (`morta stats survival` and `compare`): survival analysis with Kaplan-Meier curves, and a
//! paired comparison of arms in the same worlds. Times and values are in the units of the table. Figures come from the command's analysis,
//! and the page repeats its text; only the t intervals of arms' means and the table of restricted means are computed here. An arm without
//! an interval has no row in the forest plot. They use the plots of sweeps' reports, so that own data look alike.

use super::analysis::ScoresByArm;
use super::page::Page;
use super::plot::Figure;
use super::plot::curves::Chart;
use super::plot::forest::{Estimate, Forest};
use super::plot::paired::{PairedColumn, PairedPlot};
use super::survival::{SurvivalFigure, table};
use crate::io::short_names::ShortNames;
use crate::io::text::markup::shortened;
use crate::io::text::{View as _, between, capitalised, percent, signed};
use crate::sweep::measure::label;
use crate::sweep::statistics::{ArmsCompared, SurvivalAnalysis};
use morta_stats::survival::Group;
use morta_stats::survival::kaplan_meier::KaplanMeier;
use morta_stats::t_test::paired_t;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Most columns of a paired plot (our choice): in more of them the lines of single pairs would be too steep to follow.
const COLUMNS_MAX: usize = 12;

/// Makes the page of a survival analysis: its sentences, Kaplan-Meier curves, and every figure of the command.
pub fn survival_page(found: &SurvivalAnalysis) -> Page {
    let mut page = Page::new(&format!("Survival in {}", shown(&found.file)), "Morta statistics", "");
    page.section("What was asked");
    page.facts(&[
        ("Table", found.file.clone()),
        ("Durations", found.duration.clone()),
        ("Event", found.event.clone()),
        ("Entries", found.entry.clone().unwrap_or_default()),
        ("Weights", found.weight.clone().unwrap_or_default()),
        ("Groups", found.group.clone().unwrap_or_default()),
        ("Baseline", found.baseline.clone().unwrap_or_default()),
        ("Lives", format!("{}, of which {} ended in the event", found.lives, found.events)),
        ("Intervals", percent(found.level)),
    ]);
    page.section("What was found");
    found.sentences.iter().for_each(|said| page.finding(said));
    let group = |one: &crate::sweep::statistics::GroupSurvival| Group {
        name: one.group.clone(),
        lifetimes: one.lifetimes.clone(),
    };
    let groups: Vec<Group> = found.groups.iter().map(group).collect();
    let curves: Vec<KaplanMeier> = found.groups.iter().map(|one| one.curve.clone()).collect();
    let last = groups.iter().flat_map(|group| group.lifetimes.durations()).copied().fold(0.0, f64::max);
    let (times, by) = (Chart::risk_times(last), found.group.as_deref().unwrap_or("group"));
    let drawing = SurvivalFigure {
        groups: &groups,
        curves: &curves,
        times: &times,
        level: found.level,
        by,
        x_label: &found.duration,
        over: "",
        grid: None,
    };
    page.figure(drawing.chart().draw());
    page.table(&table(&groups, &curves, &times, found.level, (by, "")));
    page.section("Every figure");
    page.code(&figures(found.lines(), &found.sentences));
    page
}

/// What the command prints, but for the sentences, which stand above.
fn figures(lines: Vec<String>, sentences: &[String]) -> String {
    let figures: Vec<String> = lines.into_iter().filter(|line| !sentences.contains(line)).collect();
    figures.join("\n").trim_end().to_owned()
}

/// Makes the page of a paired comparison: its sentences, the paired plot, the differences, and every figure of the command.
pub fn comparison_page(found: &ArmsCompared) -> Page {
    let mut page = Page::new(&format!("Arms in {}", shown(&found.file)), "Morta statistics", "");
    page.section("What was asked");
    let matters = found.matters.map_or(String::new(), |delta| delta.to_string());
    page.facts(&[
        ("Table", found.file.clone()),
        ("Score", found.score.clone()),
        ("Baseline", found.baseline.clone()),
        ("What matters, \u{3b4}", matters),
        ("Intervals", percent(found.level)),
    ]);
    page.section("What was found");
    found.sentences.iter().for_each(|said| page.finding(said));
    if found.arms.len() > COLUMNS_MAX {
        page.note(&format!("The paired plot shows the first {COLUMNS_MAX} of {} arms.", found.arms.len()));
    }
    let names: Vec<String> = found.arms.iter().map(|arm| arm.arm.clone()).collect();
    let short = ShortNames::new(&names);
    page.figure(paired(found, &short));
    page.figure(differences(found, &short));
    page.section("Every figure");
    page.code(&figures(found.lines(), &found.sentences));
    page
}

/// A file's name without the folders before it.
fn shown(file: &str) -> String {
    shortened(file.rsplit(['/', '\\']).next().unwrap_or(file), 80)
}

fn paired(found: &ArmsCompared, short: &ShortNames) -> Option<Figure> {
    let worlds: BTreeSet<&Arc<str>> = found.scores.values().flat_map(|scores| scores.keys()).collect();
    let column = |(arm, name): (&crate::sweep::statistics::ArmSummary, &String)| {
        let scores = &found.scores[&arm.arm];
        let values: Vec<f64> = scores.values().copied().collect();
        // A t interval of one sample is that of its differences from 0.
        let interval =
            paired_t(&values, found.level).ok().map(|test| (test.interval.low, test.interval.high));
        PairedColumn {
            name: name.clone(),
            mean: arm.summary.mean,
            interval,
            scores: worlds.iter().map(|world| scores.get(*world).copied()).collect(),
        }
    };
    let columns: Vec<PairedColumn> =
        found.arms.iter().zip(&short.names).take(COLUMNS_MAX).map(column).collect();
    PairedPlot {
        name: "paired",
        title: &format!("{} by arm, world by world", capitalised(label(&found.score))),
        description: &format!(
            "A dot is a world, and a line joins what one world gave to neighbouring arms; beside them means with {} t intervals.{}",
            percent(found.level),
            short.besides()
        ),
        y_label: label(&found.score),
        worlds: &worlds.iter().map(|world| world.to_string()).collect::<Vec<_>>(),
        columns: &columns,
    }
    .draw()
}

fn differences(found: &ArmsCompared, short: &ShortNames) -> Option<Figure> {
    let worlds: ScoresByArm =
        found.comparisons.iter().map(|one| (one.name.clone(), one.differences.clone())).collect();
    let row = |one: &crate::sweep::statistics::ArmsComparison| {
        let place = found.arms.iter().position(|arm| arm.arm == one.name)?;
        let judged = one.judgement.as_ref()?;
        let (effect, interval) = (one.figures.difference.mean, judged.interval.known()?);
        Some(Estimate {
            name: short.names[place].clone(),
            value: effect,
            interval: Some((interval.low, interval.high)),
            worlds: worlds[&one.name].clone(),
            value_text: format!("{} {}", signed(effect), between(interval)),
            established: judged.verdict.tells_apart(),
        })
    };
    let rows: Vec<Estimate> = found.comparisons.iter().filter_map(row).collect();
    let baseline = short.names.first().map_or(found.baseline.as_str(), String::as_str);
    Forest {
        name: "differences",
        title: &format!("{}: differences from {baseline}", capitalised(label(&found.score))),
        description: &format!(
            "Mean paired difference over worlds with t intervals at the level that the correction leaves of {}; dots are single worlds; rows in \
             blue are told apart by the corrected test.{}",
            percent(found.level),
            short.besides()
        ),
        x_label: &format!("difference of {}", label(&found.score)),
        zone: found.matters,
        rows: &rows,
    }
    .draw()
}
