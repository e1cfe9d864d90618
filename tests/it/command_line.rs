//! The program as its users call it: what it writes, refuses, notices and survives.

use crate::common::{Program as _, edit_json, flip_a_bit, lived, morta, root, run, written};
use std::fs;

const QUICKSTART: &str = "scenarios/quickstart.toml";
const SYNTHETIC: &str = "scenarios/synthetic.toml";

const SHORT: [&str; 2] = ["--ticks", "300"];

fn refused(args: &[&str], expected: &str) {
    morta().args(args).refused_in_a_line(&[expected]);
}

/// A file of `src/commands` that no command leads to would be dead, and a command without help can't be found.
#[test]
fn every_command_says_how_it_is_used() {
    let said = |args: &[&str]| morta().args(args).printed();
    let list = said(&["--help"]);
    for entry in fs::read_dir(root().join("src/commands")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if name == "mod" {
            continue;
        }
        assert!(list.lines().any(|line| line.trim_start().starts_with(&name)), "{name} is in no list");
        assert!(said(&[&name, "--help"]).contains("Usage: morta"), "{name}");
    }
}

#[test]
fn json_has_what_scripts_need() {
    let room = tempfile::tempdir().unwrap();
    let told = run(&root().join(QUICKSTART), &room.path().join("run"), &["--ticks", "200", "--seed", "9"]);
    for key in [
        "run_dir", "seed", "ticks", "born", "alive", "deaths", "max_generation", "episodes", "dreams",
        "bloodstains_left", "bloodstains_drawn", "inference_cost_usd", "digest", "wall_s",
        "golem_ticks_per_s", "acceleration", "ledger_conserved",
    ] {
        assert!(told.get(key).is_some(), "{key} is missing");
    }
    assert_eq!((told["seed"].as_u64(), told["ticks"].as_u64()), (Some(9), Some(200)));
}

#[test]
fn the_seed_decides_and_nothing_else_does() {
    let room = tempfile::tempdir().unwrap();
    let digest = |name: &str, seed: &str| {
        let out = room.path().join(name);
        run(&root().join(SYNTHETIC), &out, &["--ticks", "200", "--seed", seed])["digest"].clone()
    };
    assert_eq!(digest("a", "1"), digest("b", "1"));
    assert_ne!(digest("c", "1"), digest("d", "2"));
}

#[test]
fn a_folder_that_holds_a_run_is_left_alone() {
    let (_room, out) = lived(SYNTHETIC, &SHORT);
    let before = fs::read(out.join("manifest.json")).unwrap();
    refused(&["run", SYNTHETIC, "--out", out.to_str().unwrap()], "already holds a run");
    assert_eq!(before, fs::read(out.join("manifest.json")).unwrap());
}

#[test]
fn an_unwritable_folder_is_refused() {
    let (_room, file) = written("file", "in the way");
    refused(&["run", SYNTHETIC, "--out", file.to_str().unwrap()], "this is a file");
    refused(&["run", SYNTHETIC, "--out", file.join("below").to_str().unwrap()], "can't be");
}

#[test]
fn verify_repeats_a_run_with_any_driver() {
    let (_room, out) = lived(SYNTHETIC, &SHORT);
    for driver in [&["--plain"][..], &["--threads", "8"]] {
        morta().arg("verify").arg(&out).args(driver).assert().success();
    }
}

#[test]
fn verify_names_a_table_that_was_changed() {
    let (_room, out) = lived(SYNTHETIC, &SHORT);
    flip_a_bit(&out.join("lives.parquet"));
    let (code, said, _) = morta().arg("verify").arg(&out).ended();
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("lives.parquet has been changed since it was written"), "{said}");
}

/// Stands for a build that behaves differently: the run claims another key than it was lived with.
#[test]
fn verify_names_the_first_divergent_tick_and_field() {
    let (_room, out) = lived(SYNTHETIC, &SHORT);
    edit_json(&out.join("manifest.json"), |manifest| {
        manifest["scenario"]["golem"]["exploration_rate"] = 0.06.into();
    });
    let (code, said, _) = morta().arg("verify").arg(&out).ended();
    assert_eq!(code, 1, "{said}");
    let first =
        said.lines().find(|line| line.contains("first difference")).unwrap_or_else(|| panic!("{said}"));
    assert!(first.contains("tick") && first.contains("golem L"), "{first}");
}

#[test]
fn a_failed_run_leaves_nothing_that_looks_complete() {
    let text = fs::read_to_string(root().join(SYNTHETIC)).unwrap();
    let fault = "\n[[faults]]\ntick = 20\ntarget = \"curator\"\n";
    let (room, scenario) = written("faulty.toml", text + fault);
    let out = room.path().join("run");
    let (code, _, said) = morta().arg("run").arg(&scenario).arg("--out").arg(&out).ended();
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("error: the Curator failed at tick 20"), "{said}");
    for entry in fs::read_dir(&out).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        // A process that ends while a thread still writes leaves the file of its lock, which locks nothing by itself.
        assert!(name.ends_with(".partial") || name == "lock", "{name} looks complete");
    }
    refused(&["inspect", out.to_str().unwrap(), "lives"], "never ended");
}

#[test]
fn wrong_flags_are_explained() {
    refused_by_flags(&["run"], "SCENARIO");
    refused_by_flags(&["run", QUICKSTART, "--threads", "0"], "0 is not in 1..=512");
    refused_by_flags(&["run", QUICKSTART, "--seed", "-1"], "--seed");
    refused_by_flags(&["rnu"], "rnu");
}

fn refused_by_flags(args: &[&str], expected: &str) {
    let said = morta().args(args).refusal();
    assert!(said.contains(expected) && !said.contains("panicked"), "{args:?}: {said}");
}

/// A profile changes nothing in the run, and names what was done.
#[test]
fn a_profile_names_every_phase() {
    let room = tempfile::tempdir().unwrap();
    let scenario = root().join(SYNTHETIC);
    let plain = run(&scenario, &room.path().join("plain"), &["--ticks", "900"]);
    let profiled = ["--ticks", "900", "--profile", "--threads", "2"];
    let told = run(&scenario, &room.path().join("profiled"), &profiled);
    assert_eq!(told["digest"], plain["digest"]);
    let phases = told["profile"]["phases"].as_array().unwrap();
    let entered = |name: &str| {
        let phase = phases.iter().find(|phase| phase["phase"] == name);
        phase.unwrap_or_else(|| panic!("no phase {name}"))["entered"].as_u64().unwrap()
    };
    assert_eq!(entered("market"), 900);
    assert_eq!(entered("census"), 900);
    let golem_ticks = entered("perceive");
    assert_eq!((entered("settle"), entered("clocks and moods")), (golem_ticks, golem_ticks));
    assert!(golem_ticks > 900 * 100, "{golem_ticks}");
    assert_eq!(entered("births"), told["born"].as_u64().unwrap());
    let dreams = told["dreams"].as_u64().unwrap();
    assert!(dreams > 0 && entered("dream: selection") >= dreams && entered("dream: integration") >= dreams);
    for name in
        ["loading", "decide", "advise", "mind memory", "dream: NREM", "dream: REM", "lethe", "recorder"]
    {
        assert!(entered(name) > 0, "{name}");
    }
    let threads = told["profile"]["threads"].as_array().unwrap();
    assert!(threads.len() >= 3, "golems, services, the writer: {threads:?}");
}

#[test]
fn without_a_record_nothing_is_written() {
    let room = tempfile::tempdir().unwrap();
    let scenario = root().join(SYNTHETIC);
    let kept = run(&scenario, &room.path().join("kept"), &SHORT);
    let empty = tempfile::tempdir().unwrap();
    let mut command = morta();
    command.current_dir(empty.path()).arg("run").arg(&scenario).args(SHORT);
    let told = command.args(["--no-record", "--json"]).json();
    assert_eq!((&told["digest"], &told["trades"]), (&kept["digest"], &kept["trades"]));
    assert!(told["run_dir"].is_null());
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0);
}

#[test]
fn a_level_of_logs_that_is_none_is_refused() {
    morta().env("MORTA_LOG", "loud").args(["validate", "x.toml"]).refused_with(&["MORTA_LOG=loud", "warn"]);
}
