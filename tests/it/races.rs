//! Processes that are told to stop, and whom nobody listens to; runs that nobody has named a folder for. Races and kills at every place that
//! is written are in `tests/hostile/crowd`.

use crate::common::{files, lived, manifest, morta, process, root, said, signal, wait_for, wait_until};
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn scenario() -> PathBuf {
    root().join("scenarios/synthetic.toml")
}

fn program(arguments: &[&str]) -> Command {
    let mut command = process(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

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

fn trade(number: u32) -> String {
    format!(
        "{{\"id\": \"t{number}\", \"timestamp\": \"2026-01-01T00:00:00Z\", \"symbol\": \"XAUUSD\", \
         \"strategy_name\": \"breakout\", \"direction\": \"long\", \"entry_price\": 2600.0, \
         \"exit_price\": 2610.0, \"pnl\": 100.0, \"pnl_r\": 1.0}}\n"
    )
}

/// Half a repetition is no verdict.
#[test]
fn verify_and_reproduce_give_no_verdict_when_they_are_stopped() {
    let (_room, dir) = lived("scenarios/quickstart.toml", &["--set", "ticks=2500"]);
    let mut stopped = 0;
    for (round, (command, name)) in
        [("verify", "INT"), ("verify", "TERM"), ("reproduce", "INT"), ("reproduce", "TERM")]
            .into_iter()
            .cycle()
            .take(8)
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
    for (name, later) in [("INT", 500), ("TERM", 200)] {
        let room = tempfile::tempdir().unwrap();
        let dir = room.path().join("run");
        let mut begin =
            program(&["run", "--json", "--ticks", "100000000", "--set", "record.events=false", "--out"]);
        let mut child = begin.arg(&dir).arg(scenario()).spawn().unwrap();
        // The tables are begun once the run is under way.
        wait_for(&dir.join("ticks.parquet.partial"));
        std::thread::sleep(Duration::from_millis(later));
        signal(&child, name);
        assert!(wait_until(|| child.try_wait().unwrap().is_some()), "the run did not end");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{name}: {}", said(&output));
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&told["interrupted"], &manifest(&dir)["interrupted"]), (&true.into(), &true.into()));
        assert!(told["ticks"].as_u64().unwrap() > 0);
        assert!(files(&dir).iter().all(|(name, _)| !name.ends_with(".partial")));
        morta().arg("verify").arg(&dir).assert().success();
    }
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
