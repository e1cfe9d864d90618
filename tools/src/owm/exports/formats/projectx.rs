//! The trades of brokers on ProjectX (TopstepX and others): closed futures trades, whose `pnl` is before fees. Where the dates of a file
//! can be read in two ways, they have the month first, because the program is American; `--dates` and unambiguous cells have precedence.

use super::{Format, NAMED_COLUMNS};
use crate::owm::exports::moments::DateOrder;

pub(super) const FORMATS: &[Format] = &[Format {
    name: "ProjectX trades",
    signatures: &["contractname enteredat exitedat entryprice exitprice pnl size type"],
    columns: "tradeday=",
    dates: Some(DateOrder::MonthFirst),
    remark: Some("pnl is the column PnL, without fees"),
    ..NAMED_COLUMNS
}];
