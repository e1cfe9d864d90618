//! Argument normalization of tool calls (function calling): arguments as clients really send them, converted to the tool's schema.
//! `call_tool` does it once per call, before the tool sees them. A model writes `"3"` for 3, a JSON text for an object, null for a missing
//! value, `entryPrice` for `entry_price`; a framework adds its own fields to every call.
//!
//! Only unambiguous values are converted. An unknown argument is left out and named in the answer's `remarks`. Everything else goes to the
//! tool, which reports the error. An exact name wins over a synonym of the toolbox's catalog, and that over a name that differs in case or
//! separators.

use super::ToolSpec;
use super::argument_forms::{
    from_text, is_nothing, is_word_for_nothing, moment, opened, plain, types_of, unpacked, whole,
};
use super::catalog::{Catalog, OtherName};
use morta_lab::text::nearest;
use serde_json::{Map, Value};

/// Names under which a client may send all arguments once more.
const WRAPPERS: [&str; 5] = ["arguments", "args", "input", "params", "parameters"];

/// A call in the tool's own form.
#[derive(Debug, PartialEq)]
pub(super) struct CallArguments {
    /// Arguments by the schema's names.
    pub arguments: Map<String, Value>,
    /// Remarks on arguments that were left out or converted, in the order of the call.
    pub remarks: Vec<String>,
}

/// Reads a call of a tool.
pub(super) fn read_call(
    tool: &ToolSpec,
    catalog: &(impl Catalog + ?Sized),
    given: Map<String, Value>,
) -> CallArguments {
    let mut reader = Reader { tool, catalog, remarks: Vec::new() };
    let given = reader.unwrapped(given);
    let mut arguments = Map::new();
    for (name, value) in &given {
        let Some(place) = reader.place(name, &given) else { continue };
        let (argument, member) = place.split_once('.').unwrap_or((place.as_str(), ""));
        let Some(schema) = tool.argument(argument) else { continue };
        // Claude Code writes null as this word, and has no other way to omit an optional argument (anthropics/claude-code#95239).
        if value.as_str() == Some("null") && !tool.needs(argument) {
            continue;
        }
        if member.is_empty() {
            let Some(value) = reader.fitted(argument, value.clone(), schema) else { continue };
            match (arguments.get_mut(argument), value) {
                // Another part of the object may have come before, under a name of its own.
                (Some(Value::Object(before)), Value::Object(more)) => before.extend(more),
                // Two spellings of one name: it isn't known which is meant, so the first counts.
                (Some(_), _) => {
                    reader.remarks.push(format!("{name}: ignored, because {argument} is given as well"))
                }
                (None, value) => drop(arguments.insert(argument.to_owned(), value)),
            }
        } else if !is_nothing(value) {
            let object = arguments.entry(argument).or_insert_with(|| Value::Object(Map::new()));
            if let Some(object) = object.as_object_mut() {
                object.entry(member).or_insert_with(|| value.clone());
            }
        }
    }
    CallArguments { arguments, remarks: reader.remarks }
}

struct Reader<'a, C: ?Sized> {
    tool: &'a ToolSpec,
    catalog: &'a C,
    remarks: Vec<String>,
}

impl<C: Catalog + ?Sized> Reader<'_, C> {
    /// The content of a wrapper, if it is the only argument.
    fn unwrapped(&mut self, given: Map<String, Value>) -> Map<String, Value> {
        let mut given = given;
        if given.len() == 1
            && let Some(name) = given.keys().next().filter(|name| WRAPPERS.contains(&name.as_str())).cloned()
            && self.tool.argument(&name).is_none()
            && let Some(Value::Object(inner)) = given.get(&name).cloned().map(|value| opened(value, '{'))
        {
            self.remarks.push(format!("{name}: taken for the arguments themselves"));
            given = inner;
        }
        given
    }

    /// The argument for a name, or a member of it (`object.member`). None, with a remark, if the tool has no such argument.
    fn place(&mut self, name: &str, given: &Map<String, Value>) -> Option<String> {
        if self.tool.argument(name).is_some() {
            return Some(name.to_owned());
        }
        let by_table = |other: &&OtherName| {
            (other.tool.is_empty() || other.tool == self.tool.name) && plain(other.name) == plain(name)
        };
        // The table comes before the comparison by letters, because it may be about this tool alone.
        let by_table = self.catalog.other_names().iter().find(by_table).map(|other| other.means);
        let by_letters = || {
            self.tool.arguments.iter().map(|(known, _, _)| *known).find(|known| plain(known) == plain(name))
        };
        let tool = self.tool.name;
        match by_table.or_else(by_letters) {
            // The schema's own name has precedence over a synonym, because it can't mean anything else.
            Some(means) if given.get(means).is_some_and(|value| !is_nothing(value)) => {
                self.remarks.push(format!("{name}: ignored, because {means} is given as well"));
                None
            }
            Some(means) => Some(means.to_owned()),
            None if given.get(name).is_none_or(is_nothing) => None,
            None => {
                let near = nearest(name, self.tool.arguments.iter().map(|(known, _, _)| *known));
                let near = near.map_or_else(String::new, |near| format!(" (did you mean {near}?)"));
                self.remarks.push(format!("{name}: ignored, {tool} has no such argument{near}"));
                None
            }
        }
    }

    /// A value in the schema's form, if the conversion is unambiguous; none for a missing value.
    fn fitted(&mut self, name: &str, value: Value, schema: &Value) -> Option<Value> {
        let types = types_of(schema);
        let is = |kind: &str| types.contains(&kind);
        if is_nothing(&value)
            || (!is("string") || schema.get("enum").is_some()) && is_word_for_nothing(&value)
        {
            // Null is passed on where the schema allows it, because there it may differ from a missing value.
            return (is("null") && !value.as_str().is_some_and(|text| text.trim().is_empty()))
                .then_some(Value::Null);
        }
        if schema.get("format").and_then(Value::as_str) == Some("date-time") {
            return Some(moment(value));
        }
        let value = match value {
            Value::String(text) if !is("string") => from_text(text, &types, schema),
            Value::Number(number) if is("integer") && !is("number") => Value::Number(whole(number)),
            Value::Number(number) if is("boolean") && !is("number") && !is("integer") => {
                match number.as_f64() {
                    Some(0.0) => Value::Bool(false),
                    Some(1.0) => Value::Bool(true),
                    _ => Value::Number(number),
                }
            }
            Value::Number(number) if is("string") && !is("number") && !is("integer") => {
                number.to_string().into()
            }
            Value::Bool(flag) if is("string") && !is("boolean") => flag.to_string().into(),
            Value::Array(list) if is("array") => unpacked(list),
            object @ Value::Object(_) if is("array") && !is("object") => Value::Array(vec![object]),
            Value::Array(list) if !is("array") && !types.is_empty() && list.len() == 1 => {
                let one = list.into_iter().next().unwrap_or_default();
                return self.fitted(name, one, schema);
            }
            other => other,
        };
        let held_some = value.as_array().is_some_and(|list| !list.is_empty());
        let value = self.within(name, value, schema);
        // A list in which every item means a missing value is missing itself.
        let is_left_out = held_some && value.as_array().is_some_and(Vec::is_empty);
        (!is_left_out).then_some(value)
    }

    /// Converts the items of a list, the members of an object, and words of a closed vocabulary.
    fn within(&mut self, name: &str, value: Value, schema: &Value) -> Value {
        match value {
            Value::Array(list) => match schema.get("items") {
                Some(items) => list.into_iter().filter_map(|one| self.fitted(name, one, items)).collect(),
                None => Value::Array(list),
            },
            Value::Object(members) => match schema.get("properties").and_then(Value::as_object) {
                Some(known) => {
                    let fit = |(key, value): (String, Value)| {
                        let same = known.keys().find(|known| **known == key);
                        let key = same
                            .or_else(|| known.keys().find(|known| plain(known) == plain(&key)))
                            .cloned()
                            .unwrap_or(key);
                        let value = match known.get(&key) {
                            Some(schema) => self.fitted(&key, value, schema)?,
                            None => value,
                        };
                        Some((key, value))
                    };
                    Value::Object(members.into_iter().filter_map(fit).collect())
                }
                None => Value::Object(members),
            },
            Value::String(text) => self.word(name, text, schema),
            other => other,
        }
    }

    fn word(&mut self, name: &str, text: String, schema: &Value) -> Value {
        let Some(words) = schema.get("enum").and_then(Value::as_array) else { return text.into() };
        let mut words = words.iter().filter_map(Value::as_str);
        if let Some(word) = words.clone().find(|word| plain(word) == plain(&text)) {
            return word.into();
        }
        let others = self.catalog.other_words().iter();
        let mut others = others.filter(|other| other.argument == name && plain(other.word) == plain(&text));
        match others.find(|other| words.any(|word| word == other.means)) {
            Some(other) => {
                self.remarks.push(format!("{name}: {text:?} is taken for {:?}", other.means));
                other.means.into()
            }
            None => text.into(),
        }
    }
}
