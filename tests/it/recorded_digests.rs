//! What a change that promises to change no behaviour is held to: the digest and every table of every shipped scenario, and the
//! results of every shipped sweep, as `tests/recorded/digests.txt` has them.
//!
//! A change that is meant to alter what golems do alters that file in the same commit: `MORTA_RECORD=1 cargo test --workspace --test it
//! recorded_digests` writes it anew. `MORTA_PROGRAM=path/to/morta` holds another build to the same record.

use crate::common::{Program as _, root, toml_files};
use crate::lived::{Life, program, shipped};
use rayon::prelude::*;
use std::fmt::Write as _;
use std::path::Path;

fn named(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}

fn scenario_lines(scenario: &Path, life: &Life) -> String {
    let (name, mut lines) = (named(scenario), String::new());
    writeln!(lines, "{name} digest {}", life.told["digest"].as_str().unwrap()).unwrap();
    for file in life.files.as_array().unwrap() {
        let [file, hash] = ["name", "blake3"].map(|key| file[key].as_str().unwrap());
        writeln!(lines, "{name} {file} {hash}").unwrap();
    }
    lines
}

fn sweep_line(sweep: &Path) -> String {
    let room = tempfile::tempdir().unwrap();
    let out = room.path().join("sweep");
    program().arg("sweep").arg(sweep).args(["--profile", "smoke", "--out"]).arg(&out).printed();
    let results = std::fs::read(out.join("results.parquet")).unwrap();
    format!("{} results.parquet {}\n", named(sweep), blake3::hash(&results).to_hex())
}

#[test]
fn every_shipped_scenario_and_sweep_comes_out_as_recorded() {
    // Threads, by which users live them; that the plain loop leaves the same is tested beside this.
    let of_threads = shipped().iter().map(|lived| scenario_lines(&lived.scenario, &lived.recorded[1]));
    let mut lines: String = of_threads.collect();
    let sweeps = toml_files(&["scenarios/experiments", "scenarios/sweeps"]);
    let sweeps: Vec<String> = sweeps.par_iter().with_max_len(1).map(|sweep| sweep_line(sweep)).collect();
    lines += &sweeps.concat();
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
