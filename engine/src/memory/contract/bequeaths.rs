//! Exchange between the dead and the living through the Lethe.

use crate::lethe::{Bequest, Drawn};
use crate::memory::inheritance::Inheritance;
use crate::memory::legacy::InheritOutcome;
use morta_base::Tick;

/// A memory that leaves bloodstains and takes in those of others.
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
