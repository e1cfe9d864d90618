//! What may be resumed, and what may not.

use super::room::{SWEEP, done, room, sweep, tables};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A folder that is begun, then a change, then the lines with which it can't be resumed.
fn changed(change: impl Fn(&Path), expected: &[&str]) {
    let here = room(SWEEP);
    done(here.path(), &["--out", "out"]);
    change(here.path());
    let (code, _, err) = sweep(here.path(), &["--out", "out", "--resume"]);
    let lines: Vec<&str> = err.lines().collect();
    let told: Vec<String> = expected.iter().map(|line| format!("error: out: {line}")).collect();
    assert_eq!(
        (code, &lines[..lines.len() - 1]),
        (2, told.iter().map(String::as_str).collect::<Vec<_>>().as_slice())
    );
    assert!(lines[lines.len() - 1].ends_with("put back what was changed, or begin anew with --out"), "{err}");
}

fn replace(path: PathBuf, from: &str, to: &str) {
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from}");
    std::fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn what_has_changed_is_named_and_refused() {
    changed(
        |room| replace(room.join("try.toml"), "effect_of_interest = 0.1", "effect_of_interest = 0.2"),
        &["preregistration.effect_of_interest was 0.1 and is 0.2"],
    );
    changed(
        |room| replace(room.join("small.toml"), "fee_bps = 0.5", "fee_bps = 0.6"),
        &["scenario.market.pool.fee_bps was 0.5 and is 0.6"],
    );
    changed(
        |room| {
            let path = room.join("out/sweep.json");
            let text = std::fs::read_to_string(&path).unwrap();
            let mut manifest: Value = serde_json::from_str(&text).unwrap();
            manifest["build"] = "0.0.9 (commit abc)".into();
            std::fs::write(path, manifest.to_string()).unwrap();
        },
        &[&format!("the program was 0.0.9 (commit abc) and is {}", build())],
    );
}

/// The build as a new sweep tells it.
fn build() -> String {
    let here = room(SWEEP);
    done(here.path(), &["--out", "out"]);
    let manifest = std::fs::read_to_string(here.path().join("out/sweep.json")).unwrap();
    serde_json::from_str::<Value>(&manifest).unwrap()["build"].as_str().unwrap().to_owned()
}

#[test]
fn folders_are_not_overwritten() {
    let here = room(SWEEP);
    done(here.path(), &["--out", "out"]);
    let before = tables(&here.path().join("out"));
    let (code, _, err) = sweep(here.path(), &["--out", "out"]);
    let line = "error: out: the folder holds a sweep already; go on with it with --resume, or choose another with --out\n";
    assert_eq!((code, err.as_str()), (2, line));
    std::fs::create_dir(here.path().join("other")).unwrap();
    std::fs::write(here.path().join("other/mine.txt"), "mine").unwrap();
    let (code, _, err) = sweep(here.path(), &["--out", "other"]);
    assert_eq!(
        (code, err.as_str()),
        (2, "error: other: the folder is not empty and holds no sweep; choose another with --out\n")
    );
    // A cell that was damaged since is run again, and no other.
    let cell = std::fs::read_dir(here.path().join("out/cells")).unwrap().next().unwrap().unwrap().path();
    std::fs::write(cell.join("lives.parquet"), "torn").unwrap();
    assert_eq!(done(here.path(), &["--out", "out", "--resume"])["ran_now"], 1);
    assert!(before == tables(&here.path().join("out")));
    // So is one in which a digit was changed, which nothing else would tell.
    let record = cell.join("cell.json");
    let sound = std::fs::read_to_string(&record).unwrap();
    let number = "\"golem_ticks\":";
    let at = sound.find(number).unwrap() + number.len();
    let mut changed = sound.into_bytes();
    changed[at] = if changed[at] == b'1' { b'2' } else { b'1' };
    std::fs::write(&record, &changed).unwrap();
    assert_eq!(done(here.path(), &["--out", "out", "--resume"])["ran_now"], 1);
    assert!(before == tables(&here.path().join("out")));
    assert_ne!(std::fs::read(&record).unwrap(), changed);
}
