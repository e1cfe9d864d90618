//! The login message of an agent after many nights: the newest night first, then its relations.

use super::{Room, has, json_of, lines, printed, ran, read, refuses, says, values, write};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn summary(room: &Path, more: &[&str]) -> String {
    printed(room, &[&["dark-pawns", "dream", "--agent", "ada"], more].concat());
    read(room, "data/dreaming/ada/memory-summary.txt")
}

/// Eight nights of forty turns. The message once held the first night only, and no relations.
fn eight_nights(room: &Path) {
    for night in 0..8 {
        let turns = (0..40).map(|n| {
            let (action, what) = if n % 2 == 0 { ("get", format!("gem {night}-{n}")) } else { ("kill", format!("orc {night}")) };
            json!({ "timestamp": format!("2026-05-{:02}T19:{n:02}:00Z", night + 1), "action": action, "args": [what], "room_vnum": 100 + n,
                "room_name": format!("Hall {n} of night {night}"), "hp": 50, "max_hp": 50, "agent_level": 5, "mob_level": 6 })
        });
        write(room, &format!("data/sessions/ada/2026-05-{:02}-190000.jsonl", night + 1), lines(turns));
    }
}

#[test]
fn the_message_has_the_newest_night_and_the_relations() {
    for more in [&[][..], &["--nightly"]] {
        let room = &Room::new();
        eight_nights(room);
        let text = summary(room, more);
        assert!(text.len() <= 2_000, "{} bytes", text.len());
        let sessions: Vec<&str> = text.lines().filter(|line| line.starts_with("### Session")).collect();
        assert!(sessions.last().unwrap().starts_with("### Session 8 — May 8 at 7:00 PM – 7:39 PM"), "{text}");
        says(&text, &["Killed orc 7 in Hall 39 of night 7 (noteworthy).", "of night 6"]);
        assert!(text.contains("### Relationships\n\norc 0 — dangerous (met 20 times)\n"), "{text}");
    }
}

#[test]
fn a_rat_killed_sixty_times_is_one_line() {
    let room = &Room::new();
    let kills = (0..60)
        .map(|n| json!({ "timestamp": format!("2026-05-12T15:{n:02}:00Z"), "action": "kill", "args": ["rat"], "room_vnum": 1, "room_name": "the Cellar", "mob_level": 1, "agent_level": 20 }));
    let heals = [2, 4, 6]
        .map(|n| json!({ "timestamp": format!("2026-05-12T16:{n:02}:00Z"), "action": "heal", "args": ["Brenda"], "room_vnum": 2, "room_name": "the Tavern" }));
    write(room, "data/sessions/ada/a.jsonl", lines(kills.chain(heals)));
    assert_eq!(
        summary(room, &[]),
        "## Memory\n\n### Session 1 — May 12 at 3:00 PM – 4:06 PM\n\nKilled rat in the Cellar, 60 times.\nMoved to the Tavern.\nHealed Brenda in the Tavern, 3 times.\n\n\
         ### Relationships\n\nBrenda — trusted ally (met 3 times)\nrat — met (met 60 times)\n"
    );
}

#[test]
fn a_shaman_killed_twice_is_dangerous() {
    let room = &Room::new();
    let kill = |minute: u32| {
        json!({ "timestamp": format!("2026-05-12T15:{minute}:00Z"), "action": "kill", "args": ["goblin shaman"], "room_vnum": 1, "room_name": "the Cave",
        "hp": 40, "max_hp": 50, "agent_level": 5, "mob_level": 12, "fighting": "goblin shaman" })
    };
    write(room, "data/sessions/ada/a.jsonl", lines(&[kill(30), kill(40)]));
    let killed = "Killed goblin shaman in the Cave, 2 times (a significant moment).";
    says(&summary(room, &[]), &[killed, "goblin shaman — dangerous (met 2 times)"]);
    // Without valences nobody is dangerous, because the relation follows from valence.
    let text = summary(room, &["--reread", "--no-valence", "--output", "data/numb"]);
    assert!(text.contains("dangerous"), "the other memory is as it was");
    let numb = read(room, "data/numb/ada/memory-summary.txt");
    assert!(numb.contains("goblin shaman — met (met 2 times)"), "{numb}");
}

/// A graph as the game's own server writes it: with `occurred_at` for events, and without it for other nodes.
#[test]
fn the_summary_of_a_server_graph_uses_occurred_at() {
    let room = &Room::new();
    let node = |id: &str, kind: &str, label: &str, valence: i32, visits: u32, occurred: &str| {
        json!({ "id": id, "kind": kind, "label": label, "salience": 0.8, "valence": valence, "created_at": "2026-05-12T23:00:00.1Z",
            "updated_at": "2026-05-12T23:00:00.2Z", "occurred_at": occurred, "visit_count": visits })
    };
    let nodes = json!({
        "entity-rat": node("entity-rat", "entity", "rat", 1, 2, "0001-01-01T00:00:00Z"),
        "ada-combat-1": node("ada-combat-1", "event", "Killed rat in Cellar", 2, 1, "2026-05-10T19:00:00Z"),
        "ada-combat-2": node("ada-combat-2", "event", "Fled from ogre in Hall", -2, 1, "2026-05-11T20:00:00Z")
    });
    let summary_with = |edges: Value| {
        write(room, "graph.json", json!({ "nodes": nodes, "edges": edges }));
        printed(room, &["dark-pawns", "summary", "graph.json"])
    };
    let events = "## Memory\n\n### Session 1 — May 10 at 7:00 PM\n\nKilled rat in Cellar (noteworthy).\n\n\
        ### Session 2 — May 11 at 8:00 PM\n\nFled from ogre in Hall (a difficult moment).\n\n### Relationships\n\n";
    assert_eq!(summary_with(json!([])), format!("{events}rat — acquaintance (met 2 times)\n"));
    let edge = json!([{ "from": "ada-combat-1", "to": "entity-rat", "kind": "involved", "weight": 1.0, "created_at": "2026-05-12T23:00:00Z" }]);
    assert_eq!(summary_with(edge), format!("{events}rat — dangerous (met 2 times)\n"));
}

/// Go's null lists and zero times, and kinds of later versions, stop no dream and are written back.
#[test]
fn an_empty_graph_and_one_with_unknown_kinds_are_read() {
    let room = &Room::new();
    let turn = json!({ "timestamp": "2026-05-12T15:30:00Z", "action": "kill", "args": ["rat"] });
    write(room, "data/sessions/ada/a.jsonl", lines(&[turn]));
    let dream = |graph: Value| -> Value {
        write(room, "data/dreaming/ada/memory-graph.json", graph);
        summary(room, &["--reread"]);
        json_of(room, "data/dreaming/ada/memory-graph.json")
    };
    let (nulls, no_edges) = (json!({ "nodes": null, "edges": null }), json!({ "nodes": {}, "edges": null }));
    for empty in [nulls, no_edges, json!({ "nodes": {} }), json!({})] {
        assert_eq!(dream(empty.clone())["nodes"].as_object().unwrap().len(), 2, "{empty}");
    }
    const NONE: &str = "0001-01-01T00:00:00Z";
    let node = |kind: &str, created: &str, updated: &str| json!({ "id": kind, "kind": kind, "label": "it", "salience": 1, "valence": 1.6, "created_at": created, "updated_at": updated, "visit_count": 1 });
    let edge = |kind: &str| json!({ "from": "event", "to": "entity", "kind": kind, "weight": 1, "created_at": NONE });
    let graph = json!({
        "nodes": { "event": node("event", NONE, "2026-05-01T10:00:00Z"), "entity": node("entity", NONE, NONE), "faction": node("faction", NONE, NONE) },
        "edges": [edge("involved"), edge("befriended")]
    });
    let written = dream(graph.clone());
    assert_eq!(written["nodes"]["faction"], graph["nodes"]["faction"], "it is its maker's");
    assert!(written["edges"].as_array().unwrap().contains(&graph["edges"][1]), "{written}");
    assert_eq!(written["nodes"]["event"]["valence"], 2);
    let summary = read(room, "data/dreaming/ada/memory-summary.txt");
    assert!(summary.contains("May 1 at 10:00 AM") && summary.contains("it — dangerous"), "{summary}");
    // An invalid moment, and a valence out of range, are still refused.
    let soon = json!({ "nodes": { "event": node("event", "soon", NONE) }, "edges": [] });
    write(room, "data/dreaming/ada/memory-graph.json", soon);
    refuses(room, &["dark-pawns", "dream", "--agent", "ada"], &["soon"]);
}

#[test]
fn record_rewrites_a_log_of_any_form() {
    let room = &Room::new();
    let log = b"\xef\xbb\xbf{\"ts\":1778599800,\"action\":\"give\",\"args\":\"bread to Ren\xe9\"},\r\n{\"timestamp\":\"2026-05-12 15:31:00\",\"action\":\"flee\",\"hp\":\"40/50\"}\r\n";
    fs::write(room.join("log.jsonl"), log).unwrap();
    let (text, noted) = ran(room, &["dark-pawns", "record", "log.jsonl"]);
    assert_eq!(noted, "");
    has(
        &json!(values(&text)),
        json!({ "/0/valence": 2, "/0/ts": 1_778_599_800, "/1/valence": -3, "/1/hp": "40/50" }),
    );
}
