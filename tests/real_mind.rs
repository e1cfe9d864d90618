//! Runs whose golems dream by a model outside the simulation: recorded, replayed, resumed, branched, inspected.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

mod common;
#[path = "common/loopback_model.rs"]
mod loopback_model;

use common::{morta, root, run};
use loopback_model::{Harm, LoopbackModel};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::atomic::Ordering;

const SHIPPED: &str = "scenarios/real-mind.toml";

/// Every call under way waits in a queue: six golems, rich dreams.
const SCENARIO: &str = r#"
name = "asked"
seed = 5
ticks = 300
[[cohorts]]
name = "bardo"
golems = 6
memory = "bardo"
[market]
tick_seconds = 3600
[[market.assets]]
symbol = "A"
source = { kind = "synthetic" }
[golem]
endowment_usdc = 500.0
[mortality]
hazard_scale = 200.0
[dream]
enabled = true
min_episodes = 5
dream_cycle_interval = 40
tier = "hardened"
schedule = { mode = "interval" }
budget = { per_cycle_max = 5.0, per_session_max = 50.0 }
[llm]
mode = "record"
model = "improviser"
[llm.endpoint]
concurrency = 16
timeout_seconds = 1.0
attempts = 40
backoff_seconds = 0.001
backoff_max_seconds = 0.01
breaker_failures = 200
"#;

fn scenario(dir: &Path) -> PathBuf {
    let path = dir.join("asked.toml");
    std::fs::write(&path, SCENARIO).unwrap();
    path
}

fn at(model: &LoopbackModel) -> String {
    format!("llm.endpoint.base_url=\"{}\"", model.base_url)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn digest(of: &Value) -> &str {
    of["digest"].as_str().unwrap()
}

/// The cassette that is shipped was recorded of a real model; from it the run is the same on any number of threads, as the plain loop, and
/// when it is verified.
#[test]
fn the_shipped_cassette_plays() {
    let room = tempfile::tempdir().unwrap();
    let shipped = root().join(SHIPPED);
    let out = |name: &str| room.path().join(name);
    let plain = run(&shipped, &out("plain"), &["--plain"]);
    for threads in ["1", "2", "8"] {
        let with = run(&shipped, &out(threads), &["--threads", threads]);
        assert_eq!(digest(&with), digest(&plain), "{threads} threads");
    }
    let cassette = |name: &str| std::fs::read(out(name).join("cassette.jsonl")).unwrap();
    assert_eq!(cassette("2"), cassette("plain"));
    morta().arg("verify").arg(out("2")).assert().success();
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(out("2").join("manifest.json")).unwrap()).unwrap();
    assert!(manifest["cassette"]["rows"].as_u64().unwrap() >= 20, "{}", manifest["cassette"]);
    // Somebody has touched what the model said.
    let text =
        String::from_utf8(cassette("2")).unwrap().replacen("\"output_tokens\":", "\"output_tokens\":1", 1);
    std::fs::write(out("2").join("cassette.jsonl"), text).unwrap();
    let output = morta().arg("verify").arg(out("2")).output().unwrap();
    assert_ne!(output.status.code(), Some(0), "{}", said(&output));
}

/// What isn't on the cassette is told with who asks, when and what, and what is nearest.
#[test]
fn a_miss_names_who_asks_what() {
    let output = morta().args(["run", SHIPPED, "--seed", "2", "--no-record"]).output().unwrap();
    let told = said(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    for part in ["golem L", "tick ", "nearest is call", "--llm record"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let output =
        morta().args(["run", SHIPPED, "--no-record", "--cassette", "nowhere.jsonl"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("nowhere.jsonl: the cassette can't be read"), "{}", said(&output));
    let output = morta().args(["run", SHIPPED, "--no-record", "--llm", "record"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}

#[test]
fn prompts_can_be_read() {
    let room = tempfile::tempdir().unwrap();
    let dir = room.path().join("run");
    run(&root().join(SHIPPED), &dir, &[]);
    let dream = |dir: &Path, more: &[&str]| {
        let dreams = morta().arg("inspect").arg(dir).args(["--json", "lives"]).output().unwrap();
        assert!(dreams.status.success());
        let found = (0..3).map(|lineage| {
            morta()
                .arg("inspect")
                .arg(dir)
                .args(["dream", &format!("L{lineage}.G0.D0")])
                .args(more)
                .output()
                .unwrap()
        });
        found.into_iter().find(|output| output.status.success())
    };
    let output = dream(&dir, &["--prompts"]).expect("somebody dreamt");
    let told = String::from_utf8(output.stdout).unwrap();
    for part in [
        "what it asked of the model",
        "| You are the mind of a mortal trading agent",
        "The form of the reply:",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let simulated = room.path().join("simulated");
    run(&root().join(SHIPPED), &simulated, &["--llm", "simulated"]);
    assert!(dream(&simulated, &[]).is_some(), "somebody dreams by the simulated model too");
    assert!(dream(&simulated, &["--prompts"]).is_none());
}

/// Hundreds of faults of all kinds change nothing: neither the digest nor the cassette.
#[test]
fn faults_of_the_endpoint_leave_no_trace() {
    let room = tempfile::tempdir().unwrap();
    let scenario = scenario(room.path());
    let (calm, wild) = (room.path().join("calm"), room.path().join("wild"));
    let model = LoopbackModel::start(Harm { unusable: 15, ..Harm::default() });
    let faultless = run(&scenario, &calm, &["--set", &at(&model)]);
    let asked = model.requests.load(Ordering::Relaxed);
    assert!(asked > 200, "{asked} requests");
    let model = LoopbackModel::start(Harm { unusable: 15, faults: 40, ..Harm::default() });
    let harmed = run(&scenario, &wild, &["--set", &at(&model)]);
    assert_eq!(digest(&harmed), digest(&faultless));
    let faults = model.faults.lock().unwrap().clone();
    assert!(faults.len() == 9 && faults.values().sum::<u64>() > 100, "{faults:?}");
    let cassette = |dir: &Path| std::fs::read(dir.join("cassette.jsonl")).unwrap();
    assert!(cassette(&calm) == cassette(&wild), "the cassettes differ");
    drop(model);
    // With nobody there: from the cassette, by actors.
    let again = room.path().join("again");
    let cassette = wild.join("cassette.jsonl");
    let more = ["--llm", "replay", "--cassette", cassette.to_str().unwrap(), "--threads", "2"];
    assert_eq!(digest(&run(&scenario, &again, &more)), digest(&faultless));
    morta().arg("verify").arg(&wild).assert().success();
}

/// When the endpoint is gone the run pauses with one line that says how to go on; gone on with, it is what it would have been, and
/// nothing is asked twice.
#[test]
fn a_run_whose_model_is_gone_is_resumed() {
    let room = tempfile::tempdir().unwrap();
    let scenario = scenario(room.path());
    let whole = room.path().join("whole");
    let model = LoopbackModel::start(Harm::default());
    let faultless = run(&scenario, &whole, &["--set", &at(&model)]);
    let asked = model.requests.load(Ordering::Relaxed);
    // The address must be the same when it is back, so the model is gone for a while only: every sixty requests it stays away.
    let dir = room.path().join("paused");
    let gone = LoopbackModel::start(Harm { gone_after: Some(120), ..Harm::default() });
    let set = at(&gone);
    let few = "llm.endpoint.attempts=2";
    let output = morta()
        .arg("run")
        .arg(&scenario)
        .arg("--out")
        .arg(&dir)
        .args(["--set", &set, "--set", few])
        .output()
        .unwrap();
    let told = said(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    let line = format!("nothing is lost, go on with `morta run --resume {}`", dir.display());
    assert!(told.contains(&line) && told.lines().count() <= 2, "{told}");
    assert!(dir.join("cassette.jsonl.partial").exists() && !dir.join("manifest.json").exists());
    // Still gone: nothing is lost by trying.
    let output = morta().arg("run").arg("--resume").arg(&dir).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let recorded = std::fs::read_to_string(dir.join("cassette.jsonl.partial")).unwrap().lines().count();
    assert!(recorded > 100, "{recorded} lines");
    // Another endpoint has the rest.
    let back = LoopbackModel::start(Harm::default());
    let resumed =
        morta().args(["run", "--json", "--endpoint", &back.base_url, "--resume"]).arg(&dir).output().unwrap();
    assert!(resumed.status.success(), "{}", said(&resumed));
    let resumed: Value = serde_json::from_slice(&resumed.stdout).unwrap();
    assert_eq!(digest(&resumed), digest(&faultless));
    let rest = back.requests.load(Ordering::Relaxed);
    assert!(rest + 100 < asked, "{rest} of {asked} requests were made again");
    let cassette = |dir: &Path| std::fs::read(dir.join("cassette.jsonl")).unwrap();
    assert!(cassette(&dir) == cassette(&whole), "the cassettes differ");
    morta().arg("verify").arg(&dir).assert().success();
}

/// A branch plays the run's cassette; with another model it needs leave to ask, and the model is then the only difference.
#[test]
fn a_branch_lives_on_with_another_model() {
    let room = tempfile::tempdir().unwrap();
    let scenario = scenario(room.path());
    let dir = room.path().join("run");
    let model = LoopbackModel::start(Harm { unusable: 15, ..Harm::default() });
    run(&scenario, &dir, &["--set", &at(&model)]);
    let asked = model.requests.load(Ordering::Relaxed);
    let branch = |out: &str, more: &[&str]| {
        morta()
            .arg("branch")
            .arg(&dir)
            .args(["--at", "150", "--out"])
            .arg(room.path().join(out))
            .args(more)
            .output()
            .unwrap()
    };
    let output = branch("refused", &["--set", "llm.model=other"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("--llm record"), "{}", said(&output));
    assert_eq!(model.requests.load(Ordering::Relaxed), asked, "nothing was asked");
    let output = branch("other", &["--set", "llm.model=other", "--llm", "record", "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_ne!(report["control_digest"], report["branch_digest"]);
    assert!(model.requests.load(Ordering::Relaxed) > asked);
    drop(model);
    morta().arg("verify").arg(room.path().join("other")).assert().success();
}

/// The key goes to the endpoint and nowhere else.
#[test]
fn no_artefact_has_the_key() {
    const KEY: &str = "sk-morta-7f3e9c51d2b84a60";
    let room = tempfile::tempdir().unwrap();
    let scenario = scenario(room.path());
    let model = LoopbackModel::start(Harm { faults: 30, unusable: 20, gone_after: Some(150) });
    let dir = room.path().join("run");
    let output = morta()
        .env("MORTA_TEST_KEY", KEY)
        .env("RUST_LOG", "trace")
        .arg("run")
        .arg(&scenario)
        .arg("--out")
        .arg(&dir)
        .args(["--set", &at(&model), "--set", "llm.endpoint.api_key_env=\"MORTA_TEST_KEY\""])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let keys = model.keys.lock().unwrap().clone();
    assert!(keys.len() > 100 && keys.iter().all(|header| header.ends_with(KEY)), "{:?}", keys.first());
    let mut texts = vec![output.stdout, output.stderr];
    let mut folders = vec![room.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { texts.push(std::fs::read(path).unwrap()) }
        }
    }
    assert!(texts.len() > 5);
    assert!(
        texts.iter().all(|text| !text.windows(KEY.len()).any(|part| part == KEY.as_bytes())),
        "the key is in an artefact"
    );
    let output = morta()
        .args([
            "run",
            SHIPPED,
            "--llm",
            "live",
            "--no-record",
            "--set",
            "llm.endpoint.api_key_env=\"MORTA_NO_SUCH_KEY\"",
        ])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("MORTA_NO_SUCH_KEY"), "{}", said(&output));
}
