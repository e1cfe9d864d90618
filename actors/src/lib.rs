//! Morta's shell: actix actors that carry letters between the engine's state machines.
//!
//! Each golem, the market, the Curator, the dream scheduler, the LLM broker, the Styx Lethe and the recorder is an actor. An actor's
//! handler calls one engine function and routes its result. It holds no rule of the domain, so that the plain loop can be the oracle of
//! this crate. The conductor owns virtual time; the work at the barrier between two ticks is the engine's
//! [`Barrier`](morta_engine::world::Barrier). `lethe_store` is no actor: it keeps bloodstains on disk, for one run or across runs.
//!
//! ```text
//!             ┌────────────── Conductor ◄────────────┐
//!   tick, mail│      ▲ outboxes, in order of ids     │ answers, events
//!             ▼      │                               │
//!   Dispatcher per arbiter ──► Golem × n      Market, Curator, DreamScheduler, LlmBroker, StyxLethe
//!                                             Recorder ──► EventWriter ──► its thread ──► EventSink
//! ```
//!
//! Invariant: the events of a run are those of `morta_engine::world::World`, byte for byte, on any number of threads.
#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(unreachable_pub))]

mod conductor;
mod dispatcher;
mod event_writer;
mod golem;
mod guard;
mod idle_spin;
mod lethe_store;
mod lookahead;
mod message;
mod open_ticks;
mod outcome;
mod progress;
mod recorder;
mod run;
mod service;
mod sink;

pub use event_writer::{EventWriter, WriterThread, start_writer};
pub use lethe_store::{
    AncestorRun, Ancestry, Inventory, LetheClosing, LetheContent, LetheFiles, LetheFolderError, Loss, RunId,
    RunRecord, SledStore, StoredBloodstain,
};
pub use outcome::{Ended, Finished, RunError};
pub use progress::Progress;
pub use run::{RunOptions, go_on, run, run_from};
pub use sink::{EventSink, WriteError};
