//! Limits of the system that are met on the way: no room on the disk, no memory, no more files. What looks whole is whole, and the next
//! try succeeds.

use super::common::{Program as _, room_with, root, text};
use super::memories::{lines, trade};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The program under a limit of the shell (`ulimit`).
pub fn limited(limit: &str, arguments: &[&str]) -> Command {
    let script = format!("ulimit {limit} && trap '' XFSZ && exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.current_dir(root()).args(["-c", &script, env!("CARGO_BIN_EXE_morta")]).args(arguments);
    command
}

fn output(limit: &str, arguments: &[&str]) -> Output {
    limited(limit, arguments).output().unwrap()
}

/// An answer, or one clear line; never a panic, an abort or a signal.
fn assert_clear(output: &Output, how: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    assert!(matches!(code, Some(0..=2)), "{how}: {code:?} {said}");
    let is_clear = code == Some(0) || said.lines().count() == 1;
    assert!(is_clear && !said.contains("panicked"), "{how}: {said}");
}

/// A room with a log of few trades, and one of more that come later.
fn logs(many: u32) -> TempDir {
    let log = |trades: std::ops::Range<u32>| lines(trades.map(trade));
    room_with([("old.jsonl", log(0..5)), ("new.jsonl", log(5..many))])
}

#[test]
fn a_store_that_the_disk_has_no_room_for_stays_as_it_was() {
    let room = logs(200);
    let [store, old, new] = ["store", "old.jsonl", "new.jsonl"].map(|name| room.path().join(name));
    let remember =
        |limit: &str, log: &Path| output(limit, &["memory", "owm", "remember", text(&store), text(log)]);
    assert!(remember("-f unlimited", &old).status.success());
    let before = fs::read(store.join("owm.json")).unwrap();
    // Blocks of 512 bytes: enough for the lock, too few for the store.
    for blocks in [0, 1, 8] {
        let output = remember(&format!("-f {blocks}"), &new);
        assert_clear(&output, &format!("{blocks} blocks"));
        assert_ne!(output.status.code(), Some(0), "{blocks} blocks are too few");
        assert_eq!(fs::read(store.join("owm.json")).unwrap(), before, "{blocks} blocks");
        let left: Vec<_> = fs::read_dir(&store).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["owm.json"], "{blocks} blocks");
    }
    assert!(remember("-f unlimited", &new).status.success());
}

/// A folder with a manifest holds a whole run, whatever the disk had room for.
#[test]
fn a_run_that_the_disk_has_no_room_for_has_no_manifest() {
    let room = tempfile::tempdir().unwrap();
    let mut whole = 0;
    for blocks in [1, 8, 40, 200, 4_000_000] {
        let dir = room.path().join(format!("run-{blocks}"));
        let scenario = root().join("scenarios/quickstart.toml");
        let run = ["run", text(&scenario), "--ticks", "30", "--json", "--out", text(&dir)];
        let output = output(&format!("-f {blocks}"), &run);
        assert_clear(&output, &format!("{blocks} blocks"));
        assert_eq!(output.status.success(), dir.join("manifest.json").exists(), "{blocks} blocks");
        if output.status.success() {
            whole += 1;
            limited("-f unlimited", &["verify", text(&dir)]).printed();
        }
    }
    assert!((1..5).contains(&whole), "the limits are all too small or too large: {whole}");
}

#[test]
fn few_open_files_are_told_of() {
    let room = tempfile::tempdir().unwrap();
    for files in [8, 12, 24] {
        let dir = room.path().join(format!("run-{files}"));
        let scenario = root().join("scenarios/quickstart.toml");
        let run = ["run", text(&scenario), "--plain", "--ticks", "10", "--json", "--out", text(&dir)];
        assert_clear(&output(&format!("-n {files}"), &run), &format!("{files} files"));
    }
}

/// A small file system of its own, which goes when it is dropped; none where nobody may make one.
struct Disk(tempfile::TempDir);

impl Disk {
    fn of_kb(size: u32) -> Option<Self> {
        let place = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}k"), "morta-test", text(place.path())])
            .stderr(std::process::Stdio::null())
            .status();
        mounted.is_ok_and(|status| status.success()).then_some(Self(place))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

/// A disk that is full from the beginning, soon, or later: what was there before stays, nothing looks whole that isn't, and the message says
/// that there is no room and not that something is damaged.
#[test]
fn a_full_disk_is_told_as_one() {
    let scenario = root().join("scenarios/quickstart.toml");
    let logs = logs(600);
    let [new, lived] = ["new.jsonl", "run"].map(|name| logs.path().join(name));
    let mut refused = 0;
    for size in [4, 100, 1_200] {
        let Some(disk) = Disk::of_kb(size) else {
            println!("a full disk: SKIPPED, nobody here may mount one");
            return;
        };
        let at = |name: &str| disk.0.path().join(name);
        let (dir, store, lethe, page) = (at("run"), at("store"), at("lethe"), at("page.html"));
        let run = ["run", text(&scenario), "--ticks", "60", "--json", "--out"];
        let sweep = root().join("scenarios/experiments/bloodstain.toml");
        if !lived.exists() {
            limited("-f unlimited", &[&run[..], &[text(&lived)]].concat()).printed();
        }
        let out = at("sweep");
        let swept =
            ["sweep", text(&sweep), "--profile", "smoke", "--seeds", "2", "--json", "--out", text(&out)];
        let tried = [
            ("run", [&run[..], &[text(&dir)]].concat(), dir.join("manifest.json")),
            ("store", vec!["memory", "owm", "remember", text(&store), text(&new)], store.join("owm.json")),
            ("lethe", [&run[..], &[text(&dir), "--lethe", text(&lethe)]].concat(), dir.join("manifest.json")),
            ("report", vec!["report", text(&lived), "--out", text(&page)], page.clone()),
            ("sweep", swept.to_vec(), out.join("analysis.json")),
        ];
        for (name, arguments, whole) in tried {
            let how = format!("{name} on a disk of {size} kB");
            let output = output("-f unlimited", &arguments);
            assert_clear(&output, &how);
            let (is_done, said) = (output.status.success(), String::from_utf8_lossy(&output.stderr));
            assert_eq!(is_done, whole.exists(), "{how}: {said}");
            if !is_done {
                refused += 1;
                assert!(said.contains("No space left") || said.contains("no room"), "{how}: {said}");
                assert!(!said.contains("damaged"), "{how}: {said}");
            }
            for left in fs::read_dir(disk.0.path()).unwrap() {
                let left = left.unwrap().path();
                let _ = if left.is_dir() { fs::remove_dir_all(left) } else { fs::remove_file(left) };
            }
        }
    }
    assert!(refused >= 5, "the disks are too large: {refused}");
}
