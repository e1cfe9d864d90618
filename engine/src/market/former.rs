//! Keys of earlier builds' `[market]` tables that are constants now, put back in where they stood, so that what is named after a
//! market's bytes (a fitted policy) keeps its name: canonicalisation for a content hash.
//!
//! A row is a table (`*` stands for every entry of a list or table), the key before, the key, and the value that it has for ever; null where the
//! key was left out and something else held. Constants are read from the code that computes with them, so that another value there is another
//! market here. Order counts: a digest is of text.

use crate::market::{crowd, gas, synthetic};
use morta_base::keys::for_each_table;
use serde_json::{Value, json};

/// Rows in the order of the table, because a key may stand after one that is put in itself.
fn former_keys() -> [(&'static str, &'static str, &'static str, Value); 21] {
    let (source, law) = ("assets.*.source", "drift.laws.*");
    [
        (source, "transitions", "jump_rate", json!(synthetic::JUMP_RATE)),
        (source, "jump_rate", "jump_volatility", json!(synthetic::JUMP_VOLATILITY)),
        (source, "jump_volatility", "volatility_of_volatility", json!(synthetic::VOLATILITY_OF_VOLATILITY)),
        (source, "volatility_of_volatility", "volatility_reversion", json!(synthetic::VOLATILITY_REVERSION)),
        ("pool", "depth_usdc", "depth_volatility", json!(crowd::DEPTH_VOLATILITY)),
        ("pool", "depth_volatility", "depth_reversion", json!(crowd::DEPTH_REVERSION)),
        ("gas", "base_usdc", "reversion", json!(gas::REVERSION)),
        ("shocks.crisis", "crash_size", "side", json!("either")),
        ("drift.laws.*.regimes.*", "drift", "volatility_multiple", Value::Null),
        ("drift.laws.*.regimes.range_bound", "volatility_multiple", "autocorrelation", Value::Null),
        ("drift.laws.*.regimes.volatile", "volatility_multiple", "autocorrelation", Value::Null),
        (law, "regimes", "mean_regime_ticks", Value::Null),
        (law, "mean_regime_ticks", "transitions", Value::Null),
        (law, "volatility", "jump_rate", Value::Null),
        (law, "jump_rate", "jump_volatility", Value::Null),
        (law, "jump_volatility", "volatility_of_volatility", Value::Null),
        (law, "volatility_of_volatility", "volatility_reversion", Value::Null),
        (law, "volatility_reversion", "correlation", Value::Null),
        (law, "correlation", "half_spread_bps", Value::Null),
        (law, "half_spread_bps", "fee_bps", Value::Null),
        ("drift.changes.*", "law", "over_ticks", json!(0)),
    ]
}

/// A market as its table was written when all of these were keys.
pub(crate) fn with_former_keys(mut market: Value) -> Value {
    for (table, before, key, value) in former_keys() {
        for_each_table(&mut market, table, &mut |table| {
            // A recording has no such key, and neither has a table that is left out at its usual values.
            if let Some(index) = table.keys().position(|own| own == before) {
                table.shift_insert(index + 1, key.to_owned(), value.clone());
            }
        });
    }
    market
}
