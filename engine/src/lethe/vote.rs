//! Votes of heirs on the bloodstains that they drew (relevance feedback, reputation system).
//!
//! A vote says whether a bequest worked for its heir. Quality by votes is a share from 0 to 1, and counts only when a quorum has voted, so
//! that one unlucky heir can't silence the dead; by default a vote cast in dying is a quorum by itself. An heir votes once alive, after
//! three trades in which the bequest spoke, and once more in dying, after one; both count. Quorate votes replace the bequest's quality in
//! the rank, and a majority against it withdraws it from draws. Votes go by the clade's letters, but are cast without clades too.

use crate::lethe::LetheConfig;
use morta_base::BloodstainId;
use serde::{Deserialize, Serialize};

/// One heir's vote on one bloodstain: a binary rating of its usefulness (upvote or downvote).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// The bloodstain it is about.
    pub bloodstain: BloodstainId,
    /// Whether the trades it spoke for made money together or, of a scar that warns, those it warned of lost some.
    pub worked: bool,
    /// Whether the heir voted in dying.
    pub in_dying: bool,
}

/// The votes on one bloodstain: a tally (reputation counter).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Votes {
    worked: u32,
    failed: u32,
    in_dying: u32,
}

impl Votes {
    /// Counts one vote more. Who may vote, and how often, is the voter's care.
    pub fn count(&mut self, vote: &Vote) {
        *(if vote.worked { &mut self.worked } else { &mut self.failed }) += 1;
        self.in_dying += u32::from(vote.in_dying);
    }

    /// Whether there is a quorum, i.e. enough heirs have voted: three, or one in dying (digest section 15, X01).
    pub fn is_quorate(&self, config: &LetheConfig) -> bool {
        self.worked + self.failed >= config.quorum_votes || self.in_dying >= config.quorum_dying_votes
    }

    /// Quality of a bequest by its votes, a smoothed approval rate: the share of heirs for whom it worked, (w + 1)/(w + f + 2) with one
    /// imagined vote each way (Laplace smoothing), so that a first vote doesn't make it perfect or worthless; `None` before there is a
    /// quorum.
    pub fn quality(&self, config: &LetheConfig) -> Option<f64> {
        let total = f64::from(self.worked + self.failed + 2);
        self.is_quorate(config).then(|| f64::from(self.worked + 1) / total)
    }

    /// Whether a quorum has found that it doesn't work, by majority; it isn't handed out any more.
    pub fn is_refuted(&self, config: &LetheConfig) -> bool {
        self.is_quorate(config) && self.failed > self.worked
    }
}
