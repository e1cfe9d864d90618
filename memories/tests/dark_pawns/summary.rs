//! Dreams and their summaries.

use morta_memories::dark_pawns::{
    DreamRules, Event, EventKind, LogGraph, SummaryMessage, Valence, dream, estimated_tokens, remember,
    summary,
};

fn event(time: &str, kind: EventKind, narrative: &str, valence: i64, entity: &str) -> Event {
    Event {
        timestamp: format!("2026-01-{time}Z").parse().unwrap(),
        kind,
        agent_id: "a".into(),
        target_entity: entity.into(),
        target_room: 1,
        target_room_name: "the Hall".into(),
        item_name: String::new(),
        valence: Valence::new(valence),
        narrative: narrative.into(),
        deed: None,
        from_room: 0,
    }
}

fn graph_of(events: &[Event]) -> LogGraph {
    let mut graph = LogGraph::default();
    events.iter().for_each(|event| remember(&mut graph, event, &DreamRules::default()));
    graph
}

#[test]
fn the_summary_tells_sessions_and_relations() {
    use EventKind::{Combat, Damage, Movement};
    let graph = graph_of(&[
        event("12T15:15:00", Combat, "Attacked goblins in the Hall", 2, "goblins"),
        event("12T15:15:00", Movement, "Moved to the Hall", 0, ""),
        event("12T15:45:00", Damage, "Low HP (2/50) while fighting a bear", -3, "bear"),
        event("12T16:15:00.000000001", Combat, "Killed goblins in the Hall", 2, "goblins"),
        event("12T16:20:00", Damage, "Low HP (12/50) while fighting a cat", -1, "cat"),
        event("13T00:05:00", Combat, "Killed ant in the Hall", 0, "ant"),
    ]);
    let expected = "## Memory\n\n\
        ### Session 1 — Jan 12 at 3:15 PM – 3:45 PM\n\n\
        Moved to the Hall.\n\
        Attacked goblins in the Hall (noteworthy).\n\
        Low HP (2/50) while fighting a bear (a difficult moment).\n\n\
        ### Session 2 — Jan 12 at 4:15 PM – 4:20 PM\n\n\
        Killed goblins in the Hall (noteworthy).\n\
        Low HP (12/50) while fighting a cat (unpleasant).\n\n\
        ### Session 3 — Jan 13 at 12:05 AM\n\n\
        Killed ant in the Hall.\n\n\
        ### Relationships\n\n\
        bear — dangerous (met 1 time)\n\
        goblins — friendly (met 2 times)\n\
        cat — unfriendly (met 1 time)\n";
    assert_eq!(summary(&graph, &DreamRules::default(), 500), expected);
    let message = SummaryMessage::of("\n hello \n").unwrap();
    assert_eq!(serde_json::to_string(&message).unwrap(), r#"{"type":"memory_summary","summary":"hello"}"#);
    assert_eq!(SummaryMessage::of(" \n"), None);
}

#[test]
fn the_budget_is_tested_before_every_header_and_line() {
    use EventKind::Combat;
    let events = [
        event("12T15:15:00", Combat, "Killed ant in the Hall", 2, "ant"),
        event("12T15:16:00", Combat, "Killed bee in the Hall", 2, "bee"),
        event("12T18:16:00", Combat, "Killed cat in the Hall", 2, "cat"),
    ];
    let graph = graph_of(&events);
    let rules = DreamRules::default();
    let header = "## Memory\n\n### Session 1 — Jan 12 at 3:15 PM – 3:16 PM\n\n";
    let cut = "_(additional memories consolidated)_\n";
    // The header alone is 60 bytes.
    assert_eq!((header.len(), summary(&graph, &rules, 15)), (60, format!("{header}\n\n{cut}")));
    let line = "Killed ant in the Hall (noteworthy).\n";
    assert_eq!(summary(&graph, &rules, 16), format!("{header}{line}\n\n{cut}"));
    // Spent within the last session: nothing is said of the cut, and relations are left out.
    let one = graph_of(&events[..2]);
    assert_eq!(summary(&one, &rules, 16), format!("{header}{line}\n"));
    assert!(summary(&one, &rules, 500).ends_with("bee — friendly (met 1 time)\n"));
    assert_eq!(summary(&one, &rules, 0), format!("## Memory\n\n\n{cut}"));
    assert_eq!(summary(&LogGraph::default(), &rules, 500), "");
    assert_eq!(estimated_tokens("1234567"), 1);
}

#[test]
fn faint_events_are_left_out_and_their_session_header_is_kept() {
    let mut graph = graph_of(&[event("12T15:15:00", EventKind::Combat, "Killed ant in the Hall", 0, "")]);
    let rules = DreamRules::default();
    for _ in 0..8 {
        graph.consolidate(rules.decay_rate, rules.prune_threshold);
    }
    assert!(summary(&graph, &rules, 500).contains("Killed ant"));
    graph.consolidate(rules.decay_rate, rules.prune_threshold);
    assert_eq!(summary(&graph, &rules, 500), "## Memory\n\n### Session 1 — Jan 12 at 3:15 PM\n\n\n");
}

#[test]
fn a_dream_counts_nodes_after_injection_and_drops_ties_without_ends() {
    use EventKind::Combat;
    let rules = DreamRules { decay_rate: 0.4, prune_threshold: 0.5, ..DreamRules::default() };
    let mut graph = LogGraph::default();
    let first = [event("12T15:15:00", Combat, "Killed ant in the Hall", 1, "ant")];
    let (result, text) = dream(&mut graph, "a", 1, &first, &rules);
    assert_eq!((result.nodes_before_consolidation, result.nodes_pruned), (3, 0));
    assert_eq!(result.summary_tokens_estimated, estimated_tokens(&text));
    let second = [event("12T15:16:00", Combat, "Killed bee in the Hall", 1, "bee")];
    let (result, _) = dream(&mut graph, "a", 1, &second, &rules);
    // The ant and its death are forgotten; the hall was met again, from 0.6 to 0.8, and fades to 0.4.
    assert_eq!((result.nodes_before_consolidation, result.nodes_pruned), (5, 3));
    assert_eq!((result.nodes_after_consolidation, graph.edges().count()), (2, 1));
    let stored = serde_json::to_string(&graph).unwrap();
    assert_eq!(serde_json::from_str::<LogGraph>(&stored).unwrap(), graph);
    assert_eq!(postcard::from_bytes::<LogGraph>(&postcard::to_allocvec(&graph).unwrap()).unwrap(), graph);
}

#[test]
fn an_event_of_the_same_moment_reinforces_and_ties_grow() {
    let same = event("12T15:15:00", EventKind::Combat, "Killed ant in the Hall", 1, "ant");
    let graph = graph_of(&[same.clone(), same]);
    let id = "a-combat-1768230900000000000".to_owned();
    assert_eq!(graph.node(&id).map(|node| node.visit_count), Some(2));
    assert!(graph.edges().all(|edge| (edge.weight - 1.1).abs() < 1e-12));
}
