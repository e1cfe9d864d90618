//! Stores of the three memories.

use super::place::{Content, Place, words};
use crate::common::room_with;
use crate::memories::{NOTE, lines, recall_store, search, trade, turn};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const WRITERS: u32 = 6;

/// A log for each writer, of trades that are its own.
fn logs() -> TempDir {
    // All at one moment: a log takes no trade that is older than the last.
    let at_once = |n: u32| {
        let mut trade = trade(n);
        trade["timestamp"] = json!("2026-01-01T00:00:00Z");
        trade
    };
    // With a line that there is something to say of.
    let log =
        |n: u32| (format!("{n}.jsonl"), format!("no JSON\n{}", lines((n * 20..n * 20 + 20).map(at_once))));
    room_with((0..WRITERS).map(log))
}

fn json_in(path: &Path) -> Value {
    fs::read(path).map_or(Value::Null, |text| {
        serde_json::from_slice(&text).unwrap_or_else(|error| json!(error.to_string()))
    })
}

/// Nobody's lock, and nothing half done, stays where everybody is through.
fn with_debris(mut content: Content, folder: &Path) -> Content {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        if name.ends_with("json") && name.starts_with('.') {
            content.insert(name, b"was left behind".to_vec());
        }
    }
    content
}

/// Which trades a store has, whoever came first.
fn trades(room: &Path) -> Content {
    let store = json_in(&room.join("store/owm.json"));
    let ids = store["ids"].as_array().into_iter().flatten().map(|id| (id.to_string(), Vec::new()));
    with_debris(ids.collect(), &room.join("store"))
}

fn graph(room: &Path) -> Content {
    let graph = json_in(&room.join("data/dreaming/ada/memory-graph.json"));
    let nodes = graph["nodes"].as_object().into_iter().flatten().filter(|(_, node)| node["kind"] == "entity");
    let visited = |node: &Value| node["visit_count"].to_string().into_bytes();
    with_debris(
        nodes.map(|(name, node)| (name.clone(), visited(node))).collect(),
        &room.join("data/dreaming/ada"),
    )
}

fn recalled(room: &Path) -> Content {
    let store = json_in(&room.join("recall.json"));
    let entries = store["entries"].as_object().into_iter().flatten();
    let counts = entries.map(|(key, entry)| (key.clone(), entry["recallCount"].to_string().into_bytes()));
    with_debris(counts.collect(), room)
}

/// How often each block is in the note of the day, and what was promoted.
fn notes(room: &Path) -> Content {
    let read = |name: &str| fs::read_to_string(room.join(name)).unwrap_or_default();
    let (day, lasting) = (read("memory/2026-04-05.md"), read("MEMORY.md"));
    let mut counts = BTreeMap::new();
    for heading in ["## Light Sleep", "## REM Sleep"] {
        let times = day.matches(heading).count();
        if times > 0 {
            counts.insert(heading.to_owned(), times.to_string().into_bytes());
        }
    }
    let promoted = lasting.lines().filter(|line| line.contains("router")).map(str::to_owned);
    counts.extend(promoted.map(|line| (line, Vec::new())));
    with_debris(counts, &room.join("memory"))
}

fn workspace() -> TempDir {
    room_with([
        ("memory/.dreams/short-term-recall.json", &*recall_store().to_string()),
        ("memory/2026-04-03.md", NOTE),
        ("MEMORY.md", "# What lasts\n\n"),
    ])
}

/// The phases by turns.
fn phase(n: usize) -> Vec<String> {
    let phase = ["promote", "light", "rem"][n % 3];
    words(&format!("memory openclaw {phase} --apply --json --now 2026-04-05T03:00:00Z"))
}

pub fn places() -> Vec<Place> {
    let sessions = room_with([("data/sessions/ada/a.jsonl", lines((0..40).map(turn)))]);
    let searches = (0..WRITERS).map(|n| (format!("s{n}.jsonl"), lines([search(n, n + 1), search(n, 100)])));
    vec![
        Place::new("owm", logs(), |n| words(&format!("memory owm remember store {n}.jsonl")), trades),
        Place::new("dark-pawns", sessions, |_| words("memory dark-pawns dream --agent ada"), graph),
        Place::new(
            "openclaw-record",
            room_with(searches),
            |n| words(&format!("memory openclaw record --json recall.json s{n}.jsonl")),
            recalled,
        ),
        Place::new("openclaw-phases", workspace(), phase, notes),
    ]
}
