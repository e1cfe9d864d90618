//! Sensitivity analyses: designs, points that can't be, keys that do nothing, the table, the page, and the short way to all of it.

use super::room::{Row, assert_same_tables, command, done, refused, results, room, rows, swept};
use crate::common::{Program as _, Text as _, morta};
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
    let (out, report) = (here.path().join("out"), &told["sensitivity"]);
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
    let table = rows(&out.join("sensitivity.csv"));
    let of = |index: &str, of: &str| {
        let is_it = |row: &&Row| {
            row["measure"] == "pnl_usdc"
                && row["key"] == "golem.risk_per_trade"
                && row["index"] == index
                && row["of"] == of
        };
        table.iter().find(is_it).unwrap()["value"].parse::<f64>().unwrap()
    };
    assert_eq!(of("mu_star", "mean"), risk["morris"]["mu_star"]["value"].as_f64().unwrap());
    assert!((of("mu", "mean") - mu_by_hand(&out)).abs() < 1e-9);
    assert!(of("mu_star", "world") >= of("mu_star", "mean") - 1e-9, "luck adds to sizes within a world");
    assert_eq!(table.len(), 2 * 3 * 5);
    let (_again, again, _) = swept(&text, &["--jobs", "1"]);
    assert_same_tables(&out, &again, "on one thread");
    command(here.path(), &["--out", "out", "--resume"]).printed_with(&[
        "elementary effects: 4 trajectories",
        "0 of them run now",
        "never happens in this scenario: golem.leverage.liquidation_fee_bps.",
    ]);
    let short = done(here.path(), &["--out", "short", "--profile", "short"]);
    assert_eq!((&short["sensitivity"]["rows"], &short["sensitivity"]["worlds"]), (&2.into(), &2.into()));
}

/// Mean elementary effect of risk, from the rows of neighbouring points in which it alone differs.
fn mu_by_hand(out: &Path) -> f64 {
    let results = results(out);
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
    let (here, out, told) = swept(&text, &[]);
    let report = &told["sensitivity"];
    // A switch that both samples have alike leaves points that are the same: they are lived once.
    assert!(report["points"].as_u64().unwrap() < 4 * 8, "{}", report["points"]);
    assert_eq!(report["changed_no_byte"], serde_json::json!(["golem.leverage.liquidation_fee_bps"]));
    assert_eq!(key(&told, 0, "golem.leverage.liquidation_fee_bps")["sobol"]["world_total"]["value"], 0.0);
    assert_eq!(report["measures"][0]["pairs"].as_array().unwrap().len(), 3);
    morta().current_dir(here.path()).args(["report", "out"]).printed();
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    page.must_have(&[
        "What moves profit",
        "first order: alone",
        "total: with interactions",
        "Second-order indices",
        "golem.risk_per_trade",
    ]);
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
    let (_here, _, told) = swept(&text, &[]);
    let left_out = told["sensitivity"]["left_out"].as_array().unwrap();
    assert!(!left_out.is_empty());
    assert!(
        left_out.iter().all(|one| one["why"].as_str().unwrap().contains("market.embedding_dimensions = 20")),
        "{left_out:?}"
    );
    let used = key(&told, 0, "market.embedding_dimensions")["rows"].as_u64().unwrap();
    assert!((2..8).contains(&used), "{used} trajectories tell of it");
    refused(&text, "[16, 20, 32]", "[20, 21]", "market.embedding_dimensions");
}

#[test]
fn mistakes_say_what_to_do() {
    refused(
        SCREENING,
        "sensitivity = { measures = [\"pnl_usdc\", \"deaths\"], trajectories = 4 }",
        "",
        "sensitivity = nothing: say which measures are asked about",
    );
    refused(
        SCREENING,
        "design = \"morris\"",
        "design = \"grid\"",
        "only design = \"morris\" and design = \"sobol\" have it: leave it out",
    );
    refused(SCREENING, "\"pnl_usdc\"", "\"pnl_usd\"", "did you mean pnl_usdc?");
    refused(SCREENING, "\"deaths\"", "\"pnl_usdc\"", "it is named already: leave one out");
    refused(
        SCREENING,
        "trajectories = 4",
        "levels = 5",
        "must be an even number, so that all levels are equally likely",
    );
    refused(
        SCREENING,
        "trajectories = 4",
        "base_samples = 8",
        "only design = \"sobol\" has it: leave it out",
    );
    refused(SCREENING, "[false, true]", "[true]", "must be two or more to be moved between");
    refused(
        SCREENING,
        "[profiles.short]",
        "[[arms]]\nname = \"a\"\n[profiles.short]",
        "a sensitivity analysis varies keys and nothing else",
    );
    let sobol = SCREENING.replace("\"morris\"", "\"sobol\"");
    for (to, expected) in [
        ("base_samples = 12", "must be a power of two, to fill the ranges evenly: use 8 or 16"),
        ("second_order = true", "base_samples = nothing: say how many base samples there are, such as 64"),
    ] {
        refused(&sobol, "trajectories = 4", to, expected);
    }
}

fn short_way(room: &Path, flags: &str) -> Command {
    let mut command = morta();
    command.current_dir(room).args(["sensitivity", "small.toml"]).args(flags.split(' '));
    command
}

#[test]
fn the_short_way_finds_keys_and_ranges() {
    let here = room("");
    let flags = "--measure pnl_usdc --keys golem.risk_per_trade,dream.enabled,golem.purse --ticks 100 --trajectories 3 --worlds 2 \
                 --range golem.exploration_rate=0.01..0.5 --json --out out";
    let (code, out, err) = short_way(here.path(), flags).ended();
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
    let again = short_way(here.path(), &format!("{flags} --resume")).json();
    assert_eq!((&again["ran_now"], &again["sensitivity"]), (&0.into(), &told["sensitivity"]));
}

/// Written as a file and run as a sweep it is the same.
#[test]
fn the_short_way_can_be_written_down() {
    let here = room("");
    let flags = "--measure deaths --keys golem.risk_per_trade --ticks 80 --trajectories 2 --worlds 2";
    let mut write = short_way(here.path(), &format!("{flags} --write try.toml"));
    // A file that is there isn't written over.
    write.refusal();
    std::fs::remove_file(here.path().join("try.toml")).unwrap();
    write.printed();
    let written = done(here.path(), &["--out", "written"]);
    let direct = short_way(here.path(), &format!("{flags} --json --out direct")).json();
    assert_eq!(written["sensitivity"], direct["sensitivity"]);
}

#[test]
fn the_short_way_refuses_what_it_cannot_do() {
    let here = room("");
    for (flags, expected) in [
        ("--measure deths", "did you mean deaths?"),
        (
            "--measure deaths --keys golem.risk_per_trad",
            "--keys golem.risk_per_trad: no key with a value and a declared range",
        ),
        (
            "--measure deaths --keys golem.risk_per_trade --factor 1",
            "--factor 1: must be a number above 1, at most 1000",
        ),
        ("--measure deaths --range golem.risk_per_trade=2", "name two values or more, or a range LOW..HIGH"),
        ("--measure deaths --set ticks", "--set ticks: must be key.path=value"),
        ("--measure deaths --keys golem.purse.gas_share", "no key is left to be moved"),
        (
            "--measure deaths --keys golem.risk_per_trade --design sobol --base-samples 12",
            "must be a power of two",
        ),
    ] {
        short_way(here.path(), flags).refused_with(&[expected]);
        assert!(!here.path().join("runs").exists());
    }
}
