//! Market data for contexts that lack it, from files of bars that the user gives by `--prices SYMBOL=FILE` (feature enrichment from OHLC
//! bars). `remember`, `import` and the server's `remember_trade` complete a trade before it is carried out (with `--backfill` the store's
//! own trades too); recalls, and trades taken in from a shared database, aren't completed. Only trades of that symbol are completed, only
//! with fields they lack, and only from closes at or before the entry: a later close would leak what the trader couldn't know (look-ahead
//! bias). Prices and true ranges are in the file's units. Without a close in the last 100 bar lengths nothing is added.

use super::context::moment_s;
use crate::limits;
use crate::validation::plan::RegimeConfig;
use crate::validation::trades;
use morta_lab::bars::{self, BarsError, Days};
use morta_lab::error::{Error, Result};
use morta_memories::owm::context::ContextVector;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// Number of bars after which the last one is too old to describe the present. Our choice: 100 hourly bars cover a weekend, and a file that is
/// updated daily.
const BARS_STALE: f64 = 100.0;

/// Files of prices, by symbol (price bars by symbol), each with a cache that its modification time invalidates.
#[derive(Debug, Default)]
pub struct Prices(Vec<PriceFile>);

#[derive(Debug)]
struct PriceFile {
    symbol: String,
    path: PathBuf,
    /// The modification time and the readings of the last reading; read again if the time differs.
    read: Mutex<Option<(Option<SystemTime>, Readings)>>,
}

/// The market at the close of each bar.
#[derive(Debug)]
struct Readings {
    /// End of each bar, in seconds since 1970.
    ends_s: Vec<f64>,
    /// The context at each end, from that bar and earlier ones.
    contexts: Vec<ContextVector>,
    /// Duration of a bar in seconds.
    bar_s: f64,
}

impl Prices {
    /// Reads `SYMBOL=FILE` arguments (price files). The files are read at once, so that a wrong one is reported before any trade is taken
    /// in.
    ///
    /// # Errors
    /// [`Error::Invalid`] when an argument isn't of that form, or its file can't be read as bars.
    pub fn from_arguments(named: &[String]) -> Result<Self> {
        let file = |named: &String| {
            let (symbol, path) = named
                .split_once('=')
                .filter(|(symbol, path)| !symbol.is_empty() && !path.is_empty())
                .ok_or_else(|| {
                    Error::invalid(format!("--prices {named:?}: must be SYMBOL=FILE, as XAUUSD=gold.csv"))
                })?;
            let file = PriceFile { symbol: symbol.to_owned(), path: path.into(), read: Mutex::new(None) };
            file.at(0.0)?;
            Ok(file)
        };
        Ok(Self(named.iter().map(file).collect::<Result<_>>()?))
    }

    /// Whether no file was given (no price files): then lines needn't be parsed for completion.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds regime, volatility, ranges and price to a trade's context, as of the last close before its entry (feature enrichment). Fields that the
    /// context has are kept. A later close would leak what the trader couldn't know.
    ///
    /// # Errors
    /// [`Error::Invalid`] when a file has changed and can't be read any more.
    pub fn complete(&self, action: &mut Map<String, Value>) -> Result<()> {
        let is_trade = action.get("action").is_none_or(|name| name == "remember_trade");
        let symbol = action.get("symbol").and_then(Value::as_str).unwrap_or_default();
        let Some(file) = self.0.iter().find(|file| is_trade && file.symbol.eq_ignore_ascii_case(symbol))
        else {
            return Ok(());
        };
        let moment = |name: &str| action.get(name).and_then(moment_s);
        let held_s = action.get("hold_duration_seconds").and_then(Value::as_f64).unwrap_or(0.0);
        // A report at the close has no moment of entry, so the holding time is subtracted.
        let entered = moment("entry_time").or_else(|| moment("timestamp").map(|ended| ended - held_s));
        let Some(market) = entered.map(|entered| file.at(entered)).transpose()?.flatten() else {
            return Ok(());
        };
        let market_fields: Vec<(&str, Value)> = [
            ("regime", market.regime.map(|it| it.name().into())),
            ("volatility_regime", market.volatility_regime.map(|it| it.name().into())),
            ("atr_d1", market.atr_d1.map(Value::from)),
            ("atr_h1", market.atr_h1.map(Value::from)),
            ("price", market.price.map(Value::from)),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
        .filter(|(name, _)| action.get(&format!("context_{name}")).is_none_or(Value::is_null))
        .collect();
        let context = action.entry("context").or_insert_with(|| Map::new().into());
        if let Value::Object(context) = context {
            for (name, value) in market_fields {
                context.entry(name).or_insert(value);
            }
        }
        Ok(())
    }
}

impl PriceFile {
    /// The market at a moment; none before the first close, and none more than 100 bars after the last. A changed file is read again, because a
    /// server outlives its files.
    fn at(&self, moment_s: f64) -> Result<Option<ContextVector>> {
        let changed = std::fs::metadata(&self.path).and_then(|about| about.modified()).ok();
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.as_ref().is_none_or(|(of, _)| *of != changed) {
            *read = Some((changed, Readings::read(&self.path)?));
        }
        Ok(read.as_ref().and_then(|(_, readings)| readings.at(moment_s)))
    }
}

impl Readings {
    fn read(path: &Path) -> Result<Self> {
        let whole = Days { start_s: None, end_s: None };
        let (bars, _) = bars::read(path, whole, limits::now()).map_err(|error| match error {
            BarsError::Unreadable(why) => Error::at(path, format!("can't be read: {why}")),
            BarsError::Content(line) => Error::invalid(line),
        })?;
        let steps = bars.windows(2).map(|pair| pair[1].open_time_s - pair[0].open_time_s);
        // The shortest step is the duration of a bar, because gaps such as weekends only make steps longer.
        let bar_s = steps.min().unwrap_or(0) as f64;
        let contexts = trades::read(&bars, &RegimeConfig::default()).into_iter().map(|seen| seen.context);
        let ends_s = bars.iter().map(|bar| bar.open_time_s as f64 + bar_s).collect();
        Ok(Self { ends_s, contexts: contexts.collect(), bar_s })
    }

    fn at(&self, moment_s: f64) -> Option<ContextVector> {
        let place = self.ends_s.partition_point(|end| *end <= moment_s).checked_sub(1)?;
        let is_fresh = moment_s - self.ends_s[place] <= BARS_STALE * self.bar_s;
        is_fresh.then(|| self.contexts[place])
    }
}
