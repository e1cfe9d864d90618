//! Makes a screening's ranges fit together: keys that bound one another can't be moved by a factor each without meeting.

use super::range::Range;
use super::{Moved, Narrowed, Skipped};
use crate::scenario_file::tree::{Node, Origin, of_json};
use crate::scenario_file::{Library, Setting};
use crate::sweep_file::sensitivity::SensitivityDesign;
use crate::sweep_file::{ScenarioLoader, SweepFile, sensitivity_settings};
use serde_json::Value;
use std::path::Path;

/// How often a range is narrowed before its key is left alone: to a sixteenth of its width.
const NARROWED_MAX: u32 = 4;
/// Most ranges that are narrowed in all; what doesn't fit after that is left out point by point.
const ROUNDS_MAX: usize = 2_000;

/// Scenarios being tried.
pub struct Trial<'a> {
    loader: ScenarioLoader,
    written: &'a Node,
    path: &'a Path,
    common: Vec<Setting>,
}

/// What came of it.
#[derive(Default)]
pub struct Fitted {
    /// The keys that can be moved.
    pub moved: Vec<Moved>,
    /// Those that can't.
    pub skipped: Vec<Skipped>,
    /// Those whose ranges are narrower than usual.
    pub narrowed: Vec<Narrowed>,
}

impl<'a> Trial<'a> {
    /// Of a scenario file under what all points share.
    pub fn new(library: Library, written: &'a Node, path: &'a Path, common: Vec<Setting>) -> Self {
        Self { loader: ScenarioLoader::new(library), written, path, common }
    }

    /// The scenario as it is, resolved.
    ///
    /// # Errors
    /// When it isn't valid.
    pub fn base(&mut self) -> crate::Result<Value> {
        let found = self.loader.load(self.written, self.path, &self.common)?;
        Ok(serde_json::to_value(&found.loaded.scenario)?)
    }

    /// What is wrong with it under some settings; `None` when nothing is.
    fn wrong(&mut self, settings: &[Setting]) -> crate::Result<Option<String>> {
        let all: Vec<Setting> = self.common.iter().chain(settings).cloned().collect();
        match self.loader.load(self.written, self.path, &all) {
            Ok(_) => Ok(None),
            Err(crate::Error::Invalid(lines)) => Ok(Some(lines.first().cloned().unwrap_or_default())),
            Err(error) => Err(error),
        }
    }

    /// Ranges in which each key can be moved alone, and then all of them together.
    ///
    /// # Errors
    /// When a scenario can't be read for another reason than its values.
    pub fn fit(&mut self, keys: Vec<Moved>, file: impl Fn(&[Moved]) -> SweepFile) -> crate::Result<Fitted> {
        let mut fitted = Fitted::default();
        let before: Vec<Moved> = keys.clone();
        for moved in keys {
            match self.alone(moved.clone())? {
                Ok(moved) => fitted.moved.push(moved),
                Err(why) => fitted.skipped.push(Skipped { key: moved.key, why }),
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

    /// The key with a range both ends of which are valid while all else is as it is; the error says why there is none.
    fn alone(&mut self, mut moved: Moved) -> crate::Result<Result<Moved, String>> {
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
            return Ok(if valid.len() < 2 { Err(why.unwrap_or_default()) } else { Ok(moved) });
        }
        let mut why = String::new();
        for _ in 0..=NARROWED_MAX {
            let mut wrong = None;
            for value in moved.range.ends() {
                wrong = wrong.or(self.wrong(&[setting(&moved.key, &value)])?);
            }
            let Some(line) = wrong else { return Ok(Ok(moved)) };
            why = line;
            match moved.value.as_f64().and_then(|value| moved.range.narrowed(value)) {
                Some(range) => moved.range = range,
                None => break,
            }
        }
        Ok(Err(why))
    }

    /// Narrows what makes a point of the design impossible, until all can be.
    fn together(&mut self, fitted: &mut Fitted, file: impl Fn(&[Moved]) -> SweepFile) -> crate::Result<()> {
        let mut times = vec![0; fitted.moved.len()];
        let mut first = 0;
        for _ in 0..ROUNDS_MAX {
            if fitted.moved.is_empty() {
                return Ok(());
            }
            let file = file(&fitted.moved);
            let Some(design) = SensitivityDesign::of(&file) else { return Ok(()) };
            let Some((point, axis, why)) = self.first_wrong(&file, &design, first)? else { return Ok(()) };
            // Ranges only get narrower towards what is valid, so earlier points hardly ever become wrong; the last round looks at all again.
            first = point;
            let moved = &mut fitted.moved[axis];
            times[axis] += 1;
            let narrower = moved.value.as_f64().and_then(|value| moved.range.narrowed(value));
            match narrower.filter(|_| times[axis] <= NARROWED_MAX && !moved.given) {
                Some(range) => moved.range = range,
                None => {
                    let moved = fitted.moved.remove(axis);
                    times.remove(axis);
                    let why = format!("it can't be moved together with others: {why}");
                    fitted.skipped.push(Skipped { key: moved.key, why });
                    // Another number of axes is another design.
                    first = 0;
                }
            }
        }
        Ok(())
    }

    /// The first point that can't be, from one on, with the axis that makes it so: with all axes before it the scenario is still valid.
    fn first_wrong(
        &mut self,
        file: &SweepFile,
        design: &SensitivityDesign,
        from: usize,
    ) -> crate::Result<Option<(usize, usize, String)>> {
        let points = sensitivity_settings(file, design);
        let order = (from..points.len()).chain(0..from.min(points.len()));
        for point in order {
            let settings = &points[point];
            let Some(why) = self.wrong(settings)? else { continue };
            let (mut valid, mut wrong) = (0, settings.len());
            let mut told = why;
            while wrong - valid > 1 {
                let middle = usize::midpoint(valid, wrong);
                match self.wrong(&settings[..middle])? {
                    None => valid = middle,
                    Some(why) => (wrong, told) = (middle, why),
                }
            }
            return Ok(Some((point, wrong - 1, told)));
        }
        Ok(None)
    }
}

fn setting(key: &str, value: &Value) -> Setting {
    let node = of_json(value, &Origin::Unknown).expect("values of ranges are none of them null");
    Setting { key: key.to_owned(), node }
}
