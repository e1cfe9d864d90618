//! What `analysis.json` says of sensitivity, as rows of `sensitivity.parquet` and `sensitivity.csv`: a tidy table (long format) of Morris
//! and Sobol figures, one row a figure of a key or pair, written when a sweep ends or is stopped. The figures are written twice, because
//! programs that read tables don't read nested JSON. Columns and their units are described in `sweep_folder::sensitivity`. `of` is `mean` for
//! a figure of the mean over worlds and `world` for the mean of the figures of single worlds. The rank is the place in the report, whose keys
//! are sorted by `KeySensitivity::size`. The level of luck is one of `mu_star` of the mean, so it stands in that row alone; the p-values are of
//! the key and are the same in all its rows. Nothing is tested of pairs: their rows have neither rank nor p.

use super::{KeySensitivity, MeasureSensitivity, SensitivityReport};
use crate::io::error::Result;
use crate::run::run_folder::WrittenTable;
use crate::sweep::analysis::Analysis;
use crate::sweep::sweep_folder::SweepFolder;
use crate::sweep::sweep_folder::sensitivity::{SensitivityFigure, SensitivityRow};
use crate::sweep::sweep_folder::tables::write_table;
use morta_stats::Computed;
use morta_stats::sensitivity::worlds::FigureSpread;

/// Writes the figures of an analysis, if it has any (sensitivity table).
///
/// # Errors
/// When they can't be written.
pub(crate) fn write_sensitivity(folder: &SweepFolder, analysis: &Analysis) -> Result<Vec<WrittenTable>> {
    let Some(report) = &analysis.sensitivity else { return Ok(Vec::new()) };
    let figures = report.measures.iter().flat_map(|measure| rows(report, measure));
    write_table::<SensitivityRow, _>(folder, "sensitivity", figures)
}

fn rows<'a>(
    report: &'a SensitivityReport,
    measure: &'a MeasureSensitivity,
) -> impl Iterator<Item = SensitivityFigure<'a>> {
    let blank = move || SensitivityFigure {
        design: if report.is_morris() { "morris" } else { "sobol" },
        measure: &measure.measure,
        cohort: &measure.cohort,
        worlds: report.worlds,
        ..SensitivityFigure::default()
    };
    let of_key = move |(place, key): (usize, &'a KeySensitivity)| {
        let figures = figures(key);
        figures.into_iter().map(move |(index, of, figure)| SensitivityFigure {
            key: &key.key,
            range: Some(&key.range),
            rank: Some(place as u64 + 1),
            index,
            of,
            rows: Some(key.rows),
            spread: figure.known(),
            luck: key.luck.known().map(|luck| luck.threshold).filter(|_| (index, of) == ("mu_star", "mean")),
            p: key.luck.known().map(|luck| luck.p),
            corrected_p: Some(key.corrected_p),
            changed_no_byte: Some(key.changed_no_byte),
            ..blank()
        })
    };
    let pair = move |pair: &'a super::PairSensitivity| SensitivityFigure {
        key: &pair.key,
        with: Some(&pair.with),
        index: "second",
        of: "world",
        spread: pair.second.known(),
        ..blank()
    };
    measure.keys.iter().enumerate().flat_map(of_key).chain(measure.pairs.iter().map(pair))
}

/// The figures of a key with the names of their index and of what they are of.
fn figures(key: &KeySensitivity) -> Vec<(&'static str, &'static str, &Computed<FigureSpread>)> {
    let morris = key.morris.iter().flat_map(|one| {
        [
            ("mu", "mean", &one.mu),
            ("mu_star", "mean", &one.mu_star),
            ("sigma", "mean", &one.sigma),
            ("mu_star", "world", &one.world_mu_star),
            ("sigma", "world", &one.world_sigma),
        ]
    });
    let sobol = key.sobol.iter().flat_map(|one| {
        [
            ("first", "mean", &one.first),
            ("total", "mean", &one.total),
            ("interaction", "mean", &one.interaction),
            ("first", "world", &one.world_first),
            ("total", "world", &one.world_total),
            ("interaction", "world", &one.world_interaction),
        ]
    });
    morris.chain(sobol).collect()
}
