//! A dream over session logs: events go into the graph, the graph fades, and a summary is told of it (digest section 5).

use crate::dark_pawns::{
    DreamRules, EdgeKind, Encounter, Event, EventKind, Graph, NodeKind, Stamp, Valence, estimated_tokens,
    login_summary,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

/// Puts an event into the graph: its node, and the nodes of its room, its entity and its item, each tied to it, and the room that was left for
/// its room tied to that. An unknown room and an empty name get none.
pub fn remember(graph: &mut LogGraph, event: &Event, rules: &DreamRules) {
    let at = event.timestamp;
    let name = name_of(event);
    let is_social = event.kind == EventKind::Social;
    let is_new = is_new(graph, event);
    let met = |kind, label, valence| Encounter {
        kind,
        label,
        valence,
        at,
        first_salience: rules.first_salience.of(valence, is_social, kind != NodeKind::Event || is_new),
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

/// Whether somebody, something or some place of an event was never met before.
fn is_new(graph: &LogGraph, event: &Event) -> bool {
    let unmet = |is_there: bool, id: String| is_there && graph.node(&id).is_none();
    unmet(event.target_room != 0, format!("room-{}", event.target_room))
        || unmet(!event.target_entity.is_empty(), format!("entity-{}", event.target_entity))
        || unmet(!event.item_name.is_empty(), format!("item-{}", event.item_name))
}

pub(super) fn name_of(event: &Event) -> String {
    format!("{}-{}-{}", event.agent_id, event.kind.name(), event.timestamp.nanoseconds())
}

/// The last event of each deed to somebody or something.
struct Deeds(BTreeMap<(EdgeKind, String), (Stamp, String)>);

impl Deeds {
    /// Those that a graph remembers.
    fn of(graph: &LogGraph) -> Self {
        let mut deeds = Self(BTreeMap::new());
        let known = [EdgeKind::Killed, EdgeKind::Fought, EdgeKind::Social, EdgeKind::TookFrom];
        for edge in graph.edges().filter(|edge| known.contains(&edge.kind)) {
            deeds.note((edge.kind, edge.to.clone()), edge.created_at, &edge.from);
        }
        deeds
    }

    /// Notes one; the last one like it, if that was earlier.
    fn note(&mut self, deed: (EdgeKind, String), at: Stamp, event: &str) -> Option<String> {
        match self.0.get(&deed) {
            Some((last, _)) if *last >= at => None,
            _ => self.0.insert(deed, (at, event.to_owned())).map(|(_, event)| event),
        }
    }

    /// Ties an event to the last one like it.
    fn tie(&mut self, graph: &mut LogGraph, event: &Event) {
        let (at, name) = (event.timestamp, name_of(event));
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

/// One dream: takes in the events in their order, forgets once, and tells the summary. `files` is only counted.
pub fn dream(
    graph: &mut LogGraph,
    agent_id: &str,
    files: u64,
    events: &[Event],
    rules: &DreamRules,
) -> (DreamResult, String) {
    let mut deeds = Deeds::of(graph);
    for event in events {
        remember(graph, event, rules);
        deeds.tie(graph, event);
    }
    let before = graph.len();
    let pruned = graph.consolidate_by(|node| rules.faded(node), rules.prune_threshold);
    let told = login_summary(graph, rules, rules.summary_tokens);
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
