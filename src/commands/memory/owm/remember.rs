//! `morta memory owm remember`: takes a log into a store.

use super::input;
use super::log::{self, Done};
use super::store::Store;
use crate::failure::UserError;
use crate::output;
use morta_engine::base::keys::Keys;
use morta_memories::owm::MindConfig;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The flags.
#[derive(clap::Args)]
#[command(after_long_help = log::HELP)]
pub struct Args {
    /// The folder of the store; made if it isn't there.
    store: PathBuf,
    /// What happened, one JSON object a line; - reads standard input.
    log: PathBuf,
    /// Equity that a new store begins with.
    #[arg(long, value_name = "MONEY", default_value_t = 10_000.0)]
    equity: f64,
    /// Keys that a new store is kept by: a TOML file with the keys of [memory.owm.mind].
    #[arg(long, value_name = "KEYS.toml")]
    config: Option<PathBuf>,
    /// Take in nothing if any line can't be taken in.
    #[arg(long)]
    strict: bool,
}

/// What came of a log.
#[derive(Debug, Default, Serialize)]
struct Account {
    lines: u64,
    trades: u64,
    equities: u64,
    beliefs_seeded: u64,
    beliefs_formed: u64,
    plans: u64,
    /// Lines that were left out.
    skipped: u64,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut store = open(args)?;
    let (account, mistakes) = take_in(&mut store, &args.log)?;
    if args.strict && !mistakes.is_empty() {
        return Err(UserError::all(mistakes));
    }
    for mistake in &mistakes {
        eprintln!("note: {mistake}; left out");
    }
    store.save()?;
    output::line(serde_json::to_string_pretty(&account)?)?;
    Ok(ExitCode::SUCCESS)
}

fn open(args: &Args) -> anyhow::Result<Store> {
    if Store::exists(&args.store) {
        if args.config.is_some() {
            let what = "has its keys already: leave --config out, or begin a new store";
            return Err(UserError::new(format!("{}: {what}", args.store.display())));
        }
        return Store::open(&args.store);
    }
    let config = args.config.as_deref().map_or_else(|| Ok(MindConfig::default()), read_config)?;
    let equity =
        input::within("--equity", args.equity, 0.0, 1e15).map_err(|what| UserError::new(what.as_str()))?;
    Ok(Store::new(&args.store, config, equity))
}

fn read_config(path: &Path) -> anyhow::Result<MindConfig> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| UserError::new(format!("{shown}: can't be read: {error}")))?;
    let config: MindConfig = toml::from_str(&text).map_err(|error| {
        let before = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text.as_bytes()[..before].iter().filter(|byte| **byte == b'\n').count();
        let what = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
        UserError::new(format!("{shown}:{line}: {what}"))
    })?;
    let problems = config.problems("");
    if problems.is_empty() {
        return Ok(config);
    }
    Err(UserError::all(problems.iter().map(|problem| format!("{shown}: {problem}")).collect()))
}

fn take_in(store: &mut Store, path: &Path) -> anyhow::Result<(Account, Vec<String>)> {
    let content = input::bytes(path)?;
    let (mut account, mut mistakes) = (Account::default(), Vec::new());
    for (place, line) in content.split(|byte| *byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        account.lines += 1;
        let text = std::str::from_utf8(line).map_err(|_| "isn't UTF-8".to_owned());
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
                mistakes.push(format!("{}:{}: {what}", input::shown(path), place + 1));
            }
        }
    }
    Ok((account, mistakes))
}
