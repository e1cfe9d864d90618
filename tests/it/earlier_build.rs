//! What an earlier build has left behind (`tests/fixtures/94ae500`): what is finished can be read, what is half done is refused by its build.

use crate::common::{Program as _, Text as _, copy, edit_json, morta, root};
use std::path::PathBuf;

fn left_behind(name: &str) -> PathBuf {
    root().join("tests/fixtures/94ae500").join(name)
}

/// What a command prints; it must succeed.
fn printed(words: &[&str], folder: &str, more: &[&str]) -> String {
    morta().args(words).arg(left_behind(folder)).args(more).printed()
}

#[test]
fn a_finished_run_of_an_earlier_build_can_be_read() {
    printed(&["inspect"], "run", &["lives"]).must_have(&["L0.G0", "golems"]);
    printed(&["inspect"], "run", &["golem", "L0.G0"]).must_have(&["L0.G0"]);
    let lineages = printed(&["export", "phylogeny"], "run", &[]);
    assert!(lineages.lines().count() > 4 && lineages.starts_with("id,"), "{lineages}");
    let room = tempfile::tempdir().unwrap();
    let page = room.path().join("run.html");
    printed(&["report"], "run", &["--out", page.to_str().unwrap()]);
    assert!(std::fs::read_to_string(page).unwrap().contains("Figure 1."));
}

#[test]
fn a_finished_sweep_of_an_earlier_build_can_be_read() {
    let room = tempfile::tempdir().unwrap();
    let page = room.path().join("sweep.html");
    printed(&["report"], "sweep", &["--out", page.to_str().unwrap()]);
    std::fs::read_to_string(page).unwrap().must_have(&["forgetful", "dreamers"]);
    printed(&["report"], "sweep", &["--markdown"]).must_have(&["forgetful", "dreamers"]);
}

#[test]
fn an_interrupted_run_of_an_earlier_build_is_refused_by_its_name() {
    // As its plan.json has it: b3sum of that program.
    let build = "begun with another build (version 0.1.0, executable 8d7954af10b8;";
    morta().args(["run", "--resume"]).arg(left_behind("interrupted")).refused_in_a_line(&[build]);
}

/// An arm that set a key that is a constant now is still told of; its lives were others than this build's.
#[test]
fn an_arm_that_set_what_is_a_constant_now_can_be_read() {
    let room = tempfile::tempdir().unwrap();
    let folder = room.path().join("sweep");
    copy(&left_behind("sweep"), &folder);
    edit_json(&folder.join("sweep.json"), |manifest| {
        for (arm, value) in manifest["arms"].as_array_mut().unwrap().iter_mut().zip([4, 5]) {
            arm["parameters"]["lethe.vote_after_uses"] = value.into();
        }
    });
    morta().args(["report", "--markdown"]).arg(&folder).printed_with(&["forgetful", "dreamers"]);
}
