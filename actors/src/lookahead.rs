//! The ticks that are opened to golems ahead of the conductor. It is conservative lookahead of parallel discrete-event simulation: a window
//! in ticks in which no message can arrive. It exists because a barrier at every tick would cost more than a small golem's step. The window
//! is 32 ticks by default, fewer in large populations. It is off, with one tick open at a time, where trades move the market
//! (the default of the key `market.impact`), in worlds with clades or pheromones, and in a world that is continued from a later tick than
//! 0. The events of a run are the same with it and without.

use morta_base::Tick;
use morta_engine::world::{MarketLookahead, TickContext};
use std::sync::Arc;

/// Opens ticks to golems (lookahead window). A tick is open once golems have its context, and they may then live through it before the
/// conductor gets there. Where golems' trades move the market no tick can be computed ahead: there each tick is opened when it begins.
pub(crate) struct Lookahead {
    /// The market's path ahead; `None` where golems can reach each other within the window.
    market: Option<MarketLookahead>,
    /// The most ticks that are open at once, the conductor's included.
    window: Tick,
    /// The scenario's end.
    end: Tick,
    /// The first tick that isn't open yet.
    opened_until: Tick,
}

impl Lookahead {
    /// Makes the lookahead of a run at tick `now`, of which no tick is open yet.
    pub(crate) fn new(now: Tick, window: Tick, end: Tick, market: Option<MarketLookahead>) -> Self {
        Self { market, window, end, opened_until: now }
    }

    /// The first tick that hasn't been opened: no golem can have lived through it (lookahead horizon). A stopped run ends there.
    pub(crate) fn opened_until(&self) -> Tick {
        self.opened_until
    }

    /// Opens further ticks at the beginning of the conductor's tick and returns their contexts (window extension). No tick is opened when
    /// the run ends soon, because a stopped run has to close every open tick before it can end.
    pub(crate) fn open_contexts(
        &mut self,
        tick: Tick,
        now: &TickContext,
        ends_soon: bool,
    ) -> Vec<TickContext> {
        if ends_soon {
            return Vec::new();
        }
        let mut contexts = Vec::new();
        if self.opened_until == tick {
            contexts.push(now.clone());
            self.opened_until += 1;
        }
        if let Some(market) = &mut self.market {
            while self.opened_until < (tick + self.window).min(self.end) {
                // The pheromones of `now` hold for later ticks too, because golems live ahead only in worlds without pheromones.
                let pheromones = Arc::clone(&now.pheromones);
                contexts.push(TickContext { pheromones, ..market.next_tick() });
                self.opened_until += 1;
            }
        }
        contexts
    }
}
