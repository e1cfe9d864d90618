//! The recorder writes each turn of a running session into a log as it arrives, so that a kill at any moment loses at most what is queued.
//! It is an append-only log writer with a bounded queue (backpressure). The log is made at the first turn and named by its second in UTC;
//! an existing one is never overwritten.

use super::dream::check_agent;
use super::lines::{LineNotes, read_bounded};
use crate::notes::Notes;
use jiff::{SignedDuration, Timestamp};
use morta_lab::error::{Error, Result};
use morta_memories::dark_pawns::valence::of_entry;
use morta_memories::dark_pawns::{DreamRules, MAX_LINE_BYTES, SessionEntry, Valence};
use serde_json::{Map, Value};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

/// Number of lines that may wait for the disk. When the queue is full the client waits, so that memory stays bounded.
const QUEUE: usize = 64;
/// Number of names that are tried for a log, one for each second from now on: the last quarter of an hour of the error's text.
const MOST_AT_ONCE: i64 = 1_000;

/// What is recorded and for how long: the agent, the folder of session logs, the valence rules, and the duration of the recording.
#[derive(Clone, Copy, Debug)]
pub struct SessionRequest<'a> {
    /// The agent of the session.
    pub agent: &'a str,
    /// Folder of session logs, with a folder for each agent.
    pub sessions: &'a Path,
    /// The rules that compute a turn's valence; if none, every valence is 0.
    pub rules: Option<&'a DreamRules>,
    /// Time after which the log is closed; if none, it is closed at the end of the stream.
    pub duration: Option<Duration>,
}

/// What a recording has written, in counts, once its stream has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The log; none if there was no turn.
    pub log: Option<PathBuf>,
    /// Number of turns.
    pub turns: u64,
    /// Number of lines that aren't turns; they aren't in the log.
    pub skipped: u64,
}

/// A line of the stream with its length in bytes, or the error of reading it.
type Line = std::io::Result<(Vec<u8>, u64)>;

/// Records a session into an append-only log. A turn without a moment gets the present one; the rest is written as it arrived, because a
/// log is evidence of the session.
///
/// # Errors
/// [`Error::Invalid`] when the agent's name can't be a folder's name, the stream can't be read, or the log can't be written.
pub fn record_session(
    request: &SessionRequest<'_>,
    input: impl BufRead + Send + 'static,
    notes: Notes<'_>,
) -> Result<Recorded> {
    check_agent(request.agent)?;
    let folder = request.sessions.join(request.agent);
    let lines = lines_of(input);
    // A duration beyond the clock's range means no end, rather than an overflow.
    let until = request.duration.and_then(|duration| Instant::now().checked_add(duration));
    let mut notes = LineNotes::new(notes);
    let mut log: Option<(PathBuf, File)> = None;
    let (mut turns, mut number) = (0, 0);
    while let Some(line) = next(&lines, until) {
        number += 1;
        let (line, bytes) = line.map_err(|error| Error::invalid(format!("standard input: {error}")))?;
        let (path, file) = match &mut log {
            // A blank line isn't a turn and isn't an error either.
            _ if line.trim_ascii().is_empty() => continue,
            log => match turn(&line, bytes, request.rules) {
                Ok(turn) => {
                    let (path, file) = opened(log, &folder)?;
                    // One write call for each line, so that a killed process leaves whole lines.
                    (path, file.write_all(format!("{turn}\n").as_bytes()))
                }
                Err(what) => {
                    notes.malformed += 1;
                    notes.note("standard input", number, format!("skipped: {what}"));
                    continue;
                }
            },
        };
        file.map_err(|error| Error::at(path, format!("can't be written: {error}")))?;
        turns += 1;
    }
    notes.close();
    if let Some((path, file)) = &log {
        file.sync_data().map_err(|error| Error::at(path, format!("can't be written: {error}")))?;
    }
    Ok(Recorded { log: log.map(|(path, _)| path), turns, skipped: notes.malformed })
}

/// The stream's lines, read on a thread of its own, because a blocking read can't be interrupted when the time is over.
fn lines_of(mut input: impl BufRead + Send + 'static) -> Receiver<Line> {
    // A bounded channel, so that a fast client waits for the disk instead of filling the memory.
    let (to, from) = sync_channel(QUEUE);
    std::thread::spawn(move || {
        loop {
            let mut line = Vec::new();
            let read = read_bounded(&mut input, &mut line).map(|bytes| (line, bytes));
            let is_last = !matches!(&read, Ok((_, bytes)) if *bytes > 0);
            if matches!(&read, Ok((_, 0))) || to.send(read).is_err() || is_last {
                return;
            }
        }
    });
    from
}

/// The next line; none at the end of the stream, or when the time is over.
fn next(lines: &Receiver<Line>, until: Option<Instant>) -> Option<Line> {
    match until {
        None => lines.recv().ok(),
        // A timeout and a closed channel both end the session.
        Some(until) => lines.recv_timeout(until.saturating_duration_since(Instant::now())).ok(),
    }
}

/// A turn in the form that is recorded, or the reason why the line isn't one.
fn turn(line: &[u8], bytes: u64, rules: Option<&DreamRules>) -> std::result::Result<Value, String> {
    // One byte more, because the length includes the newline.
    if bytes > MAX_LINE_BYTES as u64 + 1 {
        return Err(format!("{bytes} bytes, where a turn has at most {MAX_LINE_BYTES}"));
    }
    // The text is decoded by the rules of dreams, so that a turn that is recorded can also be dreamt of.
    let text = SessionEntry::line_text(line);
    let mut object: Map<String, Value> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let read = |object: &Map<String, Value>| {
        SessionEntry::parse(Value::Object(object.clone()).to_string().as_bytes())
    };
    let entry = match read(&object) {
        // Any other error refuses the turn.
        Err(what) if what.lacks_timestamp => {
            object.insert("timestamp".to_owned(), now().into());
            read(&object)
        }
        read => read,
    };
    let entry = entry.map_err(|what| what.to_string())?;
    let valence = rules.map_or(Valence::NEUTRAL, |rules| of_entry(&entry, rules));
    object.insert("valence".to_owned(), valence.get().into());
    Ok(Value::Object(object))
}

fn now() -> String {
    Timestamp::now().to_string()
}

/// The log of the session, created at its first turn and named by the second. If that name is taken it gets the next free second: an
/// existing log is never overwritten, and dreams read logs in the order of their names.
fn opened<'a>(log: &'a mut Option<(PathBuf, File)>, folder: &Path) -> Result<(PathBuf, &'a mut File)> {
    if log.is_none() {
        let fail = |path: &Path, error: std::io::Error| Error::at(path, format!("can't be written: {error}"));
        std::fs::create_dir_all(folder).map_err(|error| fail(folder, error))?;
        let begun = Timestamp::now();
        for second in 0..MOST_AT_ONCE {
            let name =
                (begun + SignedDuration::from_secs(second)).strftime("%Y-%m-%d-%H%M%S.jsonl").to_string();
            let path = folder.join(name);
            match OpenOptions::new().append(true).create_new(true).open(&path) {
                Ok(file) => {
                    *log = Some((path, file));
                    break;
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(fail(&path, error)),
            }
        }
    }
    match log {
        Some((path, file)) => Ok((path.clone(), file)),
        None => Err(Error::at(folder, "has a log of every second of the last quarter of an hour")),
    }
}
