//! The example from which a researcher starts is run as it stands, and stays short.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

use std::path::Path;
use std::process::Command;

/// `cargo test` builds examples beside the folder of the tests.
fn example() -> Command {
    let tests = std::env::current_exe().unwrap();
    Command::new(tests.parent().unwrap().with_file_name("examples").join("own_memory"))
}

#[test]
fn a_memory_defined_in_the_example_lives_and_is_judged() {
    let output = example().arg("3").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let lives: Vec<&str> = said.lines().filter(|line| line.contains("memory ledger:")).collect();
    assert_eq!(lives.len(), 8, "eight golems remember with it: {said}");
    assert!(lives.iter().all(|line| !line.contains(": 0 trades")), "all of them trade: {said}");
    let verdict = said.lines().last().unwrap();
    assert!(
        verdict.starts_with("ledger") && verdict.contains("none"),
        "the arm is judged against none: {verdict}"
    );
}

#[test]
fn it_fits_on_two_screens() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/own_memory.rs");
    let lines = std::fs::read_to_string(path).unwrap().lines().count();
    assert!(lines < 150, "{lines} lines");
}
