//! What shells and readers of manuals get of the command line: completions that complete, pages that render, pipes that may close.

use crate::common::{Program as _, Text as _, is_there, morta, process, root, said as complaint, written};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

fn said(args: &[&str]) -> String {
    morta().args(args).printed()
}

/// What a bash that has read the script offers for the last of these words.
fn completed(script: &Path, words: &[&str]) -> Vec<String> {
    let (current, before) = (words[words.len() - 1], words[words.len() - 2]);
    // The function that the script registers is called as readline calls it.
    let asks = format!(
        "source '{}' || exit 1\n\
         complete -p morta > /dev/null || exit 1\n\
         COMP_WORDS=({}) COMP_CWORD={}\n\
         $(complete -p morta | sed 's/.*-F \\([^ ]*\\).*/\\1/') morta '{current}' '{before}'\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.display(),
        words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
        words.len() - 1
    );
    let shell = ["--norc", "--noprofile", "-c", &asks];
    let printed = Command::new("bash").args(shell).current_dir(root()).printed();
    printed.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_flags_values_and_files() {
    if !is_there("bash", "--version") {
        return;
    }
    let (_room, script) = written("morta", said(&["completions", "bash"]));
    let check =
        |words: &[&str], expected: &[&str]| assert_eq!(completed(&script, words), expected, "{words:?}");
    check(&["morta", "ru"], &["run"]);
    check(&["morta", "rep"], &["reproduce", "replicate", "report"]);
    check(&["morta", "run", "--che"], &["--checkpoint-every"]);
    check(&["morta", "run", "--llm", "re"], &["record", "replay"]);
    // Files are bash's own affair, which it is asked for where nothing else is offered.
    check(&["morta", "run", "scenarios/quick"], &[""]);
    assert!(std::fs::read_to_string(&script).unwrap().contains("-o default morta"));
    check(&["morta", "stats", "comp"], &["compare"]);
    check(&["morta", "nothing", "--che"], &[""]);
}

#[test]
fn every_shell_gets_a_script_that_knows_every_flag() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let words = ["checkpoint-every", "memory-process", "sensitivity", "completions"];
        morta().args(["completions", shell]).printed_with(&words);
    }
}

#[test]
fn a_manual_page_renders() {
    let page = said(&["man", "run"]);
    assert!(page.contains(".TH morta-run 1"), "{page}");
    if is_there("man", "--version") {
        let mut man = Command::new("man")
            .args(["--warnings", "-l", "-"])
            .env("MANPAGER", "cat")
            .env("MANWIDTH", "100")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        man.stdin.take().unwrap().write_all(page.as_bytes()).unwrap();
        let output = man.wait_with_output().unwrap();
        let warned = complaint(&output);
        assert!(output.status.success() && warned.is_empty(), "{warned}");
        String::from_utf8_lossy(&output.stdout).must_have(&["SYNOPSIS", "checkpoint"]);
    }
    if is_there("mandoc", "-V") {
        let (_room, file) = written("morta-run.1", page);
        let output = Command::new("mandoc").args(["-Tlint", "-W", "error"]).arg(&file).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn there_is_a_page_for_every_command_and_none_for_others() {
    let room = tempfile::tempdir().unwrap();
    let folder = room.path().join("share/man1");
    morta().args(["man", "--out"]).arg(&folder).assert().success();
    for entry in std::fs::read_dir(root().join("src/commands")).unwrap() {
        let name = entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
        assert!(name == "mod" || folder.join(format!("morta-{name}.1")).exists(), "{name} has no page");
    }
    let within = std::fs::read_to_string(folder.join("morta-stats-compare.1")).unwrap();
    assert_eq!(within, said(&["man", "stats", "compare"]));
    morta().args(["man", "rnu"]).refused_in_a_line(&["rnu", "--help"]);
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    for args in [&["completions", "zsh"][..], &["man"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = process(args).stdout(writer).output().unwrap();
        let told = complaint(&output);
        assert!(output.status.success() && told.is_empty(), "{args:?}: {told}");
    }
}

/// What is shown to be copied works as it stands.
#[test]
fn the_commands_in_the_help_are_this_programs() {
    morta().args(["completions", "--help"]).printed_with(&["source <(morta completions bash)"]);
    morta().args(["man", "--help"]).printed_with(&["morta man run | man -l -"]);
}
