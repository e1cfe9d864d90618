//! Records of another program become a store: trades become episodes and patterns beliefs, by the document's migration (section 7.3).

use super::backfill::Backfill;
use super::context::{as_told, insert_told, moment_s, written};
use super::exports::columns::ONLY_DAY;
use super::exports::row::{Row, number, zone};
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

/// What is to be taken over, and where.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The folder of the store; made if it isn't there.
    pub store: &'a Path,
    /// Trades: an export of a broker or of a program that tests strategies, JSON lines, or a database.
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
    /// The program that wrote the file, and which export of it.
    pub format: String,
    /// Rows that were left out, by the reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped_by: BTreeMap<String, u64>,
    /// Trades of which neither R nor a stop is known.
    #[serde(skip)]
    r_unknown: u64,
    /// Trades whose stop is where they gain.
    #[serde(skip)]
    stops_moved: u64,
    /// What was assumed of the file.
    #[serde(skip)]
    remarks: Vec<String>,
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
    import_as(request, &Reading::default(), notes)
}

/// The same, of a file that needs a word on how it is to be read.
///
/// # Errors
/// As [`import`].
pub fn import_as(request: &Request<'_>, reading: &Reading<'_>, notes: Notes<'_>) -> Result<Imported> {
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
    let options = Options { zone: &zone, reading: *reading };
    gathered.take_files(request, &options, &mut imported)?;
    gathered.lines.iter_mut().try_for_each(|line| request.prices.complete(&mut line.fields))?;
    imported.renamed = gathered.carry_out(&mut store, &mut held, &mut imported.account);
    if let Some(before) = before {
        imported.account.trades -= before.lines.len() as u64;
        before.note_recalls(&mut store);
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
    if is_new && store.told() == 0 && imported.account.beliefs_seeded == 0 {
        let what = format!("holds no trade that can be taken over; no store is made: {skipped}");
        return Err(files::refuse(request.trades, what));
    }
    store.save()?;
    notes(&imported.summary(request.trades, &skipped));
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
    fn take_files(
        &mut self,
        request: &Request<'_>,
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

    /// When a trade ended, or was entered, and the line of a log that it becomes.
    pub(super) fn trade(&mut self, row: &Row) -> Result<(f64, Map<String, Value>), Mistake> {
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
            let told = row.number(name)?;
            let inner = inner.iter().find_map(|name| Some(number(name, context.get(*name)?))).transpose()?;
            Ok(told.or(inner))
        };
        let entry = priced("entry_price", &context, &["entry_price", "price"])?.or(row.number("price")?);
        let entry = entry.ok_or(Mistake::NoColumn("entry_price"))?;
        let exit = row.number("exit_price")?;
        // Programs write 0 where there is no stop.
        let stop = priced("stop_loss", &context, &["stop_loss"])?.filter(|stop| *stop != 0.0);
        let sign = if is_long { 1.0 } else { -1.0 };
        let told_r = row.number("pnl_r")?;
        let risk = stop.map(|stop| sign * (entry - stop));
        let by_stop = || {
            // A stop that was moved to where the trade gains says nothing of what was risked.
            let risk = risk.filter(|risk| *risk > 0.0)?;
            exit.map(|exit| sign * (exit - entry) / risk)
        };
        let pnl_r = told_r.or_else(by_stop);
        let pnl = row.number("pnl")?;
        self.r_from_stop += u64::from(told_r.is_none() && pnl_r.is_some());
        let has_ended = exit.is_some() || pnl.is_some();
        self.r_unknown += u64::from(pnl_r.is_none() && has_ended);
        self.stops_moved +=
            u64::from(told_r.is_none() && exit.is_some() && risk.is_some_and(|risk| risk <= 0.0));
        self.infer(&mut context, row, opened);
        let hold = hold.or((at_s > opened).then_some(at_s - opened));
        let numbers = [
            ("entry_price", Some(entry)),
            ("exit_price", exit),
            ("pnl", pnl),
            ("pnl_r", pnl_r),
            // Some programs write what is sold as a negative quantity.
            ("lot_size", row.number("lot_size")?.map(f64::abs)),
            ("hold_duration_seconds", hold),
            ("max_adverse_excursion", row.number("max_adverse_excursion")?),
            ("confidence", Some(row.number("confidence")?.unwrap_or(0.5))),
        ];
        // Episodes of the original know their symbol by their circumstances, if at all.
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

    /// A regime out of what is described, where just one is; a session out of the hour.
    fn infer(&mut self, context: &mut Map<String, Value>, row: &Row, opened_s: f64) {
        let known = |context: &Map<String, Value>| {
            ["regime", "session"].map(|name| u64::from(context.contains_key(name)))
        };
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

/// The circumstances: an object, a text that is one, or words; labels that aren't ours are kept under another name.
fn context_of(row: &Row) -> Result<Map<String, Value>, Mistake> {
    const MEASURED: [&str; 7] =
        ["atr_d1", "atr_h1", "spread_as_atr_pct", "drawdown_pct", "price", "entry_price", "stop_loss"];
    const FIELDS: [(&str, &str); 5] = [
        ("regime", "context_regime"),
        ("volatility_regime", "context_volatility_regime"),
        ("session", "context_session"),
        ("atr_d1", "context_atr_d1"),
        ("atr_h1", "context_atr_h1"),
    ];
    let told = row.any(&["market_context", "context", "context_json"]);
    let mut context = told.map(|(_, value)| as_told(value)).unwrap_or_default();
    for (field, column) in FIELDS {
        if let Some((_, value)) = row.any(&[column]) {
            insert_told(&mut context, field.to_owned(), value.clone());
        }
    }
    for (name, value) in context.iter_mut().filter(|(name, _)| MEASURED.contains(&name.as_str())) {
        if value.is_string() {
            *value = Value::from(number(name, value)?);
        }
    }
    Ok(context)
}

fn tags(row: &Row) -> Value {
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
fn pattern(row: &Row) -> Result<(f64, Map<String, Value>), Mistake> {
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
        return Err(Mistake::PatternOfNothing);
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
