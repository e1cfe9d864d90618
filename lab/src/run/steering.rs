//! Steering: directives of an owner that are given at run time take effect at the next barrier (dream architecture, "Trigger 3: Owner
//! directive", and "wake command routing"). `morta run --follow --steer` reads them from standard input, `morta watch` from its page. A
//! directive that the world can't obey (no such golem or cohort, say, or nobody there who can dream: dreams are off by default), or that
//! finds 1,000 others waiting for the barrier, is refused with an answer, and the run goes on.
//!
//! Directives are written into the run's scenario, as `[[dream.directives]]` and `[[dream.interrupts]]` of the ticks at which it took
//! effect. So a run that was steered is determined by its manifest like any other: repetitions (`morta verify` among others) live it again
//! without its owner.
//!
//! It is human-in-the-loop control: commands by standard input or HTTP, a bounded queue (backpressure), and a log of commands for
//! deterministic replay.

use crate::io::error::{Error, Result};
use crate::io::locked::locked;
use morta_base::{GolemId, Tick};
use morta_engine::dream::schedule::config::{CallSource, MAX_CALLS};
use morta_engine::dream::schedule::{DirectiveConfig, InterruptConfig};
use morta_engine::lethe::BloodstainStore;
use morta_engine::world::{Scenario, World};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead as _, Read as _};
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

morta_base::words! {
    /// What an owner may say (owner command).
    pub enum Command {
        /// Dream now.
        Dream = "dream",
        /// Wake up.
        Wake = "wake",
    }
}

/// A directive: one command of an owner, with the golem or cohort that it is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Directive {
    /// What is to be done.
    #[serde(rename = "do")]
    pub command: Command,
    /// The only golem that is to obey.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "by_name")]
    pub golem: Option<GolemId>,
    /// The only cohort whose golems are to obey.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cohort: Option<String>,
}

/// Golems as files name them, like `L3.G2`.
mod by_name {
    use super::GolemId;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(golem: &Option<GolemId>, to: S) -> Result<S::Ok, S::Error> {
        match golem {
            Some(golem) => to.collect_str(golem),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<GolemId>, D::Error> {
        let name: Option<String> = Option::deserialize(from)?;
        let wrong = |name: String| D::Error::custom(format!("golem {name:?}: a golem is named like L7.G2"));
        name.map(|name| name.parse().map_err(|_| wrong(name))).transpose()
    }
}

impl FromStr for Directive {
    type Err = String;

    /// Reads a line: `dream` or `wake`, and a golem like `L3.G2` or a cohort (all golems if left out); or the same as JSON.
    fn from_str(line: &str) -> Result<Self, String> {
        const FORM: &str = "write `dream` or `wake`, and a golem like L3.G2 or a cohort if not all are meant, or {\"do\": \"dream\", \"golem\": \"L3.G2\"}";
        let line = line.trim();
        if line.starts_with('{') {
            return serde_json::from_str(line).map_err(|error| format!("{error}: {FORM}"));
        }
        let (command, whom) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let command = command.parse().map_err(|error| format!("{command:?} {error}: {FORM}"))?;
        let whom = Some(whom.trim()).filter(|whom| !whom.is_empty());
        let golem = whom.and_then(|whom| whom.parse().ok());
        let cohort = whom.filter(|_| golem.is_none()).map(str::to_owned);
        Ok(Self { command, golem, cohort })
    }
}

/// The answer to a directive: it took effect at a tick, or was refused and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum DirectiveAnswer {
    /// It was passed on: it is in force from this tick on.
    Directive {
        /// The tick.
        tick: Tick,
        /// The directive.
        #[serde(flatten)]
        directive: Directive,
    },
    /// It was not; nothing was changed.
    DirectiveRefused {
        /// The directive as it was given; a line is cut to 200 characters.
        said: String,
        /// The mistake in it.
        why: String,
    },
}

/// Directives on their way to a world, and those that have reached it (command queue).
pub struct Steering {
    state: Mutex<State>,
    on_answer: Box<dyn Fn(&DirectiveAnswer) + Send + Sync>,
}

#[derive(Default)]
struct State {
    /// Given and not yet taken into the world.
    waiting: Vec<Directive>,
    /// Those that have reached it, as the scenario's lists are to have them.
    directives: Vec<DirectiveConfig>,
    interrupts: Vec<InterruptConfig>,
}

/// Longest line of an owner that is read, in bytes (our choice: the longest valid directive is a name and a few words). Without a bound a
/// stream that never ends its line would fill the memory.
const LINE_MAX: u64 = 4_096;

/// Most directives that wait for a barrier: a bound on memory, far above what a person types within a tick.
const WAITING_MAX: usize = 1_000;

impl Steering {
    /// Makes an empty queue of commands; `on_answer` is a callback, called for each, on the thread that lives the world or that gives the
    /// directive.
    pub fn new(on_answer: impl Fn(&DirectiveAnswer) + Send + Sync + 'static) -> Self {
        Self { state: Mutex::default(), on_answer: Box::new(on_answer) }
    }

    /// Makes a queue that reads commands from standard input, line by line, until it ends.
    pub fn by_standard_input(on_answer: impl Fn(&DirectiveAnswer) + Send + Sync + 'static) -> Arc<Self> {
        let steering = Arc::new(Self::new(on_answer));
        let owner = Arc::clone(&steering);
        // The thread is never joined: it blocks in a read that may never end, and ends with the program.
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            let mut line = Vec::new();
            while input.by_ref().take(LINE_MAX).read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                owner.say(&String::from_utf8_lossy(&line));
                // The rest of a line that is too long must not be read as another directive.
                let cut_off = !line.ends_with(b"\n");
                if cut_off && input.skip_until(b'\n').is_err() {
                    return;
                }
                line.clear();
            }
        });
        steering
    }

    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    /// Parses a command from a line of an owner, and passes it on. A wrong one is answered and changes nothing, because a typing mistake
    /// must not end a run.
    pub fn say(&self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        if let Err(why) = line.parse().and_then(|directive| self.give(directive)) {
            // An answer repeats at most 200 characters of the line.
            let said = line.trim_end().chars().take(200).collect();
            (self.on_answer)(&DirectiveAnswer::DirectiveRefused { said, why });
        }
    }

    /// Enqueues a directive for the next barrier.
    ///
    /// # Errors
    /// When too many wait for it already.
    pub fn give(&self, directive: Directive) -> Result<(), String> {
        let waiting = &mut self.state().waiting;
        if waiting.len() >= WAITING_MAX {
            return Err(format!(
                "{WAITING_MAX} directives wait for the next tick already: say it again later"
            ));
        }
        waiting.push(directive);
        Ok(())
    }

    /// Takes waiting directives into the world at a barrier: they are in force from the tick that comes.
    ///
    /// # Errors
    /// When the world's Lethe fails.
    pub(crate) fn reach<S: BloodstainStore>(&self, world: &mut World<S>) -> Result<()> {
        // The lock is released at once: an owner who types during a long tick must not wait for it.
        let waiting = std::mem::take(&mut self.state().waiting);
        if waiting.is_empty() {
            return Ok(());
        }
        let (mut directives, mut interrupts, mut answers) = (Vec::new(), Vec::new(), Vec::new());
        let tick = world.tick();
        for directive in waiting {
            let planned = world.plan().scenario().dream.directives.len() + directives.len();
            let calls = world.plan().scenario().dream.interrupts.len() + interrupts.len();
            // Each list has its own bound (`MAX_CALLS`); the longer one is checked, so a directive may be refused although its own list has room.
            if let Err(why) = check(&directive, world, planned.max(calls)) {
                let said = serde_json::to_string(&directive).unwrap_or_default();
                answers.push(DirectiveAnswer::DirectiveRefused { said, why });
                continue;
            }
            // A scenario names lineages and not golems; `check` has made sure that the named golem lives there now, so at this tick both mean the same.
            let (cohort, lineage) = (directive.cohort.clone(), directive.golem.map(|golem| golem.lineage));
            match directive.command {
                Command::Dream => directives.push(DirectiveConfig { tick, cohort, lineage }),
                Command::Wake => {
                    interrupts.push(InterruptConfig { tick, source: CallSource::Owner, cohort, lineage })
                }
            }
            answers.push(DirectiveAnswer::Directive { tick, directive });
        }
        if !directives.is_empty() || !interrupts.is_empty() {
            // Through the plan and not into golems: the world goes on as if the directives had been planned, so living it again needs no owner.
            let plan = world.plan().clone().with_calls(directives.clone(), interrupts.clone());
            world.rebind(plan).map_err(|error| Error::invalid(error.to_string()))?;
            let state = &mut *self.state();
            state.directives.extend(directives);
            state.interrupts.extend(interrupts);
        }
        // Answers come last: a directive is reported as passed on only when the world has it.
        answers.iter().for_each(|answer| (self.on_answer)(answer));
        Ok(())
    }

    /// How many directives have reached the world.
    pub fn given(&self) -> u64 {
        let state = self.state();
        (state.directives.len() + state.interrupts.len()) as u64
    }

    /// The scenario as it was lived: with the directives that were given, as if planned.
    pub(crate) fn written_into(&self, mut scenario: Scenario) -> Scenario {
        let state = self.state();
        scenario.dream.directives.extend(state.directives.iter().cloned());
        scenario.dream.interrupts.extend(state.interrupts.iter().cloned());
        scenario
    }
}

/// Checks that a directive has golems to obey it in this world.
fn check<S: BloodstainStore>(directive: &Directive, world: &World<S>, planned: usize) -> Result<(), String> {
    let scenario = world.plan().scenario();
    let cohorts: Vec<&str> = scenario.cohorts.iter().map(|cohort| cohort.name.as_str()).collect();
    if let Some(cohort) = directive.cohort.as_deref().filter(|cohort| !cohorts.contains(cohort)) {
        return Err(format!(
            "{cohort:?} is neither a golem like L3.G2 nor a cohort: use the name of a cohort: {}",
            cohorts.join(", ")
        ));
    }
    if let Some(golem) = directive.golem {
        if golem.lineage >= world.plan().lineages() {
            return Err(format!("there is no {golem}: lineages are L0 to L{}", world.plan().lineages() - 1));
        }
        let lives = world.golem(golem.lineage).map(|living| living.id());
        if lives != Some(golem) {
            let now = lives.map_or("nobody lives there".to_owned(), |living| format!("{living} lives there"));
            return Err(format!("{golem} isn't alive at tick {}: {now}", world.tick()));
        }
    }
    let is_meant = |lineage: &u32| {
        let cohort = cohorts[usize::from(world.plan().cohort_of(*lineage))];
        directive.golem.is_none_or(|golem| golem.lineage == *lineage)
            && directive.cohort.as_deref().is_none_or(|named| named == cohort)
    };
    // Who will be born into a slot that is empty now, as all are before the first tick, isn't known: it could be one that dreams.
    let may_dream = |lineage: u32| {
        world.plan().rules(world.plan().cohort_of(lineage)).dream.enabled
            && world.golem(lineage).is_none_or(|living| living.memory().dreams().is_some())
    };
    if !(0..world.plan().lineages()).filter(is_meant).any(may_dream) {
        let why = "nobody who is meant can dream: that takes dream.enabled = true, or dreams = true of a cohort, and a memory with \
                   dreams, such as bardo";
        return Err(why.to_owned());
    }
    if directive.command == Command::Wake && !scenario.dream.wake_interrupts.enabled {
        return Err("dream.wake_interrupts.enabled is false: nothing wakes dreamers in this world".to_owned());
    }
    if planned >= MAX_CALLS {
        return Err(format!("{MAX_CALLS} have been planned or given: a scenario holds no more"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_words_or_as_json() {
        let read = |line: &str| line.parse::<Directive>();
        let golem = Some("L3.G2".parse::<GolemId>().unwrap());
        let directive = |command, golem, cohort: Option<&str>| {
            Ok(Directive { command, golem, cohort: cohort.map(str::to_owned) })
        };
        assert_eq!(read("dream"), directive(Command::Dream, None, None));
        assert_eq!(read("  wake L3.G2 \n"), directive(Command::Wake, golem, None));
        assert_eq!(read("dream night owls"), directive(Command::Dream, None, Some("night owls")));
        assert_eq!(read(r#"{"do": "dream", "golem": "L3.G2"}"#), directive(Command::Dream, golem, None));
        for wrong in [
            "sleep",
            "{\"do\": \"eat\"}",
            "{\"do\": \"dream\", \"golem\": \"3\"}",
            "{",
            "{\"do\":\"dream\",\"who\":1}",
        ] {
            let message = read(wrong).unwrap_err();
            assert!(message.contains("write `dream` or `wake`"), "{message}");
        }
    }
}
