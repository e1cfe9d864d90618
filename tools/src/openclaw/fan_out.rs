//! One question to all workspaces of a configuration (fan-out). A failure of one is reported beside the answers of the others
//! (partial failure). One broken workspace must not hide the others, because they belong to different agents. It is an error only if all
//! fail, or the only one.

use super::configuration::{find, workspaces};
use super::room::{STORE, Surroundings};
use crate::notes::Notes;
use morta_lab::error::Result;
use morta_lab::text::View;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The answers of one or several workspaces; in JSON the answer of a single one stands alone, without a tag.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Answers<Answer> {
    /// Of one, as it is.
    One(Answer),
    /// Of several workspaces.
    Several {
        /// The answers, in the order of the configuration.
        workspaces: Vec<Answer>,
        /// The workspaces that failed; a failure doesn't stop the others.
        failed: Vec<Failure>,
    },
}

/// A workspace that failed while others answered, and its error (partial failure).
#[derive(Debug, Serialize)]
pub struct Failure {
    /// The workspace's store.
    pub store: String,
    /// The error's text.
    pub why: String,
}

/// Lists the workspaces if none is named: those of the configuration's agents that exist on this machine, and before them the current
/// folder, if it has a store or if there is no other (workspace discovery). A folder that the configuration names and that is missing is
/// reported. `live` and `schedule` take the list from here and ask nothing.
///
/// # Errors
/// When a configuration exists and can't be read.
pub fn configured(config: Option<&Path>, notes: Notes<'_>) -> Result<Vec<PathBuf>> {
    let here = PathBuf::from(".");
    let mut found = find(config, &here).map_or(Ok(Vec::new()), |config| workspaces(&config))?;
    // A configuration that was copied from another machine names folders that don't exist here.
    found.retain(|one| {
        let there = one.is_dir();
        if !there {
            notes(&format!("{}: the configuration names this workspace, and it isn't there", one.display()));
        }
        there
    });
    let real = here.canonicalize().ok();
    // The current folder comes first, as `.`. The configuration's own name of it is dropped, otherwise it would be asked twice.
    let mut meant: Vec<PathBuf> = Vec::new();
    if found.is_empty() || here.join(STORE).exists() {
        meant.push(here);
    }
    let known = !meant.is_empty();
    meant.extend(found.into_iter().filter(|one| !known || one.canonicalize().ok() != real));
    Ok(meant)
}

/// Asks each workspace (fan-out). A failure is reported and doesn't stop the others.
///
/// # Errors
/// The error of the only workspace, or the last error if all fail.
pub fn ask<Answer>(
    all: &[Surroundings],
    notes: Notes<'_>,
    mut question: impl FnMut(&Surroundings, Notes<'_>) -> Result<Answer>,
) -> Result<Answers<Answer>> {
    if let [only] = all {
        return question(only, notes).map(Answers::One);
    }
    let (mut answers, mut failed, mut last) = (Vec::new(), Vec::new(), None);
    for around in all {
        match question(around, notes) {
            Ok(answer) => answers.push(answer),
            Err(error) => {
                notes(&format!("this workspace is left out: {error}"));
                failed.push(Failure { store: around.store.display().to_string(), why: error.to_string() });
                last = Some(error);
            }
        }
    }
    match last {
        Some(error) if answers.is_empty() => Err(error),
        _ => Ok(Answers::Several { workspaces: answers, failed }),
    }
}

impl<Answer: View> View for Answers<Answer> {
    fn lines(&self) -> Vec<String> {
        match self {
            Self::One(answer) => answer.lines(),
            Self::Several { workspaces, failed } => {
                let mut lines: Vec<String> = workspaces.iter().flat_map(Answer::lines).collect();
                lines.extend(failed.iter().map(|one| format!("{}: left out: {}", one.store, one.why)));
                lines
            }
        }
    }
}
