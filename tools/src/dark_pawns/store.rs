//! An agent's memory on the disk. Each file is replaced as a whole or not at all. The graph is written last (by `dream`), because it also
//! records how far the logs were read: after a crash the two always agree. It is the persistence of a knowledge graph in JSON (atomic
//! write); unknown fields survive a round trip. Graphs of the original program and of its later versions are read too; a salience or weight
//! out of range is refused.

use super::lines::{Place, open};
use crate::limits;
use morta_lab::bounded_lines::Bounded;
use morta_lab::error::{At as _, Result};
use morta_lab::limits::Limit;
use morta_memories::dark_pawns::{EdgeKind, Extractor, LogGraph, NodeKind};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// Name of the graph's file.
pub(crate) const GRAPH: &str = "memory-graph.json";
/// Name of the summary's file.
pub const SUMMARY: &str = "memory-summary.txt";
/// Name of the file of the last dream's figures.
pub const RESULT: &str = "dream-result.json";

/// How far an agent's logs were read: the offset from which the next dream resumes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadSoFar {
    /// State of the extractor, on which the next event depends.
    pub extractor: Extractor,
    /// Position in each log, by its name.
    pub files: BTreeMap<String, Place>,
}

/// The knowledge graph as it is in its file: nodes, edges and how far the logs were read, with the unknown fields of other programs.
#[derive(Debug, Default)]
pub struct Stored {
    /// The memories.
    pub graph: LogGraph,
    /// The reading state; empty for graphs written by other programs.
    pub progress: ReadSoFar,
    /// The file as it was read. Fields that this program doesn't know are written back.
    original: Value,
}

/// Moment of an event in graphs of later versions, whose `created_at` is the moment of the dream.
const OCCURRED_AT: &str = "occurred_at";
const CREATED_AT: &str = "created_at";
const UPDATED_AT: &str = "updated_at";
/// Sorts before every real moment.
const UNKNOWN_MOMENT: &str = "1970-01-01T00:00:00Z";
/// Go's zero time, which the original program writes for a missing moment.
const NO_MOMENT: &str = "0001-01-01T00:00:00Z";

impl Stored {
    /// Reads and checks a graph within the size limit of logs; `-` reads standard input (deserialization).
    ///
    /// # Errors
    /// When the file can't be read, isn't JSON, or isn't a valid graph.
    pub fn read(path: &Path) -> Result<Self> {
        #[derive(Deserialize)]
        struct Rest {
            progress: Option<ReadSoFar>,
        }
        let mut text = Vec::new();
        // The limit applies while reading, because standard input has no size that could be checked before.
        Bounded::new(open(path)?, Limit::LogBytes, limits::now()).read_to_end(&mut text).at(path)?;
        let original: Value = serde_json::from_slice(&text).at(path)?;
        let graph: LogGraph = serde_json::from_value(as_ours(&original)).at(path)?;
        let rest: Rest = serde_json::from_slice(&text).at(path)?;
        // The parser accepts any number, so ranges are checked here. Otherwise a dream would compute with a salience above 1 or a weight of 0.
        graph.check().at(path)?;
        Ok(Self { graph, progress: rest.progress.unwrap_or_default(), original })
    }

    /// The file to be written (JSON serialization). Unknown fields of the graph, its nodes and its edges are kept, so that another program loses
    /// nothing.
    ///
    /// # Errors
    /// When it can't be serialised; this doesn't occur with finite numbers.
    pub fn to_json(&self) -> Result<Value> {
        let mut file = self.original.as_object().cloned().unwrap_or_default();
        let nodes = self.original["nodes"].as_object();
        // A program that writes `occurred_at` also reads it, so new nodes get the field.
        let is_later = nodes.is_some_and(|nodes| nodes.values().any(|node| node.get(OCCURRED_AT).is_some()));
        let mut written = Map::new();
        for node in self.graph.nodes() {
            let known = nodes.and_then(|nodes| nodes.get(&node.id));
            // Our fields are written over the known ones, so that unknown fields of the node stay.
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
        // Nodes of unknown kinds aren't in our graph, so they are copied from the file, otherwise they would be lost.
        let strange = nodes.into_iter().flatten().filter(|(_, node)| !is_known::<NodeKind>(node));
        written.extend(strange.map(|(id, node)| (id.clone(), node.clone())));
        let ends = |edge: &Value| {
            ["from", "to", "kind"].map(|end| edge[end].as_str().unwrap_or_default().to_owned())
        };
        let listed = self.original["edges"].as_array().map(Vec::as_slice).unwrap_or_default();
        let edges: BTreeMap<[String; 3], &Value> = listed.iter().map(|edge| (ends(edge), edge)).collect();
        let mut tied = Vec::new();
        for edge in self.graph.edges() {
            let edge = serde_json::to_value(edge)?;
            let known = edges.get(&ends(&edge)).and_then(|edge| edge.as_object().cloned());
            let mut fields = known.unwrap_or_default();
            extend(&mut fields, edge);
            tied.push(Value::Object(fields));
        }
        tied.extend(listed.iter().filter(|edge| !is_known::<EdgeKind>(edge)).cloned());
        file.insert("nodes".to_owned(), Value::Object(written));
        file.insert("edges".to_owned(), Value::Array(tied));
        file.insert("progress".to_owned(), serde_json::to_value(&self.progress)?);
        Ok(Value::Object(file))
    }
}

/// A graph of any version in this program's form. An event's moment is when it occurred; nodes and edges of unknown kinds are left out; Go's null
/// list and zero time count as missing.
fn as_ours(original: &Value) -> Value {
    let mut read = original.clone();
    let Some(graph) = read.as_object_mut() else { return read };
    for (part, nothing) in [("nodes", Value::Object(Map::new())), ("edges", Value::Array(Vec::new()))] {
        if graph.get(part).is_none_or(Value::is_null) {
            graph.insert(part.to_owned(), nothing);
        }
    }
    if let Some(nodes) = graph["nodes"].as_object_mut() {
        nodes.retain(|_, node| is_known::<NodeKind>(node));
        for node in nodes.values_mut() {
            if let Some(occurred) = occurred_at(node).cloned() {
                node[CREATED_AT] = occurred;
            }
            let [created, updated] = [CREATED_AT, UPDATED_AT].map(|field| moment(node, field).cloned());
            for (field, own, other) in [(CREATED_AT, &created, &updated), (UPDATED_AT, &updated, &created)] {
                if own.is_none() && node.get(field).is_some_and(Value::is_string) {
                    node[field] = other.clone().unwrap_or_else(|| UNKNOWN_MOMENT.into());
                }
            }
            if let Some(valence) =
                node.get("valence").filter(|valence| valence.is_f64()).and_then(Value::as_f64)
            {
                // Some graphs have valence as a fraction; ours is a whole number from −3 to 3, so it is rounded.
                node["valence"] = (valence.round() as i64).into();
            }
        }
    }
    if let Some(edges) = graph["edges"].as_array_mut() {
        edges.retain(is_known::<EdgeKind>);
        for edge in edges {
            if moment(edge, CREATED_AT).is_none() && edge.get(CREATED_AT).is_some_and(Value::is_string) {
                // The parser demands a moment. The earliest one is used, rather than the present, which would make the edge look new.
                edge[CREATED_AT] = UNKNOWN_MOMENT.into();
            }
        }
    }
    read
}

/// Whether the kind is known, or missing; the parser reports a missing one.
fn is_known<Kind: DeserializeOwned>(one: &Value) -> bool {
    let kind = one.get("kind").filter(|kind| kind.is_string());
    kind.is_none_or(|kind| serde_json::from_value::<Kind>(kind.clone()).is_ok())
}

/// A moment, unless it is Go's zero time.
fn moment<'a>(of: &'a Value, field: &str) -> Option<&'a Value> {
    of.get(field).filter(|moment| !moment.is_null() && *moment != NO_MOMENT && *moment != "")
}

fn occurred_at(node: &Value) -> Option<&Value> {
    moment(node, OCCURRED_AT)
}

fn extend(fields: &mut Map<String, Value>, with: Value) {
    if let Value::Object(with) = with {
        fields.extend(with);
    }
}
