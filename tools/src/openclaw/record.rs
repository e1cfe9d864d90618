//! Recording: a log of searches becomes recalls in a store. It is ingestion of a search log (JSON Lines); scores of results are 0 to 1. Ids
//! are remembered within a log, because an event may be logged twice. They aren't remembered in the store: a log that is read twice counts
//! twice. `live` reads its logs by `Searches` too, and the MCP server's `record_search` is a log of one line.

use super::configuration::{find, settings};
use super::lock::Lock;
use super::room::workspace_of;
use super::store_file::{LeftOut, StoreFile, text, text_if_there};
use crate::notes::Notes;
use morta_lab::error::{At as _, Error, Result};
use morta_lab::text::View;
use morta_memories::openclaw::entry::RecallEntry;
use morta_memories::openclaw::store::SearchHit;
use morta_memories::openclaw::text::{collapse, normalise_path, note_day};
use morta_memories::openclaw::time::{Instant, Zone};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Search {
    #[serde(alias = "timestamp")]
    pub at: Instant,
    query: String,
    results: Vec<Hit>,
    pub id: Option<String>,
    /// The workspace, if there are several.
    pub workspace: Option<String>,
    action: Option<String>,
    /// The kind of event in OpenClaw's own log.
    #[serde(default, rename = "type")]
    event: Option<String>,
}

/// The kind of a search event in OpenClaw's own log, `memory/.dreams/events.jsonl`.
const SEARCHED: &str = "memory.recall.recorded";
/// Length in characters to which OpenClaw cuts a search result.
const LETTERS: usize = 700;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Hit {
    path: String,
    start_line: u32,
    end_line: u32,
    score: f64,
    #[serde(default)]
    snippet: String,
    source: Option<String>,
    tags: Option<Vec<String>>,
}

/// What the ingestion of a log has done: counts of searches, recalls and skipped lines.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordReport {
    /// The store's file.
    pub store: String,
    /// Number of recorded searches.
    pub searches: u64,
    /// Number of results that counted.
    pub recalls: u64,
    /// Number of results that didn't count: of other sources, or not from daily notes.
    pub not_counted: u64,
    /// Number of events of other kinds.
    pub other_events: u64,
    /// Lines of the log that were skipped.
    pub skipped: Vec<LeftOut>,
    /// Entries of the store that were skipped.
    pub dropped: Vec<LeftOut>,
    /// Number of entries in the store afterwards.
    pub entries: u64,
}

impl RecordReport {
    /// Records the searches of a log (`-` reads standard input) in a store, which is created if it doesn't exist. Days are counted in the
    /// configuration's time zone.
    ///
    /// # Errors
    /// [`Error::Invalid`] when a file can't be read or written, or no line is a search; the store is unchanged then.
    pub fn from_log(store: &Path, searches: &Path, config: Option<&Path>, notes: Notes<'_>) -> Result<Self> {
        // The store is replaced at the end, which standard input can't be.
        if store == Path::new("-") {
            return Err(Error::invalid("STORE = -: name a file, the store is written"));
        }
        Self::from_text(store, (&text(searches)?, &searches.display().to_string()), config, notes)
    }

    /// Records the searches of a text, as [`Self::from_log`] does for a file; messages call it by the given name.
    ///
    /// # Errors
    /// As [`Self::from_log`].
    pub fn from_text(
        store: &Path,
        (log, name): (&str, &str),
        config: Option<&Path>,
        notes: Notes<'_>,
    ) -> Result<Self> {
        let workspace = workspace_of(store);
        let settings = settings(find(config, &workspace).as_deref(), notes)?;
        let zone = Zone::named(&settings.dreaming.timezone).unwrap_or_default();
        let folder = store.parent().filter(|folder| *folder != Path::new(""));
        // The folder is created before the lock, because the lock's file lies in it.
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder).at(folder)?;
        }
        let lock = Lock::for_store(store)?;
        let mut file = StoreFile::read_or_new(store, notes)?;
        let mut report = Self {
            store: store.display().to_string(),
            dropped: std::mem::take(&mut file.dropped),
            ..Self::default()
        };
        for (number, why) in report.read(log, &zone, &mut file, &workspace) {
            notes(&format!("{name}:{number}: skipped: {why}"));
            report.skipped.push(LeftOut { line: number, key: None, why: why.to_string() });
        }
        // A log without any search is an error, because it is most likely the wrong file.
        if report.searches == 0 {
            let what = "holds no search that can be used";
            return Err(Error::invalid(format!("{name} {what}")));
        }
        report.entries = file.store.entries.len() as u64;
        file.write(store)?;
        drop(lock);
        Ok(report)
    }

    /// Records the usable lines. Returns the others with the reason.
    fn read(
        &mut self,
        log: &str,
        zone: &Zone,
        file: &mut StoreFile,
        workspace: &Path,
    ) -> Vec<(u64, Unusable)> {
        let read = Searches::from_log(log, |_| Ok(()));
        self.other_events = read.other_events;
        for (search, ()) in &read.searches {
            let recorded = u64::from(search.record(zone, file, workspace));
            self.searches += 1;
            self.recalls += recorded;
            self.not_counted += search.results.len() as u64 - recorded;
        }
        read.unusable
    }
}

/// The searches of a log.
pub(super) struct Searches<Place> {
    /// The searches in the order of time, each with its place.
    pub searches: Vec<(Search, Place)>,
    /// Unusable lines with the reason.
    pub unusable: Vec<(u64, Unusable)>,
    /// Number of events of OpenClaw's own log that aren't searches.
    pub other_events: u64,
}

impl<Place> Searches<Place> {
    /// Parses a log of searches. `place` finds the workspace of a search.
    pub(super) fn from_log(log: &str, place: impl Fn(&Search) -> Result<Place, Unusable>) -> Self {
        let mut read = Self { searches: Vec::new(), unusable: Vec::new(), other_events: 0 };
        let (mut ids, mut latest) = (BTreeSet::new(), None);
        for (number, line) in (1..).zip(log.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let line = line.trim_start_matches('\u{feff}');
            // Other events are counted and not reported as errors, because OpenClaw's own log is full of them.
            if Event::of(line).is_some_and(|event| event != SEARCHED) {
                read.other_events += 1;
                continue;
            }
            // The workspace is found before the line is accepted, so that a search of an unknown one doesn't count as the latest.
            let found = usable(line, &ids, latest).and_then(|search| Ok((place(&search)?, search)));
            match found {
                Ok((place, search)) => {
                    // OpenClaw's sessions write into one log in parallel, so its lines are only nearly in order. A log of other origin must be in
                    // order.
                    latest = if search.event.is_none() { Some(search.at) } else { latest };
                    ids.extend(search.id.clone());
                    read.searches.push((search, place));
                }
                Err(why) => read.unusable.push((number, why)),
            }
        }
        read.searches.sort_by_key(|(search, _)| search.at);
        read
    }
}

/// A line of OpenClaw's own log.
#[derive(Deserialize)]
struct Event {
    r#type: String,
}

impl Event {
    fn of(line: &str) -> Option<String> {
        serde_json::from_str::<Self>(line).ok().map(|event| event.r#type)
    }
}

impl Search {
    /// Records the search and returns the number of results that counted (hits). OpenClaw's own log has results without a text; their text
    /// is read from the note as it is now.
    pub(super) fn record(&self, zone: &Zone, file: &mut StoreFile, workspace: &Path) -> u32 {
        let counts = |hit: &&Hit| hit.source.as_deref().is_none_or(|source| source == "memory");
        let hits: Vec<&Hit> = self.results.iter().filter(counts).collect();
        let texts: Vec<String> = hits.iter().map(|hit| hit.text(file, workspace)).collect();
        let found = hits.into_iter().zip(&texts).map(|(hit, snippet)| SearchHit {
            path: &hit.path,
            start_line: hit.start_line,
            end_line: hit.end_line,
            score: hit.score,
            snippet,
            tags: hit.tags.as_deref(),
        });
        let hits: Vec<SearchHit<'_>> = found.collect();
        file.record(&self.query, &hits, self.at, zone)
    }
}

impl Hit {
    /// The result's text, or the lines of its note, if the store has no text yet.
    fn text(&self, file: &StoreFile, workspace: &Path) -> String {
        let path = normalise_path(&self.path);
        let key = RecallEntry::key(&path, self.start_line, self.end_line);
        let known = file.store.entries.get(&key).is_some_and(|entry| !entry.snippet.is_empty());
        if !collapse(&self.snippet).is_empty() || known || note_day(&path).is_none() {
            return self.snippet.clone();
        }
        // A note that is missing or unreadable leaves the result without a text, as in the log.
        let note = text_if_there(&workspace.join(&path)).ok().flatten().unwrap_or_default();
        // Lines are counted from 1; saturating, because a hand-written log may have any numbers.
        let count = self.end_line.saturating_add(1).saturating_sub(self.start_line) as usize;
        let lines: Vec<&str> =
            note.lines().skip(self.start_line.saturating_sub(1) as usize).take(count).collect();
        collapse(&lines.join(" ")).chars().take(LETTERS).collect()
    }
}

/// The reason why a line isn't recorded.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unusable {
    #[error("{0}")]
    NotASearch(String),
    #[error("action = {0:?}: only \"search\" is recorded")]
    AnotherAction(String),
    #[error("id {0:?} has come before")]
    IdAgain(String),
    #[error("workspace: missing: with several workspaces a search must say whose it is")]
    NoWorkspace,
    #[error("workspace = {0:?}: is none of those that were named")]
    UnknownWorkspace(String),
    #[error("at = {at}: is before {latest}, the search recorded last")]
    TimeGoesBack { at: Instant, latest: Instant },
}

fn usable(line: &str, ids: &BTreeSet<String>, latest: Option<Instant>) -> Result<Search, Unusable> {
    let what = |error: serde_json::Error| {
        let full = error.to_string();
        Unusable::NotASearch(full.split(" at line ").next().unwrap_or(&full).to_owned())
    };
    let search: Search = serde_json::from_str(line).map_err(what)?;
    if let Some(action) = search.action.as_deref().filter(|action| *action != "search") {
        return Err(Unusable::AnotherAction(action.to_owned()));
    }
    // An id that has come before is the same search, which would otherwise count twice.
    if let Some(id) = search.id.as_ref().filter(|id| ids.contains(*id)) {
        return Err(Unusable::IdAgain(id.clone()));
    }
    // Recency and spacing depend on the order, so a search before the latest isn't recorded as if it were later.
    if let Some(latest) = latest.filter(|latest| search.event.is_none() && search.at < *latest) {
        return Err(Unusable::TimeGoesBack { at: search.at, latest });
    }
    Ok(search)
}

impl View for RecordReport {
    fn lines(&self) -> Vec<String> {
        let others = match self.other_events {
            0 => String::new(),
            some => format!(", {some} other events"),
        };
        vec![format!(
            "{}: {} entries; {} searches recorded, {} recalls, {} results not counted, {} lines skipped{others}",
            self.store,
            self.entries,
            self.searches,
            self.recalls,
            self.not_counted,
            self.skipped.len()
        )]
    }
}
