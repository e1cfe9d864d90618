//! What is wrong with a setting, said so that it can be put right.

/// One setting that can't be used: which, what it holds, and what would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The full key, as in `dream.replay.batchSize`.
    pub key: String,
    /// The value found there.
    pub value: String,
    /// What would be valid.
    pub remedy: String,
}
