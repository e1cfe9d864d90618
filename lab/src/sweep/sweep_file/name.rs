//! The names that a sweep file gives to itself, arms, rungs, levels and axes (identifier validation): 1 to 64 ASCII letters, digits, `_`,
//! `-`, `+` and `.`, beginning with a letter or digit. They become names of columns and parts of file names, which must not need escaping
//! anywhere. The engine has a copy of this rule, for the names of scenarios and their cohorts.

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
