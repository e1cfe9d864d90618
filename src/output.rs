//! What the program says on standard output.

use std::fmt::Display;
use std::io::{ErrorKind, Write};

/// Prints a line. When nobody reads any more (`morta … | head`), the process ends quietly with code 0.
///
/// # Errors
/// When standard output can't be written for another reason.
pub fn line(text: impl Display) -> anyhow::Result<()> {
    match writeln!(std::io::stdout().lock(), "{text}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        written => Ok(written?),
    }
}
