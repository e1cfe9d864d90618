//! Deep sleep: the ranking, the gates that stop entries, and memory promotion. It is a weighted scoring with score thresholds
//! (scores 0 to 1, recall counts, age in days), from short-term to long-term memory. Without `apply` it is a dry run on copies. The live
//! note is read again, because the user may have changed it since. Light and REM sleep add nothing to a score here. A run by hand is
//! allowed while the phase is off; `live` and its `--watch` run it only while it is on. The command `promote` and the MCP server ask for
//! it too, and the page and `status --deep` for a dry run.

use super::lock::Lock;
use super::room::{Room, Surroundings, cut, store_to_write};
use super::store_file::{LeftOut, StoreFile, text_if_there};
use crate::notes::Notes;
use morta_lab::error::Result;
use morta_lab::text::View;
use morta_lab::whole_file::replace;
use morta_memories::openclaw::config::{AgeMeasure, DeepConfig};
use morta_memories::openclaw::health::Recovery;
use morta_memories::openclaw::promote::{Applied, Care, Promotion, promote_with};
use morta_memories::openclaw::rank::{Gate, Ranked, Ranking};
use morta_memories::openclaw::schedule::Phase;
use morta_memories::openclaw::signals::Signals;
use morta_memories::openclaw::store::RecallStore;
use morta_memories::openclaw::time::Instant;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Heading of the columns of [`RankedEntry`] lines.
pub(super) const COLUMNS: &str =
    "score  freq rele dive rece cons conc  rec qry    age  stopped by                where, what";

/// The ranked candidates of deep sleep, and the promotion if there was one.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PromotionReport {
    /// The store's file.
    pub store: String,
    /// The moment of the run.
    pub now: Instant,
    /// The time zone in which days are counted.
    pub timezone: String,
    /// The thresholds of the gates.
    pub thresholds: Thresholds,
    /// Entries by descending score: first those that pass, then the others.
    pub entries: Vec<RankedEntry>,
    /// Number of entries to promote, or promoted: those that pass and are still in their live note (all that pass, where no notes are
    /// read), and those that recovery writes.
    pub passing: u64,
    /// Entries of the store that were skipped.
    pub dropped: Vec<LeftOut>,
    /// The promotion, if it was applied.
    pub applied: Option<PromotionOutcome>,
    /// The same as a plan, if it wasn't applied; none without live notes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<PromotionOutcome>,
}

/// The score thresholds that an entry must reach to be promoted, one for each gate.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Thresholds {
    /// The largest number of promotions in a run.
    pub limit: u32,
    /// The lowest score, 0 to 1.
    pub min_score: f64,
    /// The lowest number of recalls.
    pub min_recall_count: u32,
    /// The lowest number of distinct queries.
    pub min_unique_queries: u32,
    /// The highest age in days.
    pub max_age_days: u32,
    /// Whether age counts from the note's day or the last recall.
    pub age_measure: AgeMeasure,
    /// Half-life of recency in days.
    pub recency_half_life_days: f64,
    /// Whether promoted entries are ranked as well.
    pub include_promoted: bool,
}

/// A ranked candidate: an entry of the store with its score, and the gates that stop it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RankedEntry {
    /// Its key in the store.
    pub key: String,
    /// The note and lines of its text.
    pub evidence: String,
    /// The text.
    pub snippet: String,
    /// Whether it passes every gate.
    pub promotes: bool,
    /// Whether recovery writes it, because long-term memory is thin, although a gate stops it. Then `promotes` is set too, so without this
    /// flag a report would show it as one that passed.
    pub recovers: bool,
    /// Every gate that it fails, in the order of the gates.
    pub stopped_by: Vec<Gate>,
    /// The weighted sum of its signals, 0 to 1.
    pub score: f64,
    /// The signals of the score.
    pub components: Signals,
    /// Number of recalls.
    pub recall_count: u32,
    /// Number of distinct queries.
    pub unique_queries: u32,
    /// Mean score of the searches that found it.
    pub average_score: f64,
    /// Age in days.
    pub age_days: f64,
    /// The moment of its promotion; none if it wasn't promoted.
    pub promoted_at: Option<String>,
}

/// What a promotion changed: the promoted entries, the facts added to long-term memory, and the entries that no longer match their note.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PromotionOutcome {
    /// The file of long-term memory.
    pub memory: String,
    /// Number of promoted entries.
    pub applied: u64,
    /// Number of facts added to long-term memory.
    pub appended: u32,
    /// Number of facts that were there already.
    pub reconciled_existing: u32,
    /// Entries whose text is no longer in its note.
    pub stale: Vec<String>,
    /// Entries whose note can't be read.
    pub unreadable: Vec<String>,
    /// The entries that were promoted.
    pub applied_candidates: Vec<Applied>,
    /// The recovery of a memory in poor health.
    pub recovery: Recovery,
}

/// The request for a ranking: the store, which entries are ranked, and whether they are promoted or it is a dry run.
#[derive(Clone, Copy, Debug)]
pub struct PromotionRequest<'a> {
    /// The store and its workspace.
    pub around: &'a Surroundings,
    /// Whether passing entries are promoted.
    pub apply: bool,
    /// The file of long-term memory; if none, MEMORY.md of the workspace.
    pub memory: Option<&'a Path>,
    /// Whether promoted entries are ranked as well.
    pub include_promoted: bool,
}

impl<'a> PromotionRequest<'a> {
    /// Asks for the entries that aren't promoted yet, with the MEMORY.md of the workspace.
    pub const fn new(around: &'a Surroundings, apply: bool) -> Self {
        Self { around, apply, memory: None, include_promoted: false }
    }
}

impl PromotionReport {
    /// Ranks the entries with the settings as `config` changes them, and promotes if the request says so (memory promotion).
    ///
    /// # Errors
    /// [`Error::Invalid`](morta_lab::error::Error::Invalid) when a file can't be read or is invalid, or another process holds the lock.
    pub fn for_request(
        request: &PromotionRequest<'_>,
        config: impl FnOnce(DeepConfig) -> DeepConfig,
        notes: Notes<'_>,
    ) -> Result<Self> {
        let PromotionRequest { around, include_promoted, .. } = *request;
        let room = Room::for_workspace(around, notes)?;
        let config = config(room.settings.dreaming.deep.clone());
        // The lock is taken before the store is read, otherwise another process could change the store between ranking and promotion.
        let lock = request.apply.then(|| Lock::for_store(&around.store)).transpose()?;
        let mut file = if request.apply {
            store_to_write(around, notes)?
        } else {
            StoreFile::read(&around.store, notes)?
        };
        let now = room.now(&file.store, &around.store)?;
        let aside = room.choose(Phase::Deep, &mut file);
        // A run by hand is allowed although the phase is off, because the user has asked for it.
        if !room.settings.dreaming.runs(Phase::Deep) {
            notes("deep sleep is off by its configuration, and doesn't run by itself: this is by hand");
        }
        let ranking = Ranking { now, zone: &room.zone, config: &config, include_promoted };
        let phases = BTreeMap::new();
        let ranked = ranking.rank(&file.store, &phases);
        let mut entries: Vec<RankedEntry> =
            ranked.into_iter().map(|one| RankedEntry::from_ranked(one, &file.store)).collect();
        let looks = request.apply || room.has_notes(around);
        // The live notes are read for a preview too, so that it lists the same entries as `--apply`.
        let done = looks.then(|| apply(request, &room, &mut file, &ranking, notes)).transpose()?;
        let mut passing = entries.iter().filter(|row| row.promotes).count() as u64;
        if let Some(done) = &done {
            passing = done.applied;
            entries.iter_mut().for_each(|row| row.settle(done));
            // Sorted again, because the live notes may have stopped entries that passed every gate.
            entries.sort_by_key(|row| !row.promotes);
        }
        let (applied, preview) = if request.apply { (done, None) } else { (None, done) };
        drop(lock);
        if room.settings.verbose_logging {
            let dropped = file.dropped.len();
            notes(&format!(
                "deep: at {now}: {} entries looked at, {aside} of other sources, {dropped} dropped",
                entries.len()
            ));
            entries.iter().for_each(|row| notes(&format!("deep: {}", row.line())));
        }
        Ok(Self {
            store: around.store.display().to_string(),
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
            passing,
            entries,
            dropped: file.dropped,
            applied,
            preview,
        })
    }
}

/// Promotes. Long-term memory is written before the store: if the process dies between the two, the next run finds the markers and corrects the
/// store. In the reverse order a promoted fact would be missing. A preview works on copies.
fn apply(
    request: &PromotionRequest<'_>,
    room: &Room,
    file: &mut StoreFile,
    ranking: &Ranking<'_>,
    say: Notes<'_>,
) -> Result<PromotionOutcome> {
    let path = room.long_term(request.memory);
    let memory = text_if_there(&path)?.unwrap_or_default();
    let (mut notes, mut closed) = (BTreeMap::new(), BTreeSet::new());
    for entry in file.store.entries.values().filter(|entry| entry.note_day().is_some()) {
        // Each note is read once, although many entries may lie in it.
        if notes.contains_key(&entry.path) {
            continue;
        }
        // An unreadable note doesn't stop the facts of the others.
        let note = room.note(&entry.path).unwrap_or_else(|error| {
            say(&format!("{error}; its entries are left out"));
            closed.insert(entry.path.clone());
            None
        });
        notes.insert(entry.path.clone(), note);
    }
    // The store is changed in a copy, so that an error before the end leaves it as it was.
    let mut store = file.store.clone();
    let read = |path: &str| notes.get(path).cloned().flatten();
    let (done, new) = promote_with(Care::WholeMemory, &mut store, &memory, read, ranking, &BTreeMap::new());
    let is_closed =
        |key: &String| file.store.entries.get(key).is_some_and(|entry| closed.contains(&entry.path));
    let Promotion { applied, appended, reconciled_existing, stale, recovery } = done;
    // A missing text and an unreadable note look alike to the promotion, so they are separated here.
    let (unreadable, stale) = stale.into_iter().partition(is_closed);
    if request.apply {
        // An unchanged file isn't written, so that its time of modification stays.
        if new != memory {
            replace(&path, new.as_bytes())?;
        }
        if file.store != store {
            file.store = store;
            file.write(&request.around.store)?;
        }
    }
    Ok(PromotionOutcome {
        memory: path.display().to_string(),
        applied: applied.len() as u64,
        appended,
        reconciled_existing,
        stale,
        unreadable,
        applied_candidates: applied,
        recovery,
    })
}

impl RankedEntry {
    fn from_ranked(ranked: Ranked, store: &RecallStore) -> Self {
        let entry = &store.entries[&ranked.key];
        Self {
            evidence: entry.evidence(),
            snippet: entry.snippet.clone(),
            promotes: ranked.passes(),
            recovers: false,
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

    /// Marks the entry by what the live notes allowed.
    fn settle(&mut self, done: &PromotionOutcome) {
        let applied = done.applied_candidates.iter().find(|one| one.key == self.key);
        let waits = self.stopped_by.iter().all(|gate| *gate == Gate::Limit);
        if let Some(applied) = applied {
            (self.promotes, self.recovers) = (true, applied.recovered);
            if !applied.recovered {
                self.stopped_by.clear();
            }
        } else if waits && self.promoted_at.is_none() {
            let gate = if done.stale.contains(&self.key) {
                Gate::Stale
            } else if done.unreadable.contains(&self.key) {
                Gate::Unreadable
            } else {
                Gate::Limit
            };
            (self.promotes, self.stopped_by) = (false, vec![gate]);
        }
    }

    /// The six signals with two decimal places.
    pub(super) fn signals(&self) -> [String; 6] {
        self.components.in_order().map(|signal| format!("{signal:.2}"))
    }

    pub(super) fn line(&self) -> String {
        let gates: Vec<&str> = self.stopped_by.iter().map(|gate| gate.name()).collect();
        let fate = match (self.promotes, self.recovers) {
            (true, true) => "recover".to_owned(),
            (true, false) => "promote".to_owned(),
            (false, _) => gates.join(", "),
        };
        format!(
            "{:.3}  {}  {:>3} {:>3} {:>6.1}  {:<24}  {}  {}",
            self.score,
            self.signals().join(" "),
            self.recall_count,
            self.unique_queries,
            self.age_days,
            fate,
            self.evidence,
            cut(&self.snippet, 60)
        )
    }
}

impl View for PromotionReport {
    fn lines(&self) -> Vec<String> {
        let dropped =
            if self.dropped.is_empty() { String::new() } else { format!(", {} dropped", self.dropped.len()) };
        let entries = self.entries.len();
        let there = self.preview.as_ref().map_or(0, |done| done.reconciled_existing);
        let there = if there > 0 { format!(", {there} of them there already") } else { String::new() };
        let mut lines = vec![format!(
            "{}: {entries} entries, {} to promote{there}{dropped}; it is {}",
            self.store, self.passing, self.now
        )];
        if entries > 0 {
            lines.push(COLUMNS.to_owned());
        }
        lines.extend(self.entries.iter().map(RankedEntry::line));
        if let Some(done) = &self.applied {
            let unreadable = match done.unreadable.len() {
                0 => String::new(),
                some => format!(", {some} unreadable"),
            };
            lines.push(format!(
                "{}: {} promoted, {} of them added, {} there already, {} stale{unreadable}; health before recovery {:.2}",
                done.memory,
                done.applied,
                done.appended,
                done.reconciled_existing,
                done.stale.len(),
                done.recovery.health
            ));
            lines.extend(
                done.stale.iter().map(|key| format!("stale: {key}: its text is no longer in its note")),
            );
            lines.extend(done.unreadable.iter().map(|key| format!("unreadable: {key}")));
            let recovered = done.applied_candidates.iter().filter(|one| one.recovered);
            lines.extend(recovered.map(|one| format!("recovered: {} ({:.3})", one.evidence, one.score)));
            let review = done.recovery.for_review.iter();
            lines.extend(review.map(|one| format!("to be looked at: {} ({:.3})", one.key, one.confidence)));
        }
        lines
    }
}
