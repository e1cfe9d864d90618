//! Input files of the `owm` commands: questions and contexts as one JSON object (deserialization), and raw bytes of logs and exports. `-`
//! is standard input. Sizes are bounded by `--at-most log-bytes`, 256 MiB by default; databases are read elsewhere (`exports::sqlite`) and
//! aren't bounded by it. An error names the file and the line, so that a user finds the comma.

use super::mistake::without_place;
use crate::limits::log_bytes;
use morta_lab::error::{Error, Result};
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::path::Path;

/// The name of a file in messages; `-` is shown as standard input (stdin).
pub(super) fn shown(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Reads the bytes of a file; `-` is standard input (stdin).
///
/// # Errors
/// When the file can't be read, or is larger than [`crate::limits`] allows.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>> {
    log_bytes(path).map_err(|error| Error::at(shown(path), format!("can't be read: {error}")))
}

/// One JSON object from a file (JSON deserialization).
///
/// # Errors
/// When the file can't be read, or isn't an object of this shape.
pub(super) fn object<T: DeserializeOwned>(path: &Path) -> Result<T> {
    serde_json::from_slice(&bytes(path)?).map_err(|error| {
        Error::invalid(format!("{}:{}: {}", shown(path), error.line(), without_place(&error)))
    })
}

/// Makes an error about a file as a whole, without a line.
pub(super) fn refuse(path: &Path, what: impl Display) -> Error {
    Error::at(shown(path), what)
}
