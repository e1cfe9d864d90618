//! Cassettes: calls to a real model with its replies, kept so that a run can be repeated without the model.
//!
//! # The file
//!
//! Text, one JSON object a line, UTF-8, so that two cassettes can be compared with `diff`. The first line is the header,
//! `{"morta_cassette":1}`: the version of the format. Then one line for each call, in the order of keys, each key once:
//!
//! | field | meaning |
//! |---|---|
//! | `key` | 64 hexadecimal digits: the BLAKE3 hash of the request's JSON as it stands in the line ([`Call::key`](morta_engine::llm::outside::Call::key)) |
//! | `asker` | who asked: `golem` and `dream` by name, `tick` as a number. For people and for errors; no reply depends on it |
//! | `request` | model, messages, name and schema of the reply's form, temperature, most tokens, seed |
//! | `reply` | the text, why the model stopped (`stop`, `length`, `other`), tokens read and written, the model by its own name |
//!
//! A file whose name ends in `.gz` is compressed with gzip; everything else is the same. The same calls make the same bytes, whatever the
//! order in which they were answered. A cassette holds no key of an endpoint and no address.
//!
//! Beside a cassette that is being recorded lies its journal, `NAME.partial`: the same lines in the order of replies, never compressed,
//! each handed to the operating system before the run hears of the reply. A process that dies loses nothing that was answered; the next one
//! reads the journal and goes on. Of a last line that was cut off nothing is used.
//!
//! `tape` is a cassette in memory and `reader` parses one; `recorder` and its `journal` fill it, `player` answers from it, `difference`
//! words a miss, `listing` sums it up.

mod difference;
mod entry;
mod journal;
mod listing;
mod player;
mod reader;
mod recorder;
mod tape;

pub use entry::{AskerNames, CassetteEntry};
pub use listing::{CassetteListing, EntryListing};
pub use player::Player;
pub use reader::keys_in;
pub use recorder::Recorder;
pub use tape::Cassette;

#[cfg(test)]
mod tests;
