//! The memory graph: nodes with a salience and a valence, and edges between them (digest section 5). It is a knowledge graph with
//! reinforcement, decay and pruning. Salience is 0 to 1, valence is −3 to +3, an edge weighs 1 and a tenth more for each repetition.
//! Order is by id, so that two machines write the same file. How a new node begins, what a visit adds and what a dream takes are the
//! caller's figures: log dreams have `DreamRules`, golems keys of their own. No rule reads an edge's weight; it is kept for the file.

use crate::dark_pawns::{Stamp, Valence, ValenceSource};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// Visits up to which the feeling is a running mean. After them each new one counts a tenth (the original's w = 1/min(visits, 10)), so that the
/// feeling about an old acquaintance can still change.
const SETTLED_AFTER: u32 = 10;
/// Weight of a new edge, as in the original.
const NEW_EDGE: f64 = 1.0;
/// Weight that an equal edge adds, as in the original. There is no cap and no decay.
const REPEATED_EDGE: f64 = 0.1;

morta_base::words! {
    /// The kind of a node (node type, entity type).
    pub enum NodeKind {
        /// An event.
        Event = "event",
        /// A person or creature that can be met again.
        Entity = "entity",
        /// A place: a room, or the caller's equivalent.
        Room = "room",
        /// An item that was taken.
        Item = "item",
    }

    /// The relation of two nodes (edge type, relationship). A golem's graph has trades and other happenings for events, regimes for rooms,
    /// and strategies, their pairings with regimes, assets and kin for entities; `took_from` leads from a gain to its asset, `killed` from
    /// a scar that was met to the pairing of its trade.
    pub enum EdgeKind {
        /// From an event to its room.
        OccurredIn = "occurred_in",
        /// From an event to an entity in it.
        Involved = "involved",
        /// From a room to the next one.
        TransitionedTo = "transitioned_to",
        /// From an event to the killed entity.
        Killed = "killed",
        /// From an event to the item that was taken.
        TookFrom = "took_from",
        /// From an event to the opponent.
        Fought = "fought",
        /// From an event to the other side of a dealing.
        Social = "social",
        /// From an event to the last event of the same deed towards the same entity or item.
        SimilarTo = "similar_to",
    }
}

/// A node: an event, or an entity, room or item that events are about (vertex).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node<Id> {
    /// Its id in the graph.
    pub id: Id,
    /// Its kind.
    pub kind: NodeKind,
    /// Its label; that of an event is the narrative.
    pub label: String,
    /// Strength of the memory, 0 to 1.
    pub salience: f64,
    /// The blended feeling as the original has it: truncated to a whole number at every visit.
    pub valence: Valence,
    /// The moment of the first visit.
    pub created_at: Stamp,
    /// The moment of the last visit.
    pub updated_at: Stamp,
    /// Number of visits, at least 1.
    pub visit_count: u32,
    /// The blended feeling without truncation, −3 to +3. Kept beside `valence`, because truncation lets a later visit hardly raise it: twelve
    /// visits of 0 and one of +3 give 0. `None` in graphs of the original.
    pub mean_valence: Option<f64>,
}

impl<Id> Node<Id> {
    /// The feeling without truncation, −3 to +3; the whole number where a graph doesn't have the mean (mean valence).
    pub fn mean(&self) -> f64 {
        self.mean_valence.unwrap_or_else(|| self.valence.get().into())
    }

    /// The feeling as a whole number, by either blend; the mean is rounded (emotional valence).
    pub fn feeling(&self, source: ValenceSource) -> Valence {
        match source {
            ValenceSource::Integer => self.valence,
            ValenceSource::Mean => Valence::new(self.mean().round() as i64),
        }
    }

    fn meet(&mut self, valence: Valence, at: Stamp, bonus: f64) {
        self.visit_count = self.visit_count.saturating_add(1);
        self.salience = (self.salience + bonus).clamp(0.0, 1.0);
        self.mean_valence = Some(blend(self.mean(), valence, self.visit_count));
        self.valence =
            Valence::new(blend(self.valence.get().into(), valence, self.visit_count).trunc() as i64);
        self.updated_at = self.updated_at.max(at);
    }
}

/// Blends the feelings after a visit, before truncation, by a moving average: a running mean (incremental mean) over the first ten visits,
/// then nine tenths of the old and a tenth of the new. `visits` includes this one.
pub fn blend(old: f64, new: Valence, visits: u32) -> f64 {
    let weight = 1.0 / f64::from(visits.clamp(1, SETTLED_AFTER));
    let most = f64::from(Valence::MOST);
    (old * (1.0 - weight) + f64::from(new.get()) * weight).clamp(-most, most)
}

/// A visit of a node: the node is added, or reinforced if it is in the graph (upsert, reinforcement).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeVisit<'a> {
    /// Kind of the node.
    pub kind: NodeKind,
    /// Label of the node; a known node keeps its own.
    pub label: &'a str,
    /// Valence of the visit.
    pub valence: Valence,
    /// The moment of the visit.
    pub at: Stamp,
    /// Salience of a new node, 0 to 1; 1 in the original.
    pub first_salience: f64,
    /// Salience that a known node gains, 0 to 1.
    pub bonus: f64,
}

/// A directed, weighted edge between two nodes of the graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edge<Id> {
    /// Id of the node it begins at.
    pub from: Id,
    /// Id of the node it ends at.
    pub to: Id,
    /// Its kind.
    pub kind: EdgeKind,
    /// Its weight, 1 or more.
    pub weight: f64,
    /// The moment at which it was first added.
    pub created_at: Stamp,
}

/// The graph of all memories: a directed knowledge graph as an edge list (weighted graph). Nodes are kept by id and edges by the ids of
/// their ends, both sorted, so that every pass over them has one order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    bound(serialize = "Id: Ord + Clone + Serialize", deserialize = "Id: Ord + Clone + Deserialize<'de>"),
    from = "Stored<Id>",
    into = "Stored<Id>"
)]
pub struct Graph<Id: Ord + Clone> {
    /// By id.
    nodes: BTreeMap<Id, Node<Id>>,
    /// By the ids of both ends and the kind, so that a repeated edge adds to its weight.
    edges: BTreeMap<(Id, Id, EdgeKind), Edge<Id>>,
}

/// The reason why a graph from a file can't be used (validation error).
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BadGraph {
    /// A node with an invalid field.
    #[error("node {node}: {what}")]
    Node {
        /// The node's id.
        node: String,
        /// The invalid field.
        what: BadNode,
    },
    /// An edge whose weight isn't a number above 0.
    #[error("edge {ends}: weight = {weight}: must be a number above 0")]
    Weight {
        /// The ids of the edge's ends.
        ends: String,
        /// The edge's weight.
        weight: f64,
    },
}

/// An invalid field of a node (validation error).
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BadNode {
    /// The node's id differs from its key in the graph.
    #[error("its id is {0}: must be the same")]
    OtherId(String),
    /// Salience out of range.
    #[error("salience = {0}: must be from 0 to 1")]
    Salience(f64),
    /// A mean feeling out of range.
    #[error("mean_valence = {0}: must be from -3 to 3")]
    Mean(f64),
}

/// A graph as it is written: edges as a list, because JSON has no keys of three parts. It is also the form of the original's file.
#[derive(Clone, Serialize, Deserialize)]
#[serde(bound(serialize = "Id: Ord + Serialize", deserialize = "Id: Ord + Deserialize<'de>"))]
struct Stored<Id> {
    /// By id.
    nodes: BTreeMap<Id, Node<Id>>,
    /// In the order of their ends.
    edges: Vec<Edge<Id>>,
}

impl<Id: Ord + Clone> From<Stored<Id>> for Graph<Id> {
    fn from(stored: Stored<Id>) -> Self {
        let keyed = |edge: Edge<Id>| ((edge.from.clone(), edge.to.clone(), edge.kind), edge);
        Self { nodes: stored.nodes, edges: stored.edges.into_iter().map(keyed).collect() }
    }
}

impl<Id: Ord + Clone> From<Graph<Id>> for Stored<Id> {
    fn from(graph: Graph<Id>) -> Self {
        Self { nodes: graph.nodes, edges: graph.edges.into_values().collect() }
    }
}

impl<Id: Ord + Clone> Default for Graph<Id> {
    fn default() -> Self {
        Self { nodes: BTreeMap::new(), edges: BTreeMap::new() }
    }
}

impl<Id: Ord + Clone> Graph<Id> {
    /// Iterates over the nodes (vertices), in the order of their ids.
    pub fn nodes(&self) -> impl Iterator<Item = &Node<Id>> {
        self.nodes.values()
    }

    /// Iterates over the edges, in the order of the ids of their ends.
    pub fn edges(&self) -> impl Iterator<Item = &Edge<Id>> {
        self.edges.values()
    }

    /// Checks the integrity of a graph from a file: ids, ranges, weights (graph validation).
    ///
    /// # Errors
    /// The first invalid node, or without one the first invalid edge.
    pub fn check(&self) -> Result<(), BadGraph>
    where
        Id: std::fmt::Debug,
    {
        for (id, node) in &self.nodes {
            let bad = |what| Err(BadGraph::Node { node: format!("{id:?}"), what });
            if *id != node.id {
                return bad(BadNode::OtherId(format!("{:?}", node.id)));
            }
            if !(0.0..=1.0).contains(&node.salience) {
                return bad(BadNode::Salience(node.salience));
            }
            let most = f64::from(Valence::MOST);
            if !(-most..=most).contains(&node.mean()) {
                return bad(BadNode::Mean(node.mean()));
            }
        }
        match self.edges.values().find(|edge| !(edge.weight.is_finite() && edge.weight > 0.0)) {
            Some(edge) => {
                Err(BadGraph::Weight { ends: format!("{:?}", (&edge.from, &edge.to)), weight: edge.weight })
            }
            None => Ok(()),
        }
    }

    /// Number of nodes, the size of the graph.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the graph is empty, without nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Looks up the node of an id.
    pub fn node(&self, id: &Id) -> Option<&Node<Id>> {
        self.nodes.get(id)
    }

    /// Visits a node: inserts or reinforces it (an upsert). A new node is added with its first salience. A known one gains the bonus,
    /// blends the visit's valence into its own, and keeps its label, as in the original.
    pub fn meet(&mut self, id: Id, visit: &NodeVisit<'_>) {
        let NodeVisit { kind, label, valence, at, first_salience, bonus } = *visit;
        match self.nodes.get_mut(&id) {
            Some(node) => node.meet(valence, at, bonus),
            None => {
                let node = Node {
                    id: id.clone(),
                    kind,
                    label: label.to_owned(),
                    salience: first_salience,
                    valence,
                    created_at: at,
                    updated_at: at,
                    visit_count: 1,
                    mean_valence: Some(valence.get().into()),
                };
                self.nodes.insert(id, node);
            }
        }
    }

    /// Inserts (adds) an edge, or adds to the weight of an equal one.
    pub fn tie(&mut self, from: &Id, to: &Id, kind: EdgeKind, at: Stamp) {
        let new = || Edge { from: from.clone(), to: to.clone(), kind, weight: NEW_EDGE, created_at: at };
        self.edges
            .entry((from.clone(), to.clone(), kind))
            .and_modify(|edge| edge.weight += REPEATED_EDGE)
            .or_insert_with(new);
    }

    /// Runs one cycle of forgetting: every node's salience falls by `decay`, nodes strictly below `threshold` are removed, and then edges
    /// that lack an end (decay and pruning). Returns the number of removed nodes.
    pub fn consolidate(&mut self, decay: f64, threshold: f64) -> usize {
        self.consolidate_by(|node| (node.salience - decay).max(0.0), threshold)
    }

    /// Forgets as [`Graph::consolidate`] does, with the salience after the cycle given by `faded` (custom decay).
    pub fn consolidate_by(&mut self, faded: impl Fn(&Node<Id>) -> f64, threshold: f64) -> usize {
        let before = self.nodes.len();
        self.nodes.retain(|_, node| {
            node.salience = faded(node);
            node.salience >= threshold
        });
        let nodes = &self.nodes;
        self.edges.retain(|(from, to, _), _| nodes.contains_key(from) && nodes.contains_key(to));
        before - self.nodes.len()
    }
}
