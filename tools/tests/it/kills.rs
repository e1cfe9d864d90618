//! Writers of all three systems, killed at moments spread over their duration: the work is whole or wasn't begun, and a second run completes it once.

use super::mcp::Client;
use super::stores::{lines_of_trades, search, turn};
use super::{Room, answer, json_of, lines, memory, printed, write};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const FACTS: usize = 60;
const NOW: &str = "2026-04-05T03:00:00Z";
const NOTE: &str = "memory/2026-04-03.md";

/// Number of kills for each writer. `MORTA_KILLS` sets more than the suite has time for.
fn kills() -> u64 {
    std::env::var("MORTA_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(50)
}

/// A command that writes.
struct Writer {
    flags: &'static [&'static str],
    /// In how many of five rounds it is killed.
    kills_in_5: u64,
    prepare: fn(&Path),
    /// Whether the work was done; panics if a part of it was.
    is_done: fn(&Path) -> bool,
}

fn read(room: &Path, name: &str) -> String {
    fs::read_to_string(room.join(name)).unwrap_or_default()
}

/// Whether all is there: `found` must be one of the two counts.
fn is_all(found: usize, old: usize, new: usize) -> bool {
    assert!(found == old || found == new, "{found} is neither {old} nor {new}");
    found == new
}

/// A store of ten trades, and a log of 390 more.
fn a_store(room: &Path) {
    write(room, "old.jsonl", lines_of_trades(0, 10));
    write(room, "new.jsonl", lines_of_trades(10, 400));
    answer(room, &["owm", "remember", "store", "old.jsonl"]);
}

/// A recall store of one entry, and a log of searches that find 300.
fn searches(room: &Path) {
    write(room, "old.jsonl", lines(&[search(0, 1)]));
    write(room, "new.jsonl", lines((0..300).map(|n| search(n / 60, 1 + n))));
    answer(room, &["openclaw", "record", "--json", "recall.json", "old.jsonl"]);
}

fn a_journal(room: &Path) {
    a_store(room);
    let row = |n: usize| format!("n{n},2026-02-01 10:00:00,XAUUSD,breakout,long,2600,2610,2590\n");
    let rows: String = (0..300).map(row).collect();
    write(
        room,
        "new.csv",
        format!("id,timestamp,symbol,strategy,direction,entry_price,exit_price,stop_loss\n{rows}"),
    );
}

fn episodes(room: &Path) -> usize {
    answer(room, &["owm", "state", "store"]).0["episodes"].as_u64().unwrap() as usize
}

/// A workspace with a note of many facts, all ready for promotion.
fn a_workspace(room: &Path) {
    let fact = |n: usize| format!("fact number {n} is about the router");
    let text: Vec<String> = (0..FACTS).map(fact).collect();
    write(room, NOTE, lines(&text));
    write(room, "memory/2026-04-05.md", "mine\n");
    let entry =
        |n: usize| super::openclaw::entry(NOTE, n + 1, &text[n], json!(["router", format!("tag{n}")]));
    super::openclaw_files::store_in(room, "store.json", &(0..FACTS).map(entry).collect::<Vec<_>>());
}

/// Long-term memory has every fact once, or none. The store, which is written after it, marks all or none.
fn is_promoted(room: &Path) -> bool {
    let memory = read(room, "MEMORY.md");
    let facts = is_all(memory.matches("- fact number ").count(), 0, FACTS);
    let store = json_of(room, "store.json");
    let promoted =
        store["entries"].as_object().unwrap().values().filter(|entry| entry.get("promotedAt").is_some());
    is_all(promoted.count(), 0, FACTS) && facts
}

/// Whether the block is there once and whole; the user's own text must be there always.
fn has_block(room: &Path, title: &str) -> bool {
    let note = read(room, "memory/2026-04-05.md");
    assert!(note.starts_with("mine\n"), "{note}");
    assert_eq!(note.matches("<!--").count(), note.matches("-->").count(), "{note}");
    is_all(note.matches(title).count(), 0, 1)
}

const CONFIGURATION: &str = "{\n  // mine\n  plugins: {},\n}\n";

fn is_switched(room: &Path) -> bool {
    let file = read(room, "openclaw.json");
    assert!(file == CONFIGURATION || file.contains("\"enabled\": false") && file.ends_with("}\n"), "{file}");
    file != CONFIGURATION
}

fn logs(room: &Path) {
    // Few enough nights that nothing is forgotten, although the dream of a killed run is repeated.
    for log in 0..5 {
        let turns: Vec<Value> = (60 * log..60 * log + 60).map(turn).collect();
        write(room, &format!("data/sessions/ada/{log}.jsonl"), lines(&turns));
    }
}

/// Whether the graph has each rat once; otherwise it must have none.
fn has_dreamt(room: &Path) -> bool {
    let graph = "data/dreaming/ada/memory-graph.json";
    if !room.join(graph).exists() {
        return false;
    }
    let graph = json_of(room, graph);
    let nodes = graph["nodes"].as_object().unwrap().values();
    let rats = nodes.filter(|node| node["kind"] == "entity" && node["visit_count"] == 1);
    is_all(rats.count(), 0, 300)
}

const WRITERS: [Writer; 9] = [
    Writer {
        flags: &["owm", "remember", "store", "new.jsonl"],
        kills_in_5: 5,
        prepare: a_store,
        is_done: |room| is_all(episodes(room), 10, 400),
    },
    Writer {
        flags: &["openclaw", "record", "recall.json", "new.jsonl"],
        kills_in_5: 5,
        prepare: searches,
        is_done: |room| is_all(json_of(room, "recall.json")["entries"].as_object().unwrap().len(), 1, 300),
    },
    Writer {
        flags: &["dark-pawns", "dream", "--agent", "ada"],
        kills_in_5: 5,
        prepare: |room| write(room, "data/sessions/ada/a.jsonl", lines((0..300).map(turn))),
        is_done: has_dreamt,
    },
    Writer {
        flags: &["owm", "import", "store", "new.csv"],
        kills_in_5: 2,
        prepare: a_journal,
        is_done: |room| is_all(episodes(room), 10, 310),
    },
    Writer {
        flags: &[
            "openclaw", "promote", "store.json", "--apply", "--limit", "100", "--min-score", "0", "--now",
            NOW,
        ],
        kills_in_5: 2,
        prepare: a_workspace,
        is_done: is_promoted,
    },
    Writer {
        flags: &["openclaw", "light", "store.json", "--apply", "--now", NOW],
        kills_in_5: 2,
        prepare: a_workspace,
        is_done: |room| has_block(room, "## Light Sleep"),
    },
    Writer {
        flags: &["openclaw", "rem", "store.json", "--apply", "--now", NOW],
        kills_in_5: 2,
        prepare: a_workspace,
        is_done: |room| has_block(room, "## REM Sleep"),
    },
    Writer {
        flags: &["openclaw", "dreaming", "off"],
        kills_in_5: 2,
        prepare: |room| write(room, "openclaw.json", CONFIGURATION),
        is_done: is_switched,
    },
    Writer {
        flags: &["dark-pawns", "dream", "--agent", "ada", "--nightly"],
        kills_in_5: 2,
        prepare: logs,
        is_done: has_dreamt,
    },
];

/// The usual duration of a writer.
fn usual(writer: &Writer) -> Duration {
    let room = &Room::new();
    (writer.prepare)(room);
    let begun = Instant::now();
    printed(room, writer.flags);
    assert!((writer.is_done)(room), "{:?} does nothing", writer.flags);
    begun.elapsed()
}

/// Kills a command. The moments are spread by a multiplicative hash over one and a half times the usual duration, so that some kills come after the
/// end.
fn killed(room: &Path, flags: &[&str], round: u64, usual: Duration) {
    let mut child = memory(room, flags).spawn().unwrap();
    let most = usual.as_micros() as u64 * 3 / 2;
    std::thread::sleep(Duration::from_micros(round.wrapping_mul(2_654_435_761) % most));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_killed_writer_leaves_the_old_state_or_the_new() {
    let usual: Vec<Duration> = WRITERS.iter().map(usual).collect();
    let done = (0..kills()).into_par_iter().flat_map_iter(|round| {
        let one = |(writer, usual): (&Writer, &Duration)| {
            let room = &Room::new();
            (writer.prepare)(room);
            killed(room, writer.flags, round, *usual);
            let is_done = (writer.is_done)(room);
            printed(room, writer.flags);
            assert!((writer.is_done)(room), "round {round}: {:?} isn't done in the end", writer.flags);
            is_done
        };
        let due = WRITERS.iter().zip(&usual).filter(|(writer, _)| round % 5 < writer.kills_in_5);
        due.map(one).collect::<Vec<bool>>()
    });
    let all: Vec<bool> = done.collect();
    assert!(all.contains(&true) && all.contains(&false), "the moments are all too early or too late");
}

/// A killed run leaves readable files, and a second run promotes no fact twice.
#[test]
fn a_killed_live_run_leaves_whole_files() {
    let search = |n: u32| {
        let line = 1 + n % 9;
        let hit = json!({ "path": "memory/2026-04-01.md", "startLine": line, "endLine": line, "score": 0.95, "snippet": format!("fact {line}") });
        json!({ "at": format!("2026-04-{:02}T{:02}:00:00Z", 1 + n / 12, 8 + n % 12), "query": format!("question {n}"), "results": [hit] })
    };
    let flags =
        ["openclaw", "live", "ws", "--searches", "log.jsonl", "--until", "2026-04-20T00:00:00Z", "--json"];
    let prepare = |room: &Path| {
        let note: String = (1..10).map(|line| format!("fact {line}\n")).collect();
        write(room, "ws/memory/2026-04-01.md", &note);
        write(room, "log.jsonl", lines((0..90).map(search)));
    };
    let scratch = &Room::new();
    prepare(scratch);
    let begun = Instant::now();
    let promoted = answer(scratch, &flags).0["promoted"].clone();
    assert_ne!(promoted, 0);
    let usual = begun.elapsed();
    (0..kills() / 5).into_par_iter().for_each(|round| {
        let room = &Room::new();
        prepare(room);
        killed(room, &flags, round, usual);
        let store = "ws/memory/.dreams/short-term-recall.json";
        if room.join(store).exists() {
            assert!(json_of(room, store)["entries"].is_object(), "round {round}");
        }
        answer(room, &flags);
        let memory = read(room, "ws/MEMORY.md");
        let facts: Vec<&str> =
            memory.lines().filter_map(|line| line.strip_prefix("- ")?.split(" [").next()).collect();
        let mut once = facts.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(facts.len(), once.len(), "round {round}: {memory}");
    });
}

/// An acknowledged trade is on the disk however the server ends; another one is there once or not at all.
#[test]
fn a_killed_server_has_stored_what_it_acknowledged() {
    let room = &Room::new();
    let (mut acknowledged, mut kills_after_answers) = (0, 0);
    let rounds = kills() / 2;
    for round in 0..rounds {
        // It ends by the kill, and not in order.
        let mut client = std::mem::ManuallyDrop::new(Client::new(room, &["owm", "serve", "store"]));
        let pid = client.server.id().to_string();
        let wait = Duration::from_micros(round.wrapping_mul(2_654_435_761) % 15_000);
        let killer = std::thread::spawn(move || {
            std::thread::sleep(wait);
            assert!(Command::new("kill").args(["-KILL", &pid]).status().unwrap().success());
        });
        let trade = json!({ "symbol": "XAUUSD", "strategy_name": "breakout", "direction": "long", "entry_price": 2600.0, "pnl_r": 1.0 });
        let before = acknowledged;
        while client.try_call("remember_trade", trade.clone()) {
            acknowledged += 1;
        }
        kills_after_answers += u64::from(acknowledged > before);
        killer.join().unwrap();
        client.server.wait().unwrap();
    }
    let found = episodes(room) as u64;
    assert!(
        (acknowledged..=acknowledged + rounds).contains(&found),
        "{found} of {acknowledged} acknowledged"
    );
    assert!(kills_after_answers > 0, "the moments are all too early");
}
