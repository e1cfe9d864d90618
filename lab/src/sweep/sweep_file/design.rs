//! The arms of a sweep: named arms combined with the points of its axes, and with the rungs of the ladder. It is the design matrix of an
//! experiment: list, full factorial, one-at-a-time, Latin hypercube, Morris trajectories, Sobol sequence. Points of the last three are
//! drawn from `design_seed` (by default 1) and not from the worlds' seeds, so that a design can be made again. `arms` puts the values into
//! scenarios and checks each; a key that arm, rung and axis set twice is refused by the checks, and in two spellings by `arms`. More than
//! 10,000 arms are refused before any is made.

use super::axis::Axis;
use super::config::SweepFile;
use super::sensitivity::{AxisChoice, SensitivityDesign};
use super::value::Design;
use crate::run::scenario_file::KeySetting;
use crate::run::scenario_file::mistake::written;
use crate::run::scenario_file::tree::{Node, Origin, Value};
use morta_base::{Purpose, WorldSeed};
use std::sync::Arc;

/// Most arms of a sweep (design size limit), all combinations counted. Our choice: each is a scenario in memory and a row of every table; a
/// forgotten axis is found by it before anything is read.
pub(crate) const ARMS_MAX: usize = 10_000;

/// An arm before its scenario is known (planned arm): its name and its parameter overrides.
#[derive(Clone, Debug)]
pub(crate) struct ArmPlan {
    /// Its name: that of the arm and those of the values, with strokes between.
    pub name: String,
    /// Its description, as the file has it.
    pub description: String,
    /// The settings by which it differs from the scenario.
    pub settings: Vec<KeySetting>,
    /// Whether it changes nothing but one value of the arm before; see [`Design::OneAtATime`].
    pub single: bool,
}

/// One value of an axis, or one rung of the ladder, with its name.
#[derive(Clone, Debug)]
struct Level {
    label: String,
    /// What it changes in the scenario, by dotted key.
    sets: Vec<(String, Node)>,
}

/// The number of arms (design size): the size of the Cartesian product of a grid, for a sensitivity analysis an upper bound, because equal
/// points are lived once. It saturates, so that a design beyond any machine is refused by its number; an overflow would look like a small
/// design.
pub(super) fn count(file: &SweepFile) -> usize {
    let lengths = || file.axes.iter().map(Axis::value_count);
    let points = match file.design {
        Design::List => lengths().next().unwrap_or(1),
        Design::Grid => lengths().fold(1, usize::saturating_mul),
        Design::OneAtATime => lengths().fold(1, usize::saturating_add),
        Design::LatinHypercube => file.samples.unwrap_or(0) as usize,
        Design::Morris | Design::Sobol => file.sensitivity_points(),
    };
    points.saturating_mul(file.ladder.len().max(1)).saturating_mul(file.arms.len().max(1))
}

/// All arms, in the order of the file (design matrix): the Cartesian product of named arms, rungs and points. `tree` is the file as it was
/// written, `shown` its name in errors.
pub(super) fn arms(file: &SweepFile, tree: &Node, shown: &str) -> Vec<ArmPlan> {
    let points = on_rungs(file, tree, &points(file, tree));
    let entry = |index: usize| tree.child("arms").and_then(|arms| arms.child(&index.to_string()));
    let mut plans = Vec::new();
    for index in 0..file.arms.len().max(1) {
        let arm = file.arms.get(index);
        let own = entry(index).and_then(|arm| arm.child("set")).map(flatten).unwrap_or_default();
        for point in &points {
            let labels =
                point.iter().filter(|level| !level.label.is_empty()).map(|level| level.label.as_str());
            // All values of a hypercube's point have the point's name, which must stand in the arm's name once.
            let mut parts: Vec<&str> = arm.map(|arm| arm.name.as_str()).into_iter().chain(labels).collect();
            parts.dedup();
            let name = if parts.is_empty() { "base".to_owned() } else { parts.join("/") };
            let levels = point.iter().flat_map(|level| level.sets.iter().cloned());
            let settings = own.iter().cloned().chain(levels);
            let settings = settings.map(|(key, node)| setting(key, node, shown, &name)).collect();
            let description = arm.map(|arm| arm.description.clone()).unwrap_or_default();
            let single = file.design == Design::OneAtATime && !point.is_empty();
            plans.push(ArmPlan { name, description, settings, single });
        }
    }
    plans
}

/// Flattens the settings of a table to dotted keys (parameter overrides), whose mistakes name the place and the arm.
pub(super) fn settings(table: &Node, shown: &str) -> Vec<KeySetting> {
    flatten(table).into_iter().map(|(key, node)| setting(key, node, shown, "")).collect()
}

fn setting(key: String, node: Node, shown: &str, arm: &str) -> KeySetting {
    let line = match &node.origin {
        Origin::Line(line) => format!("{shown}:{line}"),
        _ => shown.to_owned(),
    };
    let place = if arm.is_empty() { line } else { format!("{line}: arm {arm}") };
    KeySetting { key, node: node.moved_to(&Origin::Sweep(Arc::from(place))) }
}

/// The values of nested tables under their dotted keys.
fn flatten(table: &Node) -> Vec<(String, Node)> {
    let Value::Table(entries) = &table.value else { return Vec::new() };
    let mut found = Vec::new();
    for (key, node) in entries {
        match &node.value {
            Value::Table(inner) if !inner.is_empty() => {
                found.extend(flatten(node).into_iter().map(|(rest, node)| (format!("{key}.{rest}"), node)));
            }
            _ => found.push((key.clone(), node.clone())),
        }
    }
    found
}

/// Every point on every rung of the ladder, rungs first; without a ladder the points themselves.
fn on_rungs(file: &SweepFile, tree: &Node, points: &[Vec<Level>]) -> Vec<Vec<Level>> {
    if file.ladder.is_empty() {
        return points.to_vec();
    }
    let rung = |(index, rung): (usize, &super::contrasts::Rung)| {
        let node = tree.child("ladder").and_then(|ladder| ladder.child(&index.to_string()));
        Level { label: rung.name.clone(), sets: sets_of(node) }
    };
    let rungs: Vec<Level> = file.ladder.iter().enumerate().map(rung).collect();
    let with = |rung: &Level| -> Vec<Vec<Level>> {
        points.iter().map(|point| std::iter::once(rung).chain(point).cloned().collect()).collect()
    };
    rungs.iter().flat_map(with).collect()
}

/// What an entry's `set` changes.
fn sets_of(entry: Option<&Node>) -> Vec<(String, Node)> {
    entry.and_then(|entry| entry.child("set")).map(flatten).unwrap_or_default()
}

fn points(file: &SweepFile, tree: &Node) -> Vec<Vec<Level>> {
    if file.design == Design::LatinHypercube {
        return hypercube(file, tree);
    }
    if let Some(design) = SensitivityDesign::from_file(file) {
        return sensitivity(file, tree, &design);
    }
    let levels: Vec<Vec<Level>> = (0..file.axes.len()).map(|index| levels(file, tree, index)).collect();
    match file.design {
        Design::List => {
            let length = levels.first().map_or(1, Vec::len);
            (0..length).map(|place| levels.iter().map(|axis| axis[place].clone()).collect()).collect()
        }
        Design::Grid => levels.iter().fold(vec![Vec::new()], |points, axis| {
            let with = |point: &Vec<Level>| {
                let point = point.clone();
                axis.iter().map(move |level| point.iter().cloned().chain([level.clone()]).collect())
            };
            points.iter().flat_map(with).collect()
        }),
        Design::OneAtATime => {
            std::iter::once(Vec::new()).chain(levels.into_iter().flatten().map(|level| vec![level])).collect()
        }
        Design::LatinHypercube | Design::Morris | Design::Sobol => {
            unreachable!("designs that draw their points have been dealt with")
        }
    }
}

fn axis_node(tree: &Node, index: usize) -> Option<&Node> {
    tree.child("axes")?.child(&index.to_string())
}

fn levels(file: &SweepFile, tree: &Node, index: usize) -> Vec<Level> {
    let axis = &file.axes[index];
    let name = file.axis_label(index);
    let named = |(place, node): (usize, Node)| {
        let label = format!("{name}={}", label(&node, place));
        Level { label, sets: vec![(axis.key.clone(), node)] }
    };
    if let Some(levels) = &axis.levels {
        let written = axis_node(tree, index).and_then(|axis| axis.child("levels"));
        let level = |(place, level): (usize, &super::axis::AxisLevel)| Level {
            label: format!("{name}={}", level.name),
            sets: sets_of(written.and_then(|levels| levels.child(&place.to_string()))),
        };
        return levels.iter().enumerate().map(level).collect();
    }
    values(axis, axis_node(tree, index)).into_iter().enumerate().map(named).collect()
}

/// The values of an axis, or as many of its range as it has steps.
fn values(axis: &Axis, written: Option<&Node>) -> Vec<Node> {
    if let Some(Value::List(nodes)) = written.and_then(|node| node.child("values")).map(|node| &node.value) {
        return nodes.clone();
    }
    let steps = axis.value_count();
    (0..steps).map(|step| in_range(axis, step as f64 / (steps - 1) as f64, written)).collect()
}

/// The value at a share of the way from low to high.
fn in_range(axis: &Axis, share: f64, written: Option<&Node>) -> Node {
    number(axis, axis.value_at(share), written)
}

fn number(axis: &Axis, value: f64, written: Option<&Node>) -> Node {
    let origin = written.map_or(Origin::Unknown, |node| node.origin_of("low").clone());
    let value = if axis.integer { Value::Integer(value.round() as i64) } else { Value::Float(value) };
    Node { value, origin }
}

/// One value of each of `samples` equal shares of every axis, in an order of its own for each axis (McKay, Beckman and Conover 1979).
fn hypercube(file: &SweepFile, tree: &Node) -> Vec<Vec<Level>> {
    let samples = file.samples.unwrap_or(0) as usize;
    let width = samples.to_string().len();
    let mut points = vec![Vec::new(); samples];
    for (index, axis) in file.axes.iter().enumerate() {
        let mut stream = WorldSeed(file.design_seed).world(Purpose::Permutation, index as u32, 0);
        let mut strata: Vec<usize> = (0..samples).collect();
        stream.shuffle(&mut strata);
        let written = axis_node(tree, index);
        for (place, stratum) in strata.into_iter().enumerate() {
            let share = (stratum as f64 + stream.uniform()) / samples as f64;
            if let Some(named) = &axis.levels {
                let at = ((share * named.len() as f64) as usize).min(named.len() - 1);
                let sets = levels(file, tree, index)[at].sets.clone();
                points[place].push(Level { label: format!("sample-{:0width$}", place + 1), sets });
                continue;
            }
            let node = match &axis.values {
                Some(listed) => {
                    let at = ((share * listed.len() as f64) as usize).min(listed.len() - 1);
                    values(axis, written)[at].clone()
                }
                None if axis.integer && !axis.log => number(axis, axis.whole_at(share) as f64, written),
                None => in_range(axis, share, written),
            };
            let label = format!("sample-{:0width$}", place + 1);
            points[place].push(Level { label, sets: vec![(axis.key.clone(), node)] });
        }
    }
    points
}

/// The points of a sensitivity analysis; all of a point's name is in its first level.
fn sensitivity(file: &SweepFile, tree: &Node, design: &SensitivityDesign) -> Vec<Vec<Level>> {
    let listed: Vec<Vec<Level>> = (0..file.axes.len())
        .map(|index| if file.axes[index].low.is_some() { Vec::new() } else { levels(file, tree, index) })
        .collect();
    let level = |(index, choice): (usize, &AxisChoice)| {
        let axis = &file.axes[index];
        let sets = match *choice {
            AxisChoice::Place(place) => listed[index][place].sets.clone(),
            AxisChoice::Whole(value) => {
                vec![(axis.key.clone(), number(axis, value as f64, axis_node(tree, index)))]
            }
            AxisChoice::Real(value) => vec![(axis.key.clone(), number(axis, value, axis_node(tree, index)))],
        };
        Level { label: String::new(), sets }
    };
    let point = |point: &super::sensitivity::DesignPoint| {
        let mut levels: Vec<Level> = point.choices.iter().enumerate().map(level).collect();
        if let Some(first) = levels.first_mut() {
            first.label.clone_from(&point.name);
        }
        levels
    };
    design.points.iter().map(point).collect()
}

/// Longest value that is written out in a name, characters; names are columns of tables and parts of paths.
const LABEL_MAX: usize = 24;

fn label(node: &Node, place: usize) -> String {
    let text = match &node.value {
        Value::Text(text) => text.clone(),
        other => written(other),
    };
    let plain = text.chars().count() <= LABEL_MAX && !text.chars().any(|c| c.is_control() || c == '/');
    if plain { text } else { format!("#{}", place + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::scenario_file::tree::parse;

    fn names(text: &str) -> Vec<String> {
        plans(text).into_iter().map(|plan| plan.name).collect()
    }

    fn plans(text: &str) -> Vec<ArmPlan> {
        let text = format!("name = 'x'\nscenario = 'x.toml'\n{text}\n[seeds]\ncount = 2\n");
        let tree = parse(&text).unwrap();
        let file: SweepFile = tree.clone().into_toml().try_into().unwrap();
        let plans = arms(&file, &tree, "x.toml");
        assert_eq!(plans.len(), count(&file));
        plans
    }

    const AXES: &str =
        "[[axes]]\nkey = 'a.b'\nvalues = [1, 2, 3]\n[[axes]]\nkey = 'c'\nvalues = ['u', 'v']\n";
    const ARMS: &str = "[[arms]]\nname = 'p'\nset = { x.y = 1, z = 2 }\n[[arms]]\nname = 'q'\n";

    #[test]
    fn a_grid_combines_all_values() {
        let grid = format!("design = 'grid'\n{AXES}");
        assert_eq!(names(&grid), ["b=1/c=u", "b=1/c=v", "b=2/c=u", "b=2/c=v", "b=3/c=u", "b=3/c=v"]);
        let with_arms = format!("design = 'grid'\n{ARMS}{AXES}");
        assert_eq!(names(&with_arms).len(), 12);
        assert_eq!(names(&with_arms)[6], "q/b=1/c=u");
        let keys: Vec<String> =
            plans(&with_arms)[0].settings.iter().map(|setting| setting.key.clone()).collect();
        assert_eq!(keys, ["x.y", "z", "a.b", "c"]);
    }

    /// Arms, then rungs, then points; a rung and a level change several keys under one name.
    #[test]
    fn every_arm_is_on_every_rung_at_every_point() {
        let ladder = "[[ladder]]\nname = 'bare'\nset = { r.s = 1, r.t = 2 }\n[[ladder]]\nname = 'full'\n";
        let axis = "[[axes]]\nkey = 'drift'\n[[axes.levels]]\nname = 'slow'\nset = { d.e = 5 }\n[[axes.levels]]\nname = 'fast'\n\
            set = { d.e = 6, d.f = 7 }\n";
        let found = plans(&format!("{ARMS}{ladder}{axis}"));
        let names: Vec<&str> = found.iter().map(|plan| plan.name.as_str()).collect();
        assert_eq!(names[..3], ["p/bare/drift=slow", "p/bare/drift=fast", "p/full/drift=slow"]);
        assert_eq!((names.len(), names[5]), (8, "q/bare/drift=fast"));
        let keys = |plan: usize| found[plan].settings.iter().map(|one| one.key.clone()).collect::<Vec<_>>();
        assert_eq!(keys(1), ["x.y", "z", "r.s", "r.t", "d.e", "d.f"]);
        assert_eq!(keys(6), ["d.e"]);
    }

    #[test]
    fn a_list_takes_values_together_and_one_at_a_time_alone() {
        let list = "[[axes]]\nkey = 'a.b'\nvalues = [1, 2]\n[[axes]]\nkey = 'c'\nvalues = ['u', 'v']\n";
        assert_eq!(names(list), ["b=1/c=u", "b=2/c=v"]);
        assert_eq!(names(ARMS), ["p", "q"]);
        let single = format!("design = 'one-at-a-time'\n{AXES}");
        assert_eq!(names(&single), ["base", "b=1", "b=2", "b=3", "c=u", "c=v"]);
    }

    /// Equal parts beside each other were one: an arm `p/n=1` in place of `p/n=1/n=1`, and maps took its levels from other places.
    #[test]
    fn axes_whose_keys_end_alike_have_labels_that_differ() {
        let grid =
            "design = 'grid'\n[[axes]]\nkey = 'a.m.n'\nvalues = [1]\n[[axes]]\nkey = 'b.n'\nvalues = [1]\n";
        assert_eq!(names(grid), ["m.n=1/b.n=1"]);
        assert_eq!(names(&grid.replace("key = 'b.n'", "key = 'b.n'\nname = 'x'")), ["n=1/x=1"]);
        assert_eq!(names(&grid.replace("key = 'b.n'", "key = 'b.x'\nname = 'n'")), ["m.n=1/n=1"]);
        assert_eq!(names(&grid.replace("a.m.n", "n")), ["n=1/b.n=1"]);
    }

    #[test]
    fn ranges_are_spread_evenly_or_by_logarithms() {
        let even = "[[axes]]\nkey = 'n'\nlow = 1\nhigh = 10\nsteps = 4\ninteger = true\n";
        assert_eq!(names(even), ["n=1", "n=4", "n=7", "n=10"]);
        let log = "[[axes]]\nkey = 'n'\nlow = 1\nhigh = 1000\nsteps = 4\nlog = true\ninteger = true\n";
        assert_eq!(names(log), ["n=1", "n=10", "n=100", "n=1000"]);
    }

    /// The definition of a Latin hypercube: each of n equal shares of each axis holds exactly one point.
    #[test]
    fn every_stratum_of_a_hypercube_has_one_point() {
        let cube = "design = 'latin-hypercube'\nsamples = 16\n[[axes]]\nkey = 'a'\nlow = 0\nhigh = 16\n\
            [[axes]]\nkey = 'b'\nlow = 1\nhigh = 65536\nlog = true\n\
            [[axes]]\nkey = 'c'\nlow = 1\nhigh = 16\ninteger = true\n[[axes]]\nkey = 'd'\nvalues = [1, 2, 3, 4]\n";
        let plans = plans(cube);
        assert_eq!((plans[0].name.as_str(), plans[15].name.as_str()), ("sample-01", "sample-16"));
        let column = |axis: usize| -> Vec<f64> {
            let value = |plan: &ArmPlan| match plan.settings[axis].node.value {
                Value::Float(value) => value,
                Value::Integer(value) => value as f64,
                _ => panic!("a number"),
            };
            plans.iter().map(value).collect()
        };
        let strata = |values: Vec<f64>, stratum: fn(f64) -> usize| {
            let mut found: Vec<usize> = values.into_iter().map(stratum).collect();
            found.sort_unstable();
            found
        };
        let each: Vec<usize> = (0..16).collect();
        assert_eq!(strata(column(0), |x| x as usize), each);
        assert_eq!(strata(column(1), |x| x.log2() as usize), each);
        assert_eq!(strata(column(2), |x| x as usize - 1), each);
        let quarters: Vec<usize> = (0..16).map(|place| 1 + place / 4).collect();
        assert_eq!(strata(column(3), |x| x as usize), quarters);
        assert_ne!(column(0), column(2), "axes have orders of their own");
    }
}
