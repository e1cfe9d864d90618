//! The typed messages between actors (actix messages). All of them stay within one process. Commands go down from the conductor, and each
//! is answered by a `Report`; the conductor counts reports to know when a phase is over. Only the `Step`s that a dispatcher sends to golems
//! are answered to it, by one `ChunkDone` for a chunk of them. None is lost silently, because a lost one would
//! leave the conductor waiting for ever: a refused command ends the run, a refused report is logged.

use actix::{Message, Recipient};
use morta_base::Tick;
use morta_engine::event::Event;
use morta_engine::golem::{Birth, Outbox};
use morta_engine::llm::outside::OutsideError;
use morta_engine::world::service::Served;
use morta_engine::world::{Inboxes, TickContext};

/// Conductor → dispatcher: step your golems through a tick (actor message, command).
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct LiveTick {
    /// The conductor's tick.
    pub tick: Tick,
    /// The contexts of the newly opened ticks, in order; golems may live through all of them. Empty if this tick was opened before and no
    /// other is. A copy for each arbiter, because sharing one costs more than copying it.
    pub contexts: Vec<TickContext>,
    /// Births in the dispatcher's lineages, in the order of ids.
    pub births: Vec<Birth>,
    /// Answers for its golems.
    pub inboxes: Inboxes,
}

/// Conductor → dispatcher: the run is over; golems that outlive it write their life events (actor message).
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct EndLives {
    /// The last tick that was lived through.
    pub last: Tick,
    /// The market as it is now.
    pub context: Box<TickContext>,
}

/// Dispatcher → golem: step through the open ticks (actor message, slab index).
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Step {
    /// The golem's slot in its arbiter's slab for this step.
    pub slot: usize,
}

/// Golem → dispatcher, from the golem that steps last in a chunk: one message a chunk instead of one a golem, because a message may cost
/// more than a step (actor message).
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct ChunkDone;

/// Conductor → a shared actor: the letters of a tick for its service (actor message).
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Deliver<L> {
    /// The tick they were written in.
    pub tick: Tick,
    /// The letters, in letter order.
    pub letters: L,
}

/// Any actor → conductor: its part of this phase is done, or it has failed (acknowledgement, failure report).
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) enum Report {
    /// From a dispatcher.
    Golems {
        /// The index of its shard.
        dispatcher: usize,
        /// Events and letters of births.
        births: Box<Outbox>,
        /// Events and letters of steps, in the order of ids.
        steps: Box<Outbox>,
    },
    /// From a shared actor.
    Served(Box<Served>),
    /// From the recorder.
    Recorded,
    /// From the broker: the model outside the simulation gave no answer.
    Unanswered(OutsideError),
    /// From any actor: it can't go on.
    Failed {
        /// The actor's name in errors.
        actor: &'static str,
        /// The error's text or the panic's message.
        reason: String,
    },
}

impl Report {
    /// Sends the report to the conductor (mailbox send). Its mailbox has room for every report that can be under way and is closed only
    /// when the run is over, so a failure is logged rather than returned.
    pub(crate) fn send(self, actor: &'static str, to: &Recipient<Self>) {
        if let Err(error) = to.try_send(self) {
            tracing::error!(actor, %error, "the conductor could not be reached");
        }
    }
}

/// Conductor → recorder: events to be written, or the end (actor message, event log).
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) enum Record {
    /// The events of one tick, in the order of the log; at the end of the run, the last ones of the golems that outlive it.
    Events(Vec<Event>),
    /// The last message: no further events follow.
    Finish,
}
