//! The ranking of memories for the present context (`morta-memory owm recall`, and the server's `recall_memories`): retrieval by
//! outcome-weighted score, the product of quality, similarity, recency, confidence and affect. Memories are those of a store, or a list in
//! the question.
//!
//! A recall from a store is written to its log, because it strengthens the episodes that it returns; a list leaves no trace. By default
//! ten memories of the types episodic and semantic are returned, plans only on demand. Without `now` a store's last moment is the
//! present, and nothing of the context is inferred. A list needs `now`. The context of a list is never completed. From a store the command
//! looks at the newest five episodes and the first three beliefs that match for each memory wanted, unless `--whole` is given; the server's
//! tool looks at all unless it is asked not to.

use super::context::{GivenContext, field, moment_s};
use super::files;
use super::inferred;
use super::mistake::{Mistake, moment, within, within_if_given};
use super::open_store::OpenStore;
use super::store::Store;
use crate::notes::Notes;
use morta_lab::error::Result;
use morta_memories::owm::recall::{Candidate, Components, Query, Worth, recall as best_of};
use morta_memories::owm::score::{Mood, ScoreConfig};
use morta_memories::owm::trigger::FieldValue;
use morta_memories::owm::{MemoryType, Recollected, Wanted};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    now: Option<Value>,
    #[serde(default)]
    query_context: GivenContext,
    affective_state: Option<Mood>,
    #[serde(default = "ten")]
    limit: usize,
    memories: Option<Vec<Memory>>,
    #[serde(default, alias = "strategy")]
    strategy_name: Option<String>,
    symbol: Option<String>,
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
    confidence: Option<f64>,
    pnl_r: Option<f64>,
    context: Option<GivenContext>,
    priority: Option<f64>,
    #[serde(default)]
    source_pnl_r: Vec<Option<f64>>,
}

const fn episodic() -> MemoryType {
    MemoryType::Episodic
}

/// A memory of a list, with checked values.
#[derive(Debug, Deserialize)]
#[serde(try_from = "RawMemory")]
struct Memory(RawMemory);

impl TryFrom<RawMemory> for Memory {
    type Error = Mistake;

    fn try_from(memory: RawMemory) -> Result<Self, Mistake> {
        if !memory.id.is_string() && !memory.id.is_number() {
            return Err(Mistake::NoId(memory.id));
        }
        within_if_given("priority", memory.priority, 0.0, 1.0)?;
        Ok(Self(memory))
    }
}

/// A retrieved memory with its score and the score's factors.
#[derive(Debug, Serialize)]
pub struct Ranked {
    /// Its id, as the question or the store has it.
    pub id: Value,
    /// Its type.
    pub memory_type: MemoryType,
    /// The product of the components.
    pub score: f64,
    /// The components of the score.
    pub components: Components,
    /// The memory's fields, if it comes from a store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

/// The retrieval result: the best memories, in descending order of score.
#[derive(Debug, Serialize)]
pub struct Recalled {
    /// The memories.
    pub ranked: Vec<Ranked>,
    /// The reason for an empty answer, where the store doesn't know the strategy or symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Ranks memories for the context of a file: those of a store, where they are then counted as recalled, or those in the file (memory
/// retrieval). With `whole`, every episode and belief of the store is scored; otherwise the newest few for each wanted one, which is faster
/// in a large store.
///
/// # Errors
/// [`Error::Invalid`](morta_lab::error::Error::Invalid) when the file or the store can't be read, or a value is out of range.
pub fn recall(file: &Path, store: Option<&Path>, whole: bool, notes: Notes<'_>) -> Result<Recalled> {
    let question: Question = files::object(file)?;
    let mood = question.affective_state.unwrap_or_default();
    within("affective_state.drawdown_state", mood.drawdown_state, 0.0, 1.0)
        .map_err(|what| files::refuse(file, what))?;
    match store {
        Some(folder) => {
            let mut store = OpenStore::new(folder.to_owned());
            let recalled = from_store(&mut store, file, whole, &question)?;
            recalled.note.iter().for_each(|note| notes(note));
            Ok(recalled)
        }
        None => Ok(Recalled { ranked: from_file(file, &question, mood, notes)?, note: None }),
    }
}

/// Retrieves memories as [`recall`] does, for an open store and a parsed question. Errors name `arguments` in place of a file.
///
/// # Errors
/// As [`recall`].
pub(crate) fn recall_question(store: &mut OpenStore, question: Value, whole: bool) -> Result<Recalled> {
    let name = Path::new("arguments");
    let question: Question = serde_json::from_value(question).map_err(|what| files::refuse(name, what))?;
    from_store(store, name, whole, &question)
}

fn from_file(path: &Path, question: &Question, mood: Mood, notes: Notes<'_>) -> Result<Vec<Ranked>> {
    if question.strategy_name.is_some() || question.symbol.is_some() || question.memory_types.is_some() {
        return Err(files::refuse(path, Mistake::ChoosesWithoutStore));
    }
    let Some(memories) = &question.memories else {
        return Err(files::refuse(path, Mistake::NoMemories));
    };
    let now = question.now.as_ref().unwrap_or(&Value::Null);
    let now_s = moment("now", now).map_err(|what| files::refuse(path, what))?;
    let mut ids = BTreeSet::new();
    for (place, Memory(memory)) in memories.iter().enumerate() {
        if !ids.insert(memory.id.to_string()) {
            return Err(files::refuse(path, Mistake::IdTwice { place, id: memory.id.clone() }));
        }
    }
    let candidates: Vec<Candidate<'_>> = memories.iter().map(|memory| candidate(&memory.0)).collect();
    let unreadable = candidates.iter().filter(|candidate| candidate.made_s.is_none()).count();
    if unreadable > 0 {
        notes(&format!("{}: {unreadable} timestamps can't be read: recency ½", files::shown(path)));
    }
    let query = Query { now_s, context: question.query_context.vector, mood };
    let found = best_of(&candidates, &query, &ScoreConfig::default(), question.limit);
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

fn from_store(store: &mut OpenStore, path: &Path, whole: bool, question: &Question) -> Result<Recalled> {
    if question.memories.is_some() {
        return Err(files::refuse(path, Mistake::MemoriesAndStore));
    }
    store.recall(|store| {
        let now_s = match &question.now {
            Some(now) => moment("now", now).map_err(|what| files::refuse(path, what))?,
            None => store.last_s(),
        };
        let strategy = question.strategy_name.as_deref().map(|name| store.strategy(name)).transpose();
        let symbol = question.symbol.as_deref().map(|name| store.symbol(name)).transpose();
        let context = match &question.now {
            Some(_) => completed(&question.query_context, now_s).map_err(|what| files::refuse(path, what))?,
            None => question.query_context.clone(),
        };
        // An unknown strategy or symbol is no error: an agent asks a new store before its first trade.
        let (strategy, symbol) = match strategy.and_then(|strategy| Ok((strategy, symbol?))) {
            Ok(known) => known,
            Err(unknown) => {
                let note = Some(format!("nothing is remembered: {unknown}"));
                return Ok((Recalled { ranked: Vec::new(), note }, now_s, Vec::new()));
            }
        };
        let types = question.memory_types.as_deref();
        // Plans are left out by default, because the document's tool `recall_memories` has the default `memory_types=[episodic, semantic]`.
        let types = types.unwrap_or(&[MemoryType::Episodic, MemoryType::Semantic]);
        let wanted = Wanted { strategy, symbol, types, limit: question.limit, whole };
        let (ranked, recalled) = ranked(store, &wanted, question, &context, now_s);
        Ok((Recalled { ranked, note: None }, now_s, recalled))
    })
}

/// The present context, completed from its moment and from words by the rules for remembered trades. Otherwise the fields inferred for those trades
/// could never match.
fn completed(present: &GivenContext, now_s: f64) -> Result<GivenContext, Mistake> {
    let mut fields = present.fields.clone();
    let words = fields.get("market_context").and_then(Value::as_str).map(str::to_owned);
    inferred::complete(&mut fields, words.as_deref(), now_s);
    GivenContext::try_from(fields)
}

/// The best memories of a store, and the numbers of the episodes among them.
fn ranked(
    store: &Store,
    wanted: &Wanted<'_>,
    question: &Question,
    present: &GivenContext,
    now_s: f64,
) -> (Vec<Ranked>, Vec<u64>) {
    let context = present.vector;
    let mood = question.affective_state.unwrap_or_else(|| store.mind().affect().mood());
    let known = |name: &str| match name {
        "strategy" | "strategy_name" => question.strategy_name.as_deref().map(FieldValue::Text),
        "symbol" => question.symbol.as_deref().map(FieldValue::Text),
        _ => field(&present.fields, name),
    };
    let mut recalled = Vec::new();
    let found = store.mind().recall_seen(wanted, &Query { now_s, context, mood }, &known);
    let ranked = found.into_iter().map(|found| {
        let (id, memory_type, data) = match found.memory {
            Recollected::Episodic(memory) => {
                recalled.push(memory.id);
                (Value::from(store.id(memory.id)), MemoryType::Episodic, store.episode(memory, now_s))
            }
            Recollected::Semantic(belief) => {
                let data = store.belief(belief, now_s, context.regime);
                (Value::from(belief.id), MemoryType::Semantic, data)
            }
            Recollected::Prospective(plan) => {
                (Value::from(plan.id), MemoryType::Prospective, store.plan(plan))
            }
        };
        Ranked { id, memory_type, score: found.score, components: found.components, data: Some(data) }
    });
    (ranked.collect(), recalled)
}
