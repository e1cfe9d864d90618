//! Limits on the size of a log or a store.
//!
//! `morta-memory` runs one command in a process, so its limits belong to the process. They are set once, before anything is read; a program
//! that uses this library and sets none has the defaults. Limits decide only whether a file is read, mostly by an error (OpenClaw's
//! transcripts and notes that are too large are left out with a remark).
//!
//! They are resource limits in bytes or rows. They are global, because a command line has one user.

use morta_lab::bounded_lines;
use morta_lab::limits::Limits;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

static IN_FORCE: OnceLock<Limits> = OnceLock::new();

/// Sets the limits of this process, which hold for all its threads. Returns false, and changes nothing, if they were set before.
pub fn set(limits: Limits) -> bool {
    IN_FORCE.set(limits).is_ok()
}

/// The resource limits in force in this process.
pub fn now() -> &'static Limits {
    IN_FORCE.get_or_init(Limits::default)
}

/// Reads all bytes of a file, or of standard input for `-`, up to a limit of the file size (`log-bytes`, by default 256 MiB).
///
/// # Errors
/// When it can't be read, isn't a file, or is larger than a log may be.
pub fn log_bytes(path: &Path) -> io::Result<Vec<u8>> {
    bounded_lines::log_bytes(path, now())
}

/// Reads a file of UTF-8 text, with the size limit of [`log_bytes`].
///
/// # Errors
/// As [`log_bytes`], and when the bytes aren't UTF-8.
pub fn log_text(path: &Path) -> io::Result<String> {
    bounded_lines::log_text(path, now())
}
