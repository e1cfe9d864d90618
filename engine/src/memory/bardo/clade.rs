//! What passes between living siblings.

use super::Bardo;
use super::inherit::kind_of;
use crate::base::{GolemId, RuleId, Tick};
use crate::episode::{Claim, EntryKind, FindingKind, Lesson, Provenance, StagedClaim};
use crate::memory::contract::CladeTrust;

/// What a lesson gains in strength when a sibling has borne it out (digest section 2, S0).
const CLADE_CONFIRMATION: f64 = 0.75;

impl Bardo {
    /// What it could tell its siblings: rules that have been in force for a while, and waking insights. What it has from the clade
    /// stays out, for they have it already.
    pub(in crate::memory) fn lessons(&self, now: Tick, heuristic_age: Tick) -> Vec<Lesson> {
        let from_clade = |provenance| matches!(provenance, Provenance::Clade(_));
        let settled = |promoted: Tick| now.saturating_sub(promoted) >= heuristic_age;
        let rules = self.playbook.rules().iter().filter(|rule| !from_clade(rule.provenance));
        let rules = rules.filter(|rule| settled(rule.promoted)).map(|rule| Lesson {
            kind: kind_of(&rule.claim, EntryKind::Heuristic),
            claim: rule.claim,
            confidence: rule.confidence,
            confirmed: rule.confirmed,
            contradicted: rule.contradicted,
            origin: rule.origin,
            unfinished: false,
            finding: rule.kind,
            learned_from: rule.learned_from.clone(),
        });
        let insights = self.insights.iter().map(|insight| Lesson {
            kind: kind_of(&insight.claim, EntryKind::Insight),
            claim: insight.claim,
            confidence: insight.confidence,
            confirmed: insight.learned_from.len() as u32,
            contradicted: 0,
            origin: self.golem,
            unfinished: false,
            finding: FindingKind::Insight,
            learned_from: insight.learned_from.clone(),
        });
        let mut lessons: Vec<Lesson> = rules.collect();
        for insight in insights {
            if !lessons.iter().any(|known| known.claim.same_subject(&insight.claim)) {
                lessons.push(insight);
            }
        }
        lessons
    }

    /// Puts what a sibling told to the test, unless it has an opinion of its own on the subject. Foreign rules never enter the
    /// playbook directly. Says whether it did.
    pub(in crate::memory) fn hear_lesson(
        &mut self,
        giver: GolemId,
        lesson: Lesson,
        trust: CladeTrust,
        now: Tick,
    ) -> bool {
        let known = self.playbook.rules().iter().map(|rule| &rule.claim);
        let tested = self.staging.claims().iter().chain(&self.validated).map(|staged| &staged.claim);
        if known.chain(tested).any(|claim| claim.same_subject(&lesson.claim)) {
            return false;
        }
        let staged = StagedClaim {
            id: RuleId { golem: self.golem, number: self.next_rule },
            claim: lesson.claim,
            confidence: (trust.factor * lesson.confidence).min(trust.ceiling),
            staged: now,
            confirmed: 0,
            contradicted: 0,
            total_r: 0.0,
            last_tested: now,
            kind: FindingKind::Lesson,
            dream: None,
            unfinished: false,
            origin: lesson.origin,
            provenance: Provenance::Clade(giver),
            learned_from: lesson.learned_from,
        };
        self.next_rule += 1;
        let id = staged.id;
        self.staging.stage(staged, self.consolidation.max_staged_revisions);
        self.staging.claims().iter().any(|claim| claim.id == id)
    }

    /// What siblings told it and life has borne out since the last call, with who told it.
    pub(in crate::memory) fn take_borne_out(&mut self) -> Vec<(GolemId, Claim)> {
        std::mem::take(&mut self.borne_out)
    }

    /// A sibling has found that this is so: what it rests on is remembered better.
    pub(in crate::memory) fn hear_borne_out(&mut self, claim: &Claim) {
        for insight in self.insights.iter_mut().filter(|insight| insight.claim.same_subject(claim)) {
            insight.strength += CLADE_CONFIRMATION;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curator::Insight;
    use crate::dream::config::ConsolidationConfig;
    use crate::episode::ContextPattern;
    use crate::episode::grimoire::tests::episode;
    use crate::market::Strategy;
    use crate::memory::BardoConfig;

    const TRUST: CladeTrust = CladeTrust { factor: 0.8, ceiling: 0.4 };

    fn bardo(lineage: u32) -> Bardo {
        Bardo::new(GolemId::founder(lineage), BardoConfig::default(), ConsolidationConfig::default(), 2)
    }

    fn with_insight(lineage: u32, expected_r: f64, confidence: f64) -> Bardo {
        let mut bardo = bardo(lineage);
        let claim =
            Claim { strategy: Strategy::MeanReversion, pattern: ContextPattern::default(), expected_r };
        bardo.insights.push(Insight {
            claim,
            confidence,
            learned_from: vec![],
            strength: 1.0,
            retrievals: 0,
        });
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
            assert!(receiver.hear_lesson(giver.golem, lesson.clone(), TRUST, 100));
            let staged = &receiver.staging().claims()[0];
            assert!((staged.confidence - taken).abs() < 1e-12);
            assert_eq!(staged.provenance, Provenance::Clade(giver.golem));
            assert_eq!(staged.origin, giver.golem);
            assert!(receiver.playbook().rules().is_empty(), "never straight into the playbook");
            assert!(!receiver.hear_lesson(giver.golem, lesson, TRUST, 101), "once is enough");
        }
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
        receiver.hear_lesson(giver.golem, lesson, TRUST, 100);
        for number in 0..3 {
            assert_eq!(receiver.take_borne_out(), []);
            let mut trade = episode(number, 101);
            (trade.strategy, trade.realised_r) = (Strategy::MeanReversion, 1.0);
            receiver.observe(&trade, &[], 101);
        }
        let borne_out = receiver.take_borne_out();
        assert_eq!(borne_out.len(), 1);
        assert_eq!(borne_out[0].0, giver.golem);
        giver.hear_borne_out(&borne_out[0].1);
        assert_eq!(giver.insights()[0].strength, 1.75);
    }
}
