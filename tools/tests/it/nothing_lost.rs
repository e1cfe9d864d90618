//! Trades that are reported late, twice, without an id, or by several agents at once: each is stored once, with its consequences.

use super::beliefs::at;
use super::mcp::Client;
use super::{
    Room, answer, count, each, has, json_of, lines, printed, recalled, refusal, refuses, remember, values,
    with, write,
};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn trade(hour: u32, more: Value) -> Value {
    let (pnl_r, pnl) = if hour.is_multiple_of(3) { (-1.0, -100.0) } else { (1.5, 150.0) };
    let trade = json!({
        "id": format!("t{hour:03}"), "timestamp": at(hour), "symbol": "XAUUSD", "strategy_name": "breakout", "direction": "long",
        "entry_price": 2600.0, "pnl_r": pnl_r, "pnl": pnl,
        "context_regime": "ranging", "context_session": "london"
    });
    with(trade, more)
}

fn without_id(mut trade: Value) -> Value {
    trade.as_object_mut().unwrap().remove("id");
    trade
}

/// The counts of an import into the store.
fn import(room: &Path, file: &str, flags: &[&str]) -> [u64; 3] {
    counted(&answer(room, &[&["owm", "import", "store", file], flags].concat()).0)
}

fn counted(account: &Value) -> [u64; 3] {
    ["trades", "known", "skipped"].map(|key| account[key].as_u64().unwrap())
}

const HEADER: &str = "timestamp,symbol,strategy,direction,entry_price,exit_price,stop_loss,pnl\n";

fn rows(trades: &[(&str, f64)]) -> String {
    let row = |(day, pnl): &(&str, f64)| format!("{day}T10:00:00Z,DAX,orb,long,100,102,99,{pnl}\n");
    HEADER.to_owned() + &trades.iter().map(row).collect::<String>()
}

fn pnls(room: &Path) -> Value {
    each(&json!(values(&printed(room, &["owm", "export", "store"]))), "/pnl")
}

/// Rows without ids: an older file doesn't take the ids of stored trades, reading a file twice adds nothing, and two trades with equal content are
/// two.
#[test]
fn trades_without_ids_are_recognised_by_content() {
    let room = &Room::new();
    write(room, "january.csv", rows(&[("2026-01-05", 1.0), ("2026-01-06", 2.0), ("2026-01-07", 3.0)]));
    write(room, "december.csv", rows(&[("2025-12-05", 4.0), ("2025-12-05", 4.0), ("2025-12-06", 5.0)]));
    write(room, "more.csv", rows(&[("2025-12-05", 4.0), ("2025-12-05", 4.0), ("2025-12-05", 4.0)]));
    for flags in [&[][..], &["--backfill"]] {
        assert_eq!(import(room, "january.csv", &[]), [3, 0, 0]);
        assert_eq!(import(room, "december.csv", flags), [3, 0, 0]);
        assert_eq!(pnls(room), json!([4.0, 4.0, 5.0, 1.0, 2.0, 3.0]));
        for file in ["january.csv", "december.csv"] {
            assert_eq!(import(room, file, flags), [0, 3, 0], "{file} again");
        }
        assert_eq!(import(room, "more.csv", flags), [1, 2, 0], "a third of one kind is a third trade");
        fs::remove_dir_all(room.join("store")).unwrap();
    }
    // A growing log is read again and again.
    let mut log: Vec<Value> = (1..6).map(|hour| without_id(trade(hour, json!({})))).collect();
    log.push(json!({ "action": "seed_belief", "timestamp": at(6), "proposition": "p", "outcome": "profitable", "validity_conditions": { "regime": "ranging" } }));
    log.push(json!({ "action": "create_trading_plan", "timestamp": at(7), "trigger_condition": { "regime": "volatile" }, "planned_action": { "type": "alert" },
        "reasoning": "r" }));
    assert_eq!(counted(&remember(room, &log)), [5, 0, 0]);
    log.push(without_id(trade(8, json!({}))));
    assert_eq!(counted(&remember(room, &log)), [1, 7, 0]);
    let state = answer(room, &["owm", "state", "store"]).0;
    has(&state, json!({ "episodes": 6, "beliefs": 1, "plans": 1 }));
}

/// With a day and no time, midnight would give the wrong session, so none is inferred.
#[test]
fn a_day_without_a_time_has_no_session() {
    let room = &Room::new();
    let days =
        ["2026-01-05", "05.01.2026", "20260106", "7-Jan-2026", "2026-01-08 00:00", "2026-01-09T00:00:00Z"];
    for (n, day) in days.iter().enumerate() {
        let row = format!("id,{HEADER}d{n},{day},DAX,orb,long,100,102,99,1\n");
        write(room, "days.csv", &row);
        let account = answer(room, &["owm", "import", "store", "days.csv"]).0;
        assert_eq!(account["sessions_inferred"], u64::from(day.contains(':')), "{day}");
        let trade = answer(room, &["owm", "trade", "store", &format!("d{n}")]).0;
        let session = &trade["trade"]["context"]["session"];
        assert_eq!(session.is_string(), day.contains(':'), "{day}: {session}");
    }
}

#[test]
fn two_trades_with_one_id_are_both_kept() {
    let room = &Room::new();
    let file = |day: &str, pnl: f64| {
        rows(&[(day, pnl)])
            .replace("timestamp", "id,timestamp")
            .replace(&format!("{day}T"), &format!("1,{day}T"))
    };
    write(room, "a.csv", file("2026-01-05", 1.0));
    write(room, "b.csv", file("2026-02-05", 2.0));
    assert_eq!(answer(room, &["owm", "import", "store", "a.csv"]).0["renamed"], 0);
    // Another account of a broker that numbers from 1.
    let account = answer(room, &["owm", "import", "store", "b.csv"]).0;
    assert_eq!((counted(&account), &account["renamed"]), ([1, 0, 0], &json!(1)));
    for file in ["a.csv", "b.csv"] {
        assert_eq!(import(room, file, &[]), [0, 1, 0]);
    }
    assert_eq!(pnls(room), json!([1.0, 2.0]));
}

/// Trades that were taken in without ids are known when a later export has ids, and the reverse; equal trades with ids of their own are two.
#[test]
fn a_trade_that_gets_an_id_later_is_the_same_trade() {
    let bare = rows(&[("2026-01-05", 1.0), ("2026-01-05", 1.0), ("2026-01-06", 2.0)]);
    let numbered = |text: &str| -> String {
        let row =
            |(n, line): (usize, &str)| if n == 0 { format!("id,{line}\n") } else { format!("n{n},{line}\n") };
        text.lines().enumerate().map(row).collect()
    };
    let more = numbered(&(bare.clone() + &rows(&[("2026-01-06", 2.0)])[HEADER.len()..]));
    for (files, expected, flags) in [
        ([&bare, &numbered(&bare)], [0, 3, 0], &[][..]),
        ([&numbered(&bare), &bare], [0, 3, 0], &[]),
        ([&bare, &more], [1, 3, 0], &[]),
        ([&bare, &more], [1, 3, 0], &["--backfill"]),
    ] {
        let room = &Room::new();
        for (name, text) in ["a.csv", "b.csv"].into_iter().zip(files) {
            write(room, name, text);
        }
        let import = |file: &str| import(room, file, flags);
        assert_eq!([import("a.csv"), import("b.csv")], [[3, 0, 0], expected], "{files:?}");
        assert_eq!([import("a.csv"), import("b.csv")], [[0, 3, 0], [0, expected[0] + 3, 0]], "{files:?}");
    }
}

/// An open trade of a first export, without an id, is closed by the row with its exit, also where that has an id.
#[test]
fn an_open_trade_of_a_file_is_closed_by_the_next_file() {
    let header = "timestamp,exit_timestamp,symbol,strategy,direction,entry_price,exit_price,pnl";
    let closed = "2026-01-05T10:00:00Z,2026-01-05T12:00:00Z,DAX,orb,long,100,102,7";
    for closed in [format!("{header}\n{closed}\n"), format!("id,{header}\nx1,{closed}\n")] {
        let room = &Room::new();
        write(room, "open.csv", format!("{header}\n2026-01-05T10:00:00Z,,DAX,orb,long,100,,\n"));
        write(room, "closed.csv", &closed);
        answer(room, &["owm", "import", "store", "open.csv"]);
        assert_eq!(answer(room, &["owm", "state", "store"]).0["open_trades"], 1);
        assert_eq!(answer(room, &["owm", "import", "store", "closed.csv"]).0["closed"], 1);
        assert_eq!(import(room, "closed.csv", &[]), [0, 1, 0]);
        let state = answer(room, &["owm", "state", "store"]).0;
        has(&state, json!({ "open_trades": 0, "episodes": 1 }));
    }
}

/// Sums and places in time don't depend on when a trade arrives. States that depend on the order of arrival follow the book.
#[test]
fn a_late_trade_changes_sums_and_not_the_order() {
    let room = &Room::new();
    let trades: Vec<Value> = (0..24).map(|hour| trade(hour, json!({}))).collect();
    write(room, "all.jsonl", lines(&trades));
    answer(room, &["owm", "remember", "whole", "all.jsonl"]);
    let (late, in_time): (Vec<Value>, Vec<Value>) =
        trades.iter().cloned().partition(|trade| ["t007", "t012"].contains(&trade["id"].as_str().unwrap()));
    remember(room, &in_time);
    let before = answer(room, &["owm", "state", "store"]).0;
    assert_eq!(counted(&remember(room, &late)), [2, 0, 0]);

    let export = |store| printed(room, &["owm", "export", store]);
    assert_eq!(export("store"), export("whole"), "episodes lie in the order of time");
    let [analysis, whole] = ["store", "whole"].map(|store| answer(room, &["owm", "analysis", store]).0);
    for evidence in ["alpha", "beta", "sample_size", "confidence"] {
        assert_eq!(analysis["beliefs"][0][evidence], whole["beliefs"][0][evidence], "{evidence}");
    }
    for habit in ["actual_win_rate", "actual_avg_pnl_r", "trades_in_window", "recency_bias"] {
        assert_eq!(analysis["habits"][0][habit], whole["habits"][0][habit], "{habit}");
    }
    let [state, whole] = ["store", "whole"].map(|store| answer(room, &["owm", "state", store]).0);
    assert_eq!(state["current_equity"], whole["current_equity"]);
    for streak in ["consecutive_wins", "consecutive_losses", "momentum_bias"] {
        assert_eq!(state[streak], before[streak], "{streak} is of the latest trades");
    }
    // 1.5 R and then −1 R, for a strategy whose expected R is the mean of its belief's trades.
    assert_ne!(state["confidence_level"], before["confidence_level"]);
    assert_eq!(state["last_updated"], before["last_updated"], "time doesn't go back");

    // An equity of an earlier moment isn't the present one, but may have been the peak.
    let equity = |hour: u32, equity: f64| json!({ "action": "update_equity", "timestamp": at(hour), "equity": equity });
    remember(room, &[equity(30, 9_000.0)]);
    remember(room, &[equity(20, 20_000.0)]);
    let state = answer(room, &["owm", "state", "store"]).0;
    has(&state, json!({ "current_equity": 9_000.0, "peak_equity": 20_000.0 }));
    // A profit before a reported equity is part of that equity, otherwise it would count twice.
    remember(room, &[trade(5, json!({ "id": "later", "pnl": 500.0 }))]);
    assert_eq!(answer(room, &["owm", "state", "store"]).0["current_equity"], 9_000.0);
}

/// Trades of one day without times, on several instruments: recall finds as many as requested, not none.
#[test]
fn trades_with_one_moment_are_recalled() {
    let room = &Room::new();
    let symbols = ["AAA", "BBB", "CCC", "DDD"];
    let trades: Vec<Value> = (0..48)
        .map(|n: u32| {
            trade(24 * (n / 12), json!({ "id": format!("d{n}"), "symbol": symbols[n as usize % 4] }))
        })
        .collect();
    remember(room, &trades);
    for limit in [1, 2, 3, 12] {
        let question = json!({ "strategy_name": "breakout", "query_context": { "session": "london" }, "memory_types": ["episodic"], "limit": limit });
        assert_eq!(count(&recalled(room, &question)), limit);
    }
    assert_eq!(counted(&remember(room, &trades)), [0, 48, 0]);
}

/// An agent asks for a regime that last occurred long ago.
#[test]
fn tools_search_the_whole_store() {
    let room = &Room::new();
    let regime = |hour: u32| if hour < 200 { "volatile" } else { "ranging" };
    let trades: Vec<Value> =
        (0..300).map(|hour| trade(hour, json!({ "context_regime": regime(hour) }))).collect();
    remember(room, &trades);
    let mut client = Client::new(room, &["owm", "serve", "store"]);
    let mut ask = |more: Value| {
        let arguments = json!({ "symbol": "xauusd", "context_regime": "volatile", "memory_types": ["episodic"], "now": at(300) });
        client.call("recall_memories", with(arguments, more)).unwrap()["ranked"].as_array().unwrap().clone()
    };
    let is_of = |memory: &Value, regime: &str| memory["data"]["context"]["regime"] == regime;
    let found = ask(json!({}));
    assert_eq!(found.len(), 10);
    assert!(found.iter().all(|one| is_of(one, "volatile") && one["score"].as_f64().unwrap() > 0.0));
    // Without `whole`, only the newest are scored, as in the original.
    assert!(ask(json!({ "whole": false })).iter().all(|one| is_of(one, "ranging")));
}

/// A belief and a plan for every regime match any regime, a missing one too.
#[test]
fn memories_without_a_regime_have_a_score() {
    let room = &Room::new();
    remember(
        room,
        &[
            json!({ "action": "seed_belief", "timestamp": at(0), "proposition": "gold gains on breakouts", "outcome": "profitable", "symbol": "XAUUSD",
            "validity_conditions": { "symbol": "XAUUSD" } }),
            json!({ "action": "create_trading_plan", "timestamp": at(0), "trigger_condition": { "drawdown_pct": { "gt": 0.1 } },
            "planned_action": { "type": "skip_trade" }, "reasoning": "keep some" }),
            trade(1, json!({ "context_regime": "volatile" })),
        ],
    );
    for context in [json!({}), json!({ "regime": "ranging" }), json!({ "session": "asia", "atr_d1": 30.0 })] {
        let question = json!({ "symbol": "XAUUSD", "query_context": context, "memory_types": ["semantic", "prospective"] });
        let found = recalled(room, &question);
        assert_eq!(count(&found), 2, "{context}");
        for memory in found.as_array().unwrap() {
            let above_0 = |number: &Value| number.as_f64().unwrap() > 0.0;
            assert!(above_0(&memory["score"]) && above_0(&memory["components"]["Sim"]), "{memory}");
        }
    }
}

/// A store that doesn't exist yet is an empty one for commands and tools.
#[test]
fn a_new_store_answers() {
    let room = &Room::new();
    let question =
        json!({ "symbol": "XAUUSD", "strategy_name": "breakout", "query_context": { "regime": "ranging" } });
    write(room, "asked.json", question);
    let (recalled, noted) = answer(room, &["owm", "recall", "asked.json", "--store", "new"]);
    assert_eq!(recalled["ranked"], json!([]));
    assert!(noted.contains("there is no store yet"), "{noted}");
    let state = answer(room, &["owm", "state", "new"]).0;
    has(&state, json!({ "confidence_level": 0.5, "risk_appetite": 1.0 }));
    assert_eq!(answer(room, &["owm", "kelly", "asked.json", "--store", "new"]).0["kelly"], 0.0);
    assert_eq!(answer(room, &["owm", "plans", "new"]).0["plans"], json!([]));
    assert_eq!(answer(room, &["owm", "analysis", "new"]).0["beliefs"], json!([]));
    let performance = answer(room, &["owm", "performance", "new", "--symbol", "XAUUSD"]).0;
    assert_eq!(performance["performance"], json!([]));
    let mut client = Client::new(room, &["owm", "serve", "new"]);
    let recalled =
        client.call("recall_memories", json!({ "symbol": "XAUUSD", "market_context": "quiet" })).unwrap();
    assert_eq!(recalled["ranked"], json!([]));
    assert_eq!(client.call("get_agent_state", json!({})).unwrap()["confidence_level"], 0.5);
    let plans = client.call("check_active_plans", json!({ "context_regime": "ranging" })).unwrap();
    assert_eq!(plans["plans"], json!([]));
    assert_eq!(client.call("get_strategy_performance", json!({})).unwrap()["performance"], json!([]));
    assert!(client.call("get_trade_reflection", json!({ "trade_id": "x" })).is_err());
    assert!(!room.join("new").exists(), "questions make no store");
    assert!(refusal(room, &["owm", "trade", "new", "x"]).contains("remember makes a store"));
}

/// Every trade that a belief was induced from, or that tested it, names the belief. The least certain belief is recommended for a test.
#[test]
fn a_belief_lists_its_evidence() {
    let room = &Room::new();
    let mut action: Vec<Value> = (0..14).map(|hour| trade(hour, json!({}))).collect();
    action.push(json!({ "action": "seed_belief", "timestamp": at(20), "proposition": "wild gold loses", "outcome": "unprofitable", "regime": "volatile",
        "validity_conditions": { "regime": "volatile" } }));
    remember(room, &action);
    let analysis = answer(room, &["owm", "analysis", "store"]).0;
    let belief = &analysis["beliefs"][0];
    let named = |side: &str| count(&belief["evidence"][side]);
    // Ten trades induced it and four tested it; hours 0, 3, 6, 9 and 12 lost.
    assert_eq!((named("confirming"), named("contradicting")), (9, 5));
    assert_eq!(analysis["test_first"], json!([1, 0]));
    for (id, borne_out) in [("t001", true), ("t003", false), ("t012", false), ("t013", true)] {
        let found = answer(room, &["owm", "trade", "store", id]).0;
        has(&found["beliefs"][0], json!({ "id": 0, "borne_out": borne_out }));
    }
    // A belief of another regime keeps 0.3 of its strength.
    let best = |regime: &str| {
        let question = json!({ "query_context": { "regime": regime, "session": "london" }, "memory_types": ["semantic"], "now": at(20) });
        recalled(room, &question)[0]["data"].clone()
    };
    has(&best("volatile"), json!({ "proposition": "wild gold loses", "strength": 1.0 }));
}

/// The parts of a plan's life that the specification's tools lack: it is carried out, cancelled, or expired by a condition.
#[test]
fn plans_are_carried_out_cancelled_and_expired_by_tools() {
    let room = &Room::new();
    let mut client = Client::new(room, &["owm", "serve", "store"]);
    client.call("remember_trade", trade(1, json!({}))).unwrap();
    let mut plan = |reasoning: &str, more: Value| {
        let plan = json!({ "trigger_type": "market_condition", "trigger_condition": { "regime": "ranging", "atr_d1_min": 20.0 },
            "planned_action": { "type": "skip_trade" }, "reasoning": reasoning, "timestamp": at(2) });
        let made = client.call("create_trading_plan", with(plan, more)).unwrap();
        made["plan"]["id"].as_u64().unwrap()
    };
    let (done, cancelled) = (plan("a", json!({})), plan("b", json!({})));
    let over = plan("c", json!({ "expiry_days": null, "expiry_condition": { "regime": "trending_up" } }));
    let active = |client: &mut Client, regime: &str| -> Vec<u64> {
        let arguments = json!({ "context_regime": regime, "context_atr_d1": 25.0, "now": at(3) });
        let plans = client.call("check_active_plans", arguments).unwrap()["plans"].clone();
        plans.as_array().unwrap().iter().map(|plan| plan["id"].as_u64().unwrap()).collect()
    };
    assert_eq!(active(&mut client, "ranging"), [done, cancelled, over]);
    let carried = client.call("carry_out_plan", json!({ "plan": done, "timestamp": at(4) })).unwrap();
    assert_eq!(carried["plan"]["status"], "triggered");
    let action = json!({ "plan": done, "outcome_pnl_r": 0.5, "outcome_reflection": "well skipped", "timestamp": at(9) });
    assert_eq!(client.call("carry_out_plan", action).unwrap()["plan"]["outcome_pnl_r"], 0.5);
    let over_by_call = client.call("cancel_plan", json!({ "plan": cancelled, "timestamp": at(9) })).unwrap();
    assert_eq!(over_by_call["plan"]["status"], "cancelled");
    assert!(client.call("cancel_plan", json!({ "plan": cancelled })).unwrap_err().contains("isn't active"));
    assert_eq!(active(&mut client, "ranging"), [over]);
    // Once the expiry condition held, the plan is over, even if it no longer holds.
    assert_eq!(active(&mut client, "trending_up"), [0_u64; 0]);
    assert_eq!(active(&mut client, "ranging"), [0_u64; 0]);
    // The original accepts any word for an action; its own guide has this one.
    let any = json!({ "trigger_type": "drawdown", "trigger_condition": { "regime": "volatile" }, "reasoning": "as in the guide", "timestamp": at(10),
        "planned_action": { "type": "reduce_size", "factor": 0.5 } });
    let made = client.call("create_trading_plan", any).unwrap();
    let action = json!({ "type": "adjust_param", "parameter": "lot_size", "magnitude": 0.5 });
    assert_eq!(made["plan"]["planned_action"], action);
    assert!(made["note"].as_str().unwrap().contains("reduce_size"), "{made}");
    let equity = client.call("update_equity", json!({ "equity": 8_000.0, "timestamp": at(12) })).unwrap();
    assert_eq!(equity["equities"], 1);
    let state = client.call("get_agent_state", json!({})).unwrap();
    assert_eq!(state["current_equity"], 8_000.0);
    // All of it is on the disk.
    assert_eq!(state, answer(room, &["owm", "state", "store"]).0);
}

/// The original's names of arguments are accepted. An answer has the id for later calls, and notes what isn't known without a stop.
#[test]
fn trades_are_accepted_with_the_originals_names() {
    let room = &Room::new();
    let mut client = Client::new(room, &["owm", "serve", "store"]);
    let action = json!({ "symbol": "EURUSD", "direction": "SELL", "entry_price": 1.1, "exit_price": 1.09, "pnl": 100.0, "strategy_name": "fade",
        "market_context": "choppy after the open", "trade_id": "mine-1", "entry_timestamp": "2026-01-05T08:00:00Z",
        "exit_timestamp": "2026-01-05T09:30:00Z", "timestamp": "2026-01-05T09:30:00Z" });
    let taken = client.call("remember_trade", action).unwrap();
    has(&taken, json!({ "id": "mine-1", "/context/regime": "volatile", "/context/session": "london" }));
    assert!(taken["note"].as_str().unwrap().contains("pnl_r"), "{taken}");
    // A context as in the original's guides: nested objects, and labels of another program.
    let action = json!({ "symbol": "EURUSD", "direction": "long", "entry_price": 1.1, "pnl": 1.0, "strategy_name": "fade", "timestamp": "2026-01-06 09:30:00",
        "market_context": "{\"price\": 1.1, \"session\": \"New York\", \"regime\": {\"regime\": \"TRENDING\", \"atr_d1\": 0.02}, \"zones\": [1, 2]}" });
    let context = json!({ "price": 1.1, "session": "newyork", "regime_as_told": "TRENDING", "atr_d1": 0.02 });
    assert_eq!(client.call("remember_trade", action).unwrap()["context"], context);
    let trade = client.call("get_trade_reflection", json!({ "trade_id": "mine-1" })).unwrap();
    has(&trade["trade"], json!({ "direction": "short", "hold_duration_seconds": 5_400.0 }));
    write(room, "stake.json", r#"{ "strategy_name": "fade", "symbol": "EURUSD" }"#);
    let stake = answer(room, &["owm", "kelly", "stake.json", "--store", "store"]).0;
    assert!(stake["reason"].as_str().unwrap().contains("are needed"), "{stake}");
}

/// Stores of earlier formats are read with their logs. A half line of a killed process costs only itself.
#[test]
fn earlier_formats_and_half_lines_are_read() {
    let room = &Room::new();
    remember(room, (0..4).map(|hour| trade(hour, json!({}))));
    let path = room.join("store/owm.json");
    let mut old = json_of(room, "store/owm.json");
    old["format"] = 1.into();
    for new in ["evidence", "lines", "equity_s"] {
        old.as_object_mut().unwrap().remove(new);
    }
    fs::write(&path, old.to_string()).unwrap();
    write(
        room,
        "store/recalls.jsonl",
        format!("{}\n{{\"of\": 1, \"now", json!({ "of": old["state"], "now_s": 1.8e9, "episodes": [2] })),
    );
    let trade = answer(room, &["owm", "trade", "store", "t002"]).0;
    assert_eq!(trade["trade"]["retrieval_count"], 1);
    let mut client = Client::new(room, &["owm", "serve", "store"]);
    let remember_one =
        |client: &mut Client, hour: u32| client.call("remember_trade", self::trade(hour, json!({}))).unwrap();
    remember_one(&mut client, 5);
    let log = room.join("store/since.jsonl");
    let whole = fs::read_to_string(&log).unwrap();
    fs::write(&log, format!("{whole}{}", &whole[..40])).unwrap();
    // A server that reads while another process is writing a line takes it once it is whole.
    let mut reader = Client::new(room, &["owm", "serve", "store"]);
    let episodes =
        |reader: &mut Client| reader.call("get_agent_state", json!({})).unwrap()["episodes"].clone();
    assert_eq!(episodes(&mut reader), 5);
    remember_one(&mut client, 6);
    assert_eq!(episodes(&mut reader), 6);
    let whole = fs::read_to_string(&log).unwrap();
    let begins = whole.trim_end().rfind('\n').unwrap() + 1;
    let last = &whole[begins..];
    let more = last.replace("t006", "t008").replace("06:00", "08:00");
    fs::write(&log, format!("{whole}{}", &more[..more.len() / 2])).unwrap();
    assert_eq!(episodes(&mut reader), 6);
    fs::write(&log, format!("{whole}{more}")).unwrap();
    assert_eq!(episodes(&mut reader), 7);
    // A line that is whole except for its newline was never acknowledged, because its process was killed. The next writer cuts it off.
    fs::write(&log, format!("{whole}{more}{}", more.replace("t008", "t009").trim_end())).unwrap();
    remember_one(&mut client, 10);
    assert_eq!(episodes(&mut reader), 8);
    fs::write(&log, whole).unwrap();
    assert_eq!(answer(room, &["owm", "state", "store"]).0["episodes"], 6);
    // A log entry that the next snapshot contains doesn't count again.
    let log_of_before = fs::read_to_string(&log).unwrap();
    remember(room, &[self::trade(7, json!({}))]);
    fs::write(&log, log_of_before).unwrap();
    assert_eq!(answer(room, &["owm", "state", "store"]).0["episodes"], 7);
    let newer = fs::read_to_string(&path).unwrap().replacen("\"format\":2", "\"format\":3", 1);
    fs::write(&path, newer).unwrap();
    refuses(room, &["owm", "state", "store"], &["format = 3: this program reads formats 1 and 2"]);
}

/// Two servers and a command on one store in turn: each sees the others' changes.
#[test]
fn servers_see_other_writers_changes() {
    let room = &Room::new();
    let [mut one, mut other] = [(); 2].map(|()| Client::new(room, &["owm", "serve", "store"]));
    let mut hour = 0;
    let mut next = || {
        hour += 1;
        trade(hour, json!({}))
    };
    for _ in 0..5 {
        one.call("remember_trade", next()).unwrap();
        other.call("remember_trade", next()).unwrap();
        remember(room, &[next()]);
    }
    let states = [&mut one, &mut other].map(|client| client.call("get_agent_state", json!({})).unwrap());
    assert_eq!(states[0]["episodes"], 15);
    assert_eq!(states[0], states[1]);
    assert_eq!(states[0], answer(room, &["owm", "state", "store"]).0);
    printed(room, &["owm", "export", "store"]);
}

/// The market context at the last close before a trade's entry, from a file of bars; the trade's own fields have precedence.
#[test]
fn prices_complete_the_context_of_a_trade() {
    let room = &Room::new();
    // Hourly bars that rise steadily for ten days, then fall for ten.
    let row = |hour: u32| {
        let close = if hour < 240 { 2000.0 + f64::from(hour) } else { 2480.0 - f64::from(hour) };
        format!("{},{close},{},{},{close}\n", 1_767_225_600 + 3_600 * hour, close + 1.0, close - 1.0)
    };
    write(
        room,
        "gold.csv",
        "time_utc,open,high,low,close\n".to_owned() + &(0..480).map(row).collect::<String>(),
    );
    let bare = |hour: u32, more: Value| {
        let mut bare = trade(hour, more);
        for name in ["context_regime", "context_session"] {
            bare.as_object_mut().unwrap().remove(name);
        }
        bare
    };
    let action = json!({ "context": { "regime": "ranging", "atr_d1": 7.0 } });
    let log = [
        bare(0, json!({})),
        bare(200, json!({})),
        bare(201, action),
        bare(470, json!({ "symbol": "EURUSD" })),
        bare(471, json!({})),
    ];
    write(room, "log.jsonl", lines(&log));
    answer(room, &["owm", "remember", "store", "log.jsonl", "--prices", "XAUUSD=gold.csv"]);
    let context = |id: &str| answer(room, &["owm", "trade", "store", id]).0["trade"]["context"].clone();
    assert_eq!(context("t000").get("regime"), None, "before the first close");
    let rising = context("t200");
    assert_eq!((&rising["regime"], &rising["price"]), (&json!("trending_up"), &json!(2199.0)), "{rising}");
    assert!(rising["atr_d1"].as_f64().unwrap() > 20.0 && rising["volatility_regime"].is_string(), "{rising}");
    let said = context("t201");
    has(&said, json!({ "regime": "ranging", "atr_d1": 7.0 }));
    assert_eq!(context("t470").get("regime"), None, "of another instrument");
    assert_eq!(context("t471")["regime"], "trending_down");
    let mut client = Client::new(room, &["owm", "serve", "store", "--prices", "XAUUSD=gold.csv"]);
    let taken = client.call("remember_trade", bare(300, json!({ "id": "late" }))).unwrap();
    assert_eq!(taken["context"]["regime"], "trending_down");
    for (flag, what) in [("gold.csv", "must be SYMBOL=FILE"), ("XAUUSD=none.csv", "none.csv")] {
        assert!(refusal(room, &["owm", "remember", "other", "log.jsonl", "--prices", flag]).contains(what));
    }
}
