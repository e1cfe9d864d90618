//! A life: a log of searches is recorded as it happened, and every phase runs when its schedule says so, in between. So what is promoted on the
//! fifth night is what was known by the fifth night.

use super::configuration::{find, scheduled};
use super::lock::Lock;
use super::phases;
use super::promote;
use super::record::{Search, Searches, Unusable};
use super::room::{STORE, Surroundings};
use super::store_file::{LeftOut, StoreFile, text, text_if_there};
use crate::notes::Notes;
use morta_lab::error::{Error, Result};
use morta_lab::text::View;
use morta_memories::openclaw::schedule::{Phase, next_after};
use morta_memories::openclaw::settings::Settings;
use morta_memories::openclaw::time::{DAY_MS, Instant, Zone};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What is lived.
#[derive(Clone, Debug)]
pub struct Request {
    /// The workspaces, in the order in which a phase visits them.
    pub workspaces: Vec<PathBuf>,
    /// The searches of all of them; - reads standard input. When none, each workspace's own log of events.
    pub searches: Option<PathBuf>,
    /// The last moment that is lived; when none, a week after the last search, so that every phase has run once.
    pub until: Option<Instant>,
    /// openclaw.json, or its dreaming block alone; the usual settings when none.
    pub config: Option<PathBuf>,
    /// Phases that never run.
    pub ablated: Vec<Phase>,
}

/// What came of a life.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Life {
    /// The zone in which days are counted.
    pub timezone: String,
    /// Searches that were recorded.
    pub searches: u64,
    /// Results that counted.
    pub recalls: u64,
    /// Lines of the log that can't be used.
    pub skipped: Vec<LeftOut>,
    /// Every run of a phase on a workspace.
    pub runs: Vec<Run>,
    /// How many of them failed.
    pub failed: u64,
    /// Entries that were promoted.
    pub promoted: u64,
}

/// Where OpenClaw logs what a workspace's memory went through, searches among it.
pub const EVENTS: &str = "memory/.dreams/events.jsonl";

/// Days that are lived after the last search: the usual phases run every week at least.
const DAYS_AFTER: i64 = 7;

/// One phase on one workspace.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// When it was due.
    pub at: Instant,
    /// Which phase.
    pub phase: Phase,
    /// Where.
    pub workspace: String,
    /// Candidates that were staged, themes that were found, entries that were promoted.
    pub found: u64,
    /// Why it failed; none when it didn't. The other workspaces go on.
    pub failure: Option<String>,
}

/// Lives a log of searches.
///
/// # Errors
/// [`Error::Invalid`] when the log or the settings can't be read, a workspace isn't there or has a store that can't be read, or no schedule can
/// be followed.
pub fn live(request: &Request, notes: Notes<'_>) -> Result<Life> {
    are_there(&request.workspaces)?;
    let first_workspace = request.workspaces.first().map_or(Path::new("."), PathBuf::as_path);
    let settings = scheduled(find(request.config.as_deref(), first_workspace).as_deref(), notes)?;
    let zone = Zone::named(&settings.dreaming.timezone).unwrap_or_default();
    let mut skipped = Vec::new();
    let searches = request.read(&mut |name, number, why| {
        notes(&format!("{name}:{number}: skipped: {why}"));
        skipped.push(LeftOut { line: number, key: None, why: why.to_string() });
    })?;
    let last = searches.last().map_or(Instant(0), |(search, _)| search.at);
    let until = request.until.unwrap_or(Instant(last.0.saturating_add(DAYS_AFTER * DAY_MS)));
    let searches = &searches[..searches.partition_point(|(search, _)| search.at <= until)];
    let Some(first) = searches.first().map(|(search, _)| search.at) else {
        let log = request.searches.as_deref().unwrap_or(Path::new(EVENTS)).display();
        return Err(Error::invalid(format!("{log}: holds no search until {until} that can be used")));
    };
    let mut life = Life {
        timezone: zone.name().to_owned(),
        searches: 0,
        recalls: 0,
        skipped,
        runs: Vec::new(),
        failed: 0,
        promoted: 0,
    };
    let mut waiting = searches;
    let mut schedule = Schedule::new(request, &settings, &zone, first)?;
    while let Some((at, phase)) = schedule.take(until)? {
        let before = waiting.partition_point(|(search, _)| search.at <= at);
        life.record(request, &waiting[..before], &zone, notes)?;
        waiting = &waiting[before..];
        for workspace in &request.workspaces {
            let run = run(workspace, request.config.as_deref(), (at, phase), notes);
            life.runs.extend(run);
        }
    }
    life.record(request, waiting, &zone, notes)?;
    life.failed = life.runs.iter().filter(|run| run.failure.is_some()).count() as u64;
    life.promoted = life.runs.iter().filter(|run| run.phase == Phase::Deep).map(|run| run.found).sum();
    Ok(life)
}

/// Whether all of them are folders.
pub(super) fn are_there(workspaces: &[PathBuf]) -> Result<()> {
    match workspaces.iter().find(|workspace| !workspace.is_dir()) {
        Some(missing) => {
            Err(Error::invalid(format!("{}: is no folder: name a workspace", missing.display())))
        }
        None => Ok(()),
    }
}

/// A search and the place of its workspace.
type Placed = (Search, usize);

impl Request {
    /// The searches in order of time; what is wrong with the others.
    fn read(&self, skip: &mut dyn FnMut(&str, u64, Unusable)) -> Result<Vec<Placed>> {
        let mut searches = Vec::new();
        let mut take = |log: &Path, read: Searches<usize>| {
            let name = log.display().to_string();
            read.unusable.into_iter().for_each(|(number, why)| skip(&name, number, why));
            searches.extend(read.searches);
        };
        if let Some(log) = &self.searches {
            take(log, Searches::of(&text(log)?, |search| self.workspace_of(search)));
            return Ok(searches);
        }
        for (place, workspace) in self.workspaces.iter().enumerate() {
            let log = workspace.join(EVENTS);
            match text_if_there(&log)? {
                Some(text) => take(&log, Searches::of(&text, |_| Ok(place))),
                // Of several, one may be new.
                None if self.workspaces.len() > 1 => {}
                None => {
                    let what = "there is no log of events: name a log of searches with --searches";
                    return Err(Error::invalid(format!("{}: {what}", log.display())));
                }
            }
        }
        searches.sort_by_key(|(search, _)| search.at);
        Ok(searches)
    }

    /// The workspace that a search names, as it was given or by the name of its folder; the only one needs no naming.
    fn workspace_of(&self, search: &Search) -> Result<usize, Unusable> {
        let Some(named) = search.workspace.as_deref() else {
            return if self.workspaces.len() == 1 { Ok(0) } else { Err(Unusable::NoWorkspace) };
        };
        let is =
            |path: &PathBuf| path == Path::new(named) || path.file_name().is_some_and(|name| name == named);
        let place = self.workspaces.iter().position(is);
        place.ok_or_else(|| Unusable::UnknownWorkspace(named.to_owned()))
    }
}

fn store_of(workspace: &Path) -> PathBuf {
    workspace.join(STORE)
}

/// When each phase is next due.
struct Schedule<'a> {
    settings: &'a Settings,
    zone: &'a Zone,
    next: Vec<(Instant, Phase)>,
}

impl<'a> Schedule<'a> {
    fn new(request: &Request, settings: &'a Settings, zone: &'a Zone, from: Instant) -> Result<Self> {
        let mut schedule = Self { settings, zone, next: Vec::new() };
        for phase in Phase::ALL {
            if settings.dreaming.runs(phase) && !request.ablated.contains(&phase) {
                schedule.put(phase, from)?;
            }
        }
        Ok(schedule)
    }

    fn put(&mut self, phase: Phase, after: Instant) -> Result<()> {
        let next = next_after(self.settings.dreaming.cron(phase), self.zone, after)
            .map_err(|bad| Error::invalid(format!("phases.{}.cron: {}", phase.name(), bad.remedy())))?;
        self.next.extend(next.map(|next| (next, phase)));
        Ok(())
    }

    /// The next phase that is due by a moment; of one moment light, then REM, then deep sleep.
    fn take(&mut self, until: Instant) -> Result<Option<(Instant, Phase)>> {
        self.next.sort_unstable();
        let Some(&(at, phase)) = self.next.first().filter(|(at, _)| *at <= until) else { return Ok(None) };
        self.next.remove(0);
        self.put(phase, at)?;
        Ok(Some((at, phase)))
    }
}

impl Life {
    /// Records searches in the stores of their workspaces.
    fn record(
        &mut self,
        request: &Request,
        searches: &[Placed],
        zone: &Zone,
        notes: Notes<'_>,
    ) -> Result<()> {
        for (place, workspace) in request.workspaces.iter().enumerate() {
            let mut own = searches.iter().filter(|(_, whose)| *whose == place).peekable();
            if own.peek().is_none() {
                continue;
            }
            let path = store_of(workspace);
            let _lock = Lock::of(&path)?;
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

/// Runs a phase on a workspace; where nothing was recalled yet there is nothing to run on.
pub(super) fn run(
    workspace: &Path,
    config: Option<&Path>,
    (at, phase): (Instant, Phase),
    notes: Notes<'_>,
) -> Option<Run> {
    let store = store_of(workspace);
    if !store.exists() {
        return None;
    }
    let config = config.map(Path::to_owned);
    let around = Surroundings { store, now: Some(at), config, workspace: Some(workspace.to_owned()) };
    // What is wrong with the settings was said when they were read first.
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
            let by_schedule =
                promote::Request { around: &around, apply: true, memory: None, include_promoted: false };
            promote::Report::of(&by_schedule, |usual| usual, &mut mute)
                .map(|report| report.applied.map_or(0, |done| done.applied))
        }
    };
    let failure = found.as_ref().err().map(ToString::to_string);
    Some(Run { at, phase, workspace: workspace.display().to_string(), found: found.unwrap_or(0), failure })
}

impl Run {
    /// Its outcome, in a line.
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
