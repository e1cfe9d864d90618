//! `morta-memory dark-pawns` on real logs: turns in unusual forms, lines that are too long, agents with dots and @ in their names.

use super::{Room, answer, has, json_of, lines, printed, ran, read, refusal, says, write};
use serde_json::{Value, json};
use std::path::Path;

/// Runs a dream; returns its figures, its summary, and its remarks.
fn dream(room: &Path, agent: &str, more: &[&str]) -> (Value, String, String) {
    let (_, noted) = ran(room, &[&["dark-pawns", "dream", "--agent", agent], more].concat());
    let memory = room.join("data/dreaming").join(agent);
    (json_of(&memory, "dream-result.json"), read(&memory, "memory-summary.txt"), noted)
}

/// Turns of one evening. Half of these forms were once skipped or gave no event.
#[test]
fn odd_turns_are_read() {
    let room = &Room::new();
    const LOG: &str = r#"{"timestamp":"2026-05-12 15:30:00","action":"kill","args":["rat"],"room_vnum":1,"hp":5,"max_hp":50}
{"timestamp":1778599801,"action":"kill","args":["rat"],"room_vnum":1,"hp":5,"max_hp":50}
{"timestamp":"2026-05-12T15:30:02","action":"kill","args":["rat"],"room_vnum":1,"hp":5,"max_hp":50}
{"timestamp":"2026-05-12T17:31:00+02:00","action":"kill","args":"rat","room_vnum":1,"hp":5,"max_hp":50}
{"timestamp":"2026-05-12T15:32:00Z","action":"kill","args":null,"room_vnum":null,"hp":null,"max_hp":null,"fighting":null}
{"timestamp":"2026-05-12T15:33:00Z","action":"KILL","args":["rat"],"room_vnum":"1","hp":5,"max_hp":50}
{"timestamp":"2026-05-12T15:34:00Z","action":"kill","args":["the rat"],"room_vnum":1,"hp":5.0,"max_hp":50}
{"timestamp":"2026-05-12T15:35:00Z","action":"kill rat","args":[],"room_vnum":1,"hp":5,"max_hp":50}
{"timestamp":"2026-05-12T15:36:00Z","action":"attack","args":["rat"],"room_vnum":1,"hp":50,"max_hp":50,"fighting":"rat"}
{"timestamp":"2026-05-12T15:37:00Z","action":"tell","args":["Bo","you traitor"],"room_vnum":1,"hp":50,"max_hp":50}
{"timestamp":"2026-05-12T15:38:00Z","action":"say","args":["hello","there","friend"],"room_vnum":1,"hp":50,"max_hp":50}
{"timestamp":"2026-05-12T15:39:00Z","action":"give","args":["bread","Bo"],"room_vnum":1,"hp":50,"max_hp":50}
{"timestamp":"2026-05-12T15:40:00Z","action":"backstab","args":["Bo"],"room_vnum":1,"hp":50,"max_hp":50}
{"timestamp":"2026-05-12T15:41:00Z","action":"look","hp":0,"max_hp":50,"fighting":"ogre","room_vnum":1,"combat_result":"lost","mob_level":30,"agent_level":5}
{"timestamp":"2026-05-12T15:42:00Z","action":"kill","args":["rat"],"room_vnum":1,"hp":50
"#;
    write(room, "data/sessions/ada/2026-05-12-153000.jsonl", LOG);
    let (figures, summary, err) = dream(room, "ada", &[]);
    assert_eq!((&figures["events_extracted"], &figures["lines_malformed"]), (&json!(15), &json!(1)), "{err}");
    for line in [
        "Killed rat in room 1, 6 times.",
        "Killed the rat in room 1.",
        "Killed something.",
        "Attacked rat in room 1.",
        "Told Bo \"you traitor\" in room 1 (unpleasant).",
        "Said \"hello there friend\" in room 1.",
        "Gave bread to Bo in room 1 (noteworthy).",
        "Backstabbed Bo in room 1 (a difficult moment).",
        "Low HP (0/50) while fighting ogre (a difficult moment).",
        "Killed by ogre in room 1 (a difficult moment).",
        "Bo — dangerous (met 3 times)",
        "ogre — dangerous (met 2 times)",
    ] {
        assert!(summary.lines().any(|one| one == line), "{line}\n{summary}");
    }
    assert!(!summary.contains("  ") && !summary.contains(" in ."), "{summary}");
    assert!(err.contains(":15: skipped: ") && err.lines().count() == 2, "{err}");
}

#[test]
fn a_line_that_is_too_long_is_skipped_and_the_dream_continues() {
    let room = &Room::new();
    let kill = |second: u32| {
        format!(
            "{{\"timestamp\":\"2026-05-12T15:00:{second:02}Z\",\"action\":\"kill\",\"args\":[\"rat {second}\"]}}\n"
        )
    };
    let most = 1 << 20;
    // A line just above the limit; one of twice the limit, which ends exactly with a part; and one at the limit.
    let padded = |length: usize| {
        let turn = kill(9);
        let turn = turn.trim_end().trim_end_matches('}');
        format!("{turn},\"note\":\"{}\"}}\n", "x".repeat(length - turn.len() - 11))
    };
    assert_eq!(padded(most).len(), most + 1);
    let mut log = kill(1);
    for length in [most + 1, most + 2, most + 3, 2 * most, 2 * most + 2, 2 * most + 3, 5 * most] {
        log.push_str(&"y".repeat(length));
        log.push('\n');
        log.push_str(&kill(2));
    }
    log.push_str(&padded(most));
    log.push_str(&kill(10));
    write(room, "data/sessions/ada/a.jsonl", &log);
    write(room, "data/sessions/ada/b.jsonl", kill(11));
    let (figures, summary, err) = dream(room, "ada", &[]);
    has(&figures, json!({ "lines_malformed": 7, "session_files_processed": 2 }));
    says(&summary, &["Killed rat 1", "Killed rat 2", "Killed rat 9", "Killed rat 10", "Killed rat 11"]);
    says(
        &err,
        &[
            "a.jsonl:2: skipped: 1048577 bytes, where a turn has at most 1048576",
            "7 lines skipped that are no turns",
        ],
    );
    // The skipped line doesn't make the log be read again.
    assert_eq!(dream(room, "ada", &[]).0["session_files_processed"], 0);
    // A line that is too long and still growing is looked at again at the next dream.
    write(room, "data/sessions/ada/c.jsonl", format!("{}{}", kill(12), "z".repeat(most + 5)));
    assert_eq!(dream(room, "ada", &[]).0["events_extracted"], 1);
    write(room, "data/sessions/ada/c.jsonl", format!("{}{}\n{}", kill(12), "z".repeat(most + 5), kill(13)));
    let (figures, summary, _) = dream(room, "ada", &[]);
    assert!(figures["events_extracted"] == 1 && summary.contains("rat 13"), "{figures} {summary}");
    says(&ran(room, &["dark-pawns", "valence", "data/sessions/ada/a.jsonl"]).1, &["7 lines skipped"]);
}

#[test]
fn agents_names_may_have_dots_and_at_signs() {
    let room = &Room::new();
    let kill = json!({ "timestamp": "2026-05-12T15:00:00Z", "action": "kill", "args": ["rat"] });
    for agent in [
        "ada.v2", "ada@example.org", "gpt-4.1", "a..b", ".hidden", "Zoë", "ada lovelace", "ada+bot", "a:b",
        "-x",
    ] {
        write(room, &format!("data/sessions/{agent}/a.jsonl"), lines(std::slice::from_ref(&kill)));
        let named = format!("--agent={agent}");
        for command in ["dream", "login", "notes", "salience"] {
            printed(room, &["dark-pawns", command, &named]);
        }
        assert!(room.join("data/dreaming").join(agent).join("memory-graph.json").is_file());
        let (notes, _) = answer(room, &["dark-pawns", "notes", &named, "--json"]);
        assert_eq!(notes["remembered"], 2, "{agent}");
    }
    for agent in ["", ".", "..", "../ada", "a/b", "a\\b", "a\nb", "/etc"] {
        let said = refusal(room, &["dark-pawns", "dream", &format!("--agent={agent}")]);
        says(&said, &["must not be empty, . or .."]);
        assert_eq!(said.lines().count(), 1, "{agent:?}: {said}");
    }
}
