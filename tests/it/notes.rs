//! Notes on what is valid and hardly meant: none of them is false of a shipped file, and each kind has a file that it is true of.

use crate::common::{Program as _, morta, room_with, shipped_scenarios, toml_files, written};
use morta_lab::Laboratory;
use std::collections::BTreeSet;
use std::path::Path;

/// The file and the key that each note is about.
fn abouts(file: &Path, notes: &[String]) -> BTreeSet<String> {
    let name = file.file_stem().unwrap().to_string_lossy().into_owned();
    let about = |note: &String| {
        let rest = note.rsplit_once(".toml").map_or(note.as_str(), |(_, rest)| rest);
        let key = rest.split(": ").nth(1).unwrap_or_default();
        format!("{name}: {}", key.split(" = ").next().unwrap_or_default())
    };
    notes.iter().map(about).collect()
}

/// Every note that is made of a shipped file. Whoever changes this list has read the file: what it says there must be true.
const EXPECTED: [&str; 9] = [
    "causal: dream.schedule.mode",
    "clocks: dream.schedule.mode",
    "feelings: dream.schedule.mode",
    "nightly: dream.schedule.mode",
    "nights: dream.schedule.mode",
    "replay-rules: dream.schedule.mode",
    "rule-consequences: dream.schedule.mode",
    "schedule: arm owner",
    "scoring: dream.schedule.mode",
];

#[test]
fn notes_on_shipped_files_are_these() {
    let mut found = BTreeSet::new();
    let nowhere = tempfile::tempdir().unwrap();
    let laboratory = Laboratory::default();
    for file in shipped_scenarios() {
        if let Ok(scenario) = morta_lab::Scenario::read(&file) {
            found.extend(abouts(&file, &scenario.notes()));
        }
    }
    for file in toml_files(&["scenarios/sweeps", "scenarios/experiments", "scenarios/levers"]) {
        let sweep = morta_lab::sweep_file::load(&file, None, None, &laboratory).unwrap();
        let notes: Vec<String> = sweep.notes_before(&nowhere.path().join("out"));
        notes.iter().for_each(|note| eprintln!("{note}"));
        found.extend(abouts(&file, &notes));
    }
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), EXPECTED);
}

const SCENARIO: &str = "name = \"x\"\nseed = 1\nticks = 100\nmarket.warmup_ticks = 30\n[[cohorts]]\nname = \"a\"\ngolems = 1\nmemory = \"bardo\"\n\
    [[market.assets]]\nsymbol = \"X\"\nsource = { kind = \"synthetic\" }\n";

fn notes(text: &str) -> Vec<String> {
    let (_room, file) = written("x.toml", text);
    let told = morta().arg("validate").arg(&file).arg("--json").json();
    told[0]["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap().to_owned()).collect()
}

#[test]
fn each_note_is_made_where_it_is_true_and_nowhere_else() {
    let one = |text: &str, part: &str| {
        let found = notes(text);
        assert!(found.iter().any(|note| note.contains(part)), "{part}: {found:?}");
    };
    one(SCENARIO, "dream.enabled = false: the memory of a dreams, and by default nobody does");
    let meant = format!("dream.enabled = false\n{SCENARIO}");
    assert_eq!(notes(&meant), [""; 0], "whoever writes it means it");
    let awake = format!("dream.enabled = false\ndream.replay.batch_size = 5\n{SCENARIO}");
    one(&awake, "dream.replay.batch_size = 5: nothing reads it while dream.enabled is false");
    let window = format!("dream.enabled = true\ndream.schedule.mode = \"owner\"\n{SCENARIO}");
    one(&window, "golems that dream don't trade in the sleep windows, 4 h or 360 ticks a day");
    let interval = format!("dream.enabled = true\ndream.schedule.mode = \"interval\"\n{SCENARIO}");
    assert_eq!(notes(&interval), [""; 0]);
    let batch = |size, tier| format!("dream.tier = \"{tier}\"\ndream.replay.batch_size = {size}\n{interval}");
    one(
        &batch(10, "core"),
        "dream.replay.batch_size = 10: lightweight dreams read 5 episodes in a batch at most",
    );
    assert_eq!(notes(&batch(5, "core")), [""; 0]);
    assert_eq!(notes(&batch(10, "hardened")), [""; 0]);
    let poor = format!("golem.endowment_usdc = 0.01\n{interval}");
    one(&poor, "no golem can put up the least stake, 0.1 USDC");
    let dear = format!("market.gas.base_usdc = 50.0\n{interval}");
    one(&dear, "no trade is affordable: gas alone costs");
    let other = format!("memory.owm.time_scale = 2.0\n{interval}");
    one(&other, "memory.owm.time_scale = 2: nothing reads it, for no cohort has the memory owm");
}

#[test]
fn a_horizon_that_no_life_is_seen_for_is_noted() {
    let notes = |horizon: u64| -> Vec<String> {
        let text = format!(
            "name = \"s\"\nscenario = \"x.toml\"\nseeds = {{ count = 6 }}\narms = [{{ name = \"a\" }}, {{ name = \"b\", set = {{ mortality.hazard_scale = 9.0 }} }}]\n\
             [preregistration]\nhypothesis = \"x\"\nbaseline = \"a\"\nanalysis = \"x\"\neffect_of_interest = 1\n\
             primary = {{ measure = \"restricted_mean_ticks\", direction = \"more\" }}\nsurvival = {{ horizon_ticks = {horizon} }}\n"
        );
        let room = room_with([("x.toml", SCENARIO), ("sweep.toml", text.as_str())]);
        let file = room.path().join("sweep.toml");
        let sweep = morta_lab::sweep_file::load(&file, None, None, &Laboratory::default()).unwrap();
        sweep.notes_before(&room.path().join("out"))
    };
    let expected = "preregistration.survival.horizon_ticks = 100: no life of a world of 100 ticks is seen so long, so there is no restricted mean: 99 at most";
    assert!(notes(100).iter().any(|note| note.contains(expected)), "{:?}", notes(100));
    assert!(!notes(99).iter().any(|note| note.contains("horizon_ticks")), "{:?}", notes(99));
}

#[test]
fn a_run_in_which_nobody_dreamed_says_what_a_dream_waits_for() {
    let room = tempfile::tempdir().unwrap();
    let file = room.path().join("x.toml");
    let said = |first: &str| {
        std::fs::write(&file, format!("{first}\n{SCENARIO}")).unwrap();
        morta().arg("run").arg(&file).arg("--no-record").printed()
    };
    let expected = "Nobody dreamed: a golem does once it has 50 episodes (dream.min_episodes)";
    assert!(said("dream.enabled = true").contains(expected));
    assert!(!said("dream.enabled = false").contains("Nobody dreamed"), "where that is meant");
}
