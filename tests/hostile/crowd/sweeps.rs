//! Folders of sweeps, and sweeps that many machines live in units.

use super::child::{Ending, Process};
use super::place::{Content, Done, Place, words};
use super::runs::room;
use std::fs;
use std::path::Path;

const SWEEP: &str = "name = \"small\"\nscenario = \"world.toml\"\nseeds = { first = 1, count = 3 }\n[set]\nticks = 10\n\
    [[arms]]\nname = \"one\"\n[[arms]]\nname = \"two\"\nset = { golem.exploration_rate = 0.4 }\n";

const CELLS: usize = 6;

fn sweep_room() -> tempfile::TempDir {
    let room = room();
    fs::write(room.path().join("sweep.toml"), SWEEP).unwrap();
    room
}

/// Tables of a sweep that says it is complete.
fn tables(room: &Path) -> Content {
    let dir = room.join("out");
    let manifest: serde_json::Value = fs::read(dir.join("sweep.json"))
        .map_or(serde_json::Value::Null, |text| serde_json::from_slice(&text).unwrap());
    if manifest["status"] != "complete" {
        return Content::new();
    }
    let names = ["results.csv", "results.parquet", "series.parquet", "lives.parquet", "analysis.json"];
    let mut content: Content =
        names.iter().map(|name| ((*name).to_owned(), fs::read(dir.join(name)).unwrap_or_default())).collect();
    content.insert("cells".to_owned(), manifest["cells"].to_string().into_bytes());
    if dir.join("lock").exists() {
        content.insert("lock".to_owned(), b"was left behind".to_vec());
    }
    content
}

const RESUME: &str = "sweep sweep.toml --json --out out --resume";

/// Each goes for some cells, which others go for too, or collects what there is.
fn of_unit(n: usize) -> Vec<String> {
    let from = n * 2 % CELLS;
    match n {
        3 => words("sweep sweep.toml --out out --collect --allow-missing"),
        _ => words(&format!("sweep sweep.toml --out out --jobs 1 --cells {from}..{}", from + 2)),
    }
}

fn all_units(_: &Path, _: usize) -> Vec<Vec<String>> {
    let collect = words("sweep sweep.toml --out out --collect --debris-hours 0");
    [of_unit(0), of_unit(1), of_unit(2), collect].into()
}

const COLLECT: &str = "sweep sweep.toml --out out --collect";

/// Every unit has been lived, and none collected.
fn lived() -> tempfile::TempDir {
    let room = sweep_room();
    for n in 0..3 {
        let ended = Process::begin(room.path(), &of_unit(n), Ending::Own).end().unwrap();
        assert!(ended.is_done(), "{ended:?}");
    }
    room
}

pub fn places() -> Vec<Place> {
    vec![
        Place::new("sweep", sweep_room(), |_| words(RESUME), tables)
            .done_by(Done::Some, &["another process is running"])
            .again(|_, _| vec![words(RESUME)]),
        Place::new("collect", lived(), |_| words(COLLECT), tables)
            .done_by(Done::Some, &["another process is running"])
            .again(|_, _| vec![words(COLLECT)]),
        Place::new("units", sweep_room(), of_unit, tables)
            .done_by(Done::Some, &["another process is running", "the plan", "no plan", "is not there"])
            .again(all_units),
    ]
}
