//! Scenarios in JSON with some keys changed, for tests that build them key by key.

use serde_json::Value;

/// Puts what a change says in place of what is there: tables key by key, everything else as a whole.
pub fn merge(into: &mut Value, change: Value) {
    match (into, change) {
        (Value::Object(into), Value::Object(change)) => {
            for (key, value) in change {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, change) => *into = change,
    }
}
