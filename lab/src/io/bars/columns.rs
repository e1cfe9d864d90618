//! The columns of a file by their names, as many programs write them. This is header matching for OHLCV tables: open, high, low, close,
//! volume, bid and ask prices, time, symbol (ticker). A file that lacks a needed column, or has it twice, is refused instead of guessed at:
//! a wrong guess would be a market that was never recorded. Columns of other names are ignored and listed by `morta bars`. Where a table
//! has bid and ask columns, both sides are needed in full.

use super::error::{BadColumns, RowError};
use crate::io::as_written;
use morta_engine::market::Ohlc;

/// Places of the columns of a bar (column indices of OHLCV).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Columns {
    pub time: usize,
    /// The clock where the day has a column of its own.
    pub clock: Option<usize>,
    /// Open, high, low, close; of the bid when there is an ask.
    pub price: [usize; 4],
    pub ask: Option<[usize; 4]>,
    pub volume: Option<usize>,
    /// Which market a row is of; read only because rows of several would be taken for one.
    pub symbol: Option<usize>,
}

/// The name of the column of times.
pub(super) const TIME: &str = "time_utc";
/// The name of the column of volumes.
pub(crate) const VOLUME: &str = "volume";
/// The names of the columns of prices, and the last parts of those of either side.
pub(super) const PRICE: [&str; 4] = ["open", "high", "low", "close"];
pub(crate) const BID: [&str; 4] = ["bid_open", "bid_high", "bid_low", "bid_close"];
pub(super) const ASK: [&str; 4] = ["ask_open", "ask_high", "ask_low", "ask_close"];

/// What programs call the columns, without case, blanks and signs; of several that a file has the first counts. Numbers since 1970 come before
/// dates, which CryptoDataDownload has beside them: they name their zone by what they are.
const TIMES: [&str; 17] = [
    "timeutc", "unix", "unixtimestamp", "opentime", "timestamp", "datetimeutc", "datetime", "gmttime",
    "localtime", "timeeet", "windowstart", "date", "datum", "data", "time", "ts", "t",
];
/// Columns of days that a column of clocks may complete: MetaTrader and Stooq.
const DAYS: [&str; 3] = ["date", "datum", "data"];
const CLOCKS: [&str; 2] = ["time", "uhrzeit"];
/// English, and Stooq's Polish and the German of exports with decimal commas.
const PRICES: [&[&str]; 4] = [
    &["open", "openprice", "o", "otwarcie", "erster", "eröffnung"],
    &["high", "highprice", "h", "najwyzszy", "hoch"],
    &["low", "lowprice", "l", "najnizszy", "tief"],
    &["close", "closeprice", "c", "closelast", "zamkniecie", "schlusskurs", "schluss", "last", "price"],
];
/// MetaTrader's count of ticks comes before its volume, which is 0 in all currencies.
const VOLUMES: [&str; 9] =
    ["volume", "tickvol", "tickvolume", "vol", "basevolume", "volumefrom", "wolumen", "volumen", "v"];
const SYMBOLS: [&str; 5] = ["symbol", "ticker", "pair", "instrument", "sym"];

/// A name as it is compared. What stands in parentheses is a zone or a unit, but in what pandas makes of two levels: `('Close', 'AAPL')`.
fn key(name: &str) -> String {
    let name = name.trim();
    let bare = match name.strip_prefix("('") {
        Some(levels) => levels.split('\'').next().unwrap_or_default(),
        None => name.split('(').next().unwrap_or_default(),
    };
    as_written::key(bare)
}

/// How many of the names are those of times and prices: a line with enough of them is a header (header detection).
pub(super) fn known(names: &[String]) -> usize {
    let keys: Vec<String> = names.iter().map(|name| key(name)).collect();
    let has = |wanted: &[&str]| keys.iter().any(|key| wanted.contains(&key.as_str()));
    let sided = BID.iter().chain(&ASK).filter(|name| has(&[as_written::key(name).as_str()])).count();
    usize::from(has(&TIMES)) + PRICES.iter().filter(|names| has(names)).count() + sided
}

impl Columns {
    /// A row's prices, each read from its column: of one side, or of bid and ask.
    pub(super) fn sides(
        &self,
        read: impl Fn(usize, &'static str) -> Result<f64, RowError>,
    ) -> Result<(Ohlc, Option<Ohlc>), RowError> {
        let side = |[open, high, low, close]: [usize; 4]| -> Result<Ohlc, RowError> {
            Ok(Ohlc {
                open: read(open, PRICE[0])?,
                high: read(high, PRICE[1])?,
                low: read(low, PRICE[2])?,
                close: read(close, PRICE[3])?,
            })
        };
        Ok((side(self.price)?, self.ask.map(side).transpose()?))
    }

    /// Finds the columns by their names (column matching). The error says which one is missing, or there twice: of two, either could be meant.
    pub(super) fn find(names: &[&str]) -> Result<Self, BadColumns> {
        let keys: Vec<String> = names.iter().map(|name| key(name)).collect();
        // The first of the names that is there, and there once.
        let place = |wanted: &[&str], ours: &'static str| -> Result<Option<usize>, BadColumns> {
            let of = |name: &&str| keys.iter().position(|key| key == name);
            let Some(first) = wanted.iter().find_map(of) else { return Ok(None) };
            let alike = keys.iter().filter(|key| **key == keys[first]).count();
            if alike > 1 { Err(BadColumns::Twice(ours)) } else { Ok(Some(first)) }
        };
        let four = |wanted: [&[&str]; 4], ours: [&'static str; 4]| -> Result<[usize; 4], BadColumns> {
            let mut found = [0; 4];
            let is_there = |side: &usize| keys.iter().any(|key| wanted[*side].contains(&key.as_str()));
            let missing = (0..4).find(|side| !is_there(side));
            if let Some(side) = missing.filter(|_| (0..4).filter(is_there).count() < 2) {
                return Err(BadColumns::OnePrice(ours[side]));
            }
            for side in 0..4 {
                found[side] = place(wanted[side], ours[side])?.ok_or(BadColumns::Missing(ours[side]))?;
            }
            Ok(found)
        };
        let sided = |ours: [&'static str; 4]| {
            let keys = ours.map(as_written::key);
            four([&[&keys[0]], &[&keys[1]], &[&keys[2]], &[&keys[3]]], ours)
        };
        let is_sided = BID.iter().chain(&ASK).any(|name| keys.contains(&as_written::key(name)));
        let (price, ask) =
            if is_sided { (sided(BID)?, Some(sided(ASK)?)) } else { (four(PRICES, PRICE)?, None) };
        // pandas writes an index without a name as the first column.
        let unnamed = keys.first().filter(|key| key.is_empty() || *key == "unnamed0").map(|_| 0);
        let time = place(&TIMES, TIME)?.or(unnamed).ok_or(BadColumns::Missing(TIME))?;
        let clock = if DAYS.contains(&keys[time].as_str()) { place(&CLOCKS, "time")? } else { None };
        // `Volume BTC`, `Volume USDT`: the first is of what is traded.
        let named = keys.iter().position(|key| key.starts_with("volume") && key != "volumema");
        let volume = place(&VOLUMES, VOLUME)?.or(named);
        let symbol = SYMBOLS.iter().find_map(|name| keys.iter().position(|key| key == name));
        Ok(Self { time, clock, price, ask, volume, symbol })
    }

    /// Lists the column mapping: all columns that are read, but for the symbol, under our names with their places.
    pub(super) fn named(&self) -> Vec<(&'static str, usize)> {
        let sides = match self.ask {
            Some(ask) => BID.into_iter().zip(self.price).chain(ASK.into_iter().zip(ask)).collect(),
            None => PRICE.into_iter().zip(self.price).collect::<Vec<_>>(),
        };
        let times = [("time", Some(self.time)), ("clock", self.clock)];
        let times = times.into_iter().filter_map(|(ours, place)| Some((ours, place?)));
        times.chain(sides).chain(self.volume.map(|place| (VOLUME, place))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_decide_in_any_order() {
        let found = Columns::find(&["close", "low", "x", "high", "open", " time_utc"]).unwrap();
        let expected =
            Columns { time: 5, clock: None, price: [4, 3, 1, 0], ask: None, volume: None, symbol: None };
        assert_eq!(found, expected);
        let one_side = Columns::find(&["time_utc", "bid_open", "bid_high", "bid_low", "bid_close"]);
        assert!(one_side.unwrap_err().to_string().starts_with("has no column ask_open"));
        let twice = Columns::find(&["time_utc", "open", "high", "low", "close", " close"]);
        assert_eq!(twice.unwrap_err().to_string(), "has two columns close: rename one, or leave it out");
        let capitals = Columns::find(&["Date", "Open", "High", "Low", "Close", "close"]);
        assert_eq!(capitals.unwrap_err(), BadColumns::Twice("close"));
        let unused = ["time_utc", "open", "high", "low", "close", "note", "note"];
        assert!(Columns::find(&unused).is_ok(), "of others there may be many");
    }

    #[test]
    fn names_of_programs_are_known() {
        let at = |names: &str| {
            let names: Vec<&str> = names.split(',').collect();
            let Columns { time, clock, price, volume, .. } = Columns::find(&names).unwrap();
            (time, clock, price, volume)
        };
        let plain = |volume| (0, None, [1, 2, 3, 4], volume);
        assert_eq!(at("Date,Open,High,Low,Close,Adj Close,Volume"), plain(Some(6)));
        assert_eq!(at("Open time,Open,High,Low,Close,Volume,Close time"), plain(Some(5)));
        assert_eq!(at(",Open,High,Low,Close"), plain(None));
        assert_eq!(at("Time (EET),Open,High,Low,Close,Volume "), plain(Some(5)));
        assert_eq!(
            at("Datum;Erster;Hoch;Tief;Schlusskurs;Volumen".replace(';', ",").as_str()),
            plain(Some(5))
        );
        let levels = ["('Date', '')", "('Open', 'A')", "('High', 'A')", "('Low', 'A')", "('Close', 'A')"];
        assert_eq!(Columns::find(&levels).unwrap().price, [1, 2, 3, 4]);
        let crypto = at("unix,date,symbol,open,high,low,close,Volume BTC,Volume USDT,tradecount");
        assert_eq!(crypto, (0, None, [3, 4, 5, 6], Some(7)));
        let metatrader = at("<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<TICKVOL>,<VOL>,<SPREAD>");
        assert_eq!(metatrader, (0, Some(1), [2, 3, 4, 5], Some(6)));
        let stooq = at("<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>");
        assert_eq!(stooq, (2, Some(3), [4, 5, 6, 7], Some(8)));
    }
}
