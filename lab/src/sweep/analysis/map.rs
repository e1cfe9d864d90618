//! A phase map: a contrast at every point of two axes.
//!
//! The cells of a map are one family of tests: with dozens of cells, some would cross an uncorrected 5 % by luck alone, and would look like
//! a phase boundary. A map may name its own correction, because bounding the share of false cells (Benjamini and Hochberg) is often what a
//! map is for.
//!
//! Effects are in the measure's unit. A cell without worlds has no effect; it counts as p = 1 in the correction. Without a correction of
//! its own a map has the registered one, or Holm's. A file with a third axis is refused; a ladder that is none of the two stands on its
//! primary rung. Cells are tested also where nothing is registered. The table `[map]` of a sweep file asks for it.

use super::compare::Basis;
use super::contrast::{Contrast, judge};
use crate::sweep::sweep_file::contrasts::{Dimension, MapTable};
use crate::sweep::sweep_file::layout::{GridPlace, Layout};
use crate::sweep::sweep_file::{Correction, Sweep, SweepFile, Test};
use serde::{Deserialize, Serialize};

/// A phase diagram, as `map` of `analysis.json` holds it: a grid of contrasts, drawn as a heat map.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MapReport {
    /// The arm of interest.
    pub treated: String,
    /// The arm that is taken from it.
    pub control: String,
    /// The measure in which they are compared.
    pub measure: String,
    /// Its unit.
    pub unit: String,
    /// The cohort it is taken of.
    pub cohort: String,
    /// The rung of the ladder on which all cells are; none without a ladder, and where it is one of the two axes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rung: Option<String>,
    /// From left to right.
    pub x: MapAxis,
    /// From bottom to top.
    pub y: MapAxis,
    /// The usual confidence level of intervals, in (0, 1); each cell has the one that the correction leaves.
    pub confidence: f64,
    /// The test of every cell.
    pub test: Test,
    /// The correction for the number of cells.
    pub correction: Correction,
    /// The error rate.
    pub alpha: f64,
    /// Row by row, the lowest row first; within a row from left to right.
    pub cells: Vec<MapCell>,
}

/// One of the two axes (axis of a phase diagram); also a choice of a specification curve.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapAxis {
    /// The key it varies, or `ladder`.
    pub key: String,
    /// Its name in the file; its key where it has none.
    pub name: String,
    /// Its values as the names of arms have them.
    pub levels: Vec<String>,
}

/// One cell of a phase diagram: the contrast at a point of both axes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MapCell {
    /// Value of the horizontal axis.
    pub x: String,
    /// Value of the vertical axis.
    pub y: String,
    /// The contrast there.
    #[serde(flatten)]
    pub contrast: Contrast,
}

impl MapReport {
    /// The map of a sweep whose file has one.
    pub(super) fn from_sweep(basis: &Basis<'_>, map: &MapTable) -> Self {
        let (sweep, rules) = (basis.sweep, &basis.rules);
        let file = &sweep.file;
        let (measure, cohort) = file
            .measure_and_cohort(map.measure.as_deref(), map.cohort.as_deref())
            .expect("the file was checked");
        let question = basis.question(measure, cohort);
        let find = |name: &str| file.dimension(name).expect("the file was checked");
        let grid = Grid { file, layout: file.layout(), dimensions: [find(&map.x), find(&map.y)] };
        let (treated, control) = (&map.contrast[0], &map.contrast[1]);
        let [x, y] = grid.dimensions.map(|dimension| axis(sweep, dimension));
        let mut cells = Vec::new();
        for (row, y) in y.levels.iter().enumerate() {
            for (column, x) in x.levels.iter().enumerate() {
                let arms = [treated, control].map(|arm| grid.arm(arm, [column, row]));
                let contrast = Contrast::between(basis, question, arms);
                cells.push(MapCell { x: x.clone(), y: y.clone(), contrast });
            }
        }
        let correction = map.correction.unwrap_or(rules.correction());
        judge(cells.iter_mut().map(|cell| &mut cell.contrast), correction, rules);
        let has_rung = !file.ladder.is_empty() && !grid.dimensions.contains(&Dimension::Ladder);
        Self {
            treated: treated.clone(),
            control: control.clone(),
            measure: question.measure.name.to_owned(),
            unit: question.measure.unit.to_owned(),
            cohort: question.cohort.clone(),
            rung: has_rung.then(|| file.ladder[file.primary_rung()].name.clone()),
            x,
            y,
            confidence: rules.options.level,
            test: rules.test(),
            correction,
            alpha: rules.alpha(),
            cells,
        }
    }

    /// Iterates over the cells row by row, the lowest row first.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &[MapCell]> {
        self.cells.chunks(self.x.levels.len().max(1))
    }
}

/// The places of arms in the sweep's grid.
struct Grid<'a> {
    file: &'a SweepFile,
    layout: Layout,
    dimensions: [Dimension; 2],
}

impl Grid<'_> {
    /// Number of the named arm where both axes have these levels.
    fn arm(&self, name: &str, levels: [usize; 2]) -> usize {
        let arm = self.file.arm_place(name);
        let mut rung = self.file.primary_rung();
        let mut of_axes = vec![0; self.file.axes.len()];
        for (dimension, level) in self.dimensions.into_iter().zip(levels) {
            match dimension {
                Dimension::Ladder => rung = level,
                Dimension::Axis(axis) => of_axes[axis] = level,
            }
        }
        let point = self.layout.point(&of_axes);
        self.layout.index(GridPlace { arm, rung, point })
    }
}

pub(super) fn axis(sweep: &Sweep, dimension: Dimension) -> MapAxis {
    let file = &sweep.file;
    let Dimension::Axis(index) = dimension else {
        let levels = file.ladder.iter().map(|rung| rung.name.clone()).collect();
        return MapAxis { key: "ladder".to_owned(), name: "ladder".to_owned(), levels };
    };
    let (axis, layout) = (&file.axes[index], file.layout());
    let mut of_axes = vec![0; file.axes.len()];
    let level = |level: usize| {
        of_axes[index] = level;
        let arm = layout.index(GridPlace { arm: 0, rung: 0, point: layout.point(&of_axes) });
        // The parts of an arm's name that are those of its axes are the last ones.
        let parts: Vec<&str> = sweep.arms[arm].name.split('/').collect();
        let part = parts[parts.len() - file.axes.len() + index];
        part.split_once('=').map_or(part, |(_, value)| value).to_owned()
    };
    let levels = (0..axis.value_count()).map(level).collect();
    MapAxis { key: axis.key.clone(), name: axis.name.clone().unwrap_or_else(|| axis.key.clone()), levels }
}
