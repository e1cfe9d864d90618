//! What the tests of the command line share.
#![allow(dead_code, reason = "not every test file needs all of it")]

pub mod answers;
pub mod generated;

use assert_cmd::Command;
use serde_json::Value;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Short lives that leave much.
pub const LEAVING: &str = r#"name = "leaving"
seed = 11
ticks = 120

[[cohorts]]
name = "bardo"
golems = 8
memory = "bardo"

[[market.assets]]
symbol = "ETH"
source = { kind = "synthetic" }

[golem]
compute_usdc_per_tick = 0.1

[mortality]
hazard_scale = 5000.0
thanatopsis = { snapshot_interval_ticks = 5 }

[lethe]
delay_hours_min = 0.0
delay_hours_max = 0.1
"#;

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("paths of tests are UTF-8")
}

/// What a program printed on standard error.
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The project's folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The program, run in the project's folder.
pub fn morta() -> Command {
    let mut command = Command::cargo_bin("morta").expect("the program is built with its tests");
    command.current_dir(root());
    command
}

/// A program that is run to its end, and what it says.
pub trait Program: Debug {
    fn run_to_end(&mut self) -> Output;

    /// Standard output; it must succeed.
    #[track_caller]
    fn printed(&mut self) -> String {
        let output = self.run_to_end();
        assert!(output.status.success(), "{self:?}: {}", said(&output));
        String::from_utf8(output.stdout).expect("the program prints UTF-8")
    }

    /// The JSON on standard output; it must succeed.
    #[track_caller]
    fn json(&mut self) -> Value {
        serde_json::from_str(&self.printed()).expect("one JSON value")
    }

    /// Standard error; it must refuse, with exit code 2.
    #[track_caller]
    fn refusal(&mut self) -> String {
        let output = self.run_to_end();
        assert_eq!(output.status.code(), Some(2), "{self:?}: {}", said(&output));
        said(&output)
    }

    /// Exit code, standard output and standard error.
    fn ended(&mut self) -> (i32, String, String) {
        let output = self.run_to_end();
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        (output.status.code().expect("no signal ends it"), text(output.stdout), text(output.stderr))
    }
}

impl Program for Command {
    fn run_to_end(&mut self) -> Output {
        self.output().expect("the program starts")
    }
}

impl Program for std::process::Command {
    fn run_to_end(&mut self) -> Output {
        self.output().expect("the program starts")
    }
}

/// Runs a scenario into a folder and returns what `--json` says.
pub fn run(scenario: &Path, out: &Path, more: &[&str]) -> Value {
    morta().arg("run").arg(scenario).arg("--out").arg(out).arg("--json").args(more).json()
}

/// A file of JSON.
pub fn json_of(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("the file is there")).expect("it is JSON")
}

/// Damages a file: one bit in its middle.
pub fn flip_a_bit(path: &Path) {
    let mut bytes = std::fs::read(path).expect("the file is there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(path, bytes).expect("it can be written");
}

/// Every scenario file that is shipped.
pub fn shipped_scenarios() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("scenarios")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                // These hold sweeps, plans of validation and replications, which are files of another kind.
                let of_another_kind =
                    ["sweeps", "experiments", "levers", "sensitivity", "validation", "replications"]
                        .iter()
                        .any(|folder| path.ends_with(folder));
                folders.extend((!of_another_kind).then_some(path));
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(!found.is_empty());
    found
}
