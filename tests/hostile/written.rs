//! What is written by the rules is read back as what it says, and what is written by none is refused: content made up by proptest, where changes
//! of sound files don't reach.

use super::memories;
use super::round::{Verdict, judge};
use morta_lab::Laboratory;
use morta_lab::bars::{self, Days};
use morta_lab::limits::{LimitSetting, Limits};
use morta_lab::scenario_file::{self, Overrides};
use morta_lab::scoring::ScoringState;
use morta_lab::table_file::TableFile;
use morta_lab::{Error, cassette::Cassette};
use morta_tools::owm::export;
use morta_tools::owm::store::Store;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Text of any letters, ends of lines and quotes oftener than by chance.
fn any_text() -> impl Strategy<Value = String> {
    let letter = prop_oneof![
        6 => any::<char>(),
        4 => prop::sample::select(vec!['"', '\'', ',', '\n', '\r', '\\', '{', '}', '[', ']', '=', '#', ' ', '\t', '\u{feff}', '\u{202e}', '\0']),
        6 => "[a-z0-9]".prop_map(|text| text.chars().next().unwrap_or('a')),
    ];
    prop::collection::vec(letter, 0..60).prop_map(|letters| letters.into_iter().collect())
}

fn refused_in_a_line<T>(read: Result<T, Error>) {
    if let Err(error) = read {
        let verdict = judge(&error);
        assert!(matches!(verdict, Verdict::Refused), "{verdict:?}");
    }
}

/// A bar an hour, with prices that make one.
fn prices() -> impl Strategy<Value = Vec<(f64, f64, f64, f64)>> {
    let bar = (0.001..1e6_f64, 0.0..0.5_f64, 0.0..0.5_f64, 0.0..1.0_f64);
    let bar = bar.prop_map(|(base, up, down, close)| {
        let (high, low) = (base * (1.0 + up), base * (1.0 - down));
        (base, high, low, low + (high - low) * close)
    });
    prop::collection::vec(bar, 1..40)
}

fn owm_line(fields: &Value) -> String {
    let cell = |name: &str| match &fields[name] {
        Value::String(text) => format!("\"{}\"", text.replace('"', "\"\"")),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    [
        "id", "timestamp", "symbol", "strategy", "direction", "entry_price", "exit_price", "pnl", "pnl_r",
        "lessons",
    ]
    .map(cell)
    .join(",")
}

fn exported(store: &Path) -> Vec<Value> {
    let mut lines = Vec::new();
    export::export::<Error>(&Store::open(store).unwrap(), |line| {
        lines.push(line.clone());
        Ok(())
    })
    .unwrap();
    lines
}

proptest! {
    #![proptest_config(ProptestConfig { cases: super::common::number("HOSTILE_PROPERTIES", 64) as u32, ..ProptestConfig::default() })]

    /// Prices come out as they went in, to the last bit, in any order of columns.
    #[test]
    fn bars_are_read_as_they_were_written(prices in prices(), turn in 0..5_usize) {
        let room = tempfile::tempdir().unwrap();
        let path = room.path().join("p.csv");
        let mut names = ["time_utc", "open", "high", "low", "close"];
        names.rotate_left(turn);
        let mut text = names.join(",");
        for (hour, (open, high, low, close)) in prices.iter().enumerate() {
            let mut cells = [(1_577_836_800 + 3_600 * hour as i64).to_string(), open.to_string(), high.to_string(), low.to_string(), close.to_string()];
            cells.rotate_left(turn);
            text.push_str(&format!("\n{}", cells.join(",")));
        }
        fs::write(&path, text).unwrap();
        let (read, _) = bars::read(&path, Days::default(), &Limits::default()).unwrap();
        let shown = |bar: &morta_engine::market::Bar| serde_json::to_value(bar).unwrap();
        prop_assert_eq!(read.len(), prices.len());
        for (bar, (open, _, _, close)) in read.iter().zip(&prices) {
            let told = shown(bar).to_string();
            prop_assert!(told.contains(&json!(open).to_string()) && told.contains(&json!(close).to_string()), "{told}: {open} {close}");
        }
    }

    /// Labels with quotes, commas and ends of lines.
    #[test]
    fn labels_of_a_table_are_read_as_they_were_written(labels in prop::collection::vec(any_text(), 1..20)) {
        let room = tempfile::tempdir().unwrap();
        let path = room.path().join("t.csv");
        let mut writer = csv::Writer::from_path(&path).unwrap();
        writer.write_record(["label", "x"]).unwrap();
        labels.iter().for_each(|label| writer.write_record([&format!("<{label}>"), "1"]).unwrap());
        writer.flush().unwrap();
        let read = TableFile::read(&path, &["label", "x"], &Limits::default()).unwrap().labels("label").unwrap();
        let written: Vec<String> = labels.iter().map(|label| format!("<{label}>")).collect();
        prop_assert_eq!(read.iter().map(|label| label.to_string()).collect::<Vec<_>>(), written);
    }

    /// A text that is set from the command line is that text.
    #[test]
    fn what_is_set_is_set(name in any_text(), seed in 0..i64::MAX) {
        let room = tempfile::tempdir().unwrap();
        let path = room.path().join("s.toml");
        fs::write(&path, super::folders::WORLD).unwrap();
        let set = vec![format!("description={}", toml::Value::String(name.clone())), format!("seed={seed}")];
        match scenario_file::load(&path, &Overrides { set, ..Overrides::default() }, &Laboratory::default()) {
            Ok(loaded) => {
                prop_assert_eq!(&loaded.scenario.description, &name);
                prop_assert_eq!(loaded.scenario.seed, seed as u64);
            }
            refused => refused_in_a_line(refused),
        }
    }

    /// Trades that are imported are exported as they were.
    #[test]
    fn trades_come_out_as_they_went_in(trades in prop::collection::vec((any_text(), 0.01..1e6_f64, -50.0..50.0_f64, any::<bool>()), 1..12)) {
        let room = tempfile::tempdir().unwrap();
        let (path, store) = (room.path().join("trades.csv"), room.path().join("store"));
        let heading = "id,timestamp,symbol,strategy,direction,entry_price,exit_price,pnl,pnl_r,lessons";
        let rows: Vec<Value> = trades.iter().enumerate().map(|(n, (lesson, price, r, long))| json!({
            "id": format!("t{n}"), "timestamp": format!("2026-01-{:02}T00:00:00Z", n + 1), "symbol": "XAUUSD", "strategy": "breakout",
            "direction": if *long { "long" } else { "short" }, "entry_price": price, "exit_price": price + 1.0, "pnl": r * 10.0, "pnl_r": r, "lessons": lesson,
        })).collect();
        let lines: Vec<String> = rows.iter().map(owm_line).collect();
        fs::write(&path, format!("{heading}\n{}\n", lines.join("\n"))).unwrap();
        let mut notes = Vec::new();
        memories::import(&store, &path, None, "UTC", &mut |note| notes.push(note.to_owned())).unwrap();
        let out = exported(&store);
        prop_assert_eq!(out.len(), rows.len(), "{:?}", notes);
        for (out, row) in out.iter().zip(&rows) {
            for field in ["id", "symbol", "direction", "entry_price", "exit_price", "pnl_r"] {
                prop_assert_eq!(&out[field], &row[field], "{}", field);
            }
        }
        // And a log that was exported makes the same store again.
        let (log, again) = (room.path().join("log.jsonl"), room.path().join("again"));
        fs::write(&log, memories::lines(out.clone())).unwrap();
        memories::remember(&again, &log, true).unwrap();
        prop_assert_eq!(exported(&again), out);
    }

    /// Anything at all, given as each kind of file.
    #[test]
    fn no_text_is_too_strange(text in any_text(), more in any_text()) {
        let room = tempfile::tempdir().unwrap();
        let at = |name: &str| {
            let path = room.path().join(name);
            fs::write(&path, format!("{text}\n{more}\n")).unwrap();
            path
        };
        let path = at("s.toml");
        refused_in_a_line(morta_lab::Scenario::read(&path));
        refused_in_a_line(morta_lab::Sweep::read(&path));
        refused_in_a_line(bars::read(&at("p.csv"), Days::default(), &Limits::default()).map_err(|error| Error::invalid(error.to_string())));
        refused_in_a_line(TableFile::read(&at("t.csv"), &["a"], &Limits::default()));
        refused_in_a_line(Cassette::read(&at("c.jsonl")));
        refused_in_a_line(ScoringState::read(&at("state.json"), &Limits::default()));
        let (store, log) = (room.path().join("store"), at("log.jsonl"));
        refused_in_a_line(memories::remember(&store, &log, false));
        fs::write(&path, super::folders::WORLD).unwrap();
        refused_in_a_line(scenario_file::load(&path, &Overrides { set: vec![text.clone()], ..Overrides::default() }, &Laboratory::default()));
        let _ = text.parse::<LimitSetting>();
    }
}
