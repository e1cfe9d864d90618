//! QuantConnect's closed trades of a backtest (Lean engine): the CSV of a backtest's page, and `closedTrades` of its JSON. The `pnl` is
//! the column P&L, before fees. Both forms are read, because users have either.

use super::{Format, NAMED_COLUMNS};
use crate::owm::exports::columns::Values;
use crate::owm::mistake::Mistake;
use serde_json::Value;

pub(super) const FORMATS: &[Format] = &[Format {
    name: "QuantConnect trades",
    signatures: &[
        "entrytime symbols exittime direction entryprice exitprice quantity pl",
        "entrytime symbolvalue exittime direction entryprice exitprice quantity profitloss",
    ],
    columns: "symbolvalue=symbol symbol= orderids=",
    finish,
    remark: Some("pnl is the column P&L, without fees"),
    ..NAMED_COLUMNS
}];

/// The engine's own JSON writes 0 for long and 1 for short.
fn finish(row: &mut Values) -> Result<(), Mistake> {
    let number = row.get("direction").and_then(|side| side.as_f64().or_else(|| side.as_str()?.parse().ok()));
    let side = match number {
        Some(0.0) => "long",
        Some(1.0) => "short",
        _ => return Ok(()),
    };
    row.insert("direction".to_owned(), Value::from(side));
    Ok(())
}
