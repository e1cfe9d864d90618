//! The names that a sweep file gives to itself, arms, rungs, levels and axes (identifier validation): 1 to 64 ASCII letters, digits, `_`,
//! `-`, `+` and `.`, beginning with a letter or digit. They become names of columns and parts of file names, which must not need escaping
//! anywhere. The engine has a copy of this rule, for the names of scenarios and their cohorts.

use crate::io::text::nearest;
use crate::sweep::measure;
use morta_base::TableChecker;

/// The remedy for an invalid name.
pub(super) const NAME_REMEDY: &str =
    "use 1 to 64 letters (A to Z, a to z), digits, '_', '-', '+' or '.', beginning with a letter or digit";

/// Whether this can be the name of a sweep, an arm, a rung, a level or an axis (identifier check).
pub(super) fn is_name(name: &str) -> bool {
    let good = |c: char| c.is_ascii_alphanumeric() || "_-+.".contains(c);
    (1..=64).contains(&name.len())
        && name.chars().all(good)
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// Reports an invalid name with its remedy.
pub(super) fn demand_name(table: &mut TableChecker<'_>, name: &str) {
    table.demand(is_name(name), "name", name, NAME_REMEDY);
}

/// Reports a measure that isn't there, under the key that names it.
pub(super) fn demand_measure(table: &mut TableChecker<'_>, key: &str, name: &str) {
    table.demand(measure::find(name).is_some(), key, format!("\"{name}\""), measure::no_such(name));
}

/// Reports two arms to be held against each other that are one, under the key that names the second.
pub(super) fn demand_another(table: &mut TableChecker<'_>, key: &str, treated: &str, control: &str) {
    table.demand(treated != control, key, control, "an arm does not differ from itself: name another");
}

/// Words the remedy for a name that nothing has: the nearest of those there are, or else the first of them.
pub(super) fn no_such<'a>(what: &str, name: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(name, names.clone()) {
        Some(near) => format!("{what}: did you mean {near}?"),
        None => format!("{what}; there are {}", names.take(16).collect::<Vec<_>>().join(", ")),
    }
}
