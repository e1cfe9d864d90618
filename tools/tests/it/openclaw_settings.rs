//! `morta-memory openclaw`: every setting has its effect.

use super::openclaw_files::{NOTE, store_in};
use super::{Room, answer, count, has, json_of, printed, read, refuses, with, write};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const NOW: &str = "2026-04-05T03:00:00Z";

fn entry(line: usize, snippet: &str, more: Value) -> Value {
    with(super::openclaw::entry(NOTE, line, snippet, json!(["vlan"])), more)
}

fn key(line: u32) -> String {
    format!("memory:memory/2026-04-03.md:{line}:{line}")
}

fn store(room: &Path, entries: &[Value]) {
    store_in(room, "store.json", entries);
}

fn tell(room: &Path, what: &str, more: &[&str]) -> (Value, String) {
    answer(room, &[&["openclaw", what, "store.json", "--json", "--now", NOW], more].concat())
}

#[test]
fn the_first_duplicate_in_the_files_order_is_kept() {
    let room = &Room::new();
    store(
        room,
        &[
            entry(1, "the router has a VLAN", json!({})),
            entry(13, "the router has a vlan", json!({ "conceptTags": [] })),
        ],
    );
    let (light, _) = tell(room, "light", &[]);
    has(&light["candidates"][0], json!({ "key": key(1), "duplicates": [key(13)] }));
    let hit = json!({ "path": "memory/2026-04-03.md", "startLine": 2, "endLine": 2, "score": 0.9, "snippet": "new" });
    write(room, "searches.jsonl", json!({ "at": NOW, "query": "q", "results": [hit] }));
    answer(room, &["openclaw", "record", "store.json", "searches.jsonl", "--json"]);
    let kept = json_of(room, "store.json");
    let keys: Vec<&String> = kept["entries"].as_object().unwrap().keys().collect();
    assert_eq!(keys, [&key(1), &key(13), &key(2)]);
    assert_eq!(kept["entries"][key(13)]["conceptTags"], json!([]), "no tags is an answer");
}

#[test]
fn a_phase_that_is_off_doesnt_run_and_sources_have_an_effect() {
    let room = &Room::new();
    let promoted = json!({ "promotedAt": "2026-04-04T03:00:00.000Z" });
    store(room, &[entry(1, "the router has a VLAN", json!({})), entry(2, "backups run at three", promoted)]);
    let with = |block: Value, what: &str, more: &[&str]| {
        write(room, "openclaw.json", super::openclaw_runs::configuration(block));
        tell(room, what, &[&["--config", "openclaw.json"], more].concat())
    };
    for block in [
        json!({ "enabled": false }),
        json!({ "phases": { "light": { "enabled": false }, "rem": { "limit": 0 } } }),
    ] {
        for phase in ["light", "rem"] {
            let (report, noted) = with(block.clone(), phase, &["--apply"]);
            has(&report, json!({ "ran": false, "block": [], "written": [] }));
            assert!(noted.contains(&format!("{phase} sleep is off")), "{noted}");
        }
        assert!(!room.join("memory").exists());
    }
    let candidates = |sources: Value| {
        let (light, noted) = with(
            json!({ "verboseLogging": true, "phases": { "light": { "sources": sources } } }),
            "light",
            &[],
        );
        assert!(noted.contains("light: at 2026-04-05T03:00:00.000Z: "), "{noted}");
        count(&light["candidates"])
    };
    assert_eq!(candidates(json!(["daily", "sessions", "recall"])), 2);
    assert_eq!(["deep", "sessions", "recall"].map(|source| candidates(json!([source]))), [1, 0, 2]);
    let (_, noted) = with(json!({}), "light", &[]);
    assert_eq!(noted, "", "no remark without verbose logging");
    // Entries that deep sleep's sources exclude are still in the store after it has written.
    write(room, "memory/2026-04-03.md", "the router has a VLAN\nbackups run at three\n");
    let deep = json!({ "phases": { "deep": { "sources": ["memory"], "minScore": 0 } } });
    let (report, _) = with(deep, "promote", &["--apply"]);
    // With the source `memory` deep sleep sees promoted entries alone, and has nothing to do.
    has(&report, json!({ "/entries/0/key": key(2), "/applied/applied": 0 }));
    assert_eq!(count(&report["entries"]), 1);
    let (report, _) = with(json!({}), "promote", &["--apply"]);
    assert_eq!(report["applied"]["applied"], 1);
    let kept = json_of(room, "store.json");
    assert_eq!(kept["entries"].as_object().unwrap().len(), 2);
}

#[test]
fn without_a_zone_of_dreaming_the_users_zone_counts() {
    let room = &Room::new();
    store(room, &[entry(1, "the router has a VLAN", json!({}))]);
    write(
        room,
        "openclaw.json",
        json!({ "agents": { "defaults": { "userTimezone": "America/Los_Angeles" } } }),
    );
    let (light, _) = tell(room, "light", &["--config", "openclaw.json", "--apply"]);
    assert_eq!(light["timezone"], "America/Los_Angeles");
    assert!(room.join("memory/2026-04-04.md").exists(), "it is still the evening before there");
    printed(room, &["openclaw", "status", "store.json", "--config", "openclaw.json"]);
}

const COMMENTED: &str = "// mine\n{\n  agents: { defaults: { userTimezone: 'Europe/Berlin' } }, // the zone\n  plugins: {\n    entries: {\n      'memory-core': { config: { dreaming: { frequency: '0 4 * * *' } } }, // the memory\n    },\n  },\n}\n";

#[test]
fn switching_dreaming_changes_nothing_else() {
    let room = &Room::new();
    write(room, "openclaw.json", COMMENTED);
    let read = || read(room, "openclaw.json");
    let tell = |what: &str| answer(room, &["openclaw", "dreaming", what, "--json"]).0;
    has(&tell("status"), json!({ "timezone": "Europe/Berlin", "changed": false }));
    assert_eq!(read(), COMMENTED);
    assert_eq!(tell("on")["enabled"], true);
    assert_eq!(tell("on")["changed"], false, "the second time it is on");
    let on = COMMENTED.replace("'0 4 * * *' }", "'0 4 * * *', \"enabled\": true }");
    assert_eq!(read(), on);
    assert_eq!(tell("off")["enabled"], false);
    assert_eq!(read(), on.replace("true", "false"));
    // A missing setting is added on a line of its own, and each comment stays with its line.
    write(room, "openclaw.json", "{\n  agents: {}, // of agents\n}\n");
    assert_eq!(tell("on")["enabled"], true);
    assert_eq!(
        read(),
        "{\n  agents: {}, // of agents\n  \"plugins\": { \"entries\": { \"memory-core\": { \"config\": { \"dreaming\": { \"enabled\": true } } } } }\n}\n"
    );
}

#[test]
fn an_unsafe_switch_is_refused_and_the_file_unchanged() {
    let room = &Room::new();
    for (text, why) in [
        ("{\n  plugins: 1\n}", "is no object"),
        ("{ plugins: { $include: './p.json' } }", "included"),
        ("{ enabled: true, phases: {}, enabled: true }", "twice"),
        ("{\n  plugins:\n", "openclaw.json:3: "),
        ("{ theirs: 1 }", "neither an openclaw.json"),
    ] {
        write(room, "openclaw.json", text);
        refuses(room, &["openclaw", "dreaming", "off"], &[why]);
        assert_eq!(read(room, "openclaw.json"), text);
    }
    // A schedule that can't be read is found before the switch is written.
    for (text, why) in [
        ("{ enabled: false, frequency: 'now and then' }", "frequency"),
        ("{ enabled: true, timezone: 'Mars/Olympus' }", "timezone"),
    ] {
        write(room, "openclaw.json", text);
        for what in [&["on"][..], &["off"], &["disable", "rem"]] {
            refuses(room, &[&["openclaw", "dreaming"], what].concat(), &[why]);
            assert_eq!(read(room, "openclaw.json"), text);
        }
    }
}

#[test]
fn inside_a_workspace_no_path_is_needed() {
    let room = &Room::new();
    store(room, &[entry(1, "the router has a VLAN", json!({}))]);
    fs::create_dir_all(room.join("memory/.dreams")).unwrap();
    fs::rename(room.join("store.json"), room.join("memory/.dreams/short-term-recall.json")).unwrap();
    write(room, "memory/2026-04-03.md", "the router has a VLAN\n");
    write(room, "openclaw.json", COMMENTED);
    let (status, _) = answer(room, &["openclaw", "status", "--config", "openclaw.json", "--json"]);
    has(&status, json!({ "shortTerm": 1, "/settings/dreaming/timezone": "Europe/Berlin" }));
    let (report, _) =
        answer(room, &["openclaw", "promote", "--apply", "--limit", "5", "--now", NOW, "--json"]);
    assert_eq!(report["applied"]["applied"], 1);
    assert!(read(room, "MEMORY.md").contains("the router has a VLAN"));
}

/// `status --deep` counts what `promote` would rank, and writes nothing.
#[test]
fn deep_status_counts_what_promote_ranks() {
    let room = &Room::new();
    let mut weak = entry(2, "seen once", json!({}));
    weak["recallCount"] = json!(1);
    store(room, &[entry(1, "the router has a VLAN", json!({})), weak]);
    let before = read(room, "store.json");
    let (ranked, _) = answer(room, &["openclaw", "promote", "store.json", "--now", NOW, "--json"]);
    let (status, _) = answer(room, &["openclaw", "status", "store.json", "--deep", "--now", NOW, "--json"]);
    let deep = &status["deep"];
    assert_eq!((&deep["passing"], &deep["strongest"]), (&ranked["passing"], &ranked["entries"]));
    let stops = |name: &str| {
        let gates = deep["gates"].as_array().unwrap();
        gates.iter().find(|gate| gate[0] == name).unwrap().clone()
    };
    assert_eq!(stops("recall_count"), json!(["recall_count", 1, 1]));
    let firsts: u64 = deep["gates"].as_array().unwrap().iter().map(|gate| gate[1].as_u64().unwrap()).sum();
    assert_eq!(firsts + deep["passing"].as_u64().unwrap(), 2, "every entry passes or is stopped");
    let shallow = answer(room, &["openclaw", "status", "store.json", "--now", NOW, "--json"]).0;
    assert!(shallow.get("deep").is_none());
    assert_eq!(read(room, "store.json"), before);
}
