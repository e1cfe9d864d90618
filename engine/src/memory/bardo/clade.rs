//! What passes between living siblings.

use super::Bardo;
use crate::dream::{Entry, integration};
use crate::episode::{Claim, Lesson, Provenance, Reinforcement};
use crate::memory::contract::{CladeTrust, HeardLessons, Teaches};
use crate::memory::legacy::Received;
use morta_base::{GolemId, Tick};

impl Teaches for Bardo {
    /// What it could tell its siblings: rules that have been in force for a while, and waking insights. What it has from the clade
    /// stays out, for they have it already.
    fn lessons(&self, now: Tick, heuristic_age: Tick) -> Vec<Lesson> {
        let from_clade = |provenance| matches!(provenance, Provenance::Clade(_));
        let settled = |since: Tick| now.saturating_sub(since) >= heuristic_age;
        let rules = self.beliefs.rules().iter().filter(|rule| !from_clade(rule.provenance));
        let rules = rules.filter(|rule| rule.in_force_since().is_some_and(settled)).map(Entry::lesson);
        let insights = self.beliefs.insights().iter().filter(|insight| !from_clade(insight.provenance));
        let insights = insights.map(Entry::lesson);
        let mut lessons: Vec<Lesson> = rules.collect();
        for insight in insights {
            if !lessons.iter().any(|known| known.claim.same_subject(&insight.claim)) {
                lessons.push(insight);
            }
        }
        lessons
    }

    /// Puts what siblings told to the test, unless it has an opinion of its own on the subject. Foreign rules never enter the
    /// playbook directly. Says of each lesson whether it did, and what is under test from now on.
    fn hear_lessons(&mut self, told: Vec<(GolemId, Lesson)>, trust: CladeTrust, now: Tick) -> HeardLessons {
        let mut received = Received::default();
        let mut tested = Vec::with_capacity(told.len());
        for (giver, lesson) in told {
            let before = received.staged.len();
            let confidence = (trust.factor * lesson.confidence).min(trust.ceiling);
            let source = Provenance::Clade(giver);
            let inheritance = self.inherit_lesson(lesson, confidence, source, now, &mut received);
            tested.push(received.staged.len() > before);
            if received.staged.len() > before {
                self.later.inheritance.push(inheritance);
            }
        }
        HeardLessons { tested, received }
    }

    /// A sibling has found that this is so: what it rests on is remembered better (+.75; digest section 2, S0).
    fn hear_borne_out(&mut self, claim: &Claim, now: Tick) {
        let mut insights = self.beliefs.insights_mut();
        for insight in insights.iter_mut().filter(|insight| insight.claim.same_subject(claim)) {
            insight.standing.reinforce(Reinforcement::Clade, now);
        }
        let rule = self.beliefs.rule_on(claim).map(|rule| rule.id);
        rule.into_iter().for_each(|id| integration::note_clade(&mut self.beliefs, id, now));
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

    /// .8 of the giver's trust, at most .4: .8·.45 = .36, .8·.9 = .4.
    #[test]
    fn what_a_sibling_tells_is_put_to_the_test() {
        for (given, taken) in [(0.45, 0.36), (0.9, 0.4)] {
            let giver = with_insight(1, 0.5, given);
            let lesson = giver.lessons(100, 10).remove(0);
            assert_eq!(lesson.kind, EntryKind::Insight);
            let mut receiver = bardo(2);
            let hear = |receiver: &mut Bardo, now| {
                receiver.hear_lessons(vec![(giver.golem, lesson.clone())], TRUST, now).tested
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
    fn what_is_to_be_left_alone_is_a_warning() {
        assert_eq!(with_insight(1, -0.5, 0.5).lessons(0, 10)[0].kind, EntryKind::Warning);
    }

    /// From .4 three gains confirm it (.7); then the giver hears of it, and its insight gains .75.
    #[test]
    fn what_is_borne_out_is_told_to_the_giver() {
        let mut giver = with_insight(1, 0.5, 0.9);
        let mut receiver = bardo(2);
        let lesson = giver.lessons(100, 10).remove(0);
        receiver.hear_lessons(vec![(giver.golem, lesson)], TRUST, 100);
        for number in 0..3 {
            assert_eq!(borne_out(&mut receiver), []);
            let mut trade = episode(number, 101);
            (trade.strategy, trade.realised_r) = (Strategy::MeanReversion, 1.0);
            observe(&mut receiver, &trade, &[], 101);
        }
        let borne_out = borne_out(&mut receiver);
        assert_eq!(borne_out.len(), 1);
        assert_eq!(borne_out[0].0, giver.golem);
        giver.hear_borne_out(&borne_out[0].1, 102);
        assert_eq!(giver.beliefs().insights()[0].standing.strength, 1.75);
    }
}
