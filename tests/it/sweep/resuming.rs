//! What may be resumed, and what may not.

use super::room::{SWEEP, command, done, swept, tables};
use crate::common::{Program as _, edit_json, json_of, replace_in};
use std::path::Path;

/// A folder that is begun, then a change, then the lines with which it can't be resumed.
fn changed(change: impl Fn(&Path), expected: &[&str]) {
    let (here, ..) = swept(SWEEP, &[]);
    change(here.path());
    let err = command(here.path(), &["--out", "out", "--resume"]).refusal();
    let mut lines: Vec<&str> = err.lines().collect();
    let remedy = lines.pop().unwrap();
    let told: Vec<String> = expected.iter().map(|line| format!("error: out: {line}")).collect();
    assert_eq!(lines, told);
    assert!(remedy.ends_with("put back what was changed, or begin anew with --out"), "{err}");
}

#[test]
fn what_has_changed_is_named_and_refused() {
    changed(
        |room| replace_in(&room.join("try.toml"), "effect_of_interest = 0.1", "effect_of_interest = 0.2"),
        &["preregistration.effect_of_interest was 0.1 and is 0.2"],
    );
    changed(
        |room| replace_in(&room.join("small.toml"), "fee_bps = 0.5", "fee_bps = 0.6"),
        &["scenario.market.pool.fee_bps was 0.5 and is 0.6"],
    );
    changed(
        |room| {
            let manifest = room.join("out/sweep.json");
            edit_json(&manifest, |manifest| manifest["build"] = "0.0.9 (commit abc)".into());
        },
        &[&format!("the program was 0.0.9 (commit abc) and is {}", build())],
    );
}

/// The build as a new sweep tells it.
fn build() -> String {
    let (_here, out, _) = swept(SWEEP, &[]);
    json_of(&out.join("sweep.json"))["build"].as_str().unwrap().to_owned()
}

#[test]
fn folders_are_not_overwritten() {
    let (here, out, _) = swept(SWEEP, &[]);
    let before = tables(&out);
    let line = "error: out: the folder holds a sweep already; go on with it with --resume, or choose another with --out\n";
    assert_eq!(command(here.path(), &["--out", "out"]).refusal(), line);
    std::fs::create_dir(here.path().join("other")).unwrap();
    std::fs::write(here.path().join("other/mine.txt"), "mine").unwrap();
    let line = "error: other: the folder is not empty and holds no sweep; choose another with --out\n";
    assert_eq!(command(here.path(), &["--out", "other"]).refusal(), line);
    // A cell that was damaged since is run again, and no other.
    let cell = std::fs::read_dir(out.join("cells")).unwrap().next().unwrap().unwrap().path();
    std::fs::write(cell.join("lives.parquet"), "torn").unwrap();
    assert_eq!(done(here.path(), &["--out", "out", "--resume"])["ran_now"], 1);
    assert!(before == tables(&out));
    // So is one in which a digit was changed, which nothing else would tell.
    let record = cell.join("cell.json");
    let sound = std::fs::read_to_string(&record).unwrap();
    let number = "\"golem_ticks\":";
    let at = sound.find(number).unwrap() + number.len();
    let mut changed = sound.into_bytes();
    changed[at] = if changed[at] == b'1' { b'2' } else { b'1' };
    std::fs::write(&record, &changed).unwrap();
    assert_eq!(done(here.path(), &["--out", "out", "--resume"])["ran_now"], 1);
    assert!(before == tables(&out));
    assert_ne!(std::fs::read(&record).unwrap(), changed);
}
