use morta_engine::market::{PaperOutcome, PaperTrade, PathPoint, PositionSide, paper_trade};

fn outcome(side: PositionSide, cost_bps: f64, prices: &[f64]) -> PaperOutcome {
    let entry = PathPoint::at_price(100.0);
    let trade = PaperTrade { side, entry, stop_distance: 0.02, cost_bps };
    paper_trade(&trade, prices.iter().map(|price| PathPoint::at_price(*price)))
}

#[test]
fn gains_losses_and_stops() {
    for (side, cost_bps, prices, r_multiple, ticks_held, stopped) in [
        (PositionSide::Long, 0.0, &[101.0, 104.0][..], 2.0, 2, false),
        (PositionSide::Short, 0.0, &[101.0, 96.0], 2.0, 2, false),
        (PositionSide::Long, 20.0, &[104.0], 1.9, 1, false),
        (PositionSide::Long, 0.0, &[99.0, 98.0, 110.0], -1.0, 2, true),
        (PositionSide::Short, 0.0, &[103.0, 90.0], -1.5, 1, true),
        (PositionSide::Liquidity, 0.0, &[104.04], 1.0, 1, false),
        (PositionSide::Long, 20.0, &[], -0.1, 0, false),
    ] {
        let found = outcome(side, cost_bps, prices);
        assert!((found.r_multiple - r_multiple).abs() < 1e-9, "{side:?} {prices:?} {found:?}");
        assert_eq!((found.ticks_held, found.stopped), (ticks_held, stopped));
    }
}
