//! One call of a cassette: a recorded LLM request with its response, and the golem and tick that asked first. It is one line of the file,
//! JSON; its key is the hash of the request. The asker isn't part of the key, because arms of a sweep ask the same questions and must share
//! the reply.

use crate::io::text::json_line;
use morta_base::Tick;
use morta_engine::llm::outside::{Asker, Call, CallKey, CallReply};
use serde::{Deserialize, Serialize};

/// Who asked a call, in names for people: golem, dream and tick (caller metadata).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskerNames {
    /// The golem, `L0.G0`.
    pub golem: String,
    /// The dream it was asked in, `L0.G0.D3`.
    pub dream: String,
    /// The tick at which it was asked.
    pub tick: Tick,
}

impl From<Asker> for AskerNames {
    fn from(Asker { letter, dream, tick }: Asker) -> Self {
        Self { golem: letter.golem.to_string(), dream: dream.to_string(), tick }
    }
}

impl AskerNames {
    /// The order among several askers of the same call: the first one names it, whatever thread was faster.
    fn rank(&self) -> (Tick, &str, &str) {
        (self.tick, &self.golem, &self.dream)
    }
}

/// One line of a cassette: a recorded request and its response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CassetteEntry {
    /// The hash of the request.
    pub key: CallKey,
    /// The asker.
    pub asker: AskerNames,
    /// The call.
    pub request: Call,
    /// The reply.
    pub reply: CallReply,
}

impl CassetteEntry {
    /// Records a call that was answered; the entry's key is computed.
    pub fn new(asker: Asker, request: Call, reply: CallReply) -> Self {
        Self { key: request.key(), asker: asker.into(), request, reply }
    }

    /// Its line, with the line's end.
    ///
    /// # Panics
    /// Never: an entry is plain data.
    pub(super) fn line(&self) -> Vec<u8> {
        json_line(self)
    }

    /// The same call once more: the first asker names it, so that the order of replies makes no difference.
    pub(super) fn take_earlier_asker(&mut self, other: AskerNames) {
        if other.rank() < self.asker.rank() {
            self.asker = other;
        }
    }
}
