//! Arguments in the forms of real clients: null, JSON texts, numbers as text, other names, fields of the framework. Each form was reported for a
//! client: see `tools/tests/reports/dark-pawns-and-mcp.md`.

use super::mcp::Client;
use super::{Room, count, with, write};
use serde_json::{Value, json};

fn trade() -> Value {
    json!({ "symbol": "XAUUSD", "direction": "long", "entry_price": 2000, "exit_price": 2010, "pnl": 100, "pnl_r": 1, "strategy_name": "VB",
        "market_context": "calm" })
}

/// Remembers the trade with some arguments changed. Returns the stored trade, and the remarks.
#[track_caller]
fn remembered(client: &mut Client, more: Value) -> (Value, Vec<String>) {
    let answer = client
        .call("remember_trade", with(trade(), more.clone()))
        .unwrap_or_else(|said| panic!("{more}: {said}"));
    let remarks = answer["remarks"].as_array().cloned().unwrap_or_default();
    let question =
        json!({ "symbol": "XAUUSD", "market_context": "calm", "limit": 1000, "memory_types": ["episodic"] });
    let recalled = client.call("recall_memories", question).unwrap();
    let newest = recalled["ranked"].as_array().unwrap().iter().max_by_key(|one| {
        let id = one["id"].as_str().map_or_else(|| one["id"].to_string(), str::to_owned);
        (id.len(), id)
    });
    (newest.unwrap().clone(), remarks.iter().map(|one| one.as_str().unwrap().to_owned()).collect())
}

#[test]
fn a_trade_is_accepted_in_every_form() {
    let room = &Room::new();
    let mut client = Client::new(room, &["owm", "serve", "store"]);
    let silent = [
        json!({}),
        json!({ "reflection": null, "max_adverse_excursion": null, "context_regime": null, "confidence": null, "id": null, "timestamp": null }),
        json!({ "reflection": "", "context_regime": "", "confidence": "", "timestamp": " " }),
        json!({ "reflection": "null", "confidence": "null", "context_regime": "None" }),
        json!({ "entry_price": "2000.5", "pnl": "100", "pnl_r": "+1.0", "exit_price": " 2010 " }),
        json!({ "direction": "LONG", "context_regime": "Trending Up" }),
        json!({ "direction": "long", "context": "{\"session\": \"london\"}" }),
        json!({ "context": "{'session': 'london'}" }),
        json!({ "context": "\"{\\\"session\\\": \\\"london\\\"}\"" }),
        json!({ "symbol": ["XAUUSD"] }),
        json!({ "entryPrice": 2000.0, "marketContext": "calm", "strategyName": "VB" }),
    ];
    for more in silent {
        let mut more = more;
        // A name in another style replaces the argument, because both together would be ambiguous.
        if more.get("entryPrice").is_some() {
            more["entry_price"] = Value::Null;
        }
        let (_, remarks) = remembered(&mut client, more.clone());
        let expected = if more.get("entryPrice").is_some() { 2 } else { 0 };
        assert_eq!(remarks.len(), expected, "{more}: {remarks:?}");
    }
    for (more, remark) in [
        (
            json!({ "sessionId": "abc", "action": "sendMessage", "toolCallId": "call_0BCI" }),
            "toolCallId: ignored, remember_trade has no such argument",
        ),
        (json!({ "direction": "buy" }), "direction: \"buy\" is taken for \"long\""),
        (json!({ "context_regime": "bullish" }), "context_regime: \"bullish\" is taken for \"trending_up\""),
        (json!({ "lotSize": 1.0, "LotSize": 2.0 }), "LotSize: ignored, because lot_size is given as well"),
        (
            json!({ "reflexion": "wait" }),
            "reflexion: ignored, remember_trade has no such argument (did you mean reflection?)",
        ),
    ] {
        let (_, remarks) = remembered(&mut client, more.clone());
        assert!(remarks.iter().any(|one| one == remark), "{more}: {remarks:?}");
    }
    let (named, remarks) = remembered(&mut client, json!({ "trade_id": "zz-abc" }));
    assert_eq!((named["id"].as_str(), remarks.len()), (Some("zz-abc"), 0), "{named}");
    // A meaningless value is refused, with the remarks beside the error, and the store is unchanged.
    let before = client.call("get_agent_state", json!({})).unwrap()["episodes"].clone();
    for (more, said) in [
        (json!({ "direction": "sideways" }), "sideways"),
        (json!({ "entry_price": "1,234" }), "1,234"),
        (json!({ "entry_price": "inf" }), "inf"),
        (json!({ "context_regime": "euphoric" }), "euphoric"),
        (json!({ "symbol": null, "colour": "red" }), "colour: ignored"),
    ] {
        let refused = client.call("remember_trade", with(trade(), more.clone())).unwrap_err();
        assert!(refused.contains(said), "{more}: {refused}");
    }
    assert_eq!(client.call("get_agent_state", json!({})).unwrap()["episodes"], before);
}

#[test]
fn objects_lists_and_counts_are_accepted_as_text() {
    let room = &Room::new();
    let mut client = Client::new(room, &["owm", "serve", "store"]);
    client.call("remember_trade", trade()).unwrap();
    let plan = json!({ "trigger_condition": "{\"regime\":\"ranging\"}", "planned_action": "{\"type\":\"skip_trade\"}", "reasoning": "r",
        "expiry_days": "30", "priority": "0.7", "trigger_type": "market_condition" });
    assert_eq!(client.call("create_trading_plan", plan).unwrap()["plans"], 1);
    for present in [
        json!({ "current_context": { "regime": "ranging" } }),
        json!({ "current_context": "{\"regime\":\"ranging\"}" }),
        json!({ "current_context": "{regime: 'ranging'}" }),
        json!({ "context_regime": "ranging" }),
    ] {
        let plans = client.call("check_active_plans", present.clone()).unwrap();
        assert_eq!(count(&plans["plans"]), 1, "{present}");
    }
    for question in [
        json!({ "limit": "3" }),
        json!({ "limit": 3.0 }),
        json!({ "memory_types": "[\"episodic\"]" }),
        json!({ "memory_types": "episodic, semantic" }),
        json!({ "memory_types": "episodic" }),
        json!({ "memory_types": "Episodic" }),
        json!({ "memory_types": ["[\"episodic\", \"semantic\"]"] }),
        json!({ "memory_types": ["null"] }),
        json!({ "memory_types": null }),
        json!({ "now": 4_102_444_800_i64 }),
        json!({ "now": 4_102_444_800_000_i64 }),
        json!({ "now": "4102444800" }),
        json!({ "now": "2100-01-01 00:00:00" }),
        json!({ "arguments": { "symbol": "XAUUSD" } }),
        json!({ "use_hybrid": true, "order": "outcome" }),
    ] {
        let recalled = client
            .call("recall_memories", question.clone())
            .unwrap_or_else(|said| panic!("{question}: {said}"));
        assert_eq!(count(&recalled["ranked"]), 1, "{question}");
    }
    // An id is a text, even if a model writes it as a number.
    assert_eq!(client.call("get_trade_reflection", json!({ "trade_id": 0 })).unwrap()["trade"]["pnl_r"], 1.0);
    let done = client.call("get_strategy_performance", json!({ "strategy": "VB", "symbol": null })).unwrap();
    assert_eq!(done["performance"][0]["trades"], 1);
    for arguments in [json!(null), json!("{}"), json!("")] {
        let response = client.ask("tools/call", json!({ "name": "get_agent_state", "arguments": arguments }));
        assert_eq!(response["result"]["structuredContent"]["episodes"], 1, "{response}");
    }
}

#[test]
fn searches_and_agents_are_accepted_in_every_form() {
    let room = &Room::new();
    write(room, "ws/memory/2026-04-01.md", "VLAN ten is for guests\n");
    let hit = json!({ "path": "memory/2026-04-01.md", "startLine": 1, "endLine": 1, "score": 0.9, "snippet": "VLAN ten is for guests" });
    let mut client = Client::new(room, &["openclaw", "serve", "ws"]);
    for (number, results) in [
        json!(json!([hit]).to_string()),
        json!(hit.to_string()),
        json!(hit),
        json!([with(
            hit.clone(),
            json!({ "startLine": 1.0, "endLine": "1", "score": "0.9", "citation": "x", "vectorScore": 0.8 })
        )]),
        json!([with(hit.clone(), json!({ "snippet": null, "source": null }))]),
    ]
    .into_iter()
    .enumerate()
    {
        let search = json!({ "query": format!("vlan {number}"), "results": results, "at": format!("2026-04-0{}T08:00:00", 1 + number) });
        assert_eq!(client.call("record_search", search).unwrap()["recalls"], 1, "{results}");
    }
    let arguments =
        json!({ "apply": "false", "limit": "5", "min_score": "0.1", "now": "2026-04-07T08:00:00Z" });
    assert_eq!(client.call("promote", arguments).unwrap()["notes"], Value::Null);
    write(room, "dreaming/hero/memory-summary.txt", "## Memory\n\nA dragon.\n");
    let mut client = Client::new(room, &["dark-pawns", "serve", "dreaming"]);
    for arguments in [
        json!({ "agent": "hero" }),
        json!({ "agent_id": "hero" }),
        json!({ "agentId": "hero" }),
        json!({ "agent": "hero", "sessionId": "s" }),
    ] {
        let found = client.call("get_login_message", arguments.clone()).unwrap();
        assert_eq!(found["message"]["summary"], "## Memory\n\nA dragon.", "{arguments}");
    }
}
