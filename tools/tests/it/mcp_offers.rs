//! What servers offer besides tools: schemas that answers satisfy, resources, prompts, progress, and errors with their codes.

use super::mcp::Client;
use super::{Room, count, each, has, lines, says, write};
use serde_json::{Value, json};
use std::path::Path;

/// The violation of a schema by a value, if any. It knows only the keywords that this project's schemas use.
fn wrong(value: &Value, schema: &Value, place: &str) -> Option<String> {
    let is = |kind: &str| match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|float| float.fract() == 0.0)
        }
        other => panic!("{other} is no type"),
    };
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(all) => all.iter().map(|one| one.as_str().unwrap()).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.into_iter().any(is) {
        return Some(format!("{place}: {value} is no {}", schema["type"]));
    }
    if schema["enum"].as_array().is_some_and(|words| !words.contains(value)) {
        return Some(format!("{place}: {value} is none of {}", schema["enum"]));
    }
    let number = value.as_f64();
    if number.is_some_and(|n| {
        schema["minimum"].as_f64().is_some_and(|least| n < least)
            || schema["maximum"].as_f64().is_some_and(|most| n > most)
    }) {
        return Some(format!("{place}: {value} is out of range"));
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let all: Vec<String> = any.iter().map_while(|one| wrong(value, one, place)).collect();
        if all.len() == any.len() {
            return Some(all.join("; "));
        }
    }
    let missing = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|name| value.get(name.as_str().unwrap()).is_none());
    if let Some(missing) = missing {
        return Some(format!("{place}: {missing} is missing"));
    }
    let members = schema["properties"].as_object().into_iter().flatten();
    let mut members =
        members.filter_map(|(name, schema)| wrong(value.get(name)?, schema, &format!("{place}.{name}")));
    let items = value.as_array().filter(|_| !schema["items"].is_null()).into_iter().flatten();
    let mut items =
        items.enumerate().filter_map(|(n, one)| wrong(one, &schema["items"], &format!("{place}[{n}]")));
    members.next().or_else(|| items.next())
}

/// Calls every tool of a server with valid arguments. Each answer must satisfy the tool's declared schema.
fn check_answers(client: &mut Client, calls: &[(&str, Value)]) {
    let response = client.ask("tools/list", json!({}));
    let tools = response["result"]["tools"].as_array().unwrap().clone();
    for tool in &tools {
        let name = tool["name"].as_str().unwrap();
        assert!(calls.iter().any(|(called, _)| *called == name), "{name} isn't called");
        has(tool, json!({ "/inputSchema/type": "object", "/outputSchema/type": "object" }));
        // A schema without required members would accept anything.
        assert!(!tool["outputSchema"]["required"].as_array().unwrap().is_empty(), "{name}");
    }
    for (name, arguments) in calls {
        let answer =
            client.call(name, arguments.clone()).unwrap_or_else(|said| panic!("{name} {arguments}: {said}"));
        let tool = tools.iter().find(|tool| tool["name"] == *name).unwrap();
        assert_eq!(wrong(&answer, &tool["outputSchema"], name), None, "{answer}");
    }
}

fn summaries(room: &Path) {
    write(room, "dreaming/ada@home/memory-summary.txt", "## Memory\n\nA dragon.\n");
    write(room, "dreaming/empty/notes.txt", "");
}

fn nights(room: &Path, nights: u32) {
    for night in 1..=nights {
        let turn = json!({ "timestamp": format!("2026-05-{night:02}T15:00:00Z"), "action": "kill", "args": ["rat"] });
        write(room, &format!("sessions/ada/2026-05-{night:02}-150000.jsonl"), lines(&[turn]));
    }
}

#[test]
fn answers_keep_their_schemas() {
    let room = &Room::new();
    let mut client = Client::new(room, &["owm", "serve", "store"]);
    let trade = json!({ "symbol": "XAUUSD", "direction": "long", "entry_price": 2000, "exit_price": 2010, "pnl_r": 1, "strategy_name": "VB" });
    check_answers(
        &mut client,
        &[
            ("remember_trade", trade.clone()),
            (
                "remember_trade",
                json!({ "symbol": "XAUUSD", "direction": "short", "entry_price": 2000, "strategy_name": "VB", "colour": "red" }),
            ),
            ("recall_memories", json!({ "symbol": "XAUUSD" })),
            ("get_behavioral_analysis", json!({})),
            ("get_agent_state", json!({})),
            (
                "create_trading_plan",
                json!({ "trigger_condition": { "regime": "ranging" }, "planned_action": { "type": "alert" }, "reasoning": "r" }),
            ),
            ("check_active_plans", json!({})),
            ("carry_out_plan", json!({ "plan": "0" })),
            (
                "create_trading_plan",
                json!({ "trigger_condition": "{'regime': 'volatile'}", "planned_action": { "type": "alert" }, "reasoning": "r" }),
            ),
            ("cancel_plan", json!({ "plan_id": 1 })),
            ("update_equity", json!({ "equity": "9000" })),
            ("get_strategy_performance", json!({})),
            ("get_trade_reflection", json!({ "trade_id": "0" })),
        ],
    );
    summaries(room);
    nights(room, 2);
    let mut client = Client::new(room, &["dark-pawns", "serve", "dreaming", "--sessions", "sessions"]);
    check_answers(
        &mut client,
        &[
            ("dream", json!({ "agent": "ada", "dry_run": true })),
            ("dream", json!({ "agent": "ada", "nightly": true })),
            ("get_login_message", json!({ "agent": "ada" })),
            ("get_login_message", json!({ "agent": "nobody" })),
            ("get_memory_notes", json!({ "agent": "ada" })),
            ("get_memory_notes", json!({ "agent": "nobody", "limit": 0 })),
        ],
    );
    write(room, "ws/memory/2026-04-01.md", "VLAN ten is for guests\n");
    write(room, "openclaw.json", "{}");
    let hit = json!({ "path": "memory/2026-04-01.md", "startLine": 1, "endLine": 1, "score": 1.0, "snippet": "VLAN ten is for guests" });
    let mut client = Client::new(room, &["openclaw", "serve", "ws", "--config", "openclaw.json"]);
    check_answers(
        &mut client,
        &[
            ("record_search", json!({ "query": "vlan", "results": [hit] })),
            ("get_status", json!({})),
            ("promote", json!({})),
            ("dreaming", json!({})),
        ],
    );
}

#[test]
fn memories_are_resources() {
    let room = &Room::new();
    summaries(room);
    let read = |client: &mut Client, uri: &str| client.ask("resources/read", json!({ "uri": uri }));
    let uris =
        |client: &mut Client| each(&client.ask("resources/list", json!({}))["result"]["resources"], "/uri");
    let mut client = Client::new(room, &["dark-pawns", "serve", "dreaming"]);
    assert_eq!(uris(&mut client), json!(["dark-pawns://summary/ada@home"]));
    let response = client.ask("resources/templates/list", json!({}));
    assert_eq!(response["result"]["resourceTemplates"][0]["uriTemplate"], "dark-pawns://summary/{agent}");
    let response = read(&mut client, "dark-pawns://summary/ada@home");
    let content = json!({ "text": "## Memory\n\nA dragon.", "mimeType": "text/markdown" });
    has(&response["result"]["contents"][0], content);
    for uri in ["dark-pawns://summary/eve", "dark-pawns://summary/../ada@home", "file:///etc/passwd", ""] {
        let response = read(&mut client, uri);
        assert_eq!(response["error"]["code"], -32_002, "{uri}: {response}");
    }
    // A summary that is there and can't be read is an error that names its file, and not an unknown resource.
    let summary = room.join("dreaming/ada@home/memory-summary.txt");
    std::fs::remove_file(&summary).unwrap();
    std::fs::create_dir(&summary).unwrap();
    let response = read(&mut client, "dark-pawns://summary/ada@home");
    assert_eq!(response["error"]["code"], -32_603, "{response}");
    says(response["error"]["message"].as_str().unwrap(), &["memory-summary.txt: can't be read"]);
    let mut client = Client::new(room, &["owm", "serve", "store"]);
    client.call("remember_trade", json!({ "symbol": "XAUUSD", "direction": "long", "entry_price": 2000, "pnl_r": 1, "strategy_name": "VB" })).unwrap();
    for uri in uris(&mut client).as_array().unwrap() {
        let response = read(&mut client, uri.as_str().unwrap());
        let text =
            response["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{uri}: {response}"));
        assert!(serde_json::from_str::<Value>(text).unwrap().is_object(), "{uri}");
    }
    let response = read(&mut client, "owm://state");
    let state = response["result"]["contents"][0]["text"].as_str().unwrap();
    let state: Value = serde_json::from_str(state).unwrap();
    assert_eq!(state, client.call("get_agent_state", json!({})).unwrap());
    write(room, "ws/memory/2026-04-01.md", "VLAN ten is for guests\n");
    let mut client = Client::new(room, &["openclaw", "serve", "ws"]);
    assert_eq!(uris(&mut client), json!(["openclaw://status"]));
    assert_eq!(read(&mut client, "openclaw://MEMORY.md")["error"]["code"], -32_002);
    write(room, "ws/MEMORY.md", "# Mine\n");
    assert_eq!(uris(&mut client), json!(["openclaw://MEMORY.md", "openclaw://status"]));
    assert_eq!(read(&mut client, "openclaw://MEMORY.md")["result"]["contents"][0]["text"], "# Mine\n");
}

#[test]
fn prompts_begin_with_what_is_remembered() {
    let room = &Room::new();
    summaries(room);
    let text = |client: &mut Client, name: &str, arguments: Value| {
        let message = client.ask("prompts/get", json!({ "name": name, "arguments": arguments }));
        let text = message["result"]["messages"][0]["content"]["text"].as_str();
        text.unwrap_or_else(|| panic!("{message}")).to_owned()
    };
    let mut client = Client::new(room, &["dark-pawns", "serve", "dreaming"]);
    let response = client.ask("prompts/list", json!({}));
    assert_eq!(response["result"]["prompts"][0]["arguments"][0]["required"], true, "{response}");
    let known = text(&mut client, "at_login", json!({ "agent": "ada@home" }));
    assert!(known.ends_with("## Memory\n\nA dragon."), "{known}");
    says(&text(&mut client, "at_login", json!({ "agent": "eve" })), &["remember nothing"]);
    for params in [
        json!({ "name": "at_login" }),
        json!({ "name": "at_login", "arguments": { "agent": " " } }),
        json!({ "name": "at_dawn" }),
        json!({}),
    ] {
        assert_eq!(client.ask("prompts/get", params.clone())["error"]["code"], -32_602, "{params}");
    }
    let mut client = Client::new(room, &["owm", "serve", "store"]);
    let before = text(&mut client, "before_a_trade", json!({ "symbol": "XAUUSD", "strategy_name": "VB" }));
    says(&before, &[r#"recall_memories with {"symbol":"XAUUSD","strategy_name":"VB"}"#]);
    says(&text(&mut client, "after_a_trade", json!({ "trade": "long gold" })), &["long gold"]);
}

#[test]
fn a_long_call_says_how_far_it_is() {
    let room = &Room::new();
    nights(room, 12);
    let mut client = Client::new(room, &["dark-pawns", "serve", "dreaming", "--sessions", "sessions"]);
    let call = |id: &str, meta: Value| {
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": { "name": "dream", "arguments": { "agent": "ada", "nightly": true }, "_meta": meta } })
    };
    client.send(&call("first", json!({ "progressToken": "night" })));
    let mut steps = Vec::new();
    let answer = loop {
        let received = client.receive();
        if received["id"] == "first" {
            break received;
        }
        let step = json!({ "method": "notifications/progress", "/params/progressToken": "night", "/params/total": 12.0 });
        has(&received, step);
        steps.push(received["params"]["progress"].as_f64().unwrap());
    };
    assert_eq!(steps, (1..=12).map(f64::from).collect::<Vec<_>>());
    assert_eq!(answer["result"]["structuredContent"]["events_extracted"], 12, "{answer}");
    // A client that hasn't requested progress gets none.
    client.send(&call("second", Value::Null));
    assert_eq!(client.receive()["id"], "second");
}

#[test]
fn an_invalid_request_has_its_error_code() {
    let room = &Room::new();
    let mut client = Client::new(room, &["owm", "serve", "store"]);
    for (method, params, code) in [
        ("nonsense", json!({}), -32_601),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/prompt", "name": "x" }, "argument": { "name": "a", "value": "b" } }),
            -32_601,
        ),
        ("tools/call", json!({ "name": "forget_all" }), -32_602),
        ("tools/call", json!({}), -32_602),
        ("tools/call", json!({ "name": "get_agent_state", "arguments": [] }), -32_602),
        ("tools/list", json!({ "cursor": "page-2" }), -32_602),
        ("resources/read", json!({}), -32_602),
        ("resources/read", json!({ "uri": 7 }), -32_602),
        ("resources/read", json!({ "uri": "owm://nothing" }), -32_002),
        ("prompts/get", json!({ "name": "nothing" }), -32_602),
    ] {
        let response = client.ask(method, params.clone());
        assert_eq!(response["error"]["code"], code, "{method} {params}: {response}");
        assert!(!response["error"]["message"].as_str().unwrap().is_empty());
    }
    assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
    let listed = client.ask("tools/list", json!({ "cursor": null, "_meta": null }));
    assert_eq!(count(&listed["result"]["tools"]), 11);
}
