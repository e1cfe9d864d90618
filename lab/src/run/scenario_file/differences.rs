//! Differences between an undertaking (a run or a sweep) that is to be resumed and the one that was begun in its folder. It is a diff of
//! two configurations, key by key, without a tolerance. Any difference refuses the resumption (`refuse`), because resuming under another
//! configuration would mix two experiments. A run's scenario is compared only where the caller names the one that it expects, and paths of
//! price files are no difference there; the list of a sweep also has lines of its manifest, on data files and the build.

use crate::io::error::{Error, Result};
use crate::run::scenario_file::mistake;
use serde_json::Value;
use std::path::Path;

/// Most differences that are listed: for another file altogether, the first keys show it.
const DIFFERENCES_MAX: usize = 10;

/// Refuses an undertaking in a folder that differs from the one begun there; nothing for none (refused resume). It makes the error list of
/// a configuration diff.
///
/// # Errors
/// [`Error::Invalid`] with a line for each difference, and the remedy; `kind` names the undertaking, as in "sweep".
pub(crate) fn refuse(dir: &Path, found: &[String], kind: &str) -> Result<()> {
    if found.is_empty() {
        return Ok(());
    }
    let shown = dir.display();
    let mut lines: Vec<String> =
        found.iter().take(DIFFERENCES_MAX).map(|line| format!("{shown}: {line}")).collect();
    if found.len() > DIFFERENCES_MAX {
        lines.push(format!("{shown}: and {} more differences", found.len() - DIFFERENCES_MAX));
    }
    lines.push(format!(
        "{shown}: this is not the {kind} that was begun here: put back what was changed, or begin anew with --out"
    ));
    Err(Error::all(lines))
}

/// Adds the differences to `found` key by key, old and new value in a line each; `path` is put before the keys (configuration diff).
/// Elements of lists are compared by place, and named by their `name` where both have the same; lists of different lengths are one
/// difference, because which element is new can't be known. A key left out counts as null.
pub(crate) fn differ(path: &str, then: &Value, now: &Value, found: &mut Vec<String>) {
    let join = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match (then, now) {
        (Value::Object(a), Value::Object(b)) => {
            let new = b.keys().filter(|key| !a.contains_key(*key));
            for key in a.keys().chain(new) {
                differ(
                    &join(key),
                    a.get(key).unwrap_or(&Value::Null),
                    b.get(key).unwrap_or(&Value::Null),
                    found,
                );
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (place, (then, now)) in a.iter().zip(b).enumerate() {
                let name = then["name"].as_str().filter(|_| then["name"] == now["name"]);
                differ(&join(name.unwrap_or(&place.to_string())), then, now, found);
            }
        }
        _ if then == now => {}
        _ => found.push(format!("{path} was {} and is {}", shown(then), shown(now))),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "left out".to_owned(),
        other => mistake::shown(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_name_their_keys() {
        let then =
            serde_json::json!({"seeds": {"count": 2}, "arms": [{"name": "a", "set": {"x": 1}}], "gone": 1});
        let now =
            serde_json::json!({"seeds": {"count": 3}, "arms": [{"name": "a", "set": {"x": 2}}], "new": "t"});
        let mut found = Vec::new();
        differ("", &then, &now, &mut found);
        let expected = [
            "seeds.count was 2 and is 3",
            "arms.a.set.x was 1 and is 2",
            "gone was 1 and is left out",
            "new was left out and is \"t\"",
        ];
        assert_eq!(found, expected);
    }
}
