//! A sweep's analysis as a document: the one account that terminal, Markdown and page show, so that they can't differ in what they say. It
//! is the results section of a report: a builder from the analysis of a sweep to blocks, without any statistics of its own. The order of
//! sections is fixed: comparison, factors, contrasts, secondary measures, survival, profile. A sensitivity analysis has sections of its own
//! instead.

mod comparison;
mod contrasts;
mod factorial;
mod profile;
mod sensitivity;
mod survival;

use super::document::Document;
use crate::io::error::Result;
use crate::io::text::{between, or_dash, p_value, signed};
use crate::report::plot::forest::Estimate;
use crate::run::laboratory::Laboratory;
use crate::sweep::analysis::analyse;
use crate::sweep::analysis::contrast::Contrast;
use crate::sweep::analysis::report::Analysis;
use crate::sweep::sweep_folder::{Counts, SweepManifest, read_manifest};
use morta_stats::{Computed, Interval};
use std::collections::BTreeMap;
use std::path::Path;

/// Differences from the baseline in each world, by arm (paired differences per seed).
pub(crate) type ScoresByArm = BTreeMap<String, Vec<f64>>;

/// Builds the report of an analysis: everything that it says, without dots of single worlds.
pub fn document(analysis: &Analysis) -> Document {
    document_with_worlds(analysis, &ScoresByArm::new())
}

/// The same, with single worlds behind the differences of the primary measure (per-seed differences).
pub(crate) fn document_with_worlds(analysis: &Analysis, worlds: &ScoresByArm) -> Document {
    let mut document = Document::default();
    if let Some(sensitivity) = &analysis.sensitivity {
        sensitivity::write(&mut document, sensitivity);
        analysis.standing.because.iter().skip(1).for_each(|why| document.note(why.clone()));
        return document;
    }
    comparison::write(&mut document, analysis, worlds);
    if let Some(factorial) = &analysis.factorial {
        factorial::write(&mut document, factorial);
    }
    contrasts::write(&mut document, analysis);
    comparison::secondary(&mut document, analysis);
    if let Some(survival) = &analysis.survival {
        survival::write(&mut document, survival);
    }
    if let Some(profile) = &analysis.profile {
        profile::write(&mut document, profile);
    }
    document
}

impl Analysis {
    /// Renders the report as lines of plain text, for a terminal and for the page of a sweep that is watched.
    pub fn lines(&self) -> Vec<String> {
        document(self).lines()
    }
}

/// Renders what the cells of a sweep's folder say, as a section of a Markdown page: what was expected, the comparison that was registered,
/// contrasts, maps and rules (`morta report --markdown`). The cells are analysed anew; `analysis.json` isn't read.
///
/// # Errors
/// As [`analyse`].
pub fn markdown(dir: &Path, laboratory: &Laboratory) -> Result<String> {
    let manifest = read_manifest(dir)?;
    let analysis = analyse(dir, laboratory)?;
    let mut lines = heading(&analysis, &manifest);
    lines.extend(document(&analysis).markdown());
    Ok(lines.join("\n") + "\n")
}

/// The sweep, what was expected, and the worlds.
fn heading(analysis: &Analysis, manifest: &SweepManifest) -> Vec<String> {
    let registered = &manifest.configuration;
    let description = registered["description"].as_str().unwrap_or_default().to_owned();
    let first = registered["seeds"]["first"].as_u64().unwrap_or_default();
    let planned = registered["seeds"]["count"].as_u64().unwrap_or_default();
    let worlds = manifest.ends_at.unwrap_or(planned);
    let Counts { total, done, failed } = analysis.cells;
    let mut lines = vec![format!("## {}", analysis.name), String::new(), description];
    let expected = analysis.hypothesis.as_ref().map(|expected| format!("Expected: {expected}"));
    lines.extend(expected.into_iter().flat_map(|line| [String::new(), line]));
    let left = total - done - failed;
    let unfinished = if left > 0 { format!(", {left} not run") } else { String::new() };
    let broken = if failed > 0 { format!(", {failed} failed") } else { String::new() };
    let stopped = manifest.ends_at.map_or(String::new(), |_| format!(" of {planned} that were planned"));
    let last = first + worlds.saturating_sub(1);
    lines.push(String::new());
    lines.push(format!(
        "{worlds} worlds{stopped}, seeds {first} to {last}; {total} cells{unfinished}{broken}; build {}.",
        manifest.build
    ));
    lines
}

/// Effect with its interval.
fn effect(found: &Contrast) -> String {
    with_interval(found.effect, &found.interval)
}

fn with_interval(effect: Option<f64>, interval: &Computed<Interval>) -> String {
    match (effect, interval.known()) {
        (Some(effect), Some(interval)) => format!("{} {}", signed(effect), between(interval)),
        (effect, _) => or_dash(effect, signed),
    }
}

/// The row of a forest plot for a contrast; `None` where it has no effect.
fn estimate(name: String, found: &Contrast, worlds: Vec<f64>) -> Option<Estimate> {
    Some(Estimate {
        name,
        value: found.effect?,
        interval: found.interval.known().map(|interval| (interval.low, interval.high)),
        worlds,
        value_text: effect(found),
        established: found.tells_apart(),
    })
}

/// p with the corrected one behind it, where there are any.
fn p_values(found: &Contrast) -> String {
    match (found.p.known(), found.corrected_p.known()) {
        (Some(p), Some(corrected)) if p != corrected => format!("{} ({})", p_value(*p), p_value(*corrected)),
        (Some(p), _) => p_value(*p),
        _ => "-".to_owned(),
    }
}

/// The head of a table.
fn head<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}
