//! Exchange of lessons between living siblings (social learning): what this memory offers, and how it takes in what others offer.
//!
//! Confidence runs from 0 to 1; a lesson begins at the giver's times `clade.trust` (.8), at most `clade.trust_ceiling` (.4). It is a claim
//! under test and no rule before it has passed, so that a rumour can't spread through a clade unchecked. A lesson on a subject that has an
//! entry already isn't staged. It happens where golems live in clades (`clade.enabled`, off by default); the golem picks among the lessons
//! offered here by its sharing threshold and pays for them. Of a dying golem's lessons the surest gives its pheromone of wisdom its
//! intensity.

use super::Bardo;
use crate::dream::{BeliefEntry, integration};
use crate::episode::{Claim, Lesson, Provenance, Reinforcement};
use crate::memory::contract::{CladeTrust, ReceivedLessons, Teaches};
use crate::memory::legacy::InheritOutcome;
use morta_base::{GolemId, Tick};

impl Teaches for Bardo {
    /// Lessons for siblings: rules that have been in force for a while, and waking insights. Lessons from the clade stay out,
    /// because siblings have them already, and would count them as independent.
    fn lessons(&self, now: Tick, heuristic_age: Tick) -> Vec<Lesson> {
        let from_clade = |provenance| matches!(provenance, Provenance::Clade(_));
        let settled = |since: Tick| now.saturating_sub(since) >= heuristic_age;
        let rules = self.beliefs.rules().iter().filter(|rule| !from_clade(rule.provenance));
        let rules = rules.filter(|rule| rule.in_force_since().is_some_and(settled)).map(BeliefEntry::lesson);
        let insights = self.beliefs.insights().iter().filter(|insight| !from_clade(insight.provenance));
        let insights = insights.map(BeliefEntry::lesson);
        let mut lessons: Vec<Lesson> = rules.collect();
        for insight in insights {
            if !lessons.iter().any(|known| known.claim.same_subject(&insight.claim)) {
                lessons.push(insight);
            }
        }
        lessons
    }

    /// Stages siblings' lessons, unless there is an own entry on the subject. Foreign rules never enter the playbook directly
    /// (digest section 3). Returns for each lesson whether it was staged, and the new claims under test.
    fn receive_lessons(
        &mut self,
        lessons: Vec<(GolemId, Lesson)>,
        trust: CladeTrust,
        now: Tick,
    ) -> ReceivedLessons {
        let mut received = InheritOutcome::default();
        let mut tested = Vec::with_capacity(lessons.len());
        for (giver, lesson) in lessons {
            let before = received.staged.len();
            let confidence = (trust.factor * lesson.confidence).min(trust.ceiling);
            let source = Provenance::Clade(giver);
            let inheritance = self.inherit_lesson(lesson, confidence, source, now, &mut received);
            tested.push(received.staged.len() > before);
            if received.staged.len() > before {
                self.later.inheritance.push(inheritance);
            }
        }
        ReceivedLessons { tested, received }
    }

    /// A sibling confirmed a claim: entries with it gain strength (+.75, the replay spec's "clade retrieval (external
    /// validation)").
    fn note_confirmed_lesson(&mut self, claim: &Claim, now: Tick) {
        for insight in self.beliefs.insights_mut().filter(|insight| insight.claim.same_subject(claim)) {
            insight.standing.reinforce(Reinforcement::Clade, now);
        }
        let rule = self.beliefs.rule_on(claim).map(|rule| rule.id);
        if let Some(id) = rule {
            integration::note(&mut self.beliefs, id, |standing| {
                standing.reinforce(Reinforcement::Clade, now)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::episode;
    use crate::common::memory::observe;
    use crate::dream::Belief;
    use crate::dream::config::ConsolidationConfig;
    use crate::episode::ContextPattern;
    use crate::episode::EntryKind;
    use crate::market::Strategy;
    use crate::memory::{BardoConfig, MemoryArchitecture, MemoryEvent};
    use morta_base::RuleId;

    const TRUST: CladeTrust = CladeTrust { factor: 0.8, ceiling: 0.4 };

    fn bardo(lineage: u32) -> Bardo {
        Bardo::new(GolemId::founder(lineage), BardoConfig::default(), ConsolidationConfig::default(), 2)
    }

    fn with_insight(lineage: u32, expected_r: f64, confidence: f64) -> Bardo {
        let mut bardo = bardo(lineage);
        let claim = Claim::of_worth(Strategy::MeanReversion, ContextPattern::default(), expected_r);
        let kind = EntryKind::for_claim(&claim, EntryKind::Insight);
        let id = RuleId { golem: bardo.golem, number: 0 };
        bardo.beliefs.add_candidate(Belief::new(id, claim, confidence, 0), kind);
        bardo.beliefs.set_active(id, true);
        bardo
    }

    /// .8 of the giver's confidence, at most .4: .8·.45 = .36, .8·.9 = .4.
    #[test]
    fn a_siblings_lesson_is_staged() {
        for (given, taken) in [(0.45, 0.36), (0.9, 0.4)] {
            let giver = with_insight(1, 0.5, given);
            let lesson = giver.lessons(100, 10).remove(0);
            assert_eq!(lesson.kind, EntryKind::Insight);
            let mut receiver = bardo(2);
            let hear = |receiver: &mut Bardo, now| {
                receiver.receive_lessons(vec![(giver.golem, lesson.clone())], TRUST, now).tested
            };
            assert_eq!(hear(&mut receiver, 100), [true]);
            let staged = &receiver.beliefs().under_test()[0];
            assert!((staged.confidence - taken).abs() < 1e-12);
            assert_eq!(staged.provenance, Provenance::Clade(giver.golem));
            assert_eq!(staged.origin, giver.golem);
            assert!(receiver.beliefs().rules().is_empty(), "never straight into the playbook");
            assert_eq!(hear(&mut receiver, 101), [false], "once is enough");
        }
    }

    fn borne_out(bardo: &mut Bardo) -> Vec<(GolemId, Claim)> {
        let of = |event| match event {
            MemoryEvent::BorneOut { giver, claim } => Some((giver, claim)),
            _ => None,
        };
        bardo.drain_events().into_iter().filter_map(of).collect()
    }

    #[test]
    fn a_claim_of_loss_is_a_warning() {
        assert_eq!(with_insight(1, -0.5, 0.5).lessons(0, 10)[0].kind, EntryKind::Warning);
    }

    /// From .4 three gains confirm it (.7); then the giver is informed, and its insight gains .75.
    #[test]
    fn a_confirmed_lesson_is_reported_to_its_giver() {
        let mut giver = with_insight(1, 0.5, 0.9);
        let mut receiver = bardo(2);
        let lesson = giver.lessons(100, 10).remove(0);
        receiver.receive_lessons(vec![(giver.golem, lesson)], TRUST, 100);
        for number in 0..3 {
            assert_eq!(borne_out(&mut receiver), []);
            let mut trade = episode(number, 101);
            (trade.strategy, trade.realised_r) = (Strategy::MeanReversion, 1.0);
            observe(&mut receiver, &trade, &[], 101);
        }
        let borne_out = borne_out(&mut receiver);
        assert_eq!(borne_out.len(), 1);
        assert_eq!(borne_out[0].0, giver.golem);
        giver.note_confirmed_lesson(&borne_out[0].1, 102);
        assert_eq!(giver.beliefs().insights()[0].standing.strength, 1.75);
    }
}
