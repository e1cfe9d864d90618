//! What a change that promises to change no behaviour is held to: the digest and every table of every shipped scenario, and the
//! results of every shipped sweep, as `tests/recorded/digests.txt` has them.
//!
//! A change that is meant to alter what golems do alters that file in the same commit: `MORTA_RECORD=1 cargo test --test
//! recorded_digests` writes it anew. `MORTA_PROGRAM=path/to/morta` holds another build to the same record.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

mod common;

use common::{root, shipped_scenarios, side_by_side};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Enough for deaths, dreams and inheritance in all of them; the quickstart is lived to its end, because the README shows its digest.
const TICKS: &str = "1200";

fn program() -> Command {
    let path = std::env::var_os("MORTA_PROGRAM")
        .map_or_else(|| assert_cmd::cargo::cargo_bin("morta"), PathBuf::from);
    let mut command = Command::new(path);
    command.current_dir(root());
    command
}

fn finish(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn named(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}

fn scenario_lines(scenario: &Path) -> String {
    let room = tempfile::tempdir().unwrap();
    let out = room.path().join("run");
    let mut command = program();
    command.arg("run").arg(scenario).arg("--out").arg(&out);
    // What is on a cassette is no longer than it was recorded.
    if !scenario.ends_with("quickstart.toml") && !scenario.ends_with("real-mind.toml") {
        command.args(["--ticks", TICKS]);
    }
    finish(&mut command);
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(out.join("manifest.json")).unwrap()).unwrap();
    let (name, mut lines) = (named(scenario), String::new());
    writeln!(lines, "{name} digest {}", manifest["digest"].as_str().unwrap()).unwrap();
    for file in manifest["files"].as_array().unwrap() {
        let [file, hash] = ["name", "blake3"].map(|key| file[key].as_str().unwrap());
        writeln!(lines, "{name} {file} {hash}").unwrap();
    }
    lines
}

fn sweep_line(sweep: &Path) -> String {
    let room = tempfile::tempdir().unwrap();
    let out = room.path().join("sweep");
    finish(program().arg("sweep").arg(sweep).args(["--profile", "smoke", "--out"]).arg(&out));
    let results = std::fs::read(out.join("results.parquet")).unwrap();
    format!("{} results.parquet {}\n", named(sweep), blake3::hash(&results).to_hex())
}

fn shipped_sweeps() -> Vec<PathBuf> {
    let folders = ["scenarios/experiments", "scenarios/sweeps"].map(|folder| root().join(folder));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let mut found: Vec<_> = files.map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    found.sort();
    found
}

#[test]
fn every_shipped_scenario_and_sweep_comes_out_as_recorded() {
    let mut lines = side_by_side(&shipped_scenarios(), |scenario| scenario_lines(scenario)).concat();
    lines += &side_by_side(&shipped_sweeps(), |sweep| sweep_line(sweep)).concat();
    let path = root().join("tests/recorded/digests.txt");
    if std::env::var_os("MORTA_RECORD").is_some() {
        std::fs::write(&path, &lines).unwrap();
        return;
    }
    let recorded = std::fs::read_to_string(&path).unwrap();
    let differing: Vec<_> = lines
        .lines()
        .filter(|line| !recorded.lines().any(|known| known == *line))
        .chain(recorded.lines().filter(|known| !lines.lines().any(|line| line == *known)))
        .collect();
    assert!(differing.is_empty(), "not as recorded (now, then what was recorded):\n{}", differing.join("\n"));
}
