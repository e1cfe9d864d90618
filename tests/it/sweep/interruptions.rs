//! Sweeps that are killed or stopped, and go on.

use super::room::{SWEEP, assert_same_tables, command, done, results, room, swept};
use crate::common::{signal, wait_until};
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// A sweep long enough to be killed in.
fn long() -> String {
    SWEEP.replace("count = 3", "count = 10").replace("[seeds]", "set = { ticks = 800 }\n[seeds]")
}

fn entries(dir: &Path) -> usize {
    std::fs::read_dir(dir).map_or(0, |entries| entries.count())
}

/// Waits until a folder has so many entries.
fn wait_for(folder: &Path, number: usize) {
    wait_until(|| entries(folder) >= number);
}

#[test]
fn killed_at_any_moment_it_resumes_to_the_same_tables() {
    let (here, whole, _) = swept(&long(), &[]);
    // After so many cells, and some milliseconds more.
    let moments: Vec<(usize, u64)> = match std::env::var("MORTA_KILLS") {
        Ok(number) => (0..number.parse().unwrap()).map(|k| (2 * k % 40, 37 * k as u64 % 101)).collect(),
        Err(_) => vec![(0, 20), (1, 3), (9, 40), (30, 11)],
    };
    for (number, (after, wait_ms)) in moments.into_iter().enumerate() {
        let out = format!("killed-{number}");
        let mut child = command(here.path(), &["--out", &out]).stdout(Stdio::null()).spawn().unwrap();
        let folder = here.path().join(&out).join("cells");
        wait_for(&folder, after);
        std::thread::sleep(Duration::from_millis(wait_ms));
        child.kill().unwrap();
        child.wait().unwrap();
        let cells = entries(&folder);
        let told = done(here.path(), &["--out", &out, "--resume"]);
        assert_eq!((&told["done"], &told["status"]), (&40.into(), &"complete".into()));
        let how = format!(
            "killed {wait_ms} ms after {after} cells, {cells} cells begun, {} run then",
            told["ran_now"]
        );
        eprintln!("{how}");
        assert_same_tables(&whole, &here.path().join(&out), &how);
        assert_eq!(entries(&folder), 40, "{how}");
    }
}

#[test]
fn ctrl_c_keeps_what_has_ended() {
    let here = room(&long());
    let child = command(here.path(), &["--out", "out", "--json"]).stdout(Stdio::piped()).spawn().unwrap();
    let cells = here.path().join("out/cells");
    wait_for(&cells, 5);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let done_then = told["done"].as_u64().unwrap();
    assert_eq!((&told["status"], &told["interrupted"]), (&"stopped".into(), &true.into()));
    assert!((1..40).contains(&done_then), "{done_then}");
    assert_eq!(entries(&cells) as u64, done_then, "nothing half done is left");
    assert_eq!(results(&here.path().join("out")).len() as u64, 3 * done_then, "the tables are closed");
    let again = done(here.path(), &["--out", "out", "--resume"]);
    assert_eq!(again["ran_now"].as_u64().unwrap(), 40 - done_then);
    done(here.path(), &["--out", "whole"]);
    assert_same_tables(&here.path().join("whole"), &here.path().join("out"), "after Ctrl-C");
}
