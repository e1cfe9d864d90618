//! Tables in JSON: an object for each line (NDJSON), a list of objects, or an object that contains such a list (JSON table discovery). A
//! malformed line of NDJSON is an error of its row; an invalid text that begins with `[`, or with a line of `{` alone and has no valid
//! line, refuses the file. Lines in messages are found by counting objects, because a parsed value has no positions.

use super::names::{self, Naming};
use super::sheet::{Object, Sheet};
use crate::owm::mistake::{Mistake, without_place};
use serde_json::{Map, Value};

type Objects = Vec<Object>;

/// Depth of objects in which lists are searched. Our choice: freqtrade's trades lie three deep.
const DEPTH: usize = 6;

/// Whether a text is JSON: by its first character, or by any line that is an object (format detection).
pub(crate) fn is_json(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with('{')
        || text.starts_with('[')
        || text.lines().any(|line| {
            line.trim_start().starts_with('{') && serde_json::from_str::<Map<String, Value>>(line).is_ok()
        })
}

/// The tables of a text, the most likely table of trades first (a JSON array or NDJSON): the one with the most known names. One list or
/// object is one table.
///
/// # Errors
/// The parser's error with its line.
pub(super) fn sheets(text: &str, named: &[Naming]) -> Result<Vec<Sheet>, (usize, String)> {
    let whole = match serde_json::from_str::<Value>(text) {
        Ok(whole) => whole,
        // A log of one object a line isn't JSON as a whole, so an error here doesn't yet mean an invalid file.
        Err(error) => {
            let lines = by_line(text);
            let is_list = text.trim_start().starts_with('[');
            let any = lines.iter().any(|(_, object)| object.is_ok());
            // An object over several lines that ends too early is an error of the whole text, not a log of malformed lines.
            // A list has commas between its lines, so it can't be a log.
            if is_list
                || !any
                    && lines.len() > 1
                    && text.trim_start().lines().next().is_some_and(|line| line.trim() == "{")
            {
                return Err((error.line(), format!("column {}: {}", error.column(), without_place(&error))));
            }
            return Ok(vec![Sheet::from_objects(lines)]);
        }
    };
    let places = places(text);
    let mut found = Vec::new();
    let mut seen = 0;
    lists(whole, "", None, &places, &mut seen, &mut found, DEPTH);
    let merit = |sheet: &Sheet| {
        sheet
            .keys()
            .iter()
            .filter(|key| {
                names::is_known(key) || named.iter().any(|naming| names::key(&naming.theirs) == **key)
            })
            .count()
    };
    // A stable sort, so that equally likely tables stay in the order of the file.
    found.sort_by_key(|sheet| std::cmp::Reverse(merit(sheet)));
    Ok(found)
}

fn by_line(text: &str) -> Objects {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let object = |(line, text): (usize, &str)| {
        let read = serde_json::from_str(text);
        (line, read.map_err(|error| Mistake::NotJson { column: error.column(), what: without_place(&error) }))
    };
    lines.map(object).collect()
}

/// The line where each object of a text begins, in the order of the text.
fn places(text: &str) -> Vec<usize> {
    let (mut places, mut line) = (Vec::new(), 1);
    let (mut is_text, mut is_escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_text = !is_text,
            b'\n' => line += 1,
            b'{' if !is_text => places.push(line),
            _ => {}
        }
    }
    places
}

/// All lists of objects, and objects outside of lists, with the lines of their records. Objects are counted in the order of the text, because the
/// parsed value has no positions.
fn lists(
    value: Value,
    title: &str,
    strategy: Option<&str>,
    places: &[usize],
    seen: &mut usize,
    found: &mut Vec<Sheet>,
    depth: usize,
) {
    // Below the depth the objects are still counted, otherwise the lines of later records would be wrong.
    if depth == 0 {
        *seen += objects_in(&value);
        return;
    }
    match value {
        Value::Array(values) if values.iter().any(Value::is_object) => {
            let mut objects: Objects = Vec::with_capacity(values.len());
            for value in values {
                let place = places.get(*seen).copied().unwrap_or(0);
                *seen += objects_in(&value);
                let object = match value {
                    Value::Object(fields) => Ok(fields),
                    other => Err(Mistake::NotJson { column: 1, what: format!("{other} is no object") }),
                };
                objects.push((place, object));
            }
            found.push(Sheet { strategy: strategy.map(str::to_owned), ..Sheet::from_objects(objects) });
        }
        Value::Array(values) => *seen += values.iter().map(objects_in).sum::<usize>(),
        Value::Object(fields) => {
            let place = places.get(*seen).copied().unwrap_or(0);
            *seen += 1;
            let holds_more = fields.values().any(|value| value.is_array() || value.is_object());
            // More than three known names make an object a trade, although it holds others: episodes have their context within.
            if !holds_more || fields.keys().filter(|name| names::is_known(&names::key(name))).count() > 3 {
                // A single trade; objects within it are its context.
                *seen += fields.values().map(objects_in).sum::<usize>();
                found.push(Sheet::from_objects(vec![(place, Ok(fields))]));
                return;
            }
            for (name, value) in fields {
                // freqtrade's backtests: {"strategy": {NAME: {"trades": [...]}}}.
                let strategy = if title == "strategy" { Some(name.as_str()) } else { strategy };
                lists(value, &name, strategy, places, seen, found, depth - 1);
            }
        }
        _ => {}
    }
}

fn objects_in(value: &Value) -> usize {
    match value {
        Value::Array(values) => values.iter().map(objects_in).sum(),
        Value::Object(fields) => 1 + fields.values().map(objects_in).sum::<usize>(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::sheets;

    #[test]
    fn lists_are_found_at_any_depth() {
        let places = |text: &str| {
            let sheets = sheets(text, &[]).unwrap();
            let sheet = &sheets[0];
            (sheet.strategy.clone(), sheet.records.iter().map(|(place, _)| *place).collect::<Vec<_>>())
        };
        assert_eq!(places("[\n {\"pnl\": 1},\n\n {\"pnl\": {\"a\": 2}}\n]"), (None, vec![2, 4]));
        assert_eq!(places("{\"pnl\": 1}\n\n{\"pnl\": 2}"), (None, vec![1, 3]));
        assert_eq!(
            places("{\"a\": {\"b\": \"{\"}, \"data\": {\"trades\": [\n{\"pnl\": 1}]}}"),
            (None, vec![2])
        );
        let freqtrade = "{\"strategy\": {\"S\": {\"trades\":\n[{\"pair\": \"A\", \"orders\": [{}]},\n{\"pair\": \"B\"}]}}}";
        assert_eq!(places(freqtrade), (Some("S".to_owned()), vec![2, 3]));
        assert_eq!(sheets("[\n{\"a\": 1},\n{]", &[]).unwrap_err().0, 3);
    }
}
