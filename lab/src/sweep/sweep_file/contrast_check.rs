//! Names in ladders, contrasts and maps: the arms, rungs and axes that they refer to, and checks of them. It is name resolution and
//! referential integrity of a configuration. A name that leads nowhere is refused here, because the analysis would otherwise miss it after
//! all cells were lived. Baseline, ceiling and the arms of a verdict rule are looked up by the same functions.

use super::axis::Axis;
use super::config::SweepFile;
use super::contrasts::{Dimension, LADDER, MapTable};
use super::layout::Layout;
use super::name::{demand_another, demand_measure, demand_name, no_such};
use super::value::{Design, shared_key};
use crate::io::text::nearest;
use crate::run::scenario_file::spelling::same_path;
use crate::sweep::measure;
use morta_base::TableChecker;

impl SweepFile {
    /// Looks up the axis or ladder that `x` or `y` of the map names; `None` for an unknown name.
    pub fn dimension(&self, name: &str) -> Option<Dimension> {
        let is_it = |axis: &Axis| same_path(&axis.key, name) || axis.name.as_deref() == Some(name);
        match self.axes.iter().position(is_it) {
            Some(axis) => Some(Dimension::Axis(axis)),
            None => (name == LADDER && !self.ladder.is_empty()).then_some(Dimension::Ladder),
        }
    }

    /// Number of the rung on which the registered comparison is made (primary rung); 0 without a ladder, and where no rung is primary.
    pub(crate) fn primary_rung(&self) -> usize {
        self.ladder.iter().position(|rung| rung.primary).unwrap_or(0)
    }

    /// Looks up the number of an arm by its name, given the names of all; where there is a ladder, a name without a rung is that of the arm
    /// on the primary rung.
    pub(crate) fn arm_named<'a>(
        &self,
        names: impl Iterator<Item = &'a str> + Clone,
        name: &str,
    ) -> Option<usize> {
        let exact = names.clone().position(|own| own == name);
        let on_primary = || {
            let rung = &self.ladder.get(self.primary_rung())?.name;
            let whole = match name.split_once('/') {
                Some((arm, rest)) => format!("{arm}/{rung}/{rest}"),
                None => format!("{name}/{rung}"),
            };
            names.clone().position(|own| own == whole)
        };
        exact.or_else(on_primary)
    }

    /// The position of an arm among `[[arms]]`, which a file that was checked has (arm index: index by name, lookup by name).
    pub(crate) fn arm_place(&self, name: &str) -> usize {
        self.arms.iter().position(|arm| arm.name == name).expect("the file was checked")
    }

    /// The measure and cohort of a contrast that may leave them out (resolve defaults: fallback to the primary endpoint); `None` when
    /// neither it nor the registration names a measure.
    pub(crate) fn measure_and_cohort<'a>(
        &'a self,
        measure: Option<&'a str>,
        cohort: Option<&'a str>,
    ) -> Option<(&'a str, &'a str)> {
        let primary = self.preregistration.as_ref().map(|registered| &registered.primary);
        let measure = measure.or_else(|| primary.map(|primary| primary.measure.as_str()))?;
        let cohort = cohort.or_else(|| primary.map(|primary| primary.cohort.as_str()));
        Some((measure, cohort.unwrap_or(measure::EVERYBODY)))
    }

    /// Whether arms are compared point by point (blocking), so that only those at the baseline's point are compared with it: elsewhere an
    /// arm would differ from it in the axes as well. True with a ladder, contrasts or a map.
    pub(crate) fn has_points(&self) -> bool {
        !self.ladder.is_empty() || self.map.is_some() || !self.contrasts.is_empty()
    }

    pub(super) fn check_contrasts(&self, table: &mut TableChecker<'_>) {
        self.check_ladder(table);
        if self.has_points() {
            table.demand(
                matches!(self.design, Design::List | Design::Grid),
                "design",
                "with a ladder, contrasts or a map",
                "must be \"list\" or \"grid\", so that every arm is run at every point",
            );
        }
        for (index, contrast) in self.contrasts.iter().enumerate() {
            let mut table = table.table(&format!("contrasts.{index}"));
            self.check_arm(&mut table, "treated", &contrast.treated);
            self.check_arm(&mut table, "control", &contrast.control);
            demand_another(&mut table, "control", &contrast.treated, &contrast.control);
            self.check_measure(&mut table, contrast.measure.as_deref());
        }
        if let Some(map) = &self.map {
            self.check_map(map, &mut table.table("map"));
        }
    }

    fn check_ladder(&self, table: &mut TableChecker<'_>) {
        for (index, rung) in self.ladder.iter().enumerate() {
            let mut table = table.table(&format!("ladder.{index}"));
            demand_name(&mut table, &rung.name);
            let twice = self.ladder[..index].iter().any(|other| other.name == rung.name);
            table.demand(!twice, "name", &rung.name, "another rung has this name already");
            let taken = self.arms.iter().any(|arm| arm.name == rung.name);
            table.demand(
                !taken,
                "name",
                &rung.name,
                "an arm has this name: its arms could not be told apart",
            );
            let second = rung.primary && self.primary_rung() != index;
            table.demand(!second, "primary", true, "another rung is the primary one already");
            for arm in &self.arms {
                let both = shared_key(&rung.set, &arm.set);
                let key = both.as_deref().unwrap_or_default();
                let remedy =
                    format!("arm {} sets {key} too: a key belongs to the arms or to the ladder", arm.name);
                table.demand(both.is_none(), "set", key, remedy);
            }
        }
    }

    fn check_map(&self, map: &MapTable, table: &mut TableChecker<'_>) {
        if let [treated, control] = map.contrast.as_slice() {
            self.check_arm(table, "contrast.0", treated);
            self.check_arm(table, "contrast.1", control);
            demand_another(table, "contrast.1", treated, control);
        }
        let (x, y) = (self.dimension(&map.x), self.dimension(&map.y));
        for (key, name, found) in [("x", &map.x, x), ("y", &map.y, y)] {
            let Some(found) = found else {
                table.demand(false, key, format!("\"{name}\""), self.no_such_dimension(name));
                continue;
            };
            let enough = self.levels_of(found) > 1;
            table.demand(enough, key, format!("\"{name}\""), "must have two values or more to be mapped");
        }
        if x.is_some() && x == y {
            table.demand(false, "y", format!("\"{}\"", map.y), "x is the same: name another axis");
        }
        for (index, axis) in self.axes.iter().enumerate() {
            let used = [x, y].contains(&Some(Dimension::Axis(index)));
            let remedy =
                format!("the map has two axes, and {} is a third: leave it out of the file", axis.key);
            table.demand(used, "x", format!("\"{}\"", map.x), remedy);
        }
        let joint = self.design == Design::List && self.axes.len() > 1;
        table.demand(!joint, "x", format!("\"{}\"", map.x), "a map of two axes needs design = \"grid\"");
        self.check_measure(table, map.measure.as_deref());
    }

    /// What an axis is called in the names of arms: its name, or as many last parts of its key as no other axis ends with. Two axes of one
    /// name would merge parts of an arm's name, from which figures take their levels.
    pub(crate) fn axis_label(&self, index: usize) -> &str {
        let Axis { key, name, .. } = &self.axes[index];
        if let Some(name) = name {
            return name;
        }
        let is_others = |tail: &str| {
            let ends_so =
                |key: &str| key.strip_suffix(tail).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
            let mut others = self.axes.iter().enumerate().filter(|(other, _)| *other != index);
            others.any(|(_, other)| {
                other.name.as_deref().map_or_else(|| ends_so(&other.key), |name| name == tail)
            })
        };
        let mut tails = key.rmatch_indices('.').map(|(at, _)| &key[at + 1..]);
        tails.find(|tail| !is_others(tail)).unwrap_or(key)
    }

    fn no_such_dimension(&self, name: &str) -> String {
        let known =
            || self.axes.iter().flat_map(|axis| [axis.name.as_deref(), Some(axis.key.as_str())]).flatten();
        match nearest(name, known()) {
            Some(near) => format!("no axis has this key or name: did you mean {near}?"),
            None => format!(
                "no axis has this key or name; there are {}",
                self.axes.iter().map(|axis| axis.key.as_str()).collect::<Vec<_>>().join(", ")
            ),
        }
    }

    fn levels_of(&self, dimension: Dimension) -> usize {
        match dimension {
            Dimension::Axis(axis) => self.axes[axis].value_count(),
            Dimension::Ladder => self.ladder.len(),
        }
    }

    pub(super) fn check_arm(&self, table: &mut TableChecker<'_>, key: &str, name: &str) {
        if self.arms.iter().any(|arm| arm.name == name) {
            return;
        }
        let remedy = if self.arms.is_empty() {
            "there are no [[arms]] to be held against each other".to_owned()
        } else {
            let names = self.arms.iter().map(|arm| arm.name.as_str());
            no_such("no entry of [[arms]] has this name", name, names)
        };
        table.demand(false, key, format!("\"{name}\""), remedy);
    }

    fn check_measure(&self, table: &mut TableChecker<'_>, own: Option<&str>) {
        match own {
            Some(name) => demand_measure(table, "measure", name),
            None => {
                let remedy = "say which measure the contrast is of: nothing was registered";
                table.demand(self.preregistration.is_some(), "measure", "nothing", remedy);
            }
        }
    }

    /// Makes the layout of the arms: a row-major grid of arms, rungs and points.
    pub fn layout(&self) -> Layout {
        Layout::from_file(self)
    }
}
