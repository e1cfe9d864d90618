//! Runs phases by the clock for as long as the program runs (`openclaw live --watch`), as OpenClaw's gateway does with its cron jobs. It is
//! a daemon (scheduler loop) that catches up once after a computer's sleep. What it runs is applied: blocks are written and entries
//! promoted. The clock is a trait (fake clock), so that a test needn't wait.

use super::configuration::{find, scheduled};
use super::live::{Run, run};
use crate::notes::Notes;
use morta_lab::error::{Error, Result};
use morta_memories::openclaw::schedule::{Phase, Timetable};
use morta_memories::openclaw::settings::Settings;
use morta_memories::openclaw::time::{Instant, Zone};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest wait. The configuration may change meanwhile, and after a computer's sleep the rest of a long wait would delay a phase by hours.
const LONGEST: Duration = Duration::from_secs(60);

/// The settings of the daemon: which workspaces it watches, and which phases never run.
#[derive(Clone, Debug)]
pub struct WatchRequest {
    /// The workspaces, in the order in which a phase visits them.
    pub workspaces: Vec<PathBuf>,
    /// openclaw.json, or its dreaming block alone; if none, the first workspace's for schedules and each workspace's own for the rest.
    pub config: Option<PathBuf>,
    /// Phases that never run.
    pub ablated: Vec<Phase>,
}

impl WatchRequest {
    /// Checks that all workspaces are folders.
    pub(super) fn are_there(&self) -> Result<()> {
        match self.workspaces.iter().find(|workspace| !workspace.is_dir()) {
            Some(missing) => Err(Error::at(missing, "is no folder: name a workspace")),
            None => Ok(()),
        }
    }

    /// The settings of the schedules, in which the phases that never run are off.
    pub(super) fn settings(&self, notes: Notes<'_>) -> Result<Settings> {
        let first = self.workspaces.first().map_or(Path::new("."), PathBuf::as_path);
        let mut settings = scheduled(find(self.config.as_deref(), first).as_deref(), notes)?;
        let dreaming = &mut settings.dreaming;
        for phase in &self.ablated {
            match phase {
                Phase::Light => dreaming.light.enabled = false,
                Phase::Rem => dreaming.rem.enabled = false,
                Phase::Deep => dreaming.deep.enabled = false,
            }
        }
        Ok(settings)
    }
}

/// The clock by which the daemon waits; a trait, so that a test injects a fake clock.
pub trait Clock {
    /// The present moment.
    fn now(&self) -> Instant;

    /// Waits; false when the program shall stop.
    fn wait(&mut self, time: Duration) -> bool;
}

/// An event of the daemon, to be printed: the next scheduled run, or a finished one.
#[derive(Debug)]
pub enum Said {
    /// The next phase and its moment.
    Next(Instant, Phase),
    /// A finished run.
    Ran(Run),
}

/// Runs every phase that is on when it is due, on all workspaces, until the clock stops (scheduler loop). A phase that was due several
/// times during a computer's sleep runs once. The configuration is read every minute; if it is unreadable then, that is reported and the
/// previous one stays in force.
///
/// # Errors
/// [`Error::Invalid`] when a workspace doesn't exist, the configuration can't be read at the start, or no phase is on.
pub fn watch(
    request: &WatchRequest,
    clock: &mut dyn Clock,
    say: &mut dyn FnMut(Said) -> Result<()>,
    notes: Notes<'_>,
) -> Result<()> {
    request.are_there()?;
    let mut settings = request.settings(notes)?;
    let (mut zone, mut timetable) = timetable(&settings, clock.now());
    let mut announced = None;
    if next(&timetable).is_none() {
        return Err(Error::invalid("no phase is on: morta-memory openclaw dreaming on"));
    }
    loop {
        let following = next(&timetable);
        // Each next run is announced once, not at every wait of a minute.
        if let Some((at, phase)) = following.filter(|_| announced != following) {
            say(Said::Next(at, phase))?;
            announced = following;
        }
        let until = following.map_or(i64::MAX, |(at, _)| at.0.saturating_sub(clock.now().0));
        let time = Duration::from_millis(until.max(0).unsigned_abs()).min(LONGEST);
        // A due phase isn't waited for, so that a run that is late begins at once.
        if !time.is_zero() && !clock.wait(time) {
            return Ok(());
        }
        let now = clock.now();
        for due in timetable.take_due(&settings.dreaming, &zone, now) {
            for workspace in &request.workspaces {
                if let Some(run) = run(workspace, request.config.as_deref(), due, notes) {
                    say(Said::Ran(run))?;
                }
            }
        }
        // Remarks on the file were reported at the start. They aren't repeated every minute.
        match request.settings(&mut |_| {}) {
            // The timetable is made anew only when the settings change, because a new one begins from now and would forget a due phase.
            Ok(new) if new != settings => {
                settings = new;
                (zone, timetable) = self::timetable(&settings, now);
            }
            Ok(_) => {}
            Err(error) => notes(&format!("{error}; the last configuration counts")),
        }
    }
}

/// The zone of the settings, and the timetable of their phases.
pub(super) fn timetable(settings: &Settings, from: Instant) -> (Zone, Timetable) {
    let zone = Zone::named(&settings.dreaming.timezone).unwrap_or_default();
    let timetable = Timetable::new(&settings.dreaming, &zone, from);
    (zone, timetable)
}

/// The phase that is due next, with its moment.
pub(super) fn next(timetable: &Timetable) -> Option<(Instant, Phase)> {
    Phase::ALL.into_iter().filter_map(|phase| Some((timetable.next(phase)?, phase))).min()
}
