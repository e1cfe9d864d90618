//! Arms held against each other on every rung of a ladder and in every cell of a map, and rules that count wins.

use super::room::{SCENARIO, SWEEP, analysis, of_all, refused, results, rows, swept};
use crate::common::{Program as _, Text as _, morta};
use serde_json::Value;
use std::path::Path;

/// Two arms on two rungs over a grid of two axes, one of them with named levels, with a map and a rule.
fn file() -> String {
    let text = SWEEP.split("[preregistration]").next().unwrap();
    let more = r#"
[[axes]]
key = "cost"
levels = [
    { name = "cheap", set = { golem.compute_usdc_per_tick = 0.01, market.pool.fee_bps = 0.1 } },
    { name = "dear", set = { golem.compute_usdc_per_tick = 0.3 } },
]

[[ladder]]
name = "awake"
description = "Nobody dreams."
set = { dream.enabled = false }

[[ladder]]
name = "dreaming"
primary = true

[[contrasts]]
treated = "uniform"
control = "utility"
measure = "trades"

[map]
x = "risk"
y = "cost"
contrast = ["uniform", "utility"]
correction = "benjamini_hochberg"

[preregistration]
hypothesis = "It matters."
primary = { measure = "pnl_usdc", direction = "more" }
baseline = "utility/risk=0.01/cost=dear"
analysis = "Arms are compared over worlds."
effect_of_interest = 0.1

[preregistration.rule]
wins_needed = 2
criteria = [
    { measure = "pnl_usdc", direction = "more", cohort = "bardo" },
    { name = "fewer", measure = "trades", direction = "less", margin = 1e6 },
]
"#;
    format!("{text}{more}")
}

fn mean(dir: &Path, arm: &str, measure: &str) -> f64 {
    let rows = of_all(&results(dir), arm, measure);
    assert_eq!(rows.len(), 3, "{arm}");
    rows.iter().sum::<f64>() / 3.0
}

/// Every figure is that of the two arms of its place, as the results have them.
#[test]
fn ladder_and_map_say_what_the_results_say() {
    let (here, out, told) = swept(&file(), &[]);
    let analysis = analysis(&out);
    assert_eq!((&told["map"], &told["ladder"]), (&analysis["map"], &analysis["ladder"]));
    let close = |found: &Value, expected: f64| {
        let found = found.as_f64().unwrap();
        assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{found} {expected}");
    };

    let arms = analysis["primary"]["arms"].as_array().unwrap();
    let arms: Vec<&str> = arms.iter().map(|arm| arm["arm"].as_str().unwrap()).collect();
    assert_eq!(arms, ["utility/dreaming/risk=0.01/cost=dear", "uniform/dreaming/risk=0.01/cost=dear"]);

    let contrast = &analysis["ladder"]["contrasts"][0];
    let rungs = contrast["rungs"].as_array().unwrap();
    assert_eq!(rungs.len(), 2);
    let difference = |rung: &str| {
        let place = format!("{rung}/risk=0.01/cost=dear");
        mean(&out, &format!("uniform/{place}"), "trades") - mean(&out, &format!("utility/{place}"), "trades")
    };
    for rung in rungs {
        close(&rung["effect"], difference(rung["rung"].as_str().unwrap()));
    }
    close(&rungs[0]["from_primary"]["effect"], difference("awake") - difference("dreaming"));
    assert!(rungs[1].get("from_primary").is_none());
    assert_eq!(rungs[0]["effect"], 0.0, "who doesn't dream doesn't replay");
    assert_eq!(rungs[0]["verdict"], "same_bytes");

    let cells = analysis["map"]["cells"].as_array().unwrap();
    let places: Vec<(&str, &str)> =
        cells.iter().map(|cell| (cell["x"].as_str().unwrap(), cell["y"].as_str().unwrap())).collect();
    assert_eq!(places, [("0.01", "cheap"), ("0.04", "cheap"), ("0.01", "dear"), ("0.04", "dear")]);
    for (cell, (x, y)) in cells.iter().zip(places) {
        let [treated, control] = ["uniform", "utility"]
            .map(|arm| mean(&out, &format!("{arm}/dreaming/risk={x}/cost={y}"), "pnl_usdc"));
        close(&cell["treated_mean"], treated);
        close(&cell["effect"], treated - control);
        assert_eq!(cell["worlds"], 3);
    }
    assert_eq!(rows(&out.join("contrasts.csv")).len(), 2 + 1 + 4);

    let pair = &analysis["rule"]["pairs"][0];
    assert_eq!(
        (&pair["wins"], &pair["undecided"], &pair["verdict"]),
        (&0.into(), &2.into(), &"undecided".into())
    );
    let said = analysis["sentences"].as_array().unwrap().last().unwrap().as_str().unwrap();
    said.must_have(&["by the registered rule (2 of 2 criteria)", "is undecided"]);
    // What was written is read again: a key that stood twice in a criterion once kept every sweep with a rule out of `stats across` and `list`.
    let listed = morta().arg("list").arg(here.path()).printed();
    assert!(!listed.contains("no analysis yet"), "{listed}");
}

/// The page has a section for each, and its plots can be had as files.
#[test]
fn the_report_shows_them() {
    let (here, ..) = swept(&file(), &["--seeds", "2"]);
    let html = report(here.path());
    for heading in ["Verdict by rule", "Masking ladder", "Map"] {
        assert!(html.contains(&format!("\">{heading}</h2>")), "{heading}");
    }
    assert!(html.contains("Nobody dreams."), "rungs say what is off");
    assert!(!html.contains("Profile of each memory"), "all arms have the same memory");
    let map = std::fs::read_to_string(here.path().join("plots/map.svg")).unwrap();
    map.must_have(&["risk = 0.04, cost = dear: ", "interval holds 0", ">cheap</text>"]);
    assert_eq!(map.matches("class=\"over\"").count(), 4, "every cell can be pointed at");
    assert!(here.path().join("plots/contrast-1.svg").exists());
}

/// To be quoted: the comparison, every contrast, the map and the rule, as tables of Markdown; no page is written.
#[test]
fn verdicts_are_told_as_markdown() {
    let (here, ..) = swept(&file(), &["--seeds", "2"]);
    let text = morta().current_dir(here.path()).args(["report", "out", "--markdown"]).printed();
    assert!(text.starts_with("## "), "{text}");
    text.must_have(&["| arm |", "| rung | verdict |", "| criterion |", "### Map"]);
    let widths = |line: &&str| line.starts_with('|').then(|| line.matches('|').count());
    let lines: Vec<&str> = text.lines().collect();
    for pair in lines.windows(2) {
        if let (Some(one), Some(next)) = (widths(&pair[0]), widths(&pair[1])) {
            assert_eq!(one, next, "{pair:?}");
        }
    }
    assert!(!here.path().join("out/report.html").exists());
    std::fs::create_dir(here.path().join("empty")).unwrap();
    let why = "--markdown empty: this is no folder of a sweep";
    morta().current_dir(here.path()).args(["report", "empty", "--markdown"]).refused_with(&[why]);
}

fn report(here: &Path) -> String {
    morta().current_dir(here).args(["report", "out", "--svg", "plots"]).printed();
    std::fs::read_to_string(here.join("out/report.html")).unwrap()
}

/// Where arms differ in memory, their competences stand side by side.
#[test]
fn memories_have_profiles() {
    let text = SWEEP.split("[preregistration]").next().unwrap().replace(
        "uniform\"\nset = { dream.replay.prioritization = \"uniform\" }",
        "window\"\nset = { cohorts.bardo.memory = \"none\" }",
    );
    assert!(text.contains("window"));
    let (here, out, _) = swept(&text, &["--seeds", "2"]);
    let analysis = analysis(&out);
    let competences = analysis["profile"]["competences"].as_array().unwrap();
    assert_eq!(competences.len(), 5, "selective forgetting has two measures");
    for one in competences {
        let arms = one["arms"].as_array().unwrap();
        assert_eq!(
            (arms.len(), &arms[0]["memory"], &arms[2]["memory"]),
            (4, &"bardo/none".into(), &"none".into())
        );
    }
    let learning = &competences[1];
    assert_eq!(learning["measure"], "learning_slope_r_per_tick");
    let found = learning["arms"][0]["value"]["mean"].as_f64().unwrap();
    let rows = results(&out);
    let expected = of_all(&rows, "utility/risk=0.01", "learning_slope_r_per_tick").iter().sum::<f64>() / 2.0;
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    assert!(report(here.path()).contains("Profile of each memory</h2>"));
}

#[test]
fn mistakes_name_what_would_be_right() {
    assert!(SCENARIO.contains("bardo"));
    let text = file();
    for (from, to, expected) in [
        ("x = \"risk\"", "x = \"rsk\"", "map.x = \"rsk\": no axis has this key or name: did you mean risk?"),
        ("x = \"risk\"", "x = \"cost\"", "map.y = \"cost\": x is the same: name another axis"),
        ("design = \"grid\"", "design = \"one-at-a-time\"", "must be \"list\" or \"grid\""),
        ("[\"uniform\", ", "[\"unform\", ", "no entry of [[arms]] has this name: did you mean uniform?"),
        ("[\"uniform\", ", "[\"utility\", ", "an arm does not differ from itself"),
        ("\"trades\"\n\n[map]", "\"trads\"\n\n[map]", "no such measure: did you mean trades?"),
        ("name = \"dreaming\"", "name = \"awake\"", "another rung has this name already"),
        ("dream.enabled = false", "golem.risk_per_trade = 0.1", "rung awake sets this key already"),
        ("wins_needed = 2", "wins_needed = 3", "there are 2 criteria: no more can be won"),
        ("cohort = \"bardo\" }", "cohort = \"brdo\" }", "has no such cohort: use all, bardo, none"),
        ("name = \"cheap\"", "name = \"dear\"", "another level has this name already"),
    ] {
        refused(&text, from, to, expected);
    }
}
