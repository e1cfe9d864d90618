//! How tables of keys are read, whatever the format: through a map of JSON values, by functions that are compiled once for each type of
//! value. What serde derives for a table is compiled once for each table and format instead, which took a third of the engine's build.

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde_json::{Map, Value};

/// The entries of a table that may have these keys.
///
/// # Errors
/// When it is no table, or has another key.
pub fn table<'de, D: Deserializer<'de>>(
    deserializer: D,
    keys: &'static [&'static str],
) -> Result<Map<String, Value>, D::Error> {
    let table = Map::deserialize(deserializer)?;
    match table.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => Err(D::Error::unknown_field(key, keys)),
        None => Ok(table),
    }
}

/// Sets a value to what the table says under that key; leaves it where the table is silent.
///
/// # Errors
/// When it has another type.
pub fn set<V: DeserializeOwned>(
    table: &mut Map<String, Value>,
    key: &str,
    value: &mut V,
) -> Result<(), serde_json::Error> {
    if let Some(said) = table.remove(key) {
        *value = V::deserialize(said)?;
    }
    Ok(())
}
