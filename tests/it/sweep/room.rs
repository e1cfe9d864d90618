//! A small scenario, a sweep of it, and ways to run it.

use crate::common::{Program as _, json_of, room_with};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

pub const SCENARIO: &str = r#"name = "small"
seed = 99
ticks = 400

[[cohorts]]
name = "bardo"
golems = 5
memory = "bardo"

[[cohorts]]
name = "none"
golems = 3
memory = "none"

[market]
warmup_ticks = 64

[[market.assets]]
symbol = "SYN"
source = { kind = "synthetic", volatility = 0.006, half_spread_bps = 0.1 }

[market.pool]
fee_bps = 0.5

[golem]
compute_usdc_per_tick = 0.2

[mortality]
hazard_scale = 3000.0

[dream]
enabled = true
dreamCycleInterval = 40
minEpisodes = 5

[dream.schedule]
mode = "interval"
position_is_pending = true

# What is asked of a sweep's sentences hangs on which of its arms differ, in a world so small: these are the ways in which they do.
[memory.bardo]
pooling = "sum"
recall = { age_half_life_ticks = 0.0 }
"#;

pub const SWEEP: &str = r#"name = "try"
scenario = "small.toml"
design = "grid"

[seeds]
first = 5
count = 3

[[arms]]
name = "utility"

[[arms]]
name = "uniform"
set = { dream.replay.prioritization = "uniform" }

[[axes]]
key = "golem.risk_per_trade"
name = "risk"
values = [0.01, 0.04]

[preregistration]
hypothesis = "It matters."
primary = { measure = "pnl_usdc", direction = "more" }
baseline = "utility/risk=0.01"
analysis = "Arms are compared with the baseline over worlds."
effect_of_interest = 0.1
survival = { horizon_ticks = 100 }

[profiles.short]
seeds = 2
set = { ticks = 60 }
arms = ["uniform"]
"#;

/// What fails in every world.
pub const FAULT: &str = "faults = [{ tick = 50, target = \"market\" }]";

/// Tables that must be the same bytes whatever happened on the way.
pub const TABLES: [&str; 5] =
    ["results.csv", "results.parquet", "series.parquet", "lives.parquet", "analysis.json"];

/// A folder with `small.toml` and `try.toml`.
pub fn room(sweep: &str) -> TempDir {
    room_with([("small.toml", SCENARIO), ("try.toml", sweep)])
}

pub fn command(room: &Path, flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_morta"));
    command.current_dir(room).args(["sweep", "try.toml"]).args(flags);
    command
}

pub fn sweep(room: &Path, flags: &[&str]) -> (i32, Value, String) {
    let (code, out, err) = command(room, flags).arg("--json").ended();
    (code, serde_json::from_str(&out).unwrap_or(Value::Null), err)
}

/// Runs a sweep that must succeed.
pub fn done(room: &Path, flags: &[&str]) -> Value {
    let (code, told, err) = sweep(room, flags);
    assert_eq!((code, err.as_str()), (0, ""), "{flags:?}");
    told
}

/// A sweep that was run into the folder `out` of its room: room and folder, and what it told.
pub fn swept(sweep: &str, flags: &[&str]) -> (TempDir, PathBuf, Value) {
    let room = room(sweep);
    let told = done(room.path(), &[&["--out", "out"], flags].concat());
    let out = room.path().join("out");
    (room, out, told)
}

pub fn analysis(dir: &Path) -> Value {
    json_of(&dir.join("analysis.json"))
}

/// A sweep file in which this is changed must be refused, and nothing is begun.
pub fn refused(text: &str, from: &str, to: &str, expected: &str) {
    assert!(text.contains(from), "{from}");
    let here = room(&text.replacen(from, to, 1));
    command(here.path(), &["--out", "out"]).refused_with(&[expected]);
    assert!(!here.path().join("out").exists());
}

pub fn tables(dir: &Path) -> Vec<(&'static str, Vec<u8>)> {
    TABLES.iter().map(|name| (*name, std::fs::read(dir.join(name)).unwrap())).collect()
}

pub fn assert_same_tables(a: &Path, b: &Path, how: &str) {
    for ((name, a), (_, b)) in tables(a).into_iter().zip(tables(b)) {
        assert!(!a.is_empty() && a == b, "{name} is the same: {how}");
    }
}

/// Rows of `results.csv`, by column.
pub type Row = BTreeMap<String, String>;

pub fn results(dir: &Path) -> Vec<Row> {
    rows(&dir.join("results.csv"))
}

/// The rows of a table of text, by the names of its columns.
pub fn rows(table: &Path) -> Vec<Row> {
    csv::Reader::from_path(table).unwrap().deserialize().map(Result::unwrap).collect()
}

/// The row of a cell and a cohort.
pub fn row<'a>(rows: &'a [Row], arm: &str, seed: &str, cohort: &str) -> &'a Row {
    let is_it = |row: &&Row| row["arm"] == arm && row["seed"] == seed && row["cohort"] == cohort;
    rows.iter().find(is_it).unwrap()
}

/// A measure of everybody in an arm, world by world.
pub fn of_all(rows: &[Row], arm: &str, measure: &str) -> Vec<f64> {
    let own = rows.iter().filter(|row| row["arm"] == arm && row["cohort"] == "all");
    own.map(|row| row[measure].parse().unwrap()).collect()
}

pub fn names(room: &Path) -> Vec<String> {
    let arms = done(room, &["--dry-run"])["arms"].clone();
    arms.as_array().unwrap().iter().map(|arm| arm["name"].as_str().unwrap().to_owned()).collect()
}
