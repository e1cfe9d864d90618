//! Runs that are cut off and go on.

use crate::common::{
    Program as _, cut_off, files, flip_a_bit, lived, morta, number, process, root, run, wait_for,
};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

const SETTINGS: [&str; 4] = ["--set", "ticks=1500", "--set", "mortality.hazard_scale=300"];

/// Set `MORTA_KILLS` for more moments than the suite has time for.
#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_same_bytes() {
    let room = tempfile::tempdir().unwrap();
    let scenario = root().join("scenarios/quickstart.toml");
    let whole = room.path().join("whole");
    run(&scenario, &whole, &SETTINGS);
    let expected = files(&whole);
    assert!(expected.len() >= 8);
    let dir = room.path().join("cut");
    let mut begin = process(&["run", "--checkpoint-every", "50", "--out"]);
    begin.arg(&dir).arg(&scenario).args(SETTINGS);
    let mut resume = process(&["run", "--resume"]);
    resume.arg(&dir);
    let mut cuts = 0;
    for moment in 0..number("MORTA_KILLS", 4) {
        let command = if moment == 0 { &mut begin } else { &mut resume };
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        if moment == 0 {
            wait_for(&dir.join("checkpoint/state.bin"));
        }
        std::thread::sleep(Duration::from_millis(20 + 137 * moment % 400));
        child.kill().unwrap();
        child.wait().unwrap();
        if dir.join("manifest.json").exists() {
            break;
        }
        cuts += 1;
        assert!(dir.join("checkpoint").exists(), "killed at moment {moment}");
    }
    assert!(cuts > 0, "the machine is too fast for this test: lengthen the run");
    if !dir.join("manifest.json").exists() {
        assert!(resume.status().unwrap().success());
    }
    let found = files(&dir);
    assert_eq!(found.len(), expected.len());
    for ((name, bytes), (expected_name, expected_bytes)) in found.iter().zip(&expected) {
        assert_eq!(name, expected_name);
        assert!(bytes == expected_bytes, "{name} differs after {cuts} cuts");
    }
    assert!(!dir.join("checkpoint").exists());
    morta().arg("verify").arg(&dir).assert().success();
}

#[test]
fn what_cant_be_resumed_says_why() {
    let room = tempfile::tempdir().unwrap();
    let refused =
        |dir: &Path, why: &str| morta().args(["run", "--resume"]).arg(dir).refused_in_a_line(&[why]);
    refused(&room.path().join("nothing"), "there is no such folder");
    let (_ended, ended) =
        lived("scenarios/synthetic.toml", &["--set", "ticks=40", "--checkpoint-every", "7"]);
    refused(&ended, "this run has ended");
    refused(room.path(), "there is no checkpoint here");

    // A run that was stopped politely can go on; one whose checkpoint was tampered with can't.
    let cut = room.path().join("cut");
    let begin = ["run", "scenarios/synthetic.toml", "--checkpoint-every", "20"];
    cut_off(&begin, &cut, "checkpoint/state.bin");
    morta().args(["inspect", "lives"]).arg(&cut).refusal();
    morta().args(["run", "scenarios/synthetic.toml", "--out"]).arg(&cut).refused_with(&["--resume"]);
    flip_a_bit(&cut.join("checkpoint/state.bin"));
    refused(&cut, "the checkpoint is damaged");
}
