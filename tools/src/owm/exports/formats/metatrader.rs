//! MetaTrader's reports: positions of version 5 (CSV, HTML, Excel), statements of version 4, and deals (fills), as from the tester.
//! Positions and statements are trades whose `pnl` is the column Profit, without commission and swap; paired deals have the profit with
//! swap and less commission. Times are those of the broker's server, which no report names, so the user gives `--zone` (default UTC);
//! numbers, as in the Python package's deals, are epoch seconds in UTC whatever the zone.
//!
//! Deals are paired only where there are no positions, because both hold the same trades. They are paired by `exports::fills`, first in first
//! out by buy and sell, and not by position: on an account that holds both sides of a symbol, the trades may differ from the positions. The
//! leg only decides whether a profit is read: an opening deal (`in`, 0) has none, a closing one has one. A deal that reverses a position
//! (`in/out`, 2) or is closed by an opposite one (3) keeps its profit; such numbers aren't translated. `fills` also decides the sign of fees.

use super::{Format, NAMED_COLUMNS, Shape};
use crate::owm::exports::columns::Values;
use crate::owm::mistake::Mistake;
use serde_json::Value;

const PROFIT: &str = "pnl is the column Profit, without commission and swap";

pub(super) const FORMATS: &[Format] = &[
    Format {
        name: "MetaTrader 5 positions",
        signatures: &["time position symbol type volume price time2 price2 profit"],
        columns: "position=id price=entry_price price2=exit_price tp=",
        finish,
        remark: Some(PROFIT),
        ..NAMED_COLUMNS
    },
    Format {
        name: "MetaTrader 4 statement",
        signatures: &["ticket opentime type price closetime price2 profit"],
        columns: "price=entry_price price2=exit_price tp=",
        finish,
        remark: Some(PROFIT),
        ..NAMED_COLUMNS
    },
    Format {
        name: "MetaTrader 5 deals",
        signatures: &["time deal symbol type direction volume price profit"],
        columns: "type=direction direction=leg commission=fee swap=swap order= balance= cost=",
        shape: Shape::Fills { shorts: true },
        finish: deal,
        remark: Some("pnl is the broker's, less commission, with swap"),
        ..NAMED_COLUMNS
    },
    Format {
        // A table of `history_deals_get` in its Python package.
        name: "MetaTrader 5 deals",
        signatures: &["ticket time type entry positionid volume price profit symbol"],
        columns: "type=direction entry=leg commission=fee swap=swap order=order_id positionid= ticket= \
                  comment=",
        shape: Shape::Fills { shorts: true },
        finish: numbered_deal,
        remark: Some("pnl is the broker's, less commission, with swap"),
        ..NAMED_COLUMNS
    },
];

const MONEY: Mistake = Mistake::NotATrade("money put in or taken out");

/// Deposits and unfilled orders stand among the trades; they are skipped.
fn finish(row: &mut Values) -> Result<(), Mistake> {
    match kind(row).as_str() {
        "balance" | "credit" | "deposit" | "withdrawal" | "correction" | "charge" | "bonus" => Err(MONEY),
        kind if kind.ends_with(" limit") || kind.ends_with(" stop") => {
            Err(Mistake::NotATrade("an order that was not filled"))
        }
        _ => {
            // An open position has the present price and an unrealised profit; neither is an outcome.
            if !row.contains_key("exit_timestamp") {
                row.remove("exit_price");
                row.remove("pnl");
            }
            Ok(())
        }
    }
}

/// A deal's profit belongs to the position that it closes; an opening deal has none.
fn deal(row: &mut Values) -> Result<(), Mistake> {
    if !matches!(kind(row).as_str(), "buy" | "sell") {
        return Err(MONEY);
    }
    if row.get("leg").and_then(|leg| leg.as_str()).is_some_and(|leg| leg.trim().eq_ignore_ascii_case("in")) {
        row.remove("pnl");
    }
    Ok(())
}

fn kind(row: &Values) -> String {
    row.get("direction").and_then(Value::as_str).unwrap_or_default().to_lowercase()
}

/// Types are numbers: 0 buys, 1 sells, the others are money transfers. An entry of 0 opens a position.
fn numbered_deal(row: &mut Values) -> Result<(), Mistake> {
    let number = |value: &Value| value.as_f64().or_else(|| value.as_str()?.parse().ok());
    for (name, words) in [("direction", ["buy", "sell"]), ("leg", ["in", "out"])] {
        let word = match row.get(name).and_then(number) {
            Some(0.0) => words[0],
            Some(1.0) => words[1],
            _ => continue,
        };
        row.insert(name.to_owned(), Value::from(word));
    }
    deal(row)
}
