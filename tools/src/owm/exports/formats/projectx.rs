//! The trades of brokers on ProjectX (TopstepX and others). The program is American: dates have the month first.
//! They are closed futures trades. The order of dates is set here, because the file doesn't show it.

use super::{Format, NAMED_COLUMNS};
use crate::owm::exports::moments::DateOrder;

pub(super) const FORMATS: &[Format] = &[Format {
    name: "ProjectX trades",
    signatures: &[&[
        "contractname", "enteredat", "exitedat", "entryprice", "exitprice", "pnl", "size", "type",
    ]],
    columns: "tradeday=",
    dates: Some(DateOrder::MonthFirst),
    remark: Some("pnl is the column PnL, without fees"),
    ..NAMED_COLUMNS
}];
