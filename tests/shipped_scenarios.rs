//! Every shipped scenario is valid, and tells the same story whoever drives it.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

mod common;

use common::{morta, run, shipped_scenarios, side_by_side};

/// Enough for deaths, dreams and inheritance in all of them.
const TICKS: &str = "1200";

#[test]
fn every_scenario_is_valid() {
    morta().arg("validate").args(shipped_scenarios()).assert().success();
}

#[test]
fn every_driver_tells_the_same_story() {
    side_by_side(&shipped_scenarios(), |scenario| {
        let room = tempfile::tempdir().unwrap();
        let drivers: [&[&str]; 4] =
            [&["--plain"], &["--threads", "1"], &["--threads", "2"], &["--threads", "8"]];
        let runs: Vec<serde_json::Value> = drivers
            .iter()
            .map(|driver| {
                let out = room.path().join(driver.join(""));
                // What is on a cassette is no longer than it was recorded.
                let ticks: &[&str] =
                    if scenario.ends_with("real-mind.toml") { &[] } else { &["--ticks", TICKS] };
                let flags: Vec<&str> = ticks.iter().chain(driver.iter()).copied().collect();
                run(scenario, &out, &flags)
            })
            .collect();
        for (driver, other) in drivers.iter().zip(&runs) {
            assert_eq!(runs[0]["digest"], other["digest"], "{}: {driver:?}", scenario.display());
            assert_eq!(other["ledger_conserved"], true, "{}: {driver:?}", scenario.display());
        }
        let tables = |driver: &[&str]| {
            let manifest = std::fs::read(room.path().join(driver.join("")).join("manifest.json")).unwrap();
            let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
            manifest["files"].clone()
        };
        assert_eq!(
            tables(drivers[0]),
            tables(drivers[3]),
            "{}: every table, byte for byte",
            scenario.display()
        );
    });
}

#[test]
fn the_quickstart_shows_a_whole_life() {
    let room = tempfile::tempdir().unwrap();
    let told = run(&common::root().join("scenarios/quickstart.toml"), &room.path().join("run"), &[]);
    let deaths = told["deaths"].as_object().unwrap();
    assert!(deaths.len() >= 2, "deaths of two causes: {deaths:?}");
    for key in ["bloodstains_left", "bloodstains_drawn", "dreams", "rules_admitted", "max_generation"] {
        assert!(told[key].as_u64().unwrap() > 0, "{key}");
    }
    assert_eq!(told["ledger_conserved"], true);
    morta().args(["inspect"]).arg(room.path().join("run")).arg("lives").assert().success();
}
