//! Letters of golems to the shared services, the answers, and the outbox that steps fill: the message protocol of the actors.
//!
//! Money is in whole micro-dollars; fitness and vitality are summed in millionths. Messages are values that are exchanged at barriers only
//! (bulk synchronous parallel), so that golems can be stepped in any order and on any number of threads. A letter of one tick is served at
//! the barrier after it and answered in the next tick or, by a model with latency, later.

use crate::curator::{CuratorReport, CuratorRequest};
use crate::dream::{DreamAnswer, DreamRequest};
use crate::event::Event;
use crate::golem::Genome;
use crate::lethe::{CladeLetter, CladeNews, Deposit, Drawn, LetheQuery};
use crate::llm::{BrokerAnswer, InferenceRequest};
use crate::market::{Fill, Order, OrderKind, OrderRefusal};
use crate::memory::Legacy;
use morta_base::math::nearest;
use morta_base::{GolemId, LetterId, Usdc};
use serde::{Deserialize, Serialize};

/// A letter (request message) to one of the shared actors: a tagged union by service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Letter {
    /// To the market.
    Order(Order),
    /// To the Curator.
    Curate(CuratorRequest),
    /// To the dream scheduler.
    Dream(DreamRequest),
    /// To the broker.
    Inference(InferenceRequest),
    /// To the Lethe, from a dying golem.
    Deposit(Deposit),
    /// To the Lethe, from a newborn.
    Draw(LetheQuery),
    /// To the Lethe, for siblings or about what was drawn.
    Clade(CladeLetter),
}

impl Letter {
    /// Whether it is answered, at the next tick or later. A golem that has no such letter out can be stepped ahead: only news of its clade
    /// can reach it.
    pub fn is_answered(&self) -> bool {
        match self {
            Self::Order(_) | Self::Curate(_) | Self::Inference(_) | Self::Draw(_) => true,
            Self::Dream(DreamRequest::MayI(_)) => true,
            Self::Dream(DreamRequest::Awake { .. }) | Self::Deposit(_) | Self::Clade(_) => false,
        }
    }
}

/// An answer (response message) to a letter; it arrives one tick after its letter, or later. News of the clade comes unasked, as a
/// notification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// From the market.
    Filled(Fill),
    /// From the market: the order was not executed.
    OrderRefused {
        /// The order, as it was sent.
        order: Order,
        /// Why the market refused it.
        reason: OrderRefusal,
    },
    /// From the Curator.
    Curated(CuratorReport),
    /// From the dream scheduler.
    Dream(DreamAnswer),
    /// From the broker.
    Inference(BrokerAnswer),
    /// From the Lethe.
    Drawn(Vec<Drawn>),
    /// From the Lethe.
    Clade(CladeNews),
}

impl Answer {
    /// Whether it answers a letter; news of the clade comes unasked. The actors count answers by it, to know when a golem has nothing out
    /// and can be stepped ahead.
    pub fn was_asked_for(&self) -> bool {
        match self {
            Self::Filled(_)
            | Self::OrderRefused { .. }
            | Self::Curated(_)
            | Self::Dream(_)
            | Self::Inference(_)
            | Self::Drawn(_) => true,
            Self::Clade(_) => false,
        }
    }

    /// Cash in transit: money that has left the market, or never got there, and is the golem's when this arrives: the proceeds of a
    /// position less the gas that is owed, or the stake of a refused order. The ledger counts it at the barrier between the two.
    pub(crate) fn money_in_flight(&self) -> Usdc {
        match self {
            Self::Filled(fill) => fill.cash_back - fill.gas,
            Self::OrderRefused { order, .. } => match order.kind {
                OrderKind::Open { stake, .. } => stake,
                OrderKind::Close { .. } => Usdc::ZERO,
            },
            Self::Curated(_) | Self::Dream(_) | Self::Inference(_) | Self::Drawn(_) | Self::Clade(_) => {
                Usdc::ZERO
            }
        }
    }
}

/// Expenses of golems outside the market, where the money leaves the world: expense accounts (cost centres). Gas is the market's and not
/// here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sinks {
    /// For compute.
    pub compute: Usdc,
    /// For inference.
    pub inference: Usdc,
    /// To the Lethe.
    pub lethe: Usdc,
}

impl Sinks {
    /// Sums up the three expenses, for the ledger's check of money.
    pub fn total(&self) -> Usdc {
        self.compute + self.inference + self.lethe
    }
}

/// Sums of the fitness and vitality of golems, which can be merged (a reduction). In whole millionths, because arbiters add them in
/// different orders and sums of floats would depend on the number of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PopulationCondition {
    golems: u64,
    fitness_millionths: u64,
    vitality_millionths: u64,
}

impl PopulationCondition {
    /// Adds one golem's fitness and vitality, 0 to 1, at the end of its step: an accumulation with rounding.
    pub fn add(&mut self, fitness: f64, vitality: f64) {
        self.golems += 1;
        self.fitness_millionths += nearest(fitness * MILLION) as u64;
        self.vitality_millionths += nearest(vitality * MILLION) as u64;
    }

    /// Mean fitness and mean vitality of the golems stepped; 0 without any. They are averages for the population's log, and nothing decides
    /// by them.
    pub fn means(&self) -> (f64, f64) {
        let mean = |sum: u64| if self.golems == 0 { 0.0 } else { sum as f64 / MILLION / self.golems as f64 };
        (mean(self.fitness_millionths), mean(self.vitality_millionths))
    }
}

const MILLION: f64 = 1e6;

/// A golem that is gone for good: a termination record, from which the census makes its successor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Departure {
    /// The golem that died.
    pub golem: GolemId,
    /// Its inborn traits, for its successor.
    pub genome: Genome,
    /// The rest of its money, which goes back to the treasury.
    pub estate: Usdc,
    /// Whether it died of a fault of ours.
    pub faulted: bool,
    /// The knowledge it hands over to its successor, if it hands over any.
    pub legacy: Option<Box<Legacy>>,
}

/// Results of steps: their side effects, collected so that a replay is deterministic. One outbox serves many golems, so that a tick
/// allocates no list for each: steps add to it in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outbox {
    /// Letters, in the order written.
    pub letters: Vec<(LetterId, Letter)>,
    /// Events, in the order they happened.
    pub events: Vec<Event>,
    /// Golems that are gone.
    pub departures: Vec<Departure>,
    /// Sums over the golems stepped.
    pub totals: StepTotals,
}

/// Sums over the golems that were stepped. Whole numbers add up the same in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepTotals {
    /// Money paid.
    pub sinks: Sinks,
    /// Change of the money in all their purses.
    pub purse_change: Usdc,
    /// Those that are dreaming now.
    pub dreaming: u32,
    /// Their fitness and vitality, in millionths.
    pub condition: PopulationCondition,
    /// Trades closed.
    pub trades: u32,
}

crate::sums::sums! {
    Sinks { compute, inference, lethe }
    PopulationCondition { golems, fitness_millionths, vitality_millionths }
    StepTotals { sinks, purse_change, dreaming, condition, trades }
}

/// The lengths and sums of an outbox at a moment, to return to when a step panics.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks {
    letters: usize,
    events: usize,
    departures: usize,
    totals: StepTotals,
}

impl Outbox {
    pub(super) fn marks(&self) -> Marks {
        Marks {
            letters: self.letters.len(),
            events: self.events.len(),
            departures: self.departures.len(),
            totals: self.totals,
        }
    }

    /// Takes back everything since the marks, so that a golem whose step panicked leaves nothing half done.
    pub(super) fn rewind(&mut self, marks: Marks) {
        self.letters.truncate(marks.letters);
        self.events.truncate(marks.events);
        self.departures.truncate(marks.departures);
        self.totals = marks.totals;
    }

    /// Sorts letters, events and departures by golem. Sorts are stable: each golem's own stay in the order in which it wrote them. Golems
    /// may have been stepped in any order, and the bytes of a run must not depend on it.
    pub fn sort(&mut self) {
        self.letters.sort_by_key(|(letter, _)| *letter);
        self.events.sort_by_key(|event| event.golem);
        self.departures.sort_by_key(|departure| departure.golem);
    }

    /// Adds (concatenates) the outbox of other golems: a merge of output buffers, which `sort` must follow.
    pub fn append(&mut self, mut other: Self) {
        self.letters.append(&mut other.letters);
        self.events.append(&mut other.events);
        self.departures.append(&mut other.departures);
        self.totals += other.totals;
    }
}
