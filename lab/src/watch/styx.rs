//! Bloodstains that are left and drawn.

use crate::run::follow::{FollowLine, Happening};
use serde::Serialize;
use std::collections::VecDeque;

/// Crossings that a page shows.
const SHOWN: usize = 12;

/// Bloodstains left and drawn, and the last of them.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Styx {
    left: u64,
    drawn: u64,
    last: VecDeque<FollowLine>,
}

impl Styx {
    /// Takes in a line, if it is a crossing.
    pub(super) fn hear(&mut self, line: &FollowLine) {
        match line.happening {
            Happening::BloodstainLeft { .. } => self.left += 1,
            Happening::BloodstainDrawn { .. } => self.drawn += 1,
            _ => return,
        }
        if self.last.len() == SHOWN {
            self.last.pop_front();
        }
        self.last.push_back(line.clone());
    }
}
