//! A memory whose class is Python's, behind the contract.

use crate::moment::{Candidates, Moment, Outcome, Waking};
use crate::stream::Random;
use morta_base::{GolemId, Tick, WorldSeed};
use morta_engine::lethe::{Bequest, Drawn};
use morta_engine::memory::{
    Advice, Attended, Attention, Bequeaths, Candidate, DecisionContext, Experience, MemoryArchitecture,
    MemoryBirth, Received,
};
use morta_lab::foreign_memory::told::{Birth, FullAdvice, Part, SaidAdvice, SaidUpkeep};
use morta_lab::foreign_memory::words::ToldLesson;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyType};
use serde::{Deserialize, Serialize, Serializer};

/// Which of the methods with a body a class has overridden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Overrides {
    sleep: bool,
    inherit: bool,
}

/// A golem's memory, an object of a Python class.
#[derive(Debug)]
pub struct PyMemory {
    name: String,
    golem: GolemId,
    seed: WorldSeed,
    overrides: Overrides,
    object: Py<PyAny>,
}

/// As it is written down.
#[derive(Serialize, Deserialize)]
struct Saved {
    name: String,
    golem: GolemId,
    seed: WorldSeed,
    bytes: Vec<u8>,
}

impl PyMemory {
    /// The memory of a newborn.
    pub fn empty(class: &Py<PyType>, birth: &MemoryBirth<'_>) -> Result<Self, String> {
        let mut told = serde_json::to_value(Birth::of(birth)?).expect("a birth is plain data");
        told["golem"] = birth.golem.to_string().into();
        let made = Python::attach(|py| {
            let class = class.bind(py);
            let told = py.import("json")?.call_method1("loads", (told.to_string(),))?;
            let object = class.call_method1("__new__", (class,))?;
            object.setattr("random", random(birth.seed, birth.golem, Part::Birth, 0))?;
            object.call_method1("__init__", (told,))?;
            Ok::<_, PyErr>((overrides(class)?, object.unbind()))
        });
        let (overrides, object) = made.map_err(|error| error.to_string())?;
        Ok(Self { name: birth.name.to_owned(), golem: birth.golem, seed: birth.seed, overrides, object })
    }

    /// Calls into Python. What is raised there ends the life of the golem, as every panic of a step does; whoever wrote the class reads
    /// it on standard error.
    fn call<T>(
        &self,
        part: Part,
        tick: Tick,
        body: impl for<'py> FnOnce(&Bound<'py, PyAny>) -> PyResult<T>,
    ) -> T {
        let result = Python::attach(|py| {
            let object = self.object.bind(py);
            object.setattr("random", random(self.seed, self.golem, part, tick))?;
            body(object).inspect_err(|error| error.print(py))
        });
        result.unwrap_or_else(|error| std::panic::resume_unwind(Box::new(error.to_string())))
    }

    fn saved(&self) -> PyResult<Vec<u8>> {
        Python::attach(|py| self.object.bind(py).call_method0("save")?.extract::<Vec<u8>>())
    }

    /// The memory that was written down in these bytes.
    pub fn from_bytes(class: &Py<PyType>, bytes: &[u8]) -> Result<Self, String> {
        let saved = postcard::from_bytes(bytes).map_err(|error| error.to_string())?;
        Python::attach(|py| Self::load(class.bind(py), saved)).map_err(|error| error.to_string())
    }

    fn load(class: &Bound<'_, PyType>, Saved { name, golem, seed, bytes }: Saved) -> PyResult<Self> {
        let object = class.call_method1("load", (PyBytes::new(class.py(), &bytes),))?.unbind();
        Ok(Self { overrides: overrides(class)?, name, golem, seed, object })
    }
}

fn random(seed: WorldSeed, golem: GolemId, part: Part, tick: Tick) -> Random {
    Random(part.lots(seed, golem, tick))
}

fn overrides(class: &Bound<'_, PyType>) -> PyResult<Overrides> {
    let base = class.py().import("morta.memory")?.getattr("Memory")?;
    let has = |method: &str| Ok::<_, PyErr>(!class.getattr(method)?.is(&base.getattr(method)?));
    Ok(Overrides { sleep: has("sleep")?, inherit: has("inherit")? })
}

/// One piece of advice: a number, or the fields of `morta.Advice`.
fn advice(said: &Bound<'_, PyAny>, candidate: &Candidate) -> PyResult<Advice> {
    let said = match said.extract::<f64>() {
        Ok(expected_r) => SaidAdvice::Expected(expected_r),
        Err(_) => {
            let (expected_r, confidence, size, veto, held_ticks) = said.extract()?;
            SaidAdvice::Full(FullAdvice { expected_r, confidence, size, veto, held_ticks })
        }
    };
    said.on(candidate).map_err(PyValueError::new_err)
}

impl MemoryArchitecture for PyMemory {
    morta_engine::capable_of!(bequeaths);

    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], into: &mut Vec<Advice>) {
        let part = Part::Advise(moment.context.asset);
        let said = self.call(part, moment.tick, |object| {
            let said = object.call_method1("advise", (Moment::of(moment), Candidates::of(candidates)))?;
            let said: Vec<Bound<'_, PyAny>> = said.try_iter()?.collect::<PyResult<_>>()?;
            if said.len() != candidates.len() {
                let (found, asked) = (said.len(), candidates.len());
                return Err(PyValueError::new_err(format!("advise: {found} answers for {asked} candidates")));
            }
            said.iter()
                .zip(candidates)
                .map(|(said, candidate)| advice(said, candidate))
                .collect::<PyResult<Vec<_>>>()
        });
        into.extend(said);
    }

    fn observe(&mut self, experience: &Experience<'_>) {
        self.call(Part::Observe, experience.now, |object| {
            object.call_method1("observe", (Outcome::of(experience),)).map(|_| ())
        });
    }

    fn wants_attention(&self) -> bool {
        self.overrides.sleep
    }

    fn attend(&mut self, attention: &Attention<'_>) -> Attended {
        self.call(Part::Sleep, attention.tick, |object| {
            let said = object.call_method1("sleep", (Waking::of(attention),))?;
            if said.is_none() {
                return Ok(Attended::default());
            }
            let [seen, made, merged, promoted, dropped, tier, tokens_read, tokens_written, asleep_ticks] =
                said.extract::<[u32; 9]>()?;
            SaidUpkeep {
                seen,
                made,
                merged,
                promoted,
                dropped,
                tier,
                tokens_read,
                tokens_written,
                asleep_ticks,
            }
            .attended()
            .map_err(PyValueError::new_err)
        })
    }
}

impl Bequeaths for PyMemory {
    fn draws(&self) -> bool {
        self.overrides.inherit
    }

    fn bequeath(&self) -> Vec<Bequest> {
        let lesson = |(strategy, expected_r, regime, confidence, outcomes): Told| {
            let lesson = ToldLesson { strategy, expected_r, regime, confidence, outcomes };
            lesson.to_bequest(self.golem).map_err(PyValueError::new_err)
        };
        let told = Python::attach(|py| {
            let told = self.object.bind(py).call_method0("bequeath");
            let told = told.and_then(|told| told.extract::<Vec<Told>>());
            let lessons = told.and_then(|told| told.into_iter().map(lesson).collect::<PyResult<Vec<_>>>());
            lessons.inspect_err(|error| error.print(py))
        });
        told.unwrap_or_else(|error| std::panic::resume_unwind(Box::new(error.to_string())))
    }

    fn inherit(&mut self, drawn: Vec<Drawn>, now: Tick) -> Received {
        let lessons: Vec<ToldLesson> = drawn.iter().filter_map(ToldLesson::of).collect();
        let candidates = lessons.len() as u32;
        self.call(Part::Inherit, now, |object| {
            let class = object.py().import("morta.memory")?.getattr("Lesson")?;
            let lessons = lessons.into_iter().map(|lesson| {
                let ToldLesson { strategy, expected_r, regime, confidence, outcomes } = lesson;
                class.call1((strategy, expected_r, regime, confidence, outcomes))
            });
            let lessons = PyList::new(object.py(), lessons.collect::<PyResult<Vec<_>>>()?)?;
            object.call_method1("inherit", (lessons,)).map(|_| ())
        });
        Received { candidates, ..Received::default() }
    }
}

/// The fields of `morta.Lesson`.
type Told = (String, f64, Option<String>, f64, u32);

impl Clone for PyMemory {
    fn clone(&self) -> Self {
        let Self { name, golem, seed, .. } = self;
        let copy = self.saved().and_then(|bytes| {
            let saved = Saved { name: name.clone(), golem: *golem, seed: *seed, bytes };
            Python::attach(|py| Self::load(&self.object.bind(py).get_type(), saved))
        });
        copy.unwrap_or_else(|error| panic!("a memory `{name}` can't be copied: {error}"))
    }
}

impl PartialEq for PyMemory {
    fn eq(&self, other: &Self) -> bool {
        let same_golem = (&self.name, self.golem, self.seed) == (&other.name, other.golem, other.seed);
        same_golem && matches!((self.saved(), other.saved()), (Ok(a), Ok(b)) if a == b)
    }
}

impl Serialize for PyMemory {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = self.saved().map_err(serde::ser::Error::custom)?;
        Saved { name: self.name.clone(), golem: self.golem, seed: self.seed, bytes }.serialize(serializer)
    }
}
