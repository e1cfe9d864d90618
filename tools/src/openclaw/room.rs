//! The context of a store that all questions need: its place, its configuration, and the time. It is workspace discovery: paths, settings
//! and the time zone are resolved once for each workspace. The moment is the latest instant of the store unless `--now` names another; the
//! clock isn't asked here, so the same store gives the same answer; `live` names the moment at which a phase was due, the MCP server the
//! present. It is made once, so that all parts of a command see one moment.

use super::configuration;
use super::sources;
use super::store_file::{StoreFile, text_if_there};
use super::transcripts;
use crate::notes::Notes;
use morta_lab::error::{Error, Result};
use morta_lab::whole_file::replace;
use morta_memories::openclaw::block::with_block;
use morta_memories::openclaw::schedule::Phase;
use morta_memories::openclaw::settings::{Settings, Source, StorageMode};
use morta_memories::openclaw::store::RecallStore;
use morta_memories::openclaw::text::note_path;
use morta_memories::openclaw::time::{Instant, Zone};
use std::path::{Path, PathBuf};

/// The store's path in a workspace.
pub const STORE: &str = "memory/.dreams/short-term-recall.json";

/// A store with what all questions to it need: its workspace, its configuration file, and the reference time.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The recall store; `-` reads standard input.
    pub store: PathBuf,
    /// The moment; if none, the latest instant of the store.
    pub now: Option<Instant>,
    /// openclaw.json, or its dreaming block alone; if none, the workspace's ([`configuration::find`]), or the defaults.
    pub config: Option<PathBuf>,
    /// The workspace with its daily notes; if none, the folder above memory/.dreams, or the store's own folder.
    pub workspace: Option<PathBuf>,
}

/// The context with its files read.
pub(super) struct Room {
    pub settings: Settings,
    pub zone: Zone,
    /// The configuration that was found.
    pub config: Option<PathBuf>,
    pub workspace: PathBuf,
    now: Option<Instant>,
}

impl Room {
    /// Reads the settings for one store, and finds its workspace: configuration discovery, and settings with defaults (context object).
    pub(super) fn for_workspace(around: &Surroundings, notes: Notes<'_>) -> Result<Self> {
        let workspace = around.workspace.clone().unwrap_or_else(|| workspace_of(&around.store));
        let config = configuration::find(around.config.as_deref(), &workspace);
        let settings = configuration::settings(config.as_deref(), notes)?;
        let zone = Zone::named(&settings.dreaming.timezone).unwrap_or_default();
        Ok(Self { settings, zone, config, workspace, now: around.now })
    }

    /// Adds the lines of transcripts and session logs that the phase's `sources` name (chat history). They are in memory only: the caller
    /// doesn't write the store afterwards.
    pub(crate) fn add_transcripts(&self, phase: Phase, now: Instant, file: &mut StoreFile, notes: Notes<'_>) {
        let days = match phase {
            Phase::Light => self.settings.dreaming.light.lookback_days,
            Phase::Rem => self.settings.dreaming.rem.lookback_days,
            Phase::Deep => return,
        };
        let extras = self.settings.extras.iter().find(|extras| extras.phase == phase);
        let is_transcript = |source: &&Source| matches!(source, Source::Sessions | Source::Logs);
        for source in extras.into_iter().flat_map(|extras| &extras.sources).filter(is_transcript) {
            let lines = transcripts::lines(&self.workspace, *source, now.days_earlier(days), notes);
            file.store.entries.extend(
                lines
                    .into_iter()
                    .filter(|(_, entry)| entry.last_recalled_at.instant().is_some_and(|at| at <= now)),
            );
        }
    }

    /// The reference time of the run: the timestamp of `--now`, or the latest one in the store. The system clock isn't asked.
    pub(super) fn now(&self, store: &RecallStore, path: &Path) -> Result<Instant> {
        let why = "names no instant: say when it is with --now";
        let now = self.now.or_else(|| store.latest());
        now.ok_or_else(|| Error::at(path, why))
    }

    /// Resolves the store whose lock file is taken; for standard input, it is the workspace's.
    pub(crate) fn store_to_lock(&self, store: &Path) -> PathBuf {
        let usual = || self.workspace.join(STORE);
        if store == Path::new("-") { usual() } else { store.to_owned() }
    }

    /// Sets aside the entries that the phase's `sources` exclude (provenance filter). Returns their number.
    pub(super) fn choose(&self, phase: Phase, file: &mut StoreFile) -> usize {
        let sources = self.settings.chosen_sources(phase);
        sources.map_or(0, |sources| file.lay_aside(|entry| sources::has(sources, entry)))
    }

    /// The file of long-term memory (MEMORY.md path, memory file).
    pub(super) fn long_term(&self, named: Option<&Path>) -> PathBuf {
        named.map_or_else(|| self.workspace.join("MEMORY.md"), Path::to_owned)
    }

    /// Whether live notes may be read (note access). A store from standard input may belong to any workspace, so its notes aren't known.
    pub(crate) fn has_notes(&self, around: &Surroundings) -> bool {
        around.store != Path::new("-") || around.workspace.is_some()
    }

    /// Reads the present text of a daily note, by its path in the store, or in memory/ for a bare name.
    pub(super) fn note(&self, path: &str) -> Result<Option<String>> {
        let there = text_if_there(&self.workspace.join(path))?;
        match there {
            None if !path.contains('/') => text_if_there(&self.workspace.join("memory").join(path)),
            there => Ok(there),
        }
    }

    /// Writes the block of a phase into the Markdown daily note, a report, or both, by the settings; line endings stay. Returns the files.
    pub(crate) fn write_block(&self, phase: Phase, now: Instant, body: &[String]) -> Result<Vec<PathBuf>> {
        let day = self.zone.day(now);
        let inline = self.settings.storage != StorageMode::Separate;
        let separate = self.settings.storage != StorageMode::Inline || self.settings.separate_reports;
        let report = format!("memory/dreaming/{}/{day}.md", phase.name());
        let files = [(inline, note_path(day)), (separate, report)];
        let mut written = Vec::new();
        for (_, file) in files.into_iter().filter(|(wanted, _)| *wanted) {
            let path = self.workspace.join(file);
            let note = text_if_there(&path)?.unwrap_or_default();
            // A note with Windows line ends keeps them, otherwise the file would have both kinds.
            let windows = note.contains('\n') && note.matches('\n').count() == note.matches("\r\n").count();
            let new = if windows {
                with_block(&note.replace("\r\n", "\n"), phase, body).replace('\n', "\r\n")
            } else {
                with_block(&note, phase, body)
            };
            replace(&path, new.as_bytes())?;
            written.push(path);
        }
        Ok(written)
    }
}

/// Reads a store that will be written, so it has to be a file.
pub(super) fn store_to_write(around: &Surroundings, notes: Notes<'_>) -> Result<StoreFile> {
    if around.store == Path::new("-") {
        return Err(Error::invalid(
            "STORE = -: name a file, what is read from standard input can't be written",
        ));
    }
    StoreFile::read(&around.store, notes)
}

/// The workspace of a store: the folder above memory/.dreams, or the store's own folder.
pub(super) fn workspace_of(store: &Path) -> PathBuf {
    let folder = store.parent().unwrap_or(Path::new(""));
    let named = |folder: &Path, name: &str| folder.file_name().is_some_and(|found| found == name);
    let usual = folder.parent().filter(|memory| named(folder, ".dreams") && named(memory, "memory"));
    let workspace = usual.and_then(Path::parent).unwrap_or(folder);
    if workspace == Path::new("") { PathBuf::from(".") } else { workspace.to_owned() }
}

/// The text, cut to `most` characters with an ellipsis (truncation with ellipsis).
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 1).collect();
    format!("{}…", kept.trim_end())
}
