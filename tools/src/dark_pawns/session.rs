//! The recorder: turns of a session that is going on, written into a log as they come, so that a kill at any moment loses none that had come.

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

/// Lines that wait for the disk. A client that is faster than that waits, too.
const QUEUE: usize = 64;
/// Logs of one agent that may begin in one second.
const MOST_AT_ONCE: i64 = 1_000;

/// What is recorded, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Whose session it is.
    pub agent: &'a str,
    /// Folder of session logs, with a folder for each agent.
    pub sessions: &'a Path,
    /// The rules by which a turn's valence is recorded; when none, every turn carries 0.
    pub rules: Option<&'a DreamRules>,
    /// After so long the log is closed; when none, at the end of the stream.
    pub duration: Option<Duration>,
}

/// What was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The log; none when there was no turn.
    pub log: Option<PathBuf>,
    /// Turns in it.
    pub turns: u64,
    /// Lines that are no turns, and are not in it.
    pub skipped: u64,
}

/// A line of the stream, or why there is none.
type Line = std::io::Result<(Vec<u8>, u64)>;

/// Records a session. A turn that doesn't say when it was is of now; everything else of a turn is written as it came.
///
/// # Errors
/// [`Error::Invalid`] when the agent's name can't be that of a folder, the stream can't be read, or the log can't be written.
pub fn record_session(
    request: &Request<'_>,
    input: impl BufRead + Send + 'static,
    notes: Notes<'_>,
) -> Result<Recorded> {
    check_agent(request.agent)?;
    let folder = request.sessions.join(request.agent);
    let lines = lines_of(input);
    let until = request.duration.and_then(|duration| Instant::now().checked_add(duration));
    let mut notes = LineNotes::new(notes);
    let mut log: Option<(PathBuf, File)> = None;
    let (mut turns, mut number) = (0, 0);
    while let Some(line) = next(&lines, until) {
        number += 1;
        let (line, bytes) = line.map_err(|error| Error::invalid(format!("standard input: {error}")))?;
        let (path, file) = match &mut log {
            _ if line.trim_ascii().is_empty() => continue,
            log => match turn(&line, bytes, request.rules) {
                Ok(turn) => {
                    let (path, file) = opened(log, &folder)?;
                    // One call a line: a process that is killed leaves whole lines.
                    (path, file.write_all(format!("{turn}\n").as_bytes()))
                }
                Err(what) => {
                    notes.malformed += 1;
                    notes.note("standard input", number, format!("skipped: {what}"));
                    continue;
                }
            },
        };
        file.map_err(|error| Error::invalid(format!("{}: can't be written: {error}", path.display())))?;
        turns += 1;
    }
    notes.close();
    if let Some((path, file)) = &log {
        file.sync_data()
            .map_err(|error| Error::invalid(format!("{}: can't be written: {error}", path.display())))?;
    }
    Ok(Recorded { log: log.map(|(path, _)| path), turns, skipped: notes.malformed })
}

/// The stream, line by line, on a thread of its own: reading can't be given up when the time is over.
fn lines_of(mut input: impl BufRead + Send + 'static) -> Receiver<Line> {
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

/// The next line; none at the end of the stream or of the time.
fn next(lines: &Receiver<Line>, until: Option<Instant>) -> Option<Line> {
    match until {
        None => lines.recv().ok(),
        // No line in time, and no line ever again, end the session alike.
        Some(until) => lines.recv_timeout(until.saturating_duration_since(Instant::now())).ok(),
    }
}

/// A turn as it is recorded, or why it is none.
fn turn(line: &[u8], bytes: u64, rules: Option<&DreamRules>) -> std::result::Result<Value, String> {
    if bytes > MAX_LINE_BYTES as u64 + 1 {
        return Err(format!("{bytes} bytes, where a turn has at most {MAX_LINE_BYTES}"));
    }
    let text = SessionEntry::line_text(line);
    let mut object: Map<String, Value> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let read = |object: &Map<String, Value>| {
        SessionEntry::parse(Value::Object(object.clone()).to_string().as_bytes())
            .map_err(|what| what.to_string())
    };
    let entry = match read(&object) {
        Err(what) if what.contains("missing field `timestamp`") => {
            object.insert("timestamp".to_owned(), now().into());
            read(&object)?
        }
        read => read?,
    };
    let valence = rules.map_or(Valence::NEUTRAL, |rules| of_entry(&entry, rules));
    object.insert("valence".to_owned(), valence.get().into());
    Ok(Value::Object(object))
}

fn now() -> String {
    Timestamp::now().to_string()
}

/// The log of the session, which begins with its first turn. Logs are read in the order of their names, and none is ever written over.
fn opened<'a>(log: &'a mut Option<(PathBuf, File)>, folder: &Path) -> Result<(PathBuf, &'a mut File)> {
    if log.is_none() {
        let fail = |path: &Path, error: std::io::Error| {
            Error::invalid(format!("{}: can't be written: {error}", path.display()))
        };
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
        None => Err(Error::invalid(format!(
            "{}: has a log of every second of the last quarter of an hour",
            folder.display()
        ))),
    }
}
