//! Where entries go that are no longer active. They are silent there, but not gone: what life bears out again comes back.

use super::entry::Entry;
use super::status::{Stage, Status};
use super::store::Beliefs;
use crate::episode::{Context, EntryStanding, StagingConfig};
use crate::market::Strategy;
use morta_base::Tick;

/// A trade as claims are held against it.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// The strategy that was followed.
    pub strategy: Strategy,
    /// The circumstances of the decision.
    pub context: &'a Context,
    /// What it made, in R.
    pub realised_r: f64,
}

impl Beliefs {
    /// Puts an entry away that has left the active ones, whatever it was. One on its subject that lies there already makes room for
    /// it, and of more than `capacity` the oldest are forgotten.
    pub fn archive(&mut self, entry: Entry, now: Tick, capacity: usize) {
        self.extract(Stage::Archived, |known| known.claim.same_subject(&entry.claim));
        let status = Status::Archived { kind: entry.nature().kind, since: now, borne_out: 0, evidence: 0.0 };
        self.put(Entry { status, ..entry });
        let bounds = self.bounds(Stage::Archived);
        let excess = bounds.len().saturating_sub(capacity);
        self.entries.drain(bounds.start..bounds.start + excess);
    }

    /// Holds every archived entry that speaks of a trade against its outcome, and takes out those that have been borne out often
    /// enough, or, by the sequential test, firmly enough.
    pub fn hear_in_archive(
        &mut self,
        outcome: Outcome<'_>,
        config: &StagingConfig,
        restore_after: u32,
    ) -> Vec<Entry> {
        let (bounds, test) = (self.bounds(Stage::Archived), self.sequential_test(config));
        let back = self.entries.extract_if(bounds, |known| {
            let Status::Archived { borne_out, evidence, .. } = &mut known.status else { return false };
            if !known.belief.claim.applies(outcome.strategy, outcome.context) {
                return false;
            }
            let claim = &known.belief.claim;
            let heard = config.hearing(claim, outcome.realised_r);
            *borne_out = match heard.confirms {
                true => *borne_out + 1,
                false => borne_out.saturating_sub(1),
            };
            let Some(test) = test else { return *borne_out >= restore_after };
            // Held at 0 from below, like the count: what was wrong for long comes back as soon as it holds again (Page 1954).
            *evidence = (*evidence + test.evidence(claim.expected_r, heard.came_to_r, 1)).max(0.0);
            *evidence >= test.upper()
        });
        back.collect()
    }

    /// What has been borne out in the archive is a candidate once more, with at least so much confidence, unless its subject has been
    /// taken up anew. It keeps its strength; its clocks start again. Returns it as it is now.
    pub fn restore(&mut self, entry: Entry, least_confidence: f64, now: Tick) -> Option<&Entry> {
        if self.insight_on(&entry.claim).is_some() {
            return None;
        }
        let kind = entry.nature().kind;
        let mut belief = entry.into_belief();
        belief.confidence = belief.confidence.max(least_confidence);
        belief.standing = EntryStanding { strength: belief.standing.strength, ..EntryStanding::new(now) };
        self.add_candidate(belief, kind);
        self.insights().last()
    }
}
