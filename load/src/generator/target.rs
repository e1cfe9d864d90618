//! The target of a load: scorers and a clock, real or simulated.

/// A request on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Request {
    /// Its number in the order of sending or of being due, from 0.
    pub number: u64,
    /// The client that asks, from 0.
    pub client: u32,
    /// The scorer that is to answer it, from 0.
    pub scorer: u32,
    /// When it was due, ns.
    pub due_ns: u64,
    /// When it was sent, ns; not before it was due.
    pub sent_ns: u64,
}

/// A request that has been answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The request it answers.
    pub request: Request,
    /// When the scorer began with it, ns.
    pub started_ns: u64,
    /// When the scorer was done with it, ns.
    pub finished_ns: u64,
}

/// What a load is put on.
pub trait LoadTarget {
    /// Why a load can't go on.
    type Error;

    /// The time, ns; never earlier than before.
    fn now_ns(&mut self) -> u64;

    /// Whether somebody wants the load to end now.
    fn is_over(&self) -> bool;

    /// The next answer that is there by a moment, as soon as it is there. `None` when the moment has come without one, or the load is
    /// over; a moment in the past only asks for what is there already.
    ///
    /// # Errors
    /// When a scorer failed.
    fn answer_by(&mut self, until_ns: u64) -> Result<Option<Answer>, Self::Error>;

    /// Puts a request into its scorer's queue. The generator sends no more than the queue holds.
    ///
    /// # Errors
    /// When the scorer can't be reached.
    fn send(&mut self, request: Request) -> Result<(), Self::Error>;
}
