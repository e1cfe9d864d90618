//! `morta list`: what a folder of runs and sweeps holds, a line each (experiment catalogue, index of artifacts), two levels of folders
//! deep. It is an overview from manifests and the analyses of sweeps alone. Tables aren't opened, so that a folder of thousands is listed
//! in moments; a damaged entry, or a run that was cut off with a checkpoint, is listed with its reason. A folder that is a run or a sweep
//! isn't looked into, so cells aren't listed; a run that was cut off without a checkpoint is passed over. Nothing is judged anew: verdicts
//! are those of `analysis.json`, and one of another build's format has none.

use crate::io::error::{Error, Result};
use crate::io::text::{Align, View, count, table};
use crate::run::run_folder::{CHECKPOINT, MANIFEST, RunFolder};
use crate::sweep::analysis::Analysis;
use crate::sweep::sweep_folder::{self, SweepManifest, read_manifest};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How deep folders are looked into: `runs/project/run`.
const DEPTH: usize = 2;
/// Characters of a digest that are listed. Our choice: 48 bits distinguish the runs of a folder, and a line stays short.
const DIGEST: usize = 12;

/// An index of the runs and sweeps in a folder.
#[derive(Clone, Debug, Serialize)]
pub struct Listing {
    /// The folder.
    pub dir: PathBuf,
    /// What is in it, by its name.
    pub entries: Vec<ListingEntry>,
}

/// An entry of the index: a run or a sweep, in one row.
#[derive(Clone, Debug, Serialize)]
pub struct ListingEntry {
    /// Its folder, from where the program stands.
    pub dir: PathBuf,
    /// "run" or "sweep".
    pub kind: &'static str,
    /// The scenario's name, or the sweep's.
    pub name: String,
    /// The seed, or those of a sweep from the first to the last.
    pub seeds: String,
    /// Ticks of a run; cells of a sweep.
    pub size: String,
    /// The digest of a run.
    pub digest: Option<String>,
    /// The verdicts of a sweep's comparisons in brief; for a run or sweep that never ended, that.
    pub verdict: String,
}

/// Scans a folder, and the folders in it, for runs and sweeps.
///
/// # Errors
/// When the folder can't be read.
pub fn list(dir: &Path) -> Result<Listing> {
    let mut entries = Vec::new();
    look(dir, DEPTH, &mut entries)?;
    entries.sort_by(|a, b| a.dir.cmp(&b.dir));
    Ok(Listing { dir: dir.to_owned(), entries })
}

fn look(dir: &Path, depth: usize, entries: &mut Vec<ListingEntry>) -> Result<()> {
    if let Some(entry) = entry(dir) {
        entries.push(entry);
        return Ok(());
    }
    let unreadable = |error| Error::at(dir, format!("can't be read: {error}"));
    for found in std::fs::read_dir(dir).map_err(unreadable)? {
        let path = found.map_err(unreadable)?.path();
        if depth > 0 && path.is_dir() {
            // A folder of another user that can't be read is no reason to list nothing.
            drop(look(&path, depth - 1, entries));
        }
    }
    Ok(())
}

fn entry(dir: &Path) -> Option<ListingEntry> {
    if dir.join(sweep_folder::MANIFEST).exists() {
        return Some(match read_manifest(dir) {
            Ok(manifest) => of_sweep(dir, &manifest),
            Err(error) => broken(dir, "sweep", &error),
        });
    }
    if dir.join(MANIFEST).exists() || dir.join(CHECKPOINT).exists() {
        return Some(match RunFolder::open(dir) {
            Ok(run) => {
                let manifest = run.manifest;
                let turns = manifest.branch.len();
                ListingEntry {
                    dir: dir.to_owned(),
                    kind: "run",
                    name: manifest.name,
                    seeds: manifest.seed.to_string(),
                    size: count(manifest.ticks as usize, "tick", "ticks"),
                    digest: Some(manifest.digest),
                    verdict: match (manifest.interrupted, turns) {
                        (true, _) => "stopped before its end".to_owned(),
                        (false, 0) => String::new(),
                        (false, turns) => count(turns, "branch off another run", "branches off another run"),
                    },
                }
            }
            Err(error) => broken(dir, "run", &error),
        });
    }
    None
}

fn broken(dir: &Path, kind: &'static str, error: &Error) -> ListingEntry {
    let message = error.to_string();
    let begins = format!("{}: ", dir.display());
    let verdict = message.strip_prefix(&begins).unwrap_or(&message).to_owned();
    let (name, seeds, size) = Default::default();
    ListingEntry { dir: dir.to_owned(), kind, name, seeds, size, digest: None, verdict }
}

fn of_sweep(dir: &Path, manifest: &SweepManifest) -> ListingEntry {
    let seeds = &manifest.configuration["seeds"];
    let first = seeds["first"].as_u64().unwrap_or_default();
    let worlds = manifest.ends_at.or(seeds["count"].as_u64()).unwrap_or_default();
    let cells = manifest.cells;
    let left = cells.total - cells.done - cells.failed;
    let size = match (cells.failed, left) {
        (0, 0) => count(cells.total as usize, "cell", "cells"),
        (failed, left) => format!("{} of {} cells, {failed} failed, {left} left", cells.done, cells.total),
    };
    ListingEntry {
        dir: dir.to_owned(),
        kind: "sweep",
        name: manifest.name.clone(),
        seeds: if worlds > 1 { format!("{first} to {}", first + worlds - 1) } else { first.to_string() },
        size,
        digest: None,
        verdict: match Analysis::written(dir) {
            Ok(None) => "no analysis yet".to_owned(),
            Ok(Some(Ok(analysis))) => verdict(&analysis),
            Ok(Some(Err(_))) => "its analysis is of another build: see `morta report`".to_owned(),
            Err(_) => "its analysis is damaged".to_owned(),
        },
    }
}

/// How many of the registered comparisons came out how; of what was not registered, the best arm.
fn verdict(analysis: &Analysis) -> String {
    let mut found = BTreeMap::<&str, usize>::new();
    for arm in &analysis.primary.arms {
        if let Some(shown) =
            arm.difference.as_ref().map(|one| one.in_brief()).filter(|brief| !brief.is_empty())
        {
            *found.entry(shown).or_default() += 1;
        }
    }
    let counted: Vec<String> = found.iter().map(|(verdict, times)| format!("{times} {verdict}")).collect();
    let best = analysis.factorial.as_ref().and_then(|one| one.best.as_ref());
    match (counted.is_empty(), best) {
        (false, _) => format!("{} in {}", counted.join(", "), analysis.primary.measure),
        (true, Some(best)) => {
            format!("nothing registered; best in {}: {}", analysis.primary.measure, best.arm)
        }
        (true, None) => "nothing registered".to_owned(),
    }
}

impl View for Listing {
    fn lines(&self) -> Vec<String> {
        if self.entries.is_empty() {
            return vec![format!("{}: no run and no sweep: `morta run FILE` makes one", self.dir.display())];
        }
        let row = |entry: &ListingEntry| {
            let digest = entry.digest.as_deref().map_or("", |digest| &digest[..digest.len().min(DIGEST)]);
            let ListingEntry { dir, kind, name, seeds, size, verdict, .. } = entry;
            vec![
                dir.display().to_string(),
                (*kind).to_owned(),
                name.clone(),
                seeds.clone(),
                size.clone(),
                digest.to_owned(),
                verdict.clone(),
            ]
        };
        let columns =
            ["folder", "kind", "name", "seed", "size", "digest", "verdict"].map(|name| (name, Align::Left));
        table(&columns, &self.entries.iter().map(row).collect::<Vec<_>>())
    }
}
