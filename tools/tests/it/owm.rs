//! `morta-memory owm` on a user's own trades: the worked example of recall, stakes, and a store that repairs nothing and loses nothing.

use super::{Room, answer, close, count, each, has, names, refusal, says, with, write};
use serde_json::{Value, json};
use std::path::Path;

/// The JSON of a command that must succeed, and its remarks.
fn noted(room: &Path, args: &[&str]) -> (Value, String) {
    answer(room, &[&["owm"], args].concat())
}

fn owm(room: &Path, args: &[&str]) -> Value {
    noted(room, args).0
}

fn refused(room: &Path, args: &[&str]) -> String {
    refusal(room, &[&["owm"], args].concat())
}

fn context(more: Value) -> Value {
    let context = json!({
        "regime": "trending_up", "volatility_regime": "normal", "session": "london", "atr_d1": 100.0,
        "atr_h1": 25.0, "spread_as_atr_pct": 0.2, "drawdown_pct": 0.05, "price": 4000.0
    });
    with(context, more)
}

fn question() -> Value {
    let memory = |id: &str, kind: &str, timestamp: &str, confidence: f64, pnl_r: Option<f64>, more: Value| {
        json!({
            "id": id, "memory_type": kind, "timestamp": timestamp, "confidence": confidence, "pnl_r": pnl_r,
            "context": context(more)
        })
    };
    json!({
        "now": "2026-03-01T00:00:00Z", "query_context": context(json!({})),
        "affective_state": { "drawdown_state": 0.0, "consecutive_losses": 0 }, "limit": 10,
        "memories": [
            memory("A", "episodic", "2026-02-19T00:00:00Z", 0.8, Some(2.0), json!({})),
            memory("B", "episodic", "2026-02-26T00:00:00Z", 0.6, Some(-1.8), json!({ "regime": "ranging" })),
            memory("C", "semantic", "2025-12-31T00:00:00Z", 0.7, None, json!({ "session": "asia", "price": 3600.0 })),
            memory("D", "episodic", "2026-01-15T00:00:00Z", 0.5, Some(-0.4), json!({ "atr_d1": 140.0 })),
        ]
    })
}

#[test]
fn recall_matches_the_worked_example() {
    let room = &Room::new();
    let mut question = question();
    write(room, "recall.json", &question);
    let found = owm(room, &["recall", "recall.json"]);
    let ranked = found["ranked"].as_array().unwrap();
    assert_eq!(each(&found["ranked"], "/id"), json!(["A", "C", "D", "B"]));
    for (memory, expected) in ranked.iter().zip([0.722807270, 0.483416909, 0.168302557, 0.052501458]) {
        close(&memory["score"], expected);
    }
    close(&ranked[1]["components"]["Sim"], 0.885699689);
    close(&ranked[1]["components"]["Rec"], 0.917314755);
    assert_eq!(ranked[1]["memory_type"], "semantic");
    question["affective_state"] = json!({ "drawdown_state": 0.2, "consecutive_losses": 3 });
    question["limit"] = json!(1);
    write(room, "streak.json", question);
    let found = owm(room, &["recall", "streak.json"]);
    assert_eq!(count(&found["ranked"]), 1);
    close(&found["ranked"][0]["score"], 0.787859924);
}

#[test]
fn recall_refuses_invalid_input_with_its_place() {
    let room = &Room::new();
    let good = serde_json::to_string_pretty(&question()).unwrap();
    let line_of = |needle: &str| 1 + good.lines().position(|line| line.contains(needle)).unwrap();
    let cases: [(&str, &str, &str, Option<usize>); 6] = [
        ("0.6", "NaN", "expected", Some(line_of("0.6"))),
        ("\"ranging\"", "\"sideways\"", "context.regime: unknown variant `sideways`", None),
        ("\"limit\"", "\"limits\"", "unknown field `limits`", Some(line_of("\"limit\""))),
        ("\"B\"", "\"A\"", "id = \"A\": is there twice", None),
        ("\"2026-03-01T00:00:00Z\"", "\"soon\"", "now = \"soon\": must be a moment", None),
        ("140.0", "\"wide\"", "context.atr_d1 = \"wide\": must be a number", None),
    ];
    for (from, to, expected, line) in cases {
        write(room, "bad.json", good.replacen(from, to, 1));
        let place = line.map_or("bad.json".to_owned(), |line| format!("bad.json:{line}:"));
        says(&refused(room, &["recall", "bad.json"]), &[expected, &place]);
    }
    write(room, "old.json", good.replace("2026-01-15T00:00:00Z", "long ago"));
    let (found, error) = noted(room, &["recall", "old.json"]);
    says(&error, &["1 timestamps can't be read"]);
    let d = found["ranked"].as_array().unwrap().iter().find(|memory| memory["id"] == "D").unwrap();
    assert_eq!(d["components"]["Rec"], 0.5);
    says(&refused(room, &["recall", "nowhere.json"]), &["nowhere.json: can't be read"]);
}

#[test]
fn stakes_match_the_digest() {
    let room = &Room::new();
    let memories: Vec<Value> =
        (0..10).map(|n| json!({ "score": 1.0, "pnl_r": if n < 7 { 2.0 } else { -1.0 } })).collect();
    let ask = |more: Value| {
        write(room, "kelly.json", with(json!({ "memories": memories }), more));
        ["kelly", "kelly.json"]
    };
    for (more, expected) in [
        (json!({ "fractional": 0.25, "risk_appetite": 1.0 }), 0.1375),
        (json!({ "fractional": 0.25, "risk_appetite": 0.4375 }), 0.06015625),
        (json!({ "fractional": 1.0 }), 0.55),
        (json!({ "cap": 0.1 }), 0.1),
        (json!({ "least_memories": 11 }), 0.0),
        (json!({ "equity": 10000.0, "stop": 5.0, "tick_value": 10.0 }), 0.1375),
    ] {
        close(&owm(room, &ask(more))["kelly"], expected);
    }
    says(&refused(room, &ask(json!({ "equity": 1.0 }))), &["give all three"]);
    says(&refused(room, &ask(json!({ "risk_appetite": 3.0 }))), &["risk_appetite = 3: must be"]);
    write(room, "bad.json", "{\"memories\": [\n{\"score\": -1.0, \"pnl_r\": null}]}");
    says(&refused(room, &["kelly", "bad.json"]), &["bad.json:2: score = -1: must be"]);
}

fn trade(hour: u32, pnl_r: f64, more: Value) -> String {
    let trade = json!({
        "id": format!("t{hour}"), "timestamp": format!("2026-01-01T{hour:02}:00:00Z"), "symbol": "XAUUSD",
        "strategy_name": "breakout", "direction": "long", "entry_price": 2600.0, "exit_price": 2610.0,
        "pnl": 100.0 * pnl_r, "pnl_r": pnl_r, "lot_size": 0.1, "hold_duration_seconds": 3600.0,
        "context_regime": "trending_up", "context_session": "london", "context_atr_d1": 30.0,
        "market_context": "gold breaks out", "confidence": 0.6
    });
    with(trade, more).to_string()
}

/// Seven gains of 1 R and three losses of 1 R, then a plan.
fn log() -> Vec<String> {
    let mut lines: Vec<String> =
        (0..10).map(|hour| trade(hour, if hour < 7 { 1.0 } else { -1.0 }, json!({}))).collect();
    lines.push(
        json!({
            "action": "create_trading_plan", "timestamp": "2026-01-02T00:00:00Z",
            "trigger_condition": { "drawdown_pct": { "gt": 0.02 }, "type": "signal" },
            "planned_action": { "type": "adjust_param", "parameter": "lot_size", "magnitude": 0.5 },
            "reasoning": "three losses in a row", "priority": 0.8, "source_episodic_ids": ["t7", "t8", "t9"]
        })
        .to_string(),
    );
    lines
}

#[test]
fn a_store_learns_from_trades_and_answers() {
    let room = &Room::new();
    write(room, "log.jsonl", log().join("\n"));
    let account = owm(room, &["remember", "store", "log.jsonl", "--equity", "10000"]);
    has(&account, json!({ "trades": 10, "beliefs_formed": 1, "plans": 1, "skipped": 0 }));

    let state = owm(room, &["state", "store"]);
    close(&state["peak_equity"], 10_700.0);
    close(&state["current_equity"], 10_400.0);
    close(&state["current_drawdown_pct"], 300.0 / 10_700.0);
    assert_eq!(state["consecutive_losses"], 3);

    let analysis = owm(room, &["analysis", "store", "--strategy", "breakout"]);
    close(&analysis["habits"][0]["actual_win_rate"], 0.7);
    close(&analysis["habits"][0]["actual_avg_pnl_r"], 0.4);
    close(&analysis["beliefs"][0]["alpha"], 8.0);
    close(&analysis["beliefs"][0]["beta"], 4.0);
    assert_eq!(analysis["beliefs"][0]["last_confirmed"], Value::Null);
    let (unknown, remark) = noted(room, &["analysis", "store", "--symbol", "EURUSD"]);
    says(&remark, &["the store knows XAUUSD"]);
    assert_eq!(unknown["habits"], json!([]));

    let now = json!({ "drawdown_pct": 0.028, "type": "signal" });
    write(room, "now.json", now);
    let plans = |more: &[&str]| owm(room, &[&["plans", "store"], more].concat())["plans"].clone();
    let applicable = plans(&["--context", "now.json"]);
    has(
        &applicable[0],
        json!({ "/planned_action/magnitude": 0.5, "source_episodic_ids": ["t7", "t8", "t9"] }),
    );
    assert_eq!(plans(&["--context", "now.json", "--now", "2026-02-02T00:00:00Z"]), json!([]));
    assert_eq!(plans(&["--now", "2026-02-02T00:00:00Z"])[0]["status"], "expired");

    let question = json!({
        "query_context": { "regime": "trending_up", "session": "london", "atr_d1": 30.0 },
        "strategy_name": "breakout", "symbol": "XAUUSD", "limit": 3
    });
    write(room, "asked.json", question);
    let best = || owm(room, &["recall", "--store", "store", "asked.json"])["ranked"][0].clone();
    // The winning streak favours gains in recall, and the newest gain is the most recent.
    has(
        &best(),
        json!({ "id": "t6", "/data/context/market_context": "gold breaks out", "/data/retrieval_count": 0 }),
    );
    // Gains and losses are of 1 R, so the full fraction is p − q; gains have at least 0.7 of the scores. A quarter of it is staked, at an appetite of
    // 1 − (300/10,700/0.2)² = 0.98.
    let stake = json!({
        "strategy_name": "breakout", "symbol": "XAUUSD", "equity": 10000.0, "stop": 10.0, "tick_value": 100.0,
        "query_context": { "regime": "trending_up", "session": "london", "atr_d1": 30.0 }
    });
    write(room, "stake.json", stake);
    let stake = owm(room, &["kelly", "--store", "store", "stake.json"]);
    let kelly = stake["kelly"].as_f64().unwrap();
    assert!((0.1 * 0.98..0.25).contains(&kelly), "{stake}");
    close(&stake["lots"], 10.0 * kelly);
    assert_eq!(best()["data"]["retrieval_count"], 1);
}

#[test]
fn damaged_lines_are_reported_counted_and_skipped() {
    let room = &Room::new();
    let lines = [
        (trade(1, 1.0, json!({})), None),
        ("{\"id\": \"x\", ".to_owned(), Some("2: column")),
        (trade(2, 1.0, json!({ "symbol": null })), Some("3: invalid type: null")),
        (
            "{\"timestamp\": \"2026-01-01T03:00:00Z\", \"symbol\": \"XAUUSD\"}".to_owned(),
            Some("4: missing field"),
        ),
        (trade(4, 1.0, json!({ "action": "hope" })), Some("5: action = \"hope\": must be")),
        (
            trade(0, 1.0, json!({ "timestamp": 1_767_225_600_000_i64 })),
            Some(
                "6: timestamp = 1767225600000: is before 1900 or after 2200 in seconds since 1970: give seconds (these look like milliseconds)",
            ),
        ),
        (trade(5, 1.0, json!({ "id": "t1" })), Some("7: id = t1: was taken in before")),
        (trade(6, 1.0, json!({})).replace("2600.0", "NaN"), Some("8: column")),
        (trade(7, 1.0, json!({ "confidence": 7.0 })), Some("9: confidence = 7: must be")),
        (trade(8, 1.0, json!({ "profit": 3.0 })), Some("10: unknown field `profit`")),
        (trade(9, 1.0, json!({ "timestamp": "yesterday" })), Some("11: timestamp = \"yesterday\": must be")),
        (trade(10, -1.0, json!({})), None),
    ];
    let text: Vec<&str> = lines.iter().map(|(line, _)| line.as_str()).collect();
    write(room, "log.jsonl", text.join("\n"));
    says(&refused(room, &["remember", "store", "log.jsonl", "--strict"]), &["log.jsonl:2:"]);
    assert!(!room.join("store").exists());
    let (account, error) = noted(room, &["remember", "store", "log.jsonl"]);
    has(&account, json!({ "trades": 2, "skipped": 10 }));
    for expected in lines.iter().filter_map(|(_, expected)| *expected) {
        assert!(error.contains(&format!("log.jsonl:{expected}")), "{expected}: {error}");
    }
    write(room, "table.csv", "symbol,pnl_r\nXAUUSD,1\n");
    says(
        &refused(room, &["remember", "no_store", "table.csv"]),
        &["table.csv: no line is a JSON object", "owm import"],
    );
    let again = owm(room, &["remember", "store", "log.jsonl"]);
    has(&again, json!({ "trades": 0, "known": 2, "skipped": 10 }));
    assert_eq!(names(&room.join("store")), ["owm.json"], "no temporary file stays");
    write(room, "store/owm.json", "{ torn");
    says(&refused(room, &["state", "store"]), &["owm.json:1: isn't a store of this program"]);
    says(&refused(room, &["export", "nowhere"]), &["remember makes a store"]);
}

/// `trades` trades, one a minute.
fn many(trades: u32) -> String {
    let minute = |minute: u32| {
        let stamp =
            format!("2026-01-{:02}T{:02}:{:02}:00Z", 1 + minute / 1440, minute / 60 % 24, minute % 60);
        trade(0, 1.0, json!({ "id": format!("m{minute}"), "timestamp": stamp }))
    };
    (0..trades).map(minute).collect::<Vec<_>>().join("\n")
}

#[test]
fn nothing_is_forgotten_without_a_capacity_and_forgetting_is_reported() {
    let room = &Room::new();
    write(room, "log.jsonl", many(2_500));
    has(&owm(room, &["remember", "whole", "log.jsonl"]), json!({ "trades": 2_500, "forgotten": 0 }));
    write(room, "keys.toml", "capacity = 40\n");
    let (account, remark) = noted(room, &["remember", "short", "log.jsonl", "--config", "keys.toml"]);
    assert_eq!(account["forgotten"], 2_460);
    says(&remark, &["2460 trades were forgotten: the store keeps the last 40"]);
}

#[test]
fn a_store_keeps_its_settings() {
    let room = &Room::new();
    let most = || owm(room, &["state", "store"])["max_acceptable_drawdown"].clone();
    write(room, "keys.toml", "induce_after = 5\n[affect]\nmax_drawdown = 0.3\n");
    write(room, "log.jsonl", log().join("\n"));
    owm(room, &["remember", "store", "log.jsonl", "--config", "keys.toml"]);
    close(&most(), 0.3);
    // Five gains induced Beta(6, 1); two more gains and three losses updated it.
    has(
        &owm(room, &["analysis", "store"])["beliefs"][0],
        json!({ "alpha": 8.0, "beta": 4.0, "last_confirmed": "t6", "last_contradicted": "t9" }),
    );
    write(room, "others.toml", "[affect]\nmax_drawdown = 0.4\n");
    write(room, "none.jsonl", "");
    owm(room, &["remember", "store", "none.jsonl", "--config", "others.toml"]);
    close(&most(), 0.4);
    write(room, "bad.toml", "induce_after = 5\n[affect]\nmax_drawdown = 7\n");
    says(
        &refused(room, &["remember", "new", "log.jsonl", "--config", "bad.toml"]),
        &["affect.max_drawdown = 7: must be a number from 0.001 to 1"],
    );
}

/// Two profits of 1e308 overflow in their sum. JSON has no infinity, so the store could not be read again.
#[test]
fn a_number_that_would_overflow_is_refused() {
    let room = &Room::new();
    let trade = |day: u32, (pointer, value): (&str, f64)| {
        let mut line = json!({
            "timestamp": format!("2026-01-0{day}T00:00:00Z"), "symbol": "X", "strategy": "s", "direction": "long", "entry_price": 1.0,
            "exit_price": 2.0, "pnl": 5.0, "pnl_r": 1.0, "context": { "atr_d1": 2.0 }
        });
        *line.pointer_mut(pointer).unwrap() = value.into();
        line.to_string()
    };
    write(room, "sound.jsonl", trade(1, ("/pnl", 1e30)));
    owm(room, &["remember", "store", "sound.jsonl"]);
    for (change, expected) in [
        (("/pnl", 1e308), "pnl = 1e+308: must be 0, or from 1e-30 to 1e30 in size"),
        (("/pnl", -1e308), "pnl = -1e+308: must be"),
        (("/entry_price", 1e-300), "entry_price = 1e-300: must be"),
        (("/context/atr_d1", 1e200), "context.atr_d1 = 1e+200: must be"),
    ] {
        write(room, "far.jsonl", trade(2, change));
        says(&noted(room, &["remember", "store", "far.jsonl"]).1, &["far.jsonl:1: ", expected, "left out"]);
    }
    assert!(owm(room, &["state", "store"]).is_object(), "the store is read as before");
}
