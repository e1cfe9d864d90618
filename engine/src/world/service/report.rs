//! Reports of services at a barrier: all that a service can do to the world, as data (effects as values), so that a driver applies them in
//! one fixed order. The barrier reads them; the market's must be among them, and a service that reports twice is a bug that panics.

use super::ServiceKind;
use crate::event::Event;
use crate::golem::Answer;
use crate::lethe::PheromoneField;
use crate::market::MarketLedger;
use crate::world::TickContext;
use morta_base::{GolemId, LetterId};
use std::sync::Arc;

/// All that a service can do to the world in a tick: its response batch and side effects, as data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServiceReport {
    /// Answers, in letter order.
    pub answers: Vec<(LetterId, Answer)>,
    /// News that answer no letter, in the order of the letters that caused them; they come after the answers.
    pub news: Vec<(GolemId, Answer)>,
    /// Events of the service; they come before those of golems in the tick.
    pub events: Vec<Event>,
    /// The move of the market; `None` in all other reports.
    pub market: Option<Box<MarketMove>>,
    /// Pheromones from the next tick on, if they have changed.
    pub pheromones: Option<Arc<PheromoneField>>,
    /// Number of bloodstains in the Lethe, if it may have changed.
    pub bloodstains: Option<u32>,
}

/// The move of the market in a tick: the next observation, and the accounts for the money check.
#[derive(Clone, Debug, PartialEq)]
pub struct MarketMove {
    /// Its accounts.
    pub ledger: MarketLedger,
    /// The context of the next tick, without pheromones.
    pub next: TickContext,
}

/// A report in an envelope with its sender, and whether that has work.
#[derive(Clone, Debug, PartialEq)]
pub struct Served {
    /// The service that reports.
    pub service: ServiceKind,
    /// Its report.
    pub report: ServiceReport,
    /// Whether the service must be called at the next barrier even without letters.
    pub has_work: bool,
}

/// The reports of one barrier. Services may report in any order: they are collected, and a tick is closed in the order of [`ServiceKind`],
/// or threads would decide a run's bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reports(Vec<Served>);

impl Reports {
    /// Takes in a report: appends it to the batch.
    ///
    /// # Panics
    /// When the service has reported already.
    pub fn add(&mut self, served: Served) {
        let again = self.0.iter().any(|other| other.service == served.service);
        assert!(!again, "{} reports once at a barrier", served.service);
        self.0.push(served);
    }

    /// The reports in the order of services.
    pub(in crate::world) fn in_order(mut self) -> Vec<Served> {
        self.0.sort_unstable_by_key(|served| served.service);
        self.0
    }
}
