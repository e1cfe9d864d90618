//! The rules of events that no vector holds.

use crate::dark_pawns::{entry, say, wounded};
use morta_memories::dark_pawns::valence::of_entry;
use morta_memories::dark_pawns::{
    DreamRules, EdgeKind, EventKind, Extractor, LogGraph, NodeKind, SessionEntry, Stamp, dream, remember,
};

#[test]
fn one_turn_can_be_three_events_in_order_and_the_room_carries_over() {
    let rules = DreamRules::default();
    let mut extractor = Extractor::default();
    let first = wounded("look", 50, "");
    assert!(extractor.extract("a", &first, &rules).is_empty());
    let unknown = SessionEntry { room_vnum: 0, ..first.clone() };
    assert!(extractor.extract("a", &unknown, &rules).is_empty());
    let fled = SessionEntry { room_vnum: 9, room_name: "the Inn".into(), ..wounded("flee", 12, "orc") };
    let kinds: Vec<EventKind> = extractor.extract("a", &fled, &rules).iter().map(|e| e.kind).collect();
    assert_eq!(kinds, [EventKind::Movement, EventKind::Combat, EventKind::Damage]);
    let bare = entry("kill", &[], serde_json::json!({}));
    let event = &Extractor::default().extract("a", &bare, &rules)[0];
    let found = (event.narrative.as_str(), event.target_entity.as_str());
    assert_eq!(found, ("Killed something in the Dark Corridor", ""));
}

#[test]
fn a_death_is_one_event_and_weighs_more_by_a_player() {
    let rules = DreamRules::default();
    let dying = |social_target: &str| {
        let blow = serde_json::json!({"hp": -2, "fighting": "Mordak", "social_target": social_target});
        entry("look", &[], blow)
    };
    for (target, valence) in [("", -2), ("Mordak", -3)] {
        let mut extractor = Extractor::default();
        let events = extractor.extract("a", &dying(target), &rules);
        let death = events.last().unwrap();
        assert_eq!((death.kind, death.valence.get()), (EventKind::Death, valence));
        assert_eq!(death.narrative, "Killed by Mordak in the Dark Corridor");
        let again = extractor.extract("a", &dying(target), &rules);
        assert!(again.iter().all(|event| event.kind != EventKind::Death));
    }
    let lost = entry("look", &[], serde_json::json!({"combat_result": "lost"}));
    assert_eq!(Extractor::default().extract("a", &lost, &rules)[0].narrative, "Died in the Dark Corridor");
    let without = DreamRules { death_events: false, ..rules };
    assert!(Extractor::default().extract("a", &lost, &without).is_empty());
}

#[test]
fn a_person_spoken_to_becomes_an_entity() {
    let mut turn = say("take it", "gift");
    turn.social_target = "Brenda".into();
    for (social_links, entities) in [(true, 1), (false, 0)] {
        let rules = DreamRules { social_links, ..DreamRules::default() };
        let events = Extractor::default().extract("a", &turn, &rules);
        let mut graph = LogGraph::default();
        events.iter().for_each(|event| remember(&mut graph, event, &rules));
        let social = graph.edges().filter(|edge| edge.kind == EdgeKind::Social).count();
        let known = graph.nodes().filter(|node| node.kind == NodeKind::Entity).count();
        assert_eq!((social, known), (entities, entities));
    }
}

/// A dealing counts by any verb: a gift has a valence, is an event and gets an edge to its recipient. By the original rules it is ignored.
#[test]
fn a_dealing_counts_whatever_the_verb() {
    let mut turn = entry("give", &["bread"], serde_json::json!({}));
    (turn.social_type, turn.social_target) = ("gift".into(), "Elara".into());
    let rules = DreamRules::default();
    assert_eq!(of_entry(&turn, &rules).get(), 2);
    let events = Extractor::default().extract("a", &turn, &rules);
    assert_eq!((events.len(), events[0].kind, events[0].valence.get()), (1, EventKind::Social, 2));
    assert_eq!(events[0].narrative, "Dealt with Elara in the Dark Corridor: gift");
    let mut graph = LogGraph::default();
    dream(&mut graph, "a", 1, &events, &rules);
    assert!(graph.edges().any(|edge| edge.kind == EdgeKind::Social && edge.to == "entity-Elara"));
    let without = DreamRules { social_links: false, ..rules };
    assert_eq!(of_entry(&turn, &without).get(), 0);
    assert!(Extractor::default().extract("a", &turn, &without).is_empty());
}

#[test]
fn logs_tie_deeds_rooms_and_similar_events() {
    let rules = DreamRules::default();
    let mut extractor = Extractor::default();
    let mut events = Vec::new();
    for (second, (action, room)) in [("kill", 3001), ("hit", 3001), ("kill", 3002)].into_iter().enumerate() {
        let mut turn = entry(action, &["orc"], serde_json::json!({}));
        turn.timestamp = Stamp::from_seconds(1_000 + second as i64);
        turn.room_vnum = room;
        events.extend(extractor.extract("a", &turn, &rules));
    }
    let mut graph = LogGraph::default();
    dream(&mut graph, "a", 1, &events, &rules);
    let ties = |kind: EdgeKind| -> Vec<(String, String)> {
        let of_kind = graph.edges().filter(|edge| edge.kind == kind);
        of_kind.map(|edge| (edge.from.clone(), edge.to.clone())).collect()
    };
    assert_eq!((ties(EdgeKind::Killed).len(), ties(EdgeKind::Fought).len()), (2, 1));
    let pair = |from: &str, to: &str| vec![(from.to_owned(), to.to_owned())];
    assert_eq!(ties(EdgeKind::TransitionedTo), pair("room-3001", "room-3002"));
    assert_eq!(ties(EdgeKind::SimilarTo), pair("a-combat-1002000000000", "a-combat-1000000000000"));
    // When a log is read again, no event is tied to a later one.
    dream(&mut graph, "a", 1, &events, &rules);
    assert_eq!(graph.edges().filter(|edge| edge.kind == EdgeKind::SimilarTo).count(), 1);
}
