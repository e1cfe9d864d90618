//! How far golems are told of the ticks to come.

use morta_base::Tick;
use morta_engine::world::{MarketLookahead, TickContext};
use std::sync::Arc;

/// What golems have been told of, and what can be told them next. Where the market can't be looked ahead of, they are told of every
/// tick when it begins.
pub struct Lookahead {
    market: Option<MarketLookahead>,
    /// Ticks that are told of at most, the conductor's included.
    window: Tick,
    /// The scenario's end.
    end: Tick,
    told_until: Tick,
}

impl Lookahead {
    /// Golems have been told of nothing from the conductor's tick on.
    pub fn new(now: Tick, window: Tick, end: Tick, market: Option<MarketLookahead>) -> Self {
        Self { market, window, end, told_until: now }
    }

    /// The first tick that nobody has been told of, so that nobody has lived through it.
    pub fn told_until(&self) -> Tick {
        self.told_until
    }

    /// What golems are to be told at the beginning of the conductor's tick; nothing new when the run is to end soon.
    pub fn tell(&mut self, tick: Tick, now: &TickContext, ends_soon: bool) -> Vec<TickContext> {
        if ends_soon {
            return Vec::new();
        }
        let mut contexts = Vec::new();
        if self.told_until == tick {
            contexts.push(now.clone());
            self.told_until += 1;
        }
        if let Some(market) = &mut self.market {
            while self.told_until < (tick + self.window).min(self.end) {
                // Where pheromones are left, nobody lives ahead: they are what they were when the run began.
                let pheromones = Arc::clone(&now.pheromones);
                contexts.push(TickContext { pheromones, ..market.next_tick() });
                self.told_until += 1;
            }
        }
        contexts
    }
}
