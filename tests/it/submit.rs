//! `morta sweep --submit`, with a stand-in for Slurm that runs what it is given: what is handed over, waited for and collected, and what is said when
//! an engine refuses. The engines themselves are tried by `tests/cluster`.
#![cfg(unix)]

use crate::common::{Program as _, is_there, process, root, said as complaint, signal, wait_for};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs every task of an array in turn, in the background, as its script says.
const SBATCH: &str = r#"#!/usr/bin/env bash
for script; do :; done
echo "$*" >> "$ENGINE/asked"
last=$(sed -n 's/^#SBATCH --array=0-//p' "$script")
(for task in $(seq 0 "$last"); do sleep "${PAUSE:-0}"; SLURM_ARRAY_TASK_ID=$task bash "$script"; done; touch "$ENGINE/over") > "$ENGINE/said" 2>&1 < /dev/null &
echo 17
"#;

const SQUEUE: &str = "#!/usr/bin/env bash\n[ -e \"$ENGINE/over\" ] || echo 17\n";

struct Site {
    room: tempfile::TempDir,
}

impl Site {
    /// A site whose engine is these programs.
    fn new(programs: &[(&str, &str)]) -> Self {
        let site = Self { room: tempfile::tempdir().unwrap() };
        fs::create_dir(site.at("bin")).unwrap();
        for (name, text) in programs {
            let path = site.at("bin").join(name);
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let scenario = root().join("scenarios/controls/learnable.toml").display().to_string();
        let text = format!(
            "name = \"handed-over\"\nscenario = {scenario:?}\nseeds = {{ first = 1, count = 3 }}\n[set]\nticks = 40\n\
             cohorts = [{{ name = \"a\", golems = 2, memory = \"none\" }}]\n[[arms]]\nname = \"one\"\n\
             [[arms]]\nname = \"two\"\nset = {{ golem.exploration_rate = 0.4 }}\n"
        );
        fs::write(site.at("sweep.toml"), text).unwrap();
        site
    }

    fn slurm() -> Self {
        Self::new(&[("sbatch", SBATCH), ("squeue", SQUEUE)])
    }

    fn at(&self, name: &str) -> PathBuf {
        self.room.path().join(name)
    }

    fn command(&self, out: &str, flags: &[&str]) -> Command {
        let mut command = process(&["sweep"]);
        command.arg(self.at("sweep.toml")).arg("--out").arg(self.at(out)).args(flags);
        // The shell's own programs, and no engine but the stand-in.
        let bin = self.at("bin");
        let is_empty = fs::read_dir(&bin).unwrap().next().is_none();
        let path =
            if is_empty { bin.into_os_string() } else { format!("{}:/usr/bin:/bin", bin.display()).into() };
        command.env("PATH", path).env("ENGINE", self.room.path());
        command
    }

    fn sweep(&self, out: &str, flags: &[&str]) -> Output {
        self.command(out, flags).output().unwrap()
    }

    fn refused(&self, flags: &[&str], part: &str) {
        self.command("refused", flags).refused_in_a_line(&[part]);
    }
}

const SMALL: [&str; 2] = ["--unit-minutes", "0.000001"];

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn units_are_handed_over_waited_for_and_collected() {
    let site = Site::slurm();
    let flags = [&["--submit", "slurm", "--engine-args=--partition=long --time=2:00"][..], &SMALL].concat();
    let done = site.sweep("shared", &flags);
    assert!(done.status.success(), "{}", complaint(&done));
    assert!(said(&done).contains("6 cells: 6 done"), "{}", said(&done));
    assert!(site.sweep("local", &[]).status.success());
    for table in ["results.csv", "results.parquet", "analysis.json", "sweep.json"] {
        let read = |out: &str| fs::read(site.at(out).join(table)).unwrap();
        assert!(read("shared") == read("local"), "{table} differs");
    }
    let asked = fs::read_to_string(site.at("asked")).unwrap();
    assert!(asked.starts_with("--parsable --partition=long --time=2:00 "), "{asked}");
    assert_eq!(asked.lines().count(), 1, "who waits collects by itself: {asked}");
}

#[test]
fn who_does_not_wait_leaves_the_collection_to_the_engine() {
    let site = Site::slurm();
    let done = site.sweep("shared", &[&["--submit", "slurm", "--no-wait"][..], &SMALL].concat());
    assert!(done.status.success());
    assert!(said(&done).starts_with("Slurm's job 17: 6 units; then: morta sweep "), "{}", said(&done));
    let asked = fs::read_to_string(site.at("asked")).unwrap();
    assert!(asked.lines().nth(1).unwrap().contains("--dependency=afterany:17"), "{asked}");
}

/// Ctrl-C ends the waiting and not the job, and says how to come back.
#[test]
fn a_stop_leaves_the_job() {
    let site = Site::slurm();
    let flags = [&["--submit", "slurm"][..], &SMALL].concat();
    let mut waiting = site.command("shared", &flags);
    waiting.env("PAUSE", "0.2").stdout(Stdio::piped()).stderr(Stdio::piped());
    let waiting = waiting.spawn().unwrap();
    wait_for(&site.at("asked"));
    signal(&waiting, "INT");
    let stopped = waiting.wait_with_output().unwrap();
    assert_eq!(stopped.status.code(), Some(130));
    let told = said(&stopped);
    assert!(told.contains("Slurm's job 17 goes on; when it has ended: morta sweep "), "{told}");
    wait_for(&site.at("over"));
    let collected = site.sweep("shared", &["--collect"]);
    assert!(said(&collected).contains("6 cells: 6 done"), "{}", said(&collected));
}

#[test]
fn what_an_engine_refuses_is_told_with_a_remedy() {
    let nobody = Site::new(&[]);
    nobody.refused(&["--submit", "slurm"], "sbatch can't be started");
    nobody.refused(&["--submit", "ray"], "ray can't be started");
    let refusing = |why: &str| {
        let sbatch = format!("#!/bin/sh\necho 'sbatch: error: {why}' >&2\nexit 1\n");
        Site::new(&[("sbatch", &sbatch)])
    };
    let full = refusing("Batch job submission failed: Invalid job array specification");
    full.refused(&["--submit", "slurm"], "MaxArraySize");
    let closed = refusing("invalid partition specified: long");
    closed.refused(&["--submit", "slurm"], "invalid partition specified: long");
    closed.refused(&["--submit", "slurm", "--engine-args='"], "a quotation mark has no end");
}

/// What is handed over can be read by whoever is to run it.
#[test]
fn scripts_are_shell_and_python() {
    let site = Site::slurm();
    for (engine, reader) in [("slurm", &["bash", "-n"][..]), ("ray", &["python3", "-m", "py_compile"])] {
        if !is_there(reader[0], "--version") {
            continue;
        }
        let shown = site.sweep("dry", &["--submit", engine, "--dry-run"]);
        assert!(shown.status.success() && !site.at("dry").exists(), "nothing is written");
        for script in said(&shown).split("==> ").skip(1) {
            let (name, text) = script.split_once(" <==\n").unwrap();
            let path = site.at(Path::new(name).file_name().unwrap().to_str().unwrap());
            fs::write(&path, text).unwrap();
            Command::new(reader[0]).args(&reader[1..]).arg(&path).printed();
        }
    }
}
