//! Transcripts of sessions and logs in a workspace. Their recent lines are entries too, where the `sources` of light or REM sleep name
//! them; the usual list of light sleep names `sessions`, and deep sleep reads none. No search has found them, so they have no recalls, and
//! no phase writes them into long-term memory. They are lines of chat history (JSON Lines), bounded in number and age. They are in memory
//! only, because a store with them would not be OpenClaw's any more.

use crate::limits::log_text;
use crate::notes::Notes;
use morta_memories::openclaw::entry::RecallEntry;
use morta_memories::openclaw::settings::Source;
use morta_memories::openclaw::tags::concept_tags;
use morta_memories::openclaw::text::{collapse, words};
use morta_memories::openclaw::time::Instant;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The largest number of lines that are read, newest first. An active agent's day has a few hundred.
const MOST_LINES: usize = 1_000;
/// The smallest number of words of a line: `ok` and `thanks` aren't worth remembering.
const LEAST_WORDS: usize = 3;
/// Length in characters to which a line is cut.
const LETTERS: usize = 280;

/// The newest lines of chat transcripts or logs since a moment, with their keys (transcript lines). Unreadable files are reported.
pub(super) fn lines(
    workspace: &Path,
    source: Source,
    since: Instant,
    notes: Notes<'_>,
) -> Vec<(String, RecallEntry)> {
    let folders: &[&str] = match source {
        Source::Sessions => &["sessions"],
        Source::Logs => &["logs"],
        _ => &[],
    };
    let mut found: Vec<(Instant, String, RecallEntry)> = Vec::new();
    for folder in folders {
        for path in files(&workspace.join(folder)) {
            let text = match log_text(&path) {
                Ok(text) => text,
                Err(error) => {
                    notes(&format!("{}: left out: {error}", path.display()));
                    continue;
                }
            };
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = format!("{folder}/{name}");
            for (number, line) in (1..).zip(text.lines()) {
                let Some((at, text)) = text_of(line, source).filter(|(at, _)| *at >= since) else { continue };
                let mut entry = RecallEntry::new(name.clone(), number, number, at);
                entry.concept_tags = concept_tags("", &text);
                entry.snippet = text;
                found.push((at, RecallEntry::key(&name, number, number), entry));
            }
        }
    }
    // Newest first, ties by key, so that the cut to the largest number doesn't depend on the order of files.
    found.sort_by(|(a, x, _), (b, y, _)| b.cmp(a).then_with(|| x.cmp(y)));
    found.truncate(MOST_LINES);
    found.into_iter().map(|(_, key, entry)| (key, entry)).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_log = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "jsonl" || ending == "log");
    let mut files: Vec<PathBuf> = entries.filter(is_log).collect();
    files.sort();
    files
}

/// The text of a line and its moment; none if it is shorter than three words or has no moment.
fn text_of(line: &str, source: Source) -> Option<(Instant, String)> {
    let (at, text) = match serde_json::from_str::<Value>(line) {
        Ok(record) if source == Source::Sessions => message(&record)?,
        Ok(record) => {
            let text = ["message", "msg", "text"].iter().find_map(|key| record.get(key)?.as_str());
            (moment(&record)?, text?.to_owned())
        }
        Err(_) if source == Source::Logs => {
            let (stamp, text) = line.trim().split_once(' ')?;
            (stamp.trim_matches(['[', ']']).parse().ok()?, text.to_owned())
        }
        Err(_) => return None,
    };
    let text = collapse(&text);
    if words(&text).len() < LEAST_WORDS {
        return None;
    }
    Some((at, super::room::cut(&text, LETTERS)))
}

/// A message of the user or the assistant. Tool calls, settings and reasoning are internal to the program, and are skipped.
fn message(record: &Value) -> Option<(Instant, String)> {
    let message = record.get("message").unwrap_or(record);
    let role = message.get("role")?.as_str()?;
    let speaker = match role {
        "user" => "User",
        "assistant" => "Assistant",
        _ => return None,
    };
    let text = match message.get("content")? {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let is_text = |part: &&Value| part.get("type").and_then(Value::as_str) == Some("text");
            let texts = parts.iter().filter(is_text).filter_map(|part| part.get("text")?.as_str());
            texts.collect::<Vec<_>>().join(" ")
        }
        _ => return None,
    };
    let at = moment(record).or_else(|| moment(message))?;
    // OpenClaw also asks for its dream diary in sessions. A text about memories would otherwise become a memory itself.
    let is_dream = text.trim_start().starts_with("Write a dream diary entry");
    (!text.trim().is_empty() && !is_dream).then(|| (at, format!("{speaker}: {text}")))
}

/// The moment of a record: an ISO 8601 instant, or milliseconds since 1970.
fn moment(record: &Value) -> Option<Instant> {
    ["timestamp", "time", "at", "ts"].iter().find_map(|key| match record.get(key)? {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => number.as_i64().map(Instant),
        _ => None,
    })
}
