//! Folders of runs, their pages, branches of them, Lethes that several runs share, cassettes.

use super::child::{Ending, Process};
use super::place::{Content, Done, Place, words};
use crate::common::{LEAVING, copy, manifest, room_with, root};
use crate::folders::WORLD;
use morta_lab::RunFolder;
use morta_lab::inspect::lethe;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const REFUSALS: &[&str] = &[
    "another process is writing",
    "already holds a run",
    "holds a run that",
    "is not empty",
    "this run has ended",
    "go on with it",
    "there is no such folder",
    "there is no checkpoint here",
];

/// A room with a world in it.
pub fn room() -> TempDir {
    room_with([("world.toml", WORLD), ("leaving.toml", LEAVING)])
}

fn does(room: &Path, line: &str) {
    let ended = Process::begin(room, &words(line), Ending::Own).end().unwrap();
    assert!(ended.is_done(), "{line}: {ended:?}");
}

/// Every file of a run that has ended by itself, the manifest's word for them held against their bytes; nothing of any other. Of the manifest
/// what doesn't tell of the time.
fn run_in(dir: &Path) -> Content {
    let Ok(run) = RunFolder::open(dir) else { return Content::new() };
    let mut content = Content::new();
    for file in &run.manifest.files {
        let bytes = fs::read(dir.join(&file.name)).unwrap_or_default();
        let is_sound = blake3::hash(&bytes).to_hex().as_str() == file.blake3;
        content
            .insert(file.name.clone(), if is_sound { bytes } else { b"not what the manifest says".to_vec() });
    }
    for left in left_behind(dir) {
        content.insert(left, b"was left behind".to_vec());
    }
    let manifest = manifest(dir);
    if manifest["interrupted"] == true {
        // Whole up to there, and it says so.
        content.retain(|_, bytes| bytes.starts_with(b"was left") || bytes.starts_with(b"not what"));
        return content;
    }
    content.insert("digest".to_owned(), manifest["digest"].to_string().into_bytes());
    content
}

/// What must not be there once a run has ended.
fn left_behind(dir: &Path) -> Vec<String> {
    let names =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".partial") || name == "lock").collect()
}

/// As a person would: what is no whole run is taken away, or gone on with if it can be.
fn until_whole(room: &Path, dir: &str, begin: &str) -> Vec<Vec<String>> {
    let path = room.join(dir);
    if !run_in(&path).is_empty() {
        return Vec::new();
    }
    if path.join("checkpoint/plan.json").exists() && !path.join("manifest.json").exists() {
        return vec![words(&format!("run --json --resume {dir}"))];
    }
    let _ = fs::remove_dir_all(path);
    vec![words(begin)]
}

const RUN: &str = "run world.toml --json --out out";
const CHECKPOINTED: &str = "run world.toml --json --checkpoint-every 5 --out out";
const RESUME: &str = "run --json --resume out";
const BRANCH: &str = "branch run --json --at 10 --set golem.max_position_share=0.1 --out out";
const MERGE: &str = "cassette merge a.jsonl b.jsonl --out all.jsonl";

/// A run that was cut off somewhere behind its first checkpoint.
fn cut_off() -> TempDir {
    let room = room();
    let mut process =
        Process::begin(room.path(), &words(&format!("{CHECKPOINTED} --ticks 300")), Ending::Own);
    while !room.path().join("out/checkpoint/state.bin").exists() {
        std::thread::sleep(std::time::Duration::from_micros(200));
    }
    process.signal("KILL");
    drop(process.end());
    assert!(
        !room.path().join("out/manifest.json").exists(),
        "the machine is too fast for this test: lengthen the run"
    );
    room
}

fn lived() -> TempDir {
    let room = room();
    does(room.path(), "run world.toml --json --out run");
    room
}

/// One file, if it is there.
fn file(room: &Path, name: &str) -> Content {
    let Ok(bytes) = fs::read(room.join(name)) else { return Content::new() };
    Content::from([(name.to_owned(), bytes)])
}

/// Damaged and missing bloodstains, and losses in words: none.
const UNHARMED: &[u8] = b"[0,0,[]]";

/// A Lethe as whoever opens it next is told of it: each run with the bloodstains that are there, and what is lost.
fn lethe(room: &Path) -> Content {
    let mut content = Content::new();
    if !room.join("lethe/db").exists() {
        return content;
    }
    match lethe::look(&room.join("lethe"), 1_000).map(|view| serde_json::to_value(view).unwrap()) {
        Err(error) => drop(content.insert("unreadable".to_owned(), error.in_full().into_bytes())),
        Ok(view) => {
            let harm = serde_json::json!([view["damaged"], view["missing"], view["losses"]]);
            content.insert("harm".to_owned(), harm.to_string().into_bytes());
            for run in view["runs"].as_array().unwrap() {
                let told = (run["bloodstains"].to_string(), run["ticks"].to_string());
                content.insert(run["seed"].to_string(), format!("{told:?}").into_bytes());
            }
        }
    }
    content
}

fn into_lethe(n: usize) -> String {
    format!("run leaving.toml --json --seed {} --lethe lethe --out out{n}", n + 1)
}

fn cassettes() -> TempDir {
    let room = room();
    let text = fs::read_to_string(root().join("scenarios/real-mind.cassette.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().take(40).collect();
    // The first line says what the file is.
    for (name, part) in [("a.jsonl", &lines[1..20]), ("b.jsonl", &lines[20..])] {
        fs::write(room.path().join(name), format!("{}\n{}\n", lines[0], part.join("\n"))).unwrap();
    }
    room
}

/// A folder that one of those who meet makes whole, by what somebody begins who finds none.
fn one_run(
    name: &'static str,
    sample: TempDir,
    asked: impl Fn(usize) -> Vec<String> + 'static,
    begin: &'static str,
) -> Place {
    Place::new(name, sample, asked, |room| run_in(&room.join("out")))
        .done_by(Done::One, REFUSALS)
        .again(move |room, _| until_whole(room, "out", begin))
}

pub fn places() -> Vec<Place> {
    let cut = cut_off();
    let cut_too = tempfile::tempdir().unwrap();
    copy(cut.path(), cut_too.path());
    vec![
        one_run("run", room(), |_| words(RUN), RUN),
        one_run("checkpoints", room(), |n| words(if n == 0 { CHECKPOINTED } else { RESUME }), CHECKPOINTED),
        one_run("resume", cut, |_| words(RESUME), RUN),
        one_run("resume-or-run", cut_too, |n| words(if n.is_multiple_of(2) { RESUME } else { RUN }), RUN),
        Place::new("branch", lived(), |_| words(BRANCH), branched).done_by(Done::One, REFUSALS).again(
            |room, _| {
                if !branched(room).is_empty() {
                    return Vec::new();
                }
                let _ = fs::remove_dir_all(room.join("out"));
                vec![words(BRANCH)]
            },
        ),
        // Whoever is stopped gives no verdict; nothing is written, whoever comes.
        Place::new("verify", lived(), |_| words("verify run"), |room| run_in(&room.join("run"))),
        Place::new(
            "report",
            lived(),
            |_| words("report run --out page.html"),
            |room| file(room, "page.html"),
        ),
        Place::new("lethe", room(), |n| words(&into_lethe(n)), lethe)
            .done_by(Done::Some, &["another run is using this Lethe"])
            // What was left before somebody was killed stays, and nothing of it has come to harm.
            .in_parts(|content| content.get("harm").is_none_or(|harm| harm == UNHARMED))
            .again(|room, many| {
                (0..many).flat_map(|n| until_whole(room, &format!("out{n}"), &into_lethe(n))).collect()
            }),
        Place::new("cassettes", cassettes(), |_| words(MERGE), |room| file(room, "all.jsonl"))
            .done_by(Done::Some, &["there is a file already"])
            .again(|room, _| if room.join("all.jsonl").exists() { Vec::new() } else { vec![words(MERGE)] }),
    ]
}

/// Both arms of a branch, if what tells of their divergence is there.
fn branched(room: &Path) -> Content {
    let dir = room.join("out");
    let Ok(told) = fs::read(dir.join("divergence.json")) else { return Content::new() };
    let mut content = Content::from([("divergence.json".to_owned(), told)]);
    for entry in fs::read_dir(&dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            content.extend(run_in(&path).into_iter().map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        }
    }
    content
}
