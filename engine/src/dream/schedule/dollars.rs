//! An amount of money in a scenario: `"$0.50"`, `"0.50"` or `0.5` (a newtype with a custom deserialiser). It is exact to the micro-dollar,
//! at least 0 and below a trillion dollars.
//!
//! Scenario files are written by people, who put a dollar sign before prices; snapshots keep whole micro-dollars. The amounts of
//! `[dream.budget]` are of this type (its shares and counts aren't); reading refuses anything else with a remedy.

use morta_base::TableChecker;
use morta_base::Usdc;
use morta_base::keys::{KeyValue, Within};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// A price or a cap, as fixed-point money: exact to the micro-dollar; at least 0 and below a trillion dollars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dollars(pub Usdc);

/// Micro-dollars are whole numbers of 64 bits, read through a double, which is exact up to 2⁵³ of them (nine billion dollars);
/// beyond a trillion an amount is a typing error anyway.
const LARGEST: f64 = 1e12;

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(f64),
    Text(String),
}

impl Dollars {
    /// Makes an amount from its micro-dollars (minor units), for defaults.
    pub const fn micros(micros: i64) -> Self {
        Self(Usdc(micros))
    }

    fn read(dollars: f64) -> Option<Self> {
        (0.0..LARGEST).contains(&dollars).then(|| Self(Usdc::from_dollars(dollars)))
    }

    /// Reads `$0.50` or `0.50`: a parser of currency strings, without signs or thousands separators.
    pub fn parse(text: &str) -> Option<Self> {
        let bare = text.trim();
        let bare = bare.strip_prefix('$').unwrap_or(bare);
        let plain = !bare.is_empty() && bare.chars().all(|c| c.is_ascii_digit() || c == '.');
        bare.parse().ok().filter(|_| plain).and_then(Self::read)
    }
}

impl fmt::Display for Dollars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Dollars {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // In snapshots micro-dollars stay whole: a double would lose some of them beyond nine billion dollars.
        if serializer.is_human_readable() {
            serializer.serialize_f64(self.0.dollars())
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Dollars {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return Usdc::deserialize(deserializer).map(Self);
        }
        let (read, written) = match Written::deserialize(deserializer)? {
            Written::Number(dollars) => (Self::read(dollars), dollars.to_string()),
            Written::Text(text) => (Self::parse(&text), text),
        };
        read.ok_or_else(|| {
            D::Error::custom(format!("`{written}` is not an amount: write \"$0.50\" or 0.5, at least 0"))
        })
    }
}

impl KeyValue for Dollars {
    type Rule = Within<f64>;

    fn check_key(&self, rule: &Self::Rule, name: &str, table: &mut TableChecker<'_>) {
        self.0.dollars().check_key(rule, name, table);
    }

    fn declare_key(rule: &Self::Rule, schema: &mut Value) {
        f64::declare_key(rule, schema);
    }
}

impl JsonSchema for Dollars {
    fn schema_name() -> Cow<'static, str> {
        "Dollars".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "An amount in dollars: a number, or a text like \"$0.50\".",
            "anyOf": [
                { "type": "number", "minimum": 0 },
                { "type": "string", "pattern": "^\\$?[0-9]*\\.?[0-9]*$" }
            ]
        })
    }
}
