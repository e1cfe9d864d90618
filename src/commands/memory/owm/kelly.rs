//! `morta memory owm kelly`: the share of equity that remembered outcomes suggest.

use super::context::GivenContext;
use super::input;
use super::store::Store;
use crate::output;
use morta_memories::owm::episodic::Domain;
use morta_memories::owm::kelly::{KellyConfig, Recollection, from_memory, lots};
use morta_memories::owm::recall::Query;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The flags.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub struct Args {
    /// One JSON object; - reads standard input.
    file: PathBuf,
    /// Ask this store; FILE then names a strategy, a symbol and the present.
    #[arg(long, value_name = "FOLDER")]
    store: Option<PathBuf>,
}

const HELP: &str = r#"FILE is one object:
  memories        a list of {"score", "pnl_r"}: how loudly each is remembered, and its outcome in R
                  or null
  risk_appetite   0 to 1; 1 when left out
  fractional      share of the full fraction that is dared, 0 to 1; 0.25 when left out
  least_memories  with fewer memories the answer is 0; 10 when left out
  cap             largest answer; no limit when left out
  equity, stop, tick_value   all three: lots are told as well
With --store it has strategy_name, symbol, query_context and now (the store's last moment when left
out), and equity, stop and tick_value; the rest follows from the store: the 50 best memories, its
keys and its owner's appetite for risk.
Prints {"kelly"}, with "lots" if asked: max(0, (p/a - q/b) * fractional * risk_appetite), with p the
share of all scores that gains have, and b and a the score-weighted mean gain and loss; 0 without
gains or without losses."#;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    #[serde(default = "one")]
    risk_appetite: f64,
    #[serde(default)]
    fractional: Option<f64>,
    #[serde(default)]
    least_memories: Option<u32>,
    #[serde(default)]
    cap: Option<f64>,
    memories: Vec<Remembered>,
    #[serde(default)]
    equity: Option<f64>,
    #[serde(default)]
    stop: Option<f64>,
    #[serde(default)]
    tick_value: Option<f64>,
}

/// What a store is asked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    #[serde(alias = "strategy")]
    strategy_name: String,
    symbol: String,
    #[serde(default)]
    query_context: GivenContext,
    #[serde(default)]
    now: Option<Value>,
    #[serde(default)]
    equity: Option<f64>,
    #[serde(default)]
    stop: Option<f64>,
    #[serde(default)]
    tick_value: Option<f64>,
}

const fn one() -> f64 {
    1.0
}

/// A memory whose score has been looked at.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Recollection")]
struct Remembered(Recollection);

impl TryFrom<Recollection> for Remembered {
    type Error = String;

    fn try_from(memory: Recollection) -> Result<Self, String> {
        input::within("score", memory.score, 0.0, 1e12)?;
        memory.pnl_r.map_or(Ok(0.0), |r| input::within("pnl_r", r, -1e12, 1e12))?;
        Ok(Self(memory))
    }
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let answer = match &args.store {
        Some(folder) => by_store(folder, &args.file)?,
        None => by_list(&args.file)?,
    };
    output::line(answer)?;
    Ok(ExitCode::SUCCESS)
}

fn by_store(folder: &Path, path: &Path) -> anyhow::Result<Value> {
    let asked: Asked = input::object(path)?;
    let store = Store::open(folder)?;
    let known = |number: Result<u16, String>| number.map_err(|what| input::refuse(path, what));
    let domain = Domain {
        strategy: known(store.strategy(&asked.strategy_name))?,
        symbol: known(store.symbol(&asked.symbol))?,
    };
    let now = asked.now.as_ref().map(|now| input::moment("now", now)).transpose();
    let now_s = now.map_err(|what| input::refuse(path, what))?.unwrap_or_else(|| store.last_s());
    let mood = store.mind().affect().mood();
    let query = Query { now_s, context: asked.query_context.vector, mood };
    let kelly = store.mind().kelly(domain, &query);
    told(kelly, [asked.equity, asked.stop, asked.tick_value]).map_err(|what| input::refuse(path, what))
}

fn by_list(path: &Path) -> anyhow::Result<Value> {
    let question: Question = input::object(path)?;
    let usual = KellyConfig::default();
    let config = KellyConfig {
        fractional: question.fractional.unwrap_or(usual.fractional),
        least_memories: question.least_memories.unwrap_or(usual.least_memories),
        cap: question.cap.unwrap_or(usual.cap),
        ..usual
    };
    let checked = input::within("risk_appetite", question.risk_appetite, 0.0, 1.0)
        .and_then(|_| input::within("fractional", config.fractional, 0.0, 1.0))
        .and_then(|_| input::within("cap", config.cap, 0.0, 1_000.0));
    checked.map_err(|what| input::refuse(path, what))?;
    let memories: Vec<Recollection> = question.memories.into_iter().map(|memory| memory.0).collect();
    let kelly = from_memory(&memories, question.risk_appetite, &config);
    told(kelly, [question.equity, question.stop, question.tick_value])
        .map_err(|what| input::refuse(path, what))
}

fn told(kelly: f64, sizing: [Option<f64>; 3]) -> Result<Value, String> {
    match sizing {
        [None, None, None] => Ok(json!({ "kelly": kelly })),
        [Some(equity), Some(stop), Some(tick_value)] => {
            input::within("equity", equity, 0.0, 1e15)?;
            input::within("stop", stop, f64::MIN_POSITIVE, 1e15)?;
            input::within("tick_value", tick_value, f64::MIN_POSITIVE, 1e15)?;
            Ok(json!({ "kelly": kelly, "lots": lots(kelly, equity, stop, tick_value) }))
        }
        _ => Err("equity, stop and tick_value: give all three for lots, or none".to_owned()),
    }
}
