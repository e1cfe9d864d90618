//! `morta run --follow`: what happens, told as it happens, and never at the run's cost.

use crate::common::{Program as _, Text as _, manifest, morta, process, said};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::Stdio;

const WORLD: [&str; 4] = ["run", "scenarios/quickstart.toml", "--ticks", "1500"];

/// The lines before the last, and the summary in that.
fn follow(out: &Path, flags: &[&str]) -> (String, Value) {
    let said = morta().args(WORLD).arg("--follow").arg("--out").arg(out).args(flags).printed();
    let (lines, last) = said.trim_end().rsplit_once('\n').unwrap();
    let last: Value = serde_json::from_str(last).unwrap();
    assert_eq!(last["event"], "run_ended");
    (lines.to_owned(), last["summary"].clone())
}

#[test]
fn the_lines_are_the_same_whoever_drives_and_the_run_is_as_without_them() {
    let room = tempfile::tempdir().unwrap();
    let at = |name: &str| room.path().join(name);
    let (by_actors, summary) = follow(&at("actors"), &["--threads", "2"]);
    let (plain, _) = follow(&at("plain"), &["--plain"]);
    let (checkpointed, _) = follow(&at("checkpointed"), &["--checkpoint-every", "400"]);
    assert!(by_actors == plain, "actors and the plain loop tell the same");
    assert!(by_actors == checkpointed, "and so does a run with checkpoints");
    let silent = morta().args(WORLD).arg("--json").arg("--out").arg(at("silent")).json();
    assert_eq!(summary["digest"], silent["digest"]);
    check(&by_actors, &summary);
}

/// Everybody is born before anything else, changes from the mode it was in, and dreams forward.
fn check(lines: &str, summary: &Value) {
    let mut modes: BTreeMap<String, String> = BTreeMap::new();
    let mut done: BTreeMap<String, f64> = BTreeMap::new();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let golem = line["golem"].as_str().unwrap().to_owned();
        let event = line["event"].as_str().unwrap();
        *counts.entry(event.to_owned()).or_default() += 1;
        match event {
            "born" => assert!(modes.insert(golem, "awake".to_owned()).is_none(), "{line}"),
            "mode_change" => {
                let before = modes.insert(golem, line["to"].as_str().unwrap().to_owned());
                assert_eq!(before.as_deref(), line["from"].as_str(), "{line}");
            }
            "dream_progress" => {
                assert_eq!(modes[&golem], "dreaming", "{line}");
                let share = line["share_done"].as_f64().unwrap();
                assert!((0.0..1.0).contains(&share), "{line}");
                assert!(done.insert(golem, share).is_none_or(|before| before < share), "{line}");
                assert!(
                    line["spent_usd"].as_f64().unwrap() <= line["budget_usd"].as_f64().unwrap(),
                    "{line}"
                );
            }
            "dream_complete" => assert!(done.remove(&golem).is_some(), "{line}"),
            "died" => assert_eq!(modes.remove(&golem).as_deref(), Some("dying"), "{line}"),
            _ => assert!(event == "bloodstain_left" || modes.contains_key(&golem), "{line}"),
        }
    }
    assert_eq!(counts["born"], summary["born"].as_u64().unwrap());
    assert_eq!(modes.len() as u64, summary["alive"].as_u64().unwrap());
    assert!(counts["dream_complete"] >= summary["dreams"].as_u64().unwrap());
    assert!(counts["bloodstain_drawn"] > 0 && counts["bloodstain_left"] > 0 && counts["died"] > 0);
}

#[test]
fn rich_dreams_are_drowsy_first() {
    let room = tempfile::tempdir().unwrap();
    let mut command = morta();
    command.args(["run", "scenarios/hard-times.toml", "--ticks", "1500", "--follow", "--out"]);
    let said = command.arg(room.path().join("run")).printed();
    let turns = |from: &str, to: &str| said.contains(&format!("\"from\":\"{from}\",\"to\":\"{to}\""));
    assert!(turns("awake", "drowsy") && turns("drowsy", "dreaming") && turns("dreaming", "drowsy"));
    assert!(said.contains("\"phase\":\"onset\",\"share_done\":0.0"));
    assert!(said.contains("\"phase\":\"return\",\"share_done\":0.8"));
}

/// Steers a run of the quickstart by lines of standard input: directives that were refused, and those that were given.
fn steered(out: &Path, more: &[&str], said: &str) -> (Vec<Value>, Vec<Value>) {
    let mut command = process(&["run", "scenarios/quickstart.toml", "--follow", "--steer", "--out"]);
    command.arg(out).args(more).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(said.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines
        .filter(|line| line["event"].as_str().unwrap().starts_with("directive"))
        .partition(|line| line["event"] == "directive_refused")
}

/// A dream that nobody can dream is refused, and not passed on without effect.
#[test]
fn a_directive_is_refused_where_nobody_can_dream() {
    let room = tempfile::tempdir().unwrap();
    let flags = ["--ticks", "300", "--set", "dream.enabled=false"];
    let (refused, given) = steered(&room.path().join("run"), &flags, "dream\nwake none");
    assert_eq!((refused.len(), given.len()), (2, 0), "{refused:?} {given:?}");
    assert!(refused[0]["why"].as_str().unwrap().contains("that takes dream.enabled = true"), "{refused:?}");
}

/// An owner's lines are heard at a tick, a wrong one is answered and loses nothing, and the run is lived again without its owner.
#[test]
fn a_run_is_steered_from_standard_input() {
    let room = tempfile::tempdir().unwrap();
    let out = room.path().join("run");
    let long = "x".repeat(5_000);
    let said = format!("fly\n\n{long}\ndream L999.G0\n{{\"do\": \"dream\", \"cohort\": \"bardo\"}}\nwake");
    let (refused, given) = steered(&out, &["--ticks", "1500"], &said);
    let why: Vec<&str> = refused.iter().map(|line| line["why"].as_str().unwrap()).collect();
    assert_eq!(why.len(), 3, "{why:?}");
    assert!(why.iter().any(|why| why.starts_with("\"fly\" must be dream or wake")), "{why:?}");
    assert!(why.iter().any(|why| why.contains("there is no L999.G0")), "{why:?}");
    assert_eq!(given.len(), 2, "{given:?}");
    assert_eq!((&given[0]["do"], &given[0]["cohort"]), (&"dream".into(), &"bardo".into()));
    let planned = &manifest(&out)["scenario"]["dream"];
    assert_eq!(planned["directives"][0]["tick"], given[0]["tick"]);
    assert_eq!(planned["interrupts"][0]["source"], "owner");
    morta().arg("verify").arg(&out).assert().success();
}

#[test]
fn the_run_goes_on_when_nobody_reads_any_more() {
    let room = tempfile::tempdir().unwrap();
    let out = room.path().join("run");
    let mut command = process(&WORLD);
    let mut child = command.arg("--follow").arg("--out").arg(&out).stdout(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.contains("\"event\":\"born\""), "{first}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(out.join("manifest.json").exists(), "the folder holds a whole run");
}

/// A reader that has left wants no more; a full disk has lost what somebody wanted, which is an error, though the run is whole.
#[cfg(target_os = "linux")]
#[test]
fn lines_that_are_lost_are_an_error() {
    let room = tempfile::tempdir().unwrap();
    let out = room.path().join("run");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = process(&WORLD);
    let ended = command.arg("--follow").arg("--out").arg(&out).stdout(full).output().unwrap();
    assert_eq!(ended.status.code(), Some(1), "{}", said(&ended));
    said(&ended).must_have(&["--follow: standard output can't be written to", "the run itself is whole"]);
    assert!(out.join("manifest.json").exists(), "the folder holds a whole run");
}
