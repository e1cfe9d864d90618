//! Cassettes written, read, damaged, merged, pruned and played. Each property of the file format has one
//! test. They are apart from the code because they need several of its files.

use super::{AskerNames, Cassette, CassetteEntry, Player, Recorder, difference, keys_in};
use crate::io::error::{Error, Result};
use crate::run::fixtures::{self, asker};
use morta_base::Tick;
use morta_engine::llm::outside::{Call, CallReply, FinishReason, Outside, OutsideError, Role};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn call(question: &str) -> Call {
    let schema = json!({ "type": "object", "required": ["z", "a"], "minimum": 1, "maximum": 1.0 });
    Call { schema, temperature: 0.1 + 0.2, ..fixtures::call(question) }
}

fn reply(text: &str) -> CallReply {
    CallReply {
        text: text.into(),
        finish: FinishReason::Stop,
        input_tokens: 5,
        output_tokens: 3,
        model: "m".into(),
    }
}

/// Records calls in this order, each answered with its own question in capitals.
fn recorded(path: &Path, questions: &[&str]) -> Cassette {
    let mut recorder = Recorder::open(path, None).unwrap();
    for (tick, question) in questions.iter().enumerate() {
        let answer = reply(&question.to_uppercase());
        recorder.keep(asker(tick as Tick), &call(question), &answer).unwrap();
    }
    recorder.finish().unwrap()
}

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.jsonl");
    (folder, path)
}

fn mistake(result: Result<impl std::fmt::Debug>) -> String {
    match result.unwrap_err() {
        Error::Invalid(lines) => lines.join("\n"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_same_calls_make_the_same_bytes_compressed_or_not() {
    let (folder, path) = folder();
    let written = recorded(&path, &["one", "two", "three"]);
    assert_eq!(Cassette::read(&path).unwrap(), written);
    assert_eq!(fs::read(&path).unwrap(), written.content());
    let packed = folder.path().join("x.jsonl.gz");
    let second = folder.path().join("y.jsonl.gz");
    assert_eq!(recorded(&packed, &["one", "two", "three"]), written);
    written.write(&second).unwrap();
    assert_eq!(fs::read(&packed).unwrap(), fs::read(&second).unwrap());
    assert!(fs::read(&packed).unwrap().starts_with(&[0x1f, 0x8b]));
    let read = Cassette::read(&packed).unwrap();
    assert_eq!((read.hash(), read), (written.hash(), written));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "no journal is left");
}

/// The order of replies, and who asked the same thing later, make no difference.
#[test]
fn the_order_of_replies_makes_no_difference() {
    let (folder, path) = folder();
    let mut recorder = Recorder::open(&path, None).unwrap();
    for tick in [3, 1, 2] {
        let entry = call("same");
        if recorder.find(asker(tick), &entry.key()).is_none() {
            recorder.keep(asker(tick), &entry, &reply("SAME")).unwrap();
        }
    }
    assert_eq!(recorder.finish().unwrap().entries().next().unwrap().asker.tick, 1);
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    for (path, order) in [(&a, ["one", "two", "three"]), (&b, ["three", "one", "two"])] {
        let mut recorder = Recorder::open(path, None).unwrap();
        order.iter().for_each(|question| {
            recorder.keep(asker(question.len() as Tick), &call(question), &reply(question)).unwrap();
        });
        recorder.finish().unwrap();
    }
    assert_eq!(fs::read(a).unwrap(), fs::read(b).unwrap());
}

#[test]
fn every_damage_is_one_clear_line() {
    let (_folder, path) = folder();
    let whole = String::from_utf8(recorded(&path, &["one", "two"]).content()).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let key = Cassette::read(&path).unwrap().entries().next().unwrap().key.clone();
    let with = |second: &str| format!("{}\n{second}\n", lines[0]);
    for (content, line, part) in [
        (String::new(), 1, "is no header"),
        ("{\"tick\": 1}\n".into(), 1, "a cassette begins with {\"morta_cassette\":1}"),
        ("{\"morta_cassette\":2}\n".into(), 1, "a cassette of version 2, and this build reads 1"),
        (with("nonsense"), 2, "no call of a cassette"),
        (with(&lines[1].replace("\"seed\":7", "\"seed\":8")), 2, "isn't the hash of its request"),
        (with(&lines[1].replace("\"reply\"", "\"answer\"")), 2, "unknown field `answer`"),
        (whole[..whole.len() - 9].to_owned(), 3, "its end is missing"),
        (
            whole.clone() + &lines[1].replace("ONE", "1").replace("TWO", "2") + "\n",
            4,
            "two different replies",
        ),
    ] {
        fs::write(&path, &content).unwrap();
        let message = mistake(Cassette::read(&path));
        let place = format!("{}, line {line}: ", path.display());
        assert!(message.starts_with(&place) && message.contains(part), "{message}");
    }
    assert!(mistake(Cassette::read(&path)).contains(&key.0), "conflicts name the call");
    // A line's end may be missing, as editors leave it.
    fs::write(&path, whole.trim_end()).unwrap();
    assert_eq!(Cassette::read(&path).unwrap().len(), 2);
    let message = mistake(Cassette::read(&path.with_extension("none")));
    assert!(message.contains("--llm record"), "{message}");
}

/// A few kilobytes that decompress to a line without an end.
#[test]
fn lines_without_end_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.gz");
    let mut encoder =
        flate2::write::GzEncoder::new(fs::File::create(&path).unwrap(), flate2::Compression::fast());
    std::io::copy(&mut std::io::Read::take(std::io::repeat(b'x'), 20 << 20), &mut encoder).unwrap();
    encoder.finish().unwrap();
    let message = mistake(Cassette::read(&path));
    assert!(message.contains("line 1: longer than 16 MB"), "{message}");
}

/// Wherever a process dies, what was answered before is there, and recording goes on.
#[test]
fn a_journal_that_was_cut_off_anywhere_is_gone_on_with() {
    let (folder, path) = folder();
    let journal = folder.path().join("x.jsonl.partial");
    let mut recorder = Recorder::open(&path, None).unwrap();
    let mut ends = Vec::new();
    for question in ["one", "two", "three"] {
        recorder.keep(asker(1), &call(question), &reply(question)).unwrap();
        ends.push(fs::metadata(&journal).unwrap().len() as usize);
    }
    drop(recorder);
    let whole = fs::read(&journal).unwrap();
    for length in (0..=whole.len()).step_by(7).chain(ends.iter().copied()) {
        fs::write(&journal, &whole[..length]).unwrap();
        let mut recorder = Recorder::open(&path, None).unwrap();
        let kept = ends.iter().filter(|end| **end <= length).count();
        assert_eq!(recorder.cassette.len(), kept, "{length} of {} bytes", whole.len());
        recorder.keep(asker(1), &call("four"), &reply("four")).unwrap();
        drop(recorder);
        assert_eq!(Recorder::open(&path, None).unwrap().cassette.len(), kept + 1);
        fs::remove_file(&journal).unwrap();
    }
    // Damage within it is no cut.
    fs::write(&journal, [&whole[..ends[0] - 20], b"\n", &whole[ends[0]..]].concat()).unwrap();
    assert!(mistake(Recorder::open(&path, None)).contains("x.jsonl.partial, line 2"));
}

#[test]
fn one_process_records_into_a_cassette_at_a_time() {
    let (_folder, path) = folder();
    let first = Recorder::open(&path, None).unwrap();
    assert!(mistake(Recorder::open(&path, None)).contains("another process records into this cassette"));
    drop(first);
    Recorder::open(&path, None).unwrap();
}

#[test]
fn a_recording_goes_on_with_recorded_calls() {
    let (folder, path) = folder();
    let begin_with = recorded(&folder.path().join("begin"), &["one", "two"]);
    recorded(&path, &["three"]);
    let mut recorder = Recorder::open(&path, Some(begin_with)).unwrap();
    assert_eq!(recorder.find(asker(9), &call("two").key()), Some(reply("TWO")));
    assert_eq!(recorder.find(asker(9), &call("four").key()), None);
    assert_eq!(recorder.finish().unwrap().len(), 3);
}

#[test]
fn merging_and_pruning() {
    let (folder, a) = folder();
    let b = folder.path().join("b.gz");
    recorded(&a, &["one", "two"]);
    recorded(&b, &["two", "three"]);
    let all = Cassette::merge(&[&a, &b]).unwrap();
    assert_eq!(all, Cassette::merge(&[&b, &a]).unwrap());
    assert_eq!(all.len(), 3);
    let keys = folder.path().join("keys");
    fs::write(&keys, format!("# kept\n{}\n\n", call("one").key().0.to_uppercase())).unwrap();
    let pruned = all.pruned(&keys_in(&keys).unwrap());
    assert_eq!(pruned.reply(&call("one").key()), Some(&reply("ONE")));
    assert_eq!(pruned.len(), 1);
    fs::write(&keys, "abc\n").unwrap();
    assert!(mistake(keys_in(&keys)).contains("line 1: `abc` is no key"));
    let mut other = Recorder::open(&folder.path().join("c"), None).unwrap();
    other.keep(asker(4), &call("one"), &reply("uno")).unwrap();
    other.finish().unwrap();
    let message = mistake(Cassette::merge(&[&a, &b, &folder.path().join("c")]));
    let parts = [a.display().to_string(), "/c: ".into(), call("one").key().0, "L3.G0.D2, tick 4".into()];
    assert!(parts.iter().all(|part| message.contains(part.as_str())), "{message}");
}

#[test]
fn a_player_answers_from_the_cassette_alone_and_names_missing_calls() {
    let (_folder, path) = folder();
    let far = "Here is another trade\nof another day\nWhat now?";
    let near = "Here is a trade\nthat made 1 R\nWhat now?";
    let player = Player::new(recorded(&path, &[far, near]));
    assert_eq!(player.reply(asker(7), &call(far)), Ok(reply(&far.to_uppercase())));
    assert_eq!(player.used(), [call(far).key()].into());
    let request = call("Here is a trade\nthat made 2 R\nWhat now?");
    player.ask(asker(7), &request);
    let Err(OutsideError::NotRecorded(message)) = player.reply(asker(7), &request) else {
        panic!("it isn't recorded")
    };
    for part in [
        "golem L3.G0 asks in dream L3.G0.D2 at tick 7",
        &request.key().0,
        "task read",
        "Here is a trade\n    that made 2 R",
        &format!("nearest is call {} (L3.G0.D2, tick 1)", call(near).key()),
        "line 3 of the messages is\n    that made 2 R\n  and was recorded as\n    that made 1 R",
        "--llm record",
    ] {
        assert!(message.contains(part), "`{part}` isn't in\n{message}");
    }
    let other_task = Call { schema_name: "imagine".into(), ..request };
    let message = player.reply(asker(7), &other_task).unwrap_err().to_string();
    assert!(message.contains("no call of this task among its 2"), "{message}");
    assert_eq!(player.used().len(), 1);
}

#[test]
fn differences_name_the_first_difference() {
    let one = call("a\nb");
    let setting = |change: fn(&mut Call)| {
        let mut other = one.clone();
        change(&mut other);
        difference::first(&other, &one)
    };
    assert!(setting(|call| call.seed = 8).ends_with("seed is 8 and was recorded as 7"));
    assert!(setting(|call| call.model = "big".into()).ends_with("model is big and was recorded as small"));
    assert!(setting(|call| call.messages[1].role = Role::Assistant).contains("roles"));
    assert!(setting(|call| call.messages[1].content.push_str("\nc")).ends_with("recorded as\n    (the end)"));
    assert_eq!(difference::first(&one, &one), "they are the same");
    assert_eq!(difference::size(&one, &one), 0);
    assert!(difference::size(&one, &call("a\nc")) < difference::size(&one, &call("c\nd")));
}

#[test]
fn listings_add_up() {
    let (_folder, path) = folder();
    let cassette = recorded(&path, &["one", "two", "three"]);
    let listing = serde_json::to_value(cassette.listing()).unwrap();
    assert_eq!(listing["by_task"]["read"], listing["all"]);
    let all = &listing["all"];
    assert_eq!((&all["calls"], &all["input_tokens"], &all["stopped"]), (&json!(3), &json!(15), &json!(3)));
    let key = call("two").key().0;
    let found =
        serde_json::to_value(cassette.selected(Some(&key[..9].to_uppercase()), Some("l3.g0"))).unwrap();
    assert_eq!(found["calls"][0]["reply"]["text"], "TWO");
    assert_eq!(found["calls"].as_array().unwrap().len(), 1);
    assert!(cassette.selected(None, Some("L4.G0")).is_empty());
    let asker = CassetteEntry::new(asker(2), call("x"), reply("y")).asker;
    assert_eq!(asker, AskerNames { golem: "L3.G0".into(), dream: "L3.G0.D2".into(), tick: 2 });
}
