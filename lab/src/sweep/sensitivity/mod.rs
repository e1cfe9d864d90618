//! The short way to a sensitivity analysis: a scenario's keys with the ranges they are moved in, as a sweep. It makes a sweep file and
//! nothing else, so that a screening is resumed, reproduced and analysed by the code of sweeps. `morta sensitivity` calls it, with a factor
//! of 2 and 4 worlds by default. Numbers go from value/factor to value·factor, flags and words take all their values. Ranges that make
//! invalid scenarios are narrowed, but for those that are given; keys that can't be moved are reported, those that are left alone (`seed`,
//! `ticks`, `record`, and what `keys` doesn't name) aren't. It decides nothing: there is no registration and no baseline.

mod fit;
mod keys;
mod range;

use crate::io::error::{Error, Result};
use crate::io::text::nearest;
use crate::run::laboratory::Laboratory;
use crate::run::scenario_file::spelling::{same_key, same_path};
use crate::run::scenario_file::tree::{Origin, of_json};
use crate::run::scenario_file::{self, KeySetting, Library};
use crate::sweep::measure::EVERYBODY;
use crate::sweep::sweep_file::config::Seeds;
use crate::sweep::sweep_file::sensitivity::SensitivityConfig;
use crate::sweep::sweep_file::value::Settings;
use crate::sweep::sweep_file::{AnyValue, Sweep, SweepFile, of_file};
use crate::sweep::sweep_file::{Axis, Design};
use fit::{Fitted, Trial};
use keys::{KeyKind, ScenarioKey};
use morta_base::keys::Keys as _;
use range::Range;
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Keys that aren't moved unless they are named: a seed is the luck that effects are compared with, more ticks change every sum, and what is written
/// changes nothing that happens.
const LEFT_ALONE: [&str; 3] = ["seed", "ticks", "record"];
/// Longest name of a sweep, letters.
const NAME_MAX: usize = 64;

/// A screening as a user asks for it on the command line (screening request): a Morris or Sobol sensitivity analysis.
#[derive(Clone, Debug)]
pub struct SensitivityRequest {
    /// The scenario file.
    pub scenario: PathBuf,
    /// The design: [`Design::Morris`] or [`Design::Sobol`].
    pub design: Design,
    /// The measures, the cohort they are taken of, and the size of the design.
    pub config: SensitivityConfig,
    /// Keys or tables of keys; all that can be moved when there are none.
    pub keys: Vec<String>,
    /// Ranges, `KEY=LOW..HIGH` or `KEY=VALUE,VALUE`; they take the place of the usual factor.
    pub ranges: Vec<String>,
    /// The factor around a number's value that it is moved by, above 1.
    pub factor: f64,
    /// Keys that all points share, `KEY=VALUE`.
    pub set: Vec<String>,
    /// How long worlds last, ticks. A screening has hundreds of points, so their worlds are commonly shorter than the scenario's.
    pub ticks: Option<u64>,
    /// Seed of the first world.
    pub first_seed: u64,
    /// How many worlds.
    pub worlds: u64,
}

/// A key that is moved (varied input factor), with its parameter range.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// The key.
    pub key: String,
    /// Its value in the scenario; null where the scenario leaves it out.
    pub value: Value,
    /// The range in which it is moved.
    pub range: Range,
    /// Whether the range was given, and isn't to be changed.
    pub given: bool,
}

/// A key that isn't moved (fixed parameter), with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The key.
    pub key: String,
    /// Why not.
    pub why: String,
}

/// A key that is moved less far than usual, because another key bounds it (narrowed parameter range).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Narrowed {
    /// The key.
    pub key: String,
    /// The usual range.
    pub was: String,
    /// The range in which every point can be.
    pub is: String,
}

/// A screening that is ready to be run: its sweep, and the keys that were skipped or narrowed.
#[derive(Clone, Debug)]
pub struct Screening {
    /// The sweep that screens.
    pub sweep: Sweep,
    /// Keys that aren't moved.
    pub skipped: Vec<Skipped>,
    /// Keys that are moved less far than usual.
    pub narrowed: Vec<Narrowed>,
}

impl SensitivityRequest {
    /// Builds the design of the screening: finds the keys and their ranges, and checks every point. Keys that can't be moved are returned
    /// with their reasons.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the scenario isn't valid, a key isn't one of it, or nothing is left to be moved.
    pub fn prepare(&self, laboratory: &Laboratory) -> Result<Screening> {
        if !(self.factor > 1.0 && self.factor <= FACTOR_MAX) {
            let line = format!("--factor {}: must be a number above 1, at most {FACTOR_MAX}", self.factor);
            return Err(Error::invalid(line));
        }
        let problems = self.config.problems("sensitivity");
        if !problems.is_empty() {
            return Err(problems.into());
        }
        let written = scenario_file::parse(&self.scenario, "scenario")?;
        let common = self.common()?;
        let mut trial = Trial::new(Library::new(laboratory), &written, &self.scenario, common);
        let base = trial.base()?;
        let (moved, mut skipped) = self.chosen(&base)?;
        let name = base["name"].as_str().unwrap_or_default().to_owned();
        let Fitted { moved, skipped: cannot, narrowed } =
            trial.fit(moved, |moved| self.file(&name, moved))?;
        skipped.extend(cannot);
        if moved.is_empty() {
            let mut lines = vec![format!("{}: no key is left to be moved", self.scenario.display())];
            let why = |one: &Skipped| format!("{}: {}: {}", self.scenario.display(), one.key, one.why);
            lines.extend(skipped.iter().take(LINES_MAX).map(why));
            return Err(Error::all(lines));
        }
        let sweep = of_file(self.file(&name, &moved), &self.scenario, laboratory)?;
        Ok(Screening { sweep, skipped, narrowed })
    }

    /// The settings that all points share.
    fn common(&self) -> Result<Vec<KeySetting>> {
        let mut found = Vec::new();
        let mut wrong = Vec::new();
        for text in &self.set {
            match scenario_file::read_setting(text) {
                Ok(setting) => found.push(setting),
                Err(error) => wrong.push(error.to_string()),
            }
        }
        if let Some(ticks) = self.ticks {
            let node = of_json(&ticks.into(), &Origin::Unknown).expect("a number is a value");
            found.push(KeySetting { key: "ticks".to_owned(), node });
        }
        Error::if_any(wrong).map(|()| found)
    }

    /// The keys that were asked for with their ranges, and those that have none.
    fn chosen(&self, base: &Value) -> Result<(Vec<Moved>, Vec<Skipped>)> {
        let whole = |key: &str| matches!(keys::kind_of(key), Some(KeyKind::Number(bounds)) if bounds.integer);
        let given = self.ranges.iter().map(|text| range::read(text, whole)).collect::<Result<Vec<_>>>()?;
        let all = keys::all(base);
        self.check_names(&all)?;
        let is_asked = |key: &str| {
            let named = |name: &String| is_within(key, name);
            if self.keys.is_empty() {
                !LEFT_ALONE.iter().any(|alone| is_within(key, alone))
            } else {
                self.keys.iter().any(named)
            }
        };
        let (mut moved, mut skipped): (Vec<Moved>, Vec<Skipped>) = (Vec::new(), Vec::new());
        for ScenarioKey { key, value, kind } in all {
            if let Some((_, range)) = given.iter().find(|(name, _)| same_path(name, &key)) {
                moved.push(Moved { key, value, range: range.clone(), given: true });
            } else if is_asked(&key) {
                match usual_range(&kind, &value, self.factor) {
                    Ok(range) => moved.push(Moved { key, value, range, given: false }),
                    Err(why) => skipped.push(Skipped { key, why: format!("{why}: give it a --range") }),
                }
            }
        }
        // Keys that the scenario leaves out, and that have no default.
        for (key, range) in given {
            if !moved.iter().any(|one| same_path(&one.key, &key)) {
                moved.push(Moved { key, value: Value::Null, range, given: true });
            }
        }
        Ok((moved, skipped))
    }

    /// Every name must be that of a key or of a table of keys.
    fn check_names(&self, all: &[ScenarioKey]) -> Result<()> {
        let unknown = self.keys.iter().filter(|name| !all.iter().any(|one| is_within(&one.key, name)));
        let line = |name: &String| {
            let near = nearest(name, all.iter().map(|one| one.key.as_str()));
            let near = near.map_or(String::new(), |near| format!(": did you mean {near}?"));
            format!(
                "--keys {name}: no key with a value and a declared range is called so or lies within{near}"
            )
        };
        Error::if_any(unknown.map(line).collect())
    }

    fn file(&self, name: &str, moved: &[Moved]) -> SweepFile {
        let measures = self.config.measures.join(", ");
        let of = if self.config.cohort == EVERYBODY { "everybody" } else { &self.config.cohort };
        let mut set = Settings::new();
        for setting in self.common().unwrap_or_default() {
            set.insert(setting.key, AnyValue(setting.node.into_toml()));
        }
        let name: String = format!("sensitivity-{name}").chars().take(NAME_MAX).collect();
        SweepFile {
            name,
            description: format!("Which of {} keys move {measures} of {of}.", moved.len()),
            scenario: self.scenario.display().to_string(),
            design: self.design,
            design_seed: 1,
            set,
            seeds: Seeds { first: self.first_seed, count: self.worlds },
            axes: moved.iter().map(Moved::axis).collect(),
            sensitivity: Some(self.config.clone()),
            ..SweepFile::default()
        }
    }
}

/// The largest factor. Our choice: beyond three orders of magnitude to either side hardly a key has a declared range left.
pub(crate) const FACTOR_MAX: f64 = 1_000.0;
/// Most lines of an error that lists keys which can't be moved, where none can.
const LINES_MAX: usize = 20;

/// Whether a key is called so, or lies in a table that is.
fn is_within(key: &str, name: &str) -> bool {
    let mut segments = key.split('.');
    name.split('.').all(|word| segments.next().is_some_and(|segment| same_key(segment, word)))
}

fn usual_range(kind: &KeyKind, value: &Value, factor: f64) -> Result<Range, &'static str> {
    match kind {
        KeyKind::Flag => Ok(Range::Values(vec![false.into(), true.into()])),
        KeyKind::Word(words) if words.len() < 2 => Err("there is one word only"),
        KeyKind::Word(words) => Ok(Range::Values(words.iter().map(|word| (*word).into()).collect())),
        KeyKind::Number(bounds) => bounds.around(value.as_f64().unwrap_or(0.0), factor),
    }
}

impl Moved {
    fn axis(&self) -> Axis {
        let plain = Axis { key: self.key.clone(), ..Axis::default() };
        match &self.range {
            Range::Numbers { low, high, log, integer } => {
                Axis { low: Some(*low), high: Some(*high), log: *log, integer: *integer, ..plain }
            }
            Range::Values(values) => {
                let value = |value: &Value| {
                    let node =
                        of_json(value, &Origin::Unknown).expect("values of ranges are none of them null");
                    AnyValue(node.into_toml())
                };
                Axis { values: Some(values.iter().map(value).collect()), ..plain }
            }
        }
    }
}

impl Screening {
    /// Writes the sweep file as TOML, for a folder: in the current one (an empty path) the scenario is named as it was, elsewhere by its
    /// whole path.
    ///
    /// # Errors
    /// When the scenario's path can't be found out.
    pub fn text(&self, folder: &Path) -> Result<String> {
        self.sweep.file.text(folder)
    }
}
