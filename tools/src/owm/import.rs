//! Import of another program's records into a store (data migration, trade journal import): trades become episodes, patterns become
//! beliefs, as in the specification of outcome-weighted memory, section 7.3. `exports` reads the files; `morta-memory owm import` and the
//! sharing of a database call it. The store's lock is held throughout, and the store is written once at the end. `owm validate` reads its
//! rows by `Imported::trade` too, so that another rule for R here changes its backtests.
//!
//! R (`pnl_r`) is the file's, or where that is missing the price gain over the distance of the stop; without a stop it is unknown. Money
//! is in the account's currency, moments are Unix epoch seconds, a missing confidence is .5. Trades are taken in by the time of their
//! end, whatever the order of files, because beliefs depend on it. Trades from before the store's newest moment are taken in as late
//! ones, or with `--backfill` the store is built anew in the order of time, unless it holds more than follows from its trades.

use super::backfill::Backfill;
use super::context::{insert_lenient, lenient_fields, moment_s, written};
use super::exports::columns::ONLY_DAY;
use super::exports::row::{ExportRow, number, zone};
use super::exports::summary::Skipped;
use super::exports::{self, Export, Options, Reading, Table, has_patterns, side};
use super::files;
use super::inferred::complete;
use super::log;
use super::mistake::Mistake;
use super::priced::Prices;
use super::remember::{self, Account};
use super::same::{Held, id_of};
use super::store::Store;
use crate::notes::Notes;
use morta_lab::error::{Error, Result};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The request for an import: files of trades and patterns, and the store that takes them in.
#[derive(Clone, Copy, Debug)]
pub struct ImportRequest<'a> {
    /// The folder of the store; created if it doesn't exist.
    pub store: &'a Path,
    /// Trades: an export of a broker or of a program that tests strategies, JSON lines, or a database.
    pub trades: &'a Path,
    /// Patterns, in the same formats. If none, the patterns of `trades`, where that is a database which has them.
    pub patterns: Option<&'a Path>,
    /// The time zone of moments that name none.
    pub zone: &'a str,
    /// Equity of a new store, in the account's currency.
    pub equity: f64,
    /// Whether an existing store is built anew in the order of time; otherwise rows older than its newest trade are taken in as late ones.
    pub backfill: bool,
    /// Price series that complete contexts without market data.
    pub prices: &'a Prices,
}

/// What an import has changed, in counts of trades, patterns and skipped rows.
#[derive(Debug, Default, Serialize)]
pub struct Imported {
    /// Counts of the lines that the store accepted.
    #[serde(flatten)]
    pub account: Account,
    /// Trades whose R was computed from their stop.
    pub r_from_stop: u64,
    /// Trades whose regime was inferred from a description.
    pub regimes_inferred: u64,
    /// Trades whose session was inferred from the hour.
    pub sessions_inferred: u64,
    /// Trades whose id was taken by another trade, and that received a longer id.
    pub renamed: u64,
    /// The program that wrote the file, and the kind of export.
    pub format: String,
    /// Numbers of skipped rows by reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped_by: BTreeMap<String, u64>,
    /// Closed trades with neither an R nor a stop.
    #[serde(skip)]
    r_unknown: u64,
    /// Trades whose stop lies on the winning side of the entry.
    #[serde(skip)]
    stops_moved: u64,
    /// Assumptions that the reader of the format made.
    #[serde(skip)]
    remarks: Vec<String>,
}

/// A line of a log, its moment in seconds, and its source as (file, line).
struct Line {
    at_s: f64,
    place: (usize, usize),
    fields: Map<String, Value>,
}

/// Imports trades and patterns in the order of time, whatever the order of the files, because beliefs and habits depend on the order
/// (trade history import).
///
/// # Errors
/// [`Error::Invalid`] when a file or the store can't be read, a new store would be empty, or the zone is unknown.
pub fn import(request: &ImportRequest<'_>, notes: Notes<'_>) -> Result<Imported> {
    import_as(request, &Reading::default(), notes)
}

/// Imports as [`import`] does, with the user's `reading` hints for a file that leaves something open.
///
/// # Errors
/// As [`import`].
pub fn import_as(request: &ImportRequest<'_>, reading: &Reading<'_>, notes: Notes<'_>) -> Result<Imported> {
    let zone = zone(request.zone).map_err(|what| Error::invalid(what.to_string()))?;
    let _lock = Store::lock(request.store)?;
    let is_new = !Store::exists(request.store);
    let mut store = remember::open(&remember::RememberRequest {
        store: request.store,
        log: request.trades,
        equity: request.equity,
        config: None,
        strict: false,
        prices: request.prices,
    })?;
    let mut held = Held::from_store(&store);
    let is_older = request.backfill && !is_new;
    let before = if is_older { Backfill::from_store(&mut store, request.equity) } else { None };
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
    let options = Options { zone: &zone, reading: *reading };
    gathered.take_files(request, &options, &mut imported)?;
    gathered.lines.iter_mut().try_for_each(|line| request.prices.complete(&mut line.fields))?;
    imported.renamed = gathered.carry_out(&mut store, &mut held, &mut imported.account);
    if let Some(before) = before {
        // Of the store's own trades some may have been refused this time, by a rule that is newer than the store.
        imported.account.trades = imported.account.trades.saturating_sub(before.lines.len() as u64);
        before.repeat_recalls(&mut store);
    }
    gathered.mistakes.sort_by_key(|(place, _)| *place);
    let mut skipped = Skipped::default();
    for ((file, line), what) in &gathered.mistakes {
        let place = format!("{}:{line}", gathered.names[*file]);
        if reading.every_line {
            notes(&format!("{place}: {what}; left out"));
        }
        skipped.count(&place, what);
    }
    imported.account.skipped = gathered.mistakes.len() as u64;
    imported.skipped_by = skipped.by_reason();
    if is_new && store.episodes_ever() == 0 && imported.account.beliefs_seeded == 0 {
        let what = format!("holds no trade that can be taken over; no store is made: {skipped}");
        return Err(files::refuse(request.trades, what));
    }
    store.save()?;
    notes(&imported.summary(request.trades, &skipped));
    Ok(imported)
}

/// Lines of all sources, and the rows that couldn't be read.
#[derive(Default)]
struct Gathered {
    /// The sources, as messages name them.
    names: Vec<String>,
    /// Lines to be carried out, sorted by moment before that.
    lines: Vec<Line>,
    /// Errors by (source, line): of rows that couldn't be read, and of lines that the store refused.
    mistakes: Vec<((usize, usize), Mistake)>,
}

impl Gathered {
    /// Adds the store's own trades. They come first, so that of two trades with one id the store's counts.
    fn take_store(&mut self, folder: &Path, exported: &[Value]) {
        let file = self.names.len();
        self.names.push(files::shown(folder));
        self.lines.extend(exported.iter().zip(1..).filter_map(|(line, place)| {
            let (at_s, fields) = (moment_s(line.get("timestamp")?)?, line.as_object()?.clone());
            Some(Line { at_s, place: (file, place), fields })
        }));
    }

    /// Adds the rows of the files to import.
    fn take_files(
        &mut self,
        request: &ImportRequest<'_>,
        options: &Options<'_>,
        imported: &mut Imported,
    ) -> Result<()> {
        let of_same = if has_patterns(request.trades)? { Some(request.trades) } else { None };
        let patterns = request.patterns.or(of_same).map(|path| (path, Table::Patterns));
        for (path, table) in std::iter::once((request.trades, Table::Trades)).chain(patterns) {
            let Export { name, format, rows, remarks } = exports::read(path, table, options)?;
            let file = self.names.len();
            self.names.push(name);
            if table == Table::Trades {
                format.clone_into(&mut imported.format);
                imported.remarks = remarks;
            }
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

    /// Carries out all lines in the order of time. A trade that the store holds already is counted as known: one with an id by that, or by
    /// the longer one that it got; one that has no id, or had none when it was taken in, by its content. Returns the number of trades whose
    /// id belonged to another trade.
    fn carry_out(&mut self, store: &mut Store, held: &mut Held, account: &mut Account) -> u64 {
        self.lines.sort_by(|a, b| a.at_s.total_cmp(&b.at_s).then(a.place.cmp(&b.place)));
        let mut renamed = 0;
        for Line { place, mut fields, .. } in self.lines.drain(..) {
            if !fields.contains_key("action") {
                if held.matches(&fields) {
                    account.known += 1;
                    continue;
                }
                let is_bare = !fields.contains_key("id");
                let other = held.opened_as(&fields).or_else(|| is_bare.then(|| id_of(&fields, store)));
                if let Some(id) = other {
                    fields.insert("id".to_owned(), id.into());
                }
            }
            let mut done = log::carry_out(store, &Value::Object(fields.clone()).to_string());
            if let Err(Mistake::IdAgain(id)) = &done {
                // A broker's numbering restarts with another account, so an equal id doesn't prove an equal trade: the trade is kept under a longer
                // id.
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
    /// One line on what was read, taken and skipped, and what is to be known of it.
    fn summary(&self, path: &Path, skipped: &Skipped) -> String {
        let Account { lines, trades, closed, .. } = self.account;
        let mut parts = vec![format!(
            "{}: {}: {lines} rows read, {} taken, {skipped}",
            files::shown(path),
            self.format,
            trades + closed + self.account.beliefs_seeded,
        )];
        if self.account.known > 0 {
            parts.push(format!("{} are in the store already", self.account.known));
        }
        if self.renamed > 0 {
            parts.push(format!("{} have the id of another trade and got a longer one", self.renamed));
        }
        parts.extend(self.remarks.iter().cloned());
        if self.stops_moved > 0 {
            parts.push(format!(
                "{} stops stand where the trade gains, moved since: no R follows",
                self.stops_moved
            ));
        }
        if self.r_unknown > 0 {
            parts.push(format!(
                "R of {} trades is unknown (no stop, no R): they are recalled, count in equity and habits, and in beliefs by their sign; Kelly fractions and \
                 the state of mind learn from R alone",
                self.r_unknown
            ));
        }
        parts.join("; ")
    }

    /// The moment of a trade's end (of its entry, while it is open), and the trade as a line of a log.
    pub(super) fn trade(&mut self, row: &ExportRow) -> Result<(f64, Map<String, Value>), Mistake> {
        let opened = row.number("timestamp")?.ok_or(Mistake::NoTimestamp)?;
        let hold = row.number("hold_duration_seconds")?;
        let closed = row.number("exit_timestamp")?;
        let at_s = closed.or(hold.map(|hold| opened + hold)).unwrap_or(opened);
        let mut context = context_of(row)?;
        let side = row.needed(&["direction"])?;
        let is_long = side::is_long(&side).ok_or(Mistake::NoDirection(side))?;
        let priced = |name: &'static str,
                      context: &Map<String, Value>,
                      inner: &[&str]|
         -> Result<Option<f64>, Mistake> {
            let own = row.number(name)?;
            let inner = inner.iter().find_map(|name| Some(number(name, context.get(*name)?))).transpose()?;
            Ok(own.or(inner))
        };
        let entry = priced("entry_price", &context, &["entry_price", "price"])?.or(row.number("price")?);
        let entry = entry.ok_or(Mistake::NoColumn("entry_price"))?;
        let exit = row.number("exit_price")?;
        // Programs write a stop of 0 where there is none.
        let stop = priced("stop_loss", &context, &["stop_loss"])?.filter(|stop| *stop != 0.0);
        let sign = if is_long { 1.0 } else { -1.0 };
        let given_r = row.number("pnl_r")?;
        let risk = stop.map(|stop| sign * (entry - stop));
        let by_stop = || {
            // A stop that was moved beyond the entry says nothing about the risk taken at the entry, so no R follows from it.
            let risk = risk.filter(|risk| *risk > 0.0)?;
            exit.map(|exit| sign * (exit - entry) / risk)
        };
        let pnl_r = given_r.or_else(by_stop);
        let pnl = row.number("pnl")?;
        self.r_from_stop += u64::from(given_r.is_none() && pnl_r.is_some());
        let has_ended = exit.is_some() || pnl.is_some();
        self.r_unknown += u64::from(pnl_r.is_none() && has_ended);
        self.stops_moved +=
            u64::from(given_r.is_none() && exit.is_some() && risk.is_some_and(|risk| risk <= 0.0));
        self.infer(&mut context, row, opened);
        let hold = hold.or((at_s > opened).then_some(at_s - opened));
        let numbers = [
            ("entry_price", Some(entry)),
            ("exit_price", exit),
            ("pnl", pnl),
            ("pnl_r", pnl_r),
            // Some programs write a sold quantity as a negative number.
            ("lot_size", row.number("lot_size")?.map(f64::abs)),
            ("hold_duration_seconds", hold),
            ("max_adverse_excursion", row.number("max_adverse_excursion")?),
            ("confidence", Some(row.number("confidence")?.unwrap_or(0.5))),
        ];
        // Episodes of the original program have a symbol only in their context, if at all.
        let in_context = || context.get("symbol").and_then(Value::as_str).map(str::to_owned);
        let symbol = row.text(&["symbol"]).or_else(in_context).ok_or(Mistake::NoColumn("symbol"))?;
        let mut fields = Map::new();
        fields.insert("timestamp".to_owned(), written(at_s));
        let words = [
            ("id", row.text(&["id"])),
            ("symbol", Some(symbol)),
            ("strategy_name", Some(row.needed(&["strategy"])?)),
            ("direction", Some(side::name(is_long).to_owned())),
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

    /// Infers the regime from a description that names exactly one, and the session from the hour.
    fn infer(&mut self, context: &mut Map<String, Value>, row: &ExportRow, opened_s: f64) {
        let known = |context: &Map<String, Value>| {
            ["regime", "session"].map(|name| u64::from(context.contains_key(name)))
        };
        // A file with days and no hours would otherwise give every trade the session of midnight. Null stops the inference.
        if row.any(&[ONLY_DAY]).is_some() && !context.contains_key("session") {
            context.insert("session".to_owned(), Value::Null);
        }
        let before = known(context);
        complete(context, row.text(&["market_context", "context", "reasoning"]).as_deref(), opened_s);
        let [regime, session] = known(context);
        self.regimes_inferred += regime - before[0];
        self.sessions_inferred += session - before[1];
    }
}

/// The market context: an object, a text that holds one, or words. Labels outside our vocabulary are kept under another name.
fn context_of(row: &ExportRow) -> Result<Map<String, Value>, Mistake> {
    const MEASURED: [&str; 7] =
        ["atr_d1", "atr_h1", "spread_as_atr_pct", "drawdown_pct", "price", "entry_price", "stop_loss"];
    const FIELDS: [(&str, &str); 5] = [
        ("regime", "context_regime"),
        ("volatility_regime", "context_volatility_regime"),
        ("session", "context_session"),
        ("atr_d1", "context_atr_d1"),
        ("atr_h1", "context_atr_h1"),
    ];
    let written = row.any(&["market_context", "context", "context_json"]);
    let mut context = written.map(|(_, value)| lenient_fields(value)).unwrap_or_default();
    for (field, column) in FIELDS {
        if let Some((_, value)) = row.any(&[column]) {
            insert_lenient(&mut context, field.to_owned(), value.clone());
        }
    }
    for (name, value) in context.iter_mut().filter(|(name, _)| MEASURED.contains(&name.as_str())) {
        if value.is_string() {
            *value = Value::from(number(name, value)?);
        }
    }
    Ok(context)
}

fn tags(row: &ExportRow) -> Value {
    let Some((_, written)) = row.any(&["tags"]) else { return json!([]) };
    let list = written.as_str().and_then(|text| serde_json::from_str::<Vec<String>>(text).ok());
    match (written, list) {
        (_, Some(list)) => json!(list),
        (Value::String(text), None) => {
            json!(text.split(',').map(str::trim).filter(|tag| !tag.is_empty()).collect::<Vec<_>>())
        }
        (Value::Array(tags), None) => json!(tags.iter().filter_map(Value::as_str).collect::<Vec<_>>()),
        _ => json!([]),
    }
}

/// A pattern becomes a belief that such trades gain, valid for its strategy and symbol: alpha = 1 + confidence·n, beta = 1 + (1 − confidence)·n, with
/// n cases (section 7.3 of the specification).
fn pattern(row: &ExportRow) -> Result<(f64, Map<String, Value>), Mistake> {
    let at_s = row
        .number("discovered_at")?
        .or(row.number("timestamp")?)
        .ok_or(Mistake::NoColumn("discovered_at"))?;
    let (strategy, symbol) = (row.text(&["strategy"]), row.text(&["symbol"]));
    let mut conditions = Map::new();
    let mut fields = Map::new();
    for (condition, field, word) in [("strategy", "strategy_name", strategy), ("symbol", "symbol", symbol)] {
        if let Some(word) = word {
            conditions.insert(condition.to_owned(), Value::from(word.clone()));
            fields.insert(field.to_owned(), Value::from(word));
        }
    }
    if conditions.is_empty() {
        return Err(Mistake::PatternOfNothing("strategy or symbol"));
    }
    let confidence = row.number("confidence")?.ok_or(Mistake::NoColumn("confidence"))?;
    let cases = row.number("sample_size")?.ok_or(Mistake::NoColumn("sample_size"))?;
    for (name, value) in [
        ("action", Value::from("seed_belief")),
        ("timestamp", written(at_s)),
        ("proposition", Value::from(row.needed(&["description"])?)),
        ("outcome", Value::from("profitable")),
        ("validity_conditions", Value::Object(conditions)),
        ("confidence", Value::from(confidence)),
        ("sample_size", Value::from(cases.max(0.0) as u32)),
    ] {
        fields.insert(name.to_owned(), value);
    }
    Ok((at_s, fields))
}
