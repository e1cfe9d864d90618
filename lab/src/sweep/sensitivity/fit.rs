//! Narrows the ranges of a screening until every point of its design is a valid scenario. Keys that bound one another
//! (a low and a high threshold) can't be moved by a factor each without crossing. A point that is left out takes the effects with it that
//! would be read off it, so ranges are narrowed first, and points are left out only where that didn't help. A range that the user has given
//! is never narrowed, because it is the question itself: where it spoils a point, its key is skipped. A flag or word isn't halved: values
//! that are invalid alone are dropped, and with fewer than two left the key is skipped. Narrowed ranges and skipped keys are reported. It
//! is constraint handling for a design of experiments.

use super::range::Range;
use super::{Moved, Narrowed, Skipped};
use crate::io::error::Result;
use crate::run::scenario_file::tree::{Node, Origin, of_json};
use crate::run::scenario_file::{KeySetting, Library, Scenario, load_with};
use crate::sweep::sweep_file::SweepFile;
use crate::sweep::sweep_file::sensitivity::{AxisChoice, SensitivityDesign};
use serde_json::Value;
use std::path::Path;

/// How often a range is halved before its key is left alone, in each of two steps: moved alone, then together with the others. Our choice:
/// at a sixteenth of its width the range says little of the key any more.
const NARROWED_MAX: u32 = 4;
/// How often all points are checked. Narrowing one range may spoil a point that was checked before, so a bound is needed; points that are still
/// invalid after it are left out one by one.
const PASSES_MAX: usize = 6;

/// Scenarios being tried (trial configuration): a feasibility check by validation alone. Only values are checked, because opening the
/// market of each takes longer than reading all of its keys.
pub(super) struct Trial<'a> {
    library: Library,
    /// The scenario file, parsed.
    written: &'a Node,
    path: &'a Path,
    /// Settings that every trial has, those of `--set` and `--ticks`.
    common: Vec<KeySetting>,
}

/// The keys of a screening after their ranges were fitted (feasible parameter ranges): moved, skipped and narrowed.
#[derive(Default)]
pub(super) struct Fitted {
    /// The keys that can be moved.
    pub moved: Vec<Moved>,
    /// Those that can't.
    pub skipped: Vec<Skipped>,
    /// Those whose ranges are narrower than usual.
    pub narrowed: Vec<Narrowed>,
}

impl<'a> Trial<'a> {
    /// Trials of a scenario file under the settings that all points share (trial scenarios).
    pub(super) fn new(library: Library, written: &'a Node, path: &'a Path, common: Vec<KeySetting>) -> Self {
        Self { library, written, path, common }
    }

    /// Resolves the base scenario, as it is, into JSON.
    ///
    /// # Errors
    /// When it isn't valid.
    pub(super) fn base(&mut self) -> Result<Value> {
        let found = self.load(&[])?;
        Ok(serde_json::to_value(&found.scenario)?)
    }

    fn load(&mut self, settings: &[KeySetting]) -> Result<Scenario> {
        let all: Vec<KeySetting> = self.common.iter().chain(settings).cloned().collect();
        load_with(self.written, self.path, &all, &mut self.library)
    }

    /// The first mistake of the scenario under some settings; `None` when it is valid.
    fn wrong(&mut self, settings: &[KeySetting]) -> Result<Option<String>> {
        match self.load(settings) {
            Ok(_) => Ok(None),
            Err(crate::io::error::Error::Invalid(lines)) => {
                Ok(Some(lines.first().cloned().unwrap_or_default()))
            }
            Err(error) => Err(error),
        }
    }

    /// Searches the feasible ranges, in which each key can be moved alone, and then all of them together. The key that spoils a point is
    /// found by bisection, and its range is halved.
    ///
    /// # Errors
    /// When a scenario can't be read for another reason than its values.
    pub(super) fn fit(&mut self, keys: Vec<Moved>, file: impl Fn(&[Moved]) -> SweepFile) -> Result<Fitted> {
        let mut fitted = Fitted::default();
        let before: Vec<Moved> = keys.clone();
        for moved in keys {
            match self.alone(moved)? {
                Ok(moved) => fitted.moved.push(moved),
                Err(skipped) => fitted.skipped.push(skipped),
            }
        }
        self.together(&mut fitted, file)?;
        for moved in &fitted.moved {
            let was = before.iter().find(|one| one.key == moved.key).filter(|was| was.range != moved.range);
            fitted.narrowed.extend(was.map(|was| Narrowed {
                key: moved.key.clone(),
                was: was.range.shown(),
                is: moved.range.shown(),
            }));
        }
        Ok(fitted)
    }

    /// The key with a range both ends of which are valid while all other keys keep their values; or the reason why there is none.
    fn alone(&mut self, mut moved: Moved) -> Result<Result<Moved, Skipped>> {
        let skipped = |key: String, why: Option<String>| Skipped { key, why: why.unwrap_or_default() };
        if moved.given {
            return Ok(Ok(moved));
        }
        if let Range::Values(values) = &moved.range {
            let mut valid = Vec::new();
            let mut why = None;
            for value in values {
                match self.wrong(&[setting(&moved.key, value)])? {
                    None => valid.push(value.clone()),
                    Some(line) => why = Some(line),
                }
            }
            moved.range = Range::Values(valid.clone());
            return Ok(if valid.len() < 2 { Err(skipped(moved.key, why)) } else { Ok(moved) });
        }
        let mut why = None;
        for _ in 0..=NARROWED_MAX {
            let mut wrong = None;
            for value in moved.range.ends() {
                wrong = wrong.or(self.wrong(&[setting(&moved.key, &value)])?);
            }
            if wrong.is_none() {
                return Ok(Ok(moved));
            }
            why = wrong;
            match moved.value.as_f64().and_then(|value| moved.range.narrowed(value)) {
                Some(range) => moved.range = range,
                None => break,
            }
        }
        Ok(Err(skipped(moved.key, why)))
    }

    /// Narrows the ranges that make points of the design invalid. Narrowing may spoil a point that was checked before, and a design without one of
    /// its keys has other points, so all points are checked again until nothing changes.
    fn together(&mut self, fitted: &mut Fitted, file: impl Fn(&[Moved]) -> SweepFile) -> Result<()> {
        let mut times = vec![0; fitted.moved.len()];
        for _ in 0..PASSES_MAX {
            if fitted.moved.is_empty() {
                return Ok(());
            }
            let mut shares = SensitivityDesign::shares(&file(&fitted.moved)).unwrap_or_default();
            let mut changed = false;
            for point in 0..shares.len() {
                while let Some((axis, why)) = self.blame(&settings(&fitted.moved, &shares[point]))? {
                    changed = true;
                    times[axis] += 1;
                    let moved = &mut fitted.moved[axis];
                    let narrower = moved.value.as_f64().and_then(|value| moved.range.narrowed(value));
                    if let Some(range) = narrower.filter(|_| times[axis] <= NARROWED_MAX && !moved.given) {
                        moved.range = range;
                        continue;
                    }
                    let key = fitted.moved.remove(axis).key;
                    times.remove(axis);
                    shares.iter_mut().for_each(|point| {
                        point.remove(axis);
                    });
                    let why = format!("it can't be moved together with others: {why}");
                    fitted.skipped.push(Skipped { key, why });
                }
            }
            if !changed {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The axis that makes a point invalid: with all axes before it the scenario is still valid. `None` for a valid point. It is found by bisection,
    /// because a design may have hundreds of axes and each trial reads a scenario.
    fn blame(&mut self, settings: &[KeySetting]) -> Result<Option<(usize, String)>> {
        let Some(mut reason) = self.wrong(settings)? else { return Ok(None) };
        let (mut valid, mut wrong) = (0, settings.len());
        while wrong - valid > 1 {
            let middle = usize::midpoint(valid, wrong);
            match self.wrong(&settings[..middle])? {
                None => valid = middle,
                Some(why) => (wrong, reason) = (middle, why),
            }
        }
        Ok(Some((wrong - 1, reason)))
    }
}

/// The settings of a point, axis by axis.
fn settings(moved: &[Moved], shares: &[f64]) -> Vec<KeySetting> {
    let one = |(moved, share): (&Moved, &f64)| {
        let value = match (moved.axis().choice(*share), &moved.range) {
            (AxisChoice::Place(place), Range::Values(values)) => values[place].clone(),
            (AxisChoice::Place(place), Range::Numbers { .. }) => place.into(),
            (AxisChoice::Whole(value), _) => value.into(),
            (AxisChoice::Real(value), _) => value.into(),
        };
        setting(&moved.key, &value)
    };
    moved.iter().zip(shares).map(one).collect()
}

fn setting(key: &str, value: &Value) -> KeySetting {
    let node = of_json(value, &Origin::Unknown).expect("values of ranges are none of them null");
    KeySetting { key: key.to_owned(), node }
}
