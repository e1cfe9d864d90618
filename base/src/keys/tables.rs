//! Tables of a JSON value by a dotted path, in which `*` stands for each entry of a list or table (a wildcard path, as of JSONPath). Keys that
//! are none any more are found by it, in files of earlier builds and in what a market's digest is made of.

use serde_json::{Map, Value};

/// Hands each table to which a path leads to `act`, in the order of the value. A path that leads nowhere, or to no table, is no error, because
/// kinds of entries differ in their keys.
pub fn for_each_table(value: &mut Value, path: &str, act: &mut impl FnMut(&mut Map<String, Value>)) {
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    match value {
        Value::Object(table) if path.is_empty() => act(table),
        Value::Object(table) if name == "*" => {
            table.values_mut().for_each(|entry| for_each_table(entry, rest, act));
        }
        Value::Array(entries) if name == "*" => {
            entries.iter_mut().for_each(|entry| for_each_table(entry, rest, act));
        }
        Value::Object(table) => {
            if let Some(entry) = table.get_mut(name) {
                for_each_table(entry, rest, act);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_star_is_each_entry_of_a_list_and_of_a_table() {
        let mut value =
            json!({ "a": [{ "b": { "x": {}, "y": 1 } }, { "b": { "z": {} } }, { "c": {} }, 5], "d": {} });
        let mut mark = |path: &str| {
            for_each_table(&mut value, path, &mut |table| drop(table.insert("found".to_owned(), json!(path))))
        };
        for path in ["a.*.b.*", "d", "e.f", "a"] {
            mark(path);
        }
        let here = |path: &str| json!({ "found": path });
        assert_eq!(
            value,
            json!({
                "a": [{ "b": { "x": here("a.*.b.*"), "y": 1 } }, { "b": { "z": here("a.*.b.*") } }, { "c": {} }, 5],
                "d": here("d")
            })
        );
    }
}
