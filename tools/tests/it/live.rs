//! `morta-memory openclaw live`: simulation of a month of searches.

use super::{Room, answer, count, each, has, lines, printed, read, refuses, says, with, write};
use serde_json::{Value, json};
use std::path::Path;

const FACT: &str = "VLAN ten is for guests";

fn search(day: u32, hour: u32, query: &str, more: Value) -> Value {
    let hit = json!({ "path": "memory/2026-04-01.md", "startLine": 1, "endLine": 1, "score": 1.0, "snippet": FACT });
    let search =
        json!({ "at": format!("2026-04-{day:02}T{hour:02}:00:00Z"), "query": query, "results": [hit] });
    with(search, more)
}

/// Ten searches with ten questions in the first days of April.
fn month(whose: &Value) -> Vec<Value> {
    (0..10).map(|n| search(1 + n / 3, 8 + n % 3, &format!("question {n}"), whose.clone())).collect()
}

fn workspace(room: &Path, name: &str) {
    write(room, &format!("{name}/memory/2026-04-01.md"), format!("{FACT}\n"));
}

fn live(room: &Path, more: &[&str]) -> Value {
    answer(room, &[&["openclaw", "live", "--searches", "log.jsonl", "--json"], more].concat()).0
}

fn runs<'a>(life: &'a Value, phase: &str) -> Vec<&'a Value> {
    life["runs"].as_array().unwrap().iter().filter(|run| run["phase"] == phase).collect()
}

/// At the end of May the note is too old for promotion; in the first week it wasn't.
#[test]
fn a_nights_promotion_depends_on_earlier_searches_alone() {
    let room = &Room::new();
    for name in ["lived", "known", "ablated"] {
        workspace(room, name);
    }
    write(room, "log.jsonl", lines(month(&json!({}))));
    let until = "2026-05-31T12:00:00Z";
    let life = live(room, &["lived", "--until", until]);
    has(&life, json!({ "searches": 10, "recalls": 10, "promoted": 1, "failed": 0 }));
    // Deep sleep every night, light every six hours, REM every Sunday, from 1 April, 8:00.
    let counts = ["deep", "light", "rem"].map(|phase| runs(&life, phase).len());
    assert_eq!(counts, [60, 241, 9]);
    let promoted: Vec<&Value> = runs(&life, "deep").into_iter().filter(|run| run["found"] == 1).collect();
    assert_eq!(promoted.len(), 1);
    let night = promoted[0]["at"].as_str().unwrap();
    assert!(("2026-04-02T03:00:00.000Z"..="2026-04-06T03:00:00.000Z").contains(&night), "{night}");
    let memory = read(room, "lived/MEMORY.md");
    assert!(memory.contains(FACT), "{memory}");
    assert!(read(room, "lived/memory/2026-04-02.md").contains("## Light Sleep"));

    let store = "known/memory/.dreams/short-term-recall.json";
    answer(room, &["openclaw", "record", store, "log.jsonl", "--json"]);
    let (late, _) = answer(room, &["openclaw", "promote", store, "--now", until, "--json"]);
    assert_eq!(late["passing"], 0);

    let without = live(room, &["ablated", "--until", until, "--ablate", "deep", "--ablate", "rem"]);
    assert_eq!(["deep", "light", "rem"].map(|phase| runs(&without, phase).len()), [0, 241, 0]);
    assert!(!room.join("ablated/MEMORY.md").exists());
}

#[test]
fn several_workspaces_run_by_their_own_settings() {
    let room = &Room::new();
    workspace(room, "ada");
    workspace(room, "eve");
    let mut log = month(&json!({ "workspace": "ada" }));
    log.push(search(5, 8, "whose?", json!({})));
    log.push(search(5, 9, "whose?", json!({ "workspace": "bob" })));
    log.push(search(20, 9, "too late", json!({ "workspace": "ada" })));
    write(room, "log.jsonl", lines(&log));
    let block = json!({ "timezone": "America/Los_Angeles", "phases": { "light": { "enabled": false }, "rem": { "limit": 0 } } });
    write(room, "openclaw.json", block);
    let flags = ["ada", "eve", "--until", "2026-04-07T00:00:00Z", "--config", "openclaw.json"];
    let life = live(room, &flags);
    has(&life, json!({ "searches": 10, "timezone": "America/Los_Angeles" }));
    assert_eq!(each(&life["skipped"], "/line"), json!([11, 12]));
    // 3:00 in California. The other workspace has no recall, so no phase runs there.
    let deep = runs(&life, "deep");
    assert_eq!((deep.len(), count(&life["runs"])), (6, 6));
    let is_hers =
        |run: &&Value| run["workspace"] == "ada" && run["at"].to_string().contains("T10:00:00.000Z");
    assert!(deep.iter().all(is_hers), "{deep:?}");
    assert!(!room.join("eve/memory/.dreams").exists());

    for (name, until, what) in [
        ("nowhere", "2026-04-07T00:00:00Z", "nowhere: is no folder: name a workspace"),
        ("ada", "2026-03-07T00:00:00Z", "holds no search until"),
    ] {
        refuses(room, &["openclaw", "live", name, "--searches", "log.jsonl", "--until", until], &[what]);
    }
}

/// The page of a month of dreams: each of its figures is one that a command prints.
#[test]
fn a_page_lists_promotions_and_stopped_entries() {
    let room = &Room::new();
    workspace(room, "ws");
    let evil = "<script>alert(1)</script> & more";
    let note = read(room, "ws/memory/2026-04-01.md");
    write(room, "ws/memory/2026-04-01.md", format!("{note}{evil}\n"));
    let mut log = month(&json!({}));
    let mut once = search(4, 20, "once", json!({}));
    once["results"][0] = json!({ "path": "memory/2026-04-01.md", "startLine": 2, "endLine": 2, "score": 0.9, "snippet": evil });
    log.push(once);
    write(room, "log.jsonl", lines(&log));
    live(room, &["ws", "--until", "2026-04-08T12:00:00Z"]);
    let flags = ["openclaw", "page", "ws", "--out", "dreams.html", "--now", "2026-04-08T12:00:00Z"];
    printed(room, &flags);
    let page = read(room, "dreams.html");
    let store = "ws/memory/.dreams/short-term-recall.json";
    let at = ["--now", "2026-04-08T12:00:00Z", "--json"];
    let status = answer(room, &[&["openclaw", "status", store, "--deep"], &at[..]].concat()).0;
    has(&status, json!({ "promotedTotal": 1, "shortTerm": 1 }));
    assert!(page.contains("1 promoted, 0 of them today; 0 of 1 entries"), "{page}");
    let memory = read(room, "ws/MEMORY.md");
    let score = memory.split("[score=").nth(1).unwrap().split(' ').next().unwrap();
    says(
        &page,
        &[FACT, score, "Gates of deep sleep", "recall count, unique queries", "light sleep", "rem sleep"],
    );
    assert!(page.contains("&lt;script&gt;alert(1)") && page.matches("<script").count() == 1);
    assert!(!page.contains("src=") && !page.contains("href=\"http"), "it needs nothing else");
    refuses(room, &["openclaw", "page", "nowhere"], &["nowhere"]);
    assert!(!room.join("dreams.html.partial").exists());
}
