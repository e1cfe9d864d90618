//! A log of searches becomes recalls.

use super::lock::Lock;
use super::room::settings;
use super::store_file::{LeftOut, StoreFile, text};
use crate::notes::Notes;
use morta_lab::error::{Error, Result};
use morta_lab::text::View;
use morta_memories::openclaw::store::SearchHit;
use morta_memories::openclaw::time::{Instant, Zone};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Search {
    pub at: Instant,
    query: String,
    results: Vec<Hit>,
    #[serde(default)]
    pub id: Option<String>,
    /// Whose it is, where several are at work.
    #[serde(default)]
    pub workspace: Option<String>,
    #[serde(default)]
    action: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Hit {
    path: String,
    start_line: u32,
    end_line: u32,
    score: f64,
    #[serde(default)]
    snippet: String,
    #[serde(default)]
    source: Option<String>,
    #[serde(default)]
    tags: Option<Vec<String>>,
}

impl Hit {
    fn as_search_hit(&self) -> SearchHit<'_> {
        SearchHit {
            path: &self.path,
            start_line: self.start_line,
            end_line: self.end_line,
            score: self.score,
            snippet: &self.snippet,
            tags: self.tags.as_deref(),
        }
    }
}

/// What was recorded.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The store's file.
    pub store: String,
    /// Searches that were recorded.
    pub searches: u64,
    /// Results that counted.
    pub recalls: u64,
    /// Results that don't: of other sources, or not of daily notes.
    pub not_counted: u64,
    /// Lines that can't be used.
    pub skipped: Vec<LeftOut>,
    /// Entries of the store that can't be used.
    pub dropped: Vec<LeftOut>,
    /// Entries that the store holds now.
    pub entries: u64,
}

impl Report {
    /// Records the searches of a log (`-` reads standard input) in a store, which is made when it isn't there; days are counted in the
    /// time zone of the configuration.
    ///
    /// # Errors
    /// [`Error::Invalid`] when a file can't be read or written, or no line holds a search; the store is as it was then.
    pub fn of(store: &Path, searches: &Path, config: Option<&Path>, notes: Notes<'_>) -> Result<Self> {
        if store == Path::new("-") {
            return Err(Error::invalid("STORE = -: name a file, the store is written"));
        }
        Self::of_text(store, (&text(searches)?, &searches.display().to_string()), config, notes)
    }

    /// The same of a log that is at hand, with its name in messages.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn of_text(
        store: &Path,
        (log, name): (&str, &str),
        config: Option<&Path>,
        notes: Notes<'_>,
    ) -> Result<Self> {
        let settings = settings(config, notes)?;
        let zone = Zone::named(&settings.dreaming.timezone).unwrap_or_default();
        let folder = store.parent().filter(|folder| *folder != Path::new(""));
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder)
                .map_err(|error| Error::invalid(format!("{}: {error}", folder.display())))?;
        }
        let lock = Lock::of(store)?;
        let mut file = StoreFile::read_or_new(store, notes)?;
        let mut report = Self {
            store: store.display().to_string(),
            searches: 0,
            recalls: 0,
            not_counted: 0,
            skipped: Vec::new(),
            dropped: std::mem::take(&mut file.dropped),
            entries: 0,
        };
        for (number, why) in report.read(log, &zone, &mut file) {
            notes(&format!("{name}:{number}: skipped: {why}"));
            report.skipped.push(LeftOut { line: number, key: None, why: why.to_string() });
        }
        if report.searches == 0 {
            let what = "holds no search that can be used";
            return Err(Error::invalid(format!("{name} {what}")));
        }
        report.entries = file.store.entries.len() as u64;
        file.write(store)?;
        drop(lock);
        Ok(report)
    }

    /// Records what it can; the lines that it can't, and why.
    fn read(&mut self, log: &str, zone: &Zone, file: &mut StoreFile) -> Vec<(u64, Unusable)> {
        let (mut ids, mut latest, mut unusable) = (BTreeSet::new(), None, Vec::new());
        for (number, line) in (1..).zip(log.lines()) {
            if line.trim().is_empty() {
                continue;
            }
            match usable(line, &ids, latest) {
                Ok(search) => {
                    latest = Some(search.at);
                    ids.extend(search.id.clone());
                    self.record(&search, zone, file);
                }
                Err(why) => unusable.push((number, why)),
            }
        }
        unusable
    }

    fn record(&mut self, search: &Search, zone: &Zone, file: &mut StoreFile) {
        let recorded = u64::from(search.record(zone, file));
        self.searches += 1;
        self.recalls += recorded;
        self.not_counted += search.results.len() as u64 - recorded;
    }
}

impl Search {
    /// Records it; how many of its results counted.
    pub fn record(&self, zone: &Zone, file: &mut StoreFile) -> u32 {
        let counts = |hit: &&Hit| hit.source.as_deref().is_none_or(|source| source == "memory");
        let hits: Vec<SearchHit<'_>> = self.results.iter().filter(counts).map(Hit::as_search_hit).collect();
        file.record(&self.query, &hits, self.at, zone)
    }
}

/// Why a line isn't recorded.
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

pub(super) fn usable(
    line: &str,
    ids: &BTreeSet<String>,
    latest: Option<Instant>,
) -> Result<Search, Unusable> {
    let what = |error: serde_json::Error| {
        let full = error.to_string();
        Unusable::NotASearch(full.split(" at line ").next().unwrap_or(&full).to_owned())
    };
    let search: Search = serde_json::from_str(line).map_err(what)?;
    if let Some(action) = search.action.as_deref().filter(|action| *action != "search") {
        return Err(Unusable::AnotherAction(action.to_owned()));
    }
    if let Some(id) = search.id.as_ref().filter(|id| ids.contains(*id)) {
        return Err(Unusable::IdAgain(id.clone()));
    }
    if let Some(latest) = latest.filter(|latest| search.at < *latest) {
        return Err(Unusable::TimeGoesBack { at: search.at, latest });
    }
    Ok(search)
}

impl View for Report {
    fn lines(&self) -> Vec<String> {
        vec![format!(
            "{}: {} entries; {} searches recorded, {} recalls, {} results not counted, {} lines skipped",
            self.store,
            self.entries,
            self.searches,
            self.recalls,
            self.not_counted,
            self.skipped.len()
        )]
    }
}
