//! `morta run --follow`: the occurrences of a world as they happen, one JSON object a line on standard output, for other tools.
//!
//! The lines are made from the event log and hold nothing that it doesn't; they are for looking on. What decides is the log.
//! A reader that leaves ends the lines and not the run; another write error fails the command after the run, which is whole.
//!
//! | event | of | fields |
//! |---|---|---|
//! | `born` | a golem | `cohort`, `parent`, `endowment_usd` |
//! | `mode_change` | a golem | `from`, `to`: [`Mode`] |
//! | `dream_start` | a golem that falls asleep | `dream`, `trigger`, `urgency`, `budget_usd` |
//! | `dream_progress` | a dreamer, as a phase begins | `dream`, `phase`, `share_done`, `spent_usd`, `budget_usd` |
//! | `wake_interrupt` | a dreamer that is woken or dies, before its `dream_complete` | `dream`, `source`, `reason` |
//! | `dream_complete` | a woken or dead golem | `dream`, `interrupted`, `ticks`, `hypotheses_generated`, `insights_found`, `cost_usd` |
//! | `bloodstain_drawn` | a newborn | `bloodstain`, `rank`, `score` |
//! | `bloodstain_left` | a golem that has died | `bloodstain` |
//! | `died` | a golem | `cause`, `age_ticks`, `balance_usd` |
//!
//! Every line has `tick` and `golem` besides, except the answers to an owner's directives ([`crate::run::steering`]): `directive`
//! (`tick`, `do`, and `golem` or `cohort`) and `directive_refused` (`said`, `why`), and the last line, `run_ended` (`summary`), which the
//! command itself writes. It is live streaming of NDJSON (newline-delimited JSON), an event feed for dashboards. Lines are a view and no
//! record, because a reader may be slow or leave.

mod happening;
mod mode;
mod narrator;

pub use happening::{FollowLine, Happening};
pub use mode::Mode;
pub use narrator::Narrator;

use crate::io::locked::locked;
use crate::io::text::json_line;
use crate::run::drive::EventTap;
use morta_engine::event::Event;
use morta_engine::world::Plan;
use serde::Serialize;
use std::io::{ErrorKind, Write};
use std::sync::Mutex;

/// Writes lines for what happens, until nobody reads them any more; the run doesn't mind (event stream). What can't be written although
/// somebody reads is a [`failure`](Self::failure).
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
    /// Makes a follower that writes to this writer.
    pub fn new(to: Box<dyn Write + Send>) -> Self {
        Self { state: Mutex::new(State { narrator: Narrator::default(), to: Some(to), failure: None }) }
    }

    fn write(&self, tell: impl FnOnce(&mut Narrator, &mut dyn FnMut(FollowLine))) {
        let state = &mut *locked(&self.state);
        if state.to.is_none() {
            return;
        }
        let mut lines = Vec::new();
        tell(&mut state.narrator, &mut |line| lines.extend(json_line(&line)));
        state.write(&lines);
    }

    /// Writes one JSON line of something else, whole, between those of ticks.
    pub fn say(&self, line: &impl Serialize) {
        locked(&self.state).write(&json_line(line));
    }

    /// Why lines are missing that somebody was to read; none where all were written, or the reader has left (broken pipe).
    pub fn failure(&self) -> Option<String> {
        locked(&self.state).failure.clone()
    }
}

impl State {
    /// In one piece, so that a reader never sees half a tick.
    fn write(&mut self, lines: &[u8]) {
        let Some(to) = self.to.as_mut().filter(|_| !lines.is_empty()) else { return };
        if let Err(error) = to.write_all(lines).and_then(|()| to.flush()) {
            self.to = None;
            // A reader that has left wants no more; a full disk has lost what somebody wanted.
            self.failure = (error.kind() != ErrorKind::BrokenPipe).then(|| error.to_string());
        }
    }
}

impl EventTap for Follower {
    fn begun(&self, plan: &Plan) {
        let cohorts = plan.scenario().cohorts.iter().map(|cohort| cohort.name.clone()).collect();
        self.write(|narrator, _| narrator.begin(cohorts));
    }

    fn on_events(&self, events: &[Event]) {
        self.write(|narrator, on_line| events.iter().for_each(|event| narrator.tell(event, on_line)));
    }
}
