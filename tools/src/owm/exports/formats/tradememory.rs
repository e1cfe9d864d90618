//! TradeMemory's journal (`trade_records`) and episodes (`episodic_memory`), in its database or as rows with the same columns. TradeMemory
//! is the original implementation of outcome-weighted memory. No column is renamed, because our names are those of its tables.

use super::{Format, NAMED_COLUMNS};

pub(super) const FORMATS: &[Format] = &[Format {
    name: "TradeMemory",
    signatures: &[
        "timestamp symbol direction strategy confidence reasoning marketcontext",
        "timestamp contextjson strategy direction entryprice",
    ],
    ..NAMED_COLUMNS
}];
