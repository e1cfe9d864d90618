//! Clusters, insights and dream tags.

use crate::base::EpisodeId;
use crate::curator::CuratorConfig;
use crate::episode::{Claim, ContextPattern, DreamPriority};
use crate::llm::EpisodeBrief;
use crate::market::{Regime, Strategy};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a golem hands in: its trades since the last cycle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CuratorRequest {
    /// The trades, oldest first.
    pub episodes: Vec<EpisodeBrief>,
}

/// A conclusion from episodes that agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Insight {
    /// What it says.
    pub claim: Claim,
    /// Trust in it, 0 to 1.
    pub confidence: f64,
    /// The episodes it was drawn from.
    pub learned_from: Vec<EpisodeId>,
    /// How firmly it is remembered, from 1; waking episodes that match it add to it.
    pub strength: f64,
    /// Episodes it spoke of since it was drawn.
    pub retrievals: u32,
}

/// Why an episode should be dreamt of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TagReason {
    /// Its cluster disagrees with itself.
    ContradictoryPattern,
    /// Its cluster is too small to say anything.
    InsufficientEvidence,
}

/// A tag for the next dream.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamTag {
    /// Which episode.
    pub episode: EpisodeId,
    /// Why.
    pub reason: TagReason,
    /// How urgently.
    pub priority: DreamPriority,
}

/// What comes back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CuratorReport {
    /// Conclusions, one a cluster that agrees.
    pub insights: Vec<Insight>,
    /// Tags for the dream.
    pub tags: Vec<DreamTag>,
}

/// One cycle: clusters by strategy and regime; a cluster of enough episodes of which enough agree in sign gives an insight
/// at the mean confidence × .9 (digest section 3), one that disagrees is tagged high, one that is too small medium.
pub fn curate(request: &CuratorRequest, config: &CuratorConfig) -> CuratorReport {
    let mut clusters: BTreeMap<(Strategy, Regime), Vec<&EpisodeBrief>> = BTreeMap::new();
    for episode in &request.episodes {
        clusters.entry((episode.strategy, episode.context.regime)).or_default().push(episode);
    }
    let mut report = CuratorReport::default();
    for ((strategy, regime), members) in clusters {
        if members.len() < config.cluster_size as usize {
            tag(&mut report, &members, TagReason::InsufficientEvidence, DreamPriority::Medium);
            continue;
        }
        let gains = members.iter().filter(|episode| episode.realised_r > 0.0).count();
        let coherence = gains.max(members.len() - gains) as f64 / members.len() as f64;
        if coherence <= config.coherence {
            tag(&mut report, &members, TagReason::ContradictoryPattern, DreamPriority::High);
            continue;
        }
        let expected_r = members.iter().map(|episode| episode.realised_r).sum::<f64>() / members.len() as f64;
        report.insights.push(Insight {
            claim: Claim { strategy, pattern: ContextPattern::of_regime(regime), expected_r },
            confidence: config.insight_confidence * coherence * config.compression,
            learned_from: members.iter().map(|episode| episode.id).collect(),
            strength: 1.0,
            retrievals: 0,
        });
    }
    report
}

fn tag(report: &mut CuratorReport, members: &[&EpisodeBrief], reason: TagReason, priority: DreamPriority) {
    report.tags.extend(members.iter().map(|episode| DreamTag { episode: episode.id, reason, priority }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::grimoire::tests::episode;

    fn request(results: &[(Strategy, f64)]) -> CuratorRequest {
        let brief = |(number, &(strategy, realised_r)): (usize, &(Strategy, f64))| EpisodeBrief {
            strategy,
            realised_r,
            ..EpisodeBrief::from(&episode(number as u32, 1))
        };
        CuratorRequest { episodes: results.iter().enumerate().map(brief).collect() }
    }

    #[test]
    fn what_agrees_becomes_an_insight() {
        let agreeing = [(Strategy::Momentum, 1.0), (Strategy::Momentum, 0.5), (Strategy::Momentum, 0.9)];
        let report = curate(&request(&agreeing), &CuratorConfig::default());
        assert_eq!(report.tags, []);
        assert!((report.insights[0].claim.expected_r - 0.8).abs() < 1e-12);
        assert!((report.insights[0].confidence - 0.45).abs() < 1e-12);
    }

    #[test]
    fn what_disagrees_or_is_rare_is_tagged() {
        let mixed = [
            (Strategy::Momentum, 1.0),
            (Strategy::Momentum, -0.5),
            (Strategy::Momentum, 0.9),
            (Strategy::Breakout, 1.0),
        ];
        let report = curate(&request(&mixed), &CuratorConfig::default());
        assert_eq!(report.insights, []);
        let count = |priority| report.tags.iter().filter(|tag| tag.priority == priority).count();
        assert_eq!((count(DreamPriority::High), count(DreamPriority::Medium)), (3, 1));
    }
}
