//! Events: what happened, in which circumstances, and what came of it (digest section 2).

use super::columns::Columns;
use super::context::ContextVector;
use super::induction::Names;
use super::score::{Outcomes, ScoreConfig};
use super::trigger::FieldValue;
use serde::{Deserialize, Serialize};
use thiserror::Error;

morta_base::words! {
    /// The side of a trade.
    pub enum Direction {
        /// Gains when the price rises.
        Long = "long",
        /// Gains when it falls.
        Short = "short",
    }
}

/// What a memory is about: a strategy and a symbol, by the numbers their owner gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Domain {
    /// How it was traded: the caller's number of the strategy.
    pub strategy: u16,
    /// What was traded: the caller's number of the symbol.
    pub symbol: u16,
}

/// A remembered trade, or the deliberate decision not to trade (then without exit, profit and lots).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpisodicMemory {
    /// Its number, given by its owner.
    pub id: u64,
    /// When it was made, in seconds; `None` if that can't be told.
    pub made_s: Option<f64>,
    /// The circumstances of the decision.
    pub context: ContextVector,
    /// What it is about, and with which others it is recalled.
    pub domain: Domain,
    /// Which way the price had to go for it to gain.
    pub direction: Direction,
    /// Price at entry.
    pub entry_price: f64,
    /// Price at exit.
    pub exit_price: Option<f64>,
    /// Size, in whatever unit its owner keeps it.
    pub lots: Option<f64>,
    /// Profit in money.
    pub pnl: Option<f64>,
    /// Profit over initial risk; `None` while open or without a stop.
    pub pnl_r: Option<f64>,
    /// How long it was held, in seconds.
    pub hold_s: Option<f64>,
    /// Worst open result on the way, in whatever unit its owner keeps it.
    pub max_adverse_excursion: Option<f64>,
    /// What was thought of it afterwards.
    pub reflection: Option<String>,
    /// Trust in the decision when it was made, 0 to 1.
    pub confidence: Option<f64>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// Strength to begin with.
    pub retrieval_strength: f64,
    /// How often it was recalled.
    pub retrievals: u32,
    /// When it was last recalled, in seconds.
    pub last_retrieved_s: Option<f64>,
    /// How early (towards −1) or late (towards 1) it was entered, as against its signal.
    pub entry_timing: Option<f64>,
    /// How early or late it was left, as against its target.
    pub exit_timing: Option<f64>,
}

impl EpisodicMemory {
    /// A decision of which nothing is known yet but what was decided: no moment, no circumstances, no outcome.
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

    /// Whether anything is known of how it ended. What isn't closed is an open trade, or the decision not to trade.
    pub const fn is_closed(&self) -> bool {
        self.pnl_r.is_some() || self.pnl.is_some() || self.exit_price.is_some()
    }

    /// What it came to, in R, in money or in price, whatever is known first; only its sign can be compared.
    pub fn result(&self) -> Option<f64> {
        let moved = |exit: f64| match self.direction {
            Direction::Long => exit - self.entry_price,
            Direction::Short => self.entry_price - exit,
        };
        self.pnl_r.or(self.pnl).or(self.exit_price.map(moved))
    }

    /// What a condition may ask of it: its strategy, symbol and direction, and the circumstances that likeness is measured on.
    pub fn field<'a>(&self, names: &'a dyn Names, name: &str) -> Option<FieldValue<'a>> {
        match name {
            "strategy" | "strategy_name" => Some(FieldValue::Text(names.strategy(self.domain.strategy))),
            "symbol" => Some(FieldValue::Text(names.symbol(self.domain.symbol))),
            "direction" => Some(FieldValue::Text(self.direction.name())),
            _ => self.context.field(name),
        }
    }
}

/// All memories of one domain, oldest first, and the columns that recall reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredShelf")]
pub struct Shelf {
    domain: Domain,
    records: Vec<EpisodicMemory>,
    columns: Columns,
}

/// A shelf as it is read, before recall may trust it.
#[derive(Deserialize)]
struct StoredShelf {
    domain: Domain,
    records: Vec<EpisodicMemory>,
    columns: Columns,
}

/// A shelf whose columns are not those of its memories.
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
    /// An empty shelf.
    pub fn new(domain: Domain) -> Self {
        Self { domain, records: Vec::new(), columns: Columns::default() }
    }

    /// What it is about.
    pub const fn domain(&self) -> Domain {
        self.domain
    }

    /// The memories, oldest first.
    pub fn records(&self) -> &[EpisodicMemory] {
        &self.records
    }

    /// The columns, in the same order.
    pub(super) const fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The outcomes of the newest so many.
    pub fn outcomes(&self, newest: usize) -> Outcomes<'_> {
        self.columns.outcomes(self.records.len().saturating_sub(newest))
    }

    /// Puts a memory after all others.
    pub fn push(&mut self, memory: EpisodicMemory, config: &ScoreConfig) {
        self.columns.push(&memory, config);
        self.records.push(memory);
    }

    /// Puts a memory that arrives late at its place in time: after all that were made no later.
    pub fn insert(&mut self, memory: EpisodicMemory, config: &ScoreConfig) {
        // Late trades are mostly late by seconds, so the search begins at the newest.
        let is_later = |other: &&EpisodicMemory| other.made_s > memory.made_s;
        let place = self.records.len() - self.records.iter().rev().take_while(is_later).count();
        self.columns.insert(place, &memory, config);
        self.records.insert(place, memory);
    }

    /// Forgets the oldest so many.
    pub fn forget_oldest(&mut self, count: usize) {
        let count = count.min(self.records.len());
        self.records.drain(..count);
        self.columns.forget_oldest(count);
    }

    /// Takes a memory away, so that it can be put after all others once more of it is known.
    pub fn take(&mut self, id: u64) -> Option<EpisodicMemory> {
        let place = self.records.iter().rposition(|memory| memory.id == id)?;
        self.columns.remove(place);
        Some(self.records.remove(place))
    }

    /// Notes that a memory was recalled. Whether it was there.
    pub fn recalled(&mut self, id: u64, now_s: f64) -> bool {
        let Some(memory) = self.records.iter_mut().rev().find(|memory| memory.id == id) else {
            return false;
        };
        memory.retrievals = memory.retrievals.saturating_add(1);
        memory.last_retrieved_s = Some(now_s);
        true
    }
}
