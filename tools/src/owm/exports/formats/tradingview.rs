//! TradingView's list of trades from the strategy tester: two rows for each trade, an entry and an exit, with the column names of both
//! versions. `joined` merges them by the trade's number; profits are in the account's currency. An exit with the signal "Open" is the
//! present price of an open trade and is dropped. The number is the key, because two trades may share a minute.

use super::{Format, NAMED_COLUMNS, Shape, reopened};
use crate::owm::exports::columns::Values;
use crate::owm::exports::side;
use crate::owm::mistake::Mistake;
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) const FORMATS: &[Format] = &[Format {
    name: "TradingView list of trades",
    signatures: &["trade type signal datetime price", "tradenumber type signal dateandtime price"],
    columns: "trade=number tradenumber=number type=leg signal=signal contracts=lot_size sizeqty=lot_size \
              positionsizeqty=lot_size quantity=lot_size",
    shape: Shape::Halves,
    ..NAMED_COLUMNS
}];

type Row = (usize, Result<Values, Mistake>);

/// Joins the two rows of each trade by their number (entry and exit join); the place is that of the last row. `exports::read` calls it for
/// the shape `Halves`. An exit without its entry is an error of its row; an entry alone is an open trade.
pub(crate) fn joined(rows: Vec<Row>) -> Vec<Row> {
    let (mut by_number, mut trades) = (BTreeMap::<String, (usize, Values)>::new(), Vec::new());
    for (place, row) in rows {
        match row.and_then(half) {
            Ok((number, half)) => {
                let (last, trade) = by_number.entry(number).or_default();
                *last = place.max(*last);
                trade.extend(half);
            }
            Err(what) => trades.push((place, Err(what))),
        }
    }
    let whole = |(_, (place, mut trade)): (String, (usize, Values))| {
        // The exit of an open trade has the present moment, and isn't an exit.
        let signal = trade.remove("exit_signal");
        if signal.and_then(|signal| Some(signal.as_str()?.eq_ignore_ascii_case("open"))) == Some(true) {
            reopened(&mut trade);
        }
        let is_whole = trade.contains_key("timestamp");
        (place, if is_whole { Ok(trade) } else { Err(Mistake::NotATrade("an exit without its entry")) })
    };
    trades.extend(by_number.into_iter().map(whole));
    trades.sort_by_key(|(place, _)| *place);
    trades
}

/// `Entry long` or `Exit short`. The outcome is on both rows, or on the exit's.
fn half(mut row: Values) -> Result<(String, Values), Mistake> {
    let text = |value: Option<Value>| {
        value.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    };
    let number = text(row.remove("number")).ok_or(Mistake::NoColumn("Trade #"))?;
    let leg = text(row.remove("leg")).ok_or(Mistake::NoColumn("Type"))?;
    let lower = leg.to_lowercase();
    let (leg_of, side_of) = lower.split_once(' ').unwrap_or((&lower, ""));
    let is_long = side::is_long(side_of).ok_or_else(|| Mistake::NoDirection(leg.clone()))?;
    let signal = row.remove("signal");
    row.insert("direction".to_owned(), Value::from(side::name(is_long)));
    let price = row.remove("price");
    match leg_of {
        "entry" => {
            row.extend(price.map(|price| ("entry_price".to_owned(), price)));
            row.remove("pnl");
        }
        "exit" => {
            row.extend(price.map(|price| ("exit_price".to_owned(), price)));
            row.extend(signal.map(|signal| ("exit_signal".to_owned(), signal)));
            let at = row.remove("timestamp");
            row.extend(at.map(|at| ("exit_timestamp".to_owned(), at)));
        }
        _ => return Err(Mistake::NoDirection(leg)),
    }
    Ok((number, row))
}
