//! vectorbt's `trades.records_readable` and `positions.records_readable` as CSV, and the orders of a portfolio. The column name is the
//! symbol. Open trades keep neither exit nor profit. Orders are paired by FIFO, short positions included, because each is a fill.

use super::{Format, NAMED_COLUMNS, Shape, reopened};
use crate::owm::exports::columns::Values;
use crate::owm::mistake::Mistake;

pub(super) const FORMATS: &[Format] = &[
    Format {
        name: "vectorbt trades",
        signatures: &["column size entrytimestamp avgentryprice exittimestamp avgexitprice direction status"],
        // Ids of positions are unique in one run only.
        columns: "column=symbol status=status positionid= exittradeid= entrytradeid= tradeid=",
        finish,
        ..NAMED_COLUMNS
    },
    Format {
        name: "vectorbt orders",
        signatures: &["orderid column timestamp size price fees side"],
        columns: "column=symbol orderid=order_id",
        shape: Shape::Fills { shorts: true },
        ..NAMED_COLUMNS
    },
];

/// An open trade has the last price in place of an exit.
fn finish(row: &mut Values) -> Result<(), Mistake> {
    if row.remove("status").is_some_and(|status| status == "Open") {
        reopened(row);
    }
    Ok(())
}
