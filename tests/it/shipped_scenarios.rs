//! Every shipped scenario is valid, and tells the same story whoever drives it.

use crate::common::{morta, shipped_scenarios};
use crate::lived::shipped;

#[test]
fn every_scenario_is_valid() {
    morta().arg("validate").args(shipped_scenarios()).assert().success();
}

#[test]
fn every_driver_tells_the_same_story() {
    for lived in shipped() {
        let name = lived.scenario.display();
        let [plain, threads] = &lived.recorded;
        assert_eq!(plain.told["digest"], threads.told["digest"], "{name}: {:?}", threads.flags);
        assert_eq!(plain.files, threads.files, "{name}: every table, byte for byte");
        if lived.whole.told["ticks"] == plain.told["ticks"] {
            assert_eq!(plain.told["digest"], lived.whole.told["digest"], "{name}: {:?}", lived.whole.flags);
        }
        for life in lived.recorded.iter().chain([&lived.whole]) {
            assert_eq!(life.told["ledger_conserved"], true, "{name}: {:?}", life.flags);
        }
    }
}

#[test]
fn the_quickstart_shows_a_whole_life() {
    let quickstart = shipped().iter().find(|lived| lived.scenario.ends_with("quickstart.toml"));
    let told = &quickstart.unwrap().whole.told;
    let deaths = told["deaths"].as_object().unwrap();
    assert!(deaths.len() >= 2, "deaths of two causes: {deaths:?}");
    for key in ["bloodstains_left", "bloodstains_drawn", "dreams", "rules_admitted", "max_generation"] {
        assert!(told[key].as_u64().unwrap() > 0, "{key}");
    }
}
