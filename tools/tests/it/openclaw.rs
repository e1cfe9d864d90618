//! `morta-memory openclaw` on a user's own workspace.

use super::{Room, answer, count, each, has, json_of, memory, names, read, refusal, says, with, write};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const NOW: &str = "2026-04-05T03:00:00Z";
const VLAN: &str = "memory:memory/2026-04-03.md:1:1";
const PRINTER: &str = "memory:memory/2026-04-02.md:1:1";

/// Six recalls with good scores on three days, the last one twelve hours before `NOW`.
pub(super) fn entry(path: &str, line: usize, snippet: &str, tags: Value) -> Value {
    json!({
        "path": path, "startLine": line, "endLine": line, "source": "memory", "snippet": snippet,
        "recallCount": 6, "totalScore": 5.7, "maxScore": 0.97,
        "firstRecalledAt": "2026-04-02T10:00:00.000Z", "lastRecalledAt": "2026-04-04T15:00:00.000Z",
        "queryHashes": ["a", "b", "c", "d", "e"], "recallDays": ["2026-04-02", "2026-04-03", "2026-04-04"],
        "conceptTags": tags, "groundedCount": 2
    })
}

/// The note of today.
const NOTE: &str = "memory/2026-04-05.md";
const STORE: &str = "memory/.dreams/short-term-recall.json";

/// The workspace of the digest's apply vector: one note has its snippet on another line, the other has lost it.
fn workspace() -> Room {
    let room = Room::new();
    write(&room, "memory/2026-04-03.md", "# Friday\n\nRouter is new\nVLAN ten is for guests\n");
    write(&room, "memory/2026-04-02.md", "# Thursday\nNothing\n");
    let entries = json!({
        VLAN: entry("memory/2026-04-03.md", 1, "VLAN ten is for guests", json!(["tag0", "tag1", "tag2", "tag3"])),
        PRINTER: entry("memory/2026-04-02.md", 1, "The printer has moved", json!(["tag0", "tag1", "tag2"])),
        "weak": with(entry("memory/2026-04-03.md", 3, "Router is new", json!(["router"])), json!({
            "recallCount": 1, "totalScore": 0.5, "maxScore": 0.5, "firstRecalledAt": "2026-04-04T15:00:00.000Z",
            "queryHashes": ["a"], "recallDays": ["2026-04-04"]
        }))
    });
    store(&room, entries);
    room
}

fn store(room: &Path, entries: Value) {
    let file = json!({ "version": 1, "updatedAt": "2026-04-04T15:00:00.000Z", "entries": entries });
    write(room, STORE, serde_json::to_string_pretty(&file).unwrap());
}

fn tell(room: &Path, what: &str, flags: &[&str]) -> (Value, String) {
    answer(room, &[&["openclaw", what, STORE, "--json"], flags].concat())
}

fn refused(room: &Path, what: &str, flags: &[&str]) -> String {
    let said = refusal(room, &[&["openclaw", what], flags].concat());
    assert_eq!(said.lines().filter(|line| line.starts_with("error: ")).count(), 1, "{said}");
    said
}

fn close(value: &Value, expected: f64) {
    let found = value.as_f64().unwrap();
    assert!((found - expected).abs() < 1e-6, "found {found}, expected {expected}");
}

#[test]
fn a_preview_ranks_and_writes_nothing() {
    let room = &workspace();
    let before = read(room, STORE);
    let (said, _) = tell(room, "promote", &["--now", NOW]);
    let entries = &said["entries"];
    assert_eq!(each(entries, "/key"), json!([VLAN, PRINTER, "weak"]));
    close(&entries[0]["score"], 0.866_495);
    close(&entries[1]["score"], 0.856_495);
    close(&entries[0]["components"]["consolidation"], 0.504_005_6);
    // A preview reads the live notes, as `--apply` does.
    has(&said, json!({ "passing": 1, "/entries/0/stoppedBy": [], "applied": null }));
    has(&entries[1], json!({ "promotes": false, "stoppedBy": ["stale"] }));
    has(&said["preview"], json!({ "applied": 1, "stale": [PRINTER] }));
    assert_eq!(entries[2]["stoppedBy"], json!(["recall_count", "unique_queries", "score"]));
    assert_eq!(read(room, STORE), before);
    assert!(!room.join("MEMORY.md").exists());
}

#[test]
fn flags_change_the_gates() {
    let room = &workspace();
    write(room, "memory/2026-04-02.md", "The printer has moved\n");
    // Recovery has thresholds of its own.
    write(room, "openclaw.json", r#"{ "phases": { "deep": { "recovery": { "enabled": false } } } }"#);
    let passing = |flags: &[&str]| tell(room, "promote", flags).0["passing"].as_u64().unwrap();
    assert_eq!(passing(&["--now", NOW]), 2);
    assert_eq!(passing(&["--now", NOW, "--limit", "1"]), 1);
    assert_eq!(passing(&["--now", NOW, "--min-score", "0.86"]), 1);
    assert_eq!(passing(&["--now", NOW, "--min-recall-count", "7"]), 0);
    assert_eq!(passing(&["--now", NOW, "--min-unique-queries", "6"]), 0);
    assert_eq!(passing(&["--now", NOW, "--max-age-days", "2"]), 1);
    assert_eq!(passing(&["--now", NOW, "--max-age-days", "2", "--age-from", "recall"]), 2);
    assert_eq!(passing(&["--now", NOW, "--recency-half-life-days", "0.5"]), 0);
    let all = ["--now", NOW, "--min-score", "0", "--min-recall-count", "0", "--min-unique-queries", "0"];
    assert_eq!(passing(&all), 3);
    // Without `--now` the moment is the store's last change. A month later the notes are too old.
    assert_eq!(tell(room, "promote", &[]).0["now"], "2026-04-04T15:00:00.000Z");
    assert_eq!(passing(&["--now", "2026-05-10T00:00:00Z"]), 0);
}

/// The digest's apply vector.
#[test]
fn applying_promotes_entries_that_are_still_in_their_notes_once() {
    let room = &workspace();
    let (said, _) = tell(room, "promote", &["--now", NOW, "--apply"]);
    let done = &said["applied"];
    has(done, json!({ "applied": 1, "appended": 1, "reconciledExisting": 0, "stale": [PRINTER] }));
    let memory = read(room, "MEMORY.md");
    let fact = "VLAN ten is for guests [score=0.866 recalls=6 avg=0.950 source=memory/2026-04-03.md:4-4 promoted=2026-04-05T03:00:00.000Z]";
    says(&memory, &[fact]);
    let kept = json_of(room, STORE);
    // What the file says besides is kept.
    let vlan = json!({ "startLine": 4, "promotedAt": "2026-04-05T03:00:00.000Z", "groundedCount": 2 });
    has(&kept["entries"][VLAN], vlan);
    assert!(kept["entries"][PRINTER].get("promotedAt").is_none());

    let (again, _) = tell(room, "promote", &["--now", NOW, "--apply"]);
    assert_eq!(again["applied"]["applied"], 0);
    assert_eq!(read(room, "MEMORY.md"), memory);
    let (all, _) = tell(room, "promote", &["--now", NOW, "--include-promoted"]);
    assert_eq!(all["entries"][0]["promotedAt"], "2026-04-05T03:00:00.000Z");

    let (status, _) = tell(room, "status", &["--now", NOW]);
    has(&status, json!({ "shortTerm": 2, "promotedTotal": 1, "promotedToday": 1 }));
    close(&status["health"], 0.43);
    assert_eq!(status["phases"][1]["nextRun"], "2026-04-06T03:00:00.000Z");
    let names = names(&room.join("memory/.dreams"));
    assert_eq!(names, ["short-term-recall.json"], "neither lock nor partial file is left");
}

#[test]
fn a_fact_that_long_term_memory_has_is_reconciled() {
    let room = &workspace();
    let text = format!("By hand\n<!-- openclaw-memory-promotion:{VLAN} -->\n- VLAN ten\n");
    write(room, "elsewhere.md", &text);
    let (said, _) = tell(room, "promote", &["--now", NOW, "--apply", "--memory", "elsewhere.md"]);
    has(&said["applied"], json!({ "applied": 1, "reconciledExisting": 1 }));
    assert_eq!(read(room, "elsewhere.md"), text);
}

#[test]
fn light_and_rem_write_one_block_each() {
    let room = &workspace();
    write(room, NOTE, "# Sunday\n");
    let (light, _) = tell(room, "light", &["--now", NOW]);
    assert_eq!(count(&light["candidates"]), 3);
    assert_eq!(light["candidates"][0]["entry"]["recallCount"], 6);
    assert_eq!(read(room, NOTE), "# Sunday\n", "nothing is written without --apply");
    for _ in 0..2 {
        tell(room, "light", &["--now", NOW, "--apply"]);
        let (rem, _) = tell(room, "rem", &["--now", NOW, "--apply"]);
        // tag0 to tag2 always occur together, tag3 with them in half of the entries.
        assert_eq!(each(&rem["themes"], "/strength"), json!([1.0]));
        assert_eq!(rem["themes"][0]["tags"], json!(["tag0", "tag1", "tag2"]));
        let said = "tag0, tag1, tag2 come up together on 3 days from 2026-04-02 to 2026-04-04; 12 recalls by 5 questions; above all: ";
        says(rem["block"][3].as_str().unwrap(), &[said]);
    }
    let text = read(room, NOTE);
    assert!(text.starts_with("# Sunday\n\n## Light Sleep\n"), "{text}");
    assert_eq!((text.matches("## Light Sleep").count(), text.matches("## REM Sleep").count()), (1, 1));
    write(room, "openclaw.json", r#"{ "storage": { "mode": "separate" } }"#);
    let flags = ["--now", NOW, "--apply", "--limit", "1", "--config", "openclaw.json"];
    let (light, _) = tell(room, "light", &flags);
    assert_eq!(count(&light["candidates"]), 1);
    assert!(room.join("memory/dreaming/light/2026-04-05.md").exists());
    assert_eq!(read(room, NOTE), text);
}

#[test]
fn a_phase_that_is_off_writes_nothing() {
    let room = &workspace();
    write(room, "openclaw.json", r#"{ "phases": { "light": { "enabled": false } } }"#);
    let flags = ["--now", NOW, "--apply", "--config", "openclaw.json"];
    let (light, noted) = tell(room, "light", &flags);
    assert_eq!(light["written"], json!([]));
    says(&noted, &["light sleep is off"]);
    assert!(!room.join(NOTE).exists());
    tell(room, "rem", &flags);
    let text = read(room, NOTE);
    assert!(text.contains("## REM Sleep") && !text.contains("## Light Sleep"), "{text}");
}

#[test]
fn invalid_values_of_a_configuration_are_reported() {
    let room = &workspace();
    let block =
        json!({ "timezone": "America/Los_Angeles", "phases": { "deep": { "minScore": 8, "limit": 1 } } });
    write(room, "openclaw.json", super::openclaw_runs::configuration(block));
    let flags = ["--now", NOW, "--config", "openclaw.json"];
    let (said, noted) = tell(room, "promote", &flags);
    says(&noted, &["phases.deep.minScore = 8: must be a number from 0 to 1"]);
    has(&said, json!({ "/thresholds/minScore": 0.8, "passing": 1 }));
    let (status, _) = tell(room, "status", &flags);
    // Three in the morning in California.
    assert_eq!(status["phases"][1]["nextRun"], "2026-04-05T10:00:00.000Z");
    write(room, "openclaw.json", "{ \"version\": 1 }");
    says(&refused(room, "promote", &[STORE, "--config", "openclaw.json"]), &["neither an openclaw.json"]);
}

#[test]
fn unusable_entries_are_reported_and_counted() {
    let room = &Room::new();
    let good = entry("memory/2026-04-03.md", 1, "VLAN ten", json!(["router"])).to_string();
    let text = format!(
        "{{ \"version\": 1, \"updatedAt\": \"{NOW}\", \"entries\": {{\n\"a\": {good},\n\"b\": {},\n\"c\": {},\n\"a\": {good}\n}} }}",
        good.replace("\"path\"", "\"paht\""),
        good.replace("\"startLine\":1", "\"startLine\":0.5"),
    );
    write(room, STORE, &text);
    let (said, noted) = tell(room, "promote", &[]);
    assert_eq!(count(&said["entries"]), 1);
    assert_eq!(each(&said["dropped"], "/line"), json!([3, 4, 5]));
    assert_eq!(each(&said["dropped"], "/key"), json!(["b", "c", "a"]));
    let first = format!("{STORE}:3: entry \"b\" is dropped: missing field `path`");
    says(&noted, &[&first, "startLine = 0.5", "the last one counts"]);
}

#[test]
fn files_that_arent_a_store_are_refused() {
    let room = &workspace();
    for (text, expected) in [
        ("{ \"version\": 1,\n\"entries\": {\n\"a\": NaN } }", "store.json:3: "),
        ("{ \"version\": 1,\n\"entries\": {", "store.json:2: EOF while parsing"),
        ("{ \"version\": 3, \"entries\": {} }", "only version 1 is known"),
        ("{ \"version\": 1 }", "missing field `entries`"),
        ("[]", "it must be an object"),
        ("{ \"version\": 1, \"entries\": {} }", "say when it is with --now"),
    ] {
        write(room, "store.json", text);
        says(&refused(room, "promote", &["store.json"]), &[expected]);
    }
    says(&refused(room, "light", &["none.json"]), &["none.json"]);
    for (flag, value) in [("--now", "yesterday"), ("--min-score", "1.5"), ("--memory", "MEMORY.md")] {
        refusal(room, &["openclaw", "promote", flag, value]);
    }
    says(&refused(room, "promote", &["-", "--apply", "--now", NOW]), &["name a file"]);
}

#[test]
fn a_store_may_come_from_standard_input() {
    let room = &workspace();
    let command = memory(room, &["openclaw", "promote", "-", "--now", NOW]);
    let output = assert_cmd::Command::from_std(command).write_stdin(read(room, STORE)).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && said.starts_with("-: 3 entries, 2 to promote"), "{said}");
    assert!(said.contains("0.866  ") && said.contains("recall_count, unique_queries, score"), "{said}");
}

/// Three searches on two days make a store. Unusable lines are reported, and only they are lost.
#[test]
fn a_log_of_searches_becomes_recalls() {
    let room = &Room::new();
    let hit = |path: &str, score: f64| json!({ "path": path, "startLine": 4, "endLine": 4, "score": score, "snippet": "Router VLAN" });
    let search = |at: &str, query: &str, more: Value| {
        let line = json!({ "at": at, "query": query, "results": [hit("./memory/2026-04-03.md", 0.9), hit("MEMORY.md", 0.8)] });
        with(line, more).to_string()
    };
    let day = "2026-04-04T10:00:00Z";
    let lines = [
        search(day, "  Router VLAN ", json!({ "id": "one" })),
        "{ \"at\": ".to_owned(),
        search(day, "router", json!({ "id": "one" })),
        search("2026-04-03T10:00:00Z", "router", json!({})),
        search(day, "router", json!({ "action": "write" })),
        search(day, "router", json!({})).replace("0.9", "NaN"),
        search(day, "router", json!({})).replace("\"query\"", "\"qery\""),
        search("2026-04-05T10:00:00Z", "vlan", json!({})),
        search("2026-04-05T11:00:00Z", "   ", json!({})),
    ];
    write(room, "searches.jsonl", lines.join("\n"));
    let (said, noted) = tell(room, "record", &["searches.jsonl"]);
    has(&said, json!({ "searches": 3, "recalls": 2, "notCounted": 4 }));
    assert_eq!(each(&said["skipped"], "/line"), json!([2, 3, 4, 5, 6, 7]));
    says(
        &noted,
        &[
            "searches.jsonl:2: skipped: EOF",
            "searches.jsonl:3: skipped: id \"one\" has come before",
            "searches.jsonl:4: skipped: at = 2026-04-03T10:00:00.000Z: is before",
            "searches.jsonl:5: skipped: action = \"write\"",
            "searches.jsonl:7: skipped: missing field `query`",
        ],
    );
    let kept = json_of(room, STORE);
    assert_eq!(kept["updatedAt"], "2026-04-05T10:00:00.000Z");
    let entry = &kept["entries"]["memory:memory/2026-04-03.md:4:4"];
    has(entry, json!({ "recallCount": 2, "totalScore": 1.8, "recallDays": ["2026-04-04", "2026-04-05"] }));
    assert_eq!(entry["queryHashes"][0], "ddf671495620");

    write(room, "searches.jsonl", "{}\n");
    let before = read(room, STORE);
    says(&refused(room, "record", &[STORE, "searches.jsonl"]), &["holds no search that can be used"]);
    assert_eq!(read(room, STORE), before, "the store is replaced as a whole or not at all");
}

/// A lock of a dead owner is taken over after a minute; the owner here never existed.
#[test]
fn a_stale_lock_is_taken_over() {
    let room = &workspace();
    if !Path::new("/proc/self").exists() {
        return;
    }
    write(room, "memory/.dreams/short-term-promotion.lock", "4294967294:1000");
    let (said, _) = tell(room, "promote", &["--now", NOW, "--apply"]);
    assert_eq!(said["applied"]["applied"], 1);
}

#[test]
fn a_deleted_line_is_not_promoted_from_a_phases_quotation() {
    let room = &workspace();
    write(room, NOTE, "VLAN ten is for guests\nRouter is new\n");
    store(
        room,
        json!({ format!("memory:{NOTE}:1:1"): entry(NOTE, 1, "VLAN ten is for guests", json!(["tag0", "tag1", "tag2", "tag3"])) }),
    );
    tell(room, "light", &["--now", NOW, "--apply"]);
    tell(room, "rem", &["--now", NOW, "--apply"]);
    let written = read(room, NOTE);
    assert!(written.matches("VLAN ten is for guests").count() > 1, "a phase quotes it: {written}");
    write(room, NOTE, written.replacen("VLAN ten is for guests\n", "", 1));
    let (said, _) = tell(room, "promote", &["--now", NOW, "--apply"]);
    assert_eq!(said["applied"]["appended"], 0, "{said}");
    let memory = fs::read_to_string(room.join("MEMORY.md")).unwrap_or_default();
    assert!(!memory.contains("VLAN") && !memory.contains("openclaw:dreaming"), "{memory}");
}
