//! How much is tried, as the environment says.

use std::time::Duration;

/// How much is tried; `HOSTILE_SEED`, `HOSTILE_CASES` and `HOSTILE_SECONDS` in the environment.
pub struct Effort {
    pub seed: u64,
    /// Cases a kind.
    pub cases: u64,
    /// Time a kind.
    pub time: Duration,
    /// The only kind that is tried (`HOSTILE_KIND`), if one is named.
    pub kind: Option<String>,
    /// The first case (`HOSTILE_FROM`), to do one again.
    pub from: u64,
}

/// A number of the environment.
pub fn number(name: &str, usual: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text}: must be a whole number")),
        Err(_) => usual,
    }
}

impl Effort {
    /// Short enough for every `cargo test`.
    pub fn asked() -> Self {
        Self {
            seed: number("HOSTILE_SEED", 1),
            cases: number("HOSTILE_CASES", 250),
            time: Duration::from_secs(number("HOSTILE_SECONDS", 3)),
            kind: std::env::var("HOSTILE_KIND").ok(),
            from: number("HOSTILE_FROM", 0),
        }
    }

    /// Whether a kind is tried.
    pub fn includes(&self, kind: &str) -> bool {
        self.kind.as_deref().is_none_or(|asked| asked == kind)
    }
}
