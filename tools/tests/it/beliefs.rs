//! `morta-memory owm`: what counts as evidence for a belief, and which plans are derived.

use super::{Room, answer, close, count, each, has, lines, recalled, refusal, refuses, says, with, write};
use serde_json::{Value, json};
use std::path::Path;

pub(super) fn at(hour: u32) -> String {
    format!("2026-01-{:02}T{:02}:00:00Z", 1 + hour / 24, hour % 24)
}

fn trade(hour: u32, more: Value) -> Value {
    let trade = json!({
        "id": format!("t{hour}"), "timestamp": at(hour), "symbol": "XAUUSD", "strategy_name": "breakout",
        "direction": "long", "entry_price": 2600.0
    });
    with(trade, more)
}

fn remember(room: &Path, values: &[Value]) -> Value {
    write(room, "log.jsonl", lines(values));
    answer(room, &["owm", "remember", "store", "log.jsonl", "--strict"]).0
}

fn analysis(room: &Path) -> Value {
    answer(room, &["owm", "analysis", "store"]).0
}

fn state(room: &Path) -> Value {
    answer(room, &["owm", "state", "store"]).0
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
    has(belief, json!({ "alpha": 4.5, "beta": 1.0, "sample_size": 2 }));
    let recalled = |context: Value| {
        let question =
            json!({ "query_context": context, "memory_types": ["semantic"], "strategy_name": "breakout" });
        count(&recalled(room, &question))
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
    has(&untouched["beliefs"][0], json!({ "alpha": 2.0, "beta": 1.0 }));
    assert_eq!(untouched["habits"], json!([]));
    let before = state(room);
    has(&before, json!({ "open_trades": 3, "confidence_level": 0.5 }));
    // One trade is closed by `close_trade`, the other by a second report with an outcome.
    let again = with(trade(1, json!({ "timestamp": at(5), "pnl_r": 1.5, "pnl": 150.0 })), calm);
    let end = json!({ "action": "close_trade", "timestamp": at(6), "id": "t2", "exit_price": 2590.0, "pnl_r": -1.0 });
    let account = remember(room, &[again, end]);
    has(&account, json!({ "closed": 2, "trades": 0 }));
    let belief = &analysis(room)["beliefs"][0];
    has(belief, json!({ "alpha": 3.5, "beta": 2.0, "last_confirmed": "t1", "last_contradicted": "t2" }));
    let after = state(room);
    has(&after, json!({ "open_trades": 1, "episodes": 3, "consecutive_losses": 1 }));
    close(&analysis(room)["habits"][0]["actual_avg_hold_seconds"], 4.0 * 3600.0);
    let refused = |line: Value, expected: &str| {
        write(room, "bad.jsonl", lines(&[line]));
        let said = refusal(room, &["owm", "remember", "store", "bad.jsonl", "--strict"]);
        says(&said, &[&format!("bad.jsonl:1: {expected}")]);
    };
    let end =
        |id: &str, more: Value| with(json!({ "action": "close_trade", "timestamp": at(7), "id": id }), more);
    refused(end("t2", json!({ "pnl_r": 1.0 })), "id = t2: isn't open");
    refused(end("t3", json!({})), "id = t3: give exit_price, pnl or pnl_r");
    refused(end("t9", json!({ "pnl_r": 1.0 })), "episode t9: isn't in the store");
    let other = json!({ "id": "t3", "pnl_r": 1.0, "symbol": "EURUSD" });
    refused(trade(7, other), "id = t3: is an open trade of another");
    refused(trade(7, json!({ "id": "t3" })), "id = t3: was taken in before");
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
    has(&belief["validity_conditions"], json!({ "session": "london", "regime": "ranging" }));
    // A given value has precedence over an inferred one.
    remember(
        room,
        &[trade(300, json!({ "pnl_r": 1.0, "context_session": "asia", "context_regime": "volatile" }))],
    );
    let (trade, _) = answer(room, &["owm", "trade", "store", "t300"]);
    has(&trade["trade"]["context"], json!({ "session": "asia", "regime": "volatile" }));
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
    has(&account, json!({ "plans": 4, "plans_formed": 2 }));
    let applicable = |context: Value| {
        write(room, "now.json", context);
        answer(room, &["owm", "plans", "store", "--context", "now.json"]).0["plans"].clone()
    };
    let wild = applicable(json!({ "regime": "volatile", "strategy": "breakout" }));
    let kinds = json!(["adjust_param", "skip_trade", "force_exit", "alert"]);
    assert_eq!(each(&wild, "/planned_action/type"), kinds);
    // Thirty days.
    let expiry = "2026-01-31T11:00:00Z";
    has(&wild[0], json!({ "priority": 0.8, "source_episodic_ids": ["t1"], "expiry": expiry }));
    let boost = &applicable(
        json!({ "regime": "trending_up", "session": "london", "strategy": "breakout", "symbol": "XAUUSD" }),
    )[0];
    let action = json!({ "type": "adjust_param", "parameter": "confidence", "magnitude": 0.2 });
    has(boost, json!({ "planned_action": action, "source_semantic_ids": [0] }));
    let defence = &applicable(json!({ "drawdown_pct": 0.2 }))[0];
    let action = json!({ "type": "adjust_param", "parameter": "lot_size", "magnitude": 0.5 });
    has(defence, json!({ "planned_action": action, "trigger_type": "state" }));
    // The specification's example has the type of trigger among the conditions.
    remember(
        room,
        &[json!({
            "action": "create_trading_plan", "timestamp": at(13), "reasoning": "as in the document", "planned_action": { "type": "alert" },
            "trigger_condition": { "regime": "ranging", "strategy": "breakout", "type": "market_condition" }
        })],
    );
    assert_eq!(count(&applicable(json!({ "regime": "ranging", "strategy": "breakout" }))), 1);
    write(room, "keys.toml", "[plans]\nboost_above = 7\n");
    refuses(
        room,
        &["owm", "remember", "other", "log.jsonl", "--config", "keys.toml"],
        &["plans.boost_above = 7: must be a number from 0 to 1"],
    );
    write(room, "keys.toml", "[plans]\nboost_above = 1\ndefend_above = 1\n");
    write(room, "log.jsonl", lines(&actions));
    let (account, _) = answer(room, &["owm", "remember", "other", "log.jsonl", "--config", "keys.toml"]);
    assert_eq!(account["plans_formed"], 0);
}
