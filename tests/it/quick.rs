//! Asking quickly: a grid without a file, lists, runs side by side, cells as runs, filters.

use crate::common::{Program as _, Text as _, json_of, morta, run};
use crate::sweep::room::{SWEEP, assert_same_tables, results, room, row};
use serde_json::Value;
use std::path::Path;

const GRID: [&str; 9] = [
    "--vary",
    "golem.risk_per_trade=0.01,0.04",
    "--vary",
    "memory=bardo,none",
    "--worlds",
    "6",
    "--measure",
    "pnl_usdc",
    "--matters=0.5",
];

/// Standard output; it must succeed.
fn said(room: &Path, args: &[&str]) -> String {
    morta().current_dir(room).args(args).printed()
}

fn refused(room: &Path, args: &[&str], part: &str) {
    morta().current_dir(room).args(args).refused_with(&[part]);
}

fn json(room: &Path, args: &[&str]) -> Value {
    morta().current_dir(room).args(args).arg("--json").json()
}

/// A grid without a file answers by factor; its figures are those of its table, and the file that it writes asks the same.
#[test]
fn a_grid_is_asked_without_a_file_and_answers_by_factor() {
    let here = room(SWEEP);
    let room = here.path();
    let asked = |more: &[&'static str]| [&["sweep", "small.toml"], &GRID[..], more].concat();
    let shown = ["Factors", "main effect", "best in these worlds is ", "memory=none against bardo"];
    said(room, &asked(&["--out", "quick"])).must_have(&shown);
    let analysis = json_of(&room.join("quick/analysis.json"));
    let found = &analysis["factorial"];
    assert_eq!((&found["measure"], &found["family"]), (&"pnl_usdc".into(), &3.into()));
    let arms = [
        "risk_per_trade=0.01/memory=bardo",
        "risk_per_trade=0.01/memory=none",
        "risk_per_trade=0.04/memory=bardo",
        "risk_per_trade=0.04/memory=none",
    ];
    let rows = results(&room.join("quick"));
    let value = |arm: &str, seed: u64| -> f64 {
        row(&rows, arm, &seed.to_string(), "all")["pnl_usdc"].parse().unwrap()
    };
    let mean = |of: &dyn Fn([f64; 4]) -> f64| {
        (1..=6).map(|seed| of(arms.map(|arm| value(arm, seed)))).sum::<f64>() / 6.0
    };
    let expected = [
        ("risk_per_trade=0.04 against 0.01", mean(&|[a, b, c, d]| (c + d - a - b) / 2.0)),
        ("memory=none against bardo", mean(&|[a, b, c, d]| (b + d - a - c) / 2.0)),
        ("risk_per_trade=0.04 with memory=none", mean(&|[a, b, c, d]| d - b - (c - a))),
    ];
    let effects = found["main"].as_array().unwrap().iter().chain(found["interactions"].as_array().unwrap());
    for (effect, (name, expected)) in effects.zip(expected) {
        assert_eq!(effect["name"], name);
        let value = effect["effect"].as_f64().unwrap();
        assert!((value - expected).abs() < 1e-9, "{name}: {value} {expected}");
        assert!(effect["corrected_p"].as_f64() >= effect["p"].as_f64());
    }
    let best = arms.iter().max_by(|a, b| {
        let sum = |arm: &str| (1..=6).map(|seed| value(arm, seed)).sum::<f64>();
        sum(a).total_cmp(&sum(b))
    });
    assert_eq!(found["best"]["arm"], *best.unwrap());

    said(room, &asked(&["--write", "asked.toml"]));
    said(room, &["sweep", "asked.toml", "--out", "filed"]);
    assert_same_tables(&room.join("quick"), &room.join("filed"), "the file asks the same");
    refused(room, &asked(&["--write", "asked.toml"]), "the file is there already");
    let out = said(room, &["list", "."]);
    let line = out.lines().find(|line| line.starts_with("./quick ")).unwrap();
    line.must_have(&["1 to 6", "24 cells", "best in pnl_usdc: "]);

    // Two of its cells as runs, side by side.
    for (arm, out) in [(arms[0], "a"), (arms[1], "b")] {
        let kept = json(room, &["reproduce", "quick", "--cell", &format!("{arm}:2"), "--out", out]);
        assert_eq!((&kept["agrees"], &kept["digest"]), (&true.into(), &kept["digest_then"]));
        said(room, &["inspect", out, "lives"]).must_have(&[&format!("morta inspect {out} ")]);
    }
    let compared = json(room, &["compare", "a", "b"]);
    let keys: Vec<&String> = compared["keys"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["cohorts.bardo.memory", "cohorts.none.memory"]);
    assert!(compared["parting"][0]["tick"].is_u64(), "{compared}");
    let pnl =
        compared["measures"].as_array().unwrap().iter().find(|row| row["measure"] == "pnl_usdc").unwrap();
    for (arm, own) in [arms[0], arms[1]].iter().zip(pnl["values"].as_array().unwrap()) {
        assert!((own.as_f64().unwrap() - value(arm, 2)).abs() < 1e-9, "{pnl}");
    }
    let cell =
        |cell: &str, why: &str| refused(room, &["reproduce", "quick", "--cell", cell, "--out", "c"], why);
    cell("none:2", "the sweep has no arm none");
    cell(&format!("{}:7", arms[0]), "the sweep's seeds are 1 to 6");
}

#[test]
fn mistakes_of_a_grid_name_the_flag() {
    let here = room(SWEEP);
    for (flags, expected) in [
        (&["--vary", "golem.risk=1,2"][..], "golem.risk"),
        (
            &["--vary", "golem.risk_per_trade=0.01,0.01"],
            "--vary golem.risk_per_trade=0.01,0.01: 0.01 is there twice",
        ),
        (&["--vary", "memory=bardo,bordo"], "bordo"),
        (&["--vary", "memory=bardo,none", "--measure", "pnl"], "\"pnl\""),
        (&["--vary", "memory=bardo,none", "--profile", "smoke"], "write the sweep with --write FILE"),
    ] {
        refused(here.path(), &[&["sweep", "small.toml"], flags].concat(), expected);
        assert!(!here.path().join("runs").exists());
    }
}

/// The summary of a run says what it says and what one world can't, and its steps exist.
#[test]
fn the_first_run_answers_and_its_steps_exist() {
    let here = room(SWEEP);
    let room = here.path();
    let out = said(room, &["run", "small.toml", "--out", "r"]);
    assert!(out.contains("one world can't say what of that is bardo and what is luck."), "{out}");
    assert!(!out.contains('\u{1b}'), "no colours where nobody looks");
    let steps: Vec<Vec<&str>> = out
        .lines()
        .rev()
        .take(3)
        .map(|line| line.split_once("  morta ").unwrap().1.split_whitespace().collect())
        .collect();
    let sweep: Vec<&str> = steps[0].iter().map(|word| if *word == "20" { "2" } else { *word }).collect();
    for step in [&sweep, &steps[1], &steps[2]] {
        said(room, step);
    }
    assert_eq!((steps[0][0], steps[1][0], steps[2][0]), ("sweep", "report", "inspect"));
    // Each view leads on to views that exist.
    let (mut seen, mut left) = (Vec::new(), vec![steps[2].join(" ")]);
    while let Some(command) = left.pop() {
        if seen.contains(&command) || seen.len() > 12 {
            continue;
        }
        let words: Vec<&str> = command.split(' ').collect();
        let out = said(room, &words);
        left.extend(out.lines().filter_map(|line| Some(line.split_once("  morta ")?.1.to_owned())));
        let json = said(room, &[&words[..], &["--json"]].concat());
        assert!(serde_json::from_str::<Value>(&json).is_ok(), "{command}");
        assert!(!json.contains("  morta inspect"), "{command}");
        seen.push(command);
    }
    assert!(seen.len() > 3, "{seen:?}");
}

#[test]
fn rows_beyond_a_number_are_filtered() {
    let here = room(SWEEP);
    run(&here.path().join("small.toml"), &here.path().join("r"), &[]);
    let survival = |only: &'static str| {
        let asked =
            ["stats", "survival", "r/lives.parquet", "--duration", "lifespan_ticks", "--event", "!censored"];
        [&asked[..], &["--only", only]].concat()
    };
    let lives = |only: &'static str| {
        let out = said(here.path(), &survival(only));
        let told: Vec<u64> = out.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        *told.first().unwrap_or_else(|| panic!("{out}"))
    };
    let (founders, heirs, all) = (lives("generation=0"), lives("generation>0"), lives("generation>=0"));
    assert_eq!(founders + heirs, all);
    refused(here.path(), &survival("generation>some"), "must be a number");
}
