//! What a contained panic said (panic payload, panic message of `catch_unwind`). An actor or a memory that
//! panics must be reported by its words, because nobody sees its backtrace.

use std::any::Any;

/// The words of a panic; a fixed text when it had none (panic payload).
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked").to_owned()
}
