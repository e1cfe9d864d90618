//! A JSON-RPC filter (middleware) between a client and the protocol's SDK. The SDK ignores a message that isn't a request of JSON-RPC 2.0,
//! and the client would wait for ever; so it is answered here with the standard's code: parse error, invalid request (a batch is one) or
//! invalid params. A request in an incorrect form (null for missing values, arguments as a JSON text) is corrected first.
//!
//! Both transports use the gate: over stdio, with lines up to 16 MiB, it also enforces that `initialize` comes first; over HTTP it is open
//! from the start, because that server keeps no session.

use serde_json::{Map, Value, json};
use std::sync::Arc;
use tokio::io::{
    AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Stdout,
};
use tokio::sync::Mutex;

/// The codes of JSON-RPC 2.0, section 5.1.
const PARSE_ERROR: i64 = -32_700;
const INVALID_REQUEST: i64 = -32_600;
const INVALID_PARAMS: i64 = -32_602;
/// Length in bytes of the longest line that is read. Our choice: a thousand times any request of these tools.
const LONGEST_LINE: u64 = 16 << 20;

/// The treatment of a message.
#[derive(Debug, PartialEq)]
pub(super) enum Line {
    /// Passed to the SDK.
    Passes,
    /// Passed to the SDK in a corrected form.
    Mended(Value),
    /// Ignored, because it requests nothing.
    Dropped,
    /// Answered here.
    Answered(Value),
}

/// The state of a conversation, which decides what a client may send.
#[derive(Debug, Default)]
pub(super) struct Gate {
    /// Whether `initialize` was requested. Before that the SDK accepts nothing but `ping`, and ends at a notification.
    is_open: bool,
}

impl Gate {
    /// A state without a handshake, for a transport that keeps nothing between two requests (stateless session).
    pub(super) const fn open() -> Self {
        Self { is_open: true }
    }

    /// Decides whether a message is passed on, corrected or answered here.
    pub(super) fn judge(&mut self, line: &[u8]) -> Line {
        if line.trim_ascii().is_empty() {
            return Line::Dropped;
        }
        let value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(error) => {
                return refused(&Value::Null, PARSE_ERROR, &format!("this line is no JSON: {error}"));
            }
        };
        let Value::Object(message) = value else {
            return refused(
                &Value::Null,
                INVALID_REQUEST,
                // Batches were in one version of MCP and were removed again, so they are refused by name rather than ignored.
                "a message must be an object; batches aren't part of MCP",
            );
        };
        let id = message.get("id");
        let known = match id {
            None => &Value::Null,
            // JSON-RPC allows null and fractions as ids, and MCP doesn't, so these are refused without an id.
            Some(id) if id.is_string() || id.is_i64() || id.is_u64() => id,
            Some(_) => return refused(&Value::Null, INVALID_REQUEST, "id must be a text or a whole number"),
        };
        if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return refused(known, INVALID_REQUEST, "jsonrpc must be \"2.0\"");
        }
        match (message.get("method"), id) {
            (Some(Value::String(method)), Some(_)) => self.request(known, method, &message),
            (Some(Value::String(_)), None) if self.is_open => Line::Passes,
            (Some(Value::String(_)), None) => Line::Dropped,
            (Some(_), _) => refused(known, INVALID_REQUEST, "method must be a text"),
            // An answer to a request of the server.
            (None, Some(_)) if message.contains_key("result") || message.contains_key("error") => {
                if self.is_open { Line::Passes } else { Line::Dropped }
            }
            (None, _) => refused(known, INVALID_REQUEST, "method is missing"),
        }
    }

    fn request(&mut self, id: &Value, method: &str, message: &Map<String, Value>) -> Line {
        if !self.is_open && method != "initialize" && method != "ping" {
            return refused(id, INVALID_REQUEST, "the first request must be initialize");
        }
        let none = Map::new();
        let given = match message.get("params") {
            None | Some(Value::Null) => &none,
            Some(Value::Object(params)) => params,
            Some(_) => return refused(id, INVALID_PARAMS, "params must be an object"),
        };
        let params = mended(method, given);
        let wrong = match method {
            "initialize" => wrong_initialize(&params),
            "tools/call" => wrong_call(&params),
            "resources/read" if !is_text(&params, "uri") => Some("params.uri must be a text"),
            "prompts/get" => wrong_prompt(&params),
            // Each list fits in one page, so a cursor is never valid.
            "tools/list" | "resources/list" | "resources/templates/list" | "prompts/list"
                if params.contains_key("cursor") =>
            {
                Some("params.cursor is none of this server's: there is one page")
            }
            _ => None,
        };
        if let Some(wrong) = wrong {
            return refused(id, INVALID_PARAMS, wrong);
        }
        self.is_open |= method == "initialize";
        // A correct message is passed on byte for byte, so that nothing is lost by parsing and writing it again.
        if params == *given && message.get("params") != Some(&Value::Null) {
            return Line::Passes;
        }
        let mut message = message.clone();
        message.insert("params".to_owned(), Value::Object(params));
        Line::Mended(Value::Object(message))
    }
}

/// The parameters without null members, and with arguments in the protocol's form.
fn mended(method: &str, given: &Map<String, Value>) -> Map<String, Value> {
    let means = |(name, value): &(&String, &Value)| {
        !(value.is_null() || name.as_str() == "cursor" && value.as_str() == Some(""))
    };
    let mut params: Map<String, Value> =
        given.iter().filter(means).map(|(name, value)| (name.clone(), value.clone())).collect();
    if let Some(Value::String(text)) = params.get("arguments") {
        if text.trim().is_empty() {
            params.remove("arguments");
        } else if let Ok(Value::Object(arguments)) = serde_json::from_str(text) {
            params.insert("arguments".to_owned(), Value::Object(arguments));
        }
    }
    if let Some(Value::Object(arguments)) = params.get_mut("arguments").filter(|_| method == "prompts/get") {
        arguments.retain(|_, value| !value.is_null());
        for value in arguments.values_mut().filter(|value| value.is_number() || value.is_boolean()) {
            *value = value.to_string().into();
        }
    }
    params
}

fn is_text(params: &Map<String, Value>, key: &str) -> bool {
    params.get(key).is_some_and(Value::is_string)
}

fn wrong_prompt(params: &Map<String, Value>) -> Option<&'static str> {
    let arguments = params.get("arguments").map(Value::as_object);
    if !is_text(params, "name") {
        Some("params.name must be a text")
    } else if arguments.is_some_and(|given| given.is_none_or(|given| !given.values().all(Value::is_string))) {
        Some("params.arguments must be an object of texts")
    } else {
        None
    }
}

fn wrong_initialize(params: &Map<String, Value>) -> Option<&'static str> {
    let has_text = |table: &Value, key: &str| table.get(key).is_some_and(Value::is_string);
    let client = params.get("clientInfo");
    if !is_text(params, "protocolVersion") {
        Some("params.protocolVersion must be a text")
    } else if !params.get("capabilities").is_some_and(Value::is_object) {
        Some("params.capabilities must be an object")
    } else if !client.is_some_and(|client| has_text(client, "name") && has_text(client, "version")) {
        Some("params.clientInfo must have a name and a version")
    } else {
        None
    }
}

fn wrong_call(params: &Map<String, Value>) -> Option<&'static str> {
    if !is_text(params, "name") {
        Some("params.name must be a text")
    } else if params.get("arguments").is_some_and(|given| !given.is_object()) {
        Some("params.arguments must be an object")
    } else {
        None
    }
}

fn refused(id: &Value, code: i64, why: &str) -> Line {
    Line::Answered(json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": why } }))
}

/// Standard output, shared by two writers. The mutex keeps lines whole.
pub(super) type Out = Arc<Mutex<Stdout>>;

/// Passes standard input to the SDK until it ends, and answers the rest (stdin pipe).
///
/// # Errors
/// When standard input or output fails.
pub(crate) async fn hand_in(mut to_sdk: DuplexStream, out: Out) -> std::io::Result<()> {
    let mut input = BufReader::new(tokio::io::stdin());
    let mut gate = Gate::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut input).take(LONGEST_LINE).read_until(b'\n', &mut line).await? == 0 {
            return Ok(());
        }
        let is_cut = line.len() as u64 == LONGEST_LINE && line.last() != Some(&b'\n');
        let judged = if is_cut {
            // The rest of the line is read and dropped, otherwise it would be taken for a new message.
            while line.last() != Some(&b'\n') {
                line.clear();
                if (&mut input).take(LONGEST_LINE).read_until(b'\n', &mut line).await? == 0 {
                    break;
                }
            }
            refused(&Value::Null, INVALID_REQUEST, &format!("a line is longer than {LONGEST_LINE} bytes"))
        } else {
            gate.judge(&line)
        };
        match judged {
            Line::Passes => {
                // The SDK reads line by line, so that a carriage return at the end would belong to the message.
                line.truncate(line.trim_ascii_end().len());
                line.push(b'\n');
                to_sdk.write_all(&line).await?;
            }
            Line::Mended(message) => to_sdk.write_all(format!("{message}\n").as_bytes()).await?,
            Line::Dropped => {}
            Line::Answered(answer) => write_line(&out, answer.to_string().as_bytes()).await?,
        }
    }
}

/// Passes the SDK's answers to standard output until they end (stdout pipe).
///
/// # Errors
/// When standard output fails.
pub(super) async fn hand_out(from_sdk: DuplexStream, out: Out) -> std::io::Result<()> {
    let mut answers = BufReader::new(from_sdk);
    let mut line = Vec::new();
    while answers.read_until(b'\n', &mut line).await? > 0 {
        write_line(&out, line.trim_ascii_end()).await?;
        line.clear();
    }
    Ok(())
}

async fn write_line(out: &Out, line: &[u8]) -> std::io::Result<()> {
    let mut out = out.lock().await;
    out.write_all(line).await?;
    out.write_all(b"\n").await?;
    out.flush().await
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]
mod tests {
    use super::*;

    fn code(line: Line) -> Option<(i64, Value)> {
        match line {
            Line::Answered(answer) => Some((answer["error"]["code"].as_i64()?, answer["id"].clone())),
            _ => None,
        }
    }

    fn request(method: &str, params: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":3,"method":"{method}","params":{params}}}"#)
    }

    #[test]
    fn an_invalid_request_is_answered_with_its_code() {
        for (line, expected, id) in [
            (&b"{bad"[..], PARSE_ERROR, Value::Null),
            (b"\xff\xfe", PARSE_ERROR, Value::Null),
            (b"7", INVALID_REQUEST, Value::Null),
            (b"[]", INVALID_REQUEST, Value::Null),
            (br#"{"id":1,"method":"ping"}"#, INVALID_REQUEST, json!(1)),
            (br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, INVALID_REQUEST, Value::Null),
            (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, INVALID_REQUEST, Value::Null),
            (br#"{"jsonrpc":"2.0","id":"a","method":7}"#, INVALID_REQUEST, json!("a")),
            (br#"{"jsonrpc":"2.0","id":2}"#, INVALID_REQUEST, json!(2)),
            (br#"{"jsonrpc":"2.0","id":4,"method":"resources/read"}"#, INVALID_PARAMS, json!(4)),
        ] {
            assert_eq!(
                code(Gate::open().judge(line)),
                Some((expected, id)),
                "{}",
                String::from_utf8_lossy(line)
            );
        }
        for (method, params) in [
            ("tools/call", "[]"),
            ("tools/call", r#"{"name":7}"#),
            ("tools/call", r#"{"name":"x","arguments":[]}"#),
            ("tools/call", r#"{"name":"x","arguments":"{bad"}"#),
            ("prompts/get", "{}"),
            ("prompts/get", r#"{"name":"x","arguments":{"a":[1]}}"#),
            ("tools/list", r#"{"cursor":"page 2"}"#),
        ] {
            let judged = Gate::open().judge(request(method, params).as_bytes());
            assert_eq!(code(judged), Some((INVALID_PARAMS, json!(3))), "{method} {params}");
        }
        for line in [
            &br#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"x"}}"#[..],
            br#"{"jsonrpc":"2.0","id":3,"method":"nonsense"}"#,
            br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            br#"{"jsonrpc":"2.0","id":3,"result":{}}"#,
        ] {
            assert_eq!(Gate::open().judge(line), Line::Passes, "{}", String::from_utf8_lossy(line));
        }
        assert_eq!(Gate::open().judge(b" \r\n"), Line::Dropped);
    }

    #[test]
    fn a_request_in_an_incorrect_form_is_corrected() {
        for (method, params, expected) in [
            ("tools/list", "null", "{}"),
            ("tools/list", r#"{"cursor":null,"_meta":null}"#, "{}"),
            ("tools/list", r#"{"cursor":""}"#, "{}"),
            ("tools/call", r#"{"name":"x","arguments":null}"#, r#"{"name":"x"}"#),
            ("tools/call", r#"{"name":"x","arguments":""}"#, r#"{"name":"x"}"#),
            ("tools/call", r#"{"name":"x","arguments":"{\"a\":1}"}"#, r#"{"name":"x","arguments":{"a":1}}"#),
            (
                "prompts/get",
                r#"{"name":"x","arguments":{"n":3,"m":null}}"#,
                r#"{"name":"x","arguments":{"n":"3"}}"#,
            ),
        ] {
            let expected = serde_json::from_str(&request(method, expected)).unwrap();
            let judged = Gate::open().judge(request(method, params).as_bytes());
            assert_eq!(judged, Line::Mended(expected), "{method} {params}");
        }
    }

    #[test]
    fn a_request_before_initialize_is_refused() {
        let mut gate = Gate::default();
        assert_eq!(gate.judge(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#), Line::Dropped);
        let early = gate.judge(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
        assert_eq!(code(early), Some((INVALID_REQUEST, json!(1))));
        let empty = gate.judge(br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#);
        assert_eq!(code(empty), Some((INVALID_PARAMS, json!(1))));
        let whole = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } });
        assert_eq!(gate.judge(whole.to_string().as_bytes()), Line::Passes);
        assert_eq!(gate.judge(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#), Line::Passes);
    }
}
