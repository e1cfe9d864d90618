//! `morta memory owm import` and `export`: another program's records in, one's own out.

use super::{answer, memory, refusal, said, write};
use serde_json::{Value, json};
use std::path::Path;

const TRADES: &str = "id,timestamp,exit_timestamp,symbol,strategy,direction,entry_price,exit_price,stop_loss,pnl,pnl_r,lessons,exit_reasoning,market_context,tags
B,2026-02-02 10:00:00,2026-02-02T12:00:00Z,XAUUSD,breakout,sell,2600,2580,2610,200,,,target hit,\"{\"\"regime\"\": \"\"ranging\"\", \"\"atr_d1\"\": \"\"30.5\"\"}\",\"a, b\"
A,2026.02.01 09:00,2026-02-01T10:00:00Z,XAUUSD,breakout,buy,2600,2590,2590,-100,-1.5,too early,stop hit,a bullish breakout in London,
C,2026-02-03T01:00:00Z,,XAUUSD,breakout,long,2600,,,,,,,both bullish and choppy,
D,soon,,XAUUSD,breakout,long,2600,,,,,,,,
E,2026-02-03T01:00:00Z,,XAUUSD,breakout,sideways,2600,,,,,,,,
F,2026-02-03T01:00:00Z,,XAUUSD
";

fn export(room: &Path, store: &str) -> Vec<Value> {
    let output = memory(room, &["owm", "export", store]).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn trades_and_patterns_are_taken_over_by_the_migration() {
    let room = tempfile::tempdir().unwrap();
    let room = room.path();
    write(room, "trades.csv", TRADES);
    let patterns = [
        json!({ "pattern_id": "p", "description": "breakouts pay", "confidence": 0.7, "sample_size": 20, "strategy": "breakout",
            "symbol": null, "source": "reflection", "discovered_at": "2026-01-01T00:00:00Z" }),
        json!({ "description": "all pays", "confidence": 0.7, "sample_size": 20, "discovered_at": 1_767_225_600_000_i64 }),
    ];
    write(room, "patterns.jsonl", &super::lines(&patterns));
    let flags =
        ["owm", "import", "store", "trades.csv", "--patterns", "patterns.jsonl", "--zone", "Europe/Berlin"];
    let (account, noted) = answer(room, &flags);
    let counted = ["lines", "trades", "beliefs_seeded", "skipped", "r_from_stop", "regimes_inferred"]
        .map(|key| account[key].clone());
    assert_eq!(counted, [json!(8), json!(3), json!(1), json!(4), json!(1), json!(1)], "{noted}");
    for expected in [
        "trades.csv:5: timestamp = \"soon\": must be a moment",
        "trades.csv:6: direction = \"sideways\": must be long",
        "trades.csv:7: 4 cells, but the header has 15",
        "patterns.jsonl:2: a pattern must say what it is of",
    ] {
        assert!(noted.contains(expected), "{expected}: {noted}");
    }
    let told = export(room, "store");
    let ids: Vec<&str> = told.iter().map(|trade| trade["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["A", "B", "C"], "in the order of time");
    let (a, b, c) = (&told[0], &told[1], &told[2]);
    // Nine in the morning in Berlin is eight in UTC: two hours before it was closed.
    assert_eq!(
        (&a["hold_duration_seconds"], &a["pnl_r"], &a["reflection"]),
        (&json!(7200.0), &json!(-1.5), &json!("too early"))
    );
    assert_eq!(
        (&a["context"]["regime"], &a["context"]["session"]),
        (&json!("trending_up"), &json!("london"))
    );
    assert_eq!(
        (&b["direction"], &b["pnl_r"], &b["reflection"]),
        (&json!("short"), &json!(2.0), &json!("target hit"))
    );
    assert_eq!(
        (&b["context"]["atr_d1"], &b["tags"], &b["timestamp"]),
        (&json!(30.5), &json!(["a", "b"]), &json!("2026-02-02T12:00:00Z"))
    );
    assert_eq!((c.get("pnl_r"), c["context"].get("regime"), &c["confidence"]), (None, None, &json!(0.5)));
    let (analysis, _) = answer(room, &["owm", "analysis", "store"]);
    let belief = &analysis["beliefs"][0];
    // Beta(15, 7), a loss of 1.5 R and a gain of 2 R; the open trade says nothing.
    assert_eq!((&belief["alpha"], &belief["beta"]), (&json!(17.0), &json!(8.5)));
    let (state, _) = answer(room, &["owm", "state", "store"]);
    assert_eq!((&state["open_trades"], &state["current_equity"]), (&json!(1), &json!(10_100.0)));
    // Again, nothing comes twice; from before what is known, nothing at all.
    assert_eq!(answer(room, &flags[..4]).0["trades"], 0);
    assert!(
        refusal(room, &["owm", "import", "x", "trades.csv", "--zone", "Mars"])
            .contains("--zone \"Mars\": is no zone")
    );
}

#[test]
fn what_is_exported_is_remembered_the_same() {
    let room = tempfile::tempdir().unwrap();
    let room = room.path();
    let trade = |n: u32| {
        json!({
            "id": format!("t{n}"), "timestamp": format!("2026-01-{:02}T10:00:00.5Z", 1 + n), "symbol": "XAUUSD", "strategy_name": "fade",
            "direction": "short", "entry_price": 2600.1, "exit_price": 2590.0, "pnl": 10.1, "pnl_r": 0.3, "lot_size": 0.1,
            "hold_duration_seconds": 60.0, "max_adverse_excursion": -0.2, "confidence": if n == 2 { Value::Null } else { json!(0.7) },
            "reflection": "so it goes", "tags": ["x"], "entry_timing": -0.5, "context": { "regime": "ranging", "news": "calm" }
        })
    };
    write(room, "log.jsonl", &super::lines(&(0..12).map(trade).collect::<Vec<_>>()));
    answer(room, &["owm", "remember", "one", "log.jsonl", "--strict"]);
    let told = export(room, "one");
    assert_eq!(told.len(), 12);
    write(room, "export.jsonl", &super::lines(&told));
    answer(room, &["owm", "remember", "two", "export.jsonl", "--strict"]);
    assert_eq!(export(room, "two"), told);
    for what in ["analysis", "state"] {
        assert_eq!(answer(room, &["owm", what, "two"]).0, answer(room, &["owm", what, "one"]).0, "{what}");
    }
}
