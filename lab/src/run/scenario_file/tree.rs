//! A file of keys as it was written (scenario, sweep file, replication, plan): values, each with its origin, so that a mistake found three
//! stages later still names the place. It is a syntax tree with source locations (spans): a line, a flag, or a place in a sweep file. The
//! file's name isn't in the tree; `Mistake::line` gets it from the caller. Keys stay in the spelling they were written in, `batch_size` or
//! `batchSize` (`spelling`), and are found by either. A tree of a scenario goes through `spelling::canonical` before `into_json`, because
//! types know Morta's spelling alone.

use super::spelling::same_key;
use crate::io::text::folded;
use std::sync::Arc;
use toml_edit::{Document, Item, TableLike, Value as TomlValue};

/// A flag of the command line that sets a value, as in `--set market.pool.fee_bps=3` (CLI flag).
#[derive(Debug, PartialEq)]
pub struct Flag {
    /// The flag as it was typed.
    pub text: String,
    /// Dotted path of the key it sets, with numbers for places in lists.
    pub key: String,
}

/// The source location of a value: a line of a file, a flag, or a sweep.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// This line of the scenario file, from 1.
    Line(usize),
    /// A flag.
    Flag(Arc<Flag>),
    /// This place of a sweep file, as `sweep.toml:12: arm fast`.
    Sweep(Arc<str>),
    /// Nowhere in particular: a default, or the file as a whole.
    Unknown,
}

/// A TOML value of a scenario, with the origins of the values inside.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction or an exponent.
    Float(f64),
    /// A text.
    Text(String),
    /// A date or time, as text; no key of a scenario takes one.
    Time(String),
    /// Entries in their order.
    List(Vec<Node>),
    /// Keys in the order in which they were written, each once.
    Table(Vec<(String, Node)>),
}

/// A node of the syntax tree: a value with its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value itself.
    pub value: Value,
    /// Where it was written.
    pub origin: Origin,
}

impl Node {
    /// Makes a table without keys.
    pub fn empty(origin: Origin) -> Self {
        Self { value: Value::Table(Vec::new()), origin }
    }

    /// Finds the child node under a key of a table, in either spelling, or at a place of a list.
    pub fn child(&self, segment: &str) -> Option<&Node> {
        match &self.value {
            Value::Table(entries) => entry(entries, segment).map(|place| &entries[place].1),
            Value::List(nodes) => nodes.get(segment.parse::<usize>().ok()?),
            _ => None,
        }
    }

    /// The same, to change it (mutable child).
    pub(crate) fn child_mut(&mut self, segment: &str) -> Option<&mut Node> {
        match &mut self.value {
            Value::Table(entries) => entry(entries, segment).map(|place| &mut entries[place].1),
            Value::List(nodes) => nodes.get_mut(segment.parse::<usize>().ok()?),
            _ => None,
        }
    }

    /// Spells a key of a table like this from now on. A value that is set later brings its spelling with it, so that mistakes in it are
    /// reported as it was typed.
    pub fn respell(&mut self, word: &str) {
        if let Value::Table(entries) = &mut self.value
            && let Some(place) = entry(entries, word)
        {
            word.clone_into(&mut entries[place].0);
        }
    }

    /// Finds the source location of the value at a dotted path, or of the innermost table around it that was written.
    pub fn origin_of(&self, key: &str) -> &Origin {
        let mut node = self;
        for segment in key.split('.') {
            match node.child(segment) {
                Some(child) => node = child,
                None => break,
            }
        }
        &node.origin
    }

    /// Gives a dotted path in its original spelling, as far as it was written.
    pub fn as_written(&self, key: &str) -> String {
        let mut node = Some(self);
        let word = |segment: &str| {
            let written = match node.map(|node| &node.value) {
                Some(Value::Table(entries)) => entry(entries, segment).map(|place| entries[place].0.clone()),
                _ => None,
            };
            node = node.and_then(|node| node.child(segment));
            written.unwrap_or_else(|| segment.to_owned())
        };
        key.split('.').map(word).collect::<Vec<_>>().join(".")
    }

    /// Moves a value, with all values inside, to another origin.
    pub(crate) fn moved_to(self, origin: &Origin) -> Self {
        let value = match self.value {
            Value::List(nodes) => Value::List(nodes.into_iter().map(|node| node.moved_to(origin)).collect()),
            Value::Table(entries) => {
                Value::Table(entries.into_iter().map(|(key, node)| (key, node.moved_to(origin))).collect())
            }
            plain => plain,
        };
        Self { value, origin: origin.clone() }
    }

    /// Converts the value to JSON, which tables of keys read: all that are kept are JSON, so that their readers are compiled once. Keys
    /// keep the spelling they were written in, so that a scenario needs `spelling::canonical` first. Numbers have to be finite.
    pub(crate) fn into_json(self) -> serde_json::Value {
        match self.value {
            Value::Bool(value) => value.into(),
            Value::Integer(value) => value.into(),
            Value::Float(value) => value.into(),
            Value::Text(value) | Value::Time(value) => value.into(),
            Value::List(nodes) => nodes.into_iter().map(Node::into_json).collect(),
            Value::Table(entries) => entries.into_iter().map(|(key, node)| (key, node.into_json())).collect(),
        }
    }

    /// Converts the value to the form that deserialisers of TOML want.
    pub fn into_toml(self) -> toml::Value {
        match self.value {
            Value::Bool(value) => value.into(),
            Value::Integer(value) => value.into(),
            Value::Float(value) => value.into(),
            Value::Text(value) | Value::Time(value) => value.into(),
            Value::List(nodes) => toml::Value::Array(nodes.into_iter().map(Node::into_toml).collect()),
            Value::Table(entries) => {
                toml::Value::Table(entries.into_iter().map(|(key, node)| (key, node.into_toml())).collect())
            }
        }
    }
}

/// Place of a key among the entries of a table. The exact spelling comes first, so that in a table that holds both spellings each leads to
/// its own entry.
fn entry(entries: &[(String, Node)], word: &str) -> Option<usize> {
    let exact = entries.iter().position(|(key, _)| key == word);
    exact.or_else(|| entries.iter().position(|(key, _)| same_key(key, word)))
}

/// Parses a whole TOML file. The error has the line (from 1) and the mistake.
pub fn parse(text: &str) -> Result<Node, (usize, String)> {
    let lines = Lines::from_text(text);
    let document = Document::parse(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        (lines.number(start), folded(error.message()))
    })?;
    let read = |_: &Origin, span: Option<std::ops::Range<usize>>| {
        span.map(|span| Origin::Line(lines.number(span.start)))
    };
    Ok(table_node(document.as_table(), &Origin::Unknown, &read))
}

/// Reads a whole file in which the "line" of each value is the offset in bytes at which its key begins (byte offsets). `None` when it isn't
/// TOML.
pub(crate) fn keys_at_offsets(text: &str) -> Option<Node> {
    let document = Document::parse(text).ok()?;
    let read = |_: &Origin, span: Option<std::ops::Range<usize>>| span.map(|span| Origin::Line(span.start));
    Some(table_node(document.as_table(), &Origin::Unknown, &read))
}

/// A value that was resolved before; null entries were left out (JSON conversion).
pub(crate) fn of_json(json: &serde_json::Value, origin: &Origin) -> Option<Node> {
    use serde_json::Value as Json;
    let value = match json {
        Json::Null => return None,
        Json::Bool(value) => Value::Bool(*value),
        // Whole numbers first: JSON has one kind of number, and a key that takes an integer would refuse 3.0.
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::Integer(whole),
            None => Value::Float(number.as_f64()?),
        },
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(entries) => {
            Value::List(entries.iter().filter_map(|entry| of_json(entry, origin)).collect())
        }
        Json::Object(entries) => {
            let entry = |(key, value): (&String, &Json)| Some((key.clone(), of_json(value, origin)?));
            Value::Table(entries.iter().filter_map(entry).collect())
        }
    };
    Some(Node { value, origin: origin.clone() })
}

/// Why a text is no TOML value (parse error).
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NotAValue(String);

/// Reads the value of a flag; every value within has the flag's origin (TOML value parser).
pub(crate) fn parse_value(text: &str, origin: &Origin) -> Result<Node, NotAValue> {
    let value: TomlValue =
        text.parse().map_err(|error: toml_edit::TomlError| NotAValue(folded(error.message())))?;
    Ok(value_node(&value, origin, &|origin, _| Some(origin.clone())))
}

/// Starts of the lines of a text.
struct Lines(Vec<usize>);

impl Lines {
    fn from_text(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    fn number(&self, offset: usize) -> usize {
        // Starts at or before the offset: the first line starts at 0, so the count is its number from 1.
        self.0.partition_point(|start| *start <= offset)
    }
}

/// Makes an origin of a span, given the origin of what is around it.
type Locate<'a> = &'a dyn Fn(&Origin, Option<std::ops::Range<usize>>) -> Option<Origin>;

fn table_node(table: &dyn TableLike, origin: &Origin, locate: Locate<'_>) -> Node {
    let entry = |(key, item): (&str, &Item)| {
        let span = table.key(key).and_then(toml_edit::Key::span).or_else(|| item.span());
        let origin = locate(origin, span).unwrap_or_else(|| origin.clone());
        (key.to_owned(), item_node(item, &origin, locate))
    };
    Node { value: Value::Table(table.iter().map(entry).collect()), origin: origin.clone() }
}

fn item_node(item: &Item, origin: &Origin, locate: Locate<'_>) -> Node {
    match item {
        Item::None => Node::empty(origin.clone()),
        Item::Value(value) => value_node(value, origin, locate),
        Item::Table(table) => table_node(table, origin, locate),
        Item::ArrayOfTables(tables) => {
            let entry = |table: &toml_edit::Table| {
                let origin = locate(origin, table.span()).unwrap_or_else(|| origin.clone());
                table_node(table, &origin, locate)
            };
            Node { value: Value::List(tables.iter().map(entry).collect()), origin: origin.clone() }
        }
    }
}

fn value_node(value: &TomlValue, origin: &Origin, locate: Locate<'_>) -> Node {
    let value = match value {
        TomlValue::String(text) => Value::Text(text.value().clone()),
        TomlValue::Integer(number) => Value::Integer(*number.value()),
        TomlValue::Float(number) => Value::Float(*number.value()),
        TomlValue::Boolean(flag) => Value::Bool(*flag.value()),
        TomlValue::Datetime(time) => Value::Time(time.value().to_string()),
        TomlValue::InlineTable(table) => return table_node(table, origin, locate),
        TomlValue::Array(values) => {
            let entry = |value: &TomlValue| {
                let origin = locate(origin, value.span()).unwrap_or_else(|| origin.clone());
                value_node(value, &origin, locate)
            };
            Value::List(values.iter().map(entry).collect())
        }
    };
    Node { value, origin: origin.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_knows_its_line() {
        let text = "a = 1\n[m]\nx = [\n 1,\n 2]\n[m.pool]\nfee = 2\n[[c]]\nn = 1\n[[c]]\nn = 2\n";
        let tree = parse(text).unwrap();
        for (key, line) in [
            ("a", 1),
            ("m", 2),
            ("m.x", 3),
            ("m.x.1", 5),
            ("m.pool.fee", 7),
            ("m.pool.left_out", 6),
            ("c.0.n", 9),
            ("c.1.left_out", 10),
        ] {
            assert_eq!(tree.origin_of(key), &Origin::Line(line), "{key}");
        }
        assert_eq!(tree.origin_of("left_out"), &Origin::Unknown);
    }

    #[test]
    fn a_mistake_in_the_syntax_has_a_line() {
        assert_eq!(parse("a = 1\nb = = 2\n").unwrap_err().0, 2);
    }
}
