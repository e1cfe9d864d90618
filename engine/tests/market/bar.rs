use morta_engine::market::{Ohlc, RawBar, bars_from_rows};

const PRICE: Ohlc = Ohlc { open: 10.0, high: 12.0, low: 9.0, close: 11.0 };

fn row(open_time_s: i64) -> RawBar {
    RawBar { open_time_s, price: PRICE, ask: None, volume: None }
}

#[test]
fn mid_and_spread_come_from_bid_and_ask() {
    let ask = Ohlc { open: 10.2, high: 12.2, low: 9.2, close: 11.2 };
    let bars = bars_from_rows(&[RawBar { ask: Some(ask), ..row(0) }, row(60)]).unwrap();
    assert!((bars[0].close - 11.1).abs() < 1e-12);
    assert!((bars[0].half_spread - 0.1 / 11.1).abs() < 1e-12);
    assert_eq!(bars[1].half_spread, 0.0);
}

#[test]
fn every_fault_names_its_row() {
    let priced = |price| RawBar { price, ..row(60) };
    for (bad, expected) in [
        (row(0), "row 1: time 0 is not after"),
        (priced(Ohlc { open: f64::NAN, ..PRICE }), "row 1: open is NaN"),
        (priced(Ohlc { low: 0.0, ..PRICE }), "row 1: low is 0"),
        (priced(Ohlc { high: 8.0, ..PRICE }), "row 1: open 10 lies outside low 9 to high 8"),
        (priced(Ohlc { close: 12.5, ..PRICE }), "row 1: close 12.5 lies outside"),
        (RawBar { ask: Some(Ohlc { close: 10.9, ..PRICE }), ..row(60) }, "row 1: the bid's close 11"),
        (RawBar { volume: Some(-1.0), ..row(60) }, "row 1: volume -1"),
    ] {
        let error = bars_from_rows(&[row(0), bad]).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}
