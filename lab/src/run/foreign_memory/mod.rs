//! Memories written in other languages: the messages of the protocol, and memories that live in a process of their own.
//!
//! One process answers for all golems that remember with a name, a line of JSON for a line of JSON. Every request names the call, the
//! number of the memory it is for, the golem, the tick, and a seed for lots. What a memory holds is kept here and sent along as `kept` where
//! the process asks for that (`keep`); other processes hold the memories themselves, apart by their numbers.
//!
//! | call | with | answer |
//! |---|---|---|
//! | `hello` | `protocol`, `name`; nothing of the above | `{"protocol": 1, "name": ..., "methods": ["keep", "sleep", "inherit", "bequeath"], "embeddings": false, "parameters": {...}}` |
//! | `birth` | `birth` ([`messages::BirthMessage`]) | `{}` |
//! | `advise` | `moment` (`messages::MomentMessage`), `candidates` ([`messages::Candidates`]) | `{"advice": [...]}`, a number or [`messages::FullAdvice`] for each |
//! | `observe` | `outcome` (`messages::OutcomeMessage`) | `{}` |
//! | `sleep` | `attention` ([`messages::Waking`]) | `{}`, or `{"upkeep": ...}` ([`messages::SaidUpkeep`]) |
//! | `bequeath` | | `{"lessons": [...]}` ([`words::LessonMessage`]) |
//! | `inherit` | `lessons` | `{}` |
//! | `save` | | `{"saved": TEXT}`; it, `load` and `forget` only without `keep` |
//! | `load` | `saved`; the number is new | `{}` |
//! | `forget` | | `{}` |
//!
//! Every answer of a process with `keep` may have `kept`, any JSON.
//!
//! `{"error": TEXT}` is an answer to every call but `hello`, and so is one that can't be used: the golem dies by fault, as of a panic. Of
//! the run's first `birth` and of `load` it refuses the run, of `save` it ends the run. A process that ends, answers no JSON or takes
//! longer than 30 seconds (`PATIENCE`) ends the run. What is answered is recorded in the run's folder, so that the run can be lived again
//! without the process; cells of sweeps, runs without a folder and conformance checks record nothing. The Python package uses `messages`
//! and `words` without a process.
//!
//! It is a plug-in protocol: newline-delimited JSON between a host and a subprocess, as in the Language Server Protocol.

pub(crate) mod child;
mod guarded;
mod link;
mod memory;
pub mod messages;
mod processes;
pub(crate) mod recording;
pub mod words;

pub use guarded::Guarded;
pub use memory::ProcessMemory;
pub use processes::{MemoryProcesses, MemoryRecord, PATIENCE, PROCESS_FLAG, ProcessCost};
pub use recording::PREFIX as RECORDING_PREFIX;
