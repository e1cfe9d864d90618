//! Where a store lies, how dreaming is configured, and what time it is: what all questions ask.

use super::dreaming;
use super::sources;
use super::store_file::{StoreFile, text, text_if_there};
use crate::notes::Notes;
use morta_lab::error::{Error, Result};
use morta_lab::whole_file::replace;
use morta_memories::openclaw::block::with_block;
use morta_memories::openclaw::schedule::Phase;
use morta_memories::openclaw::settings::{Settings, StorageMode, is_settings};
use morta_memories::openclaw::store::RecallStore;
use morta_memories::openclaw::text::note_path;
use morta_memories::openclaw::time::{Instant, Zone};
use std::path::{Path, PathBuf};

/// Where a workspace keeps what was recalled.
pub const STORE: &str = "memory/.dreams/short-term-recall.json";

/// A store and what is around it.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The recall store; - reads standard input.
    pub store: PathBuf,
    /// When it is; the latest instant of the store when none.
    pub now: Option<Instant>,
    /// openclaw.json, or its dreaming block alone; the usual settings when none.
    pub config: Option<PathBuf>,
    /// The workspace, with its daily notes; the folder above memory/.dreams, or the store's own, when none.
    pub workspace: Option<PathBuf>,
}

/// What the surroundings come to.
pub(super) struct Room {
    pub settings: Settings,
    pub zone: Zone,
    workspace: PathBuf,
    now: Option<Instant>,
}

impl Room {
    pub fn of(around: &Surroundings, notes: Notes<'_>) -> Result<Self> {
        let settings = settings(around.config.as_deref(), notes)?;
        let zone = Zone::named(&settings.dreaming.timezone).unwrap_or_default();
        let workspace = around.workspace.clone().unwrap_or_else(|| workspace_of(&around.store));
        Ok(Self { settings, zone, workspace, now: around.now })
    }

    /// When it is.
    pub fn now(&self, store: &RecallStore, path: &Path) -> Result<Instant> {
        let why = "names no instant: say when it is with --now";
        let now = self.now.or_else(|| store.latest());
        now.ok_or_else(|| Error::invalid(format!("{}: {why}", path.display())))
    }

    /// The store whose lock is taken; one that comes from standard input has the workspace's.
    pub fn store_to_lock(&self, store: &Path) -> PathBuf {
        let usual = || self.workspace.join(STORE);
        if store == Path::new("-") { usual() } else { store.to_owned() }
    }

    /// Lays aside what a phase doesn't look at by its configuration; how many entries that are.
    pub fn choose(&self, phase: Phase, file: &mut StoreFile) -> usize {
        let sources = self.settings.chosen_sources(phase);
        sources.map_or(0, |sources| file.lay_aside(|entry| sources::has(sources, entry)))
    }

    /// Long-term memory.
    pub fn long_term(&self, named: Option<&Path>) -> PathBuf {
        named.map_or_else(|| self.workspace.join("MEMORY.md"), Path::to_owned)
    }

    /// A daily note as it is now: under the path the store has, or in memory/ for a bare name.
    pub fn note(&self, path: &str) -> Result<Option<String>> {
        let there = text_if_there(&self.workspace.join(path))?;
        match there {
            None if !path.contains('/') => text_if_there(&self.workspace.join("memory").join(path)),
            there => Ok(there),
        }
    }

    /// Writes the block of a phase, into the daily note, a report, or both, as the settings say. Returns the files.
    pub fn write_block(&self, phase: Phase, now: Instant, body: &[String]) -> Result<Vec<PathBuf>> {
        let day = self.zone.day(now);
        let inline = self.settings.storage != StorageMode::Separate;
        let separate = self.settings.storage != StorageMode::Inline || self.settings.separate_reports;
        let report = format!("memory/dreaming/{}/{day}.md", phase.name());
        let files = [(inline, note_path(day)), (separate, report)];
        let mut written = Vec::new();
        for (_, file) in files.into_iter().filter(|(wanted, _)| *wanted) {
            let path = self.workspace.join(file);
            let note = text_if_there(&path)?.unwrap_or_default();
            replace(&path, with_block(&note, phase, body).as_bytes())?;
            written.push(path);
        }
        Ok(written)
    }
}

/// The store; what is to be written has to be a file.
pub(super) fn store_to_write(around: &Surroundings, notes: Notes<'_>) -> Result<StoreFile> {
    if around.store == Path::new("-") {
        return Err(Error::invalid(
            "STORE = -: name a file, what is read from standard input can't be written",
        ));
    }
    StoreFile::read(&around.store, notes)
}

/// The settings of a file, or the defaults; values that were replaced are named.
pub(super) fn settings(config: Option<&Path>, notes: Notes<'_>) -> Result<Settings> {
    let Some(path) = config else { return Ok(Settings::default()) };
    let file = dreaming::read(path, &text(path)?)?.value();
    if !is_settings(&file) {
        let what = "this is neither an openclaw.json nor its dreaming block";
        return Err(Error::invalid(format!("{}: {what}", path.display())));
    }
    let settings = Settings::from_json(&file);
    settings.mended.iter().for_each(|what| notes(&format!("{}: {what}", path.display())));
    Ok(settings)
}

fn workspace_of(store: &Path) -> PathBuf {
    let folder = store.parent().unwrap_or(Path::new(""));
    let named = |folder: &Path, name: &str| folder.file_name().is_some_and(|found| found == name);
    let usual = folder.parent().filter(|memory| named(folder, ".dreams") && named(memory, "memory"));
    let workspace = usual.and_then(Path::parent).unwrap_or(folder);
    if workspace == Path::new("") { PathBuf::from(".") } else { workspace.to_owned() }
}

/// A text cut to so many characters.
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 1).collect();
    format!("{}…", kept.trim_end())
}
