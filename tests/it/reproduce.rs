//! Folders lived through again.

use crate::common::{Program as _, edit_json, flip_a_bit, morta, run};
use crate::sweep::room::{self, FAULT, SWEEP, done, room};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn reproduce(dir: &Path, flags: &[&str]) -> (i32, Value, String) {
    let (code, out, err) = morta().arg("reproduce").arg(dir).args(flags).arg("--json").ended();
    (code, serde_json::from_str(&out).unwrap_or(Value::Null), err)
}

fn cells(sweep: &Path) -> Vec<PathBuf> {
    let mut cells: Vec<PathBuf> =
        fs::read_dir(sweep.join("cells")).unwrap().map(|entry| entry.unwrap().path()).collect();
    cells.sort();
    cells
}

#[test]
fn a_run_is_reproduced_until_somebody_touches_it() {
    let here = room(SWEEP);
    let dir = here.path().join("run");
    run(&here.path().join("small.toml"), &dir, &[]);
    let (code, told, _) = reproduce(&dir, &[]);
    assert_eq!((code, &told["agrees"], &told["build"]["same"]), (0, &true.into(), &true.into()));
    assert_eq!(told["digest"], told["digest_repeated"]);
    // Another build is named, and hides nothing.
    edit_json(&dir.join("manifest.json"), |manifest| {
        manifest["observed"]["build"]["executable_blake3"] = "0123456789abcdef".into();
    });
    let (code, told, _) = reproduce(&dir, &[]);
    assert_eq!((code, &told["build"]["same"]), (0, &false.into()));
    assert!(told["build"]["then"].as_str().unwrap().contains("0123456789ab"));
    morta().arg("reproduce").arg(&dir).printed_with(&["by ANOTHER build"]);
    flip_a_bit(&dir.join("lives.parquet"));
    let (code, told, _) = reproduce(&dir, &[]);
    assert_eq!(
        (code, &told["agrees"], &told["changed"]),
        (1, &false.into(), &serde_json::json!(["lives.parquet"]))
    );
}

#[test]
fn a_sweep_is_sampled_evenly_and_the_same_each_time() {
    let (_here, out, _) = room::swept(SWEEP, &[]);
    let (code, told, _) = reproduce(&out, &[]);
    assert_eq!((code, &told["agrees"], &told["cells"]), (0, &true.into(), &12.into()));
    let hashes = |told: &Value| -> Vec<String> {
        let checked = told["checked"].as_array().unwrap();
        checked.iter().map(|cell| cell["cell"].as_str().unwrap().to_owned()).collect()
    };
    let sampled = hashes(&told);
    assert_eq!((sampled.len(), hashes(&reproduce(&out, &[]).1)), (5, sampled.clone()));
    let names: Vec<String> =
        cells(&out).iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    let places: Vec<usize> =
        sampled.iter().map(|hash| names.iter().position(|name| name == hash).unwrap()).collect();
    assert_eq!(places, [1, 3, 6, 8, 10]);
    let (code, told, _) = reproduce(&out, &["--all"]);
    assert_eq!((code, hashes(&told)), (0, names.clone()));
    assert_eq!(hashes(&reproduce(&out, &["--sample", "99"]).1).len(), 12);

    // A digest, a measure, a row and a table that were tampered with are each found.
    let cell = cells(&out)[0].join("cell.json");
    let sound = fs::read(&cell).unwrap();
    edit_json(&cell, |cell| cell["outcome"]["done"]["digest"] = "0".repeat(64).into());
    let differences = |told: &Value| told["checked"][0]["differences"].to_string();
    let (code, told, _) = reproduce(&out, &["--all"]);
    assert!(code == 1 && differences(&told).contains("the digest was 0000"), "{told}");
    fs::write(&cell, &sound).unwrap();
    edit_json(&cell, |cell| cell["outcome"]["done"]["cohorts"][0]["measures"]["births"] = 1.0.into());
    let (code, told, _) = reproduce(&out, &["--all"]);
    assert!(code == 1 && differences(&told).contains("births of all was 1"), "{told}");
    fs::write(&cell, &sound).unwrap();
    let results = out.join("results.csv");
    let table = fs::read_to_string(&results).unwrap();
    let name = serde_json::from_slice::<Value>(&sound).unwrap();
    let start = format!("{},{},all,", name["arm"].as_str().unwrap(), name["seed"]);
    fs::write(&results, table.replace(&format!("{start},done"), &format!("{start},spoilt"))).unwrap();
    let (code, told, _) = reproduce(&out, &["--all"]);
    assert!(code == 1 && differences(&told).contains("outcome in results.csv is spoilt"), "{told}");
    assert_eq!(told["changed_files"], serde_json::json!(["results.csv"]));
}

/// Axes over lists and optional keys, failed cells and whole runs inside cells.
#[test]
fn every_kind_of_cell_is_put_together_again() {
    let text = SWEEP.replace("dream.replay.prioritization = \"uniform\"", FAULT);
    let text =
        text.replace("golem.risk_per_trade", "cohorts.bardo.dreams").replace("[0.01, 0.04]", "[false, true]");
    let text = text.replace("utility/risk=0.01", "utility/risk=false");
    let here = room(&text.replace("[seeds]", "[record]\nruns = true\n[seeds]"));
    let (code, told, _) = room::sweep(here.path(), &["--out", "out", "--seeds", "2"]);
    assert_eq!((code, &told["failed"], &told["done"]), (1, &4.into(), &4.into()));
    let out = here.path().join("out");
    let (code, told, said) = reproduce(&out, &["--all"]);
    assert_eq!((code, &told["disagree"]), (0, &0.into()), "{told} {said}");
}

#[test]
fn what_cant_be_reproduced_says_why() {
    let here = room(SWEEP);
    let refused = |dir: &Path, flags: &[&str], why: &str| {
        morta().arg("reproduce").arg(dir).args(flags).refused_with(&[why]);
    };
    refused(here.path(), &[], "this is not a run folder");
    refused(&here.path().join("nothing"), &[], "there is no such folder");
    let dir = here.path().join("run");
    run(&here.path().join("small.toml"), &dir, &["--ticks", "30"]);
    refused(&dir, &["--all"], "--all");
    refused(&dir, &["--sample", "3"], "is a run, which is lived through as a whole");
    refused(&dir, &["--sample", "0"], "--sample");
    done(here.path(), &["--out", "out", "--seeds", "2"]);
    let out = here.path().join("out");
    for cell in cells(&out) {
        fs::remove_dir_all(cell).unwrap();
    }
    refused(&out, &[], "no cell of this sweep has ended here");
    fs::write(out.join("sweep.json"), "{").unwrap();
    refused(&out, &[], "is damaged");
}

/// Cells start from what the scenario says, each from the same; what they start from is part of what they are.
#[test]
fn a_sweep_starts_from_a_lethe() {
    let here = room(SWEEP);
    let scenario = here.path().join("small.toml");
    let ancestor = here.path().join("ancestor");
    let more = ["--ticks", "300", "--seed", "3"];
    let left = run(&scenario, &ancestor, &more)["bloodstains_left"].as_u64().unwrap();
    assert!(left > 0);
    let text =
        SWEEP.replace("[seeds]", "set = { lethe.start_from = \"ancestor\" }\n[record]\nruns = true\n[seeds]");
    fs::write(here.path().join("try.toml"), &text).unwrap();
    done(here.path(), &["--out", "out", "--seeds", "2"]);
    let rows = room::results(&here.path().join("out"));
    let cell = room::row(&rows, "uniform/risk=0.04", "6", "all");
    let start = format!("lethe.start_from={}", ancestor.display());
    let flags =
        ["--seed", "6", "--set", "golem.risk_per_trade=0.04", "--set", "dream.replay.prioritization=uniform"];
    let alone = run(&scenario, &here.path().join("alone"), &[&flags[..], &["--set", &start]].concat());
    assert_eq!(cell["digest"], alone["digest"].as_str().unwrap(), "a cell is a run");
    let without = run(&scenario, &here.path().join("without"), &flags);
    assert_ne!(alone["digest"], without["digest"], "what it starts from makes a difference");
    let out = here.path().join("out");
    morta().current_dir(here.path()).args(["reproduce", "out", "--all"]).assert().success();
    morta().current_dir(here.path()).arg("verify").arg(cells(&out)[0].join("run")).assert().success();
    // A Lethe that has grown is another one.
    let add = |seed: &str| {
        let lasting = here.path().join("lasting").display().to_string();
        let flags = ["--ticks", "300", "--seed", seed, "--lethe", &lasting];
        assert!(run(&scenario, &here.path().join(seed), &flags)["bloodstains_left"].as_u64().unwrap() > 0);
    };
    add("4");
    let text = text.replace("\"ancestor\"", "\"lasting\"");
    fs::write(here.path().join("try.toml"), &text).unwrap();
    done(here.path(), &["--out", "grown", "--seeds", "2"]);
    add("5");
    let (code, _, said) = room::sweep(here.path(), &["--out", "grown", "--seeds", "2", "--resume"]);
    assert!(code == 2 && said.contains("scenario.lethe.start_from was"), "{said}");
    let (code, told, _) = morta().current_dir(here.path()).args(["reproduce", "grown", "--json"]).ended();
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((code, told["changed_arms"].as_array().unwrap().len()), (1, 4));
}

#[test]
fn the_cells_of_a_sweep_add_to_no_lethe() {
    for (place, text) in [
        ("set.lethe.persist", SWEEP.replace("[seeds]", "set = { lethe.persist = \"x\" }\n[seeds]")),
        ("arm", SWEEP.replace("dream.replay.prioritization = \"uniform\"", "lethe.persist = \"x\"")),
    ] {
        let here = room(&text);
        room::command(here.path(), &["--out", "out"]).refused_with(&["lethe.persist", "leave it out"]);
        assert!(!here.path().join("out").exists() && !here.path().join("x").exists(), "{place}");
    }
    let here = room(&SWEEP.replace("[seeds]", "set = { lethe.start_from = \"gone\" }\n[seeds]"));
    room::command(here.path(), &["--out", "out"]).refused_with(&["lethe.start_from"]);
}
