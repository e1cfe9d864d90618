//! Memories in processes of their own: the same bytes as in Rust, on any number of threads, lived again without the program; and what
//! comes of programs that raise, end, talk rubbish or hang.

use crate::common::{
    Program as _, Text as _, is_there, morta, process, replace_in, root, run, signal, wait_for,
};
use morta_engine::market::{PositionSide, Regime, Strategy};
use morta_engine::memory::{
    Advice, Candidate, DecisionContext, Experience, MemoryArchitecture, MemoryRegistry,
};
use morta_lab::Laboratory;
use morta_lab::foreign_memory::MemoryProcesses;
use morta_lab::scenario_file::{self, Overrides};
use morta_lab::{RunFolder, RunOptions};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const WORLD: &str = "scenarios/controls/learnable.toml";
const COHORT: &str = r#"cohorts=[{ name = "golems", golems = 4, memory = "ledger" }]"#;
const TICKS: &str = "500";

/// Whether the tests can be run; if not, says so.
fn room_with_python() -> Option<TempDir> {
    is_there("python3", "--version").then(|| tempfile::tempdir().unwrap())
}

/// A change of the example that does something else in place of answering from this moment on.
fn instead(when: &str, harm: &str) -> impl Fn(String) -> String {
    let begin = "    call, kept = request[\"call\"], request.get(\"kept\")\n";
    let begun = format!("{begin}    if {when}:\n        {harm}\n");
    move |text| text.replace(begin, &begun)
}

/// The example as a program that holds its memories itself, by their numbers, and is asked to save, load and forget them.
fn holding(text: String) -> String {
    let holds = r#"
memories = {}


def answer(request):
    call, number = request["call"], request.get("memory")
    if call == "save":
        return {"saved": json.dumps(memories[number])}
    if call == "load":
        memories[number] = json.loads(request["saved"])
    elif call == "forget":
        del memories[number]
    else:
        said = answer_of_kept({**request, "kept": memories.get(number)})
        memories[number] = said.pop("kept", memories.get(number))
        return said
    return {}


for line in"#;
    text.replace("\"keep\"", "\"save\"")
        .replace("def answer(", "def answer_of_kept(")
        .replace("\nfor line in", holds)
}

/// The shipped example, in a folder in which it can be changed and deleted.
fn ledger(dir: &Path, change: impl Fn(String) -> String) -> PathBuf {
    let text = std::fs::read_to_string(root().join("lab/examples/ledger.py")).unwrap();
    let path = dir.join("ledger.py");
    std::fs::write(&path, change(text)).unwrap();
    path
}

fn flag(program: &Path) -> String {
    format!("ledger=python3 '{}'", program.display())
}

fn lived(dir: &Path, program: &Path, more: &[&str]) -> Value {
    let flag = flag(program);
    let all = [&["--set", COHORT, "--ticks", TICKS, "--memory-process", &flag], more].concat();
    run(&root().join(WORLD), dir, &all)
}

fn recording(dir: &Path) -> Vec<u8> {
    std::fs::read(dir.join("memory-ledger.jsonl.gz")).unwrap()
}

fn overrides() -> Overrides {
    Overrides { ticks: Some(TICKS.parse().unwrap()), set: vec![COHORT.to_owned()], ..Overrides::default() }
}

/// The memory of `lab/examples/own_memory.rs`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Ledger(BTreeMap<(Regime, Strategy, PositionSide), (u32, f64)>);

impl MemoryArchitecture for Ledger {
    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        advice.extend(candidates.iter().map(|candidate| {
            let key = (moment.context.regime, candidate.strategy, candidate.side);
            Advice::mean(candidate, 5.0, self.0.get(&key).copied().unwrap_or_default())
        }));
    }

    fn observe(&mut self, experience: &Experience<'_>) {
        let episode = experience.episode;
        let (count, sum_r) =
            self.0.entry((episode.context.regime, episode.strategy, episode.side)).or_default();
        *count += 1;
        *sum_r += episode.realised_r;
    }
}

fn digest_in_rust() -> String {
    let mut registry = MemoryRegistry::default();
    registry.register("ledger", "Means", |_| Ok(Ledger::default())).unwrap();
    let loaded =
        scenario_file::load(&root().join(WORLD), &overrides(), &Laboratory::with_memories(registry)).unwrap();
    morta_lab::run(&loaded, RunOptions::default()).unwrap().manifest.digest
}

#[test]
fn it_lives_to_the_digest_of_the_same_memory_in_rust_whoever_drives_the_world() {
    let Some(room) = room_with_python() else { return };
    let expected = digest_in_rust();
    for (holder, change) in [("kept", String::from as fn(String) -> String), ("held", holding)] {
        let program = ledger(room.path(), change);
        let mut first = None;
        for (name, how) in [
            ("one", vec!["--threads", "1"]),
            ("two", vec!["--threads", "2"]),
            ("eight", vec!["--threads", "8"]),
            ("plain", vec!["--plain"]),
            ("checkpoints", vec!["--checkpoint-every", "100"]),
        ] {
            let dir = room.path().join(holder).join(name);
            let summary = lived(&dir, &program, &how);
            assert_eq!(summary["digest"], expected.as_str(), "{holder}, {name}");
            let recorded = recording(&dir);
            assert_eq!(
                first.get_or_insert_with(|| recorded.clone()),
                &recorded,
                "{holder}, {name}: the recording"
            );
        }
    }
    let manifest = RunFolder::open(&room.path().join("kept/one")).unwrap().manifest;
    assert_eq!(manifest.memories[0].program, "ledger.py");
    assert!(manifest.memories[0].calls > 200, "{:?}", manifest.memories);
}

#[test]
fn a_run_is_lived_again_without_the_program() {
    let Some(room) = room_with_python() else { return };
    let program = ledger(room.path(), |text| text);
    let dir = room.path().join("run");
    lived(&dir, &program, &[]);
    std::fs::remove_file(&program).unwrap();
    morta().arg("verify").arg(&dir).assert().success();
    morta().arg("reproduce").arg(&dir).assert().success();
    let swap = ["--at", "9", "--swap-memory", "0=none"];
    morta().arg("branch").arg(&dir).args(swap).refused_with(&["can't be branched yet"]);
    // Another run's recording is not the one that this run left.
    let own = recording(&dir);
    let other = room.path().join("other");
    lived(&other, &ledger(room.path(), |text| text.replace("5.0", "6.0")), &[]);
    std::fs::write(dir.join("memory-ledger.jsonl.gz"), recording(&other)).unwrap();
    morta().arg("verify").arg(&dir).refused_with(&["isn't the recording that the run left"]);
    // With a manifest that agrees, another run is lived.
    let claim = |before: &[u8], now: &[u8]| {
        let hash = |bytes: &[u8]| blake3::hash(bytes).to_hex().to_string();
        replace_in(&dir.join("manifest.json"), &hash(before), &hash(now));
    };
    claim(&own, &recording(&other));
    let (code, said, _) = morta().arg("verify").arg(&dir).ended();
    assert!(code == 1 && said.contains("NOT identical"), "{code}: {said}");
    // And where a single reply is another, what is asked parts from what was asked.
    std::fs::write(dir.join("memory-ledger.jsonl.gz"), &own).unwrap();
    let alter = "import gzip, re, sys\n\
        text = gzip.open(sys.argv[1], 'rt').read()\n\
        gzip.open(sys.argv[1], 'wt').write(re.sub(r'(expected_r.{4})[-0-9.e]+', r'\\g<1>9.0', text, count=1))\n";
    let path = dir.join("memory-ledger.jsonl.gz");
    assert!(Command::new("python3").args(["-c", alter]).arg(&path).status().unwrap().success());
    claim(&recording(&other), &recording(&dir));
    let (code, _, said) = morta().arg("verify").arg(&dir).ended();
    assert_eq!(code, 1, "{said}");
    said.must_have(&["golem L", "tick ", "call ", "it was asked something else then"]);
}

#[test]
fn the_example_conforms_and_stays_short() {
    if room_with_python().is_none() {
        return;
    }
    let path = root().join("lab/examples/ledger.py");
    assert!(std::fs::read_to_string(&path).unwrap().lines().count() < 40);
    let room = tempfile::tempdir().unwrap();
    for path in [path, ledger(room.path(), holding)] {
        let conformance = ["memory", "conformance", "ledger", "--memory-process", &flag(&path)];
        morta().args(conformance).printed_with(&["ledger conforms"]);
    }
}

/// A key of `[memory.own.NAME]` reaches the program, and one that it hasn't declared is refused and not lived without.
#[test]
fn parameters_are_those_that_the_program_declares() {
    let Some(room) = room_with_python() else { return };
    let program = ledger(room.path(), |text| text);
    let digest = |key: &str| {
        let dir = room.path().join(key);
        lived(&dir, &program, &["--set", &format!("memory.own.ledger={{{key}}}")])["digest"].clone()
    };
    assert_eq!(digest("prior_weight = 5"), digest_in_rust());
    assert_ne!(digest("prior_weight = 50"), digest_in_rust());
    for (key, part) in [
        ("prior_wieght = 5.0", "has no key `prior_wieght`: did you mean `prior_weight`?"),
        (
            "prior_weight = \"much\"",
            "memory.own.ledger.prior_weight is \"much\": its default, 5.0, is of another type",
        ),
    ] {
        let own = format!("memory.own.ledger={{ {key} }}");
        let (validate, process) = (["validate", WORLD, "--set", COHORT, "--set", &own], flag(&program));
        morta().args(validate).args(["--memory-process", &process]).refused_with(&[part]);
    }
}

/// What is raised in a golem's life ends that life; the recording has it.
#[test]
fn a_memory_that_raises_ends_its_golems_life() {
    let Some(room) = room_with_python() else { return };
    let program = ledger(room.path(), |text| {
        text.replace(
            "    elif call == \"observe\":\n",
            "    elif call == \"observe\":\n        if request[\"golem\"] == \"L2.G0\":\n            raise ValueError(\"enough\")\n",
        )
    });
    let dir = room.path().join("run");
    lived(&dir, &program, &[]);
    let lives = RunFolder::open(&dir).unwrap().lives().unwrap().all().unwrap();
    let faults: Vec<String> = lives
        .iter()
        .filter(|life| life.cause.as_deref() == Some("fault"))
        .map(|life| life.golem.to_string())
        .collect();
    assert_eq!(faults, ["L2.G0"]);
    std::fs::remove_file(&program).unwrap();
    morta().arg("verify").arg(&dir).assert().success();
}

/// A run whose memory is gone leaves nothing that looks like a run, and says where, why, and what to do.
#[test]
fn programs_that_answer_nothing_useful_end_the_run() {
    let Some(room) = room_with_python() else { return };
    for (name, harm, reason) in [
        ("ends", "sys.exit(7)", "exit status: 7"),
        ("rubbish", "print(\"hello\", flush=True); sys.exit()", "it answered `hello`"),
        ("two", "print(\"{}\\n{}\", flush=True)", "more than a line"),
        ("hangs", "__import__(\"time\").sleep(60)", "it didn't answer for 1s"),
        (
            "half",
            "print(\"{\", end=\"\", flush=True); __import__(\"time\").sleep(60)",
            "wasn't whole after 1s",
        ),
    ] {
        let program = ledger(room.path(), instead("request.get(\"tick\", 0) >= 300", harm));
        let processes = MemoryProcesses::of_flags(&[flag(&program)], Duration::from_secs(1)).unwrap();
        let laboratory = Laboratory::default().with_processes(processes).unwrap();
        let loaded = scenario_file::load(&root().join(WORLD), &overrides(), &laboratory).unwrap();
        let dir = room.path().join(name);
        let begun = Instant::now();
        let told = morta_lab::run(&loaded, RunOptions::into_folder(&dir)).unwrap_err().in_full();
        assert!(begun.elapsed() < Duration::from_secs(50), "{name} is waited for");
        told.must_have(&[reason, "ledger.py", "golem L", "tick 3", "it was sent `{\"call\"", "run again"]);
        assert!(RunFolder::open(&dir).is_err(), "{name}: nothing that looks like a run");
    }
}

/// Ctrl-C reaches whoever waits for an answer, and each further signal that it is waited anew.
#[test]
fn a_hanging_program_is_ended_by_an_interrupt() {
    let Some(room) = room_with_python() else { return };
    let hang = "open(\"hanging\", \"w\"); __import__(\"time\").sleep(600)";
    let program = ledger(room.path(), instead("request.get(\"tick\", 0) >= 100", hang));
    let mut morta = process(&["run", "--set", COHORT, "--ticks", TICKS, "--out", "out"]);
    morta.current_dir(room.path()).arg(root().join(WORLD)).args(["--memory-process", &flag(&program)]);
    let mut process = morta.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    wait_for(&room.path().join("hanging"));
    let asked = Instant::now();
    signal(&process, "INT");
    // Read while it ends: who waits for the end first may wait for ever, and so may it.
    let mut said = String::new();
    std::io::Read::read_to_string(&mut process.stderr.take().unwrap(), &mut said).unwrap();
    let code = process.wait().unwrap().code();
    assert!(said.len() < 4_000, "one reason is told once: {} bytes", said.len());
    assert_eq!(code, Some(130), "{said}");
    // A second of grace for the program, and as much for this machine.
    assert!(asked.elapsed() < Duration::from_secs(10), "it took {:?}", asked.elapsed());
    assert!(said.contains("stopped while a memory process was waited for"), "{said}");
    assert!(RunFolder::open(&room.path().join("out")).is_err(), "nothing that looks like a run");
}

#[test]
fn programs_that_cannot_be_begun_with_are_mistakes_of_the_caller() {
    let Some(room) = room_with_python() else { return };
    let other = room.path().join("other");
    let mute = room.path().join("mute");
    for (dir, was, is) in [(&other, "\"protocol\": 1", "\"protocol\": 2"), (&mute, "[\"keep\"]", "[]")] {
        std::fs::create_dir(dir).unwrap();
        ledger(dir, |text| text.replace(was, is));
    }
    for (process, part) in [
        ("ledger=/nowhere/at/all".to_owned(), "can't be started"),
        ("ledger".to_owned(), "must be a name and a command"),
        ("ledger=".to_owned(), "the command is missing"),
        ("ledger='x".to_owned(), "has no end"),
        ("bardo=x".to_owned(), "registered as `bardo` already"),
        ("wax=x".to_owned(), "be brought by --memory-process NAME=COMMAND"),
        (flag(&other.join("ledger.py")), "it speaks protocol 2"),
        (flag(&mute.join("ledger.py")), "its `methods` have no \"keep\""),
        ("ledger=python3 -c pass".to_owned(), "(exit status: 0)"),
    ] {
        let validate = ["validate", WORLD, "--set", COHORT, "--memory-process", &process];
        morta().args(validate).refused_with(&[part]);
    }
}

/// The program ends after the checkpoint of tick 300; with another process the run goes on, and comes to the same.
#[test]
fn a_run_that_lost_its_program_is_resumed() {
    let Some(room) = room_with_python() else { return };
    for (holder, change) in [("kept", String::from as fn(String) -> String), ("held", holding)] {
        let whole = lived(&room.path().join(holder).join("whole"), &ledger(room.path(), change), &[]);
        let late = "request.get(\"tick\", 0) >= 350 and not sys.argv[1:]";
        let program = ledger(room.path(), |text| change(instead(late, "sys.exit(3)")(text)));
        let dir = room.path().join(holder).join("cut");
        let (code, _, said) = morta()
            .args(["run", WORLD, "--set", COHORT, "--ticks", TICKS, "--checkpoint-every", "100"])
            .args(["--memory-process", &flag(&program), "--out"])
            .arg(&dir)
            .ended();
        assert!(code == 1 && said.contains("exit status: 3"), "{said}");
        morta().args(["run", "--resume"]).arg(&dir).refused_with(&["--memory-process"]);
        let again = format!("{} on", flag(&program));
        morta().args(["run", "--resume"]).arg(&dir).args(["--memory-process", &again]).printed();
        let manifest = RunFolder::open(&dir).unwrap().manifest;
        assert_eq!(whole["digest"], manifest.digest.as_str());
        assert_eq!(recording(&dir), recording(&room.path().join(holder).join("whole")));
        morta().arg("verify").arg(&dir).assert().success();
    }
}

#[test]
fn every_cell_of_a_sweep_has_a_process_of_its_own() {
    let Some(room) = room_with_python() else { return };
    // A line for each process that was started, and one that ends with the second world.
    let program = ledger(room.path(), |text| {
        let count = "open(sys.argv[1], \"a\").write(\"started\\n\")\n\nfor line in sys.stdin:";
        text.replace("for line in sys.stdin:", count)
    });
    let file = room.path().join("sweep.toml");
    let world = root().join(WORLD);
    let text = format!(
        "name = \"s\"\nscenario = {:?}\nseeds = {{ count = 3 }}\narms = [{{ name = \"none\", set = {{ ticks = 100, \
         cohorts = [{{ name = \"golems\", golems = 2, memory = \"none\" }}] }} }}, {{ name = \"ledger\", set = {{ ticks = 100, \
         cohorts = [{{ name = \"golems\", golems = 2, memory = \"ledger\" }}] }} }}]\n",
        world.display().to_string()
    );
    std::fs::write(&file, text).unwrap();
    let started = room.path().join("started");
    let process = format!("{} '{}'", flag(&program), started.display());
    let mut sweep = morta();
    sweep.arg("sweep").arg(&file).args(["--memory-process", &process, "--jobs", "2", "--out"]);
    sweep.arg(room.path().join("out")).printed();
    // One for reading the file, which plans each arm once or not at all.
    let count = std::fs::read_to_string(&started).unwrap().lines().count();
    assert!((3..=4).contains(&count), "{count} processes for three cells");
}
