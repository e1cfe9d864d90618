//! Leverage in small worlds: money is conserved, gaps go through margins, and where nothing can be known nothing is gained by it.

use crate::common::merge::merge;
use crate::common::{live, of_kind};
use morta_engine::event::{Event, EventKind, ExitReason};
use morta_engine::world::Scenario;
use proptest::prelude::*;

/// A market without costs. Who has no memory and doesn't mind what pays trades by chance.
fn scenario(change: serde_json::Value) -> Scenario {
    let mut scenario = serde_json::json!({
        "name": "leverage", "seed": 5, "ticks": 1_500,
        "cohorts": [{ "name": "none", "golems": 24, "memory": "none" }],
        "market": {
            "impact": "price_taker",
            "assets": [{ "symbol": "A", "source": { "kind": "synthetic", "volatility": 0.004, "half_spread_bps": 0.0 } }],
            "pool": { "fee_bps": 0.0, "depth_usdc": 1e8, "arbitrage_rate": 1.0, "noise_volume_share": 0.0 },
            "gas": { "base_usdc": 0.0 }
        },
        "golem": {
            "endowment_usdc": 500.0, "compute_usdc_per_tick": 0.0, "risk_per_trade": 0.05, "max_position_share": 0.5,
            "leverage": { "max": 10.0, "maintenance_margin": 0.02, "liquidation_fee_bps": 0.0 }
        },
        "population": { "policy": "immortal" },
        "daimon": { "enabled": false }, "clade": { "enabled": false }, "pheromones": { "enabled": false }
    });
    merge(&mut scenario, change);
    serde_json::from_value(scenario).unwrap()
}

fn loans(events: &[Event]) -> usize {
    of_kind!(event in events, EventKind::Leveraged { .. }).count()
}

/// R and profit of each trade, by the tick it was decided on.
fn trades(events: &[Event]) -> Vec<(u64, f64, f64)> {
    of_kind!(event in events, EventKind::TradeClosed { episode, .. } => {
        (episode.opened, episode.realised_r, episode.pnl.dollars())
    })
    .collect()
}

/// Trades of one stretch of 50 ticks share their luck: the mean over stretches is held against its own standard error.
fn is_fair(values: impl Iterator<Item = (u64, f64)>) -> Result<(), String> {
    let mut stretches = std::collections::BTreeMap::<u64, f64>::new();
    for (tick, value) in values {
        *stretches.entry(tick / 50).or_default() += value;
    }
    let sums: Vec<f64> = stretches.into_values().collect();
    let n = sums.len() as f64;
    let mean = sums.iter().sum::<f64>() / n;
    let variance = sums.iter().map(|sum| (sum - mean) * (sum - mean)).sum::<f64>() / (n - 1.0);
    let error = (variance / n).sqrt();
    if mean.abs() <= 4.0 * error { Ok(()) } else { Err(format!("{mean} ± {error} over {n} stretches")) }
}

#[test]
fn leverage_makes_no_money_of_a_martingale() {
    let martingale = serde_json::json!({
        "ticks": 6_000,
        "market": { "assets": [{ "symbol": "A", "source": {
            "kind": "synthetic", "martingale": true, "volatility": 0.004, "half_spread_bps": 0.0 } }] }
    });
    let events = live(scenario(martingale));
    let all = trades(&events);
    assert!(loans(&events) > 3_000, "{} loans in {} trades", loans(&events), all.len());
    is_fair(all.iter().map(|(tick, r, _)| (*tick, *r))).unwrap();
    is_fair(all.iter().map(|(tick, _, pnl)| (*tick, *pnl))).unwrap();
}

/// Prices fall by a fifth within two ticks, past stops and margins. The lender bears the uncovered part, and a golem without a loan loses no more
/// than the fall.
#[test]
fn a_gap_goes_through_the_margin() {
    let crash = |max: f64| {
        live(scenario(serde_json::json!({
            "market": { "shocks": { "crisis": {
                "scheduled": [400], "false_alarm_share": 0.0, "sign_ticks": 10, "crash_ticks": 2, "crash_size": 0.223 } } },
            "golem": { "leverage": { "max": max } }
        })))
    };
    let events = crash(10.0);
    let (mut taken, mut bad_debts) = (0, 0);
    for event in &events {
        match &event.kind {
            EventKind::Liquidated { uncovered, lost_share, loan, .. } => {
                taken += 1;
                assert!((430..435).contains(&event.tick), "{event:?}");
                bad_debts += u32::from(uncovered.is_positive());
                assert!(loan.is_positive() && *lost_share > 0.2, "{event:?}");
            }
            EventKind::TradeClosed { episode, exit: ExitReason::Liquidated, .. } => {
                assert!(episode.realised_r < -2.0, "{episode:?}");
            }
            _ => {}
        }
    }
    assert!(taken >= 3 && bad_debts >= 1, "{taken} of 24, {bad_debts} not covered");
    let lives: u32 = of_kind!(event in events, EventKind::LifeEnded(life) => life.liquidations).sum();
    assert_eq!(lives, taken);
    let events = crash(1.0);
    assert_eq!(loans(&events), 0);
    assert_eq!(of_kind!(event in events, EventKind::Liquidated { .. }).count(), 0);
    let worst = trades(&events).iter().map(|(_, _, pnl)| *pnl).fold(0.0, f64::min);
    assert!(worst > -0.21 * 0.5 * 600.0, "{worst}");
}

/// A liquidation that takes a mortal golem below its reserve kills it, and the record of its life names the cause.
#[test]
fn a_liquidation_below_the_reserve_is_the_cause_of_death() {
    let events = live(scenario(serde_json::json!({
        "market": { "shocks": { "crisis": {
            "scheduled": [400, 800], "false_alarm_share": 0.0, "sign_ticks": 10, "crash_ticks": 2, "crash_size": 0.25 } } },
        "golem": { "max_position_share": 1.0, "risk_per_trade": 0.2, "purse": { "trading_share": 0.98 } },
        "population": { "policy": "fixed" },
        "mortality": { "epistemic_clock": false, "stochastic_clock": false }
    })));
    let mut killed = 0;
    for life in of_kind!(event in events, EventKind::LifeEnded(life) if life.killed_by_liquidation => life) {
        killed += 1;
        assert!(life.liquidations >= 1 && life.killed_by_trade.is_some_and(|share| share > 0.5), "{life:?}");
        assert_eq!(life.cause.map(|cause| cause.name()), Some("economic"));
    }
    assert!(killed >= 5, "{killed}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// `live` adds up every account of the world at every tick.
    #[test]
    fn money_is_conserved_whatever_is_lent(
        seed in any::<u32>(),
        max in 1.0..20.0_f64,
        interest in 0.0..0.01_f64,
        fee_bps in 0.0..1_000.0_f64,
        volatility in 0.002..0.1_f64,
        endogenous in any::<bool>(),
    ) {
        let impact = if endogenous { "endogenous" } else { "price_taker" };
        let events = live(scenario(serde_json::json!({
            "seed": seed, "ticks": 250,
            "market": {
                "impact": impact, "pool": { "fee_bps": 3.0, "depth_usdc": 1e5 }, "gas": { "base_usdc": 0.01 },
                "assets": [{ "symbol": "A", "source": { "kind": "synthetic", "volatility": volatility } }],
                "shocks": { "crisis": { "rate": 0.02, "sign_ticks": 3 } }
            },
            "golem": { "risk_per_trade": 0.3, "leverage": {
                "max": max, "interest_per_tick": interest, "liquidation_fee_bps": fee_bps, "maintenance_margin": 0.04 } },
            "population": { "policy": "fixed" }, "mortality": { "hazard_scale": 2000.0 }
        })));
        prop_assert!(max < 1.5 || loans(&events) > 0);
    }
}
