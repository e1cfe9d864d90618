//! A run or a sweep as one page that needs no other file: its question, its results, and the commands that reproduce them.
//!
//! Invariant: a page is a function of what it is made of, such as the folder's files; it names nothing outside itself, runs no script but
//! its own (`pointer.js`), and says everything without it.
//!
//! It is a self-contained HTML report (one file, inline SVG, no external resources), to be sent to others or archived beside a paper:
//! `morta report DIR`, by default as `report.html` in the folder. One file was chosen over a folder of pages, because a page that is mailed
//! loses its folder. `run` and `sweep` make the pages of folders, `statistics` and `replication` those of other commands, with the sections
//! of `analysis` and `survival`; `document` and `page` are what they write to, `plot` draws.

pub mod analysis;
pub mod document;
pub mod page;
pub mod plot;
pub mod replication;
mod run;
pub mod statistics;
mod survival;
mod sweep;

use crate::io::error::{Error, Result};
use crate::run::run_folder::{self, RunFolder, WrittenTable};
use crate::run::scenario_file::DataFile;
use crate::sweep::sweep_folder;
use page::{Page, PageTable};
use std::path::Path;

/// An HTML report that is ready to be written, with the figures on it.
pub struct ReportPage {
    /// What it is of, in a word: run or sweep, or of another command, as replication, statistics, loadtest.
    pub kind: &'static str,
    /// The file.
    pub html: String,
    /// Its plots as files of their own.
    pub figures: Vec<FigureFiles>,
    /// What couldn't be shown, and why.
    pub notes: Vec<String>,
}

/// A figure of a page, exported as files: its SVG, and its data as CSV.
pub struct FigureFiles {
    /// Their name, without an ending.
    pub name: String,
    /// The plot.
    pub svg: String,
    /// What it shows.
    pub csv: String,
}

impl ReportPage {
    /// Makes the page of a folder: of a sweep where it has a sweep's manifest, else of a run. Nothing is written.
    ///
    /// # Errors
    /// [`Error::Invalid`] when it holds neither, or a table is missing that should be there.
    pub fn from_folder(dir: &Path) -> Result<Self> {
        if dir.join(sweep_folder::MANIFEST).exists() {
            return Ok(Self::from_page("sweep", sweep::page(dir)?));
        }
        let unfinished = dir.join(crate::run::run_folder::CHECKPOINT).exists();
        if dir.is_dir()
            && !dir.join(run_folder::MANIFEST).exists()
            && !unfinished
            && !holds_partial_files(dir)
        {
            return Err(Error::at(
                dir,
                format!(
                    "this is neither a run nor a sweep: there is no {} and no {}; name a folder that `morta run` or \
                     `morta sweep` wrote",
                    run_folder::MANIFEST,
                    sweep_folder::MANIFEST
                ),
            ));
        }
        Ok(Self::from_page("run", run::page(&RunFolder::open(dir)?)?))
    }

    /// Takes over an HTML page that another crate has made, such as that of a load test.
    pub fn from_page(kind: &'static str, page: Page) -> Self {
        let file = |figure: &plot::Figure| FigureFiles {
            name: figure.name.clone(),
            svg: figure.standalone(),
            csv: figure.csv.clone(),
        };
        Self { kind, html: page.html(), figures: page.figures.iter().map(file).collect(), notes: page.notes }
    }
}

fn holds_partial_files(dir: &Path) -> bool {
    let partial =
        |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().ends_with(run_folder::PARTIAL);
    std::fs::read_dir(dir).is_ok_and(|entries| entries.flatten().any(partial))
}

/// The files of a folder and those that were read, with their hashes and what is said of their rows (data provenance table).
fn hashes<'a>(
    caption: &str,
    tables: &[WrittenTable],
    data: impl Iterator<Item = (&'a DataFile, String)>,
) -> PageTable {
    let table = |file: &WrittenTable| vec![file.name.clone(), file.blake3.clone(), file.rows.to_string()];
    let data = data.map(|(file, rows)| {
        let name = file.path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        vec![name, file.blake3.clone(), rows]
    });
    PageTable {
        caption: caption.to_owned(),
        head: ["file", "BLAKE3", "rows"].map(str::to_owned).to_vec(),
        rows: tables.iter().map(table).chain(data).collect(),
        words: 2,
    }
}

/// A folder's base name, as the commands of a page give it; `DIR` where it has none.
pub fn shown_name(dir: &Path) -> String {
    dir.file_name().map_or_else(|| "DIR".to_owned(), |name| name.to_string_lossy().into_owned())
}
