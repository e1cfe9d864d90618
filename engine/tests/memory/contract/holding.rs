use morta_engine::market::{PositionSide, Signal, Strategy};
use morta_engine::memory::{Candidate, Holding};

/// .4 R expected of 16 ticks, 12 of them left at .01 R a tick: .3 − .12.
#[test]
fn the_plan_pays_evenly() {
    let signal = Signal { strength: 0.5, stop_distance: 0.01, horizon_ticks: 16 };
    let (strategy, side) = (Strategy::MeanReversion, PositionSide::Long);
    let candidate = Candidate { strategy, asset: 0, side, signal, prior_r: 0.3, cost_r: 0.1 };
    let holding = Holding { candidate: &candidate, held_ticks: 4, open_r: 0.0, planned_r: 0.4, rho: 0.01 };
    assert!((holding.as_planned_r() - 0.18).abs() < 1e-12);
    assert_eq!(Holding { held_ticks: 20, ..holding }.as_planned_r(), 0.0);
}
