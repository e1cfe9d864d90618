//! `morta lethe FOLDER`: the contents of a Lethe, with bloodstains by cause and kind, and the runs that left them. It is an inventory of a
//! persistent store (sled), with salvage of a corrupt one into a new folder (data recovery). It reads a copy, because opening a database
//! would write to it. Quality is 0 to 1, times are ticks, each from the beginning of its own run.

use crate::io::error::Result;
use crate::io::text::View;
use crate::run::lethe_start;
use crate::run::run_folder::tables::kind_of;
use morta_actors::{LetheContent, RunId, StoredBloodstain};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// An inventory of a Lethe: its bloodstains, and the runs that left them.
#[derive(Debug, Serialize)]
pub struct LetheView {
    bloodstains: usize,
    damaged: u64,
    missing: u64,
    losses: Vec<String>,
    by_cause: BTreeMap<&'static str, u64>,
    by_kind: BTreeMap<&'static str, u64>,
    runs: Vec<Run>,
    latest: Vec<Left>,
}

/// One run that has left something.
#[derive(Debug, Serialize)]
struct Run {
    run: String,
    name: String,
    seed: u64,
    ticks: u64,
    bloodstains: u64,
    first_died_tick: Option<u64>,
    last_died_tick: Option<u64>,
    earlier_runs: usize,
}

/// One bloodstain.
#[derive(Debug, Serialize)]
struct Left {
    run: String,
    bloodstain: String,
    kind: &'static str,
    cause: &'static str,
    died_tick: u64,
    quality: f64,
    claim: Option<String>,
}

/// Salvages the sound part of a damaged Lethe into a new one, and describes the new one (data recovery). The damaged one is left as it is,
/// so that a better tool may still read it.
///
/// # Errors
/// [`Error::Invalid`](crate::io::error::Error::Invalid) when there is no Lethe that can be read, or the folder for what is left holds
/// anything.
pub fn salvage(folder: &Path, into: &Path, limit: usize) -> Result<LetheView> {
    let content = LetheContent::read(folder).map_err(|error| lethe_start::folder_error(folder, &error))?;
    content.salvage(into).map_err(|error| lethe_start::folder_error(into, &error))?;
    look(into, limit)
}

/// Takes the inventory of a Lethe's folder (`lethe.persist`), or of the Lethe of a finished run. It lists `limit` bloodstains at most (10
/// by default), those with the highest tick of death first, of whatever run. Damage is counted and doesn't stop it.
///
/// # Errors
/// [`Error::Invalid`](crate::io::error::Error::Invalid) when there is no Lethe that can be read.
pub fn look(folder: &Path, limit: usize) -> Result<LetheView> {
    let content = LetheContent::read(folder).map_err(|error| lethe_start::folder_error(folder, &error))?;
    lethe_start::warn(&content, &folder.display().to_string());
    Ok(view(&content, limit))
}

fn view(content: &LetheContent, limit: usize) -> LetheView {
    let (mut by_cause, mut by_kind) = (BTreeMap::new(), BTreeMap::new());
    let mut died: BTreeMap<RunId, (u64, u64, u64)> = BTreeMap::new();
    for StoredBloodstain { run, bloodstain } in &content.bloodstains {
        *by_cause.entry(bloodstain.cause.name()).or_default() += 1;
        *by_kind.entry(kind_of(&bloodstain.bequest)).or_default() += 1;
        let (count, first, last) = died.entry(*run).or_insert((0, u64::MAX, 0));
        (*count, *first, *last) = (*count + 1, (*first).min(bloodstain.died), (*last).max(bloodstain.died));
    }
    let runs = content.runs.iter().map(|(id, record)| {
        let found = died.get(id);
        Run {
            run: id.to_string(),
            name: record.name.clone(),
            seed: record.seed,
            ticks: record.ticks,
            bloodstains: found.map_or(0, |(count, ..)| *count),
            first_died_tick: found.map(|(_, first, _)| *first),
            last_died_tick: found.map(|(.., last)| *last),
            earlier_runs: record.ancestors.len(),
        }
    });
    let mut latest: Vec<&StoredBloodstain> = content.bloodstains.iter().collect();
    latest.sort_by_key(|stored| std::cmp::Reverse(stored.bloodstain.died));
    latest.truncate(limit);
    LetheView {
        bloodstains: content.bloodstains.len(),
        damaged: content.damaged,
        missing: content.missing,
        losses: content.losses.iter().map(ToString::to_string).collect(),
        by_cause,
        by_kind,
        runs: runs.collect(),
        latest: latest.into_iter().map(left).collect(),
    }
}

fn left(stored: &StoredBloodstain) -> Left {
    let bloodstain = &stored.bloodstain;
    let claim = match &bloodstain.bequest {
        morta_engine::lethe::Bequest::Lesson(lesson) => Some(lesson.claim.to_string()),
        morta_engine::lethe::Bequest::Scar(_) => None,
    };
    Left {
        run: stored.run.to_string(),
        bloodstain: bloodstain.id.to_string(),
        kind: kind_of(&bloodstain.bequest),
        cause: bloodstain.cause.name(),
        died_tick: bloodstain.died,
        quality: bloodstain.quality(),
        claim,
    }
}

impl View for LetheView {
    fn lines(&self) -> Vec<String> {
        let counts = |counts: &BTreeMap<&str, u64>| {
            let each: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
            each.join(", ")
        };
        let Self { bloodstains, damaged, missing, .. } = self;
        let mut lines = vec![format!("{bloodstains} bloodstains of {} runs", self.runs.len())];
        if *bloodstains > 0 {
            lines.push(format!("  died of: {}", counts(&self.by_cause)));
            lines.push(format!("  kinds: {}", counts(&self.by_kind)));
        }
        if damaged + missing > 0 {
            lines.push(format!("  {damaged} records damaged and left out, {missing} bloodstains missing"));
        }
        lines.extend(self.losses.iter().map(|loss| format!("  {loss}")));
        lines.extend(self.runs.iter().map(Run::line));
        lines.extend(self.latest.iter().map(|left| {
            let Left { run, bloodstain, kind, cause, died_tick, quality, claim } = left;
            let claim = claim.as_ref().map_or(String::new(), |claim| format!(": {claim}"));
            let died = format!("died at {died_tick} of {cause}, quality {quality:.2}");
            format!("  {} {bloodstain}, {kind}{claim}; {died}", &run[..8])
        }));
        lines
    }
}

impl Run {
    fn line(&self) -> String {
        let Self { name, seed, ticks, bloodstains, earlier_runs, .. } = self;
        let died = match (self.first_died_tick, self.last_died_tick) {
            (Some(first), Some(last)) => format!(", died at {first} to {last}"),
            _ => String::new(),
        };
        let earlier =
            if *earlier_runs > 0 { format!(", knew of {earlier_runs} earlier runs") } else { String::new() };
        let id = &self.run[..8];
        format!("run {id} ({name}, seed {seed}): {ticks} ticks, {bloodstains} bloodstains{died}{earlier}")
    }
}
