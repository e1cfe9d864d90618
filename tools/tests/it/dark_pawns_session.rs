//! `morta-memory dark-pawns session`: the recorder.

use super::{Room, answer, memory, printed, read, refusal, said, says, values};
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

fn recorder(room: &Path, more: &[&str]) -> Child {
    let mut command = memory(room, &[&["dark-pawns", "session", "--agent", "ada@home.v2"], more].concat());
    command.stdin(Stdio::piped()).spawn().unwrap()
}

fn send(recorder: &mut Child, line: &str) {
    let stdin = recorder.stdin.as_mut().unwrap();
    writeln!(stdin, "{line}").unwrap();
    stdin.flush().unwrap();
}

fn logs(room: &Path) -> Vec<PathBuf> {
    let folder = fs::read_dir(room.join("data/sessions/ada@home.v2"));
    let mut logs: Vec<PathBuf> = folder.into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    logs.sort();
    logs
}

fn turns(log: &Path) -> Vec<Value> {
    values(&fs::read_to_string(log).unwrap())
}

/// Waits until the logs have `lines` lines; the stream stays open.
#[track_caller]
fn wait_for(room: &Path, lines: usize) {
    let begun = Instant::now();
    while logs(room).iter().map(|log| turns(log).len()).sum::<usize>() < lines {
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", logs(room));
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn turns_before_a_kill_are_in_the_log() {
    let room = &Room::new();
    let mut session = recorder(room, &[]);
    send(
        &mut session,
        r#"{"timestamp":"2026-05-12T15:30:00Z","action":"kill","args":["dragon"],"agent_level":5,"mob_level":30,"mood":[1]}"#,
    );
    wait_for(room, 1);
    // A turn without a timestamp gets the present one. A line that isn't a turn is reported and skipped.
    send(&mut session, r#"{"action":"give","args":["bread","Bo"]}"#);
    send(&mut session, "The dragon breathes fire at you!");
    send(&mut session, "");
    send(&mut session, r#"{"timestamp":1778599800,"action":"flee","hp":"40","max_hp":50}"#);
    wait_for(room, 3);
    session.kill().unwrap();
    let output = session.wait_with_output().unwrap();
    assert!(!output.status.success());
    let log = logs(room).remove(0);
    let name = log.file_name().unwrap().to_str().unwrap();
    assert!(
        name.len() == "2026-05-12-153000.jsonl".len() && name.ends_with(".jsonl") && name.starts_with("20"),
        "{name}"
    );
    let turns = turns(&log);
    let valences: Vec<i64> = turns.iter().map(|turn| turn["valence"].as_i64().unwrap()).collect();
    assert_eq!((valences, &turns[0]["mood"], &turns[2]["hp"]), (vec![3, 2, -3], &json!([1]), &json!("40")));
    assert!(turns[1]["timestamp"].as_str().unwrap().ends_with('Z'));
    // The next session has a log of its own; a dream reads both.
    let mut session = recorder(room, &["--valence=false", "--duration", "1h"]);
    send(
        &mut session,
        r#"{"timestamp":"2026-05-13T15:30:00Z","action":"kill","args":["dragon"],"agent_level":5,"mob_level":30,"valence":2}"#,
    );
    drop(session.stdin.take());
    let output = session.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    says(&String::from_utf8_lossy(&output.stdout), &[": 1 turns, 0 lines skipped"]);
    let all = logs(room);
    assert_eq!((all.len(), &super::dark_pawns_session::turns(&all[1])[0]["valence"]), (2, &json!(0)));
    says(&printed(room, &["dark-pawns", "dream", "--agent", "ada@home.v2"]), &["Sessions read:    2"]);
    let summary = read(room, "data/dreaming/ada@home.v2/memory-summary.txt");
    says(&summary, &["Killed dragon (a significant moment)", "Gave bread to Bo"]);
    let felt = answer(room, &["dark-pawns", "notes", "--agent", "ada@home.v2", "--json"]).0;
    assert!(felt["remembered"].as_u64().unwrap() >= 5, "dreaming computes its own: {felt}");
}

#[test]
fn a_session_ends_when_its_time_is_over_and_malformed_lines_are_counted() {
    let room = &Room::new();
    let begun = Instant::now();
    let mut session = recorder(room, &["--duration", "1s"]);
    for line in [
        "[",
        "{\"action\":\"look\"},",
        "[1]",
        "{}",
        "{\"action\":\"look\",\"timestamp\":\"noon\"}",
        "\u{feff}{\"action\":\"look\"}",
        "]",
    ] {
        send(&mut session, line);
    }
    send(&mut session, &format!("{{\"action\":\"say\",\"args\":[\"{}\"]}}", "x".repeat(1 << 20)));
    send(&mut session, r#"{"action":"look","valence":"high"}"#);
    // The session ends although the stream stays open.
    let status = session.wait().unwrap();
    assert!(status.success() && begun.elapsed() < Duration::from_secs(15));
    let output = session.wait_with_output().unwrap();
    says(&String::from_utf8_lossy(&output.stdout), &[": 2 turns, 7 lines skipped"]);
    let log = logs(room).remove(0);
    assert_eq!(turns(&log).len(), 2);
    for (flags, what) in [
        (&["--agent", "../x"][..], "must not be empty"),
        (&["--agent", "x", "--duration", "0"], "must be a time above 0, as 90s, 30m or 1h30m"),
        (&["--agent", "x", "--duration", "soon"], "must be a time above 0"),
        (&["--agent", "x", "--valence=maybe"], "maybe"),
    ] {
        let flags = [&["dark-pawns", "session"], flags].concat();
        assert!(refusal(room, &flags).contains(what), "{flags:?}");
    }
    // Without a turn no log is written.
    let without_input = printed(room, &["dark-pawns", "session", "--agent", "eve", "--duration", "30m"]);
    says(&without_input, &["nothing is written"]);
    assert!(!room.join("data/sessions/eve").exists());
}
