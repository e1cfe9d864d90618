//! Causes of death: names, and colours that are the same in every plot of a page. It is the section of mortality by cause (cause-specific
//! shares of lives, 0 to 1, by cohort), as a stacked bar chart and a table of counts. Lives that outlasted the run count as a part of their
//! own. Colours are fixed by cause, so that two runs can be laid side by side.

use super::data::LifeRow;
use crate::report::page::{Page, PageTable};
use crate::report::plot::bars::Bars;
use crate::run::run_folder::tables::Cast;
use morta_engine::mortality::Cause;
use std::collections::BTreeSet;

/// The label of lives that the run didn't see end (right-censored): no cause of death, but they belong to the shares, which would otherwise
/// not add up to 1.
pub(crate) const OUTLIVED: &str = "outlived the run";

/// The number of a cause's colour (color palette). Causes have those beyond [`COLOURS`](crate::report::plot::COLOURS), so that none is a
/// cohort's: Tol's muted scheme, which people with any kind of colour vision can tell apart too.
pub(crate) fn colour_of(cause: &str) -> usize {
    match cause {
        "economic" => 7,
        "epistemic_senescence" => 8,
        "model_staleness" => 9,
        "stochastic" => 11,
        OUTLIVED => 12,
        "fault" => 13,
        _ => 10,
    }
}

/// A cause of death in words, with spaces for underscores (human-readable label).
pub(super) fn in_words(cause: &str) -> String {
    cause.replace('_', " ")
}

/// Causes with their colours, in the engine's order, those that outlived the run last (legend colors).
pub(super) fn colours(causes: &BTreeSet<String>) -> Vec<(String, usize)> {
    let names = Cause::ALL.into_iter().map(Cause::name).chain([OUTLIVED]);
    names.filter(|name| causes.contains(*name)).map(|name| (in_words(name), colour_of(name))).collect()
}

/// Writes the plot and the table (cause-specific mortality).
pub(super) fn write(page: &mut Page, lives: &[LifeRow], cast: &Cast) {
    page.section("What ended lives");
    let named = |life: &LifeRow| life.cause.clone().unwrap_or_else(|| OUTLIVED.to_owned());
    let parts = colours(&lives.iter().map(named).collect());
    let named = |life: &LifeRow| in_words(&named(life));
    let count = |cohort: usize, cause: &str| {
        lives.iter().filter(|life| usize::from(life.cohort_index) == cohort && named(life) == cause).count()
            as u64
    };
    let group = |(place, cohort): (usize, &crate::run::run_folder::tables::CohortEntry)| {
        (cohort.name.clone(), parts.iter().map(|(cause, _)| count(place, cause)).collect::<Vec<u64>>())
    };
    let groups: Vec<_> = cast.cohorts().iter().enumerate().map(group).collect();
    page.figure(
        Bars {
            name: "causes",
            title: "What ended lives, by cohort",
            description: "Share of each cohort's lives by what ended them; numbers in the bars are lives.",
            x_label: "share of lives",
            parts: &parts,
            groups: &groups,
        }
        .draw(),
    );
    let mut head = vec!["cohort".to_owned()];
    head.extend(parts.iter().map(|(cause, _)| cause.clone()));
    let row = |(name, counts): &(String, Vec<u64>)| {
        std::iter::once(name.clone()).chain(counts.iter().map(u64::to_string)).collect()
    };
    page.table(&PageTable {
        caption: "Lives by what ended them.".to_owned(),
        head,
        rows: groups.iter().map(row).collect(),
        words: 1,
    });
}
