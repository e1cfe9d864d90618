//! Phases that run by the clock, for as long as the program does: what OpenClaw's gateway does with its cron jobs.

use super::configuration::{find, scheduled};
use super::live::{Run, are_there, run};
use crate::notes::Notes;
use morta_lab::error::{Error, Result};
use morta_memories::openclaw::schedule::{Phase, Timetable};
use morta_memories::openclaw::settings::Settings;
use morta_memories::openclaw::time::{Instant, Zone};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Longest that is waited at once: the configuration may change, and a computer that slept must not be late by hours.
const LONGEST: Duration = Duration::from_secs(60);

/// The workspaces and phases that are watched.
#[derive(Clone, Debug)]
pub struct Request {
    /// The workspaces, in the order in which a phase visits them.
    pub workspaces: Vec<PathBuf>,
    /// openclaw.json, or its dreaming block alone; that of the first workspace when none.
    pub config: Option<PathBuf>,
    /// Phases that never run.
    pub ablated: Vec<Phase>,
}

/// The clock, which a test sets.
pub trait Clock {
    /// When it is.
    fn now(&self) -> Instant;

    /// Waits; false when it is time to stop.
    fn wait(&mut self, time: Duration) -> bool;
}

/// Something to be printed.
#[derive(Debug)]
pub enum Said {
    /// The phase that runs next, and when.
    Next(Instant, Phase),
    /// A run that is over.
    Ran(Run),
}

/// Runs every phase when it is due, on all workspaces, until the clock says stop. A phase that was due more than once while the computer slept
/// runs once. The configuration is read anew each minute; one that can't be read then is told of, and the last one counts.
///
/// # Errors
/// [`Error::Invalid`] when a workspace isn't there, the configuration can't be read at first, or no phase is on.
pub fn watch(
    request: &Request,
    clock: &mut dyn Clock,
    say: &mut dyn FnMut(Said) -> Result<()>,
    notes: Notes<'_>,
) -> Result<()> {
    are_there(&request.workspaces)?;
    let first = request.workspaces.first().map_or(Path::new("."), PathBuf::as_path);
    let read = |notes: Notes<'_>| -> Result<Settings> {
        let mut settings = scheduled(find(request.config.as_deref(), first).as_deref(), notes)?;
        let dreaming = &mut settings.dreaming;
        for phase in &request.ablated {
            match phase {
                Phase::Light => dreaming.light.enabled = false,
                Phase::Rem => dreaming.rem.enabled = false,
                Phase::Deep => dreaming.deep.enabled = false,
            }
        }
        Ok(settings)
    };
    let mut settings = read(notes)?;
    let (mut zone, mut timetable) = timetable(&settings, clock.now());
    let mut told = None;
    if next(&timetable).is_none() {
        return Err(Error::invalid("no phase is on: morta-memory openclaw dreaming on"));
    }
    loop {
        let following = next(&timetable);
        if let Some((at, phase)) = following.filter(|_| told != following) {
            say(Said::Next(at, phase))?;
            told = following;
        }
        let until = following.map_or(i64::MAX, |(at, _)| at.0.saturating_sub(clock.now().0));
        let time = Duration::from_millis(until.max(0).unsigned_abs()).min(LONGEST);
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
        // Remarks on the same file every minute would be a flood.
        match read(&mut |_| {}) {
            Ok(new) if new != settings => {
                settings = new;
                (zone, timetable) = self::timetable(&settings, now);
            }
            Ok(_) => {}
            Err(error) => notes(&format!("{error}; the last configuration counts")),
        }
    }
}

fn timetable(settings: &Settings, from: Instant) -> (Zone, Timetable) {
    let zone = Zone::named(&settings.dreaming.timezone).unwrap_or_default();
    let timetable = Timetable::new(&settings.dreaming, &zone, from);
    (zone, timetable)
}

fn next(timetable: &Timetable) -> Option<(Instant, Phase)> {
    Phase::ALL.into_iter().filter_map(|phase| Some((timetable.next(phase)?, phase))).min()
}
