//! A cassette that answers in a model's place: deterministic replay (record/replay) of recorded LLM calls, for `llm.mode = "replay"` (runs
//! and cells of sweeps), for runs that are lived again and for branches that record nothing. A call that isn't recorded is a cache miss and
//! an error that ends the run; it names the nearest recorded call. It never connects, so that a repeated run can't cost money or get
//! another reply.

use super::{AskerNames, Cassette, difference};
use crate::io::locked::locked;
use morta_engine::llm::outside::{Asker, Call, CallKey, CallReply, Outside, OutsideError};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

/// Most characters of a prompt that an error quotes.
const QUOTED: usize = 200;

/// A replay client: it answers from a cassette alone, and opens no connection.
#[derive(Debug)]
pub struct Player {
    cassette: Arc<Cassette>,
    used: Mutex<BTreeSet<CallKey>>,
}

impl Player {
    /// Makes a player of a cassette, which others may play too.
    pub fn new(cassette: impl Into<Arc<Cassette>>) -> Self {
        Self { cassette: cassette.into(), used: Mutex::default() }
    }

    /// The cassette that is played: the recorded responses.
    pub fn cassette(&self) -> &Cassette {
        &self.cassette
    }

    /// The calls that have been answered so far, for [`Cassette::pruned`].
    pub fn used(&self) -> BTreeSet<CallKey> {
        locked(&self.used).clone()
    }

    fn missing(&self, asker: Asker, call: &Call, key: &CallKey) -> String {
        let AskerNames { golem, dream, tick } = asker.into();
        let last = call.messages.last().map_or("", |message| message.content.as_str());
        let beginning: String = last.chars().take(QUOTED).collect();
        let mut message = format!(
            "golem {golem} asks in dream {dream} at tick {tick} what the cassette doesn't have: \
             call {key} of task {}, whose last message begins\n    {}\n",
            call.schema_name,
            beginning.replace('\n', "\n    ")
        );
        let _ = match self.cassette.nearest(call) {
            Some(near) => writeln!(
                message,
                "  nearest is call {} ({}, tick {}): {}",
                near.key,
                near.asker.dream,
                near.asker.tick,
                difference::first(call, &near.request)
            ),
            None => writeln!(message, "  it has no call of this task among its {}", self.cassette.len()),
        };
        message
            + "  play it with the scenario, the seed and the build it was recorded with, or go on recording (`--llm record`)"
    }
}

impl Outside for Player {
    fn ask(&self, _: Asker, _: &Call) {}

    fn reply(&self, asker: Asker, call: &Call) -> Result<CallReply, OutsideError> {
        let key = call.key();
        let Some(reply) = self.cassette.reply(&key) else {
            return Err(OutsideError::NotRecorded(self.missing(asker, call, &key)));
        };
        locked(&self.used).insert(key);
        Ok(reply.clone())
    }
}
