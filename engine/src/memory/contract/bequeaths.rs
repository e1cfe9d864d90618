//! What passes between the dead and the living through the Lethe.

use crate::lethe::{Bequest, Drawn};
use crate::memory::inheritance::Inheritance;
use crate::memory::legacy::Received;
use morta_base::Tick;

/// A memory that leaves bloodstains and takes in those of others.
pub trait Bequeaths {
    /// Whether it has any use for bloodstains, its own and others': if not, its golem neither pays for drawing any nor fears for what
    /// it knows, but still leaves what it bequeaths.
    fn draws(&self) -> bool {
        true
    }

    /// What it leaves to others, the most telling first.
    fn bequeath(&self) -> Vec<Bequest>;

    /// Takes in what was drawn from the Lethe.
    fn inherit(&mut self, drawn: Vec<Drawn>, now: Tick) -> Received;

    /// What became of everything it inherited; golems vote on bloodstains by it.
    fn inheritance(&self) -> &[Inheritance] {
        &[]
    }
}
