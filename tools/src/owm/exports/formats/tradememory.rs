//! TradeMemory's journal and episodes, in its database or as rows with the same columns. It is the format of
//! the specification's own implementation, so every field has a place here. Nothing is renamed, because the
//! names are the document's.

use super::{Format, NAMED_COLUMNS};

pub(super) const FORMATS: &[Format] = &[Format {
    name: "TradeMemory",
    signatures: &[
        &["timestamp", "symbol", "direction", "strategy", "confidence", "reasoning", "marketcontext"],
        &["timestamp", "contextjson", "strategy", "direction", "entryprice"],
    ],
    ..NAMED_COLUMNS
}];
