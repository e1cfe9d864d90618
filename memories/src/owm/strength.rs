//! Strength of a memory. Recall uses recency instead, because the document has the testing effect in the strength only (digest section 5,
//! ruling C-13). It is a forgetting curve (power law of forgetting) with the testing effect; times are days. The golem memory `owm` weighs
//! beliefs in a decision by `semantic` (in `bardo+owm` they have no voice); the `owm` tools report both strengths, and take a belief's own
//! regime where a question names none, so that the factor .3 doesn't apply there. Nothing is forgotten by its strength: a full shelf drops
//! its oldest episode.

use super::context::Regime;
use morta_base::math;

/// Testing effect: the share of the strength added for each unit of ln(1 + recalls). The document's value; the original has 0.3.
const REHEARSAL: f64 = 0.1;
/// Share of a belief's strength in another regime than its own, by the document. The original has 0.6 where either regime is unknown; here a belief
/// without a regime is about all of them.
const OTHER_REGIME: f64 = 0.3;

/// Strength of an episode: S₀·(1 + t/30)^(−½)·(1 + 0.1·ln(1 + recalls)), t in days (testing effect). The numbers are constants, not keys.
pub fn episodic(initial: f64, age_days: f64, retrievals: u32) -> f64 {
    let rehearsed = 1.0 + REHEARSAL * math::ln(1.0 + f64::from(retrievals));
    initial * math::pow(1.0 + age_days.max(0.0) / 30.0, -0.5) * rehearsed
}

/// Strength of a belief: S₀·(1 + t/180)^(−0.3), times 0.3 if it is about another regime than the present (decay). The age counts from its
/// last update.
pub fn semantic(initial: f64, age_days: f64, own: Option<Regime>, now: Option<Regime>) -> f64 {
    initial * math::pow(1.0 + age_days.max(0.0) / 180.0, -0.3) * regime_match(own, now)
}

/// The regime match: 1 for a belief about every regime or the present one, and 0.3 for one about another regime, or while the present one
/// is unknown (mismatch penalty). The values are the document's, because it defines the match (§2.2).
pub fn regime_match(own: Option<Regime>, now: Option<Regime>) -> f64 {
    if own.is_none() || own == now { 1.0 } else { OTHER_REGIME }
}
