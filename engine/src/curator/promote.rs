//! Promotion and decay: candidates become active, active insights are proposed as rules, poor ones are demoted or archived. It is the
//! life cycle (state machine) of a knowledge base entry.
//!
//! Confidence and quality run from 0 to 1; cycles are those of the Curator. The threshold of demotion (.4) is below that of promotion (.6;
//! hysteresis), so that one vote doesn't move an insight back and forth. Poor fitness discounts confidence before promotion and proposal
//! (`age_discount`), not before demotion, and not that of structural insights. Another golem's insight isn't proposed before this life has
//! confirmed it. A proposal only puts a copy of the insight to the test as a rule; the memory executes it, and skips it where a rule on the
//! subject is in force.

use crate::curator::letter::{KnownInsight, Operation};
use crate::curator::{CuratorConfig, CuratorReport, CuratorRequest};
use crate::episode::LeavingReason;

/// Sums of tenths aren't exact in binary; thresholds are compared to within this.
const EPSILON: f64 = 1e-9;

/// Promotes, proposes, demotes, archives and prunes, each insight at its confidence after the votes of this cycle. At most one of
/// these happens to an insight in a cycle, so that a candidate is active for a cycle before it can become a rule.
pub(super) fn promote(request: &CuratorRequest, config: &CuratorConfig, report: &mut CuratorReport) {
    let voted: Vec<(morta_base::RuleId, f64)> = report
        .operations
        .iter()
        .filter_map(|operation| match operation {
            Operation::Upvote { id, by, .. } | Operation::Downvote { id, by, .. } => Some((*id, *by)),
            _ => None,
        })
        .collect();
    for known in &request.insights {
        let by = voted.iter().find(|(id, _)| *id == known.id).map_or(0.0, |(_, by)| *by);
        let upvoted = by > 0.0;
        let confidence = (known.confidence + by).clamp(0.0, 1.0);
        report.operations.extend(fate(known, confidence, upvoted, request.age_discount, config));
    }
}

/// The operation on an insight, if any. An untested insight isn't pruned: its quality is not poor but unknown. Structural knowledge isn't discounted by its
/// holder's age; an insight of another golem is never proposed as a rule before this life has confirmed it (digest section 3).
fn fate(
    known: &KnownInsight,
    confidence: f64,
    upvoted: bool,
    age_discount: f64,
    config: &CuratorConfig,
) -> Option<Operation> {
    let id = known.id;
    let archive = |reason| Some(Operation::Archive { id, reason });
    let trusted = if known.structural { confidence } else { confidence * age_discount };
    if confidence < config.low_below - EPSILON && known.low_cycles + 1 >= config.low_cycles {
        return archive(LeavingReason::Sunset);
    }
    let poor = known.quality < config.prune_quality && known.accesses < config.prune_accesses;
    if poor && known.tested && !upvoted && !known.spared {
        return archive(LeavingReason::Pruned);
    }
    if known.active && confidence < config.demote_below - EPSILON {
        return Some(Operation::Demote(id));
    }
    if known.active && trusted >= config.propose_at - EPSILON && !known.foreign {
        return Some(Operation::Propose(id));
    }
    (!known.active && trusted >= config.promote_at - EPSILON).then_some(Operation::Promote(id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::{claim, known_insight};

    fn known(confidence: f64, active: bool) -> KnownInsight {
        KnownInsight { active, ..known_insight(1, claim(0.4), confidence) }
    }

    fn fate_of(known: &KnownInsight) -> Option<Operation> {
        fate(known, known.confidence, false, 1.0, &CuratorConfig::default())
    }

    /// Digest section 3: candidate to active at .6, to the staging buffer at .7, demoted below .4.
    #[test]
    fn thresholds_of_rise_and_fall() {
        let id = known(0.0, false).id;
        assert_eq!(fate_of(&known(0.59, false)), None);
        assert_eq!(fate_of(&known(0.6, false)), Some(Operation::Promote(id)));
        assert_eq!(fate_of(&known(0.69, true)), None);
        assert_eq!(fate_of(&known(0.7, true)), Some(Operation::Propose(id)));
        assert_eq!(fate_of(&KnownInsight { foreign: true, ..known(0.7, true) }), None);
        assert_eq!(fate_of(&known(0.4, true)), None);
        assert_eq!(fate_of(&known(0.39, true)), Some(Operation::Demote(id)));
    }

    #[test]
    fn three_low_cycles_archive_and_the_poor_are_pruned() {
        let id = known(0.0, false).id;
        let low = |low_cycles| KnownInsight { low_cycles, ..known(0.09, false) };
        assert_eq!(fate_of(&low(1)), None);
        assert_eq!(fate_of(&low(2)), Some(Operation::Archive { id, reason: LeavingReason::Sunset }));
        let poor = KnownInsight { quality: 0.04, accesses: 1, ..known(0.5, false) };
        assert_eq!(fate_of(&poor), Some(Operation::Archive { id, reason: LeavingReason::Pruned }));
        assert_eq!(fate_of(&KnownInsight { accesses: 2, ..poor }), None);
        assert_eq!(fate_of(&KnownInsight { spared: true, ..poor }), None);
        assert_eq!(fate_of(&KnownInsight { tested: false, ..poor }), None);
    }

    #[test]
    fn an_old_model_has_to_be_surer() {
        let config = CuratorConfig::default();
        let candidate = known(0.65, false);
        assert_eq!(fate(&candidate, 0.65, false, 0.6, &config), None);
        let structural = KnownInsight { structural: true, ..candidate };
        assert_eq!(fate(&structural, 0.65, false, 0.6, &config), Some(Operation::Promote(candidate.id)));
    }
}
