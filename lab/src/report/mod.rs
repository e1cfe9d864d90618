//! A run, a sweep, a load test or a workspace that dreams as one page that stands by itself: what was asked, what came of it, and how to get it again.
//!
//! Invariant: a page is a function of the folder's files; it names nothing outside itself, and holds no script.

mod dreams;
mod loadtest;
mod markup;
mod page;
pub mod plot;
mod run;
mod survival;
mod sweep;

use crate::error::{Error, Result};
use crate::memory_tools::Notes;
use crate::run_folder::{self, RunFolder};
use crate::sweep_folder;
use morta_memories::openclaw::time::Instant;
use page::Page;
use std::path::Path;

/// What a folder holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One world, lived through.
    Run,
    /// An experiment.
    Sweep,
    /// Scorers under load.
    LoadTest,
    /// An OpenClaw workspace that dreams.
    Dreams,
}

impl Kind {
    /// In a word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Sweep => "sweep",
            Self::LoadTest => "loadtest",
            Self::Dreams => "dreams",
        }
    }
}

/// A page that is ready to be written.
pub struct Report {
    /// What it is of.
    pub kind: Kind,
    /// The file.
    pub html: String,
    /// Its plots: names without endings, and files.
    pub figures: Vec<(String, String)>,
    /// What couldn't be told, and why.
    pub notes: Vec<String>,
}

impl Report {
    /// Reads a folder.
    ///
    /// # Errors
    /// [`Error::Invalid`] when it holds neither, or a table is missing that should be there.
    pub fn of(dir: &Path) -> Result<Self> {
        if dir.join(sweep_folder::MANIFEST).exists() {
            return Ok(Self::made(Kind::Sweep, sweep::page(dir)?));
        }
        if dir.join(crate::loadtest::RESULT).exists() {
            return Ok(Self::made(Kind::LoadTest, loadtest::page(dir)?));
        }
        let unfinished = dir.join(crate::run_folder::CHECKPOINT).exists();
        if dir.is_dir()
            && !dir.join(run_folder::MANIFEST).exists()
            && !unfinished
            && !holds_partial_files(dir)
        {
            return Err(Error::invalid(format!(
                "{}: this is neither a run nor a sweep: there is no {} and no {}; name a folder that `morta run` or \
                 `morta sweep` wrote",
                dir.display(),
                run_folder::MANIFEST,
                sweep_folder::MANIFEST
            )));
        }
        Ok(Self::made(Kind::Run, run::page(&RunFolder::open(dir)?)?))
    }

    /// Reads an OpenClaw workspace: by the settings of a file if there is one, at a moment or at the latest one of its store.
    ///
    /// # Errors
    /// [`Error::Invalid`] when a file can't be read or used.
    pub fn of_dreams(
        workspace: &Path,
        config: Option<&Path>,
        now: Option<Instant>,
        notes: Notes<'_>,
    ) -> Result<Self> {
        Ok(Self::made(Kind::Dreams, dreams::page(workspace, config, now, notes)?))
    }

    fn made(kind: Kind, page: Page) -> Self {
        let file = |figure: &plot::Figure| (figure.name.clone(), figure.standalone());
        Self { kind, html: page.html(), figures: page.figures.iter().map(file).collect(), notes: page.notes }
    }
}

fn holds_partial_files(dir: &Path) -> bool {
    let partial =
        |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().ends_with(run_folder::PARTIAL);
    std::fs::read_dir(dir).is_ok_and(|entries| entries.flatten().any(partial))
}

/// A folder's name, as commands are told with.
fn shown_name(dir: &Path) -> String {
    dir.file_name().map_or_else(|| "DIR".to_owned(), |name| name.to_string_lossy().into_owned())
}
