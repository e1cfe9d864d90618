//! The typed messages between actors. All of them stay within one process; none is lost silently.

use actix::Message;
use morta_engine::base::{LetterId, Tick};
use morta_engine::event::Event;
use morta_engine::golem::{Answer, Birth, Outbox};
use morta_engine::world::{Inboxes, LetheReport, MarketReport, TickContext};

/// Conductor → dispatcher: let your golems live through a tick.
#[derive(Message)]
#[rtype(result = "()")]
pub struct LiveTick {
    /// Which tick.
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
    /// Your place in the slab this time.
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
    /// Which tick.
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
        /// Which dispatcher.
        dispatcher: usize,
        /// What births wrote.
        births: Box<Outbox>,
        /// What steps wrote, in the order of ids.
        steps: Box<Outbox>,
    },
    /// From the market.
    Market(Box<MarketReport>),
    /// From the Curator.
    Curator(Vec<(LetterId, Answer)>),
    /// From the dream scheduler.
    DreamScheduler(Vec<(LetterId, Answer)>),
    /// From the broker.
    LlmBroker {
        /// Answers that are due.
        answers: Vec<(LetterId, Answer)>,
        /// Whether requests are still under way.
        busy: bool,
    },
    /// From the Lethe.
    StyxLethe {
        /// What newborns drew, news of clades, and pheromones.
        report: Box<LetheReport>,
        /// Bloodstains it holds.
        bloodstains: u32,
    },
    /// From the recorder.
    Recorded,
    /// From anybody: I can't go on.
    Failed {
        /// Who.
        actor: &'static str,
        /// Why.
        reason: String,
    },
}

/// Conductor → recorder.
#[derive(Message)]
#[rtype(result = "()")]
pub enum Book {
    /// What happened in one tick.
    Events(Vec<Event>),
    /// There is no more to come.
    Close,
}
