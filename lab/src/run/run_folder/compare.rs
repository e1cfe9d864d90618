//! Compares a finished run with its repetition: whether they are the same, and if not, their first difference in the order of ticks
//! (reproducibility check, regression test). `repeat` makes the repetition for `morta reproduce`, `morta verify` and `morta watch RUN`,
//! which print the verdict. Hashes of files (tables and the journal) are compared first; tables are read only where hashes differ. The
//! manifest's own figures are held against the repetition's where the logs agree. Reporting only "differs" would leave a user to search
//! millions of rows.

use crate::io::error::Result;
use crate::run::provenance::file_hash;
use crate::run::run_folder::WrittenTable;
use crate::run::run_folder::difference::{TableDifference, first_in_lines, first_in_table};
use crate::run::run_folder::{FinishedRun, MANIFEST, Manifest, RunFolder, TablesSummary, Totals, tables};
use serde::Serialize;

/// What comparing a run with its repetition has shown (reproducibility).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RepetitionVerdict {
    /// Files the manifest names that are gone.
    pub missing: Vec<String>,
    /// Files whose bytes are not those of the manifest: they were changed after the run.
    pub changed: Vec<String>,
    /// Files that are as the run left them, but that the repetition wrote differently.
    pub differing: Vec<String>,
    /// Digests of the run and the repetition, where they differ.
    pub digests: Option<(String, String)>,
    /// The first difference in the order of ticks.
    pub first: Option<TableDifference>,
}

impl RepetitionVerdict {
    /// Whether nothing is missing, changed or different: the run is bit-for-bit identical (reproducible).
    pub fn is_identical(&self) -> bool {
        *self == Self::default()
    }
}

/// Compares a finished run with its repetition, whose tables are finished too: a reproducibility check by hashes. The repetition's folder
/// needs no manifest.
///
/// # Errors
/// When a file can't be read for reasons other than being damaged.
pub fn compare(run: &FinishedRun, again: &RunFolder, summary: &TablesSummary) -> Result<RepetitionVerdict> {
    let mut verdict = RepetitionVerdict::default();
    let same_log = run.manifest.digest == summary.digest;
    if !run.manifest.scenario_is_intact() || (same_log && !tells_the_truth(&run.manifest, &summary.totals)) {
        verdict.changed.push(MANIFEST.to_owned());
    }
    if !same_log {
        verdict.digests = Some((run.manifest.digest.clone(), summary.digest.clone()));
    }
    let mut suspects = Vec::new();
    for file in &run.manifest.files {
        let path = run.path(&file.name);
        if !path.exists() {
            verdict.missing.push(file.name.clone());
            continue;
        }
        let found = file_hash(&path)?;
        let repeated = summary.files.iter().find(|other| other.name == file.name);
        let as_repeated = repeated.is_some_and(|repeated: &WrittenTable| repeated.blake3 == found);
        if found != file.blake3 {
            verdict.changed.push(file.name.clone());
        } else if !as_repeated {
            verdict.differing.push(file.name.clone());
        }
        if !as_repeated && repeated.is_some() {
            suspects.push(file.name.as_str());
        }
    }
    for file in &summary.files {
        if !run.manifest.files.iter().any(|other| other.name == file.name) {
            verdict.missing.push(file.name.clone());
        }
    }
    verdict.first = first_difference(run, again, &suspects)?;
    Ok(verdict)
}

/// Whether a manifest's figures are those of its own log.
fn tells_the_truth(manifest: &Manifest, totals: &Totals) -> bool {
    manifest.name == manifest.scenario.name
        && manifest.seed == manifest.scenario.seed
        && manifest.ticks == totals.ticks
        && manifest.simulated_s == totals.lived_s(manifest.scenario.market.tick_seconds)
        && manifest.golem_ticks == totals.golem_ticks
        && manifest.ledger_conserved == totals.ledger_conserved
}

fn first_difference(
    run: &FinishedRun,
    again: &RunFolder,
    suspects: &[&str],
) -> Result<Option<TableDifference>> {
    let mut first: Option<TableDifference> = None;
    // The journal is last: every table says more of a tick.
    let files = tables::ALL.iter().map(|kind| Some(kind.spec)).chain([None]);
    for spec in files {
        let file = spec.map_or(tables::JOURNAL, |spec| spec.file);
        if !suspects.contains(&file) {
            continue;
        }
        let (ours, theirs) = (run.path(file), again.dir().join(file));
        let difference = match spec {
            Some(spec) => first_in_table(spec, &ours, &theirs),
            None => first_in_lines(file, &ours, &theirs)?,
        };
        // Where the tick couldn't be read, the file is damaged. That comes last, because a difference with a
        // tick says where to look.
        let rank = |difference: &TableDifference| difference.tick.unwrap_or(u64::MAX);
        if let Some(difference) = difference
            && first.as_ref().is_none_or(|first| rank(&difference) < rank(first))
        {
            first = Some(difference);
        }
    }
    Ok(first)
}
