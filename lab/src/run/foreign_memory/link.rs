//! The link to the memories of a name in one run: a process, or the recording of one. It is the client of a remote procedure call (RPC)
//! over lines of JSON, with record/replay. A call is one golem's request, and golems on several threads wait for each other; durations are
//! wall-clock time and enter no result. After the first failure of the process every later call is refused, but the link ends no run: its
//! users have to ask for `fault`. One process serves all golems of a name, because a process for each would be thousands; a conformance
//! check has all its worlds on one link.

use super::child::Child;
use super::messages::{Hello, PROTOCOL, Reply};
use super::recording::{CallJournal, CallPlace, CallRecording, Record, hash_of, key_of};
use crate::io::error::Result;
use crate::io::locked::locked;
use morta_base::{GolemId, Tick};
use serde::Serialize;
use serde_json::value::RawValue;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Characters of a request or an answer that an error shows.
const SHOWN: usize = 200;

/// Why a call has no answer that could be used (RPC error).
#[derive(Debug)]
pub(super) enum Refused {
    /// The memory raised, or answered out of range: its golem dies, and the run goes on, as with a panic of a memory in Rust.
    Memory(String),
    /// The process or recording has failed: the run is over.
    Run,
}

/// The answerer: a process, or a recording of one (RPC backend).
#[derive(Debug)]
enum Answerer {
    /// A process, one call at a time: golems on several threads wait for each other here.
    Process { command: Vec<String>, child: Mutex<Child> },
    /// The recording of one.
    Recorded { path: PathBuf, recording: CallRecording },
}

/// All memories of a name in one run (RPC client).
#[derive(Debug)]
pub(super) struct Link {
    /// The name that its memories have in scenarios.
    pub name: String,
    /// Its greeting (handshake response).
    pub hello: Hello,
    answerer: Answerer,
    /// Where calls are recorded; none for a run without a folder, before a run begins, and of a recording.
    journal: Mutex<Option<CallJournal>>,
    /// Why it was given up; set once, and later calls are refused.
    fault: OnceLock<String>,
    /// The next number of a memory, and births so far.
    handles: AtomicU64,
    births: AtomicU64,
    /// Calls that the process has answered, and the wall-clock time they took.
    calls: AtomicU64,
    waited_ns: AtomicU64,
}

/// A call, apart from what it says (RPC request header: method and target).
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    /// Its name in the protocol.
    pub name: &'static str,
    /// The golem whose memory is called.
    pub golem: GolemId,
    /// The number of the memory in the process.
    pub handle: u64,
    /// Now.
    pub tick: Tick,
    /// The seed of random draws in the call.
    pub seed: u64,
    /// The number among the golem's calls; none for what isn't recorded.
    pub number: Option<u64>,
}

/// The JSON of a call (request envelope), with the fields of its body beside the common ones.
#[derive(Serialize)]
struct Request<'a, T> {
    call: &'a str,
    golem: String,
    tick: Tick,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<&'a RawValue>,
    #[serde(flatten)]
    body: &'a T,
}

/// The JSON of the first line to a process (handshake request).
#[derive(Serialize)]
struct HelloRequest<'a> {
    call: &'a str,
    protocol: u32,
    name: &'a str,
}

impl Link {
    /// Spawns a process, and reads its greeting (handshake).
    ///
    /// # Errors
    /// When it can't be started, its greeting can't be read, or it speaks another version of the protocol.
    pub(crate) fn to_process(
        name: &str,
        command: &[String],
        patience: Duration,
        stop: Option<Arc<AtomicBool>>,
    ) -> Result<Self, String> {
        let request = HelloRequest { call: "hello", protocol: PROTOCOL, name };
        let request = serde_json::to_vec(&request).expect("a request is plain data");
        let failure = |why: String| {
            let sent = shown(&String::from_utf8_lossy(&request));
            format!("the memory process `{}`: {why}; it was sent {sent}", command.join(" "))
        };
        let mut child = Child::start(command, patience, stop).map_err(failure)?;
        let answer = child.ask(&request).map_err(failure)?;
        let hello: Hello = serde_json::from_str(&answer)
            .map_err(|error| failure(format!("it answered {}: {error}", shown(&answer))))?;
        if hello.protocol != PROTOCOL {
            return Err(failure(format!("it speaks protocol {}, and this build {PROTOCOL}", hello.protocol)));
        }
        let answerer = Answerer::Process { command: command.to_vec(), child: Mutex::new(child) };
        Ok(Self::new(name, hello, answerer))
    }

    /// Plays a recording (replay client of recorded calls).
    ///
    /// # Errors
    /// When it can't be read.
    pub(crate) fn to_recording(name: &str, path: &Path) -> Result<Self> {
        let recording = CallRecording::read(path)?;
        let hello = recording.hello.clone();
        Ok(Self::new(name, hello, Answerer::Recorded { path: path.to_owned(), recording }))
    }

    fn new(name: &str, hello: Hello, answerer: Answerer) -> Self {
        Self {
            name: name.to_owned(),
            hello,
            answerer,
            journal: Mutex::new(None),
            fault: OnceLock::new(),
            handles: AtomicU64::new(0),
            births: AtomicU64::new(0),
            calls: AtomicU64::new(0),
            waited_ns: AtomicU64::new(0),
        }
    }

    /// The command line of the subprocess; empty for a recording.
    pub(super) fn command(&self) -> &[String] {
        match &self.answerer {
            Answerer::Process { command, .. } => command,
            Answerer::Recorded { .. } => &[],
        }
    }

    /// Whether answers come from a recording; then memories have no state here that could be saved (replay mode).
    pub(super) fn is_recording(&self) -> bool {
        matches!(self.answerer, Answerer::Recorded { .. })
    }

    /// A number that no memory has yet, from an atomic counter (unique handle).
    pub(crate) fn next_handle(&self) -> u64 {
        self.handles.fetch_add(1, Ordering::Relaxed)
    }

    /// Counts a birth by an atomic counter; returns the number of births before it (birth counter).
    pub(super) fn count_birth(&self) -> u64 {
        self.births.fetch_add(1, Ordering::Relaxed)
    }

    /// The error message of its failure; none while it works.
    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.get().map(String::as_str)
    }

    /// Gives the link up: later calls fail (circuit breaker). The first reason stays.
    pub(super) fn give_up(&self, why: String) {
        let _ = self.fault.set(format!("the memory `{}`: {why}", self.name));
    }

    /// Records calls in a run's folder from now on (start recording).
    ///
    /// # Errors
    /// When they can't be.
    pub(crate) fn record_into(&self, folder: &Path) -> Result<()> {
        let journal = CallJournal::open(folder, &self.name, &self.hello)?;
        *locked(&self.journal) = Some(journal);
        Ok(())
    }

    /// Calls of the process so far, and how long they took altogether (call count and latency).
    pub(super) fn cost(&self) -> (u64, Duration) {
        let [calls, ns] = [&self.calls, &self.waited_ns].map(|of| of.load(Ordering::Relaxed));
        (calls, Duration::from_nanos(ns))
    }

    /// Hands the recording over; later calls aren't recorded (journal moved out of the mutex).
    pub(crate) fn take_journal(&self) -> Option<CallJournal> {
        locked(&self.journal).take()
    }

    /// Makes a call (RPC call: a round trip of a JSON request), with what the memory holds where that is kept here.
    ///
    /// # Errors
    /// When it has no answer that could be used.
    pub(super) fn ask<T: Serialize>(
        &self,
        call: Call,
        kept: Option<&RawValue>,
        body: &T,
    ) -> Result<Reply, Refused> {
        // After a failure the process may be in the middle of another answer, so no call can be trusted to get its own.
        if self.fault.get().is_some() {
            return Err(Refused::Run);
        }
        let Call { name, golem, tick, seed, .. } = call;
        let request = Request { call: name, golem: golem.to_string(), tick, seed, kept, body };
        let request = serde_json::to_vec(&request).map_err(|error| Refused::Memory(error.to_string()))?;
        let answered = match &self.answerer {
            Answerer::Process { child, .. } => self.ask_process(child, call, &request),
            Answerer::Recorded { path, recording } => Self::play(path, recording, call, &request),
        };
        let reply = answered.map_err(|why| self.over(why, call, &request))?;
        match serde_json::from_str::<Reply>(&reply) {
            // A traceback may be as long as an answer, and every death of a golem logs it.
            Ok(Reply { error: Some(error), .. }) => Err(Refused::Memory(cut(&error))),
            Ok(reply) => Ok(reply),
            Err(error) if error.is_data() => {
                Err(Refused::Memory(format!("it answered {}: {error}", shown(&reply))))
            }
            Err(error) => Err(self.over(format!("it answered {}: {error}", shown(&reply)), call, &request)),
        }
    }

    fn ask_process(&self, child: &Mutex<Child>, call: Call, request: &[u8]) -> Result<String, String> {
        // The number of the memory depends on the order of births among threads, so it is no part of the recording.
        let mut line = format!("{{\"memory\":{},", call.handle).into_bytes();
        line.extend_from_slice(&request[1..]);
        let mut child = locked(child);
        let begun = Instant::now();
        let reply = child.ask(&line)?;
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.waited_ns.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
        // The journal is written without the lock of the process, so that another golem's call needn't wait for the disk.
        drop(child);
        if let (Some(place), Some(journal)) = (place(call), locked(&self.journal).as_mut()) {
            let record = Record::new(place, hash_of(request), reply.clone());
            journal.add(&record).map_err(|error| format!("its answer can't be recorded: {error}"))?;
        }
        Ok(reply)
    }

    fn play(path: &Path, recording: &CallRecording, call: Call, request: &[u8]) -> Result<String, String> {
        // Calls that save or forget have no place in a recording, because there is no state to save or forget.
        let Some(place) = place(call) else { return Ok("{}".to_owned()) };
        let path = path.display();
        match recording.at(place) {
            // The hash of the request proves that the world asks the same as then; an answer to another question would be lived with unnoticed.
            Some((hash, reply)) if hash == hash_of(request) => Ok(reply.to_owned()),
            Some(_) => Err(format!("{path}: it was asked something else then")),
            None => Err(format!("{path}: the recording has no such call")),
        }
    }

    /// Notes the failure and its reason: the first reason stays.
    fn over(&self, why: String, call: Call, request: &[u8]) -> Refused {
        let Call { name, golem, tick, number, .. } = call;
        let number = number.map_or_else(String::new, |number| format!(" {number}"));
        let place = format!("golem {golem}, tick {tick}, call{number} `{name}`");
        let sent = shown(&String::from_utf8_lossy(request));
        let text = match &self.answerer {
            Answerer::Process { command, .. } => format!(
                "the memory process `{}` of `{}`: {why}; {place}: it was sent {sent}; mend the program, and run again",
                command.join(" "),
                self.name
            ),
            Answerer::Recorded { .. } => format!(
                "the recorded memory `{}`: {why}; {place}: asked {sent}; only the build and the data of the run ask the same",
                self.name
            ),
        };
        let _ = self.fault.set(text);
        Refused::Run
    }
}

fn place(call: Call) -> Option<CallPlace> {
    Some((key_of(call.golem), call.number?))
}

fn shown(text: &str) -> String {
    format!("`{}`", cut(text))
}

/// Its first characters.
fn cut(text: &str) -> String {
    let mut short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
