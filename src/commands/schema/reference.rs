//! The reference page of scenario files (`morta schema --reference`): every key with its type, range, unit, default and meaning. It is
//! generated Markdown documentation, made from the JSON Schema, so that it can't fall behind the keys; the introduction is written by hand.
//! The page of sweep files uses `keys_of` too.

use morta_lab::scenario_schema::{self, SchemaTable, Shape, description, expected, shape};
use serde_json::Value;

const INTRODUCTION: &str = "\
# Scenario files: every key

<!-- Generated from the types by `morta schema --reference`; don't edit. -->

A scenario is a [TOML](https://toml.io) file: one world, who lives in it, and for how long. Only the keys marked
*required* must be there; the others have the default shown. `morta validate FILE` checks a file without running it and
names every mistake with its line; an unknown key is a mistake too.

**Paths.** Keys are written here as dotted paths: `market.pool.fee_bps` is the key `fee_bps` in the table
`[market.pool]`. `cohorts[].golems` is the key `golems` in each entry of the list `[[cohorts]]`.

**Spelling.** Keys are written in snake_case; those of the specifications may also be written as these have them
(`dream.replay.batchSize`). `morta validate --fix FILE` rewrites a file to the keys of this page and leaves all else as it is.

**`--set`.** Any key can be changed from the command line: `--set market.pool.fee_bps=3`, `--set dream.enabled=true`,
`--set market.impact=price_taker` (a word needs no quotes). Entries of lists are named by their place, from 0, or by their
`name` or `symbol`: `--set cohorts.0.golems=10`, `--set cohorts.bardo.golems=10`. `--seed` and `--ticks` are short for the
keys of those names.

**Editors.** `scenario.schema.json` (`morta schema`) is the JSON Schema of these files. With the first line
`#:schema scenario.schema.json` (the path relative to the scenario) editors complete and check keys.

**Data files.** A replayed asset reads its bars from a CSV file, plain or compressed with gzip, or from a Parquet file
(`.parquet`), given relative to the scenario's folder. Columns are found by name, in any order: `time_utc` (RFC 3339 such
as `2018-01-31T12:00:00Z`, or a whole number since 1970-01-01 UTC; in Parquet also a timestamp), when the bar opened; either
`open`, `high`, `low`, `close`, or `bid_open`, `bid_high`, `bid_low`, `bid_close`, `ask_open`, `ask_high`, `ask_low`,
`ask_close`; and `volume` if known. The exports of many programs are read as they are, with a note of what was assumed: `morta
bars FILE` shows it. Times must ascend, or descend, prices must be above 0 and within low and high, and a bid may not be
above its ask. Where several assets are replayed, only the times that all of them have are used.
";

/// Generates the reference page of scenario files in Markdown.
pub(super) fn page() -> String {
    keys_of("The scenario", INTRODUCTION, scenario_schema::root())
}

/// Generates a Markdown page with an introduction and all keys of a kind of file.
pub(super) fn keys_of(title: &str, introduction: &str, schema: &'static Value) -> String {
    let mut page = introduction.to_owned();
    if let Shape::Table(table) = shape(schema) {
        write_table(&mut page, title, "", &table, None);
    }
    page
}

/// A section for a table and, after it, sections for nested tables. `default` is the table's own default.
fn write_table(page: &mut String, title: &str, path: &str, table: &SchemaTable, default: Option<&Value>) {
    *page += &format!("\n## {title}\n\n{}\n", table.description);
    let mut inner = Vec::new();
    let mut rows = String::new();
    for (name, schema) in &table.keys {
        let key = if path.is_empty() { (*name).to_owned() } else { format!("{path}.{name}") };
        let default = default.and_then(|table| table.get(name)).or_else(|| schema.get("default"));
        let required = table.required.contains(name);
        match shape(schema) {
            Shape::Table(mut table) => {
                // The key's own description has precedence over its type's, because several keys may hold tables of one type.
                let own = description(schema);
                if own != table.description {
                    table.description = format!("{own} {}", table.description);
                }
                inner.push((format!("`[{key}]`"), key, table, default));
            }
            Shape::Tagged(tag, kinds) => inner.extend(kinds.into_iter().map(|(kind, table)| {
                (format!("`{key}` with `{tag} = \"{kind}\"`"), key.clone(), table, None)
            })),
            Shape::Map(item) if matches!(shape(item), Shape::Table(_)) => {
                rows += &row(&key, schema, default, required);
                if let Shape::Table(table) = shape(item) {
                    inner.push((format!("`[{key}.NAME]`"), format!("{key}.NAME"), table, None));
                }
            }
            Shape::List(item, ..) if matches!(shape(item), Shape::Table(_)) => {
                rows += &row(&key, schema, default, required);
                if let Shape::Table(table) = shape(item) {
                    inner.push((format!("`[[{key}]]`"), format!("{key}[]"), table, None));
                }
            }
            _ => rows += &row(&key, schema, default, required),
        }
    }
    if !rows.is_empty() {
        *page +=
            &format!("\n| key | type and range | unit | default | meaning |\n|---|---|---|---|---|\n{rows}");
    }
    for (title, path, table, default) in inner {
        write_table(page, &title, &path, &table, default);
    }
}

fn row(key: &str, schema: &'static Value, default: Option<&Value>, required: bool) -> String {
    let shape = shape(schema);
    let constant = schema["const"].as_str();
    let item = match &shape {
        Shape::List(item, ..) => Some(*item),
        _ => None,
    };
    let kind = match (&shape, item.map(self::shape), constant) {
        (.., Some(word)) => format!("`\"{word}\"`"),
        (Shape::OneOf(_) | Shape::Registered(_) | Shape::Text, ..) => "text".to_owned(),
        // The bounds of the integer type alone aren't worth printing.
        (Shape::Integer(.., declared), ..) => format!("whole number {}", declared.range),
        (Shape::Number(declared), ..) => format!("number {}", declared.range),
        (Shape::Amount, ..) => {
            let highest = schema["maximum"].as_f64().map(|most| format!(", at most {most}"));
            format!("dollars, as 0.5 or \"$0.50\"{}", highest.unwrap_or_default())
        }
        (Shape::List(_, low, high), Some(of_item), _) => list(*low, *high, &of_item),
        _ => expected(&shape),
    };
    let unit = [Some(schema), item, item.map(|item| &item["items"])].into_iter().flatten();
    let unit = unit.filter_map(|schema| schema["x-unit"].as_str()).next().unwrap_or_default();
    let default = match default {
        Some(Value::Null) => "none".to_owned(),
        Some(value) if required => format!("`{value}`; required if the table is written"),
        Some(value) => format!("`{value}`"),
        None if required => "*required*".to_owned(),
        None => "none".to_owned(),
    };
    let mut meaning = if constant.is_some() {
        "Which kind of table this is.".to_owned()
    } else {
        description(schema).to_owned()
    };
    let words = item.map_or(shape, self::shape);
    if let (Shape::OneOf(words) | Shape::Registered(words), None) = (&words, constant) {
        let words: Vec<_> = words.iter().map(|(word, meaning)| format!("`\"{word}\"`: {meaning}")).collect();
        meaning += &format!("<br>{}", words.join("<br>"));
    }
    let cell = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    format!("| `{key}` | {} | {unit} | {} | {} |\n", cell(&kind), cell(&default), cell(&meaning))
}

/// The text of a list of `low` to `high` entries, whatever they are; a file with more or fewer is refused, so both ends are shown.
fn list(low: usize, high: usize, of: &Shape) -> String {
    let count = match (low, high) {
        (low, high) if low == high => format!("{low} "),
        (0, usize::MAX) => String::new(),
        (0, high) => format!("at most {high} "),
        (low, usize::MAX) => format!("at least {low} "),
        (low, high) => format!("{low} to {high} "),
    };
    let each = |noun: &str, range: &str| {
        if range.is_empty() { noun.to_owned() } else { format!("{noun}, each {range}") }
    };
    let entries = match of {
        // Which words, the column of meanings says.
        Shape::Text | Shape::OneOf(_) | Shape::Registered(_) => "texts".to_owned(),
        Shape::Table(_) | Shape::Map(_) | Shape::Tagged(..) => "tables".to_owned(),
        Shape::Number(declared) => each("numbers", &declared.range),
        Shape::Integer(.., declared) => each("whole numbers", &declared.range),
        Shape::List(item, low, high) => each("lists", &format!("a {}", list(*low, *high, &shape(item)))),
        Shape::Bool | Shape::Amount => each("entries", &expected(of)),
        Shape::Any => "values of any kind".to_owned(),
    };
    format!("list of {count}{entries}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every key has a description, also in nested tables, and so has every word of an enumeration.
    #[test]
    fn every_key_is_described() {
        fn undescribed(schema: &'static Value, path: &str, found: &mut Vec<String>) {
            let tables = match shape(schema) {
                Shape::Table(table) => vec![table],
                Shape::Tagged(_, kinds) => kinds.into_iter().map(|(_, table)| table).collect(),
                Shape::List(item, ..) | Shape::Map(item) => {
                    return undescribed(item, &format!("{path}[]"), found);
                }
                Shape::OneOf(words) | Shape::Registered(words) => {
                    let bare = words.iter().filter(|(_, meaning)| meaning.is_empty());
                    return found.extend(bare.map(|(word, _)| format!("{path} = {word}")));
                }
                _ => return,
            };
            for (name, schema) in tables.into_iter().flat_map(|table| table.keys) {
                let path = format!("{path}.{name}");
                if schema["const"].is_string() {
                    continue;
                }
                if description(schema).is_empty() {
                    found.push(path.clone());
                }
                undescribed(schema, &path, found);
            }
        }
        let mut found = Vec::new();
        undescribed(scenario_schema::root(), "scenario", &mut found);
        undescribed(morta_lab::sweep_file::schema(), "sweep", &mut found);
        assert_eq!(found, Vec::<String>::new());
    }
    #[test]
    fn a_list_shows_its_length_whatever_its_entries_are() {
        let numbers: &'static Value =
            Box::leak(Box::new(serde_json::json!({ "type": "number", "minimum": 0.0 })));
        let lists = Shape::List(numbers, 1, 9);
        for (low, high, of, expected) in [
            (0, usize::MAX, &Shape::Text, "list of texts"),
            (1, usize::MAX, &Shape::Any, "list of at least 1 values of any kind"),
            (0, 16, &Shape::Text, "list of at most 16 texts"),
            (1, 16, &Shape::OneOf(Vec::new()), "list of 1 to 16 texts"),
            (2, 2, &Shape::Tagged("kind", Vec::new()), "list of 2 tables"),
            (4, 8, &lists, "list of 4 to 8 lists, each a list of 1 to 9 numbers, each of at least 0"),
            (0, 3, &Shape::Bool, "list of at most 3 entries, each true or false"),
        ] {
            assert_eq!(list(low, high, of), expected);
        }
    }

    /// Every list that declares lengths shows them on its page.
    #[test]
    fn the_pages_show_declared_lengths() {
        let (scenarios, sweeps) = (page(), super::super::sweeps::page());
        for (page, key, kind) in [
            (&scenarios, "market.drift.laws[].assets", "list of at most 16 texts"),
            (&sweeps, "sensitivity.measures", "list of 1 to 16 texts"),
            (&sweeps, "map.contrast", "list of 2 texts"),
            (&sweeps, "axes[].values", "list of 1 to 1000 values of any kind"),
        ] {
            let row = page.lines().find(|line| line.starts_with(&format!("| `{key}` ")));
            assert_eq!(row.and_then(|row| row.split(" | ").nth(1)), Some(kind), "{key}: {row:?}");
        }
    }
}
