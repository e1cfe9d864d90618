//! Records of another program become a store: trades become episodes and patterns beliefs, by the document's migration (section 7.3).

use super::backfill::Backfill;
use super::context::{moment_s, written};
use super::files;
use super::inferred::complete;
use super::log;
use super::mistake::Mistake;
use super::priced::Prices;
use super::remember::{self, Account};
use super::rows::{Row, Rows, Table, has_patterns, number, rows, zone};
use super::same::{Held, id_of};
use super::store::Store;
use crate::notes::Notes;
use jiff::tz::TimeZone;
use morta_lab::error::{Error, Result};
use morta_memories::owm::context::{Regime, Session, VolatilityRegime};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::path::Path;

/// What is to be taken over, and where.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The folder of the store; made if it isn't there.
    pub store: &'a Path,
    /// Trades: a CSV with a header, JSON lines, or a database of TradeMemory's.
    pub trades: &'a Path,
    /// Patterns, in the same way; when none, those of the database, if it is one.
    pub patterns: Option<&'a Path>,
    /// The zone of moments that name none.
    pub zone: &'a str,
    /// Equity that a new store begins with.
    pub equity: f64,
    /// Whether rows may be from before what the store knows; it is made anew then.
    pub backfill: bool,
    /// Where contexts that leave the market out are completed from.
    pub prices: &'a Prices,
}

/// What came of it.
#[derive(Debug, Default, Serialize)]
pub struct Imported {
    /// What the store has taken in.
    #[serde(flatten)]
    pub account: Account,
    /// Trades whose R follows from their stop.
    pub r_from_stop: u64,
    /// Trades whose regime was read out of a description.
    pub regimes_inferred: u64,
    /// Trades whose session follows from the hour.
    pub sessions_inferred: u64,
    /// Trades whose id names another trade of the store, and that got a longer one.
    pub renamed: u64,
}

/// A line of a log, when it is of, and what it was made from.
struct Line {
    at_s: f64,
    place: (usize, usize),
    fields: Map<String, Value>,
}

/// Takes over trades and patterns in the order of time, whatever the order of the files.
///
/// # Errors
/// [`Error::Invalid`] when a file or the store can't be read, nothing can be taken over into a new store, or the zone isn't one.
pub fn import(request: &Request<'_>, notes: Notes<'_>) -> Result<Imported> {
    let zone = zone(request.zone).map_err(|what| Error::invalid(what.to_string()))?;
    let _lock = Store::lock(request.store)?;
    let is_new = !Store::exists(request.store);
    let mut store = remember::open(&remember::Request {
        store: request.store,
        log: request.trades,
        equity: request.equity,
        config: None,
        strict: false,
        prices: request.prices,
    })?;
    let mut held = Held::of(&store);
    let is_older = request.backfill && !is_new;
    let before = if is_older { Backfill::of(&mut store, request.equity) } else { None };
    if is_older && before.is_none() {
        notes(&format!(
            "{}: holds more than follows from its trades (plans, beliefs or equities that were reported, trades that came late, or another --equity), which is \
             kept: trades from before are taken in as late ones",
            request.store.display()
        ));
    }
    let (mut imported, mut gathered) = (Imported::default(), Gathered::default());
    if let Some(before) = &before {
        gathered.take_store(request.store, &before.lines);
    }
    gathered.take_files(request, &zone, &mut imported)?;
    gathered.lines.iter_mut().try_for_each(|line| request.prices.complete(&mut line.fields))?;
    imported.renamed = gathered.carry_out(&mut store, &mut held, &mut imported.account);
    if let Some(before) = before {
        imported.account.trades -= before.lines.len() as u64;
        before.note_recalls(&mut store);
    }
    gathered.mistakes.sort_by_key(|(place, _)| *place);
    for ((file, line), what) in &gathered.mistakes {
        notes(&format!("{}:{line}: {what}; left out", gathered.names[*file]));
    }
    imported.account.skipped = gathered.mistakes.len() as u64;
    if is_new && store.told() == 0 && imported.account.beliefs_seeded == 0 {
        return Err(files::refuse(request.trades, "holds no trade that can be taken over; no store is made"));
    }
    store.save()?;
    Ok(imported)
}

/// Lines of several sources, and what can't be one.
#[derive(Default)]
struct Gathered {
    /// The sources, as messages name them.
    names: Vec<String>,
    lines: Vec<Line>,
    mistakes: Vec<((usize, usize), Mistake)>,
}

impl Gathered {
    /// What a store held; of two trades of one id it is the store's that counts, so it comes first.
    fn take_store(&mut self, folder: &Path, told: &[Value]) {
        let file = self.names.len();
        self.names.push(files::shown(folder));
        self.lines.extend(told.iter().zip(1..).filter_map(|(line, place)| {
            let (at_s, fields) = (moment_s(line.get("timestamp")?)?, line.as_object()?.clone());
            Some(Line { at_s, place: (file, place), fields })
        }));
    }

    /// The rows of what is to be imported.
    fn take_files(&mut self, request: &Request<'_>, zone: &TimeZone, imported: &mut Imported) -> Result<()> {
        let of_same = if has_patterns(request.trades)? { Some(request.trades) } else { None };
        let patterns = request.patterns.or(of_same).map(|path| (path, Table::Patterns));
        for (path, table) in std::iter::once((request.trades, Table::Trades)).chain(patterns) {
            let Rows { name, rows } = rows(path, table, zone)?;
            let file = self.names.len();
            self.names.push(name);
            for (line, row) in rows {
                imported.account.lines += 1;
                let read = row.and_then(|row| match table {
                    Table::Trades => imported.trade(&row),
                    Table::Patterns => pattern(&row),
                });
                match read {
                    Ok((at_s, fields)) => self.lines.push(Line { at_s, place: (file, line), fields }),
                    Err(what) => self.mistakes.push(((file, line), what)),
                }
            }
        }
        Ok(())
    }

    /// Takes all lines into a store, in the order of time; trades that the store has already are known, whatever they are called. Returns how many had the
    /// id of another trade.
    fn carry_out(&mut self, store: &mut Store, held: &mut Held, account: &mut Account) -> u64 {
        self.lines.sort_by(|a, b| a.at_s.total_cmp(&b.at_s).then(a.place.cmp(&b.place)));
        let mut renamed = 0;
        for Line { place, mut fields, .. } in self.lines.drain(..) {
            if !fields.contains_key("id") && !fields.contains_key("action") {
                if held.takes(&fields) {
                    account.known += 1;
                    continue;
                }
                let id = held.opened_as(&fields).unwrap_or_else(|| id_of(&fields, store));
                fields.insert("id".to_owned(), id.into());
            }
            let mut done = log::carry_out(store, &Value::Object(fields.clone()).to_string());
            if let Err(Mistake::IdAgain(id)) = &done {
                // A broker's numbers begin anew with another account: nothing is lost by it.
                let longer = format!("{id}-{}", id_of(&fields, store));
                renamed += u64::from(!store.has_seen(&longer));
                fields.insert("id".to_owned(), longer.into());
                done = log::carry_out(store, &Value::Object(fields).to_string());
            }
            if let Err(what) = account.count(store, done) {
                self.mistakes.push((place, what));
            }
        }
        renamed
    }
}

impl Imported {
    /// When a trade ended, or was entered, and the line of a log that it becomes.
    pub(super) fn trade(&mut self, row: &Row<'_>) -> Result<(f64, Map<String, Value>), Mistake> {
        let opened =
            row.moment(&["timestamp", "entry_time", "open_time", "time"])?.ok_or(Mistake::NoTimestamp)?;
        let hold = row.number(&["hold_duration_seconds", "hold_duration", "hold_seconds"])?;
        let closed = row.moment(&["exit_timestamp", "exit_time", "close_time"])?;
        let at_s = closed.or(hold.map(|hold| opened + hold)).unwrap_or(opened);
        let mut context = context_of(row)?;
        let direction = direction(&row.needed(&["direction", "side", "type"])?)?;
        let priced = |names: &[&'static str],
                      context: &Map<String, Value>,
                      inner: &[&str]|
         -> Result<Option<f64>, Mistake> {
            let told = row.number(names)?;
            let inner = inner.iter().find_map(|name| Some(number(name, context.get(*name)?))).transpose()?;
            Ok(told.or(inner))
        };
        let entry = priced(&["entry_price", "open_price"], &context, &["entry_price", "price"])?;
        let entry = entry.ok_or(Mistake::NoColumn("entry_price"))?;
        let exit = row.number(&["exit_price", "close_price"])?;
        let stop = priced(&["stop_loss", "stop", "sl"], &context, &["stop_loss"])?;
        let sign = if direction == "long" { 1.0 } else { -1.0 };
        let told_r = row.number(&["pnl_r", "r_multiple"])?;
        let by_stop = || {
            let risk = (entry - stop?).abs();
            (risk > 0.0).then(|| exit.map(|exit| sign * (exit - entry) / risk)).flatten()
        };
        let pnl_r = told_r.or_else(by_stop);
        self.r_from_stop += u64::from(told_r.is_none() && pnl_r.is_some());
        self.infer(&mut context, row, opened);
        let hold = hold.or((at_s > opened).then_some(at_s - opened));
        let numbers = [
            ("entry_price", Some(entry)),
            ("exit_price", exit),
            ("pnl", row.number(&["pnl", "profit"])?),
            ("pnl_r", pnl_r),
            ("lot_size", row.number(&["lot_size", "lots", "volume"])?),
            ("hold_duration_seconds", hold),
            ("max_adverse_excursion", row.number(&["max_adverse_excursion", "mae"])?),
            ("confidence", Some(row.number(&["confidence"])?.unwrap_or(0.5))),
        ];
        // Episodes of the original know their symbol by their circumstances, if at all.
        let in_context = || context.get("symbol").and_then(Value::as_str).map(str::to_owned);
        let symbol = row.text(&["symbol"]).or_else(in_context).ok_or(Mistake::NoColumn("symbol"))?;
        let mut fields = Map::new();
        fields.insert("timestamp".to_owned(), written(at_s));
        let words = [
            ("id", row.text(&["id", "trade_id", "ticket"])),
            ("symbol", Some(symbol)),
            ("strategy_name", Some(row.needed(&["strategy", "strategy_name"])?)),
            ("direction", Some(direction.to_owned())),
            ("reflection", row.text(&["reflection", "lessons", "exit_reasoning"])),
        ];
        fields
            .extend(words.into_iter().filter_map(|(name, text)| Some((name.to_owned(), Value::from(text?)))));
        fields.extend(
            numbers.into_iter().filter_map(|(name, number)| Some((name.to_owned(), Value::from(number?)))),
        );
        fields.insert("tags".to_owned(), tags(row));
        fields.insert("context".to_owned(), Value::Object(context));
        Ok((at_s, fields))
    }

    /// A regime out of what is described, where just one is; a session out of the hour.
    fn infer(&mut self, context: &mut Map<String, Value>, row: &Row<'_>, opened_s: f64) {
        let known = |context: &Map<String, Value>| {
            ["regime", "session"].map(|name| u64::from(context.contains_key(name)))
        };
        let before = known(context);
        complete(context, row.text(&["market_context", "context", "reasoning"]).as_deref(), opened_s);
        let [regime, session] = known(context);
        self.regimes_inferred += regime - before[0];
        self.sessions_inferred += session - before[1];
    }
}

fn direction(told: &str) -> Result<&'static str, Mistake> {
    match told.trim().to_lowercase().as_str() {
        "long" | "buy" => Ok("long"),
        "short" | "sell" => Ok("short"),
        _ => Err(Mistake::NoDirection(told.to_owned())),
    }
}

/// The circumstances: an object, a text that is one, or words; labels that aren't ours are kept under another name.
fn context_of(row: &Row<'_>) -> Result<Map<String, Value>, Mistake> {
    let told = row.any(&["market_context", "context", "context_json"]).map(|(_, value)| value.clone());
    let told = match told {
        Some(Value::String(text)) => match serde_json::from_str(&text) {
            Ok(Value::Object(fields)) => Some(Value::Object(fields)),
            _ => Some(json!({ "market_context": text })),
        },
        told => told,
    };
    let mut context = Map::new();
    let columns = ["regime", "volatility_regime", "session", "atr_d1", "atr_h1"];
    let named = [
        "context_regime",
        "context_volatility_regime",
        "context_session",
        "context_atr_d1",
        "context_atr_h1",
    ];
    let inner = told.as_ref().and_then(Value::as_object).cloned().unwrap_or_default();
    let outer = columns
        .into_iter()
        .zip(named)
        .filter_map(|(field, column)| row.any(&[column]).map(|(_, value)| (field.to_owned(), value.clone())));
    for (name, value) in inner.into_iter().chain(outer) {
        let measured =
            ["atr_d1", "atr_h1", "spread_as_atr_pct", "drawdown_pct", "price", "entry_price", "stop_loss"];
        let value = match &value {
            Value::Array(_) | Value::Object(_) | Value::Null => continue,
            text @ Value::String(_) if measured.contains(&name.as_str()) => Value::from(number(&name, text)?),
            other => other.clone(),
        };
        let is_label = match name.as_str() {
            "regime" => is::<Regime>(&value),
            "volatility_regime" => is::<VolatilityRegime>(&value),
            "session" => is::<Session>(&value),
            _ => true,
        };
        context.insert(if is_label { name } else { format!("{name}_as_told") }, value);
    }
    Ok(context)
}

fn is<T: DeserializeOwned>(value: &Value) -> bool {
    serde_json::from_value::<T>(value.clone()).is_ok()
}

fn tags(row: &Row<'_>) -> Value {
    let Some((_, told)) = row.any(&["tags"]) else { return json!([]) };
    let list = told.as_str().and_then(|text| serde_json::from_str::<Vec<String>>(text).ok());
    match (told, list) {
        (_, Some(list)) => json!(list),
        (Value::String(text), None) => {
            json!(text.split(',').map(str::trim).filter(|tag| !tag.is_empty()).collect::<Vec<_>>())
        }
        (Value::Array(tags), None) => json!(tags.iter().filter_map(Value::as_str).collect::<Vec<_>>()),
        _ => json!([]),
    }
}

/// A pattern is a belief that such trades gain, valid for its strategy and symbol: alpha = 1 + confidence·n, beta = 1 + (1 − confidence)·n.
fn pattern(row: &Row<'_>) -> Result<(f64, Map<String, Value>), Mistake> {
    let at_s = row.moment(&["discovered_at", "timestamp"])?.ok_or(Mistake::NoColumn("discovered_at"))?;
    let (strategy, symbol) = (row.text(&["strategy", "strategy_name"]), row.text(&["symbol"]));
    let mut conditions = Map::new();
    let mut fields = Map::new();
    for (condition, field, word) in [("strategy", "strategy_name", strategy), ("symbol", "symbol", symbol)] {
        if let Some(word) = word {
            conditions.insert(condition.to_owned(), Value::from(word.clone()));
            fields.insert(field.to_owned(), Value::from(word));
        }
    }
    if conditions.is_empty() {
        return Err(Mistake::PatternOfNothing);
    }
    let confidence = row.number(&["confidence"])?.ok_or(Mistake::NoColumn("confidence"))?;
    let cases = row.number(&["sample_size", "n"])?.ok_or(Mistake::NoColumn("sample_size"))?;
    for (name, value) in [
        ("action", Value::from("seed_belief")),
        ("timestamp", written(at_s)),
        ("proposition", Value::from(row.needed(&["description", "proposition"])?)),
        ("outcome", Value::from("profitable")),
        ("validity_conditions", Value::Object(conditions)),
        ("confidence", Value::from(confidence)),
        ("sample_size", Value::from(cases.max(0.0) as u32)),
    ] {
        fields.insert(name.to_owned(), value);
    }
    Ok((at_s, fields))
}
