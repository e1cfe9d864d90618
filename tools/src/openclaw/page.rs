//! The page of a workspace's dreams: promotions with their scores, stopped entries by gate, and the texts of the phases by night. It is an
//! HTML report; scores are 0 to 1. The score of a promoted fact is that of its night, its six signals are as of now. Stopped entries are
//! shown with their gate, because a user asks why a fact wasn't kept. The workspace is only read; the command writes the page.

use crate::notes::Notes;
use crate::openclaw::diary::{Night, nights};
use crate::openclaw::promote::{PromotionReport, PromotionRequest, RankedEntry, Thresholds};
use crate::openclaw::status::{Deep, StatusReport};
use crate::openclaw::store_file::text_if_there;
use crate::openclaw::{STORE, Surroundings};
use morta_lab::error::Result;
use morta_lab::report::page::{Page, PageTable};
use morta_lab::report::plot::bars::Bars;
use morta_lab::text::markup::shortened;

use morta_memories::openclaw::long_term::{Written, written};
use morta_memories::openclaw::rank::Gate;
use morta_memories::openclaw::time::Instant;
use std::path::Path;

/// Number of stopped entries in the table.
const STOPPED: usize = 20;
/// Number of days with their nights' texts.
const NIGHTS: usize = 14;
/// Length in characters of a user's text, and of a night's text, on the page.
const LETTERS: usize = 160;
const NIGHT_LETTERS: usize = 4_000;

/// Reads a workspace and builds its HTML page.
///
/// # Errors
/// [`Error::Invalid`](morta_lab::error::Error::Invalid) when a file can't be read or is invalid.
pub fn page(workspace: &Path, config: Option<&Path>, now: Option<Instant>, notes: Notes<'_>) -> Result<Page> {
    let around = Surroundings {
        store: workspace.join(STORE),
        now,
        config: config.map(Path::to_owned),
        workspace: Some(workspace.to_owned()),
    };
    let status = StatusReport::for_workspace(&around, None, notes)?;
    // Remarks on the files were reported by the first read.
    let mut mute = |_: &str| {};
    let deep = Deep::for_workspace(&around, None, &mut mute)?;
    let request = PromotionRequest { around: &around, apply: false, memory: None, include_promoted: true };
    let ranked = PromotionReport::for_request(&request, |usual| usual, &mut mute)?;
    let memory = text_if_there(&workspace.join("MEMORY.md"))?.unwrap_or_default();
    let kept = written(&memory);
    let name = morta_lab::report::shown_name(workspace);
    let mut page =
        Page::new(&format!("Dreams of {name}"), "OpenClaw workspace", &format!("As of {}.", status.now));
    stands(&mut page, &status, &deep);
    promoted(&mut page, &ranked, &kept);
    stopped(&mut page, &ranked, &deep);
    slept(&mut page, &nights(workspace)?);
    Ok(page)
}

fn stands(page: &mut Page, status: &StatusReport, deep: &Deep) {
    let counts = &status.status;
    page.section("How it stands");
    page.finding(&format!(
        "{} promoted, {} of them today; {} of {} entries in short-term memory would be promoted now.",
        counts.promoted_total, counts.promoted_today, deep.passing, counts.short_term
    ));
    let dreaming = &status.settings.dreaming;
    page.facts(&[
        ("Dreaming", if dreaming.enabled { "on" } else { "off" }.to_owned()),
        ("Time zone", dreaming.timezone.clone()),
        ("Last promotion", counts.last_promotion.map_or_else(|| "never".to_owned(), |at| at.to_string())),
        (
            "Health of MEMORY.md",
            counts.health.map_or_else(|| "there is none".to_owned(), |health| format!("{health:.2} of 1")),
        ),
    ]);
    let row = |phase: &crate::openclaw::status::PhaseStatus| {
        let next = phase.next_run.map_or_else(|| "never".to_owned(), |at| at.to_string());
        let runs = if phase.runs { "on" } else { "off" };
        [phase.phase.name(), runs, &phase.cron, &next].map(str::to_owned).into()
    };
    page.table(&PageTable {
        caption: "Phases of sleep.".to_owned(),
        head: ["phase", "", "cron", "next"].map(str::to_owned).into(),
        rows: status.phases.iter().map(row).collect(),
        words: 4,
    });
    for left in &status.dropped {
        page.note(&format!("An entry of the store can't be used: {}.", left.why));
    }
}

const SIGNALS: [&str; 6] = ["freq", "rele", "dive", "rece", "cons", "conc"];

/// The source without `memory/`, where all notes are.
fn place(evidence: &str) -> String {
    evidence.strip_prefix("memory/").unwrap_or(evidence).to_owned()
}

fn promoted(page: &mut Page, ranked: &PromotionReport, kept: &[Written<'_>]) {
    page.section("What was promoted, and why");
    if kept.is_empty() {
        page.paragraph("Nothing was promoted to MEMORY.md.");
        return;
    }
    let row = |fact: &Written<'_>| {
        let entry = ranked.entries.iter().find(|row| row.key == fact.key);
        let (text, why) = fact.line.rsplit_once(" [").unwrap_or((fact.line, ""));
        let figure = |name: &str| {
            let figure = why.trim_end_matches(']').split(' ').find_map(|pair| pair.strip_prefix(name));
            figure.unwrap_or("").to_owned()
        };
        let mut cells = vec![fact.day.to_owned(), shortened(text, LETTERS)];
        cells.extend(["score=", "recalls="].map(figure));
        cells.extend(entry.map_or_else(|| [const { String::new() }; 6], RankedEntry::signals));
        cells.push(place(&figure("source=")));
        cells
    };
    let mut head: Vec<String> = ["day", "what", "score", "recalls"].map(str::to_owned).into();
    head.extend(SIGNALS.map(str::to_owned));
    head.push("where".to_owned());
    page.table(&PageTable {
        caption: format!(
            "Facts in MEMORY.md under a marker, the latest last. Score and recalls are those of the night of promotion; the six signals are as of now \
             ({}).",
            ranked.now
        ),
        head,
        rows: kept.iter().map(row).collect(),
        words: 2,
    });
}

fn stopped(page: &mut Page, ranked: &PromotionReport, deep: &Deep) {
    page.section("What was stopped, and at which gate");
    let entries = ranked.entries.len() as u64;
    let group = |(name, first, any): &(String, u64, u64)| {
        (name.replace('_', " "), vec![*first, any - first, entries - any])
    };
    let parts = ["first to stop it", "stops it, too", "lets it through"];
    let parts: Vec<(String, usize)> =
        parts.into_iter().enumerate().map(|(colour, part)| (part.to_owned(), colour)).collect();
    let Thresholds { min_score, min_recall_count, min_unique_queries, max_age_days, limit, .. } =
        &ranked.thresholds;
    page.paragraph(&format!(
        "To be promoted, an entry needs a score of {min_score}, {min_recall_count} recalls by {min_unique_queries} queries, and to be no older than \
         {max_age_days} days; at most {limit} are promoted in a night."
    ));
    page.figure(
        Bars {
            name: "gates",
            title: "Gates of deep sleep",
            description: "Entries of the store by what each gate does to them now. An entry can be stopped by several; the first is the one that is asked first.",
            x_label: "share of entries",
            parts: &parts,
            groups: &deep.gates.iter().map(group).collect::<Vec<_>>(),
        }
        .draw(),
    );
    let is_stopped = |row: &&RankedEntry| {
        !row.promotes && !row.stopped_by.contains(&Gate::Promoted) && row.promoted_at.is_none()
    };
    let row = |row: &RankedEntry| {
        let gates: Vec<String> = row.stopped_by.iter().map(|gate| gate.name().replace('_', " ")).collect();
        vec![
            format!("{:.3}", row.score),
            shortened(&row.snippet, LETTERS),
            gates.join(", "),
            place(&row.evidence),
            row.recall_count.to_string(),
            row.unique_queries.to_string(),
            format!("{:.1}", row.age_days),
        ]
    };
    let rows: Vec<Vec<String>> = ranked.entries.iter().filter(is_stopped).take(STOPPED).map(row).collect();
    if rows.is_empty() {
        page.paragraph("Nothing is stopped.");
        return;
    }
    let head = ["score", "what", "stopped by", "where", "recalls", "queries", "age, days"];
    page.table(&PageTable {
        caption: format!("The strongest of those that are stopped, at most {STOPPED}, by score."),
        head: head.map(str::to_owned).into(),
        rows,
        words: 4,
    });
}

fn slept(page: &mut Page, nights: &[Night]) {
    page.section("What light and REM sleep wrote");
    let mut days: Vec<_> = nights.iter().map(|night| night.day).collect();
    days.dedup();
    let Some(last) = days.get(NIGHTS.min(days.len()).wrapping_sub(1)) else {
        page.paragraph("Nothing yet.");
        return;
    };
    page.paragraph(&format!("The latest {} of {} days with an entry.", NIGHTS.min(days.len()), days.len()));
    for night in nights.iter().filter(|night| night.day >= *last) {
        page.paragraph(&format!("{}, {} sleep", night.day, night.phase.name()));
        page.code(&shortened(&night.text, NIGHT_LETTERS));
    }
}
