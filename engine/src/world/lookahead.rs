//! The market's ticks in advance, and the conditions under which a golem that no other can reach may live on ahead of the others.
//!
//! It changes no byte: a tick's events are written when all golems have lived it. It saves messages: one hands a golem many ticks, while
//! its state is in the cache. Times are in ticks. It is the lookahead of conservative parallel discrete event simulation. Actors use it
//! for worlds that they begin at tick 0; the plain loop has no use for it.

use crate::market::Impact;
use crate::world::service::MarketService;
use crate::world::{Plan, TickContext};

/// Walks ahead of a market whose path no order changes, on a copy of it: a read-ahead of the exogenous environment.
#[derive(Clone, Debug)]
pub struct MarketLookahead {
    /// A market of its own, ahead of the world's.
    copy: MarketService,
}

impl MarketLookahead {
    /// Makes a lookahead from where a market is, on a clone of it, if its plan allows it ([`Plan::lets_golems_run_ahead`]). `None` where
    /// golems could affect each other.
    pub fn from_market(plan: &Plan, market: &MarketService) -> Option<Self> {
        plan.lets_golems_run_ahead().then(|| Self { copy: market.clone() })
    }

    /// Computes the context of the next tick that hasn't been returned yet, without pheromones, which the caller adds. Shocks and the
    /// ledger are reported by the market itself, when it gets there.
    pub fn next_tick(&mut self) -> TickContext {
        self.copy.advance_untraded()
    }
}

impl Plan {
    /// Whether golems may be stepped in parallel, ahead of each other: they can reach another golem only through the answers to its own
    /// letters, and the market's path doesn't depend on them. Then a golem that waits for no answer may live through ticks before the
    /// others do. Three things forbid it:
    /// - a market that trades move: every order changes the view of all others at the next tick;
    /// - clades: siblings write to each other unasked;
    /// - pheromones: they are in the air, a part of every golem's context.
    ///
    /// Everything else that acts on golems is known beforehand (faults, timetables, calls that wake dreamers, alarms that are read off the
    /// market) or is an answer (of the market, Curator, dream scheduler, broker and Lethe).
    pub fn lets_golems_run_ahead(&self) -> bool {
        let scenario = self.scenario();
        scenario.market.impact == Impact::PriceTaker
            && scenario.clade.clade_size() == 0
            && !scenario.pheromones.enabled
    }
}
