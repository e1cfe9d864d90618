//! The file of rules: how events are recognised, valued and summarised. It is a TOML configuration, validated
//! key by key. Unknown keys are refused, because a misspelt one would silently keep its default.

use morta_base::Problem;
use morta_base::keys::Keys;
use morta_lab::error::{Error, Result};
use morta_memories::dark_pawns::DreamRules;
use std::path::Path;

/// Reads a file of rules; missing keys have their defaults (TOML configuration file).
///
/// # Errors
/// [`Error::Invalid`] when the file can't be read, or has an unknown key or an invalid value.
pub fn read(path: &Path) -> Result<DreamRules> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Error::invalid(format!("{shown}: can't read the rules: {error}")))?;
    let rules: DreamRules = toml::from_str(&text).map_err(|error| {
        let before = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text.as_bytes()[..before].iter().filter(|byte| **byte == b'\n').count();
        let what = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
        Error::invalid(format!("{shown}:{line}: {what}"))
    })?;
    let problems = rules.problems("");
    if problems.is_empty() {
        return Ok(rules);
    }
    let line =
        |problem: &Problem| format!("{shown}: {} = {}: {}", problem.key, problem.value, problem.remedy);
    Err(Error::all(problems.iter().map(line)))
}
