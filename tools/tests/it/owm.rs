//! `morta-memory owm` on a user's own trades: the worked example of recall, stakes, and a store that repairs nothing and loses nothing.

use super::{memory, root, says};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Standard output, standard error and exit code of the program.
fn said(args: &[&str]) -> (String, String, i32) {
    let output = memory(root(), &["owm"]).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

fn answer(args: &[&str]) -> Value {
    let (out, error, code) = said(args);
    assert_eq!(code, 0, "{args:?}: {error}");
    serde_json::from_str(&out).unwrap()
}

fn refusal(args: &[&str]) -> String {
    let (_, error, code) = said(args);
    assert_eq!(code, 2, "{args:?}: {error}");
    error
}

fn close(value: &Value, expected: f64) {
    let found = value.as_f64().unwrap();
    assert!((found - expected).abs() < 2e-9, "found {found}, expected {expected}");
}

fn context(more: Value) -> Value {
    let mut context = json!({
        "regime": "trending_up", "volatility_regime": "normal", "session": "london", "atr_d1": 100.0,
        "atr_h1": 25.0, "spread_as_atr_pct": 0.2, "drawdown_pct": 0.05, "price": 4000.0
    });
    for (key, value) in more.as_object().unwrap() {
        context[key] = value.clone();
    }
    context
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

fn write(room: &Path, name: &str, content: &str) -> String {
    let path = room.join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn recall_matches_the_worked_example() {
    let room = tempfile::tempdir().unwrap();
    let mut question = question();
    let file = write(room.path(), "recall.json", &question.to_string());
    let found = answer(&["recall", &file]);
    let ranked = found["ranked"].as_array().unwrap();
    let ids: Vec<&str> = ranked.iter().map(|memory| memory["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["A", "C", "D", "B"]);
    for (memory, expected) in ranked.iter().zip([0.722807270, 0.483416909, 0.168302557, 0.052501458]) {
        close(&memory["score"], expected);
    }
    close(&ranked[1]["components"]["Sim"], 0.885699689);
    close(&ranked[1]["components"]["Rec"], 0.917314755);
    assert_eq!(ranked[1]["memory_type"], "semantic");
    question["affective_state"] = json!({ "drawdown_state": 0.2, "consecutive_losses": 3 });
    question["limit"] = json!(1);
    let file = write(room.path(), "streak.json", &question.to_string());
    let found = answer(&["recall", &file]);
    assert_eq!(found["ranked"].as_array().unwrap().len(), 1);
    close(&found["ranked"][0]["score"], 0.787859924);
}

#[test]
fn recall_refuses_invalid_input_with_its_place() {
    let room = tempfile::tempdir().unwrap();
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
        let file = write(room.path(), "bad.json", &good.replacen(from, to, 1));
        let error = refusal(&["recall", &file]);
        assert!(error.contains(expected) && error.contains("bad.json"), "{to}: {error}");
        if let Some(line) = line {
            assert!(error.contains(&format!("bad.json:{line}:")), "{to}: {error}");
        }
    }
    let file = write(room.path(), "old.json", &good.replace("2026-01-15T00:00:00Z", "long ago"));
    let (out, error, code) = said(&["recall", &file]);
    assert_eq!(code, 0);
    assert!(error.contains("1 timestamps can't be read"), "{error}");
    let found: Value = serde_json::from_str(&out).unwrap();
    let d = found["ranked"].as_array().unwrap().iter().find(|memory| memory["id"] == "D").unwrap();
    assert_eq!(d["components"]["Rec"], 0.5);
    assert!(refusal(&["recall", "nowhere.json"]).contains("nowhere.json: can't be read"));
}

#[test]
fn stakes_match_the_digest() {
    let room = tempfile::tempdir().unwrap();
    let memories: Vec<Value> =
        (0..10).map(|n| json!({ "score": 1.0, "pnl_r": if n < 7 { 2.0 } else { -1.0 } })).collect();
    let ask = |more: Value| {
        let mut question = json!({ "memories": memories });
        question.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        write(room.path(), "kelly.json", &question.to_string())
    };
    for (more, expected) in [
        (json!({ "fractional": 0.25, "risk_appetite": 1.0 }), 0.1375),
        (json!({ "fractional": 0.25, "risk_appetite": 0.4375 }), 0.06015625),
        (json!({ "fractional": 1.0 }), 0.55),
        (json!({ "cap": 0.1 }), 0.1),
        (json!({ "least_memories": 11 }), 0.0),
        (json!({ "equity": 10000.0, "stop": 5.0, "tick_value": 10.0 }), 0.1375),
    ] {
        close(&answer(&["kelly", &ask(more)])["kelly"], expected);
    }
    assert!(refusal(&["kelly", &ask(json!({ "equity": 1.0 }))]).contains("give all three"));
    says(&refusal(&["kelly", &ask(json!({ "risk_appetite": 3.0 }))]), &["risk_appetite = 3: must be"]);
    let bad = write(room.path(), "bad.json", "{\"memories\": [\n{\"score\": -1.0, \"pnl_r\": null}]}");
    let error = refusal(&["kelly", &bad]);
    assert!(error.contains("bad.json:2: score = -1: must be"), "{error}");
}

fn trade(hour: u32, pnl_r: f64, more: Value) -> String {
    let mut trade = json!({
        "id": format!("t{hour}"), "timestamp": format!("2026-01-01T{hour:02}:00:00Z"), "symbol": "XAUUSD",
        "strategy_name": "breakout", "direction": "long", "entry_price": 2600.0, "exit_price": 2610.0,
        "pnl": 100.0 * pnl_r, "pnl_r": pnl_r, "lot_size": 0.1, "hold_duration_seconds": 3600.0,
        "context_regime": "trending_up", "context_session": "london", "context_atr_d1": 30.0,
        "market_context": "gold breaks out", "confidence": 0.6
    });
    trade.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    trade.to_string()
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
    let room = tempfile::tempdir().unwrap();
    let store = room.path().join("store");
    let store = store.to_str().unwrap();
    let file = write(room.path(), "log.jsonl", &log().join("\n"));
    let account = answer(&["remember", store, &file, "--equity", "10000"]);
    assert_eq!((account["trades"].as_u64(), account["beliefs_formed"].as_u64()), (Some(10), Some(1)));
    assert_eq!((account["plans"].as_u64(), account["skipped"].as_u64()), (Some(1), Some(0)));

    let state = answer(&["state", store]);
    close(&state["peak_equity"], 10_700.0);
    close(&state["current_equity"], 10_400.0);
    close(&state["current_drawdown_pct"], 300.0 / 10_700.0);
    assert_eq!(state["consecutive_losses"], 3);

    let analysis = answer(&["analysis", store, "--strategy", "breakout"]);
    close(&analysis["habits"][0]["actual_win_rate"], 0.7);
    close(&analysis["habits"][0]["actual_avg_pnl_r"], 0.4);
    close(&analysis["beliefs"][0]["alpha"], 8.0);
    close(&analysis["beliefs"][0]["beta"], 4.0);
    assert_eq!(analysis["beliefs"][0]["last_confirmed"], Value::Null);
    let (unknown, noted, _) = said(&["analysis", store, "--symbol", "EURUSD"]);
    assert!(
        noted.contains("the store knows XAUUSD") && unknown.contains("\"habits\": []"),
        "{noted} {unknown}"
    );

    let now = json!({ "drawdown_pct": 0.028, "type": "signal" });
    let present = write(room.path(), "now.json", &now.to_string());
    let plans = answer(&["plans", store, "--context", &present]);
    assert_eq!(plans["plans"][0]["planned_action"]["magnitude"], 0.5);
    assert_eq!(plans["plans"][0]["source_episodic_ids"], json!(["t7", "t8", "t9"]));
    let late = answer(&["plans", store, "--context", &present, "--now", "2026-02-02T00:00:00Z"]);
    assert_eq!(late["plans"], json!([]));
    assert_eq!(answer(&["plans", store, "--now", "2026-02-02T00:00:00Z"])["plans"][0]["status"], "expired");

    let question = json!({
        "query_context": { "regime": "trending_up", "session": "london", "atr_d1": 30.0 },
        "strategy_name": "breakout", "symbol": "XAUUSD", "limit": 3
    });
    let asked = write(room.path(), "asked.json", &question.to_string());
    let ranked = answer(&["recall", "--store", store, &asked]);
    // The winning streak favours gains in recall, and the newest gain is the most recent.
    assert_eq!(ranked["ranked"][0]["id"], "t6");
    assert_eq!(ranked["ranked"][0]["data"]["context"]["market_context"], "gold breaks out");
    assert_eq!(ranked["ranked"][0]["data"]["retrieval_count"], 0);
    // Gains and losses are of 1 R, so the full fraction is p − q; gains have at least 0.7 of the scores. A quarter of it is staked, at an appetite of
    // 1 − (300/10,700/0.2)² = 0.98.
    let stake = json!({
        "strategy_name": "breakout", "symbol": "XAUUSD", "equity": 10000.0, "stop": 10.0, "tick_value": 100.0,
        "query_context": { "regime": "trending_up", "session": "london", "atr_d1": 30.0 }
    });
    let staked = write(room.path(), "stake.json", &stake.to_string());
    let stake = answer(&["kelly", "--store", store, &staked]);
    let kelly = stake["kelly"].as_f64().unwrap();
    assert!((0.1 * 0.98..0.25).contains(&kelly), "{stake}");
    close(&stake["lots"], 10.0 * kelly);
    let again = answer(&["recall", "--store", store, &asked]);
    assert_eq!(again["ranked"][0]["data"]["retrieval_count"], 1);
}

#[test]
fn damaged_lines_are_reported_counted_and_skipped() {
    let room = tempfile::tempdir().unwrap();
    let store = room.path().join("store");
    let store_name = store.to_str().unwrap();
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
    let file = write(room.path(), "log.jsonl", &text.join("\n"));
    let error = refusal(&["remember", store_name, &file, "--strict"]);
    assert!(error.contains("log.jsonl:2:") && !store.exists(), "{error}");
    let (out, error, code) = said(&["remember", store_name, &file]);
    assert_eq!(code, 0, "{error}");
    let account: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((account["trades"].as_u64(), account["skipped"].as_u64()), (Some(2), Some(10)));
    for expected in lines.iter().filter_map(|(_, expected)| *expected) {
        assert!(error.contains(&format!("log.jsonl:{expected}")), "{expected}: {error}");
    }
    let table = write(room.path(), "table.csv", "symbol,pnl_r\nXAUUSD,1\n");
    let error = refusal(&["remember", "no_store", &table]);
    assert!(error.contains("table.csv: no line is a JSON object") && error.contains("owm import"), "{error}");
    let again = answer(&["remember", store_name, &file]);
    let counted = ["trades", "known", "skipped"].map(|key| again[key].as_u64());
    assert_eq!(counted, [Some(0), Some(2), Some(10)], "nothing twice");
    let left: Vec<_> = fs::read_dir(&store).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["owm.json"], "no temporary file stays");
    fs::write(store.join("owm.json"), "{ torn").unwrap();
    let error = refusal(&["state", store_name]);
    assert!(error.contains("owm.json:1: isn't a store of this program"), "{error}");
    assert!(refusal(&["export", "nowhere"]).contains("remember makes a store"));
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
    let room = tempfile::tempdir().unwrap();
    let at = |name: &str| room.path().join(name).to_str().unwrap().to_owned();
    let file = write(room.path(), "log.jsonl", &many(2_500));
    let account = answer(&["remember", &at("whole"), &file]);
    assert_eq!((account["trades"].as_u64(), account["forgotten"].as_u64()), (Some(2_500), Some(0)));
    let keys = write(room.path(), "keys.toml", "capacity = 40\n");
    let (out, error, code) = said(&["remember", &at("short"), &file, "--config", &keys]);
    let account: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, account["forgotten"].as_u64()), (0, Some(2_460)));
    assert!(error.contains("2460 trades were forgotten: the store keeps the last 40"), "{error}");
}

#[test]
fn recall_scores_the_newest_or_the_whole_store() {
    let room = tempfile::tempdir().unwrap();
    let store = room.path().join("store");
    let store = store.to_str().unwrap();
    let losses = (1..24).map(|n| trade(n, -1.0, json!({})));
    let log: Vec<String> = std::iter::once(trade(0, 1.0, json!({}))).chain(losses).collect();
    answer(&["remember", store, &write(room.path(), "log.jsonl", &log.join("\n"))]);
    let question = json!({ "query_context": {}, "memory_types": ["episodic"], "limit": 1 });
    let asked = write(room.path(), "asked.json", &question.to_string());
    let newest = answer(&["recall", "--store", store, &asked]);
    assert_eq!(newest["ranked"][0]["data"]["pnl_r"], -1.0, "the gain is not among the five newest");
    let whole = answer(&["recall", "--store", store, &asked, "--whole"]);
    assert_eq!(whole["ranked"][0]["id"], "t0");
    assert_eq!(said(&["recall", &asked, "--whole"]).2, 2, "there is no whole without a store");
}

#[test]
fn a_store_keeps_its_settings() {
    let room = tempfile::tempdir().unwrap();
    let store = room.path().join("store");
    let store = store.to_str().unwrap();
    let keys = write(room.path(), "keys.toml", "induce_after = 5\n[affect]\nmax_drawdown = 0.3\n");
    let file = write(room.path(), "log.jsonl", &log().join("\n"));
    answer(&["remember", store, &file, "--config", &keys]);
    close(&answer(&["state", store])["max_acceptable_drawdown"], 0.3);
    // Five gains induced Beta(6, 1); two more gains and three losses updated it.
    let belief = &answer(&["analysis", store])["beliefs"][0];
    assert_eq!((belief["alpha"].as_f64(), belief["beta"].as_f64()), (Some(8.0), Some(4.0)));
    assert_eq!(
        (belief["last_confirmed"].as_str(), belief["last_contradicted"].as_str()),
        (Some("t6"), Some("t9"))
    );
    let others = write(room.path(), "others.toml", "[affect]\nmax_drawdown = 0.4\n");
    let none = write(room.path(), "none.jsonl", "");
    answer(&["remember", store, &none, "--config", &others]);
    close(&answer(&["state", store])["max_acceptable_drawdown"], 0.4);
    let bad = write(room.path(), "bad.toml", "induce_after = 5\n[affect]\nmax_drawdown = 7\n");
    let new = room.path().join("new");
    let error = refusal(&["remember", new.to_str().unwrap(), &file, "--config", &bad]);
    assert!(error.contains("affect.max_drawdown = 7: must be a number from 0.001 to 1"), "{error}");
}

/// Two profits of 1e308 overflow in their sum. JSON has no infinity, so the store could not be read again.
#[test]
fn a_number_that_would_overflow_is_refused() {
    let room = tempfile::tempdir().unwrap();
    let trade = |day: u32, (pointer, value): (&str, f64)| {
        let mut line = json!({
            "timestamp": format!("2026-01-0{day}T00:00:00Z"), "symbol": "X", "strategy": "s", "direction": "long", "entry_price": 1.0,
            "exit_price": 2.0, "pnl": 5.0, "pnl_r": 1.0, "context": { "atr_d1": 2.0 }
        });
        *line.pointer_mut(pointer).unwrap() = value.into();
        line.to_string()
    };
    let store = room.path().join("store").to_str().unwrap().to_owned();
    let sound = write(room.path(), "sound.jsonl", &trade(1, ("/pnl", 1e30)));
    answer(&["remember", &store, &sound]);
    for (change, expected) in [
        (("/pnl", 1e308), "pnl = 1e+308: must be 0, or from 1e-30 to 1e30 in size"),
        (("/pnl", -1e308), "pnl = -1e+308: must be"),
        (("/entry_price", 1e-300), "entry_price = 1e-300: must be"),
        (("/context/atr_d1", 1e200), "context.atr_d1 = 1e+200: must be"),
    ] {
        let log = write(room.path(), "far.jsonl", &trade(2, change));
        let (_, error, code) = said(&["remember", &store, &log]);
        let is_reported =
            error.contains("far.jsonl:1: ") && error.contains(expected) && error.contains("left out");
        assert!(code == 0 && is_reported, "{code} {error}");
    }
    assert!(answer(&["state", &store]).is_object(), "the store is read as before");
}
