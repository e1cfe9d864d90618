//! `morta bars`, and scenarios that name files as people have them (`tests/prices`).

use crate::common::{Program as _, manifest, morta, root, written};
use serde_json::Value;
use std::fs;

const SCENARIO: &str = r#"
name = "own"
seed = 1
ticks = 40
market.warmup_ticks = 5
market.assets = [{ symbol = "OWN", source = { kind = "replay", file = "FILE" } }]
cohorts = [{ name = "a", golems = 2, memory = "none" }]
"#;

fn prices(name: &str) -> String {
    root().join("tests/prices").join(name).display().to_string()
}

fn described(args: &[&str]) -> Value {
    morta().args(["bars", "--json"]).args(args).json()
}

/// The digest of a run of a scenario that names a file, and what was noted of it.
fn lived(file: &str) -> (Value, String) {
    let (room, scenario) = written("s.toml", SCENARIO.replace("FILE", file));
    let run = room.path().join("run");
    let (code, _, err) = morta().arg("run").arg(scenario).arg("--out").arg(&run).ended();
    assert_eq!(code, 0, "{file}: {err}");
    (manifest(&run)["digest"].clone(), err)
}

/// Files of four programs are read, cleaned, and lived in; from the clean file the same world comes, and nothing is assumed of it any more.
#[test]
fn files_of_programs_are_read_and_lived_in() {
    let room = tempfile::tempdir().unwrap();
    for (name, bars, first, remark) in [
        ("yfinance.csv", 60, "2023-01-02T00:00:00Z", "Date: no zone is named: read as UTC"),
        ("binance-klines.csv", 61, "2023-01-02T00:00:00Z", "column 1: milliseconds since 1970"),
        ("mt5.csv", 60, "2023-01-02T00:00:00Z", "<DATE>: no zone is named: read as UTC"),
        ("milliseconds.csv", 60, "2020-01-01T00:00:00Z", "time_utc: milliseconds since 1970"),
        ("pandas.parquet", 71, "2023-11-03T13:00:00Z", "the newest row is the first, and is read last"),
    ] {
        let clean = room.path().join(name).with_extension("clean.csv");
        let told = described(&[&prices(name), "--out", clean.to_str().unwrap()]);
        assert_eq!(
            (&told["bars"], &told["first"], &told["step_s"]),
            (&bars.into(), &first.into(), &3_600.into()),
            "{name}"
        );
        let remarks = told["remarks"].to_string();
        assert!(remarks.contains(remark), "{name}: {remarks}");
        let (own, noted) = lived(&prices(name));
        assert!(noted.contains(&format!("{name}: {remark}")), "{noted}");
        let (cleaned, noted) = lived(clean.to_str().unwrap());
        assert_eq!(own, cleaned, "{name}");
        assert!(!noted.contains("clean.csv"), "{noted}");
        assert_eq!(described(&[clean.to_str().unwrap()])["remarks"], serde_json::json!([]));
    }
}

#[test]
fn what_is_read_is_said() {
    morta().args(["bars", &prices("pandas.parquet")]).printed_with(&[
        "  columns  time = Datetime, open = Open, high = High, low = Low, close = Close, volume = Volume",
        "  bars     71, 2023-11-03T13:00:00Z to 2023-11-06T12:00:00Z",
        "  step     1 hour",
        "  gaps     1: 2 hours after 2023-11-05T04:00:00Z",
        "  note     1 row without prices left out",
    ]);
    let zoned = described(&[&prices("mt5.csv"), "--zone", "Europe/Athens"]);
    assert_eq!(zoned["first"], "2023-01-01T22:00:00Z");
    assert!(zoned["times"].as_str().unwrap().contains("Europe/Athens"), "{zoned}");
}

#[test]
fn mistakes_name_the_file_and_a_remedy_and_write_nothing() {
    let room = tempfile::tempdir().unwrap();
    let at = |name: &str| room.path().join(name).display().to_string();
    fs::write(at("two.csv"), "Date;Open;High;Low;Close\n01/02/2023;18.000;18.050;17.980;18.010\n").unwrap();
    fs::write(at("there.csv"), "kept").unwrap();
    let refused = |args: &[&str], expected: &str| morta().arg("bars").args(args).refused_with(&[expected]);
    refused(
        &[&prices("two-closes.csv")],
        "two-closes.csv:1: has two columns close: rename one, or leave it out",
    );
    refused(
        &[&at("two.csv")],
        "two.csv:2: \"18.000\" is 18 with a decimal point and 18000 with a decimal comma",
    );
    let comma = [&at("two.csv"), "--decimal", "comma", "--out", &at("clean.csv")];
    refused(&comma, "\"01/02/2023\" is 2023-02-01 or 2023-01-02");
    assert!(!room.path().join("clean.csv").exists());
    refused(&[&at("none.csv")], "none.csv: can't be read: No such file");
    refused(&[&prices("mt5.csv"), "--out", &at("there.csv")], "there is a file already");
    assert_eq!(fs::read_to_string(at("there.csv")).unwrap(), "kept");
    refused(&[&prices("mt5.csv"), "--zone", "Berlin"], "there is no zone of that name");
    let told =
        described(&[&at("two.csv"), "--decimal", "comma", "--dates", "mdy", "--out", &at("clean.csv")]);
    assert_eq!(told["first"], "2023-01-02T00:00:00Z");
    let clean = fs::read_to_string(at("clean.csv")).unwrap();
    assert_eq!(clean, "time_utc,open,high,low,close\n2023-01-02T00:00:00Z,18000,18050,17980,18010\n");
}
