//! An agent's memory on disk. A file is replaced whole or not at all; the graph comes last, so that what it has read and what it
//! remembers never differ.

use super::lines::{Place, open};
use crate::limits;
use morta_lab::bounded_lines::Bounded;
use morta_lab::error::{Error, Result};
use morta_lab::limits::Limit;
use morta_memories::dark_pawns::{Extractor, LogGraph, NodeKind};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
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
#[derive(Debug, Default)]
pub struct Stored {
    /// What is remembered.
    pub graph: LogGraph,
    /// What was read; graphs of other makers don't say.
    pub progress: Progress,
    /// The file it was read from, of which is kept what isn't looked at here.
    original: Value,
}

/// When an event was, in graphs of later makers, whose `created_at` is when it was dreamt of.
const OCCURRED_AT: &str = "occurred_at";
const CREATED_AT: &str = "created_at";
/// What the original's language writes for no moment.
const NO_MOMENT: &str = "0001-01-01T00:00:00Z";

impl Stored {
    /// Reads and checks a graph; `-` reads standard input.
    ///
    /// # Errors
    /// When it can't be read, isn't JSON, or holds what can't be.
    pub fn read(path: &Path) -> Result<Self> {
        #[derive(Deserialize)]
        struct Rest {
            progress: Option<Progress>,
        }
        let fail = |what: String| Error::invalid(format!("{}: {what}", path.display()));
        let mut text = Vec::new();
        Bounded::new(open(path)?, Limit::LogBytes, limits::now())
            .read_to_end(&mut text)
            .map_err(|error| fail(error.to_string()))?;
        let original: Value = serde_json::from_slice(&text).map_err(|error| fail(error.to_string()))?;
        let mut read = original.clone();
        for node in read["nodes"].as_object_mut().into_iter().flat_map(Map::values_mut) {
            if let Some(occurred) = occurred_at(node).cloned() {
                node[CREATED_AT] = occurred;
            }
        }
        let graph: LogGraph = serde_json::from_value(read).map_err(|error| fail(error.to_string()))?;
        let rest: Rest = serde_json::from_slice(&text).map_err(|error| fail(error.to_string()))?;
        graph.check().map_err(|problem| fail(problem.to_string()))?;
        Ok(Self { graph, progress: rest.progress.unwrap_or_default(), original })
    }

    /// The file as it is written: what it said besides of the graph, of a node or of an edge, it still says.
    ///
    /// # Errors
    /// When it can't be written as JSON; never in practice.
    pub fn to_json(&self) -> Result<Value> {
        let mut file = self.original.as_object().cloned().unwrap_or_default();
        let nodes = self.original["nodes"].as_object();
        // Whoever writes this field also looks for it.
        let is_later = nodes.is_some_and(|nodes| nodes.values().any(|node| node.get(OCCURRED_AT).is_some()));
        let mut written = Map::new();
        for node in self.graph.nodes() {
            let known = nodes.and_then(|nodes| nodes.get(&node.id));
            let mut fields = known.and_then(Value::as_object).cloned().unwrap_or_default();
            let dreamt =
                known.filter(|node| occurred_at(node).is_some()).map(|node| node[CREATED_AT].clone());
            extend(&mut fields, serde_json::to_value(node)?);
            if let Some(dreamt) = dreamt {
                fields.insert(CREATED_AT.to_owned(), dreamt);
            } else if is_later && node.kind == NodeKind::Event {
                fields.insert(OCCURRED_AT.to_owned(), fields[CREATED_AT].clone());
            }
            written.insert(node.id.clone(), Value::Object(fields));
        }
        let ends = |edge: &Value| {
            ["from", "to", "kind"].map(|end| edge[end].as_str().unwrap_or_default().to_owned())
        };
        let edges = self.original["edges"].as_array().map(Vec::as_slice).unwrap_or_default();
        let edges: BTreeMap<[String; 3], &Value> = edges.iter().map(|edge| (ends(edge), edge)).collect();
        let mut tied = Vec::new();
        for edge in self.graph.edges() {
            let edge = serde_json::to_value(edge)?;
            let known = edges.get(&ends(&edge)).and_then(|edge| edge.as_object().cloned());
            let mut fields = known.unwrap_or_default();
            extend(&mut fields, edge);
            tied.push(Value::Object(fields));
        }
        file.insert("nodes".to_owned(), Value::Object(written));
        file.insert("edges".to_owned(), Value::Array(tied));
        file.insert("progress".to_owned(), serde_json::to_value(&self.progress)?);
        Ok(Value::Object(file))
    }
}

fn occurred_at(node: &Value) -> Option<&Value> {
    node.get(OCCURRED_AT).filter(|moment| !moment.is_null() && *moment != NO_MOMENT && *moment != "")
}

fn extend(fields: &mut Map<String, Value>, with: Value) {
    if let Value::Object(with) = with {
        fields.extend(with);
    }
}
