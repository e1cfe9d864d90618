//! The file of rules: how events are recognised, valued and summarised. It is a TOML configuration, validated
//! key by key. Unknown keys are refused, because a misspelt one would silently keep its default.

use morta_base::Problem;
use morta_base::keys::Keys;
use morta_lab::error::{Error, Result};
use morta_memories::dark_pawns::DreamRules;
use std::path::Path;

/// Reads a file of rules; missing keys have their defaults (TOML configuration).
///
/// # Errors
/// [`Error::Invalid`] when the file can't be read, or has an unknown key or an invalid value.
pub fn read(path: &Path) -> Result<DreamRules> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Error::at(path, format!("can't read the rules: {error}")))?;
    let rules: DreamRules = toml::from_str(&text).map_err(|error| Error::in_toml(path, &text, &error))?;
    let line = |problem: Problem| format!("{}: {problem}", path.display());
    Error::if_any(rules.problems("").into_iter().map(line).collect()).map(|()| rules)
}
