//! Claims about the size of positions, in small worlds: how much to put in, and what to guard against. Each kind is tested, acted on and switched
//! off apart.

use crate::common::{claims, live, market_of_price_takers, of_kind};
use morta_engine::episode::ClaimKind;
use morta_engine::event::{Event, EventKind};
use morta_engine::memory::VoiceSource;

/// The positive control in small. Rich dreams rehearse threats.
fn lived(kinds: &[&str], tier: &str, usual_risk: f64) -> Vec<Event> {
    let scenario = serde_json::json!({
        "name": "kinds", "seed": 3, "ticks": 5_000,
        "cohorts": [{ "name": "golems", "golems": 12, "memory": "bardo" }],
        "market": market_of_price_takers(),
        "golem": { "endowment_usdc": 5_000.0, "prior_edge_r": 0.2 },
        "population": { "policy": "immortal" },
        "dream": {
            "enabled": true, "tier": tier, "dream_cycle_interval": 200, "min_episodes": 10,
            "schedule": { "mode": "interval" },
            "consolidation": { "kinds": kinds, "plausible_t": 100.0, "staging": { "usual_risk": usual_risk } }
        },
        "curator": { "enabled": false }, "lethe": { "enabled": false },
        "daimon": { "enabled": false }, "clade": { "enabled": false }, "pheromones": { "enabled": false }
    });
    live(serde_json::from_value(scenario).unwrap())
}

/// Decisions in which a rule about the size spoke, with its voice's weight.
fn spoken(events: &[Event], of: fn(&VoiceSource) -> bool) -> Vec<f64> {
    let voices = of_kind!(event in events, EventKind::Decided { why, .. } => why).flatten();
    voices.filter(|voice| of(&voice.source)).map(|voice| voice.weight).collect()
}

fn is_stake(source: &VoiceSource) -> bool {
    matches!(source, VoiceSource::Stake(_))
}

fn is_warning(source: &VoiceSource) -> bool {
    matches!(source, VoiceSource::Warning(_))
}

#[test]
fn stakes_are_concluded_tested_and_acted_on() {
    let with = lived(&["stake"], "core", 0.02);
    let (tested, rules) = claims(&with, ClaimKind::Stake);
    let weights = spoken(&with, is_stake);
    assert!(tested > 20 && rules > 5 && weights.len() > 50, "{tested} {rules} {}", weights.len());
    assert!(weights.iter().any(|weight| *weight > 1.2), "what gains is staked on");
    let cautious = spoken(&lived(&["stake"], "core", 0.3), is_stake);
    assert!(
        cautious.iter().any(|weight| *weight < 0.9),
        "where much is at risk, the same gains are staked on less"
    );
    assert_eq!(claims(&with, ClaimKind::Entry), (0, 0));
    let without = lived(&["entry"], "core", 0.02);
    assert_eq!((claims(&without, ClaimKind::Stake), spoken(&without, is_stake)), ((0, 0), Vec::new()));
}

#[test]
fn guards_are_rehearsed_tested_and_acted_on() {
    let with = lived(&["guard"], "hardened", 0.02);
    let (tested, rules) = claims(&with, ClaimKind::Guard);
    let weights = spoken(&with, is_warning);
    assert!(tested > 5 && rules > 0 && weights.len() > 5, "{tested} {rules} {}", weights.len());
    assert!(weights.iter().all(|weight| (0.0..=0.5).contains(weight)), "a guard takes away half at most");
    let without = lived(&["entry", "stake"], "hardened", 0.02);
    assert_eq!((claims(&without, ClaimKind::Guard), spoken(&without, is_warning)), ((0, 0), Vec::new()));
}
