//! `morta memory openclaw promote`: what would be promoted, what stops the rest, and with `--apply`, promotion.

use super::lock::Lock;
use super::room::{Room, RoomArgs, cut, share, store_to_write};
use super::store_file::{LeftOut, StoreFile, text_if_there};
use crate::output::Told;
use clap::ValueEnum;
use morta_lab::run_folder::tables::name_of;
use morta_lab::whole_file::replace;
use morta_memories::openclaw::config::{AgeMeasure, DeepConfig};
use morta_memories::openclaw::promote::{Promotion, promote};
use morta_memories::openclaw::rank::{Gate, Ranked, Ranking};
use morta_memories::openclaw::signals::Signals;
use morta_memories::openclaw::store::RecallStore;
use morta_memories::openclaw::time::Instant;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The flags of `morta memory openclaw promote`. Thresholds that are left out are those of deep sleep's configuration.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub room: RoomArgs,
    /// Promote: look the snippets up in their live notes, add them to long-term memory and mark them in the store.
    #[arg(long)]
    apply: bool,
    /// Long-term memory; MEMORY.md of the workspace when left out.
    #[arg(long, value_name = "FILE", requires = "apply")]
    memory: Option<PathBuf>,
    /// Most entries to promote.
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    /// Rank what was promoted before, too. (It is not promoted again.)
    #[arg(long)]
    include_promoted: bool,
    /// Least score, 0 to 1.
    #[arg(long, value_name = "X", value_parser = share)]
    min_score: Option<f64>,
    /// Least number of recalls.
    #[arg(long, value_name = "N")]
    min_recall_count: Option<u32>,
    /// Least number of distinct queries.
    #[arg(long, value_name = "N")]
    min_unique_queries: Option<u32>,
    /// Oldest, in days; 0 for the usual 30.
    #[arg(long, value_name = "N")]
    max_age_days: Option<u32>,
    /// What the age is counted from.
    #[arg(long, value_name = "WHAT", value_enum)]
    age_from: Option<AgeFrom>,
    /// Days in which recency halves.
    #[arg(long, value_name = "X", value_parser = half_life)]
    recency_half_life_days: Option<f64>,
}

#[derive(Clone, Copy, ValueEnum)]
enum AgeFrom {
    /// The day of the note.
    Note,
    /// The last recall.
    Recall,
}

fn half_life(text: &str) -> Result<f64, String> {
    let days = text.parse().ok().filter(|days: &f64| days.is_finite() && *days > 0.0);
    days.ok_or_else(|| "must be a number above 0".to_owned())
}

/// What was ranked, and done.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    store: String,
    now: Instant,
    timezone: String,
    thresholds: Thresholds,
    /// Entries by score: first those that pass, then the rest.
    entries: Vec<Row>,
    passing: u64,
    /// Entries of the file that can't be used.
    dropped: Vec<LeftOut>,
    /// With --apply, what was done.
    applied: Option<Done>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Thresholds {
    limit: u32,
    min_score: f64,
    min_recall_count: u32,
    min_unique_queries: u32,
    max_age_days: u32,
    age_measure: AgeMeasure,
    recency_half_life_days: f64,
    include_promoted: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    key: String,
    evidence: String,
    snippet: String,
    promotes: bool,
    /// Every gate it fails, in the order in which they are asked.
    stopped_by: Vec<Gate>,
    score: f64,
    components: Signals,
    recall_count: u32,
    unique_queries: u32,
    average_score: f64,
    age_days: f64,
    promoted_at: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Done {
    memory: String,
    /// How many entries were promoted.
    applied: u64,
    /// How many facts were added to long-term memory.
    appended: u32,
    /// How many were there already.
    reconciled_existing: u32,
    /// Entries whose text is no longer in its note.
    stale: Vec<String>,
    applied_candidates: Vec<morta_memories::openclaw::promote::Applied>,
    recovery: morta_memories::openclaw::health::Recovery,
}

impl Report {
    /// Ranks, and promotes if asked to.
    pub fn of(args: &Args) -> anyhow::Result<Self> {
        let room = Room::of(&args.room)?;
        let config = config_of(args, &room);
        // What is ranked is what is promoted: the lock is taken before the store is read.
        let lock = args.apply.then(|| Lock::of(&args.room.store)).transpose()?;
        let mut file =
            if args.apply { store_to_write(&args.room)? } else { StoreFile::read(&args.room.store)? };
        let now = room.now(&file.store, &args.room.store)?;
        let include_promoted = args.include_promoted;
        let ranking = Ranking { now, zone: &room.zone, config: &config, include_promoted };
        let phases = BTreeMap::new();
        let ranked = ranking.rank(&file.store, &phases);
        let entries: Vec<Row> = ranked.into_iter().map(|one| Row::of(one, &file.store)).collect();
        let applied = if args.apply { Some(apply(args, &room, &mut file, &ranking)?) } else { None };
        drop(lock);
        Ok(Self {
            store: args.room.store.display().to_string(),
            now,
            timezone: room.zone.name().to_owned(),
            thresholds: Thresholds {
                limit: config.limit,
                min_score: config.min_score,
                min_recall_count: config.min_recall_count,
                min_unique_queries: config.min_unique_queries,
                max_age_days: config.age_limit_days(),
                age_measure: config.age_measure,
                recency_half_life_days: config.recency_half_life_days,
                include_promoted,
            },
            passing: entries.iter().filter(|row| row.promotes).count() as u64,
            entries,
            dropped: file.dropped,
            applied,
        })
    }
}

fn config_of(args: &Args, room: &Room) -> DeepConfig {
    let usual = room.settings.dreaming.deep.clone();
    DeepConfig {
        limit: args.limit.unwrap_or(usual.limit),
        min_score: args.min_score.unwrap_or(usual.min_score),
        min_recall_count: args.min_recall_count.unwrap_or(usual.min_recall_count),
        min_unique_queries: args.min_unique_queries.unwrap_or(usual.min_unique_queries),
        max_age_days: args.max_age_days.unwrap_or(usual.max_age_days),
        recency_half_life_days: args.recency_half_life_days.unwrap_or(usual.recency_half_life_days),
        age_measure: args.age_from.map_or(usual.age_measure, |from| match from {
            AgeFrom::Note => AgeMeasure::Note,
            AgeFrom::Recall => AgeMeasure::Recall,
        }),
        ..usual
    }
}

/// Long-term memory is written first: a store that doesn't know of it yet is put right by the next run, which finds the markers.
fn apply(args: &Args, room: &Room, file: &mut StoreFile, ranking: &Ranking<'_>) -> anyhow::Result<Done> {
    let path = room.long_term(args.memory.as_deref());
    let memory = text_if_there(&path)?.unwrap_or_default();
    let mut notes = BTreeMap::new();
    for entry in file.store.entries.values().filter(|entry| entry.note_day().is_some()) {
        if !notes.contains_key(&entry.path) {
            notes.insert(entry.path.clone(), room.note(&entry.path)?);
        }
    }
    let before = file.store.clone();
    let read = |path: &str| notes.get(path).cloned().flatten();
    let (done, new) = promote(&mut file.store, &memory, read, ranking, &BTreeMap::new());
    if new != memory {
        replace(&path, new.as_bytes())?;
    }
    if file.store != before {
        file.write(&args.room.store)?;
    }
    let Promotion { applied, appended, reconciled_existing, stale, recovery } = done;
    Ok(Done {
        memory: path.display().to_string(),
        applied: applied.len() as u64,
        appended,
        reconciled_existing,
        stale,
        applied_candidates: applied,
        recovery,
    })
}

impl Row {
    fn of(ranked: Ranked, store: &RecallStore) -> Self {
        let entry = &store.entries[&ranked.key];
        Self {
            evidence: entry.evidence(),
            snippet: entry.snippet.clone(),
            promotes: ranked.passes(),
            stopped_by: ranked.stopped_by,
            score: ranked.score,
            components: ranked.signals,
            recall_count: ranked.recalls,
            unique_queries: ranked.unique_queries,
            average_score: entry.average_score(),
            age_days: ranked.age_days,
            promoted_at: entry.promoted_at.as_ref().map(ToString::to_string),
            key: ranked.key,
        }
    }

    fn line(&self) -> String {
        let gates: Vec<String> = self.stopped_by.iter().map(|gate| name_of(*gate)).collect();
        let fate = if self.promotes { "promote".to_owned() } else { gates.join(", ") };
        let c = &self.components;
        format!(
            "{:.3}  {:.2} {:.2} {:.2} {:.2} {:.2} {:.2}  {:>3} {:>3} {:>6.1}  {:<24}  {}  {}",
            self.score,
            c.frequency,
            c.relevance,
            c.diversity,
            c.recency,
            c.consolidation,
            c.conceptual,
            self.recall_count,
            self.unique_queries,
            self.age_days,
            fate,
            self.evidence,
            cut(&self.snippet, 60)
        )
    }
}

impl Told for Report {
    fn lines(&self) -> Vec<String> {
        let dropped =
            if self.dropped.is_empty() { String::new() } else { format!(", {} dropped", self.dropped.len()) };
        let entries = self.entries.len();
        let mut lines = vec![format!(
            "{}: {entries} entries, {} to promote{dropped}; it is {}",
            self.store, self.passing, self.now
        )];
        if entries > 0 {
            lines.push(
                "score  freq rele dive rece cons conc  rec qry    age  stopped by                where, what"
                    .to_owned(),
            );
        }
        lines.extend(self.entries.iter().map(Row::line));
        if let Some(done) = &self.applied {
            lines.push(format!(
                "{}: {} promoted, {} of them added, {} there already, {} stale; health before recovery {:.2}",
                done.memory,
                done.applied,
                done.appended,
                done.reconciled_existing,
                done.stale.len(),
                done.recovery.health
            ));
            let recovered = done.applied_candidates.iter().filter(|one| one.recovered);
            lines.extend(recovered.map(|one| format!("recovered: {} ({:.3})", one.evidence, one.score)));
            let review = done.recovery.for_review.iter();
            lines.extend(review.map(|one| format!("to be looked at: {} ({:.3})", one.key, one.confidence)));
        }
        lines
    }
}
