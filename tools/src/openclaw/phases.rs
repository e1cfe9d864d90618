//! Light and REM sleep: what these phases would write, and writing it.

use super::lock::Lock;
use super::room::{Room, Surroundings};
use super::store_file::{LeftOut, StoreFile};
use super::wording::word_themes;
use crate::notes::Notes;
use morta_lab::error::Result;
use morta_lab::text::View;
use morta_memories::openclaw::config::{LightConfig, RemConfig, Themes};
use morta_memories::openclaw::light::{self, StagedCandidate};
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
    /// Whether it ran: dreaming and the phase are on, and its limit is above 0.
    pub ran: bool,
    /// Lines of the block.
    pub block: Vec<String>,
    /// Entries of the file that can't be used.
    pub dropped: Vec<LeftOut>,
    /// The files that were written, if any were to be.
    pub written: Vec<String>,
}

/// What light sleep has staged.
#[derive(Debug, Default, Serialize)]
pub struct Staged {
    /// The candidates, the best first.
    pub candidates: Vec<StagedCandidate>,
}

/// Light sleep, configured by what `config` makes of the settings; with `apply`, its block is written.
///
/// # Errors
/// [`Error::Invalid`](morta_lab::error::Error::Invalid) when a file can't be read or used.
pub fn light(
    around: &Surroundings,
    apply: bool,
    config: impl FnOnce(LightConfig) -> LightConfig,
    notes: Notes<'_>,
) -> Result<Report<Staged>> {
    report(around, apply, Phase::Light, notes, |file, room, now, _| {
        let config = config(room.settings.dreaming.light.clone());
        let candidates = light::light_of(file.in_order(), now, &config, light::Among::Notes);
        let block = light::body(&candidates);
        (Staged { candidates }, block)
    })
}

/// REM sleep, configured by what `config` makes of the settings; with `apply`, its block is written.
///
/// # Errors
/// [`Error::Invalid`](morta_lab::error::Error::Invalid) when a file can't be read or used.
pub fn rem(
    around: &Surroundings,
    apply: bool,
    config: impl FnOnce(RemConfig) -> RemConfig,
    notes: Notes<'_>,
) -> Result<Report<Reflection>> {
    report(around, apply, Phase::Rem, notes, |file, room, now, notes| {
        // A user's file has no key for it; the document clusters tags by co-occurrence.
        let usual = RemConfig { themes: Themes::Clusters, ..room.settings.dreaming.rem.clone() };
        let reflection = rem::rem_of(file.in_order(), now, &config(usual));
        let mut block = rem::body(&reflection, &file.store);
        // A preview asks nobody.
        if apply {
            word_themes(room, &reflection, &file.store, &mut block, notes);
        }
        (reflection, block)
    })
}

fn report<Found: Default>(
    around: &Surroundings,
    apply: bool,
    phase: Phase,
    notes: Notes<'_>,
    sleep: impl FnOnce(&StoreFile, &Room, Instant, Notes<'_>) -> (Found, Vec<String>),
) -> Result<Report<Found>> {
    let room = Room::of(around, notes)?;
    let ran = room.settings.dreaming.runs(phase);
    // Of two that write into one note, one would be lost.
    let _lock = (apply && ran).then(|| Lock::of(&room.store_to_lock(&around.store))).transpose()?;
    let mut file = StoreFile::read(&around.store, notes)?;
    let now = room.now(&file.store, &around.store)?;
    let aside = room.choose(phase, &mut file);
    room.overhear(phase, now, &mut file, notes);
    let (found, block) = if ran { sleep(&file, &room, now, notes) } else { Default::default() };
    if !ran {
        notes(&format!("{} sleep is off by its configuration, and didn't run", phase.name()));
    }
    let written = if apply && ran { room.write_block(phase, now, &block)? } else { Vec::new() };
    if room.settings.verbose_logging {
        let (name, entries) = (phase.name(), file.store.entries.len());
        notes(&format!(
            "{name}: at {now}: {entries} entries looked at, {aside} of other sources, {} dropped",
            file.dropped.len()
        ));
        block.iter().for_each(|line| notes(&format!("{name}: {line}")));
        written.iter().for_each(|path| notes(&format!("{name}: wrote {}", path.display())));
    }
    Ok(Report {
        store: around.store.display().to_string(),
        now,
        timezone: room.zone.name().to_owned(),
        found,
        ran,
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
