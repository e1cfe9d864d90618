//! `--set key.path=value`: changes to a scenario from the command line. They are command-line overrides of configuration keys by a dotted
//! path. The value is TOML; a bare word is a text. An entry of a list is named by its place from 0, its `name` or its `symbol`; entries
//! aren't added so. A key that doesn't exist is put in here and refused by the check of the shape. Settings of a sweep file, and trials of
//! a sensitivity analysis, go the same way (`assign`). They are written into the manifest like keys of the file, so that a run is the same
//! however a value was set.

use super::KeySetting;
use super::mistake::{shown, written};
use super::spelling::snake_case;
use super::tree::{Flag, Node, NotAValue, Origin, Value, parse_value};
use std::sync::Arc;

/// Most parts of a path: several times those of the deepest key, few enough to walk them by recursion.
const SEGMENTS_MAX: usize = 32;

/// Why a value can't be put where a path says (override error).
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingError {
    #[error("must be key.path=value")]
    NoValue,
    #[error("the value can't be read: {0}")]
    Unreadable(#[from] NotAValue),
    #[error("the key has more than {SEGMENTS_MAX} parts: no key has")]
    TooLong,
    #[error("the key has an empty part: write it like market.pool.fee_bps")]
    EmptyPart,
    #[error("{place} has no entry {}; it has {there}", shown(entry))]
    NoEntry { place: String, entry: String, there: String },
    #[error("{place} is {value}, which has no keys")]
    NoKeys { place: String, value: String },
}

/// A `--set` that can't be carried out: the line to show (rejected override). It repeats the setting, because a command may have many.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", shown(&format!("--set {setting}")))]
pub struct RefusedSetting {
    setting: String,
    why: SettingError,
}

/// Carries out one `--set` (applies an override).
pub(super) fn apply(tree: &mut Node, setting: &str) -> Result<(), RefusedSetting> {
    let refused = |why| RefusedSetting { setting: setting.to_owned(), why };
    let text = format!("--set {setting}");
    let (path, value) = setting.split_once('=').ok_or_else(|| refused(SettingError::NoValue))?;
    let segments = resolve(tree, path.trim()).map_err(refused)?;
    let origin = Origin::Flag(Arc::new(Flag { text: text.clone(), key: segments.join(".") }));
    let node = value_of(value.trim(), &origin).map_err(|error| refused(error.into()))?;
    put(tree, &segments, node);
    Ok(())
}

/// Reads a `--set` whose key is to be found in a scenario later (override).
///
/// # Errors
/// When it isn't `key.path=value`.
pub fn read(setting: &str) -> Result<KeySetting, RefusedSetting> {
    let refused = |why| RefusedSetting { setting: setting.to_owned(), why };
    let (key, value) = setting.split_once('=').ok_or_else(|| refused(SettingError::NoValue))?;
    let key = key.trim().to_owned();
    let origin = Origin::Flag(Arc::new(Flag { text: format!("--set {setting}"), key: key.clone() }));
    let node = value_of(value.trim(), &origin).map_err(|error| refused(error.into()))?;
    Ok(KeySetting { key, node })
}

/// Puts a value at the path of a key, as `--set` names it (assigns by dotted path).
pub(super) fn assign(tree: &mut Node, key: &str, node: Node) -> Result<(), SettingError> {
    let segments = resolve(tree, key)?;
    put(tree, &segments, node);
    Ok(())
}

/// Resolves all spellings of a key to one path: places in lists as numbers, words as the reference page has them. A key that leads nowhere
/// stays as it is, and its assignment is refused with that name.
pub fn resolved_key(tree: &Node, key: &str) -> String {
    let segments = resolve(tree, key).unwrap_or_else(|_| vec![key.to_owned()]);
    segments.iter().map(|segment| snake_case(segment)).collect::<Vec<_>>().join(".")
}

/// Inserts a value at a path, making the tables on the way that aren't there. Profiles of sweep files use it too, on the tree of the sweep
/// file.
pub fn put(tree: &mut Node, segments: &[String], node: Node) {
    let Some((first, rest)) = segments.split_first() else {
        *tree = node;
        return;
    };
    if tree.child(first).is_none()
        && let Value::Table(entries) = &mut tree.value
    {
        entries.push((first.clone(), Node::empty(node.origin.clone())));
    }
    tree.respell(first);
    if let Some(child) = tree.child_mut(first) {
        put(child, rest, node);
    }
}

/// The path with numbers for places in lists; a place may also be given by the `name` or `symbol` of its entry.
fn resolve(tree: &Node, path: &str) -> Result<Vec<String>, SettingError> {
    let mut node = Some(tree);
    let mut segments: Vec<String> = Vec::new();
    if path.split('.').count() > SEGMENTS_MAX {
        return Err(SettingError::TooLong);
    }
    for segment in path.split('.') {
        if segment.is_empty() {
            return Err(SettingError::EmptyPart);
        }
        let here = || if segments.is_empty() { "the scenario".to_owned() } else { segments.join(".") };
        let place = match node.map(|node| &node.value) {
            None | Some(Value::Table(_)) => segment.to_owned(),
            Some(Value::List(entries)) => place_in(entries, segment).ok_or_else(|| {
                SettingError::NoEntry { place: here(), entry: segment.to_owned(), there: names(entries) }
            })?,
            Some(other) => return Err(SettingError::NoKeys { place: here(), value: written(other) }),
        };
        node = node.and_then(|node| node.child(&place));
        segments.push(place);
    }
    Ok(segments)
}

fn place_in(entries: &[Node], segment: &str) -> Option<String> {
    let named = entries.iter().position(|entry| name(entry) == Some(segment));
    let numbered = || segment.parse::<usize>().ok().filter(|place| *place < entries.len());
    named.or_else(numbered).map(|place| place.to_string())
}

fn name(entry: &Node) -> Option<&str> {
    match &entry.child("name").or_else(|| entry.child("symbol"))?.value {
        Value::Text(name) => Some(name),
        _ => None,
    }
}

fn names(entries: &[Node]) -> String {
    let one = |(place, entry): (usize, &Node)| match name(entry) {
        Some(name) => format!("{place} ({})", shown(name)),
        None => place.to_string(),
    };
    let all: Vec<_> = entries.iter().enumerate().take(16).map(one).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

/// A TOML value; anything that isn't one and doesn't begin like one is a text.
fn value_of(text: &str, origin: &Origin) -> Result<Node, NotAValue> {
    let bare = !text.is_empty() && !text.starts_with(['[', '{', '"', '\'']);
    match parse_value(text, origin) {
        Err(_) if bare => Ok(Node { value: Value::Text(text.to_owned()), origin: origin.clone() }),
        read => read,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::scenario_file::tree::parse;

    fn tree() -> Node {
        parse("seed = 1\n[[cohorts]]\nname = 'a'\n[[cohorts]]\nname = 'b'\ngolems = 2\n").unwrap()
    }

    #[test]
    fn values_are_put_where_the_path_says() {
        for (setting, key, expected) in [
            ("seed=7", "seed", Value::Integer(7)),
            ("cohorts.1.golems = 3", "cohorts.1.golems", Value::Integer(3)),
            ("cohorts.b.golems=3", "cohorts.1.golems", Value::Integer(3)),
            ("market.pool.fee_bps=2.5", "market.pool.fee_bps", Value::Float(2.5)),
            ("market.impact=price_taker", "market.impact", Value::Text("price_taker".to_owned())),
            ("name=\"a=b\"", "name", Value::Text("a=b".to_owned())),
        ] {
            let mut tree = tree();
            apply(&mut tree, setting).unwrap();
            let found = key.split('.').try_fold(&tree, |node, segment| node.child(segment)).unwrap();
            assert_eq!(found.value, expected, "{setting}");
            assert!(matches!(&found.origin, Origin::Flag(flag) if flag.key == key), "{setting}");
        }
    }

    #[test]
    fn a_flag_that_cannot_be_carried_out_says_why() {
        for (setting, expected) in [
            ("seed", "--set seed: must be key.path=value"),
            ("a..b=1", "--set a..b=1: the key has an empty part: write it like market.pool.fee_bps"),
            ("seed.x=1", "--set seed.x=1: seed is 1, which has no keys"),
            ("cohorts.c.golems=1", "--set cohorts.c.golems=1: cohorts has no entry c; it has 0 (a), 1 (b)"),
            (
                "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a=1",
                "--set a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a=1: the key has more than 32 parts: no key has",
            ),
            ("cohorts.2.golems=1", "--set cohorts.2.golems=1: cohorts has no entry 2; it has 0 (a), 1 (b)"),
        ] {
            assert_eq!(apply(&mut tree(), setting).unwrap_err().to_string(), expected);
        }
        assert!(
            apply(&mut tree(), "seed=[1")
                .unwrap_err()
                .to_string()
                .starts_with("--set seed=[1: the value can't be")
        );
    }
}
