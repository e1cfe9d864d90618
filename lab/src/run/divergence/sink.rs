//! The sink of a branch's events: it writes them to the branch's tables, and pairs each tick with the same tick of the unchanged arm
//! (the control). It is a streaming merge of two event logs, so that neither has to be in memory. While the branch goes on, the control is
//! read or lived as far as the branch has gone, and to its own end in `finish`, which the caller has to call; an arm that ends earlier is
//! paired with ticks without events.

use super::{BranchComparison, Control};
use crate::io::error::Result;
use crate::run::run_folder::Tables;
use morta_actors::{EventSink, WriteError};
use morta_base::Tick;
use morta_engine::event::{Event, EventKind};

/// An event sink that keeps the branch's events, and compares them with the control's on the way.
pub struct PairedSink {
    tables: Tables,
    control: Control,
    comparison: BranchComparison,
    /// The tick that is paired next.
    next: Tick,
    /// The branch's events after its last whole tick, kept until the control has ended too.
    ending: Vec<Event>,
}

impl PairedSink {
    /// Makes an event sink for the ticks from the first one under the change (`next`), where the caller, `Branch::live`, has put the
    /// control too.
    pub fn new(tables: Tables, control: Control, comparison: BranchComparison, next: Tick) -> Self {
        Self { tables, control, comparison, next, ending: Vec::new() }
    }

    fn pair(&mut self, branch: &[Event]) -> Result<bool> {
        let control = self.control.next_tick()?;
        let over = control.is_none() && branch.is_empty();
        self.comparison.take(self.next, &control.unwrap_or_default(), branch);
        self.next += 1;
        Ok(!over)
    }

    /// Ends the comparison after the branch: lives the control to its end too, and compares the last events of golems that outlive them.
    ///
    /// # Errors
    /// When the control can't be lived or read.
    pub fn finish(mut self) -> Result<(Tables, Control, BranchComparison)> {
        while self.pair(&[])? {}
        let last = self.ending.first().map_or(self.next, |event| event.tick);
        let control = self.control.ending()?;
        self.comparison.take(last, &control, &self.ending);
        Ok((self.tables, self.control, self.comparison))
    }
}

impl EventSink for PairedSink {
    fn take(&mut self, events: &[Event]) -> Result<(), WriteError> {
        self.tables.take(events)?;
        match events.last().map(|event| &event.kind) {
            Some(EventKind::TickClosed(_)) => {
                self.pair(events)?;
            }
            // The world is over; these events are the records of golems that outlive it.
            Some(_) => self.ending.extend_from_slice(events),
            None => {}
        }
        Ok(())
    }
}
