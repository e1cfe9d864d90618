//! The target of a load: scorers and a clock, real or simulated. It is the system under test behind a trait (test double), so that one
//! generator drives both: the pool of actors with the machine's clock, and simulated scorers in virtual time. Queues are bounded by the
//! generator; a target takes every request it is sent.

/// A request that has been sent, with its timestamps: when it was due and when it was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Request {
    /// Its number, from 0: in the order of due times in an open loop, of sending in a closed one.
    pub number: u64,
    /// The client that sends it, from 0.
    pub client: u32,
    /// The scorer that it is sent to, from 0.
    pub scorer: u32,
    /// Its due time, ns.
    pub due_ns: u64,
    /// The moment at which it was sent, ns; not before its due time.
    pub sent_ns: u64,
}

/// A request that has been answered (response), with its timestamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The request it answers.
    pub request: Request,
    /// The moment at which the scorer began with it, ns.
    pub started_ns: u64,
    /// The moment at which the scorer finished it, ns.
    pub finished_ns: u64,
}

/// The target of a load: scorers and their clock (system under test). A trait, so that the same generator drives real and simulated scorers.
pub trait LoadTarget {
    /// The reason why a load can't go on.
    type Error;

    /// The time, ns since the load began; it never goes back.
    fn now_ns(&mut self) -> u64;

    /// Whether the load is to end now, before its plan does.
    fn is_over(&self) -> bool;

    /// Waits for the next answer until a moment, and returns it as soon as it arrives. `None` when the moment passes without one, or the load
    /// is over. With a moment in the past it returns only an answer that has arrived already.
    ///
    /// # Errors
    /// When a scorer failed.
    fn answer_by(&mut self, until_ns: u64) -> Result<Option<Answer>, Self::Error>;

    /// Puts a request into its scorer's queue. The queue is never full here, because the generator drops requests beyond its capacity.
    ///
    /// # Errors
    /// When the scorer can't be reached.
    fn send(&mut self, request: Request) -> Result<(), Self::Error>;
}
