//! A life: a log of searches is recorded as it happened, and every phase runs when its schedule says so, in between. So what is promoted on the
//! fifth night is what was known by the fifth night.

use super::lock::Lock;
use super::phases;
use super::promote;
use super::record::{Search, Unusable, usable};
use super::room::{STORE, Surroundings, settings};
use super::store_file::{LeftOut, StoreFile, text};
use crate::notes::Notes;
use morta_lab::error::{Error, Result};
use morta_lab::text::View;
use morta_memories::openclaw::schedule::{Phase, next_after};
use morta_memories::openclaw::settings::Settings;
use morta_memories::openclaw::time::{Instant, Zone};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What is lived.
#[derive(Clone, Debug)]
pub struct Request {
    /// The workspaces, in the order in which a phase visits them.
    pub workspaces: Vec<PathBuf>,
    /// The searches of all of them; - reads standard input.
    pub searches: PathBuf,
    /// The last moment that is lived.
    pub until: Instant,
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
    for workspace in &request.workspaces {
        if !workspace.is_dir() {
            return Err(Error::invalid(format!("{}: is no folder: name a workspace", workspace.display())));
        }
    }
    let settings = settings(request.config.as_deref(), notes)?;
    let zone = Zone::named(&settings.dreaming.timezone).unwrap_or_default();
    let log = text(&request.searches)?;
    let mut skipped = Vec::new();
    let searches: Vec<Placed> = request.read(&log, |number, why| {
        notes(&format!("{}:{number}: skipped: {why}", request.searches.display()));
        skipped.push(LeftOut { line: number, key: None, why: why.to_string() });
    });
    let Some(first) = searches.first().map(|one| one.search.at) else {
        let what = format!("holds no search until {} that can be used", request.until);
        return Err(Error::invalid(format!("{}: {what}", request.searches.display())));
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
    let mut waiting = searches.as_slice();
    let mut schedule = Schedule::new(request, &settings, &zone, first)?;
    while let Some((at, phase)) = schedule.take(request.until)? {
        let before = waiting.partition_point(|one| one.search.at <= at);
        life.record(request, &waiting[..before], &zone, notes)?;
        waiting = &waiting[before..];
        for workspace in &request.workspaces {
            life.run(request, workspace, (at, phase), notes);
        }
    }
    life.record(request, waiting, &zone, notes)?;
    Ok(life)
}

/// A search and whose it is.
struct Placed {
    search: Search,
    workspace: usize,
}

impl Request {
    /// The searches that are lived; what is wrong with the others.
    fn read(&self, log: &str, mut skip: impl FnMut(u64, Unusable)) -> Vec<Placed> {
        let (mut ids, mut latest, mut read) = (BTreeSet::new(), None, Vec::new());
        for (number, line) in (1..).zip(log.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let found = usable(line, &ids, latest).and_then(|search| {
                let workspace = self.workspace_of(&search)?;
                Ok(Placed { search, workspace })
            });
            match found {
                Ok(placed) if placed.search.at > self.until => break,
                Ok(placed) => {
                    latest = Some(placed.search.at);
                    ids.extend(placed.search.id.clone());
                    read.push(placed);
                }
                Err(why) => skip(number, why),
            }
        }
        read
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
            let mut own = searches.iter().filter(|one| one.workspace == place).peekable();
            if own.peek().is_none() {
                continue;
            }
            let path = store_of(workspace);
            let _lock = Lock::of(&path)?;
            let mut file = StoreFile::read_or_new(&path, notes)?;
            for one in own {
                self.searches += 1;
                self.recalls += u64::from(one.search.record(zone, &mut file));
            }
            file.write(&path)?;
        }
        Ok(())
    }

    /// Runs a phase on a workspace; where nothing was recalled yet there is nothing to run on.
    fn run(&mut self, request: &Request, workspace: &Path, (at, phase): (Instant, Phase), notes: Notes<'_>) {
        let store = store_of(workspace);
        if !store.exists() {
            return;
        }
        let config = request.config.clone();
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
        let found = found.unwrap_or(0);
        self.failed += u64::from(failure.is_some());
        self.promoted += if phase == Phase::Deep { found } else { 0 };
        self.runs.push(Run { at, phase, workspace: workspace.display().to_string(), found, failure });
    }
}

impl View for Life {
    fn lines(&self) -> Vec<String> {
        let line = |run: &Run| {
            let what = match (&run.failure, run.phase) {
                (Some(why), _) => format!("failed: {why}"),
                (None, Phase::Light) => format!("{} staged", run.found),
                (None, Phase::Rem) => format!("{} themes", run.found),
                (None, Phase::Deep) => format!("{} promoted", run.found),
            };
            format!("{}  {:<5}  {}  {what}", run.at, run.phase.name(), run.workspace)
        };
        let mut lines: Vec<String> = self.runs.iter().map(line).collect();
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
