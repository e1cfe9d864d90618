//! TradeTally's export of everything (JSON), and its trades as rows.

use super::{Format, NAMED_COLUMNS};

pub(super) const FORMATS: &[Format] = &[Format {
    name: "TradeTally",
    signatures: &[&[
        "symbol", "side", "quantity", "entryprice", "exitprice", "entrytime", "exittime", "commission",
        "fees",
    ]],
    // A trade there is a row of a table of its own, and its id is what it is known by.
    columns: "instrumenttype= rvalue=pnl_r",
    ..NAMED_COLUMNS
}];
