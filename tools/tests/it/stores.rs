//! Stores with several concurrent writers.

use super::{
    Room, answer, json_of, lines, memory, names, read, recalled, refuses, remember, said, with, write,
};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Child;

fn trade(id: &str, more: Value) -> Value {
    let trade = json!({
        "id": id, "timestamp": "2026-01-01T00:00:00Z", "symbol": "XAUUSD", "strategy_name": "breakout",
        "direction": "long", "entry_price": 2600.0, "pnl_r": 1.0, "context_regime": "trending_up"
    });
    with(trade, more)
}

pub(super) fn lines_of_trades(from: u32, to: u32) -> String {
    lines((from..to).map(|n| trade(&format!("t{n}"), json!({}))))
}

pub(super) fn search(at: u32, line: u32) -> Value {
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
        write(room, &format!("{writer}.jsonl"), lines(&[trade(&format!("t{writer}"), json!({}))]));
        write(room, &format!("s{writer}.jsonl"), lines(&[search(0, writer + 1), search(0, 100)]));
    }
    let spawn = |flags: &[&str]| memory(room, flags).spawn().unwrap();
    all_succeed((0..WRITERS).map(|n| spawn(&["owm", "remember", "store", &format!("{n}.jsonl")])).collect());
    assert_eq!(answer(room, &["owm", "state", "store"]).0["episodes"], WRITERS);

    all_succeed(
        (0..WRITERS).map(|n| spawn(&["openclaw", "record", "recall.json", &format!("s{n}.jsonl")])).collect(),
    );
    let kept = json_of(room, "recall.json");
    assert_eq!(kept["entries"].as_object().unwrap().len(), WRITERS as usize + 1);
    assert_eq!(kept["entries"]["memory:memory/2026-04-03.md:100:100"]["recallCount"], WRITERS);
    // Two phases that write into one note leave both blocks.
    let now = ["--now", "2026-04-04T11:00:00Z", "--apply"];
    let phases =
        |_| ["light", "rem"].map(|phase| spawn(&[&["openclaw", phase, "recall.json"], &now[..]].concat()));
    all_succeed((0..4).flat_map(phases).collect());
    let note = read(room, "memory/2026-04-04.md");
    let blocks = ["## Light Sleep", "## REM Sleep"].map(|heading| note.matches(heading).count());
    assert_eq!(blocks, [1, 1], "{note}");

    write(room, "data/sessions/ada/a.jsonl", lines((0..20).map(turn)));
    all_succeed((0..WRITERS).map(|_| spawn(&["dark-pawns", "dream", "--agent", "ada"])).collect());
    let graph = json_of(room, "data/dreaming/ada/memory-graph.json");
    let nodes = graph["nodes"].as_object().unwrap();
    let rats = nodes.values().filter(|node| node["kind"] == "entity");
    assert!(rats.clone().all(|rat| rat["visit_count"] == 1), "a log is read once, by any process");
    assert_eq!(rats.count(), 20);
    let hidden = |folder: &Path| {
        let names = names(folder).into_iter();
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
    remember(room, &[trade("a", json!({})), trade("b", json!({ "pnl_r": -1.0 })), plan]);
    let owm = room.join("store/owm.json");
    let before = (fs::read(&owm).unwrap(), fs::metadata(&owm).unwrap().modified().unwrap());
    let question =
        json!({ "strategy_name": "breakout", "symbol": "XAUUSD", "query_context": {}, "limit": 1 });
    let recalls_before = || recalled(room, &question)[0]["data"]["retrieval_count"].clone();
    assert_eq!([recalls_before(), recalls_before()], [0, 1]);
    // A half line of a killed process costs only itself.
    let recalls = room.join("store/since.jsonl");
    let whole = fs::read_to_string(&recalls).unwrap();
    fs::write(&recalls, format!("{whole}{}", &whole[..9])).unwrap();
    assert_eq!([recalls_before(), recalls_before()], [2, 3]);
    let stake = json!({ "strategy_name": "breakout", "symbol": "XAUUSD", "query_context": {} });
    write(room, "stake.json", stake);
    for flags in [
        &["owm", "kelly", "stake.json", "--store", "store"][..],
        &["owm", "state", "store"],
        &["owm", "plans", "store"],
    ] {
        answer(room, flags);
    }
    assert_eq!((fs::read(&owm).unwrap(), fs::metadata(&owm).unwrap().modified().unwrap()), before);
    // The next snapshot contains the recalls, once.
    let more = trade("c", json!({ "timestamp": "2026-01-03T00:00:00Z", "pnl_r": -2.0 }));
    remember(room, &[more]);
    assert!(!recalls.exists());
    assert_eq!(recalls_before(), 4);
}

/// A store of three thousand trades, with a gain that is older than the trades scored by default.
#[test]
fn the_whole_store_is_scored_with_whole() {
    let room = &Room::new();
    let minute = |n: u32| format!("2026-01-{:02}T{:02}:{:02}:00Z", 1 + n / 1440, n / 60 % 24, n % 60);
    let trade_number = |n: u32| {
        trade(&format!("m{n}"), json!({ "timestamp": minute(n), "pnl_r": if n == 7 { 2.0 } else { -1.0 } }))
    };
    remember(room, (0..3_000).map(trade_number));
    let question =
        json!({ "query_context": { "regime": "trending_up" }, "memory_types": ["episodic"], "limit": 1 });
    write(room, "asked.json", question);
    let best = |more: &[&str]| {
        let flags = [&["owm", "recall", "asked.json", "--store", "store"], more].concat();
        answer(room, &flags).0["ranked"][0]["id"].clone()
    };
    assert_eq!((best(&[]), best(&["--whole"])), (json!("m2999"), json!("m7")));
    refuses(room, &["owm", "recall", "asked.json", "--whole"], &["--store"]);
}
