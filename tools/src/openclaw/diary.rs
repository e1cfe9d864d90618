//! Traces of the phases of sleep in a workspace: blocks in daily notes, and reports. It is a parser of Markdown
//! blocks between comment markers, for the HTML page alone. Notes are the source and not the store, because a user may have edited them.
//! What stands outside of markers isn't seen.

use super::store_file::text_if_there;
use morta_lab::error::{At as _, Result};
use morta_memories::openclaw::block::block_of;
use morta_memories::openclaw::schedule::Phase;
use morta_memories::openclaw::time::Day;
use std::path::Path;

/// A diary entry: the text that a phase wrote on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Night {
    /// The day.
    pub day: Day,
    /// The phase.
    pub phase: Phase,
    /// The text.
    pub text: String,
}

/// Reads the diary entries of the phases from notes and reports, latest day first. Where both have a night, the report's text counts.
///
/// # Errors
/// [`Error::Invalid`](morta_lab::error::Error::Invalid) when a folder or a note can't be read.
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

/// The days that name the files of a folder.
fn days(folder: &Path) -> Result<Vec<Day>> {
    let files = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        files => files.at(folder)?,
    };
    let mut days = Vec::new();
    for file in files {
        let name = file.at(folder)?.file_name();
        days.extend(name.to_str().and_then(|name| name.strip_suffix(".md")?.parse::<Day>().ok()));
    }
    Ok(days)
}
