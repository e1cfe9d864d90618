//! A model on loopback that says anything of the form it is asked for, and does harm now and then. What it says depends on the request
//! alone; what harm it does, on how often it was asked.

#[path = "../../engine/tests/common/improviser.rs"]
#[allow(dead_code, reason = "only what it says is used here")]
mod improviser;

use improviser::Improviser;
use morta_engine::llm::outside::{Call, FinishReason, Message};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a server does besides answering.
#[derive(Clone, Debug, Default)]
pub struct Harm {
    /// Of a hundred requests, about so many meet with a fault: a refusal, a status, a cut or wrong body, silence.
    pub faults: u64,
    /// Of a hundred replies, about so many can't be used.
    pub unusable: u64,
    /// It refuses everything after so many requests.
    pub gone_after: Option<u64>,
}

/// A server, which lives until it is dropped.
pub struct LoopbackModel {
    /// For `llm.endpoint.base_url`.
    pub base_url: String,
    /// What its connections share.
    pub server: Arc<Server>,
    address: std::net::SocketAddr,
}

impl LoopbackModel {
    /// Begins to listen.
    pub fn start(harm: Harm) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback is there");
        let address = listener.local_addr().expect("it listens");
        let server = Arc::new(Server { harm, ..Server::default() });
        let model = Self { base_url: format!("http://{address}/v1"), server: Arc::clone(&server), address };
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if server.stop.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let server = Arc::clone(&server);
                std::thread::spawn(move || server.serve(stream));
            }
        });
        model
    }

    /// Requests so far.
    pub fn asked(&self) -> u64 {
        self.server.requests.load(Ordering::Relaxed)
    }
}

impl Drop for LoopbackModel {
    fn drop(&mut self) {
        self.server.stop.store(true, Ordering::Relaxed);
        // Wakes who listens.
        let _ = TcpStream::connect(self.address);
    }
}

/// What a server is to do, and what happened to it.
#[derive(Default)]
pub struct Server {
    harm: Harm,
    requests: AtomicU64,
    stop: AtomicBool,
    /// Faults so far, by kind.
    pub faults: Mutex<BTreeMap<&'static str, u64>>,
    /// Headers of authorisation that it was shown.
    pub keys: Mutex<Vec<String>>,
}

impl Server {
    fn serve(&self, mut stream: TcpStream) {
        while let Some(body) = self.request(&stream) {
            let number = self.requests.fetch_add(1, Ordering::Relaxed);
            if self.harm.gone_after.is_some_and(|after| number >= after) {
                let _ = respond(&mut stream, "503 Service Unavailable", "", "gone");
                return;
            }
            let luck = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
            let done = if luck % 100 < self.harm.faults {
                self.do_harm(luck / 100 % 9, &mut stream, &body)
            } else {
                respond(&mut stream, "200 OK", "", &self.completion(&body).to_string())
            };
            if done.is_err() {
                return;
            }
        }
    }

    fn request(&self, stream: &TcpStream) -> Option<Value> {
        let mut reader = BufReader::new(stream.try_clone().ok()?);
        let (mut length, mut line) = (0, String::new());
        loop {
            line.clear();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let lower = line.to_ascii_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
            if lower.starts_with("authorization:") {
                self.keys.lock().ok()?.push(line.trim().to_owned());
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        serde_json::from_slice(&body).ok()
    }

    fn do_harm(&self, kind: u64, stream: &mut TcpStream, body: &Value) -> std::io::Result<()> {
        let whole = self.completion(body).to_string();
        let name = match kind {
            0 => respond(stream, "429 Too Many Requests", "Retry-After: 0\r\n", "slow down").map(|()| "429"),
            1 => respond(stream, "500 Internal Server Error", "", "oops").map(|()| "500"),
            2 => respond(stream, "503 Service Unavailable", "", "busy").map(|()| "503"),
            // The body is shorter than it is said to be.
            3 => {
                head(stream, "200 OK", "", whole.len())?;
                stream.write_all(&whole.as_bytes()[..whole.len() / 2]).map(|()| "cut")
            }
            4 => Ok("closed"),
            5 => respond(stream, "200 OK", "", "<html>It works!</html>").map(|()| "no JSON"),
            6 => respond(stream, "200 OK", "", "{\"choices\": 7}").map(|()| "no completion"),
            // Longer than the client waits.
            7 => {
                std::thread::sleep(Duration::from_millis(1_500));
                Ok("silence")
            }
            // Byte by byte, but in time.
            _ => {
                head(stream, "200 OK", "", whole.len())?;
                for piece in whole.as_bytes().chunks(whole.len() / 10 + 1) {
                    std::thread::sleep(Duration::from_millis(10));
                    stream.write_all(piece)?;
                }
                Ok("drip")
            }
        }?;
        *self.faults.lock().expect("nobody panicked").entry(name).or_default() += 1;
        if matches!(name, "cut" | "closed" | "silence") {
            stream.shutdown(std::net::Shutdown::Both)?;
            return Err(std::io::ErrorKind::Other.into());
        }
        Ok(())
    }

    fn completion(&self, body: &Value) -> Value {
        let messages: Vec<Message> = serde_json::from_value(body["messages"].clone()).expect("messages");
        let format = &body["response_format"]["json_schema"];
        let call = Call {
            model: body["model"].as_str().expect("a model").to_owned(),
            messages,
            schema_name: format["name"].as_str().expect("a name").to_owned(),
            schema: format["schema"].clone(),
            temperature: body["temperature"].as_f64().expect("a temperature"),
            max_tokens: body["max_tokens"].as_u64().expect("a limit") as u32,
            seed: body["seed"].as_u64().expect("a seed") as u32,
        };
        let improviser = Improviser { unusable: self.harm.unusable, ..Improviser::default() };
        let reply = improviser.say(&call);
        let finish = if reply.finish == FinishReason::Length { "length" } else { "stop" };
        json!({
            "id": "never the same", "object": "chat.completion", "created": 1, "model": reply.model,
            "choices": [{
                "index": 0, "finish_reason": finish, "message": { "role": "assistant", "content": reply.text }
            }],
            "usage": {
                "prompt_tokens": reply.input_tokens, "completion_tokens": reply.output_tokens,
                "total_tokens": reply.input_tokens + reply.output_tokens
            }
        })
    }
}

fn head(stream: &mut TcpStream, status: &str, headers: &str, length: usize) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\n{headers}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes())
}

fn respond(stream: &mut TcpStream, status: &str, headers: &str, body: &str) -> std::io::Result<()> {
    head(stream, status, headers, body.len())?;
    stream.write_all(body.as_bytes())?;
    stream.flush()
}
