//! What may be resumed, and what may not.

use super::room::{SWEEP, command, done, room, tables};
use crate::common::{Program as _, json_of};
use std::path::{Path, PathBuf};

/// A folder that is begun, then a change, then the lines with which it can't be resumed.
fn changed(change: impl Fn(&Path), expected: &[&str]) {
    let here = room(SWEEP);
    done(here.path(), &["--out", "out"]);
    change(here.path());
    let err = command(here.path(), &["--out", "out", "--resume"]).refusal();
    let mut lines: Vec<&str> = err.lines().collect();
    let remedy = lines.pop().unwrap();
    let told: Vec<String> = expected.iter().map(|line| format!("error: out: {line}")).collect();
    assert_eq!(lines, told);
    assert!(remedy.ends_with("put back what was changed, or begin anew with --out"), "{err}");
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
            let mut manifest = json_of(&path);
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
    json_of(&here.path().join("out/sweep.json"))["build"].as_str().unwrap().to_owned()
}

#[test]
fn folders_are_not_overwritten() {
    let here = room(SWEEP);
    done(here.path(), &["--out", "out"]);
    let before = tables(&here.path().join("out"));
    let line = "error: out: the folder holds a sweep already; go on with it with --resume, or choose another with --out\n";
    assert_eq!(command(here.path(), &["--out", "out"]).refusal(), line);
    std::fs::create_dir(here.path().join("other")).unwrap();
    std::fs::write(here.path().join("other/mine.txt"), "mine").unwrap();
    let line = "error: other: the folder is not empty and holds no sweep; choose another with --out\n";
    assert_eq!(command(here.path(), &["--out", "other"]).refusal(), line);
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
