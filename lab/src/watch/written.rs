//! A run that another process is living, with checkpoints: read from its folder as it grows (tailing a log file). Only complete intervals
//! are read, so the view lags by up to one interval; what is left when the run has ended comes from its event log, if it keeps one. Nothing
//! is written, because the folder belongs to the process that lives the run. A run whose process was killed is shown as waiting, until
//! another resumes it or the command is stopped. `morta watch DIR` follows it at the viewers' pace, which holds up the view and never the
//! run.

use super::stage::Stage;
use crate::io::error::Result;
use crate::run::checkpoint::{self, Checkpoint, EventLog, Undertaking};
use crate::run::drive::EventTap as _;
use crate::run::run_folder::events::EventStream;
use crate::run::run_folder::{CHECKPOINT, FinishedRun, MANIFEST, RunFolder};
use morta_base::Tick;
use morta_engine::event::Event;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

/// Pause between two looks at the folder.
const LOOK: Duration = Duration::from_millis(200);

/// A run in progress (live run): its checkpoint is followed as `tail -f` follows a log file.
pub struct RunUnderWay {
    dir: PathBuf,
    checkpoint: Checkpoint,
    undertaking: Undertaking,
}

impl RunUnderWay {
    /// Whether a folder holds a live run: it has a checkpoint and no manifest yet, so the run is in progress or was cut off.
    pub fn is_there(dir: &Path) -> bool {
        dir.join(CHECKPOINT).is_dir() && !dir.join(MANIFEST).exists()
    }

    /// Finds a live run by its checkpoint; it may have been cut off, and is resumed or not.
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::io::error::Error::Invalid) when the folder holds no run with checkpoints that hasn't ended, or one of
    /// another build.
    pub fn find(dir: &Path) -> Result<Self> {
        let (checkpoint, undertaking) = Checkpoint::find(dir)?;
        Ok(Self { dir: dir.to_owned(), checkpoint, undertaking })
    }

    /// Shows it on a stage until it has ended; none when the viewer was stopped before.
    pub(super) fn tell(&self, stage: &Stage, stop: &AtomicBool) -> Result<Option<FinishedRun>> {
        stage.scene().begin(&self.undertaking.scenario);
        let mut teller = Telling { stage, stop, ticks: 0 };
        let (log, state) = (self.checkpoint.log(), self.checkpoint.state_path());
        let (mut read, mut latest) = (0, None);
        while !stop.load(Ordering::Relaxed) {
            // The manifest is there before the checkpoint goes.
            if self.dir.join(MANIFEST).exists() {
                stage.waits(false);
                let run = RunFolder::open(&self.dir)?;
                teller.rest_of(&run)?;
                return Ok((!stop.load(Ordering::Relaxed)).then_some(run));
            }
            let written = modified(&state);
            if written == latest {
                stage.waits(true);
                std::thread::sleep(LOOK);
                continue;
            }
            match teller.intervals(&log, &state, &mut read) {
                Ok(()) => latest = written,
                // The run has ended meanwhile, and what was being read is gone.
                Err(_) if self.dir.join(MANIFEST).exists() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|found| found.modified()).ok()
}

/// The ticks of a run that were shown so far.
struct Telling<'a> {
    stage: &'a Stage,
    stop: &'a AtomicBool,
    ticks: Tick,
}

impl Telling<'_> {
    /// Shows all intervals that have ended and weren't shown.
    fn intervals(&mut self, log: &EventLog, state: &Path, read: &mut u32) -> Result<()> {
        let ended = checkpoint::read(state)?.map_or(0, |(state, _)| state.intervals);
        while *read < ended {
            // Read as a whole: the run may end, and take its log away, while a viewer holds the telling up.
            let mut ticks = Vec::new();
            log.read(*read, &mut |events| {
                ticks.push(events.to_vec());
                Ok(())
            })?;
            *read += 1;
            for events in ticks {
                if self.stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                self.tick(&events);
            }
        }
        Ok(())
    }

    /// What the tables of a run that has ended tell besides.
    fn rest_of(&mut self, run: &FinishedRun) -> Result<()> {
        if !run.has_events() {
            return Ok(());
        }
        let mut log = EventStream::open(run)?;
        log.skip_ticks(self.ticks)?;
        while let Some(events) = log.next_tick()? {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            self.tick(&events);
        }
        self.stage.on_events(&log.rest()?);
        Ok(())
    }

    fn tick(&mut self, events: &[Event]) {
        self.stage.waits(false);
        self.stage.on_events(events);
        self.ticks += 1;
        self.stage.barrier(self.stop);
    }
}
