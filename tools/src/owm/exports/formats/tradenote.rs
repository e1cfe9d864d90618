//! TradeNote, a trading journal: its own trades, and the executions of its template and importers, which are paired by FIFO. A trade's
//! `pnl` are the net proceeds. Ambiguous dates of executions have the month first. Executions are read too, because its importers keep
//! only those.

use super::{Format, NAMED_COLUMNS, Shape};
use crate::owm::exports::columns::Values;
use crate::owm::exports::moments::DateOrder;
use crate::owm::mistake::Mistake;
use serde_json::Value;

pub(super) const FORMATS: &[Format] = &[
    Format {
        name: "TradeNote",
        signatures: &["account side symbol entrytime exittime entryprice netproceeds"],
        // Its `strategy` is long or short; `side` is that of the entry, and `type` the kind of instrument.
        columns: "type= netproceeds=pnl grossproceeds=",
        ..NAMED_COLUMNS
    },
    Format {
        name: "TradeNote executions",
        signatures: &["account td side symbol qty price exectime grossproceeds netproceeds"],
        columns: "type= comm= grossproceeds=gross netproceeds=net",
        shape: Shape::Fills { shorts: true },
        dates: Some(DateOrder::MonthFirst),
        finish: executions,
        ..NAMED_COLUMNS
    },
];

/// The six columns of fees are summed. They are the difference of gross and net proceeds.
fn executions(row: &mut Values) -> Result<(), Mistake> {
    let mut number = |name: &str| row.remove(name).and_then(|value| value.as_f64());
    if let (Some(gross), Some(net)) = (number("gross"), number("net")) {
        row.insert("fee".to_owned(), Value::from((gross - net).abs()));
    }
    Ok(())
}
