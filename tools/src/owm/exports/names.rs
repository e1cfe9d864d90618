//! Column aliases: our names of the columns of trades, fills and patterns, and other programs' names for them, with the kind of each
//! column's cells. Names are compared as keys: lower case, without blanks and signs. One table serves all formats, so that an unknown
//! program is often read as well; a known format's own names and the user's `--map` have precedence over it.

use std::str::FromStr;

/// The data type of a column: what its cells hold. An alias is taken only for a column with such a cell among its first ones; names that
/// the user maps, of a known format, and ours are taken as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any value.
    Any,
    /// Numbers.
    Number,
    /// Moments.
    Moment,
}

/// A column with our name (canonical column) and its aliases.
#[derive(Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// The kind of its cells.
    pub kind: Kind,
    /// Keys of its names in other programs, separated by spaces, the most likely first.
    also: &'static str,
}

impl Column {
    /// The keys of its names in other programs, the most likely first.
    pub fn also(&self) -> impl Iterator<Item = &'static str> {
        self.also.split_whitespace()
    }
}

const fn column(name: &'static str, kind: Kind, also: &'static str) -> Column {
    Column { name, kind, also }
}

/// All columns of trades, fills and patterns (alias table). A key belongs to the first column that lists it.
pub const COLUMNS: &[Column] = &[
    column(
        "timestamp",
        Kind::Moment,
        "entrytime opentime entrytimestamp entrydatetime opendatetime entrydate opendate openedat \
         enteredat openingtime entryat opened openingdate dateopened dtopen datetime dateandtime \
         executiontime exectime tradetime transactiontime time date tradedate execdate td createdat \
         createtime uhrzeit zeit datum fecha hora",
    ),
    column(
        "exit_timestamp",
        Kind::Moment,
        "exittime closetime exitdatetime closedatetime exitdate closedate closedat exitedat \
         closingtime exitat closed closingdate dateclosed dtclose time2 zeit2 hora2 closetimestamp \
         filledtime",
    ),
    column("hold_duration_seconds", Kind::Number, "holdduration holdseconds durationseconds tradedurations"),
    column(
        "symbol",
        Kind::Any,
        "symbols ticker instrument pair market item contract contracts underlying asset contractname \
         wertpapier instrumento symbolvalue instrumentname security stock product spotpairs \
         securityname data",
    ),
    column("strategy", Kind::Any, "strategyname setup playbook system"),
    column(
        "direction",
        Kind::Any,
        "side positionside marketpos openingdirection positiontype longshort buysell bs action \
         tradetype richtung typ tipo type position",
    ),
    column(
        "entry_price",
        Kind::Number,
        "openprice entryrate openrate avgentryprice averageentryprice entrypoint openingprice \
         einstieg einstiegskurs entry priceopen avgopen",
    ),
    column(
        "exit_price",
        Kind::Number,
        "closeprice exitrate closerate avgexitprice averageexitprice closingprice exit priceclose \
         avgclosedprice price2 preis2 precio2 ausstieg ausstiegskurs schlusskurs avgclose",
    ),
    column(
        "stop_loss",
        Kind::Number,
        "initialstoploss initialstop stop sl stopprice stoplossprice plannedstop",
    ),
    column(
        "pnl",
        Kind::Number,
        "netpnl netprofit netpl profit pl realizedpnl realisedpnl realizedpl realizedprofit \
         fifopnlrealized closedpnl closedpl netproceeds profitloss profitandloss netprofitloss net \
         result pnlusd grosspnl grosspl gewinn ergebnis gewinnverlust beneficio",
    ),
    column("pnl_r", Kind::Number, "rmultiple rvalue resultr pnlinr r"),
    column(
        "lot_size",
        Kind::Number,
        "lots volume size quantity qty shares contractsize closingquantity positionsize menge größe \
         stück volumen units",
    ),
    column("max_adverse_excursion", Kind::Number, "mae"),
    column("confidence", Kind::Number, ""),
    column("id", Kind::Any, "tradeid ticket positionid"),
    column("tags", Kind::Any, ""),
    column("reflection", Kind::Any, ""),
    column("lessons", Kind::Any, ""),
    column("exit_reasoning", Kind::Any, "notes exitreason comment note"),
    column("reasoning", Kind::Any, ""),
    column("market_context", Kind::Any, ""),
    column("context", Kind::Any, ""),
    column("context_json", Kind::Any, ""),
    column("context_regime", Kind::Any, ""),
    column("context_volatility_regime", Kind::Any, ""),
    column("context_session", Kind::Any, ""),
    column("context_atr_d1", Kind::Any, ""),
    column("context_atr_h1", Kind::Any, ""),
    // Fills.
    column(
        "price",
        Kind::Number,
        "filledprice execprice avgprice averageprice tprice tradeprice fillprice preis kurs precio",
    ),
    column("quote_amount", Kind::Number, "quoteqty filledvalue execvalue"),
    column("fee", Kind::Number, "fees commission comm commfee ibcommission execfee totalfee"),
    column("fee_currency", Kind::Any, "feecoin feeasset commissionasset feecurrency"),
    column("order_id", Kind::Any, "orderid orderno ordertxid order orderids"),
    // Patterns.
    column("discovered_at", Kind::Moment, ""),
    column("description", Kind::Any, "proposition"),
    column("sample_size", Kind::Number, "n"),
];

/// Columns of single formats, which these formats convert to ours.
const MOMENTS_OF_FORMATS: [&str; 2] = ["bought", "sold"];
const NUMBERS_OF_FORMATS: [&str; 5] = ["bought_price", "sold_price", "gross", "net", "swap"];

/// The data type of a column of ours, or of a format; any value for an unknown name.
pub fn kind(name: &str) -> Kind {
    match ours(name) {
        Some(column) => column.kind,
        None if MOMENTS_OF_FORMATS.contains(&name) => Kind::Moment,
        None if NUMBERS_OF_FORMATS.contains(&name) => Kind::Number,
        None => Kind::Any,
    }
}

/// Finds the canonical column of this name; none if the name isn't ours.
pub fn ours(name: &str) -> Option<&'static Column> {
    COLUMNS.iter().find(|column| column.name == name)
}

pub use morta_lab::as_written::{key, zone_in};

/// A key without a currency at its end: `profitusd` (currency suffix).
pub(crate) fn without_currency(key: &str) -> Option<&str> {
    let currencies = ["usdt", "usdc", "usd", "eur", "gbp", "chf", "jpy", "aud", "cad", "btc", "busd"];
    let bare = currencies.iter().find_map(|currency| key.strip_suffix(currency))?;
    (bare.len() > 1).then_some(bare)
}

/// Whether any program has a column of this name (known column alias). `grid` finds headers by it, `json` single trades and the likeliest
/// table, `sqlite` the table of an unknown program.
pub fn is_known(key: &str) -> bool {
    let is_key = |key: &str| {
        COLUMNS.iter().any(|column| column.also().any(|also| also == key) || self::key(column.name) == key)
    };
    is_key(key) || without_currency(key).is_some_and(is_key)
}

/// A column that the user has named: `Entry Price=entry_price` (column mapping).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    /// The file's name of the column.
    pub theirs: String,
    /// Our name.
    pub ours: &'static str,
}

impl FromStr for Naming {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let shape = "must be COLUMN=NAME, as in \"Entry Price=entry_price\"";
        let (theirs, name) = text.rsplit_once('=').ok_or(shape)?;
        let (theirs, name) = (theirs.trim(), name.trim());
        let column = ours(name).ok_or_else(|| {
            let names: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
            format!("{name} is no column: it must be one of {}", names.join(", "))
        })?;
        if theirs.is_empty() {
            Err(shape.to_owned())
        } else {
            Ok(Self { theirs: theirs.to_owned(), ours: column.name })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Naming, key, without_currency, zone_in};

    #[test]
    fn names_are_compared_without_case_and_signs() {
        for name in ["Entry Price", "entryPrice", "ENTRY_PRICE", " entry\u{a0}price ", "entry-price"] {
            assert_eq!(key(name), "entryprice", "{name}");
        }
        let keys = ["S / L", "P&L", "Date(UTC)", "Trade Time (UTC+0)", "Profit %"].map(key);
        assert_eq!(keys, ["sl", "pl", "date", "tradetime", "profitpct"]);
        assert_eq!((without_currency("profitusdt"), without_currency("profit")), (Some("profit"), None));
        assert_eq!(zone_in("Closing time (UTC+1)").unwrap().seconds(), 3_600);
        assert_eq!((zone_in("Date(UTC)").unwrap().seconds(), zone_in("Date")), (0, None));
        let naming = "Entry = Price=entry_price".parse::<Naming>().unwrap();
        assert_eq!((naming.theirs.as_str(), naming.ours), ("Entry = Price", "entry_price"));
        assert!("Entry Price=entry".parse::<Naming>().unwrap_err().contains("must be one of timestamp,"));
    }
}
