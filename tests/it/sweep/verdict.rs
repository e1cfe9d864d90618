//! What a sweep says of the question it was registered with.

use super::room::{FAULT, SWEEP, analysis, done, of_all, results, room, sweep, swept};
use crate::common::{Program as _, morta};
use serde_json::Value;
use std::path::Path;

const BASELINE: &str = "utility/risk=0.01";

/// `morta stats compare` on the rows of everybody, by arm.
fn compared(dir: &Path, score: &str) -> Value {
    let mut table = csv::Writer::from_path(dir.join("everybody.csv")).unwrap();
    table.write_record(["arm", "seed", score]).unwrap();
    for row in results(dir).iter().filter(|row| row["cohort"] == "all") {
        table.write_record([&row["arm"], &row["seed"], &row[score]]).unwrap();
    }
    table.flush().unwrap();
    morta()
        .current_dir(dir)
        .args(["stats", "compare", "everybody.csv", "--score", score, "--arm", "arm", "--pair", "seed"])
        .args(["--baseline", BASELINE, "--json"])
        .json()
}

fn of_arm<'a>(arms: &'a Value, name: &Value) -> &'a Value {
    arms.as_array().unwrap().iter().find(|arm| arm["arm"] == *name).unwrap()
}

/// The same interval, p-values, effect sizes and need of worlds as a user gets from the table.
#[test]
fn it_says_what_stats_compare_says_of_the_table() {
    let (_here, out, told) = swept(SWEEP, &[]);
    let (analysis, expected) = (analysis(&out), compared(&out, "pnl_usdc"));
    assert_eq!(told["primary"], analysis["primary"], "the terminal's JSON says what the file says");
    assert_eq!(analysis["standing"]["decides"], true);
    let comparisons = expected["comparisons"].as_array().unwrap();
    assert_eq!(comparisons.len(), 3);
    // Comparisons are in the order of the arms after the baseline.
    let names = expected["arms"].as_array().unwrap()[1..].iter().map(|arm| &arm["arm"]);
    for (comparison, name) in comparisons.iter().zip(names) {
        let found = &of_arm(&analysis["primary"]["arms"], name)["difference"];
        // Nothing was rejected, so each of the three is left a third of the error rate.
        assert_eq!(found["interval"], comparison["interval"]);
        assert!((found["interval"]["level"].as_f64().unwrap() - (1.0 - 0.05 / 3.0)).abs() < 1e-12);
        assert!(found["interval"]["low"].as_f64().unwrap() < found["interval"]["high"].as_f64().unwrap());
        assert_eq!(found["p"], comparison["sign_flip"]["p"]);
        assert_eq!(found["corrected_p"], comparison["sign_flip_holm_p"]);
        for figure in ["bootstrap", "cohens_d_paired", "cliffs_delta", "variance_reduction"] {
            assert_eq!(found["figures"][figure], comparison[figure], "{figure}");
        }
        // Three worlds: at best 2 of 8 assignments, times 3 comparisons.
        let enough = &found["enough"];
        assert!(enough["smallest_p"].as_f64().unwrap() >= 0.25, "{enough}");
        assert_eq!(enough["can_decide"], false);
        assert_eq!(found["verdict"], "not_settled");
        let now = &comparison["worlds_needed"]["half_width"];
        assert_eq!(&enough["for_half_width"]["half_width"], now);
    }
    let sentence = analysis["sentences"][0].as_str().unwrap();
    let whether = "whether utility/risk=0.04 differs from utility/risk=0.01 is not settled: ";
    let why = "after Holm over 3 comparisons, 3 worlds; no result could have decided";
    assert!(sentence.starts_with(whether) && sentence.contains(why), "{sentence}");
}

/// Who turns down every trade that costs anything trades less, in every world.
#[test]
fn a_registered_test_decides() {
    let text = SWEEP
        .replace("measure = \"pnl_usdc\", direction = \"more\"", "measure = \"trades\", direction = \"less\"")
        .replace("[[arms]]\nname = \"uniform\"\nset = { dream.replay.prioritization = \"uniform\" }\n", "")
        .replace("count = 3", "count = 8")
        .replace("golem.risk_per_trade", "golem.max_cost_r")
        .replace("[0.01, 0.04]", "[0.01, 2.0]")
        .replace("analysis =", "test = \"t\"\nsecondary = [\"mean_r\"]\nanalysis =");
    let (_here, out, _) = swept(&text, &[]);
    let (analysis, rows) = (analysis(&out), results(&out));
    let values = |arm: &str| of_all(&rows, arm, "trades");
    let (base, other) = (values("utility/risk=0.01"), values("utility/risk=2"));
    assert!(base.iter().zip(&other).all(|(base, other)| base < other), "{base:?} {other:?}");
    let found = &analysis["primary"]["arms"][1]["difference"];
    assert_eq!(found["p"], found["figures"]["paired_t"]["p"]);
    assert_eq!(found["corrected_p"], found["p"], "there is one comparison");
    assert_eq!(found["enough"]["smallest_p"], Value::Null);
    // δ is a tenth of a trade: whatever is lost is far beyond it.
    assert_eq!(found["verdict"], "worse_by_more_than_matters");
    assert_eq!(analysis["secondary"][0]["measure"], "mean_r");
    assert_eq!(analysis["secondary"][0]["decides"], false);
    let first = &analysis["secondary"][0]["arms"][1]["difference"];
    assert_eq!(first["verdict"], Value::Null, "secondary measures are not tested");
}

/// With axes the arms that bound memories from below are those at the baseline's point.
#[test]
fn the_lower_end_is_the_best_bound_at_the_baselines_point() {
    let text = SWEEP
        .replace("name = \"utility\"", "name = \"none\"\nset = { cohorts.bardo.memory = \"none\" }")
        .replace(
            "name = \"uniform\"\nset = { dream.replay.prioritization = \"uniform\" }",
            "name = \"random\"\nset = { cohorts.bardo.memory = \"random\" }\n\n\
             [[arms]]\nname = \"oracle\"\nset = { cohorts.bardo.memory = \"oracle\" }",
        )
        .replace(
            "baseline = \"utility/risk=0.01\"",
            "baseline = \"none/risk=0.04\"\nceiling = \"oracle/risk=0.04\"",
        );
    let (_here, out, _) = swept(&text, &["--seeds", "2"]);
    let gap = &analysis(&out)["primary"]["gap"];
    assert_eq!(gap["best_of"], serde_json::json!(["none/risk=0.04", "random/risk=0.04"]), "{gap}");
}

/// Survival: lives of all worlds are pooled, and compared world by world.
#[test]
fn survival_is_that_of_the_table_of_lives() {
    let (_here, out, _) = swept(SWEEP, &[]);
    let (analysis, rows) = (analysis(&out), results(&out));
    let survival = &analysis["survival"];
    let sum = |arm: &str, measure: &str| -> f64 { of_all(&rows, arm, measure).iter().sum() };
    let first = &survival["arms"][0];
    assert_eq!(first["lives"].as_f64().unwrap(), sum(BASELINE, "births"));
    assert_eq!(first["deaths"].as_f64().unwrap(), sum(BASELINE, "deaths"));
    assert_eq!(first["restricted_mean"]["horizon"], 100.0);
    assert_eq!(survival["log_rank"]["degrees_of_freedom"], 3);
    let other = &survival["restricted_mean_per_world"][1];
    let difference =
        sum("utility/risk=0.04", "restricted_mean_ticks") - sum(BASELINE, "restricted_mean_ticks");
    assert!((other["difference"]["effect"].as_f64().unwrap() - difference / 3.0).abs() < 1e-9);
}

#[test]
fn what_cannot_be_computed_says_why() {
    let here = room(&SWEEP.replace("dream.replay.prioritization = \"uniform\"", FAULT));
    let (_, told, _) = sweep(here.path(), &["--out", "out", "--seeds", "2"]);
    assert_eq!(told["standing"]["because"][0], "not as registered: another number of worlds, or a profile");
    let arms = told["primary"]["arms"].as_array().unwrap();
    let why = "no world has a pnl_usdc of all in both arms";
    assert_eq!(arms[2]["difference"]["p"]["cannot_be_computed"], why);
    assert_eq!(arms[2]["difference"]["verdict"], "cannot_be_computed");
    let corrected = arms[1]["difference"]["corrected_p"].as_f64().unwrap();
    let p = arms[1]["difference"]["p"].as_f64().unwrap();
    assert_eq!(corrected, (3.0 * p).min(1.0), "what was registered counts, whether it failed or not");
}

/// A key that does nothing makes arms that are one arm: both it and they are named, and nothing is paid for them.
#[test]
fn arms_that_lived_the_same_bytes_are_one() {
    let same = SWEEP
        .replace("golem.risk_per_trade", "dream.replay.batchSize")
        .replace("[0.01, 0.04]", "[5, 9]")
        .replace("utility/risk=0.01", "utility/risk=5")
        .replace(
            "name = \"uniform\"\nset = { dream.replay.prioritization = \"uniform\" }",
            "name = \"poor\"\nset = { golem.risk_per_trade = 0.04 }",
        )
        .replace("[seeds]", "set = { dream.enabled = false }\n[seeds]");
    let (_here, _, told) = swept(&same, &[]);
    let arms = told["primary"]["arms"].as_array().unwrap();
    assert_eq!(arms[1]["difference"]["verdict"], "same_bytes");
    let keys = ["dream.replay.batchSize"];
    assert_eq!(arms[1]["same_as"], serde_json::json!({ "arm": "utility/risk=5", "keys": keys }));
    assert_eq!(arms[3]["same_as"], serde_json::json!({ "arm": "poor/risk=5", "keys": keys }));
    assert_eq!(told["primary"]["comparisons"], 1, "poor alone differs from the baseline");
    for arm in [2, 3] {
        assert_eq!(arms[arm]["difference"]["corrected_p"], arms[arm]["difference"]["p"]);
    }
    assert_eq!(
        told["sentences"][0],
        "utility/risk=9 lived the same bytes as utility/risk=5 in every world: dream.replay.batchSize does nothing here; no \
         comparison is paid for"
    );
}

/// Without a registration figures describe.
#[test]
fn nothing_registered_nothing_tested() {
    let (head, tail) = SWEEP.split_once("[preregistration]").unwrap();
    let (_, profiles) = tail.split_once("[profiles.short]").unwrap();
    let (_here, _, told) = swept(&format!("{head}[profiles.short]{profiles}"), &[]);
    assert_eq!(told["standing"]["decides"], false);
    assert_eq!((&told["primary"]["measure"], &told["primary"]["test"]), (&"mean_r".into(), &Value::Null));
    assert_eq!(told["primary"]["arms"][1]["difference"]["verdict"], Value::Null);
    assert!(told["sentences"][0].as_str().unwrap().starts_with("Descriptive: utility/risk=0.04 differs"));
}

/// Comparisons of all sweeps of a folder are corrected together; what decides nothing is left out, and said.
#[test]
fn false_discoveries_are_counted_over_a_folder_of_sweeps() {
    let here = room(SWEEP);
    done(here.path(), &["--out", "all/first"]);
    done(here.path(), &["--out", "all/second", "--seeds", "2"]);
    let told = morta().current_dir(here.path()).args(["stats", "across", "all", "--json"]).json();
    let first = analysis(&here.path().join("all/first"));
    let comparisons = told["comparisons"].as_array().unwrap();
    assert_eq!(comparisons.len(), 3);
    let mut p_values: Vec<f64> = comparisons.iter().map(|one| one["p"].as_f64().unwrap()).collect();
    p_values.sort_by(f64::total_cmp);
    let largest =
        comparisons.iter().map(|one| one["false_discovery_p"].as_f64().unwrap()).fold(0.0, f64::max);
    assert_eq!(largest, p_values[2], "the largest p of a family stays what it is");
    assert_eq!(comparisons[0]["verdict"], first["primary"]["arms"][1]["difference"]["verdict"]);
    let left_out = told["left_out"][0].as_str().unwrap();
    assert_eq!(left_out, "second: not as registered: another number of worlds, or a profile");
    let nowhere = ["stats", "across", "nowhere"];
    morta().current_dir(here.path()).args(nowhere).refused_with(&["nowhere: can't be read"]);
}
