//! `morta-memory dark-pawns` on valid and invalid session logs.

use super::{Room, answer, count, each, has, json_of, lines, names, ran, read, refusal, values, with, write};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn turn(time: &str, action: &str, args: &[&str], more: Value) -> String {
    let turn = json!({
        "timestamp": format!("2026-05-12T{time}Z"), "room_vnum": 3001, "room_name": "the Dark Corridor",
        "agent_level": 20, "hp": 50, "max_hp": 50, "mobs_present": 1, "action": action, "args": args,
    });
    with(turn, more).to_string()
}

fn dark_pawns(room: &Path, flags: &[&str]) -> (String, String) {
    ran(room, &[&["dark-pawns"], flags].concat())
}

fn log(room: &Path, name: &str, lines: &[String]) {
    write(room, &format!("data/sessions/ada/{name}"), super::lines(lines));
}

fn two_sessions() -> Room {
    let room = Room::new();
    let den = json!({ "room_vnum": 3002, "room_name": "the Den" });
    let first = [
        turn("15:00:00", "look", &[], json!({})),
        turn("15:01:00", "kill", &["dragon"], json!({ "mob_level": 30 })),
        turn("15:02:00", "look", &[], with(den.clone(), json!({ "hp": 2, "fighting": "bear" }))),
    ];
    log(&room, "2026-05-12-150000.jsonl", &first);
    let second = turn("17:00:00", "kill", &["dragon"], with(den, json!({ "mob_level": 30 })));
    log(&room, "2026-05-12-170000.jsonl", &[second]);
    log(&room, "notes.txt", &["not a log".to_owned()]);
    room
}

const SUMMARY: &str = "## Memory

### Session 1 — May 12 at 3:01 PM – 3:02 PM

Killed dragon in the Dark Corridor (a significant moment).
Moved to the Den.
Low HP (2/50) while fighting bear (a difficult moment).

### Session 2 — May 12 at 5:00 PM

Killed dragon in the Den (a significant moment).

### Relationships

dragon — dangerous (met 2 times)
bear — dangerous (met 1 time)
";

#[test]
fn a_dream_writes_graph_summary_and_figures() {
    let room = &two_sessions();
    let dreamt = dark_pawns(room, &["dream", "--agent", "ada"]);
    let block = "Dream complete:\n  Agent:            ada\n  Sessions read:    2\n  Events extracted: 4\n  \
        Nodes before:     8\n  Nodes after:      8\n  Pruned:           0\n  Summary tokens:   91\n";
    assert_eq!(dreamt, (block.to_owned(), String::new()));
    let memory = room.join("data/dreaming/ada");
    assert_eq!(read(&memory, "memory-summary.txt"), SUMMARY);
    assert_eq!(SUMMARY.len() / 4, 91);
    let figures = json!({ "agent_id": "ada", "session_files_processed": 2, "events_extracted": 4,
        "nodes_before_consolidation": 8, "nodes_after_consolidation": 8, "nodes_pruned": 0,
        "summary_tokens_estimated": 91, "lines_malformed": 0, "turns_out_of_order": 0, "events_repeated": 0 });
    assert_eq!(json_of(&memory, "dream-result.json"), figures);
    let graph = json_of(&memory, "memory-graph.json");
    let dragon =
        json!({ "salience": 0.9, "valence": 3, "visit_count": 2, "created_at": "2026-05-12T15:01:00Z" });
    has(&graph["nodes"]["entity-dragon"], dragon);
    // Edges: four rooms of events; two fights with the dragon and one with the bear, each also as the deed it was; the way from room to room; and the
    // similarity of the second dragon to the first.
    assert_eq!(count(&graph["edges"]), 12);
    assert_eq!(names(&memory).len(), 3, "a temporary file stayed");
    let printed = dark_pawns(room, &["summary", "data/dreaming/ada/memory-graph.json"]);
    assert_eq!(printed, (SUMMARY.to_owned(), String::new()));
    let flags = ["summary", "data/dreaming/ada/memory-graph.json", "--message", "--max-tokens", "1"];
    let (message, _) = dark_pawns(room, &flags);
    assert_eq!(
        message,
        "{\"type\":\"memory_summary\",\"summary\":\"## Memory\\n\\n\\n_(additional memories consolidated)_\"}\n"
    );
}

#[test]
fn each_line_of_a_log_is_read_once_also_when_it_grows() {
    let room = &two_sessions();
    let figures = |flags: &[&str]| {
        let flags = [&["dream", "--agent", "ada"], flags].concat();
        let (out, err) = dark_pawns(room, &flags);
        assert_eq!(err, "", "{flags:?}");
        let figure = |name: &str| -> u64 {
            let line = out.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
            line[20..].parse().unwrap()
        };
        (figure("Sessions read:"), figure("Events extracted:"), figure("Nodes after:"))
    };
    assert_eq!(figures(&[]), (2, 4, 8));
    assert_eq!(figures(&[]), (0, 0, 8));
    let log = room.join("data/sessions/ada/2026-05-12-170000.jsonl");
    // A turn that is still being written isn't read before its line is whole, otherwise its event would be lost.
    let next = turn("17:10:00", "get", &["crown"], json!({ "item_level": 90, "room_vnum": 3002 }));
    let so_far = fs::read_to_string(&log).unwrap();
    fs::write(&log, format!("{so_far}{}", &next[..40])).unwrap();
    let (out, err) = dark_pawns(room, &["dream", "--agent", "ada"]);
    assert!(out.contains("Events extracted: 0") && err.contains("170000.jsonl:2: skipped"), "{out}{err}");
    fs::write(&log, format!("{so_far}{next}\n")).unwrap();
    assert_eq!(figures(&[]), (1, 1, 10));
    assert_eq!(figures(&["--reread"]), (2, 5, 10));
}

#[test]
fn a_dry_run_and_a_failed_one_write_nothing() {
    let room = &two_sessions();
    let (out, err) = dark_pawns(room, &["dream", "--agent", "ada", "--dry-run"]);
    assert_eq!(err, "note: a dry run: nothing is written\n");
    assert!(out.contains("Nodes before:     8"), "{out}");
    assert!(!room.join("data/dreaming").exists());
    let memory = room.join("data/dreaming/ada");
    fs::create_dir_all(&memory).unwrap();
    for (graph, expected) in [
        ("{\"nodes\": {", "memory-graph.json: EOF while parsing"),
        (
            r#"{"nodes": {"entity-x": {"id": "entity-x", "kind": "entity", "label": "x", "salience": 2, "valence": 1,
                "created_at": "2026-05-12T15:00:00Z", "updated_at": "2026-05-12T15:00:00Z", "visit_count": 1}}, "edges": []}"#,
            "memory-graph.json: node \"entity-x\": salience = 2: must be from 0 to 1",
        ),
    ] {
        fs::write(memory.join("memory-graph.json"), graph).unwrap();
        let err = refusal(room, &["dark-pawns", "dream", "--agent", "ada"]);
        assert!(err.starts_with("error: data/dreaming/ada/") && err.contains(expected), "{err}");
        assert_eq!(read(&memory, "memory-graph.json"), graph);
        assert_eq!(names(&memory).len(), 1);
    }
}

#[test]
fn malformed_lines_are_reported_and_counted() {
    let room = &Room::new();
    let good = turn("15:01:00", "kill", &["ant"], json!({}));
    log(
        room,
        "a.jsonl",
        &[
            good.clone(),
            "{\"timestamp\": \"2026-05-12T15:02:00Z\"".to_owned(),
            "{\"timestamp\": \"2026-05-12T15:02:00Z\"}".to_owned(),
            good.replace("\"hp\":50", "\"hp\":NaN"),
            good.replace("2026-05-12T15:01:00Z", "noon"),
            String::new(),
            turn("15:00:30", "frobnicate", &[], json!({})),
            turn("15:01:00", "kill", &["bee"], json!({ "unheard_of": [1] })),
        ],
    );
    let (out, err) = dark_pawns(room, &["dream", "--agent", "ada"]);
    assert!(out.contains("Events extracted: 2"), "{out}");
    let expected = [
        "a.jsonl:2: skipped: EOF while parsing",
        "a.jsonl:3: skipped: missing field `action`",
        "a.jsonl:4: skipped: expected",
        "a.jsonl:5: skipped: \"noon\" is no RFC 3339 time",
        "a.jsonl:7: the clock goes back from 2026-05-12T15:01:00Z to 2026-05-12T15:00:30Z: taken as it is",
        "a.jsonl:8: another combat event at 2026-05-12T15:01:00Z: counted as the same one",
        "4 lines skipped that are no turns",
    ];
    assert_eq!(err.lines().count(), expected.len(), "{err}");
    for (line, expected) in err.lines().zip(expected) {
        assert!(line.starts_with("note: ") && line.contains(expected), "{line}");
    }
    let figures = json_of(room, "data/dreaming/ada/dream-result.json");
    has(&figures, json!({ "lines_malformed": 4, "turns_out_of_order": 1, "events_repeated": 1 }));
}

#[test]
fn unreadable_input_is_refused() {
    let room = &two_sessions();
    write(room, "rules.toml", "decay_rate = 0.1\nprune_threshold = 7\n");
    write(room, "typo.toml", "\ndecay = 0.1\n");
    write(
        room,
        "effects.jsonl",
        "\n{\"type\": \"encounter\", \"entity\": \"x\", \"before\": \"pass\", \"after\": \"flee\", \"valence\": 4}\n",
    );
    for (flags, expected) in [
        (
            &["dream", "--agent", "../ada"][..],
            "--agent \"../ada\": must not be empty, . or .., and must not contain / or \\",
        ),
        (&["dream", "--agent", "eve"], "data/sessions/eve: can't read the sessions: "),
        (
            &["dream", "--agent", "ada", "--rules", "rules.toml"],
            "rules.toml: prune_threshold = 7: must be a number from 0 to 1",
        ),
        (&["dream", "--agent", "ada", "--rules", "typo.toml"], "typo.toml:2: unknown field `decay`"),
        (&["valence", "none.jsonl"], "none.jsonl: No such file"),
        (&["summary", "data"], "data: is a directory"),
        (&["effects", "effects.jsonl"], "effects.jsonl:2: valence = 4: must be a whole number from -3 to 3"),
    ] {
        let err = refusal(room, &[&["dark-pawns"], flags].concat());
        assert_eq!(err.lines().count(), 1, "{flags:?}: {err}");
        assert!(err.starts_with(&format!("error: {expected}")), "{flags:?}: {err}");
    }
}

#[test]
fn valences_are_computed_recorded_and_ablated() {
    let room = &Room::new();
    let flight = turn("15:01:00", "flee", &[], json!({ "hp": 5, "fighting": "orc" }));
    let kill = turn("15:02:00", "kill", &["dragon"], json!({ "mob_level": 30 }));
    write(room, "log.jsonl", [flight, kill].join("\n"));
    let felt = |flags: &[&str]| -> Value {
        let (out, err) = dark_pawns(room, flags);
        assert_eq!(err, "");
        json!(values(&out))
    };
    let turns = felt(&["valence", "log.jsonl"]);
    let event = |kind: &str, entity: &str, valence: i8, narrative: &str| {
        json!({ "kind": kind, "target_entity": entity, "target_room": 3001, "target_room_name": "the Dark Corridor",
            "item_name": "", "valence": valence, "narrative": narrative })
    };
    let flight = [
        event("combat", "orc", 0, "Fled from orc at low HP (5/50)"),
        event("damage", "orc", -2, "Low HP (5/50) while fighting orc"),
    ];
    assert_eq!(turns[0], json!({ "valence": 0, "events": flight }));
    let killed = event("combat", "dragon", 3, "Killed dragon in the Dark Corridor");
    assert_eq!(turns[1]["events"], json!([killed]));
    let named = felt(&["valence", "log.jsonl", "--agent", "ada", "--no-valence"]);
    has(&named[1], json!({ "/events/0/agent_id": "ada", "valence": 0 }));
    assert_eq!(each(&felt(&["record", "log.jsonl"]), "/valence"), json!([0, 3]));
    assert_eq!(each(&felt(&["record", "log.jsonl", "--valence", "false"]), "/valence"), json!([0, 0]));
}

#[test]
fn effects_are_measured() {
    let room = &Room::new();
    let decision = |arm: &str, action: &str| json!({ "type": "decision", "arm": arm, "stimulus": "goblin", "action": action });
    let mut rows: Vec<Value> = Vec::new();
    for (arm, flights) in [("memory", 40), ("none", 10)] {
        rows.extend((0..50).map(|n| decision(arm, if n < flights { "flee" } else { "attack" })));
    }
    rows.push(json!({ "type": "encounter", "entity": "Mordak", "before": "pass", "after": "attack", "valence": -3 }));
    rows.push(json!({ "type": "cost", "hosting": "server", "tokens": 100 }));
    rows.push(json!({ "type": "cost", "hosting": "client", "tokens": 400 }));
    write(room, "rows.jsonl", lines(&rows));
    let (effects, noted) = answer(room, &["dark-pawns", "effects", "rows.jsonl"]);
    assert_eq!(noted, "");
    let first = &effects["persistence"][0];
    assert!((first["bps"].as_f64().unwrap() - 0.6).abs() < 1e-12);
    has(first, json!({ "strength": "strong", "enough": true }));
    assert!((effects["consequences"][0]["scs"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-12);
    has(&effects, json!({ "cost_ratio": 0.25, "cost_enough": false }));
}
