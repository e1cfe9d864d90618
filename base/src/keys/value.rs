//! The types of values that a key may hold (configuration value types): numbers, flags, words, texts, tables, lists, maps, options. Each
//! names the kind of rule that its declaration must give: numbers a range and a unit, lists a length. An absent option passes. It is a
//! trait, so that an engine's own types can be keys.
//!
//! Tables and words get theirs from `keys!` and `words!`. Problems are noted, and checking goes on; entries of lists are named by their
//! place, from 0. Schemas come from `schemars` with the shape of the type, and the rule is added to them.

use super::rule::{Free, Listed, Number, Within};
use crate::check::TableChecker;
use serde_json::Value;
use std::collections::BTreeMap;

/// A type that a key may hold (configuration value type). Its `Rule` is the type of the rule in a declaration, so that a declaration with too little
/// or too much doesn't compile.
pub trait KeyValue {
    /// [`Within`] for numbers, [`Listed`] for lists, [`Free`] for all else.
    type Rule;

    /// Notes what is wrong with the value of a key of a table.
    fn check_key(&self, rule: &Self::Rule, name: &str, table: &mut TableChecker<'_>) {
        let _ = (rule, name, table);
    }

    /// Writes the rule into the key's schema.
    fn declare_key(rule: &Self::Rule, schema: &mut Value) {
        let _ = (rule, schema);
    }
}

/// Anything at all: the reader of the value checks it.
impl KeyValue for Value {
    type Rule = Free;
}

// A type of numbers: its least value where it goes below zero, and what it is called. Unsigned types have `None`, so that a range from 0 is
// written out as one; a low end that is the type's own least value would tell a reader of the schema nothing.
macro_rules! numbers {
    ($($Number:ty: $least:expr, $noun:literal;)*) => { $(
        impl Number for $Number {
            const LEAST: Option<Self> = $least;
            const LARGEST: Self = <$Number>::MAX;
            const NOUN: &str = $noun;
        }

        impl KeyValue for $Number {
            type Rule = Within<$Number>;

            fn check_key(&self, rule: &Self::Rule, name: &str, table: &mut TableChecker<'_>) {
                rule.check(*self, name, table);
            }

            fn declare_key(rule: &Self::Rule, schema: &mut Value) {
                rule.declare(schema);
            }
        }
    )* };
}

numbers! {
    f64: Some(f64::MIN), "a number";
    u8: None, "a whole number";
    u16: None, "a whole number";
    u32: None, "a whole number";
    u64: None, "a whole number";
    i64: Some(i64::MIN), "a whole number";
    usize: None, "a whole number";
}

impl KeyValue for bool {
    type Rule = Free;
}

impl KeyValue for String {
    type Rule = Free;
}

impl<V: KeyValue> KeyValue for Option<V> {
    type Rule = V::Rule;

    fn check_key(&self, rule: &Self::Rule, name: &str, table: &mut TableChecker<'_>) {
        if let Some(value) = self {
            value.check_key(rule, name, table);
        }
    }

    fn declare_key(rule: &Self::Rule, schema: &mut Value) {
        V::declare_key(rule, schema);
    }
}

impl<V: KeyValue> KeyValue for Vec<V> {
    type Rule = Listed<V::Rule>;

    fn check_key(&self, rule: &Self::Rule, name: &str, table: &mut TableChecker<'_>) {
        rule.check(self.len(), name, table);
        check_each(self, &rule.each, name, table);
    }

    fn declare_key(rule: &Self::Rule, schema: &mut Value) {
        rule.declare(schema);
        V::declare_key(&rule.each, &mut schema["items"]);
    }
}

/// Keys of the file's own, each with such a value.
impl<V: KeyValue> KeyValue for BTreeMap<String, V> {
    type Rule = V::Rule;

    fn check_key(&self, rule: &Self::Rule, name: &str, table: &mut TableChecker<'_>) {
        let mut own = table.table(name);
        for (key, value) in self {
            value.check_key(rule, key, &mut own);
        }
    }

    fn declare_key(rule: &Self::Rule, schema: &mut Value) {
        V::declare_key(rule, &mut schema["additionalProperties"]);
    }
}

impl<V: KeyValue, const LENGTH: usize> KeyValue for [V; LENGTH] {
    type Rule = V::Rule;

    fn check_key(&self, rule: &Self::Rule, name: &str, table: &mut TableChecker<'_>) {
        check_each(self, rule, name, table);
    }

    fn declare_key(rule: &Self::Rule, schema: &mut Value) {
        V::declare_key(rule, &mut schema["items"]);
    }
}

fn check_each<V: KeyValue>(values: &[V], rule: &V::Rule, name: &str, table: &mut TableChecker<'_>) {
    let mut list = table.table(name);
    for (place, value) in values.iter().enumerate() {
        value.check_key(rule, &place.to_string(), &mut list);
    }
}
