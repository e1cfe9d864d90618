//! TradeMemory's journal and episodes, in its database or as rows with the same columns.

use super::{Format, NAMED_COLUMNS};

pub(super) const FORMATS: &[Format] = &[Format {
    name: "TradeMemory",
    signatures: &[
        &["timestamp", "symbol", "direction", "strategy", "confidence", "reasoning", "marketcontext"],
        &["timestamp", "contextjson", "strategy", "direction", "entryprice"],
    ],
    ..NAMED_COLUMNS
}];
