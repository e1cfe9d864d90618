//! Files of one kind given for another: a scenario, a sweep, a plan of OWM's validation. The kind is recognised by the keys at the top of
//! the file (file type detection). Readers of scenarios and of sweep files ask it only where the shape is wrong already; then its one
//! mistake takes the place of all others. Without it every key of the file would be reported as unknown.

use super::mistake::{Mistake, written};
use super::tree::Node;

/// A kind of file: the keys by which it is recognised, and the remedy where another kind was expected.
pub(crate) struct FileKind {
    name: &'static str,
    /// Keys that only files of this kind have: a file with one of them was meant to be of this kind.
    keys: &'static [&'static str],
    /// The remedy for such a file.
    remedy: &'static str,
}

/// Files that `morta run` reads (scenario file type).
pub(crate) const SCENARIO: FileKind =
    FileKind { name: "a scenario", keys: &["cohorts", "market"], remedy: "live it with `morta run FILE`" };

/// Files that `morta sweep` reads (sweep file type).
pub(crate) const SWEEP: FileKind = FileKind {
    name: "a sweep file",
    keys: &["scenario", "arms", "axes"],
    remedy: "check it with `morta sweep FILE --dry-run`",
};

const PLAN: FileKind = FileKind {
    name: "a plan of OWM's validation",
    keys: &["account"],
    remedy: "check it with `morta-memory owm validate FILE`",
};

/// That a file isn't of the kind that was asked for but of another: said alone, because every key of it would be a mistake
/// (wrong file type).
pub(crate) fn mistake(tree: &Node, expected: &FileKind) -> Option<Mistake> {
    let key_of = |kind: &FileKind| kind.keys.iter().find_map(|key| Some((*key, tree.child(key)?)));
    if key_of(expected).is_some() {
        return None;
    }
    let found = |kind: &'static FileKind| Some((kind, key_of(kind)?));
    let (kind, (key, node)) = [&SWEEP, &PLAN, &SCENARIO].into_iter().find_map(found)?;
    Some(Mistake {
        origin: node.origin.clone(),
        key: key.to_owned(),
        value: Some(written(&node.value)),
        remedy: format!("this is {}, not {}: {}", kind.name, expected.name, kind.remedy),
    })
}
