//! Exchange between the dead and the living through the Lethe: the capability of leaving and receiving knowledge (oblique cultural
//! transmission).
//!
//! The order of bequests is their importance, because a limited number of draws takes the first. Drawn bloodstains come with rank and
//! score; the golem draws in its first tick and pays for it, and leaves as many as its legacy can pay for. With `lethe.enabled` off (it is
//! on by default) none is drawn or left. A sudden death (by chance) leaves the bequests of the last snapshot, so they are asked for in life
//! too, if the memory draws; one that doesn't has no snapshots, and chance takes its bequests. Confidence runs from 0 to 1. The trait is
//! reached through `MemoryArchitecture::bequeaths`; without it, nothing is left or drawn.

use crate::lethe::{Bequest, Drawn};
use crate::memory::inheritance::Inheritance;
use crate::memory::legacy::InheritOutcome;
use morta_base::Tick;

/// A capability trait for knowledge transfer after death: a memory that leaves bloodstains and takes in those of others.
pub trait Bequeaths {
    /// Whether it has a use for bloodstains. If not, its golem neither pays for draws nor for snapshots. It still leaves its bequests, but
    /// none when it dies by chance.
    fn draws(&self) -> bool {
        true
    }

    /// Its bequests, the most important first.
    fn bequeath(&self) -> Vec<Bequest>;

    /// The same, by way of the bequests that this memory gave earlier: a memory may move what hasn't changed out of them and copy only
    /// the rest. Snapshots are taken this way, because most of one is in the one before.
    fn renew_bequests(&self, earlier: Vec<Bequest>) -> Vec<Bequest> {
        drop(earlier);
        self.bequeath()
    }

    /// Takes in bloodstains drawn from the Lethe.
    fn inherit(&mut self, drawn: Vec<Drawn>, now: Tick) -> InheritOutcome;

    /// The fate of everything that it inherited; golems vote on bloodstains by it.
    fn inheritance(&self) -> &[Inheritance] {
        &[]
    }
}
