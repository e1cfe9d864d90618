//! Runs that are cut off and go on.

use crate::common::{Program as _, flip_a_bit, morta, root, run};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Every file of a folder that a run is compared by.
fn tables(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let names = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        names.filter(|path| path.is_file() && !path.ends_with("manifest.json")).collect();
    files.sort();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
}

const SETTINGS: [&str; 4] = ["--set", "ticks=1500", "--set", "mortality.hazard_scale=300"];

fn moments() -> u64 {
    std::env::var("MORTA_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(4)
}

/// Set `MORTA_KILLS` for more moments than the suite has time for.
#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_same_bytes() {
    let room = tempfile::tempdir().unwrap();
    let scenario = root().join("scenarios/quickstart.toml");
    let whole = room.path().join("whole");
    run(&scenario, &whole, &SETTINGS);
    let expected = tables(&whole);
    assert!(expected.len() >= 8);
    let dir = room.path().join("cut");
    let mut begin = std::process::Command::new(env!("CARGO_BIN_EXE_morta"));
    begin.arg("run").arg(&scenario).args(SETTINGS).arg("--checkpoint-every").arg("50").arg("--out").arg(&dir);
    let mut resume = std::process::Command::new(env!("CARGO_BIN_EXE_morta"));
    resume.arg("run").arg("--resume").arg(&dir);
    let mut cut_off = 0;
    for moment in 0..moments() {
        let command = if moment == 0 { &mut begin } else { &mut resume };
        let mut child =
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
        if moment == 0 {
            while !dir.join("checkpoint/state.bin").exists() {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        std::thread::sleep(Duration::from_millis(20 + 137 * moment % 400));
        child.kill().unwrap();
        child.wait().unwrap();
        if dir.join("manifest.json").exists() {
            break;
        }
        cut_off += 1;
        assert!(dir.join("checkpoint").exists(), "killed at moment {moment}");
    }
    assert!(cut_off > 0, "the machine is too fast for this test: lengthen the run");
    if !dir.join("manifest.json").exists() {
        assert!(resume.status().unwrap().success());
    }
    let found = tables(&dir);
    assert_eq!(found.len(), expected.len());
    for ((name, bytes), (expected_name, expected_bytes)) in found.iter().zip(&expected) {
        assert_eq!(name, expected_name);
        assert!(bytes == expected_bytes, "{name} differs after {cut_off} cuts");
    }
    assert!(!dir.join("checkpoint").exists());
    morta().arg("verify").arg(&dir).assert().success();
}

#[test]
fn what_cant_be_resumed_says_why() {
    let room = tempfile::tempdir().unwrap();
    let refused = |dir: &Path, why: &str| {
        let said = morta().args(["run", "--resume"]).arg(dir).refusal();
        assert!(said.contains(why) && said.lines().count() == 1, "{said}");
    };
    refused(&room.path().join("nothing"), "there is no such folder");
    let ended = room.path().join("ended");
    run(&root().join("scenarios/synthetic.toml"), &ended, &["--set", "ticks=40", "--checkpoint-every", "7"]);
    refused(&ended, "this run has ended");
    refused(room.path(), "there is no checkpoint here");

    // A run that was stopped politely can go on; one whose checkpoint was tampered with can't.
    let cut = room.path().join("cut");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_morta"));
    command
        .arg("run")
        .arg(root().join("scenarios/synthetic.toml"))
        .args(["--checkpoint-every", "20", "--out"])
        .arg(&cut);
    let mut child = command.stderr(std::process::Stdio::null()).spawn().unwrap();
    while !cut.join("checkpoint/state.bin").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    morta().args(["inspect", "lives"]).arg(&cut).refusal();
    let again = morta().args(["run", "scenarios/synthetic.toml", "--out"]).arg(&cut).refusal();
    assert!(again.contains("--resume"), "{again}");
    flip_a_bit(&cut.join("checkpoint/state.bin"));
    refused(&cut, "the checkpoint is damaged");
}
