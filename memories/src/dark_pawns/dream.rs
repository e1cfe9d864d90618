//! A dream over session logs: events go into the graph, all nodes fade, faint ones are pruned, and a summary is written (digest section 5). It
//! is offline memory consolidation with decay and pruning; salience is 0 to 1, and a dream is one step of decay whatever the time since the
//! last, by subtraction or by a share (`fading`). Fading comes after the new events, as in the original, so that its figures can be
//! compared. The tools for session logs dream so; golems with this memory use the graph alone and dream by keys of their own.

use crate::dark_pawns::{
    DreamRules, EdgeKind, Event, EventKind, Graph, NodeKind, NodeVisit, Stamp, Valence, estimated_tokens,
    login_summary,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The graph of an agent whose sessions are logged; ids are those of the original's files.
pub type LogGraph = Graph<String>;

/// The counts of a dream: events extracted, pruned nodes, tokens estimated. The field names are those of the original's
/// `dream-result.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DreamResult {
    /// The agent that dreamt.
    pub agent_id: String,
    /// Logs with something to read.
    pub session_files_processed: u64,
    /// Events extracted from them.
    pub events_extracted: u64,
    /// Nodes after the events were added. The original counts before; the document's sample has before − pruned = after instead.
    pub nodes_before_consolidation: u64,
    /// Nodes left after pruning.
    pub nodes_after_consolidation: u64,
    /// Nodes pruned.
    pub nodes_pruned: u64,
    /// Length of the summary in tokens of four bytes, rounded down.
    pub summary_tokens_estimated: u64,
}

/// Adds an event to the graph: its own node, the nodes of its room, entity and item, and an edge to each of them. A change of room also
/// ties the two rooms. An unknown room (0) and an empty name get no node: all unknown ones would become one node otherwise.
pub fn remember(graph: &mut LogGraph, event: &Event, rules: &DreamRules) {
    let at = event.timestamp;
    let name = event_node(event);
    let is_social = event.kind == EventKind::Social;
    let is_new = is_new(graph, event);
    let met = |kind, label, valence| NodeVisit {
        kind,
        label,
        valence,
        at,
        first_salience: rules.first_salience.value(valence, is_social, kind != NodeKind::Event || is_new),
        bonus: rules.reinforce_bonus,
    };
    graph.meet(name.clone(), &met(NodeKind::Event, &event.narrative, event.valence));
    if event.target_room != 0 {
        let id = format!("room-{}", event.target_room);
        graph.meet(id.clone(), &met(NodeKind::Room, &event.target_room_name, Valence::NEUTRAL));
        graph.tie(&name, &id, EdgeKind::OccurredIn, at);
        let before = format!("room-{}", event.from_room);
        if event.from_room != 0 && graph.node(&before).is_some() {
            graph.tie(&before, &id, EdgeKind::TransitionedTo, at);
        }
    }
    if !event.target_entity.is_empty() {
        let edge = if is_social { EdgeKind::Social } else { EdgeKind::Involved };
        let id = format!("entity-{}", event.target_entity);
        graph.meet(id.clone(), &met(NodeKind::Entity, &event.target_entity, event.valence));
        graph.tie(&name, &id, edge, at);
        if let Some(deed) = event.deed {
            graph.tie(&name, &id, deed, at);
        }
    }
    if !event.item_name.is_empty() {
        let id = format!("item-{}", event.item_name);
        graph.meet(id.clone(), &met(NodeKind::Item, &event.item_name, Valence::NEUTRAL));
        graph.tie(&name, &id, EdgeKind::TookFrom, at);
    }
}

/// Whether the entity, the item or the room of an event has no node yet.
fn is_new(graph: &LogGraph, event: &Event) -> bool {
    let unmet = |is_there: bool, id: String| is_there && graph.node(&id).is_none();
    unmet(event.target_room != 0, format!("room-{}", event.target_room))
        || unmet(!event.target_entity.is_empty(), format!("entity-{}", event.target_entity))
        || unmet(!event.item_name.is_empty(), format!("item-{}", event.item_name))
}

/// The id of an event's node, in the original's form; `summary` parses the kind from it. Two events of one kind in one nanosecond share it,
/// and the second reinforces the first.
pub(super) fn event_node(event: &Event) -> String {
    format!("{}-{}-{}", event.agent_id, event.kind.name(), event.timestamp.nanoseconds())
}

/// The last event of each deed towards an entity or item, for edges of the kind `similar_to`. The original names that kind and never makes
/// one; ours ties an event to the last one of the same deed and target.
struct LastDeeds(BTreeMap<(EdgeKind, String), (Stamp, String)>);

impl LastDeeds {
    /// The deeds that are still in a graph.
    fn from_graph(graph: &LogGraph) -> Self {
        let mut deeds = Self(BTreeMap::new());
        let known = [EdgeKind::Killed, EdgeKind::Fought, EdgeKind::Social, EdgeKind::TookFrom];
        for edge in graph.edges().filter(|edge| known.contains(&edge.kind)) {
            deeds.note((edge.kind, edge.to.clone()), edge.created_at, &edge.from);
        }
        deeds
    }

    /// Notes a deed and returns the event of the one before it. `None` for the first of its kind, and for a deed that isn't later than the
    /// last: logs that are read again must not tie events to later ones.
    fn note(&mut self, deed: (EdgeKind, String), at: Stamp, event: &str) -> Option<String> {
        match self.0.get(&deed) {
            Some((last, _)) if *last >= at => None,
            _ => self.0.insert(deed, (at, event.to_owned())).map(|(_, event)| event),
        }
    }

    /// Ties an event to the last ones of the same deed and target.
    fn tie(&mut self, graph: &mut LogGraph, event: &Event) {
        let (at, name) = (event.timestamp, event_node(event));
        let social = (event.kind == EventKind::Social).then_some(EdgeKind::Social);
        let entity = event.deed.or(social).filter(|_| !event.target_entity.is_empty());
        let entity = entity.map(|deed| (deed, format!("entity-{}", event.target_entity)));
        let item =
            (!event.item_name.is_empty()).then(|| (EdgeKind::TookFrom, format!("item-{}", event.item_name)));
        for deed in entity.into_iter().chain(item) {
            if let Some(last) = self.note(deed, at, &name) {
                graph.tie(&name, &last, EdgeKind::SimilarTo, at);
            }
        }
    }
}

/// Dreams once: adds the events in their order, lets all nodes fade once, and returns the counts and the summary (offline consolidation).
/// `files` is only counted. Events come before the fading, as in the original, so that a node that was met again ends the dream at 0.9
/// rather than at 1.
pub fn dream(
    graph: &mut LogGraph,
    agent_id: &str,
    files: u64,
    events: &[Event],
    rules: &DreamRules,
) -> (DreamResult, String) {
    let mut deeds = LastDeeds::from_graph(graph);
    for event in events {
        remember(graph, event, rules);
        deeds.tie(graph, event);
    }
    let before = graph.len();
    let pruned = graph.consolidate_by(|node| rules.faded(node), rules.prune_threshold);
    let summary = login_summary(graph, rules, rules.summary_tokens);
    let result = DreamResult {
        agent_id: agent_id.to_owned(),
        session_files_processed: files,
        events_extracted: events.len() as u64,
        nodes_before_consolidation: before as u64,
        nodes_after_consolidation: graph.len() as u64,
        nodes_pruned: pruned as u64,
        summary_tokens_estimated: estimated_tokens(&summary),
    };
    (result, summary)
}
