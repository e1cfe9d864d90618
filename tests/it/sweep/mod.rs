//! Sweeps: designs, worlds shared by arms, mistakes, failures, interruptions of every kind.

mod contrasts;
mod interruptions;
mod looks;
mod mistakes;
mod resuming;
pub mod room;
mod sensitivity;
mod verdict;

use crate::common::{Program as _, morta};
use morta_lab::measure::MEASURES;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use room::{FAULT, SWEEP, assert_same_tables, done, names, of_all, results, room, row, sweep, swept};
use serde_json::Value;

#[test]
fn designs_name_their_arms_and_worlds() {
    let here = room(SWEEP);
    let grid = ["utility/risk=0.01", "utility/risk=0.04", "uniform/risk=0.01", "uniform/risk=0.04"];
    assert_eq!(names(here.path()), grid);
    let told = done(here.path(), &["--dry-run", "--seeds", "7"]);
    assert_eq!((&told["cells"], &told["first_seed"]), (&28.into(), &5.into()));
    assert!(!here.path().join("runs").exists(), "a dry run leaves nothing");
    let single = SWEEP.replace("\"grid\"", "\"one-at-a-time\"").replace("[0.01, 0.04]", "[0.02, 0.04]");
    let single = single.replace("utility/risk=0.01", "utility");
    // 0.02 is what the scenario has anyway.
    assert_eq!(names(room(&single).path()), ["utility", "utility/risk=0.04", "uniform", "uniform/risk=0.04"]);
    let cube = SWEEP
        .replace("\"grid\"", "\"latin-hypercube\"\nsamples = 4")
        .replace("values = [0.01, 0.04]", "low = 0.01\nhigh = 0.05")
        .replace("utility/risk=0.01", "utility/sample-1");
    let here = room(&cube);
    let told = done(here.path(), &["--dry-run"]);
    let arms = told["arms"].as_array().unwrap();
    assert_eq!(arms.len(), 8);
    let value = |arm: &Value| arm["parameters"]["golem.risk_per_trade"].as_f64().unwrap();
    let mut strata: Vec<i64> = arms[..4].iter().map(|arm| ((value(arm) - 0.01) * 100.0) as i64).collect();
    strata.sort_unstable();
    assert_eq!(strata, [0, 1, 2, 3]);
}

/// Arms that differ only in what makes no difference live the same lives in the same world, and other lives in others.
#[test]
fn every_arm_sees_the_same_worlds() {
    let text =
        SWEEP.replace("golem.risk_per_trade", "dream.replay.batchSize").replace("[0.01, 0.04]", "[5, 9]");
    let text = text
        .replace("utility/risk=0.01", "utility/risk=5")
        .replace("[seeds]", "set = { dream.enabled = false }\n[seeds]");
    let (_here, out, _) = swept(&text, &[]);
    let rows = results(&out);
    let digest = |arm: &str, seed: &str| row(&rows, arm, seed, "all")["digest"].clone();
    for seed in ["5", "6", "7"] {
        assert_eq!(digest("utility/risk=5", seed), digest("uniform/risk=9", seed));
    }
    assert_ne!(digest("utility/risk=5", "5"), digest("utility/risk=5", "6"));
}

/// A cell is what `morta run` makes of the same scenario and seed, measured another way.
#[test]
fn a_cell_is_a_run() {
    let recorded = SWEEP.replace("[seeds]", "[record]\nruns = true\n[seeds]");
    let (here, out, told) = swept(&recorded, &["--seeds", "2"]);
    assert_eq!(
        (&told["cells"], &told["done"], &told["as_registered"]),
        (&8.into(), &8.into(), &false.into())
    );
    let scenario = here.path().join("small.toml");
    let flags =
        ["--seed", "6", "--set", "golem.risk_per_trade=0.04", "--set", "dream.replay.prioritization=uniform"];
    let run = crate::common::run(&scenario, &here.path().join("run"), &flags);
    let rows = results(&out);
    let row = |cohort: &str| row(&rows, "uniform/risk=0.04", "6", cohort);
    let all = row("all");
    assert_eq!(all["digest"], run["digest"].as_str().unwrap());
    for (measure, key) in [
        ("births", "born"),
        ("survivors", "alive"),
        ("dreams", "dreams"),
        ("bloodstains_drawn", "bloodstains_drawn"),
    ] {
        assert_eq!(all[measure].parse::<f64>().unwrap(), run[key].as_f64().unwrap(), "{measure}");
    }
    let number = |cohort: &str, measure: &str| row(cohort)[measure].parse::<f64>().unwrap();
    for measure in ["births", "trades", "total_r", "deaths", "inference_usdc", "equity_usdc"] {
        let parts = number("bardo", measure) + number("none", measure);
        assert!((number("all", measure) - parts).abs() < 1e-9, "{measure}: the cohorts add up");
    }
    for (cohort, measure) in [("all", "trades"), ("all", "deaths"), ("bardo", "dreams")] {
        assert!(number(cohort, measure) > 0.0, "{measure}");
    }
    assert_eq!(all["golem.risk_per_trade"], "0.04");
    assert_eq!(all["dream.replay.prioritization"], "uniform");
    let cells = std::fs::read_dir(out.join("cells")).unwrap();
    let cell = cells.map(|entry| entry.unwrap().path()).next().unwrap();
    morta().arg("verify").arg(cell.join("run")).printed();
}

#[test]
fn a_profile_is_another_sweep() {
    let here = room(&SWEEP.replace("utility/risk=0.01", "uniform/risk=0.01"));
    let told = done(here.path(), &["--profile", "short"]);
    assert_eq!((told["sweep_dir"].as_str(), &told["done"]), (Some("runs/sweep-try-short"), &4.into()));
    assert_eq!(told["as_registered"], false);
    let rows = results(&here.path().join("runs/sweep-try-short"));
    assert_eq!(rows.len(), 2 * 2 * 3, "arms, worlds, cohorts");
}

#[test]
fn a_failed_cell_is_a_row_and_the_others_go_on() {
    let here = room(&SWEEP.replace("dream.replay.prioritization = \"uniform\"", FAULT));
    let (code, told, _) = sweep(here.path(), &["--out", "out"]);
    assert_eq!(
        (code, &told["done"], &told["failed"], &told["status"]),
        (1, &6.into(), &6.into(), &"complete".into())
    );
    let rows = results(&here.path().join("out"));
    let failed: Vec<_> = rows.iter().filter(|row| row["outcome"] == "failed").collect();
    assert_eq!(failed.len(), 6);
    assert_eq!(failed[0]["error"], "the market failed at tick 50: fault injected by the scenario");
    assert_eq!((failed[0]["arm"].as_str(), failed[0]["trades"].as_str()), ("uniform/risk=0.01", ""));
    let arms = told["primary"]["arms"].as_array().unwrap();
    assert_eq!((&arms[2]["value"], &arms[2]["failed"]), (&Value::Null, &3.into()));
    let (code, again, _) = sweep(here.path(), &["--out", "out", "--resume"]);
    assert_eq!((code, &again["ran_now"]), (1, &0.into()), "failed cells are kept");
    let (_, again, _) = sweep(here.path(), &["--out", "out", "--resume", "--retry-failed"]);
    assert_eq!((&again["ran_now"], &again["failed"]), (&6.into(), &6.into()));
    let (code, fast, _) = sweep(here.path(), &["--out", "fast", "--fail-fast", "--jobs", "1"]);
    // World by world: the two arms without the fault come first.
    assert_eq!(
        (code, &fast["done"], &fast["failed"], &fast["status"]),
        (1, &2.into(), &1.into(), &"stopped".into())
    );
}

/// The difference told is that of the table, pair by pair.
#[test]
fn the_summary_compares_worlds_in_pairs() {
    let (_here, out, told) = swept(SWEEP, &[]);
    let rows = results(&out);
    let values = |arm: &str| of_all(&rows, arm, "pnl_usdc");
    let (base, other) = (values("utility/risk=0.01"), values("utility/risk=0.04"));
    let expected = other.iter().zip(&base).map(|(a, b)| a - b).sum::<f64>() / 3.0;
    let difference = &told["primary"]["arms"][1]["difference"];
    assert!((difference["effect"].as_f64().unwrap() - expected).abs() < 1e-12 && expected != 0.0);
    assert_eq!(difference["worlds"], 3);
    assert_eq!(told["primary"]["arms"][0]["difference"], Value::Null);
}

/// Unit and meaning of a column, as its file tells them.
fn described(path: &std::path::Path, column: &str) -> [Option<String>; 2] {
    let reader = SerializedFileReader::try_from(path).unwrap();
    let footer = reader.metadata().file_metadata();
    let entry = footer.key_value_metadata().unwrap().iter().find(|entry| entry.key == "morta:columns");
    let columns: Value = serde_json::from_str(entry.unwrap().value.as_ref().unwrap()).unwrap();
    let column = columns.get(column).expect("every column has an entry");
    ["unit", "meaning"].map(|key| column.get(key).map(|text| text.as_str().unwrap().to_owned()))
}

/// A measure's column says what the catalogue says of the measure; the others say what their table declares.
#[test]
fn tables_say_what_their_columns_mean() {
    let (_here, out, _) = swept(SWEEP, &["--seeds", "2"]);
    let of = |file: &str, column: &str| described(&out.join(file), column);
    let told = |unit: &str, meaning: &str| [Some(unit.to_owned()), Some(meaning.to_owned())];
    for measure in MEASURES.iter() {
        assert_eq!(of("results.parquet", measure.name), told(measure.unit, measure.about));
    }
    assert_eq!(of("results.parquet", "arm"), told("name", "The arm."));
    let [unit, meaning] = of("results.parquet", "golem.risk_per_trade");
    assert_eq!((unit, meaning.is_some()), (None, true), "a key's unit is its scenario's business");
    let value = told("of the row", "The curve's value there, in its own unit.");
    assert_eq!(of("series.parquet", "value"), value);
    assert_eq!(of("lives.parquet", "seed")[0].as_deref(), Some("number"));
}

#[test]
fn threads_change_nothing() {
    let (here, one, _) = swept(SWEEP, &["--jobs", "1"]);
    done(here.path(), &["--out", "four", "--jobs", "4"]);
    assert_same_tables(&one, &here.path().join("four"), "1 and 4 threads");
}
