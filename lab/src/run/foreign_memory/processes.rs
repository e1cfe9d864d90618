//! Memories that are brought by processes, and the process or recording behind each in a run. It is a process manager of plug-ins: a
//! process is started when a run is planned (`morta validate` plans too), which makes one memory of each cohort on trial, and it isn't
//! started anew after a failure. Flags (`--memory-process NAME=COMMAND`) name processes and never a scenario, because a file from somebody
//! else must not start programs.
//!
//! A process serves one run, and all golems of its name in it; each cell of a sweep gets its own ([`MemoryProcesses::afresh`]). The one
//! exception is a conformance check, which lives all its worlds with one process: memories are kept apart by their numbers alone. A run
//! with a folder calls `demand_saving` where it has checkpoints, `record_into` before its first tick, `check` after ticks, `keep` at its
//! end; runs without a folder, repetitions and cells of sweeps call `check` and no `record_into`, so they leave no recording. Recordings
//! and costs (calls, mean microseconds of wall-clock time a call) are kept here, for processes that were started.

use super::link::Link;
use super::memory::ProcessMemory;
use super::recording::file_name;
use crate::io::error::{Error, Result};
use crate::io::locked::locked;
use morta_engine::memory::{MemoryName, MemoryRegistry};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// The longest time for an answer (timeout); no flag of the command line changes it. Our choice: a program that loads a model for its first
/// answer fits in, and a hung one doesn't hold a night's run.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// How a caller of the command line brings one.
pub const PROCESS_FLAG: &str = "--memory-process NAME=COMMAND";

/// Where the memories of a name come from.
#[derive(Clone, Debug)]
enum Origin {
    /// A command, taken apart into words.
    Command(Vec<String>),
    /// The recording of a run.
    Recording(PathBuf),
}

/// What the processes of a run, or their recordings, are known by.
#[derive(Debug, Default)]
struct Shared {
    origins: BTreeMap<String, Origin>,
    patience: Duration,
    /// Set once answers aren't wanted any longer.
    stop: Option<Arc<AtomicBool>>,
    /// Links of memories by name; a process is started when the first memory of its name is made, which planning a run does.
    links: Mutex<BTreeMap<String, Arc<Link>>>,
}

/// The memories that processes bring to one run or one conformance check: each name has one plug-in process, which lives as long as these.
/// A clone shares the processes; `afresh` gives new ones.
#[derive(Clone, Debug, Default)]
pub struct MemoryProcesses(Arc<Shared>);

/// What the manifest of a run says of a memory that a process (plug-in) brought. A checksum guards the recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryRecord {
    /// Its name in the scenario.
    pub memory: String,
    /// The command, word by word.
    pub command: Vec<String>,
    /// What the process called itself.
    pub program: String,
    /// The file with its calls.
    pub file: String,
    /// Calls in it.
    pub calls: u64,
    /// BLAKE3 of its bytes.
    pub blake3: String,
}

/// What the process of a memory cost a run: the number of calls and their average latency.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProcessCost {
    /// The memory's name in the scenario.
    pub memory: String,
    /// Calls, those that aren't recorded included.
    pub calls: u64,
    /// From a request to its answer, microseconds on average; 0 without calls.
    pub mean_us: f64,
}

impl MemoryProcesses {
    /// Parses the memories that flags name, each `NAME=COMMAND`. The command is split into words as by a shell (shell quoting) and no shell
    /// runs it, so that no variable or pipe in it can surprise. `patience` is the timeout of an answer.
    ///
    /// # Errors
    /// [`Error::Invalid`], with a line for each flag that can't be read.
    pub fn of_flags(flags: &[String], patience: Duration) -> Result<Self> {
        let mut origins = BTreeMap::new();
        let mut wrong = Vec::new();
        for flag in flags {
            match words_of(flag) {
                Err(why) => wrong.push(format!("--memory-process {flag}: {why}")),
                Ok((name, _)) if origins.contains_key(&name) => {
                    wrong.push(format!("--memory-process {flag}: `{name}` is named twice"));
                }
                Ok((name, command)) => drop(origins.insert(name, Origin::Command(command))),
            }
        }
        Error::if_any(wrong).map(|()| Self::new(origins, patience))
    }

    /// Opens the recordings of memories in a run's folder, to be replayed. The checksum of each recording is compared first.
    ///
    /// # Errors
    /// [`Error::Invalid`] when a recording isn't the one that the run left.
    pub fn of_run(folder: &Path, records: &[MemoryRecord]) -> Result<Self> {
        let mut origins = BTreeMap::new();
        for MemoryRecord { memory, file, blake3, .. } in records {
            let path = folder.join(file_name(memory));
            let is_left = |bytes: Vec<u8>| blake3::hash(&bytes).to_hex().as_str() == blake3;
            if *file != file_name(memory) || !std::fs::read(&path).is_ok_and(is_left) {
                return Err(Error::at(
                    path,
                    "this isn't the recording that the run left, so its memories can't be lived again: put it back",
                ));
            }
            origins.insert(memory.clone(), Origin::Recording(path));
        }
        Ok(Self::new(origins, PATIENCE))
    }

    /// Makes the same for another run at the same time, whose golems get processes of their own (process isolation).
    pub fn afresh(&self) -> Self {
        self.with_stop(self.0.stop.clone())
    }

    /// Adds a cancellation flag, which ends the wait for an answer once it is set, as an interrupt does.
    pub fn stopped_by(&self, stop: &Arc<AtomicBool>) -> Self {
        self.with_stop(Some(Arc::clone(stop)))
    }

    fn with_stop(&self, stop: Option<Arc<AtomicBool>>) -> Self {
        let Shared { origins, patience, .. } = &*self.0;
        Self(Arc::new(Shared {
            origins: origins.clone(),
            patience: *patience,
            stop,
            links: Mutex::default(),
        }))
    }

    fn new(origins: BTreeMap<String, Origin>, patience: Duration) -> Self {
        Self(Arc::new(Shared { origins, patience, stop: None, links: Mutex::default() }))
    }

    /// Registers these plug-in memories beside those of a registry.
    ///
    /// # Errors
    /// [`Error::Invalid`] when a name is taken, or none.
    pub fn added_to(&self, memories: &Arc<MemoryRegistry>) -> Result<Arc<MemoryRegistry>> {
        if self.0.origins.is_empty() {
            return Ok(Arc::clone(memories));
        }
        let mut registry = MemoryRegistry::clone(memories);
        for (name, origin) in &self.0.origins {
            // A caller that has registered the memory itself needs no recording of it.
            if matches!(origin, Origin::Recording(_)) && registry.knows(&MemoryName::from(name.as_str())) {
                continue;
            }
            let (processes, memory) = (self.clone(), name.clone());
            let link = move || processes.link(&memory);
            let again = link.clone();
            let registered = registry.register_loading(
                name,
                "A memory in a process of its own",
                move |birth| ProcessMemory::empty(link()?, birth),
                move |bytes| ProcessMemory::from_bytes(again()?, bytes),
            );
            registered.map_err(|error| Error::invalid(format!("--memory-process {name}: {error}")))?;
        }
        Ok(Arc::new(registry))
    }

    /// Whether no process brings a memory.
    pub fn is_empty(&self) -> bool {
        self.0.origins.is_empty()
    }

    fn links(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Link>>> {
        locked(&self.0.links)
    }

    fn open(&self, name: &str) -> Result<Arc<Link>, String> {
        let link = match self.0.origins.get(name) {
            Some(Origin::Command(command)) => {
                Link::to_process(name, command, self.0.patience, self.0.stop.clone())?
            }
            Some(Origin::Recording(path)) => {
                Link::to_recording(name, path).map_err(|error| error.in_full())?
            }
            None => return Err(format!("no process brings the memory `{name}`")),
        };
        Ok(Arc::new(link))
    }

    fn link(&self, name: &str) -> Result<Arc<Link>, String> {
        let mut links = self.links();
        if let Some(link) = links.get(name) {
            return Ok(Arc::clone(link));
        }
        let link = self.open(name)?;
        links.insert(name.to_owned(), Arc::clone(&link));
        Ok(link)
    }

    /// Whether the memory of every golem can be written down (checkpoint support): a capability check, made before a run begins or goes on.
    ///
    /// # Errors
    /// [`Error::Invalid`], with a line for each that can't.
    pub(crate) fn demand_saving(&self) -> Result<()> {
        let links = self.links();
        let mute = links.values().filter(|link| !link.hello.can_be_saved());
        let line = |link: &Arc<Link>| {
            format!(
                "--memory-process {}: its process doesn't answer save and load, so the run can't be written down: leave out what \
                 asks for checkpoints, or teach it to (with \"keep\" among its `methods` it needs neither)",
                link.name
            )
        };
        Error::if_any(mute.map(line).collect())
    }

    /// Checks that every call was answered (health check).
    ///
    /// # Errors
    /// After a failed call: [`Error::Stopped`] where answers aren't wanted any longer, otherwise the reason why the run is over.
    pub fn check(&self) -> Result<()> {
        let fault = self.links().values().find_map(|link| link.fault().map(str::to_owned));
        let is_stopped = self.0.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        match fault {
            None => Ok(()),
            Some(_) if is_stopped => Err(Error::stopped(
                "stopped while a memory process was waited for: the tick under way has no end, so tables are left unfinished; a run with \
                 --checkpoint-every can be gone on with",
            )),
            Some(why) => Err(Error::failed(why)),
        }
    }

    /// Explains to the user why a run failed; where a process failed, by its reason.
    pub fn explain(&self, error: Error) -> Error {
        self.check().err().unwrap_or(error)
    }

    /// Records calls from now on in a run's folder, on top of what is recorded there already.
    ///
    /// # Errors
    /// When they can't be, or the process isn't the one that the run was begun with.
    pub(crate) fn record_into(&self, folder: &Path) -> Result<()> {
        self.links().values().try_for_each(|link| link.record_into(folder))
    }

    /// What the plug-in processes cost so far, by name: calls and average latency.
    pub fn costs(&self) -> Vec<ProcessCost> {
        let cost = |link: &Arc<Link>| {
            let (calls, waited) = link.cost();
            let mean_us = waited.as_secs_f64() * 1e6 / calls.max(1) as f64;
            ProcessCost { memory: link.name.clone(), calls, mean_us }
        };
        self.links().values().map(cost).collect()
    }

    /// Writes the recordings, each under its name, and says what they are. Each has its checksum in the record.
    ///
    /// # Errors
    /// When one can't be written.
    pub fn keep(&self, write: impl Fn(&str, &[u8]) -> Result<()>) -> Result<Vec<MemoryRecord>> {
        let mut records = Vec::new();
        for link in self.links().values() {
            let Some(journal) = link.take_journal() else { continue };
            let (content, calls) = journal.whole()?;
            let file = file_name(&link.name);
            write(&file, &content)?;
            journal.remove()?;
            records.push(MemoryRecord {
                memory: link.name.clone(),
                command: link.command().to_vec(),
                program: link.hello.name.clone(),
                file,
                calls,
                blake3: blake3::hash(&content).to_hex().to_string(),
            });
        }
        Ok(records)
    }
}

fn words_of(flag: &str) -> Result<(String, Vec<String>), String> {
    let example = "as in ledger='python3 ledger.py'";
    let (name, command) =
        flag.split_once('=').ok_or_else(|| format!("must be a name and a command, {example}"))?;
    let words = shlex::split(command).ok_or("a quotation mark or a backslash has no end")?;
    if words.is_empty() {
        return Err(format!("the command is missing, {example}"));
    }
    Ok((name.trim().to_owned(), words))
}
