//! Architectures by name: a validated identifier that scenarios and tables write (string newtype). Whether it exists is only known to a
//! registry, since programs may register their own.

use crate::memory::family::MemoryRegistry;
use morta_base::keys::{Free, KeyValue};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// A string newtype (identifier): the name of a memory architecture, as scenarios and tables write it. Only a [`MemoryRegistry`] knows
/// whether the architecture exists.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MemoryName(Cow<'static, str>);

/// Names depend on the registry: [`Scenario::check_memories`](crate::world::Scenario::check_memories).
impl KeyValue for MemoryName {
    type Rule = Free;
}

impl MemoryName {
    /// The architecture that remembers nothing: what the others are compared with.
    pub const NONE: Self = Self::from_static("none");

    /// The architecture that trades by a fixed policy, which must have been fitted to the market.
    pub const CONSTANT: Self = Self::from_static("constant");

    /// Makes a name that is known when the program is built, without checking it.
    pub const fn from_static(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// The name as written, as a string slice.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for MemoryName {
    fn from(name: &str) -> Self {
        Self(Cow::Owned(name.to_owned()))
    }
}

impl fmt::Display for MemoryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq<str> for MemoryName {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for MemoryName {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

/// The shipped names with their meanings, because editors complete and explain a name only from a list in the schema. `x-registered` marks
/// that a program may have registered more: readers of files leave other names to its registry.
impl JsonSchema for MemoryName {
    fn schema_name() -> Cow<'static, str> {
        "MemoryName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let word = |(name, description): (&str, &str)| serde_json::json!({ "type": "string", "const": name, "description": description });
        let shipped: Vec<serde_json::Value> = MemoryRegistry::default().entries().map(word).collect();
        json_schema!({
            "oneOf": shipped,
            "description": "A memory architecture.",
            "x-registered": true
        })
    }
}
