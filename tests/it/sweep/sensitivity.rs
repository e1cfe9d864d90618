//! Sensitivity analyses: designs, points that can't be, keys that do nothing, the table, the page, and the short way to all of it.

use super::room::{Row, assert_same_tables, command, done, refused, room, rows};
use crate::common::{Program as _, morta};
use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

/// Golems without leverage are never liquidated, so that its fee is a dead key; risk is not.
const SCREENING: &str = r#"name = "screen"
scenario = "small.toml"
design = "morris"
sensitivity = { measures = ["pnl_usdc", "deaths"], trajectories = 4 }
seeds = { first = 5, count = 3 }
set = { ticks = 150 }

[[axes]]
key = "golem.risk_per_trade"
low = 0.01
high = 0.1
log = true

[[axes]]
key = "golem.leverage.liquidation_fee_bps"
low = 10
high = 200

[[axes]]
key = "dream.enabled"
values = [false, true]

[profiles.short]
trajectories = 2
seeds = 2
"#;

fn key<'a>(told: &'a Value, measure: usize, key: &str) -> &'a Value {
    let keys = told["sensitivity"]["measures"][measure]["keys"].as_array().unwrap();
    keys.iter().find(|one| one["key"] == key).unwrap()
}

#[test]
fn a_screening_ranks_what_matters_and_names_what_does_nothing() {
    // On a fine grid no two points of the trajectories are the same, which reading them off their names asks for.
    let text = SCREENING.replace("trajectories = 4", "trajectories = 4, levels = 12");
    let here = room(&text);
    let plan = done(here.path(), &["--dry-run"]);
    assert_eq!(plan["cells"].as_u64().unwrap(), 3 * plan["arms"].as_array().unwrap().len() as u64);
    assert_eq!(plan["axes"].as_array().unwrap().len(), 3);
    let told = done(here.path(), &["--out", "out"]);
    let report = &told["sensitivity"];
    assert_eq!(
        (&report["design"], &report["rows"], &report["worlds"]),
        (&"morris".into(), &4.into(), &3.into())
    );
    assert_eq!(report["changed_no_byte"], serde_json::json!(["golem.leverage.liquidation_fee_bps"]));
    let order = report["measures"][0]["keys"].as_array().unwrap();
    assert_eq!(order[2]["key"], "golem.leverage.liquidation_fee_bps", "what moves nothing comes last");
    let dead = key(&told, 0, "golem.leverage.liquidation_fee_bps");
    for figure in ["mu", "mu_star", "sigma", "world_mu_star"] {
        assert_eq!(dead["morris"][figure]["value"], 0.0, "{figure}");
    }
    // What the table says of a key is what can be worked out from results.csv.
    let risk = key(&told, 0, "golem.risk_per_trade");
    let table = rows(&here.path().join("out/sensitivity.csv"));
    let of = |index: &str, of: &str| {
        let asked = [("measure", "pnl_usdc"), ("key", "golem.risk_per_trade"), ("index", index), ("of", of)];
        let is_it = |row: &&Row| asked.iter().all(|(column, value)| row[*column] == *value);
        table.iter().find(is_it).unwrap()["value"].parse::<f64>().unwrap()
    };
    assert_eq!(of("mu_star", "mean"), risk["morris"]["mu_star"]["value"].as_f64().unwrap());
    assert!((of("mu", "mean") - mu_by_hand(&here.path().join("out"))).abs() < 1e-9);
    assert!(of("mu_star", "world") >= of("mu_star", "mean") - 1e-9, "luck adds to sizes within a world");
    assert_eq!(table.len(), 2 * 3 * 5);
    let again = room(&text);
    done(again.path(), &["--out", "out", "--jobs", "1"]);
    assert_same_tables(&here.path().join("out"), &again.path().join("out"), "on one thread");
    let text = command(here.path(), &["--out", "out", "--resume"]).printed();
    assert!(
        text.contains("elementary effects: 4 trajectories") && text.contains("0 of them run now"),
        "{text}"
    );
    assert!(text.contains("never happens in this scenario: golem.leverage.liquidation_fee_bps."), "{text}");
    let short = done(here.path(), &["--out", "short", "--profile", "short"]);
    assert_eq!((&short["sensitivity"]["rows"], &short["sensitivity"]["worlds"]), (&2.into(), &2.into()));
}

/// Mean elementary effect of risk, from the rows of neighbouring points in which it alone differs.
fn mu_by_hand(out: &Path) -> f64 {
    let results = super::room::results(out);
    let value = |row: &Row, column: &str| row[column].parse::<f64>().unwrap();
    let of_all: Vec<_> = results.iter().filter(|row| row["cohort"] == "all").collect();
    let mut effects = Vec::new();
    for before in &of_all {
        for after in of_all.iter().filter(|after| after["seed"] == before["seed"]) {
            let (from, to) =
                (before["arm"].split_once("/step-").unwrap(), after["arm"].split_once("/step-").unwrap());
            let follows =
                from.0 == to.0 && from.1.parse::<u32>().unwrap() + 1 == to.1.parse::<u32>().unwrap();
            let (low, high) = (value(before, "golem.risk_per_trade"), value(after, "golem.risk_per_trade"));
            if follows && low != high {
                let moved = (high / low).ln() / 10.0_f64.ln();
                effects.push((value(after, "pnl_usdc") - value(before, "pnl_usdc")) / moved);
            }
        }
    }
    assert_eq!(effects.len(), 4 * 3, "each trajectory moves it once, in each world");
    effects.iter().sum::<f64>() / effects.len() as f64
}

#[test]
fn indices_come_with_pairs_and_a_page() {
    let text = SCREENING
        .replace("\"morris\"", "\"sobol\"")
        .replace("trajectories = 4", "base_samples = 4, second_order = true")
        .replace("trajectories = 2", "base_samples = 4");
    let here = room(&text);
    let told = done(here.path(), &["--out", "out"]);
    let report = &told["sensitivity"];
    // A switch that both samples have alike leaves points that are the same: they are lived once.
    assert!(report["points"].as_u64().unwrap() < 4 * 8, "{}", report["points"]);
    assert_eq!(report["changed_no_byte"], serde_json::json!(["golem.leverage.liquidation_fee_bps"]));
    assert_eq!(key(&told, 0, "golem.leverage.liquidation_fee_bps")["sobol"]["world_total"]["value"], 0.0);
    assert_eq!(report["measures"][0]["pairs"].as_array().unwrap().len(), 3);
    morta().current_dir(here.path()).args(["report", "out"]).printed();
    let page = std::fs::read_to_string(here.path().join("out/report.html")).unwrap();
    for part in [
        "What moves profit",
        "first order: alone",
        "total: with interactions",
        "Second-order indices",
        "golem.risk_per_trade",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("NaN"));
    // What the folder says of itself is enough to say it again.
    morta().current_dir(here.path()).args(["reproduce", "out"]).printed();
}

/// Only some lengths of the vector of features can be: points with another are left out, and told of.
#[test]
fn points_that_cannot_be_are_left_out() {
    let text = SCREENING.replace("trajectories = 4", "trajectories = 8").replace(
        "key = \"golem.leverage.liquidation_fee_bps\"\nlow = 10\nhigh = 200",
        "key = \"market.embedding_dimensions\"\nvalues = [16, 20, 32]",
    );
    let here = room(&text);
    let told = done(here.path(), &["--out", "out"]);
    let left_out = told["sensitivity"]["left_out"].as_array().unwrap();
    assert!(!left_out.is_empty());
    let is_20 = |one: &Value| one["why"].as_str().unwrap().contains("market.embedding_dimensions = 20");
    assert!(left_out.iter().all(is_20), "{left_out:?}");
    let used = key(&told, 0, "market.embedding_dimensions")["rows"].as_u64().unwrap();
    assert!((2..8).contains(&used), "{used} trajectories tell of it");
    refused(&text, "[16, 20, 32]", "[20, 21]", "market.embedding_dimensions");
}

#[test]
fn mistakes_say_what_to_do() {
    let asked = "sensitivity = { measures = [\"pnl_usdc\", \"deaths\"], trajectories = 4 }";
    let (arm, profile) = ("[[arms]]\nname = \"a\"\n[profiles.short]", "[profiles.short]");
    for (from, to, expected) in [
        (asked, "", "sensitivity = nothing: say which measures are asked about"),
        ("\"morris\"", "\"grid\"", "only design = \"morris\" and design = \"sobol\" have it: leave it out"),
        ("\"pnl_usdc\"", "\"pnl_usd\"", "did you mean pnl_usdc?"),
        ("\"deaths\"", "\"pnl_usdc\"", "it is named already: leave one out"),
        ("trajectories = 4", "levels = 5", "must be an even number, so that all levels are equally likely"),
        ("trajectories = 4", "base_samples = 8", "only design = \"sobol\" has it: leave it out"),
        ("[false, true]", "[true]", "must be two or more to be moved between"),
        (profile, arm, "a sensitivity analysis varies keys and nothing else"),
    ] {
        refused(SCREENING, from, to, expected);
    }
    let sobol = SCREENING.replace("\"morris\"", "\"sobol\"");
    for (to, expected) in [
        ("base_samples = 12", "must be a power of two, to fill the ranges evenly: use 8 or 16"),
        ("second_order = true", "base_samples = nothing: say how many base samples there are, such as 64"),
    ] {
        refused(&sobol, "trajectories = 4", to, expected);
    }
}

fn short_way(room: &Path, flags: &[&str], more: &[&str]) -> Command {
    let mut command = morta();
    command.current_dir(room).args(["sensitivity", "small.toml"]).args(flags).args(more);
    command
}

#[test]
fn the_short_way_finds_keys_and_ranges() {
    let here = room("");
    let keys = ["--keys", "golem.risk_per_trade,dream.enabled,golem.purse"];
    let range = ["--range", "golem.exploration_rate=0.01..0.5", "--json"];
    let size = ["--measure", "pnl_usdc", "--ticks", "100", "--trajectories", "3", "--worlds", "2"];
    let flags = [&size[..], &keys, &range].concat();
    let (code, out, err) = short_way(here.path(), &flags, &["--out", "out"]).ended();
    assert_eq!((code, err.as_str()), (0, ""));
    let told: Value = serde_json::from_str(&out).unwrap();
    let range = |name: &str| key(&told, 0, name)["range"].clone();
    assert_eq!(range("golem.risk_per_trade"), "0.01 to 0.04");
    assert_eq!(range("dream.enabled"), "false, true");
    assert_eq!(range("golem.exploration_rate"), "0.01 to 0.5");
    // Shares that must add up to 1 can't be moved one at a time.
    let skipped = told["skipped"].as_array().unwrap();
    let share = skipped.iter().find(|one| one["key"] == "golem.purse.gas_share").unwrap();
    assert!(share["why"].as_str().unwrap().contains("must be 1"), "{share}");
    assert_eq!(told["sensitivity"]["left_out"], serde_json::json!([]), "every point can be");
    let again = short_way(here.path(), &flags, &["--out", "out", "--resume"]).json();
    assert_eq!((&again["ran_now"], &again["sensitivity"]), (&0.into(), &told["sensitivity"]));
}

/// Written as a file and run as a sweep it is the same.
#[test]
fn the_short_way_can_be_written_down() {
    let here = room("");
    let flags = [
        "--measure", "deaths", "--keys", "golem.risk_per_trade", "--ticks", "80", "--trajectories", "2",
        "--worlds", "2",
    ];
    let mut write = short_way(here.path(), &flags, &["--write", "try.toml"]);
    // A file that is there isn't written over.
    write.refusal();
    std::fs::remove_file(here.path().join("try.toml")).unwrap();
    write.printed();
    let written = done(here.path(), &["--out", "written"]);
    let direct = short_way(here.path(), &flags, &["--json", "--out", "direct"]).json();
    assert_eq!(written["sensitivity"], direct["sensitivity"]);
}

#[test]
fn the_short_way_refuses_what_it_cannot_do() {
    let here = room("");
    let risk = ["--keys", "golem.risk_per_trade"];
    let no_key = "--keys golem.risk_per_trad: no key with a value and a declared range";
    for (measure, flags, expected) in [
        ("deths", &[][..], "did you mean deaths?"),
        ("deaths", &["--keys", "golem.risk_per_trad"], no_key),
        (
            "deaths",
            &[&risk[..], &["--factor", "1"]].concat(),
            "--factor 1: must be a number above 1, at most 1000",
        ),
        ("deaths", &["--range", "golem.risk_per_trade=2"], "name two values or more, or a range LOW..HIGH"),
        ("deaths", &["--set", "ticks"], "--set ticks: must be key.path=value"),
        ("deaths", &["--keys", "golem.purse.gas_share"], "no key is left to be moved"),
        (
            "deaths",
            &[&risk[..], &["--design", "sobol", "--base-samples", "12"]].concat(),
            "must be a power of two",
        ),
    ] {
        let err = short_way(here.path(), &["--measure", measure], flags).refusal();
        assert!(err.contains(expected), "{flags:?}: {err}");
        assert!(!here.path().join("runs").exists());
    }
}
