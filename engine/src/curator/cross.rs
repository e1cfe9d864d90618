//! Insights are compared with one another, and with the conclusions of dreams: deduplication, conflict detection and corroboration of a
//! knowledge base.
//!
//! Similarity is the cosine of claims, 0 to 1; corroboration is a step of confidence, 0 to 1. All pairs are compared, which takes quadratic
//! time in the number of insights, so it is done in deep cycles alone; corroboration is done in every cycle. Nothing is changed here:
//! operations are reported, and the memory corroborates only where claim and insight rest on different episodes, up to a confidence of
//! .99. It corroborates a claim once, as long as the claim is among the last 200 that it corroborated: an older one may gain again.

use crate::curator::letter::{KnownInsight, Operation};
use crate::curator::{CuratorConfig, CuratorReport, CuratorRequest};

/// Merges, in a deep cycle, insights that are alike beyond the limit into the one with more confidence, and names those that
/// contradict each other, so that their episodes are dreamt of. In deep cycles only (every 250 ticks; digest section 3), because all pairs are compared.
pub(super) fn cross_reference(request: &CuratorRequest, config: &CuratorConfig, report: &mut CuratorReport) {
    let insights = &request.insights;
    let mut gone = vec![false; insights.len()];
    for (i, a) in insights.iter().enumerate() {
        for (j, b) in insights.iter().enumerate().skip(i + 1) {
            if gone[i] || gone[j] {
                continue;
            }
            if a.claim.similarity(&b.claim) > config.merge_above {
                let first = a.confidence >= b.confidence;
                let (kept, out) = if first { (a, j) } else { (b, i) };
                report.operations.push(Operation::Merge { kept: kept.id, gone: insights[out].id });
                gone[out] = true;
            } else if contradict(a, b) {
                report.operations.push(Operation::Conflict(a.id, b.id));
            }
        }
    }
}

/// Whether two insights contradict each other: same strategy and matter, opposite directions, circumstances of which one has all that the
/// other names (subsumption). Insights whose circumstances merely overlap may both be right, and so may one about a held position beside
/// one about opening it.
fn contradict(a: &KnownInsight, b: &KnownInsight) -> bool {
    let (a, b) = (&a.claim, &b.claim);
    let (p, q) = (&a.pattern, &b.pattern);
    !a.agrees_with(b)
        && a.strategy == b.strategy
        && a.matter == b.matter
        && p.held.is_some() == q.held.is_some()
        && p.shared(q) == p.specificity().min(q.specificity())
}

/// Confidence that a dream's conclusion and an independent waking insight gain when they say the same. The replay spec has them gain it faster
/// together and names no step; our choice, that of one confirming outcome (`dream.consolidation.staging.confirm_step`).
const CORROBORATION_STEP: f64 = 0.1;

/// Corroborates conclusions of dreams that few outcomes have confirmed by a waking insight on the same subject with the same direction.
/// Another golem's insight counts only once an outcome of this life has confirmed it: it may go back to the same dream.
pub(super) fn corroborate(request: &CuratorRequest, report: &mut CuratorReport) {
    for flagged in &request.flagged {
        let says_so = |known: &&KnownInsight| !known.foreign && known.claim.restates(&flagged.claim);
        if let Some(known) = request.insights.iter().find(says_so) {
            let (claim, insight) = (flagged.id, known.id);
            report.operations.push(Operation::Corroborate { claim, insight, by: CORROBORATION_STEP });
        }
    }
}
