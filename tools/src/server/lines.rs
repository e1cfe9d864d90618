//! Lines between a client and the protocol's SDK. A line that is no request of JSON-RPC 2.0 is answered here with the code that the standard
//! has for it: the SDK passes over it in silence, and a client would wait for ever.

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
/// The longest line that is read, bytes: a thousand times any request of these tools.
const LONGEST_LINE: u64 = 16 << 20;

/// What becomes of a line.
#[derive(Debug, PartialEq)]
enum Line {
    /// The SDK answers it.
    Passes,
    /// It asks for nothing that could be answered.
    Dropped,
    /// It is answered here.
    Answered(Value),
}

/// What a client may say at this point of the conversation.
#[derive(Debug, Default)]
pub struct Gate {
    /// Whether `initialize` has been asked: before it the SDK takes nothing else, and ends at a notification.
    is_open: bool,
}

impl Gate {
    fn judge(&mut self, line: &[u8]) -> Line {
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
                "a message must be an object; batches aren't part of MCP",
            );
        };
        let id = message.get("id");
        let known = match id {
            None => &Value::Null,
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
            // An answer to something that the server has asked.
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
        let params = match message.get("params") {
            None | Some(Value::Null) => &none,
            Some(Value::Object(params)) => params,
            Some(_) => return refused(id, INVALID_PARAMS, "params must be an object"),
        };
        let wrong = match method {
            "initialize" => wrong_initialize(params),
            "tools/call" => wrong_call(params),
            _ => None,
        };
        if let Some(wrong) = wrong {
            return refused(id, INVALID_PARAMS, wrong);
        }
        self.is_open |= method == "initialize";
        Line::Passes
    }
}

fn wrong_initialize(params: &Map<String, Value>) -> Option<&'static str> {
    let is_text = |table: &Value, key: &str| table.get(key).is_some_and(Value::is_string);
    let client = params.get("clientInfo");
    if !params.get("protocolVersion").is_some_and(Value::is_string) {
        Some("params.protocolVersion must be a text")
    } else if !params.get("capabilities").is_some_and(Value::is_object) {
        Some("params.capabilities must be an object")
    } else if !client.is_some_and(|client| is_text(client, "name") && is_text(client, "version")) {
        Some("params.clientInfo must have a name and a version")
    } else {
        None
    }
}

fn wrong_call(params: &Map<String, Value>) -> Option<&'static str> {
    if !params.get("name").is_some_and(Value::is_string) {
        Some("params.name must be a text")
    } else if params.get("arguments").is_some_and(|given| !given.is_object() && !given.is_null()) {
        Some("params.arguments must be an object")
    } else {
        None
    }
}

fn refused(id: &Value, code: i64, why: &str) -> Line {
    Line::Answered(json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": why } }))
}

/// Where lines are written, whoever writes them: one at a time.
pub type Out = Arc<Mutex<Stdout>>;

/// Hands over to the SDK what it can answer of standard input, until that ends.
///
/// # Errors
/// When standard input or output fails.
pub async fn hand_in(mut to_sdk: DuplexStream, out: Out) -> std::io::Result<()> {
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
            // Of the rest of the line nothing is kept.
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
                line.truncate(line.trim_ascii_end().len());
                line.push(b'\n');
                to_sdk.write_all(&line).await?;
            }
            Line::Dropped => {}
            Line::Answered(answer) => write_line(&out, answer.to_string().as_bytes()).await?,
        }
    }
}

/// Hands out what the SDK answers, until it ends.
///
/// # Errors
/// When standard output fails.
pub async fn hand_out(from_sdk: DuplexStream, out: Out) -> std::io::Result<()> {
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
mod tests {
    use super::*;

    fn code(line: Line) -> Option<(i64, Value)> {
        match line {
            Line::Answered(answer) => Some((answer["error"]["code"].as_i64()?, answer["id"].clone())),
            _ => None,
        }
    }

    fn opened() -> Gate {
        Gate { is_open: true }
    }

    #[test]
    fn what_is_no_request_is_answered_with_its_code() {
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
            (br#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[]}"#, INVALID_PARAMS, json!(3)),
            (
                br#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":7}}"#,
                INVALID_PARAMS,
                json!(3),
            ),
            (
                br#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"x","arguments":[]}}"#,
                INVALID_PARAMS,
                json!(3),
            ),
        ] {
            assert_eq!(code(opened().judge(line)), Some((expected, id)), "{}", String::from_utf8_lossy(line));
        }
        for line in [
            &br#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"x"}}"#[..],
            br#"{"jsonrpc":"2.0","id":3,"method":"nonsense"}"#,
            br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            br#"{"jsonrpc":"2.0","id":3,"result":{}}"#,
        ] {
            assert_eq!(opened().judge(line), Line::Passes, "{}", String::from_utf8_lossy(line));
        }
        assert_eq!(opened().judge(b" \r\n"), Line::Dropped);
    }

    #[test]
    fn nothing_is_asked_before_initialize() {
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
