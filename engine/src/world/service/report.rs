//! What services hand back at a barrier.

use super::ServiceKind;
use crate::event::Event;
use crate::golem::Answer;
use crate::lethe::PheromoneField;
use crate::market::MarketLedger;
use crate::world::TickContext;
use morta_base::{GolemId, LetterId};
use std::sync::Arc;

/// All that a service can do to the world in a tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServiceReport {
    /// Answers, in letter order.
    pub answers: Vec<(LetterId, Answer)>,
    /// News that nobody in particular asked for, in the order of the letters that caused them; they come after the answers.
    pub news: Vec<(GolemId, Answer)>,
    /// What happened in the service; told before what golems did in the tick.
    pub events: Vec<Event>,
    /// The market alone: where it has gone.
    pub market: Option<Box<MarketMove>>,
    /// What can be smelled from the next tick on, if that has changed.
    pub pheromones: Option<Arc<PheromoneField>>,
    /// Bloodstains that are kept, if that may have changed.
    pub bloodstains: Option<u32>,
}

/// Where the market has gone in a tick.
#[derive(Clone, Debug, PartialEq)]
pub struct MarketMove {
    /// Where its money is now.
    pub ledger: MarketLedger,
    /// What golems are told of the next tick, but for the pheromones.
    pub next: TickContext,
}

/// A report with what the barrier has to know of its sender.
#[derive(Clone, Debug, PartialEq)]
pub struct Served {
    /// The service that reports.
    pub service: ServiceKind,
    /// What it did to the world.
    pub report: ServiceReport,
    /// Whether the service is to be asked at the next barrier even if nobody writes to it.
    pub has_work: bool,
}

/// The reports of one barrier. Services may report in any order: it is theirs that counts when the tick is closed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reports(Vec<Served>);

impl Reports {
    /// Takes in a report.
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
