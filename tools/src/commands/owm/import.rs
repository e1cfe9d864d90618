//! `morta-memory owm import`: trades and patterns of another program.

use super::super::note;
use morta_console::output;
use morta_tools::owm::import::{Request, import};
use morta_tools::owm::priced::Prices;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub struct Args {
    /// The folder of the store; made if it isn't there.
    store: PathBuf,
    /// Trades: TradeMemory's database (SQLite), a CSV with a header (.csv), or a JSON object a line; - reads the latter from standard input.
    trades: PathBuf,
    /// Patterns, in the same way; left out, those of the database.
    #[arg(long, value_name = "FILE")]
    patterns: Option<PathBuf>,
    /// Zone of moments that name none: UTC, or a name of the IANA database.
    #[arg(long, value_name = "NAME", default_value = "UTC")]
    zone: String,
    /// Equity that a new store begins with.
    #[arg(long, value_name = "MONEY", default_value_t = 10_000.0)]
    equity: f64,
    /// Make the store anew, of its trades and these in the order of time, instead of taking in older ones as late trades; where it holds more than its
    /// trades, what it holds is kept and they are late all the same.
    #[arg(long)]
    backfill: bool,
    /// Complete contexts that leave the market out (regime, volatility, true ranges, price) from a file of bars of a symbol, CSV or Parquet, as it was read at the
    /// last close before the entry; may be given for several symbols.
    #[arg(long, value_name = "SYMBOL=FILE")]
    prices: Vec<String>,
}

/// The columns, for `--help`.
const HELP: &str = r#"Columns of trades, with other names they may have; the rest isn't looked at:
  timestamp (entry_time, open_time, time)          when it was entered; needed
  symbol, strategy (strategy_name), direction (side, type: long, short, buy, sell)   needed
  entry_price (open_price)                         or a price in market_context; needed
  exit_timestamp (exit_time, close_time), hold_duration_seconds (hold_duration, hold_seconds)
  exit_price (close_price), pnl (profit), lot_size (lots, volume), max_adverse_excursion (mae)
  pnl_r (r_multiple)                               left out: what was made over the distance of the
  stop_loss (stop, sl)                             stop, which may also be in market_context
  id (trade_id, ticket), confidence (0.5 when left out), tags
  reflection, else lessons, else exit_reasoning
  market_context (context, context_json)           an object or words; context_regime,
                         context_volatility_regime, context_session, context_atr_d1, context_atr_h1
A regime that isn't given is read out of market_context or reasoning, where these name just one; a
session follows from the hour in UTC: london from 7, overlap from 12, newyork from 16, asia from 21.
Columns of patterns: description, confidence, sample_size, discovered_at, strategy or symbol; each
becomes a belief that such trades gain, Beta(1 + confidence n, 1 + (1 - confidence) n).
Moments are 2026-01-31T10:00:00Z, the same without zone, 2026.01.31 10:00, or seconds or
milliseconds since 1970. Rows may come in any order; those from before what the store knows are late
trades (see morta-memory owm remember --help), or as if in time with --backfill. A row that the store
has already is counted as known, with or without an id; one whose id names another trade of the
store gets a longer id.
Of a database the tables trade_records, episodic_memory and patterns are read, and nothing is written
to it; a record and an episode of one id are one trade.
A row that can't be taken over is told of on standard error and counted."#;

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let Args { store, trades, patterns, zone, equity, backfill, prices } = args;
    let prices = &Prices::of(prices)?;
    let patterns = patterns.as_deref();
    let request = Request { store, trades, patterns, zone, equity: *equity, backfill: *backfill, prices };
    let imported = import(&request, &mut note)?;
    output::line(serde_json::to_string_pretty(&imported)?)?;
    Ok(ExitCode::SUCCESS)
}
