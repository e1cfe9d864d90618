//! Light and REM sleep: the blocks of these phases, and writing them. They are offline consolidation steps: light sleep
//! deduplicates and stages snippets (near-duplicate detection), REM sleep finds themes (tag clustering). Without `apply` nothing is
//! written and no model is asked; with it, a model that is configured words the themes of REM sleep. The store itself is never changed, and
//! nothing is promoted. A phase that is off by its configuration doesn't run even by hand, unlike deep sleep. The commands `light` and
//! `rem` call it, and `live` and its `--watch` with `apply`.

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

/// What a phase found, and the block of text that it wrote or, in a dry run, would write.
#[derive(Debug, Serialize)]
pub struct PhaseReport<Found> {
    /// The store's file.
    pub store: String,
    /// The moment of the run.
    pub now: Instant,
    /// The time zone in which days are counted.
    pub timezone: String,
    /// Candidates or themes.
    #[serde(flatten)]
    pub found: Found,
    /// Whether it ran: dreaming and the phase are on, and its limit is above 0.
    pub ran: bool,
    /// Lines of the block.
    pub block: Vec<String>,
    /// Entries of the store that were skipped.
    pub dropped: Vec<LeftOut>,
    /// The files that were written; none without `apply`.
    pub written: Vec<String>,
}

/// The candidates that light sleep stages, after deduplication.
#[derive(Debug, Default, Serialize)]
pub struct Staged {
    /// The candidates, the best first.
    pub candidates: Vec<StagedCandidate>,
}

/// Runs light sleep with the settings as `config` changes them (deduplication). With `apply` its block is written.
///
/// # Errors
/// [`Error::Invalid`](morta_lab::error::Error::Invalid) when a file can't be read or is invalid.
pub fn light(
    around: &Surroundings,
    apply: bool,
    config: impl FnOnce(LightConfig) -> LightConfig,
    notes: Notes<'_>,
) -> Result<PhaseReport<Staged>> {
    report(around, apply, Phase::Light, notes, |file, room, now, _| {
        let config = config(room.settings.dreaming.light.clone());
        let candidates = light::light_of(file.in_order(), now, &config, light::Among::Notes);
        let block = light::body(&candidates);
        (Staged { candidates }, block)
    })
}

/// Runs REM sleep with the settings as `config` changes them (REM phase: theme clustering). With `apply` its block is written.
///
/// # Errors
/// [`Error::Invalid`](morta_lab::error::Error::Invalid) when a file can't be read or is invalid.
pub fn rem(
    around: &Surroundings,
    apply: bool,
    config: impl FnOnce(RemConfig) -> RemConfig,
    notes: Notes<'_>,
) -> Result<PhaseReport<Reflection>> {
    report(around, apply, Phase::Rem, notes, |file, room, now, notes| {
        // openclaw.json has no key for the kind of themes; clusters of tags that occur together are the specification's.
        let usual = RemConfig { themes: Themes::Clusters, ..room.settings.dreaming.rem.clone() };
        let reflection = rem::rem_of(file.in_order(), now, &config(usual));
        let mut block = rem::body(&reflection, &file.store);
        // A preview calls no model.
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
) -> Result<PhaseReport<Found>> {
    let room = Room::for_workspace(around, notes)?;
    let ran = room.settings.dreaming.runs(phase);
    // Two processes that write into one note would lose one of the two blocks.
    let _lock = (apply && ran).then(|| Lock::for_store(&room.store_to_lock(&around.store))).transpose()?;
    let mut file = StoreFile::read(&around.store, notes)?;
    let now = room.now(&file.store, &around.store)?;
    let aside = room.choose(phase, &mut file);
    room.add_transcripts(phase, now, &mut file, notes);
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
    Ok(PhaseReport {
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

impl<Found: Serialize> View for PhaseReport<Found> {
    fn lines(&self) -> Vec<String> {
        let written = self.written.iter().map(|path| format!("written to {path}"));
        self.block.iter().cloned().chain(written).collect()
    }
}
