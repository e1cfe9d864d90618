//! A store is a folder with a snapshot of all memories (`owm.json`), which is replaced as a whole or not at all, and a log of the actions
//! and recalls since (`since.jsonl`). It is an embedded database: snapshot plus write-ahead log, file lock. Moments are Unix epoch seconds,
//! equity is in the account's currency. The log was added because writing a snapshot for each trade would take longer with every trade.
//!
//! Nothing is written before `save`, `note_action` or `note_recall`. A caller that writes holds the lock from opening to saving, one that
//! only asks holds none and reads again when another process replaces the snapshot meanwhile; values are validated by `log` before they
//! get here. Formats 1 and 2 are read, others refused.

use super::append_log::{self, Entry, Tail};
use super::context::{field, written};
use super::mistake::Mistake;
use crate::limits::log_bytes;
use morta_lab::error::{Error, Result};
use morta_lab::whole_file::replace;
use morta_lab::write_lock::WriteLock;
use morta_memories::owm::context::Regime;
use morta_memories::owm::episodic::{EpisodicMemory, Shelf};
use morta_memories::owm::induction::{Names, PatternKey};
use morta_memories::owm::intentions::PlanRules;
use morta_memories::owm::prospective::Plan;
use morta_memories::owm::score::age_days;
use morta_memories::owm::semantic::{BeliefError, SemanticMemory};
use morta_memories::owm::{Mind, MindConfig, Seen, strength};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Name of the snapshot.
const FILE: &str = "owm.json";
/// The format that this version writes. Format 1 had no log of actions. A program that knows format 1 alone would miss the log, so the new number
/// makes it refuse the store.
const FORMAT: u32 = 2;
/// The oldest format that can be read.
const FORMAT_OLDEST: u32 = 1;
/// Number of attempts to read a store that another process replaces meanwhile. Our choice: a server replaces its snapshot once in a megabyte of
/// actions, so that a second attempt is rare.
const READ_AGAIN: u32 = 20;

/// The names that memories refer to by number: strategies and symbols (name dictionary).
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
    /// Number of snapshots written. It stands near the beginning of the file, where a server looks for changes without parsing the rest.
    #[serde(default)]
    state: u64,
    names: StoreNames,
    /// Ids of episodes, by number.
    ids: Vec<String>,
    /// Contexts of remembered episodes, with all fields that were given.
    contexts: BTreeMap<u64, Map<String, Value>>,
    /// The latest moment of any action, in seconds since 1970.
    last_s: f64,
    mind: Mind,
    /// Rules by which plans are derived from memories.
    #[serde(default)]
    plan_rules: PlanRules,
    /// Trust in each strategy, 0 to 1, by its number.
    #[serde(default)]
    confidence: BTreeMap<u16, f64>,
    /// Trades that confirmed (true) or contradicted a belief. Stores of format 1 had only the last of each.
    #[serde(default)]
    evidence: BTreeMap<u32, Vec<(u64, bool)>>,
    /// Hashes of lines that may count only once: seeded beliefs, reflections, plans.
    #[serde(default)]
    lines: BTreeSet<String>,
    /// The latest moment of a reported equity. Profits made before it are part of that equity, and aren't added again.
    equity_s: Option<f64>,
}

/// A persistent store of trade memories that is open: the state of its snapshot after the actions in its log.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    content: Content,
    /// Numbers of episodes, by id.
    numbers: BTreeMap<String, u64>,
}

/// The fingerprint by which a changed snapshot is noticed: its first bytes, size and modification time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The first bytes of the file, which hold its format and state.
    head: Vec<u8>,
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Version {
    /// Reads the fingerprint of the snapshot in a folder now; none if it holds no store.
    pub(crate) fn in_folder(folder: &Path) -> Option<Self> {
        let mut file = File::open(folder.join(FILE)).ok()?;
        let about = file.metadata().ok()?;
        // 48 bytes hold the format and the state, which are the first two fields. Size and time alone would miss a snapshot of equal length in one
        // tick of the clock.
        let mut head = vec![0; 48];
        let length = file.read(&mut head).ok()?;
        head.truncate(length);
        Some(Self { head, bytes: about.len(), modified: about.modified().ok() })
    }
}

impl Store {
    /// Makes a store without memories; nothing is written yet.
    pub fn new(folder: &Path, config: MindConfig, equity: f64) -> Self {
        let content = Content {
            format: FORMAT,
            state: 0,
            names: StoreNames::default(),
            ids: Vec::new(),
            contexts: BTreeMap::new(),
            last_s: f64::MIN,
            mind: Mind::new(config, equity, 0.0),
            plan_rules: PlanRules::default(),
            confidence: BTreeMap::new(),
            evidence: BTreeMap::new(),
            lines: BTreeSet::new(),
            equity_s: None,
        };
        Self { folder: folder.to_owned(), content, numbers: BTreeMap::new() }
    }

    /// Makes an empty store with the settings and folder of this one, to be rebuilt from its trades.
    pub fn emptied(&self, equity: f64) -> Self {
        let mut store = Self::new(&self.folder, self.mind().config().clone(), equity);
        store.content.plan_rules = self.content.plan_rules.clone();
        // The state goes on counting, otherwise an old log would be taken for one of the new snapshot.
        store.content.state = self.content.state;
        store
    }

    /// Whether a folder holds a store, i.e. a file of its snapshot exists.
    pub fn exists(folder: &Path) -> bool {
        folder.join(FILE).exists()
    }

    /// Locks a store against other processes from opening to saving; creates its folder if need be (file lock).
    ///
    /// # Errors
    /// When another process holds the lock for too long, or the folder can't be written.
    pub fn lock(folder: &Path) -> Result<WriteLock> {
        let locked = |error| Error::at(folder, error);
        WriteLock::of_store(&folder.join(FILE)).map_err(locked)
    }

    /// Opens a store: loads the snapshot and replays the log.
    ///
    /// # Errors
    /// When there is none, or it can't be read.
    pub fn open(folder: &Path) -> Result<Self> {
        Ok(Self::open_at(folder)?.0)
    }

    /// Opens a store with its version and the offset up to which its log was read (consistent read). Without the lock another process may
    /// replace both while they are read; they are then read again, otherwise a snapshot would be combined with another one's log.
    ///
    /// # Errors
    /// As [`Store::open`], and when other processes replaced it at each of 20 attempts.
    pub(crate) fn open_at(folder: &Path) -> Result<(Self, Option<Version>, u64)> {
        for _ in 0..READ_AGAIN {
            let version = Version::in_folder(folder);
            let mut store = Self::read(folder)?;
            let Tail { entries, end } = append_log::since(folder, store.content.state)?;
            if Version::in_folder(folder) == version {
                entries.into_iter().for_each(|entry| entry.repeat(&mut store));
                return Ok((store, version, end));
            }
        }
        Err(Error::at(folder.join(FILE), "other processes keep replacing it: try again"))
    }

    fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        let shown = path.display();
        let text = log_bytes(&path).map_err(|error| {
            Error::at(&path, format!("can't be read: {error}; morta-memory owm remember makes a store"))
        })?;
        let mut content: Content = serde_json::from_slice(&text).map_err(|error| {
            Error::invalid(format!("{shown}:{}: isn't a store of this program: {error}", error.line()))
        })?;
        if !(FORMAT_OLDEST..=FORMAT).contains(&content.format) {
            let what = format!("format = {}: this program reads formats 1 and {FORMAT}", content.format);
            return Err(Error::at(&path, what));
        }
        content.format = FORMAT;
        let numbers = (0..).zip(&content.ids).map(|(number, id)| (id.clone(), number)).collect();
        Ok(Self { folder: folder.to_owned(), content, numbers })
    }

    /// Opens a store for questions, i.e. read-only; it is empty if there is none.
    ///
    /// # Errors
    /// When there is one and it can't be read.
    pub fn open_or_empty(folder: &Path) -> Result<Self> {
        if Self::exists(folder) { Self::open(folder) } else { Ok(Self::unwritten(folder)) }
    }

    /// Makes an in-memory store with default settings; the first action of an agent saves it.
    pub fn unwritten(folder: &Path) -> Self {
        let config = MindConfig { capacity: super::remember::CAPACITY, ..MindConfig::default() };
        Self::new(folder, config, super::remember::USUAL_EQUITY)
    }

    /// Appends the recall of episodes to the log, which was read up to `end` (log append). Returns the log's new end. The caller holds the
    /// store's lock.
    ///
    /// # Errors
    /// When the log can't be written.
    pub(crate) fn note_recall(&self, now_s: f64, episodes: Vec<u64>, end: u64) -> Result<u64> {
        let entry = Entry { of: self.content.state, action: None, now_s: Some(now_s), episodes };
        append_log::append(&self.folder, &entry, end, false)
    }

    /// Appends an accepted action to the log and synchronises it, so that an acknowledged trade survives a crash (durable log append). The log was
    /// read up to `end`; returns its new end. The caller holds the store's lock.
    ///
    /// # Errors
    /// When the log can't be written; the store on the disk is unchanged then.
    pub(crate) fn note_action(&self, action: Map<String, Value>, end: u64) -> Result<u64> {
        let entry = Entry { of: self.content.state, action: Some(action), now_s: None, episodes: Vec::new() };
        append_log::append(&self.folder, &entry, end, true)
    }

    /// Applies the log's entries from an offset on, which other processes have written (log replay). Returns the log's end.
    ///
    /// # Errors
    /// When the log can't be read.
    pub(crate) fn catch_up(&mut self, from: u64) -> Result<u64> {
        let Tail { entries, end } = append_log::more(&self.folder, self.content.state, from)?;
        entries.into_iter().for_each(|entry| entry.repeat(self));
        Ok(end)
    }

    /// Replaces the snapshot by an atomic rename: it is written under a temporary name and flushed before, so that a crash leaves the old
    /// or the new one.
    ///
    /// # Errors
    /// When it can't be written; the old store is untouched then.
    pub fn save(&mut self) -> Result<()> {
        let records = self.content.mind.shelves().iter().flat_map(Shelf::records);
        let remembered: BTreeSet<u64> = records.map(|memory| memory.id).collect();
        // Contexts of forgotten episodes are dropped here, so that the snapshot doesn't grow with them.
        self.content.contexts.retain(|id, _| remembered.contains(id));
        // The state grows before writing, so that entries of the old log no longer apply to the new snapshot.
        self.content.state += 1;
        let written = serde_json::to_vec(&self.content).map_err(Error::from);
        let written = written.and_then(|bytes| replace(&self.folder.join(FILE), &bytes));
        // The disk still holds the previous state.
        written.inspect_err(|_| self.content.state -= 1)?;
        // The log is deleted last: after a crash before this its entries have an older state and are skipped.
        append_log::forget(&self.folder);
        Ok(())
    }

    /// The directory that holds the store.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The memories of the store: episodes, beliefs, habits, plans and the affective state.
    pub const fn mind(&self) -> &Mind {
        &self.content.mind
    }

    /// The memories, to be changed. Changes last only if the store is saved or they follow from its log.
    pub(crate) const fn mind_mut(&mut self) -> &mut Mind {
        &mut self.content.mind
    }

    /// Adds a trade with its context as an episode.
    ///
    /// # Errors
    /// As [`Mind::remember`].
    pub fn remember(
        &mut self,
        episode: EpisodicMemory,
        fields: Map<String, Value>,
    ) -> Result<bool, BeliefError> {
        let (id, last_s) = (episode.id, self.content.last_s);
        let made_s = episode.made_s.unwrap_or(last_s);
        let (strategy, pnl_r) = (episode.domain.strategy, episode.pnl_r);
        let pattern = PatternKey::of(&episode);
        let Content { mind, names, confidence, contexts, evidence, .. } = &mut self.content;
        let expected_r = mind.expected_r(strategy);
        let known = |name: &str| field(&fields, name);
        let seen = Seen { field: Some(&known), expected_r, is_late: made_s < last_s };
        // A late trade is learned as of the store's last moment.
        let formed = mind.remember_seen(episode, names, &seen, made_s.max(last_s))?;
        for belief in mind.beliefs().iter().filter(|belief| Some(belief.id) != formed) {
            let is_it = |last: Option<u64>| last == Some(id);
            if is_it(belief.last_confirmed) || is_it(belief.last_contradicted) {
                evidence.entry(belief.id).or_default().push((id, is_it(belief.last_confirmed)));
            }
        }
        if let Some(belief) = formed.and_then(|number| mind.beliefs().iter().find(|it| it.id == number)) {
            let alike = mind.shelf(pattern.domain).map_or(&[][..], Shelf::records).iter();
            let alike = alike.filter(|trade| PatternKey::of(trade) == pattern);
            let drawn_from = alike.filter_map(|trade| Some((trade.id, belief.predicate.judge(trade)?)));
            evidence.insert(belief.id, drawn_from.collect());
        }
        if let Some(r) = pnl_r {
            let trust = confidence.entry(strategy).or_insert(0.5);
            *trust = mind.config().affect.confidence_after(*trust, r, expected_r);
        }
        contexts.insert(id, fields);
        Ok(formed.is_some())
    }

    /// Removes an open trade and returns it with its context. The caller closes it and remembers it again.
    pub fn take_open(&mut self, number: u64) -> Option<(EpisodicMemory, Map<String, Value>)> {
        let trade = self.content.mind.take_open(number)?;
        Some((trade, self.content.contexts.remove(&number).unwrap_or_default()))
    }

    /// Makes the plans (prospective memory) that follow from other memories, and returns their number.
    pub fn make_plans(&mut self, now_s: f64) -> u32 {
        let Content { mind, names, plan_rules, .. } = &mut self.content;
        mind.make_plans(plan_rules, names, now_s)
    }

    /// Whether a line that counts only once was carried out before (idempotency).
    pub(super) fn has_line(&self, line: &str) -> bool {
        self.content.lines.contains(&line_hash(line))
    }

    /// Records such a line.
    pub(super) fn note_line(&mut self, line: &str) {
        self.content.lines.insert(line_hash(line));
    }

    /// Sets the rules for making plans (plan rules).
    pub(crate) fn plan_by(&mut self, rules: PlanRules) {
        self.content.plan_rules = rules;
    }

    /// The confidence in each strategy with a known outcome, 0 to 1.
    pub fn confidence(&self) -> impl Iterator<Item = (&str, f64)> {
        self.content.confidence.iter().map(|(number, trust)| (self.names().strategy(*number), *trust))
    }

    /// Finds the market context of an episode, with all fields that were given.
    pub fn context(&self, number: u64) -> Option<&Map<String, Value>> {
        self.content.contexts.get(&number)
    }

    /// The latest moment of any action, in seconds since 1970 (latest timestamp).
    pub const fn last_s(&self) -> f64 {
        self.content.last_s
    }

    /// Advances the store's time; a late action doesn't set it back (monotonic clock).
    pub const fn advance(&mut self, now_s: f64) {
        self.content.last_s = self.content.last_s.max(now_s);
    }

    /// Records a reported equity. An equity older than the store's last moment isn't the present one; it counts only for the peak.
    pub(crate) fn take_equity(&mut self, equity: f64, now_s: f64) {
        let Content { mind, last_s, equity_s, .. } = &mut self.content;
        if now_s < *last_s {
            mind.on_past_equity(equity);
        } else {
            mind.on_equity(equity, now_s);
            *equity_s = Some(now_s);
        }
    }

    /// Adds the profit of a trade to the equity, unless an equity was reported later, which contains the profit already.
    pub(crate) fn take_profit(&mut self, pnl: f64, now_s: f64) {
        let Content { mind, last_s, equity_s, .. } = &mut self.content;
        // A reported equity contains all profits before it, so an earlier profit would count twice.
        if equity_s.is_none_or(|reported| reported <= now_s) {
            mind.on_equity(mind.affect().current_equity + pnl, now_s.max(*last_s));
        }
    }

    /// The evidence for a belief: the trades that confirmed it (true) or contradicted it.
    pub fn evidence(&self, belief: &SemanticMemory) -> Vec<(u64, bool)> {
        let kept = self.content.evidence.get(&belief.id).cloned().unwrap_or_default();
        // Stores of format 1 have no list of evidence, so the last trades of the belief stand for it.
        let of_before = [(belief.last_confirmed, true), (belief.last_contradicted, false)];
        let of_before = of_before.into_iter().filter_map(|(last, confirms)| Some((last?, confirms)));
        let missing: Vec<_> = of_before.filter(|(last, _)| kept.iter().all(|(id, _)| id != last)).collect();
        missing.into_iter().chain(kept).collect()
    }

    /// Whether an id was used by any episode, forgotten ones included (duplicate id).
    pub(crate) fn has_seen(&self, id: &str) -> bool {
        self.numbers.contains_key(id)
    }

    /// Registers a new id and returns the number of its episode (interning). The caller has checked `has_seen`: an id registered twice
    /// would lose its first number.
    pub fn number_of(&mut self, id: &str) -> u64 {
        let number = self.content.ids.len() as u64;
        self.numbers.insert(id.to_owned(), number);
        self.content.ids.push(id.to_owned());
        number
    }

    /// Finds an unused id for an episode without one: the next number that isn't an id already.
    pub(crate) fn free_id(&self) -> String {
        let numbers = (self.content.ids.len()..).map(|number| number.to_string());
        numbers.into_iter().find(|id| !self.has_seen(id)).unwrap_or_default()
    }

    /// Number of episodes ever added, forgotten ones included (episode count).
    pub(crate) const fn episodes_ever(&self) -> usize {
        self.content.ids.len()
    }

    /// Looks up the id of an episode by its number.
    pub fn id(&self, number: u64) -> &str {
        self.content.ids.get(number as usize).map_or("?", String::as_str)
    }

    /// Looks up the number of an episode by its id.
    ///
    /// # Errors
    /// When no episode has had the id.
    pub(crate) fn episode_number(&self, id: &str) -> Result<u64, Mistake> {
        self.numbers.get(id).copied().ok_or_else(|| Mistake::NoEpisode(id.to_owned()))
    }

    /// Looks up the number of a strategy by its name.
    ///
    /// # Errors
    /// When the store doesn't know it.
    pub fn strategy(&self, name: &str) -> Result<u16, Mistake> {
        known("strategy_name", &self.content.names.strategies, name)
    }

    /// Looks up the number of a symbol by its name.
    ///
    /// # Errors
    /// When the store doesn't know it.
    pub fn symbol(&self, name: &str) -> Result<u16, Mistake> {
        known("symbol", &self.content.names.symbols, name)
    }

    /// Interns the name of a strategy, and returns its number; it is added if it is new.
    ///
    /// # Errors
    /// When there are more than 65,536.
    pub(crate) fn learn_strategy(&mut self, name: &str) -> Result<u16, Mistake> {
        learn(&mut self.content.names.strategies, name)
    }

    /// Interns the name of a symbol, and returns its number; it is added if it is new.
    ///
    /// # Errors
    /// When there are more than 65,536.
    pub(crate) fn learn_symbol(&mut self, name: &str) -> Result<u16, Mistake> {
        learn(&mut self.content.names.symbols, name)
    }

    /// The names of strategies and symbols, by number (string interning).
    pub const fn names(&self) -> &StoreNames {
        &self.content.names
    }

    /// Writes an episode, a record of episodic memory, as a JSON object for answers.
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

    /// Writes a belief, a record of semantic memory, as a JSON object for answers, with its strength at a moment and in a regime: a belief
    /// of another regime has 0.3 of it (the regime match factor of the specification, section 2.2).
    pub fn belief(&self, belief: &SemanticMemory, now_s: f64, regime: Option<Regime>) -> Value {
        let names = self.names();
        let age = age_days(Some(belief.updated_s), now_s).unwrap_or(0.0);
        let evidence = self.evidence(belief);
        let of = |wanted: bool| {
            let ids = evidence.iter().filter(|(_, confirms)| *confirms == wanted);
            ids.map(|(id, _)| self.id(*id)).collect::<Vec<_>>()
        };
        json!({
            "id": belief.id,
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
            "evidence": { "confirming": of(true), "contradicting": of(false) },
            "strength": strength::semantic(belief.retrieval_strength, age, belief.scope.regime, regime.or(belief.scope.regime)),
            "source": belief.source,
            "created_at": written(belief.created_s),
            "updated_at": written(belief.updated_s),
        })
    }

    /// Writes a plan, a record of prospective memory, as a JSON object for answers.
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

/// Sixteen hexadecimal digits (64 bits) of a hash: with a million lines the chance of any collision is below 1 in ten million.
fn line_hash(line: &str) -> String {
    blake3::hash(line.as_bytes()).to_hex()[..16].to_owned()
}

fn known(key: &'static str, names: &[String], name: &str) -> Result<u16, Mistake> {
    position(names, name).ok_or_else(|| {
        let known = if names.is_empty() { "nothing yet".to_owned() } else { names.join(", ") };
        Mistake::UnknownName { key, name: name.to_owned(), known }
    })
}

/// The index of a name. Agents write one name in several cases (`xauusd`), so a name that differs by case alone is used where no equal one exists.
fn position(names: &[String], name: &str) -> Option<u16> {
    let equal = names.iter().position(|known| known == name);
    let like = || names.iter().position(|known| known.eq_ignore_ascii_case(name));
    equal.or_else(like).map(|number| number as u16)
}

fn learn(names: &mut Vec<String>, name: &str) -> Result<u16, Mistake> {
    if let Some(number) = position(names, name) {
        return Ok(number);
    }
    let number = u16::try_from(names.len()).map_err(|_| Mistake::TooManyNames(name.to_owned()))?;
    names.push(name.to_owned());
    Ok(number)
}
