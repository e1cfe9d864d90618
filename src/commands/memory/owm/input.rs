//! Files of JSON, whose mistakes are told with their file and line.

use crate::failure::UserError;
use serde::de::DeserializeOwned;
use serde_json::Value;
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
pub fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let fail = |error: std::io::Error| UserError::new(format!("{}: can't be read: {error}", shown(path)));
    let mut content = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut content).map_err(fail)?;
    } else {
        let file = std::fs::File::open(path).map_err(fail)?;
        file.take(MAX_BYTES + 1).read_to_end(&mut content).map_err(fail)?;
    }
    if content.len() as u64 > MAX_BYTES {
        return Err(UserError::new(format!("{}: is larger than {MAX_BYTES} bytes: split it", shown(path))));
    }
    Ok(content)
}

/// One JSON object from a file.
pub fn object<T: DeserializeOwned>(path: &Path) -> anyhow::Result<T> {
    serde_json::from_slice(&bytes(path)?).map_err(|error| {
        let what = error.to_string();
        let what = what.rsplit_once(" at line ").map_or(what.as_str(), |(what, _)| what);
        UserError::new(format!("{}:{}: {what}", shown(path), error.line()))
    })
}

/// A mistake in a file as a whole.
pub fn refuse(path: &Path, what: impl Display) -> anyhow::Error {
    UserError::new(format!("{}: {what}", shown(path)))
}

/// A number that must lie in a range.
pub fn within(name: &str, value: f64, low: f64, high: f64) -> Result<f64, String> {
    if (low..=high).contains(&value) {
        Ok(value)
    } else {
        Err(format!("{name} = {value}: must be a number from {low} to {high}"))
    }
}

/// A moment that must be readable.
pub fn moment(name: &str, value: &Value) -> Result<f64, String> {
    super::context::moment_s(value)
        .ok_or_else(|| format!("{name} = {value}: must be a moment like 2026-02-01T14:00:00Z"))
}
