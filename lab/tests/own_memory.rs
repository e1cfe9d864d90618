//! Memories from outside: the example from which a researcher starts is run as it stands, and stays short; and what such a memory has
//! lived can be lived again, branched and judged by a program that has it registered.

use morta_engine::memory::{
    Advice, Candidate, DecisionContext, Experience, MemoryArchitecture, MemoryName, MemoryRegistry,
};
use morta_lab::drive::{DriverChoice, RunControl};
use morta_lab::provenance::Changes;
use morta_lab::reproduce::{Sample, repeat, reproduce_sweep};
use morta_lab::run::{Checkpoints, RecordingOptions};
use morta_lab::scenario_file::{self, Overrides};
use morta_lab::{
    Branch, BranchRequest, Error, Laboratory, ResumeOptions, RunFolder, RunOptions, SweepOptions, analyse,
    resume, run, sweep_file,
};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// `cargo test` builds examples beside the folder of the tests.
fn example() -> Command {
    let tests = std::env::current_exe().unwrap();
    Command::new(tests.parent().unwrap().with_file_name("examples").join("own_memory"))
}

#[test]
fn a_memory_defined_in_the_example_lives_and_is_judged() {
    let output = example().arg("3").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("ledger conforms: "), "it keeps the contract: {said}");
    let lives: Vec<&str> = said.lines().filter(|line| line.contains("memory ledger:")).collect();
    assert_eq!(lives.len(), 8, "eight golems remember with it: {said}");
    assert!(lives.iter().all(|line| !line.contains(": 0 trades")), "all of them trade: {said}");
    let verdict = said.lines().last().unwrap();
    assert!(
        verdict.contains("whether ledger differs from none is not settled"),
        "of three worlds nothing can be said: {verdict}"
    );
}

#[test]
fn it_fits_on_two_screens() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/own_memory.rs");
    let lines = std::fs::read_to_string(path).unwrap().lines().count();
    assert!(lines < 150, "{lines} lines");
}

/// Expects of every candidate the mean R of all it has traded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct RunningMean {
    count: u32,
    sum_r: f64,
}

impl MemoryArchitecture for RunningMean {
    fn advise(&self, _: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        let mean = |candidate: &Candidate| (candidate.prior_r + self.sum_r) / f64::from(self.count + 1);
        advice.extend(candidates.iter().map(|candidate| Advice {
            expected_r: mean(candidate),
            confidence: 0.5,
            ..Advice::prior(candidate)
        }));
    }

    fn observe(&mut self, experience: &Experience<'_>) {
        self.count += 1;
        self.sum_r += experience.episode.realised_r;
        STOP_AT_A_TRADE.with_borrow(|stop| {
            if let Some(stop) = stop {
                stop.store(true, Ordering::Relaxed);
            }
        });
    }
}

thread_local! {
    /// Set at the first trade of a golem that is lived on this thread: runs with checkpoints are.
    static STOP_AT_A_TRADE: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

fn laboratory() -> Laboratory {
    let mut registry = MemoryRegistry::default();
    registry.register("running-mean", "The mean", |_| Ok(RunningMean { count: 0, sum_r: 0.0 })).unwrap();
    Laboratory::with_memories(registry)
}

/// A small world whose golems remember with an architecture; in a file.
fn scenario_file(room: &Path, memory: &str) -> std::path::PathBuf {
    let path = room.join(format!("{memory}.toml"));
    let text = format!(
        "name = 'own'\nseed = 7\nticks = 200\nmarket.warmup_ticks = 50\n\
         market.assets = [{{ symbol = 'GOLD', source = {{ kind = 'synthetic' }} }}]\n\
         cohorts = [{{ name = 'golems', golems = 3, memory = '{memory}' }}]\n"
    );
    std::fs::write(&path, text).unwrap();
    path
}

/// Lives such a world into a folder.
fn lived(room: &Path, memory: &str) -> std::path::PathBuf {
    let path = scenario_file(room, memory);
    let scenario = scenario_file::load(&path, &Overrides::default(), &laboratory()).unwrap();
    let folder = room.join(format!("run-{memory}"));
    run(&scenario, RunOptions::into_folder(&folder)).unwrap();
    folder
}

/// What is said must name the memory, and what to do about it.
fn names_the_remedy<T>(result: Result<T, Error>) {
    let Err(Error::Invalid(lines)) = result else { panic!("a memory that isn't registered must be refused") };
    let said = lines.join("\n");
    assert!(said.contains("running-mean") && said.contains("register"), "{said}");
}

#[test]
fn a_run_of_it_is_verified() {
    let room = tempfile::tempdir().unwrap();
    let run = RunFolder::open(&lived(room.path(), "running-mean")).unwrap();
    let choice = DriverChoice::default();
    let again = repeat(&run, choice, RunControl::default(), &laboratory()).unwrap();
    assert!(again.is_identical(), "{:?}", again.verdict.differing);
    names_the_remedy(repeat(&run, choice, RunControl::default(), &Laboratory::default()));
}

#[test]
fn a_run_is_branched_with_a_swap_to_it() {
    let room = tempfile::tempdir().unwrap();
    let parent = RunFolder::open(&lived(room.path(), "none")).unwrap();
    let changes = Changes {
        swapped_memories: [(1, MemoryName::from_static("running-mean"))].into(),
        ..Changes::default()
    };
    let request = BranchRequest { at: 100, changes, ..BranchRequest::default() };
    names_the_remedy(Branch::prepare(&parent, request.clone(), &Laboratory::default()).map(|_| ()));

    let (folder, choice) = (room.path().join("branch"), DriverChoice::default());
    let branch = Branch::prepare(&parent, request, &laboratory()).unwrap();
    let branched = branch.live(&folder, choice, RunControl::default()).unwrap();
    assert_ne!(branched.report.branch_digest, branched.report.control_digest, "another memory, another life");
    let branch = RunFolder::open(&folder).unwrap();
    let again = repeat(&branch, choice, RunControl::default(), &laboratory()).unwrap();
    assert!(again.is_identical(), "{:?}", again.verdict.differing);
    names_the_remedy(repeat(&branch, choice, RunControl::default(), &Laboratory::default()));
}

#[test]
fn a_run_of_it_that_was_stopped_is_resumed() {
    let room = tempfile::tempdir().unwrap();
    let path = scenario_file(room.path(), "running-mean");
    let scenario = scenario_file::load(&path, &Overrides::default(), &laboratory()).unwrap();
    let whole = run(&scenario, RunOptions::into_folder(room.path().join("whole"))).unwrap();
    let folder = room.path().join("stopped");
    let stop = Arc::new(AtomicBool::new(false));
    STOP_AT_A_TRADE.set(Some(Arc::clone(&stop)));
    let recording = RecordingOptions {
        folder: folder.clone(),
        lethe_log: None,
        checkpoints: Some(Checkpoints { every: 50, keep: false }),
    };
    let control = RunControl::stopped_by(&stop);
    let options = RunOptions { recording: Some(recording), control, ..RunOptions::default() };
    assert!(matches!(run(&scenario, options), Err(Error::Stopped(_))));
    STOP_AT_A_TRADE.set(None);
    let again = |laboratory: &Laboratory| {
        resume(&folder, ResumeOptions::default(), RunControl::default(), laboratory)
    };
    names_the_remedy(again(&Laboratory::default()));
    let resumed = again(&laboratory()).unwrap();
    assert_eq!(resumed.manifest.digest, whole.manifest.digest);
}

#[test]
fn a_sweep_of_it_is_reproduced_and_analysed() {
    let room = tempfile::tempdir().unwrap();
    scenario_file(room.path(), "none");
    let file = room.path().join("sweep.toml");
    let text = "name = 'own'\nscenario = 'none.toml'\nseeds = { count = 2 }\narms = [\n\
        { name = 'forgetful', set = {} },\n\
        { name = 'own', set = { cohorts.golems.memory = 'running-mean' } },\n]\n";
    std::fs::write(&file, text).unwrap();
    let sweep = sweep_file::load(&file, None, None, &laboratory()).unwrap();
    let folder = room.path().join("sweep");
    let summary = sweep.run(&folder, SweepOptions::default()).unwrap();
    assert_eq!((summary.manifest.cells.done, summary.manifest.cells.failed), (4, 0));

    let SweepOptions { watch, stop, .. } = SweepOptions::default();
    let again = reproduce_sweep(&folder, Sample::All, watch, stop, &laboratory()).unwrap();
    assert!(again.agrees() && again.checked.len() == 4, "{again:?}");
    names_the_remedy(reproduce_sweep(&folder, Sample::All, watch, stop, &Laboratory::default()));

    let analysis = analyse(&folder, &laboratory()).unwrap();
    assert_eq!(analysis.sentences, summary.analysis.sentences);
    names_the_remedy(analyse(&folder, &Laboratory::default()));
}
