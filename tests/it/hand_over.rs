//! `morta memory owm`, `dark-pawns` and `openclaw`: the program `morta-memory` in its place, as if it had been called itself.

use crate::common::{Program as _, morta, process, signal};
use assert_cmd::cargo::cargo_bin;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

/// `owm`, `dark-pawns` and `openclaw` are done elsewhere: input, limits, exit codes and signals reach the program that does them.
#[test]
fn the_program_of_memories_takes_over_whole() {
    let taking_over = cargo_bin("morta").with_file_name("morta-memory");
    assert!(taking_over.is_file(), "`cargo build -p morta-tools` builds it");
    let room = tempfile::tempdir().unwrap();
    let entry = r#"{ "path": "memory/a.md", "startLine": 1, "endLine": 1, "source": "memory", "snippet": "a router", "recallCount": 1,
        "totalScore": 0.5, "maxScore": 0.5, "firstRecalledAt": "2026-04-04T15:00:00.000Z", "lastRecalledAt": "2026-04-04T15:00:00.000Z",
        "queryHashes": ["a"], "recallDays": ["2026-04-04"], "conceptTags": [] }"#;
    let store = format!(
        r#"{{ "version": 1, "updatedAt": "2026-04-04T15:00:00.000Z", "entries": {{ "a": {entry} }} }}"#
    );
    let promote = ["memory", "openclaw", "promote", "-"];
    let promoted = morta().current_dir(room.path()).args(promote).write_stdin(store).printed();
    assert!(promoted.starts_with("-: 1 entries, 0 to promote"), "{promoted}");

    fs::write(room.path().join("log.jsonl"), " ".repeat(99)).unwrap();
    let words = ["memory", "owm", "remember", "store", "log.jsonl"];
    for (before, after) in
        [(&["--at-most", "log-bytes=9"][..], &[][..]), (&[], &["--at-most", "log-bytes=9"])]
    {
        let asked = [before, &words, after].concat();
        morta().current_dir(room.path()).args(asked).refused_with(&["--at-most log-bytes=N"]);
    }

    let mut serve = process(&["memory", "owm", "serve", "store", "--http"]);
    let mut server = serve.current_dir(room.path()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    signal(&server, "INT");
    assert!(line.contains("http://"), "{line}");
    assert!(server.wait().unwrap().success(), "Ctrl-C is its end, and no accident");
}

#[test]
fn where_it_isnt_installed_the_command_that_installs_it_is_named() {
    let room = tempfile::tempdir().unwrap();
    let alone = room.path().join("morta");
    fs::copy(cargo_bin("morta"), &alone).unwrap();
    let mut command = Command::new(alone);
    command.env("PATH", "").args(["memory", "owm", "state", "store"]);
    let said = command.refused_in_a_line(&["cargo install --path tools"]);
    assert!(said.starts_with("error: morta memory owm: "), "{said}");
}
