//! What is wrong with one value of a configuration file (scenario, sweep, plan, replication), said so that the reader can mend it. It is
//! a validation error: key, value, remedy, printed as `key = value: remedy`. `check` collects them; the caller, mostly the laboratory,
//! adds the line and refuses the file.

use std::fmt;

/// One value of a scenario that can't be used: its place, the value and the remedy, so that a file is mended
/// without a look into the code (validation error).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Dotted path of the key, as in `market.pool.fee_bps`.
    pub key: String,
    /// The value found there, as text.
    pub value: String,
    /// The remedy: a valid value.
    pub remedy: String,
}

impl Problem {
    /// Makes a problem (validation error) of the value of a key.
    pub fn new(key: impl Into<String>, value: impl fmt::Display, remedy: impl Into<String>) -> Self {
        Self { key: key.into(), value: value.to_string(), remedy: remedy.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}: {}", self.key, self.value, self.remedy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_names_key_value_and_remedy() {
        let problem = Problem::new("market.pool.fee_bps", -1.0, "must be in 0..=1000 bps");
        assert_eq!(problem.to_string(), "market.pool.fee_bps = -1: must be in 0..=1000 bps");
    }
}
