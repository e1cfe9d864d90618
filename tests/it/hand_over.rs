//! `morta memory owm`, `dark-pawns` and `openclaw`: the program `morta-memory` in its place, as if it had been called itself.

use crate::common::morta;
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
    let mut promote = morta();
    promote.current_dir(room.path()).args(["memory", "openclaw", "promote", "-"]).write_stdin(store);
    let promoted = promote.assert().success();
    assert!(promoted.get_output().stdout.starts_with(b"-: 1 entries, 0 to promote"), "{promoted}");

    fs::write(room.path().join("log.jsonl"), " ".repeat(99)).unwrap();
    let words = ["memory", "owm", "remember", "store", "log.jsonl"];
    for (before, after) in
        [(&["--at-most", "log-bytes=9"][..], &[][..]), (&[], &["--at-most", "log-bytes=9"])]
    {
        let refused = morta().current_dir(room.path()).args(before).args(words).args(after).assert().code(2);
        let said = String::from_utf8_lossy(&refused.get_output().stderr);
        assert!(said.contains("--at-most log-bytes=N"), "{said}");
    }

    let mut serve = Command::new(cargo_bin("morta"));
    serve.current_dir(room.path()).args(["memory", "owm", "serve", "store", "--http"]).stdout(Stdio::piped());
    let mut server = serve.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let told = Command::new("kill").args(["-s", "INT", &server.id().to_string()]).status().unwrap();
    assert!(told.success() && line.contains("http://"), "{line}");
    assert!(server.wait().unwrap().success(), "Ctrl-C is its end, and no accident");
}

#[test]
fn where_it_isnt_installed_the_command_that_installs_it_is_named() {
    let room = tempfile::tempdir().unwrap();
    let alone = room.path().join("morta");
    fs::copy(cargo_bin("morta"), &alone).unwrap();
    let output =
        Command::new(alone).env("PATH", "").args(["memory", "owm", "state", "store"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
    assert!(
        said.starts_with("error: morta memory owm: ") && said.contains("cargo install --path tools"),
        "{said}"
    );
}
