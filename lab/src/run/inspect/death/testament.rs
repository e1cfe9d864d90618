//! A testament, section by section: the document that a dying golem writes, read from the event log. Results are R, confidence is 0 to 1,
//! money is USDC, moods are −1 to 1. Without an event log and after a death by fault there is none. Heirs never see it: they receive
//! bequests (bloodstains and a legacy). It is shown because it is the golem's own account of its death.

use crate::io::error::Result;
use crate::io::text::plain;
use crate::run::run_folder::FinishedRun;
use crate::run::run_folder::events::{EventFilter, collect_events};
use morta_base::{EpisodeId, GolemId};
use morta_engine::episode::Provenance;
use morta_engine::event::EventKind;
use morta_engine::lethe::DeathTestament;
use morta_engine::lethe::testament::{LifeReview, Saying, Section, SectionEntry, ToxicEntry};

/// Finds the testament in the event log; none when the log was not kept, or when a fault ended the life: a testament is written in the step
/// that completes the last rites, so a fault leaves none. No error, so that the rest of the death is shown all the same.
pub(super) fn read(run: &FinishedRun, golem: GolemId) -> Result<Option<DeathTestament>> {
    if !run.has_events() {
        return Ok(None);
    }
    let events = collect_events(run, EventFilter::for_golem(golem, &["testament_written"]))?;
    Ok(events.into_iter().find_map(|event| match event.kind {
        EventKind::TestamentWritten(testament) => Some(*testament),
        _ => None,
    }))
}

/// Words the testament, line by line.
pub(super) fn lines(testament: &DeathTestament) -> Vec<String> {
    let budget = &testament.budget;
    let as_of = match testament.as_of {
        Some(tick) => format!("as of tick {tick}"),
        None => "it had put nothing down".to_owned(),
    };
    let mut lines = vec![
        format!(
            "its testament ({}: ${:.4} to settle, ${:.4} to look back, ${:.4} to pass on; {as_of}):",
            budget.tier.name(),
            budget.settle.dollars(),
            budget.review.dollars(),
            budget.legacy.dollars()
        ),
        mark(testament),
    ];
    for section in &testament.sections {
        lines.extend(section_lines(section));
    }
    lines.extend(listing("what poisoned its judgement", testament.autopsy.iter().map(toxic)));
    let dreams = testament.unvalidated_dreams.iter();
    let dreams =
        dreams.map(|dream| format!("{}, quality {:.2}, {} claims", dream.dream, dream.quality, dream.staged));
    lines.extend(listing("dreams life has not borne out", dreams));
    if testament.unfinished > 0 {
        lines.push(format!("  {} hypotheses for a successor to finish", testament.unfinished));
    }
    if testament.stranded.is_positive() {
        lines.push(format!("  ${:.4} could not be taken back from the market", testament.stranded.dollars()));
    }
    lines.push(format!("  the arc of its life: {}", testament.arc.name()));
    lines.extend(testament.review.iter().flat_map(review));
    lines
}

fn mark(testament: &DeathTestament) -> String {
    let mark = &testament.mark;
    let warnings: Vec<String> =
        mark.warnings.iter().map(|warning| format!("{} at {}", warning.kind, warning.tick)).collect();
    let warnings = if warnings.is_empty() { "none".to_owned() } else { warnings.join(", ") };
    let pad = mark.valence;
    format!(
        "  warnings: {warnings}; {} scars; it felt pleasure {:+.2}, arousal {:+.2}, dominance {:+.2}",
        mark.scars.len(),
        pad.pleasure,
        pad.arousal,
        pad.dominance
    )
}

fn section_lines(section: &Section) -> Vec<String> {
    listing(&plain(section.kind.name()), section.entries.iter().map(entry))
}

fn listing(title: &str, entries: impl Iterator<Item = String>) -> Vec<String> {
    let entries: Vec<String> = entries.map(|entry| format!("    - {entry}")).collect();
    if entries.is_empty() { Vec::new() } else { [vec![format!("  {title}:")], entries].concat() }
}

fn entry(entry: &SectionEntry) -> String {
    let says = match &entry.saying {
        Saying::Claim(claim) => claim.to_string(),
        Saying::Loss { episode, strategy, regime, realised_r } => {
            format!("{episode}: {} in {}, {realised_r:+.2} R", plain(strategy.name()), plain(regime.name()))
        }
        Saying::Edge(edge) => format!("{} → {}, {} times", edge.cause, edge.effect, edge.fired),
        Saying::Feeling { regime, episodes, arousal, mean_r } => format!(
            "{}: {episodes} trades, mean arousal {arousal:.2}, mean {mean_r:+.2} R",
            plain(regime.name())
        ),
    };
    let tested = match (entry.confirmed, entry.contradicted) {
        (0, 0) => String::new(),
        (good, bad) => format!(", {good} for and {bad} against"),
    };
    format!(
        "{says} (trust {:.2}{tested}{}{})",
        entry.confidence,
        origin(entry.provenance),
        sources(&entry.learned_from)
    )
}

fn origin(provenance: Provenance) -> String {
    match provenance {
        Provenance::Own => String::new(),
        Provenance::Bloodstain(id) => format!(", from bloodstain {id}"),
        Provenance::Predecessor(golem) => format!(", from its predecessor {golem}"),
        Provenance::Clade(golem) => format!(", told by {golem}"),
    }
}

fn sources(learned_from: &[EpisodeId]) -> String {
    match learned_from {
        [] => String::new(),
        [one] => format!(", from {one}"),
        [first, rest @ ..] => format!(", from {first} and {} more", rest.len()),
    }
}

fn toxic(entry: &ToxicEntry) -> String {
    let ToxicEntry { id, claim, confidence, trades, mean_r, treatment } = entry;
    format!(
        "{treatment} {id}: {claim} (trust {confidence:.2}; {trades} trades made {mean_r:+.2} R on average)"
    )
}

fn review(review: &LifeReview) -> Vec<String> {
    let landmarks = review
        .landmarks
        .iter()
        .map(|moment| format!("{} at {} ({:+.2})", plain(moment.landmark.name()), moment.tick, moment.value));
    let turns = review
        .turning_points
        .iter()
        .map(|turn| format!("tick {}: its mood had moved by {:.2}", turn.tick, turn.distance));
    let episodes = review.episodes.iter().map(|seen| {
        let (strategy, regime) = (plain(seen.strategy.name()), plain(seen.regime.name()));
        format!(
            "{}: {strategy} in {regime}, {:+.2} R, arousal {:.2}",
            seen.episode, seen.realised_r, seen.arousal
        )
    });
    let findings = review.findings.iter().map(ToString::to_string);
    [
        listing("what it looked back on", episodes),
        listing(&format!("what a model read in that for ${:.4}", review.cost.dollars()), findings),
        listing("landmarks of its life", landmarks),
        listing("where its life turned", turns),
    ]
    .concat()
}
