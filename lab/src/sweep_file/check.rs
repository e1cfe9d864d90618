//! Everything about the values of a sweep file that can't be, but for what depends on its scenario.

use super::config::{Axis, Design, Preregistration, Settings, SweepFile};
use crate::measure;
use crate::scenario_file::spelling::same_path;
use morta_engine::base::{Checker, TableChecker};

/// Most worlds of a sweep.
const SEEDS_MAX: u64 = 100_000;

impl SweepFile {
    /// Notes every value that can't be.
    pub fn check(&self, check: &mut Checker) {
        let mut top = check.table("");
        top.demand(is_name(&self.name), "name", &self.name, NAME_REMEDY);
        let hypercube = self.design == Design::LatinHypercube;
        if let Some(samples) = self.samples {
            top.whole("samples", samples, 2, 10_000);
            top.demand(
                hypercube,
                "samples",
                samples,
                "only design = \"latin-hypercube\" has samples: leave it out",
            );
        } else if hypercube {
            top.demand(false, "samples", "nothing", "say how many points the Latin hypercube has");
        }
        let nothing = self.arms.is_empty() && self.axes.is_empty();
        top.demand(!nothing, "arms", "[]", "there is nothing to compare: name [[arms]] or [[axes]]");
        top.demand(
            self.design == Design::List || !self.axes.is_empty(),
            "design",
            "without axes",
            "name the [[axes]] that are combined, or leave the design out",
        );
        let mut seeds = check.table("seeds");
        let least = if self.preregistration.is_some() { 2 } else { 1 };
        seeds.demand(
            (least..=SEEDS_MAX).contains(&self.seeds.count),
            "count",
            self.seeds.count,
            match least {
                2 => format!("must be from 2 to {SEEDS_MAX}: arms are compared over worlds, and one world shows nothing"),
                _ => format!("must be from 1 to {SEEDS_MAX}"),
            },
        );
        seeds.whole("first", self.seeds.first, 0, i64::MAX as u64 - SEEDS_MAX);
        self.check_arms(check);
        self.check_axes(check);
        check.table("series").whole("bins", self.series.bins, 1, 1_000);
        if let Some(registered) = &self.preregistration {
            registered.check(check);
        }
    }

    fn check_arms(&self, check: &mut Checker) {
        for (index, arm) in self.arms.iter().enumerate() {
            let mut table = check.table(&format!("arms.{index}"));
            table.demand(is_name(&arm.name), "name", &arm.name, NAME_REMEDY);
            let twice = self.arms[..index].iter().any(|other| other.name == arm.name);
            table.demand(!twice, "name", &arm.name, "another arm has this name already");
        }
    }

    fn check_axes(&self, check: &mut Checker) {
        for (index, axis) in self.axes.iter().enumerate() {
            let mut table = check.table(&format!("axes.{index}"));
            let twice = self.axes[..index].iter().any(|other| same_path(&other.key, &axis.key));
            table.demand(!twice, "key", &axis.key, "another axis varies this key already");
            let fixed =
                self.arms.iter().find(|arm| flat_keys(&arm.set).iter().any(|key| same_path(key, &axis.key)));
            let arm = fixed.map_or("", |arm| &arm.name);
            table.demand(fixed.is_none(), "key", &axis.key, format!("arm {arm} sets this key already"));
            if let Some(name) = &axis.name {
                table.demand(is_name(name), "name", name, NAME_REMEDY);
            }
            axis.check(&mut table, self.design);
        }
        let lengths: Vec<usize> = self.axes.iter().map(Axis::len).collect();
        if self.design == Design::List && lengths.iter().any(|length| *length != lengths[0]) {
            let shown: Vec<String> = lengths.iter().map(ToString::to_string).collect();
            let remedy = "the axes of a list need the same number of values each: use design = \"grid\" to combine all";
            check.table("").demand(false, "design", format!("axes of {} values", shown.join(", ")), remedy);
        }
    }
}

impl Axis {
    /// How many values it has, without those of a hypercube.
    pub fn len(&self) -> usize {
        self.values.as_ref().map_or(self.steps.unwrap_or(0) as usize, Vec::len)
    }

    fn check(&self, table: &mut TableChecker<'_>, design: Design) {
        let range = self.low.is_some() || self.high.is_some();
        if let Some(values) = &self.values {
            table.demand(!range, "low", "with values", "give values, or low and high, not both");
            table.demand(
                (1..=1_000).contains(&values.len()),
                "values",
                values.len(),
                "give 1 to 1000 values",
            );
            return;
        }
        let (Some(low), Some(high)) = (self.low, self.high) else {
            table.demand(false, "values", "nothing", "give values, or low and high");
            return;
        };
        table.demand(low.is_finite(), "low", low, "must be a number");
        table.demand(high.is_finite() && high > low, "high", high, "must be a number above low");
        table.demand(
            !self.log || low > 0.0,
            "low",
            low,
            "must be above 0 for values spread by their logarithms",
        );
        match self.steps {
            Some(steps) => table.whole("steps", steps, 2, 1_000),
            None if design == Design::LatinHypercube => {}
            None => table.demand(false, "steps", "nothing", "say how many values from low to high there are"),
        }
    }
}

impl Preregistration {
    fn check(&self, check: &mut Checker) {
        let mut table = check.table("preregistration");
        table.demand(
            !self.hypothesis.trim().is_empty(),
            "hypothesis",
            "\"\"",
            "say what is expected, and why",
        );
        table.demand(
            !self.analysis.trim().is_empty(),
            "analysis",
            "\"\"",
            "say how the results will be judged",
        );
        table.demand(
            self.alpha > 0.0 && self.alpha <= 0.5,
            "alpha",
            self.alpha,
            "must be above 0 and at most 0.5",
        );
        table.above("effect_of_interest", self.effect_of_interest, 0.0);
        table.demand(
            self.power > 0.0 && self.power < 1.0,
            "power",
            self.power,
            "must be above 0 and below 1",
        );
        let primary = &self.primary.measure;
        let mut known = |key: &str, name: &str| {
            let remedy = measure::no_such(name);
            table.demand(measure::find(name).is_some(), key, format!("\"{name}\""), remedy);
        };
        known("primary.measure", primary);
        for (index, name) in self.secondary.iter().enumerate() {
            known(&format!("secondary.{index}"), name);
        }
        if let Some(survival) = &self.survival {
            table.table("survival").whole("horizon_ticks", survival.horizon_ticks, 1, 1_000_000_000);
        }
    }
}

/// The dotted keys of nested tables.
fn flat_keys(settings: &Settings) -> Vec<String> {
    fn walk(path: &str, value: &toml::Value, found: &mut Vec<String>) {
        match value {
            toml::Value::Table(entries) if !entries.is_empty() => {
                entries.iter().for_each(|(key, value)| walk(&format!("{path}.{key}"), value, found));
            }
            _ => found.push(path.to_owned()),
        }
    }
    let mut found = Vec::new();
    settings.iter().for_each(|(key, value)| walk(key, value, &mut found));
    found
}

const NAME_REMEDY: &str =
    "use 1 to 64 letters, digits, '_', '-', '+' or '.', beginning with a letter or digit";

fn is_name(name: &str) -> bool {
    let good = |c: char| c.is_ascii_alphanumeric() || "_-+.".contains(c);
    (1..=64).contains(&name.len())
        && name.chars().all(good)
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
}
