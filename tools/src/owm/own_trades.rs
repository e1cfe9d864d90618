//! A user's own trades for `morta-memory owm validate`: rows of an import file whose trades have ended and whose R is known. They are the
//! input of a backtest on real trades; no store is touched. Moments are Unix epoch seconds.
//!
//! The risk of a lot is money per lot and R: from pnl and lot size; without these the distance of the stop, or of the exit over R, times
//! `lot_units` (100 by default). A trade that shows none gets the median of the others'. Open trades are left out, because they have no
//! outcome to size by.

use super::context::GivenContext;
use super::exports::row::{ExportRow, zone};
use super::exports::{self, Export, Options, Table};
use super::files;
use super::import::Imported;
use super::mistake::Mistake;
use crate::notes::Notes;
use crate::validation::OwnTrade;
use morta_base::quantile::quantile;
use morta_lab::error::{Error, Result};
use serde_json::{Map, Value};
use std::path::Path;

/// The result of reading a trade history from a file.
pub(super) struct Read {
    /// Trades that have ended.
    pub trades: Vec<OwnTrade>,
    /// Rows that were skipped.
    pub left_out: u64,
    /// Trades whose R was computed from their stop.
    pub r_from_stop: u64,
    /// Trades whose risk for a lot is unknown; they get the median of the others' risks.
    pub usual_risk: u64,
}

/// Reads trades by the columns of `morta-memory owm import` (trade import). A skipped row is reported through `notes`.
///
/// # Errors
/// [`Error::Invalid`] when the file can't be read, holds no closed trade, or no trade shows the risk of a lot.
pub(super) fn read(path: &Path, zone_name: &str, lot_units: f64, notes: Notes<'_>) -> Result<Read> {
    let zone = zone(zone_name).map_err(|what| Error::invalid(what.to_string()))?;
    let mut imported = Imported::default();
    let (mut trades, mut left_out) = (Vec::new(), 0);
    let Export { name, rows, .. } = exports::read(path, Table::Trades, &Options::from_zone(&zone))?;
    for (line, row) in rows {
        match row.and_then(|row| imported.own_trade(&row, lot_units)) {
            Ok(trade) => trades.push(trade),
            Err(what) => {
                left_out += 1;
                notes(&format!("{name}:{line}: {what}; left out"));
            }
        }
    }
    if trades.is_empty() {
        return Err(files::refuse(path, "holds no trade that has ended and whose R is known"));
    }
    let mut known: Vec<f64> = trades.iter().filter_map(|(_, risk)| *risk).collect();
    let Some(usual) = quantile(&mut known, 0.5) else {
        let what = "no trade tells what a lot risks: a stop, or pnl with lot_size, is needed";
        return Err(files::refuse(path, what));
    };
    let usual_risk = (trades.len() - known.len()) as u64;
    let trade =
        |(trade, risk): (OwnTrade, Option<f64>)| OwnTrade { lot_risk: risk.unwrap_or(usual), ..trade };
    let trades = trades.into_iter().map(trade).collect();
    Ok(Read { trades, left_out, r_from_stop: imported.r_from_stop, usual_risk })
}

impl Imported {
    /// A closed trade, and the risk of a lot in money, if it is known.
    fn own_trade(&mut self, row: &ExportRow, lot_units: f64) -> Result<(OwnTrade, Option<f64>), Mistake> {
        let (exited_s, mut fields) = self.trade(row)?;
        let context = match fields.remove("context") {
            Some(Value::Object(context)) => GivenContext::try_from(context)?,
            _ => GivenContext::default(),
        };
        let number = |name: &str| fields.get(name).and_then(Value::as_f64);
        let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let r = number("pnl_r").ok_or(Mistake::NoColumn("pnl_r"))?;
        let entry_price = number("entry_price").ok_or(Mistake::NoColumn("entry_price"))?;
        let exit_price = number("exit_price");
        let stop = row.number("stop_loss")?;
        let in_context = || context.fields.get("stop_loss").and_then(Value::as_f64);
        let distance = stop.or_else(in_context).map(|stop| (entry_price - stop).abs());
        let by_outcome = || Some((exit_price? - entry_price).abs() / r.abs());
        let by_price = distance.or_else(by_outcome).map(|distance| distance * lot_units);
        let by_money = per_lot(&fields, r);
        let risk = by_money.or(by_price).filter(|risk| risk.is_finite() && *risk > 0.0);
        let trade = OwnTrade {
            strategy: text("strategy_name"),
            symbol: text("symbol"),
            direction: serde_json::from_value(Value::from(text("direction")))
                .map_err(|_| Mistake::NoDirection(text("direction")))?,
            entered_s: exited_s - number("hold_duration_seconds").unwrap_or(0.0).max(0.0),
            exited_s,
            entry_price,
            exit_price,
            lot_risk: 0.0,
            r,
            context: context.vector,
        };
        Ok((trade, risk))
    }
}

/// The money that a lot makes for one R. It is computed from the profit where possible, because the profit contains the symbol's contract size.
fn per_lot(fields: &Map<String, Value>, r: f64) -> Option<f64> {
    let number = |name: &str| fields.get(name).and_then(Value::as_f64);
    let (pnl, lots) = (number("pnl")?, number("lot_size")?);
    Some((pnl / (lots * r)).abs())
}
