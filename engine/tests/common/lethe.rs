//! What the dead leave.

use crate::common::episodes::episode;
use morta_base::{BloodstainId, GolemId};
use morta_engine::lethe::{Bequest, Bloodstain, Drawn, RankTerms};
use morta_engine::mortality::Cause;

/// A bequest of a golem that died at 100 of an empty purse, as it is drawn.
pub fn drawn(golem: GolemId, number: u32, bequest: Bequest) -> Drawn {
    let scar = episode(number, 100);
    let bloodstain = Bloodstain {
        id: BloodstainId { golem, number },
        cause: Cause::Economic,
        died: 100,
        age: 100,
        vitality: 0.0,
        context: scar.context,
        embedding: scar.embedding,
        bequest,
    };
    Drawn { bloodstain, rank: number, score: 1.0, terms: RankTerms::default(), merged: 0 }
}
