//! What the tests of the command line share.

#[allow(dead_code, reason = "not every test file needs it")]
pub mod answers;
#[allow(dead_code, reason = "not every test file needs it")]
pub mod generated;

use assert_cmd::Command;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Short lives that leave much.
#[allow(dead_code, reason = "not every test file needs it")]
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
#[allow(dead_code, reason = "not every test file needs it")]
pub fn text(path: &Path) -> &str {
    path.to_str().expect("paths of tests are UTF-8")
}

/// What a program printed on standard error.
#[allow(dead_code, reason = "not every test file needs it")]
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

#[allow(dead_code, reason = "not every test file needs it")]
/// Runs a scenario into a folder and returns what `--json` says.
pub fn run(scenario: &Path, out: &Path, more: &[&str]) -> serde_json::Value {
    let output = morta().arg("run").arg(scenario).arg("--out").arg(out).arg("--json").args(more).output();
    let output = output.expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}: {said}", scenario.display());
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Every scenario file that is shipped.
#[allow(dead_code, reason = "not every test file needs it")]
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
