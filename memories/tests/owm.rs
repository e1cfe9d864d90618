//! Rules of the five memories, and the columns against plain scoring.

use morta_memories::owm::drift::{Cusum, Detector, DriftConfig, DriftDirection, DriftTest, PageHinkley};
use morta_memories::owm::prospective::{ActionType, Plan, PlanStatus, PlannedAction, applicable, expire};
use morta_memories::owm::score::{DAY_S, sigmoid};
use morta_memories::owm::trigger::{FieldValue, Trigger, TriggerError};
use morta_memories::owm::{Mind, MindConfig};
use serde_json::json;

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "found {found}, expected {expected}");
}

fn skip(trigger: serde_json::Value, priority: f64, created_s: f64) -> Plan {
    let action = PlannedAction { kind: ActionType::SkipTrade, parameter: None, magnitude: None };
    let trigger = Trigger::from_json(&trigger).unwrap();
    Plan { priority, ..Plan::new(trigger, action, "it lost", created_s, 30.0) }
}

#[test]
fn sigmoids_of_great_numbers_stay_numbers() {
    assert_eq!(sigmoid(1_000.0), 1.0);
    assert_eq!(sigmoid(-1_000.0), 0.0);
    close(sigmoid(-2.0) + sigmoid(2.0), 1.0);
}

#[test]
fn a_cusum_finds_the_fall_of_the_digest() {
    let outcomes = [1.0, -1.0, 0.5, 1.2, -0.8, -1.0, -1.1, -0.9, -1.3, -1.0, -0.7, -1.2];
    let config = DriftConfig::default();
    let mut cusum = Cusum::new(0.3, 1.0);
    let drifts: Vec<_> = outcomes.iter().map(|r| cusum.take(*r, &config)).collect();
    assert_eq!(drifts.iter().position(|drift| drift.direction.is_some()), Some(8));
    assert_eq!(drifts[11].direction, Some(DriftDirection::Degrading));
    close(cusum.down, 6.4);
    close(drifts[11].magnitude, 1.6);
    let mut test = PageHinkley::default();
    let drifts: Vec<_> = outcomes.iter().map(|r| test.take(*r, &config)).collect();
    close(test.fall(), 5.122990620);
    assert_eq!(drifts.iter().position(|drift| drift.direction.is_some()), Some(11));
}

#[test]
fn page_hinkley_sees_ten_gains_turn_to_losses_and_the_reverse() {
    let config = DriftConfig { test: DriftTest::PageHinkley, ..DriftConfig::default() };
    for (first, direction) in [(1.0, DriftDirection::Degrading), (-1.0, DriftDirection::Improving)] {
        let mut test = PageHinkley::default();
        let outcomes = (0..20).map(|n| if n < 10 { first } else { -first });
        let drifts: Vec<_> = outcomes.map(|r| test.take(r, &config)).collect();
        assert_eq!(drifts.iter().position(|drift| drift.direction.is_some()), Some(13));
        assert_eq!(drifts[19].direction, Some(direction));
        close(test.fall().max(test.rise()), 12.375428064);
    }
}

#[test]
fn the_binary_cusum_sees_improvement_only() {
    let config = DriftConfig { test: DriftTest::BinaryCusum, ..DriftConfig::default() };
    for (r, alarm) in [(1.0, Some(8)), (-1.0, None)] {
        let mut detector = Detector::new(&config);
        let found = (0..10).position(|_| detector.take(r, &config).direction.is_some());
        assert_eq!(found, alarm);
    }
}

#[test]
fn a_detector_gathers_its_reference_first() {
    let config = DriftConfig { reference_trades: 4, ..DriftConfig::default() };
    let mut detector = Detector::new(&config);
    for r in [1.0, -1.0, 1.0, -1.0] {
        assert_eq!(detector.take(r, &config).magnitude, 0.0);
    }
    // μ₀ = 0, s₀ = 1: losses of 2 R add 1.5 each, so the third is the first above 4.
    let drifts: Vec<_> = (0..3).map(|_| detector.take(-2.0, &config)).collect();
    assert_eq!(drifts.iter().position(|drift| drift.direction.is_some()), Some(2));
    close(drifts[2].magnitude, 4.5 / 4.0);
}

#[test]
fn triggers() {
    let field = |name: &str| match name {
        "regime" => Some(FieldValue::Text("ranging")),
        "drawdown_pct" => Some(FieldValue::Number(0.16)),
        "open" => Some(FieldValue::Flag(true)),
        _ => None,
    };
    for (trigger, expected) in [
        (json!({ "regime": "ranging" }), true),
        (json!({ "regime": "volatile" }), false),
        (json!({ "drawdown_pct": { "gt": 0.15 } }), true),
        (json!({ "drawdown_pct": { "gt": 0.16 } }), false),
        (json!({ "drawdown_pct": { "gte": 0.16, "lt": 0.2 } }), true),
        (json!({ "drawdown_pct": { "lte": 0.15 } }), false),
        (json!({ "drawdown_pct": { "gt": 0.15 }, "regime": "ranging" }), true),
        (json!({ "drawdown_pct": { "gt": 0.15 }, "regime": { "ne": "ranging" } }), false),
        (json!({ "regime": { "in": ["volatile", "ranging"] } }), true),
        (json!({ "regime": { "gt": 1 } }), false),
        (json!({ "open": true }), true),
        (json!({ "atr_d1": { "ne": 3 } }), false),
        (json!({}), false),
    ] {
        let read = Trigger::from_json(&trigger).unwrap();
        assert_eq!(read.holds(field), expected, "{trigger}");
        assert_eq!(Trigger::from_json(&read.to_json()).unwrap(), read, "{trigger}");
    }
    let unknown = Trigger::from_json(&json!({ "price": { "above": 3 } })).unwrap_err();
    assert!(matches!(unknown, TriggerError::UnknownOperator { .. }), "{unknown}");
    for bad in [json!([]), json!({ "price": { "gt": "high" } }), json!({ "price": null })] {
        assert!(Trigger::from_json(&bad).is_err(), "{bad}");
    }
}

#[test]
fn plans_wait_apply_and_expire() {
    let market = json!({ "regime": "ranging" });
    let mut plans =
        [skip(market.clone(), 0.5, 10.0), skip(market.clone(), 0.9, 20.0), skip(market, 0.5, 5.0)];
    plans[1].expiry_s = Some(100.0);
    plans[2].expiry_s = None;
    let field = |name: &str| (name == "regime").then_some(FieldValue::Text("ranging"));
    let created = |plans: &[Plan], now| -> Vec<f64> {
        applicable(plans, now, field).iter().map(|plan| plan.created_s).collect()
    };
    assert_eq!(created(&plans, 100.0), [20.0, 5.0, 10.0], "priority, then age");
    assert_eq!(created(&plans, 100.5), [5.0, 10.0], "the last moment is still valid");
    expire(&mut plans, 100.5);
    assert_eq!(plans[1].status, PlanStatus::Expired);
    plans[2].carry_out(101.0);
    assert_eq!(created(&plans, 102.0), [10.0]);
    assert!(created(&plans, 10.0 + 30.5 * DAY_S).is_empty());
}

#[test]
fn a_state_of_mind_follows_equity() {
    let mut mind = Mind::new(MindConfig::default(), 100.0, 0.0);
    mind.on_equity(120.0, 1.0);
    mind.on_equity(102.0, 2.0);
    close(mind.affect().drawdown(), 0.15);
    close(mind.affect().risk_appetite, 0.4375);
    close(mind.affect().drawdown_state, 0.75);
    mind.on_direction(-1.0);
    close(mind.affect().momentum_bias, -0.1);
    assert_eq!(mind.affect().history.len(), 2);
}
