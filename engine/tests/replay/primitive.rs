//! The spec's table and example, and labels by hand.

use crate::common::episodes::{episode, holding, record};
use morta_base::Usdc;
use morta_engine::episode::{EpisodeRecord, Grimoire, GrimoireConfig, OutcomeVerification};
use morta_engine::market::ShockKind::*;
use morta_engine::market::{GasClass, LiquidityClass, Regime, Strategy};
use morta_engine::replay::{Neighbours, PrimitiveLedger, PrimitiveSet, label};

fn alone(episode: &EpisodeRecord) -> PrimitiveSet {
    label(episode, Neighbours::default())
}

#[test]
fn the_table_reads_both_ways() {
    for (a, b, expected) in [
        (LiquidityCrisis, CascadingLiquidation, true),
        (MomentumBreakout, LiquidityCrisis, true),
        (MeanReversion, GasSpike, true),
        (MeanReversion, RegimeChange, true),
        (MeanReversion, LiquidityCrisis, false),
        (CascadingLiquidation, OracleDeviation, true),
        (OracleDeviation, MomentumBreakout, false),
        (CorrelationShift, LiquidityCrisis, false),
        (GasSpike, GasSpike, false),
    ] {
        assert_eq!(a.is_composable_with(b), expected, "{a:?} {b:?}");
        assert_eq!(b.is_composable_with(a), expected, "{b:?} {a:?}");
    }
}

/// The spec's example is put together although two of its members aren't partners.
#[test]
fn sets_are_linked_through_their_members() {
    for (members, expected) in [
        (vec![LiquidityCrisis, CorrelationShift, GasSpike], true),
        (vec![LiquidityCrisis, CorrelationShift], false),
        (vec![MeanReversion, OracleDeviation, CascadingLiquidation], false),
        (vec![MeanReversion], true),
    ] {
        let set: PrimitiveSet = members.into_iter().collect();
        assert_eq!(set.is_composable(), expected, "{set}");
    }
}

#[test]
fn labels_by_hand() {
    let mut lived = record(0, 100);
    assert!(alone(&lived).is_empty());
    lived.context.volatility_quintile = 5;
    assert_eq!(alone(&lived).to_string(), "momentum breakout");
    lived.context.regime = Regime::TrendingDown;
    lived.context.liquidity = LiquidityClass::Crisis;
    assert_eq!(
        alone(&lived),
        [LiquidityCrisis, MomentumBreakout, CascadingLiquidation].into_iter().collect()
    );
    let mut calm = record(1, 100);
    calm.context.regime = Regime::RangeBound;
    calm.strategy = Strategy::MeanReversion;
    calm.verification = Some(OutcomeVerification {
        predicted_slippage_bps: 0.0,
        realised_slippage_bps: 0.0,
        predicted_gas: Usdc(2_000),
        realised_gas: Usdc(10_000),
    });
    assert_eq!(alone(&calm), [MeanReversion, GasSpike].into_iter().collect());
    calm.strategy = Strategy::OracleArbitrage;
    assert_eq!(alone(&calm), [OracleDeviation, GasSpike].into_iter().collect());
}

#[test]
fn neighbours_show_changes_of_regime_and_correlation() {
    let lived = [
        (0, 0, Regime::TrendingUp, 0),
        (1, 1, Regime::TrendingDown, 50),
        (2, 0, Regime::RangeBound, 80),
        (3, 0, Regime::Volatile, 500),
    ];
    let lived = lived.map(|(number, asset, regime, opened)| {
        let mut lived = episode(number, opened + 5);
        (lived.asset, lived.context.regime, lived.opened) = (asset, regime, opened);
        lived
    });
    let ledger = PrimitiveLedger::default().after(&holding(0, lived));
    assert_eq!((ledger.met(CorrelationShift), ledger.met(RegimeChange)), (1, 1));
}

/// Looked at again, nothing is counted twice; what is forgotten has been met all the same, and what is new comes on top.
#[test]
fn what_was_met_stays_met_when_it_is_forgotten() {
    let in_a_spike = |number| {
        let mut lived = episode(number, 10 * u64::from(number) + 10);
        lived.context.gas = GasClass::Spike;
        lived
    };
    let mut grimoire = Grimoire::new(GrimoireConfig { capacity: 1, ..GrimoireConfig::default() }, 2);
    grimoire.insert(in_a_spike(0), 10);
    let ledger = PrimitiveLedger::default().after(&grimoire);
    assert_eq!(ledger.after(&grimoire), ledger);
    grimoire.insert(in_a_spike(1), 20);
    assert_eq!(grimoire.len(), 1, "the first had to make room");
    assert_eq!(ledger.after(&grimoire).met(GasSpike), 2);
    assert_eq!(PrimitiveLedger::default().after(&grimoire).met(GasSpike), 1);
}

/// Met: crises with cascades (3), correlation shifts (2), gas spikes (1), each apart from the others.
#[test]
fn only_what_was_met_apart_is_put_together() {
    let mut ledger = PrimitiveLedger::default();
    for _ in 0..3 {
        ledger.record([LiquidityCrisis, CascadingLiquidation].into_iter().collect());
    }
    for _ in 0..2 {
        ledger.record([CorrelationShift].into_iter().collect());
    }
    ledger.record([GasSpike].into_iter().collect());
    let names: Vec<String> = ledger.recombinations().iter().map(ToString::to_string).collect();
    assert_eq!(
        names,
        [
            "cascading liquidation + correlation shift",
            "liquidity crisis + cascading liquidation + correlation shift",
            "liquidity crisis + gas spike",
            "gas spike + cascading liquidation",
            "gas spike + correlation shift",
            "liquidity crisis + gas spike + cascading liquidation",
            "liquidity crisis + gas spike + correlation shift",
            "gas spike + cascading liquidation + correlation shift",
        ]
    );
}
