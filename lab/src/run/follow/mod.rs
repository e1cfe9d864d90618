//! What happens in a world, told as it happens: one JSON object a line, for whatever tool reads it.
//!
//! The lines are made from the event log and hold nothing that it doesn't; they are for looking on. What decides is the log.
//!
//! | event | of | fields |
//! |---|---|---|
//! | `born` | a golem | `cohort`, `parent`, `endowment_usd` |
//! | `mode_change` | a golem | `from`, `to`: [`Mode`] |
//! | `dream_progress` | a dreamer, as a phase begins | `dream`, `phase`, `share_done`, `spent_usd`, `budget_usd` |
//! | `dream_start` | who falls asleep | `dream`, `trigger`, `urgency`, `budget_usd` |
//! | `wake_interrupt` | who is woken, before its `dream_complete` | `dream`, `source`, `reason` |
//! | `dream_complete` | who has woken | `dream`, `interrupted`, `ticks`, `hypotheses_generated`, `insights_found`, `cost_usd` |
//! | `bloodstain_drawn` | a newborn | `bloodstain`, `rank`, `score` |
//! | `bloodstain_left` | who is dead | `bloodstain` |
//! | `died` | a golem | `cause`, `age_ticks`, `balance_usd` |
//!
//! Every line has `tick` besides, and `golem`.

mod mode;
mod narrator;
mod told;

pub use mode::Mode;
pub use narrator::Narrator;
pub use told::{Line, Told};

use crate::run::drive::EventTap;
use morta_engine::event::Event;
use morta_engine::world::Plan;
use std::io::{ErrorKind, Write};
use std::sync::{Mutex, PoisonError};

/// Writes lines for what happens, until nobody reads them any more; the run doesn't mind. What can't be written although somebody reads is a
/// [`failure`](Self::failure).
pub struct Follower {
    state: Mutex<State>,
}

struct State {
    narrator: Narrator,
    /// `None` once it can't be written to.
    to: Option<Box<dyn Write + Send>>,
    failure: Option<String>,
}

impl Follower {
    /// Writes to this.
    pub fn new(to: Box<dyn Write + Send>) -> Self {
        Self { state: Mutex::new(State { narrator: Narrator::default(), to: Some(to), failure: None }) }
    }

    fn write(&self, tell: impl FnOnce(&mut Narrator, &mut dyn FnMut(Line))) {
        let state = &mut *self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(to) = &mut state.to else { return };
        let mut lines = Vec::new();
        tell(&mut state.narrator, &mut |line| {
            serde_json::to_writer(&mut lines, &line)
                .expect("a line is plain data, and memory can be written to");
            lines.push(b'\n');
        });
        if lines.is_empty() {
            return;
        }
        // In one piece, so that a reader never sees half a tick.
        if let Err(error) = to.write_all(&lines).and_then(|()| to.flush()) {
            state.to = None;
            // A reader that has left wants no more; a full disk has lost what somebody wanted.
            state.failure = (error.kind() != ErrorKind::BrokenPipe).then(|| error.to_string());
        }
    }

    /// Why lines are missing that somebody was to read; none where all were written, or the reader has left.
    pub fn failure(&self) -> Option<String> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).failure.clone()
    }
}

impl EventTap for Follower {
    fn begun(&self, plan: &Plan) {
        let cohorts = plan.scenario().cohorts.iter().map(|cohort| cohort.name.clone()).collect();
        self.write(|narrator, _| narrator.begin(cohorts));
    }

    fn seen(&self, events: &[Event]) {
        self.write(|narrator, told| events.iter().for_each(|event| narrator.tell(event, told)));
    }
}
