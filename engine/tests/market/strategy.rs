use crate::common::market::CALM;
use morta_engine::market::strategy::signals;
use morta_engine::market::{Reading, Strategy};

fn strength(strategy: Strategy, reading: &Reading) -> f64 {
    signals(reading)[strategy.index()].strength
}

#[test]
fn each_strategy_answers_its_own_cue() {
    use Strategy::{Breakout, LiquidityProvision, MeanReversion, Momentum, OracleArbitrage, TrendFollowing};
    for sign in [1.0, -1.0] {
        let trending = Reading { trend_strength: 2.5 * sign, ..CALM };
        assert!(strength(TrendFollowing, &trending) * sign > 0.5);
        let leaving = Reading { breakout: 0.5 * sign, ..CALM };
        assert!(strength(Breakout, &leaving) * sign > 0.3);
        let stretched = Reading { mean_distance: 2.0 * sign, ..CALM };
        assert!(strength(MeanReversion, &stretched) * sign < -0.3);
        let moving = Reading { scaled_returns: [0.0, 2.5 * sign, 0.0, 0.0], ..CALM };
        assert!(strength(Momentum, &moving) * sign > 0.3);
        let apart = Reading { oracle_gap: 0.004 * sign, ..CALM };
        assert!(strength(OracleArbitrage, &apart) * sign > 0.5);
    }
    let earning = Reading { fee_rate: 5e-5, ..CALM };
    assert!(strength(LiquidityProvision, &earning) > 0.3);
}
