//! Files of JSON, whose mistakes are told with their file and line.

use crate::limits::log_bytes;
use morta_lab::error::{Error, Result};
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::path::Path;

/// The name of a file in messages.
pub fn shown(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// The bytes of a file; - is standard input.
///
/// # Errors
/// When it can't be read, or is too large.
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    log_bytes(path).map_err(|error| Error::invalid(format!("{}: can't be read: {error}", shown(path))))
}

/// One JSON object from a file.
///
/// # Errors
/// When it can't be read, or isn't what it should be.
pub fn object<T: DeserializeOwned>(path: &Path) -> Result<T> {
    serde_json::from_slice(&bytes(path)?).map_err(|error| {
        let what = error.to_string();
        let what = what.rsplit_once(" at line ").map_or(what.as_str(), |(what, _)| what);
        Error::invalid(format!("{}:{}: {what}", shown(path), error.line()))
    })
}

/// A mistake in a file as a whole.
pub fn refuse(path: &Path, what: impl Display) -> Error {
    Error::invalid(format!("{}: {what}", shown(path)))
}
