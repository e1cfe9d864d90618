//! Where entries go that are no longer active. They are silent there, but not gone: what experience bears out again comes back.

use crate::base::Tick;
use crate::curator::Insight;
use crate::episode::Context;
use crate::market::Strategy;
use serde::{Deserialize, Serialize};

/// An entry in the archive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Archived {
    /// The entry as it left.
    pub entry: Insight,
    /// When that was.
    pub since: Tick,
    /// Waking outcomes since that bore it out, less those that didn't, at least 0.
    pub borne_out: u32,
}

/// Entries that are no longer active, at most the configured number; the oldest leave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Archive {
    entries: Vec<Archived>,
}

impl Archive {
    /// The entries, oldest first.
    pub fn entries(&self) -> &[Archived] {
        &self.entries
    }

    /// Puts an entry away. One on its subject that lies there already makes room for it.
    pub fn put(&mut self, entry: Insight, now: Tick, capacity: usize) {
        self.entries.retain(|known| !known.entry.claim.same_subject(&entry.claim));
        self.entries.push(Archived { entry, since: now, borne_out: 0 });
        let excess = self.entries.len().saturating_sub(capacity);
        self.entries.drain(..excess);
    }

    /// Holds every entry that speaks of a trade against its outcome, and takes out those that have been borne out often enough.
    pub fn hear_of_life(
        &mut self,
        strategy: Strategy,
        context: &Context,
        (realised_r, margin_r): (f64, f64),
        restore_after: u32,
    ) -> Vec<Insight> {
        let mut back = Vec::new();
        self.entries.retain_mut(|known| {
            let claim = &known.entry.claim;
            if !claim.applies(strategy, context) {
                return true;
            }
            known.borne_out = match claim.is_confirmed_by(realised_r, margin_r) {
                true => known.borne_out + 1,
                false => known.borne_out.saturating_sub(1),
            };
            if known.borne_out < restore_after {
                return true;
            }
            back.push(known.entry.clone());
            false
        });
        back
    }
}
