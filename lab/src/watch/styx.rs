//! Bloodstains that are left and drawn, for the page: both counts so far, and a ring buffer of the last twelve crossings (activity feed).
//! They come from the lines of a followed run. Only twelve are listed, because the page shows the present; the counts take in all.

use super::parts::{Parts, keep_newest, newest_first};
use crate::run::follow::{FollowLine, Happening};
use std::collections::VecDeque;

/// Crossings that a page shows.
const SHOWN: usize = 12;

/// Counts bloodstains left and drawn, and keeps the last of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Styx {
    left: u64,
    drawn: u64,
    last: VecDeque<FollowLine>,
}

impl Styx {
    /// Takes in a line, if it is a crossing (event handler).
    pub(super) fn hear(&mut self, line: &FollowLine) {
        match line.happening {
            Happening::BloodstainLeft { .. } => self.left += 1,
            Happening::BloodstainDrawn { .. } => self.drawn += 1,
            _ => return,
        }
        keep_newest(&mut self.last, SHOWN, line.clone());
    }
    /// Writes its parts of the page (renders HTML fragments).
    pub(super) fn write(&self, parts: &mut Parts) {
        let Self { left, drawn, last } = self;
        parts.text("styx", format!("{left} bloodstains left and {drawn} drawn so far."));
        parts.markup("crossings", newest_first(last));
    }
}
