//! Exchange between the dead and the living through the Lethe: the capability of leaving and receiving knowledge (oblique cultural
//! transmission).
//!
//! The order of bequests is their importance, because a limited number of draws takes the first. Drawn bloodstains come with rank and
//! score.

use crate::lethe::{Bequest, Drawn};
use crate::memory::inheritance::Inheritance;
use crate::memory::legacy::InheritOutcome;
use morta_base::Tick;

/// A memory that leaves bloodstains and takes in those of others. A capability trait for knowledge transfer after death.
pub trait Bequeaths {
    /// Whether it has a use for bloodstains. If not, its golem neither pays for draws nor fears for its knowledge, but still
    /// leaves its bequests.
    fn draws(&self) -> bool {
        true
    }

    /// Its bequests, the most important first.
    fn bequeath(&self) -> Vec<Bequest>;

    /// Takes in bloodstains drawn from the Lethe.
    fn inherit(&mut self, drawn: Vec<Drawn>, now: Tick) -> InheritOutcome;

    /// The fate of everything that it inherited; golems vote on bloodstains by it.
    fn inheritance(&self) -> &[Inheritance] {
        &[]
    }
}
