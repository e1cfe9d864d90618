//! A server on loopback that answers as a list of faults says, and otherwise as a faultless one would.

use morta_engine::llm::outside::{Call, CallReply, FinishReason};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

pub(super) const KEY: &str = "sk-secret-0123456789abcdef";

/// What a server does in place of answering.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Act {
    /// Answers.
    Answer,
    /// A status with a body and further headers.
    Status(u16, &'static str, String),
    /// Never says anything.
    Silence,
    /// Breaks off in the middle of the body.
    CutBody,
    /// Drops the connection with the request unread, which resets it.
    Reset,
    /// A byte at a time, slower than anybody waits.
    Drip,
    /// Status 200 with this body and content type.
    Body(String, &'static str),
    /// A chat completion with this text.
    Text(String),
}

/// A request that was read.
pub(crate) struct ReceivedRequest {
    pub at: Instant,
    pub has_key: bool,
    pub body: Value,
}

/// What is to happen on a server's connections, and what did.
#[derive(Default)]
struct Shared {
    acts: Mutex<VecDeque<Act>>,
    received: Mutex<Vec<ReceivedRequest>>,
    requests: AtomicUsize,
    faults: AtomicUsize,
    ending: AtomicBool,
}

pub(crate) struct TestServer {
    pub address: SocketAddr,
    shared: Arc<Shared>,
    listener: Option<JoinHandle<()>>,
}

impl TestServer {
    /// Acts for the requests to come, in their order; afterwards it answers.
    pub(super) fn start(acts: impl IntoIterator<Item = Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let acts = Mutex::new(acts.into_iter().collect());
        let server = Arc::new(Shared { acts, ..Shared::default() });
        let shared = Arc::clone(&server);
        let listening = thread::spawn(move || {
            for stream in listener.incoming() {
                if server.ending.load(Ordering::Relaxed) {
                    break;
                }
                let mut connection = Connection { stream: stream.unwrap(), server: Arc::clone(&server) };
                thread::spawn(move || while connection.serve().is_some() {});
            }
        });
        Self { address, shared, listener: Some(listening) }
    }

    pub(super) fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Acts that aren't played yet.
    pub(super) fn left(&self) -> usize {
        self.shared.acts.lock().unwrap().len()
    }

    /// Faults that were played.
    pub(super) fn faults(&self) -> usize {
        self.shared.faults.load(Ordering::Relaxed)
    }

    pub(super) fn requests(&self) -> usize {
        self.shared.requests.load(Ordering::Relaxed)
    }

    pub(crate) fn with_requests<T>(&self, of: impl FnOnce(&[ReceivedRequest]) -> T) -> T {
        of(&self.shared.received.lock().unwrap())
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.shared.ending.store(true, Ordering::Relaxed);
        // Wakes the listener.
        let _ = TcpStream::connect(self.address);
        let _ = self.listener.take().unwrap().join();
    }
}

struct Connection {
    stream: TcpStream,
    server: Arc<Shared>,
}

impl Connection {
    /// One request; none when the connection is over.
    fn serve(&mut self) -> Option<()> {
        // Only looked at: what is unread when a socket is closed makes the connection reset.
        if self.stream.peek(&mut [0]).ok()? == 0 {
            return None;
        }
        let act = self.server.acts.lock().unwrap().pop_front().unwrap_or(Act::Answer);
        self.server.requests.fetch_add(1, Ordering::Relaxed);
        self.server.faults.fetch_add(usize::from(act != Act::Answer), Ordering::Relaxed);
        if act == Act::Reset {
            return None;
        }
        let mut reader = BufReader::new(self.stream.try_clone().ok()?);
        let (mut length, mut has_key, mut line) = (0, false, String::new());
        loop {
            line.clear();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let header = line.trim_end();
            if header.is_empty() {
                break;
            }
            has_key |= header.eq_ignore_ascii_case(&format!("authorization: Bearer {KEY}"));
            if let Some(value) = header.to_ascii_lowercase().strip_prefix("content-length: ") {
                length = value.parse().ok()?;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let body: Value = serde_json::from_slice(&body).ok()?;
        self.server.received.lock().unwrap().push(ReceivedRequest {
            at: Instant::now(),
            has_key,
            body: body.clone(),
        });
        self.act(act, &body)
    }

    fn act(&mut self, act: Act, request: &Value) -> Option<()> {
        match act {
            Act::Answer => self.answer(&completion(request, &text_for(request)), "application/json"),
            Act::Text(text) => self.answer(&completion(request, &text), "application/json"),
            Act::Body(body, content_type) => self.answer(&body, content_type),
            Act::Status(status, headers, body) => {
                let length = body.len();
                let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\n{headers}\r\n");
                self.stream.write_all((head + &body).as_bytes()).ok()
            }
            Act::Silence => {
                // Until the client goes away.
                let _ = self.stream.read(&mut [0]);
                None
            }
            Act::CutBody => {
                let body = completion(request, &text_for(request));
                self.head(body.len(), "application/json")?;
                self.stream.write_all(&body.as_bytes()[..body.len() / 2]).ok()?;
                None
            }
            Act::Drip => {
                let body = completion(request, &text_for(request));
                self.head(body.len(), "application/json")?;
                for byte in body.bytes() {
                    self.stream.write_all(&[byte]).ok()?;
                    thread::sleep(Duration::from_millis(40));
                }
                Some(())
            }
            Act::Reset => unreachable!("it is done before anything is read"),
        }
    }

    fn head(&mut self, length: usize, content_type: &str) -> Option<()> {
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n\r\n");
        self.stream.write_all(head.as_bytes()).ok()
    }

    fn answer(&mut self, body: &str, content_type: &str) -> Option<()> {
        self.head(body.len(), content_type)?;
        self.stream.write_all(body.as_bytes()).ok()
    }
}

/// What a faultless model says: it depends on the question, and not on what was said since.
fn text_for(request: &Value) -> String {
    json!({ "you_asked": request["messages"][1]["content"] }).to_string()
}

fn completion(request: &Value, text: &str) -> String {
    json!({
        "model": "small-2024",
        "choices": [{ "finish_reason": "stop", "message": { "role": "assistant", "content": text } }],
        "usage": { "prompt_tokens": 11, "completion_tokens": 7 },
        "temperature": request["temperature"],
    })
    .to_string()
}

/// The reply of a faultless server.
pub(super) fn faultless(call: &Call) -> CallReply {
    CallReply {
        text: json!({ "you_asked": call.messages[1].content }).to_string(),
        finish: FinishReason::Stop,
        input_tokens: 11,
        output_tokens: 7,
        model: "small-2024".into(),
    }
}
