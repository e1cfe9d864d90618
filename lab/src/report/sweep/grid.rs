//! A heat map (heatmap) where the arms differ in two settings: two axes (a two-factor grid), or named arms by one axis. It shows the
//! mean of the primary measure over worlds, in its unit, for 2 to 40 values of a setting. The same layout places the small panels of
//! survival and learning curves, where there are at most 24 and 6 in a row. Sweeps with a ladder, contrasts or a map (`has_points`) have
//! neither. More than two settings would need slices, which a reader can't combine by eye.
//!
//! Only the designs grid and list have either, because others draw settings that are no pairs. Both need as many arms as pairs, so a list
//! of two axes has neither unless its arms fill the grid. A cell without a value in any world is dashed.

use super::data::SweepData;
use crate::io::text::{capitalised, figure};
use crate::report::plot::Figure;
use crate::report::plot::curves::Grid;
use crate::report::plot::heat::HeatMap;
use crate::report::survival::PANELS_MAX;
use crate::sweep::analysis::Analysis;
use crate::sweep::measure::label;
use crate::sweep::sweep_file::Design;
use serde_json::Value;

/// A setting (factor) and its levels, i.e. its distinct values, in the order in which arms have them, with the place of each arm's.
struct Setting {
    name: String,
    values: Vec<String>,
    of_arm: Vec<usize>,
}

impl Setting {
    fn from_labels(name: &str, labels: &[String]) -> Self {
        let mut values: Vec<String> = Vec::new();
        let place = |label: &String| {
            values.iter().position(|known| known == label).unwrap_or_else(|| {
                values.push(label.clone());
                values.len() - 1
            })
        };
        let of_arm = labels.iter().map(place).collect();
        Self { name: name.to_owned(), values, of_arm }
    }
}

/// Most values of one setting (our choice): a row or column each, and with more of them the figures no longer fit their cells.
const VALUES_MAX: usize = 40;

/// Rows and columns of two axes, or of the named arms and one axis, whichever pairs have an arm; `None` with other numbers of axes, and
/// where arms are compared point by point (a ladder, contrasts or a map).
fn settings(data: &SweepData) -> Option<(Setting, Setting)> {
    // Other designs draw settings that are no pairs: a map of them would be empty but for a few cells.
    if data.file.has_points() || !matches!(data.file.design, Design::List | Design::Grid) {
        return None;
    }
    let label = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let axis = |index: usize| {
        let key = &data.file.axes[index].key;
        let of_arm = |arm: &crate::sweep::sweep_folder::manifest::ManifestArm| {
            // A level that sets several keys has its name in the arm's alone.
            let name = data.file.axis_label(index);
            let named = || arm.name.split('/').find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
            match arm.parameters.get(key) {
                Some(value) => label(value),
                None => named().unwrap_or_default().to_owned(),
            }
        };
        Setting::from_labels(key, &data.manifest.arms.iter().map(of_arm).collect::<Vec<_>>())
    };
    match (data.file.arms.len(), data.file.axes.as_slice()) {
        (0 | 1, [_, _]) => Some((axis(0), axis(1))),
        (2.., [_]) => {
            let stem = |arm: &crate::sweep::sweep_folder::manifest::ManifestArm| {
                let named = data.file.arms.iter().find(|entry| {
                    arm.name
                        .strip_prefix(&entry.name)
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                });
                named.map_or_else(|| arm.name.clone(), |entry| entry.name.clone())
            };
            let stems: Vec<String> = data.manifest.arms.iter().map(stem).collect();
            Some((Setting::from_labels("arm", &stems), axis(0)))
        }
        _ => None,
    }
}

/// Most columns that panels of curves have room for.
const PANEL_COLUMNS_MAX: usize = 6;

/// The design as rows and columns of panels, with the arm at each place, row by row; `None` where it isn't two settings, or a pair has no arm
/// (facet grid).
pub(super) fn panels(data: &SweepData) -> Option<(Grid, Vec<usize>)> {
    let (rows, columns) = settings(data)?;
    let sizes = [rows.values.len(), columns.values.len()];
    let has_room =
        sizes[0] > 1 && (2..=PANEL_COLUMNS_MAX).contains(&sizes[1]) && sizes[0] * sizes[1] <= PANELS_MAX;
    if !has_room {
        return None;
    }
    let at = |row: usize, column: usize| {
        let is_there = |arm: &usize| (rows.of_arm[*arm], columns.of_arm[*arm]) == (row, column);
        (0..rows.of_arm.len()).find(is_there)
    };
    let places = (0..sizes[0]).flat_map(|row| (0..sizes[1]).map(move |column| (row, column)));
    let arms = places.map(|(row, column)| at(row, column)).collect::<Option<Vec<usize>>>()?;
    Some((Grid { rows: (rows.name, rows.values), columns: (columns.name, columns.values) }, arms))
}

/// The primary measure over two settings (heatmap of a two-factor grid); `None` when there aren't two, one has a single value or more than
/// 40, there are more pairs than arms or fewer, or no arm has a value.
pub(crate) fn heat_map(data: &SweepData, analysis: &Analysis) -> Option<Figure> {
    let primary = &analysis.primary;
    let (rows, columns) = settings(data)?;
    let sizes = [&rows, &columns].map(|setting| setting.values.len());
    if sizes.iter().any(|size| !(2..=VALUES_MAX).contains(size)) || sizes[0] * sizes[1] != primary.arms.len()
    {
        return None;
    }
    let mut cells = vec![vec![None; sizes[1]]; sizes[0]];
    // Without ladder and map the arms of the analysis are those of the sweep, in its order.
    for (place, arm) in primary.arms.iter().enumerate() {
        let value = arm.value.as_ref().map(|own| (own.mean, figure(own.mean)));
        cells[rows.of_arm[place]][columns.of_arm[place]] = value;
    }
    let (measure, cohort, unit) = (label(&primary.measure), &primary.cohort, &primary.unit);
    HeatMap {
        name: "heat-map",
        title: &format!("{} by {} and {}", capitalised(measure), rows.name, columns.name),
        description: &format!(
            "Mean over worlds of {measure} of {cohort} in {unit}, which every cell says; the stronger the colour, the larger it is. Dashed \
             cells have no value."
        ),
        rows: (&rows.name, &rows.values),
        columns: (&columns.name, &columns.values),
        cells: &cells,
    }
    .draw()
}
