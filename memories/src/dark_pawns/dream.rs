//! A dream over session logs: events go into the graph, the graph fades, and a summary is told of it (digest section 5).

use crate::dark_pawns::{
    DreamRules, EdgeKind, Encounter, Event, EventKind, Graph, NodeKind, Valence, estimated_tokens, summary,
};
use serde::{Deserialize, Serialize};

/// The graph of an agent whose sessions are logged; ids are those of the original's files.
pub type LogGraph = Graph<String>;

/// What a dream came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DreamResult {
    /// Who dreamt.
    pub agent_id: String,
    /// Logs in which there was something to read.
    pub session_files_processed: u64,
    /// Events found in them.
    pub events_extracted: u64,
    /// Nodes once the events were in.
    pub nodes_before_consolidation: u64,
    /// Nodes that stayed.
    pub nodes_after_consolidation: u64,
    /// Nodes forgotten.
    pub nodes_pruned: u64,
    /// Length of the summary in tokens of four bytes.
    pub summary_tokens_estimated: u64,
}

/// Puts an event into the graph: its node, and the nodes of its room, its entity and its item, each tied to it. An unknown room and an
/// empty name get none.
pub fn remember(graph: &mut LogGraph, event: &Event, rules: &DreamRules) {
    let at = event.timestamp;
    let name = format!("{}-{}-{}", event.agent_id, event.kind.name(), at.nanoseconds());
    let met = |kind, label, valence| Encounter {
        kind,
        label,
        valence,
        at,
        first_salience: 1.0,
        bonus: rules.reinforce_bonus,
    };
    graph.meet(name.clone(), &met(NodeKind::Event, &event.narrative, event.valence));
    let mut join = |id: String, kind, label, valence, edge| {
        graph.meet(id.clone(), &met(kind, label, valence));
        graph.tie(&name, &id, edge, at);
    };
    if event.target_room != 0 {
        let id = format!("room-{}", event.target_room);
        join(id, NodeKind::Room, &event.target_room_name, Valence::NEUTRAL, EdgeKind::OccurredIn);
    }
    if !event.target_entity.is_empty() {
        let edge = if event.kind == EventKind::Social { EdgeKind::Social } else { EdgeKind::Involved };
        let id = format!("entity-{}", event.target_entity);
        join(id, NodeKind::Entity, &event.target_entity, event.valence, edge);
    }
    if !event.item_name.is_empty() {
        let id = format!("item-{}", event.item_name);
        join(id, NodeKind::Item, &event.item_name, Valence::NEUTRAL, EdgeKind::TookFrom);
    }
}

/// One dream: takes in the events in their order, forgets once, and tells the summary. `files` is only counted.
pub fn dream(
    graph: &mut LogGraph,
    agent_id: &str,
    files: u64,
    events: &[Event],
    rules: &DreamRules,
) -> (DreamResult, String) {
    for event in events {
        remember(graph, event, rules);
    }
    let before = graph.len();
    let pruned = graph.consolidate(rules.decay_rate, rules.prune_threshold);
    let told = summary(graph, rules, rules.summary_tokens);
    let result = DreamResult {
        agent_id: agent_id.to_owned(),
        session_files_processed: files,
        events_extracted: events.len() as u64,
        nodes_before_consolidation: before as u64,
        nodes_after_consolidation: graph.len() as u64,
        nodes_pruned: pruned as u64,
        summary_tokens_estimated: estimated_tokens(&told),
    };
    (result, told)
}
