//! The units of columns.

/// What the values of a column are measured in; for text, what it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// A moment: a tick by its number.
    Tick,
    /// A length of time in ticks.
    Ticks,
    /// A moment of simulated time.
    UnixSeconds,
    /// A length of real time.
    Seconds,
    /// Money.
    Usdc,
    /// A price.
    UsdcPerUnit,
    /// Profit over what was at risk.
    R,
    /// Hundredths of a percent.
    BasisPoints,
    /// How many.
    Count,
    /// Which: a place in some order, or a label.
    Number,
    /// A part of a whole, or a degree.
    Share,
    /// A degree with a sign.
    Signed,
    /// A quotient that may be any number.
    Ratio,
    /// A sum of weighted terms, of use beside its like only.
    Score,
    /// That of what the row names, so another one from row to row.
    OfRow,
    /// True or false.
    Flag,
    /// What the scenario or the sweep file calls something.
    Name,
    /// One of a fixed list of words.
    Word,
    /// The identity of one thing.
    Id,
    /// Identities of several things.
    Ids,
    /// Text for people.
    Text,
    /// A JSON value.
    Json,
    /// A BLAKE3 hash.
    Hash,
}

impl Unit {
    /// All of them, in the order in which they are explained.
    pub const ALL: [Self; 23] = [
        Self::Tick,
        Self::Ticks,
        Self::UnixSeconds,
        Self::Seconds,
        Self::Usdc,
        Self::UsdcPerUnit,
        Self::R,
        Self::BasisPoints,
        Self::Count,
        Self::Number,
        Self::Share,
        Self::Signed,
        Self::Ratio,
        Self::Score,
        Self::OfRow,
        Self::Flag,
        Self::Name,
        Self::Word,
        Self::Id,
        Self::Ids,
        Self::Text,
        Self::Json,
        Self::Hash,
    ];

    /// As files and pages have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tick => "tick",
            Self::Ticks => "ticks",
            Self::UnixSeconds => "s since 1970",
            Self::Seconds => "s",
            Self::Usdc => "USDC",
            Self::UsdcPerUnit => "USDC/unit",
            Self::R => "R",
            Self::BasisPoints => "bps",
            Self::Count => "count",
            Self::Number => "number",
            Self::Share => "0 to 1",
            Self::Signed => "-1 to 1",
            Self::Ratio => "ratio",
            Self::Score => "score",
            Self::OfRow => "of the row",
            Self::Flag => "flag",
            Self::Name => "name",
            Self::Word => "word",
            Self::Id => "id",
            Self::Ids => "ids",
            Self::Text => "text",
            Self::Json => "json",
            Self::Hash => "hash",
        }
    }

    /// What it means, for a reader who has never seen Morta.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Tick => {
                "a moment: the number of a tick, from 0; a tick lasts `market.tick_seconds` of simulated time, or one bar of replayed prices"
            }
            Self::Ticks => "a length of simulated time, in ticks",
            Self::UnixSeconds => "a moment of simulated time: seconds since 1970-01-01 00:00 UTC",
            Self::Seconds => "a length of real time, in seconds",
            Self::Usdc => {
                "money, in simulated dollars; kept to the micro-dollar, so sums are exact before they become floating-point"
            }
            Self::UsdcPerUnit => "a price: dollars for one unit of the asset",
            Self::R => {
                "R-multiples: profit, costs taken off, over what was at risk, which is the stake times the distance of the stop; -1 is a \
                 trade that lost what it risked"
            }
            Self::BasisPoints => "hundredths of a percent of the stake",
            Self::Count => "how many",
            Self::Number => "a place in some order, or a label made of digits; not to be added up",
            Self::Share => "a part of a whole, a probability or a degree, from 0 to 1",
            Self::Signed => "a degree with a sign, from -1 to 1",
            Self::Ratio => "a quotient without a unit; any number",
            Self::Score => "a sum of weighted terms; compares with others of its column only",
            Self::OfRow => {
                "that of the measure or the curve which the row names; compares with rows of the same name only"
            }
            Self::Flag => "true or false",
            Self::Name => "what the scenario or the sweep file calls something",
            Self::Word => "one of a fixed list of words, which the meaning names",
            Self::Id => {
                "the identity of one thing: `L7.G2` is the golem of lineage 7, generation 2; `L7.G2.E5` its sixth episode, `.D` a dream, \
                 `.R` a rule, `.B` a bloodstain; `A1.L7.G2` lived in the first earlier run of the manifest's list"
            }
            Self::Ids => "identities, with spaces between; empty text is none of them",
            Self::Text => "text for people; its wording may change",
            Self::Json => "a JSON value",
            Self::Hash => "a BLAKE3 hash, hexadecimal",
        }
    }
}
