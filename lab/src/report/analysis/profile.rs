//! The section with the profile of each compared arm's memory in four competences (agent memory benchmark): accurate retrieval, test-time
//! learning, long-range understanding, selective forgetting. Each is a figure of this market, with its unit in the table, and described
//! without a test; an arm without a value has a dash. There is no total score, because competences have different units. The section is
//! written where the compared arms have different memories.

use crate::io::short_names::ShortNames;
use crate::io::text::{between, capitalised, figure, or_dash, percent};
use crate::report::document::Document;
use crate::report::page::PageTable;
use crate::report::plot::dots::{Dot, DotPanel, Dots};
use crate::sweep::analysis::profile::{ArmCompetence, CompetenceReport, ProfileReport};
use crate::sweep::measure::find;

/// Writes the section, with a dot plot and a table of means over worlds (competence profile).
pub(super) fn write(document: &mut Document, profile: &ProfileReport) {
    document.section("Profile of each memory");
    document.explanation(
        "Four competences, named after those of benchmarks of agents' memory, and measured by what each is worth in this market: none of the \
         benchmarks' tasks is run. Memories that rank alike may be good at different things. They describe and are not tested.",
    );
    for one in &profile.competences {
        let about = find(&one.measure).map_or("", |measure| measure.about);
        document.explanation(format!("{} ({}): {about}.", capitalised(&one.competence), one.measure));
    }
    let arms: Vec<String> = profile
        .competences
        .first()
        .map_or(Vec::new(), |one| one.arms.iter().map(|arm| arm.arm.clone()).collect());
    let panels: Vec<DotPanel> = profile.competences.iter().map(panel).collect();
    let short = ShortNames::new(&arms);
    document.figure(
        Dots {
            name: "profile",
            title: "Four competences of each memory",
            description: &format!(
                "Mean over worlds of {} with its {} t interval, each competence on a scale of its own; a dash where no world has a value.{}",
                profile.cohort,
                percent(profile.confidence),
                short.besides()
            ),
            rows: &short.names,
            panels: &panels,
        }
        .draw(),
    );
    let mut head = vec!["arm".to_owned(), "memory".to_owned()];
    head.extend(
        profile
            .competences
            .iter()
            .map(|one| format!("{}, {} ({} is better)", one.measure, one.unit, one.better)),
    );
    let row = |arm: usize| {
        let memory = profile.competences[0].arms[arm].memory.clone();
        let mut row = vec![arms[arm].clone(), memory];
        row.extend(profile.competences.iter().map(|one| value_text(&one.arms[arm])));
        row
    };
    document.detail(PageTable {
        caption: format!(
            "Means over worlds of {} with {} t intervals.",
            profile.cohort,
            percent(profile.confidence)
        ),
        head,
        rows: (0..arms.len()).map(row).collect(),
        words: 2,
    });
}

fn value_text(arm: &ArmCompetence) -> String {
    or_dash(arm.value.as_ref(), |value| {
        figure(value.mean)
            + &value.interval.known().map_or(String::new(), |found| format!(" {}", between(found)))
    })
}

fn panel(one: &CompetenceReport) -> DotPanel {
    let dot = |arm: &ArmCompetence| {
        let value = arm.value.as_ref()?;
        let interval = value.interval.known().map(|interval| (interval.low, interval.high));
        Some(Dot { value: value.mean, interval })
    };
    let mut title: Vec<String> = one.competence.split(' ').map(str::to_owned).collect();
    // Selective forgetting has two measures: its panels say which.
    if one.measure.starts_with("still_true") {
        title.push("(still true, lost)".to_owned());
    } else if one.measure.starts_with("unlearning") {
        title.push("(time to unlearn)".to_owned());
    }
    DotPanel {
        title,
        unit: format!("{}, {} is better", one.unit, one.better),
        dots: one.arms.iter().map(dot).collect(),
    }
}
