//! The message of a caught panic (panic payload of `catch_unwind`). Actors, shared services of a world, the Lethe's store, the conformance
//! check of memories and load-test scorers report a panic by it. Its words are all there is to report, because a caught panic carries no
//! backtrace.

use std::any::Any;

/// The message of a panic, from its payload; a fixed text when it had none.
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked").to_owned()
}
