//! `morta memory owm validate` on a small plan: everything is told and written, twice the same, and what is wrong is named.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

mod common;

use common::morta;
use serde_json::Value;
use std::fs;
use std::path::Path;

const PLAN: &str = r#"name = "small"
[data]
file = "DATA"
start = "2017-06-01"
[split]
train = "2017-09-01"
validation = "2018-01-01"
end = "2018-03-01"
[account]
owner = "each_variant"
[[variants]]
strategy = "momentum"
strength = [0.1, 0.4]
stop = [0.5]
hold = [1.0]
[[variants]]
strategy = "breakout"
strength = [0.1]
stop = [1.0]
hold = [0.5]
[test]
resamples = 200
block_days = 5
"#;

fn plan(room: &Path, change: (&str, &str)) -> String {
    let data = common::root().join("sim-data/xauusd_hour.csv.gz");
    let text = PLAN.replace("DATA", data.to_str().unwrap());
    assert!(text.contains(change.0));
    let path = room.join("plan.toml");
    fs::write(&path, text.replacen(change.0, change.1, 1)).unwrap();
    path.to_str().unwrap().to_owned()
}

fn said(args: &[&str]) -> (String, String, i32) {
    let output = morta().args(["memory", "owm", "validate"]).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

#[test]
fn a_small_plan_is_carried_out_and_told() {
    let room = tempfile::tempdir().unwrap();
    let plan = plan(room.path(), ("name", "name"));
    let out = room.path().join("out");
    let (text, error, code) = said(&[&plan, "--out", out.to_str().unwrap()]);
    assert_eq!(code, 0, "{error}");
    for line in
        ["Sharpe, annual", "recall precision@5", "over-trading, ratio", "H4 OWM gains most", "By variant"]
    {
        assert!(text.contains(line), "{line} is missing:\n{text}");
    }
    let written = fs::read_to_string(out.join("validation.json")).unwrap();
    let (again, _, _) = said(&[&plan, "--json"]);
    assert_eq!(written, again, "the same plan says the same");
    let answer: Value = serde_json::from_str(&written).unwrap();
    let outcome = &answer["outcome"];
    assert_eq!(outcome["trades"]["variants"], 3);
    assert!(outcome["trades"]["training"].as_u64().unwrap() > 100, "{}", outcome["trades"]);
    assert_eq!(outcome["hypotheses"].as_array().unwrap().len(), 4);
    assert_eq!(outcome["pairs"].as_array().unwrap().len(), 3);
    let days = outcome["days"].as_array().unwrap().len();
    let names: Vec<&str> =
        outcome["arms"].as_array().unwrap().iter().map(|arm| arm["arm"].as_str().unwrap()).collect();
    assert_eq!(names, ["fixed", "simple_kelly", "recency_kelly", "owm"]);
    for arm in outcome["arms"].as_array().unwrap() {
        let equity = arm["equity"].as_array().unwrap();
        assert_eq!((equity.len(), equity[0].as_f64()), (days + 1, Some(30_000.0)));
        let net = equity[days].as_f64().unwrap() - 30_000.0;
        let by_variant: f64 = arm["by_variant"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).sum();
        let told = arm["measures"]["net_pnl"].as_f64().unwrap();
        assert!((told - net).abs() < 1e-6 && (told - by_variant).abs() < 1e-6, "{told} {net} {by_variant}");
    }
    let plot = fs::read_to_string(out.join("equity.svg")).unwrap();
    assert!(plot.starts_with("<?xml") && plot.contains("recency_kelly"));
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let room = tempfile::tempdir().unwrap();
    for (change, expected) in [
        (
            ("stop = [0.5]", "stop = [0.5, 99]"),
            ":14: variants.0.stop.1 = 99: must be a number from 0.05 to 20 (factor)",
        ),
        (
            ("\"momentum\"", "\"oracle_arbitrage\""),
            ":12: variants.0.strategy = oracle_arbitrage: needs a pool",
        ),
        (("\"momentum\"", "\"martingale\""), ":12: variants.0.strategy = \"martingale\": must be one of"),
        (("block_days", "block_dais"), ":23: test.block_dais"),
        (
            ("2018-01-01", "2018-02-30"),
            ":7: split.validation = \"2018-02-30\": must be a day like 2018-01-31",
        ),
        (
            ("2018-01-01", "2017-08-01"),
            ":7: split.validation = \"2017-08-01\": must be a later day than split.train",
        ),
        (
            ("2018-03-01", "2017-12-01"),
            ":8: split.end = \"2017-12-01\": must be a later day than split.validation",
        ),
        (
            ("\"2017-06-01\"", "\"2017-10-01\""),
            ":6: split.train = \"2017-09-01\": must not be an earlier day",
        ),
        (("xauusd_hour", "silver_hour"), ":3: data.file ="),
        (
            ("name = \"small\"", "arms = [\"owm\", \"owm\"]\nname = \"small\""),
            ":1: arms = [\"owm\", \"owm\"]: must be a list of 3 to 5 entries, each one of",
        ),
        (("name = \"small\"\n", ""), "name: is missing"),
        (
            ("[[variants]]", "[owm.kelly]\nfractional = 3\n[[variants]]"),
            ":12: owm.kelly.fractional = 3: must be a number",
        ),
        (("2018-01-01", "2018-02-28"), "no trade was decided and closed between the split and the end"),
    ] {
        let (_, error, code) = said(&[&plan(room.path(), change)]);
        assert!(code == 2 && error.contains(expected), "{change:?}: {code}\n{error}");
    }
}
