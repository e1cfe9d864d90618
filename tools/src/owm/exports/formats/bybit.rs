//! Bybit: fills of spot and of contracts, the answers of its interface, and closed positions. Fills are paired by FIFO, spot without
//! shorts. A closed position is a trade already, but its export lacks the moment of entry, so the trade has the moment of its end as
//! both. Payments of funding aren't trades and are skipped. Otherwise they would be paired like purchases and sales, or be reported as
//! fills without a price.

use super::{Format, NAMED_COLUMNS, NAMED_FILLS, Shape};
use crate::owm::exports::columns::Values;
use crate::owm::exports::side;
use crate::owm::mistake::Mistake;
use serde_json::Value;

pub(super) const FORMATS: &[Format] = &[
    Format {
        name: "Bybit spot trades",
        signatures: &["spotpairs direction filledprice filledquantity timestamp"],
        columns: "execfeev2=fee filledquantity=lot_size filledvalue=quote_amount ordertype=",
        shape: Shape::Fills { shorts: false },
        ..NAMED_FILLS
    },
    Format {
        name: "Bybit derivatives trades",
        signatures: &["contracts filledtype filledquantity filledprice direction"],
        columns: "execfeev2=fee feespaid=fee filledquantity=lot_size filledtype=cause ordertype=",
        finish: without_funding,
        ..NAMED_FILLS
    },
    Format {
        name: "Bybit executions",
        signatures: &["symbol side execprice execqty exectime"],
        columns: "execqty=lot_size exectype=cause execpnl= ordertype= stopordertype=",
        finish: without_funding,
        ..NAMED_FILLS
    },
    Format {
        name: "Bybit closed positions",
        signatures: &[
            "contracts closingdirection qty entryprice exitprice closedpl",
            "symbol side qty avgentryprice avgexitprice closedpnl",
        ],
        columns: "closingdirection=closing side=closing filledtime=exit_timestamp tradetime=exit_timestamp \
                  updatedtime=exit_timestamp createtime=exit_timestamp createdtime=exit_timestamp orderno= \
                  orderid=",
        finish: closed,
        remark: Some("the moment of entry is not in this export: trades have that of their end"),
        ..NAMED_COLUMNS
    },
];

/// Skips payments of funding, by the column that names the cause of a row.
fn without_funding(row: &mut Values) -> Result<(), Mistake> {
    let cause =
        row.remove("cause").and_then(|cause| cause.as_str().map(str::to_lowercase)).unwrap_or_default();
    if cause == "funding" || cause == "settle" {
        Err(Mistake::NotATrade("a payment of funding"))
    } else {
        Ok(())
    }
}

/// The side is that of the closing order: a sale closes a long. Newer files write `Close Long`.
fn closed(row: &mut Values) -> Result<(), Mistake> {
    let word = row.remove("closing").and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default();
    let lower = word.to_lowercase();
    let is_long = match lower.strip_prefix("close ") {
        Some(side) => side::is_long(side),
        None => side::is_long(&lower).map(|is_buy| !is_buy),
    };
    let is_long = is_long.ok_or(Mistake::NoDirection(word))?;
    row.insert("direction".to_owned(), Value::from(side::name(is_long)));
    let end = row.get("exit_timestamp").cloned().ok_or(Mistake::NoTimestamp)?;
    row.entry("timestamp").or_insert(end);
    Ok(())
}
