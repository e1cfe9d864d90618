//! `morta-memory owm remember`: reads a log into a store. It is ingestion of an action log (JSON Lines). Known trades add nothing, because
//! logs grow and are read again. `Args` has the CLI flags for a trade log.

use super::super::note;
use morta_console::output;
use morta_tools::owm::priced::Prices;
use morta_tools::owm::remember::{RememberRequest, USUAL_EQUITY, remember};
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub(super) struct Args {
    /// The folder of the store; made if it isn't there.
    store: PathBuf,
    /// What happened, one JSON object a line; - reads standard input.
    log: PathBuf,
    /// Equity that a new store begins with.
    #[arg(long, value_name = "MONEY", default_value_t = USUAL_EQUITY)]
    equity: f64,
    /// Keys that the store is kept by from now on: a TOML file with the keys of [memory.owm.mind], and those of plans in a table plans. Nothing is forgotten unless `capacity` says
    /// how many trades of a strategy on a symbol are kept.
    #[arg(long, value_name = "KEYS.toml")]
    config: Option<PathBuf>,
    /// Take in nothing if any line can't be taken in.
    #[arg(long)]
    strict: bool,
    /// Complete contexts that leave the market out (regime, volatility, true ranges, price) from a file of bars of a symbol, CSV or Parquet, as it was read at the
    /// last close before the entry; may be given for several symbols.
    #[arg(long, value_name = "SYMBOL=FILE")]
    prices: Vec<String>,
}

/// The format of logs, for `--help`.
const HELP: &str = r#"LOG.jsonl has one object a line, in the order of its timestamps. "action" says what it is:
  remember_trade (or left out)
      timestamp, symbol, strategy_name, direction ("long" or "short"), entry_price
      id                 any text, once; numbered when left out
      exit_price, pnl, pnl_r, lot_size, hold_duration_seconds, max_adverse_excursion, reflection,
      tags, confidence (0 to 1)
      context            a context; context_regime, context_volatility_regime, context_session,
                         context_atr_d1 and context_atr_h1 stand for its fields, market_context for
                         a description in words
      equity             after the trade; left out: the last one and the pnl
      last_price_change  of the last window: tells whether the trade went with the market
      signal_time, entry_time, target_time, exit_time
                         moments: how early or late trades are entered and left
      Without exit_price, pnl and pnl_r it is an open trade, or the decision not to trade: it is kept and
      moves no belief, habit or state of mind. The same id with an end completes it.
  close_trade
      timestamp, id of an open trade, and exit_price, pnl or pnl_r; hold_duration_seconds,
      max_adverse_excursion, reflection, tags, equity, last_price_change, target_time, exit_time
  update_equity
      timestamp, equity
  seed_belief
      timestamp, proposition, validity_conditions (a trigger, not empty)
      outcome            "profitable", "unprofitable" or {"r_at_least": R}
      strategy_name, symbol, regime, volatility_regime, session   where it is only about these
      alpha 2, beta 1; or a pattern's confidence and sample_size
      It is held only against trades in whose context its conditions hold.
  reflect
      timestamp, pattern_detected (null: nothing was found): recommended_action (a type of plan),
      suggested_magnitude, confidence, supporting_trade_ids, explanation; regime, strategy, symbol
  create_trading_plan
      timestamp, trigger_condition, reasoning
      planned_action     {"type", "parameter", "magnitude"}; types are adjust_param, skip_trade,
                         force_exit and alert
      expiry_days        30 when left out; null: never
      priority 0.5, trigger_type, source_episodic_ids, source_semantic_ids
  carry_out_plan
      timestamp, plan; outcome_pnl_r, outcome_reflection (may be told later, by the same action)
  cancel_plan
      timestamp, plan
Plans are also made by themselves: to trade with more confidence where a belief is firm, and smaller
in a deep drawdown; a table [plans] of --config has boost_above 0.75, boost_after 10, boost 0.2,
defend_above 0.15, defence_size 0.5 and days 30.
A trigger is an object of fields; a value is a scalar (equality) or an object of comparisons: gt,
gte, lt, lte, eq, ne, in. All must hold.
A line that is no object, lacks a field, names an unknown action or field, holds what isn't a
number or has an id of another trade is told of on standard error and left out (with --strict,
nothing is taken in then); both are counted, and so are trades that the store has already ("known").
A trade of an earlier moment than the store's last is late: it is put at its place in time, counts as
evidence, and its pnl is added to the equity unless one was reported since; streaks and momentum,
which are of the latest trades, stay, and confidence and drift learn from it when it arrives.
What a context leaves out is inferred: the session from the hour (UTC) of the entry, the regime from
words in market_context that name just one, the rest from --prices."#;

/// Runs the subcommand: ingests a log into a store.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let Args { store, log, equity, config, strict, prices } = args;
    let prices = &Prices::from_arguments(prices)?;
    let request =
        RememberRequest { store, log, equity: *equity, config: config.as_deref(), strict: *strict, prices };
    let account = remember(&request, &mut note)?;
    output::json(&account)
}
