//! Light and REM sleep: what these phases would write, and writing it.

use super::room::{Room, Surroundings};
use super::store_file::{LeftOut, StoreFile};
use crate::memory_tools::Notes;
use crate::text::View;
use morta_memories::openclaw::config::{LightConfig, RemConfig};
use morta_memories::openclaw::light::{self, Candidate};
use morta_memories::openclaw::rem::{self, Reflection};
use morta_memories::openclaw::schedule::Phase;
use morta_memories::openclaw::time::Instant;
use serde::Serialize;

/// What a phase found.
#[derive(Debug, Serialize)]
pub struct Report<Found> {
    /// The store's file.
    pub store: String,
    /// When it is.
    pub now: Instant,
    /// The zone in which days are counted.
    pub timezone: String,
    /// What it found.
    #[serde(flatten)]
    pub found: Found,
    /// Lines of the block.
    pub block: Vec<String>,
    /// Entries of the file that can't be used.
    pub dropped: Vec<LeftOut>,
    /// The files that were written, if any were to be.
    pub written: Vec<String>,
}

/// What light sleep has staged.
#[derive(Debug, Serialize)]
pub struct Staged {
    /// The candidates, the best first.
    pub candidates: Vec<Candidate>,
}

/// Light sleep, configured by what `config` makes of the settings; with `apply`, its block is written.
///
/// # Errors
/// [`Error::Invalid`](crate::Error::Invalid) when a file can't be read or used.
pub fn light(
    around: &Surroundings,
    apply: bool,
    config: impl FnOnce(LightConfig) -> LightConfig,
    notes: Notes<'_>,
) -> crate::Result<Report<Staged>> {
    report(around, apply, Phase::Light, notes, |file, room, now| {
        let config = config(room.settings.dreaming.light.clone());
        let candidates = light::light(&file.store, now, &config);
        let block = light::body(&candidates);
        (Staged { candidates }, block)
    })
}

/// REM sleep, configured by what `config` makes of the settings; with `apply`, its block is written.
///
/// # Errors
/// [`Error::Invalid`](crate::Error::Invalid) when a file can't be read or used.
pub fn rem(
    around: &Surroundings,
    apply: bool,
    config: impl FnOnce(RemConfig) -> RemConfig,
    notes: Notes<'_>,
) -> crate::Result<Report<Reflection>> {
    report(around, apply, Phase::Rem, notes, |file, room, now| {
        let config = config(room.settings.dreaming.rem.clone());
        let reflection = rem::rem(&file.store, now, &config);
        let block = rem::body(&reflection);
        (reflection, block)
    })
}

fn report<Found>(
    around: &Surroundings,
    apply: bool,
    phase: Phase,
    notes: Notes<'_>,
    sleep: impl FnOnce(&StoreFile, &Room, Instant) -> (Found, Vec<String>),
) -> crate::Result<Report<Found>> {
    let room = Room::of(around, notes)?;
    let file = StoreFile::read(&around.store, notes)?;
    let now = room.now(&file.store, &around.store)?;
    let (found, block) = sleep(&file, &room, now);
    let runs = room.settings.dreaming.runs(phase);
    if apply && !runs {
        let name = phase.name();
        notes(&format!(
            "{name} sleep is off (dreaming.enabled, phases.{name}.enabled, or phases.{name}.limit = 0): nothing is written"
        ));
    }
    let written = if apply && runs { room.write_block(phase, now, &block)? } else { Vec::new() };
    Ok(Report {
        store: around.store.display().to_string(),
        now,
        timezone: room.zone.name().to_owned(),
        found,
        block,
        dropped: file.dropped,
        written: written.iter().map(|path| path.display().to_string()).collect(),
    })
}

impl<Found: Serialize> View for Report<Found> {
    fn lines(&self) -> Vec<String> {
        let written = self.written.iter().map(|path| format!("written to {path}"));
        self.block.iter().cloned().chain(written).collect()
    }
}
