//! Self-fed evidence: outcomes of decisions that the tested belief itself has decided, in worlds whose share of it is known beforehand.

use crate::common::{live, of_kind};
use morta_engine::event::{Event, EventKind};
use morta_engine::memory::MemoryCensus;
use morta_engine::world::Scenario;

fn events(memory: &str, dark_pawns: serde_json::Value, golem: serde_json::Value) -> Vec<Event> {
    let scenario = Scenario::from_value(serde_json::json!({
        "name": "self-feeding", "seed": 5, "ticks": 600,
        "cohorts": [{ "name": "golems", "golems": 8, "memory": memory }],
        "market": { "assets": [{ "symbol": "A", "source": { "kind": "synthetic" } }], "gas": { "base_usdc": 0.002 } },
        "golem": golem,
        "daimon": { "enabled": false },
        // No other source of random actions than the exploration rate.
        "succession": { "exploration_bonus": 0.0 },
        "memory": { "dark_pawns": dark_pawns, "owm": { "mind": { "induce_after": 3 } } }
    }))
    .unwrap();
    live(scenario)
}

fn census(events: &[Event]) -> MemoryCensus {
    let mut sum = MemoryCensus::default();
    of_kind!(event in events, EventKind::LifeEnded(life) => life.memory).for_each(|census| sum += census);
    sum
}

fn trades(events: &[Event], explored: bool) -> usize {
    of_kind!(event in events, EventKind::Decided { explored: how, .. } if *how == explored).count()
}

/// The decisions of a golem that acts at random don't depend on its beliefs.
#[test]
fn what_was_tried_at_random_feeds_nothing() {
    let golem = serde_json::json!({ "exploration_rate": 1.0, "min_expected_r": 90.0 });
    for memory in ["dark-pawns", "owm"] {
        let events = events(memory, serde_json::json!({}), golem.clone());
        assert!(trades(&events, true) > 50 && trades(&events, false) == 0, "{memory}");
        let census = census(&events);
        assert!(census.evidence > 20 && census.self_evidence == 0, "{memory}: {census:?}");
    }
}

/// Voices without an effect on the score decide nothing, however many they are.
#[test]
fn what_shifts_nothing_tips_nothing() {
    let golem = serde_json::json!({ "exploration_rate": 0.0 });
    let numb = events("dark-pawns", serde_json::json!({ "valence": false }), golem.clone());
    let census_of_numb = census(&numb);
    assert!(trades(&numb, false) > 50 && trades(&numb, true) == 0);
    assert!(census_of_numb.evidence > 50 && census_of_numb.self_evidence == 0, "{census_of_numb:?}");
    let feeling = census(&events("dark-pawns", serde_json::json!({}), golem));
    assert!(feeling.self_evidence > 0 && feeling.self_evidence < feeling.evidence, "{feeling:?}");
}

/// Where a signal alone is never enough, whatever is not tried at random was done because memory spoke for it; where signals are strong,
/// memory seldom matters. A trade has at most three nodes.
#[test]
fn where_nothing_else_speaks_memory_feeds_on_itself() {
    let tipping = |prior_edge_r: f64| {
        let golem = serde_json::json!({ "exploration_rate": 0.3, "prior_edge_r": prior_edge_r, "choice_temperature_r": 0.0 });
        let events = events("dark-pawns", serde_json::json!({ "reading_weight": 0.0 }), golem);
        let (census, chosen) = (census(&events), trades(&events, false));
        assert!(chosen > 5 && census.self_evidence <= 3 * chosen as u64, "{chosen}: {census:?}");
        census.self_evidence as f64 / chosen as f64
    };
    let (led, persuaded) = (tipping(0.0), tipping(5.0));
    assert!(led > 0.4 && persuaded < 0.5 * led, "{led} {persuaded}");
}

/// No memory that holds outcomes against what it believes is all its own making.
#[test]
fn no_memory_is_all_its_own_making() {
    for memory in ["owm", "openclaw", "dark-pawns"] {
        let census = census(&events(memory, serde_json::json!({}), serde_json::json!({})));
        assert!(census.evidence > 20 && census.self_evidence < census.evidence, "{memory}: {census:?}");
    }
}
