use morta_base::math::exp;
use morta_engine::market::Reading;
use morta_engine::market::reading::{AssetObservation, AssetWindows};

fn seen(price: f64) -> AssetObservation {
    AssetObservation {
        pool_price: price,
        oracle_price: price * 1.01,
        true_range: 0.0,
        half_spread: 0.0,
        pool_fee: 0.0,
        fee_growth: 0.0,
        depth_ratio: 1.0,
    }
}

fn reading_of(log_prices: impl Iterator<Item = f64>) -> Reading {
    let mut measure = AssetWindows::new(1.0, 0.0);
    let mut reading = measure.read(&seen(1.0));
    for log_price in log_prices {
        let observation = seen(exp(log_price));
        measure.update(&observation);
        reading = measure.read(&observation);
    }
    reading
}

#[test]
fn a_rising_price_reads_as_one() {
    let wobble = |i: i32| if i % 2 == 0 { 0.0005 } else { -0.0005 };
    let up = reading_of((1..200).map(|i| 0.001 * f64::from(i) + wobble(i)));
    assert!(up.trend_strength > 5.0 && up.range_position > 0.9 && up.mean_distance > 1.4, "{up:?}");
    assert!(up.relative_strength > 0.5 && up.scaled_returns[3] > 3.0 && up.autocorrelation < -0.5);
    assert!((up.oracle_gap - 0.01).abs() < 1e-12);
    let leap = reading_of((1..200).map(|i| if i == 199 { 0.05 } else { wobble(i) }));
    assert!(leap.breakout > 5.0, "{leap:?}");
}

#[test]
fn a_price_at_rest_reads_as_neutral() {
    let rest = reading_of((0..100).map(|_| 0.0));
    for value in [rest.trend_strength, rest.range_position, rest.breakout, rest.mean_distance] {
        assert_eq!(value, 0.0);
    }
    assert!(rest.volatility > 0.0 && rest.atr > 0.0);
}
