//! The short way to a grid: keys of a scenario with their values, as a sweep without a file. It can be written as a file with a
//! registration to fill in, because a question that began as a look should be registered before it decides anything. It is a
//! parameter sweep (grid search) from the command line, exploratory until it is registered. The first arm, with the first value of every
//! key, is the baseline; `morta sweep --vary` takes 20 worlds by default, and with `--write FILE` saves the file and runs nothing. A key
//! both in `--set` and in `--vary` has the value of `--vary`.

use crate::io::error::{Error, Result};
use crate::run::laboratory::Laboratory;
use crate::run::scenario_file::{self, Overrides};
use crate::sweep::measure::{EVERYBODY, USUAL_MEASURE, find};
use crate::sweep::sweep_file::axis::AxisLevel;
use crate::sweep::sweep_file::config::Seeds;
use crate::sweep::sweep_file::value::Settings;
use crate::sweep::sweep_file::{AnyValue, Axis, Design, Direction, Question, Sweep, SweepFile, of_file};
use std::path::{Path, PathBuf};

/// The name of every cohort's memory in `--vary`.
const MEMORY: &str = "memory";
/// Longest name of a sweep, letters.
const NAME_MAX: usize = 64;

/// A grid search as a user asks for it on the command line.
#[derive(Clone, Debug)]
pub struct QuickRequest {
    /// The scenario file.
    pub scenario: PathBuf,
    /// Keys with their values, `KEY=VALUE,VALUE`; all are combined. `memory` is that of every cohort.
    pub vary: Vec<String>,
    /// Keys that all arms share, `KEY=VALUE`.
    pub set: Vec<String>,
    /// The measure; `mean_r` when none.
    pub measure: Option<String>,
    /// The effect of interest δ (equivalence margin), in the measure's unit.
    pub matters: Option<f64>,
    /// How many worlds; seeds from 1 on.
    pub worlds: u64,
}

impl QuickRequest {
    /// Makes a parameter sweep of the grid: its arms are all combinations of the values, and each is checked as a scenario.
    ///
    /// # Errors
    /// [`Error::Invalid`] when a text isn't of its form, or an arm can't be.
    pub fn prepare(&self, laboratory: &Laboratory) -> Result<Sweep> {
        let overrides = Overrides { set: self.set.clone(), ..Overrides::default() };
        let scenario = scenario_file::load(&self.scenario, &overrides, laboratory)?.scenario;
        let cohorts: Vec<&str> = scenario.cohorts.iter().map(|cohort| cohort.name.as_str()).collect();
        let axes = self.vary.iter().map(|text| axis(text, &cohorts)).collect::<Result<Vec<_>>>()?;
        let mut set = Settings::new();
        for text in &self.set {
            let setting =
                scenario_file::read_setting(text).map_err(|error| Error::invalid(error.to_string()))?;
            set.insert(setting.key, AnyValue(setting.node.into_toml()));
        }
        let varied: Vec<&str> =
            axes.iter().map(|axis| axis.key.rsplit('.').next().unwrap_or(&axis.key)).collect();
        let name: String = format!("{}-{}", scenario.name, varied.join("-")).chars().take(NAME_MAX).collect();
        let measure = self.measure.clone().unwrap_or_else(|| USUAL_MEASURE.to_owned());
        let file = SweepFile {
            name,
            description: format!("What {} do to {measure}.", varied.join(" and ")),
            scenario: self.scenario.display().to_string(),
            design: Design::Grid,
            design_seed: 1,
            set,
            seeds: Seeds { first: 1, count: self.worlds },
            axes,
            question: Some(Question { measure, cohort: EVERYBODY.to_owned(), matters: self.matters }),
            ..SweepFile::default()
        };
        of_file(file, &self.scenario, laboratory)
    }
}

/// `KEY=VALUE,VALUE` as an axis.
fn axis(text: &str, cohorts: &[&str]) -> Result<Axis> {
    let refused = |why: String| Error::invalid(format!("--vary {text}: {why}"));
    let (key, values) = text
        .split_once('=')
        .ok_or_else(|| refused("must be KEY=VALUE,VALUE, as in dream.replay.batch_size=3,5,10".to_owned()))?;
    let key = key.trim();
    let plain = Axis { key: key.to_owned(), ..Axis::default() };
    let words = apart(values);
    if words.iter().any(|word| word.is_empty()) {
        return Err(refused(
            "a value is missing: write one between commas, or leave the comma out".to_owned(),
        ));
    }
    if let Some(twice) = words.iter().enumerate().find(|(place, word)| words[..*place].contains(word)) {
        return Err(refused(format!("{} is there twice", twice.1)));
    }
    let value = |word: &&str| {
        let setting = scenario_file::read_setting(&format!("{key}={word}"));
        setting.map(|setting| AnyValue(setting.node.into_toml())).map_err(|error| refused(error.to_string()))
    };
    let values = words.iter().map(value).collect::<Result<Vec<_>>>()?;
    if key != MEMORY {
        return Ok(Axis { values: Some(values), ..plain });
    }
    // A memory is a level that sets every cohort: an axis has one key, and cohorts with different memories would be another question.
    let level = |(word, value): (&&str, AnyValue)| AxisLevel {
        name: word.trim_matches('"').to_owned(),
        description: String::new(),
        set: cohorts.iter().map(|cohort| (format!("cohorts.{cohort}.memory"), value.clone())).collect(),
    };
    Ok(Axis { levels: Some(words.iter().zip(values).map(level).collect()), ..plain })
}

/// Values between commas; those of a list in brackets, and what stands in quotes, stay together.
fn apart(values: &str) -> Vec<&str> {
    let (mut found, mut from, mut depth, mut quoted) = (Vec::new(), 0, 0_u32, false);
    for (at, sign) in values.char_indices() {
        match sign {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                found.push(values[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(values[from..].trim());
    found
}

/// Writes the sweep file of a quick sweep as TOML, with a registration to fill in. The preregistration is commented out, because only its
/// author can write the hypothesis.
///
/// # Errors
/// When the scenario's path can't be found out.
pub fn text(sweep: &Sweep, folder: &Path) -> Result<String> {
    let file = sweep.file.text(folder)?;
    let Some(question) = &sweep.file.question else { return Ok(file) };
    let measure = &question.measure;
    let direction = match find(measure).map(|measure| measure.better) {
        Some(crate::sweep::measure::Better::Less) => Direction::Less,
        _ => Direction::More,
    };
    let matters = question.matters.map_or("...".to_owned(), |delta| delta.to_string());
    Ok(format!(
        "{file}
# To register it before the first cell is run: fill this in, take the marks away, and leave [question] out.
# Registered worlds should be new ones: seeds.first beyond those that were looked at.
# [preregistration]
# hypothesis = \"what is expected, and why\"
# baseline = {baseline:?}
# analysis = \"how the results will be judged\"
# effect_of_interest = {matters}
# primary = {{ measure = \"{measure}\", direction = \"{direction}\" }}
",
        baseline = sweep.arms[0].name,
        direction = direction.name(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_between_commas() {
        assert_eq!(apart("3, 5,10"), ["3", "5", "10"]);
        assert_eq!(apart("[1,2],[3]"), ["[1,2]", "[3]"]);
        assert_eq!(apart("\"a,b\",c"), ["\"a,b\"", "c"]);
        assert_eq!(apart("a,,b"), ["a", "", "b"]);
        for (text, why) in [
            ("a", "--vary a: must be KEY=VALUE,VALUE, as in dream.replay.batch_size=3,5,10"),
            ("a=1,,2", "--vary a=1,,2: a value is missing: write one between commas, or leave the comma out"),
            ("a=1,1", "--vary a=1,1: 1 is there twice"),
        ] {
            assert_eq!(axis(text, &[]).unwrap_err().to_string(), why);
        }
        let memory = axis("memory=none,bardo", &["x", "y"]).unwrap();
        let levels = memory.levels.unwrap();
        assert_eq!((levels[1].name.as_str(), levels[1].set.len()), ("bardo", 2));
    }
}
