//! `morta-memory owm validate` on a small plan: complete output, deterministic, with errors named by line.

use super::{Room, answer, count, each, has, printed, ran, read, refuses, root, says, write};
use serde_json::{Value, json};
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

fn plan(room: &Path, (from, to): (&str, &str)) {
    let data = root().join("sim-data/xauusd_hour.csv.gz");
    let text = PLAN.replace("DATA", data.to_str().unwrap());
    assert!(text.contains(from));
    write(room, "plan.toml", text.replacen(from, to, 1));
}

fn validate<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&["owm", "validate"], args].concat()
}

#[test]
fn a_small_plan_is_carried_out_and_printed() {
    let room = &Room::new();
    plan(room, ("name", "name"));
    let text = printed(room, &validate(&["plan.toml", "--out", "out"]));
    says(
        &text,
        &["Sharpe, annual", "recall precision@5", "over-trading, ratio", "H4 OWM gains most", "By variant"],
    );
    let written = read(room, "out/validation.json");
    assert_eq!(written, printed(room, &validate(&["plan.toml", "--json"])), "the same plan says the same");
    let answer: Value = serde_json::from_str(&written).unwrap();
    let outcome = &answer["outcome"];
    assert_eq!(outcome["trades"]["variants"], 3);
    assert!(outcome["trades"]["training"].as_u64().unwrap() > 100, "{}", outcome["trades"]);
    assert_eq!(count(&outcome["hypotheses"]), 4);
    assert_eq!(count(&outcome["pairs"]), 3);
    let days = count(&outcome["days"]);
    assert_eq!(each(&outcome["arms"], "/arm"), json!(["fixed", "simple_kelly", "recency_kelly", "owm"]));
    for arm in outcome["arms"].as_array().unwrap() {
        let equity = arm["equity"].as_array().unwrap();
        assert_eq!((equity.len(), equity[0].as_f64()), (days + 1, Some(30_000.0)));
        let net = equity[days].as_f64().unwrap() - 30_000.0;
        let by_variant: f64 = arm["by_variant"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).sum();
        let profit = arm["measures"]["net_pnl"].as_f64().unwrap();
        assert!(
            (profit - net).abs() < 1e-6 && (profit - by_variant).abs() < 1e-6,
            "{profit} {net} {by_variant}"
        );
    }
    let plot = read(room, "out/equity.svg");
    assert!(plot.starts_with("<?xml") && plot.contains("recency_kelly"));
}

#[test]
fn errors_of_a_plan_have_their_line() {
    let room = &Room::new();
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
            ":1: arms = [\"owm\", \"owm\"]: must be a list of 3 to 6 entries, each one of",
        ),
        (("name = \"small\"\n", ""), "name: is missing"),
        (
            ("[[variants]]", "[owm.kelly]\nfractional = 3\n[[variants]]"),
            ":12: owm.kelly.fractional = 3: must be a number",
        ),
        (("2018-01-01", "2018-02-28"), "no trade was decided and closed between the split and the end"),
    ] {
        plan(room, change);
        refuses(room, &validate(&["plan.toml"]), &[expected]);
    }
}

/// Trades whose regime determines the outcome: with probability 0.7 a gain of 1.5 R in one, with 0.3 in the other.
fn own_trades(room: &Path, strategies: &[&str]) {
    let mut csv = String::from(
        "id,timestamp,exit_timestamp,symbol,strategy,direction,entry_price,exit_price,stop_loss,pnl,lot_size,context_regime\n",
    );
    for number in 0..900_u32 {
        let (day, hour) = (number / 3, 7 + 3 * (number % 3));
        let date = |day: u32| format!("{}-{:02}-{:02}", 2023 + day / 336, 1 + day % 336 / 28, 1 + day % 28);
        let ranging = (number / 30).is_multiple_of(2);
        let luck = (number * 7 + number / 10) % 10;
        let won = luck < if ranging { 7 } else { 3 };
        let (exit, pnl) = if won { (2015.0, 150.0) } else { (1990.0, -100.0) };
        csv += &format!(
            "t{number},{date} {hour:02}:00,{date} {:02}:00,XAUUSD,{},long,2000,{exit},1990,{pnl},0.1,{}\n",
            hour + 2,
            strategies[number as usize % strategies.len()],
            if ranging { "ranging" } else { "volatile" },
            date = date(day),
        );
    }
    write(room, "trades.csv", &csv);
}

/// From a broker's rows to the five arms, with a file that `import` accepts too.
#[test]
fn own_trades_are_validated() {
    let room = &Room::new();
    own_trades(room, &["breakout", "fade"]);
    let text = printed(room, &validate(&["--trades", "trades.csv"]));
    says(&text, &["900 trades of one's own", "layers"]);
    let (own, _) = answer(room, &validate(&["--trades", "trades.csv", "--json", "--split", "2023-08-01"]));
    has(&own["data"]["trades"], json!({ "ended": 900, "r_from_stop": 900 }));
    let (trades, arms) = (&own["outcome"]["trades"], &own["outcome"]["arms"]);
    has(trades, json!({ "variants": 2, "left_out": 0 }));
    assert_eq!(trades["training"].as_u64().unwrap() + trades["validation"].as_u64().unwrap(), 900);
    let names = json!(["fixed", "simple_kelly", "recency_kelly", "owm", "owm_likeness", "layers"]);
    assert_eq!(each(arms, "/arm"), names);
    // A tenth of a lot risks $100, so the profit is 100 · R.
    let net = arms[0]["measures"]["net_pnl"].as_f64().unwrap();
    let expected = 100.0 * trades["mean_r"][1].as_f64().unwrap() * trades["validation"].as_f64().unwrap();
    assert!((net - expected).abs() < 1e-6, "{net} {expected}");
    // The context determines outcomes here: memory of similar trades separates good from bad ones, a pattern over all trades doesn't.
    let accuracy = |arm: usize| arms[arm]["measures"]["kelly_accuracy"].as_f64();
    assert!(accuracy(4).unwrap() > 0.1 && accuracy(5).is_none(), "{:?} {:?}", accuracy(4), accuracy(5));
    // The same trades by a plan that names them.
    let text = "name = \"mine\"\narms = [\"fixed\", \"simple_kelly\", \"recency_kelly\", \"owm\", \"layers\"]\n[data]\ntrades = \"trades.csv\"\n\
        [split]\ntrain = \"2023-01-01\"\nvalidation = \"2023-08-01\"\nend = \"2023-12-01\"\n";
    write(room, "plan.toml", text);
    let (planned, _) = answer(room, &validate(&["plan.toml", "--json"]));
    assert_eq!(planned["outcome"]["trades"], own["outcome"]["trades"]);
    assert_eq!(planned["outcome"]["arms"][3]["by_variant"], own["outcome"]["arms"][3]["by_variant"]);
}

#[test]
fn unusable_own_trades_are_reported() {
    let room = &Room::new();
    own_trades(room, &["breakout"]);
    let whole = read(room, "trades.csv");
    let refused = |args: &[&str], what: &str| refuses(room, &validate(args), &[what]);
    for (flag, value, what) in [
        ("--split", "2031-01-01", "--split 2031-01-01: must be after 2023-01-01"),
        ("--split", "soon", "--split soon: must be a day like"),
        ("--equity", "0", "account.start_equity = 0"),
        ("--zone", "Mars/Olympus", "Mars/Olympus"),
    ] {
        refused(&["--trades", "trades.csv", flag, value], what);
    }
    refused(&[], "--trades");
    write(room, "trades.csv", whole.replace("long", "sideways"));
    refused(&["--trades", "trades.csv"], "holds no trade that has ended");
    write(room, "trades.csv", whole.replacen(",2015,", ",,", 1));
    let (text, noted) = ran(room, &validate(&["--trades", "trades.csv"]));
    says(&noted, &["pnl_r"]);
    says(&text, &["1 rows left out"]);
    let both = format!("variants = []\n{}", PLAN.replace("file = \"DATA\"", "trades = \"trades.csv\""));
    for (text, what) in [
        (both.replace("variants = []\n", ""), "variants = 3 variants: leave them out"),
        (PLAN.replace("file = \"DATA\"", "file = \"a\"\ntrades = \"b\""), "not both"),
        (PLAN.replace("file = \"DATA\"", ""), "name bars (file) or trades"),
    ] {
        write(room, "plan.toml", &text);
        refused(&["plan.toml"], what);
    }
}
