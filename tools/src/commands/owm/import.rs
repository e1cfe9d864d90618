//! `morta-memory owm import`: trades and patterns of another program. It is data migration from CSV, JSON, HTML, Excel and SQLite files
//! (trade journal import). Ambiguous columns are asked about by flags, because a guess would change every trade. `Args` has the CLI flags
//! for a data import (CSV import).

use super::super::note;
use morta_console::output;
use morta_tools::owm::exports::Reading;
use morta_tools::owm::exports::moments::DateOrder;
use morta_tools::owm::exports::names::Naming;
use morta_tools::owm::exports::numbers::Decimal;
use morta_tools::owm::exports::side::Side;
use morta_tools::owm::import::{ImportRequest, import_as};
use morta_tools::owm::priced::Prices;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub(super) struct Args {
    /// The folder of the store; made if it isn't there.
    store: PathBuf,
    /// Trades: an export of a broker, an exchange, a journal or a program that tests strategies (CSV, Excel, HTML, JSON, SQLite, or one of these in a zip); - reads standard input.
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
    /// Name a column: "Entry Price=entry_price"; may be given several times.
    #[arg(long, value_name = "COLUMN=NAME")]
    map: Vec<Naming>,
    /// The strategy of trades that name none.
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// The symbol of trades that name none.
    #[arg(long, value_name = "NAME")]
    symbol: Option<String>,
    /// The side of trades that name none, long or short.
    #[arg(long, value_name = "SIDE")]
    direction: Option<Side>,
    /// The decimal sign, point or comma, where a column reads both ways.
    #[arg(long, value_name = "SIGN")]
    decimal: Option<Decimal>,
    /// The order of day and month, dmy or mdy, where a column reads both ways.
    #[arg(long, value_name = "ORDER")]
    dates: Option<DateOrder>,
    /// Note every row that is left out, not only the first of each reason.
    #[arg(long)]
    every_line: bool,
}

/// The exports and columns, for `--help`.
const HELP: &str = r#"Exports that are known by their columns:
  MetaTrader 5 (report of positions or deals: CSV, HTML, Excel), MetaTrader 4 (statement)
  freqtrade (backtest JSON or zip, tradesv3.sqlite), vectorbt (trades, positions, orders), backtrader (its writer
  with the analyzer Transactions), QuantConnect, TradingView (list of trades), TradeNote, TradeTally,
  Tradovate, TradeMemory (its database, or rows with its columns)
  fills, paired to trades first in, first out: Binance (spot, futures), Bybit, Coinbase, Kraken,
  Interactive Brokers, and any table with time, symbol, side, price and quantity
Any other table by the names of its columns, in any case, with blanks or underscores; of these those that
trades need come first, and --map COLUMN=NAME says what can't be guessed:
  timestamp (entry time, open time, date, time)    when it was entered; needed
  symbol (ticker, instrument, pair, market), direction (side, type: long, short, buy, sell)   needed
  entry_price (open price, entry rate)             or a price in market_context; needed
  strategy (strategy name, setup, playbook)        else --strategy NAME, else "unnamed"
  exit_timestamp (exit time, close time), hold_duration_seconds (hold_duration, hold_seconds)
  exit_price (close price), pnl (net profit, profit, P&L), lot_size (lots, volume, size, quantity)
  pnl_r (r multiple, r)                            left out: what was made over the distance of the
  stop_loss (stop, sl, initial stop)               stop, which may also be in market_context
  id (trade id, ticket), confidence (0.5 when left out), tags, max_adverse_excursion (mae)
  reflection, else lessons, else exit_reasoning (notes, comment, exit reason)
  market_context (context, context_json)           an object or words; context_regime,
                         context_volatility_regime, context_session, context_atr_d1, context_atr_h1
A regime that isn't given is read out of market_context or reasoning, where these name just one; a
session follows from the hour in UTC: london from 7, overlap from 12, newyork from 16, asia from 21.
Columns of patterns: description, confidence, sample_size, discovered_at, strategy or symbol; each
becomes a belief that such trades gain, Beta(1 + confidence n, 1 + (1 - confidence) n).
Text may be UTF-8, UTF-16 or Windows-1252, its columns apart by , ; | or tabs, with lines above the header.
Numbers may be 18,000.50, 18.000,50, 4 012.50, $(12.50) or 12.50-, by what their column says as a whole;
moments 2026-01-31T10:00:00Z, the same without zone, 2026.01.31 10:00, 31/01/2026 10:00 AM, 31-Jan-26,
20260131 100000, or seconds to nanoseconds since 1970. A column that reads both ways is asked for.
Rows may come in any order; those from before what the store knows are late trades (see morta-memory
owm remember --help), or as if in time with --backfill. A row that the store has already is counted as
known, with or without an id; one whose id names another trade of the store gets a longer id.
Of TradeMemory's database the tables trade_records, episodic_memory and patterns are read; nothing is ever
written to a database; a record and an episode of one id are one trade.
One line on standard error says how many rows were read, taken and skipped, and the first of each reason."#;

/// Runs the subcommand: imports a trade history.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let request = ImportRequest {
        store: &args.store,
        trades: &args.trades,
        patterns: args.patterns.as_deref(),
        zone: &args.zone,
        equity: args.equity,
        backfill: args.backfill,
        prices: &Prices::from_arguments(&args.prices)?,
    };
    let reading = Reading {
        maps: &args.map,
        strategy: args.strategy.as_deref(),
        symbol: args.symbol.as_deref(),
        direction: args.direction,
        decimal: args.decimal,
        dates: args.dates,
        every_line: args.every_line,
    };
    let imported = import_as(&request, &reading, &mut note)?;
    output::json(&imported)
}
