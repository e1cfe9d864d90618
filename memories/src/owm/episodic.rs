//! Episodic memory: trades with their context and outcome (digest section 2), and decisions not to trade. An episode is a trade record:
//! entry price and exit price, profit in R, holding time, maximum adverse excursion, number of retrievals. A decision not to trade has a
//! result only where the caller gives one (golems by the key `abstentions`). Results are R, money is the caller's currency, moments are
//! seconds, confidence is 0 to 1. A `Shelf` (memory partition) holds the episodes of one strategy on one symbol, oldest first, so that the
//! newest are found without a search. `super::Mind` keeps that order: it appends an episode unless the caller says that it is late. It also
//! limits a shelf to its capacity, 1,000 episodes by default and a million in the `owm` tools, and drops the oldest.

use super::columns::Columns;
use super::context::ContextVector;
use super::induction::Names;
use super::score::{Outcomes, ScoreConfig};
use super::trigger::FieldValue;
use serde::{Deserialize, Serialize};
use thiserror::Error;

morta_base::words! {
    /// The side of a trade: long position or short position (trade direction, position side).
    pub enum Direction {
        /// Gains when the price rises.
        Long = "long",
        /// Gains when the price falls.
        Short = "short",
    }
}

/// The domain of a memory: a strategy and a symbol, by the caller's numbers (composite key).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Domain {
    /// The caller's number of the strategy.
    pub strategy: u16,
    /// The caller's number of the symbol.
    pub symbol: u16,
}

/// A remembered trade, or the deliberate decision not to trade: without an exit price, and with profit and lots only where the caller gives
/// a counterfactual result (trade record).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpisodicMemory {
    /// Its number, given by the caller.
    pub id: u64,
    /// The moment that recency counts from, in seconds: of the decision for an open trade, and of the close once the caller stores the
    /// outcome; `None` if it is unknown.
    pub made_s: Option<f64>,
    /// The context of the decision.
    pub context: ContextVector,
    /// Its domain; memories of one domain share a shelf.
    pub domain: Domain,
    /// The side of the trade.
    pub direction: Direction,
    /// Price at entry.
    pub entry_price: f64,
    /// Price at exit; `None` while open.
    pub exit_price: Option<f64>,
    /// Size, in the caller's unit.
    pub lots: Option<f64>,
    /// Profit in money.
    pub pnl: Option<f64>,
    /// Profit in R: profit over initial risk; `None` while open or without a stop.
    pub pnl_r: Option<f64>,
    /// Holding time, in seconds.
    pub hold_s: Option<f64>,
    /// Maximum adverse excursion: the worst open result, in the caller's unit.
    pub max_adverse_excursion: Option<f64>,
    /// A reflection on the trade, written afterwards.
    pub reflection: Option<String>,
    /// Confidence in the decision, 0 to 1: given by the caller. A golem's memory gives its confidence at the close; an inherited episode
    /// has none.
    pub confidence: Option<f64>,
    /// Words to search by.
    pub tags: Vec<String>,
    /// Initial strength of retention, S₀ of `strength::episodic`; 1 for a new episode, and nothing changes it.
    pub retrieval_strength: f64,
    /// Number of recalls.
    pub retrievals: u32,
    /// The moment of the last recall, in seconds.
    pub last_retrieved_s: Option<f64>,
    /// Timing of the entry relative to its signal: early (towards −1) or late (towards 1).
    pub entry_timing: Option<f64>,
    /// Timing of the exit relative to its target: early (towards −1) or late (towards 1).
    pub exit_timing: Option<f64>,
}

impl EpisodicMemory {
    /// Makes the record of a decision as it is known at its moment: no context and no outcome yet (an open trade).
    pub fn decided(id: u64, domain: Domain, direction: Direction, entry_price: f64) -> Self {
        Self {
            id,
            made_s: None,
            context: ContextVector::default(),
            domain,
            direction,
            entry_price,
            exit_price: None,
            lots: None,
            pnl: None,
            pnl_r: None,
            hold_s: None,
            max_adverse_excursion: None,
            reflection: None,
            confidence: None,
            tags: Vec::new(),
            retrieval_strength: 1.0,
            retrievals: 0,
            last_retrieved_s: None,
            entry_timing: None,
            exit_timing: None,
        }
    }

    /// Whether its outcome is known in R, in money or by its exit price (a closed position). An episode that isn't closed is an open trade
    /// or a decision not to trade; such a decision that is kept with a result counts as closed.
    pub const fn is_closed(&self) -> bool {
        self.pnl_r.is_some() || self.pnl.is_some() || self.exit_price.is_some()
    }

    /// The result in R, or without that in money, or without that as a move of the price (profit and loss). Only the signs of two results
    /// can be compared, because their units may differ.
    pub fn result(&self) -> Option<f64> {
        let moved = |exit: f64| match self.direction {
            Direction::Long => exit - self.entry_price,
            Direction::Short => self.entry_price - exit,
        };
        self.pnl_r.or(self.pnl).or(self.exit_price.map(moved))
    }

    /// Looks up the value of a field that a condition may test: strategy, symbol, direction, or a field of the context.
    pub fn field<'a>(&self, names: &'a dyn Names, name: &str) -> Option<FieldValue<'a>> {
        match name {
            "strategy" | "strategy_name" => Some(FieldValue::Text(names.strategy(self.domain.strategy))),
            "symbol" => Some(FieldValue::Text(names.symbol(self.domain.symbol))),
            "direction" => Some(FieldValue::Text(self.direction.name())),
            _ => self.context.field(name),
        }
    }
}

/// All memories of one domain, oldest first, and the columns that recall reads (a partition).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredShelf")]
pub struct Shelf {
    domain: Domain,
    records: Vec<EpisodicMemory>,
    columns: Columns,
}

/// A shelf as it is read from a file, before its columns are checked: recall indexes them by the records.
#[derive(Deserialize)]
struct StoredShelf {
    domain: Domain,
    records: Vec<EpisodicMemory>,
    columns: Columns,
}

/// The error of a shelf whose columns have another length than its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a shelf of {0} memories has columns of another length")]
pub struct UnevenColumns(usize);

impl TryFrom<StoredShelf> for Shelf {
    type Error = UnevenColumns;

    fn try_from(StoredShelf { domain, records, columns }: StoredShelf) -> Result<Self, UnevenColumns> {
        if columns.are_of(records.len()) {
            Ok(Self { domain, records, columns })
        } else {
            Err(UnevenColumns(records.len()))
        }
    }
}

impl Shelf {
    /// An empty shelf (partition) for a strategy on a symbol.
    pub fn new(domain: Domain) -> Self {
        Self { domain, records: Vec::new(), columns: Columns::default() }
    }

    /// The domain of its memories: strategy and symbol.
    pub const fn domain(&self) -> Domain {
        self.domain
    }

    /// Its memories in chronological order, oldest first.
    pub fn records(&self) -> &[EpisodicMemory] {
        &self.records
    }

    /// The columns, in the order of the records.
    pub(super) const fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The outcomes of the `newest` newest memories (a recent window).
    pub fn outcomes(&self, newest: usize) -> Outcomes<'_> {
        self.columns.outcomes(self.records.len().saturating_sub(newest))
    }

    /// Makes its columns anew by other keys (index rebuild).
    pub fn measure_anew(&mut self, config: &ScoreConfig) {
        self.columns = Columns::default();
        self.records.iter().for_each(|memory| self.columns.push(memory, config));
    }

    /// Appends a memory as the newest. Its moment isn't checked.
    pub fn push(&mut self, memory: EpisodicMemory, config: &ScoreConfig) {
        self.columns.push(&memory, config);
        self.records.push(memory);
    }

    /// Inserts a memory that arrives late by its moment: after all memories that aren't later.
    pub fn insert(&mut self, memory: EpisodicMemory, config: &ScoreConfig) {
        // From the newest on, because late trades are mostly late by seconds.
        let is_later = |other: &&EpisodicMemory| other.made_s > memory.made_s;
        let place = self.records.len() - self.records.iter().rev().take_while(is_later).count();
        self.columns.insert(place, &memory, config);
        self.records.insert(place, memory);
    }

    /// Evicts the `count` oldest memories (FIFO).
    pub fn forget_oldest(&mut self, count: usize) {
        let count = count.min(self.records.len());
        self.records.drain(..count);
        self.columns.forget_oldest(count);
    }

    /// Removes a memory and returns it (removal), as for an open trade that is added again with its outcome.
    pub fn take(&mut self, id: u64) -> Option<EpisodicMemory> {
        let place = self.records.iter().rposition(|memory| memory.id == id)?;
        self.columns.remove(place);
        Some(self.records.remove(place))
    }

    /// Notes that a memory was recalled; false if it isn't on the shelf (retrieval count). The count enters `super::strength::episodic`,
    /// not recall.
    pub fn recalled(&mut self, id: u64, now_s: f64) -> bool {
        let Some(memory) = self.records.iter_mut().rev().find(|memory| memory.id == id) else {
            return false;
        };
        memory.retrievals = memory.retrievals.saturating_add(1);
        memory.last_retrieved_s = Some(now_s);
        true
    }
}
