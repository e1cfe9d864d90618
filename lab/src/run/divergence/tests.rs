//! Two arms made by hand, with differences at known ticks. They are made by hand, because a lived world
//! differs in too many events to be counted.

use super::*;
use crate::run::fixtures::{closed, life};
use morta_base::{GolemId, Usdc};
use morta_engine::episode::Context;
use morta_engine::event::EventKind;
use morta_engine::market::{PositionSide, Regime, Strategy};
use morta_engine::mortality::Cause;
use morta_engine::world::Scenario;

fn cast() -> Cast {
    let scenario: Scenario = serde_json::from_value(serde_json::json!({
        "name": "pair", "seed": 1, "ticks": 9,
        "cohorts": [{ "name": "a", "golems": 3, "memory": "none" }, { "name": "b", "golems": 1, "memory": "bardo" }],
        "market": { "assets": [{ "symbol": "GOLD", "source": { "kind": "synthetic" } }] }
    }))
    .unwrap();
    Cast::from_scenario(&scenario)
}

fn decided(tick: Tick, lineage: Lineage, strategy: Strategy, stake: f64, expected_r: f64) -> Event {
    let kind = EventKind::Decided {
        strategy,
        asset: 0,
        side: PositionSide::Long,
        stake: Usdc::from_dollars(stake),
        context: context(),
        expected_r,
        prior_r: 0.1,
        confidence: 0.5,
        explored: false,
        why: Vec::new(),
    };
    Event { tick, golem: Some(GolemId::founder(lineage)), kind }
}

/// Any circumstances will do: those of a calm market.
fn context() -> Context {
    Context { volatility_quintile: 2, ..Context::neutral(Regime::RangeBound) }
}

fn close(tick: Tick) -> Event {
    Event { tick, golem: None, kind: EventKind::TickClosed(Box::new(closed(4, 0.5, 0.5))) }
}

fn ended(tick: Tick, lineage: Lineage, cause: Option<Cause>, balance: f64) -> Event {
    let mut record = life(None, tick, cause);
    record.balance = Usdc::from_dollars(balance);
    Event { tick, golem: Some(GolemId::founder(lineage)), kind: EventKind::LifeEnded(Box::new(record)) }
}

#[test]
fn arms_that_are_the_same_never_part() {
    let mut comparison = BranchComparison::new(cast(), 4);
    let tick = [decided(0, 1, Strategy::Momentum, 1.0, 0.3), close(0)];
    comparison.take(0, &tick, &tick);
    let (parting, rows, sum, series) = comparison.finish();
    assert!(parting.identical && parting.first_event.is_none() && series.is_empty());
    assert!(rows.iter().all(|row| row.decided_otherwise.is_none()));
    assert_eq!((sum.equity_usdc, sum.trades, sum.deaths), (0.0, 0, 0));
}

/// An expectation alone is no other decision; a stake is, but no other choice.
#[test]
fn lineages_part_one_by_one() {
    let mut comparison = BranchComparison::new(cast(), 4);
    let arm = |tick, stake, expected_r, strategy| {
        vec![
            decided(tick, 0, Strategy::Momentum, stake, expected_r),
            decided(tick, 1, strategy, 1.0, 0.2),
            close(tick),
        ]
    };
    comparison.take(5, &arm(5, 1.0, 0.2, Strategy::Breakout), &arm(5, 1.0, 0.3, Strategy::Breakout));
    comparison.take(6, &arm(6, 1.0, 0.2, Strategy::Breakout), &arm(6, 1.5, 0.2, Strategy::Breakout));
    comparison.take(7, &arm(7, 1.0, 0.2, Strategy::Breakout), &arm(7, 1.0, 0.2, Strategy::Momentum));
    comparison.take(8, &[close(8)], &[decided(8, 3, Strategy::Momentum, 2.0, 0.2), close(8)]);
    comparison.take(
        8,
        &[ended(8, 0, None, 3.0), ended(8, 3, None, 1.25)],
        &[ended(8, 0, None, 2.5), ended(8, 3, Some(Cause::Economic), 0.0)],
    );
    let (parting, rows, sum, series) = comparison.finish();
    let first = parting.first_event.unwrap();
    assert_eq!((first.tick, first.golem.as_deref()), (5, Some("L0.G0")));
    assert_eq!(first.control.unwrap().payload["expected_r"], 0.2);
    let decision = parting.first_decision.unwrap();
    assert_eq!((decision.tick, decision.lineage, decision.branch.unwrap().stake_usdc), (6, 0, 1.5));
    let choice = parting.first_choice.unwrap();
    assert_eq!((choice.tick, choice.lineage), (7, 1));
    assert_eq!(choice.control.unwrap().strategy, Strategy::Breakout);
    let of = |row: &LineageRow| (row.decided_otherwise, row.chose_otherwise);
    let parted: Vec<_> = rows.iter().map(of).collect();
    assert_eq!(parted, [(Some(6), None), (Some(7), Some(7)), (None, None), (Some(8), Some(8))]);
    let points: Vec<_> =
        series.iter().map(|point| (point.tick, point.decided_otherwise, point.chose_otherwise)).collect();
    assert_eq!(points, [(6, 0.25, 0.0), (7, 0.5, 0.25), (8, 0.75, 0.5)]);
    assert_eq!(
        (rows[0].outcome.equity_usdc, rows[3].outcome.deaths, rows[3].cohort.as_str()),
        (-0.5, 1, "b")
    );
    assert_eq!((sum.control.equity_usdc, sum.branch.equity_usdc, sum.deaths), (4.25, 2.5, 1));
}
