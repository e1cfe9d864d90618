//! The contrasts of ladder and map as rows of `contrasts.parquet` and `contrasts.csv`: the same figures as in `analysis.json`, for programs
//! that read tables and no nested JSON. It is a tidy table (long format): one row a contrast. It is written when a sweep ends or is
//! stopped, and only where its file has contrasts, a ladder or a map; contrasts without a ladder have rows without a rung. It repeats no
//! computation, because two computations of a figure could differ.

use super::Analysis;
use super::contrast::Contrast;
use super::ladder::{OnRung, RungContrasts};
use super::map::{MapCell, MapReport};
use crate::io::error::Result;
use crate::run::run_folder::WrittenTable;
use crate::sweep::sweep_folder::SweepFolder;
use crate::sweep::sweep_folder::contrasts::{ContrastCell, ContrastRow};
use crate::sweep::sweep_folder::tables::write_table;

/// Writes the contrasts of an analysis, if it has any (contrast table).
///
/// # Errors
/// When they can't be written.
pub(crate) fn write_contrasts(folder: &SweepFolder, analysis: &Analysis) -> Result<Vec<WrittenTable>> {
    if analysis.ladder.is_none() && analysis.map.is_none() {
        return Ok(Vec::new());
    }
    let of_ladder = analysis.ladder.iter().flat_map(|ladder| &ladder.contrasts);
    let of_ladder = of_ladder.flat_map(|one| one.rungs.iter().flat_map(move |rung| on_rung(one, rung)));
    let of_map = analysis.map.iter().flat_map(|map| map.cells.iter().map(move |cell| in_map(map, cell)));
    write_table::<ContrastRow, _>(folder, "contrasts", of_ladder.chain(of_map))
}

/// The contrast on a rung, and what it is beyond that on the primary one.
fn on_rung<'a>(one: &'a RungContrasts, rung: &'a OnRung) -> impl Iterator<Item = ContrastCell<'a>> {
    let row = |part, contrast| ContrastCell {
        treated: &one.treated,
        control: &one.control,
        measure: &one.measure,
        cohort: &one.cohort,
        rung: Some(rung.rung.as_str()).filter(|name| !name.is_empty()),
        ..figures(part, contrast)
    };
    let own = row("ladder", &rung.contrast);
    let beyond = rung.from_primary.as_ref().map(|contrast| row("ladder_difference", contrast));
    std::iter::once(own).chain(beyond)
}

fn in_map<'a>(map: &'a MapReport, cell: &'a MapCell) -> ContrastCell<'a> {
    ContrastCell {
        treated: &map.treated,
        control: &map.control,
        measure: &map.measure,
        cohort: &map.cohort,
        rung: map.rung.as_deref(),
        point: Some((&cell.x, &cell.y)),
        ..figures("map", &cell.contrast)
    }
}

fn figures(part: &'static str, contrast: &Contrast) -> ContrastCell<'static> {
    ContrastCell {
        part,
        treated: "",
        control: "",
        measure: "",
        cohort: "",
        rung: None,
        point: None,
        worlds: contrast.worlds,
        treated_mean: contrast.treated_mean,
        control_mean: contrast.control_mean,
        effect: contrast.effect,
        interval: contrast.interval.known().copied(),
        p: contrast.p.known().copied(),
        corrected_p: contrast.corrected_p.known().copied(),
    }
}
