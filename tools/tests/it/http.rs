//! `serve --http`: memories as tools over streamable HTTP. The official clients are in `tools/tests/mcp`.

use super::{Room, answer, count, lines, memory, refuses, says, write};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

/// A server, which is killed if its test ends early.
struct Served {
    process: Child,
    address: String,
    token: Option<String>,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Served {
    fn new(room: &Path, flags: &[&str], needs_token: bool) -> Self {
        let mut process = memory(room, flags).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.as_mut().unwrap()).lines().map(Result::unwrap);
        let mut last_word = || lines.next().unwrap().split_whitespace().last().unwrap().to_owned();
        let url = last_word();
        let address = url.strip_prefix("http://").unwrap().strip_suffix("/mcp").unwrap().to_owned();
        let token = needs_token.then(last_word);
        Self { process, address, token }
    }

    /// The status and the whole answer.
    fn ask(&self, first: &str, host: &str, headers: &str, body: &str) -> (u16, String) {
        let port = self.address.rsplit(':').next().unwrap();
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let length = body.len();
        let request = format!(
            "{first} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\
             Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n{headers}\r\n{body}"
        );
        // A server that refuses may close the connection before all was sent.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        (answer.split(' ').nth(1).map_or(0, |status| status.parse().unwrap()), answer)
    }

    fn post(&self, headers: &str, message: &Value) -> (u16, String) {
        self.ask("POST /mcp", &self.address, headers, &message.to_string())
    }

    /// The result of a request by the protocol.
    fn result(&self, method: &str, params: Value) -> Value {
        let token = self.token.as_ref();
        let headers = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let (status, answer) = self.post(&headers, &request);
        assert_eq!(status, 200, "{answer}");
        let (from, to) = (answer.find('{').unwrap(), answer.rfind('}').unwrap());
        let message: Value = serde_json::from_str(&answer[from..=to]).unwrap();
        message["result"].clone()
    }

    fn call(&self, tool: &str, arguments: Value) -> Value {
        let result = self.result("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_ne!(result["isError"], true, "{result}");
        result["structuredContent"].clone()
    }
}

fn hello() -> Value {
    json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } })
}

fn trade(day: u32) -> Value {
    json!({ "symbol": "XAUUSD", "direction": "long", "entry_price": 2000.0, "pnl_r": 1.0, "strategy_name": "breakout",
        "timestamp": format!("2026-02-{day:02}T14:00:00Z") })
}

#[test]
fn concurrent_agents_share_a_server() {
    let room = &Room::new();
    let served = Served::new(room, &["owm", "serve", "store", "--http"], false);
    assert_eq!(served.result("initialize", hello())["serverInfo"]["name"], "morta-owm");
    assert_eq!(count(&served.result("tools/list", json!({}))["tools"]), 11);
    // All trades have one moment, so that none is late after another agent's.
    const AGENTS: u32 = 20;
    // Without a moment a trade happens when it gets the lock, so none is earlier than the one before it.
    let mut now = trade(1);
    now.as_object_mut().unwrap().remove("timestamp");
    for trade in [trade(1), now] {
        std::thread::scope(|scope| {
            for _ in 0..AGENTS {
                scope.spawn(|| assert_eq!(served.call("remember_trade", trade.clone())["trades"], 1));
            }
        });
    }
    let state = served.call("get_agent_state", json!({}));
    assert_eq!(state["episodes"], 2 * AGENTS);
    assert_eq!(state, answer(room, &["owm", "state", "store"]).0);
    let wrong = json!({ "name": "remember_trade", "arguments": { "colour": "red" } });
    assert_eq!(served.result("tools/call", wrong)["isError"], true);
    // The server keeps no session, so none can be resumed.
    let first = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello() });
    assert!(!served.post("", &first).1.contains("mcp-session-id"));
    // Ctrl-C ends the server with exit code 0.
    let mut served = served;
    let pid = served.process.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert!(served.process.wait().unwrap().success());
}

#[test]
fn a_foreign_host_or_origin_and_a_large_body_are_refused() {
    let room = &Room::new();
    let served = Served::new(room, &["owm", "serve", "store", "--http", "127.0.0.1"], false);
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let port = served.address.rsplit(':').next().unwrap();
    assert_eq!(served.post("", &request).0, 200);
    assert_eq!(served.ask("POST /mcp", &format!("localhost:{port}"), "", &request.to_string()).0, 200);
    // A page whose name resolves to this machine (DNS rebinding), and a page of another origin.
    assert_eq!(served.ask("POST /mcp", &format!("evil.example:{port}"), "", &request.to_string()).0, 421);
    for origin in ["http://evil.example", "null", "http://localhost:1"] {
        assert_eq!(served.post(&format!("Origin: {origin}\r\n"), &request).0, 403, "{origin}");
    }
    assert_eq!(served.post(&format!("Origin: http://{}\r\n", served.address), &request).0, 200);
    let long = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "cursor": "x".repeat(2 << 20) } });
    assert_eq!(served.post("", &long).0, 413);
    assert_eq!(served.ask("GET /mcp", &served.address, "", "").0, 405);
    assert_eq!(served.ask("GET /", &served.address, "", "").0, 404);
    for (body, code) in [("{", -32_700), ("[]", -32_600), (r#"{"id":1,"method":"ping"}"#, -32_600)] {
        let (status, answered) = served.ask("POST /mcp", &served.address, "", body);
        let message: Value =
            serde_json::from_str(&answered[answered.find("\r\n\r\n").unwrap() + 4..]).unwrap();
        assert_eq!(status, if message["id"].is_null() { 400 } else { 200 }, "{answered}");
        assert_eq!(message["error"]["code"], code, "{answered}");
    }
    let as_text = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "check_active_plans", "arguments": "{\"now\": \"2026-02-01T00:00:00Z\"}" } });
    let (status, answered) = served.post("", &as_text);
    assert!(status == 200 && !answered.contains("-32602"), "{answered}");
    assert_eq!(served.post("", &request).0, 200, "and it still answers");
    refuses(
        room,
        &["owm", "serve", "store", "--http", port],
        &[&format!("--http 127.0.0.1:{port}: can't be listened on")],
    );
    refuses(room, &["owm", "serve", "--http", "store"], &["goes before --http"]);
}

#[test]
fn an_address_other_than_loopback_needs_the_token() {
    let room = &Room::new();
    let served = Served::new(room, &["dark-pawns", "serve", "dreaming", "--http", "0.0.0.0:0"], true);
    let address = served.address.replace("0.0.0.0", "127.0.0.1");
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string();
    assert_eq!(served.ask("POST /mcp", &address, "", &request).0, 401);
    assert_eq!(served.ask("POST /mcp", &address, "Authorization: Bearer 0\r\n", &request).0, 401);
    assert_eq!(count(&served.result("tools/list", json!({}))["tools"]), 2);
}

/// The answer of a long call is a stream if the client requests progress, and one message otherwise.
#[test]
fn progress_is_streamed_to_a_client_that_requests_it() {
    let room = &Room::new();
    for night in 1..=3 {
        let turn =
            json!({ "timestamp": format!("2026-05-0{night}T15:00:00Z"), "action": "kill", "args": ["rat"] });
        write(room, &format!("sessions/ada/2026-05-0{night}-150000.jsonl"), lines(&[turn]));
    }
    let served =
        Served::new(room, &["dark-pawns", "serve", "dreaming", "--sessions", "sessions", "--http"], false);
    let call = |meta: Value| {
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "dream", "arguments": { "agent": "ada", "nightly": true, "dry_run": true }, "_meta": meta } })
    };
    let (status, answered) = served.post("", &call(json!({ "progressToken": 7 })));
    assert_eq!((status, answered.matches("notifications/progress").count()), (200, 3), "{answered}");
    says(&answered, &["text/event-stream", "\"events_extracted\":3"]);
    let (status, answered) = served.post("", &call(Value::Null));
    says(&answered, &["application/json"]);
    assert!(status == 200 && !answered.contains("notifications/"), "{answered}");
}
