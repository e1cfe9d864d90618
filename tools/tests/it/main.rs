//! The program `morta-memory` on years of a user's own logs: nothing is lost, evidence is weighed as specified, and every setting has an effect.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

mod beliefs;
mod dark_pawns;
mod dark_pawns_forms;
mod dark_pawns_graphs;
mod dark_pawns_login;
mod dark_pawns_session;
mod exports;
mod http;
mod import;
mod kills;
mod live;
mod mcp;
mod mcp_arguments;
mod mcp_offers;
mod nothing_lost;
mod openclaw;
mod openclaw_files;
mod openclaw_model;
mod openclaw_runs;
mod openclaw_settings;
mod owm;
mod owm_validate;
mod shared_db;
mod stores;

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A test's temporary folder.
struct Room(tempfile::TempDir);

impl Room {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }
}

impl std::ops::Deref for Room {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The program, in a folder.
fn memory(room: &Path, flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_morta-memory"));
    command.current_dir(room).args(flags).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs a command that must succeed; returns its standard output and its remarks.
#[track_caller]
fn ran(room: &Path, flags: &[&str]) -> (String, String) {
    let output = memory(room, flags).output().unwrap();
    assert!(output.status.success(), "{flags:?}: {}", said(&output));
    let noted = said(&output);
    (String::from_utf8(output.stdout).unwrap(), noted)
}

/// Runs a command that must succeed; returns its standard output.
#[track_caller]
fn printed(room: &Path, flags: &[&str]) -> String {
    ran(room, flags).0
}

/// Runs a command that must succeed; returns its JSON and its remarks.
#[track_caller]
fn answer(room: &Path, flags: &[&str]) -> (Value, String) {
    let (printed, noted) = ran(room, flags);
    (serde_json::from_str(&printed).unwrap(), noted)
}

/// Asserts that a text contains all parts.
#[track_caller]
fn says(text: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(text.contains(part), "{part}: {text}"));
}

/// Asserts that a value has these members, whatever else it has. A name that begins with a slash is a JSON pointer.
#[track_caller]
fn has(found: &Value, members: Value) {
    for (name, expected) in members.as_object().unwrap() {
        let pointer = if name.starts_with('/') { name.clone() } else { format!("/{name}") };
        assert_eq!(found.pointer(&pointer).unwrap_or(&Value::Null), expected, "{name}: {found}");
    }
}

#[track_caller]
fn close(value: &Value, expected: f64) {
    let found = value.as_f64().unwrap();
    assert!((found - expected).abs() < 1e-9, "found {found}, expected {expected}");
}

/// The number of items of a list.
#[track_caller]
fn count(list: &Value) -> usize {
    list.as_array().unwrap().len()
}

/// What each item of a list has at a JSON pointer.
#[track_caller]
fn each(list: &Value, pointer: &str) -> Value {
    list.as_array().unwrap().iter().map(|item| item.pointer(pointer).cloned().unwrap_or_default()).collect()
}

/// What a store recalls for a question, the best first.
#[track_caller]
fn recalled(room: &Path, question: &Value) -> Value {
    write(room, "asked.json", question);
    answer(room, &["owm", "recall", "asked.json", "--store", "store"]).0["ranked"].take()
}

/// A value with more members, which replace its own of the same names.
fn with(mut base: Value, more: Value) -> Value {
    base.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    base
}

#[track_caller]
fn refusal(room: &Path, flags: &[&str]) -> String {
    let output = memory(room, flags).output().unwrap();
    assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]), "{flags:?}");
    said(&output)
}

/// Asserts that a command is refused, with all these parts in its message.
#[track_caller]
fn refuses(room: &Path, flags: &[&str], parts: &[&str]) {
    says(&refusal(room, flags), parts);
}

/// The names of the files of a folder.
fn names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap();
    files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
}

/// The values of lines of JSON.
fn values(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A file of JSON.
fn json_of(room: &Path, name: &str) -> Value {
    serde_json::from_str(&read(room, name)).unwrap()
}

/// Has a store remember these trades and other actions; returns the account of it.
#[track_caller]
fn remember(room: &Path, log: impl IntoIterator<Item = impl std::fmt::Display>) -> Value {
    write(room, "log.jsonl", lines(log));
    answer(room, &["owm", "remember", "store", "log.jsonl"]).0
}

fn read(room: &Path, name: &str) -> String {
    std::fs::read_to_string(room.join(name)).unwrap()
}

fn write(room: &Path, name: &str, content: impl std::fmt::Display) {
    let path = room.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content.to_string()).unwrap();
}

fn lines(values: impl IntoIterator<Item = impl std::fmt::Display>) -> String {
    values.into_iter().map(|value| format!("{value}\n")).collect()
}
