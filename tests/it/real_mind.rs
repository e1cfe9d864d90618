//! Runs whose golems dream by a model outside the simulation: recorded, replayed, resumed, branched, inspected.

use crate::common::{
    Program as _, Text as _, files_below, lived, manifest, morta, replace_in, root, run, said, written,
};
use crate::loopback_model::{Harm, LoopbackModel};
use morta_engine::event::EventKind;
use morta_lab::RunFolder;
use morta_lab::run_folder::events::{EventFilter, collect_events};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

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

fn cassette(run: &Path) -> String {
    std::fs::read_to_string(run.join("cassette.jsonl")).unwrap()
}

fn at(model: &LoopbackModel) -> String {
    format!("llm.endpoint.base_url=\"{}\"", model.base_url)
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
    assert_eq!(cassette(&out("2")), cassette(&out("plain")));
    morta().arg("verify").arg(out("2")).assert().success();
    let told = &manifest(&out("2"))["cassette"];
    assert!(told["rows"].as_u64().unwrap() >= 20, "{told}");
    // Somebody has touched what the model said.
    replace_in(&out("2").join("cassette.jsonl"), "\"output_tokens\":", "\"output_tokens\":1");
    morta().arg("verify").arg(out("2")).assert().failure();
}

/// The file to copy for a model of one's own reaches a server as it stands: with its key, for each of its models.
#[test]
fn the_file_for_a_model_of_ones_own_reaches_it() {
    let room = tempfile::tempdir().unwrap();
    let model = LoopbackModel::start(Harm::default());
    let out = room.path().join("own");
    let mut command = morta();
    command.env("OPENAI_API_KEY", "shibboleth").args(["run", "scenarios/own-model.toml", "--llm", "record"]);
    command.args(["--set", &at(&model)]).arg("--out").arg(&out).assert().success();
    assert!(model.server.keys.lock().unwrap().iter().all(|line| line.ends_with("Bearer shibboleth")));
    cassette(&out).must_have(&["\"gpt-5-nano\"", "\"gpt-5-mini\"", "\"gpt-5\""]);
    assert!(model.asked() > 40);
}

/// What isn't on the cassette is told with who asks, when and what, and what is nearest.
#[test]
fn a_miss_names_who_asks_what() {
    let lost = ["golem L", "tick ", "nearest is call", "--llm record"];
    morta().args(["run", SHIPPED, "--seed", "2", "--no-record"]).refused_with(&lost);
    let lost = ["nowhere.jsonl: the cassette can't be read"];
    morta().args(["run", SHIPPED, "--no-record", "--cassette", "nowhere.jsonl"]).refused_with(&lost);
    morta().args(["run", SHIPPED, "--no-record", "--llm", "record"]).refusal();
}

#[test]
fn prompts_can_be_read() {
    let (room, dir) = lived(SHIPPED, &[]);
    let dream = |dir: &Path, more: &[&str]| {
        morta().arg("inspect").arg(dir).args(["--json", "lives"]).printed();
        let dreams = (0..3).map(|lineage| format!("L{lineage}.G0.D0"));
        let mut found =
            dreams.map(|dream| morta().arg("inspect").arg(dir).args(["dream", &dream]).args(more).ended());
        found.find_map(|(code, out, _)| (code == 0).then_some(out))
    };
    let told = dream(&dir, &["--prompts"]).expect("somebody dreamt");
    told.must_have(&[
        "what it asked of the model",
        "| You are the mind of a mortal trading agent",
        "The form of the reply:",
    ]);
    let simulated = room.path().join("simulated");
    run(&root().join(SHIPPED), &simulated, &["--llm", "simulated"]);
    assert!(dream(&simulated, &[]).is_some(), "somebody dreams by the simulated model too");
    assert!(dream(&simulated, &["--prompts"]).is_none());
}

/// Hundreds of faults of all kinds change nothing: neither the digest nor the cassette.
#[test]
fn faults_of_the_endpoint_leave_no_trace() {
    let (room, scenario) = written("asked.toml", SCENARIO);
    let (calm, wild) = (room.path().join("calm"), room.path().join("wild"));
    let model = LoopbackModel::start(Harm { unusable: 15, ..Harm::default() });
    let faultless = run(&scenario, &calm, &["--set", &at(&model)]);
    let asked = model.asked();
    assert!(asked > 200, "{asked} requests");
    let model = LoopbackModel::start(Harm { unusable: 15, faults: 40, ..Harm::default() });
    let harmed = run(&scenario, &wild, &["--set", &at(&model)]);
    assert_eq!(digest(&harmed), digest(&faultless));
    let faults = model.server.faults.lock().unwrap().clone();
    assert!(faults.len() == 9 && faults.values().sum::<u64>() > 100, "{faults:?}");
    assert!(cassette(&calm) == cassette(&wild), "the cassettes differ");
    drop(model);
    // With nobody there: from the cassette, by actors.
    let again = room.path().join("again");
    let kept = wild.join("cassette.jsonl");
    let more = ["--llm", "replay", "--cassette", kept.to_str().unwrap(), "--threads", "2"];
    assert_eq!(digest(&run(&scenario, &again, &more)), digest(&faultless));
    morta().arg("verify").arg(&wild).assert().success();
}

/// When the endpoint is gone the run pauses with one line that says how to go on; gone on with, it is what it would have been, and
/// nothing is asked twice.
#[test]
fn a_run_whose_model_is_gone_is_resumed() {
    let (room, scenario) = written("asked.toml", SCENARIO);
    let whole = room.path().join("whole");
    let model = LoopbackModel::start(Harm::default());
    let faultless = run(&scenario, &whole, &["--set", &at(&model)]);
    let asked = model.asked();
    // The address must be the same when it is back, so the model is gone for a while only: every sixty requests it stays away.
    let dir = room.path().join("paused");
    let gone = LoopbackModel::start(Harm { gone_after: Some(120), ..Harm::default() });
    let set = at(&gone);
    let few = "llm.endpoint.attempts=2";
    let mut pausing = morta();
    pausing.arg("run").arg(&scenario).arg("--out").arg(&dir).args(["--set", &set, "--set", few]);
    let (code, _, told) = pausing.ended();
    assert_eq!(code, 1, "{told}");
    let line = format!("nothing is lost, go on with `morta run --resume {}`", dir.display());
    assert!(told.contains(&line) && told.lines().count() <= 2, "{told}");
    assert!(dir.join("cassette.jsonl.partial").exists() && !dir.join("manifest.json").exists());
    // Still gone: nothing is lost by trying.
    morta().arg("run").arg("--resume").arg(&dir).assert().code(1);
    let recorded = std::fs::read_to_string(dir.join("cassette.jsonl.partial")).unwrap().lines().count();
    assert!(recorded > 100, "{recorded} lines");
    // Another endpoint has the rest.
    let back = LoopbackModel::start(Harm::default());
    let resumed = morta().args(["run", "--json", "--endpoint", &back.base_url, "--resume"]).arg(&dir).json();
    assert_eq!(digest(&resumed), digest(&faultless));
    let rest = back.asked();
    assert!(rest + 100 < asked, "{rest} of {asked} requests were made again");
    assert!(cassette(&dir) == cassette(&whole), "the cassettes differ");
    morta().arg("verify").arg(&dir).assert().success();
}

/// A branch plays the run's cassette; with another model it needs leave to ask, and the model is then the only difference.
#[test]
fn a_branch_lives_on_with_another_model() {
    let (room, scenario) = written("asked.toml", SCENARIO);
    let dir = room.path().join("run");
    let model = LoopbackModel::start(Harm { unusable: 15, ..Harm::default() });
    run(&scenario, &dir, &["--set", &at(&model)]);
    let asked = model.asked();
    let branch = |out: &str, more: &[&str]| {
        let mut branch = morta();
        branch.arg("branch").arg(&dir).args(["--at", "150", "--out"]).arg(room.path().join(out)).args(more);
        branch
    };
    branch("refused", &["--set", "llm.model=other"]).refused_with(&["--llm record"]);
    assert_eq!(model.asked(), asked, "nothing was asked");
    let report = branch("other", &["--set", "llm.model=other", "--llm", "record", "--json"]).json();
    assert_ne!(report["control_digest"], report["branch_digest"]);
    assert!(model.asked() > asked);
    drop(model);
    morta().arg("verify").arg(room.path().join("other")).assert().success();
}

/// The key goes to the endpoint and nowhere else.
#[test]
fn no_artefact_has_the_key() {
    const KEY: &str = "sk-morta-7f3e9c51d2b84a60";
    let (room, scenario) = written("asked.toml", SCENARIO);
    let model = LoopbackModel::start(Harm { faults: 30, unusable: 20, gone_after: Some(150) });
    let dir = room.path().join("run");
    let mut command = morta();
    command.env("MORTA_TEST_KEY", KEY).env("RUST_LOG", "trace");
    command.arg("run").arg(&scenario).arg("--out").arg(&dir);
    command.args(["--set", &at(&model), "--set", "llm.endpoint.api_key_env=\"MORTA_TEST_KEY\""]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let keys = model.server.keys.lock().unwrap().clone();
    assert!(keys.len() > 100 && keys.iter().all(|header| header.ends_with(KEY)), "{:?}", keys.first());
    let mut texts = vec![output.stdout, output.stderr];
    texts.extend(files_below(room.path()).iter().map(|path| std::fs::read(path).unwrap()));
    assert!(texts.len() > 5);
    assert!(
        texts.iter().all(|text| !text.windows(KEY.len()).any(|part| part == KEY.as_bytes())),
        "the key is in an artefact"
    );
    let no_key = ["--set", "llm.endpoint.api_key_env=\"MORTA_NO_SUCH_KEY\""];
    let live = ["run", SHIPPED, "--llm", "live", "--no-record"];
    morta().args(live).args(no_key).refused_with(&["MORTA_NO_SUCH_KEY"]);
}

/// Feelings and what OpenClaw makes of its themes are asked of the model like everything else, and had again from the cassette. A cassette is cut
/// down to the calls of a run.
#[test]
fn feelings_and_reflections_are_asked_of_the_model() {
    let (room, scenario) = written("asked.toml", SCENARIO);
    let model = LoopbackModel::start(Harm { unusable: 15, ..Harm::default() });
    let asked_about = |dir: &Path| {
        let events = collect_events(&RunFolder::open(dir).unwrap(), EventFilter::default()).unwrap();
        let mut tasks = BTreeMap::<String, usize>::new();
        for event in events {
            if let EventKind::ModelCalled(call) = event.kind {
                *tasks.entry(call.task).or_default() += 1;
            }
        }
        tasks
    };
    let chain = room.path().join("chain");
    let none = "cohorts=[{ name = \"none\", golems = 4, memory = \"none\" }]";
    let mode = "daimon.mode=\"chain\"";
    run(&scenario, &chain, &["--set", &at(&model), "--set", none, "--set", mode]);
    let tasks = asked_about(&chain);
    let felt = tasks.len() == 1 && tasks["appraise"] > 40;
    assert!(felt, "golems without memory are asked how they feel: {tasks:?}");
    morta().arg("verify").arg(&chain).assert().success();
    let rem = room.path().join("rem");
    let cohort = "cohorts=[{ name = \"openclaw\", golems = 4, memory = \"openclaw\" }]";
    let settings = [
        &at(&model),
        cohort,
        "ticks=600",
        "memory.openclaw.reflection=\"model\"",
        "memory.openclaw.time_scale=20.0",
        "memory.openclaw.dreaming.rem.minPatternStrength=0.3",
    ];
    run(&scenario, &rem, &settings.map(|setting| ["--set", setting]).concat());
    let tasks = asked_about(&rem);
    assert!(tasks.len() == 1 && tasks["reflect"] >= 2, "{tasks:?}");
    morta().arg("verify").arg(&rem).assert().success();
    // Of both runs' calls, those of one.
    let (all, one) = (room.path().join("all.jsonl"), room.path().join("one.jsonl"));
    let lines = |text: &str| text.lines().count();
    let cassettes = [&chain, &rem].map(|dir| dir.join("cassette.jsonl"));
    morta().args(["cassette", "merge", "--out"]).arg(&all).args(&cassettes).printed();
    let merged = std::fs::read_to_string(&all).unwrap();
    assert_eq!(lines(&merged) + 1, lines(&cassette(&chain)) + lines(&cassette(&rem)));
    morta().args(["cassette", "prune"]).arg(&all).arg("--run").arg(&rem).arg("--out").arg(&one).printed();
    assert_eq!(std::fs::read_to_string(&one).unwrap(), cassette(&rem));
}

/// Golems that sleep between trades, of memories summed up. As golems sleep by default, two recordings of these worlds sometimes differ by a call or two
/// on a busy machine, though all runs are the same to the digest; why isn't known yet.
const SLEEP: &str = "dream.schedule.position_is_pending = true\nmemory.bardo = { pooling = \"sum\", recall = { age_half_life_ticks = 0.0 } }";

/// The cells of a sweep share a recording: what two arms ask before they part is asked once. When the model is gone the sweep pauses and is
/// gone on with; its recording plays to the same, with nobody there.
#[test]
fn a_sweep_records_once_for_all_its_arms() {
    let (room, scenario) = written("asked.toml", SCENARIO);
    let file = |name: &str, llm: &str| {
        let path = room.path().join(name);
        let text = format!(
            "name = \"s\"\nscenario = {:?}\nseeds = {{ first = 5, count = 2 }}\n[set]\nticks = 150\nllm = {llm}\n{SLEEP}\n[[arms]]\nname = \
             \"a\"\n[[arms]]\nname = \"b\"\nset = {{ mortality.hazard_scale = 201.0 }}\n",
            scenario.display().to_string()
        );
        std::fs::write(&path, text).unwrap();
        path
    };
    let sweep = |file: &Path, dir: &str, more: &[&str]| {
        morta().arg("sweep").arg(file).arg("--out").arg(room.path().join(dir)).args(more).output().unwrap()
    };
    let rows = |dir: &str| std::fs::read_to_string(room.path().join(dir).join("results.csv")).unwrap();
    let recording = |model: &LoopbackModel| {
        let endpoint = format!("{{ base_url = {:?}, attempts = 2 }}", model.base_url);
        format!("{{ mode = \"record\", model = \"improviser\", endpoint = {endpoint} }}")
    };
    let model = LoopbackModel::start(Harm::default());
    let whole = sweep(&file("whole.toml", &recording(&model)), "whole", &[]);
    assert!(whole.status.success(), "{}", said(&whole));
    let asked = model.asked() as usize;
    let recorded_once = cassette(&room.path().join("whole"));
    let kept = recorded_once.lines().count() - 1;
    assert_eq!(asked, kept, "each call once");
    let alone = ["200.0", "201.0"].map(|scale| {
        let dir = room.path().join(format!("alone-{scale}"));
        let hazard = format!("mortality.hazard_scale={scale}");
        run(&scenario, &dir, &["--ticks", "150", "--set", &at(&model), "--set", &hazard]);
        cassette(&dir).lines().count() - 1
    });
    let alone: usize = alone.iter().sum();
    assert!(kept < 2 * alone, "{kept} calls in two worlds, {alone} by two arms in one of them");
    drop(model);
    let played = room.path().join("whole/cassette.jsonl").display().to_string();
    let played = format!("{{ mode = \"replay\", model = \"improviser\", cassette = {played:?} }}");
    let played = sweep(&file("play.toml", &played), "played", &[]);
    assert!(played.status.success(), "{}", said(&played));
    let digests = |text: &str| -> Vec<String> {
        let cells = text.lines().flat_map(|line| line.split(','));
        cells.filter(|cell| cell.len() == 64).map(str::to_owned).collect()
    };
    assert_eq!(digests(&rows("played")), digests(&rows("whole")));
    morta().arg("reproduce").arg(room.path().join("whole")).args(["--sample", "2"]).assert().success();
    // The model goes, comes back, and isn't asked again what it has said.
    let gone = LoopbackModel::start(Harm { gone_after: Some(asked as u64 / 2), ..Harm::default() });
    let paused = sweep(&file("paused.toml", &recording(&gone)), "paused", &[]);
    assert_eq!(paused.status.code(), Some(1), "{}", said(&paused));
    assert!(said(&paused).contains("go on with --resume"), "{}", said(&paused));
    let journal = std::fs::read_to_string(room.path().join("paused/cassette.jsonl.partial"));
    let recorded = journal.unwrap().lines().count();
    assert!(recorded > asked / 4, "{recorded} of {asked}");
    let back = LoopbackModel::start(Harm::default());
    let resumed =
        sweep(&file("paused.toml", &recording(&gone)), "paused", &["--resume", "--endpoint", &back.base_url]);
    assert!(resumed.status.success(), "{}", said(&resumed));
    assert_eq!(digests(&rows("paused")), digests(&rows("whole")));
    let asked_again = back.asked() as usize;
    assert_eq!(asked_again + recorded - 1, asked, "nothing is asked twice");
    assert_eq!(cassette(&room.path().join("paused")), recorded_once);
}
