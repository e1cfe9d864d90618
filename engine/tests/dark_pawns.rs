//! Golems with a Dark Pawns memory in a small world: they dream, read, decide by what they feel, and hand it on.

use crate::common::{live, of_kind};
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

fn named_nodes(events: &[Event]) -> usize {
    let decisions = of_kind!(event in events, EventKind::Decided { why, .. } => why);
    decisions.filter(|why| why.iter().any(|voice| matches!(voice.source, VoiceSource::Node(_)))).count()
}

#[test]
fn they_dream_read_decide_and_hand_on() {
    let events = live(scenario(serde_json::json!({})));
    let kept = of_kind!(event in events, EventKind::MemoryKept { upkeep, .. } if upkeep.kind == UpkeepKind::Consolidation);
    let (kept, slept) = (kept.count(), of_kind!(event in events, EventKind::MemorySlept { .. }).count());
    assert!(kept > 50 && kept == slept, "{kept} dreams, {slept} sleeps");
    let read: Vec<&str> =
        of_kind!(event in events, EventKind::MemoryBriefed { summary, .. } => summary.text.as_str())
            .collect();
    assert!(read.iter().all(|text| text.starts_with("## Memory\n\n### Session 1 — ")));
    assert!(read.iter().any(|text| text.contains("Met the stain of ")), "no heir read of the dead");
    // Each summary is read by a model, and paid for there: the summary and the question.
    let briefed = of_kind!(event in events, EventKind::MemoryBriefed { summary, cost }
        if *cost == Usdc::ZERO && summary.tokens > 0);
    let answered = of_kind!(event in events, EventKind::InferenceCharged { task, input_tokens, cost, .. }
        if task == "read" && *input_tokens > 60 && *cost > Usdc::ZERO);
    let (briefs, answers) = (briefed.count(), answered.count());
    assert!(briefs == read.len() && answers <= briefs && 10 * answers > 9 * briefs, "{answers} of {briefs}");
    assert!(named_nodes(&events) > 100, "memory hardly spoke");
    let of_use = of_kind!(event in events, EventKind::InheritanceSettled(inherited) if inherited.uses > 0);
    assert!(of_use.count() > 0, "nothing inherited was of use");
    assert!(of_kind!(event in events, EventKind::LifeEnded(life) if life.memory.stored > 0).count() > 0);
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
