//! Sweeps in units of work: processes that race for the same cells, processes that are killed, and the same bytes as on one machine.

use crate::common::{Program as _, drawn, json_of, morta, number, process, replace_in, root, said, written};
use crate::sweep::room::TABLES;
use morta_lab::Laboratory;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// Two arms, six worlds of a moment each; none reads recorded prices, which takes ten times as long as to live.
fn sweep_file() -> (TempDir, PathBuf) {
    let text = format!(
        "name = \"units\"\nscenario = {:?}\nseeds = {{ first = 1, count = 6 }}\n[set]\nticks = 60\n[[arms]]\nname = \"one\"\n\
         [[arms]]\nname = \"two\"\nset = {{ golem.exploration_rate = 0.4 }}\n",
        root().join("scenarios/synthetic.toml").display().to_string()
    );
    written("sweep.toml", text)
}

fn command(file: &Path, out: &Path, flags: &[&str]) -> Command {
    let mut command = process(&["sweep", "--out"]);
    command.arg(out).arg(file).args(flags);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What is the same bytes however a sweep was run.
fn assert_same(shared: &Path, local: &Path) {
    for name in TABLES.into_iter().chain(["sweep.json"]) {
        let [ours, theirs] = [shared, local].map(|dir| std::fs::read(dir.join(name)).unwrap());
        assert!(ours == theirs, "{name} differs");
    }
}

fn archives(dir: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(dir.join("units")).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn units_collected_are_the_bytes_of_a_sweep_on_one_machine() {
    let (room, file) = sweep_file();
    let (local, shared) = (room.path().join("local"), room.path().join("shared"));
    command(&file, &local, &[]).printed();
    let plan = command(&file, &shared, &["--plan", "--unit-minutes", "0.0001", "--json"]).json();
    let units = plan["units"].as_array().unwrap().len();
    assert!(units > 1 && plan["plan"]["cells"] == 12, "{plan}");
    let listed: usize =
        plan["units"].as_array().unwrap().iter().map(|unit| unit["cells"].as_array().unwrap().len()).sum();
    assert_eq!(listed, 12);
    // The same world is the same cell, wherever the seeds of a sweep begin.
    let hashes = |plan: &Value| -> BTreeSet<String> {
        let cells =
            plan["units"].as_array().unwrap().iter().flat_map(|unit| unit["cells"].as_array().unwrap());
        cells.map(|cell| cell["hash"].to_string()).collect()
    };
    let later = room.path().join("later.toml");
    std::fs::copy(&file, &later).unwrap();
    replace_in(&later, "first = 1", "first = 3");
    let other = command(&later, &room.path().join("other"), &["--plan", "--json"]).json();
    assert_eq!(hashes(&plan).intersection(&hashes(&other)).count(), 8, "two arms of four worlds");
    // Nothing is collected before all is there; what is missing is named.
    command(&file, &shared, &["--unit", "0"]).printed();
    let (code, _, early) = command(&file, &shared, &["--collect"]).ended();
    assert!(code == 1 && early.contains(&format!("units 1 to {}", units - 1)), "{early}");
    assert!(!shared.join("results.csv").exists());
    command(&file, &shared, &["--collect", "--allow-missing"]).printed();
    // Engines and people keep their own files beside.
    std::fs::create_dir(shared.join("snakemake")).unwrap();
    for unit in 1..units {
        command(&file, &shared, &["--unit", &unit.to_string()]).printed();
    }
    let before = archives(&shared);
    command(&file, &shared, &["--unit", "0"]).printed_with(&["there already"]);
    assert_eq!(archives(&shared), before);
    command(&file, &shared, &["--collect"]).printed();
    assert_same(&shared, &local);
    // The packed cells are cells like others: they are lived again, and nothing is left for --resume.
    morta().arg("reproduce").arg(&shared).args(["--sample", "3"]).printed();
    let resumed = command(&file, &shared, &["--resume", "--json"]).json();
    assert_eq!((&resumed["ran_now"], &resumed["done"]), (&0.into(), &12.into()));
}

/// A sweep collected from units has its runs in archives: their decisions are those of one machine, and a missing cell is named.
#[test]
fn decisions_of_packed_cells_are_read() {
    let (room, file) = sweep_file();
    let text = std::fs::read_to_string(&file).unwrap().replace("count = 6 }", "count = 2 }");
    std::fs::write(&file, format!("{text}[record]\nruns = true\n")).unwrap();
    let decisions = |dir: &Path| {
        let mut lines = Vec::new();
        let tell = |decision: &_| {
            lines.push(serde_json::to_string(decision).unwrap());
            Ok(())
        };
        let read = morta_lab::memory_effects::decisions(dir, ("one", "two"), &Laboratory::default(), tell);
        read.map(|()| lines)
    };
    let (local, shared) = (room.path().join("local"), room.path().join("shared"));
    command(&file, &local, &[]).printed();
    let expected = decisions(&local).unwrap();
    assert!(!expected.is_empty());
    let packed = |flags: &[&str]| command(&file, &shared, flags).printed();
    packed(&["--cells", "0..1"]);
    packed(&["--collect", "--allow-missing"]);
    let missing = decisions(&shared).unwrap_err().to_string();
    assert!(missing.contains("world 1 of arm one hasn't ended"), "{missing}");
    packed(&["--cells", "1..4"]);
    packed(&["--collect"]);
    assert_eq!(decisions(&shared).unwrap(), expected);
}

#[test]
fn what_cannot_be_run_is_told() {
    let (room, file) = sweep_file();
    let out = room.path().join("out");
    let refused = |flags: &[&str], part: &str| {
        command(&file, &out, flags).refused_with(&[part]);
    };
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("mine.txt"), "mine").unwrap();
    for flags in [&["--plan"][..], &["--cells", "0..4"]] {
        refused(flags, "the folder is not empty and holds no sweep");
    }
    std::fs::remove_file(out.join("mine.txt")).unwrap();
    refused(&["--unit", "0"], "--plan");
    refused(&["--cells", "5..5"], "FROM below TO");
    refused(&["--cells", "0..13"], "at most 0..12");
    refused(&["--cells", "x"], "write FROM..TO");
    refused(&["--plan", "--unit-minutes", "0"], "above 0");
    refused(&["--unit", "0", "--collect"], "cannot be used with");
    command(&file, &out, &["--plan", "--unit-minutes", "0.0001"]).printed();
    refused(&["--unit", "99"], "units 0 to ");
    command(&file, &out, &["--unit", "0"]).printed();
    // An archive that somebody has cut short, another build, another sweep.
    let archive = out.join("units").join(archives(&out).first().unwrap());
    let bytes = std::fs::read(&archive).unwrap();
    std::fs::write(&archive, &bytes[..bytes.len() / 2]).unwrap();
    refused(&["--collect"], "delete it, and run the unit again");
    std::fs::write(&archive, b"no archive").unwrap();
    refused(&["--collect"], "delete it, and run the unit again");
    let (plan, other) = (out.join("plan.json"), "0.0.9 (commit abc)");
    let build = json_of(&plan)["build"].as_str().unwrap().to_owned();
    replace_in(&plan, &build, other);
    refused(&["--unit", "0"], "planned by 0.0.9 (commit abc), and this is ");
    replace_in(&plan, other, &build);
    replace_in(&file, "ticks = 60", "ticks = 61");
    refused(&["--unit", "0"], "not the sweep that was planned");
    std::fs::write(plan, "{").unwrap();
    refused(&["--unit", "0"], "the plan is damaged");
}

/// Bytes overwritten inside one archive: the archive and the cell are named, nothing is written, and what is said to do works.
#[test]
fn a_damaged_archive_is_named_and_its_remedy_works() {
    let (room, file) = sweep_file();
    let out = room.path().join("out");
    for cells in ["0..4", "4..12"] {
        command(&file, &out, &["--cells", cells]).printed();
    }
    let damaged = out.join("units").join(archives(&out).first().unwrap());
    let mut bytes = std::fs::read(&damaged).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle - 1_000..middle + 1_000].fill(b'x');
    std::fs::write(&damaged, &bytes).unwrap();
    let (code, _, told) = command(&file, &out, &["--collect"]).ended();
    // Where the bytes fall on a header the archive can't be read at all, which is exit 2.
    assert!(matches!(code, 1 | 2), "{told}");
    assert!(told.contains(&damaged.display().to_string()) && told.contains("delete"), "{told}");
    assert!(!out.join("analysis.json").exists());
    std::fs::remove_file(&damaged).unwrap();
    for cells in ["0..4", "4..12"] {
        command(&file, &out, &["--cells", cells]).printed();
    }
    command(&file, &out, &["--collect"]).printed();
    // A pipe among the archives isn't waited for.
    let pipe = out.join("units/zz.tar");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    command(&file, &out, &["--collect"]).refused_with(&["it is no plain file"]);
}

/// Four processes go for the same units, and any of them is killed at any moment: what is there afterwards is whole, and in the end it is all there.
#[test]
fn races_and_kills_lose_nothing() {
    let (room, file) = sweep_file();
    let (local, shared) = (room.path().join("local"), room.path().join("shared"));
    command(&file, &local, &[]).printed();
    let rounds = number("RACE_ROUNDS", 6);
    let killed_rounds = rounds * 2 / 3;
    let mut faster = 0;
    for round in 0..rounds {
        std::fs::remove_dir_all(shared.join("units")).ok();
        let mut processes: Vec<(u64, Child)> = (0..4)
            .map(|n| (n, command(&file, &shared, &["--cells", "0..4", "--jobs", "1"]).spawn().unwrap()))
            .collect();
        if round < killed_rounds {
            for (n, process) in processes.iter_mut().skip(1) {
                std::thread::sleep(Duration::from_millis(drawn(round, *n) % 150));
                process.kill().unwrap();
            }
        }
        for (n, process) in processes {
            let output = process.wait_with_output().unwrap();
            let survived = n == 0 || round >= killed_rounds;
            assert!(!survived || output.status.success(), "{}", said(&output));
            faster += usize::from(String::from_utf8_lossy(&output.stdout).contains("was faster"));
        }
        let whole: Vec<String> =
            archives(&shared).into_iter().filter(|name| name.ends_with(".tar")).collect();
        assert_eq!(whole.len(), 1, "{whole:?}");
    }
    assert!(faster > 0, "no two processes met");
    for cells in ["4..8", "8..12"] {
        command(&file, &shared, &["--cells", cells]).printed();
    }
    command(&file, &shared, &["--collect", "--debris-hours", "0"]).printed();
    assert!(archives(&shared).iter().all(|name| name.ends_with(".tar")), "{:?}", archives(&shared));
    assert_same(&shared, &local);
}
