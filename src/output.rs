//! What goes to standard output.

use std::fmt;
use std::io::{self, Write};

/// Writes one line. A reader that has gone (`morta inspect … | head`) ends the program quietly and with success.
///
/// # Errors
/// When standard output can't be written for another reason.
pub fn line(args: fmt::Arguments<'_>) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let written = out.write_fmt(args).and_then(|()| out.write_all(b"\n"));
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        other => Ok(other?),
    }
}
