//! Calls to a model, their keys, and the port that answers them (chat completion requests in a vendor-neutral form).
//!
//! Temperatures run from 0 to 2, lengths are in tokens. A call's key is a content hash, so a recorded reply (cassette, VCR) is found by the
//! exact question and by nothing else. The laboratory implements the port twice: a live endpoint, which may record, and a cassette player.
//! A plan whose scenario asks for a model gets one by `Plan::connected`; without it the broker's first call fails. The OpenClaw program in
//! `tools` makes calls of the same form, and its endpoint by `EndpointConfig`, to word the themes of REM sleep; no golem asks those.

use morta_base::digest::hex_of;
use morta_base::{DreamId, LetterId, Tick};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

morta_base::words! {
    /// The chat role of who speaks: system, user or assistant.
    pub enum Role {
        /// The standing instructions.
        System = "system",
        /// The golem.
        User = "user",
        /// The model, in an earlier reply.
        Assistant = "assistant",
    }
}

/// One message of a conversation: a chat message with its role and content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// The text.
    pub content: String,
}

impl Message {
    /// Makes a chat message of a role.
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        Self { role, content: content.into() }
    }
}

/// A chat completion request with its JSON Schema and sampling temperature: everything that a model's reply may depend on. Its JSON, keys
/// in the order of these fields, is what [`Call::key`] hashes, so another order of fields would lose every recorded reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The model's name, as the endpoint knows it.
    pub model: String,
    /// The messages.
    pub messages: Vec<Message>,
    /// The name of the form that the reply must have: the task's.
    pub schema_name: String,
    /// The JSON Schema of the reply: every object closed, every property required, as strict structured outputs ask.
    pub schema: Value,
    /// Sampling temperature, 0 to 2.
    pub temperature: f64,
    /// Most tokens the model may write.
    pub max_tokens: u32,
    /// Seed of the model's own randomness, 0 to 2^31 − 1; drawn from the world's seed and the letter.
    pub seed: u32,
}

/// The asker and the tick of a call, for error messages and tracing. No reply depends on it, and no key includes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asker {
    /// The letter, and with it the golem.
    pub letter: LetterId,
    /// The dream it is asked in.
    pub dream: DreamId,
    /// The tick at which it is asked.
    pub tick: Tick,
}

/// The cache key of a recorded reply, a content hash: 64 hexadecimal digits of BLAKE3.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CallKey(pub String);

impl fmt::Display for CallKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Tokens that a chat template may put around a message, and around all of them: more than in any template we have met.
const TOKENS_AROUND: u64 = 16;

impl Call {
    /// The BLAKE3 hash of the call's JSON: the cache key by which a cassette finds the reply (content addressing). The JSON is that of
    /// `serde_json`.
    ///
    /// # Panics
    /// Never: a call is plain data.
    pub fn key(&self) -> CallKey {
        CallKey(hex_of(&serde_json::to_vec(self).expect("a call is plain data")))
    }

    /// An upper bound on the input tokens, which the broker reserves before it calls: no token of a byte-level vocabulary is shorter than a
    /// byte.
    ///
    /// The schema is counted, although endpoints that constrain sampling by it don't charge for it: some read it out to the model. Too low
    /// a count would let a run exceed its budget.
    pub(crate) fn most_input_tokens(&self) -> u64 {
        let of_messages: u64 =
            self.messages.iter().map(|message| message.content.len() as u64 + TOKENS_AROUND).sum();
        of_messages + TOKENS_AROUND + self.schema.to_string().len() as u64
    }
}

morta_base::words! {
    /// The finish reason of a chat completion (stop or length): why a model stopped.
    pub enum FinishReason {
        /// It had said what it had to say.
        Stop = "stop",
        /// It was cut off at the limit.
        Length = "length",
        /// Something else, such as a filter.
        Other = "other",
    }
}

/// A chat completion response with finish reason and token usage: a reply to a call, as it came or as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallReply {
    /// The model's text.
    pub text: String,
    /// The reason why it stopped.
    pub finish: FinishReason,
    /// Tokens it read, as the endpoint counts them.
    pub input_tokens: u32,
    /// Tokens it wrote, as the endpoint counts them.
    pub output_tokens: u32,
    /// The model's name, as the endpoint reports it.
    pub model: String,
}

/// A fatal connection error or cassette error (not recorded, unreachable): there will be no reply, and the run stops at this tick. Other
/// failures are retried in the laboratory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutsideError {
    /// The scenario asks for a model and nobody has brought one.
    #[error(
        "the scenario has llm.mode = \"{mode}\", and nobody has connected a model: `Plan::connected` takes one"
    )]
    NotConnected {
        /// The mode.
        mode: &'static str,
    },
    /// A reply was to come from a recording, which doesn't have it.
    #[error("{0}")]
    NotRecorded(String),
    /// The endpoint is gone, or refuses for good.
    #[error("{0}")]
    Unreachable(String),
    /// Somebody stopped the run while it waited.
    #[error("stopped while a model was answering")]
    Stopped,
}

/// An LLM backend, i.e. a model provider: the port that answers calls, an async client trait (hexagonal architecture). The broker submits
/// at one tick and awaits at the tick at which the reply is due. It is shared between threads.
pub trait Outside: fmt::Debug + Send + Sync {
    /// Takes a call on, without waiting for its reply. A call that is under way or answered already is not made again.
    fn ask(&self, asker: Asker, call: &Call);

    /// Waits for the reply to a call that was asked.
    ///
    /// # Errors
    /// When there will be none.
    fn reply(&self, asker: Asker, call: &Call) -> Result<CallReply, OutsideError>;

    /// A description of its work so far, in a line for viewers; `None` where it isn't worth a word.
    fn progress(&self) -> Option<String> {
        None
    }
}

/// A connection to an LLM backend, or none: dependency injection by a shared pointer. All of them are equal, because a connection is no
/// part of a plan's content.
#[derive(Clone, Debug, Default)]
pub struct OutsideHandle(Option<Arc<dyn Outside>>);

impl OutsideHandle {
    /// Connects a client (port) as a handle.
    pub fn new(outside: Arc<dyn Outside>) -> Self {
        Self(Some(outside))
    }

    /// The port, borrowed; `None` where nothing is connected.
    pub fn get(&self) -> Option<&dyn Outside> {
        self.0.as_deref()
    }
}

impl OutsideHandle {
    /// Shares the connection itself with another plan of the same run.
    pub fn shared(&self) -> Option<Arc<dyn Outside>> {
        self.0.clone()
    }
}

impl PartialEq for OutsideHandle {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
