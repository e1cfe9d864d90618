//! The typed messages between actors. All of them stay within one process; none is lost silently.

use actix::{Message, Recipient};
use morta_base::Tick;
use morta_engine::event::Event;
use morta_engine::golem::{Birth, Outbox};
use morta_engine::llm::outside::OutsideError;
use morta_engine::world::service::Served;
use morta_engine::world::{Inboxes, TickContext};

/// Conductor → dispatcher: let your golems live through a tick.
#[derive(Message)]
#[rtype(result = "()")]
pub struct LiveTick {
    /// The conductor's tick.
    pub tick: Tick,
    /// What everybody is told of this tick and of those after it, from the first that hasn't been told of; golems may live through
    /// all of them. A copy for each arbiter, because sharing one costs more than copying it.
    pub contexts: Vec<TickContext>,
    /// Births in the dispatcher's lineages, in the order of ids.
    pub births: Vec<Birth>,
    /// Answers for its golems.
    pub inboxes: Inboxes,
}

/// Conductor → dispatcher: the run is over; let those who outlive it tell their lives.
#[derive(Message)]
#[rtype(result = "()")]
pub struct EndLives {
    /// The last tick that was lived through.
    pub last: Tick,
    /// The market as it is now.
    pub context: Box<TickContext>,
}

/// Dispatcher → golem: step.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Step {
    /// The golem's slot in its arbiter's slab for this step.
    pub slot: usize,
}

/// Golem → dispatcher, from the last golem of a chunk.
#[derive(Message)]
#[rtype(result = "()")]
pub struct ChunkDone;

/// Conductor → a shared actor: this tick's letters for you.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Deliver<L> {
    /// The tick they were written in.
    pub tick: Tick,
    /// The letters, in letter order.
    pub letters: L,
}

/// Anybody → conductor: my part of this phase is done.
#[derive(Message)]
#[rtype(result = "()")]
pub enum Report {
    /// From a dispatcher.
    Golems {
        /// The index of its shard.
        dispatcher: usize,
        /// What births wrote.
        births: Box<Outbox>,
        /// What steps wrote, in the order of ids.
        steps: Box<Outbox>,
    },
    /// From a shared actor.
    Served(Box<Served>),
    /// From the recorder.
    Recorded,
    /// From the broker: who answers from outside the simulation didn't.
    Unanswered(OutsideError),
    /// From anybody: I can't go on.
    Failed {
        /// The actor, as errors call it.
        actor: &'static str,
        /// What happened to it.
        reason: String,
    },
}

impl Report {
    /// Sends it to the conductor, whose mailbox holds every report that can be under way; it is closed only when the run is over.
    pub fn send(self, actor: &'static str, to: &Recipient<Self>) {
        if let Err(error) = to.try_send(self) {
            tracing::error!(actor, %error, "the conductor could not be told");
        }
    }
}

/// Conductor → recorder.
#[derive(Message)]
#[rtype(result = "()")]
pub enum Record {
    /// What happened in one tick.
    Events(Vec<Event>),
    /// There is no more to come.
    Finish,
}
