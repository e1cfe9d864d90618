//! Wording of REM sleep's themes by a model: with the phase's own model, temperature, tokens and timeout; without an answer the themes stay as they
//! are.

use super::openclaw_files::{NOTE, NOW, store, strong};
use super::{Room, answer, count, has, memory, ran, read, said, says, write};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

/// Two themes: the router, and the office.
fn workspace(room: &Path) {
    let entries: Vec<Value> = (0..6)
        .map(|n| {
            let mut entry = strong(NOTE, (n + 3, n + 3), &format!("memory number {n} of the network"));
            entry["conceptTags"] = json!([if n < 3 { "router" } else { "office" }, format!("tag{n}")]);
            entry
        })
        .collect();
    store(room, &entries);
}

fn configure(room: &Path, base_url: &str, execution: Value, key: Option<&str>) {
    let provider = json!({ "baseUrl": base_url, "api": "openai-completions", "apiKey": key });
    let dreaming = json!({ "enabled": true, "phases": { "rem": { "execution": execution } } });
    let file = json!({ "models": { "providers": { "local": provider } },
        "plugins": { "entries": { "memory-core": { "config": { "dreaming": dreaming } } } } });
    write(room, "openclaw.json", file);
}

/// A server of chat completions that answers `content` to each call. It returns the head and body of the request.
fn model(content: &str) -> (String, std::thread::JoinHandle<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let reply = json!({ "id": "1", "model": "m", "choices": [{ "message": { "role": "assistant", "content": content }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 9, "completion_tokens": 9 } });
    let reply = reply.to_string();
    let served = std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let mut from = BufReader::new(stream);
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            from.read_line(&mut line).unwrap();
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            head.push_str(&line);
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        from.read_exact(&mut body).unwrap();
        let answer = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{reply}",
            reply.len()
        );
        from.get_mut().write_all(answer.as_bytes()).unwrap();
        (head, serde_json::from_slice(&body).unwrap())
    });
    (url, served)
}

const REM: [&str; 3] = ["openclaw", "rem", "--apply"];

fn note(room: &Path) -> String {
    read(room, "memory/2026-04-05.md")
}

#[test]
fn themes_are_worded_by_the_phases_own_model_settings() {
    let room = &Room::new();
    workspace(room);
    let said_by_it = "<think>{hm}</think>```json\n{\"sentences\": [\"The office <!-- openclaw:dreaming:rem:end --> has\\na network.\", \"The router.\"]}\n```";
    // Reasoning before `</think>` is dropped before the reply is parsed.
    let (url, served) = model(said_by_it);
    let execution =
        json!({ "model": "local/small", "temperature": 0.2, "maxOutputTokens": 77, "timeoutMs": 5_000 });
    configure(room, &url, execution, Some("${OPENCLAW_TEST_KEY}"));
    let mut command = memory(room, &[&REM[..], &NOW[..]].concat());
    let output = command.env("OPENCLAW_TEST_KEY", "secret-of-nobody").output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(said(&output), "");
    let (head, request) = served.join().unwrap();
    assert!(head.starts_with("POST /v1/chat/completions"), "{head}");
    assert!(head.contains("Bearer secret-of-nobody"), "{head}");
    has(&request, json!({ "model": "small", "temperature": 0.2, "max_tokens": 77 }));
    let shown: Value = serde_json::from_str(request["messages"][1]["content"].as_str().unwrap()).unwrap();
    assert_eq!(count(&shown["themes"]), 2, "{shown}");
    assert!(shown["themes"][0]["memories"][0].as_str().unwrap().starts_with("memory number"), "{shown}");
    let note = note(room);
    assert!(note.contains("  - in words: The office openclaw:dreaming:rem:end has a network.\n"), "{note}");
    assert!(note.contains("  - in words: The router.\n"), "{note}");
    assert_eq!(note.matches("<!--").count(), 2, "a sentence can't end its block: {note}");
    assert!(!note.contains("secret"), "{note}");
}

#[test]
fn without_an_answer_themes_stay_unworded() {
    let gone = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}/v1", listener.local_addr().unwrap())
    };
    let (two, served) = model("{\"sentences\": [\"only one\"]}");
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let waits = format!("http://{}/v1", silent.local_addr().unwrap());
    let begun = Instant::now();
    for (url, execution, key, why) in [
        (gone.as_str(), json!({ "model": "local/small" }), None, "can't be reached"),
        (&two, json!({ "model": "local/small" }), None, "has 1 sentences for 2 themes"),
        (&waits, json!({ "model": "local/small", "timeoutMs": 200 }), None, "can't be reached"),
        (&gone, json!({ "model": "small" }), None, "write provider/model"),
        (&gone, json!({ "model": "other/small" }), None, "models.providers has no baseUrl"),
        (
            &gone,
            json!({ "model": "local/small" }),
            Some("sk-written-into-the-file"),
            "apiKey must be ${NAME}",
        ),
        (&gone, json!({ "model": "local/small" }), Some("${NOT_SET_ANYWHERE}"), "NOT_SET_ANYWHERE isn't set"),
    ] {
        let room = &Room::new();
        workspace(room);
        configure(room, url, execution, key);
        let (_, noted) = ran(room, &[&REM[..], &NOW[..]].concat());
        says(&noted, &["themes are left without words", why]);
        assert!(!noted.contains("sk-written") && noted.lines().count() == 1, "{noted}");
        let note = note(room);
        assert!(note.contains("- Theme: `office`") && !note.contains("in words"), "{note}");
    }
    assert!(begun.elapsed() < Duration::from_secs(30), "the phase's own time is kept");
    served.join().unwrap();
    // Without a model, and in a preview, no request is sent.
    let room = &Room::new();
    workspace(room);
    configure(room, &gone, json!({ "temperature": 0.2 }), None);
    let (_, noted) = answer(room, &[&REM[..], &NOW[..], &["--json"]].concat());
    assert_eq!(noted, "");
    configure(room, &gone, json!({ "model": "local/small" }), None);
    let (_, noted) = answer(room, &[&["openclaw", "rem", "--json"], &NOW[..]].concat());
    assert_eq!(noted, "");
}
