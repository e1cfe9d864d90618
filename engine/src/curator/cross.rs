//! Insights are held against one another, and against what dreams have said.

use crate::curator::letter::{KnownInsight, Operation};
use crate::curator::{CuratorConfig, CuratorReport, CuratorRequest};
use crate::episode::ContextPattern;

/// In a deep cycle: insights that are alike beyond the limit are merged into the one that is trusted more, and those that
/// contradict each other are named, so that their episodes are dreamt of.
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

/// Same strategy, circumstances of which one includes the other, opposite directions.
fn contradict(a: &KnownInsight, b: &KnownInsight) -> bool {
    let (p, q) = (&a.claim.pattern, &b.claim.pattern);
    !a.claim.agrees_with(&b.claim)
        && a.claim.strategy == b.claim.strategy
        && (includes(p, q) || includes(q, p))
}

/// Whether everything the wider pattern names is named alike by the narrower.
fn includes(wider: &ContextPattern, narrower: &ContextPattern) -> bool {
    fn holds<T: PartialEq>(wider: Option<T>, narrower: Option<T>) -> bool {
        wider.is_none() || wider == narrower
    }
    holds(wider.regime, narrower.regime)
        && holds(wider.volatility, narrower.volatility)
        && holds(wider.liquidity, narrower.liquidity)
        && holds(wider.session, narrower.session)
}

/// Dream conclusions that few outcomes have borne out, and a waking insight of this golem's own on the same subject that points
/// the same way.
pub(super) fn corroborate(request: &CuratorRequest, config: &CuratorConfig, report: &mut CuratorReport) {
    for flagged in &request.flagged {
        let says_so = |known: &&KnownInsight| !known.foreign && known.claim.restates(&flagged.claim);
        if let Some(known) = request.insights.iter().find(says_so) {
            let (claim, insight) = (flagged.id, known.id);
            report.operations.push(Operation::Corroborate { claim, insight, by: config.corroboration_step });
        }
    }
}
