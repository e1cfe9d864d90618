//! The events of the log. Tables, summaries and reports are made from these events alone; nothing
//! downstream of them feeds back into the simulation. It is event sourcing with an append-only event log; units are given at each event.
//! Whatever a table says can therefore be traced to lines of the log. Steps and services add events to outboxes; the world hands them out
//! at each barrier, in a fixed order, and the digest of a run is over all of them. `kind` lists the events, `encode` turns them into bytes
//! and JSON; `life` and `tick` are the two records that most tables need, `dream` and `gate` the data of a few others.

pub mod dream;
mod encode;
mod gate;
pub mod kind;
pub mod life;
pub mod tick;

pub use dream::{DreamMind, DreamResult};
pub use encode::UnpackError;
pub use gate::{GateTally, WakingTier};
pub use kind::EventKind;
pub use life::LifeRecord;
pub use tick::TickRecord;

use morta_base::{GolemId, Tick};
use serde::{Deserialize, Serialize};

/// One record of the event log: timestamp, subject and payload. Within a tick: the shared actors' (the market's first), births, the golems'
/// in the order of their ids, and last the tick's close.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Tick in which it happened.
    pub tick: Tick,
    /// The golem of the event; `None` for the world's own.
    pub golem: Option<GolemId>,
    /// The kind of event, with its data.
    pub kind: EventKind,
}

morta_base::words! {
    /// Why a position was closed. The exit reason of a trade: stop-loss, time exit, liquidation and others.
    pub enum ExitReason {
        /// The stop was reached.
        Stop = "stop",
        /// The strategy's holding time was over.
        Horizon = "horizon",
        /// The golem was dying.
        Death = "death",
        /// The money put in no longer covered the loan.
        Liquidated = "liquidated",
        /// It was thought over, and staying in wasn't worth its time.
        Left = "left",
    }
}
