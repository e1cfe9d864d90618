//! The section of a factorial design of two factors or more: main effects, interaction effects, the best arm. Effects are in the unit of
//! the primary measure, with confidence intervals at the corrected level. It is written where the sweep's arms are a full grid of factors
//! without a ladder, with at most 60 main effects; interactions are left out where they would make more. It stands apart from the
//! comparison, because its tests are a family of their own.

use super::{head, with_interval};
use crate::io::text::{or_dash, p_value};
use crate::report::document::Document;
use crate::report::page::PageTable;
use crate::report::plot::forest::{Estimate, Forest};
use crate::sweep::analysis::factorial::{Effect, FactorialReport};
use crate::sweep::analysis::verdict::ContrastVerdict;
use crate::sweep::measure::label;

/// Writes the section, with a forest plot and a table of all effects of a factorial design.
pub(super) fn write(document: &mut Document, factorial: &FactorialReport) {
    let FactorialReport { measure, unit, cohort, factors, main, interactions, family, .. } = factorial;
    document.section("Factors");
    let levels = factors.iter().map(|factor| format!("{} ({})", factor.name, factor.levels.join(", ")));
    document
        .sentence(format!("{measure} of {cohort} in {unit}, by {}", levels.collect::<Vec<_>>().join(", ")));
    factorial.sentences().into_iter().for_each(|said| document.finding(said));
    document.explanation(
        "A main effect is what a level adds to the first level of its factor, over all levels of the others; an interaction is how much of one level's \
         effect another level changes. Each is one figure a world, tested over worlds and corrected for all of them together.",
    );
    let row = |effect: &Effect| Estimate {
        name: effect.name.clone(),
        value: effect.effect.unwrap_or_default(),
        interval: effect.interval.known().map(|interval| (interval.low, interval.high)),
        worlds: Vec::new(),
        value_text: shown(effect),
        established: effect.verdict.is_some_and(ContrastVerdict::tells_apart),
    };
    let known = main.iter().chain(interactions).filter(|effect| effect.effect.is_some());
    document.figure(
        Forest {
            name: "factors",
            title: &format!("Effects on {}", label(measure)),
            description: "Main effects against the first level of each factor, then interactions.",
            x_label: &format!("difference of {} of {cohort} ({unit})", label(measure)),
            zone: None,
            rows: &known.map(row).collect::<Vec<_>>(),
        }
        .draw(),
    );
    let cells = |kind: &'static str| {
        move |effect: &Effect| {
            let p = or_dash(effect.p.known(), |p| p_value(*p));
            let corrected = or_dash(effect.corrected_p.known(), |p| p_value(*p));
            let verdict = effect.verdict.map_or("", |verdict| verdict.in_brief(false)).to_owned();
            vec![
                effect.name.clone(),
                kind.to_owned(),
                shown(effect),
                p,
                corrected,
                effect.worlds.to_string(),
                verdict,
            ]
        }
    };
    document.table(PageTable {
        caption: format!(
            "Effects on {measure}, {unit}: t intervals at the level that the correction for {family} effects leaves; p before and after it."
        ),
        head: head(["effect", "kind", "difference", "p", "corrected", "worlds", "shows"]),
        rows: main.iter().map(cells("main")).chain(interactions.iter().map(cells("interaction"))).collect(),
        words: 2,
    });
}

fn shown(effect: &Effect) -> String {
    with_interval(effect.effect, &effect.interval)
}
