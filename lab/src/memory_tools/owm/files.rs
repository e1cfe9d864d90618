//! Files of JSON, whose mistakes are told with their file and line.

use crate::error::Error;
use crate::limits::Limit;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::io::Read;
use std::path::Path;

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
    let (mut content, most) = (Vec::new(), Limit::LogBytes.now());
    if path == Path::new("-") {
        std::io::stdin().lock().take(most + 1).read_to_end(&mut content).map_err(fail)?;
    } else {
        let file = std::fs::File::open(path).map_err(fail)?;
        file.take(most + 1).read_to_end(&mut content).map_err(fail)?;
    }
    if content.len() as u64 > most {
        let remedy = Limit::LogBytes.remedy();
        return Err(Error::invalid(format!(
            "{}: is larger than {most} bytes: split it, {remedy}",
            shown(path)
        )));
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
