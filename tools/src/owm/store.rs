//! A store: a folder with one file that holds everything remembered, replaced as a whole or not at all.

use super::context::{field, written};
use super::mistake::Mistake;
use super::recalls::{self, Recall};
use crate::limits::log_bytes;
use morta_lab::error::{Error, Result};
use morta_lab::whole_file::replace;
use morta_lab::write_lock::WriteLock;
use morta_memories::owm::episodic::{EpisodicMemory, Shelf};
use morta_memories::owm::induction::Names;
use morta_memories::owm::intentions::PlanRules;
use morta_memories::owm::prospective::Plan;
use morta_memories::owm::score::age_days;
use morta_memories::owm::semantic::{BeliefError, SemanticMemory};
use morta_memories::owm::{Mind, MindConfig, Seen, strength};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The one file of a store.
const FILE: &str = "owm.json";
/// The format that this program writes.
const FORMAT: u32 = 1;

/// Names of strategies and symbols, by number.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StoreNames {
    strategies: Vec<String>,
    symbols: Vec<String>,
}

impl Names for StoreNames {
    fn strategy(&self, number: u16) -> &str {
        self.strategies.get(usize::from(number)).map_or("?", String::as_str)
    }

    fn symbol(&self, number: u16) -> &str {
        self.symbols.get(usize::from(number)).map_or("?", String::as_str)
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Content {
    format: u32,
    names: StoreNames,
    /// Ids of episodes, by number.
    ids: Vec<String>,
    /// Contexts of remembered episodes as they were given.
    contexts: BTreeMap<u64, Map<String, Value>>,
    /// The last moment told of.
    last_s: f64,
    mind: Mind,
    /// How often it was changed.
    #[serde(default)]
    state: u64,
    /// When plans are made without being asked for.
    #[serde(default)]
    plan_rules: PlanRules,
    /// Trust in each strategy, by its number.
    #[serde(default)]
    confidence: BTreeMap<u16, f64>,
}

/// An open store.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    content: Content,
    seen: BTreeSet<String>,
}

impl Store {
    /// A store that holds nothing yet.
    pub fn new(folder: &Path, config: MindConfig, equity: f64) -> Self {
        let content = Content {
            format: FORMAT,
            names: StoreNames::default(),
            ids: Vec::new(),
            contexts: BTreeMap::new(),
            last_s: f64::MIN,
            mind: Mind::new(config, equity, 0.0),
            state: 0,
            plan_rules: PlanRules::default(),
            confidence: BTreeMap::new(),
        };
        Self { folder: folder.to_owned(), content, seen: BTreeSet::new() }
    }

    /// A store in its place, by its keys, that holds nothing yet.
    pub fn emptied(&self, equity: f64) -> Self {
        let mut store = Self::new(&self.folder, self.mind().config().clone(), equity);
        store.content.plan_rules = self.content.plan_rules.clone();
        store.content.state = self.content.state;
        store
    }

    /// Whether there is a store in a folder.
    pub fn exists(folder: &Path) -> bool {
        folder.join(FILE).exists()
    }

    /// Keeps other processes from changing a store between its being opened and its being saved; makes its folder if need be.
    ///
    /// # Errors
    /// When another process has it for too long, or the folder can't be written to.
    pub fn lock(folder: &Path) -> Result<WriteLock> {
        let told = |error| Error::invalid(format!("{}: {error}", folder.display()));
        WriteLock::of_store(&folder.join(FILE)).map_err(told)
    }

    /// Opens a store.
    ///
    /// # Errors
    /// When there is none, or it can't be read.
    pub fn open(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        let shown = path.display();
        let text = log_bytes(&path).map_err(|error| {
            Error::invalid(format!(
                "{shown}: can't be read: {error}; morta-memory owm remember makes a store"
            ))
        })?;
        let content: Content = serde_json::from_slice(&text).map_err(|error| {
            Error::invalid(format!("{shown}:{}: isn't a store of this program: {error}", error.line()))
        })?;
        if content.format != FORMAT {
            let what = format!("format = {}: this program reads format {FORMAT}", content.format);
            return Err(Error::invalid(format!("{shown}: {what}")));
        }
        let seen = content.ids.iter().cloned().collect();
        let recalled = recalls::of(folder, content.state)?;
        let mut store = Self { folder: folder.to_owned(), content, seen };
        store.take_in_recalls(&recalled);
        Ok(store)
    }

    /// Notes beside the store that episodes were recalled.
    ///
    /// # Errors
    /// When that can't be written.
    pub fn note_recall(&self, now_s: f64, episodes: Vec<u64>) -> Result<()> {
        recalls::note(&self.folder, &Recall { of: self.content.state, now_s, episodes })
    }

    /// Replaces what is on the disk: written under a temporary name, flushed and renamed.
    ///
    /// # Errors
    /// When it can't be written; the old store is untouched then.
    pub fn save(&mut self) -> Result<()> {
        let records = self.content.mind.shelves().iter().flat_map(Shelf::records);
        let remembered: BTreeSet<u64> = records.map(|memory| memory.id).collect();
        self.content.contexts.retain(|id, _| remembered.contains(id));
        self.content.state += 1;
        replace(&self.folder.join(FILE), &serde_json::to_vec(&self.content)?)?;
        recalls::forget(&self.folder);
        Ok(())
    }

    /// What is remembered.
    pub const fn mind(&self) -> &Mind {
        &self.content.mind
    }

    /// The same, to be changed.
    pub const fn mind_mut(&mut self) -> &mut Mind {
        &mut self.content.mind
    }

    /// Takes in a trade with the context it was given with.
    ///
    /// # Errors
    /// As [`Mind::remember`].
    pub fn remember(
        &mut self,
        episode: EpisodicMemory,
        fields: Map<String, Value>,
    ) -> Result<bool, BeliefError> {
        let (id, made_s) = (episode.id, episode.made_s.unwrap_or(self.content.last_s));
        let (strategy, pnl_r) = (episode.domain.strategy, episode.pnl_r);
        let Content { mind, names, confidence, contexts, .. } = &mut self.content;
        let expected_r = mind.expected_r(strategy);
        let known = |name: &str| field(&fields, name);
        let seen = Seen { field: Some(&known), expected_r };
        let formed = mind.remember_seen(episode, names, &seen, made_s)?;
        if let Some(r) = pnl_r {
            let trust = confidence.entry(strategy).or_insert(0.5);
            *trust = mind.config().affect.confidence_after(*trust, r, expected_r);
        }
        contexts.insert(id, fields);
        Ok(formed.is_some())
    }

    /// Takes a trade that is open out of the store, with the context it was given with.
    pub fn take_open(&mut self, number: u64) -> Option<(EpisodicMemory, Map<String, Value>)> {
        let trade = self.content.mind.take_open(number)?;
        Some((trade, self.content.contexts.remove(&number).unwrap_or_default()))
    }

    /// Makes the plans that what is remembered suggests; how many.
    pub fn make_plans(&mut self, now_s: f64) -> u32 {
        let Content { mind, names, plan_rules, .. } = &mut self.content;
        mind.make_plans(plan_rules, names, now_s)
    }

    /// Plans are made by other rules from now on.
    pub fn plan_by(&mut self, rules: PlanRules) {
        self.content.plan_rules = rules;
    }

    /// Trust in each strategy that an outcome is known of, 0 to 1.
    pub fn confidence(&self) -> impl Iterator<Item = (&str, f64)> {
        self.content.confidence.iter().map(|(number, trust)| (self.names().strategy(*number), *trust))
    }

    /// The context that an episode was given with.
    pub fn context(&self, number: u64) -> Option<&Map<String, Value>> {
        self.content.contexts.get(&number)
    }

    /// The last moment told of.
    pub const fn last_s(&self) -> f64 {
        self.content.last_s
    }

    /// Time has come so far.
    pub const fn advance(&mut self, now_s: f64) {
        self.content.last_s = now_s;
    }

    /// Whether an episode's id was used.
    pub fn has_seen(&self, id: &str) -> bool {
        self.seen.contains(id)
    }

    /// A number for a new episode's id.
    pub fn number_of(&mut self, id: &str) -> u64 {
        self.seen.insert(id.to_owned());
        self.content.ids.push(id.to_owned());
        self.content.ids.len() as u64 - 1
    }

    /// How many episodes were ever taken in.
    pub const fn told(&self) -> usize {
        self.content.ids.len()
    }

    /// The id of an episode.
    pub fn id(&self, number: u64) -> &str {
        self.content.ids.get(number as usize).map_or("?", String::as_str)
    }

    /// The number of an episode's id.
    ///
    /// # Errors
    /// When the store doesn't hold it.
    pub fn episode_number(&self, id: &str) -> Result<u64, Mistake> {
        let found = self.content.ids.iter().position(|known| known == id);
        found.map(|number| number as u64).ok_or_else(|| Mistake::NoEpisode(id.to_owned()))
    }

    /// The number of a strategy that is known.
    ///
    /// # Errors
    /// When the store hasn't met it.
    pub fn strategy(&self, name: &str) -> Result<u16, Mistake> {
        known("strategy_name", &self.content.names.strategies, name)
    }

    /// The number of a symbol that is known.
    ///
    /// # Errors
    /// When the store hasn't met it.
    pub fn symbol(&self, name: &str) -> Result<u16, Mistake> {
        known("symbol", &self.content.names.symbols, name)
    }

    /// The number of a strategy, known or new.
    ///
    /// # Errors
    /// When there are too many.
    pub fn learn_strategy(&mut self, name: &str) -> Result<u16, Mistake> {
        learn(&mut self.content.names.strategies, name)
    }

    /// The number of a symbol, known or new.
    ///
    /// # Errors
    /// When there are too many.
    pub fn learn_symbol(&mut self, name: &str) -> Result<u16, Mistake> {
        learn(&mut self.content.names.symbols, name)
    }

    /// Names of strategies and symbols.
    pub const fn names(&self) -> &StoreNames {
        &self.content.names
    }

    /// An episode as it is shown.
    pub fn episode(&self, memory: &EpisodicMemory, now_s: f64) -> Value {
        let names = self.names();
        let age = age_days(memory.made_s, now_s).unwrap_or(0.0);
        json!({
            "timestamp": memory.made_s.map(written),
            "strategy": names.strategy(memory.domain.strategy),
            "symbol": names.symbol(memory.domain.symbol),
            "direction": memory.direction,
            "entry_price": memory.entry_price,
            "exit_price": memory.exit_price,
            "lot_size": memory.lots,
            "pnl": memory.pnl,
            "pnl_r": memory.pnl_r,
            "hold_duration_seconds": memory.hold_s,
            "max_adverse_excursion": memory.max_adverse_excursion,
            "entry_timing": memory.entry_timing,
            "exit_timing": memory.exit_timing,
            "reflection": memory.reflection,
            "confidence": memory.confidence,
            "tags": memory.tags,
            "strength": strength::episodic(memory.retrieval_strength, age, memory.retrievals),
            "retrieval_count": memory.retrievals,
            "last_retrieved": memory.last_retrieved_s.map(written),
            "context": self.content.contexts.get(&memory.id),
        })
    }

    /// A belief as it is shown.
    pub fn belief(&self, belief: &SemanticMemory) -> Value {
        let names = self.names();
        json!({
            "proposition": belief.proposition,
            "alpha": belief.belief.alpha,
            "beta": belief.belief.beta,
            "confidence": belief.belief.mean(),
            "uncertainty": belief.belief.variance(),
            "sample_size": belief.sample_size,
            "mean_pnl_r": belief.mean_r(),
            "strategy": belief.scope.strategy.map(|number| names.strategy(number)),
            "symbol": belief.scope.symbol.map(|number| names.symbol(number)),
            "regime": belief.scope.regime,
            "volatility_regime": belief.scope.volatility_regime,
            "session": belief.scope.session,
            "validity_conditions": belief.validity_conditions.to_json(),
            "last_confirmed": belief.last_confirmed.map(|id| self.id(id)),
            "last_contradicted": belief.last_contradicted.map(|id| self.id(id)),
            "source": belief.source,
            "created_at": written(belief.created_s),
            "updated_at": written(belief.updated_s),
        })
    }

    /// A plan as it is shown.
    pub fn plan(&self, plan: &Plan) -> Value {
        let sources: Vec<&str> = plan.source_episodic.iter().map(|id| self.id(*id)).collect();
        json!({
            "id": plan.id,
            "trigger_type": plan.trigger_type,
            "trigger_condition": plan.trigger.to_json(),
            "planned_action": plan.action,
            "status": plan.status,
            "priority": plan.priority,
            "expiry": plan.expiry_s.map(written),
            "source_episodic_ids": sources,
            "source_semantic_ids": plan.source_semantic,
            "reasoning": plan.reasoning,
            "triggered_at": plan.triggered_s.map(written),
            "outcome_pnl_r": plan.outcome_pnl_r,
            "outcome_reflection": plan.outcome_reflection,
            "created_at": written(plan.created_s),
        })
    }
}

fn known(key: &'static str, names: &[String], name: &str) -> Result<u16, Mistake> {
    let found = names.iter().position(|known| known == name);
    found.map(|number| number as u16).ok_or_else(|| {
        let known = if names.is_empty() { "nothing yet".to_owned() } else { names.join(", ") };
        Mistake::UnknownName { key, name: name.to_owned(), known }
    })
}

fn learn(names: &mut Vec<String>, name: &str) -> Result<u16, Mistake> {
    if let Some(number) = names.iter().position(|known| known == name) {
        return Ok(number as u16);
    }
    let number = u16::try_from(names.len()).map_err(|_| Mistake::TooManyNames(name.to_owned()))?;
    names.push(name.to_owned());
    Ok(number)
}
