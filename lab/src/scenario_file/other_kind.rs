//! Files of another kind that are taken for scenarios.

use super::mistake::{Mistake, written};
use super::tree::Node;

/// A key that only files of another kind have, what these are, and the command that checks them.
const KINDS: [(&str, &str, &str); 2] = [
    ("scenario", "a sweep file", "morta sweep FILE --dry-run"),
    ("account", "a plan of OWM's validation", "morta memory owm validate FILE"),
];

/// That a file isn't a scenario but something else: said alone, because every key of it would be a mistake.
pub fn mistake(tree: &Node) -> Option<Mistake> {
    // Whoever wrote one of these meant a scenario.
    if ["market", "cohorts"].iter().any(|key| tree.child(key).is_some()) {
        return None;
    }
    let (key, node, what, command) =
        KINDS.iter().find_map(|(key, what, command)| Some((*key, tree.child(key)?, what, command)))?;
    Some(Mistake {
        origin: node.origin.clone(),
        key: key.to_owned(),
        value: Some(written(&node.value)),
        remedy: format!("this is {what}, not a scenario: check it with `{command}`"),
    })
}
