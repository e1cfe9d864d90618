//! Branches: the same world up to a tick, and then under a change.

use crate::common::{Program as _, edit_json, files, json_of, manifest, morta, run, written};
use morta_lab::run_folder::EventRow;
use morta_lab::table::RowReader;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

/// Short lives that leave, draw, dream and tell each other much.
const SCENARIO: &str = r#"
name = "trunk"
seed = 7
ticks = 400

[[cohorts]]
name = "bardo"
golems = 9
memory = "bardo"

[[cohorts]]
name = "none"
golems = 4
memory = "none"

[[market.assets]]
symbol = "A"
source = { kind = "synthetic" }

[market.gas]
base_usdc = 0.002

[golem]
compute_usdc_per_tick = 0.1

[mortality]
hazard_scale = 2000.0
thanatopsis = { snapshot_interval_ticks = 10, snapshot_usdc = 0.0001 }

[dream]
enabled = true
minEpisodes = 10
dreamCycleInterval = 20
schedule = { mode = "interval" }
clocks = { timeScale = 100.0 }

[lethe]
delay_hours_min = 0.0
delay_hours_max = 0.1
"#;

/// Runs that the tests branch: with checkpoints kept, and without its log of events.
struct Trunks {
    _room: TempDir,
    kept: PathBuf,
    plain: PathBuf,
    unrecorded: PathBuf,
}

fn trunks() -> &'static Trunks {
    static TRUNKS: OnceLock<Trunks> = OnceLock::new();
    TRUNKS.get_or_init(|| {
        let (room, scenario) = written("trunk.toml", SCENARIO);
        let at = |name: &str| room.path().join(name);
        let (kept, plain, unrecorded) = (at("kept"), at("plain"), at("unrecorded"));
        run(&scenario, &kept, &["--checkpoint-every", "64", "--keep-checkpoints"]);
        run(&scenario, &plain, &[]);
        run(&scenario, &unrecorded, &["--set", "record.events=false"]);
        Trunks { _room: room, kept, plain, unrecorded }
    })
}

/// Branches a run, and returns the folder with what `--json` says.
fn branch(run: &Path, flags: &[&str]) -> (TempDir, PathBuf, Value) {
    let room = tempfile::tempdir().unwrap();
    let out = room.path().join("branch");
    let told = morta().arg("branch").arg(run).args(flags).arg("--json").arg("--out").arg(&out).json();
    (room, out, told)
}

const CHANGE: [&str; 4] = ["--at", "200", "--set", "golem.exploration_rate=0.6"];

#[test]
fn a_branch_without_a_change_is_the_run_itself() {
    let trunks = trunks();
    for (run, lived_from, control) in [
        (&trunks.kept, 192, "recorded"),
        (&trunks.plain, 0, "recorded"),
        (&trunks.unrecorded, 0, "recomputed"),
    ] {
        let (_room, out, told) = branch(run, &["--at", "200"]);
        assert_eq!((&told["lived_from"], &told["control"]), (&lived_from.into(), &control.into()));
        assert_eq!(told["parting"]["identical"], true);
        let (own, parents) = (manifest(&out), manifest(run));
        assert_eq!(told["branch_digest"], parents["digest"]);
        assert_eq!(told["control_digest"], parents["digest"]);
        assert_eq!(own["golem_ticks"], parents["golem_ticks"]);
        assert_eq!(own["branch"][0]["parent"]["digest"], parents["digest"]);
        let (branched, original) = (files(&out), files(run));
        for (name, bytes) in &original {
            assert!(branched.iter().any(|(own, same)| own == name && same == bytes), "{name}");
        }
    }
    for at in ["0", "1", "399"] {
        let (_room, _, told) = branch(&trunks.kept, &["--at", at]);
        assert_eq!(told["parting"]["identical"], true, "from tick {at}");
    }
}

/// Where the arms are lived from is printed with the reason: a checkpoint that was kept and can't be used isn't said to be missing.
#[test]
fn a_checkpoint_that_cannot_be_used_is_named() {
    let (room, scenario) = written("trunk.toml", SCENARIO);
    let dir = room.path().join("kept");
    run(&scenario, &dir, &["--checkpoint-every", "64", "--keep-checkpoints"]);
    let lived = |at: &str, out: &str, expected: &str| {
        let out = room.path().join(out);
        let said = morta().arg("branch").arg(&dir).args(["--at", at, "--out"]).arg(&out).printed();
        let line = format!("lived        again from {expected}");
        assert!(said.lines().any(|one| one == line), "{line}: {said}");
    };
    lived("200", "used", "the checkpoint at tick 192");
    lived("60", "none", "the start: no checkpoint at or before tick 60 was kept");
    fs::write(dir.join("checkpoints/192.bin"), b"damaged").unwrap();
    lived("200", "damaged", "the start: the checkpoint at tick 192 can't be read");
    edit_json(&dir.join("manifest.json"), |manifest| {
        manifest["observed"]["build"]["version"] = "0.0.9".into();
    });
    lived("200", "other", "the start: the checkpoint at tick 192 is of another build");
}

/// Where the world comes from and how the control is found makes no difference to what is found.
#[test]
fn a_change_parts_the_arms_from_its_tick_on() {
    let trunks = trunks();
    let (_room, out, told) = branch(&trunks.kept, &CHANGE);
    let parting = &told["parting"];
    assert_eq!(parting["identical"], false);
    let first = parting["first_event"]["tick"].as_u64().unwrap();
    assert!((200..400).contains(&first), "{first}");
    let choice = &parting["first_choice"];
    assert_ne!(choice["control"], choice["branch"]);
    let both = [&choice["control"], &choice["branch"]];
    assert!(both.iter().any(|arm| arm["voices"].is_array()), "{choice}");
    // The tables are those of the run up to there, and others from there on.
    let ticks = |dir: &Path| events_by_tick(dir).into_iter().collect::<Vec<_>>();
    let (own, parents) = (ticks(&out), ticks(&trunks.kept));
    assert_eq!(own[..200], parents[..200]);
    let parted = own.iter().zip(&parents).find(|(a, b)| a != b).unwrap();
    assert_eq!(parted.0.0, first);
    let recomputed = branch(&trunks.unrecorded, &CHANGE).2;
    for key in ["parting", "lineages", "sum", "series"] {
        assert_eq!(told[key], recomputed[key], "{key}");
    }
    // The sum is that of the rows, the rows are those of the tables.
    let lineages = told["lineages"].as_array().unwrap();
    let total = |key: &str| lineages.iter().map(|row| row[key].as_f64().unwrap()).sum::<f64>();
    for key in ["equity_usdc", "total_r", "trades", "deaths"] {
        assert!((total(key) - told["sum"][key].as_f64().unwrap()).abs() < 1e-6, "{key}");
    }
    assert_eq!(told["sum"]["branch"]["trades"], trades_from(&out, 200));
    assert_eq!(told["sum"]["control"]["trades"], trades_from(&trunks.kept, 200));
    let last = told["series"].as_array().unwrap().last().unwrap();
    let parted = lineages.iter().filter(|row| !row["chose_otherwise"].is_null()).count();
    assert_eq!(last["chose_otherwise"].as_f64().unwrap(), parted as f64 / lineages.len() as f64);
    let kept = json_of(&out.join("divergence.json"));
    assert_eq!(kept["parting"], told["parting"]);
}

/// The payloads of each tick's events, one string for each tick.
fn events_by_tick(dir: &Path) -> std::collections::BTreeMap<u64, String> {
    let mut ticks: std::collections::BTreeMap<u64, String> = std::collections::BTreeMap::new();
    for EventRow { tick, kind, payload, .. } in events(dir) {
        ticks.entry(tick).or_default().push_str(&format!("{kind} {payload}"));
    }
    ticks
}

fn events(dir: &Path) -> impl Iterator<Item = EventRow> {
    RowReader::open(&dir.join("events.parquet")).unwrap().map(Result::unwrap)
}

fn trades_from(dir: &Path, from: u64) -> usize {
    events(dir).filter(|row| row.tick >= from && row.kind == "trade_closed").count()
}

#[test]
fn threads_change_nothing() {
    let trunks = trunks();
    let (_room, out, told) = branch(&trunks.kept, &[&CHANGE[..], &["--plain"]].concat());
    let expected = files(&out);
    for threads in ["1", "2", "8"] {
        let (_room, other, again) = branch(&trunks.kept, &[&CHANGE[..], &["--threads", threads]].concat());
        assert_eq!(again["branch_digest"], told["branch_digest"]);
        assert!(files(&other) == expected, "{threads} threads");
    }
}

#[test]
fn a_branch_can_be_verified_reproduced_and_branched_again() {
    let trunks = trunks();
    let (_room, out, told) = branch(&trunks.kept, &[&CHANGE[..], &["--swap-memory", "3=none"]].concat());
    morta().arg("verify").arg(&out).args(["--threads", "2"]).assert().success();
    morta().arg("reproduce").arg(&out).assert().success();
    // From its manifest alone: the run it was branched from may be gone.
    let (_other, again, _) = branch(&out, &["--at", "300"]);
    assert_eq!(manifest(&again)["digest"], told["branch_digest"]);
    assert_eq!(manifest(&again)["branch"].as_array().unwrap().len(), 2);
    morta().arg("verify").arg(&again).assert().success();
    let (_third, twice, _) = branch(&out, &["--at", "300", "--set", "market.pool.fee_bps=40"]);
    assert_ne!(manifest(&twice)["digest"], told["branch_digest"]);
    morta().arg("verify").arg(&twice).assert().success();
}

/// `--ticks` ends both arms elsewhere; beyond the record the control is lived again.
#[test]
fn both_arms_can_end_elsewhere() {
    let trunks = trunks();
    for (ticks, until) in [("50", 250), ("260", 460)] {
        let (_room, out, told) = branch(&trunks.kept, &["--at", "200", "--ticks", ticks]);
        assert_eq!((&told["until"], &told["control"]), (&until.into(), &"recomputed".into()));
        assert_eq!((&told["parting"]["identical"], &manifest(&out)["ticks"]), (&true.into(), &until.into()));
    }
}

#[test]
fn a_bloodstain_that_is_taken_away_is_missed() {
    let kept = &trunks().kept;
    let (mut left, mut found) = (std::collections::BTreeMap::new(), None);
    for EventRow { tick, kind, payload, .. } in events(kept) {
        let payload: Value = serde_json::from_str(&payload).unwrap();
        let name = payload["id"].as_str().unwrap_or_default().to_owned();
        match &*kind {
            "bloodstain_left" => {
                left.insert(name, tick);
            }
            // It was asked for the tick before, which is the first under the change.
            "bloodstain_drawn" if found.is_none() && left[&name] + 1 < tick => found = Some((name, tick - 1)),
            _ => {}
        }
    }
    let (name, at) = found.expect("somebody draws something");
    let (_room, out, told) = branch(kept, &["--at", &at.to_string(), "--remove-bloodstain", &name]);
    let parting = &told["parting"];
    assert_eq!(parting["first_event"]["tick"], at, "the register counts one less at once");
    let first = &parting["first_golem_event"];
    assert_eq!((&first["tick"], &first["control"]["kind"]), (&(at + 1).into(), &"bloodstain_drawn".into()));
    assert_eq!(manifest(&out)["branch"][0]["changes"]["removed_bloodstains"], serde_json::json!([name]));
    // It is gone in the branch too.
    let again = tempfile::tempdir().unwrap();
    let (at, dir) = ((at + 5).to_string(), again.path().join("b"));
    let flags = ["--at", &at, "--remove-bloodstain", &name, "--out"];
    morta().arg("branch").arg(&out).args(flags).arg(&dir).refused_with(&["it isn't in the Lethe at tick"]);
    assert!(!dir.exists(), "nothing is left behind");
}

#[test]
fn another_memory_is_another_life() {
    let trunks = trunks();
    let (_room, out, told) =
        branch(&trunks.kept, &["--at", "200", "--swap-memory", "L2=oracle", "--swap-memory", "10=bardo"]);
    let swapped = &manifest(&out)["branch"][0]["changes"]["swapped_memories"];
    assert_eq!(swapped, &serde_json::json!({ "2": "oracle", "10": "bardo" }));
    let parted: Vec<u64> = told["lineages"].as_array().unwrap()[..]
        .iter()
        .filter(|row| !row["decided_otherwise"].is_null())
        .map(|row| row["lineage"].as_u64().unwrap())
        .collect();
    assert!(parted.contains(&2) || parted.contains(&10), "{parted:?}");
}

#[test]
fn what_cant_be_branched_says_why() {
    let trunks = trunks();
    let room = tempfile::tempdir().unwrap();
    let refused = |run: &Path, flags: &[&str], why: &[&str]| {
        let out = room.path().join("refused");
        morta().arg("branch").arg(run).args(flags).arg("--out").arg(&out).refused_in_a_line(why);
        assert!(!out.exists(), "{flags:?} leaves nothing");
    };
    let kept = &trunks.kept;
    refused(room.path(), &["--at", "3"], &["this is not a run folder"]);
    refused(&room.path().join("nothing"), &["--at", "3"], &["there is no such folder"]);
    refused(kept, &["--at", "400"], &["--at 400", "its last is 399"]);
    refused(kept, &["--at", "9", "--set", "golem.colour=3"], &["--set golem.colour=3"]);
    refused(kept, &["--at", "9", "--set", "golem.risk_per_trade=7"], &["golem.risk_per_trade", "1"]);
    refused(kept, &["--at", "9", "--set", "golem"], &["must be key.path=value"]);
    refused(kept, &["--at", "9", "--set", "ticks=9"], &["--ticks"]);
    for key in [
        "seed=8",
        "cohorts.bardo.golems=8",
        "cohorts.none.memory=bardo",
        "market.tick_seconds=60",
        "name=x",
        "lethe.persist=x",
    ] {
        refused(kept, &["--at", "9", "--set", key], &["can't be changed in a world under way"]);
    }
    refused(
        kept,
        &["--at", "9", "--set", "market.assets.A.source.volatility=0.01"],
        &["market.assets.0.source.volatility can't be changed"],
    );
    refused(kept, &["--at", "9", "--remove-bloodstain", "L0.G0"], &["--remove-bloodstain L0.G0", "L7.G2.B0"]);
    refused(
        kept,
        &["--at", "200", "--remove-bloodstain", "L0.G90.B9"],
        &["it isn't in the Lethe at tick 200"],
    );
    refused(kept, &["--at", "0", "--remove-bloodstain", "L0.G0.B0"], &["the Lethe is empty then"]);
    refused(kept, &["--at", "9", "--swap-memory", "13=none"], &["the world has lineages 0 to 12"]);
    refused(kept, &["--at", "0", "--swap-memory", "1=none"], &["nobody lives in lineage 1"]);
    refused(
        kept,
        &["--at", "9", "--swap-memory", "1=wax"],
        &["there is no memory architecture `wax`", "bardo"],
    );
    let late = "market.shocks.scheduled=[{ tick = 9, kinds = [\"gas_spike\"] }]";
    refused(kept, &["--at", "9", "--set", late], &["tick 9", "it is over then"]);
    let (_room, out, _) = branch(kept, &CHANGE);
    refused(&out, &["--at", "100"], &["this run is itself a branch"]);
    for flags in [["--at", "x"], ["--at", "-3"]] {
        morta().arg("branch").arg(kept).args(flags).refusal();
    }
}

/// A run that starts from a Lethe hands on what it started from.
#[test]
fn a_branch_keeps_what_its_run_started_from() {
    let (room, scenario) = written("trunk.toml", SCENARIO);
    let heir = room.path().join("heir");
    let start = format!("lethe.start_from={}", trunks().plain.display());
    run(&scenario, &heir, &["--set", &start, "--seed", "8", "--set", "ticks=200"]);
    let (_room, out, told) = branch(&heir, &["--at", "60"]);
    assert_eq!(told["parting"]["identical"], true);
    assert!(out.join("lethe").is_dir());
    morta().arg("verify").arg(&out).assert().success();
}

#[test]
fn a_person_is_told_in_a_few_lines() {
    let room = tempfile::tempdir().unwrap();
    let mut command = morta();
    command.arg("branch").arg(&trunks().kept).args(CHANGE).arg("--out").arg(room.path().join("b"));
    let said = command.printed_with(&[
        "from the checkpoint at tick 192",
        "golem.exploration_rate = 0.6 (was 0.05)",
        "control",
        "branch",
        "deaths",
    ]);
    assert!(said.lines().count() < 40, "{said}");
}
