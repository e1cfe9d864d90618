//! Reads sweep files: text → tree → shape checked against the schema → profile and `--seeds` applied → [`SweepFile`] → values checked →
//! the scenario of every arm, each checked as `morta validate` does.
//!
//! A mistake is one line that names file, line, key, value and remedy; one of a swept value names the arm too.
//!
//! It is the parser and validator of an experiment's configuration, by a JSON Schema and by checks of values; a preregistration with an
//! interim look that could decide nothing is refused. Everything is checked before the first cell, because a sweep may take days. `config`
//! is the schema, `check` and `contrast_check` the checks, `design` makes arms by name and `arms` their scenarios, `layout` finds an arm.

mod arms;
pub mod axis;
mod check;
pub mod config;
mod contrast_check;
pub mod contrasts;
mod design;
pub mod layout;
mod name;
mod profile;
pub mod rule;
pub mod sensitivity;
pub mod value;

pub(crate) use arms::ScenarioLoader;
pub use arms::{Arm, LeftOut, SharedSource};
pub use axis::Axis;
pub use config::{Preregistration, Question, SweepFile};
pub use value::{AnyValue, Correction, Design, Direction, Test};

use crate::io::error::{At as _, Result};
use crate::io::text::folded;
use crate::run::laboratory::Laboratory;
use crate::run::scenario_file::mistake::Mistake;
use crate::run::scenario_file::tree::{Node, Origin, Value};
use crate::run::scenario_file::{self, DataFile, located, other_kind, shape, user_error};
use crate::run::scenario_schema;
use crate::sweep::measure;
use morta_base::Problem;
use morta_base::keys::Keys as _;
use morta_engine::world::Scenario;
use morta_stats::StatsError;
use morta_stats::looks::reachable_looks;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A sweep that is valid by itself (validated experiment definition): its file, its resolved arms and its notes.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// The file, after the profile was applied.
    pub file: SweepFile,
    /// The file.
    pub path: PathBuf,
    /// The profile chosen.
    pub profile: Option<String>,
    /// The number of worlds on the command line.
    pub seeds_flag: Option<u64>,
    /// The number of worlds at which it stops, where that is a look before the end.
    pub ends_at: Option<u64>,
    /// The scenario with what all arms change in it, by `[set]`; data files stand in it by their content hashes.
    pub base: Scenario,
    /// Its data files.
    pub data: Vec<DataFile>,
    /// The arms, in the order of the file.
    pub arms: Vec<Arm>,
    /// The keys that differ between arms.
    pub keys: Vec<String>,
    /// Points of a sensitivity analysis with invalid scenarios.
    pub left_out: Vec<LeftOut>,
    /// Settings that are valid and most likely not what is expected, one line each with the remedy.
    pub notes: Vec<String>,
}

/// The JSON Schema of sweep files, every type in its place; it is made once in a process.
pub fn schema() -> &'static serde_json::Value {
    static SCHEMA: OnceLock<serde_json::Value> = OnceLock::new();
    SCHEMA.get_or_init(scenario_schema::inlined::<SweepFile>)
}

/// Most random draws of the bootstraps of all comparisons together: worlds · comparisons · resamples. Our choice: an analysis must stay a matter of seconds.
const DRAWS_MAX: u64 = 400_000_000;
/// Fewest and most resamples of a bootstrap. Fewer than a thousand leave the ends of an interval to chance; more than ten thousand change digits that
/// nobody reads.
const RESAMPLES: std::ops::RangeInclusive<u64> = 1_000..=10_000;
/// Most cells of a sweep: what a folder, a collection and a manifest were measured for (`lab/README.md`, "A million cells").
const CELLS_MAX: u64 = 1_000_000;

/// Reads and validates a sweep file with its scenario and data files; its cohorts may name any memory architecture of a laboratory.
///
/// # Errors
/// [`crate::io::error::Error::Invalid`], with a line for each mistake.
pub fn load(
    path: &Path,
    profile: Option<&str>,
    seeds: Option<u64>,
    laboratory: &Laboratory,
) -> Result<Sweep> {
    load_noted(path, profile, seeds, &[], laboratory)
}

/// Loads a sweep file as [`load`] does, with notes that every arm carries: keys of the scenario and their texts, such as the version of a
/// memory's code, which the file can't know. They belong to the sweep: a sweep with other notes is another sweep, which `resume` refuses to
/// mix with this one.
///
/// # Errors
/// [`crate::io::error::Error::Invalid`], with a line for each mistake.
pub fn load_noted(
    path: &Path,
    profile: Option<&str>,
    seeds: Option<u64>,
    notes: &[(String, String)],
    laboratory: &Laboratory,
) -> Result<Sweep> {
    let shown = path.display().to_string();
    let mut tree = scenario_file::parse(path, "sweep")?;
    let wrong = shape::mistakes(&tree, schema());
    if !wrong.is_empty() {
        let wrong = other_kind::mistake(&tree, &other_kind::SWEEP).map_or(wrong, |mistake| vec![mistake]);
        return Err(user_error(wrong, path));
    }
    if let Some(name) = profile {
        profile::apply(&mut tree, name, &shown)?;
    }
    if let Some(count) = seeds {
        profile::set_seeds(&mut tree, count);
    }
    profile::note(&mut tree, notes);
    if let Value::Table(entries) = &mut tree.value {
        entries.retain(|(key, _)| key != "profiles");
    }
    let file = tree.clone().into_toml().try_into::<SweepFile>();
    let file = file.map_err(|error| folded(error.message())).at(path)?;
    let base_path = path.parent().unwrap_or(Path::new("")).join(&file.scenario);
    let mut sweep = lower(file, &tree, path, &base_path, laboratory)?;
    sweep.profile = profile.map(str::to_owned);
    sweep.seeds_flag = seeds;
    Ok(sweep)
}

/// A sweep that no file says, of the scenario in a file; mistakes name it by its own name.
///
/// # Errors
/// [`crate::io::error::Error::Invalid`], with a line for each mistake.
pub(crate) fn of_file(file: SweepFile, scenario: &Path, laboratory: &Laboratory) -> Result<Sweep> {
    let json = serde_json::to_value(&file)?;
    let tree = scenario_file::tree::of_json(&json, &Origin::Unknown).expect("a sweep is a table");
    let path = PathBuf::from(&file.name);
    lower(file, &tree, &path, scenario, laboratory)
}

/// Checks the values, and finds the scenario of every arm.
fn lower(
    file: SweepFile,
    tree: &Node,
    path: &Path,
    base_path: &Path,
    laboratory: &Laboratory,
) -> Result<Sweep> {
    check_values(&file, tree, path)?;
    if !base_path.is_file() {
        let value = format!("\"{}\"", file.scenario);
        let remedy =
            format!("there is no file {}: name a scenario, relative to this file", base_path.display());
        return Err(user_error(located(vec![Problem::new("scenario", value, remedy)], tree), path));
    }
    let sweep = arms::resolve(file, tree, path, base_path, laboratory)?;
    sweep.check_registration(tree)?;
    sweep.check_cohorts(tree)?;
    Ok(sweep)
}

fn check_values(file: &SweepFile, tree: &Node, path: &Path) -> Result<()> {
    let mut problems = file.problems("");
    let arms = design::count(file);
    if problems.is_empty() {
        let cells = (arms as u64).saturating_mul(file.seeds.count);
        if arms > design::ARMS_MAX {
            let remedy = format!("at most {} arms", design::ARMS_MAX);
            problems.push(Problem::new("design", format!("{arms} arms"), remedy));
        } else if cells > CELLS_MAX {
            problems.push(Problem::new(
                "seeds.count",
                file.seeds.count,
                format!("at most {CELLS_MAX} cells"),
            ));
        }
    }
    let mut wrong: Vec<Mistake> = located(problems, tree);
    wrong.extend(seeds_in_settings(file, tree));
    if wrong.is_empty() { Ok(()) } else { Err(user_error(wrong, path)) }
}

/// Refuses settings of `seed`: the worlds are those of `[seeds]` in every arm, or comparisons wouldn't be within worlds.
fn seeds_in_settings(file: &SweepFile, tree: &Node) -> Vec<Mistake> {
    let mut places = vec![("set.seed".to_owned(), file.set.contains_key("seed"))];
    let arm = |(index, arm): (usize, &config::ArmEntry)| {
        (format!("arms.{index}.set.seed"), arm.set.contains_key("seed"))
    };
    places.extend(file.arms.iter().enumerate().map(arm));
    let axis = |(index, axis): (usize, &Axis)| (format!("axes.{index}.key"), axis.key == "seed");
    places.extend(file.axes.iter().enumerate().map(axis));
    let rung = |(index, rung): (usize, &contrasts::Rung)| {
        (format!("ladder.{index}.set.seed"), rung.set.contains_key("seed"))
    };
    places.extend(file.ladder.iter().enumerate().map(rung));
    for (index, axis) in file.axes.iter().enumerate() {
        let levels = axis.levels.iter().flatten().enumerate();
        places.extend(levels.map(|(place, level)| {
            (format!("axes.{index}.levels.{place}.set.seed"), level.set.contains_key("seed"))
        }));
    }
    let remedy = "every arm sees the same worlds, which [seeds] names";
    let wrong = places.into_iter().filter(|(_, found)| *found);
    wrong.map(|(key, _)| Mistake::from_problem(Problem::new(key, "seed", remedy), tree)).collect()
}

impl Sweep {
    /// Reads a sweep file with its scenario and data files (experiment): parses and validates it without profile and `--seeds`, in a
    /// default laboratory.
    ///
    /// # Errors
    /// [`crate::io::error::Error::Invalid`], with a line for each mistake.
    pub fn read(path: &Path) -> Result<Self> {
        load(path, None, None, &Laboratory::default())
    }

    /// The number of worlds, i.e. of seeds (replicates): all that are planned, or those up to the interim look at which it stops.
    pub fn worlds(&self) -> u64 {
        self.ends_at.unwrap_or(self.file.seeds.count)
    }

    /// The arm that the others are compared with (control arm): the registered one, or the first of the file, because authors list a
    /// control first.
    pub fn baseline(&self) -> usize {
        let named = |registered: &Preregistration| self.arm_named(&registered.baseline);
        self.file.preregistration.as_ref().and_then(named).unwrap_or(0)
    }

    /// The registered ceiling: the arm that bounds from above what a memory could do (oracle); reports say what share of the gap to it is
    /// closed.
    pub fn ceiling(&self) -> Option<usize> {
        self.arm_named(self.file.preregistration.as_ref()?.ceiling.as_ref()?)
    }

    /// The horizon of restricted means (RMST), i.e. the age up to which they go, in ticks: the registered one, or the ticks of the arm's
    /// run less one, the greatest age that a golem of the first tick reaches.
    pub fn horizon_ticks(&self, arm: usize) -> u64 {
        let survival = self.file.preregistration.as_ref().and_then(|registered| registered.survival.as_ref());
        survival.map_or(self.arms[arm].scenario.ticks.saturating_sub(1), |survival| survival.horizon_ticks)
    }

    /// The number of the arm with a name (arm lookup), its point of the axes in it; a name without a rung is on the primary rung.
    pub(crate) fn arm_named(&self, name: &str) -> Option<usize> {
        self.file.arm_named(self.arms.iter().map(|arm| arm.name.as_str()), name)
    }

    /// The arms in the comparison with the baseline (control), itself among them: all of them, or where arms are compared point by point,
    /// those at the baseline's point, by their indices. The points of a sensitivity analysis are not compared.
    pub fn compared(&self) -> Vec<usize> {
        if self.file.sensitivity().is_some() {
            vec![self.baseline()]
        } else if self.file.has_points() {
            self.file.layout().beside(self.baseline())
        } else {
            (0..self.arms.len()).collect()
        }
    }

    /// Checks that everything a registration names exists.
    fn check_registration(&self, tree: &Node) -> Result<()> {
        let Some(registered) = &self.file.preregistration else { return Ok(()) };
        let mut problems = Vec::new();
        let quoted = |text: &str| format!("\"{text}\"");
        let baseline = ("preregistration.baseline", Some(&registered.baseline));
        let ceiling = ("preregistration.ceiling", registered.ceiling.as_ref());
        for (key, name) in [baseline, ceiling] {
            let Some(name) = name.filter(|name| self.arm_named(name).is_none()) else { continue };
            let names = self.arms.iter().map(|arm| arm.name.as_str());
            let remedy = name::no_such("no arm has this name", name, names);
            problems.push(Problem::new(key, quoted(name), remedy));
        }
        if registered.ceiling.as_ref() == Some(&registered.baseline) {
            let remedy = "the baseline can't be the upper bound too: name another arm";
            problems.push(Problem::new("preregistration.ceiling", quoted(&registered.baseline), remedy));
        }
        problems.extend(self.look_that_cannot_decide(registered));
        if problems.is_empty() { Ok(()) } else { Err(user_error(located(problems, tree), &self.path)) }
    }

    /// Resamples of each bootstrap of the analysis, and draws of a permutation test that can't be exact: large sweeps get fewer.
    pub(crate) fn resamples(&self) -> u32 {
        let comparisons = self.compared().len().saturating_sub(1).max(1) as u64;
        let affordable = DRAWS_MAX / (self.worlds() * comparisons);
        affordable.clamp(*RESAMPLES.start(), *RESAMPLES.end()) as u32
    }

    /// Refuses a look at which the registered test has no p-value as small as the look's bound: it would spend error rate and could decide nothing.
    /// Whether the end can decide is reported where it is judged.
    fn look_that_cannot_decide(&self, registered: &Preregistration) -> Option<Problem> {
        let looks = registered.looks_of(self.worlds());
        if registered.test == Test::T || looks.len() < 2 {
            return None;
        }
        let comparisons = self.compared().len().saturating_sub(1).max(1) as f64;
        let alpha = match registered.correction {
            Correction::Holm => registered.alpha / comparisons,
            Correction::BenjaminiHochberg => registered.alpha,
        };
        let pairs: Vec<u32> = looks.iter().map(|look| *look as u32).collect();
        let found = reachable_looks(registered.spending, alpha, &pairs, self.resamples());
        let error = found.err()?;
        let place = match &error {
            StatsError::LookBeyondReach { look, .. } if *look < looks.len() => look - 1,
            StatsError::LookBeyondReach { .. } => return None,
            _ => 0,
        };
        Some(Problem::new(format!("preregistration.looks.{place}"), looks[place], error.to_string()))
    }

    /// Checks that every cohort that a measure is taken of is in every arm.
    fn check_cohorts(&self, tree: &Node) -> Result<()> {
        let mut cohort_keys: Vec<(String, &str)> = Vec::new();
        if let Some(registered) = &self.file.preregistration {
            cohort_keys.push(("preregistration.primary.cohort".to_owned(), &registered.primary.cohort));
            let survival = registered.survival.as_ref();
            cohort_keys.extend(
                survival.map(|one| ("preregistration.survival.cohort".to_owned(), one.cohort.as_str())),
            );
        }
        let question = self.file.question.as_ref();
        cohort_keys.extend(question.map(|asks| ("question.cohort".to_owned(), asks.cohort.as_str())));
        for (index, criterion) in
            self.file.rule().into_iter().flat_map(|rule| rule.criteria.iter().enumerate())
        {
            cohort_keys.push((format!("preregistration.rule.criteria.{index}.cohort"), &criterion.cohort));
        }
        for (index, contrast) in self.file.contrasts.iter().enumerate() {
            cohort_keys.extend(
                contrast.cohort.as_deref().map(|cohort| (format!("contrasts.{index}.cohort"), cohort)),
            );
        }
        let map = self.file.map.as_ref().and_then(|map| map.cohort.as_deref());
        cohort_keys.extend(map.map(|cohort| ("map.cohort".to_owned(), cohort)));
        let sensitivity = self.file.sensitivity();
        cohort_keys.extend(sensitivity.map(|asks| ("sensitivity.cohort".to_owned(), asks.cohort.as_str())));
        let mut problems = Vec::new();
        for (key, cohort) in cohort_keys.into_iter().filter(|(_, cohort)| *cohort != measure::EVERYBODY) {
            let lacks = |arm: &&Arm| arm.scenario.cohorts.iter().all(|entry| entry.name != cohort);
            if let Some(arm) = self.arms.iter().find(lacks) {
                let names: Vec<&str> = arm.scenario.cohorts.iter().map(|entry| entry.name.as_str()).collect();
                let remedy = format!("arm {} has no such cohort: use all, {}", arm.name, names.join(", "));
                problems.push(Problem::new(key, format!("\"{cohort}\""), remedy));
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(user_error(located(problems, tree), &self.path)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every sweep that is shipped is valid, asks a question, and has a smaller variant for a first look.
    #[test]
    fn shipped_sweeps_are_valid() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
        let mut found = 0;
        for folder in ["sweeps", "experiments", "levers"] {
            let Ok(entries) = std::fs::read_dir(root.join(folder)) else { continue };
            for path in entries.map(|entry| entry.unwrap().path()) {
                found += 1;
                let whole = Sweep::read(&path).unwrap();
                let registered = whole.file.preregistration.as_ref().unwrap();
                assert!(
                    !registered.hypothesis.is_empty() && !whole.file.description.is_empty(),
                    "{}",
                    path.display()
                );
                // Eighteen stretches of gold that share no hour are all there are.
                assert!(whole.worlds() >= 18, "{}", path.display());
                let smoke = load(&path, Some("smoke"), None, &Laboratory::default()).unwrap();
                assert!(smoke.arms.len() as u64 * smoke.worlds() <= 120, "{}", path.display());
                // Where there is a ladder, a baseline without a rung is the arm on the primary one.
                let of = |loaded: &Sweep| loaded.arms[loaded.baseline()].name.clone();
                assert_eq!(of(&smoke), of(&whole), "{}", path.display());
                assert!(of(&whole).starts_with(&registered.baseline) || !whole.file.ladder.is_empty());
            }
        }
        assert!(found >= 8, "{found}");
    }

    /// Every sensitivity analysis that is shipped has points that can all be, worlds to tell luck by, and a smaller variant.
    #[test]
    fn shipped_sensitivity_analyses_are_valid() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios/sensitivity");
        let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut found = 0;
        for path in paths {
            found += 1;
            let whole = Sweep::read(&path).unwrap();
            assert!(whole.file.sensitivity().is_some() && whole.left_out.is_empty(), "{}", path.display());
            assert!(whole.worlds() >= 4 && !whole.file.description.is_empty(), "{}", path.display());
            let smoke = load(&path, Some("smoke"), None, &Laboratory::default()).unwrap();
            // Two trajectories, each a point longer than there are axes, in two worlds are the least that can be analysed.
            let least = 4 * (whole.file.axes.len() as u64 + 1);
            assert!(smoke.arms.len() as u64 * smoke.worlds() <= least.max(100), "{}", path.display());
        }
        assert!(found >= 2, "{found}");
    }
}
