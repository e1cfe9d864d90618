//! The units of columns (units of measurement): USDC, R, ticks, seconds, shares from 0 to 1 and so on, each with the sentence that explains
//! it in `docs/src/tables.md`. A column can't be declared without one, because a number without a unit can't be checked by its reader. A
//! unit describes and converts nothing: its name stands in the schema that a reader of the file sees.

morta_base::words! {
    /// The unit of the values of a column, in the order in which units are explained; for text, what it is made of.
    pub enum ColumnUnit {
        /// A moment: a tick by its number.
        Tick = "tick",
        /// A length of time in ticks.
        Ticks = "ticks",
        /// A moment of simulated time.
        UnixSeconds = "s since 1970",
        /// A length of real time.
        Seconds = "s",
        /// Money.
        Usdc = "USDC",
        /// A price.
        UsdcPerUnit = "USDC/unit",
        /// Profit over what was at risk.
        R = "R",
        /// Hundredths of a percent.
        BasisPoints = "bps",
        /// How many.
        Count = "count",
        /// Which: a place in some order, or a label.
        Number = "number",
        /// A part of a whole, or a degree.
        Share = "0 to 1",
        /// A degree with a sign.
        Signed = "-1 to 1",
        /// A quotient that may be any number.
        Ratio = "ratio",
        /// A sum of weighted terms, of use beside its like only.
        Score = "score",
        /// That of what the row names, so another one from row to row.
        OfRow = "of the row",
        /// True or false.
        Flag = "flag",
        /// What the scenario or the sweep file calls something.
        Name = "name",
        /// One of a fixed list of words.
        Word = "word",
        /// The identity of one thing.
        Id = "id",
        /// Identities of several things.
        Ids = "ids",
        /// Text for people.
        Text = "text",
        /// A JSON value.
        Json = "json",
        /// A BLAKE3 hash.
        Hash = "hash",
    }
}

impl ColumnUnit {
    /// Describes the unit, for a reader who has never seen Morta.
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
