//! The connection of a sweep's cells to a real model.
//!
//! All cells of the arms that record (`llm.mode = "record"`) share one recording, `cassette.jsonl` in the sweep's folder; an arm in replay
//! plays its own cassette, and a simulated arm asks no model. Arms share their luck, so before they part two of them make the same call: it
//! is made once, and both get the same reply. A recording per cell would pay for it again, and let a model that doesn't repeat itself be a
//! difference between arms.
//!
//! It is a shared response cache (record/replay) of LLM calls.

use crate::io::error::{Error, Result};
use crate::run::cassette::{Cassette, Player, Recorder};
use crate::run::connection::{Connection, written_cassette};
use crate::run::model_endpoint::LiveModel;
use crate::run::run_folder::{CASSETTE, WrittenTable};
use crate::sweep::sweep_file::{Arm, Sweep};
use morta_engine::llm::LlmMode;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The connection that cells share when they record LLM calls, or play a recording (shared cache).
#[derive(Debug)]
pub struct Answers(Connection);

impl Answers {
    /// Opens the connection of a sweep that is run in a folder: calls that the folder has recorded already, or a cassette that a recording
    /// arm names, are not made again.
    ///
    /// # Errors
    /// [`Error::Invalid`] when arms that record have different endpoints, a cassette can't be read, another process records into it, or the endpoint's key isn't in the
    /// environment.
    pub fn open(sweep: &Sweep, dir: &Path, stop: &Arc<AtomicBool>) -> Result<Self> {
        let mut recording = sweep.arms.iter().filter(|arm| records(arm));
        let Some(first) = recording.next() else { return Ok(Self(Connection::Simulated)) };
        if let Some(other) = recording.find(|arm| arm.scenario.llm.endpoint != first.scenario.llm.endpoint) {
            return Err(Error::at(
                &sweep.path,
                format!(
                    "arms {} and {} record from endpoints with different settings: all cells share one recording, so give \
                     [llm.endpoint] once, in the scenario or in the sweep's [set]",
                    first.name, other.name
                ),
            ));
        }
        let mut known = Cassette::default();
        for cassette in sweep.arms.iter().filter(|arm| records(arm)).filter_map(|arm| arm.cassette.as_ref()) {
            known.extend(Cassette::clone(cassette));
        }
        let recorder = Recorder::open(&dir.join(CASSETTE), Some(known))?;
        let model = LiveModel::connect(&first.scenario.llm, Some(recorder), Arc::clone(stop))?;
        Ok(Self(Connection::Live(Arc::new(model))))
    }

    /// Opens the connection of cells that are lived again: no call is made that isn't in the folder (replay). Units of work live their
    /// cells by it as well: a sweep that records is refused there, so it plays nothing for them.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the folder's cassette is needed and can't be read.
    pub fn recorded(sweep: &Sweep, dir: &Path) -> Result<Self> {
        if !sweep.arms.iter().any(records) {
            return Ok(Self(Connection::Simulated));
        }
        let cassette = Cassette::read(&dir.join(CASSETTE))?;
        Ok(Self(Connection::Player(Arc::new(Player::new(cassette)))))
    }

    /// The LLM client of an arm: this connection if the arm records, its own cassette if it plays one. An arm with a simulated model has
    /// none.
    pub fn of_arm(&self, arm: &Arm) -> Connection {
        if records(arm) { self.0.clone() } else { arm.own_answers() }
    }

    /// Writes the recording (cassette) and returns its file hash and size in bytes; `None` where no call was recorded.
    ///
    /// # Errors
    /// When it can't be written; its journal then still has it all.
    pub fn keep(&self, dir: &Path) -> Result<Option<WrittenTable>> {
        let Connection::Live(model) = &self.0 else { return Ok(None) };
        let Some(cassette) = model.finish()? else { return Ok(None) };
        written_cassette(&dir.join(CASSETTE), &cassette).map(Some)
    }
}

fn records(arm: &Arm) -> bool {
    arm.scenario.llm.mode == LlmMode::Record
}
