//! Bequests of the dead, and their reception: scars become another golem's episodes, lessons become seeded beliefs (prior knowledge as Beta
//! pseudo-counts).
//!
//! Confidence runs from 0 to 1, is multiplied by .85 for each generation crossed and is .7 at most (keys of `memory.owm`); results are in
//! R. Scars speak in recall here, unlike in `bardo` by default. Claims about staying or about sequences are left out. Pseudo-counts are
//! few, so that an heir's own trades can overturn them.

use super::{Adopted, Owm, mapping};
use crate::episode::{
    Claim, ClaimKind, ContextPattern, EntryKind, Episode, EpisodeKind, FindingKind, Lesson, Provenance,
};
use crate::lethe::{Bequest, Drawn, generations_crossed};
use crate::market::Strategy;
use crate::memory::legacy::InheritOutcome;
use crate::memory::{Bequeaths, Inheritance, InheritedItem, VoiceSource};
use morta_base::{GolemId, RuleId, Tick, math};
use morta_memories::owm::semantic::{BeliefSource, Beta, Predicate, Scope, SemanticMemory};
use morta_memories::owm::trigger::Trigger;

/// Both parameters of the Beta prior of an adopted belief before any trust: even odds. With full trust it is Beta(2, 1), as a
/// user's seeded belief.
const DOUBT: f64 = 1.0;

impl Bequeaths for Owm {
    /// Scars first (own trades that cost most), then beliefs, the most certain first.
    fn bequeath(&self) -> Vec<Bequest> {
        let scars = self.scars.iter().cloned().map(Bequest::Scar);
        let mut lessons: Vec<Lesson> =
            self.mind.beliefs().iter().filter_map(|belief| self.lesson_of(belief)).collect();
        lessons.sort_by(|a, b| a.unfinished.cmp(&b.unfinished).then(b.confidence.total_cmp(&a.confidence)));
        lessons.truncate(self.config.lessons as usize);
        scars.chain(lessons.into_iter().map(Bequest::Lesson)).collect()
    }

    /// Scars are remembered as another golem's episodes; lessons become seeded beliefs, with less confidence the more generations
    /// they have crossed. A claim on the subject of an existing seeded belief adds to that one.
    fn inherit(&mut self, drawn: Vec<Drawn>, now: Tick) -> InheritOutcome {
        let mut received = InheritOutcome::default();
        for Drawn { bloodstain, rank, score, .. } in drawn {
            // It has no beliefs about staying in positions, nor about sequences, so such claims would be stored and never used.
            if !bloodstain.bequest.is_understood(ClaimKind::Entry) {
                continue;
            }
            let provenance = Provenance::Bloodstain(bloodstain.id);
            let mut inheritance = match bloodstain.bequest {
                Bequest::Scar(episode) => {
                    received.scars += 1;
                    self.inherit_scar(&episode, provenance, now)
                }
                Bequest::Lesson(lesson) => {
                    let crossed = generations_crossed(lesson.origin, bloodstain.id.golem, self.golem);
                    self.inherit_lesson(&lesson, crossed, provenance, now)
                }
            };
            (inheritance.rank, inheritance.score) = (rank, score);
            self.inheritance.push(inheritance);
        }
        received
    }

    fn inheritance(&self) -> &[Inheritance] {
        &self.inheritance
    }
}

impl Owm {
    /// A belief as a lesson: the mean result of such trades, with the belief's certainty as confidence. One without outcomes in
    /// this life is left out: it came from the Lethe and is still there.
    fn lesson_of(&self, belief: &SemanticMemory) -> Option<Lesson> {
        let strategy = Strategy::ALL[usize::from(belief.scope.strategy?)];
        let expected_r = belief.mean_r().filter(|_| belief.sample_size > 0)?;
        let pattern = ContextPattern {
            regime: belief.scope.regime.map(mapping::regime_of),
            session: belief.scope.session.map(mapping::session_of),
            ..ContextPattern::default()
        };
        let against = belief.sample_size - belief.confirmed;
        // A belief that trades gain is a claim of loss if they lost on average.
        let agrees = (expected_r > 0.0) == !matches!(belief.predicate, Predicate::Unprofitable);
        let (confirmed, contradicted) =
            if agrees { (belief.confirmed, against) } else { (against, belief.confirmed) };
        let adopted = self.adopted.iter().find(|adopted| adopted.belief == belief.id);
        let newest = [belief.last_confirmed, belief.last_contradicted];
        let learned_from = newest.into_iter().flatten().map(|number| self.origins[number as usize].id);
        Some(Lesson {
            kind: if expected_r > 0.0 { EntryKind::Insight } else { EntryKind::Warning },
            claim: Claim::of_worth(strategy, pattern, expected_r),
            confidence: belief.certainty(),
            confirmed,
            contradicted,
            origin: adopted.map_or(self.golem, |adopted| adopted.origin),
            unfinished: belief.sample_size < self.config.mind.induce_after,
            finding: if adopted.is_some() { FindingKind::Lesson } else { FindingKind::Insight },
            learned_from: learned_from.collect(),
            outcomes_behind: confirmed + contradicted,
        })
    }

    fn inherit_scar(&mut self, episode: &Episode, source: Provenance, now: Tick) -> Inheritance {
        let id = episode.id;
        if episode.kind == EpisodeKind::Trade && self.number_of(id).is_none() {
            let number = self.store_origin(id, source);
            let mut memory = self.memory_of(episode, number, Some(episode.realised_r));
            // Ticks of earlier runs mean nothing here, and no memory may lie in the future.
            memory.made_s = Some(self.seconds(episode.closed.min(now)));
            // Sizes and confidence were another golem's.
            (memory.lots, memory.confidence) = (None, None);
            self.mind.keep(memory);
        }
        Inheritance::new(source, InheritedItem::Scar(id), id.golem, now)
    }

    fn inherit_lesson(
        &mut self,
        lesson: &Lesson,
        crossed: u32,
        source: Provenance,
        now: Tick,
    ) -> Inheritance {
        let left = lesson.confidence * math::pow(self.config.confidence_decay, f64::from(crossed));
        let confidence = left.min(self.config.confidence_ceiling);
        let belief = self.adopt(lesson, confidence, source, now);
        let entry = RuleId { golem: self.golem, number: belief };
        Inheritance::lesson(source, lesson, Some(entry), confidence, now)
    }

    fn adopt(&mut self, lesson: &Lesson, confidence: f64, source: Provenance, now: Tick) -> u32 {
        let claim = &lesson.claim;
        // A disproved claim is believed the other way round, with an expectation of 0: it says what isn't so, and not what is.
        let wrong = lesson.kind == EntryKind::AntiKnowledge;
        let gains = claim.expected_r > 0.0 && !wrong;
        let expected_r = if wrong { 0.0 } else { claim.expected_r };
        let predicate = if gains { Predicate::Profitable } else { Predicate::Unprofitable };
        let scope = scope_of(claim);
        let known = self.mind.beliefs_mut().iter_mut().find(|belief| {
            belief.source == BeliefSource::Seeded && belief.scope == scope && belief.predicate == predicate
        });
        if let Some(belief) = known {
            belief.belief.alpha += confidence;
            belief.total_r += expected_r;
            belief.outcomes += 1;
            return belief.id;
        }
        let conditions = Trigger::default().and_is("strategy", claim.strategy.name());
        let belief = Beta { alpha: DOUBT + confidence, beta: DOUBT };
        let now_s = self.seconds(now);
        let memory = SemanticMemory::new(
            claim.to_string(),
            predicate,
            belief,
            scope,
            conditions,
            BeliefSource::Seeded,
            now_s,
        );
        let mut memory = memory.expect("it has a condition, and its numbers are above 0");
        (memory.total_r, memory.outcomes) = (expected_r, 1);
        let belief = self.mind.believe(memory);
        let origin: GolemId = lesson.origin;
        self.adopted.push(Adopted { belief, origin, provenance: source });
        let restated = self.mind.beliefs().iter().any(|known| known.id != belief && known.scope == scope);
        self.account.store(VoiceSource::Insight(RuleId { golem: self.golem, number: belief }), restated);
        belief
    }
}

/// The domain of a claim. Claims of other architectures may name a band of volatility, which is read as one regime of it
/// ([`mapping::volatility_of_band`]), and depth, gas, assets or shocks, which this memory doesn't have.
fn scope_of(claim: &Claim) -> Scope {
    Scope {
        strategy: Some(claim.strategy.index() as u16),
        symbol: None,
        regime: claim.pattern.regime.map(mapping::regime),
        volatility_regime: claim.pattern.volatility.map(mapping::volatility_of_band),
        session: claim.pattern.session.map(mapping::session),
    }
}
