//! A client against servers on loopback that behave in every way but well.

mod faults;
mod server;

use super::LiveModel;
use super::api_key::ApiKey;
use crate::run::cassette::{Cassette, Recorder};
use crate::run::fixtures::{self, asker};
use morta_engine::llm::outside::{Call, Outside, OutsideError};
use morta_engine::llm::{EndpointConfig, LlmConfig, LlmMode, SchemaForm};
use serde_json::json;
use server::{Act, KEY, TestServer, faultless};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn call(number: u32) -> Call {
    Call { seed: number, ..fixtures::call(&format!("Question {number}")) }
}

/// Quick to give up on an attempt and quick to make another.
fn endpoint(server: &TestServer) -> EndpointConfig {
    EndpointConfig {
        base_url: server.base_url(),
        concurrency: 8,
        timeout_seconds: 5.0,
        attempts: 4,
        backoff_seconds: 0.001,
        backoff_max_seconds: 0.004,
        ..EndpointConfig::default()
    }
}

struct Connected {
    model: LiveModel,
    stop: Arc<AtomicBool>,
}

fn connect(endpoint: EndpointConfig, recorder: Option<Recorder>) -> Connected {
    let config = LlmConfig { mode: LlmMode::Live, model: "small".into(), endpoint, ..LlmConfig::default() };
    let stop = Arc::new(AtomicBool::new(false));
    let model = LiveModel::with_key(&config, ApiKey::from_text(KEY), recorder, Arc::clone(&stop)).unwrap();
    Connected { model, stop }
}

fn unreachable_text(model: &LiveModel, call: &Call) -> String {
    match model.reply(asker(9), call) {
        Err(OutsideError::Unreachable(message)) => message,
        other => panic!("{other:?}"),
    }
}

fn status(status: u16, headers: &'static str) -> Act {
    Act::Status(status, headers, format!(r#"{{"error":{{"message":"no: Bearer {KEY} won't do"}}}}"#))
}

#[test]
fn a_call_is_sent_as_the_schema_key_says() {
    let server = TestServer::start([]);
    for (schema, format) in [
        (
            SchemaForm::Strict,
            json!({ "type": "json_schema", "json_schema": { "name": "read", "strict": true, "schema": { "type": "object" } } }),
        ),
        (SchemaForm::Json, json!({ "type": "json_object" })),
        (SchemaForm::Prompt, json!(null)),
    ] {
        let connected = connect(EndpointConfig { schema, ..endpoint(&server) }, None);
        assert_eq!(connected.model.reply(asker(9), &call(1)).unwrap(), faultless(&call(1)));
        let counted = connected.model.counters().snapshot();
        assert_eq!(
            (counted.calls, counted.attempts, counted.input_tokens, counted.output_tokens),
            (1, 1, 11, 7)
        );
        server.with_requests(|received| {
            let last = received.last().unwrap();
            assert!(last.has_key);
            assert_eq!(last.body["response_format"], format);
            assert_eq!((&last.body["seed"], &last.body["max_tokens"]), (&json!(1), &json!(100)));
            assert_eq!(last.body["messages"][1], json!({ "role": "user", "content": "Question 1" }));
        });
    }
}

/// What won't pass is said at once, with the server's words and what to do, and without the key, which this server repeats.
#[test]
fn refusals_are_final_and_clear() {
    for (code, remedy) in [
        (400, "llm.endpoint.schema"),
        (401, "api_key_env"),
        (403, "api_key_env"),
        (404, "/v1"),
        (418, "base_url"),
    ] {
        let server = TestServer::start([status(code, "")]);
        let connected = connect(endpoint(&server), None);
        let message = unreachable_text(&connected.model, &call(1));
        let parts = [&code.to_string(), remedy, "no: Bearer [key] won't do", &server.base_url()];
        assert!(parts.iter().all(|part| message.contains(*part)), "{message}");
        assert!(!message.contains(KEY));
        assert_eq!(server.requests(), 1, "{code} is asked once");
    }
}

/// A redirect would carry the key to the address that it names.
#[test]
fn redirects_are_not_followed() {
    let other = TestServer::start([]);
    let location: &'static str = Box::leak(format!("location: {}/x\r\n", other.base_url()).into_boxed_str());
    for code in [301, 302, 307, 308] {
        let server = TestServer::start([Act::Status(code, location, String::new())]);
        let connected = connect(endpoint(&server), None);
        let message = unreachable_text(&connected.model, &call(1));
        assert!(
            message.contains(&code.to_string()) && message.contains("redirects aren't followed"),
            "{message}"
        );
    }
    assert_eq!(other.requests(), 0);
}

#[test]
fn passing_faults_are_tried_again() {
    for act in [
        status(408, ""),
        status(429, ""),
        status(500, ""),
        status(529, ""),
        Act::CutBody,
        Act::Reset,
        Act::Body("{\"choices\": [".into(), "application/json"),
        Act::Body("<html>please log in</html>".into(), "text/html"),
        Act::Body("{\"choices\": 7}".into(), "application/json"),
        Act::Body("{\"error\": {\"message\": \"busy\"}}".into(), "application/json"),
        Act::Body(format!("{{\"choices\": \"{}\"}}", "x".repeat(2 << 20)), "application/json"),
    ] {
        let server = TestServer::start([act.clone(), act.clone()]);
        let connected = connect(endpoint(&server), None);
        let reply = connected.model.reply(asker(9), &call(1));
        assert_eq!(reply.as_ref(), Ok(&faultless(&call(1))), "{:.80}", format!("{act:?}"));
        let counted = connected.model.counters().snapshot();
        assert_eq!((counted.attempts, counted.failed_attempts, counted.answered), (3, 2, 1));
        // As many failures as there are attempts are one too many.
        let server = TestServer::start(vec![act; 4]);
        let connected = connect(endpoint(&server), None);
        let message = unreachable_text(&connected.model, &call(1));
        assert!(message.contains("4 attempts at one call failed") && !message.contains(KEY), "{message}");
        assert_eq!(server.requests(), 4);
    }
}

#[test]
fn retry_after_holds_every_call() {
    let server = TestServer::start([status(429, "retry-after: 1\r\n")]);
    let connected = connect(endpoint(&server), None);
    let refused = Instant::now();
    connected.model.ask(asker(9), &call(1));
    while server.requests() == 0 {
        std::thread::yield_now();
    }
    // The client has read the refusal when its failed attempt is counted; the hold is set in the same breath, so look at arrivals only.
    while connected.model.counters().snapshot().failed_attempts == 0 {
        std::thread::yield_now();
    }
    std::thread::sleep(Duration::from_millis(50));
    connected.model.reply(asker(9), &call(2)).unwrap();
    connected.model.reply(asker(9), &call(1)).unwrap();
    server.with_requests(|received| {
        assert_eq!(received.len(), 3);
        assert!(received[1..].iter().all(|request| request.at - refused >= Duration::from_secs(1)));
    });
}

#[test]
fn the_rate_limit_holds() {
    let server = TestServer::start([]);
    let limited = EndpointConfig { requests_per_minute: Some(1_200), ..endpoint(&server) };
    let connected = connect(limited, None);
    let begun = Instant::now();
    (0..10).for_each(|number| connected.model.ask(asker(9), &call(number)));
    (0..10).for_each(|number| drop(connected.model.reply(asker(9), &call(number)).unwrap()));
    // Ten attempts are nine spaces of 50 ms.
    assert!(begun.elapsed() >= Duration::from_millis(450), "{:?}", begun.elapsed());
}

/// Failures in a row, of whatever calls, end all that wait.
#[test]
fn an_endpoint_that_is_gone_is_left_alone() {
    let server = TestServer::start(vec![status(503, ""); 1_000]);
    let breaking = EndpointConfig { attempts: 100, breaker_failures: 20, ..endpoint(&server) };
    let connected = connect(breaking, None);
    (0..40).for_each(|number| connected.model.ask(asker(9), &call(number)));
    for number in 0..40 {
        let message = unreachable_text(&connected.model, &call(number));
        assert!(message.contains("20 failed attempts in a row") && !message.contains(KEY), "{message}");
    }
    // Attempts that were under way on other threads when it opened.
    assert!((20..28).contains(&server.requests()), "{}", server.requests());
}

#[test]
fn a_closed_port_is_reported() {
    let address = TestServer::start([]).base_url();
    let server = TestServer::start([]);
    let nobody = EndpointConfig { base_url: address.clone(), ..endpoint(&server) };
    let message = unreachable_text(&connect(nobody, None).model, &call(1));
    assert!(message.contains(&address) && message.contains("can't be reached"), "{message}");
}

/// Longer than anything here takes, and much less than what it interrupts.
const PROMPTLY: Duration = Duration::from_secs(5);

#[test]
fn stopping_ends_waiting_calls_and_dropping_ends_calls_under_way() {
    for act in [Act::Silence, status(503, "retry-after: 100\r\n"), Act::Drip] {
        let server = TestServer::start(vec![act; 20]);
        let patient = EndpointConfig { timeout_seconds: 1_000.0, concurrency: 3, ..endpoint(&server) };
        let Connected { model, stop } = connect(patient, None);
        (0..9).for_each(|number| model.ask(asker(9), &call(number)));
        while server.requests() == 0 {
            std::thread::yield_now();
        }
        let begun = Instant::now();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| model.reply(asker(9), &call(0)));
            stop.store(true, Ordering::Relaxed);
            assert_eq!(waiting.join().unwrap(), Err(OutsideError::Stopped));
        });
        let shared = Arc::downgrade(&model.counters());
        drop(model);
        assert!(begun.elapsed() < PROMPTLY, "{:?}", begun.elapsed());
        assert_eq!(shared.strong_count(), 0, "threads are gone, and what they held with them");
    }
}

#[test]
fn recorded_calls_are_not_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl.gz");
    let server = TestServer::start([]);
    let recorded = connect(endpoint(&server), Some(Recorder::open(&path, None).unwrap()));
    recorded.model.reply(asker(9), &call(1)).unwrap();
    recorded.model.reply(asker(9), &call(1)).unwrap();
    assert_eq!(server.requests(), 1, "what was answered is not asked again");
    let cassette = recorded.model.finish().unwrap().unwrap();
    assert_eq!((cassette.len(), cassette.reply(&call(1).key())), (1, Some(&faultless(&call(1)))));
    assert!(recorded.model.finish().unwrap().is_none());
    let again = connect(endpoint(&server), Some(Recorder::open(&path, None).unwrap()));
    assert_eq!(again.model.reply(asker(9), &call(1)).unwrap(), faultless(&call(1)));
    let counted = again.model.counters().snapshot();
    assert_eq!((counted.calls, counted.cache_hits, counted.attempts), (1, 1, 0));
    assert_eq!(server.requests(), 1);
}

/// A run that ends with a call under way records the same whether it was answered by then or not; what another recording had stays.
#[test]
fn unread_replies_are_not_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let server = TestServer::start([]);
    let recorded = connect(endpoint(&server), Some(Recorder::open(&path, None).unwrap()));
    recorded.model.ask(asker(9), &call(1));
    recorded.model.reply(asker(9), &call(2)).unwrap();
    while recorded.model.counters().snapshot().answered < 2 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let keys = |cassette: &Cassette| cassette.entries().map(|entry| entry.key.clone()).collect::<Vec<_>>();
    assert_eq!(keys(&recorded.model.finish().unwrap().unwrap()), [call(2).key()]);
    let again = connect(endpoint(&server), Some(Recorder::open(&path, None).unwrap()));
    again.model.ask(asker(9), &call(2));
    assert_eq!(keys(&again.model.finish().unwrap().unwrap()), [call(2).key()]);
}

#[test]
fn a_key_that_is_not_there_and_addresses_that_hold_one_are_refused() {
    let refused = |endpoint: EndpointConfig| {
        let config = LlmConfig { endpoint, ..LlmConfig::default() };
        LiveModel::connect(&config, None, Arc::default()).unwrap_err().in_full()
    };
    let name = "MORTA_TEST_NO_SUCH_VARIABLE";
    let message = refused(EndpointConfig { api_key_env: Some(name.into()), ..EndpointConfig::default() });
    assert!(message.contains(name) && message.contains("isn't set"), "{message}");
    for url in
        ["http://me:hunter2@host/v1", "https://host/v1?key=abc", "http:///v1", "host/v1", "http://a b/v1"]
    {
        let message = refused(EndpointConfig { base_url: url.into(), ..EndpointConfig::default() });
        assert!(message.contains("llm.endpoint.base_url"), "{message}");
        assert!(!message.contains("hunter2"), "{message}");
    }
}

/// For `tests/llm/llmock.sh`, which starts the server and judges how it was asked.
#[test]
#[ignore = "needs a server: tests/llm/llmock.sh starts one"]
fn calls_get_through_to_a_server_that_fails() {
    let base_url = std::env::var("LLMOCK_URL").expect("LLMOCK_URL holds its address");
    let patient = EndpointConfig {
        base_url,
        attempts: 20,
        breaker_failures: 100,
        backoff_seconds: 0.05,
        schema: SchemaForm::Prompt,
        ..EndpointConfig::default()
    };
    let connected = connect(patient, None);
    (0..150).for_each(|number| connected.model.ask(asker(9), &call(number)));
    (0..150).for_each(|number| drop(connected.model.reply(asker(9), &call(number)).unwrap()));
    let counted = connected.model.counters().snapshot();
    assert_eq!(counted.answered, 150);
    assert!(counted.failed_attempts > 50, "the server failed too little to tell: {counted:?}");
}
