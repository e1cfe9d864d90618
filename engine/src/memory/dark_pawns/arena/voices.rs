//! Advice on a candidate, from the feelings towards its strategy in the regime, its strategy anywhere, and its asset. It is an affect
//! heuristic: a weighted sum over entities, with a veto for the dangerous.
//!
//! Feelings are valences from −3 to 3; a valence of 1 is worth `valence_r` R (.5 by default) at full weight. Weights that sum to more than
//! 1 are divided by their sum. The size of a position follows the expectation. Without any known node the advice is the prior.

use super::{DarkPawns, MarketNode, Trace};
use crate::llm::Stance;
use crate::market::{Regime, Strategy};
use crate::memory::{Advice, Candidate, Voice, VoiceSource};
use morta_memories::dark_pawns::{Node, Valence, ValenceSource};

/// The valence from which an entity is dangerous (digest section 6: relation ≤ −2).
const DANGEROUS: Valence = Valence::new(-2);

/// The valence of the strongest stance: the end of the original's scale of −3 to +3.
const STRONGEST: f64 = 3.0;

/// A node with a voice on a candidate.
struct Speaker<'a> {
    trace: &'a Trace,
    weight: f64,
    feeling: f64,
}

impl DarkPawns {
    /// The advice on a candidate in a regime, without one item if that is silent: a weighted sum of feelings added to the prior.
    pub(super) fn advise_on(
        &self,
        regime: Regime,
        candidate: &Candidate,
        silent: Option<VoiceSource>,
    ) -> Advice {
        let pairing = MarketNode::Pairing(candidate.strategy, regime);
        let subjects = [
            (pairing, self.config.pairing_weight),
            (MarketNode::Strategy(candidate.strategy), self.config.strategy_weight),
            (MarketNode::Asset(candidate.asset), self.config.asset_weight),
        ];
        let is_silent = |node: &MarketNode| {
            let voice = self.traces.get(node).map(|trace| VoiceSource::Node(trace.number));
            silent.is_some() && voice == silent
        };
        let speak = subjects.into_iter().filter(|(node, _)| !is_silent(node));
        let mut speakers: Vec<Speaker<'_>> =
            speak.filter_map(|(node, weight)| self.speaker(node, weight)).collect();
        let stances = self.stances_on(candidate.strategy, regime).filter(|(node, _)| !is_silent(node));
        speakers.extend(stances.filter_map(|(node, stance)| self.reader(node, stance)));
        if speakers.is_empty() {
            return Advice::prior(candidate);
        }
        speakers.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let weight: f64 = speakers.iter().map(|speaker| speaker.weight).sum();
        let felt: f64 = speakers.iter().map(|speaker| speaker.weight * speaker.feeling).sum();
        let expected_r = candidate.prior_r + self.config.valence_r * felt / weight.max(1.0);
        Advice {
            expected_r,
            confidence: weight.min(1.0),
            size_multiplier: (0.75 + expected_r).clamp(0.5, 1.5),
            veto: self.forbids(pairing) && !is_silent(&pairing),
            why: self.why(&speakers, candidate),
            heard: speakers.iter().map(|speaker| self.voice(speaker, candidate)).collect(),
            ..Advice::prior(candidate)
        }
    }

    /// The voice of a node. Its weight is that of its kind, times salience, times n/(n + `familiar_after`) for n encounters: a
    /// node met once has a quarter of it by default.
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

    /// Stances of the model that read the summary on a strategy in a regime, with their nodes.
    fn stances_on(&self, strategy: Strategy, regime: Regime) -> impl Iterator<Item = (MarketNode, &Stance)> {
        let of_strategy = self.read.iter().filter(move |stance| stance.strategy == strategy);
        let about = of_strategy.filter(move |stance| stance.regime.is_none_or(|known| known == regime));
        about.map(move |stance| match stance.regime {
            Some(regime) => (MarketNode::Pairing(strategy, regime), stance),
            None => (MarketNode::Strategy(strategy), stance),
        })
    }

    /// The voice of a stance, as long as its node is remembered.
    fn reader(&self, node: MarketNode, stance: &Stance) -> Option<Speaker<'_>> {
        let trace = self.traces.get(&node)?;
        Some(Speaker { trace, weight: self.config.reading_weight, feeling: STRONGEST * stance.strength })
    }

    fn forbids(&self, pairing: MarketNode) -> bool {
        let dangerous = |node: &Node<MarketNode>| {
            node.visit_count >= self.config.veto_after_visits
                && node.feeling(self.config.valence_from) <= DANGEROUS
        };
        self.config.veto_dangerous && self.graph.node(&pairing).is_some_and(dangerous)
    }

    /// The nodes, loudest first, and then the latest episodes behind the loudest. The episodes have no weight: they name what is
    /// meant, and weighted they would count a feeling twice.
    fn why(&self, speakers: &[Speaker<'_>], candidate: &Candidate) -> Vec<Voice> {
        let mut why: Vec<Voice> = speakers.iter().map(|speaker| self.voice(speaker, candidate)).collect();
        let loudest = &speakers[0];
        let behind = loudest.trace.behind.iter().rev().map(|(episode, provenance)| {
            Voice::new(
                VoiceSource::Episode(*episode),
                *provenance,
                0.0,
                self.voice(loudest, candidate).expected_r,
            )
        });
        why.extend(behind.take(Advice::MAX_VOICES.saturating_sub(speakers.len())));
        why
    }

    fn voice(&self, speaker: &Speaker<'_>, candidate: &Candidate) -> Voice {
        Voice::new(
            VoiceSource::Node(speaker.trace.number),
            speaker.trace.provenance(),
            speaker.weight,
            candidate.prior_r + self.config.valence_r * speaker.feeling,
        )
    }
}
