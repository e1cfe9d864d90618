//! What memory says of a candidate: what is felt of its strategy, here and anywhere, and of its asset.

use super::{DarkPawns, MarketNode, Trace};
use crate::memory::dark_pawns::{Node, Valence, ValenceSource};
use crate::memory::{Advice, Candidate, DecisionContext, Voice, VoiceSource};

/// A feeling from which something is dangerous (digest section 6).
const DANGEROUS: Valence = Valence::new(-2);

/// A node that speaks of a candidate.
struct Speaker<'a> {
    trace: &'a Trace,
    weight: f64,
    feeling: f64,
}

impl DarkPawns {
    /// Speaks about each candidate.
    pub(in crate::memory) fn advise(
        &self,
        moment: &DecisionContext<'_>,
        candidates: &[Candidate],
        advice: &mut Vec<Advice>,
    ) {
        advice.extend(candidates.iter().map(|candidate| self.advise_on(moment, candidate)));
    }

    fn advise_on(&self, moment: &DecisionContext<'_>, candidate: &Candidate) -> Advice {
        let pairing = MarketNode::Pairing(candidate.strategy, moment.context.regime);
        let subjects = [
            (pairing, self.config.pairing_weight),
            (MarketNode::Strategy(candidate.strategy), self.config.strategy_weight),
            (MarketNode::Asset(candidate.asset), self.config.asset_weight),
        ];
        let mut speakers: Vec<Speaker<'_>> =
            subjects.into_iter().filter_map(|(node, weight)| self.speaker(node, weight)).collect();
        if speakers.is_empty() {
            return Advice::prior(candidate);
        }
        speakers.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let heard: f64 = speakers.iter().map(|speaker| speaker.weight).sum();
        let felt: f64 = speakers.iter().map(|speaker| speaker.weight * speaker.feeling).sum();
        let expected_r = candidate.prior_r + self.config.valence_r * felt / heard.max(1.0);
        Advice {
            expected_r,
            confidence: heard.min(1.0),
            size_multiplier: (0.75 + expected_r).clamp(0.5, 1.5),
            veto: self.forbids(pairing),
            why: self.why(&speakers, candidate),
        }
    }

    /// A node's weight is that of its kind, less the fainter it is and the more seldom it was met.
    fn speaker(&self, node: MarketNode, weight: f64) -> Option<Speaker<'_>> {
        let (node, trace) = (self.graph.node(&node)?, self.traces.get(&node)?);
        let visits = f64::from(node.visit_count);
        let feeling = match self.config.valence_from {
            ValenceSource::Integer => node.valence.get().into(),
            ValenceSource::Mean => node.mean(),
        };
        let weight = weight * node.salience * visits / (visits + self.config.familiar_after);
        Some(Speaker { trace, weight, feeling })
    }

    fn forbids(&self, pairing: MarketNode) -> bool {
        let dangerous = |node: &Node<MarketNode>| {
            node.visit_count >= self.config.veto_after_visits
                && node.feeling(self.config.valence_from) <= DANGEROUS
        };
        self.config.veto_dangerous && self.graph.node(&pairing).is_some_and(dangerous)
    }

    /// The nodes, loudest first, and then the latest episodes behind the loudest; these say what is meant, and have no weight of
    /// their own.
    fn why(&self, speakers: &[Speaker<'_>], candidate: &Candidate) -> Vec<Voice> {
        let says = |feeling: f64| candidate.prior_r + self.config.valence_r * feeling;
        let mut why: Vec<Voice> = speakers
            .iter()
            .map(|speaker| Voice {
                source: VoiceSource::Node(speaker.trace.number),
                provenance: speaker.trace.provenance(),
                weight: speaker.weight,
                expected_r: says(speaker.feeling),
            })
            .collect();
        let loudest = &speakers[0];
        let behind = loudest.trace.behind.iter().rev().map(|(episode, provenance)| Voice {
            source: VoiceSource::Episode(*episode),
            provenance: *provenance,
            weight: 0.0,
            expected_r: says(loudest.feeling),
        });
        why.extend(behind.take(Advice::MAX_VOICES.saturating_sub(speakers.len())));
        why
    }
}
