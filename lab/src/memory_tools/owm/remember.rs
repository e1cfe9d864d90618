//! Takes a log into a store.

use super::files;
use super::log::{self, Done};
use super::mistake::{Mistake, within};
use super::store::Store;
use crate::error::Error;
use crate::memory_tools::Notes;
use morta_engine::base::keys::Keys;
use morta_memories::owm::MindConfig;
use serde::Serialize;
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
    /// Keys that a new store is kept by, a TOML file; the usual ones when none.
    pub config: Option<&'a Path>,
    /// Whether nothing is taken in if any line can't be.
    pub strict: bool,
}

/// What came of a log.
#[derive(Debug, Default, Serialize)]
pub struct Account {
    /// Lines that aren't empty.
    pub lines: u64,
    /// Trades taken in.
    pub trades: u64,
    /// Equities taken in.
    pub equities: u64,
    /// Beliefs that the log brought.
    pub beliefs_seeded: u64,
    /// Beliefs that trades have formed.
    pub beliefs_formed: u64,
    /// Plans made, carried out or cancelled.
    pub plans: u64,
    /// Lines that were left out.
    pub skipped: u64,
}

/// Takes a log into a store, which is replaced as a whole or not at all.
///
/// # Errors
/// [`Error::Invalid`] when the store or the log can't be read, and, if the request is strict, with every line that can't be taken in; the
/// store is as it was then.
pub fn remember(request: &Request<'_>, notes: Notes<'_>) -> crate::Result<Account> {
    let _lock = Store::lock(request.store)?;
    let mut store = open(request)?;
    let (account, mistakes) = take_in(&mut store, request.log)?;
    if request.strict && !mistakes.is_empty() {
        return Err(Error::Invalid(mistakes));
    }
    mistakes.iter().for_each(|mistake| notes(&format!("{mistake}; left out")));
    store.save()?;
    Ok(account)
}

fn open(request: &Request<'_>) -> crate::Result<Store> {
    if Store::exists(request.store) {
        if request.config.is_some() {
            let what = "has its keys already: leave --config out, or begin a new store";
            return Err(Error::invalid(format!("{}: {what}", request.store.display())));
        }
        return Store::open(request.store);
    }
    let config = request.config.map_or_else(|| Ok(MindConfig::default()), read_config)?;
    let equity =
        within("--equity", request.equity, 0.0, 1e15).map_err(|what| Error::invalid(what.to_string()))?;
    Ok(Store::new(request.store, config, equity))
}

fn read_config(path: &Path) -> crate::Result<MindConfig> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Error::invalid(format!("{shown}: can't be read: {error}")))?;
    let config: MindConfig = toml::from_str(&text).map_err(|error| {
        let before = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text.as_bytes()[..before].iter().filter(|byte| **byte == b'\n').count();
        let what = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
        Error::invalid(format!("{shown}:{line}: {what}"))
    })?;
    let problems = config.problems("");
    if problems.is_empty() {
        return Ok(config);
    }
    Err(Error::Invalid(problems.iter().map(|problem| format!("{shown}: {problem}")).collect()))
}

/// Takes in every line it can; what is wrong with the others.
fn take_in(store: &mut Store, path: &Path) -> crate::Result<(Account, Vec<String>)> {
    let content = files::bytes(path)?;
    let (mut account, mut mistakes) = (Account::default(), Vec::new());
    for (place, line) in content.split(|byte| *byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        account.lines += 1;
        let text = std::str::from_utf8(line).map_err(|_| Mistake::NotText);
        match text.and_then(|text| log::carry_out(store, text)) {
            Ok(Done::Trade(formed)) => {
                account.trades += 1;
                account.beliefs_formed += u64::from(formed);
            }
            Ok(Done::Equity) => account.equities += 1,
            Ok(Done::Belief) => account.beliefs_seeded += 1,
            Ok(Done::Plan) => account.plans += 1,
            Err(what) => {
                account.skipped += 1;
                mistakes.push(format!("{}:{}: {what}", files::shown(path), place + 1));
            }
        }
    }
    Ok((account, mistakes))
}
