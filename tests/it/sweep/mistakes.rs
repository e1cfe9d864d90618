//! Every mistake of a sweep file is one clear line, and exit code 2; nothing is begun.

use super::room::{SWEEP, command, room};
use crate::common::Program as _;

/// Replaces a part of the sweep file and expects these lines.
fn check(from: &str, to: &str, expected: &str) {
    assert!(SWEEP.contains(from), "{from}");
    refused(&SWEEP.replacen(from, to, 1), &[], expected);
}

/// A sweep file is refused with these lines.
fn refused(sweep: &str, flags: &[&str], expected: &str) {
    let room = room(sweep);
    let said = command(room.path(), flags).args(["--out", "out"]).refusal();
    assert_eq!(said, expected.lines().map(|line| format!("error: {line}\n")).collect::<String>());
    assert!(!room.path().join("out").exists(), "nothing was begun");
}

/// Every key of a scenario would be a mistake here; what it is, is said once.
#[test]
fn a_scenario_is_no_sweep() {
    let scenario =
        "name = \"s\"\nseed = 1\nticks = 9\n[[cohorts]]\nname = \"a\"\ngolems = 2\nmemory = \"none\"\n";
    let told =
        "try.toml:4: cohorts = [{…}]: this is a scenario, not a sweep file: live it with `morta run FILE`";
    refused(scenario, &[], told);
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
    refused(&text, &[], &[told("uniform/risk=2"), told("uniform/risk=3")].join("\n"));
    check(
        "[seeds]",
        "set = { dream.replay.batch_size = 5, \"dream.replay.batchSize\" = 6 }\n[seeds]",
        "try.toml: set: dream.replay.batch_size and dream.replay.batchSize are one key (dream.replay.batch_size): set it once",
    );
}

#[test]
fn mistakes_name_line_key_value_and_remedy() {
    check(
        "design = \"grid\"",
        "desing = \"grid\"",
        "try.toml:3: desing = \"grid\": no such key: did you mean design?",
    );
    check(
        "\"grid\"",
        "\"gird\"",
        "try.toml:3: design = \"gird\": must be one of \"list\", \"grid\", \"one-at-a-time\", \"latin-hypercube\", \"morris\", \"sobol\"",
    );
    check(
        "\"small.toml\"",
        "\"smal.toml\"",
        "try.toml:2: scenario = \"smal.toml\": there is no file smal.toml: name a scenario, relative to this file",
    );
    check(
        "count = 3\n",
        "",
        "try.toml:5: seeds.count: is missing: must be a whole number from 1 to 100000 (worlds)",
    );
    check(
        "count = 3",
        "count = 1",
        "try.toml:7: seeds.count = 1: must be from 2 to 100000: arms are compared over worlds, and one world shows nothing",
    );
    check(
        "name = \"uniform\"",
        "name = \"utility\"",
        "try.toml:13: arms.1.name = utility: another arm has this name already",
    );
    check(
        "values = [0.01, 0.04]",
        "values = []",
        "try.toml:19: axes.0.values = []: must be a list of 1 to 1000 entries, each value",
    );
    check(
        "values = [0.01, 0.04]\n",
        "",
        "try.toml:16: axes.0.values = nothing: give values, or low and high",
    );
    check(
        "\"pnl_usdc\"",
        "\"pnl_usd\"",
        "try.toml:23: preregistration.primary.measure = \"pnl_usd\": no such measure: did you mean pnl_usdc?",
    );
    check(
        "utility/risk=0.01",
        "utility/risk=0.02",
        "try.toml:24: preregistration.baseline = \"utility/risk=0.02\": no arm has this name: did you mean utility/risk=0.01?",
    );
    check(
        "golem.risk_per_trade",
        "seed",
        "try.toml:17: axes.0.key = seed: every arm sees the same worlds, which [seeds] names",
    );
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
    refused(&ruled("grid", "nobody"), &[], &told("nobody", unknown));
    let alone = "arms of a rule can be named with design = \"list\" or \"grid\" alone: leave it out, and every arm is judged against the \
                 baseline";
    let both = [told("nobody", unknown), told("nobody", alone)];
    refused(&ruled("one-at-a-time", "nobody"), &[], &both.join("\n"));
    refused(&ruled("one-at-a-time", "uniform"), &[], &told("uniform", alone));
}

#[test]
fn a_sweep_of_nothing_is_refused() {
    let nothing = "name = 'x'\nscenario = 'small.toml'\nseeds = { count = 2 }\n";
    refused(nothing, &[], "try.toml: arms = []: there is nothing to compare: name [[arms]] or [[axes]]");
    refused(
        SWEEP,
        &["--seeds", "1"],
        "--seeds 1: must be from 2 to 100000: arms are compared over worlds, and one world shows nothing",
    );
    refused(
        SWEEP,
        &["--profile", "shrot"],
        "--profile shrot: try.toml has no such profile: did you mean short?",
    );
}

/// Scenarios that can't be are found before anything runs, and the lines name the arm.
#[test]
fn impossible_scenarios_are_found_beforehand() {
    check(
        "golem.risk_per_trade",
        "golem.risk_per_trad",
        &["utility/risk=0.01", "utility/risk=0.04", "uniform/risk=0.01", "uniform/risk=0.04"]
            .map(|arm| {
                let value = arm.rsplit('=').next().unwrap();
                format!("try.toml:19: arm {arm}: golem.risk_per_trad = {value}: no such key: did you mean risk_per_trade?")
            })
            .join("\n"),
    );
    let bad_arm =
        SWEEP.replace("prioritization = \"uniform\"", "batchSize = 0").replace("[0.01, 0.04]", "[0.01]");
    refused(
        &bad_arm,
        &[],
        "try.toml:14: arm uniform/risk=0.01: dream.replay.batchSize = 0: must be a whole number from 1 to 1000 (episodes)",
    );
    let bad_base = SWEEP.replace("[seeds]", "[set]\ncohorts.nine.golems = 2\n[seeds]");
    refused(
        &bad_base,
        &[],
        "try.toml:6: cohorts.nine.golems = 2: cohorts has no entry nine; it has 0 (bardo), 1 (none)",
    );
}
