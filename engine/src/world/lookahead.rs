//! The market's ticks to come, told in advance, and when that is of any use: a golem that nobody can reach may live on ahead of the
//! others.

use crate::market::Impact;
use crate::world::service::MarketService;
use crate::world::{Plan, TickContext};

/// Walks ahead of a market whose path no order changes, on a copy of it.
#[derive(Clone, Debug)]
pub struct MarketLookahead {
    copy: MarketService,
}

impl MarketLookahead {
    /// A lookahead from where a market is, if its plan allows it ([`Plan::lets_golems_run_ahead`]).
    pub fn of(plan: &Plan, market: &MarketService) -> Option<Self> {
        plan.lets_golems_run_ahead().then(|| Self { copy: market.clone() })
    }

    /// What golems will be told of the next tick that hasn't been looked at yet, the pheromones left out. Shocks and the ledger are
    /// the market's own to tell, when it comes there.
    pub fn next_tick(&mut self) -> TickContext {
        self.copy.advance_untraded()
    }
}

impl Plan {
    /// Whether nothing that golems do can reach another golem but through the answer to a letter of its own, and the market's path
    /// doesn't depend on them. Then a golem that waits for no answer may live through ticks before the others do. Three things forbid it:
    /// - a market that trades move: every order changes what all others see at the next tick;
    /// - clades: siblings write to each other unasked;
    /// - pheromones: they are in the air, a part of what everybody is told.
    ///
    /// Everything else that acts on golems is known beforehand (faults, timetables, calls that wake dreamers, alarms that are
    /// read off the market) or is an answer (of the market, Curator, dream scheduler, broker and Lethe).
    pub fn lets_golems_run_ahead(&self) -> bool {
        let scenario = self.scenario();
        scenario.market.impact == Impact::PriceTaker
            && scenario.clade.clade_size() == 0
            && !scenario.pheromones.enabled
    }
}
