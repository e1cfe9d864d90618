//! `morta-memory owm`: what counts as evidence for a belief, and which plans are derived.

use super::{Room, answer, lines, refusal, write};
use serde_json::{Value, json};
use std::path::Path;

fn at(hour: u32) -> String {
    format!("2026-01-{:02}T{:02}:00:00Z", 1 + hour / 24, hour % 24)
}

fn trade(hour: u32, more: Value) -> Value {
    let mut trade = json!({
        "id": format!("t{hour}"), "timestamp": at(hour), "symbol": "XAUUSD", "strategy_name": "breakout",
        "direction": "long", "entry_price": 2600.0
    });
    trade.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    trade
}

fn remember(room: &Path, values: &[Value]) -> Value {
    write(room, "log.jsonl", &lines(values));
    answer(room, &["owm", "remember", "store", "log.jsonl", "--strict"]).0
}

fn analysis(room: &Path) -> Value {
    answer(room, &["owm", "analysis", "store"]).0
}

fn state(room: &Path) -> Value {
    answer(room, &["owm", "state", "store"]).0
}

fn close(value: &Value, expected: f64) {
    let found = value.as_f64().unwrap();
    assert!((found - expected).abs() < 1e-9, "found {found}, expected {expected}");
}

fn seeded(conditions: Value) -> Value {
    json!({
        "action": "seed_belief", "timestamp": at(0), "proposition": "breakouts gain when gold moves", "outcome": "profitable",
        "strategy_name": "breakout", "validity_conditions": conditions
    })
}

#[test]
fn validity_conditions_limit_evidence_and_recall() {
    let room = &Room::new();
    remember(
        room,
        &[
            seeded(json!({ "atr_d1": { "gt": 100 }, "news": "calm" })),
            trade(1, json!({ "pnl_r": -1.0, "context": { "atr_d1": 40.0, "news": "calm" } })),
            trade(2, json!({ "pnl_r": -1.0, "context": { "atr_d1": 140.0 } })),
            trade(3, json!({ "pnl_r": -1.0, "context": { "atr_d1": 140.0, "news": "loud" } })),
            trade(4, json!({ "pnl_r": 2.0, "context": { "atr_d1": 140.0, "news": "calm" } })),
            // Without R the sign of the profit is the outcome, with a weight of one half.
            trade(5, json!({ "pnl": 50.0, "context": { "atr_d1": 101.0, "news": "calm" } })),
        ],
    );
    let belief = &analysis(room)["beliefs"][0];
    assert_eq!(
        (&belief["alpha"], &belief["beta"], &belief["sample_size"]),
        (&json!(4.5), &json!(1.0), &json!(2))
    );
    let recalled = |context: Value| {
        let question =
            json!({ "query_context": context, "memory_types": ["semantic"], "strategy_name": "breakout" });
        write(room, "asked.json", &question.to_string());
        answer(room, &["owm", "recall", "asked.json", "--store", "store"]).0["ranked"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(recalled(json!({ "atr_d1": 140.0, "news": "calm" })), 1);
    assert_eq!(recalled(json!({ "atr_d1": 40.0, "news": "calm" })), 0);
    assert_eq!(recalled(json!({ "atr_d1": 140.0 })), 0, "what isn't known doesn't hold");
}

#[test]
fn an_open_trade_is_no_evidence_until_it_is_closed() {
    let room = &Room::new();
    let calm = json!({ "context_regime": "ranging" });
    let account = remember(
        room,
        &[
            seeded(json!({ "regime": "ranging" })),
            trade(1, calm.clone()),
            trade(2, calm.clone()),
            trade(3, calm.clone()),
        ],
    );
    assert_eq!(account["trades"], 3);
    let untouched = analysis(room);
    assert_eq!(
        (&untouched["beliefs"][0]["alpha"], &untouched["beliefs"][0]["beta"]),
        (&json!(2.0), &json!(1.0))
    );
    assert_eq!(untouched["habits"], json!([]));
    let before = state(room);
    assert_eq!((&before["open_trades"], &before["confidence_level"]), (&json!(3), &json!(0.5)));
    // One trade is closed by `close_trade`, the other by a second report with an outcome.
    let mut again = trade(1, json!({ "timestamp": at(5), "pnl_r": 1.5, "pnl": 150.0 }));
    again.as_object_mut().unwrap().extend(calm.as_object().unwrap().clone());
    let end = json!({ "action": "close_trade", "timestamp": at(6), "id": "t2", "exit_price": 2590.0, "pnl_r": -1.0 });
    let account = remember(room, &[again, end]);
    assert_eq!((&account["closed"], &account["trades"]), (&json!(2), &json!(0)));
    let belief = &analysis(room)["beliefs"][0];
    assert_eq!((&belief["alpha"], &belief["beta"]), (&json!(3.5), &json!(2.0)));
    assert_eq!((&belief["last_confirmed"], &belief["last_contradicted"]), (&json!("t1"), &json!("t2")));
    let after = state(room);
    assert_eq!(
        (&after["open_trades"], &after["episodes"], &after["consecutive_losses"]),
        (&json!(1), &json!(3), &json!(1))
    );
    close(&analysis(room)["habits"][0]["actual_avg_hold_seconds"], 4.0 * 3600.0);
    for (line, expected) in [
        (
            json!({ "action": "close_trade", "timestamp": at(7), "id": "t2", "pnl_r": 1.0 }),
            "id = t2: isn't open",
        ),
        (
            json!({ "action": "close_trade", "timestamp": at(7), "id": "t3" }),
            "id = t3: give exit_price, pnl or pnl_r",
        ),
        (
            json!({ "action": "close_trade", "timestamp": at(7), "id": "t9", "pnl_r": 1.0 }),
            "episode t9: isn't in the store",
        ),
        (
            trade(7, json!({ "id": "t3", "pnl_r": 1.0, "symbol": "EURUSD" })),
            "id = t3: is an open trade of another",
        ),
        (trade(7, json!({ "id": "t3" })), "id = t3: was taken in before"),
    ] {
        write(room, "bad.jsonl", &lines(&[line]));
        let error = refusal(room, &["owm", "remember", "store", "bad.jsonl", "--strict"]);
        assert!(error.contains(&format!("bad.jsonl:1: {expected}")), "{error}");
    }
}

#[test]
fn session_is_inferred_from_the_hour_of_entry_and_regime_from_words() {
    let room = &Room::new();
    // Ten trades with an entry in London's morning and a report in New York's afternoon. The specification computes the context when a trade is
    // written; the session here is that of the entry.
    let held =
        json!({ "pnl_r": 1.0, "hold_duration_seconds": 36_000.0, "market_context": "gold goes sideways" });
    let trades: Vec<Value> = (0..10).map(|day| trade(18 + 24 * day, held.clone())).collect();
    assert_eq!(remember(room, &trades)["beliefs_formed"], 1);
    let belief = &analysis(room)["beliefs"][0];
    let conditions = ["session", "regime"].map(|name| belief["validity_conditions"][name].clone());
    assert_eq!(conditions, ["london", "ranging"]);
    // A given value has precedence over an inferred one.
    remember(
        room,
        &[trade(300, json!({ "pnl_r": 1.0, "context_session": "asia", "context_regime": "volatile" }))],
    );
    let (trade, _) = answer(room, &["owm", "trade", "store", "t300"]);
    let labels = ["session", "regime"].map(|name| trade["trade"]["context"][name].clone());
    assert_eq!(labels, ["asia", "volatile"]);
}

/// For a strategy with an expected 0.5 R, an outcome of 0.5 R is as informative as 1 R is for another.
#[test]
fn confidence_is_relative_to_the_expected_r_of_a_strategy() {
    let room = &Room::new();
    let made = |hour: u32, strategy: &str, r: f64| {
        let context = json!({ "strategy_name": strategy, "pnl_r": r, "context_regime": "ranging", "context_session": "london" });
        trade(hour, context)
    };
    remember(room, &(1..11).map(|hour| made(hour, "breakout", 0.5)).collect::<Vec<_>>());
    let before = state(room)["confidence_by_strategy"]["breakout"].as_f64().unwrap();
    remember(room, &[made(11, "breakout", 0.5), made(12, "fade", 1.0)]);
    let after = state(room)["confidence_by_strategy"].clone();
    let signal = 1.0 / (1.0 + (-1.0_f64).exp());
    close(&after["breakout"], 0.9 * before + 0.1 * signal);
    close(&after["fade"], 0.9 * 0.5 + 0.1 * signal);
}

#[test]
fn habits_measure_the_timing_of_entries_and_exits() {
    let room = &Room::new();
    let timed = |hour: u32, entry: u32, exit: u32| {
        let times = json!({ "pnl_r": 1.0, "signal_time": at(0), "entry_time": at(entry), "target_time": at(10), "exit_time": at(exit) });
        trade(hour, times)
    };
    remember(room, &[timed(11, 1, 5), timed(12, 3, 10)]);
    let habit = &analysis(room)["habits"][0];
    close(&habit["actual_entry_timing_bias"], 0.2);
    close(&habit["actual_exit_timing_bias"], -0.25);
    remember(room, &[trade(13, json!({ "pnl_r": 1.0, "symbol": "EURUSD" }))]);
    assert_eq!(analysis(room)["habits"][1]["actual_entry_timing_bias"], Value::Null);
}

#[test]
fn reflections_firm_beliefs_and_drawdowns_make_plans() {
    let room = &Room::new();
    let gain =
        json!({ "pnl_r": 1.0, "pnl": 10.0, "context_regime": "trending_up", "context_session": "london" });
    let mut actions: Vec<Value> = (1..11).map(|hour| trade(hour, gain.clone())).collect();
    for action in ["adjust_param", "skip_trade", "force_exit", "alert"] {
        actions.push(json!({
            "action": "reflect", "timestamp": at(11), "pattern_detected": {
                "regime": "volatile", "strategy": "breakout", "recommended_action": action, "suggested_magnitude": 0.5,
                "confidence": 0.8, "supporting_trade_ids": ["t1"], "explanation": "it was too wild"
            }
        }));
    }
    actions.push(json!({ "action": "reflect", "timestamp": at(11), "pattern_detected": null }));
    actions.push(json!({ "action": "update_equity", "timestamp": at(12), "equity": 8000.0 }));
    let account = remember(room, &actions);
    assert_eq!((&account["plans"], &account["plans_formed"]), (&json!(4), &json!(2)));
    let applicable = |context: Value| -> Vec<Value> {
        write(room, "now.json", &context.to_string());
        let (found, _) = answer(room, &["owm", "plans", "store", "--context", "now.json"]);
        found["plans"].as_array().unwrap().clone()
    };
    let wild = applicable(json!({ "regime": "volatile", "strategy": "breakout" }));
    let kinds: Vec<&str> = wild.iter().map(|plan| plan["planned_action"]["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["adjust_param", "skip_trade", "force_exit", "alert"]);
    assert_eq!((&wild[0]["priority"], &wild[0]["source_episodic_ids"]), (&json!(0.8), &json!(["t1"])));
    assert_eq!(wild[0]["expiry"], "2026-01-31T11:00:00Z", "thirty days");
    let boost = &applicable(
        json!({ "regime": "trending_up", "session": "london", "strategy": "breakout", "symbol": "XAUUSD" }),
    )[0];
    assert_eq!(
        boost["planned_action"],
        json!({ "type": "adjust_param", "parameter": "confidence", "magnitude": 0.2 })
    );
    assert_eq!(boost["source_semantic_ids"], json!([0]));
    let defence = &applicable(json!({ "drawdown_pct": 0.2 }))[0];
    assert_eq!(
        defence["planned_action"],
        json!({ "type": "adjust_param", "parameter": "lot_size", "magnitude": 0.5 })
    );
    assert_eq!(defence["trigger_type"], "state");
    // The specification's example has the type of trigger among the conditions.
    remember(
        room,
        &[json!({
            "action": "create_trading_plan", "timestamp": at(13), "reasoning": "as in the document", "planned_action": { "type": "alert" },
            "trigger_condition": { "regime": "ranging", "strategy": "breakout", "type": "market_condition" }
        })],
    );
    assert_eq!(applicable(json!({ "regime": "ranging", "strategy": "breakout" })).len(), 1);
    write(room, "keys.toml", "[plans]\nboost_above = 7\n");
    let error = refusal(room, &["owm", "remember", "other", "log.jsonl", "--config", "keys.toml"]);
    assert!(error.contains("plans.boost_above = 7: must be a number from 0 to 1"), "{error}");
    write(room, "keys.toml", "[plans]\nboost_above = 1\ndefend_above = 1\n");
    write(room, "log.jsonl", &lines(&actions));
    let (account, _) = answer(room, &["owm", "remember", "other", "log.jsonl", "--config", "keys.toml"]);
    assert_eq!(account["plans_formed"], 0);
}
