//! A Lethe that outlives its run keeps what it has acknowledged, whatever happens to the run; and runs that start from one are
//! repeatable.

use crate::common::{LEAVING, Program as _, drawn, manifest, morta, number, process, text, wait_until};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

fn done(args: &[&str]) -> String {
    morta().args(args).printed()
}

fn scenario_in(folder: &Path) -> PathBuf {
    let path = folder.join("leaving.toml");
    let many = LEAVING.replace("ticks = 120\n", "ticks = 100_000\n").replace("golems = 8", "golems = 12");
    fs::write(&path, many.replace("\"ETH\"", "\"A\"")).unwrap();
    path
}

/// The bloodstains a Lethe holds, and the records in it that have come to harm.
fn held(lethe: &Path) -> (BTreeSet<String>, u64) {
    let shown = morta().args(["lethe", text(lethe), "--json", "--limit", "1000000"]).json();
    let name = |left: &serde_json::Value| format!("{} {}", left["run"], left["bloodstain"]);
    let names = shown["latest"].as_array().unwrap().iter().map(name).collect();
    (names, shown["damaged"].as_u64().unwrap() + shown["missing"].as_u64().unwrap())
}

/// The bloodstains a log acknowledges; a line that was cut off acknowledges nothing.
fn acknowledged(log: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(log).unwrap_or_default();
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let name = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        format!("{} {}", line["run"], line["bloodstain"])
    };
    whole.map(name).collect()
}

/// How many moments are tried; `MORTA_KILLS` says otherwise.
const KILLS: u64 = 8;

fn moment(number: u64) -> Duration {
    Duration::from_micros(150_000 + drawn(number, 0) % 1_500_000)
}

#[test]
fn what_was_acknowledged_survives_being_killed() {
    let kills = number("MORTA_KILLS", KILLS);
    let mut with_something = 0;
    let mut most = 0;
    for number in 0..kills {
        let room = tempfile::tempdir().unwrap();
        let scenario = scenario_in(room.path());
        let (lethe, log) = (room.path().join("lethe"), room.path().join("log"));
        let mut run = process(&["run", text(&scenario), "--lethe", text(&lethe), "--lethe-log", text(&log)])
            .args(["--out", text(&room.path().join("out")), "--json"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // On a busy machine a fixed moment comes before anything is written: most are counted from the first acknowledgement.
        if number % 4 == 0 {
            std::thread::sleep(moment(number));
        } else {
            wait_until(|| !acknowledged(&log).is_empty());
            std::thread::sleep(moment(number) / 5);
        }
        assert_eq!(run.try_wait().unwrap(), None, "the run is too short to be killed");
        run.kill().unwrap();
        run.wait().unwrap();
        let acknowledged = acknowledged(&log);
        with_something += u64::from(!acknowledged.is_empty());
        most = most.max(acknowledged.len());
        if acknowledged.is_empty() && !lethe.exists() {
            continue;
        }
        let (held, harmed) = held(&lethe);
        let lost: Vec<_> = acknowledged.difference(&held).collect();
        assert!(lost.is_empty(), "kill {number}: {} of {} lost: {lost:?}", lost.len(), acknowledged.len());
        assert_eq!(harmed, 0, "kill {number}: half-written records");
    }
    eprintln!(
        "{kills} kills, {with_something} of them after something was acknowledged, at most {most} bloodstains"
    );
    assert!(with_something * 2 > kills, "most kills must come after something was acknowledged");
}

/// Checkpoints acknowledge no bloodstain by itself: a log beside them would stay empty, and so would one beside a resumed run.
#[test]
fn a_log_goes_without_checkpoints() {
    let room = tempfile::tempdir().unwrap();
    let scenario = scenario_in(room.path());
    let lived = |args: &[&str]| {
        let mut command = morta();
        command.current_dir(room.path()).args(args).args(["--lethe-log", "log"]);
        command
    };
    for args in [&["run", text(&scenario), "--checkpoint-every", "20"][..], &["run", "--resume", "out"]] {
        lived(args).refused_with(&[args[args.len() - 2], "cannot be used with"]);
    }
    assert!(!room.path().join("runs").exists());
    // A model that is asked brings checkpoints, but not beside a log.
    let model = ["--llm", "live", "--set", "llm.model=\"m\"", "--ticks", "600"];
    lived(&[&["run", text(&scenario)], &model[..]].concat()).printed();
    assert!(acknowledged(&room.path().join("log")).len() > 20);
}

/// A run into a Lethe, and its folder.
fn run(room: &Path, out: &str, more: &[&str]) -> PathBuf {
    let scenario = scenario_in(room);
    let folder = room.join(out);
    crate::common::run(&scenario, &folder, &[&["--ticks", "600"], more].concat());
    folder
}

#[test]
fn runs_from_one_lethe_are_the_same_to_the_byte() {
    let room = tempfile::tempdir().unwrap();
    let lethe = room.path().join("lethe");
    run(room.path(), "first", &["--lethe", text(&lethe)]);
    let before = held(&lethe);
    assert!(before.0.len() > 20 && before.1 == 0, "{before:?}");

    let from = "lethe.start_from=lethe";
    let second = run(room.path(), "second", &["--seed", "12", "--set", from, "--threads", "2"]);
    let again = run(room.path(), "again", &["--seed", "12", "--set", from, "--plain"]);
    assert_eq!(held(&lethe), before, "start_from only reads");
    let (one, other) = (manifest(&second), manifest(&again));
    assert_eq!(
        (&one["digest"], &one["files"], &one["lethe"]),
        (&other["digest"], &other["files"], &other["lethe"])
    );
    assert_eq!(one["lethe"]["started_from"]["bloodstains"], before.0.len());
    assert_eq!(one["lethe"]["started_from"]["runs"][0]["seed"], 11);
    let empty = run(room.path(), "empty", &["--seed", "12"]);
    assert_ne!(manifest(&empty)["digest"], one["digest"], "what is inherited makes a difference");

    // The Lethe goes on growing, and is gone in the end; the run can be repeated all the same.
    run(room.path(), "third", &["--seed", "13", "--lethe", text(&lethe)]);
    fs::remove_dir_all(&lethe).unwrap();
    done(&["verify", text(&second)]);
    done(&["verify", text(&second), "--plain"]);
}

#[test]
fn a_run_may_add_to_what_it_started_from() {
    let room = tempfile::tempdir().unwrap();
    let lethe = room.path().join("lethe");
    let both = ["--lethe", text(&lethe), "--set", "lethe.start_from=lethe"];
    run(room.path(), "first", &both[..2]);
    let first = held(&lethe).0;
    let second = run(room.path(), "second", &[&both[..], &["--seed", "12"]].concat());
    let grown = held(&lethe).0;
    assert!(grown.is_superset(&first) && grown.len() > first.len());
    let third = run(room.path(), "third", &[&both[..], &["--seed", "13"]].concat());
    let runs = &manifest(&third)["lethe"]["started_from"]["runs"];
    let seeds: Vec<_> = runs.as_array().unwrap().iter().map(|run| run["seed"].as_u64().unwrap()).collect();
    assert_eq!(seeds, [11, 12], "the longest ended comes first");
    for run in [&second, &third] {
        done(&["verify", text(run)]);
    }

    // Whoever drew from the dead of an earlier run can say whose it was.
    let (heir, bloodstain) = drawn_from_earlier(&second).expect("somebody drew from an earlier run");
    let shown = done(&["inspect", text(&second), "lineage", heir.split('.').next().unwrap()]);
    let line = shown.lines().find(|line| line.contains(&bloodstain)).unwrap_or_else(|| panic!("{shown}"));
    assert!(line.contains("in an earlier run (leaving, seed 11"), "{line}");

    // A finished run is a Lethe too.
    let from = format!("lethe.start_from={}", text(&third));
    let fourth = run(room.path(), "fourth", &["--seed", "14", "--set", &from]);
    let runs = manifest(&fourth)["lethe"]["started_from"]["runs"].as_array().unwrap().len();
    assert_eq!(runs, 3);
}

/// Heir and bloodstain of the first draw from an earlier run, by the journal.
fn drawn_from_earlier(run: &Path) -> Option<(String, String)> {
    let journal = fs::read_to_string(run.join("journal.jsonl")).unwrap();
    journal.lines().find_map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let said = line.to_string();
        let at = said.find("A1.L")?;
        let name: String =
            said[at..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '.').collect();
        Some((line["golem"].as_str()?.to_owned(), name.trim_end_matches('.').to_owned()))
    })
}

/// One line, exit code 2, and the folder as it was.
fn is_refused(room: &Path, set: &[&str], expected: &str) {
    let mut command = morta();
    command.arg("run").arg(scenario_in(room)).args(["--ticks", "50", "--json"]);
    let said = command.arg("--out").arg(room.join("refused")).args(set).refused_in_a_line(&[expected]);
    assert!(said.starts_with("error: "), "{said}");
}

#[test]
fn a_lethe_that_cannot_be_used_is_named_and_left_alone() {
    let room = tempfile::tempdir().unwrap();
    let path = room.path();
    is_refused(path, &["--set", "lethe.start_from=nowhere"], "--set lethe.start_from=nowhere: ");
    is_refused(path, &["--set", "lethe.start_from=nowhere"], "there is no such folder");
    fs::write(path.join("file"), "no folder").unwrap();
    is_refused(path, &["--set", "lethe.start_from=file"], "this is a file: name a folder");
    is_refused(path, &["--lethe", text(&path.join("file"))], "this is a file: name a folder");
    fs::create_dir(path.join("other")).unwrap();
    fs::write(path.join("other/notes.txt"), "mine").unwrap();
    is_refused(path, &["--lethe", text(&path.join("other"))], "holds no Lethe but other files");
    assert_eq!(fs::read_to_string(path.join("other/notes.txt")).unwrap(), "mine");

    let lethe = path.join("lethe");
    run(path, "first", &["--lethe", text(&lethe)]);
    let of_a_run = path.join("first");
    is_refused(path, &["--lethe", text(&of_a_run)], "this belongs to a finished run");
    is_refused(path, &["--lethe", text(&of_a_run.join("lethe"))], "this belongs to a finished run");
    let lock = fs::File::open(lethe.join("db")).unwrap();
    lock.lock().unwrap();
    is_refused(path, &["--lethe", text(&lethe)], "another run is using this Lethe");
    is_refused(path, &["--set", "lethe.start_from=lethe"], "another run is using this Lethe");
    drop(lock);

    let sound = fs::read(lethe.join("db")).unwrap();
    let garbled: Vec<u8> = sound.iter().map(|byte| byte ^ 0x5A).collect();
    fs::write(lethe.join("db"), &garbled).unwrap();
    let beyond = "this Lethe is damaged beyond reading, and was left as it is";
    is_refused(path, &["--lethe", text(&lethe)], beyond);
    assert_eq!(fs::read(lethe.join("db")).unwrap(), garbled);
    fs::write(lethe.join("db"), sound).unwrap();
    assert!(held(&lethe).0.len() > 20, "nothing was lost");
}

/// A database with one bit flipped, at a place that is told by a number.
fn flipped(sound: &[u8], number: u64) -> Vec<u8> {
    let written = sound.iter().rposition(|byte| *byte != 0).unwrap() as u64 + 1;
    let bit = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) % (8 * written);
    let mut damaged = sound.to_vec();
    damaged[(bit / 8) as usize] ^= 1 << (bit % 8);
    damaged
}

#[derive(Debug, Default)]
struct Told {
    whole: u32,
    lost: u32,
    unreadable: u32,
}

/// Whatever a flipped bit takes away is told, or the command fails.
fn look_at_flips(folder: &Path, db: &Path, flips: u64) -> Told {
    let sound = fs::read(db).unwrap();
    let whole = held(folder).0;
    let mut told = Told::default();
    for number in 0..flips {
        fs::write(db, flipped(&sound, number)).unwrap();
        let (code, out, _) = morta().args(["lethe", text(folder), "--json", "--limit", "1000000"]).ended();
        if code != 0 {
            told.unreadable += 1;
            continue;
        }
        let shown: serde_json::Value = serde_json::from_str(&out).unwrap();
        let harmed = shown["losses"].as_array().is_some_and(|losses| !losses.is_empty());
        let count = shown["bloodstains"].as_u64().unwrap();
        assert!(
            harmed || count == whole.len() as u64,
            "flip {number}: {count} of {} and no word",
            whole.len()
        );
        *(if harmed { &mut told.lost } else { &mut told.whole }) += 1;
    }
    fs::write(db, sound).unwrap();
    told
}

#[test]
fn no_bloodstain_that_a_flipped_bit_takes_is_missed_in_silence() {
    let room = tempfile::tempdir().unwrap();
    let lethe = room.path().join("lethe");
    let first = run(room.path(), "first", &["--lethe", text(&lethe)]);
    run(room.path(), "second", &["--seed", "12", "--lethe", text(&lethe)]);
    for (folder, db) in [(&lethe, lethe.join("db")), (&first, first.join("lethe/db"))] {
        let told = look_at_flips(folder, &db, 60);
        // How many are lost and how many leave it unreadable goes by how the store happens to lie on the disk.
        assert!(told.lost > 0, "{told:?}");
    }
    fs::write(lethe.join("morta-inventory"), "rotten").unwrap();
    assert!(done(&["lethe", text(&lethe)]).contains("its inventory is damaged"));
}

#[test]
fn a_harmed_lethe_is_used_by_nobody_unless_what_is_left_is_taken() {
    let room = tempfile::tempdir().unwrap();
    let path = room.path();
    let lethe = path.join("lethe");
    let first = run(path, "first", &["--lethe", text(&lethe)]);
    let harm = |db: &Path| {
        let sound = fs::read(db).unwrap();
        let harms = |number: &u64| {
            fs::write(db, flipped(&sound, *number)).unwrap();
            let (code, out, _) = morta().args(["lethe", text(db.parent().unwrap()), "--json"]).ended();
            let missing = |told: &serde_json::Value| told["missing"].as_u64() > Some(0);
            code == 0 && missing(&serde_json::from_str(&out).unwrap())
        };
        (0..500).find(harms).expect("some flip takes a bloodstain away");
        sound
    };
    done(&["verify", text(&first)]);
    let sound = harm(&first.join("lethe/db"));
    let (code, said, _) = morta().args(["verify", text(&first)]).ended();
    assert!(code == 1 && said.contains("bloodstains are missing"), "{code}: {said}");
    fs::write(first.join("lethe/db"), sound).unwrap();
    done(&["verify", text(&first)]);

    harm(&lethe.join("db"));
    let harmed = fs::read(lethe.join("db")).unwrap();
    is_refused(path, &["--set", "lethe.start_from=lethe"], "bloodstains are missing");
    is_refused(path, &["--lethe", text(&lethe)], "this Lethe has come to harm");
    assert_eq!(fs::read(lethe.join("db")).unwrap(), harmed, "it was left as it is");
    let left = path.join("left");
    let salvage = ["lethe", text(&lethe), "--salvage", text(&left)];
    done(&salvage);
    morta().args(salvage).refusal();
    assert_eq!(held(&left).1, 0, "what is left is whole by itself");
    let third =
        run(path, "third", &["--seed", "13", "--set", "lethe.start_from=left", "--lethe", text(&left)]);
    assert_eq!(manifest(&third)["lethe"]["started_from"]["missing"], 0);
    done(&["verify", text(&third)]);
}
