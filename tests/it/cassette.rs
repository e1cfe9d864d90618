//! `morta cassette` as its users call it.

use crate::common::{Program as _, morta};
use assert_cmd::Command;
use morta_base::{DreamId, GolemId, LetterId};
use morta_engine::llm::outside::{Asker, Call, CallReply, FinishReason, Message, Role};
use morta_lab::cassette::{Cassette, Recorder};
use std::path::Path;

fn call(question: &str) -> Call {
    Call {
        model: "small".into(),
        messages: vec![Message::new(Role::User, question)],
        schema_name: "reflect".into(),
        schema: serde_json::json!({ "type": "object" }),
        temperature: 0.4,
        max_tokens: 100,
        seed: 7,
    }
}

fn record(path: &Path, questions: &[&str]) {
    let mut recorder = Recorder::open(path, None).unwrap();
    for question in questions {
        let golem = GolemId::founder(0);
        let asker =
            Asker { letter: LetterId { golem, number: 1 }, dream: DreamId { golem, number: 2 }, tick: 30 };
        let text = question.to_uppercase();
        let reply = CallReply {
            text,
            finish: FinishReason::Stop,
            input_tokens: 5,
            output_tokens: 3,
            model: "m".into(),
        };
        recorder.keep(asker, &call(question), &reply).unwrap();
    }
    recorder.finish().unwrap();
}

/// Exit code, standard output and standard error of `morta cassette`.
fn cassette(folder: &Path, flags: &[&str]) -> Command {
    let mut command = morta();
    command.current_dir(folder).arg("cassette").args(flags);
    command
}

#[test]
fn cassettes_are_inspected_merged_and_pruned() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    record(&at("a.jsonl"), &["why", "how"]);
    record(&at("b.jsonl.gz"), &["how", "when"]);

    let out = cassette(folder.path(), &["inspect", "a.jsonl", "b.jsonl.gz"]).printed();
    assert!(out.starts_with("3 calls of 1 golems, ticks 30 to 30; content "), "{out}");
    let reflect = out.lines().find(|line| line.trim_start().starts_with("reflect")).unwrap();
    let fields: Vec<&str> = reflect.split_whitespace().collect();
    assert_eq!(fields, ["reflect", "3", "15", "9", "3", "0", "0"]);

    let key = call("how").key().0;
    let out = cassette(folder.path(), &["inspect", "a.jsonl", "--key", &key[..12]]).printed();
    assert!(out.contains("--- user\nhow\n--- reply of m (stop; 5 tokens read, 3 written)\nHOW\n"), "{out}");
    let calls = cassette(folder.path(), &["inspect", "a.jsonl", "--golem", "l0.g0", "--json"]).json();
    assert_eq!(calls["calls"].as_array().unwrap().len(), 2);
    let out = cassette(folder.path(), &["merge", "a.jsonl", "b.jsonl.gz", "-o", "all.jsonl.gz"]).printed();
    let all = Cassette::read(&at("all.jsonl.gz")).unwrap();
    assert_eq!((all.len(), out), (3, format!("all.jsonl.gz: 3 calls, content {}\n", all.hash())));

    std::fs::write(at("keys"), format!("{key}\n")).unwrap();
    let flags = ["prune", "all.jsonl.gz", "--keys", "keys", "-o", "one.jsonl"];
    cassette(folder.path(), &flags).printed();
    let one = Cassette::read(&at("one.jsonl")).unwrap();
    assert_eq!(one.entries().map(|entry| entry.key.0.as_str()).collect::<Vec<_>>(), [key]);
    let err = cassette(folder.path(), &flags).refusal();
    assert_eq!(err, "error: one.jsonl: there is a file already: choose another name\n");
}

#[test]
fn mistakes_are_one_line_each() {
    let folder = tempfile::tempdir().unwrap();
    record(&folder.path().join("a.jsonl"), &["why"]);
    std::fs::write(folder.path().join("text"), "no cassette\n").unwrap();
    for (flags, part) in [
        (&["inspect", "none"][..], "error: none: the cassette can't be read"),
        (&["inspect", "text"], "error: text, line 1: `no cassette` is no header"),
        (&["inspect", "a.jsonl", "--golem", "L9.G9"], "error: no call has key any and golem L9.G9"),
        (&["prune", "a.jsonl", "--keys", "text", "-o", "b"], "error: text, line 1: `no cassette` is no key"),
    ] {
        let (code, out, err) = cassette(folder.path(), flags).ended();
        assert_eq!((code, out.as_str(), err.lines().count()), (2, "", 1), "{err}");
        assert!(err.starts_with(part), "{err}");
    }
}
