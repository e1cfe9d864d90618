//! The digest's vectors D01 to D39.

mod effects;
mod entry;
mod forms;
mod login_summary;
mod speech;
mod stamp;
mod summary;
mod turns;
mod valence;

use morta_memories::dark_pawns::valence::of_entry;
use morta_memories::dark_pawns::{
    DamageBands, DreamRules, EventKind, Extractor, LogGraph, NodeKind, NodeVisit, SessionEntry, Stamp,
    Valence, ValenceSource, WordMatching, blend,
};

fn entry(action: &str, args: &[&str], fields: serde_json::Value) -> SessionEntry {
    let usual = serde_json::json!({
        "timestamp": "2026-05-12T15:30:00Z", "room_vnum": 3001, "room_name": "the Dark Corridor",
        "agent_level": 20, "hp": 50, "max_hp": 50, "mobs_present": 1, "action": action, "args": args,
    });
    SessionEntry::parse(with(usual, &fields).to_string().as_bytes()).unwrap()
}

/// An object with more members, or with others.
fn with(mut base: serde_json::Value, more: &serde_json::Value) -> serde_json::Value {
    base.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    base
}

/// The base entry with an opponent so many levels above the agent.
fn fight(action: &str, target: &str, above: i64) -> SessionEntry {
    entry(action, &[target], serde_json::json!({ "mob_level": 20 + above }))
}

fn say(text: &str, social_type: &str) -> SessionEntry {
    entry("say", &[text], serde_json::json!({ "say_line": text, "social_type": social_type }))
}

fn get(item: &str, level: i64) -> SessionEntry {
    entry("get", &[item], serde_json::json!({ "item_level": level }))
}

fn wounded(action: &str, hp: i64, fighting: &str) -> SessionEntry {
    entry(action, &[], serde_json::json!({ "hp": hp, "fighting": fighting }))
}

/// An entity as it is met.
fn met(valence: Valence) -> NodeVisit<'static> {
    let kind = NodeKind::Entity;
    NodeVisit { kind, label: "it", valence, at: Stamp::default(), first_salience: 1.0, bonus: 0.2 }
}

/// One vector: its id, a turn, what `ComputeValence` says of it, and the events with their valences.
type Vector = (&'static str, SessionEntry, i8, &'static [(EventKind, i8, &'static str)]);

#[test]
fn d01_to_d28_turns() {
    use EventKind::{Acquisition, Combat, Damage, Social};
    let at_10 =
        &[(Combat, -1, "Fled from orc at low HP (10/50)"), (Damage, -1, "Low HP (10/50) while fighting orc")];
    let at_5 =
        &[(Combat, 0, "Fled from orc at low HP (5/50)"), (Damage, -2, "Low HP (5/50) while fighting orc")];
    let vectors: Vec<Vector> = vec![
        ("d01", fight("kill", "rat", -12), 0, &[(Combat, 0, "Killed rat in the Dark Corridor")]),
        ("d02", fight("kill", "rat", -10), 0, &[(Combat, 0, "Killed rat in the Dark Corridor")]),
        ("d03", fight("kill", "wolf", -5), 1, &[(Combat, 1, "Killed wolf in the Dark Corridor")]),
        ("d04", fight("kill", "wolf", -3), 1, &[(Combat, 1, "Killed wolf in the Dark Corridor")]),
        ("d05", fight("kill", "orc", -2), 2, &[(Combat, 2, "Killed orc in the Dark Corridor")]),
        ("d06", fight("hit", "troll", 3), 2, &[(Combat, 2, "Attacked troll in the Dark Corridor")]),
        ("d07", fight("kill", "dragon", 4), 3, &[(Combat, 3, "Killed dragon in the Dark Corridor")]),
        ("d08", fight("kill", "thing", -20), 1, &[(Combat, 1, "Killed thing in the Dark Corridor")]),
        ("d09", wounded("flee", 40, "orc"), -3, &[(Combat, -3, "Fled from orc at low HP (40/50)")]),
        ("d10", wounded("flee", 20, "orc"), -2, &[(Combat, -2, "Fled from orc at low HP (20/50)")]),
        ("d11", wounded("flee", 10, "orc"), -1, at_10),
        ("d12", wounded("flee", 5, "orc"), 0, at_5),
        ("d13", say("now", "betrayal"), -3, &[(Social, -3, "Said \"now\" in the Dark Corridor")]),
        ("d14", say("take it", "gift"), 2, &[(Social, 2, "Said \"take it\" in the Dark Corridor")]),
        ("d15", say("hold on", "heal_ally"), 1, &[(Social, 1, "Said \"hold on\" in the Dark Corridor")]),
        ("d16", say("leave", "threaten"), -2, &[(Social, -2, "Said \"leave\" in the Dark Corridor")]),
        (
            "d17",
            say("thanks friend, you fool", ""),
            1,
            &[(Social, 1, "Said \"thanks friend, you fool\" in the Dark Corridor")],
        ),
        ("d18", say("we go north", ""), 0, &[(Social, 0, "Said \"we go north\" in the Dark Corridor")]),
        ("d19", say("good fool", ""), 0, &[(Social, 0, "Said \"good fool\" in the Dark Corridor")]),
        ("d20", get("crown", 80), 3, &[(Acquisition, 3, "Picked up crown in the Dark Corridor")]),
        ("d21", get("sword", 79), 2, &[(Acquisition, 2, "Picked up sword in the Dark Corridor")]),
        ("d22", get("bread", 5), 1, &[(Acquisition, 1, "Picked up bread in the Dark Corridor")]),
        ("d23", wounded("look", 2, "bear"), -3, &[(Damage, -3, "Low HP (2/50) while fighting bear")]),
        ("d24", wounded("look", 6, "bear"), -2, &[(Damage, -2, "Low HP (6/50) while fighting bear")]),
        ("d25", wounded("look", 12, "bear"), -1, &[(Damage, -1, "Low HP (12/50) while fighting bear")]),
        ("d26", wounded("look", 13, "bear"), 0, &[]),
        ("d27", wounded("look", 2, ""), 0, &[]),
        ("d28", wounded("north", 1, ""), 0, &[]),
    ];
    let original = DreamRules {
        speech: WordMatching::Substring,
        damage_bands: DamageBands::Original,
        ..DreamRules::default()
    };
    for rules in [DreamRules::default(), original] {
        for (id, entry, valence, expected) in &vectors {
            assert_eq!(of_entry(entry, &rules).get(), *valence, "{id}");
            let events = Extractor::default().extract("tester", entry, &rules);
            let found: Vec<(EventKind, i8, &str)> =
                events.iter().map(|e| (e.kind, e.valence.get(), e.narrative.as_str())).collect();
            assert_eq!(found, *expected, "{id}");
        }
    }
    let silent = DreamRules { valence: false, ..DreamRules::default() };
    for (id, entry, _, expected) in &vectors {
        let events = Extractor::default().extract("tester", entry, &silent);
        assert_eq!(events.len(), expected.len(), "{id}");
        assert!(events.iter().all(|event| event.valence == Valence::NEUTRAL), "{id}");
    }
}

#[test]
fn d29_to_d37_one_node() {
    use Step::{Fade, Meet};
    enum Step {
        Meet(i64),
        Fade(usize),
    }
    /// Steps, the node afterwards (salience, valence, visits), and what the cycles pruned.
    type Row = (&'static str, Vec<Step>, Option<(f64, i8, u32)>, &'static [usize]);
    let meets = |count: usize, value: i64| (0..count).map(move |_| Meet(value));
    let rows: Vec<Row> = vec![
        ("d29", meets(5, 1).chain([Fade(1)]).collect(), Some((0.9, 1, 5)), &[0]),
        ("d30", vec![Meet(3), Meet(3), Fade(1)], Some((0.9, 3, 2)), &[0]),
        ("d31", vec![Meet(2), Meet(-1)], Some((1.0, 0, 2)), &[]),
        ("d32", vec![Meet(3), Meet(-3), Meet(3)], Some((1.0, 1, 3)), &[]),
        ("d33", meets(12, 0).chain([Meet(3)]).collect(), Some((1.0, 0, 13)), &[]),
        ("d34", vec![Meet(1), Fade(9)], Some((0.1, 1, 1)), &[0; 9]),
        ("d35", vec![Meet(1), Fade(10)], None, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
        ("d36", vec![Meet(1), Fade(5), Meet(1), Fade(1)], Some((0.6, 1, 2)), &[0; 6]),
        ("d37", meets(3, 1).collect(), Some((1.0, 1, 3)), &[]),
    ];
    let rules = DreamRules::default();
    for (id, steps, expected, expected_pruned) in rows {
        let mut graph = LogGraph::default();
        let name = "entity-it".to_owned();
        let mut pruned = Vec::new();
        for step in steps {
            match step {
                Meet(value) => {
                    let valence = Valence::new(value);
                    graph.meet(name.clone(), &met(valence));
                }
                Fade(cycles) => pruned
                    .extend((0..cycles).map(|_| graph.consolidate(rules.decay_rate, rules.prune_threshold))),
            }
        }
        let node = graph.node(&name).map(|node| (node.salience, node.valence.get(), node.visit_count));
        let close = match (node, expected) {
            (Some(a), Some(b)) => (a.0 - b.0).abs() < 1e-12 && (a.1, a.2) == (b.1, b.2),
            (a, b) => a == b,
        };
        assert!(close, "{id}: {node:?}, expected {expected:?}");
        assert_eq!(pruned, expected_pruned, "{id}");
    }
}

#[test]
fn d38_d39_blend() {
    assert_eq!(blend(2.0, Valence::new(3), 2), 2.5);
    assert!((blend(-2.0, Valence::new(-3), 3) + 7.0 / 3.0).abs() < 1e-12);
    for (id, old, new, visits, expected) in [("d38", 2, 3, 2, 2), ("d39", -2, -3, 3, -2)] {
        let mut graph = LogGraph::default();
        let meet = |graph: &mut LogGraph, value| {
            graph.meet("x".to_owned(), &met(Valence::new(value)));
        };
        (1..visits).for_each(|_| meet(&mut graph, old));
        meet(&mut graph, new);
        assert_eq!(graph.nodes().next().unwrap().valence.get(), expected, "{id}");
    }
}

#[test]
fn equal_feelings_stay_for_25_visits_and_the_mean_moves_where_the_integer_cannot() {
    for value in -3..=3 {
        let mut graph = LogGraph::default();
        for _ in 0..25 {
            graph.meet("x".to_owned(), &met(Valence::new(value)));
        }
        let node = graph.nodes().next().unwrap();
        assert_eq!(i64::from(node.valence.get()), value);
        assert!((node.mean() - value as f64).abs() < 1e-9);
    }
    let mut graph = LogGraph::default();
    for value in [0; 12].into_iter().chain([3; 12]) {
        graph.meet("x".to_owned(), &met(Valence::new(value)));
    }
    let node = graph.nodes().next().unwrap();
    assert_eq!(node.feeling(ValenceSource::Integer).get(), 0);
    assert_eq!(node.feeling(ValenceSource::Mean).get(), 2, "{}", node.mean());
}
