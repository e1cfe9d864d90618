//! What the phases of sleep have left in a workspace: facts in long-term memory, blocks in daily notes and reports.

use super::store_file::text_if_there;
use morta_lab::error::{Error, Result};
use morta_memories::openclaw::block::block_of;
use morta_memories::openclaw::long_term;
use morta_memories::openclaw::schedule::Phase;
use morta_memories::openclaw::time::Day;
use std::path::Path;

/// What a phase wrote on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Night {
    /// The day.
    pub day: Day,
    /// The phase.
    pub phase: Phase,
    /// What it wrote.
    pub text: String,
}

/// A fact that was promoted, as long-term memory has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The key of its entry.
    pub key: String,
    /// The day of its promotion; empty where its section names none.
    pub day: String,
    /// What is written of it.
    pub line: String,
}

/// What the phases have written into notes and reports, the latest day first; of what is in both the report counts.
///
/// # Errors
/// [`Error::Invalid`] when a folder or note can't be read.
pub fn nights(workspace: &Path) -> Result<Vec<Night>> {
    let mut nights: Vec<Night> = Vec::new();
    let memory = workspace.join("memory");
    for phase in [Phase::Light, Phase::Rem] {
        for day in days(&memory.join("dreaming").join(phase.name()))? {
            let report =
                text_if_there(&memory.join("dreaming").join(phase.name()).join(format!("{day}.md")))?;
            let text = report.as_deref().and_then(|note| block_of(note, phase)).map(str::to_owned);
            nights.extend(text.map(|text| Night { day, phase, text }));
        }
    }
    for day in days(&memory)? {
        let Some(note) = text_if_there(&memory.join(format!("{day}.md")))? else { continue };
        for phase in [Phase::Light, Phase::Rem] {
            let known = nights.iter().any(|night| (night.day, night.phase) == (day, phase));
            let text = block_of(&note, phase).filter(|_| !known);
            nights.extend(text.map(|text| Night { day, phase, text: text.to_owned() }));
        }
    }
    nights.sort_by(|a, b| b.day.cmp(&a.day).then(a.phase.cmp(&b.phase)));
    Ok(nights)
}

/// The days that files of a folder are named by.
fn days(folder: &Path) -> Result<Vec<Day>> {
    let invalid = |error: std::io::Error| Error::invalid(format!("{}: {error}", folder.display()));
    let files = match std::fs::read_dir(folder) {
        Ok(files) => files,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(invalid(error)),
    };
    let mut days = Vec::new();
    for file in files {
        let name = file.map_err(invalid)?.file_name();
        let day =
            name.to_str().and_then(|name| name.strip_suffix(".md")).and_then(|day| day.parse::<Day>().ok());
        days.extend(day);
    }
    Ok(days)
}

/// The facts that were promoted to long-term memory, in its order.
///
/// # Errors
/// [`Error::Invalid`] when it can't be read.
pub fn facts(memory: &Path) -> Result<Vec<Fact>> {
    let text = text_if_there(memory)?.unwrap_or_default();
    let fact = |of: &long_term::Written<'_>| Fact {
        key: of.key.to_owned(),
        day: of.day.to_owned(),
        line: of.line.to_owned(),
    };
    Ok(long_term::written(&text).iter().map(fact).collect())
}
