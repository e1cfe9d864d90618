//! Events as bytes and text. The code for so large a vocabulary is generated once, in this crate, and not in every program that needs it: generic functions
//! would be instantiated again in each. Bytes are postcard's (binary serialization) and can be read by the same build alone; the
//! laboratory's checkpoints keep the log so. Text is JSON, which later builds read too: the payload column of the event table. The digest
//! is a rolling content hash of the event log, by which two runs are compared.

use super::{Event, EventKind};
use morta_base::Digest;

/// The reason why bytes are no events: a deserialisation error of a corrupt log or of another build's.
#[derive(Debug, thiserror::Error)]
#[error("these are no events: {0}")]
pub struct UnpackError(String);

impl Event {
    /// Adds it to a rolling digest (content hash) of the event log; the order of calls matters.
    pub fn record_in(&self, digest: &mut Digest) {
        digest.record(self);
    }

    /// Serialises events to bytes, for a log that is read by the same build (postcard).
    pub fn pack(events: &[Self]) -> Vec<u8> {
        postcard::to_allocvec(events).expect("events are plain data")
    }

    /// Deserialises the events that were packed into bytes.
    ///
    /// # Errors
    /// When the bytes are no events of this build.
    ///
    /// Deserialises events from bytes.
    pub fn unpack(bytes: &[u8]) -> Result<Vec<Self>, UnpackError> {
        postcard::from_bytes(bytes).map_err(|error| UnpackError(error.to_string()))
    }
}

impl EventKind {
    /// Its name in the event table, in snake case.
    pub fn name(&self) -> &'static str {
        self.into()
    }

    /// Serialises its payload as JSON without its name, in a new string.
    pub fn payload(&self) -> String {
        let mut room = Vec::new();
        self.payload_in(&mut room).to_owned()
    }

    /// Serialises its payload to JSON in a buffer that is cleared first and reused: a log of millions of events then allocates no string
    /// for each.
    pub fn payload_in<'a>(&self, room: &'a mut Vec<u8>) -> &'a str {
        room.clear();
        serde_json::to_writer(&mut *room, self).expect("events are plain data");
        // {"name":payload}
        let start = self.name().len() + 4;
        debug_assert_eq!(&room[..start], format!("{{\"{}\":", self.name()).as_bytes());
        std::str::from_utf8(&room[start..room.len() - 1]).expect("JSON is text")
    }

    /// Parses (deserialises) an event from its name and its payload in JSON.
    ///
    /// # Errors
    /// When there is no such event, or it has another payload.
    pub fn of_payload(name: &str, payload: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(&format!("{{\"{name}\":{payload}}}"))
    }
}
