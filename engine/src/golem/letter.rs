//! What a golem sends and gets.

use crate::base::{DreamId, GolemId, LetterId, Usdc};
use crate::curator::{CuratorReport, CuratorRequest};
use crate::dream::{DreamAnswer, DreamRequest};
use crate::event::Event;
use crate::golem::Genome;
use crate::lethe::{Drawn, LetheQuery, Testament};
use crate::llm::{BrokerAnswer, InferenceRequest};
use crate::market::{Fill, Order, Refusal};
use serde::{Deserialize, Serialize};

/// A letter to one of the shared actors.
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
    Testament(Testament),
    /// To the Lethe, from a newborn.
    Draw(LetheQuery),
}

/// An answer; it arrives one tick after its letter, or later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// From the market.
    Filled(Fill),
    /// From the market: the order was not executed.
    OrderRefused(Refusal),
    /// From the Curator.
    Curated(CuratorReport),
    /// From the dream scheduler.
    Dream(DreamAnswer),
    /// From the broker.
    Inference(BrokerAnswer),
    /// From the Lethe.
    Drawn(Vec<Drawn>),
}

/// Where golems' money went besides the market.
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
    /// All of it.
    pub fn total(&self) -> Usdc {
        self.compute + self.inference + self.lethe
    }

    /// Adds another account to this one.
    pub fn absorb(&mut self, other: Self) {
        self.compute += other.compute;
        self.inference += other.inference;
        self.lethe += other.lethe;
    }
}

/// A golem that is gone for good.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Departure {
    /// Who.
    pub golem: GolemId,
    /// What it was born with, for its successor.
    pub genome: Genome,
    /// What is left of its money.
    pub estate: Usdc,
    /// Whether it died of a fault of ours.
    pub faulted: bool,
}

/// What steps hand back. One outbox serves many golems: steps add to it in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outbox {
    /// Letters, in the order written.
    pub letters: Vec<(LetterId, Letter)>,
    /// Events, in the order they happened.
    pub events: Vec<Event>,
    /// Golems that are gone.
    pub departures: Vec<Departure>,
    /// Money paid.
    pub sinks: Sinks,
    /// Change of the money in all purses that were stepped.
    pub purse_change: Usdc,
    /// Golems stepped that are dreaming now.
    pub dreaming: u32,
    /// Trades closed.
    pub trades: u32,
}

impl Outbox {
    /// Adds the outbox of golems with higher ids.
    pub fn append(&mut self, mut other: Self) {
        self.letters.append(&mut other.letters);
        self.events.append(&mut other.events);
        self.departures.append(&mut other.departures);
        self.sinks.absorb(other.sinks);
        self.purse_change += other.purse_change;
        self.dreaming += other.dreaming;
        self.trades += other.trades;
    }
}

/// The number a golem gives its dreams.
pub(super) const fn dream_id(golem: GolemId, number: u32) -> DreamId {
    DreamId { golem, number }
}
