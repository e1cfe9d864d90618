//! Files of JSON, whose mistakes are told with their file and line.

use crate::error::Error;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::io::Read;
use std::path::Path;

/// Largest file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The name of a file in messages.
pub fn shown(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// The bytes of a file; - is standard input.
///
/// # Errors
/// When it can't be read, or is too large.
pub fn bytes(path: &Path) -> crate::Result<Vec<u8>> {
    let fail = |error: std::io::Error| Error::invalid(format!("{}: can't be read: {error}", shown(path)));
    let mut content = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut content).map_err(fail)?;
    } else {
        let file = std::fs::File::open(path).map_err(fail)?;
        file.take(MAX_BYTES + 1).read_to_end(&mut content).map_err(fail)?;
    }
    if content.len() as u64 > MAX_BYTES {
        return Err(Error::invalid(format!("{}: is larger than {MAX_BYTES} bytes: split it", shown(path))));
    }
    Ok(content)
}

/// One JSON object from a file.
///
/// # Errors
/// When it can't be read, or isn't what it should be.
pub fn object<T: DeserializeOwned>(path: &Path) -> crate::Result<T> {
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
