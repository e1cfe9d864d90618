//! Several processes on one folder or store, and processes that are told to stop: nothing looks whole that isn't, and nothing is lost.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

mod common;

use common::{morta, root, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// Set `MORTA_RACES` for more rounds than the suite has time for.
fn rounds() -> u64 {
    std::env::var("MORTA_RACES").ok().and_then(|text| text.parse().ok()).unwrap_or(20)
}

fn scenario() -> PathBuf {
    root().join("scenarios/quickstart.toml")
}

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_morta"));
    command.current_dir(root()).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn resume(dir: &Path) -> Child {
    program(&["run", "--json", "--resume"]).arg(dir).spawn().unwrap()
}

fn begin(dir: &Path, ticks: &str) -> Child {
    let mut begin = program(&["run", "--json", "--checkpoint-every", "20", "--set", ticks, "--out"]);
    begin.arg(dir).arg(scenario()).spawn().unwrap()
}

fn wait_for(path: &Path) {
    let begun = std::time::Instant::now();
    while !path.exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{} never came", path.display());
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let there = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &there);
        } else {
            fs::copy(&path, &there).unwrap();
        }
    }
}

/// Every file of a finished run but the manifest, which tells of the time. Where a Lethe lies in its blocks is up to its library.
fn tables(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let paths = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.is_file() && !path.ends_with("manifest.json")).collect();
    files.sort();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
}

/// A folder with a manifest holds a whole run, and nothing besides.
fn assert_whole(dir: &Path, expected: &[(String, Vec<u8>)], how: &str) {
    assert!(dir.join("manifest.json").exists(), "{how}");
    let found = tables(dir);
    let names = |tables: &[(String, Vec<u8>)]| -> Vec<String> {
        tables.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&found), names(expected), "{how}");
    assert!(found == expected, "{how}: the bytes differ");
}

/// One of them does the work; whoever comes second is told so and changes nothing.
fn assert_one_worked(outputs: &[Output], how: &str) {
    let codes: Vec<_> = outputs.iter().map(|output| output.status.code()).collect();
    let told: Vec<String> = outputs.iter().map(said).collect();
    assert_eq!(codes.iter().filter(|code| **code == Some(0)).count(), 1, "{how}: {codes:?} {told:?}");
    for output in outputs.iter().filter(|output| output.status.code() != Some(0)) {
        let said = said(output);
        let is_plain = said.contains("another process is writing") || said.contains("this run has ended");
        assert!(output.status.code() == Some(2) && is_plain && said.lines().count() == 1, "{how}: {said}");
    }
}

const TICKS: &str = "ticks=240";

fn expected(room: &Path) -> Vec<(String, Vec<u8>)> {
    let whole = room.join("whole");
    run(&scenario(), &whole, &["--set", TICKS, "--checkpoint-every", "20"]);
    tables(&whole)
}

#[test]
fn two_that_resume_one_run_are_one_at_a_time() {
    let room = tempfile::tempdir().unwrap();
    let expected = expected(room.path());
    let cut = room.path().join("cut");
    let mut child = begin(&cut, TICKS);
    wait_for(&cut.join("checkpoint/state.bin"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(cut.join("checkpoint").exists(), "the machine is too fast for this test: lengthen the run");
    for round in 0..rounds() {
        let dir = room.path().join("raced");
        copy(&cut, &dir);
        let first = resume(&dir);
        std::thread::sleep(Duration::from_millis(17 * round % 120));
        let second = resume(&dir);
        let outputs = [first, second].map(|child| child.wait_with_output().unwrap());
        assert_one_worked(&outputs, &format!("round {round}"));
        assert_whole(&dir, &expected, &format!("round {round}"));
        fs::remove_dir_all(&dir).unwrap();
    }
}

#[test]
fn a_run_that_goes_on_cant_be_resumed_meanwhile() {
    let room = tempfile::tempdir().unwrap();
    let expected = expected(room.path());
    for round in 0..rounds() {
        let dir = room.path().join("raced");
        let original = begin(&dir, TICKS);
        wait_for(&dir.join("checkpoint/plan.json"));
        std::thread::sleep(Duration::from_millis(23 * round % 150));
        let outputs = [original, resume(&dir)].map(|child| child.wait_with_output().unwrap());
        assert_eq!(outputs[0].status.code(), Some(0), "round {round}: {}", said(&outputs[0]));
        assert_one_worked(&outputs, &format!("round {round}"));
        assert_whole(&dir, &expected, &format!("round {round}"));
        fs::remove_dir_all(&dir).unwrap();
    }
}

#[test]
fn two_runs_into_one_folder_are_one_run() {
    let room = tempfile::tempdir().unwrap();
    let expected = expected(room.path());
    for round in 0..rounds() / 2 {
        let dir = room.path().join("raced");
        let outputs = [begin(&dir, TICKS), begin(&dir, TICKS)].map(|child| child.wait_with_output().unwrap());
        let codes = outputs.each_ref().map(|output| output.status.code());
        let told = outputs.each_ref().map(said);
        assert!(codes.contains(&Some(0)) && codes.contains(&Some(2)), "round {round}: {codes:?} {told:?}");
        assert_whole(&dir, &expected, &format!("round {round}"));
        fs::remove_dir_all(&dir).unwrap();
    }
}

const SWEEP: &str = r#"
name = "raced"
scenario = "SCENARIO"
design = "grid"

[seeds]
first = 1
count = 3

[[axes]]
key = "golem.risk_per_trade"
name = "risk"
values = [0.01, 0.02]
"#;

/// Of sweeps into one folder at once one lives the cells, and what is there in the end is whole.
/// Nobody has named a folder: each finds one of its own, and what can't be lived leaves none behind.
#[test]
fn runs_begun_at_once_have_each_their_folder() {
    let room = tempfile::tempdir().unwrap();
    let begin = |more: &[&str]| {
        let mut run = program(&["run", "--json", "--ticks", "40"]);
        run.current_dir(room.path()).arg(scenario()).args(more).spawn().unwrap()
    };
    let begun: Vec<Child> = (0..6).map(|_| begin(&[])).collect();
    for run in begun {
        let output = run.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
    }
    let folders = || fs::read_dir(room.path().join("runs")).unwrap().count();
    assert_eq!(folders(), 6);
    let refused =
        begin(&["--checkpoint-every", "20", "--set", "lethe.persist=\"x\""]).wait_with_output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    assert!(said(&refused).contains("lethe.persist"), "{}", said(&refused));
    assert_eq!(folders(), 6);
}

#[test]
fn sweeps_into_one_folder_are_one_at_a_time() {
    let room = tempfile::tempdir().unwrap();
    let file = room.path().join("sweep.toml");
    let scenario = fs::read_to_string(scenario()).unwrap();
    let scenario = scenario.replace("../sim-data", root().join("sim-data").to_str().unwrap());
    fs::write(room.path().join("short.toml"), scenario.replace("ticks = 6000", "ticks = 40")).unwrap();
    fs::write(&file, SWEEP.replace("SCENARIO", "short.toml")).unwrap();
    for round in 0..rounds() / 4 {
        let dir = room.path().join("raced");
        let sweep = |more: &[&str]| {
            let mut sweep = program(&["sweep", "--json", "--out"]);
            sweep.arg(&dir).arg(&file).args(more).spawn().unwrap()
        };
        let first = sweep(&[]);
        std::thread::sleep(Duration::from_millis(37 * round % 200));
        let outputs = [first, sweep(&["--resume"]), sweep(&["--resume"])];
        let outputs = outputs.map(|child| child.wait_with_output().unwrap());
        let told = outputs.each_ref().map(|output| (output.status.code(), said(output)));
        assert!(told.iter().any(|(code, _)| *code == Some(0)), "round {round}: {told:?}");
        for (code, said) in &told {
            let is_plain =
                said.contains("another process is running") || said.contains("holds a sweep already");
            assert!(*code == Some(0) || (*code == Some(2) && is_plain), "round {round}: {told:?}");
        }
        let manifest = fs::read(dir.join("sweep.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
        assert_eq!(
            (&manifest["status"], manifest["cells"]["done"].as_u64()),
            (&"complete".into(), Some(6)),
            "{told:?}"
        );
        assert!(!dir.join("lock").exists());
        fs::remove_dir_all(&dir).unwrap();
    }
}

/// Reports of one run at once: each succeeds, and the page is one of them.
#[test]
fn reports_at_once_all_succeed() {
    let room = tempfile::tempdir().unwrap();
    let dir = room.path().join("run");
    run(&scenario(), &dir, &["--set", "ticks=60"]);
    let page = room.path().join("page.html");
    let report = || program(&["report"]).arg(&dir).arg("--out").arg(&page).spawn().unwrap();
    let reports: Vec<Child> = (0..4).map(|_| report()).collect();
    for child in reports {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
    }
    assert!(fs::read_to_string(&page).unwrap().trim_end().ends_with("</html>"));
    assert_eq!(fs::read_dir(room.path()).unwrap().count(), 2, "nothing half done is left");
}

fn trade(number: u32) -> String {
    format!(
        "{{\"id\": \"t{number}\", \"timestamp\": \"2026-01-01T00:00:00Z\", \"symbol\": \"XAUUSD\", \
         \"strategy_name\": \"breakout\", \"direction\": \"long\", \"entry_price\": 2600.0, \
         \"exit_price\": 2610.0, \"pnl\": 100.0, \"pnl_r\": 1.0}}\n"
    )
}

/// Trades that several processes bring to one store are all in it.
#[test]
fn logs_taken_in_at_once_are_all_remembered() {
    let room = tempfile::tempdir().unwrap();
    let store = room.path().join("store");
    let log = |number: u32| {
        let path = room.path().join(format!("{number}.jsonl"));
        fs::write(&path, trade(number)).unwrap();
        path
    };
    let remember =
        |path: &Path| program(&["memory", "owm", "remember"]).arg(&store).arg(path).spawn().unwrap();
    let logs: Vec<PathBuf> = (0..6).map(log).collect();
    let children: Vec<Child> = logs.iter().map(|path| remember(path)).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
    }
    let left: Vec<_> = fs::read_dir(&store).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["owm.json"]);
    let kept: serde_json::Value = serde_json::from_slice(&fs::read(store.join("owm.json")).unwrap()).unwrap();
    assert_eq!(kept["ids"].as_array().unwrap().len(), logs.len());
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

/// Half a repetition is no verdict.
#[test]
fn verify_and_reproduce_give_no_verdict_when_they_are_stopped() {
    let room = tempfile::tempdir().unwrap();
    let dir = room.path().join("run");
    run(&scenario(), &dir, &["--set", "ticks=2500"]);
    let mut stopped = 0;
    for (round, (command, name)) in
        [("verify", "-INT"), ("verify", "-TERM"), ("reproduce", "-INT"), ("reproduce", "-TERM")]
            .into_iter()
            .cycle()
            .take(rounds().min(12) as usize)
            .enumerate()
    {
        let child = program(&[command]).arg(&dir).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(150 + 70 * round as u64));
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let (told, said) = (String::from_utf8_lossy(&output.stdout).into_owned(), said(&output));
        match output.status.code() {
            Some(130) => {
                stopped += 1;
                assert!(told.is_empty() && said.contains("stopped"), "{command} {name}: {told} {said}");
            }
            code => assert!(
                code == Some(0) && told.contains("2500 ticks"),
                "{command} {name}: {code:?} {told} {said}"
            ),
        }
    }
    assert!(stopped > 0, "the machine is too fast for this test: lengthen the run");
}

/// A run without checkpoints that is stopped has its tables closed, and says so by its code.
#[test]
fn a_plain_run_that_is_stopped_ends_with_130_and_whole_tables() {
    let room = tempfile::tempdir().unwrap();
    let dir = room.path().join("run");
    let mut begin =
        program(&["run", "--json", "--ticks", "100000000", "--set", "record.events=false", "--out"]);
    let child = begin.arg(&dir).arg(root().join("scenarios/synthetic.toml")).spawn().unwrap();
    wait_for(&dir.join("ticks.parquet.partial"));
    std::thread::sleep(Duration::from_millis(200));
    signal(&child, "-TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(dir.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["interrupted"], true);
    assert!(tables(&dir).iter().all(|(name, _)| !name.ends_with(".partial")));
    morta().arg("verify").arg(&dir).assert().success();
}

/// Nobody reads standard error any more: the work is done, and the code is the same.
#[test]
fn the_work_goes_on_when_standard_error_goes_away() {
    let room = tempfile::tempdir().unwrap();
    let gone = || {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        Stdio::from(writer)
    };
    let full = || Stdio::from(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let episodes = room.path().join("log.jsonl");
    fs::write(&episodes, format!("no JSON\n{}", trade(1))).unwrap();
    for (number, error) in [gone as fn() -> Stdio, full as fn() -> Stdio].into_iter().enumerate() {
        let dir = room.path().join(format!("run-{number}"));
        let store = room.path().join(format!("store-{number}"));
        let mut run = program(&["run", "--set", "ticks=30", "--out"]);
        run.env("MORTA_LOG", "trace").arg(&dir).arg(scenario());
        assert_eq!(run.stderr(error()).output().unwrap().status.code(), Some(0));
        assert!(dir.join("manifest.json").exists());
        let mut mistake = program(&["run", "nowhere.toml"]);
        assert_eq!(mistake.stderr(error()).output().unwrap().status.code(), Some(2));
        let mut remember = program(&["memory", "owm", "remember"]);
        remember.arg(&store).arg(&episodes);
        assert_eq!(remember.stderr(error()).output().unwrap().status.code(), Some(0));
        assert_eq!(fs::read_dir(&store).unwrap().count(), 1, "what could be read is stored");
    }
}
