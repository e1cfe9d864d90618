//! Bars of recorded prices (OHLC or OHLCV candles), checked row by row. Files are read in the laboratory: the engine does no I/O.
//!
//! Prices are in dollars a unit and above 0, times in seconds since 1970-01-01 UTC and ascending; gaps between bars are allowed. A file may
//! quote bid and ask; a bar has the mid prices and half the spread at the close as a fraction. A world lives one bar a tick. Bad rows are
//! errors here and not repaired, because a guess at a price is a trade at a price that never was. The laboratory turns files round whose
//! newest row is first, and widens a range that rounding alone has put a price out of; other prices and times it refuses by
//! these errors, and files in a wrong form by errors of its own.

use serde::{Deserialize, Serialize};

/// An OHLC candlestick of one side of the market, dollars a unit: open, high, low and close.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Ohlc {
    pub open: f64,
    pub high: f64,
    pub low: f64,
    pub close: f64,
}

/// An unvalidated OHLCV row of price data, as it was written in its file (CSV or Parquet), perhaps with bid and ask quotes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RawBar {
    /// When the bar opened, seconds since 1970-01-01 UTC.
    pub open_time_s: i64,
    /// Trade or mid prices, or the bid when `ask` is given.
    pub price: Ohlc,
    /// The ask, when the file quotes both sides.
    pub ask: Option<Ohlc>,
    /// Volume in any one unit; only its changes matter.
    pub volume: Option<f64>,
}

/// A validated OHLCV bar of mid prices (candlestick) with half the spread, the length of one tick of historical data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// When the bar opened, seconds since 1970-01-01 UTC; ascending.
    pub open_time_s: i64,
    /// First mid price, dollars a unit.
    pub open: f64,
    /// Highest price of the bar.
    pub high: f64,
    /// Lowest price of the bar.
    pub low: f64,
    /// Last price of the bar.
    pub close: f64,
    /// Half the spread at the close as a fraction of the mid price; 0 when the file quotes one side.
    pub half_spread: f64,
    /// Volume in the file's unit.
    pub volume: Option<f64>,
}

/// A data validation error with its row number: why a row of historical data is not a bar. Rows are numbered from 0, headings not counted.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum BarError {
    #[error("row {row}: time {time_s} is not after the row before it ({previous_s})")]
    NotAscending { row: u64, time_s: i64, previous_s: i64 },
    #[error("row {row}: {field} is {value}, which is not a price above 0")]
    NotAPrice { row: u64, field: &'static str, value: f64 },
    #[error("row {row}: {field} {value} lies outside low {low} to high {high}")]
    OutsideRange { row: u64, field: &'static str, value: f64, low: f64, high: f64 },
    #[error("row {row}: the bid's {field} {bid} is above the ask's {ask}")]
    Crossed { row: u64, field: &'static str, bid: f64, ask: f64 },
    #[error("row {row}: volume {value} is not a number of at least 0")]
    BadVolume { row: u64, value: f64 },
}

/// Validates rows of data, and takes the mid prices of rows that quote bid and ask. The first bad row ends it with its error. It rejects
/// non-finite prices and timestamps that don't ascend.
pub fn bars_from_rows(rows: &[RawBar]) -> Result<Vec<Bar>, BarError> {
    let mut bars: Vec<Bar> = Vec::with_capacity(rows.len());
    for (row, raw) in (0_u64..).zip(rows) {
        if let Some(previous) = bars.last()
            && raw.open_time_s <= previous.open_time_s
        {
            let (time_s, previous_s) = (raw.open_time_s, previous.open_time_s);
            return Err(BarError::NotAscending { row, time_s, previous_s });
        }
        bars.push(bar_from_row(row, raw)?);
    }
    Ok(bars)
}

fn bar_from_row(row: u64, raw: &RawBar) -> Result<Bar, BarError> {
    check_side(row, &raw.price)?;
    let ask = raw.ask.unwrap_or(raw.price);
    check_side(row, &ask)?;
    for (field, bid, ask) in [
        ("open", raw.price.open, ask.open),
        ("high", raw.price.high, ask.high),
        ("low", raw.price.low, ask.low),
        ("close", raw.price.close, ask.close),
    ] {
        if bid > ask {
            return Err(BarError::Crossed { row, field, bid, ask });
        }
    }
    if let Some(value) = raw.volume
        && !(value.is_finite() && value >= 0.0)
    {
        return Err(BarError::BadVolume { row, value });
    }
    // Not (bid + ask) / 2, whose sum would overflow for prices near the largest of a float.
    let mid = |bid: f64, ask: f64| bid + (ask - bid) / 2.0;
    let close = mid(raw.price.close, ask.close);
    Ok(Bar {
        open_time_s: raw.open_time_s,
        open: mid(raw.price.open, ask.open),
        high: mid(raw.price.high, ask.high),
        low: mid(raw.price.low, ask.low),
        close,
        half_spread: (ask.close - raw.price.close) / 2.0 / close,
        volume: raw.volume,
    })
}

fn check_side(row: u64, side: &Ohlc) -> Result<(), BarError> {
    for (field, value) in [("open", side.open), ("high", side.high), ("low", side.low), ("close", side.close)]
    {
        if !(value.is_finite() && value > 0.0) {
            return Err(BarError::NotAPrice { row, field, value });
        }
    }
    let (low, high) = (side.low, side.high);
    for (field, value) in [("open", side.open), ("close", side.close)] {
        // With high below low no price lies between them, so this names that fault too.
        if !(low..=high).contains(&value) {
            return Err(BarError::OutsideRange { row, field, value, low, high });
        }
    }
    Ok(())
}
