//! TradeTally, a trading journal: its full export (JSON), or its trades as rows. Its R value becomes `pnl_r`. Rows are read as well, so
//! that a part of an export is enough.

use super::{Format, NAMED_COLUMNS};

pub(super) const FORMATS: &[Format] = &[Format {
    name: "TradeTally",
    signatures: &["symbol side quantity entryprice exitprice entrytime exittime commission fees"],
    // A trade's id is the key of its database table.
    columns: "instrumenttype= rvalue=pnl_r",
    ..NAMED_COLUMNS
}];
