//! Clusters of trades become insights, or votes on existing ones: the distillation of episodic memory into semantic memory.
//!
//! Trades are clustered by strategy and regime, exactly, without a distance. Results are in R, 0 R counts as a loss, confidence runs from 0
//! to 1. Abstentions never come here. A trade counts once: only those of clusters below `cluster_size` (3) wait for the next cycle
//! that has a new trade, an insight or a contrast.
//!
//! Coherence = max(gains, losses) / trades of a cluster, .5 to 1; an insight begins at confidence = base · coherence · .9, the base being
//! `curator.insight_confidence` (.5), so as a candidate below `promote_at` (digest section 3: the mean confidence times a compression of
//! .9; base · coherence is our reading of a cluster's mean confidence). The memory still may turn it away (A-MAC admission).

use crate::curator::letter::{Conclusion, DreamTag, KnownInsight, Operation, TagReason};
use crate::curator::{CuratorConfig, CuratorReport, CuratorRequest};
use crate::episode::{Claim, ContextPattern, DreamPriority};
use crate::llm::EpisodeBrief;
use crate::market::{Regime, Strategy};
use morta_base::moments;
use std::collections::BTreeMap;

/// One member of a cluster: a trade, and its priority if it is new.
type Member<'a> = (&'a EpisodeBrief, Option<f64>);

/// Distils trades, clustered by strategy and regime. A cluster that is too small waits, and its new members are tagged; one whose members agree in sign gives
/// an insight, or a vote on an insight on its subject; an incoherent one is tagged high for the next dream, and votes all the same, or insights would hear of
/// their confirmations only.
pub(super) fn distil(request: &CuratorRequest, config: &CuratorConfig, report: &mut CuratorReport) {
    let mut clusters: BTreeMap<(Strategy, Regime), Vec<Member<'_>>> = BTreeMap::new();
    let waiting = request.waiting.iter().map(|brief| (brief, None));
    let new = request.episodes.iter().map(|episode| (&episode.brief, Some(episode.priority)));
    for member in waiting.chain(new) {
        clusters.entry((member.0.strategy, member.0.context.regime)).or_default().push(member);
    }
    let mut tags = Vec::new();
    for ((strategy, regime), members) in clusters {
        let mut tag =
            |reason, priority| {
                let new = members.iter().filter_map(|(brief, rank)| rank.map(|rank| (brief.id, rank)));
                tags.extend(new.map(|(episode, rank)| {
                    (rank, DreamTag { episode, reason, priority, cycle: request.cycle })
                }));
            };
        if members.len() < config.cluster_size as usize {
            tag(TagReason::InsufficientEvidence, DreamPriority::Medium);
            report.waiting.extend(members.iter().map(|(brief, _)| (*brief).clone()));
            continue;
        }
        let said = conclude(Claim::of_worth(strategy, ContextPattern::from_regime(regime), 0.0), &members);
        let coherent = coherence(&said) > config.coherence;
        if !coherent {
            tag(TagReason::ContradictoryPattern, DreamPriority::High);
        }
        let known = request.insights.iter().find(|known| known.claim.same_subject(&said.claim));
        match known {
            Some(known) => vote(known, said, gains_and_losses(&members), coherent, config, report),
            None if coherent => report.operations.push(Operation::Add(trusted(said, config))),
            None => {}
        }
    }
    tags.sort_by(|(a, left), (b, right)| b.total_cmp(a).then(left.episode.cmp(&right.episode)));
    tags.truncate(config.max_tags as usize);
    report.tags.extend(tags.into_iter().map(|(_, tag)| tag));
}

/// The conclusion of some trades about a subject: their mean result, and the numbers of those on its side and on the other.
fn conclude(subject: Claim, members: &[Member<'_>]) -> Conclusion {
    let expected_r =
        moments::mean(members.iter().map(|(brief, _)| brief.realised_r)).expect("a cluster has members");
    let (gains, losses) = gains_and_losses(members);
    let (confirmed, contradicted) = (gains.max(losses), gains.min(losses));
    Conclusion {
        claim: Claim { expected_r, ..subject },
        confidence: 0.0,
        confirmed,
        contradicted,
        learned_from: members.iter().map(|(brief, _)| brief.id).collect(),
    }
}

fn gains_and_losses(members: &[Member<'_>]) -> (u32, u32) {
    let gains = members.iter().filter(|(brief, _)| brief.realised_r > 0.0).count();
    (gains as u32, (members.len() - gains) as u32)
}

/// Share of a conclusion's episodes that agree in sign, .5 to 1.
pub(super) fn coherence(said: &Conclusion) -> f64 {
    f64::from(said.confirmed) / f64::from(said.confirmed + said.contradicted)
}

/// A new conclusion with its first confidence, insight_confidence · coherence · compression; those of `contrast` get theirs here too.
pub(super) fn trusted(said: Conclusion, config: &CuratorConfig) -> Conclusion {
    Conclusion { confidence: config.insight_confidence * coherence(&said) * config.compression, ..said }
}

/// Difference in R from which an insight's size is corrected. Our choice: the .25 R by which an outcome confirms a claim
/// (`dream.consolidation.staging.confirm_margin_r`), because less can't be told from noise.
const EDIT_R: f64 = 0.25;

/// Adds the netted vote of a cluster on an insight: one up, one down or none (digest section 3: netted per cycle, so that a cluster of ten trades weighs
/// no more than one of three); and corrects its size where a coherent cluster of the same direction differs by more than [`EDIT_R`].
fn vote(
    known: &KnownInsight,
    said: Conclusion,
    (gains, losses): (u32, u32),
    coherent: bool,
    config: &CuratorConfig,
    report: &mut CuratorReport,
) {
    let claims_gain = known.claim.expected_r > 0.0;
    let same_way = (said.claim.expected_r > 0.0) == claims_gain;
    let (up, down) = if claims_gain { (gains, losses) } else { (losses, gains) };
    let (id, measured) = (known.id, said.claim.expected_r);
    let votes = Conclusion { confirmed: up, contradicted: down, ..said };
    let change = |up| config.confidence_update.change(known.confidence, up);
    match up.cmp(&down) {
        std::cmp::Ordering::Greater => {
            report.operations.push(Operation::Upvote { id, by: change(true), votes });
        }
        std::cmp::Ordering::Less => {
            report.operations.push(Operation::Downvote { id, by: change(false), votes });
        }
        std::cmp::Ordering::Equal => {}
    }
    if coherent && same_way && (measured - known.claim.expected_r).abs() > EDIT_R {
        report.operations.push(Operation::Edit { id, expected_r: measured });
    }
}
