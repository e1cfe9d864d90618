//! Stores with several concurrent writers, and with writers that are killed.

use super::{Room, answer, json_of, lines, memory, said, write};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

/// Number of kills for each writer. `MORTA_KILLS` sets more than the suite has time for.
pub(super) fn kills() -> u64 {
    std::env::var("MORTA_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(50)
}

fn trade(id: &str, more: Value) -> Value {
    let mut trade = json!({
        "id": id, "timestamp": "2026-01-01T00:00:00Z", "symbol": "XAUUSD", "strategy_name": "breakout",
        "direction": "long", "entry_price": 2600.0, "pnl_r": 1.0, "context_regime": "trending_up"
    });
    trade.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    trade
}

pub(super) fn lines_of_trades(from: u32, to: u32) -> String {
    lines(&(from..to).map(|n| trade(&format!("t{n}"), json!({}))).collect::<Vec<_>>())
}

fn search(at: u32, line: u32) -> Value {
    let hit = json!({ "path": "memory/2026-04-03.md", "startLine": line, "endLine": line, "score": 0.9, "snippet": "Router VLAN" });
    json!({ "at": format!("2026-04-04T10:00:{:02}Z", at % 60), "query": format!("question {at}"), "results": [hit] })
}

pub(super) fn turn(second: u32) -> Value {
    json!({
        "timestamp": format!("2026-05-12T15:{:02}:{:02}Z", second / 60 % 60, second % 60), "room_vnum": 1, "room_name": "the Hall",
        "hp": 50, "max_hp": 50, "action": "kill", "args": [format!("rat {second}")]
    })
}

fn all_succeed(children: Vec<Child>) {
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
    }
}

#[test]
fn concurrent_writers_lose_nothing() {
    let room = &Room::new();
    const WRITERS: u32 = 7;
    for writer in 0..WRITERS {
        write(room, &format!("{writer}.jsonl"), &lines(&[trade(&format!("t{writer}"), json!({}))]));
        write(room, &format!("s{writer}.jsonl"), &lines(&[search(0, writer + 1), search(0, 100)]));
    }
    let spawn = |flags: &[&str]| memory(room, flags).spawn().unwrap();
    all_succeed((0..WRITERS).map(|n| spawn(&["owm", "remember", "store", &format!("{n}.jsonl")])).collect());
    assert_eq!(answer(room, &["owm", "state", "store"]).0["episodes"], WRITERS);

    all_succeed(
        (0..WRITERS).map(|n| spawn(&["openclaw", "record", "recall.json", &format!("s{n}.jsonl")])).collect(),
    );
    let kept = json_of(&room.join("recall.json"));
    assert_eq!(kept["entries"].as_object().unwrap().len(), WRITERS as usize + 1);
    assert_eq!(kept["entries"]["memory:memory/2026-04-03.md:100:100"]["recallCount"], WRITERS);
    // Two phases that write into one note leave both blocks.
    let now = ["--now", "2026-04-04T11:00:00Z", "--apply"];
    let phases =
        |_| ["light", "rem"].map(|phase| spawn(&[&["openclaw", phase, "recall.json"], &now[..]].concat()));
    all_succeed((0..4).flat_map(phases).collect());
    let note = fs::read_to_string(room.join("memory/2026-04-04.md")).unwrap();
    assert_eq!(
        (note.matches("## Light Sleep").count(), note.matches("## REM Sleep").count()),
        (1, 1),
        "{note}"
    );

    write(room, "data/sessions/ada/a.jsonl", &lines(&(0..20).map(turn).collect::<Vec<_>>()));
    all_succeed((0..WRITERS).map(|_| spawn(&["dark-pawns", "dream", "--agent", "ada"])).collect());
    let graph = fs::read(room.join("data/dreaming/ada/memory-graph.json")).unwrap();
    let graph: Value = serde_json::from_slice(&graph).unwrap();
    let nodes = graph["nodes"].as_object().unwrap();
    let rats = nodes.values().filter(|node| node["kind"] == "entity");
    assert!(rats.clone().all(|rat| rat["visit_count"] == 1), "a log is read once, by any process");
    assert_eq!(rats.count(), 20);
    let hidden = |folder: &Path| {
        let names =
            fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with('.') || name.ends_with("lock")).collect::<Vec<_>>()
    };
    for folder in [room.to_path_buf(), room.join("store"), room.join("data/dreaming/ada")] {
        assert_eq!(hidden(&folder), Vec::<String>::new(), "no lock stays");
    }
}

#[test]
fn a_recall_doesnt_rewrite_the_snapshot() {
    let room = &Room::new();
    let plan = json!({
        "action": "create_trading_plan", "timestamp": "2026-01-02T00:00:00Z", "trigger_condition": { "regime": "ranging" },
        "planned_action": { "type": "alert" }, "reasoning": "look out"
    });
    write(room, "log.jsonl", &lines(&[trade("a", json!({})), trade("b", json!({ "pnl_r": -1.0 })), plan]));
    answer(room, &["owm", "remember", "store", "log.jsonl"]);
    let owm = room.join("store/owm.json");
    let before = (fs::read(&owm).unwrap(), fs::metadata(&owm).unwrap().modified().unwrap());
    let question =
        json!({ "strategy_name": "breakout", "symbol": "XAUUSD", "query_context": {}, "limit": 1 });
    write(room, "asked.json", &question.to_string());
    let ask = || answer(room, &["owm", "recall", "asked.json", "--store", "store"]).0;
    let count = |answer: &Value| answer["ranked"][0]["data"]["retrieval_count"].as_u64().unwrap();
    assert_eq!([count(&ask()), count(&ask())], [0, 1]);
    // A half line of a killed process costs only itself.
    let recalls = room.join("store/since.jsonl");
    let whole = fs::read_to_string(&recalls).unwrap();
    fs::write(&recalls, format!("{whole}{}", &whole[..9])).unwrap();
    assert_eq!([count(&ask()), count(&ask())], [2, 3]);
    let stake = json!({ "strategy_name": "breakout", "symbol": "XAUUSD", "query_context": {} });
    write(room, "stake.json", &stake.to_string());
    for flags in [
        &["owm", "kelly", "stake.json", "--store", "store"][..],
        &["owm", "state", "store"],
        &["owm", "plans", "store"],
    ] {
        answer(room, flags);
    }
    assert_eq!((fs::read(&owm).unwrap(), fs::metadata(&owm).unwrap().modified().unwrap()), before);
    // The next snapshot contains the recalls, once.
    write(
        room,
        "more.jsonl",
        &lines(&[trade("c", json!({ "timestamp": "2026-01-03T00:00:00Z", "pnl_r": -2.0 }))]),
    );
    answer(room, &["owm", "remember", "store", "more.jsonl"]);
    assert!(!recalls.exists());
    assert_eq!(count(&ask()), 4);
}

/// A store of three thousand trades, with a gain that is older than the trades scored by default.
#[test]
fn the_whole_store_is_scored_with_whole() {
    let room = &Room::new();
    let minute = |n: u32| format!("2026-01-{:02}T{:02}:{:02}:00Z", 1 + n / 1440, n / 60 % 24, n % 60);
    let trade_number = |n: u32| {
        trade(&format!("m{n}"), json!({ "timestamp": minute(n), "pnl_r": if n == 7 { 2.0 } else { -1.0 } }))
    };
    write(room, "log.jsonl", &lines(&(0..3_000).map(trade_number).collect::<Vec<_>>()));
    answer(room, &["owm", "remember", "store", "log.jsonl"]);
    let question =
        json!({ "query_context": { "regime": "trending_up" }, "memory_types": ["episodic"], "limit": 1 });
    write(room, "asked.json", &question.to_string());
    let best = |more: &[&str]| {
        let flags = [&["owm", "recall", "asked.json", "--store", "store"], more].concat();
        answer(room, &flags).0["ranked"][0]["id"].clone()
    };
    assert_eq!((best(&[]), best(&["--whole"])), (json!("m2999"), json!("m7")));
    assert!(super::refusal(room, &["owm", "recall", "asked.json", "--whole"]).contains("--store"));
}

/// Kills a writer after some microseconds. Its work must be whole, or not begun.
fn killed(room: &Path, flags: &[&str], after_us: u64) {
    let mut child = memory(room, flags).spawn().unwrap();
    std::thread::sleep(Duration::from_micros(after_us));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Every system in turn is killed at moments spread over its duration, then queried, and written again.
#[test]
fn a_killed_writer_leaves_the_old_state_or_the_new() {
    let rounds = (0..kills()).into_par_iter();
    let left = rounds.map(|round| {
        let room = &Room::new();
        write(room, "old.jsonl", &lines_of_trades(0, 10));
        write(room, "new.jsonl", &lines_of_trades(10, 400));
        answer(room, &["owm", "remember", "store", "old.jsonl"]);
        // The moments are spread by a multiplicative hash over one and a half times the duration, so that some kills come after the end.
        let begun = Instant::now();
        answer(room, &["owm", "remember", "scratch", "new.jsonl"]);
        let most = begun.elapsed().as_micros() as u64 * 3 / 2;
        let after = round.wrapping_mul(2_654_435_761) % most;
        killed(room, &["owm", "remember", "store", "new.jsonl"], after);
        let episodes = || answer(room, &["owm", "state", "store"]).0["episodes"].clone();
        let left = episodes();
        assert!(left == 10 || left == 400, "round {round}: {left} episodes");
        let is_new = left == 400;
        answer(room, &["owm", "remember", "store", "new.jsonl"]);
        assert_eq!(episodes(), 400, "round {round}");

        write(room, "old-searches.jsonl", &lines(&[search(0, 1)]));
        write(
            room,
            "new-searches.jsonl",
            &lines(&(0..300).map(|n| search(n / 60, 1 + n)).collect::<Vec<_>>()),
        );
        answer(room, &["openclaw", "record", "--json", "recall.json", "old-searches.jsonl"]);
        killed(room, &["openclaw", "record", "recall.json", "new-searches.jsonl"], after);
        let entries = || {
            let kept = json_of(&room.join("recall.json"));
            kept["entries"].as_object().unwrap().len()
        };
        let left = entries();
        assert!(left == 1 || left == 300, "round {round}: {left} entries");
        // The lock of a killed process isn't waited for.
        answer(room, &["openclaw", "record", "--json", "recall.json", "new-searches.jsonl"]);
        assert_eq!(entries(), 300, "round {round}");

        write(room, "data/sessions/ada/a.jsonl", &lines(&(0..300).map(turn).collect::<Vec<_>>()));
        killed(room, &["dark-pawns", "dream", "--agent", "ada"], after);
        let output = memory(room, &["dark-pawns", "dream", "--agent", "ada"]).output().unwrap();
        assert!(output.status.success(), "round {round}: {}", said(&output));
        let graph = fs::read(room.join("data/dreaming/ada/memory-graph.json")).unwrap();
        let graph: Value = serde_json::from_slice(&graph).unwrap();
        let rats = graph["nodes"].as_object().unwrap().values().filter(|node| node["kind"] == "entity");
        assert_eq!(rats.filter(|rat| rat["visit_count"] == 1).count(), 300, "round {round}: every turn once");
        is_new
    });
    let left: Vec<bool> = left.collect();
    assert!(
        left.contains(&true) && left.contains(&false),
        "the moments are all too early or too late: {left:?}"
    );
}
