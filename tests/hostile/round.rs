//! A round of one kind of files: every case has one verdict, and what fails is kept with what it takes to do it again.

use super::effort::Effort;
use super::kind::Kind;
use super::tally::{Count, Tally};
use super::watch::{Watched, failures, watched};
use morta_lab::Error;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Longest line that anybody is told, bytes.
const LINE_MAX: usize = 8_000;
/// Failures of a kind after which its round ends: more of them say nothing new, and each may cost twenty seconds.
const FAILURES_MAX: usize = 20;

/// What came of a case.
#[derive(Debug)]
pub enum Verdict {
    Accepted,
    Refused,
    Failure(String),
}

/// One round at a time in this process: time and memory are the process's.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// One case of a look.
fn look(kind: &Kind, room: &Path, told: &str, file: &Path) -> Verdict {
    match watched(told, file, || (kind.look)(room)) {
        Watched::TookTooMuch(what) => Verdict::Failure(what),
        Watched::Panicked(what) => Verdict::Failure(format!("a panic: {what}")),
        Watched::Returned(Ok(())) => Verdict::Accepted,
        Watched::Returned(Err(error)) => judge(&error),
    }
}

/// A refusal is one line for each mistake.
pub fn judge(error: &Error) -> Verdict {
    let lines = error.mistakes().map_or_else(|| vec![error.in_full()], <[String]>::to_vec);
    match lines.iter().find_map(|line| bad_line(line)) {
        Some(why) => Verdict::Failure(why),
        None if lines.is_empty() => Verdict::Failure("refused without a word".to_owned()),
        None => Verdict::Refused,
    }
}

fn bad_line(line: &str) -> Option<String> {
    let shown: String = line.chars().take(200).collect();
    if line.trim().is_empty() {
        Some("an empty message".to_owned())
    } else if line.contains(['\n', '\r']) {
        Some(format!("a message of several lines: {shown:?}"))
    } else if line.len() > LINE_MAX {
        Some(format!("a message of {} bytes: {shown:?}", line.len()))
    } else {
        None
    }
}

/// The sound files must be accepted first: who refuses everything has shown nothing.
fn control(kind: &Kind, room: &Path) {
    kind.put_all(room);
    let verdict = look(kind, room, &format!("{}, sound", kind.name), room);
    if !matches!(verdict, Verdict::Accepted) {
        let error = (kind.look)(room).err().map(|error| error.in_full());
        panic!("{}: the sound files aren't accepted: {verdict:?} {error:?}", kind.name);
    }
    if kind.writes {
        kind.put_all(room);
    }
}

/// Tries one kind.
fn round(kind: &Kind, effort: &Effort) -> Count {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let place = tempfile::tempdir().expect("there is room");
    let room = place.path().join("room");
    control(kind, &room);
    let mut tally = Tally::begin(kind.name, effort.seed);
    for number in effort.from..effort.from + effort.cases(kind.name) {
        if tally.elapsed() > effort.time || tally.count.failures.len() >= FAILURES_MAX {
            break;
        }
        case(kind, &room, effort.seed, number, &mut tally);
    }
    tally.end()
}

fn case(kind: &Kind, room: &Path, seed: u64, number: u64, tally: &mut Tally) {
    let (file, bytes) = kind.case(seed, number);
    kind.put(room, file, &bytes);
    let name = kind.name;
    let again = format!("HOSTILE_SEED={seed} HOSTILE_KIND={name} HOSTILE_FROM={number} HOSTILE_CASES=1");
    tally.under_way(number);
    match look(kind, room, &again, &room.join(&file.name)) {
        Verdict::Accepted => tally.count.accepted += 1,
        Verdict::Refused => tally.count.refused += 1,
        Verdict::Failure(why) => {
            let kept = failures().join(format!("{name}-{seed}-{number}"));
            let kept = kept.join(file.name.replace('/', "_"));
            fs::create_dir_all(kept.parent().expect("it has one")).expect("failures can be kept");
            fs::write(&kept, &bytes).expect("failures can be kept");
            tally.fail(format!("{why}\n    {}: {again}", kept.display()));
        }
    }
    if kind.writes {
        kind.put_all(room);
    } else {
        kind.put(room, file, &file.bytes);
    }
}

/// Tries several kinds, and fails with every failure of all of them.
pub fn rounds(kinds: Vec<Kind>) {
    let effort = Effort::asked();
    let mut failures = Vec::new();
    for kind in kinds.iter().filter(|kind| effort.includes(kind.name)) {
        let count = round(kind, &effort);
        failures.extend(count.failures.into_iter().map(|what| format!("{}: {what}", kind.name)));
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
