//! A golem's memory that lives in another process, behind the contract: a proxy (remote object) that forwards each call of the memory trait
//! as a message. An unusable answer ends the golem's life by fault (a panic of its step), so that no decision is invented; a process that
//! fails, or doesn't answer in time, ends the run. Optional calls (sleep, inherit, bequeath, save) are made only where the process has
//! offered them. The first memory of a link is made while the run is planned, so a program that can't answer a birth refuses the run; later
//! ones cost their golems' lives. Of what an heir draws, scars and claims of other kinds than a strategy's worth are not passed to its
//! process. `MemoryProcesses` registers the constructors.

use super::link::{Call, Link, Refused};
use super::messages::{BirthMessage, Candidates, Method, MomentMessage, OutcomeMessage, Part, Reply, Waking};
use super::words::LessonMessage;
use crate::io::locked::locked;
use morta_base::{GolemId, Tick, WorldSeed};
use morta_engine::lethe::{Bequest, Drawn};
use morta_engine::memory::{
    Advice, Attended, Attention, Bequeaths, Candidate, DecisionContext, Experience, InheritOutcome,
    MemoryArchitecture, MemoryBirth,
};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// The body of a call (JSON request): what it has beside its name, place and lots.
#[derive(Serialize)]
#[serde(untagged)]
enum Body<'a> {
    Birth { birth: BirthMessage<'a> },
    Advise { moment: MomentMessage, candidates: Candidates },
    Observe { outcome: OutcomeMessage },
    Sleep { attention: Waking },
    Inherit { lessons: Vec<LessonMessage> },
    Load { saved: &'a str },
    Nothing {},
}

/// A golem's memory in a process that remembers for all golems of its name (proxy).
#[derive(Debug)]
pub struct ProcessMemory {
    link: Arc<Link>,
    golem: GolemId,
    seed: WorldSeed,
    handle: u64,
    /// Calls so far, those of its earlier lives in other processes included.
    calls: AtomicU64,
    /// The latest tick of a call to it.
    now: AtomicU64,
    /// What it holds (state), where the process keeps nothing itself; none before its first answer.
    kept: Mutex<Option<Box<RawValue>>>,
    /// Why it was never born: its golem dies of it at its first step.
    unborn: Option<String>,
}

/// The memory in a checkpoint: the state that the program keeps here, and the content: what the process answered `save` with, or has kept
/// here.
#[derive(Serialize, Deserialize)]
struct Saved {
    name: String,
    golem: GolemId,
    seed: WorldSeed,
    calls: u64,
    now: Tick,
    unborn: Option<String>,
    saved: String,
}

impl ProcessMemory {
    /// The memory of a newborn.
    ///
    /// # Errors
    /// When the first one of a run can't be made: a program that can't answer a birth is a mistake of its author, who would otherwise read
    /// of it as deaths. Later ones end their golems' lives, or the run, when they are asked.
    pub(super) fn empty(link: Arc<Link>, birth: &MemoryBirth<'_>) -> Result<Self, String> {
        let mut message = BirthMessage::from_birth(birth)?;
        if let Some(declared) = &link.hello.parameters {
            message = message.with_defaults(&link.name, declared)?;
        }
        let request = Body::Birth { birth: message };
        let is_first = link.count_birth() == 0;
        let mut memory = Self::for_golem(link, birth.golem, birth.seed);
        match memory.ask(Part::Birth, "birth", 0, &request) {
            Ok(_) => {}
            Err(Refused::Memory(why)) if is_first => return Err(why),
            Err(Refused::Run) if is_first => return Err(memory.link.fault().unwrap_or_default().to_owned()),
            Err(refused) => memory.unborn = Some(memory.why(refused)),
        }
        Ok(memory)
    }

    fn for_golem(link: Arc<Link>, golem: GolemId, seed: WorldSeed) -> Self {
        let handle = link.next_handle();
        let (calls, now) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { link, golem, seed, handle, calls, now, kept: Mutex::default(), unborn: None }
    }

    fn why(&self, refused: Refused) -> String {
        match refused {
            Refused::Memory(why) => why,
            Refused::Run => self.link.fault().unwrap_or_default().to_owned(),
        }
    }

    fn has(&self, method: Method) -> bool {
        self.link.hello.methods.contains(&method)
    }

    fn call(&self, part: Part, name: &'static str, tick: Tick, number: Option<u64>) -> Call {
        let seed = part.lots(self.seed, self.golem, tick).word();
        Call { name, golem: self.golem, handle: self.handle, tick, seed, number }
    }

    fn ask(&self, part: Part, name: &'static str, tick: Tick, request: &Body<'_>) -> Result<Reply, Refused> {
        // The number goes into the record of the call. It counts on across restores, so that a life of two processes has no number twice.
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        self.now.store(tick, Ordering::Relaxed);
        let mut kept = locked(&self.kept);
        let mut reply = self.link.ask(self.call(part, name, tick, Some(number)), kept.as_deref(), request)?;
        if let Some(now) = reply.kept.take() {
            // Two places for one state would part at the first checkpoint.
            if !self.has(Method::Keep) {
                let why = "it answered with `kept`, and its `methods` have no \"keep\": add it, or leave `kept` out";
                return Err(Refused::Memory(why.to_owned()));
            }
            *kept = Some(now);
        }
        Ok(reply)
    }

    /// Sends a request that isn't recorded (save, load, forget): the world doesn't depend on its answer, and a process may be saved more
    /// often in one run than in its repetition, so a number for it would shift those of the calls that are recorded.
    fn ask_aside(&self, name: &'static str, request: &Body<'_>) -> Result<Reply, Refused> {
        self.link.ask(self.call(Part::Upkeep, name, self.now.load(Ordering::Relaxed), None), None, request)
    }

    /// Asks within a step. A failure ends the life of the golem, as every panic of a step does; the author of the program reads the reason
    /// on standard error.
    fn in_step<T>(
        &self,
        (part, name, tick): (Part, &'static str, Tick),
        request: &Body<'_>,
        read: impl FnOnce(Reply) -> Result<T, String>,
    ) -> T {
        if let Some(why) = &self.unborn {
            self.die(name, tick, why);
        }
        match self.ask(part, name, tick, request) {
            Ok(reply) => read(reply).unwrap_or_else(|why| self.die(name, tick, &why)),
            Err(Refused::Memory(why)) => self.die(name, tick, &why),
            // The run ends with the reason.
            Err(refused @ Refused::Run) => std::panic::resume_unwind(Box::new(self.why(refused))),
        }
    }

    fn die(&self, call: &str, tick: Tick, why: &str) -> ! {
        let memory = &self.link.name;
        // Once a process has failed, the run ends at its next barrier and reports the reason once; until then golems that are born die, tick after tick.
        if self.link.fault().is_none() {
            tracing::error!(
                "golem {} dies by fault at tick {tick}: its memory {memory}, in {call}: {why}",
                self.golem
            );
        }
        std::panic::resume_unwind(Box::new(format!("the memory {memory}, in {call}: {why}")))
    }

    fn content(&self) -> Result<String, String> {
        if self.has(Method::Keep) {
            return Ok(locked(&self.kept).as_ref().map_or_else(String::new, |kept| kept.get().to_owned()));
        }
        if self.unborn.is_some() || self.link.is_recording() {
            return Ok(String::new());
        }
        if !self.has(Method::Save) {
            return Err(format!(
                "the memory {} answers no save and load, and keeps its state itself",
                self.link.name
            ));
        }
        match self.ask_aside("save", &Body::Nothing {}) {
            Ok(Reply { saved: Some(saved), .. }) => Ok(saved),
            Ok(_) => Err("it answered save without `saved`".to_owned()),
            Err(refused) => Err(self.why(refused)),
        }
    }

    fn saved(&self) -> Result<Saved, String> {
        let content = self.content()?;
        Ok(Saved {
            name: self.link.name.clone(),
            golem: self.golem,
            seed: self.seed,
            calls: self.calls.load(Ordering::Relaxed),
            now: self.now.load(Ordering::Relaxed),
            unborn: self.unborn.clone(),
            saved: content,
        })
    }

    /// The memory that was written down in these bytes, in the process that holds it now.
    ///
    /// # Errors
    /// When these aren't bytes of one, or the process can't take it up again.
    pub(super) fn from_bytes(link: Arc<Link>, bytes: &[u8]) -> Result<Self, String> {
        let saved = postcard::from_bytes(bytes).map_err(|error| error.to_string())?;
        Self::load(link, saved)
    }

    fn load(link: Arc<Link>, saved: Saved) -> Result<Self, String> {
        let Saved { golem, seed, calls, now, unborn, saved: content, .. } = saved;
        let mut memory = Self::for_golem(link, golem, seed);
        memory.calls = AtomicU64::new(calls);
        memory.now = AtomicU64::new(now);
        memory.unborn = unborn;
        if memory.has(Method::Keep) {
            // Nothing was kept by a program that has answered no call with it.
            if !content.is_empty() {
                let kept =
                    RawValue::from_string(content).map_err(|error| format!("what it kept: {error}"))?;
                memory.kept = Mutex::new(Some(kept));
            }
        } else if memory.unborn.is_none() && !memory.link.is_recording() {
            let request = Body::Load { saved: &content };
            memory.ask_aside("load", &request).map_err(|refused| memory.why(refused))?;
        }
        Ok(memory)
    }
}

impl MemoryArchitecture for ProcessMemory {
    morta_engine::capable_of!(bequeaths);

    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], into: &mut Vec<Advice>) {
        let request = Body::Advise {
            moment: MomentMessage::from_context(moment, self.link.hello.embeddings),
            candidates: Candidates::from_candidates(candidates),
        };
        let call = (Part::Advise(moment.context.asset), "advise", moment.tick);
        let advice = self.in_step(call, &request, |reply| {
            let said = reply.advice.ok_or("it answered without `advice`")?;
            // Advice is matched to candidates by its place alone, so a missing answer would shift all that follow.
            if said.len() != candidates.len() {
                return Err(format!("{} answers for {} candidates", said.len(), candidates.len()));
            }
            said.iter().zip(candidates).map(|(said, on)| said.on(on)).collect::<Result<Vec<_>, _>>()
        });
        into.extend(advice);
    }

    fn observe(&mut self, experience: &Experience<'_>) {
        let outcome = OutcomeMessage::from_experience(experience, self.link.hello.embeddings);
        let request = Body::Observe { outcome };
        self.in_step((Part::Observe, "observe", experience.now), &request, |_| Ok(()));
    }

    fn wants_attention(&self) -> bool {
        self.has(Method::Sleep)
    }

    fn attend(&mut self, attention: &Attention<'_>) -> Attended {
        let request = Body::Sleep { attention: Waking::from_attention(attention) };
        self.in_step((Part::Sleep, "sleep", attention.tick), &request, |reply| {
            reply.upkeep.map_or_else(|| Ok(Attended::default()), |upkeep| upkeep.attended())
        })
    }
}

impl Bequeaths for ProcessMemory {
    fn draws(&self) -> bool {
        self.has(Method::Inherit)
    }

    fn bequeath(&self) -> Vec<Bequest> {
        if !self.has(Method::Bequeath) {
            return Vec::new();
        }
        // The trait passes no tick, so the tick of the latest call is used instead.
        let at = self.now.load(Ordering::Relaxed);
        self.in_step((Part::Bequeath, "bequeath", at), &Body::Nothing {}, |reply| {
            let lessons = reply.lessons.ok_or("it answered without `lessons`")?;
            lessons.iter().map(|lesson| lesson.to_bequest(self.golem)).collect()
        })
    }

    fn inherit(&mut self, drawn: Vec<Drawn>, now: Tick) -> InheritOutcome {
        let lessons: Vec<LessonMessage> = drawn.iter().filter_map(LessonMessage::from_drawn).collect();
        let candidates = u32::try_from(lessons.len()).unwrap_or(u32::MAX);
        self.in_step((Part::Inherit, "inherit", now), &Body::Inherit { lessons }, |_| Ok(()));
        InheritOutcome { candidates, ..InheritOutcome::default() }
    }
}

impl Clone for ProcessMemory {
    fn clone(&self) -> Self {
        let copy = self.saved().and_then(|saved| Self::load(Arc::clone(&self.link), saved));
        copy.unwrap_or_else(|why| {
            std::panic::resume_unwind(Box::new(format!("a memory can't be copied: {why}")))
        })
    }
}

impl PartialEq for ProcessMemory {
    fn eq(&self, other: &Self) -> bool {
        let same_golem =
            (&self.link.name, self.golem, self.seed) == (&other.link.name, other.golem, other.seed);
        same_golem && matches!((self.saved(), other.saved()), (Ok(a), Ok(b)) if a.saved == b.saved)
    }
}

impl Serialize for ProcessMemory {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = self.saved();
        if self.link.hello.can_be_saved()
            && let Err(why) = &saved
        {
            // A serialiser takes every value for plain data and can't stop the run, so the run is ended here, and the file isn't kept.
            self.link.give_up(format!("golem {} can't be written down: {why}", self.golem));
        }
        saved.map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl Drop for ProcessMemory {
    fn drop(&mut self) {
        // A process that has ended has forgotten already.
        let holds = self.unborn.is_none() && !self.link.is_recording() && !self.has(Method::Keep);
        if holds && self.link.fault().is_none() {
            let _ = self.ask_aside("forget", &Body::Nothing {});
        }
    }
}
