//! Applies `--profile` and `--seeds` to the tree of a sweep file before its values are checked, so that a profile's values are checked like
//! the file's own, and mistakes keep their lines. It is a configuration profile, such as `smoke` for a smoke test: a configuration merge by
//! which its values win. `--seeds` is applied after the profile and wins over it. A registered sweep that is run under either is marked as
//! not as registered (`as_registered` in `sweep.json`); its analysis gives a verdict all the same. `note` puts texts of a caller into
//! `[set]` in the same way (the version of a memory's code), without a flag, and wins over both.

use crate::io::error::{Error, Result};
use crate::io::text::nearest;
use crate::run::scenario_file::spelling::{same_key, same_path};
use crate::run::scenario_file::tree::{Flag, Node, Origin, Value};
use std::sync::Arc;

/// Applies a configuration profile (deep merge): its values replace those of the file, its `set` is merged into the file's, its lists of
/// arms and rungs keep only the entries they name. Its list for an axis replaces range and values, or keeps only the levels it names. The
/// error is the line to show.
pub(super) fn apply(tree: &mut Node, name: &str, shown: &str) -> Result<()> {
    let Some(profile) = tree.child("profiles").and_then(|profiles| profiles.child(name)).cloned() else {
        return Err(Error::invalid(format!("--profile {name}: {shown} {}", known(tree, name))));
    };
    for (key, path) in [
        ("seeds", &["seeds", "count"][..]),
        ("samples", &["samples"]),
        ("trajectories", &["sensitivity", "trajectories"]),
        ("base_samples", &["sensitivity", "base_samples"]),
        ("horizon_ticks", &["preregistration", "survival", "horizon_ticks"]),
    ] {
        if let Some(node) = profile.child(key) {
            put(tree, path, node.clone());
        }
    }
    if let Some(Value::List(chosen)) = profile.child("arms").map(|node| &node.value) {
        choose(tree, "arms", chosen, shown)?;
    }
    if let Some(Value::List(chosen)) = profile.child("ladder").map(|node| &node.value) {
        choose(tree, "ladder", chosen, shown)?;
    }
    if let Some(Value::Table(axes)) = profile.child("axes").map(|node| &node.value) {
        for (key, values) in axes {
            replace_values(tree, key, values, shown)?;
        }
    }
    if let Some(set) = profile.child("set") {
        let mut whole = tree.child("set").cloned().unwrap_or_else(|| Node::empty(set.origin.clone()));
        merge(&mut whole, set);
        put(tree, &["set"], whole);
    }
    Ok(())
}

/// Applies `--seeds`: it overrides `seeds.count`, the number of seeds (replicates).
pub(crate) fn set_seeds(tree: &mut Node, count: u64) {
    let flag = Flag { text: format!("--seeds {count}"), key: "seeds.count".to_owned() };
    let value = Value::Integer(i64::try_from(count).unwrap_or(i64::MAX));
    put(tree, &["seeds", "count"], Node { value, origin: Origin::Flag(Arc::new(flag)) });
}

/// Injects texts into `[set]`, each at a key of the scenario, as if the file held them; an annotation, such as a code version.
pub(super) fn note(tree: &mut Node, notes: &[(String, String)]) {
    for (key, text) in notes {
        let flag = Flag { text: key.clone(), key: format!("set.\"{key}\"") };
        let node = Node { value: Value::Text(text.clone()), origin: Origin::Flag(Arc::new(flag)) };
        put(tree, &["set", key], node);
    }
}

fn known(tree: &Node, name: &str) -> String {
    let names: Vec<&str> = match tree.child("profiles").map(|profiles| &profiles.value) {
        Some(Value::Table(entries)) => entries.iter().map(|(name, _)| name.as_str()).collect(),
        _ => Vec::new(),
    };
    match nearest(name, names.iter().copied()) {
        Some(near) => format!("has no such profile: did you mean {near}?"),
        None if names.is_empty() => "has no profiles".to_owned(),
        None => format!("has no such profile; it has {}", names.join(", ")),
    }
}

fn put(tree: &mut Node, path: &[&str], node: Node) {
    let path: Vec<String> = path.iter().map(|part| (*part).to_owned()).collect();
    crate::run::scenario_file::put(tree, &path, node);
}

fn line_of(node: &Node, shown: &str) -> String {
    match node.origin {
        Origin::Line(line) => format!("{shown}:{line}"),
        _ => shown.to_owned(),
    }
}

/// Keeps the entries of a list whose names were chosen. A name without an entry is refused, because an arm that is silently missing looks like a result.
fn choose(tree: &mut Node, key: &str, chosen: &[Node], shown: &str) -> Result<()> {
    let Some(Value::List(entries)) = tree.child_mut(key).map(|entries| &mut entries.value) else {
        return Err(Error::invalid(format!(
            "{shown}: the profile chooses {key}, but there are none: leave it out"
        )));
    };
    keep(entries, key, chosen, shown)
}

fn keep(entries: &mut Vec<Node>, key: &str, chosen: &[Node], shown: &str) -> Result<()> {
    let name_of = |entry: &Node| entry.child("name").map(|name| name.value.clone());
    for node in chosen {
        if !entries.iter().any(|entry| name_of(entry).as_ref() == Some(&node.value)) {
            let (line, value) =
                (line_of(node, shown), crate::run::scenario_file::mistake::written(&node.value));
            let remedy = match key {
                "arms" => "no arm has this name",
                "ladder" => "no rung has this name",
                _ => "no level has this name",
            };
            return Err(Error::invalid(format!("{line}: {key} = {value}: {remedy}")));
        }
    }
    entries.retain(|entry| chosen.iter().any(|node| name_of(entry).as_ref() == Some(&node.value)));
    Ok(())
}

fn replace_values(tree: &mut Node, key: &str, values: &Node, shown: &str) -> Result<()> {
    let axes = match tree.child_mut("axes").map(|axes| &mut axes.value) {
        Some(Value::List(axes)) => axes.as_mut_slice(),
        _ => &mut [],
    };
    let named = |axis: &&mut Node| matches!(axis.child("key").map(|key| &key.value), Some(Value::Text(text)) if same_path(text, key));
    let Some(axis) = axes.iter_mut().find(named) else {
        let line = line_of(values, shown);
        return Err(Error::invalid(format!("{line}: axes.\"{key}\": no axis varies this key")));
    };
    if let (Some(levels), Value::List(chosen)) = (axis.child_mut("levels"), &values.value)
        && let Value::List(levels) = &mut levels.value
    {
        return keep(levels, key, chosen, shown);
    }
    if let Value::Table(entries) = &mut axis.value {
        entries.retain(|(name, _)| !["low", "high", "steps", "values"].contains(&name.as_str()));
        entries.push(("values".to_owned(), values.clone()));
    }
    Ok(())
}

/// Puts all values of one table of settings over those of another.
fn merge(into: &mut Node, from: &Node) {
    let (Value::Table(own), Value::Table(entries)) = (&mut into.value, &from.value) else {
        *into = from.clone();
        return;
    };
    for (key, node) in entries {
        match own.iter_mut().find(|(name, _)| same_key(name, key)) {
            Some((_, old)) => merge(old, node),
            None => own.push((key.clone(), node.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::scenario_file::tree::parse;

    const TEXT: &str = "[set]\nticks = 9\ndream.enabled = true\n[seeds]\ncount = 20\n[[arms]]\nname = 'a'\n[[arms]]\n\
        name = 'b'\n[[axes]]\nkey = 'x.y'\nlow = 1\nhigh = 2\nsteps = 2\n[profiles.smoke]\nseeds = 3\narms = ['b']\n\
        set = { ticks = 5, dream.minEpisodes = 2 }\naxes = { 'x.y' = [7] }\n[profiles.wrong]\narms = ['c']\n";

    fn at<'a>(tree: &'a Node, path: &str) -> Option<&'a Value> {
        path.split('.').try_fold(tree, |node, segment| node.child(segment)).map(|node| &node.value)
    }

    #[test]
    fn a_profile_replaces_the_keys_it_names() {
        let mut tree = parse(TEXT).unwrap();
        apply(&mut tree, "smoke", "x.toml").unwrap();
        for (path, expected) in
            [("seeds.count", 3), ("set.ticks", 5), ("set.dream.minEpisodes", 2), ("axes.0.values.0", 7)]
        {
            assert_eq!(at(&tree, path), Some(&Value::Integer(expected)), "{path}");
        }
        assert_eq!(at(&tree, "set.dream.enabled"), Some(&Value::Bool(true)));
        assert_eq!((at(&tree, "axes.0.low"), at(&tree, "arms.1")), (None, None));
        set_seeds(&mut tree, 4);
        assert_eq!(at(&tree, "seeds.count"), Some(&Value::Integer(4)));
    }

    #[test]
    fn names_in_a_profile_must_exist() {
        let refused = |name: &str| apply(&mut parse(TEXT).unwrap(), name, "x.toml").unwrap_err().to_string();
        assert_eq!(refused("smok"), "--profile smok: x.toml has no such profile: did you mean smoke?");
        assert_eq!(refused("wrong"), "x.toml:21: arms = \"c\": no arm has this name");
    }
}
