//! Checks of the values of a sweep file that don't depend on its scenario. They run first, because a scenario is read for every arm, and a
//! mistake in the file would be reported once for each. It is semantic validation of an experiment's configuration: all mistakes are
//! gathered and reported with their lines. Unknown keys and wrong types were refused by the schema before, and the range of each key is
//! checked in the same pass. That baseline and cohorts exist is checked after the arms are known.

use super::axis::Axis;
use super::config::{ArmEntry, Preregistration, Question, SEEDS_MAX, SweepFile};
use super::name::{NAME_REMEDY, demand_another, demand_measure, demand_name, is_name};
use super::value::{Design, Settings, flat_keys};
use crate::run::scenario_file::spelling::same_path;
use morta_base::TableChecker;
use morta_stats::looks::Spending;

impl SweepFile {
    pub(super) fn fits_together(&self, table: &mut TableChecker<'_>) {
        table.demand(is_name(&self.name), "name", &self.name, NAME_REMEDY);
        let hypercube = self.design == Design::LatinHypercube;
        if let Some(samples) = self.samples {
            let remedy = "only design = \"latin-hypercube\" has samples: leave it out";
            table.demand(hypercube, "samples", samples, remedy);
        } else if hypercube {
            table.demand(false, "samples", "nothing", "say how many points the Latin hypercube has");
        }
        let nothing = self.arms.is_empty() && self.axes.is_empty();
        table.demand(!nothing, "arms", "[]", "there is nothing to compare: name [[arms]] or [[axes]]");
        table.demand(
            self.design == Design::List || !self.axes.is_empty(),
            "design",
            "without axes",
            "name the [[axes]] that are combined, or leave the design out",
        );
        let compared = self.preregistration.is_none() || self.seeds.count != 1;
        let remedy = format!(
            "must be from 2 to {SEEDS_MAX}: arms are compared over worlds, and one world shows nothing"
        );
        table.table("seeds").demand(compared, "count", self.seeds.count, remedy);
        let asks_twice = self.question.is_some() && self.preregistration.is_some();
        let remedy = "a registration says what is asked: leave this out";
        table.demand(!asks_twice, "question", "beside [preregistration]", remedy);
        for (index, arm) in self.arms.iter().enumerate() {
            let twice = self.arms[..index].iter().any(|other| other.name == arm.name);
            let remedy = "another arm has this name already";
            table.table(&format!("arms.{index}")).demand(!twice, "name", &arm.name, remedy);
        }
        self.check_axes(table);
        self.check_contrasts(table);
        self.check_rule(table);
        self.check_sensitivity(table);
    }

    fn check_rule(&self, table: &mut TableChecker<'_>) {
        let Some(rule) = self.rule() else { return };
        let mut table = table.table("preregistration.rule");
        for (key, name) in [("treated", &rule.treated), ("control", &rule.control)] {
            if let Some(name) = name {
                self.check_arm(&mut table, key, name);
                // The analysis would count to another arm, or beyond the last.
                let has_points = matches!(self.design, Design::List | Design::Grid);
                let remedy = "arms of a rule can be named with design = \"list\" or \"grid\" alone: leave it out, and every arm is judged \
                              against the baseline";
                table.demand(has_points, key, format!("\"{name}\""), remedy);
            }
        }
        if let (Some(treated), Some(control)) = (&rule.treated, &rule.control) {
            demand_another(&mut table, "control", treated, control);
        }
    }

    fn check_axes(&self, table: &mut TableChecker<'_>) {
        for (index, axis) in self.axes.iter().enumerate() {
            let mut table = table.table(&format!("axes.{index}"));
            let twice = self.axes[..index].iter().any(|other| same_path(&other.key, &axis.key));
            table.demand(!twice, "key", &axis.key, "another axis varies this key already");
            if let Some(name) = &axis.name {
                let twice = self.axes[..index].iter().any(|other| other.name.as_ref() == Some(name));
                table.demand(!twice, "name", name, "another axis has this name already");
            }
            for key in axis.keys() {
                let sets = |set: &Settings| flat_keys(set).iter().any(|own| same_path(own, &key));
                let fixed = self.arms.iter().find(|arm: &&ArmEntry| sets(&arm.set));
                let arm = fixed.map_or("", |arm| &arm.name);
                table.demand(fixed.is_none(), "key", &key, format!("arm {arm} sets this key already"));
                let rung = self.ladder.iter().find(|rung| sets(&rung.set));
                let name = rung.map_or("", |rung| &rung.name);
                table.demand(rung.is_none(), "key", &key, format!("rung {name} sets this key already"));
            }
            axis.check_values(&mut table, self.design);
        }
        let lengths: Vec<usize> = self.axes.iter().map(Axis::value_count).collect();
        if self.design == Design::List && lengths.iter().any(|length| *length != lengths[0]) {
            let shown: Vec<String> = lengths.iter().map(ToString::to_string).collect();
            let remedy = "the axes of a list need the same number of values each: use design = \"grid\" to combine all";
            table.demand(false, "design", format!("axes of {} values", shown.join(", ")), remedy);
        }
    }
}

impl ArmEntry {
    pub(super) fn is_named(&self, table: &mut TableChecker<'_>) {
        demand_name(table, &self.name);
    }
}

impl Question {
    pub(super) fn is_known(&self, table: &mut TableChecker<'_>) {
        demand_measure(table, "measure", &self.measure);
    }
}

impl Preregistration {
    pub(super) fn is_complete(&self, table: &mut TableChecker<'_>) {
        for (key, text, remedy) in [
            ("hypothesis", &self.hypothesis, "say what is expected, and why"),
            ("analysis", &self.analysis, "say how the results will be judged"),
        ] {
            table.demand(!text.trim().is_empty(), key, "\"\"", remedy);
        }
        for (index, pair) in self.looks.windows(2).enumerate() {
            let remedy = format!("must be more than the {} before it", pair[0]);
            table.demand(pair[1] > pair[0], &format!("looks.{}", index + 1), pair[1], remedy);
        }
        let is_without_looks = self.looks.is_empty() && self.spending != Spending::default();
        table.demand(
            !is_without_looks,
            "spending",
            self.spending,
            "only looks spend: name them, or leave this out",
        );
        // A power of 1 needs infinitely many worlds.
        table.demand(self.power != 1.0, "power", self.power, "must be above 0 and below 1");
        demand_measure(table, "primary.measure", &self.primary.measure);
        for (index, name) in self.secondary.iter().enumerate() {
            demand_measure(table, &format!("secondary.{index}"), name);
        }
    }
}
