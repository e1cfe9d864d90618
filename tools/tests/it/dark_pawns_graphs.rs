//! `morta-memory dark-pawns`: graphs of later versions, and the login message.

use super::{Room, answer, has, json_of, lines, printed, read, refuses, says, with, write};
use serde_json::{Value, json};
use std::path::Path;

fn dream(room: &Path, more: &[&str]) -> Value {
    printed(room, &[&["dark-pawns", "dream", "--agent", "ada"], more].concat());
    json_of(room, "data/dreaming/ada/memory-graph.json")
}

fn node(id: &str, kind: &str, more: Value) -> Value {
    let node = json!({
        "id": id, "kind": kind, "label": format!("label of {id}"), "salience": 1.0, "valence": 2, "visit_count": 1,
        "created_at": "2026-06-01T04:00:00Z", "updated_at": "2026-06-01T04:00:00Z"
    });
    with(node, more)
}

/// Events of a morning and an evening that were dreamt of in one night, so that `created_at` is the same for both.
#[test]
fn unknown_fields_of_a_later_graph_survive_and_its_moments_count() {
    let room = &Room::new();
    let event = |name: &str, occurred: &str| {
        node(name, "event", json!({ "occurred_at": occurred, "mood": { "fear": 3 } }))
    };
    let (first, second) = ("ada-combat-1", "ada-combat-2");
    let graph = json!({
        "nodes": {
            first: event(first, "2026-05-01T08:00:00Z"), second: event(second, "2026-05-01T19:00:00Z"),
            "entity-orc": node("entity-orc", "entity", json!({ "occurred_at": "0001-01-01T00:00:00Z", "faction": "north" }))
        },
        "edges": [{ "from": first, "to": "entity-orc", "kind": "involved", "weight": 1.0, "created_at": "2026-06-01T04:00:00Z", "why": [1] }],
        "schema": 7
    });
    write(room, "data/dreaming/ada/memory-graph.json", graph);
    let turn = json!({ "timestamp": "2026-05-02T08:00:00Z", "room_vnum": 1, "room_name": "the Hall", "action": "kill", "args": ["orc"] });
    write(room, "data/sessions/ada/a.jsonl", lines(&[turn]));
    let written = dream(room, &[]);
    has(&written, json!({ "schema": 7, "/edges/0/why": [1] }));
    let kept = &written["nodes"][first];
    has(kept, json!({ "/mood/fear": 3, "occurred_at": "2026-05-01T08:00:00Z" }));
    has(kept, json!({ "created_at": "2026-06-01T04:00:00Z", "salience": 0.9 }));
    has(&written["nodes"]["entity-orc"], json!({ "faction": "north", "visit_count": 2 }));
    let mut nodes = written["nodes"].as_object().unwrap().values();
    let new = nodes.find(|node| node["label"] == "Killed orc in the Hall").unwrap();
    assert_eq!(new["occurred_at"], "2026-05-02T08:00:00Z", "a program that writes the field also reads it");
    let summary = read(room, "data/dreaming/ada/memory-summary.txt");
    says(
        &summary,
        &[
            "### Session 1 — May 1 at 8:00 AM",
            "### Session 2 — May 1 at 7:00 PM",
            "### Session 3 — May 2 at 8:00 AM",
        ],
    );
    assert_eq!(dream(room, &[])["nodes"][first]["mood"]["fear"], 3, "and again");
}

#[test]
fn the_login_message_is_the_summary_on_the_disk() {
    let room = &Room::new();
    write(room, "memories/ada/memory-summary.txt", "\n## Memory\n\nBy hand.\n\n");
    let login = |agent| printed(room, &["dark-pawns", "login", "--agent", agent, "--dreaming", "memories"]);
    assert_eq!(login("ada"), "{\"type\":\"memory_summary\",\"summary\":\"## Memory\\n\\nBy hand.\"}\n");
    assert_eq!(login("eve"), "", "nobody has dreamt for her yet");
    write(room, "memories/ada/memory-summary.txt", " \n");
    assert_eq!(login("ada"), "");
    refuses(room, &["dark-pawns", "login", "--agent", "../ada"], &["must not be empty, . or .."]);
    write(
        room,
        "turn.jsonl",
        "{\"timestamp\":\"2026-05-02T08:00:00Z\",\"action\":\"give\",\"social_type\":\"gift\",\"social_target\":\"Elara\",\"room_name\":\"the Hall\"}\n",
    );
    let (felt, _) = answer(room, &["dark-pawns", "valence", "turn.jsonl"]);
    has(&felt, json!({ "valence": 2, "/events/0/target_entity": "Elara" }));
}
