//! The form of a reply: the JSON Schema of a reply's type, made strict, and the same in one line for a prompt. It is JSON Schema for
//! structured output (constrained decoding).
//!
//! A schema is part of a call's key, so descriptions are taken out of it: a reworded comment would make every recorded reply unfindable.
//! Names of episodes become a closed list of choices, and places a range from 1. The line is added to every prompt; the endpoint's key
//! `schema` decides whether the schema itself is sent.

use morta_base::EpisodeId;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::fmt::Write;

/// The name of an episode of the task; only the task knows which ones exist.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(inline, extend("format" = EPISODE))]
pub(super) struct EpisodeName(pub String);

/// The place of an item in the task's list: a one-based index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Place(pub u32);

const EPISODE: &str = "episode";
const PLACE: &str = "place";

// By hand, because the calls' keys hold the order in which a number's limits stand.
impl JsonSchema for Place {
    fn schema_name() -> Cow<'static, str> {
        PLACE.into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "format": PLACE })
    }
}

/// Names and places that a reply may use: the allowed values (enum and range) of the schema.
pub(super) struct Named {
    /// Names of episodes.
    pub episodes: Vec<String>,
    /// Items in the list, numbered from 1.
    pub places: usize,
}

/// The strict schema of a reply's type: every object closed, every property required, no references, and only names that exist.
pub(super) fn schema_of<T: JsonSchema>(named: &Named) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    make_strict(&mut schema, named);
    schema
}

fn make_strict(schema: &mut Value, named: &Named) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| make_strict(item, named)),
        Value::Object(object) => {
            object.values_mut().for_each(|value| make_strict(value, named));
            strict_object(object, named);
        }
        _ => (),
    }
}

fn strict_object(object: &mut Map<String, Value>, named: &Named) {
    // Descriptions are removed: they are in words, and rewording one would change the keys of recorded calls.
    for key in ["title", "default", "description"] {
        object.remove(key);
    }
    choices_in_a_list(object);
    if let Some(Value::Object(properties)) = object.get("properties") {
        let all: Vec<Value> = properties.keys().map(|key| json!(key)).collect();
        object.insert("required".into(), Value::Array(all));
        object.insert("additionalProperties".into(), json!(false));
    }
    match object.get("format").and_then(Value::as_str) {
        Some(EPISODE) => {
            object.remove("format");
            // An empty list of choices is no schema; what can't be named is then found by reading the reply.
            if !named.episodes.is_empty() {
                object.insert("enum".into(), json!(named.episodes));
            }
        }
        Some(PLACE) => {
            object.remove("format");
            object.insert("minimum".into(), json!(1));
            object.insert("maximum".into(), json!(named.places.max(1)));
        }
        // Formats of numbers (`double`, `uint8`) mean nothing to endpoints.
        Some(_) => drop(object.remove("format")),
        None => (),
    }
}

/// Choices with a meaning each become alternatives in a schema, which strict structured outputs don't support: here they are a
/// list.
fn choices_in_a_list(object: &mut Map<String, Value>) {
    let Some(Value::Array(alternatives)) = object.get("oneOf") else { return };
    let choices: Option<Vec<Value>> = alternatives.iter().map(|one| one.get("const").cloned()).collect();
    if let Some(choices) = choices {
        object.remove("oneOf");
        object.insert("type".into(), json!("string"));
        object.insert("enum".into(), Value::Array(choices));
    }
}

/// From so many choices of episodes on, the line only says "one of them": the list would cost tokens with every question.
const CHOICES_LISTED: usize = 3;

/// The form in one line, for a prompt: `{"loss_r": number or null, ...}`.
pub(super) fn in_a_line(schema: &Value) -> String {
    let mut text = String::new();
    write_form(&mut text, schema);
    text
}

fn is_episode(choice: &Value) -> bool {
    choice.as_str().is_some_and(|name| name.parse::<EpisodeId>().is_ok())
}

fn write_form(text: &mut String, schema: &Value) {
    if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
        if choices.len() > CHOICES_LISTED && choices.iter().all(is_episode) {
            text.push_str("the name of an episode above, such as ");
            let _ = write!(text, "{}", choices[0]);
        } else {
            let choices: Vec<String> = choices.iter().map(Value::to_string).collect();
            text.push_str(&choices.join(" or "));
        }
    } else if let Some(constant) = schema.get("const") {
        let _ = write!(text, "{constant}");
    } else if let Some(any) = schema.get("anyOf").or(schema.get("oneOf")).and_then(Value::as_array) {
        for (n, one) in any.iter().enumerate() {
            if n > 0 {
                text.push_str(" or ");
            }
            write_form(text, one);
        }
    } else if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        text.push('{');
        for (n, (key, value)) in properties.iter().enumerate() {
            let _ = write!(text, "{}\"{key}\": ", if n > 0 { ", " } else { "" });
            // The items of a list that was described already: once is enough, since a form is read with every question.
            let items = value.get("items").filter(|items| items.get("properties").is_some());
            let is_shown = |(_, other): &(&String, &Value)| items.is_some() && other.get("items") == items;
            match properties.iter().take(n).find(is_shown) {
                Some((shown, _)) => drop(write!(text, "[as in \"{shown}\", ...]")),
                None => write_form(text, value),
            }
        }
        text.push('}');
        if schema["type"].as_array().is_some_and(|types| types.contains(&json!("null"))) {
            text.push_str(" or null");
        }
    } else if let Some(items) = schema.get("items") {
        text.push('[');
        write_form(text, items);
        text.push_str(", ...]");
    } else {
        match schema.get("type") {
            Some(Value::Array(types)) => {
                let types: Vec<&str> = types.iter().filter_map(Value::as_str).collect();
                text.push_str(&types.join(" or "));
            }
            Some(Value::String(name)) => text.push_str(name),
            _ => text.push_str("null"),
        }
    }
}
