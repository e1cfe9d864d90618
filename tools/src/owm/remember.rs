//! Takes a log into a store.

use super::context::moment_s;
use super::files;
use super::log::{self, Done};
use super::mistake::{Mistake, within};
use super::priced::Prices;
use super::same::Held;
use super::store::Store;
use crate::notes::Notes;
use morta_base::keys::Keys;
use morta_lab::error::{Error, Result};
use morta_memories::owm::MindConfig;
use morta_memories::owm::intentions::PlanRules;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// What is to be taken in, and where.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The folder of the store; made if it isn't there.
    pub store: &'a Path,
    /// What happened, one JSON object a line; - reads standard input.
    pub log: &'a Path,
    /// Equity that a new store begins with.
    pub equity: f64,
    /// Keys that the store is kept by from now on, a TOML file; when none, those it has, or for a new store the usual ones without a limit on
    /// episodes.
    pub config: Option<&'a Path>,
    /// Whether nothing is taken in if any line can't be.
    pub strict: bool,
    /// Where contexts that leave the market out are completed from.
    pub prices: &'a Prices,
}

/// What came of a log.
#[derive(Debug, Default, Serialize)]
pub struct Account {
    /// Lines that aren't empty.
    pub lines: u64,
    /// Trades taken in.
    pub trades: u64,
    /// Trades that were open before and are closed now.
    pub closed: u64,
    /// Equities taken in.
    pub equities: u64,
    /// Beliefs that the log brought.
    pub beliefs_seeded: u64,
    /// Beliefs that trades have formed.
    pub beliefs_formed: u64,
    /// Plans made, carried out or cancelled.
    pub plans: u64,
    /// Plans that firm beliefs and deep drawdowns have made.
    pub plans_formed: u64,
    /// Trades that the store had already.
    pub known: u64,
    /// Lines that were left out.
    pub skipped: u64,
    /// Trades that were forgotten, because their strategy had more on its symbol than `capacity` allows.
    pub forgotten: u64,
}

impl Account {
    /// Counts what a line did, and makes the plans that follow.
    pub(super) fn count(&mut self, store: &mut Store, done: Result<Done, Mistake>) -> Result<(), Mistake> {
        let done = done?;
        if matches!(done, Done::Trade(_) | Done::Closed(_) | Done::Equity) {
            self.plans_formed += u64::from(store.make_plans(store.last_s()));
        }
        match done {
            Done::Trade(formed) => {
                self.trades += 1;
                self.beliefs_formed += u64::from(formed);
            }
            Done::Closed(formed) => {
                self.closed += 1;
                self.beliefs_formed += u64::from(formed);
            }
            Done::Equity => self.equities += 1,
            Done::Belief => self.beliefs_seeded += 1,
            Done::Plan => self.plans += 1,
            Done::Known => self.known += 1,
            Done::Nothing => {}
        }
        Ok(())
    }
}

/// Episodes of one strategy on one symbol, where nobody has asked for fewer: as many as the key may say.
pub(super) const CAPACITY: u32 = 1_000_000;

/// Equity that a new store begins with where nobody says.
pub const USUAL_EQUITY: f64 = 10_000.0;

/// Takes a log into a store, which is replaced as a whole or not at all.
///
/// # Errors
/// [`Error::Invalid`] when the store or the log can't be read, and, if the request is strict, with every line that can't be taken in; the
/// store is as it was then.
pub fn remember(request: &Request<'_>, notes: Notes<'_>) -> Result<Account> {
    let _lock = Store::lock(request.store)?;
    let mut store = open(request)?;
    let before = episodes(&store);
    let (mut account, mistakes) = take_in(&mut store, request)?;
    account.forgotten = before + account.trades - episodes(&store);
    if request.strict && !mistakes.is_empty() {
        return Err(Error::all(mistakes));
    }
    mistakes.iter().for_each(|mistake| notes(&format!("{mistake}; left out")));
    if account.forgotten > 0 {
        let (forgotten, capacity) = (account.forgotten, store.mind().config().capacity);
        notes(&format!(
            "{forgotten} trades were forgotten: the store keeps the last {capacity} of a strategy on a symbol; capacity = N in a file for --config \
             changes that"
        ));
    }
    store.save()?;
    Ok(account)
}

/// How many episodes a store keeps.
pub(super) fn episodes(store: &Store) -> u64 {
    store.mind().shelves().iter().map(|shelf| shelf.records().len() as u64).sum()
}

/// The store of a request, new or as it is.
///
/// # Errors
/// When it, or the file of its keys, can't be read.
pub(super) fn open(request: &Request<'_>) -> Result<Store> {
    let asked = request.config.map(read_config).transpose()?;
    if Store::exists(request.store) {
        let mut store = Store::open(request.store)?;
        if let Some((config, rules)) = asked {
            store.mind_mut().rebind(config);
            rules.into_iter().for_each(|rules| store.plan_by(rules));
        }
        return Ok(store);
    }
    let usual = || (MindConfig { capacity: CAPACITY, ..MindConfig::default() }, None);
    let (config, rules) = asked.unwrap_or_else(usual);
    let equity =
        within("--equity", request.equity, 0.0, 1e15).map_err(|what| Error::invalid(what.to_string()))?;
    let mut store = Store::new(request.store, config, equity);
    rules.into_iter().for_each(|rules| store.plan_by(rules));
    Ok(store)
}

/// The keys of a store: those of the mind, and in a table `plans` those by which plans are made.
fn read_config(path: &Path) -> Result<(MindConfig, Option<PlanRules>)> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Error::invalid(format!("{shown}: can't be read: {error}")))?;
    let wrong = |error: toml::de::Error| {
        let before = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text.as_bytes()[..before].iter().filter(|byte| **byte == b'\n').count();
        let what = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
        Error::invalid(format!("{shown}:{line}: {what}"))
    };
    let mut keys: toml::Table = toml::from_str(&text).map_err(wrong)?;
    let rules = keys.remove("plans");
    // Without its other table the file is read as it stands, so that mistakes have a line.
    let mut config: MindConfig = match &rules {
        None => toml::from_str(&text).map_err(wrong)?,
        Some(_) => keys
            .clone()
            .try_into()
            .map_err(|error: toml::de::Error| Error::invalid(format!("{shown}: {}", error.message())))?,
    };
    let rules: Option<PlanRules> = rules
        .map(toml::Value::try_into)
        .transpose()
        .map_err(|error: toml::de::Error| Error::invalid(format!("{shown}: plans: {}", error.message())))?;
    // The arena's memories are bounded; a user's own records are forgotten only where the user says so.
    if !keys.contains_key("capacity") {
        config.capacity = CAPACITY;
    }
    let mut problems = config.problems("");
    problems.extend(rules.iter().flat_map(|rules| rules.problems("plans")));
    if problems.is_empty() {
        return Ok((config, rules));
    }
    Err(Error::all(problems.iter().map(|problem| format!("{shown}: {problem}"))))
}

/// Takes in every line it can, in the order of time; what is wrong with the others.
fn take_in(store: &mut Store, request: &Request<'_>) -> Result<(Account, Vec<String>)> {
    let path = request.log;
    let content = files::bytes(path)?;
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&content);
    let (mut account, mut mistakes) = (Account::default(), Vec::new());
    let mut lines = Vec::new();
    for (place, line) in (1..).zip(content.split(|byte| *byte == b'\n')) {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        account.lines += 1;
        match std::str::from_utf8(line) {
            Ok(text) => lines.push((moment_of(text), place, text)),
            Err(_) => mistakes.push((place, Mistake::NotText)),
        }
    }
    // Trades of agents that work side by side come in any order. Where there is no moment that can be sorted by, there is a mistake to be reported.
    lines.sort_by(|(a, ..), (b, ..)| a.total_cmp(b));
    let mut held = Held::of(store);
    for (_, place, line) in lines {
        let done = if held.has(line) {
            Ok(Done::Known)
        } else {
            let priced = with_prices(line, request.prices)?;
            log::carry_out(store, priced.as_deref().unwrap_or(line))
        };
        if let Err(what) = account.count(store, done) {
            mistakes.push((place, what));
        }
    }
    account.skipped = mistakes.len() as u64;
    mistakes.sort_by_key(|(place, _)| *place);
    let shown = files::shown(path);
    let mistakes = mistakes.into_iter().map(|(place, what)| format!("{shown}:{place}: {what}")).collect();
    Ok((account, mistakes))
}

/// A line with what prices tell of its moment; none where it is as it was.
fn with_prices(line: &str, prices: &Prices) -> Result<Option<String>> {
    if prices.is_empty() {
        return Ok(None);
    }
    let Ok(Value::Object(mut action)) = serde_json::from_str(line) else { return Ok(None) };
    prices.complete(&mut action)?;
    Ok(Some(Value::Object(action).to_string()))
}

fn moment_of(line: &str) -> f64 {
    #[derive(Deserialize)]
    struct Timed {
        timestamp: Value,
    }
    let timed = serde_json::from_str::<Timed>(line).ok();
    timed.and_then(|timed| moment_s(&timed.timestamp)).unwrap_or(f64::NEG_INFINITY)
}
