//! Why a figure can't be computed, and figures that may be missing for a stated reason. It is an error enum (thiserror); `Computed` is a
//! result that can be serialized with its reason, so that a table never holds NaN. Functions of this crate return the error; reports keep
//! it as a `Computed`, so that one missing figure spoils no others.

use serde::{Deserialize, Serialize};

/// The reason why a statistic can't be computed. Rows are counted from 1 in the data handed over.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StatsError {
    /// There are fewer values than the definition needs.
    #[error("{subject}: {found} of them, and at least {needed} are needed")]
    TooFew {
        /// What there is too little of.
        subject: String,
        /// How many there are.
        found: usize,
        /// How many it takes.
        needed: usize,
    },
    /// A value is not a number or infinite.
    #[error("{subject}, row {row}: {value} is not a finite number")]
    NotFinite {
        /// Which series or column.
        subject: String,
        /// Its row, from 1.
        row: usize,
        /// The value as text.
        value: String,
    },
    /// A value so large that figures made of its square or cube would overflow.
    #[error("{subject}, row {row}: {value} is too large, the most is 1e90")]
    TooLarge {
        /// Which series or column.
        subject: String,
        /// Its row, from 1.
        row: usize,
        /// The value as text.
        value: String,
    },
    /// Values so small that figures made of their squares would be 0, and a spread would pass for none.
    #[error(
        "{subject}, row {row}: {value} is the largest in size, and must be 1e-90 or more: measure it in a smaller unit"
    )]
    TooSmall {
        /// Which series or column.
        subject: String,
        /// Its row, from 1.
        row: usize,
        /// The value as text.
        value: String,
    },
    /// Two series that belong together row by row have different lengths.
    #[error("{subject}: {found} rows where {expected} are expected")]
    LengthsDiffer {
        /// Which series.
        subject: String,
        /// Its rows.
        found: usize,
        /// The rows of what it goes with.
        expected: usize,
    },
    /// A parameter outside its range.
    #[error("{subject} = {value}: must be {remedy}")]
    OutOfRange {
        /// Which parameter.
        subject: String,
        /// Its value as text.
        value: String,
        /// The remedy: a valid range.
        remedy: String,
    },
    /// All values of a series are the same, and the figure divides by their spread.
    #[error("{0} is constant")]
    Constant(String),
    /// Two groups of one name.
    #[error("group `{0}` comes twice")]
    GroupTwice(String),
    /// A duration or an entry below 0.
    #[error("{subject}, row {row}: {value} is negative")]
    Negative {
        /// Which series.
        subject: String,
        /// Its row, from 1.
        row: usize,
        /// The value as text.
        value: String,
    },
    /// A life that enters when it has ended.
    #[error(
        "entry, row {row}: {entry} is not before the duration, {duration}: this life was never under observation"
    )]
    EntryAfterEnd {
        /// Its row, from 1.
        row: usize,
        /// The entry as text.
        entry: String,
        /// The duration as text.
        duration: String,
    },
    /// A curve that falls to 0 although others live on: it could never rise again, so it would be wrong for
    /// all later times.
    #[error(
        "at {time} everybody under observation dies while others enter later, so that the curve would stay 0: leave out the lives that end by then, and read it as that of those who live longer"
    )]
    NobodyLeft {
        /// When.
        time: String,
    },
    /// Nobody in any group was seen to die.
    #[error("every life is censored: no event was observed")]
    NoEvents,
    /// Nobody in one group was seen to die.
    #[error("every life in group `{0}` is censored")]
    AllCensored(String),
    /// Where groups are at risk together, everybody dies at the same moment.
    #[error("everybody who is under observation dies at the same moment: nothing tells the groups apart")]
    AllAtOnce,
    /// The groups are never at risk together, so that nothing compares them.
    #[error("the groups are never under observation together: group `{0}` can't be compared with the others")]
    NeverTogether(String),
    /// The horizon lies where a group is no longer observed.
    #[error("horizon {horizon} is after the last observation of group `{group}` ({last}), which is censored")]
    BeyondObservation {
        /// The horizon asked for.
        horizon: String,
        /// The group that ends before it.
        group: String,
        /// Its last duration.
        last: String,
    },
    /// A covariate is the same for everybody at risk at every event.
    #[error(
        "column `{0}` is the same for everybody at risk at every event: it tells nothing about the hazard"
    )]
    Uninformative(String),
    /// A covariate is a linear combination of those named before it.
    #[error("column `{0}` is a linear combination of the columns before it: leave one of them out")]
    Collinear(String),
    /// The likelihood grows without bound as this coefficient does.
    #[error(
        "column `{0}` tells at every death without fail who dies of those at risk: its coefficient has no finite estimate, so leave the column out"
    )]
    Separation(String),
    /// The sandwich over clusters can't be inverted.
    #[error("the robust covariance is singular: there are too few clusters for so many columns")]
    SingularSandwich,
    /// Newton's method did not come to rest.
    #[error("the partial likelihood did not come to rest in {0} iterations")]
    NoConvergence(u32),
    /// A look before the end at which the test can't find anything, whatever the data.
    #[error(
        "look {look}, at {pairs} pairs: its bound is p = {bound}, and the test's least p there is {least}: {remedy}"
    )]
    LookBeyondReach {
        /// Which look, from 1.
        look: usize,
        /// Its pairs.
        pairs: u32,
        /// Its bound as text.
        bound: String,
        /// The least p-value of the test as text.
        least: String,
        /// The remedy: numbers of pairs at which the look can be decided.
        remedy: String,
    },
}

/// A figure, or the reason why there is none: a result that can be serialised as either number or text, in place of NaN and null.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Computed<T> {
    /// It was computed.
    Known(T),
    /// It can't be.
    Unknown {
        /// The reason, a sentence without its full stop.
        cannot_be_computed: String,
    },
}

impl<T> Default for Computed<T> {
    /// What nobody has tested.
    fn default() -> Self {
        Self::Unknown { cannot_be_computed: "it is not tested".to_owned() }
    }
}

impl<T> Computed<T> {
    /// The figure, if there is one.
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known(figure) => Some(figure),
            Self::Unknown { .. } => None,
        }
    }

    /// The reason of a missing value, as a sentence without its full stop.
    pub fn why_not(&self) -> Option<&str> {
        match self {
            Self::Known(_) => None,
            Self::Unknown { cannot_be_computed } => Some(cannot_be_computed),
        }
    }
}

impl<T> From<Result<T, StatsError>> for Computed<T> {
    fn from(result: Result<T, StatsError>) -> Self {
        match result {
            Ok(figure) => Self::Known(figure),
            Err(error) => Self::Unknown { cannot_be_computed: error.to_string() },
        }
    }
}
