//! The ticks that the golems of one arbiter may live through, each with its context and the outbox of its golems so far. It is a
//! sliding window of buffers, keyed by tick. Outboxes are kept apart by tick, because golems get ahead of each other. The conductor decides
//! which ticks are open (`crate::lookahead`); the dispatcher opens them here, golems write, and the dispatcher closes one tick for each of
//! the conductor's.

use morta_base::Tick;
use morta_engine::golem::Outbox;
use morta_engine::world::TickContext;
use std::collections::VecDeque;
use std::ops::Range;

/// The open ticks, from the conductor's on (tick buffers). Golems add to a tick's outbox in any order. It is sorted only when the tick is
/// closed, because no golem reads it before.
#[derive(Default)]
pub(crate) struct OpenTicks {
    first: Tick,
    ticks: VecDeque<(TickContext, Outbox)>,
}

impl OpenTicks {
    /// The conductor's tick, the first that is open (start of the sliding window).
    pub(crate) fn first(&self) -> Tick {
        self.first
    }

    /// All open ticks as a half-open range (sliding window).
    pub(crate) fn range(&self) -> Range<Tick> {
        self.first..self.first + self.ticks.len() as Tick
    }

    /// Opens ticks after those that are open; `first` is the conductor's tick (window extension).
    pub(crate) fn open(&mut self, first: Tick, contexts: Vec<TickContext>) {
        self.first = first;
        self.ticks.extend(contexts.into_iter().map(|context| (context, Outbox::default())));
    }

    /// The context of a tick, and the outbox for the events and letters of golems in it (tick buffer).
    ///
    /// # Panics
    /// When the tick isn't open.
    pub(crate) fn at(&mut self, tick: Tick) -> (&TickContext, &mut Outbox) {
        let (context, outbox) = &mut self.ticks[(tick - self.first) as usize];
        (context, outbox)
    }

    /// Closes the conductor's tick, which all golems have lived through, and returns its outbox in the order of ids (tick barrier).
    pub(crate) fn close(&mut self) -> Outbox {
        let (_, mut outbox) = self.ticks.pop_front().expect("the conductor's tick is open");
        self.first += 1;
        outbox.sort();
        outbox
    }
}
