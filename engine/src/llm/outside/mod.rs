//! The port to a model outside the simulation: what is asked at one barrier and answered at a later one.
//!
//! The engine makes a [`Call`] of a task and reads the [`CallReply`] to it; it opens no connection and knows no clock. Whoever drives the
//! world hands it an [`Outside`] that takes calls without waiting, and waits at the barrier at which a reply is due by *virtual* latency. A
//! reply is a function of its call as far as the world can tell: with replies that were recorded, a run is the same to the byte.

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
