//! Calls to the memories of a process with their answers: `memory-NAME.jsonl.gz` of a run's folder.
//!
//! The first line is the header: the version, and what the process said of itself. Every other line is a call,
//! `[golem, number, request, reply]`: the number counts the golem's calls from 0, the request is the first half of the BLAKE3 hash of the
//! line that was sent without the number of the memory, the reply is the line that came back. Lines are sorted by golem and number, so that
//! the same calls make the same bytes, in whatever order golems made them. Saving, loading and forgetting are no calls: a player of a
//! recording has nothing to save.
//!
//! It is a cassette (record/replay) for memories, with request hashes against a changed world. `Link` plays it for repetitions (`morta
//! reproduce`, `morta verify`, `morta watch RUN`); `morta branch` refuses such runs, because a recording has no answers under a change.
//! While a run goes on, calls stand in a journal in the order of answers (`CallJournal`).

use super::messages::Hello;
use crate::io::error::{At as _, Context as _, Error, Result};
use crate::io::text::json_line;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use morta_base::GolemId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};

/// The version of the format.
const VERSION: u32 = 1;
/// The longest line that is read, bytes: a line that was answered, with every character escaped.
const LONGEST_RECORD: u64 = 100 << 20;

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    morta_memory_process: u32,
    hello: Hello,
}

/// A call's place, the key of a recording's map: the golem, as (lineage, generation), and the number among its calls.
pub(crate) type CallPlace = ((u32, u32), u64);

/// The golem id as a tuple, which is a recording's key.
pub(crate) const fn key_of(golem: GolemId) -> (u32, u32) {
    (golem.lineage, golem.generation)
}

/// The hash of a request (request hash, truncated hash of 128 bits in hex digits).
pub(crate) fn hash_of(request: &[u8]) -> String {
    blake3::hash(request).to_hex()[..32].to_owned()
}

/// One recorded call: golem, number, request hash and reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record((u32, u32), u64, String, String);

impl Record {
    /// Makes the record of a call that was answered.
    pub(crate) fn new((golem, number): CallPlace, hash: String, reply: String) -> Self {
        Self(golem, number, hash, reply)
    }

    fn line(&self) -> Vec<u8> {
        json_line(self)
    }
}

/// Every call of a run (recorded session: each recorded call, in a lookup map).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CallRecording {
    /// What the process said of itself.
    pub hello: Hello,
    /// Hash of the request, and the reply.
    calls: BTreeMap<CallPlace, (String, String)>,
}

/// The name of a memory's recording in a run's folder.
pub(crate) fn file_name(memory: &str) -> String {
    format!("{PREFIX}{memory}.jsonl.gz")
}

/// What the names of recordings, and of their journals, begin with.
pub const PREFIX: &str = "memory-";

impl CallRecording {
    /// Reads a recording, compressed by gzip.
    ///
    /// # Errors
    /// [`Error::Invalid`] when it can't be read or is no recording.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let refuse = |why: &dyn std::fmt::Display| Error::at(path, why);
        let file =
            File::open(path).map_err(|error| refuse(&format!("the recording can't be read: {error}")))?;
        Self::of_lines(MultiGzDecoder::new(file), false).map_err(|why| refuse(&why))
    }

    fn of_lines(input: impl Read, cut_is_left_out: bool) -> Result<Self, String> {
        let mut input = BufReader::new(input);
        let first =
            next_line(&mut input, cut_is_left_out)?.ok_or("it is no recording: its header is missing")?;
        let header: Header = serde_json::from_slice(&first).map_err(|error| format!("line 1: {error}"))?;
        if header.morta_memory_process != VERSION {
            return Err(format!(
                "a recording of version {}, and this build reads {VERSION}",
                header.morta_memory_process
            ));
        }
        let mut calls = BTreeMap::new();
        for number in 2_u64.. {
            let Some(line) = next_line(&mut input, cut_is_left_out)? else { break };
            let Record(golem, call, hash, reply) =
                serde_json::from_slice(&line).map_err(|error| format!("line {number}: {error}"))?;
            // A run that was resumed asks again what came after its checkpoint, and goes on from those answers.
            calls.insert((golem, call), (hash, reply));
        }
        Ok(Self { hello: header.hello, calls })
    }

    /// Looks up the recorded reply at a place, with the hash of its request.
    pub(crate) fn at(&self, place: CallPlace) -> Option<(&str, &str)> {
        self.calls.get(&place).map(|(hash, reply)| (hash.as_str(), reply.as_str()))
    }

    /// The first call that is missing below one that is there.
    fn gap(&self) -> Option<CallPlace> {
        let mut expected: CallPlace = ((0, 0), 0);
        for &(golem, number) in self.calls.keys() {
            if golem != expected.0 {
                expected = (golem, 0);
            }
            if number != expected.1 {
                return Some(expected);
            }
            expected.1 += 1;
        }
        None
    }

    /// The file's content.
    fn content(&self) -> Result<Vec<u8>> {
        // The encoder's header has neither a name nor a time, so that the same calls make the same bytes.
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(&header(&self.hello))?;
        for (&(golem, number), (hash, reply)) in &self.calls {
            packed.write_all(&Record::new((golem, number), hash.clone(), reply.clone()).line())?;
        }
        Ok(packed.finish()?)
    }
}

fn header(hello: &Hello) -> Vec<u8> {
    json_line(&Header { morta_memory_process: VERSION, hello: hello.clone() })
}

/// The next line, without its end; nothing at the end, and of a journal nothing of a line that was cut off.
fn next_line(input: &mut impl BufRead, cut_is_left_out: bool) -> Result<Option<Vec<u8>>, String> {
    let mut line = Vec::new();
    let read = input.take(LONGEST_RECORD).read_until(b'\n', &mut line).map_err(|error| error.to_string())?;
    match line.pop() {
        None => Ok(None),
        Some(b'\n') => Ok(Some(line)),
        Some(_) if read as u64 == LONGEST_RECORD => {
            Err(format!("a line is longer than {LONGEST_RECORD} bytes"))
        }
        Some(_) if cut_is_left_out => Ok(None),
        Some(_) => Err("its end is missing".to_owned()),
    }
}

/// A recording under way: calls in the order in which they were answered, in a file beside the one they are for (append-only call journal).
#[derive(Debug)]
pub(crate) struct CallJournal {
    path: PathBuf,
    file: File,
}

impl CallJournal {
    /// Opens the journal in a run's folder, and goes on with what is there.
    ///
    /// # Errors
    /// When it can't be written, or the process is another than the one that was recorded.
    pub(crate) fn open(folder: &Path, memory: &str, hello: &Hello) -> Result<Self> {
        let path = folder.join(format!("{PREFIX}{memory}.jsonl.partial"));
        let shown = path.display().to_string();
        let unwritable = || format!("{shown} can't be written");
        let begun = path.exists().then(|| Self::read(&path)).transpose()?;
        if let Some(then) = &begun
            && then.hello != *hello
        {
            return Err(Error::invalid(format!(
                "{shown}: the run was begun with the memory {:?}, and this is {:?}: resume it with that one",
                then.hello, hello
            )));
        }
        let mut options = OpenOptions::new();
        let mut file = options.create(true).append(true).open(&path).with_context(unwritable)?;
        if begun.is_none() {
            file.write_all(&header(hello)).with_context(unwritable)?;
        } else {
            // What was cut off by the end of a process would spoil the line that follows.
            let bytes = fs::read(&path).with_context(unwritable)?;
            let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            file.set_len(whole as u64).with_context(unwritable)?;
        }
        Ok(Self { path, file })
    }

    fn read(journal: &Path) -> Result<CallRecording> {
        let file = File::open(journal).with_context(|| format!("{} can't be read", journal.display()))?;
        CallRecording::of_lines(file, true).at(journal)
    }

    /// Appends a call to the journal. It is with the operating system when this returns.
    ///
    /// # Errors
    /// When it can't be written.
    pub(crate) fn add(&mut self, record: &Record) -> std::io::Result<()> {
        self.file.write_all(&record.line())
    }

    /// Builds the content of the recording's file, sorted and compressed by gzip, and counts its calls; a missing call is an error.
    ///
    /// # Errors
    /// When the journal can't be read, or calls are missing.
    pub(crate) fn whole(&self) -> Result<(Vec<u8>, u64)> {
        let recording = Self::read(&self.path)?;
        if let Some(((lineage, generation), number)) = recording.gap() {
            return Err(Error::failed(format!(
                "{}: call {number} of golem L{lineage}.G{generation} is missing, so the run can't be played: run it again",
                self.path.display()
            )));
        }
        Ok((recording.content()?, recording.calls.len() as u64))
    }

    /// Takes it away: the recording has it all (deletes the journal: cleanup, remove file).
    ///
    /// # Errors
    /// When it can't be.
    pub(crate) fn remove(self) -> Result<()> {
        fs::remove_file(&self.path).with_context(|| format!("{} can't be removed", self.path.display()))
    }
}
