//! The waking gate in small worlds: who isn't surprised neither opens nor reviews a position, and thinking is paid for.

use crate::common::{live, market_of_price_takers, of_kind};
use morta_base::{GolemId, Usdc};
use morta_engine::event::{Event, EventKind, GateTally};
use morta_engine::world::Scenario;
use std::collections::BTreeSet;

const TICKS: u64 = 1_500;
const GOLEMS: usize = 8;

/// Positions are reviewed, and left by who knows when; nobody dies or sleeps, and all read the market alike.
fn lived(seed: u64, gate: serde_json::Value) -> Vec<Event> {
    let scenario: Scenario = serde_json::from_value(serde_json::json!({
        "name": "gate", "seed": seed, "ticks": TICKS,
        "cohorts": [{ "name": "golems", "golems": GOLEMS, "memory": "oracle-times" }],
        "market": market_of_price_takers(),
        "golem": {
            "endowment_usdc": 500.0, "prior_edge_r": 0.2, "diversity": 0.0, "holding": { "review_ticks": 2 }, "gate": gate
        },
        "population": { "policy": "immortal" },
        "dream": { "enabled": false }, "curator": { "enabled": false }, "lethe": { "enabled": false },
        "daimon": { "enabled": false }, "clade": { "enabled": false }, "pheromones": { "enabled": false }
    }))
    .unwrap();
    live(scenario)
}

/// Of all golems.
fn tallied(events: &[Event]) -> GateTally {
    let mut sum = GateTally::default();
    of_kind!(event in events, EventKind::GateTallied(tally) => *tally).for_each(|tally| sum += tally);
    sum
}

fn decided(events: &[Event]) -> usize {
    of_kind!(event in events, EventKind::Decided { .. }).count()
}

fn left(events: &[Event]) -> usize {
    of_kind!(event in events, EventKind::PositionLeft { .. }).count()
}

/// Without a gate there are no events of one. A gate that is always open and costs nothing changes no other event.
#[test]
fn an_open_gate_that_costs_nothing_changes_nothing() {
    let without = lived(1, serde_json::json!({}));
    assert!(decided(&without) > 100 && left(&without) > 20, "{} {}", decided(&without), left(&without));
    assert_eq!(tallied(&without), GateTally::default());
    let mut open = lived(1, serde_json::json!({ "enabled": true, "form": "always", "t1_usdc": 0.0 }));
    let all = GOLEMS as u64 * TICKS;
    assert_eq!(tallied(&open), GateTally { ticks: [0, all, 0], paid: Usdc::ZERO });
    open.retain(|event| !matches!(event.kind, EventKind::GateTallied(_)));
    assert!(open == without, "the same decisions, trades and money");
}

/// Every tick in T1 and T2 is paid for, out of the money for inference, to the micro-dollar. (That no money comes from nowhere or goes there is
/// asserted at every tick, by `live`.)
#[test]
fn thinking_is_paid_for() {
    let events = lived(2, serde_json::json!({ "enabled": true, "t1_usdc": 0.002, "t2_usdc": 0.03 }));
    let tally = tallied(&events);
    let [looked, small, large] = tally.ticks;
    assert_eq!(looked + small + large, GOLEMS as u64 * TICKS);
    assert!(looked > small && small > 100, "{tally:?}");
    assert_eq!(tally.paid, Usdc((2_000 * small + 30_000 * large) as i64));
    let inference = of_kind!(event in events, EventKind::LifeEnded(life) => life.inference_paid);
    assert_eq!(inference.sum::<Usdc>(), tally.paid);
}

/// Nothing is surprising enough: no position is ever opened.
#[test]
fn who_is_never_surprised_opens_nothing() {
    let deaf = serde_json::json!({ "price": 0.0, "regime": 0.0, "health": 0.0, "anomaly": 0.0 });
    let events = lived(3, serde_json::json!({ "enabled": true, "error": deaf }));
    assert_eq!(tallied(&events), GateTally { ticks: [GOLEMS as u64 * TICKS, 0, 0], paid: Usdc::ZERO });
    assert_eq!((decided(&events), left(&events)), (0, 0));
}

/// Nor who can't pay: a price above all its money for inference leaves it looking on.
#[test]
fn who_cannot_pay_opens_nothing() {
    let events = lived(3, serde_json::json!({ "enabled": true, "form": "always", "t1_usdc": 1e6 }));
    assert_eq!(tallied(&events), GateTally { ticks: [GOLEMS as u64 * TICKS, 0, 0], paid: Usdc::ZERO });
    assert_eq!(decided(&events), 0);
}

/// A position is opened or left only at a tick that surprised its golem. Surprised by a change of regime alone, which all read alike, they
/// all think at the same ticks; so they act at no more different ticks than one of them thinks at. Stops and horizons wait for nobody.
#[test]
fn only_surprised_golems_act() {
    let regimes_alone = serde_json::json!({ "price": 0.0, "regime": 0.5, "health": 0.0, "anomaly": 0.0 });
    let events = lived(4, serde_json::json!({ "enabled": true, "error": regimes_alone }));
    let thought = tallied(&events).thought();
    assert!(thought.is_multiple_of(GOLEMS as u64), "{thought}");
    let ticks: BTreeSet<u64> =
        of_kind!(event in events, EventKind::Decided { .. } | EventKind::PositionLeft { .. } => event.tick)
            .collect();
    assert!(ticks.len() > 20, "{}", ticks.len());
    assert!(ticks.len() as u64 <= thought / GOLEMS as u64, "{} ticks, {thought} thoughts", ticks.len());
    let closed = of_kind!(event in events, EventKind::TradeClosed { .. }).count();
    assert!(closed > left(&events) + 20, "{closed} closed, {} of them left", left(&events));
}

/// The random control thinks as often, in a position and out of one, and at other ticks.
#[test]
fn chance_opens_the_gate_as_often_at_other_ticks() {
    let gate = |form: &str| serde_json::json!({ "enabled": true, "form": form });
    let (surprised, random) = (lived(5, gate("surprise")), lived(5, gate("random")));
    let share = |events: &[Event]| {
        let tally = tallied(events);
        tally.thought() as f64 / tally.ticks.iter().sum::<u64>() as f64
    };
    let (s, r) = (share(&surprised), share(&random));
    assert!((s / r - 1.0).abs() < 0.25, "{s} against {r}");
    let ticks = |events: &[Event]| -> BTreeSet<(GolemId, u64)> {
        of_kind!(event in events, EventKind::Decided { .. } => (event.golem?, event.tick)).collect()
    };
    let (a, b) = (ticks(&surprised), ticks(&random));
    assert!(a.len() > 20, "{}", a.len());
    assert!(a.intersection(&b).count() * 3 < a.len(), "{} of {}", a.intersection(&b).count(), a.len());
}
