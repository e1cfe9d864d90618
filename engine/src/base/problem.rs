//! What is wrong with a value of a scenario, said so that the reader can mend it.

/// One value that can't be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Dotted path of the key, as in `market.pool.fee_bps`; entries of lists are numbered from 0.
    pub key: String,
    /// The value found.
    pub value: String,
    /// What would be valid.
    pub remedy: String,
}
