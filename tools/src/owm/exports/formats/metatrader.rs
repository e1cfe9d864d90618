//! MetaTrader's reports: positions of 5 (CSV, HTML, or a workbook saved as CSV), deals where there are no positions, as of the tester, and statements of 4.

use super::{Format, NAMED_COLUMNS, Shape};
use crate::owm::exports::columns::Values;
use crate::owm::mistake::Mistake;

const PROFIT: &str = "pnl is the column Profit, without commission and swap";

pub(super) const FORMATS: &[Format] = &[
    Format {
        name: "MetaTrader 5 positions",
        signatures: &[&[
            "time", "position", "symbol", "type", "volume", "price", "time2", "price2", "profit",
        ]],
        columns: &[("position", "id"), ("price", "entry_price"), ("price2", "exit_price"), ("tp", "")],
        finish,
        remark: Some(PROFIT),
        ..NAMED_COLUMNS
    },
    Format {
        name: "MetaTrader 4 statement",
        signatures: &[&["ticket", "opentime", "type", "price", "closetime", "price2", "profit"]],
        columns: &[("price", "entry_price"), ("price2", "exit_price"), ("tp", "")],
        finish,
        remark: Some(PROFIT),
        ..NAMED_COLUMNS
    },
    Format {
        name: "MetaTrader 5 deals",
        signatures: &[&["time", "deal", "symbol", "type", "direction", "volume", "price", "profit"]],
        columns: &[
            ("type", "direction"),
            ("direction", "leg"),
            ("commission", "fee"),
            ("swap", "swap"),
            ("order", ""),
            ("balance", ""),
            ("cost", ""),
        ],
        shape: Shape::Fills { shorts: true },
        finish: deal,
        remark: Some("pnl is the broker's, less commission, with swap"),
        ..NAMED_COLUMNS
    },
];

/// Deposits and orders that weren't filled stand among the trades.
fn finish(row: &mut Values) -> Result<(), Mistake> {
    let kind = row.get("direction").and_then(|kind| kind.as_str()).unwrap_or_default().to_lowercase();
    match kind.as_str() {
        "balance" | "credit" | "deposit" | "withdrawal" | "correction" | "charge" | "bonus" => {
            Err(Mistake::NotATrade("money put in or taken out"))
        }
        kind if kind.ends_with(" limit") || kind.ends_with(" stop") => {
            Err(Mistake::NotATrade("an order that was not filled"))
        }
        _ => {
            // A position that is open has a price of now, and a profit that nobody has.
            if !row.contains_key("exit_timestamp") {
                row.remove("exit_price");
                row.remove("pnl");
            }
            Ok(())
        }
    }
}

/// A deal's profit is of what it ends; the deal that opens has none.
fn deal(row: &mut Values) -> Result<(), Mistake> {
    finish_deal_kind(row)?;
    if row.get("leg").and_then(|leg| leg.as_str()).is_some_and(|leg| leg.trim().eq_ignore_ascii_case("in")) {
        row.remove("pnl");
    }
    Ok(())
}

fn finish_deal_kind(row: &Values) -> Result<(), Mistake> {
    let kind = row.get("direction").and_then(|kind| kind.as_str()).unwrap_or_default().to_lowercase();
    if matches!(kind.as_str(), "buy" | "sell") {
        Ok(())
    } else {
        Err(Mistake::NotATrade("money put in or taken out"))
    }
}
