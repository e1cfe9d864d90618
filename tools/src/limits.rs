//! How much of a log or a store is read before it is refused.
//!
//! `morta-memory` is a program of one command, so its limits are of the process: they are set once, before anything is read, and a program
//! that links this library and sets none has the usual ones. They decide whether a file is read and change no figure.

use morta_lab::bounded_lines;
use morta_lab::limits::Limits;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

static IN_FORCE: OnceLock<Limits> = OnceLock::new();

/// Puts limits in force for this process; false when that has been done already, and then nothing changes.
pub fn set(limits: Limits) -> bool {
    IN_FORCE.set(limits).is_ok()
}

/// The limits in force.
pub fn now() -> &'static Limits {
    IN_FORCE.get_or_init(Limits::default)
}

/// All bytes of a log or a store, or of standard input for `-`.
///
/// # Errors
/// When it can't be read, is no file, or holds more than a log may.
pub fn log_bytes(path: &Path) -> io::Result<Vec<u8>> {
    bounded_lines::log_bytes(path, now())
}

/// The same as text.
///
/// # Errors
/// Besides, when it isn't UTF-8.
pub fn log_text(path: &Path) -> io::Result<String> {
    bounded_lines::log_text(path, now())
}
