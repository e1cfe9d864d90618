//! The port to a model outside the simulation: a call is made at one barrier, and its reply is read when the tier's latency is over, at the
//! same barrier for a latency of 1 tick.
//!
//! The engine makes a [`Call`] from a task and parses the [`CallReply`]; it opens no connection and knows no clock. The driver of
//! the world hands it an [`Outside`], which takes calls without waiting, and waits at the barrier at which a reply is due by
//! *virtual* latency. As far as the world can see, a reply is a function of its call: with recorded replies, a run is the same to
//! the byte. It is a hexagonal port with record and replay (cassette, VCR). Latency is in ticks. The port is used in every `llm.mode` but
//! "simulated". `messages` makes a call of `questions` and of the schema in `form`; `answer` reads the reply.

mod answer;
mod call;
mod form;
mod messages;
mod questions;
#[cfg(test)]
mod tests;

pub use answer::{LARGEST_R, Unreadable};
pub use call::{
    Asker, Call, CallKey, CallReply, FinishReason, Message, Outside, OutsideError, OutsideHandle, Role,
};

pub(super) use answer::read;
pub(super) use messages::{ask, ask_again};
