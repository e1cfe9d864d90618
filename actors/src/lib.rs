//! Morta's shell: actix actors that carry letters between the engine's state machines.
//!
//! Each golem, the market, the Curator, the dream scheduler, the LLM broker, the Styx Lethe and the recorder is an actor. An
//! actor's handler calls one engine function and routes what it returns; it holds no rule of the domain. The
//! conductor owns virtual time and the barrier between ticks.
//!
//! ```text
//!             ┌────────────── Conductor ◄────────────┐
//!   tick, mail│      ▲ outboxes, in order of ids     │ answers, events
//!             ▼      │                               │
//!   Dispatcher per arbiter ──► Golem × n      Market, Curator, DreamScheduler, LlmBroker, StyxLethe
//!                                             Recorder ──► bounded channel ──► writer thread ──► EventSink
//! ```
//!
//! Invariant: the events of a run are those of `morta_engine::world::World`, byte for byte, on any number of threads.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod conductor;
mod curator;
mod dispatcher;
mod dream_scheduler;
mod golem;
mod guard;
mod lethe_store;
mod llm_broker;
mod look_ahead;
mod market;
mod message;
mod open_ticks;
mod pen;
mod recorder;
mod run;
mod scorer;
mod sink;
mod styx_lethe;
mod vigil;

pub use lethe_store::{
    AncestorRun, Ancestry, LetheClosing, LetheContent, LetheFiles, LetheFolderError, RunId, RunRecord,
    SledStore, StoredBloodstain,
};
pub use pen::{Pen, Writer, start_writer};
pub use run::{Ended, Finished, Progress, RunError, RunOptions, go_on, run, run_from};
pub use scorer::{Desk, ROOM_MAX, ScorerCrew, ScorerError, Situation};
pub use sink::{EventSink, WriteError};
