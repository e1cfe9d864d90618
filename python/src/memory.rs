//! A memory that is a Python class, behind the engine's contract `MemoryArchitecture`: a PyO3 wrapper (foreign function interface) of one
//! object per golem. Each call holds the GIL. An exception ends the golem's life and is reported to the monitor, which decides by
//! `on_fault` whether the run ends; one run has many golems, so that a single fault needn't.
//!
//! `sleep` and `inherit` are called only if the class overrides them. `save` and `load` are called for checkpoints, copies and
//! conformance; a default `save` is also tried at the first birth, to warn of what it can't save. After a stop no method but `save` (for a
//! last checkpoint) is called any more. Answers are validated: one number or `morta.Advice` for each candidate.

use crate::moment::{Candidates, Moment, Outcome, Waking};
use crate::monitor::{Monitor, Place};
use crate::stream::Random;
use morta_base::{GolemId, Tick, WorldSeed};
use morta_engine::lethe::{Bequest, Drawn};
use morta_engine::memory::{
    Advice, Attended, Attention, Bequeaths, Candidate, DecisionContext, Experience, InheritOutcome,
    MemoryArchitecture, MemoryBirth,
};
use morta_lab::foreign_memory::messages::{BirthMessage, FullAdvice, Part, SaidAdvice, SaidUpkeep};
use morta_lab::foreign_memory::words::LessonMessage;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList, PyType};
use serde::{Deserialize, Serialize, Serializer};
use std::panic::resume_unwind;
use std::sync::{Arc, OnceLock};

/// The optional methods that a class overrides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Overrides {
    sleep: bool,
    inherit: bool,
}

/// A golem's memory, an object of a Python class (Python object wrapper). Two are equal if their saved bytes are; a copy is saved and
/// loaded.
#[derive(Debug)]
pub(crate) struct PyMemory {
    name: String,
    golem: GolemId,
    seed: WorldSeed,
    overrides: Overrides,
    /// The object, or the exception of `__init__`. The golem then dies at its first step, because a plan can't refuse it any more.
    object: Result<Py<PyAny>, PyErr>,
    /// Number of the life in the run, counted at the memory's first call.
    life: OnceLock<u64>,
    monitor: Arc<Monitor>,
}

/// The saved form.
#[derive(Serialize, Deserialize)]
struct Saved {
    name: String,
    golem: GolemId,
    seed: WorldSeed,
    bytes: Vec<u8>,
}

impl PyMemory {
    /// Creates the memory of a newborn by calling the Python class.
    ///
    /// # Errors
    /// When the first memory of a run can't be created.
    pub(crate) fn empty(
        class: &Py<PyType>,
        birth: &MemoryBirth<'_>,
        monitor: &Arc<Monitor>,
    ) -> Result<Self, String> {
        let mut birth_json =
            serde_json::to_value(BirthMessage::from_birth(birth)?).expect("a birth is plain data");
        birth_json["golem"] = birth.golem.to_string().into();
        let made = Python::attach(|py| {
            let class = class.bind(py);
            let birth_json = py.import("json")?.call_method1("loads", (birth_json.to_string(),))?;
            let object = class.call_method1("__new__", (class,))?;
            object.setattr("random", random(birth.seed, birth.golem, Part::Birth, 0))?;
            object.call_method1("__init__", (birth_json,))?;
            Ok::<_, PyErr>((overrides(class)?, object.unbind()))
        });
        let (overrides, object) = match made {
            Ok((overrides, object)) => (overrides, Ok(object)),
            Err(error) if monitor.count_birth() == 0 => {
                let why = format!("__init__() raised {error}");
                Python::attach(|py| monitor.refuse(py, birth.name, &why, error));
                return Err(why);
            }
            Err(error) => (Overrides { sleep: false, inherit: false }, Err(error)),
        };
        if let Ok(object) = &object
            && monitor.count_birth() == 0
        {
            Python::attach(|py| tell_unsavable(class.bind(py), object.bind(py), birth.name, monitor));
        }
        let (name, monitor) = (birth.name.to_owned(), Arc::clone(monitor));
        Ok(Self {
            name,
            golem: birth.golem,
            seed: birth.seed,
            overrides,
            object,
            life: OnceLock::new(),
            monitor,
        })
    }

    /// Calls a method. An exception ends the golem's life, as every panic of a step does, and is reported to the run's caller. Once the run stops no
    /// method is called any more and the result is `unasked`, so that a caller who interrupts doesn't wait for the other golems of the tick.
    fn call<T>(
        &self,
        (part, method, tick): (Part, &'static str, Tick),
        unasked: impl FnOnce() -> T,
        body: impl for<'py> FnOnce(&Bound<'py, PyAny>) -> PyResult<T>,
    ) -> T {
        if self.monitor.is_stopped() {
            self.monitor.note_torn();
            return unasked();
        }
        let life = *self.life.get_or_init(|| self.monitor.count_life());
        let result = Python::attach(|py| {
            let called = match &self.object {
                Ok(object) => {
                    let object = object.bind(py);
                    self.deal_lots(object, part, tick).and_then(|()| body(object))
                }
                Err(unborn) => Err(unborn.clone_ref(py)),
            };
            called.map_err(|error| {
                let method = if self.object.is_err() { "__init__" } else { method };
                let place = Place { memory: &self.name, method, golem: self.golem, seed: self.seed.0, tick };
                let said = format!("{place}: {error}");
                self.monitor.raised(py, place, life, error).then_some(said)
            })
        });
        match result {
            Ok(answer) => answer,
            Err(None) => {
                self.monitor.note_torn();
                unasked()
            }
            Err(Some(said)) => resume_unwind(Box::new(said)),
        }
    }

    /// Gives the object the random numbers of a call. A golem's last call continues the numbers of the call before, because the contract doesn't say
    /// when it happens.
    fn deal_lots(&self, object: &Bound<'_, PyAny>, part: Part, tick: Tick) -> PyResult<()> {
        if matches!(part, Part::Bequeath) {
            return Ok(());
        }
        object.setattr(intern!(object.py(), "random"), random(self.seed, self.golem, part, tick))
    }

    fn saved(&self) -> PyResult<Vec<u8>> {
        Python::attach(|py| {
            let object = self.object.as_ref().map_err(|unborn| unborn.clone_ref(py))?.bind(py);
            let said = object.call_method0("save")?;
            if let Ok(bytes) = said.cast::<PyBytes>() {
                return Ok(bytes.as_bytes().to_vec());
            }
            if let Ok(bytes) = said.cast::<PyByteArray>() {
                return Ok(bytes.to_vec());
            }
            let found = said.get_type().name()?;
            Err(PyTypeError::new_err(format!(
                "save() must return bytes, not {found}: as in `return text.encode()`"
            )))
        })
    }

    /// Restores a memory from its saved bytes (unpickling).
    ///
    /// # Errors
    /// When the bytes aren't a saved memory, or `load` raises.
    pub(crate) fn from_bytes(
        class: &Py<PyType>,
        bytes: &[u8],
        monitor: &Arc<Monitor>,
    ) -> Result<Self, String> {
        let saved = postcard::from_bytes(bytes).map_err(|error| error.to_string())?;
        Python::attach(|py| Self::load(class.bind(py), saved, monitor)).map_err(|error| error.to_string())
    }

    fn load(
        class: &Bound<'_, PyType>,
        Saved { name, golem, seed, bytes }: Saved,
        monitor: &Arc<Monitor>,
    ) -> PyResult<Self> {
        let object = class.call_method1("load", (PyBytes::new(class.py(), &bytes),))?;
        if !object.is_instance(class)? {
            let (found, wanted) = (object.get_type().name()?, class.name()?);
            return Err(PyTypeError::new_err(format!("load() must return a {wanted}, not {found}")));
        }
        let (life, monitor) = (OnceLock::new(), Arc::clone(monitor));
        Ok(Self {
            overrides: overrides(class)?,
            name,
            golem,
            seed,
            object: Ok(object.unbind()),
            life,
            monitor,
        })
    }
}

/// Reports at the first birth that the default `save` can't save a class, and not only when a checkpoint fails.
fn tell_unsavable(class: &Bound<'_, PyType>, object: &Bound<'_, PyAny>, name: &str, monitor: &Monitor) {
    let is_default = base(class.py()).and_then(|base| Ok(class.getattr("save")?.is(&base.getattr("save")?)));
    if is_default.unwrap_or(false)
        && let Err(why) = object.call_method0("save")
    {
        monitor.unsavable(name, &why);
    }
}

/// The error of a method with a wrong return value.
fn not_what(method: &str, said: &Bound<'_, PyAny>, wanted: &str) -> PyErr {
    let found = said.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{method}() must return {wanted}, not {found}"))
}

fn base(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import("morta.memory")?.getattr("Memory")
}

fn random(seed: WorldSeed, golem: GolemId, part: Part, tick: Tick) -> Random {
    Random(part.lots(seed, golem, tick))
}

fn overrides(class: &Bound<'_, PyType>) -> PyResult<Overrides> {
    let base = base(class.py())?;
    let has = |method: &str| Ok::<_, PyErr>(!class.getattr(method)?.is(&base.getattr(method)?));
    Ok(Overrides { sleep: has("sleep")?, inherit: has("inherit")? })
}

/// A piece of advice: a number, or the fields of `morta.Advice`.
fn advice(said: &Bound<'_, PyAny>, candidate: &Candidate) -> PyResult<Advice> {
    let said = match said.extract::<f64>() {
        Ok(expected_r) => SaidAdvice::Expected(expected_r),
        Err(_) => {
            let fields = said.extract();
            let (expected_r, confidence, size, veto, held_ticks) = fields
                .map_err(|_| not_what("advise", said, "numbers or morta.Advice, one for each candidate"))?;
            SaidAdvice::Full(FullAdvice { expected_r, confidence, size, veto, held_ticks })
        }
    };
    said.on(candidate).map_err(PyValueError::new_err)
}

impl MemoryArchitecture for PyMemory {
    morta_engine::capable_of!(bequeaths);

    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], into: &mut Vec<Advice>) {
        let call = (Part::Advise(moment.context.asset), "advise", moment.tick);
        // A tick that is stopped has no proper result, so the golem begins nothing in it.
        let unasked = || {
            let not_now = |candidate| Advice { veto: true, ..Advice::prior(candidate) };
            candidates.iter().map(not_now).collect()
        };
        let said: Vec<Advice> = self.call(call, unasked, |object| {
            let arguments = (Moment::of(moment), Candidates::of(candidates));
            let said = object.call_method1(intern!(object.py(), "advise"), arguments)?;
            let wanted = "a number or morta.Advice for each candidate";
            let said = said.try_iter().map_err(|_| not_what("advise", &said, wanted))?;
            let said: Vec<Bound<'_, PyAny>> = said.collect::<PyResult<_>>()?;
            if said.len() != candidates.len() {
                let (found, wanted) = (said.len(), candidates.len());
                return Err(PyValueError::new_err(format!(
                    "advise: {found} answers for {wanted} candidates"
                )));
            }
            said.iter()
                .zip(candidates)
                .map(|(said, candidate)| advice(said, candidate))
                .collect::<PyResult<Vec<_>>>()
        });
        into.extend(said);
    }

    fn observe(&mut self, experience: &Experience<'_>) {
        self.call(
            (Part::Observe, "observe", experience.now),
            || (),
            |object| {
                object.call_method1(intern!(object.py(), "observe"), (Outcome::of(experience),)).map(|_| ())
            },
        );
    }

    fn wants_attention(&self) -> bool {
        self.overrides.sleep
    }

    fn attend(&mut self, attention: &Attention<'_>) -> Attended {
        self.call((Part::Sleep, "sleep", attention.tick), Attended::default, |object| {
            let said = object.call_method1(intern!(object.py(), "sleep"), (Waking::of(attention),))?;
            if said.is_none() {
                return Ok(Attended::default());
            }
            let [seen, made, merged, promoted, dropped, tier, tokens_read, tokens_written, asleep_ticks] =
                said.extract::<[u32; 9]>().map_err(|_| not_what("sleep", &said, "None or morta.Upkeep"))?;
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
        let lesson = |(strategy, expected_r, regime, confidence, outcomes): LessonParts| {
            let lesson = LessonMessage { strategy, expected_r, regime, confidence, outcomes };
            lesson.to_bequest(self.golem).map_err(PyValueError::new_err)
        };
        self.call((Part::Bequeath, "bequeath", 0), Vec::new, |object| {
            let lessons = object.call_method0(intern!(object.py(), "bequeath"))?;
            lessons.extract::<Vec<LessonParts>>()?.into_iter().map(lesson).collect()
        })
    }

    fn inherit(&mut self, drawn: Vec<Drawn>, now: Tick) -> InheritOutcome {
        let lessons: Vec<LessonMessage> = drawn.iter().filter_map(LessonMessage::from_drawn).collect();
        let candidates = lessons.len() as u32;
        self.call(
            (Part::Inherit, "inherit", now),
            || (),
            |object| {
                let class = object.py().import("morta.memory")?.getattr("Lesson")?;
                let lessons = lessons.into_iter().map(|lesson| {
                    let LessonMessage { strategy, expected_r, regime, confidence, outcomes } = lesson;
                    class.call1((strategy, expected_r, regime, confidence, outcomes))
                });
                let lessons = PyList::new(object.py(), lessons.collect::<PyResult<Vec<_>>>()?)?;
                object.call_method1("inherit", (lessons,)).map(|_| ())
            },
        );
        InheritOutcome { candidates, ..InheritOutcome::default() }
    }
}

/// The fields of `morta.Lesson`.
type LessonParts = (String, f64, Option<String>, f64, u32);

impl Clone for PyMemory {
    fn clone(&self) -> Self {
        let Self { name, golem, seed, .. } = self;
        let copy = self.saved().and_then(|bytes| {
            let saved = Saved { name: name.clone(), golem: *golem, seed: *seed, bytes };
            Python::attach(|py| {
                let object = self.object.as_ref().map_err(|unborn| unborn.clone_ref(py))?;
                Self::load(&object.bind(py).get_type(), saved, &self.monitor)
            })
        });
        copy.unwrap_or_else(|error| {
            resume_unwind(Box::new(format!("a memory `{name}` can't be copied: {error}")))
        })
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
        let bytes = self.saved().map_err(|error| {
            self.monitor.note_unsaved(&self.name, self.golem, &error);
            serde::ser::Error::custom(error)
        })?;
        Saved { name: self.name.clone(), golem: self.golem, seed: self.seed, bytes }.serialize(serializer)
    }
}
