//! An agent's memory on disk. A file is replaced whole or not at all; the graph comes last, so that what it has read and what it
//! remembers never differ.

use super::lines::{Place, open};
use crate::error::Error;
use morta_memories::dark_pawns::{Extractor, LogGraph};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// Name of the graph's file.
pub const GRAPH: &str = "memory-graph.json";
/// Name of the summary's file.
pub const SUMMARY: &str = "memory-summary.txt";
/// Name of the file of the last dream's figures.
pub const RESULT: &str = "dream-result.json";

/// What was read of an agent's logs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// What the next event depends on.
    pub extractor: Extractor,
    /// How far each log was read, by its name.
    pub files: BTreeMap<String, Place>,
}

/// The graph's file.
#[derive(Debug, Default, Serialize)]
pub struct Stored {
    /// What is remembered.
    #[serde(flatten)]
    pub graph: LogGraph,
    /// What was read; graphs of other makers don't say.
    pub progress: Progress,
}

impl Stored {
    /// Reads and checks a graph; `-` reads standard input.
    ///
    /// # Errors
    /// When it can't be read, isn't JSON, or holds what can't be.
    pub fn read(path: &Path) -> crate::Result<Self> {
        #[derive(Deserialize)]
        struct Rest {
            progress: Option<Progress>,
        }
        let fail = |what: String| Error::invalid(format!("{}: {what}", path.display()));
        let mut text = Vec::new();
        open(path)?.read_to_end(&mut text).map_err(|error| fail(error.to_string()))?;
        let graph: LogGraph = serde_json::from_slice(&text).map_err(|error| fail(error.to_string()))?;
        let rest: Rest = serde_json::from_slice(&text).map_err(|error| fail(error.to_string()))?;
        graph.check().map_err(|problem| fail(problem.to_string()))?;
        Ok(Self { graph, progress: rest.progress.unwrap_or_default() })
    }
}
