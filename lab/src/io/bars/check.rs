//! Checks of rows as they are read (streaming validation). Rows of OHLCV prices become bars of the engine; a row that is out of order,
//! doubled or no bar is an error with its place in the file. Rows outside the period are checked too and then dropped. Rows of a table with
//! the newest first are held until its end and then checked in the order of time. An open or close that lies outside its bar's range by no
//! more than a billionth of high or low widens the range; such rows are counted, because adjusted prices of data vendors are rounded so.

use super::Days;
use super::error::RowError;
use crate::io::limits::{Limit, Limits};
use morta_engine::market::{Bar, BarError, Ohlc, RawBar, bars_from_rows};

/// How far outside its range a price may lie: what adjusting for splits and dividends leaves of rounding, in yfinance's tables.
const ROUNDING: f64 = 1e-9;

/// Validates rows as they are read and turns them into bars in chronological order. A table with the newest first is held until its end,
/// and read from there.
pub(super) struct Checked {
    days: Days,
    /// The row checked last, with its place in the file.
    last: Option<(u64, RawBar)>,
    rows: u64,
    rows_max: u64,
    /// The rows so far, held until the end, where the newest is the first.
    newest_first: Option<Vec<(u64, RawBar)>>,
    keeps_rows: bool,
    /// The bars of the period.
    pub bars: Vec<Bar>,
    /// The rows they are of, if they are kept.
    pub kept: Vec<RawBar>,
    /// How many rows had a price that rounding had put out of its range.
    pub rounded: u64,
}

impl Checked {
    /// Makes a validator that has seen no row yet, for bars of a period.
    pub(super) fn new(days: Days, keeps_rows: bool, limits: &Limits) -> Self {
        let (bars, kept) = (Vec::new(), Vec::new());
        let rows_max = limits.most(Limit::BarsRows);
        Self { days, last: None, rows: 0, rows_max, newest_first: None, keeps_rows, bars, kept, rounded: 0 }
    }

    /// Validates the next row, by its place in the file. The error says what is wrong with which one.
    pub(super) fn take(&mut self, place: u64, raw: RawBar) -> Result<(), (u64, RowError)> {
        self.rows += 1;
        if self.rows > self.rows_max {
            return Err((place, RowError::TooMany(self.rows_max)));
        }
        if let Some(held) = &mut self.newest_first {
            held.push((place, raw));
            return Ok(());
        }
        // The first two rows say which way the table goes; of one that goes neither way some later row is out of order.
        if let (2, Some(first)) = (self.rows, self.last)
            && raw.open_time_s < first.1.open_time_s
        {
            (self.last, self.rounded) = (None, 0);
            self.bars.clear();
            self.kept.clear();
            self.newest_first = Some(vec![first, (place, raw)]);
            return Ok(());
        }
        self.check(place, raw).map_err(|problem| (place, problem))
    }

    /// Whether the newest row is the first, going by the first two rows (descending time order).
    pub(crate) fn is_newest_first(&self) -> bool {
        self.newest_first.is_some()
    }

    /// Ends the check after the last row, and checks the rows that were held. The error is that of [`take`](Self::take).
    pub(super) fn end(&mut self) -> Result<(), (u64, RowError)> {
        let held = self.newest_first.as_mut().map(std::mem::take).unwrap_or_default();
        for (place, raw) in held.into_iter().rev() {
            self.check(place, raw).map_err(|problem| match problem {
                RowError::Bar(BarError::NotAscending { time_s, previous_s, .. }) => {
                    (place, RowError::NotDescending { time_s, next_s: previous_s })
                }
                problem => (place, problem),
            })?;
        }
        Ok(())
    }

    fn check(&mut self, place: u64, raw: RawBar) -> Result<(), RowError> {
        let checked = |raw| match self.last {
            Some((_, last)) => bars_from_rows(&[last, raw]),
            None => bars_from_rows(&[raw]),
        };
        let (raw, made) = match checked(raw) {
            Err(BarError::OutsideRange { .. }) => {
                let raw =
                    RawBar { price: without_rounding(raw.price), ask: raw.ask.map(without_rounding), ..raw };
                self.rounded += 1;
                (raw, checked(raw))
            }
            made => (raw, made),
        };
        let bar = made?.pop();
        self.last = Some((place, raw));
        if let Some(bar) = bar.filter(|bar| self.days.contains(bar.open_time_s)) {
            self.bars.push(bar);
            if self.keeps_rows {
                self.kept.push(raw);
            }
        }
        Ok(())
    }
}

/// The same with a range that holds what rounding has put out of it.
fn without_rounding(side: Ohlc) -> Ohlc {
    let (below, above) = (side.open.min(side.close), side.open.max(side.close));
    let near = |price: f64, bound: f64| (price - bound).abs() <= ROUNDING * bound.abs();
    Ohlc {
        high: if near(above, side.high) { side.high.max(above) } else { side.high },
        low: if near(below, side.low) { side.low.min(below) } else { side.low },
        ..side
    }
}
