//! `morta-memory openclaw` on a user's own workspace.

use super::{json_of, memory, root, says};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const NOW: &str = "2026-04-05T03:00:00Z";
const VLAN: &str = "memory:memory/2026-04-03.md:1:1";
const PRINTER: &str = "memory:memory/2026-04-02.md:1:1";

/// Six recalls with good scores on three days, the last one twelve hours before `NOW`.
fn entry(path: &str, snippet: &str, tags: usize) -> Value {
    let tags: Vec<String> = (0..tags).map(|number| format!("tag{number}")).collect();
    json!({
        "path": path, "startLine": 1, "endLine": 1, "source": "memory", "snippet": snippet,
        "recallCount": 6, "totalScore": 5.7, "maxScore": 0.97,
        "firstRecalledAt": "2026-04-02T10:00:00.000Z", "lastRecalledAt": "2026-04-04T15:00:00.000Z",
        "queryHashes": ["a", "b", "c", "d", "e"], "recallDays": ["2026-04-02", "2026-04-03", "2026-04-04"],
        "conceptTags": tags, "groundedCount": 2
    })
}

/// The workspace of the digest's apply vector: one note has its snippet on another line, the other has lost it.
fn workspace(room: &Path) -> PathBuf {
    fs::create_dir_all(room.join("memory/.dreams")).unwrap();
    let note = "# Friday\n\nRouter is new\nVLAN ten is for guests\n";
    fs::write(room.join("memory/2026-04-03.md"), note).unwrap();
    fs::write(room.join("memory/2026-04-02.md"), "# Thursday\nNothing\n").unwrap();
    let store = room.join("memory/.dreams/short-term-recall.json");
    let entries = json!({
        VLAN: entry("memory/2026-04-03.md", "VLAN ten is for guests", 4),
        PRINTER: entry("memory/2026-04-02.md", "The printer has moved", 3),
        "weak": {
            "path": "memory/2026-04-03.md", "startLine": 3, "endLine": 3, "source": "memory",
            "snippet": "Router is new", "recallCount": 1, "totalScore": 0.5, "maxScore": 0.5,
            "firstRecalledAt": "2026-04-04T15:00:00.000Z", "lastRecalledAt": "2026-04-04T15:00:00.000Z",
            "queryHashes": ["a"], "recallDays": ["2026-04-04"], "conceptTags": ["router"]
        }
    });
    let file = json!({ "version": 1, "updatedAt": "2026-04-04T15:00:00.000Z", "entries": entries });
    fs::write(&store, serde_json::to_string_pretty(&file).unwrap()).unwrap();
    store
}

fn tell(what: &str, store: &Path, flags: &[&str]) -> (Value, String) {
    let output = memory(root(), &["openclaw", what]).arg(store).arg("--json").args(flags).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    (serde_json::from_slice(&output.stdout).unwrap(), said)
}

fn refused(what: &str, store: &Path, flags: &[&str]) -> String {
    let output = memory(root(), &["openclaw", what]).arg(store).args(flags).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.lines().filter(|line| line.starts_with("error: ")).count(), 1, "{said}");
    said
}

fn close(value: &Value, expected: f64) {
    let found = value.as_f64().unwrap();
    assert!((found - expected).abs() < 1e-6, "found {found}, expected {expected}");
}

#[test]
fn a_preview_ranks_and_writes_nothing() {
    let room = tempfile::tempdir().unwrap();
    let store = workspace(room.path());
    let before = fs::read(&store).unwrap();
    let (said, _) = tell("promote", &store, &["--now", NOW]);
    let entries = said["entries"].as_array().unwrap();
    let keys: Vec<&str> = entries.iter().map(|entry| entry["key"].as_str().unwrap()).collect();
    assert_eq!(keys, [VLAN, PRINTER, "weak"]);
    close(&entries[0]["score"], 0.866_495);
    close(&entries[1]["score"], 0.856_495);
    close(&entries[0]["components"]["consolidation"], 0.504_005_6);
    // A preview reads the live notes, as `--apply` does.
    assert_eq!((&said["passing"], &entries[0]["stoppedBy"]), (&json!(1), &json!([])));
    assert_eq!((&entries[1]["promotes"], &entries[1]["stoppedBy"]), (&json!(false), &json!(["stale"])));
    assert_eq!((&said["preview"]["applied"], &said["preview"]["stale"]), (&json!(1), &json!([PRINTER])));
    assert_eq!(entries[2]["stoppedBy"], json!(["recall_count", "unique_queries", "score"]));
    assert_eq!((said["applied"].is_null(), fs::read(&store).unwrap()), (true, before));
    assert!(!room.path().join("MEMORY.md").exists());
}

#[test]
fn flags_change_the_gates() {
    let room = tempfile::tempdir().unwrap();
    let store = workspace(room.path());
    fs::write(room.path().join("memory/2026-04-02.md"), "The printer has moved\n").unwrap();
    // Recovery has thresholds of its own.
    let config = room.path().join("openclaw.json");
    fs::write(&config, r#"{ "phases": { "deep": { "recovery": { "enabled": false } } } }"#).unwrap();
    let passing = |flags: &[&str]| tell("promote", &store, flags).0["passing"].as_u64().unwrap();
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
    assert_eq!(tell("promote", &store, &[]).0["now"], "2026-04-04T15:00:00.000Z");
    assert_eq!(passing(&["--now", "2026-05-10T00:00:00Z"]), 0);
}

/// The digest's apply vector.
#[test]
fn applying_promotes_entries_that_are_still_in_their_notes_once() {
    let room = tempfile::tempdir().unwrap();
    let store = workspace(room.path());
    let (said, _) = tell("promote", &store, &["--now", NOW, "--apply"]);
    let done = &said["applied"];
    assert_eq!((&done["applied"], &done["appended"]), (&json!(1), &json!(1)));
    assert_eq!((&done["reconciledExisting"], &done["stale"]), (&json!(0), &json!([PRINTER])));
    let memory = fs::read_to_string(room.path().join("MEMORY.md")).unwrap();
    let fact = "VLAN ten is for guests [score=0.866 recalls=6 avg=0.950 source=memory/2026-04-03.md:4-4 promoted=2026-04-05T03:00:00.000Z]";
    assert!(memory.contains(fact), "{memory}");
    let kept = json_of(&store);
    let vlan = &kept["entries"][VLAN];
    assert_eq!((&vlan["startLine"], &vlan["promotedAt"]), (&json!(4), &json!("2026-04-05T03:00:00.000Z")));
    assert_eq!(vlan["groundedCount"], 2, "what the file says besides is kept");
    assert!(kept["entries"][PRINTER].get("promotedAt").is_none());

    let (again, _) = tell("promote", &store, &["--now", NOW, "--apply"]);
    assert_eq!(again["applied"]["applied"], 0);
    assert_eq!(fs::read_to_string(room.path().join("MEMORY.md")).unwrap(), memory);
    let (all, _) = tell("promote", &store, &["--now", NOW, "--include-promoted"]);
    assert_eq!(all["entries"][0]["promotedAt"], "2026-04-05T03:00:00.000Z");

    let (status, _) = tell("status", &store, &["--now", NOW]);
    assert_eq!(
        (&status["shortTerm"], &status["promotedTotal"], &status["promotedToday"]),
        (&json!(2), &json!(1), &json!(1))
    );
    close(&status["health"], 0.43);
    assert_eq!(status["phases"][1]["nextRun"], "2026-04-06T03:00:00.000Z");
    let names: Vec<String> = fs::read_dir(store.parent().unwrap())
        .unwrap()
        .map(|file| file.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names, ["short-term-recall.json"], "neither lock nor partial file is left");
}

#[test]
fn a_fact_that_long_term_memory_has_is_reconciled() {
    let room = tempfile::tempdir().unwrap();
    let store = workspace(room.path());
    let memory = room.path().join("elsewhere.md");
    let text = format!("By hand\n<!-- openclaw-memory-promotion:{VLAN} -->\n- VLAN ten\n");
    fs::write(&memory, &text).unwrap();
    let flags = ["--now", NOW, "--apply", "--memory", memory.to_str().unwrap()];
    let (said, _) = tell("promote", &store, &flags);
    assert_eq!((&said["applied"]["applied"], &said["applied"]["reconciledExisting"]), (&json!(1), &json!(1)));
    assert_eq!(fs::read_to_string(&memory).unwrap(), text);
}

#[test]
fn light_and_rem_write_one_block_each() {
    let room = tempfile::tempdir().unwrap();
    let store = workspace(room.path());
    let note = room.path().join("memory/2026-04-05.md");
    fs::write(&note, "# Sunday\n").unwrap();
    let (light, _) = tell("light", &store, &["--now", NOW]);
    assert_eq!(light["candidates"].as_array().unwrap().len(), 3);
    assert_eq!(light["candidates"][0]["entry"]["recallCount"], 6);
    assert_eq!(fs::read_to_string(&note).unwrap(), "# Sunday\n", "nothing is written without --apply");
    for _ in 0..2 {
        tell("light", &store, &["--now", NOW, "--apply"]);
        let (rem, _) = tell("rem", &store, &["--now", NOW, "--apply"]);
        // tag0 to tag2 always occur together, tag3 with them in half of the entries.
        let strengths: Vec<f64> = rem["themes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|theme| theme["strength"].as_f64().unwrap())
            .collect();
        assert_eq!(strengths, [1.0]);
        assert_eq!(rem["themes"][0]["tags"], json!(["tag0", "tag1", "tag2"]));
        let said = "tag0, tag1, tag2 come up together on 3 days from 2026-04-02 to 2026-04-04; 12 recalls by 5 questions; above all: ";
        assert!(rem["block"][3].as_str().unwrap().contains(said), "{}", rem["block"]);
    }
    let text = fs::read_to_string(&note).unwrap();
    assert!(text.starts_with("# Sunday\n\n## Light Sleep\n"), "{text}");
    assert_eq!((text.matches("## Light Sleep").count(), text.matches("## REM Sleep").count()), (1, 1));
    let config = room.path().join("openclaw.json");
    fs::write(&config, r#"{ "storage": { "mode": "separate" } }"#).unwrap();
    let flags = ["--now", NOW, "--apply", "--limit", "1", "--config", config.to_str().unwrap()];
    let (light, _) = tell("light", &store, &flags);
    assert_eq!(light["candidates"].as_array().unwrap().len(), 1);
    assert!(room.path().join("memory/dreaming/light/2026-04-05.md").exists());
    assert_eq!(fs::read_to_string(&note).unwrap(), text);
}

#[test]
fn a_phase_that_is_off_writes_nothing() {
    let room = tempfile::tempdir().unwrap();
    let store = workspace(room.path());
    let config = room.path().join("openclaw.json");
    fs::write(&config, r#"{ "phases": { "light": { "enabled": false } } }"#).unwrap();
    let flags = ["--now", NOW, "--apply", "--config", config.to_str().unwrap()];
    let (light, noted) = tell("light", &store, &flags);
    assert_eq!(light["written"], json!([]));
    assert!(noted.contains("light sleep is off"), "{noted}");
    let note = room.path().join("memory/2026-04-05.md");
    assert!(!note.exists());
    tell("rem", &store, &flags);
    let text = fs::read_to_string(&note).unwrap();
    assert!(text.contains("## REM Sleep") && !text.contains("## Light Sleep"), "{text}");
}

#[test]
fn invalid_values_of_a_configuration_are_reported() {
    let room = tempfile::tempdir().unwrap();
    let store = workspace(room.path());
    let config = room.path().join("openclaw.json");
    let block =
        json!({ "timezone": "America/Los_Angeles", "phases": { "deep": { "minScore": 8, "limit": 1 } } });
    let file = json!({ "plugins": { "entries": { "memory-core": { "config": { "dreaming": block } } } } });
    fs::write(&config, file.to_string()).unwrap();
    let (said, noted) = tell("promote", &store, &["--now", NOW, "--config", config.to_str().unwrap()]);
    assert!(noted.contains("phases.deep.minScore = 8: must be a number from 0 to 1"), "{noted}");
    assert_eq!((&said["thresholds"]["minScore"], &said["passing"]), (&json!(0.8), &json!(1)));
    let (status, _) = tell("status", &store, &["--now", NOW, "--config", config.to_str().unwrap()]);
    assert_eq!(
        status["phases"][1]["nextRun"], "2026-04-05T10:00:00.000Z",
        "three in the morning in California"
    );
    fs::write(&config, "{ \"version\": 1 }").unwrap();
    says(&refused("promote", &store, &["--config", config.to_str().unwrap()]), &["neither an openclaw.json"]);
}

#[test]
fn unusable_entries_are_reported_and_counted() {
    let room = tempfile::tempdir().unwrap();
    let store = room.path().join("store.json");
    let good = entry("memory/2026-04-03.md", "VLAN ten", 4).to_string();
    let text = format!(
        "{{ \"version\": 1, \"updatedAt\": \"{NOW}\", \"entries\": {{\n\"a\": {good},\n\"b\": {},\n\"c\": {},\n\"a\": {good}\n}} }}",
        good.replace("\"path\"", "\"paht\""),
        good.replace("\"startLine\":1", "\"startLine\":0.5"),
    );
    fs::write(&store, text).unwrap();
    let (said, noted) = tell("promote", &store, &[]);
    assert_eq!(said["entries"].as_array().unwrap().len(), 1);
    let dropped: Vec<(u64, &str)> = said["dropped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["line"].as_u64().unwrap(), one["key"].as_str().unwrap()))
        .collect();
    assert_eq!(dropped, [(3, "b"), (4, "c"), (5, "a")]);
    for expected in [
        "store.json:3: entry \"b\" is dropped: missing field `path`",
        "startLine = 0.5",
        "the last one counts",
    ] {
        assert!(noted.contains(expected), "{noted}");
    }
}

#[test]
fn files_that_arent_a_store_are_refused() {
    let room = tempfile::tempdir().unwrap();
    let store = room.path().join("store.json");
    for (text, expected) in [
        ("{ \"version\": 1,\n\"entries\": {\n\"a\": NaN } }", "store.json:3: "),
        ("{ \"version\": 1,\n\"entries\": {", "store.json:2: EOF while parsing"),
        ("{ \"version\": 3, \"entries\": {} }", "only version 1 is known"),
        ("{ \"version\": 1 }", "missing field `entries`"),
        ("[]", "it must be an object"),
        ("{ \"version\": 1, \"entries\": {} }", "say when it is with --now"),
    ] {
        fs::write(&store, text).unwrap();
        let said = refused("promote", &store, &[]);
        assert!(said.contains(expected), "{said}");
    }
    assert!(refused("light", &room.path().join("none.json"), &[]).contains("none.json"));
    workspace(room.path());
    for flags in [&["--now", "yesterday"][..], &["--min-score", "1.5"], &["--memory", "MEMORY.md"]] {
        let output = memory(root(), &["openclaw", "promote"]).arg(&store).args(flags).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
    }
    let dash = refused("promote", Path::new("-"), &["--apply", "--now", NOW]);
    assert!(dash.contains("name a file"), "{dash}");
}

#[test]
fn a_store_may_come_from_standard_input() {
    let room = tempfile::tempdir().unwrap();
    let text = fs::read(workspace(room.path())).unwrap();
    let command = memory(root(), &["openclaw", "promote", "-", "--now", NOW]);
    let output = assert_cmd::Command::from_std(command).write_stdin(text).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && said.starts_with("-: 3 entries, 2 to promote"), "{said}");
    assert!(said.contains("0.866  ") && said.contains("recall_count, unique_queries, score"), "{said}");
}

/// Three searches on two days make a store. Unusable lines are reported, and only they are lost.
#[test]
fn a_log_of_searches_becomes_recalls() {
    let room = tempfile::tempdir().unwrap();
    let (store, log) =
        (room.path().join("memory/.dreams/short-term-recall.json"), room.path().join("searches.jsonl"));
    let hit = |path: &str, score: f64| json!({ "path": path, "startLine": 4, "endLine": 4, "score": score, "snippet": "Router VLAN" });
    let search = |at: &str, query: &str, more: Value| {
        let mut line = json!({ "at": at, "query": query, "results": [hit("./memory/2026-04-03.md", 0.9), hit("MEMORY.md", 0.8)] });
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        line.to_string()
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
    fs::write(&log, lines.join("\n")).unwrap();
    let flags = [log.to_str().unwrap()];
    let (said, noted) = tell("record", &store, &flags);
    assert_eq!((&said["searches"], &said["recalls"], &said["notCounted"]), (&json!(3), &json!(2), &json!(4)));
    let skipped: Vec<u64> =
        said["skipped"].as_array().unwrap().iter().map(|one| one["line"].as_u64().unwrap()).collect();
    assert_eq!(skipped, [2, 3, 4, 5, 6, 7]);
    for expected in [
        "searches.jsonl:2: skipped: EOF",
        "searches.jsonl:3: skipped: id \"one\" has come before",
        "searches.jsonl:4: skipped: at = 2026-04-03T10:00:00.000Z: is before",
        "searches.jsonl:5: skipped: action = \"write\"",
        "searches.jsonl:7: skipped: missing field `query`",
    ] {
        assert!(noted.contains(expected), "{expected} in {noted}");
    }
    let kept = json_of(&store);
    let entry = &kept["entries"]["memory:memory/2026-04-03.md:4:4"];
    assert_eq!((&entry["recallCount"], &entry["totalScore"]), (&json!(2), &json!(1.8)));
    assert_eq!(entry["queryHashes"][0], "ddf671495620");
    assert_eq!(entry["recallDays"], json!(["2026-04-04", "2026-04-05"]));
    assert_eq!(kept["updatedAt"], "2026-04-05T10:00:00.000Z");

    fs::write(&log, "{}\n").unwrap();
    let before = fs::read(&store).unwrap();
    assert!(refused("record", &store, &flags).contains("holds no search that can be used"));
    assert_eq!(fs::read(&store).unwrap(), before, "the store is replaced as a whole or not at all");
}

/// A lock of a dead owner is taken over after a minute; the owner here never existed.
#[test]
fn a_stale_lock_is_taken_over() {
    let room = tempfile::tempdir().unwrap();
    let store = workspace(room.path());
    if !Path::new("/proc/self").exists() {
        return;
    }
    fs::write(store.with_file_name("short-term-promotion.lock"), "4294967294:1000").unwrap();
    let (said, _) = tell("promote", &store, &["--now", NOW, "--apply"]);
    assert_eq!(said["applied"]["applied"], 1);
}

#[test]
fn a_deleted_line_is_not_promoted_from_a_phases_quotation() {
    let room = tempfile::tempdir().unwrap();
    let store = workspace(room.path());
    let (note, path) = (room.path().join("memory/2026-04-05.md"), "memory/2026-04-05.md");
    fs::write(&note, "VLAN ten is for guests\nRouter is new\n").unwrap();
    let entries = json!({ format!("memory:{path}:1:1"): entry(path, "VLAN ten is for guests", 4) });
    let file = json!({ "version": 1, "updatedAt": "2026-04-04T15:00:00.000Z", "entries": entries });
    fs::write(&store, file.to_string()).unwrap();
    tell("light", &store, &["--now", NOW, "--apply"]);
    tell("rem", &store, &["--now", NOW, "--apply"]);
    let written = fs::read_to_string(&note).unwrap();
    assert!(written.matches("VLAN ten is for guests").count() > 1, "a phase quotes it: {written}");
    fs::write(&note, written.replacen("VLAN ten is for guests\n", "", 1)).unwrap();
    let (said, _) = tell("promote", &store, &["--now", NOW, "--apply"]);
    assert_eq!(said["applied"]["appended"], 0, "{said}");
    let memory = fs::read_to_string(room.path().join("MEMORY.md")).unwrap_or_default();
    assert!(!memory.contains("VLAN") && !memory.contains("openclaw:dreaming"), "{memory}");
}
