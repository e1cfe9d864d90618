//! A small world is lived through once; its tables are written, read back, spoiled and compared. Corrupt
//! files must be errors with names and never panics.

use super::compare::compare;
use super::manifest::RunObservation;
use super::tables::{EVENTS, JOURNAL};
use super::*;
use crate::io::parquet_guard::{Batch, ColumnCells, StoredColumn, StoredKind, TextCells, test_file};
use crate::io::table::batches;
use crate::run::provenance::Build;
use crate::run::run_folder::events::{EventFilter, collect_events};
use morta_actors::EventSink as _;
use morta_base::GolemId;
use morta_engine::event::{Event, EventKind};
use morta_engine::world::{Plan, Scenario, World};
use parquet::file::properties::WriterProperties;
use std::sync::OnceLock;
use tempfile::TempDir;

/// Events by the tick, as a sink gets them.
fn lived() -> &'static (Scenario, Vec<Vec<Event>>) {
    static LIVED: OnceLock<(Scenario, Vec<Vec<Event>>)> = OnceLock::new();
    LIVED.get_or_init(|| {
        let scenario = scenario();
        let plan = Plan::new(scenario.clone(), &[Vec::new()]).expect("the scenario is sound");
        let mut world = World::new(plan, vec![Vec::new()]);
        let mut ticks = Vec::new();
        world.live_until(u64::MAX, |_, lived| ticks.push(lived.events)).expect("no service fails");
        ticks.push(world.finish());
        (scenario, ticks)
    })
}

fn scenario() -> Scenario {
    serde_json::from_value(serde_json::json!({
        "name": "tables",
        "seed": 7,
        "ticks": 1500,
        "cohorts": [
            {"name": "dreamers", "golems": 9, "memory": "bardo"},
            {"name": "forgetful", "golems": 3, "memory": "none"},
        ],
        "market": {"assets": [{"symbol": "GOLD", "source": {"kind": "synthetic"}}]},
        "mortality": {"hazard_scale": 1500.0, "thanatopsis": {"snapshot_interval_ticks": 20}},
        "dream": {"enabled": true, "min_episodes": 10},
        "faults": [{"tick": 700, "target": "golem", "lineage": 2}],
    }))
    .expect("the scenario is of its type")
}

fn write(dir: &Path) -> (RunFolder, TablesSummary) {
    write_changed(dir, |_| {})
}

fn write_changed(dir: &Path, change: impl FnOnce(&mut Vec<Vec<Event>>)) -> (RunFolder, TablesSummary) {
    let (scenario, ticks) = lived();
    let mut ticks = ticks.clone();
    change(&mut ticks);
    written(dir, scenario, &ticks)
}

fn written(dir: &Path, scenario: &Scenario, ticks: &[Vec<Event>]) -> (RunFolder, TablesSummary) {
    let folder = RunFolder::create(dir).unwrap();
    let mut tables = Tables::create(&folder, scenario).unwrap();
    ticks.iter().for_each(|events| tables.take(events).unwrap());
    let summary = tables.finish().unwrap();
    (folder, summary)
}

fn manifest(summary: &TablesSummary) -> Manifest {
    let (scenario, totals) = (lived().0.clone(), &summary.totals);
    Manifest {
        schema_version: manifest::SCHEMA_VERSION,
        name: scenario.name.clone(),
        scenario_blake3: crate::run::provenance::scenario_hash(&scenario),
        seed: scenario.seed,
        scenario: scenario.clone(),
        ticks: totals.ticks,
        interrupted: false,
        simulated_s: totals.lived_s(scenario.market.tick_seconds),
        golem_ticks: totals.golem_ticks,
        ledger_conserved: totals.ledger_conserved,
        digest: summary.digest.clone(),
        files: summary.files.clone(),
        data: Vec::new(),
        memories: Vec::new(),
        lethe: None,
        cassette: None,
        branch: Vec::new(),
        observed: RunObservation {
            build: Build::this(),
            driver: "plain loop".to_owned(),
            threads: 1,
            started_at: "2026-01-01T00:00:00Z".to_owned(),
            wall_s: 0.1,
            directives_given: 0,
        },
    }
}

/// A whole run in `run` of a folder that is deleted when it is dropped (finished run fixture).
pub fn finished() -> (TempDir, FinishedRun) {
    completed(&lived().0, &lived().1)
}

/// The same after a change of its events, which are by the tick (fixture of a happening that the world of these tests hasn't got).
pub fn finished_changed(change: impl FnOnce(&mut Vec<Vec<Event>>)) -> (TempDir, FinishedRun) {
    let mut ticks = lived().1.clone();
    change(&mut ticks);
    completed(&lived().0, &ticks)
}

/// The same, with `record.events` off (fixture without an event log).
pub fn finished_without_events() -> (TempDir, FinishedRun) {
    let mut scenario = lived().0.clone();
    scenario.record.events = false;
    completed(&scenario, &lived().1)
}

fn completed(scenario: &Scenario, ticks: &[Vec<Event>]) -> (TempDir, FinishedRun) {
    let root = tempfile::tempdir().unwrap();
    let (folder, summary) = written(&root.path().join("run"), scenario, ticks);
    folder.complete(&manifest(&summary)).unwrap();
    let run = RunFolder::open(folder.dir()).unwrap();
    (root, run)
}

fn count(is: impl Fn(&EventKind) -> bool) -> u64 {
    lived().1.iter().flatten().filter(|event| is(&event.kind)).count() as u64
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn every_event_has_its_row() {
    let (_root, run) = finished();
    let rows_of = |name: &str| run.manifest.files.iter().find(|file| file.name == name).unwrap().rows;
    let ended = count(|kind| matches!(kind, EventKind::LifeEnded(_)));
    assert_eq!(rows_of("lives.parquet"), ended);
    assert_eq!(ended, count(|kind| matches!(kind, EventKind::Born { .. })), "every birth has an end");
    assert_eq!(rows_of("ticks.parquet"), count(|kind| matches!(kind, EventKind::TickClosed(_))));
    assert_eq!(rows_of("trades.parquet"), count(|kind| matches!(kind, EventKind::TradeClosed { .. })));
    assert_eq!(rows_of("dreams.parquet"), count(|kind| matches!(kind, EventKind::DreamStarted { .. })));
    let chosen = lived().1.iter().flatten().map(|event| match &event.kind {
        EventKind::DreamStarted { replayed, .. } => replayed.len() as u64,
        _ => 0,
    });
    assert_eq!(rows_of("replays.parquet"), chosen.sum::<u64>());
    let drawn = count(|kind| matches!(kind, EventKind::BloodstainDrawn { .. }));
    let handed_over = count(
        |kind| matches!(kind, EventKind::InheritanceSettled(settled) if settled.source.bloodstain().is_none()),
    );
    assert!(handed_over > 0, "nobody handed anything over");
    assert_eq!(rows_of("inheritance.parquet"), drawn + handed_over);
    assert_eq!(rows_of("bloodstains.parquet"), count(|kind| matches!(kind, EventKind::BloodstainLeft(_))));
    assert_eq!(rows_of(EVENTS), count(|_| true));
    let tables = [
        "trades.parquet", "dreams.parquet", "replays.parquet", "inheritance.parquet", "rules.parquet",
        JOURNAL,
    ];
    for name in tables {
        assert!(rows_of(name) > 0, "the world of these tests has no rows for {name}");
    }
}

#[test]
fn written_tables_are_read_back() {
    let (_root, run) = finished();
    let lives = run.lives().unwrap().all().unwrap();
    let ended = lived().1.iter().flatten().filter_map(|event| match &event.kind {
        EventKind::LifeEnded(life) => Some((event.golem.unwrap().to_string(), life)),
        _ => None,
    });
    for (row, (golem, life)) in lives.iter().zip(ended) {
        assert_eq!((&row.golem, row.born_tick, row.ended_tick), (&golem, life.born, life.ended));
        assert_eq!(row.cause.as_deref(), life.cause.map(|cause| cause.name()));
        assert_eq!((row.balance_usdc, row.total_r), (life.balance.dollars(), life.total_r));
        assert_eq!(row.cohort, if life.cohort == 0 { "dreamers" } else { "forgetful" });
    }
    assert!(
        run.trades()
            .unwrap()
            .all()
            .unwrap()
            .iter()
            .all(|trade| trade.loudest_voice.is_none() || trade.bloodstains_heard.is_some())
    );
    let steps = run.rules().unwrap().all().unwrap();
    assert!(steps.iter().any(|step| step.step == "staged"));
    let bloodstains = run.bloodstains().unwrap().all().unwrap();
    let draws = run.inheritance().unwrap().all().unwrap();
    for draw in draws.iter().filter(|draw| draw.source == "bloodstain") {
        assert!(
            bloodstains.iter().any(|bloodstain| Some(&bloodstain.bloodstain) == draw.bloodstain.as_ref()),
            "{draw:?}"
        );
    }
}

#[test]
fn the_event_log_reads_back_exactly() {
    let (_root, run) = finished();
    let all = collect_events(&run, EventFilter::default()).unwrap();
    let written: Vec<Event> = lived().1.iter().flatten().cloned().collect();
    assert!(all == written, "the log changed on its way through the table");
    let golem = GolemId::founder(3);
    let some = collect_events(&run, EventFilter::for_golem(golem, &["decided", "born"])).unwrap();
    let wanted =
        |event: &&Event| event.golem == Some(golem) && ["decided", "born"].contains(&event.kind.name());
    assert!(some == written.iter().filter(wanted).cloned().collect::<Vec<_>>());
}

#[test]
fn the_manifest_survives_the_disk() {
    let (_root, run) = finished();
    assert!(run.manifest.scenario_is_intact());
    assert_eq!(run.manifest.scenario, lived().0);
    assert!(run.manifest.ledger_conserved && run.manifest.golem_ticks > 0);
}

#[test]
fn the_same_events_give_the_same_bytes() {
    let root = tempfile::tempdir().unwrap();
    let (a, first) = write(&root.path().join("a"));
    let (b, second) = write(&root.path().join("b"));
    assert_eq!(first, second);
    for name in names(a.dir()) {
        assert!(fs::read(a.dir().join(&name)).unwrap() == fs::read(b.dir().join(&name)).unwrap(), "{name}");
    }
}

#[test]
fn a_run_that_is_cut_off_leaves_nothing_that_looks_complete() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("run");
    let folder = RunFolder::create(&dir).unwrap();
    let mut tables = Tables::create(&folder, &lived().0).unwrap();
    tables.take(&lived().1[0]).unwrap();
    drop((tables, folder));
    let left = names(&dir);
    assert!(!left.is_empty() && left.iter().all(|name| name.ends_with(PARTIAL)), "{left:?}");
    assert!(RunFolder::open(&dir).unwrap_err().to_string().contains("this run never ended"));
    assert!(RunFolder::create(&dir).unwrap_err().to_string().contains("never ended"));
}

#[test]
fn folders_that_cant_be_used_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let refused = |dir: &Path, reason: &str| {
        let error = RunFolder::create(dir).unwrap_err();
        assert!(error.mistakes().is_some(), "{error}");
        assert!(error.to_string().contains(reason) && !error.to_string().contains('\n'), "{error}");
    };
    let file = root.path().join("file");
    fs::write(&file, "").unwrap();
    refused(&file, "this is a file");
    refused(&file.join("inside"), "can't be read");
    refused(Path::new("/proc/morta"), "can't be made");
    refused(root.path(), "not empty");
    refused(finished().1.dir(), "already holds a run");
}

#[test]
fn folders_that_are_no_runs_are_not_opened() {
    let root = tempfile::tempdir().unwrap();
    let refused = |dir: &Path, reason: &str| {
        let error = RunFolder::open(dir).unwrap_err();
        assert!(error.mistakes().is_some() && error.to_string().contains(reason), "{error}");
    };
    refused(&root.path().join("nowhere"), "no such folder");
    refused(root.path(), "no manifest.json");
    let path = root.path().join(MANIFEST);
    fs::write(&path, "{\"schema_ver").unwrap();
    refused(root.path(), "damaged");
    fs::write(&path, "{\"schema_version\": 999}").unwrap();
    refused(root.path(), "format 999");
}

#[test]
fn a_run_is_the_same_as_its_repetition() {
    let (root, run) = finished();
    let (again, summary) = write(&root.path().join("again"));
    let verdict = compare(&run, &again, &summary).unwrap();
    assert!(verdict.is_identical(), "{verdict:?}");
}

#[test]
fn the_first_event_that_differs_is_named() {
    let (root, run) = finished();
    let mut changed = None;
    let (again, summary) = write_changed(&root.path().join("again"), |ticks| {
        let later = ticks.iter_mut().skip(100).flatten();
        let event = later.into_iter().find(|event| matches!(event.kind, EventKind::TradeClosed { .. }));
        let event = event.unwrap();
        if let EventKind::TradeClosed { episode, .. } = &mut event.kind {
            episode.realised_r += 0.5;
        }
        changed = Some(event.clone());
    });
    let (changed, verdict) = (changed.unwrap(), compare(&run, &again, &summary).unwrap());
    let first = verdict.first.unwrap();
    assert!(verdict.digests.is_some() && verdict.changed.is_empty() && verdict.missing.is_empty());
    let mut differing = verdict.differing.clone();
    differing.sort();
    assert_eq!(differing, [EVENTS, "ticks.parquet", "trades.parquet"]);
    assert_eq!((first.table.as_str(), first.tick), (EVENTS, Some(changed.tick)));
    assert_eq!(first.golem, changed.golem.map(|golem| golem.to_string()));
    assert_eq!(first.column, "payload.episode.realised_r");
}

/// Writes a table anew with one cell changed.
fn perturb(path: &Path, column: &str, row: usize) {
    let mut batches: Vec<Batch> = self::batches(path).unwrap().collect::<Result<_, _>>().unwrap();
    let columns = batches[0].columns.clone();
    let index = columns.iter().position(|found| found.name == column).unwrap();
    let rows = batches[0].rows;
    match &mut batches[0].cells[index] {
        ColumnCells::Float(cells) => cells[row] = cells[row].map(|value| value + 1e-9),
        ColumnCells::Int(cells) => cells[row] = cells[row].map(|value| value + 1),
        ColumnCells::Bool(_) => unreachable!("no flag is changed here"),
        ColumnCells::Text(cells) => {
            let mut changed = TextCells::default();
            let text = |i: usize| cells.get(i).map(|text| if i == row { "tampered" } else { text });
            (0..rows).for_each(|i| changed.push(text(i)));
            *cells = changed;
        }
    }
    let field = |column: &StoredColumn| {
        let repetition = if column.nullable { "optional" } else { "required" };
        let (before, after) = match column.kind {
            StoredKind::Float64 => ("double", ""),
            StoredKind::Bool => ("boolean", ""),
            StoredKind::Text => ("binary", " (utf8)"),
            _ => ("int64", ""),
        };
        format!("{repetition} {before} {}{after};", column.name)
    };
    let fields: String = columns.iter().map(field).collect();
    let groups = batches.into_iter().map(|batch| batch.cells);
    fs::write(path, test_file::written(&fields, groups, WriterProperties::default())).unwrap();
}

#[test]
fn a_table_that_was_changed_is_named() {
    let (root, run) = finished();
    let (again, summary) = write(&root.path().join("again"));
    let check = |file: &str, column: &str, row: usize| {
        let path = run.path(file);
        let whole = fs::read(&path).unwrap();
        perturb(&path, column, row);
        let verdict = compare(&run, &again, &summary).unwrap();
        assert_eq!(verdict.changed, [file], "{verdict:?}");
        assert!(verdict.differing.is_empty() && verdict.digests.is_none());
        let first = verdict.first.unwrap();
        assert_eq!((first.table.as_str(), first.row, first.column.as_str()), (file, row as u64, column));
        assert!(first.tick.is_some() && first.run != first.repetition, "{first}");
        fs::write(&path, whole).unwrap();
    };
    check("lives.parquet", "balance_usdc", 3);
    check("ticks.parquet", "alive", 77);
    check("trades.parquet", "strategy", 11);
    check(EVENTS, "payload", 500);
    check("events.parquet", "kind", 1);
}

#[test]
fn a_table_that_is_gone_or_garbled_is_named() {
    let (root, run) = finished();
    let (again, summary) = write(&root.path().join("again"));
    fs::remove_file(run.path("dreams.parquet")).unwrap();
    let mut bytes = fs::read(run.path("lives.parquet")).unwrap();
    let length = bytes.len();
    bytes.truncate(length / 2);
    fs::write(run.path("lives.parquet"), &bytes).unwrap();
    let mut lines = fs::read_to_string(run.path(JOURNAL)).unwrap();
    lines = lines.replacen("founder", "bastard", 1);
    fs::write(run.path(JOURNAL), lines).unwrap();
    let verdict = compare(&run, &again, &summary).unwrap();
    assert_eq!(verdict.missing, ["dreams.parquet"]);
    let mut changed = verdict.changed.clone();
    changed.sort();
    assert_eq!(changed, [JOURNAL, "lives.parquet"]);
    let first = verdict.first.unwrap();
    assert_eq!((first.table.as_str(), first.column.as_str(), first.tick), (JOURNAL, "line.text", Some(0)));
}

#[test]
fn a_changed_byte_is_caught_wherever_it_is() {
    let (root, run) = finished();
    let (again, summary) = write(&root.path().join("again"));
    for file in ["lives.parquet", "rules.parquet"] {
        let path = run.path(file);
        let whole = fs::read(&path).unwrap();
        for place in (0..whole.len()).step_by(whole.len() / 60) {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x55;
            fs::write(&path, bytes).unwrap();
            let verdict = compare(&run, &again, &summary).unwrap();
            assert_eq!(verdict.changed, [file], "byte {place}");
        }
        fs::write(&path, whole).unwrap();
    }
}

#[test]
fn a_manifest_that_was_changed_is_named() {
    let (root, run) = finished();
    let (again, summary) = write(&root.path().join("again"));
    let check = |change: fn(&mut Manifest)| {
        let mut run = run.clone();
        change(&mut run.manifest);
        assert_eq!(compare(&run, &again, &summary).unwrap().changed, [MANIFEST]);
    };
    check(|manifest| manifest.scenario.seed += 1);
    check(|manifest| manifest.seed += 1);
    check(|manifest| manifest.golem_ticks += 1);
    check(|manifest| manifest.ledger_conserved = false);
}

#[test]
fn the_event_log_can_be_left_out() {
    let (_root, run) = finished_without_events();
    assert!(!names(run.dir()).contains(&EVENTS.to_owned()));
    let error = collect_events(&run, EventFilter::default()).unwrap_err();
    assert!(error.to_string().contains("was not kept"), "{error}");
}

/// A manifest may come from anybody.
#[test]
fn a_manifest_names_files_of_its_own_folder_alone() {
    let (_root, run) = finished();
    let path = run.path(MANIFEST);
    let text = fs::read_to_string(&path).unwrap();
    fs::create_dir(run.path("folder")).unwrap();
    for name in ["/dev/zero", "../run/ticks.parquet", "folder/ticks.parquet", "folder", "..", ""] {
        let named = text.replace("\"ticks.parquet\"", &format!("\"{name}\""));
        assert_ne!(named, text);
        fs::write(&path, named).unwrap();
        let error = RunFolder::open(run.dir()).unwrap_err();
        assert!(
            error.mistakes().is_some() && error.to_string().contains("no file of this folder"),
            "{error}"
        );
    }
    fs::write(&path, text).unwrap();
    RunFolder::open(run.dir()).unwrap();
}
