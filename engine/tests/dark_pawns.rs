//! Golems with a Dark Pawns memory in a small world: they dream, read, decide by what they feel, and hand it on.

use crate::common::live;
use morta_base::Usdc;
use morta_engine::event::{Event, EventKind};
use morta_engine::memory::{UpkeepKind, VoiceSource};
use morta_engine::world::Scenario;

fn scenario(memory: serde_json::Value) -> Scenario {
    Scenario::from_value(serde_json::json!({
        "name": "dark-pawns", "seed": 5, "ticks": 600,
        "cohorts": [{ "name": "pawns", "golems": 8, "memory": "dark-pawns" }],
        "market": { "assets": [{ "symbol": "A", "source": { "kind": "synthetic" } }], "gas": { "base_usdc": 0.002 } },
        "golem": { "compute_usdc_per_tick": 0.05 },
        "mortality": { "hazard_scale": 2000.0, "thanatopsis": { "snapshot_interval_ticks": 10 } },
        "memory": { "dark_pawns": memory },
        "lethe": { "delay_hours_min": 0.0, "delay_hours_max": 0.1 }
    }))
    .unwrap()
}

fn count(events: &[Event], wanted: impl Fn(&EventKind) -> bool) -> usize {
    events.iter().filter(|event| wanted(&event.kind)).count()
}

fn named_nodes(events: &[Event]) -> usize {
    let by_node = |kind: &EventKind| match kind {
        EventKind::Decided { why, .. } => {
            why.iter().any(|voice| matches!(voice.source, VoiceSource::Node(_)))
        }
        _ => false,
    };
    count(events, by_node)
}

#[test]
fn they_dream_read_decide_and_hand_on() {
    let events = live(scenario(serde_json::json!({})));
    let kept = count(
        &events,
        |kind| matches!(kind, EventKind::MemoryKept { upkeep, .. } if upkeep.kind == UpkeepKind::Consolidation),
    );
    let slept = count(&events, |kind| matches!(kind, EventKind::MemorySlept { .. }));
    assert!(kept > 50 && kept == slept, "{kept} dreams, {slept} sleeps");
    let read: Vec<&str> = events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::MemoryBriefed { summary, .. } => Some(summary.text.as_str()),
            _ => None,
        })
        .collect();
    assert!(read.iter().all(|text| text.starts_with("## Memory\n\n### Session 1 — ")));
    assert!(read.iter().any(|text| text.contains("Met the stain of ")), "no heir read of the dead");
    // Each summary is read by a model, and paid for there: the summary and the question.
    let briefed = |kind: &EventKind| match kind {
        EventKind::MemoryBriefed { summary, cost } => *cost == Usdc::ZERO && summary.tokens > 0,
        _ => false,
    };
    let answered = |kind: &EventKind| match kind {
        EventKind::InferenceCharged { task, input_tokens, cost, .. } => {
            task == "read" && *input_tokens > 60 && *cost > Usdc::ZERO
        }
        _ => false,
    };
    let (briefs, answers) = (count(&events, briefed), count(&events, answered));
    assert!(briefs == read.len() && answers <= briefs && 10 * answers > 9 * briefs, "{answers} of {briefs}");
    assert!(named_nodes(&events) > 100, "memory hardly spoke");
    let settled = |kind: &EventKind| match kind {
        EventKind::InheritanceSettled(inherited) => inherited.uses > 0,
        _ => false,
    };
    assert!(count(&events, settled) > 0, "nothing inherited was of use");
    let stored = |kind: &EventKind| matches!(kind, EventKind::LifeEnded(life) if life.memory.stored > 0);
    assert!(count(&events, stored) > 0);
    assert_eq!(events, live(scenario(serde_json::json!({}))), "the same world twice");
}

#[test]
fn without_valence_memory_shifts_nothing() {
    let events = live(scenario(serde_json::json!({ "valence": false })));
    assert!(named_nodes(&events) > 100);
    for event in &events {
        let EventKind::Decided { expected_r, prior_r, why, .. } = &event.kind else { continue };
        let gut = why.iter().filter(|voice| voice.source == VoiceSource::Gut);
        let moved: f64 = gut.map(|voice| voice.weight * voice.expected_r).sum();
        assert!((expected_r - prior_r - moved).abs() < 1e-12, "tick {}: {why:?}", event.tick);
    }
}
