//! A thousand faults of every kind, and what comes of them.

use super::server::{Act, KEY, TestServer, faultless};
use super::{asker, call, connect, endpoint, status};
use crate::run::cassette::{Cassette, Recorder};
use morta_base::{Purpose, WorldSeed};
use morta_engine::llm::EndpointConfig;
use morta_engine::llm::outside::{Call, CallReply, Message, Outside, OutsideError, Role};
use std::path::Path;

const FAULTS: usize = 1_000;
/// How many kinds `fault` knows; the last two are replies that only who asked can know to be wrong.
const KINDS: usize = 16;
const OF_CONTENT: usize = 2;

fn fault(kind: usize) -> Act {
    match kind {
        0 => status(429, ""),
        1 => status(429, "retry-after: 0\r\n"),
        2 => status(429, "retry-after: Sun, 06 Nov 1994 08:49:37 GMT\r\n"),
        3 => status(500, ""),
        4 => status(502, ""),
        5 => status(503, "retry-after: soon\r\n"),
        6 => Act::Silence,
        7 => Act::CutBody,
        8 => Act::Reset,
        9 => Act::Drip,
        10 => Act::Body("{\"choices\": [{\"message\"".into(), "application/json"),
        11 => Act::Body(format!("<html>Bearer {KEY}</html>"), "text/html"),
        12 => Act::Body("{\"choices\": [{\"message\": 7}]}".into(), "application/json"),
        13 => Act::Body(format!("{{\"error\": \"Bearer {KEY}\"}}"), "application/json"),
        14 => Act::Text(format!("{{\"findings\": \"Bearer {KEY}\"}}")),
        _ => Act::Text("{\"you_asked\": \"somebody else's question\"}".into()),
    }
}

/// Faults of so many kinds in a drawn order, seven of ten requests long.
fn acts(seed: u64, kinds: usize) -> Vec<Act> {
    let mut stream = WorldSeed(seed).world(Purpose::LlmReader, 0, 0);
    let (mut acts, mut faults) = (Vec::new(), 0);
    while faults < FAULTS {
        if stream.below(10) < 7 {
            acts.push(fault(stream.below(kinds)));
            faults += 1;
        } else {
            acts.push(Act::Answer);
        }
    }
    acts
}

/// Calls through a server, beginning anew from the journal whenever the endpoint counts as gone.
struct Asking<'a> {
    server: &'a TestServer,
    cassette: &'a Path,
    failures: Vec<String>,
    begun: usize,
}

impl Asking<'_> {
    /// The replies to these calls, in their order.
    fn replies(&mut self, calls: &[Call]) -> Vec<CallReply> {
        loop {
            self.begun += 1;
            let recorder = Recorder::open(self.cassette, None).unwrap();
            let impatient = EndpointConfig {
                timeout_seconds: 0.25,
                attempts: 6,
                breaker_failures: 12,
                ..endpoint(self.server)
            };
            let model = connect(impatient, Some(recorder)).model;
            self.failures.push(format!("{model:?}"));
            calls.iter().for_each(|call| model.ask(asker(9), call));
            let replies: Result<Vec<CallReply>, OutsideError> =
                calls.iter().map(|call| model.reply(asker(9), call)).collect();
            match replies {
                Ok(replies) => return replies,
                // Dropped without a word, as a process is that dies: the journal has what was answered.
                Err(OutsideError::Unreachable(failure)) => self.failures.push(failure),
                Err(other) => panic!("{other}"),
            }
        }
    }

    /// As a run asks: what can't be used is asked again with what was wrong about it.
    fn usable_replies(&mut self, mut calls: Vec<Call>) -> Vec<CallReply> {
        loop {
            let replies = self.replies(&calls);
            let wrong: Vec<usize> =
                (0..calls.len()).filter(|n| replies[*n].text != faultless(&calls[*n]).text).collect();
            if wrong.is_empty() {
                return replies;
            }
            for n in wrong {
                calls[n].messages.push(Message::new(Role::Assistant, replies[n].text.as_str()));
                calls[n].messages.push(Message::new(Role::User, "That can't be used."));
            }
        }
    }
}

/// Whatever happens underway, each call in the end has the reply of a faultless server, and the key is in nothing that is left.
#[test]
fn a_thousand_faults_change_no_reply() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("faults.jsonl");
    let server = TestServer::start(acts(13_001, KINDS));
    let mut asking = Asking { server: &server, cassette: &path, failures: Vec::new(), begun: 0 };
    let mut number = 0;
    while server.left() > 0 {
        let calls: Vec<Call> = (number..number + 30).map(call).collect();
        for (call, reply) in calls.iter().zip(asking.usable_replies(calls.clone())) {
            assert_eq!(reply, faultless(call));
        }
        number += 30;
    }
    assert_eq!(server.faults(), FAULTS);
    assert!(asking.begun > 2 * (number as usize / 30), "the endpoint was never gone: {}", asking.begun);
    assert!(
        server.with_requests(|received| received.iter().all(|request| request.has_key)),
        "the key was sent"
    );
    let journal = std::fs::read_to_string(folder.path().join("faults.jsonl.partial")).unwrap();
    let cassette = Recorder::open(&path, None).unwrap().finish().unwrap();
    let (failures, content) = (asking.failures.join("\n"), String::from_utf8(cassette.content()).unwrap());
    assert!(failures.contains("[key]") && content.contains("Bearer [key]"), "the server repeats the key");
    for text in [journal, failures, content] {
        assert!(!text.contains(KEY) && !text.contains("sk-secret"));
    }
}

/// What happens between client and server leaves no trace in the cassette: it is the same bytes as of a faultless server.
#[test]
fn faults_underway_leave_no_trace_in_the_cassette() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = |name: &str, server: &TestServer| {
        let path = folder.path().join(name);
        let mut asking = Asking { server, cassette: &path, failures: Vec::new(), begun: 0 };
        for first in (0..300).step_by(30) {
            asking.replies(&(first..first + 30).map(call).collect::<Vec<_>>());
        }
        Recorder::open(&path, None).unwrap().finish().unwrap();
        std::fs::read(&path).unwrap()
    };
    let hostile = recorded("hostile.jsonl", &TestServer::start(acts(13_002, KINDS - OF_CONTENT)));
    let faultless = recorded("faultless.jsonl", &TestServer::start([]));
    assert_eq!(String::from_utf8(hostile).unwrap(), String::from_utf8(faultless).unwrap());
    assert_eq!(Cassette::read(&folder.path().join("hostile.jsonl")).unwrap().len(), 300);
}
