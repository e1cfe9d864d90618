//! What the tests of the command line share.
#![allow(dead_code, reason = "not every test file needs all of it")]

pub mod answers;
pub mod generated;

use assert_cmd::Command;
use serde_json::Value;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Short lives that leave much.
pub const LEAVING: &str = r#"name = "leaving"
seed = 11
ticks = 120

[[cohorts]]
name = "bardo"
golems = 8
memory = "bardo"

[[market.assets]]
symbol = "ETH"
source = { kind = "synthetic" }

[golem]
compute_usdc_per_tick = 0.1

[mortality]
hazard_scale = 5000.0
thanatopsis = { snapshot_interval_ticks = 5 }

[lethe]
delay_hours_min = 0.0
delay_hours_max = 0.1
"#;

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("paths of tests are UTF-8")
}

/// What a program printed on standard error.
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The project's folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The program, run in the project's folder.
pub fn morta() -> Command {
    let mut command = Command::cargo_bin("morta").expect("the program is built with its tests");
    command.current_dir(root());
    command
}

/// A text that a program has made.
pub trait Text {
    /// Fails where one of these isn't in it.
    #[track_caller]
    fn must_have(&self, parts: &[&str]);
}

impl Text for str {
    fn must_have(&self, parts: &[&str]) {
        for part in parts {
            assert!(self.contains(part), "{part}: {self}");
        }
    }
}

/// A program that is run to its end, and what it says.
pub trait Program: Debug {
    fn run_to_end(&mut self) -> Output;

    /// Standard output; it must succeed.
    #[track_caller]
    fn printed(&mut self) -> String {
        let output = self.run_to_end();
        assert!(output.status.success(), "{self:?}: {}", said(&output));
        String::from_utf8(output.stdout).expect("the program prints UTF-8")
    }

    /// Standard output; it must succeed, and say all these.
    #[track_caller]
    fn printed_with(&mut self, parts: &[&str]) -> String {
        let printed = self.printed();
        for part in parts {
            assert!(printed.contains(part), "{self:?}: {part}: {printed}");
        }
        printed
    }

    /// The JSON on standard output; it must succeed.
    #[track_caller]
    fn json(&mut self) -> Value {
        serde_json::from_str(&self.printed()).expect("one JSON value")
    }

    /// Standard error; it must refuse, with exit code 2.
    #[track_caller]
    fn refusal(&mut self) -> String {
        let output = self.run_to_end();
        assert_eq!(output.status.code(), Some(2), "{self:?}: {}", said(&output));
        said(&output)
    }

    /// Standard error as [`Self::refusal`], when it holds all these.
    #[track_caller]
    fn refused_with(&mut self, parts: &[&str]) -> String {
        let said = self.refusal();
        for part in parts {
            assert!(said.contains(part), "{self:?}: {part}: {said}");
        }
        said
    }

    /// The same, when it is one line.
    #[track_caller]
    fn refused_in_a_line(&mut self, parts: &[&str]) -> String {
        let said = self.refused_with(parts);
        assert_eq!(said.lines().count(), 1, "{self:?}: one clear line: {said}");
        said
    }

    /// Exit code, standard output and standard error.
    fn ended(&mut self) -> (i32, String, String) {
        let output = self.run_to_end();
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        (output.status.code().expect("no signal ends it"), text(output.stdout), text(output.stderr))
    }
}

impl Program for Command {
    fn run_to_end(&mut self) -> Output {
        self.output().expect("the program starts")
    }
}

impl Program for std::process::Command {
    fn run_to_end(&mut self) -> Output {
        self.output().expect("the program starts")
    }
}

/// Runs a scenario into a folder and returns what `--json` says.
pub fn run(scenario: &Path, out: &Path, more: &[&str]) -> Value {
    morta().arg("run").arg(scenario).arg("--out").arg(out).arg("--json").args(more).json()
}

/// A room with files of these names and texts, in folders where the names say so.
pub fn room_with<N: AsRef<Path>, T: AsRef<[u8]>>(files: impl IntoIterator<Item = (N, T)>) -> TempDir {
    let room = tempfile::tempdir().expect("there is room");
    for (name, text) in files {
        let path = room.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it lies in the room")).expect("there is room");
        std::fs::write(path, text).expect("there is room");
    }
    room
}

/// A room with a file of this name and text, and the file's path.
pub fn written(name: &str, text: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let room = room_with([(name, text)]);
    let file = room.path().join(name);
    (room, file)
}

/// A run of a scenario of the project: its room, and its folder there.
pub fn lived(scenario: &str, flags: &[&str]) -> (TempDir, PathBuf) {
    let room = tempfile::tempdir().expect("there is room");
    let out = room.path().join("run");
    run(&root().join(scenario), &out, flags);
    (room, out)
}

/// A run that is killed once it has left a file.
pub fn cut_off(flags: &[&str], out: &Path, left: &str) {
    let mut begin = process(flags);
    begin.arg("--out").arg(out).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = begin.spawn().expect("the program starts");
    wait_for(&out.join(left));
    child.kill().expect("it is there");
    child.wait().expect("it ends");
}

/// The manifest of a run.
pub fn manifest(run: &Path) -> Value {
    json_of(&run.join("manifest.json"))
}

/// A file of JSON.
pub fn json_of(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("the file is there")).expect("it is JSON")
}

/// Changes a file of JSON.
pub fn edit_json(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut json = json_of(path);
    change(&mut json);
    std::fs::write(path, format!("{json:#}")).expect("it can be written");
}

/// Replaces the first of a text that a file must have.
pub fn replace_in(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).expect("the file is there");
    text.must_have(&[from]);
    std::fs::write(path, text.replacen(from, to, 1)).expect("it can be written");
}

/// Damages a file: one bit in its middle.
pub fn flip_a_bit(path: &Path) {
    let mut bytes = std::fs::read(path).expect("the file is there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(path, bytes).expect("it can be written");
}

/// The files of a run but its manifest, by name.
pub fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let paths = std::fs::read_dir(dir)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.is_file() && !path.ends_with("manifest.json")).collect();
    files.sort();
    let name = |path: &Path| path.file_name().expect("it has a name").to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), std::fs::read(path).expect("it can be read"))).collect()
}

/// All files below a folder, by path.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Those with an extension.
pub fn files_of(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = files_below(folder);
    files.retain(|path| path.extension().is_some_and(|of| of == extension));
    files
}

/// Copies a folder and all below it.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("there is room");
    for entry in std::fs::read_dir(from).expect("it can be read").map(|entry| entry.expect("it can be read"))
    {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            std::fs::copy(from, to).expect("there is room");
        }
    }
}

/// The program as a process that a test watches or ends, in the project's folder.
pub fn process(arguments: &[&str]) -> std::process::Command {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("morta"));
    command.current_dir(root()).args(arguments);
    command
}

/// Waits until something is there (at most two minutes).
pub fn wait_for(path: &Path) {
    assert!(wait_until(|| path.exists()), "{} never came", path.display());
}

/// Waits until something is so (at most two minutes); whether it is.
pub fn wait_until(mut is_so: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    while !is_so() && begun.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(2));
    }
    is_so()
}

/// Whether a program can be started with a flag; if not, it is told that what asks for it is left out.
pub fn is_there(program: &str, flag: &str) -> bool {
    let found = std::process::Command::new(program).arg(flag).output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("SKIPPED: there is no {program}");
    }
    found
}

/// A number of the environment.
pub fn number(name: &str, usual: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text}: must be a whole number")),
        Err(_) => usual,
    }
}

/// A number that looks drawn, and is the same each time, so that a failure can be repeated.
pub fn drawn(round: u64, process: u64) -> u64 {
    let hash = blake3::hash(&[round.to_le_bytes(), process.to_le_bytes()].concat());
    u64::from_le_bytes(*hash.as_bytes().first_chunk().expect("a hash has 32 bytes"))
}

/// The command that compares two arms of a table with the columns w, arm and x.
pub fn compare(table: &Path) -> [&str; 9] {
    ["stats", "compare", text(table), "--score", "x", "--arm", "arm", "--pair", "w"]
}

/// Sends a signal to a process, such as `INT`.
pub fn signal(process: &Child, name: &str) {
    let id = process.id().to_string();
    assert!(
        std::process::Command::new("kill").args(["-s", name, &id]).status().expect("kill is there").success()
    );
}

/// The files of TOML in folders of the project, by path.
pub fn toml_files(folders: &[&str]) -> Vec<PathBuf> {
    let found = folders.iter().flat_map(|folder| files_of(&root().join(folder), "toml"));
    let mut found: Vec<PathBuf> = found.collect();
    found.sort();
    found
}

/// Every scenario file that is shipped.
pub fn shipped_scenarios() -> Vec<PathBuf> {
    // These hold sweeps, plans of validation and replications, which are files of another kind.
    let others = ["sweeps", "experiments", "levers", "sensitivity", "validation", "replications"];
    let others = others.map(|folder| root().join("scenarios").join(folder));
    let mut found = files_of(&root().join("scenarios"), "toml");
    found.retain(|path| !others.iter().any(|folder| path.starts_with(folder)));
    assert!(!found.is_empty());
    found
}
