//! One declaration for each key of a file: default, range, unit and meaning. From it come the struct, its `Default`, the
//! check of its values and, through [`declare`], what its JSON Schema says; so none of them can differ from another.
//!
//! ```
//! morta_base::keys! {
//!     /// The `[tide]` table.
//!     pub struct TideConfig {
//!         /// How often it comes.
//!         period_ticks: u64 = 1_116, in 1..=1_000_000, "ticks";
//!         /// Share of the pool it takes away.
//!         ebb: f64 = 0.25, in 0.0..=1.0, "share";
//!         /// Whether it comes at all.
//!         enabled: bool = true;
//!     }
//! }
//! use morta_base::keys::Keys;
//! let wrong = TideConfig { ebb: 1.5, ..TideConfig::default() }.problems("tide");
//! assert_eq!(wrong[0].to_string(), "tide.ebb = 1.5: must be a number from 0 to 1 (share)");
//! ```
//!
//! A number without a range and a unit doesn't compile, nor does a list without a length:
//!
//! ```compile_fail,E0308
//! morta_base::keys! {
//!     /// The `[tide]` table.
//!     pub struct TideConfig {
//!         /// Share of the pool it takes away.
//!         ebb: f64 = 0.25;
//!     }
//! }
//! ```
//!
//! It is a declarative macro for configuration structs: serde, validation and JSON Schema from one line. Reading a file doesn't check
//! ranges: the caller calls `problems`, which reports all of them. Unknown keys are refused by serde. A key's doc comment is its text in
//! the reference page. `rule` has ranges and lengths, `value` the types of keys, `words` string enums; `tables` finds
//! tables by a path.

mod rule;
mod tables;
mod value;
pub mod words;

pub use rule::{Free, Interval, Listed, Within, above};
pub use tables::for_each_table;
pub use value::KeyValue;

use super::{Checker, Problem, TableChecker};
use serde_json::Value;

/// A configuration table whose keys are declared by [`keys!`](macro@crate::keys).
pub trait Keys {
    /// Notes every value that its key can't have, in this table and in those within.
    fn check_keys(&self, table: &mut TableChecker<'_>);

    /// The same of a table by itself, which has this path in its file.
    fn problems(&self, path: &str) -> Vec<Problem> {
        let mut check = Checker::default();
        self.check_keys(&mut check.table(path));
        check.into_problems()
    }
}

/// Writes what a key's declaration says into the schema of its table: `minimum`, `exclusiveMinimum`, `maximum`, `minItems`,
/// `maxItems` and, as `x-unit`, the unit (JSON Schema annotation).
pub fn declare<V: KeyValue>(table: &mut schemars::Schema, key: &str, rule: &V::Rule) {
    if let Some(schema) = table.get_mut("properties").and_then(|keys| keys.get_mut(key)) {
        // A key whose meaning is its type's has its schema as a bare reference, and `true` where anything goes.
        if let Value::Object(_) = schema {
            V::declare_key(rule, schema);
        }
    }
}

/// Declares a table of keys; see [`keys`](mod@crate::keys).
///
/// A key reads `name: Type = default, in range, "unit", len range;` under its meaning as a doc comment. Numbers need `in` and
/// a unit, lists need `len`, and what is neither (flags, words, texts, tables) has none of them. Ranges are Rust's
/// (`0.0..=1.0`, `1..`), or `above(0.0)` and `above(0.0).to(1.0)` where the lower end is not in it.
///
/// `also name;` after the struct names a method that checks what keys must be to one another. Where one key has no default
/// none may; what is optional there says so to serde (`#[serde(default)]`), and there is no `Default`.
#[macro_export]
macro_rules! keys {
    (
        $(#[$about:meta])*
        pub struct $Table:ident {
            $(
                $(#[$meaning:meta])*
                $key:ident: $Value:ty = $default:expr $(, in $range:expr, $unit:literal)? $(, len $length:expr)?;
            )*
        }
        $(also $together:ident;)?
    ) => {
        $crate::keys! {
            @table [$(#[$about])* #[serde(default)]] $Table
            { $( [$(#[$meaning])*] $key: $Value $(, in $range, $unit)? $(, len $length)?; )* }
            $($together)?
        }

        impl Default for $Table {
            fn default() -> Self {
                Self { $( $key: $default, )* }
            }
        }
    };
    (
        $(#[$about:meta])*
        pub struct $Table:ident {
            $(
                $(#[$meaning:meta])*
                $key:ident: $Value:ty $(, in $range:expr, $unit:literal)? $(, len $length:expr)?;
            )*
        }
        $(also $together:ident;)?
    ) => {
        $crate::keys! {
            @table [$(#[$about])*] $Table
            { $( [$(#[$meaning])*] $key: $Value $(, in $range, $unit)? $(, len $length)?; )* }
            $($together)?
        }
    };
    (
        @table [$($about:tt)*] $Table:ident
        { $(
            [$($meaning:tt)*] $key:ident: $Value:ty $(, in $range:expr, $unit:literal)? $(, len $length:expr)?;
        )* }
        $($together:ident)?
    ) => {
        #[derive(Clone, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        #[schemars(transform = Self::declare_keys)]
        $($about)*
        pub struct $Table {
            $( $($meaning)* pub $key: $Value, )*
        }

        impl $Table {
            fn declare_keys(schema: &mut ::schemars::Schema) {
                $(
                    let rule: <$Value as $crate::keys::KeyValue>::Rule =
                        $crate::keys!(@rule $(in $range, $unit)? $(, len $length)?);
                    $crate::keys::declare::<$Value>(schema, stringify!($key), &rule);
                )*
            }
        }

        impl $crate::keys::Keys for $Table {
            fn check_keys(&self, table: &mut $crate::check::TableChecker<'_>) {
                $(
                    let rule: <$Value as $crate::keys::KeyValue>::Rule =
                        $crate::keys!(@rule $(in $range, $unit)? $(, len $length)?);
                    $crate::keys::KeyValue::check_key(&self.$key, &rule, stringify!($key), table);
                )*
                $( self.$together(table); )?
            }
        }

        impl $crate::keys::KeyValue for $Table {
            type Rule = $crate::keys::Free;

            fn check_key(&self, _: &Self::Rule, name: &str, table: &mut $crate::check::TableChecker<'_>) {
                $crate::keys::Keys::check_keys(self, &mut table.table(name));
            }
        }
    };
    (@rule) => { $crate::keys::Free };
    (@rule in $range:expr, $unit:literal) => {{
        #[allow(unused_imports, reason = "few ranges leave out their lower end")]
        use $crate::keys::above;
        $crate::keys::Within::new($range, $unit)
    }};
    (@rule $(in $range:expr, $unit:literal)?, len $length:expr) => {
        $crate::keys::Listed::new($length, $crate::keys!(@rule $(in $range, $unit)?))
    };
}

#[cfg(test)]
mod tests;
