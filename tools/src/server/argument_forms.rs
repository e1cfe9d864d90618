//! Lenient type coercion of single tool-call arguments, by the JSON schema of the argument: `"3"` to 3, a JSON text to an object, a moment
//! to RFC 3339. `arguments` applies it to every call. Only unambiguous values are converted; all others stay as they are, and the tool
//! refuses them. Models write types loosely, and a refusal would cost a turn, so that what is certain is converted. For all toolboxes
//! moments are read by Dark Pawns' `Stamp`, and texts that are no strict JSON by OpenClaw's `json5`.

use crate::openclaw::json5;
use morta_memories::dark_pawns::Stamp;
use serde_json::{Number, Value};

/// Texts that mean a missing value, where the schema has no text.
const NOTHING: [&str; 5] = ["", "null", "none", "undefined", "nil"];
/// Largest number of JSON texts within JSON texts.
const DEEPEST_TEXT: u32 = 3;

/// A name or word without case and separators, in which conventions differ.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

pub(super) fn types_of(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

pub(super) fn is_nothing(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
}

pub(super) fn is_word_for_nothing(value: &Value) -> bool {
    value.as_str().is_some_and(|text| NOTHING.contains(&text.trim().to_lowercase().as_str()))
}

/// A moment in the form that every tool reads. Any other value stays, and the tool refuses it.
pub(super) fn moment(value: Value) -> Value {
    Stamp::read(&value).map_or(value, |stamp| stamp.to_string().into())
}

/// Parses a list that was sent as one text within a list.
pub(super) fn unpacked(list: Vec<Value>) -> Value {
    match &list[..] {
        [Value::String(text)] if text.trim_start().starts_with('[') => {
            match opened(text.as_str().into(), '[') {
                Value::Array(inner) => Value::Array(inner),
                _ => Value::Array(list),
            }
        }
        _ => Value::Array(list),
    }
}

/// An integer for a float that is whole, as `3.0` (float to integer).
pub(super) fn whole(number: Number) -> Number {
    // Beyond 2^53 a float doesn't represent every whole number, so its last digits may be wrong.
    let exact =
        number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0);
    match exact {
        Some(float) if number.is_f64() => Number::from(float as i64),
        _ => number,
    }
}

/// Converts a text to the schema's type; the text itself if it isn't a value of that type.
pub(super) fn from_text(text: String, types: &[&str], schema: &Value) -> Value {
    let is = |kind: &str| types.contains(&kind);
    let short = text.trim();
    if (is("number") || is("integer"))
        && let Some(number) = number(short)
    {
        return Value::Number(if is("number") { number } else { whole(number) });
    }
    if is("boolean") {
        match short.to_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => return true.into(),
            "false" | "no" | "off" | "0" => return false.into(),
            _ => {}
        }
    }
    if is("object") && short.starts_with(['{', '"']) {
        return opened(text.into(), '{');
    }
    if is("array") {
        if short.starts_with('[') {
            return opened(text.into(), '[');
        }
        let items = schema.get("items").map(types_of).unwrap_or_default();
        if items.contains(&"string") {
            return short.split(',').map(|one| Value::from(one.trim())).collect();
        }
        if short.starts_with('{') {
            return Value::Array(vec![opened(text.into(), '{')]);
        }
    }
    text.into()
}

/// A number as people write it. A number with a comma isn't converted, because the comma may separate thousands or decimals.
fn number(text: &str) -> Option<Number> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let has_digit = digits.bytes().any(|byte| byte.is_ascii_digit());
    // Rust's parser accepts "inf" and "nan" as well.
    let is_decimal = digits.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    if !has_digit || !is_decimal {
        return None;
    }
    digits.parse::<i64>().map(Number::from).ok().or_else(|| Number::from_f64(digits.parse().ok()?))
}

/// The value of a JSON text, or of one in the style of Python or JavaScript; the text itself if it isn't one.
pub(super) fn opened(value: Value, begins_with: char) -> Value {
    let mut value = value;
    for _ in 0..DEEPEST_TEXT {
        let Value::String(text) = &value else { break };
        let text = text.trim();
        let inner = serde_json::from_str(text)
            .ok()
            .or_else(|| Some(json5::parse(text).ok()?.value()).filter(|_| text.starts_with(begins_with)));
        match inner {
            Some(inner) => value = inner,
            None => break,
        }
    }
    value
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_text_is_converted_to_the_schemas_type_alone() {
        let list = json!({ "type": "array", "items": { "type": "string" } });
        for (text, types, expected) in [
            ("3", "integer", json!(3)),
            ("3.0", "integer", json!(3)),
            ("3.5", "integer", json!(3.5)),
            ("-.5e2", "number", json!(-50.0)),
            ("+7", "number", json!(7)),
            ("1,234", "number", json!("1,234")),
            ("0x10", "number", json!("0x10")),
            ("inf", "number", json!("inf")),
            ("1e999", "number", json!("1e999")),
            ("-", "number", json!("-")),
            ("Yes", "boolean", json!(true)),
            ("0", "boolean", json!(false)),
            ("perhaps", "boolean", json!("perhaps")),
            ("{\"a\": {\"b\": 1}}", "object", json!({ "a": { "b": 1 } })),
            ("{a: 'b',}", "object", json!({ "a": "b" })),
            ("{a", "object", json!("{a")),
            ("[1, 2]", "object", json!("[1, 2]")),
        ] {
            assert_eq!(from_text(text.to_owned(), &[types], &json!({})), expected, "{text} as {types}");
        }
        for (text, expected) in [("a, b", json!(["a", "b"])), ("[\"a\"]", json!(["a"])), ("a", json!(["a"]))]
        {
            assert_eq!(from_text(text.to_owned(), &["array"], &list), expected, "{text}");
        }
        assert_eq!(moment(json!(1_767_225_600)), json!("2026-01-01T00:00:00Z"));
        assert_eq!(moment(json!("2026-01-01 00:00")), json!("2026-01-01T00:00:00Z"));
        assert_eq!(moment(json!("soon")), json!("soon"));
    }
}
