//! The connection of a run to a real model or a recording of one, and the cassette that the run leaves. The key `llm.mode` decides:
//! simulated, live, record or replay (`--llm` and `--cassette` win over the scenario's keys); a run that is lived again, and a branch, play
//! the run's own cassette instead (a branch may be allowed to record what it lacks). Cells of a sweep get theirs from
//! `crate::sweep::sweep_run`: one recording for all that record, in replay the cassette of their arm. It is made before the first tick,
//! so that a missing API key or cassette ends no run underway. Only a live connection counts calls.

use crate::io::error::{Context as _, Error, Result};
use crate::run::cassette::{Cassette, Player, Recorder};
use crate::run::model_endpoint::{CounterValues, LiveModel};
use crate::run::provenance::file_hash;
use crate::run::run_folder::{CASSETTE, CASSETTE_JOURNAL, FinishedRun, RunFolder, WrittenTable};
use crate::run::scenario_file::Scenario;
use morta_actors::RunError;
use morta_engine::llm::LlmMode;
use morta_engine::llm::outside::{Outside, OutsideError};
use morta_engine::world::Plan;
use morta_engine::world::service::{ServiceError, ServiceFailure};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A connection to a real model, to a recording of one, or to none (LLM client).
#[derive(Clone, Debug)]
pub enum Connection {
    /// None: the model is simulated.
    Simulated,
    /// A cassette.
    Player(Arc<Player>),
    /// A real model, whose replies are recorded or not.
    Live(Arc<LiveModel>),
}

/// What an interrupted run has left, from which it can go on.
#[derive(Clone, Copy, Debug)]
pub enum Paused<'a> {
    /// A checkpoint in this folder.
    Resumable(&'a Path),
    /// Unfinished tables in this folder.
    ForGood(&'a Path),
}

impl Connection {
    /// Opens the connection that a scenario asks for, to a model or a cassette. A recording goes into the folder, on top of what is
    /// recorded there already and of the scenario's own cassette, if it names one.
    ///
    /// # Errors
    /// [`Error::Invalid`] when a cassette can't be read, a recording has no folder to go to, or the endpoint's key isn't in the environment.
    pub fn open(scenario: &Scenario, folder: Option<&Path>, stop: &Arc<AtomicBool>) -> Result<Self> {
        let llm = &scenario.scenario.llm;
        match llm.mode {
            LlmMode::Simulated => Ok(Self::Simulated),
            LlmMode::Replay => Ok(Self::Player(Arc::new(Player::new(cassette_of(scenario)?)))),
            LlmMode::Live => Ok(Self::Live(Arc::new(LiveModel::connect(llm, None, Arc::clone(stop))?))),
            LlmMode::Record => {
                let nowhere = || {
                    Error::invalid(
                        "llm.mode = \"record\": a run that keeps no tables keeps no cassette: leave --no-record out",
                    )
                };
                let path = folder.ok_or_else(nowhere)?.join(CASSETTE);
                // A cassette that doesn't exist yet is about to be recorded.
                let is_there = llm.cassette.as_ref().is_some_and(|path| Path::new(path).exists());
                let known = is_there.then(|| cassette_of(scenario)).transpose()?;
                let recorder = Recorder::open(&path, known)?;
                Ok(Self::Live(Arc::new(LiveModel::connect(llm, Some(recorder), Arc::clone(stop))?)))
            }
        }
    }

    /// Checks that a scenario's cassette can be read, where it needs one; no connection is made (validation).
    ///
    /// # Errors
    /// [`Error::Invalid`] when it can't.
    pub fn check(scenario: &Scenario) -> Result<()> {
        if scenario.scenario.llm.mode == LlmMode::Replay {
            cassette_of(scenario)?;
        }
        Ok(())
    }

    /// Opens the cassette of a finished run, to be replayed, if its model was a real one.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the run wasn't recorded, or its cassette can't be read.
    pub fn of_run(run: &FinishedRun) -> Result<Self> {
        match (run.manifest.scenario.llm.mode, run.cassette()) {
            // A branch may have gone over to the simulated model.
            (_, Some(path)) => Ok(Self::Player(Arc::new(Player::new(Cassette::read(&path)?)))),
            (LlmMode::Simulated, None) => Ok(Self::Simulated),
            (mode, None) => Err(Error::at(
                run.dir(),
                format!(
                    "llm.mode = \"{}\": what its model said was not recorded, so it can't be lived again: run with --llm record",
                    mode.name()
                ),
            )),
        }
    }

    /// The connection of a branch: calls that the run's cassette lacks are made to a real model and recorded into the branch's folder, or, unless
    /// `record` says so, reported as missing (record missing calls).
    ///
    /// # Errors
    /// As [`Self::open`]; [`Error::Invalid`] when the run has no cassette and nothing may be recorded.
    pub(crate) fn of_branch(
        branch: &Scenario,
        (parent, record): (&FinishedRun, bool),
        folder: &Path,
        stop: &Arc<AtomicBool>,
    ) -> Result<Self> {
        let llm = &branch.scenario.llm;
        let known = parent.cassette().map(|path| Cassette::read(&path)).transpose()?;
        match known {
            _ if record && llm.mode.is_outside() => {
                let recorder = Recorder::open(&folder.join(CASSETTE), known)?;
                Ok(Self::Live(Arc::new(LiveModel::connect(llm, Some(recorder), Arc::clone(stop))?)))
            }
            Some(cassette) => Ok(Self::Player(Arc::new(Player::new(cassette)))),
            None if llm.mode == LlmMode::Replay => Self::open(branch, None, stop),
            None if llm.mode.is_outside() => Err(Error::at(
                parent.dir(),
                "this run has no cassette, so every call of the branch would be a new one: make them with --llm record",
            )),
            None => Ok(Self::Simulated),
        }
    }

    /// The model client at the other end of the connection, if there is one.
    pub fn outside(&self) -> Option<Arc<dyn Outside>> {
        match self {
            Self::Simulated => None,
            Self::Player(player) => Some(Arc::clone(player) as Arc<dyn Outside>),
            Self::Live(model) => Some(Arc::clone(model) as Arc<dyn Outside>),
        }
    }

    /// Gives a plan this connection as its model client.
    pub fn connect(&self, plan: Plan) -> Plan {
        match self.outside() {
            Some(outside) => plan.connected(outside),
            None => plan,
        }
    }

    /// Explains to the user why a run failed; where the model didn't answer, with the command to go on.
    pub fn explain(&self, error: Error, paused: Option<Paused<'_>>) -> Error {
        let why = match &error {
            Error::World(ServiceError { cause: ServiceFailure::Outside(why), tick, .. }) => (why, *tick),
            Error::Run(RunError::Unanswered { tick, error }) => (error, *tick),
            _ => return error,
        };
        let how = match (self, paused) {
            (Self::Live(_), Some(Paused::Resumable(dir))) => {
                format!(": nothing is lost, go on with `morta run --resume {}`", dir.display())
            }
            (Self::Live(_), Some(Paused::ForGood(dir))) if dir.join(CASSETTE_JOURNAL).exists() => format!(
                ": what it said so far is in {0}: begin again in another folder with `--cassette {0}`, which asks nothing twice",
                dir.join(CASSETTE_JOURNAL).display()
            ),
            _ => String::new(),
        };
        match why {
            (OutsideError::Stopped, tick) => {
                Error::stopped(format!("stopped at tick {tick}, while a model was answering{how}"))
            }
            (OutsideError::NotRecorded(line), _) => Error::invalid(line.clone()),
            (gone, tick) => Error::failed(format!("paused at tick {tick}: {gone}{how}")),
        }
    }

    /// The request metrics so far, i.e. counts of calls to a real model; `None` where the model is simulated or played.
    pub fn counters(&self) -> Option<CounterValues> {
        match self {
            Self::Live(model) => Some(model.counters().snapshot()),
            Self::Simulated | Self::Player(_) => None,
        }
    }

    /// Writes the folder's cassette: the calls of a live recording whose replies were read; of a cassette that was played those that were
    /// used, or `all` of them. Nothing is written where the model is simulated, or live without a recording.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn keep(&self, folder: &RunFolder, all: bool) -> Result<Option<WrittenTable>> {
        let path = folder.dir().join(CASSETTE);
        let kept = match self {
            Self::Player(player) => {
                let played = player.cassette();
                let kept = if all { Cassette::clone(played) } else { played.pruned(&player.used()) };
                kept.write(&path)?;
                kept
            }
            Self::Live(model) => match model.finish()? {
                Some(cassette) => cassette,
                None => return Ok(None),
            },
            Self::Simulated => return Ok(None),
        };
        written_cassette(&path, &kept).map(Some)
    }
}

/// What a folder says of the cassette in it (file entry with size and hash).
///
/// # Errors
/// When it can't be read.
pub(crate) fn written_cassette(path: &Path, cassette: &Cassette) -> Result<WrittenTable> {
    let bytes = std::fs::metadata(path).with_context(|| format!("{} can't be read", path.display()))?.len();
    let (name, blake3) = (CASSETTE.to_owned(), file_hash(path)?);
    Ok(WrittenTable { name, rows: cassette.len() as u64, bytes, blake3 })
}

/// Loads the cassette that a scenario names.
///
/// # Errors
/// [`Error::Invalid`] when it names none, or it can't be read.
pub(crate) fn cassette_of(scenario: &Scenario) -> Result<Cassette> {
    match &scenario.scenario.llm.cassette {
        Some(path) => Cassette::read(Path::new(path)),
        None => Err(scenario.llm_mistake(
            "cassette",
            "",
            "name the cassette to be replayed, or give --cassette FILE",
        )),
    }
}
