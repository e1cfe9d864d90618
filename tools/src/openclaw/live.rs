//! Simulation of a workspace's life: the searches of a log are recorded at their moments, and every phase that is on runs between them when
//! its schedule says so. A promotion of the fifth night therefore depends on the searches before that night and on no later one. It is a
//! discrete-event simulation on a virtual clock, which avoids look-ahead bias in searches; notes are those that lie in the workspace now.
//! Everything is written into the workspaces, so a second life adds to the first. It exists because a schedule's effect can't be seen in
//! one run. A workspace whose store isn't there yet is passed over by a phase. `openclaw live` calls it; `live --watch` takes from here the
//! run of a due phase, and has the check of the workspaces, the settings and the timetable for both. Without a named configuration the schedule is the first workspace's, and
//! thresholds are those of each workspace.

use super::lock::Lock;
use super::phases;
use super::promote;
use super::record::{Search, Searches, Unusable};
use super::room::{STORE, Surroundings};
use super::store_file::{LeftOut, StoreFile, text, text_if_there};
use super::watch::{WatchRequest, next, timetable};
use crate::notes::Notes;
use morta_lab::error::{Error, Result};
use morta_lab::text::View;
use morta_memories::openclaw::schedule::Phase;
use morta_memories::openclaw::time::{DAY_MS, Instant, Zone};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The input of a simulation: the log of searches, the workspaces to live in, and what is left out.
#[derive(Clone, Debug)]
pub struct LiveRequest {
    /// The workspaces that are lived in, the schedules' configuration, and the phases that never run.
    pub watched: WatchRequest,
    /// The searches of all workspaces; `-` reads standard input. If none, each workspace's own log of events.
    pub searches: Option<PathBuf>,
    /// The last simulated moment; if none, a week after the last search, so that every phase has run once.
    pub until: Option<Instant>,
}

/// The result of a simulation: what was recorded, and each run of a phase.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Life {
    /// The time zone in which days are counted.
    pub timezone: String,
    /// Number of recorded searches.
    pub searches: u64,
    /// Number of results that counted.
    pub recalls: u64,
    /// Lines of the log that were skipped.
    pub skipped: Vec<LeftOut>,
    /// Every run of a phase on a workspace.
    pub runs: Vec<Run>,
    /// Number of failed runs.
    pub failed: u64,
    /// Number of promoted entries.
    pub promoted: u64,
}

/// OpenClaw's log of a workspace's memory events, which include searches.
pub const EVENTS: &str = "memory/.dreams/events.jsonl";

/// Simulated days after the last search: seven, because every phase runs at least once a week by default.
const DAYS_AFTER: i64 = 7;

/// One scheduled run of a phase on a workspace, with what it found or why it failed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// The moment it was due.
    pub at: Instant,
    /// Which phase.
    pub phase: Phase,
    /// The workspace.
    pub workspace: String,
    /// Number of staged candidates, found themes or promoted entries.
    pub found: u64,
    /// The error; none if it succeeded. A failure doesn't stop the other workspaces.
    pub failure: Option<String>,
}

/// Simulates a life from a log of searches (discrete-event simulation of cron jobs on a virtual clock).
///
/// # Errors
/// [`Error::Invalid`] when the log or the settings can't be read, a workspace doesn't exist or has an unreadable store.
pub fn live(request: &LiveRequest, notes: Notes<'_>) -> Result<Life> {
    // All workspaces are checked before the first search is recorded, so that an error doesn't leave half of a simulation.
    request.watched.are_there()?;
    let settings = request.watched.settings(notes)?;
    let mut skipped = Vec::new();
    let searches = request.read(&mut |name, number, why| {
        notes(&format!("{name}:{number}: skipped: {why}"));
        skipped.push(LeftOut { line: number, key: None, why: why.to_string() });
    })?;
    let last = searches.last().map_or(Instant(0), |(search, _)| search.at);
    let until = request.until.unwrap_or(Instant(last.0.saturating_add(DAYS_AFTER * DAY_MS)));
    // Searches after the end aren't recorded, because no phase of this life could have seen them.
    let searches = &searches[..searches.partition_point(|(search, _)| search.at <= until)];
    let Some(first) = searches.first().map(|(search, _)| search.at) else {
        let log = request.searches.as_deref().unwrap_or(Path::new(EVENTS)).display();
        return Err(Error::invalid(format!("{log}: holds no search until {until} that can be used")));
    };
    let (zone, mut timetable) = timetable(&settings, first);
    let mut life = Life { timezone: zone.name().to_owned(), skipped, ..Life::default() };
    let mut waiting = searches;
    while let Some((now, _)) = next(&timetable).filter(|(at, _)| *at <= until) {
        // A search at the very moment of a phase is recorded before it, so that equal moments have a fixed order.
        let before = waiting.partition_point(|(search, _)| search.at <= now);
        life.record(request, &waiting[..before], &zone, notes)?;
        waiting = &waiting[before..];
        for due in timetable.take_due(&settings.dreaming, &zone, now) {
            for workspace in &request.watched.workspaces {
                life.runs.extend(run(workspace, request.watched.config.as_deref(), due, notes));
            }
        }
    }
    // Searches after the last phase are recorded too, so that the stores hold all of them until the end.
    life.record(request, waiting, &zone, notes)?;
    life.failed = life.runs.iter().filter(|run| run.failure.is_some()).count() as u64;
    life.promoted = life.runs.iter().filter(|run| run.phase == Phase::Deep).map(|run| run.found).sum();
    Ok(life)
}

/// A search and the index of its workspace.
type Placed = (Search, usize);

impl LiveRequest {
    /// Reads the searches in the order of time. Unusable lines are passed to `skip`.
    fn read(&self, skip: &mut dyn FnMut(&str, u64, Unusable)) -> Result<Vec<Placed>> {
        let mut searches = Vec::new();
        let mut take = |log: &Path, read: Searches<usize>| {
            let name = log.display().to_string();
            read.unusable.into_iter().for_each(|(number, why)| skip(&name, number, why));
            searches.extend(read.searches);
        };
        if let Some(log) = &self.searches {
            take(log, Searches::from_log(&text(log)?, |search| self.workspace_of(search)));
            return Ok(searches);
        }
        for (place, workspace) in self.watched.workspaces.iter().enumerate() {
            let log = workspace.join(EVENTS);
            match text_if_there(&log)? {
                Some(text) => take(&log, Searches::from_log(&text, |_| Ok(place))),
                // One of several workspaces may be new and have no log yet.
                None if self.watched.workspaces.len() > 1 => {}
                None => {
                    let what = "there is no log of events: name a log of searches with --searches";
                    return Err(Error::at(log, what));
                }
            }
        }
        searches.sort_by_key(|(search, _)| search.at);
        Ok(searches)
    }

    /// The workspace that a search names, by its path or its folder's name. With one workspace no name is needed.
    fn workspace_of(&self, search: &Search) -> Result<usize, Unusable> {
        let Some(named) = search.workspace.as_deref() else {
            return if self.watched.workspaces.len() == 1 { Ok(0) } else { Err(Unusable::NoWorkspace) };
        };
        let is =
            |path: &PathBuf| path == Path::new(named) || path.file_name().is_some_and(|name| name == named);
        let place = self.watched.workspaces.iter().position(is);
        place.ok_or_else(|| Unusable::UnknownWorkspace(named.to_owned()))
    }
}

impl Life {
    /// Records searches in the stores of their workspaces.
    fn record(
        &mut self,
        request: &LiveRequest,
        searches: &[Placed],
        zone: &Zone,
        notes: Notes<'_>,
    ) -> Result<()> {
        for (place, workspace) in request.watched.workspaces.iter().enumerate() {
            let mut own = searches.iter().filter(|(_, whose)| *whose == place).peekable();
            if own.peek().is_none() {
                continue;
            }
            let path = workspace.join(STORE);
            let _lock = Lock::for_store(&path)?;
            let mut file = StoreFile::read_or_new(&path, notes)?;
            for (search, _) in own {
                self.searches += 1;
                self.recalls += u64::from(search.record(zone, &mut file, workspace));
            }
            file.write(&path)?;
        }
        Ok(())
    }
}

/// Runs a phase on a workspace. None if the workspace has no store, because nothing was recalled yet.
pub(super) fn run(
    workspace: &Path,
    config: Option<&Path>,
    (at, phase): (Instant, Phase),
    notes: Notes<'_>,
) -> Option<Run> {
    let store = workspace.join(STORE);
    if !store.exists() {
        return None;
    }
    let config = config.map(Path::to_owned);
    let around = Surroundings { store, now: Some(at), config, workspace: Some(workspace.to_owned()) };
    // Remarks on the settings were reported when they were first read; only those of the phase itself are passed on.
    let mut mute = |note: &str| {
        if note.starts_with(&format!("{}:", phase.name())) {
            notes(note);
        }
    };
    let found = match phase {
        Phase::Light => phases::light(&around, true, |usual| usual, &mut mute)
            .map(|report| report.found.candidates.len() as u64),
        Phase::Rem => phases::rem(&around, true, |usual| usual, &mut mute)
            .map(|report| report.found.themes.len() as u64),
        Phase::Deep => {
            let by_schedule = promote::PromotionRequest::new(&around, true);
            promote::PromotionReport::for_request(&by_schedule, |usual| usual, &mut mute)
                .map(|report| report.applied.map_or(0, |done| done.applied))
        }
    };
    let failure = found.as_ref().err().map(ToString::to_string);
    Some(Run { at, phase, workspace: workspace.display().to_string(), found: found.unwrap_or(0), failure })
}

impl Run {
    /// Writes the run as a log line: moment, phase, workspace, and what was found or failed.
    pub fn line(&self) -> String {
        let what = match (&self.failure, self.phase) {
            (Some(why), _) => format!("failed: {why}"),
            (None, Phase::Light) => format!("{} staged", self.found),
            (None, Phase::Rem) => format!("{} themes", self.found),
            (None, Phase::Deep) => format!("{} promoted", self.found),
        };
        format!("{}  {:<5}  {}  {what}", self.at, self.phase.name(), self.workspace)
    }
}

impl View for Life {
    fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.runs.iter().map(Run::line).collect();
        lines.push(format!(
            "{} searches recorded, {} recalls, {} lines skipped; {} runs, {} failed; {} promoted",
            self.searches,
            self.recalls,
            self.skipped.len(),
            self.runs.len(),
            self.failed,
            self.promoted
        ));
        lines
    }
}
