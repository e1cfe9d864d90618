//! How much is tried, as the environment says.

use super::common::number;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How much is tried; `HOSTILE_SEED`, `HOSTILE_CASES` and `HOSTILE_SECONDS` in the environment.
pub struct Effort {
    pub seed: u64,
    /// Cases of a kind, where the plan has no number of its own.
    cases: u64,
    /// Cases by kind (`HOSTILE_PLAN`, a file as `cases.txt` beside this one).
    plan: BTreeMap<String, u64>,
    /// Time a kind.
    pub time: Duration,
    /// The only kind that is tried (`HOSTILE_KIND`), if one is named.
    kind: Option<String>,
    /// The first case (`HOSTILE_FROM`), to do one again.
    pub from: u64,
}

impl Effort {
    /// Short enough for every `cargo test`.
    pub fn asked() -> Self {
        Self {
            seed: number("HOSTILE_SEED", 1),
            cases: number("HOSTILE_CASES", 150),
            plan: std::env::var_os("HOSTILE_PLAN").map(|path| plan(Path::new(&path))).unwrap_or_default(),
            time: Duration::from_secs(number("HOSTILE_SECONDS", 2)),
            kind: std::env::var("HOSTILE_KIND").ok(),
            from: number("HOSTILE_FROM", 0),
        }
    }

    /// How many cases of a kind are tried.
    pub fn cases(&self, kind: &str) -> u64 {
        self.plan.get(kind).copied().unwrap_or(self.cases)
    }

    /// Whether a kind is tried.
    pub fn includes(&self, kind: &str) -> bool {
        self.kind.as_deref().is_none_or(|asked| asked == kind)
    }
}

/// A kind and a number a line; what begins with `#` is a remark.
pub fn plan(path: &Path) -> BTreeMap<String, u64> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let of_line = |line: &str| {
        let (kind, cases) = line.split_once(' ')?;
        Some((kind.to_owned(), cases.trim().parse().ok()?))
    };
    lines
        .map(|line| of_line(line).unwrap_or_else(|| panic!("{}: {line}: KIND CASES", path.display())))
        .collect()
}
