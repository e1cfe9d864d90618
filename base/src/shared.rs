//! Serde for `Arc` (reference counting) without the sharing, for `#[serde(with = "morta_base::shared")]`: each holder of an immutable
//! value writes it out in full and reads back a copy of its own. Configurations, oracles' knowledge and pheromones in checkpoints use it.
//! Readers share nothing, because a file has no addresses.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// Writes what is shared (Arc serialization).
///
/// # Errors
/// Those of the format.
pub fn serialize<T: Serialize, S: Serializer>(value: &Arc<T>, to: S) -> Result<S::Ok, S::Error> {
    value.as_ref().serialize(to)
}

/// Reads what was shared (Arc deserialization).
///
/// # Errors
/// Those of the format.
pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Arc<T>, D::Error> {
    T::deserialize(from).map(Arc::new)
}
