//! backtesting.py's table `_trades` as CSV: closed trades whose side is the sign of the size. Profits are in the account's currency. The
//! file has no symbol, so the import fails with a hint until the user gives `--symbol NAME`.

use super::{Format, NAMED_COLUMNS};
use crate::owm::exports::columns::Values;
use crate::owm::exports::side;
use crate::owm::mistake::Mistake;
use serde_json::Value;

pub(super) const FORMATS: &[Format] = &[Format {
    name: "backtesting.py trades",
    signatures: &["size entrybar exitbar entryprice exitprice pnl entrytime exittime"],
    columns: "tag=tags",
    finish,
    ..NAMED_COLUMNS
}];

fn finish(row: &mut Values) -> Result<(), Mistake> {
    let size = row.get("lot_size").and_then(Value::as_f64).ok_or(Mistake::NoColumn("Size"))?;
    row.insert("direction".to_owned(), Value::from(side::name(size > 0.0)));
    Ok(())
}
