//! `morta compare`: finished runs side by side, each against the first: which keys differ (name and description apart), where their events
//! first differ, and those measures of everybody that differ. Measures are computed anew from the event logs; where one run keeps none, no
//! run has any here.
//!
//! One world each can show no effect, because luck differs as well: figures stand beside one another and nothing is tested. A sweep does
//! that.
//!
//! It is a diff of configurations and event logs, with a comparison table of metrics.

use crate::io::error::{Error, Result};
use crate::io::text::{Align, View, figure, or_dash, table};
use crate::run::run_folder::FinishedRun;
use crate::run::run_folder::RunFolder;
use crate::run::run_folder::difference::{TableDifference, first_in_table};
use crate::run::run_folder::events::{EventFilter, read_events};
use crate::run::run_folder::tables;
use crate::sweep::measure::{CohortMeasures, EVERYBODY, MEASURES, Meter};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// The report of a comparison of runs, side by side: keys, events and measures that differ.
#[derive(Clone, Debug, Serialize)]
pub struct RunsCompared {
    /// The runs.
    pub runs: Vec<RunInBrief>,
    /// Keys that aren't the same in all of them, with the value in each; null where there is none.
    pub keys: BTreeMap<String, Vec<Value>>,
    /// Where each but the first parts from the first; none where all events are the same.
    pub parting: Vec<Option<RunParting>>,
    /// Measures of everybody, in each run: those that differ, in the order of the catalogue. Empty where a run keeps no events.
    pub measures: Vec<MeasureRow>,
    /// Runs whose events weren't kept, which have no measures and no parting.
    pub without_events: Vec<PathBuf>,
}

/// An overview of one of the compared runs.
#[derive(Clone, Debug, Serialize)]
pub struct RunInBrief {
    /// Its folder.
    pub dir: PathBuf,
    /// The scenario.
    pub name: String,
    /// The seed.
    pub seed: u64,
    /// Ticks lived.
    pub ticks: u64,
    /// Hash of its events.
    pub digest: String,
}

/// Where two runs part, i.e. their first differing event.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum RunParting {
    /// The first event that isn't the same.
    At(Box<TableDifference>),
    /// Their digests differ, and events weren't kept by both.
    Somewhere,
}

/// A row of the comparison table: one measure in each run.
#[derive(Clone, Debug, Serialize)]
pub struct MeasureRow {
    /// Its name.
    pub measure: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Its values, in the order of the runs; null where it isn't defined.
    pub values: Vec<Option<f64>>,
}

/// Compares runs with the first of them, side by side (diff).
///
/// # Errors
/// [`Error::Invalid`] when there are fewer than two, or a folder holds no run; others when one is damaged.
pub fn compare_runs(dirs: &[PathBuf]) -> Result<RunsCompared> {
    if dirs.len() < 2 {
        return Err(Error::invalid("name two runs or more, of which the first is compared with the others"));
    }
    let runs = dirs.iter().map(|dir| RunFolder::open(dir)).collect::<Result<Vec<_>>>()?;
    let scenarios = runs.iter().map(keys_of).collect::<Result<Vec<_>>>()?;
    let mut keys = BTreeMap::new();
    for key in scenarios.iter().flat_map(BTreeMap::keys) {
        let values: Vec<Value> =
            scenarios.iter().map(|one| one.get(key).cloned().unwrap_or_default()).collect();
        if values.iter().any(|value| *value != values[0]) {
            keys.insert(key.clone(), values);
        }
    }
    let without_events: Vec<PathBuf> =
        runs.iter().filter(|run| !run.has_events()).map(|run| run.dir().to_owned()).collect();
    let parting = runs[1..].iter().map(|run| parting(&runs[0], run)).collect::<Result<Vec<_>>>()?;
    let measured = if without_events.is_empty() {
        runs.iter().map(measured).collect::<Result<Vec<_>>>()?
    } else {
        Vec::new()
    };
    let row = |measure: &crate::sweep::measure::Measure| MeasureRow {
        measure: measure.name,
        unit: measure.unit,
        values: measured.iter().map(|own| own.get(measure.name)).collect(),
    };
    let differs = |row: &MeasureRow| row.values.iter().any(|value| *value != row.values[0]);
    let brief = |run: &FinishedRun| RunInBrief {
        dir: run.dir().to_owned(),
        name: run.manifest.name.clone(),
        seed: run.manifest.seed,
        ticks: run.manifest.ticks,
        digest: run.manifest.digest.clone(),
    };
    Ok(RunsCompared {
        runs: runs.iter().map(brief).collect(),
        keys,
        parting,
        measures: MEASURES.iter().map(row).filter(differs).collect(),
        without_events,
    })
}

/// The keys of a run's scenario, each with its whole path; entries of lists by their names, where they have one.
fn keys_of(run: &FinishedRun) -> Result<BTreeMap<String, Value>> {
    fn walk(path: String, value: Value, found: &mut BTreeMap<String, Value>) {
        let below = |part: &str| if path.is_empty() { part.to_owned() } else { format!("{path}.{part}") };
        match value {
            Value::Object(fields) if !fields.is_empty() => {
                for (key, value) in fields {
                    walk(below(&key), value, found);
                }
            }
            Value::Array(entries) if entries.iter().any(Value::is_object) => {
                for (place, entry) in entries.into_iter().enumerate() {
                    let named =
                        ["name", "symbol"].iter().find_map(|key| entry[*key].as_str().map(str::to_owned));
                    walk(below(&named.unwrap_or_else(|| place.to_string())), entry, found);
                }
            }
            value => drop(found.insert(path, value)),
        }
    }
    let mut found = BTreeMap::new();
    walk(String::new(), serde_json::to_value(&run.manifest.scenario)?, &mut found);
    // Name and description change nothing that happens.
    for key in ["name", "description"] {
        found.remove(key);
    }
    Ok(found)
}

fn parting(first: &FinishedRun, other: &FinishedRun) -> Result<Option<RunParting>> {
    if first.manifest.digest == other.manifest.digest {
        return Ok(None);
    }
    if !first.has_events() || !other.has_events() {
        return Ok(Some(RunParting::Somewhere));
    }
    let spec = tables::ALL.iter().map(|kind| kind.spec).find(|spec| spec.file == tables::EVENTS);
    let paths = (first.sound_path(tables::EVENTS)?, other.sound_path(tables::EVENTS)?);
    let found = spec.and_then(|spec| first_in_table(spec, &paths.0, &paths.1));
    Ok(Some(found.map_or(RunParting::Somewhere, |found| RunParting::At(Box::new(found)))))
}

/// The measures of everybody in a run.
fn measured(run: &FinishedRun) -> Result<CohortMeasures> {
    let scenario = &run.manifest.scenario;
    // As in sweeps: lives that outlast a run end at its last tick, so nothing is known beyond it.
    let mut meter = Meter::new(scenario, scenario.ticks.saturating_sub(1), 1);
    read_events(run, EventFilter::default(), |event| {
        meter.take(&event);
        Ok(ControlFlow::Continue(()))
    })?;
    let all = meter.measures().into_iter().find(|own| own.cohort == EVERYBODY);
    Ok(all.expect("everybody is measured"))
}

impl View for RunsCompared {
    fn lines(&self) -> Vec<String> {
        let letters: Vec<String> = (0..self.runs.len()).map(letter).collect();
        let mut lines = Vec::new();
        for (letter, run) in letters.iter().zip(&self.runs) {
            let RunInBrief { dir, name, seed, ticks, digest } = run;
            let digest = &digest[..digest.len().min(12)];
            lines.push(format!(
                "{letter}  {}: {name}, seed {seed}, {ticks} ticks, digest {digest}",
                dir.display()
            ));
        }
        let head = |first: &'static str| {
            let own = letters.iter().map(|letter| (letter.as_str(), Align::Right));
            std::iter::once((first, Align::Left)).chain(own).collect::<Vec<_>>()
        };
        lines.push(String::new());
        if self.keys.is_empty() {
            lines.push("every key is the same".to_owned());
        } else {
            let word = |value: &Value| match value {
                Value::Null => "-".to_owned(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            let row = |(key, values): (&String, &Vec<Value>)| {
                std::iter::once(key.clone()).chain(values.iter().map(word)).collect::<Vec<_>>()
            };
            lines.extend(table(&head("key"), &self.keys.iter().map(row).collect::<Vec<_>>()));
        }
        lines.push(String::new());
        for (letter, parting) in letters[1..].iter().zip(&self.parting) {
            lines.push(match parting {
                None => format!("A and {letter} lived the same events to the byte"),
                Some(RunParting::Somewhere) => format!(
                    "A and {letter} lived different events; where is not known, for one of them keeps none (record.events)"
                ),
                Some(RunParting::At(found)) => at(letter, found),
            });
        }
        if !self.measures.is_empty() {
            lines.push(String::new());
            let row = |row: &MeasureRow| {
                let values = row.values.iter().map(|value| or_dash(*value, figure));
                std::iter::once(format!("{} ({})", row.measure, row.unit)).chain(values).collect::<Vec<_>>()
            };
            lines.extend(table(
                &head("measure of everybody"),
                &self.measures.iter().map(row).collect::<Vec<_>>(),
            ));
            lines.push(String::new());
            lines.push("One world each: what differs may be luck. `morta sweep SCENARIO --vary KEY=A,B` asks twenty.".to_owned());
        }
        lines
    }
}

/// The first event that two runs don't share.
fn at(letter: &str, found: &TableDifference) -> String {
    let tick = found.tick.map_or(String::new(), |tick| format!(" at tick {tick}"));
    let golem = found.golem.as_ref().map_or(String::new(), |golem| format!(", of {golem}"));
    format!(
        "A and {letter} part{tick}{golem}, in {}: A has {}, {letter} has {}",
        found.column, found.run, found.repetition
    )
}

/// A, B and so on; beyond Z by number.
fn letter(place: usize) -> String {
    u8::try_from(place)
        .ok()
        .filter(|place| *place < 26)
        .map_or_else(|| (place + 1).to_string(), |place| char::from(b'A' + place).to_string())
}
