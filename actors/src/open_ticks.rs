//! The ticks that the golems of one arbiter may live through, and what they have done in them so far.

use morta_base::Tick;
use morta_engine::golem::Outbox;
use morta_engine::world::TickContext;
use std::collections::VecDeque;
use std::ops::Range;

/// From the conductor's tick to the last one it has told of. Golems add to a tick's outbox in any order; it is put in order when the
/// tick is handed back, because what golems write doesn't depend on what others have written.
#[derive(Default)]
pub struct OpenTicks {
    first: Tick,
    ticks: VecDeque<(TickContext, Outbox)>,
}

impl OpenTicks {
    /// The conductor's tick.
    pub fn first(&self) -> Tick {
        self.first
    }

    /// All of them.
    pub fn range(&self) -> Range<Tick> {
        self.first..self.first + self.ticks.len() as Tick
    }

    /// Opens ticks that follow those that are open, from the conductor's tick on.
    pub fn open(&mut self, first: Tick, contexts: Vec<TickContext>) {
        self.first = first;
        self.ticks.extend(contexts.into_iter().map(|context| (context, Outbox::default())));
    }

    /// What golems are told of a tick, and where what they do in it goes.
    ///
    /// # Panics
    /// When the tick isn't open.
    pub fn at(&mut self, tick: Tick) -> (&TickContext, &mut Outbox) {
        let (context, outbox) = &mut self.ticks[(tick - self.first) as usize];
        (context, outbox)
    }

    /// Closes the conductor's tick: all golems have lived through it.
    pub fn close(&mut self) -> Outbox {
        let (_, mut outbox) = self.ticks.pop_front().expect("the conductor's tick is open");
        self.first += 1;
        outbox.sort();
        outbox
    }
}
