//! Every mistake of a sweep file is one clear line, and exit code 2; nothing is begun.

use super::room::{SWEEP, command, room};
use crate::common::Program as _;
use std::path::Path;

/// Replaces a part of the sweep file and expects these lines.
fn check(from: &str, to: &str, place: &str, why: &str) {
    assert!(SWEEP.contains(from), "{from}");
    let line = format!("try.toml:{place}: {why}");
    refused(room(&SWEEP.replacen(from, to, 1)).path(), &[], &[&line]);
}

const ONE_WORLD: &str =
    "must be from 2 to 100000: arms are compared over worlds, and one world shows nothing";

fn refused(room: &Path, flags: &[&str], expected: &[&str]) {
    let err = command(room, flags).args(["--out", "out"]).refusal();
    let expected: String = expected.iter().map(|line| format!("error: {line}\n")).collect();
    assert_eq!(err, expected);
    assert!(!room.join("out").exists(), "nothing was begun");
}

/// Every key of a scenario would be a mistake here; what it is, is said once.
#[test]
fn a_scenario_is_no_sweep() {
    let scenario =
        "name = \"s\"\nseed = 1\nticks = 9\n[[cohorts]]\nname = \"a\"\ngolems = 2\nmemory = \"none\"\n";
    let told =
        "try.toml:4: cohorts = [{…}]: this is a scenario, not a sweep file: live it with `morta run FILE`";
    refused(room(scenario).path(), &[], &[told]);
}

/// By name and by number, and in two spellings of one `set`: a key has one value.
#[test]
fn a_key_has_one_value_however_it_is_spelled() {
    let text = SWEEP
        .replace("golem.risk_per_trade", "cohorts.bardo.golems")
        .replace("[0.01, 0.04]", "[2, 3]")
        .replace("risk=0.01", "risk=2")
        .replace("{ dream.replay.prioritization = \"uniform\" }", "{ \"cohorts.0.golems\" = 9 }");
    let told = |arm: &str| {
        format!(
            "try.toml: arm {arm}: cohorts.0.golems and cohorts.bardo.golems are one key (cohorts.0.golems): set it once"
        )
    };
    refused(room(&text).path(), &[], &[&told("uniform/risk=2"), &told("uniform/risk=3")]);
    let twice = "set = { dream.replay.batch_size = 5, \"dream.replay.batchSize\" = 6 }\n[seeds]";
    let one = "dream.replay.batch_size and dream.replay.batchSize are one key (dream.replay.batch_size): set it once";
    check("[seeds]", twice, " set", one);
}

#[test]
fn mistakes_name_line_key_value_and_remedy() {
    let meant = "no such key: did you mean design?";
    check("design = \"grid\"", "desing = \"grid\"", "3: desing = \"grid\"", meant);
    let designs =
        "must be one of \"list\", \"grid\", \"one-at-a-time\", \"latin-hypercube\", \"morris\", \"sobol\"";
    check("\"grid\"", "\"gird\"", "3: design = \"gird\"", designs);
    let no_file = "there is no file smal.toml: name a scenario, relative to this file";
    check("\"small.toml\"", "\"smal.toml\"", "2: scenario = \"smal.toml\"", no_file);
    let worlds = "must be a whole number from 1 to 100000 (worlds)";
    check("count = 3\n", "", "5: seeds.count: is missing", worlds);
    check("count = 3", "count = 1", "7: seeds.count = 1", ONE_WORLD);
    let taken = "another arm has this name already";
    check("name = \"uniform\"", "name = \"utility\"", "13: arms.1.name = utility", taken);
    let entries = "must be a list of 1 to 1000 entries, each value";
    check("values = [0.01, 0.04]", "values = []", "19: axes.0.values = []", entries);
    let nothing = "give values, or low and high";
    check("values = [0.01, 0.04]\n", "", "16: axes.0.values = nothing", nothing);
    let meant = "no such measure: did you mean pnl_usdc?";
    check("\"pnl_usdc\"", "\"pnl_usd\"", "23: preregistration.primary.measure = \"pnl_usd\"", meant);
    let (baseline, meant) = (
        "24: preregistration.baseline = \"utility/risk=0.02\"",
        "no arm has this name: did you mean utility/risk=0.01?",
    );
    check("utility/risk=0.01", "utility/risk=0.02", baseline, meant);
    let same = "every arm sees the same worlds, which [seeds] names";
    check("golem.risk_per_trade", "seed", "17: axes.0.key = seed", same);
}

/// The arms that a rule names are found by their places in a list or a grid; with another design the analysis would judge other arms.
#[test]
fn a_rule_names_arms_of_lists_and_grids_alone() {
    let ruled = |design: &str, name: &str| {
        let text = SWEEP.replace("design = \"grid\"", &format!("design = \"{design}\""));
        format!(
            "{text}\n[preregistration.rule]\ntreated = \"{name}\"\nwins_needed = 1\n\
             criteria = [{{ measure = \"trades\", direction = \"less\" }}]\n"
        )
    };
    let line = ruled("grid", "x").lines().position(|line| line.starts_with("treated")).unwrap() + 1;
    let unknown = "no entry of [[arms]] has this name; there are utility, uniform";
    let told =
        |name: &str, why: &str| format!("try.toml:{line}: preregistration.rule.treated = \"{name}\": {why}");
    refused(room(&ruled("grid", "nobody")).path(), &[], &[&told("nobody", unknown)]);
    let alone = "arms of a rule can be named with design = \"list\" or \"grid\" alone: leave it out, and every arm is judged against the \
                 baseline";
    let both = [told("nobody", unknown), told("nobody", alone)];
    refused(room(&ruled("one-at-a-time", "nobody")).path(), &[], &[&both[0], &both[1]]);
    refused(room(&ruled("one-at-a-time", "uniform")).path(), &[], &[&told("uniform", alone)]);
}

#[test]
fn a_sweep_of_nothing_is_refused() {
    let nothing = "name = 'x'\nscenario = 'small.toml'\nseeds = { count = 2 }\n";
    let compare = "try.toml: arms = []: there is nothing to compare: name [[arms]] or [[axes]]";
    refused(room(nothing).path(), &[], &[compare]);
    refused(room(SWEEP).path(), &["--seeds", "1"], &[&format!("--seeds 1: {ONE_WORLD}")]);
    let meant = "--profile shrot: try.toml has no such profile: did you mean short?";
    refused(room(SWEEP).path(), &["--profile", "shrot"], &[meant]);
}

/// Scenarios that can't be are found before anything runs, and the lines name the arm.
#[test]
fn impossible_scenarios_are_found_beforehand() {
    let no_key = SWEEP.replacen("golem.risk_per_trade", "golem.risk_per_trad", 1);
    let arms = [("utility", "0.01"), ("utility", "0.04"), ("uniform", "0.01"), ("uniform", "0.04")];
    let told = arms.map(|(arm, risk)| {
        let meant = "no such key: did you mean risk_per_trade?";
        format!("try.toml:19: arm {arm}/risk={risk}: golem.risk_per_trad = {risk}: {meant}")
    });
    refused(room(&no_key).path(), &[], &told.each_ref().map(String::as_str));
    let bad_arm =
        SWEEP.replace("prioritization = \"uniform\"", "batchSize = 0").replace("[0.01, 0.04]", "[0.01]");
    let told = "try.toml:14: arm uniform/risk=0.01: dream.replay.batchSize = 0: must be a whole number from 1 to 1000 (episodes)";
    refused(room(&bad_arm).path(), &[], &[told]);
    let bad_base = SWEEP.replace("[seeds]", "[set]\ncohorts.nine.golems = 2\n[seeds]");
    let told = "try.toml:6: cohorts.nine.golems = 2: cohorts has no entry nine; it has 0 (bardo), 1 (none)";
    refused(room(&bad_base).path(), &[], &[told]);
}
