//! The Kelly fraction that remembered outcomes suggest (`morta-memory owm kelly`): position sizing by expected log growth. The answer is a
//! share of equity, at least 0, after the fractional share (.25 by default), the cap (none by default) and the risk appetite: the store's
//! own, or `risk_appetite` of a list (1 by default). A store's settings are its own; a list brings them. With equity, stop (its distance in
//! ticks) and tick value (money of a tick for one lot) it is converted to lots.
//!
//! Asking doesn't count as a recall and writes nothing. With too few memories (10 by default), or gains or losses alone, the fraction is
//! 0. Such a 0 has a reason where a store is asked, because a misspelt name would look like a bad strategy.

use super::context::GivenContext;
use super::files;
use super::mistake::{Mistake, moment, within, within_if_given};
use super::store::Store;
use morta_lab::error::Result;
use morta_memories::owm::RankedMemory;
use morta_memories::owm::episodic::Domain;
use morta_memories::owm::kelly::{KellyConfig, Recollection, from_memory, lots};
use morta_memories::owm::recall::Query;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;

/// A question that brings its memories.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    #[serde(default = "one")]
    risk_appetite: f64,
    fractional: Option<f64>,
    least_memories: Option<u32>,
    cap: Option<f64>,
    memories: Vec<Remembered>,
    equity: Option<f64>,
    stop: Option<f64>,
    tick_value: Option<f64>,
}

/// A question to a store.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoreQuestion {
    #[serde(alias = "strategy")]
    strategy_name: String,
    symbol: String,
    #[serde(default)]
    query_context: GivenContext,
    now: Option<Value>,
    equity: Option<f64>,
    stop: Option<f64>,
    tick_value: Option<f64>,
}

const fn one() -> f64 {
    1.0
}

/// A memory with a checked score and R.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Recollection")]
struct Remembered(Recollection);

impl TryFrom<Recollection> for Remembered {
    type Error = Mistake;

    fn try_from(memory: Recollection) -> Result<Self, Mistake> {
        within("score", memory.score, 0.0, 1e12)?;
        within_if_given("pnl_r", memory.pnl_r, -1e12, 1e12)?;
        Ok(Self(memory))
    }
}

/// Computes the fraction of equity to stake by the Kelly criterion, as an object: from the memories of a store, or from those in the file
/// itself. It is 0 where they suggest no stake.
///
/// # Errors
/// [`Error::Invalid`](morta_lab::error::Error::Invalid) when the file or the store can't be read, or a value is out of range.
pub fn kelly(file: &Path, store: Option<&Path>) -> Result<Value> {
    match store {
        Some(folder) => by_store(folder, file),
        None => by_list(file),
    }
}

fn by_store(folder: &Path, path: &Path) -> Result<Value> {
    let question: StoreQuestion = files::object(path)?;
    let store = Store::open_or_empty(folder)?;
    let now = question.now.as_ref().map(|now| moment("now", now)).transpose();
    let now_s = now.map_err(|what| files::refuse(path, what))?.unwrap_or_else(|| store.last_s());
    let mood = store.mind().affect().mood();
    let query = Query { now_s, context: question.query_context.vector, mood };
    let sizing = [question.equity, question.stop, question.tick_value];
    let answer = |kelly| sized(kelly, sizing).map_err(|what| files::refuse(path, what));
    // An unknown strategy or symbol has no trades to learn from, so the fraction is 0. The reason is given, because a misspelt name would look the
    // same.
    let known = store
        .strategy(&question.strategy_name)
        .and_then(|strategy| Ok(Domain { strategy, symbol: store.symbol(&question.symbol)? }));
    let domain = match known {
        Ok(domain) => domain,
        Err(unknown) => return Ok(with_reason(answer(0.0)?, &unknown.to_string())),
    };
    let recalled = store.mind().recall_domain(domain, &query);
    let kelly = answer(store.mind().stake_by(&recalled))?;
    Ok(match no_stake(&recalled, store.mind().config().kelly.least_memories) {
        Some(why) => with_reason(kelly, &why),
        None => kelly,
    })
}

fn with_reason(mut answer: Value, why: &str) -> Value {
    answer["reason"] = why.into();
    answer
}

/// The reason for a fraction of 0; none where losses simply outweigh gains, or the fraction is above 0.
fn no_stake(recalled: &[RankedMemory<'_>], least: u32) -> Option<String> {
    let results: Vec<f64> = recalled.iter().filter_map(|ranked| ranked.recollection()?.pnl_r).collect();
    if recalled.len() < least as usize {
        Some(format!("{} trades come to mind, and {least} are needed", recalled.len()))
    } else if results.is_empty() {
        Some("no trade that comes to mind has a known R: without a stop (stop_loss, or pnl_r) what a trade risked isn't known".to_owned())
    } else if results.iter().all(|r| *r >= 0.0) || results.iter().all(|r| *r <= 0.0) {
        Some("what comes to mind are gains alone, or losses alone: a fraction needs both".to_owned())
    } else {
        None
    }
}

fn by_list(path: &Path) -> Result<Value> {
    let question: Question = files::object(path)?;
    let usual = KellyConfig::default();
    let config = KellyConfig {
        fractional: question.fractional.unwrap_or(usual.fractional),
        least_memories: question.least_memories.unwrap_or(usual.least_memories),
        cap: question.cap.unwrap_or(usual.cap),
        ..usual
    };
    let checked = within("risk_appetite", question.risk_appetite, 0.0, 1.0)
        .and_then(|_| within("fractional", config.fractional, 0.0, 1.0))
        .and_then(|_| within("cap", config.cap, 0.0, 1_000.0));
    checked.map_err(|what| files::refuse(path, what))?;
    let memories: Vec<Recollection> = question.memories.into_iter().map(|memory| memory.0).collect();
    let kelly = from_memory(&memories, question.risk_appetite, &config);
    sized(kelly, [question.equity, question.stop, question.tick_value])
        .map_err(|what| files::refuse(path, what))
}

/// The fraction, with lots if equity, stop and tick value are all given.
fn sized(kelly: f64, sizing: [Option<f64>; 3]) -> Result<Value, Mistake> {
    match sizing {
        [None, None, None] => Ok(json!({ "kelly": kelly })),
        [Some(equity), Some(stop), Some(tick_value)] => {
            within("equity", equity, 0.0, 1e15)?;
            within("stop", stop, f64::MIN_POSITIVE, 1e15)?;
            within("tick_value", tick_value, f64::MIN_POSITIVE, 1e15)?;
            Ok(json!({ "kelly": kelly, "lots": lots(kelly, equity, stop, tick_value) }))
        }
        _ => Err(Mistake::HalfSized),
    }
}
