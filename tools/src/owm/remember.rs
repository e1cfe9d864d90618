//! Ingestion of a log (JSON Lines) into a store, by `morta-memory owm remember`. Lines are carried out by time, not by their order in the
//! file. It is idempotent for trades with an id or equal content. An invalid line is skipped with a note; with `strict` one invalid line
//! refuses the log. A store is replaced as a whole, so that an error leaves the old one. Also here: opening or creating a store, its
//! settings, and the counts that imports and servers share. A store keeps up to 1,000,000 episodes of a strategy on a symbol unless
//! `capacity` of `--config` says otherwise; `--config` replaces the settings of an existing store for good, and `--equity` counts only for
//! a new one.

use super::context::moment_s;
use super::files;
use super::log::{self, LineEffect};
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

/// The request for an ingestion: the log, the store that takes it in, and its settings.
#[derive(Clone, Copy, Debug)]
pub struct RememberRequest<'a> {
    /// The folder of the store; created if it doesn't exist.
    pub store: &'a Path,
    /// The log: one JSON object a line; `-` reads standard input.
    pub log: &'a Path,
    /// Equity of a new store, in the account's currency.
    pub equity: f64,
    /// Settings that the store has from now on, a TOML file. If none, an existing store keeps its own, and a new one has the defaults, with
    /// the largest capacity (1,000,000 episodes of a strategy on a symbol).
    pub config: Option<&'a Path>,
    /// Whether one invalid line refuses the whole log.
    pub strict: bool,
    /// Price series that complete contexts without market data.
    pub prices: &'a Prices,
}

/// Counts the lines of a log by their effect on the store (ingestion summary).
#[derive(Debug, Default, Serialize)]
pub struct Account {
    /// Non-empty lines.
    pub lines: u64,
    /// Trades added.
    pub trades: u64,
    /// Open trades that were closed.
    pub closed: u64,
    /// Equities read.
    pub equities: u64,
    /// Beliefs that the log contains.
    pub beliefs_seeded: u64,
    /// Beliefs induced from trades.
    pub beliefs_formed: u64,
    /// Plans made, carried out or cancelled by the log.
    pub plans: u64,
    /// Plans derived from firm beliefs and deep drawdowns.
    pub plans_formed: u64,
    /// Trades that the store had already.
    pub known: u64,
    /// Lines that were skipped.
    pub skipped: u64,
    /// Trades that were forgotten, because their strategy had more on its symbol than `capacity` allows.
    pub forgotten: u64,
}

impl Account {
    /// Counts the effect of a line. After a trade or an equity it also makes the plans that follow.
    pub(super) fn count(
        &mut self,
        store: &mut Store,
        effect: Result<LineEffect, Mistake>,
    ) -> Result<(), Mistake> {
        let effect = effect?;
        if matches!(effect, LineEffect::Trade(_) | LineEffect::Closed(_) | LineEffect::Equity) {
            self.plans_formed += u64::from(store.make_plans(store.last_s()));
        }
        match effect {
            LineEffect::Trade(formed) => {
                self.trades += 1;
                self.beliefs_formed += u64::from(formed);
            }
            LineEffect::Closed(formed) => {
                self.closed += 1;
                self.beliefs_formed += u64::from(formed);
            }
            LineEffect::Equity => self.equities += 1,
            LineEffect::Belief => self.beliefs_seeded += 1,
            LineEffect::Plan => self.plans += 1,
            LineEffect::Known => self.known += 1,
            LineEffect::Nothing => {}
        }
        Ok(())
    }
}

/// Episodes that a store keeps of one strategy on one symbol without a setting: the largest value that the key `capacity` allows, so that a user's
/// records aren't forgotten.
pub(super) const CAPACITY: u32 = 1_000_000;

/// Equity of a new store without `--equity`, in the account's currency. Our choice: the same as `start_equity` of a validation plan.
pub const USUAL_EQUITY: f64 = 10_000.0;

/// Reads a log into a store (log ingestion). The store is replaced as a whole or not at all.
///
/// # Errors
/// [`Error::Invalid`] when the store or the log can't be read, the log has lines and none is an object, or the request is strict and a
/// line is invalid. The store is unchanged then.
pub fn remember(request: &RememberRequest<'_>, notes: Notes<'_>) -> Result<Account> {
    let _lock = Store::lock(request.store)?;
    let mut store = open(request)?;
    let before = episodes(&store);
    let (mut account, mistakes) = take_in(&mut store, request)?;
    account.forgotten = before + account.trades - episodes(&store);
    // Nothing was saved so far, so returning leaves the store unchanged.
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

/// The number of episodes that a store holds.
pub(super) fn episodes(store: &Store) -> u64 {
    store.mind().shelves().iter().map(|shelf| shelf.records().len() as u64).sum()
}

/// Opens the store of a request; a new one if it doesn't exist.
///
/// # Errors
/// When the store or its settings can't be read.
pub(super) fn open(request: &RememberRequest<'_>) -> Result<Store> {
    let given = request.config.map(read_config).transpose()?;
    if Store::exists(request.store) {
        let mut store = Store::open(request.store)?;
        if let Some((config, rules)) = given {
            store.mind_mut().rebind(config);
            rules.into_iter().for_each(|rules| store.plan_by(rules));
        }
        return Ok(store);
    }
    let usual = || (MindConfig { capacity: CAPACITY, ..MindConfig::default() }, None);
    let (config, rules) = given.unwrap_or_else(usual);
    let equity =
        within("--equity", request.equity, 0.0, 1e15).map_err(|what| Error::invalid(what.to_string()))?;
    let mut store = Store::new(request.store, config, equity);
    rules.into_iter().for_each(|rules| store.plan_by(rules));
    Ok(store)
}

/// Reads the settings of a store: the keys of the mind, and a table `plans` with the rules for making plans.
fn read_config(path: &Path) -> Result<(MindConfig, Option<PlanRules>)> {
    let text =
        std::fs::read_to_string(path).map_err(|error| Error::at(path, format!("can't be read: {error}")))?;
    let wrong = |error: toml::de::Error| Error::in_toml(path, &text, &error);
    let mut keys: toml::Table = toml::from_str(&text).map_err(wrong)?;
    let rules = keys.remove("plans");
    // Without a table `plans` the text is parsed directly, so that errors have a line. Removing the table loses the positions.
    let mut config: MindConfig = match &rules {
        None => toml::from_str(&text).map_err(wrong)?,
        Some(_) => {
            keys.clone().try_into().map_err(|error: toml::de::Error| Error::at(path, error.message()))?
        }
    };
    let rules: Option<PlanRules> = rules
        .map(toml::Value::try_into)
        .transpose()
        .map_err(|error: toml::de::Error| Error::at(path, format!("plans: {}", error.message())))?;
    // Memories of simulated agents are bounded; a user's own records are forgotten only if the user sets `capacity`.
    if !keys.contains_key("capacity") {
        config.capacity = CAPACITY;
    }
    let mut problems = config.problems("");
    problems.extend(rules.iter().flat_map(|rules| rules.problems("plans")));
    let lines = problems.iter().map(|problem| format!("{}: {problem}", path.display()));
    Error::if_any(lines.collect()).map(|()| (config, rules))
}

/// Carries out the lines in the order of time, and returns the counts and the errors.
fn take_in(store: &mut Store, request: &RememberRequest<'_>) -> Result<(Account, Vec<String>)> {
    let path = request.log;
    let content = files::bytes(path)?;
    // A byte-order mark would make the first line invalid JSON.
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&content);
    let content_lines = || content.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    // A note on each line of somebody's table would hide that another command reads it.
    let is_object = |line: &[u8]| line.starts_with(b"{") && line.ends_with(b"}");
    if content_lines().any(|line| !line.is_empty()) && !content_lines().any(is_object) {
        let what = "no line is a JSON object; a table of trades (CSV, HTML, a spreadsheet's, a database) or a JSON array is taken over by \
                    `morta-memory owm import STORE FILE`";
        return Err(Error::at(path, what));
    }
    let (mut account, mut mistakes) = (Account::default(), Vec::new());
    let mut lines = Vec::new();
    for (place, line) in (1..).zip(content_lines()) {
        if line.is_empty() {
            continue;
        }
        account.lines += 1;
        match std::str::from_utf8(line) {
            Ok(text) => lines.push((moment_of(text), place, text)),
            Err(_) => mistakes.push((place, Mistake::NotText)),
        }
    }
    // Agents that work in parallel write their trades in any order, and beliefs depend on the order. A line without a readable moment is an error
    // that `carry_out` reports.
    lines.sort_by(|(a, ..), (b, ..)| a.total_cmp(b));
    let mut held = Held::from_store(store);
    for (_, place, line) in lines {
        let effect = if held.matches_line(line) {
            Ok(LineEffect::Known)
        } else {
            let priced = with_prices(line, request.prices)?;
            log::carry_out(store, priced.as_deref().unwrap_or(line))
        };
        if let Err(what) = account.count(store, effect) {
            mistakes.push((place, what));
        }
    }
    account.skipped = mistakes.len() as u64;
    // Errors are reported in the order of the file, because the lines were carried out in the order of time.
    mistakes.sort_by_key(|(place, _)| *place);
    let shown = files::shown(path);
    let mistakes = mistakes.into_iter().map(|(place, what)| format!("{shown}:{place}: {what}")).collect();
    Ok((account, mistakes))
}

/// A line completed with market data; none if no price file was given.
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
