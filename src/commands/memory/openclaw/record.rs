//! `morta memory openclaw record`: a log of searches becomes recalls.

use super::lock::Lock;
use super::room::settings;
use super::store_file::{LeftOut, StoreFile, text};
use crate::failure::UserError;
use crate::output::Told;
use morta_memories::openclaw::store::SearchHit;
use morta_memories::openclaw::time::{Instant, Zone};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The flags of `morta memory openclaw record`.
#[derive(clap::Args)]
pub struct Args {
    /// The recall store; it is made when it isn't there.
    store: PathBuf,
    /// The searches, one a line; - reads standard input.
    searches: PathBuf,
    /// openclaw.json, or its dreaming block alone: days are counted in its time zone.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Search {
    at: Instant,
    query: String,
    results: Vec<Hit>,
    #[serde(default)]
    id: Option<String>,
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
    store: String,
    searches: u64,
    /// Results that counted.
    recalls: u64,
    /// Results that don't: of other sources, or not of daily notes.
    not_counted: u64,
    /// Lines that can't be used.
    skipped: Vec<LeftOut>,
    /// Entries of the store that can't be used.
    dropped: Vec<LeftOut>,
    entries: u64,
}

impl Report {
    /// Records.
    pub fn of(args: &Args) -> anyhow::Result<Self> {
        if args.store == Path::new("-") {
            return Err(UserError::new("STORE = -: name a file, the store is written"));
        }
        let settings = settings(args.config.as_deref())?;
        let zone = Zone::named(&settings.dreaming.timezone).unwrap_or_default();
        let log = text(&args.searches)?;
        let folder = args.store.parent().filter(|folder| *folder != Path::new(""));
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder)
                .map_err(|error| UserError::new(format!("{}: {error}", folder.display())))?;
        }
        let lock = Lock::of(&args.store)?;
        let mut file = StoreFile::read_or_new(&args.store)?;
        let mut report = Self {
            store: args.store.display().to_string(),
            searches: 0,
            recalls: 0,
            not_counted: 0,
            skipped: Vec::new(),
            dropped: std::mem::take(&mut file.dropped),
            entries: 0,
        };
        report.read(&log, args, &zone, &mut file);
        if report.searches == 0 {
            let what = "holds no search that can be used";
            return Err(UserError::new(format!("{} {what}", args.searches.display())));
        }
        report.entries = file.store.entries.len() as u64;
        file.write(&args.store)?;
        drop(lock);
        Ok(report)
    }

    fn read(&mut self, log: &str, args: &Args, zone: &Zone, file: &mut StoreFile) {
        let (mut ids, mut latest) = (BTreeSet::new(), None);
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
                Err(why) => {
                    eprintln!("note: {}:{number}: skipped: {why}", args.searches.display());
                    self.skipped.push(LeftOut { line: number, key: None, why });
                }
            }
        }
    }

    fn record(&mut self, search: &Search, zone: &Zone, file: &mut StoreFile) {
        let counts = |hit: &&Hit| hit.source.as_deref().is_none_or(|source| source == "memory");
        let hits: Vec<SearchHit<'_>> = search.results.iter().filter(counts).map(Hit::as_search_hit).collect();
        let recorded = u64::from(file.store.record(&search.query, &hits, search.at, zone));
        self.searches += 1;
        self.recalls += recorded;
        self.not_counted += search.results.len() as u64 - recorded;
    }
}

fn usable(line: &str, ids: &BTreeSet<String>, latest: Option<Instant>) -> Result<Search, String> {
    let what = |error: serde_json::Error| {
        let full = error.to_string();
        full.split(" at line ").next().unwrap_or(&full).to_owned()
    };
    let search: Search = serde_json::from_str(line).map_err(what)?;
    if let Some(action) = search.action.as_deref().filter(|action| *action != "search") {
        return Err(format!("action = {action:?}: only \"search\" is recorded"));
    }
    if let Some(id) = search.id.as_ref().filter(|id| ids.contains(*id)) {
        return Err(format!("id {id:?} has come before"));
    }
    if let Some(latest) = latest.filter(|latest| search.at < *latest) {
        return Err(format!("at = {}: is before {latest}, the search recorded last", search.at));
    }
    Ok(search)
}

impl Told for Report {
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
