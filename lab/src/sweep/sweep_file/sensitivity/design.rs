//! The points of a sensitivity analysis. They are a function of the sweep file alone, so that the analysis of a folder finds them again
//! without a list. They are Morris trajectories and Saltelli samples of a Sobol sequence, drawn from `design_seed`; a point is a share from
//! 0 to 1 of each axis's range, by logarithms where the axis says so. Points that are equal after rounding are one arm, because each would
//! be lived in every world.

use crate::sweep::sweep_file::axis::Axis;
use crate::sweep::sweep_file::config::SweepFile;
use crate::sweep::sweep_file::value::Design;
use morta_base::{WorldSeed, math};
use morta_stats::sensitivity::Factor;
use morta_stats::sensitivity::morris::{Trajectory, trajectories};
use morta_stats::sensitivity::saltelli::SaltelliDesign;
use std::collections::BTreeMap;

/// The design matrix of a sensitivity analysis: the points, each once, and the rows that effects are computed from (Morris trajectories or
/// Saltelli samples).
#[derive(Clone, Debug, PartialEq)]
pub struct SensitivityDesign {
    /// Points that differ.
    pub points: Vec<DesignPoint>,
    /// Their rows: trajectories, or base samples.
    pub rows: DesignRows,
}

/// A design point: one setting of all axes (parameter vector), and its arm's name.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignPoint {
    /// The arm's name.
    pub name: String,
    /// The value of each axis.
    pub choices: Vec<AxisChoice>,
}

/// The factor level of an axis at a point (parameter value): a number of its range, or one of its values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AxisChoice {
    /// At a whole number of its range.
    Whole(i64),
    /// At a number of its range.
    Real(f64),
    /// At one of its values or levels, by place.
    Place(usize),
}

/// The points that effects are computed from together: trajectories of Morris, or samples of Saltelli.
#[derive(Clone, Debug, PartialEq)]
pub enum DesignRows {
    /// The steps of each trajectory.
    Morris(Vec<Vec<TrajectoryStep>>),
    /// The base samples.
    Sobol(Vec<BaseRow>),
}

/// One step of a Morris trajectory from which an elementary effect is computed: two points that differ in one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrajectoryStep {
    /// The axis that is moved.
    pub axis: usize,
    /// The point before, by number.
    pub before: usize,
    /// The point after.
    pub after: usize,
    /// The share of its range by which the axis was moved, negative downwards, by logarithms where the axis is; 1 or −1 between values or
    /// levels, which have no distance; 0 where rounding to whole numbers left it where it was.
    pub moved: f64,
}

/// One base sample of Saltelli's design, with its points by number.
#[derive(Clone, Debug, PartialEq)]
pub struct BaseRow {
    /// The point of A.
    pub a: usize,
    /// The point of B.
    pub b: usize,
    /// By axis: A's point with B's value of it.
    pub ab: Vec<usize>,
    /// By axis: B's point with A's value of it; empty where pairs aren't asked about.
    pub ba: Vec<usize>,
}

impl SensitivityDesign {
    /// Draws the design of a sweep file that was checked, by a Sobol sequence or Morris trajectories; `None` for another kind of design.
    pub fn from_file(file: &SweepFile) -> Option<Self> {
        let config = file.sensitivity()?;
        let factors: Vec<Factor> = file.axes.iter().map(Axis::factor).collect();
        let seed = WorldSeed(file.design_seed);
        let mut points = Points { axes: &file.axes, points: Vec::new(), known: BTreeMap::new() };
        let rows = if file.design == Design::Morris {
            let count = config.trajectories() as usize;
            let found = trajectories(&factors, config.levels() as usize, count, seed);
            let found = found.expect("the file was checked");
            let width = count.to_string().len();
            let steps = |(number, one)| points.steps(&format!("trajectory-{:0width$}", number + 1), one);
            DesignRows::Morris(found.iter().enumerate().map(steps).collect())
        } else {
            let count = config.base_samples.unwrap_or(0) as usize;
            let design = SaltelliDesign::new(&factors, count, seed).expect("the file was checked");
            let width = count.to_string().len();
            let row = |number| {
                let name = format!("sample-{:0width$}", number + 1);
                points.base_row(&name, &design, number, config.second_order)
            };
            DesignRows::Sobol((0..count).map(row).collect())
        };
        Some(Self { points: points.points, rows })
    }

    /// Draws the points of a file in the unit cube, equal ones included: by point the share of its range at which each axis is. Ranges make
    /// no difference to it, only how many axes there are, and of how many values. `morta sensitivity` narrows its ranges until each of
    /// these points is a valid scenario.
    pub fn shares(file: &SweepFile) -> Option<Vec<Vec<f64>>> {
        let config = file.sensitivity()?;
        let factors: Vec<Factor> = file.axes.iter().map(Axis::factor).collect();
        let seed = WorldSeed(file.design_seed);
        if file.design == Design::Morris {
            let (levels, count) = (config.levels() as usize, config.trajectories() as usize);
            let found = trajectories(&factors, levels, count, seed).ok()?;
            return Some(found.into_iter().flat_map(|one| one.points).collect());
        }
        let count = config.base_samples.unwrap_or(0) as usize;
        let design = SaltelliDesign::new(&factors, count, seed).ok()?;
        let row = |row: usize| {
            let (a, b) = (design.a[row].clone(), design.b[row].clone());
            let axes = 0..factors.len();
            let ab = axes.clone().map(|axis| design.ab(row, axis));
            let ba = axes.filter(|_| config.second_order).map(|axis| design.ba(row, axis));
            [a, b].into_iter().chain(ab).chain(ba).collect::<Vec<_>>()
        };
        Some((0..count).flat_map(row).collect())
    }

    /// Whether every axis still has two rows when these points are missing: one elementary effect has no spread, so neither σ nor an
    /// interval.
    pub(crate) fn tells_of_all(&self, axes: usize, is_there: impl Fn(usize) -> bool) -> bool {
        let rows_of = |axis: usize| match &self.rows {
            DesignRows::Morris(all) => {
                let is_whole = |step: &&TrajectoryStep| {
                    step.axis == axis && is_there(step.before) && is_there(step.after)
                };
                all.iter().flatten().filter(is_whole).count()
            }
            DesignRows::Sobol(all) => {
                let is_whole = |row: &&BaseRow| is_there(row.a) && is_there(row.b) && is_there(row.ab[axis]);
                all.iter().filter(is_whole).count()
            }
        };
        (0..axes).all(|axis| rows_of(axis) >= 2)
    }
}

/// Points so far, by their values.
struct Points<'a> {
    axes: &'a [Axis],
    points: Vec<DesignPoint>,
    known: BTreeMap<Vec<u64>, usize>,
}

impl Points<'_> {
    /// The number of the point with these shares. A point with the values of an earlier one is that one: rounding to whole numbers makes many equal,
    /// and each is a cell in every world.
    fn number(&mut self, name: impl FnOnce() -> String, shares: &[f64]) -> usize {
        let choices: Vec<AxisChoice> =
            self.axes.iter().zip(shares).map(|(axis, share)| axis.choice(*share)).collect();
        let bits = choices.iter().map(|choice| match choice {
            AxisChoice::Whole(value) => *value as u64,
            AxisChoice::Real(value) => value.to_bits(),
            AxisChoice::Place(place) => *place as u64,
        });
        let points = &mut self.points;
        *self.known.entry(bits.collect()).or_insert_with(|| {
            points.push(DesignPoint { name: name(), choices });
            points.len() - 1
        })
    }

    fn steps(&mut self, name: &str, trajectory: &Trajectory) -> Vec<TrajectoryStep> {
        let width = trajectory.moved.len().to_string().len();
        let numbers: Vec<usize> = trajectory
            .points
            .iter()
            .enumerate()
            .map(|(step, shares)| self.number(|| format!("{name}/step-{step:0width$}"), shares))
            .collect();
        let step = |(place, axis): (usize, &usize)| {
            let (before, after) = (numbers[place], numbers[place + 1]);
            let [from, to] = [before, after].map(|point| self.points[point].choices[*axis]);
            TrajectoryStep { axis: *axis, before, after, moved: self.axes[*axis].moved(from, to) }
        };
        trajectory.moved.iter().enumerate().map(step).collect()
    }

    fn base_row(&mut self, name: &str, design: &SaltelliDesign, row: usize, pairs: bool) -> BaseRow {
        let width = self.axes.len().to_string().len();
        let a = self.number(|| format!("{name}/a"), &design.a[row]);
        let b = self.number(|| format!("{name}/b"), &design.b[row]);
        let mut mixed = |side: &str, shares: fn(&SaltelliDesign, usize, usize) -> Vec<f64>| -> Vec<usize> {
            let point = |axis| {
                let named = || format!("{name}/{side}-{:0width$}", axis + 1);
                self.number(named, &shares(design, row, axis))
            };
            (0..design.a[row].len()).map(point).collect()
        };
        let ab = mixed("ab", SaltelliDesign::ab);
        let ba = if pairs { mixed("ba", SaltelliDesign::ba) } else { Vec::new() };
        BaseRow { a, b, ab, ba }
    }
}

impl Axis {
    /// What it is to a design.
    fn factor(&self) -> Factor {
        if self.values.is_some() || self.levels.is_some() {
            Factor::Levels(self.value_count())
        } else {
            Factor::Range
        }
    }

    /// Picks the value or level at a share of its range, as a quantile function does.
    pub fn choice(&self, share: f64) -> AxisChoice {
        if let Some(place) = self.factor().level(share) {
            return AxisChoice::Place(place);
        }
        if self.integer && !self.log {
            return AxisChoice::Whole(self.whole_at(share));
        }
        let value = self.value_at(share);
        if self.integer { AxisChoice::Whole(value.round() as i64) } else { AxisChoice::Real(value) }
    }

    /// Interpolates, linearly or by logarithms, to a share of the way from low to high; lists, grids and Latin hypercubes take values of a
    /// range by it too.
    pub fn value_at(&self, share: f64) -> f64 {
        let (low, high) = (self.low.unwrap_or(0.0), self.high.unwrap_or(0.0));
        let value = if self.log {
            math::exp(math::ln(low) + share * (math::ln(high) - math::ln(low)))
        } else {
            low + share * (high - low)
        };
        value.clamp(low, high)
    }

    /// Picks a whole number from low to high at a share of the range: each has the same share of the range, and so equal probability. A
    /// Latin hypercube draws whole numbers by it too.
    pub(crate) fn whole_at(&self, share: f64) -> i64 {
        let (low, high) = (self.low.unwrap_or(0.0).ceil(), self.high.unwrap_or(0.0).floor());
        (low + (share * (high - low + 1.0)).floor()).min(high) as i64
    }

    /// The share of its range between two places.
    fn moved(&self, from: AxisChoice, to: AxisChoice) -> f64 {
        let number = |choice: AxisChoice| match choice {
            AxisChoice::Whole(value) => value as f64,
            AxisChoice::Real(value) => value,
            AxisChoice::Place(place) => place as f64,
        };
        let (from, to) = (number(from), number(to));
        if let Factor::Levels(_) = self.factor() {
            return if to == from { 0.0 } else { (to - from).signum() };
        }
        let at = |value: f64| if self.log { math::ln(value) } else { value };
        let (low, high) = (self.low.unwrap_or(0.0), self.high.unwrap_or(0.0));
        (at(to) - at(from)) / (at(high) - at(low))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::scenario_file::tree::parse;

    const AXES: &str = "[[axes]]\nkey = 'a'\nlow = 1\nhigh = 100\nlog = true\n[[axes]]\nkey = 'b'\nvalues = [true, false]\n\
        [[axes]]\nkey = 'c'\nlow = 1\nhigh = 4\ninteger = true\n";

    fn design(text: &str) -> SensitivityDesign {
        let text = format!("name = 'x'\nscenario = 'x.toml'\n{text}\n{AXES}[seeds]\ncount = 2\n");
        let file: SweepFile = parse(&text).unwrap().into_toml().try_into().unwrap();
        let found = SensitivityDesign::from_file(&file).unwrap();
        assert!(found.points.len() <= file.sensitivity_points());
        found
    }

    #[test]
    fn steps_move_one_axis_by_the_share_it_went() {
        let found = design("design = 'morris'\nsensitivity = { measures = ['deaths'], trajectories = 20 }");
        let DesignRows::Morris(trajectories) = &found.rows else { panic!("trajectories") };
        assert_eq!((trajectories.len(), found.points[0].name.as_str()), (20, "trajectory-01/step-0"));
        for step in trajectories.iter().flatten() {
            let (before, after) = (&found.points[step.before].choices, &found.points[step.after].choices);
            let differing: Vec<usize> = (0..3).filter(|axis| before[*axis] != after[*axis]).collect();
            assert_eq!(differing, [step.axis]);
            let expected = [2.0 / 3.0, 1.0, 2.0 / 3.0][step.axis];
            assert!((step.moved.abs() - expected).abs() < 1e-12, "{step:?}");
            let grid = [1.0, 100.0_f64.cbrt(), 100.0_f64.powi(2).cbrt(), 100.0];
            let AxisChoice::Real(value) = before[0] else { panic!("a number") };
            assert!(grid.iter().any(|level| (level / value - 1.0).abs() < 1e-9), "{value}");
        }
        // Steps of whole numbers go from 1 to 3 or from 2 to 4: two thirds of the range.
        assert!(found.tells_of_all(3, |_| true) && !found.tells_of_all(3, |point| point == 0));
    }

    /// A point with the values of another is lived once.
    #[test]
    fn base_samples_share_points() {
        let text = "design = 'sobol'\nsensitivity = { measures = ['deaths'], base_samples = 16, second_order = true }";
        let found = design(text);
        let DesignRows::Sobol(rows) = &found.rows else { panic!("base samples") };
        assert!(
            found.points.len() < 16 * 8 && rows.iter().any(|row| row.ab[1] == row.a),
            "{}",
            found.points.len()
        );
        for row in rows {
            let [a, b, ab, ba] =
                [row.a, row.b, row.ab[2], row.ba[2]].map(|point| &found.points[point].choices);
            assert_eq!((&ab[..2], ab[2]), (&a[..2], b[2]));
            assert_eq!((&ba[..2], ba[2]), (&b[..2], a[2]));
        }
    }
}
