//! `serve`: memories as tools, tested by the protocol itself. The official clients are in `tools/tests/mcp`.

use super::{Room, answer, count, each, has, lines, memory, printed, read, refuses, says, write};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// A client with the server that it has started.
pub(super) struct Client {
    pub(super) server: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    requests: u64,
}

impl Client {
    pub(super) fn new(room: &Path, flags: &[&str]) -> Self {
        let mut server = memory(room, flags).stdin(Stdio::piped()).spawn().unwrap();
        let (to, from) = (server.stdin.take(), BufReader::new(server.stdout.take().unwrap()));
        let mut client = Self { server, to, from, requests: 0 };
        let about = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        let response = client.ask("initialize", about);
        let name = response["result"]["serverInfo"]["name"].as_str().unwrap();
        assert!(name.starts_with("morta-"), "{response}");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    pub(super) fn send(&mut self, message: &Value) {
        writeln!(self.to.as_mut().unwrap(), "{message}").unwrap();
    }

    /// Calls a tool. Returns whether an answer arrived; a killed server gives none.
    pub(super) fn try_call(&mut self, tool: &str, arguments: Value) -> bool {
        let params = json!({ "name": tool, "arguments": arguments });
        let message = json!({ "jsonrpc": "2.0", "id": 0, "method": "tools/call", "params": params });
        let mut line = String::new();
        writeln!(self.to.as_mut().unwrap(), "{message}").is_ok()
            && self.from.read_line(&mut line).is_ok_and(|read| read > 0 && line.ends_with('\n'))
    }

    /// The next message of the server.
    pub(super) fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    pub(super) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params }));
        let response = self.receive();
        assert_eq!(response["id"], self.requests, "{response}");
        response
    }

    /// The names of the tools.
    fn tools(&mut self) -> Value {
        each(&self.ask("tools/list", json!({}))["result"]["tools"], "/name")
    }

    /// Calls a tool. Returns its answer, or the text of its error.
    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Result<Value, String> {
        let response = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        let result = &response["result"];
        if result["isError"] == true {
            return Err(result["content"][0]["text"].as_str().unwrap().to_owned());
        }
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);
        Ok(text)
    }
}

/// A server ends in order when its client goes.
impl Drop for Client {
    fn drop(&mut self) {
        drop(self.to.take());
        if !std::thread::panicking() {
            assert!(self.server.wait().unwrap().success());
        }
    }
}

fn trade(day: u32, pnl_r: f64) -> Value {
    json!({ "symbol": "XAUUSD", "direction": "long", "entry_price": 2000.0, "exit_price": 2000.0 + pnl_r, "pnl": 100.0 * pnl_r,
        "pnl_r": pnl_r, "strategy_name": "breakout", "market_context": "quiet", "context_regime": "trending_up", "context_atr_d1": 20.0,
        "confidence": 0.6, "reflection": "waited", "max_adverse_excursion": 0.2, "timestamp": format!("2026-02-{day:02}T14:00:00Z") })
}

/// Trades by tools give the same store and answers as trades by commands.
#[test]
fn tools_and_commands_give_the_same_store() {
    let room = &Room::new();
    let trades: Vec<Value> = (1..=12).map(|day| trade(day, if day % 3 == 0 { -1.0 } else { 1.5 })).collect();
    write(room, "log.jsonl", lines(&trades));
    answer(room, &["owm", "remember", "by_commands", "log.jsonl"]);
    let mut client = Client::new(room, &["owm", "serve", "served"]);
    let names = json!([
        "remember_trade",
        "update_equity",
        "recall_memories",
        "get_behavioral_analysis",
        "get_agent_state",
        "create_trading_plan",
        "carry_out_plan",
        "cancel_plan",
        "check_active_plans",
        "get_strategy_performance",
        "get_trade_reflection"
    ]);
    assert_eq!(client.tools(), names);
    for trade in &trades {
        assert_eq!(client.call("remember_trade", trade.clone()).unwrap()["trades"], 1);
    }
    let state = client.call("get_agent_state", json!({})).unwrap();
    assert_eq!(state, answer(room, &["owm", "state", "by_commands"]).0);
    let habits = client.call("get_behavioral_analysis", json!({ "strategy_name": "breakout" })).unwrap();
    assert_eq!(habits, answer(room, &["owm", "analysis", "by_commands"]).0);
    let present = json!({ "symbol": "XAUUSD", "market_context": "quiet", "context_regime": "trending_up", "context_atr_d1": 20.0,
        "strategy_name": "breakout", "limit": 4, "now": "2026-02-20T00:00:00Z" });
    let recalled = client.call("recall_memories", present).unwrap();
    let question = json!({ "symbol": "XAUUSD", "strategy_name": "breakout", "limit": 4, "now": "2026-02-20T00:00:00Z",
        "query_context": { "market_context": "quiet", "regime": "trending_up", "atr_d1": 20.0 } });
    write(room, "question.json", question);
    assert_eq!(recalled, answer(room, &["owm", "recall", "question.json", "--store", "by_commands"]).0);
    assert_eq!(count(&recalled["ranked"]), 4);

    let plan = json!({ "trigger_condition": { "drawdown_pct": { "gt": 0.1 } }, "reasoning": "keep some",
        "planned_action": { "type": "skip_trade" }, "timestamp": "2026-02-13T00:00:00Z" });
    client.call("create_trading_plan", plan).unwrap();
    let now = "2026-02-14T00:00:00Z";
    let mut check = |drawdown: f64| {
        let present = json!({ "current_context": { "drawdown_pct": drawdown }, "now": now });
        count(&client.call("check_active_plans", present).unwrap()["plans"])
    };
    assert_eq!((check(0.2), check(0.05)), (1, 0));
    let done = client.call("get_strategy_performance", json!({ "symbol": "XAUUSD" })).unwrap();
    let done = &done["performance"][0];
    has(done, json!({ "trades": 12, "wins": 8, "profit_factor": 3.0 }));
    assert_eq!(done["avg_pnl_r"], json!(8.0 / 12.0));
    let trade = client.call("get_trade_reflection", json!({ "trade_id": "0" })).unwrap();
    has(&trade, json!({ "reflection": "waited", "/trade/pnl_r": 1.5 }));

    // An error is an answer that says what to correct, and the store is unchanged.
    let mut wrong = |tool: &str, arguments: Value, what: &str| {
        says(&client.call(tool, arguments).unwrap_err(), &[what]);
    };
    wrong("remember_trade", json!({ "symbol": "XAUUSD" }), "missing field");
    wrong("remember_trade", json!({ "timestamp": "2026-02-15T00:00:00Z", "colour": "red" }), "colour");
    wrong("recall_memories", json!({ "limit": "many" }), "arguments: ");
    wrong("get_trade_reflection", json!({ "trade_id": "99" }), "99");
    wrong("check_active_plans", json!({ "now": "soon" }), "write a moment as");
    let unknown = client.ask("tools/call", json!({ "name": "forget_all", "arguments": {} }));
    assert!(unknown["error"]["message"].as_str().unwrap().contains("remember_trade"), "{unknown}");
    assert_eq!(client.call("get_agent_state", json!({})).unwrap()["episodes"], 12);
}

#[test]
fn the_login_tool_returns_the_login_message() {
    let room = &Room::new();
    write(room, "dreaming/ada/memory-summary.txt", "I met a dragon.\n");
    let mut client = Client::new(room, &["dark-pawns", "serve", "dreaming"]);
    assert_eq!(client.tools(), json!(["get_login_message", "get_memory_notes"]));
    let result = client.call("get_login_message", json!({ "agent": "ada" })).unwrap();
    let (message, _) = answer(room, &["dark-pawns", "login", "--agent", "ada", "--dreaming", "dreaming"]);
    assert_eq!(result["message"], message);
    assert_eq!(client.call("get_login_message", json!({ "agent": "eve" })).unwrap()["message"], Value::Null);
    assert!(client.call("get_login_message", json!({ "agent": "../ada" })).is_err());
    let node = |id: &str, salience: f64, valence: i32, day: u32| {
        let at = format!("2026-05-{day:02}T10:00:00Z");
        json!({ "id": id, "kind": "entity", "label": id, "salience": salience, "valence": valence, "created_at": at, "updated_at": at, "visit_count": 2 })
    };
    let nodes = json!({
        "rat": node("rat", 0.4, -1, 9), "orc": node("orc", 0.9, -2, 1), "bard": node("bard", 0.9, 3, 2),
        "dragon": node("dragon", 0.2, -3, 9)
    });
    write(room, "dreaming/ada/memory-graph.json", json!({ "nodes": nodes, "edges": [] }));
    let result = client.call("get_memory_notes", json!({ "agent": "ada", "limit": 3 })).unwrap();
    assert_eq!(each(&result["notes"], "/what"), json!(["bard", "orc", "rat"]));
    has(&result, json!({ "warnings": ["orc"], "remembered": 4 }));
    let flags = ["dark-pawns", "notes", "--agent", "ada", "--dreaming", "dreaming", "--limit", "3", "--json"];
    assert_eq!(result, answer(room, &flags).0);
    let nobody = client.call("get_memory_notes", json!({ "agent": "eve" })).unwrap();
    has(&nobody, json!({ "notes": [], "remembered": 0 }));
    assert!(client.call("get_memory_notes", json!({ "agent": "../ada" })).is_err());
}

#[test]
fn searches_recorded_by_tools_are_promoted() {
    const FACT: &str = "VLAN ten is for guests";
    let room = &Room::new();
    write(room, "ws/memory/2026-04-01.md", format!("{FACT}\n"));
    let mut client = Client::new(room, &["openclaw", "serve", "ws"]);
    assert_eq!(client.tools(), json!(["record_search", "get_status", "promote", "dreaming"]));
    let hit = json!({ "path": "memory/2026-04-01.md", "startLine": 1, "endLine": 1, "score": 1.0, "snippet": FACT });
    for n in 0..10 {
        let at = format!("2026-04-{:02}T{:02}:00:00Z", 1 + n / 3, 8 + n % 3);
        let search = json!({ "query": format!("question {n}"), "results": [hit], "at": at });
        assert_eq!(client.call("record_search", search).unwrap()["recalls"], 1);
    }
    let now = "2026-04-05T03:00:00Z";
    assert_eq!(count(&client.call("get_status", json!({ "now": now })).unwrap()["phases"]), 3);
    assert_eq!(client.call("promote", json!({ "now": now })).unwrap()["passing"], 1);
    assert!(!room.join("ws/MEMORY.md").exists());
    client.call("promote", json!({ "now": now, "apply": true, "limit": 5 })).unwrap();
    assert!(read(room, "ws/MEMORY.md").contains(FACT));
    let said = client.call("record_search", json!({ "query": "q", "results": "a few" })).unwrap_err();
    assert!(said.contains("results") || said.contains("sequence"), "{said}");
    assert!(client.call("promote", json!({ "min_score": 7 })).unwrap_err().contains("min_score"));
    assert!(client.call("dreaming", json!({})).unwrap_err().contains("--config"));
    write(room, "openclaw.json", "{ // mine\n  plugins: {},\n}\n");
    let mut client = Client::new(room, &["openclaw", "serve", "ws", "--config", "openclaw.json"]);
    assert_eq!(client.call("dreaming", json!({})).unwrap()["enabled"], true);
    let off = client.call("dreaming", json!({ "enabled": false })).unwrap();
    has(&off, json!({ "enabled": false, "changed": true }));
    let status = client.call("get_status", json!({ "now": now })).unwrap();
    assert_eq!(status["settings"]["dreaming"]["enabled"], false, "what is switched counts at once");
    assert!(read(room, "openclaw.json").starts_with("{ // mine\n"));
}

#[test]
fn invalid_messages_are_answered_and_a_silent_client_ends_the_server() {
    let room = &Room::new();
    assert_eq!(printed(room, &["owm", "serve", "store"]), "");
    refuses(room, &["openclaw", "serve", "nowhere"], &["name a workspace"]);
}
