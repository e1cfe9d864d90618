//! `morta memory owm recall`: the ranking of memories for the present.

use super::context::{GivenContext, moment_s};
use super::input;
use super::store::Store;
use crate::output;
use morta_memories::owm::recall::{Candidate, Components, Query, Worth, recall};
use morta_memories::owm::score::{Mood, ScoreConfig};
use morta_memories::owm::{MemoryType, Recollected, Wanted};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The flags.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub struct Args {
    /// One JSON object: the present, and the memories unless they are in a store; - reads standard input.
    file: PathBuf,
    /// Recall from this store; what is recalled is counted as recalled there.
    #[arg(long, value_name = "FOLDER")]
    store: Option<PathBuf>,
}

const HELP: &str = r#"FILE is one object:
  now              the moment (with a store: the store's last one when left out)
  query_context    a context (see morta memory owm --help)
  affective_state  {"drawdown_state": 0 to 1, "consecutive_losses"}; neutral when left out (with a
                   store: the store's)
  limit            most memories; 10 when left out
  memories         without a store: a list of
                   {"id", "memory_type", "timestamp", "confidence", "pnl_r", "context"};
                   memory_type is "episodic", "semantic" or "prospective" (there also "priority",
                   "source_pnl_r")
  strategy_name, symbol, memory_types
                   with a store: what is wanted; episodic and semantic when left out
Prints {"ranked": [{"id", "memory_type", "score", "components"}]}, with "data" from a store;
components are {"Q", "Sim", "Rec", "Conf", "Aff"}. Ids may not repeat. A memory whose timestamp
can't be read has a recency of one half; their number is said on standard error."#;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    #[serde(default)]
    now: Option<Value>,
    #[serde(default)]
    query_context: GivenContext,
    #[serde(default)]
    affective_state: Option<Mood>,
    #[serde(default = "ten")]
    limit: usize,
    #[serde(default)]
    memories: Option<Vec<Memory>>,
    #[serde(default, alias = "strategy")]
    strategy_name: Option<String>,
    #[serde(default)]
    symbol: Option<String>,
    #[serde(default)]
    memory_types: Option<Vec<MemoryType>>,
}

const fn ten() -> usize {
    10
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMemory {
    id: Value,
    #[serde(default = "episodic")]
    memory_type: MemoryType,
    #[serde(default)]
    timestamp: Value,
    #[serde(default)]
    confidence: Option<f64>,
    #[serde(default)]
    pnl_r: Option<f64>,
    #[serde(default)]
    context: Option<GivenContext>,
    #[serde(default)]
    priority: Option<f64>,
    #[serde(default)]
    source_pnl_r: Vec<Option<f64>>,
}

const fn episodic() -> MemoryType {
    MemoryType::Episodic
}

/// A memory that has been looked at.
#[derive(Debug, Deserialize)]
#[serde(try_from = "RawMemory")]
struct Memory(RawMemory);

impl TryFrom<RawMemory> for Memory {
    type Error = String;

    fn try_from(memory: RawMemory) -> Result<Self, String> {
        if !memory.id.is_string() && !memory.id.is_number() {
            return Err(format!("id = {}: must be a text or a number", memory.id));
        }
        memory.priority.map_or(Ok(0.0), |priority| input::within("priority", priority, 0.0, 1.0))?;
        Ok(Self(memory))
    }
}

#[derive(Debug, Serialize)]
struct Ranked {
    id: Value,
    memory_type: MemoryType,
    score: f64,
    components: Components,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let question: Question = input::object(&args.file)?;
    let mood = question.affective_state.unwrap_or_default();
    input::within("affective_state.drawdown_state", mood.drawdown_state, 0.0, 1.0)
        .map_err(|what| input::refuse(&args.file, what))?;
    let ranked = match &args.store {
        Some(folder) => from_store(folder, &args.file, &question)?,
        None => from_file(&args.file, &question, mood)?,
    };
    output::line(serde_json::to_string_pretty(&json!({ "ranked": ranked }))?)?;
    Ok(ExitCode::SUCCESS)
}

fn from_file(path: &Path, question: &Question, mood: Mood) -> anyhow::Result<Vec<Ranked>> {
    if question.strategy_name.is_some() || question.symbol.is_some() || question.memory_types.is_some() {
        let what =
            "strategy_name, symbol and memory_types choose from a store: give --store, or leave them out";
        return Err(input::refuse(path, what));
    }
    let Some(memories) = &question.memories else {
        return Err(input::refuse(path, "memories: missing; give a list of them, or --store"));
    };
    let now = question.now.as_ref().unwrap_or(&Value::Null);
    let now_s = input::moment("now", now).map_err(|what| input::refuse(path, what))?;
    let mut ids = BTreeSet::new();
    for (place, Memory(memory)) in memories.iter().enumerate() {
        if !ids.insert(memory.id.to_string()) {
            let what = format!("memories[{place}]: id = {}: is there twice: every id once", memory.id);
            return Err(input::refuse(path, what));
        }
    }
    let candidates: Vec<Candidate<'_>> = memories.iter().map(|memory| candidate(&memory.0)).collect();
    let unreadable = candidates.iter().filter(|candidate| candidate.made_s.is_none()).count();
    if unreadable > 0 {
        eprintln!("note: {}: {unreadable} timestamps can't be read: recency ½", input::shown(path));
    }
    let query = Query { now_s, context: question.query_context.vector, mood };
    let found = recall(&candidates, &query, &ScoreConfig::default(), question.limit);
    let ranked = found.into_iter().map(|found| {
        let Memory(memory) = &memories[found.place];
        Ranked {
            id: memory.id.clone(),
            memory_type: memory.memory_type,
            score: found.score,
            components: found.components,
            data: None,
        }
    });
    Ok(ranked.collect())
}

fn candidate(memory: &RawMemory) -> Candidate<'_> {
    let worth = match memory.memory_type {
        MemoryType::Episodic => Worth::Episodic(memory.pnl_r),
        MemoryType::Semantic => Worth::Semantic,
        MemoryType::Prospective => {
            Worth::Prospective { priority: memory.priority.unwrap_or(0.5), sources: &memory.source_pnl_r }
        }
    };
    Candidate {
        worth,
        made_s: moment_s(&memory.timestamp),
        confidence: memory.confidence,
        context: memory.context.as_ref().map(|context| context.vector).unwrap_or_default(),
    }
}

fn from_store(folder: &Path, path: &Path, question: &Question) -> anyhow::Result<Vec<Ranked>> {
    if question.memories.is_some() {
        return Err(input::refuse(path, "memories: they are in the store; leave the list out, or --store"));
    }
    let mut store = Store::open(folder)?;
    let now_s = match &question.now {
        Some(now) => input::moment("now", now).map_err(|what| input::refuse(path, what))?,
        None => store.last_s(),
    };
    let known = |number: Result<u16, String>| number.map_err(|what| input::refuse(path, what));
    let strategy = question.strategy_name.as_deref().map(|name| known(store.strategy(name))).transpose()?;
    let symbol = question.symbol.as_deref().map(|name| known(store.symbol(name))).transpose()?;
    let types = question.memory_types.as_deref().unwrap_or(&[MemoryType::Episodic, MemoryType::Semantic]);
    let wanted = Wanted { strategy, symbol, types, limit: question.limit };
    let mood = question.affective_state.unwrap_or_else(|| store.mind().affect().mood());
    let query = Query { now_s, context: question.query_context.vector, mood };
    let mut recalled = Vec::new();
    let found = store.mind().recall(&wanted, &query);
    let ranked = found.into_iter().map(|found| {
        let (id, memory_type, data) = match found.memory {
            Recollected::Episodic(memory) => {
                recalled.push(memory.id);
                (Value::from(store.id(memory.id)), MemoryType::Episodic, store.episode(memory))
            }
            Recollected::Semantic(belief) => {
                (Value::from(belief.id), MemoryType::Semantic, store.belief(belief))
            }
            Recollected::Prospective(plan) => {
                (Value::from(plan.id), MemoryType::Prospective, store.plan(plan))
            }
        };
        Ranked { id, memory_type, score: found.score, components: found.components, data: Some(data) }
    });
    let ranked: Vec<Ranked> = ranked.collect();
    for id in recalled {
        store.mind_mut().recalled(id, now_s);
    }
    store.save()?;
    Ok(ranked)
}
