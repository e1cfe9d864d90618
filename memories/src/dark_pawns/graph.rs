//! The memory graph: what is remembered, how strongly, with which feeling, and what belongs together (digest section 5).

use crate::dark_pawns::{Stamp, Valence, ValenceSource};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// Encounters after which a new one counts for a tenth of the blend, so that old acquaintances can still be seen in a new light.
const SETTLED_AFTER: u32 = 10;
/// Weight an edge begins with.
const NEW_EDGE: f64 = 1.0;
/// Weight that meeting it again adds.
const REPEATED_EDGE: f64 = 0.1;

morta_base::words! {
    /// What a node stands for.
    pub enum NodeKind {
        /// Something that happened.
        Event = "event",
        /// Somebody, or something that is met again.
        Entity = "entity",
        /// A place: a room, or whatever the caller takes for one.
        Room = "room",
        /// A thing that was taken.
        Item = "item",
    }

    /// How two nodes belong together.
    pub enum EdgeKind {
        /// An event and its room.
        OccurredIn = "occurred_in",
        /// An event and who was in it.
        Involved = "involved",
        /// A room and the next one.
        TransitionedTo = "transitioned_to",
        /// An event and whom it killed.
        Killed = "killed",
        /// An event and what was taken.
        TookFrom = "took_from",
        /// An event and who was fought.
        Fought = "fought",
        /// An event and who was dealt with.
        Social = "social",
        /// An event and the last one like it: the same deed to the same somebody or something.
        SimilarTo = "similar_to",
    }
}

/// Something remembered: an event, or whom or what it was about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node<Id> {
    /// Its name in the graph.
    pub id: Id,
    /// What it stands for.
    pub kind: NodeKind,
    /// What it is called; that of an event says what happened.
    pub label: String,
    /// How strongly it is remembered, 0 to 1.
    pub salience: f64,
    /// The feeling, cut to a whole number at every encounter.
    pub valence: Valence,
    /// When it first happened.
    pub created_at: Stamp,
    /// When it was last met.
    pub updated_at: Stamp,
    /// How often it was met.
    pub visit_count: u32,
    /// The feeling that isn't cut, −3 to +3; a graph without it begins with the whole number.
    pub mean_valence: Option<f64>,
}

impl<Id> Node<Id> {
    /// The feeling that isn't cut, −3 to +3.
    pub fn mean(&self) -> f64 {
        self.mean_valence.unwrap_or_else(|| self.valence.get().into())
    }

    /// The feeling, as a whole number by either blend.
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

/// The feeling after an encounter, before it is cut: a running mean over the first ten visits, then a tenth of what is new.
/// `visits` counts this one.
pub fn blend(old: f64, new: Valence, visits: u32) -> f64 {
    let weight = 1.0 / f64::from(visits.clamp(1, SETTLED_AFTER));
    let most = f64::from(Valence::MOST);
    (old * (1.0 - weight) + f64::from(new.get()) * weight).clamp(-most, most)
}

/// Something as it is met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter<'a> {
    /// What it stands for.
    pub kind: NodeKind,
    /// What it is called.
    pub label: &'a str,
    /// How it feels.
    pub valence: Valence,
    /// When it is met.
    pub at: Stamp,
    /// Salience it has if it is new, 0 to 1; what was lived through has 1.
    pub first_salience: f64,
    /// Salience it gains if it is known, 0 to 1.
    pub bonus: f64,
}

/// Two nodes that belong together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edge<Id> {
    /// From here,
    pub from: Id,
    /// to there,
    pub to: Id,
    /// in this way,
    pub kind: EdgeKind,
    /// this strongly, 1 or more,
    pub weight: f64,
    /// since then.
    pub created_at: Stamp,
}

/// All that is remembered. Nodes are kept by name, edges in the order of their ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    bound(serialize = "Id: Ord + Clone + Serialize", deserialize = "Id: Ord + Clone + Deserialize<'de>"),
    from = "Stored<Id>",
    into = "Stored<Id>"
)]
pub struct Graph<Id: Ord + Clone> {
    nodes: BTreeMap<Id, Node<Id>>,
    edges: BTreeMap<(Id, Id, EdgeKind), Edge<Id>>,
}

/// Why a graph from elsewhere can't be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BadGraph {
    /// A node that can't be.
    #[error("node {node}: {what}")]
    Node {
        /// Its name.
        node: String,
        /// What is wrong with it.
        what: BadNode,
    },
    /// An edge that isn't as strong as edges are.
    #[error("edge {ends}: weight = {weight}: must be a number above 0")]
    Weight {
        /// The names of its ends.
        ends: String,
        /// Its weight.
        weight: f64,
    },
}

/// What is wrong with a node.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BadNode {
    /// It is kept by another name than it has.
    #[error("its id is {0}: must be the same")]
    OtherId(String),
    /// Salience out of range.
    #[error("salience = {0}: must be from 0 to 1")]
    Salience(f64),
    /// A mean feeling out of range.
    #[error("mean_valence = {0}: must be from -3 to 3")]
    Mean(f64),
}

/// A graph as it is written: edges as a list.
#[derive(Clone, Serialize, Deserialize)]
#[serde(bound(serialize = "Id: Ord + Serialize", deserialize = "Id: Ord + Deserialize<'de>"))]
struct Stored<Id> {
    nodes: BTreeMap<Id, Node<Id>>,
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
    /// Everything remembered, in the order of names.
    pub fn nodes(&self) -> impl Iterator<Item = &Node<Id>> {
        self.nodes.values()
    }

    /// What belongs together, in the order of the ends' names.
    pub fn edges(&self) -> impl Iterator<Item = &Edge<Id>> {
        self.edges.values()
    }

    /// Whether a graph from elsewhere can be used.
    ///
    /// # Errors
    /// With the first node or edge that can't be.
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

    /// How many things are remembered.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing is.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// One of them.
    pub fn node(&self, id: &Id) -> Option<&Node<Id>> {
        self.nodes.get(id)
    }

    /// Meets something: new, it comes with its first salience; known, it gains the bonus, and its feeling blends with this one. It
    /// keeps its label.
    pub fn meet(&mut self, id: Id, encounter: &Encounter<'_>) {
        let Encounter { kind, label, valence, at, first_salience, bonus } = *encounter;
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

    /// Ties two nodes together, or more firmly.
    pub fn tie(&mut self, from: &Id, to: &Id, kind: EdgeKind, at: Stamp) {
        let new = || Edge { from: from.clone(), to: to.clone(), kind, weight: NEW_EDGE, created_at: at };
        self.edges
            .entry((from.clone(), to.clone(), kind))
            .and_modify(|edge| edge.weight += REPEATED_EDGE)
            .or_insert_with(new);
    }

    /// One cycle of forgetting: all fade by `decay`, what falls below `threshold` is forgotten, and so are the ties that then lack an
    /// end. Returns how many were forgotten.
    pub fn consolidate(&mut self, decay: f64, threshold: f64) -> usize {
        self.consolidate_by(|node| (node.salience - decay).max(0.0), threshold)
    }

    /// The same with what is left of a node's salience as `faded` says.
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
