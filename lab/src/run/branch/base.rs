//! The part that a branch shares with its run: the world up to the tick of the branch, from the latest checkpoint that was kept or from the
//! start, and the unchanged arm beyond it. In the field it is the common prefix of a counterfactual: replay from a checkpoint, verified by
//! a digest of the log. A mismatch of digests ends the branch with an error, because another build could have lived another world. A kept
//! checkpoint is used only by the build that wrote it, with an undamaged log; where the run has none, or is itself a branch, the whole
//! prefix is lived again. Ticks are counted from the start of the run; golem-ticks are steps of golems.

use crate::io::error::{Context as _, Error, Result};
use crate::run::checkpoint;
use crate::run::divergence::Control;
use crate::run::drive::{self, RunControl};
use crate::run::history::{History, refuse_changed_data};
use crate::run::laboratory::Laboratory;
use crate::run::provenance::{Build, file_hash};
use crate::run::run_folder::events::EventStream;
use crate::run::run_folder::tables::EVENTS;
use crate::run::run_folder::{FinishedRun, Tables};
use morta_actors::{EventSink, WriteError};
use morta_base::{Digest, Tick};
use morta_engine::event::Event;
use morta_engine::world::World;

/// The parent run of a counterfactual, with what its world is lived from up to the branch point.
pub(super) struct Base<'a> {
    parent: &'a FinishedRun,
    /// First tick under the change.
    at: Tick,
    /// The tick at which both arms end; it may lie beyond the run's own end.
    until: Tick,
    /// The plans by which the run was lived, with its data.
    pub history: History,
    /// Whether this build wrote the run.
    same_build: bool,
    /// Whether the event log is there, with the hash that the manifest names.
    log_is_whole: bool,
}

/// The world at the tick of the branch, with the tables so far and the control arm (shared prefix of both arms).
pub(crate) struct AtBranch {
    /// The world, unchanged so far.
    pub world: World,
    /// Steps of golems up to there.
    pub golem_ticks: u64,
    /// The branch's tables, with all events up to there.
    pub tables: Tables,
    /// The unchanged arm.
    pub control: Control,
    /// The tick of the checkpoint it comes from; none when it was lived from the start.
    pub checkpoint: Option<Tick>,
    /// Why a checkpoint that was kept wasn't used; none where it was used, or none was kept.
    pub unused_checkpoint: Option<String>,
}

/// The sink of events that both arms share.
struct Shared {
    tables: Tables,
    digest: Digest,
}

impl EventSink for Shared {
    fn take(&mut self, events: &[Event]) -> Result<(), WriteError> {
        events.iter().for_each(|event| event.record_in(&mut self.digest));
        self.tables.take(events)
    }
}

impl<'a> Base<'a> {
    /// Reads the run's history and data; nothing is lived yet (loads the parent run).
    ///
    /// # Errors
    /// When the run's data can't be read or isn't what it was, or the laboratory lacks an architecture that the run names.
    pub(super) fn prepare(
        parent: &'a FinishedRun,
        at: Tick,
        until: Tick,
        laboratory: &Laboratory,
    ) -> Result<Self> {
        let history = History::from_run(parent, until, laboratory)?;
        refuse_changed_data(parent.dir(), &history.changed_data(parent))?;
        let log = parent.manifest.files.iter().find(|file| file.name == EVENTS);
        let log_is_whole = match log {
            Some(file) if parent.path(EVENTS).exists() => file_hash(&parent.path(EVENTS))? == file.blake3,
            _ => false,
        };
        let same_build = parent.manifest.observed.build == Build::this();
        Ok(Self { parent, at, until, history, same_build, log_is_whole })
    }

    /// Lives up to the branch; `None` when it was stopped (deterministic replay up to the branch). The control is read from the log where
    /// that is whole, of this build and ends where the branch does; otherwise a copy of the world is lived on as control.
    ///
    /// # Errors
    /// When what is lived isn't what was recorded, or the tables can't be written.
    pub(super) fn live_to_branch(
        &self,
        tables: Tables,
        run_control: RunControl<'_>,
    ) -> Result<Option<AtBranch>> {
        let mut shared = Shared { tables, digest: Digest::default() };
        let mut stream = self.log_is_whole.then(|| EventStream::open(self.parent)).transpose()?;
        let (kept, unused_checkpoint) = match self.kept_world() {
            Ok(kept) => (kept, None),
            Err(why) => (None, Some(why)),
        };
        let checkpoint = kept.as_ref().map(|(world, _)| world.tick());
        let (mut world, lived) = match (kept, &mut stream) {
            (Some((world, lived)), Some(stream)) => {
                for _ in 0..world.tick() {
                    let events = stream.next_tick()?.unwrap_or_default();
                    drive::write(&mut shared, &events)?;
                }
                (world, lived)
            }
            _ => (self.history.begin(), 0),
        };
        let Some(more) = self.history.live_to(&mut world, self.at, &mut shared, run_control)? else {
            return Ok(None);
        };
        self.check_prefix(&shared.digest)?;
        let Shared { tables, digest } = shared;
        let control = match stream {
            Some(mut stream) if self.same_build && self.ends_with_the_record() => {
                stream.skip_ticks(self.at - checkpoint.unwrap_or(0))?;
                Control::recorded(stream, digest)
            }
            _ => Control::lived(world.clone(), digest, self.last_recorded()?),
        };
        Ok(Some(AtBranch {
            world,
            golem_ticks: lived + more,
            tables,
            control,
            checkpoint,
            unused_checkpoint,
        }))
    }

    /// The latest checkpoint at or before the branch, and golem-ticks up to it. Only the build that wrote it can read it, and what
    /// happened before it is in the log alone. Not of a run that is itself a branch: a world is resumed by one plan, and that run
    /// was lived by several. A checkpoint that can't be read is only a warning, because the start serves as well; the error of one that
    /// isn't used says why.
    fn kept_world(&self) -> Result<Option<(World, u64)>, String> {
        let Some((tick, path)) = checkpoint::kept_at_or_before(self.parent.dir(), self.at) else {
            return Ok(None);
        };
        let kept = format!("the checkpoint at tick {tick}");
        if !self.same_build {
            return Err(format!("{kept} is of another build"));
        }
        if !self.log_is_whole {
            return Err(format!(
                "{kept} needs the events before it, and the run's log of them is missing or damaged"
            ));
        }
        if !self.parent.manifest.branch.is_empty() {
            return Err(format!("the run is itself a branch, which {kept} can't resume"));
        }
        let read = || {
            let (state, snapshot) = checkpoint::read(&path)?.context("it is gone")?;
            let world = World::resume(self.history.plan().clone(), self.history.bars.clone(), snapshot)?;
            Result::<_>::Ok((world, state.golem_ticks))
        };
        match read() {
            Ok(found) => Ok(Some(found)),
            Err(error) => {
                tracing::warn!("{}; lived from the start instead", error.in_full());
                Err(format!("{kept} can't be read"))
            }
        }
    }

    /// Whether both arms are meant to end where the recorded run did.
    fn ends_with_the_record(&self) -> bool {
        let manifest = &self.parent.manifest;
        let end = if manifest.interrupted { manifest.ticks } else { manifest.scenario.ticks };
        self.until == end
    }

    fn digest_after(&self, tick: Tick) -> Result<Option<String>> {
        let rows = self.parent.ticks()?.keep(|row| row.tick == tick)?;
        Ok(rows.into_iter().next().map(|row| row.digest))
    }

    fn check_prefix(&self, lived: &Digest) -> Result<()> {
        let Some(last) = self.at.checked_sub(1) else { return Ok(()) };
        match self.digest_after(last)? {
            Some(recorded) if recorded == lived.hex() => Ok(()),
            _ => self.another_world(last),
        }
    }

    /// The last tick that is recorded and that the control lives, with the digest after it.
    fn last_recorded(&self) -> Result<Option<(Tick, String)>> {
        let last = self.until.min(self.parent.manifest.ticks) - 1;
        Ok(self.digest_after(last)?.map(|digest| (last, digest)))
    }

    /// Checks that the unchanged arm is what was recorded: otherwise a difference between the arms could be one between builds
    /// (replay verification).
    ///
    /// # Errors
    /// When it isn't.
    pub(super) fn check(&self, control: &Control) -> Result<()> {
        if let Some(tick) = control.parted_at() {
            return self.another_world(tick);
        }
        if self.ends_with_the_record() && control.digest() != self.parent.manifest.digest {
            return self.another_world(self.until - 1);
        }
        Ok(())
    }

    fn another_world(&self, tick: Tick) -> Result<()> {
        let dir = self.parent.dir().display();
        let then = &self.parent.manifest.observed.build;
        let build = if self.same_build {
            String::new()
        } else {
            format!(" (it was made by another build: {})", then.words())
        };
        Err(Error::failed(format!(
            "{dir}: what is lived up to tick {tick} isn't what was recorded{build}; `morta verify {dir}` says where they part"
        )))
    }
}
