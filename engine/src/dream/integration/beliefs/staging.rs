//! The staging buffer: conclusions wait here until waking outcomes have confirmed or refuted them (dream architecture, phase 3).
//!
//! With fixed steps: +0.1 for a confirming outcome, −0.05 for a contradicting one, admitted at 0.7, refuted below 0.1, expired after 5,000
//! ticks (ruling 7). With the sequential test (`dream.consolidation.staging.promotion`; steps are the default): confidence moves by the
//! likelihood ratio of the outcome under the claimed R and under none. Confidence runs from 0 to 1, outcomes are in R. It is a bounded
//! queue of hypotheses under out-of-sample validation, with eviction of the weakest: ten places for each kind of claim and source. The
//! memory tests it with every closed trade; a claim that passes still awaits the admission gate of the next dream. A claim about staying in
//! is tested by the course of the position, at each state met for the first time, and not by the trade; abstentions test nothing.

use super::archive::TradeOutcome;
use super::entry::{Belief, BeliefEntry, CONFIDENCE_EPSILON};
use super::status::{BeliefStage, Status};
use super::store::Beliefs;
use crate::episode::{Hearing, SequentialTest, StagingConfig, StagingVerdict};
use morta_base::{RuleId, Tick};

/// The fate of a claim that was to be staged.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::dream::integration) enum Staging {
    /// It is under test.
    Added,
    /// It is under test, and this weaker one was displaced.
    Displaced(Box<BeliefEntry>),
    /// This one on its subject is under test already.
    Merged(RuleId),
    /// The buffer is full of stronger ones.
    TurnedAway,
}

impl Beliefs {
    /// Adds a claim, unless one on the same subject is already under test, or `most` of its kind and source are that are
    /// stronger. If the one under test points the same way, the newer estimate of its size is averaged in. If it points the other
    /// way, it stays as it is, because its tests were of its own claim.
    pub(in crate::dream::integration) fn stage(&mut self, new: BeliefEntry, most: u32) -> Staging {
        assert_eq!(new.status.stage(), BeliefStage::UnderTest, "what is staged is tested");
        let mut waiting = self.entries_mut(BeliefStage::UnderTest).iter_mut().map(|entry| &mut entry.belief);
        if let Some(known) = waiting.find(|known| known.claim.same_subject(&new.claim)) {
            if known.claim.restates(&new.claim) {
                known.claim.expected_r = 0.5 * (known.claim.expected_r + new.claim.expected_r);
            }
            return Staging::Merged(known.id);
        }
        if most == 0 {
            return Staging::TurnedAway;
        }
        let (id, kind, source) = (new.id, new.claim.kind(), new.source());
        self.put(new);
        // Neither kinds nor sources take each other's room: siblings' claims are many, and would displace a dream's.
        let bounds = self.bounds(BeliefStage::UnderTest);
        let alike = bounds.filter(|&place| {
            let known = &self.entries[place];
            known.claim.kind() == kind && known.source() == source
        });
        if alike.clone().count() <= most as usize {
            return Staging::Added;
        }
        let weakest = alike
            .min_by(|&a, &b| self.entries[a].utility().total_cmp(&self.entries[b].utility()))
            .expect("the buffer has just been added to");
        let left = self.entries.remove(weakest);
        if left.id == id { Staging::TurnedAway } else { Staging::Displaced(Box::new(left)) }
    }

    /// Holds every claim under test that applies to this decision against its outcome (online hypothesis testing). Decided claims leave the
    /// buffer and are returned: the refuted and the expired are gone, the promoted await admission, and the dream that drew one is credited
    /// with it.
    pub fn test(
        &mut self,
        outcome: TradeOutcome<'_>,
        tick: Tick,
        config: &StagingConfig,
    ) -> Vec<(BeliefEntry, StagingVerdict)> {
        let test = self.sequential_test(config);
        for BeliefEntry { belief, status } in self.entries_mut(BeliefStage::UnderTest) {
            let Status::UnderTest(trial) = status else { continue };
            if !belief.claim.applies(outcome.strategy, outcome.context) {
                continue;
            }
            let verdict = config.hearing(&belief.claim, outcome.realised_r);
            trial.total_r += verdict.came_to_r;
            trial.last_tested = tick;
            if verdict.confirms {
                belief.evidence.confirmed += 1;
                belief.standing.validate(tick);
            } else {
                belief.evidence.contradicted += 1;
            }
            belief.confidence = moved(belief, verdict, test.as_ref(), config);
        }
        let mut decided = self.take_decided(tick, test.as_ref(), config);
        for (entry, _) in decided.iter_mut().filter(|(_, verdict)| *verdict == StagingVerdict::Promoted) {
            entry.belief.standing.dream_validated |= entry.dream.is_some();
            self.await_admission(entry.clone());
        }
        decided
    }

    /// Keeps a claim for the admission gate, after its test or where none is required.
    pub(in crate::dream::integration) fn await_admission(&mut self, claim: BeliefEntry) {
        let Status::UnderTest(trial) = claim.status else { panic!("{} was not under test", claim.id) };
        self.put(BeliefEntry { status: Status::AwaitsAdmission(trial), ..claim });
    }

    fn take_decided(
        &mut self,
        tick: Tick,
        test: Option<&SequentialTest>,
        config: &StagingConfig,
    ) -> Vec<(BeliefEntry, StagingVerdict)> {
        let decided =
            self.extract(BeliefStage::UnderTest, |claim| verdict(claim, tick, test, config).is_some());
        let with_verdicts = decided.into_iter().filter_map(|claim| {
            let verdict = verdict(&claim, tick, test, config)?;
            Some((claim, verdict))
        });
        with_verdicts.collect()
    }
}

/// Confidence in a claim after an outcome: moved by a step, or by the likelihood ratio of the outcome under the claim.
fn moved(belief: &Belief, verdict: Hearing, test: Option<&SequentialTest>, config: &StagingConfig) -> f64 {
    let (claim, confidence) = (&belief.claim, belief.confidence);
    match test {
        Some(test) => test.moved(confidence, test.evidence(claim.expected_r, verdict.came_to_r, 1)),
        None => config.stepped(claim, confidence, verdict),
    }
}

/// The decision on a claim by now; `None` while it goes on being tested.
fn verdict(
    claim: &BeliefEntry,
    tick: Tick,
    test: Option<&SequentialTest>,
    config: &StagingConfig,
) -> Option<StagingVerdict> {
    let (trusted, distrusted) = match test {
        // Inherited confidence may lie beyond a bound before any outcome: at least one must have been observed.
        Some(test) if claim.evidence.tests() > 0 => {
            (test.promotes(claim.confidence), test.refutes(claim.confidence))
        }
        Some(_) => (false, false),
        None => (
            claim.confidence >= config.promote_at - CONFIDENCE_EPSILON,
            claim.confidence < config.refute_below - CONFIDENCE_EPSILON,
        ),
    };
    // Inherited trust has to be earned once at least (the IKEA effect of digest section 14).
    if trusted && claim.evidence.confirmed > 0 {
        Some(StagingVerdict::Promoted)
    } else if distrusted {
        Some(StagingVerdict::Refuted)
    } else {
        let waited = tick.saturating_sub(claim.standing.written);
        (waited > config.expiry_ticks).then_some(StagingVerdict::Expired)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dream::integration::beliefs::Trial;
    use crate::episode::{Claim, Context, ContextPattern, Promotion};
    use crate::market::{GasClass, Regime, Session, Strategy};
    use morta_base::GolemId;

    const CAP: u32 = 10;
    const CONTEXT: Context = Context {
        volatility_quintile: 2,
        gas: GasClass::Low,
        session: Session::Europe,
        ..Context::neutral(Regime::RangeBound)
    };

    fn staged(number: u32, strategy: Strategy, expected_r: f64) -> BeliefEntry {
        let claim = Claim::of_worth(strategy, ContextPattern::from_regime(Regime::RangeBound), expected_r);
        let id = RuleId { golem: GolemId::founder(0), number };
        BeliefEntry {
            belief: Belief::new(id, claim, 0.2, 0),
            status: Status::UnderTest(Trial::new(false, 0)),
        }
    }

    fn trade(strategy: Strategy, realised_r: f64) -> TradeOutcome<'static> {
        TradeOutcome { strategy, context: &CONTEXT, realised_r }
    }

    fn outcome(beliefs: &mut Beliefs, r: f64, tick: Tick) -> Vec<StagingVerdict> {
        let decided = beliefs.test(trade(Strategy::MeanReversion, r), tick, &StagingConfig::default());
        decided.into_iter().map(|(_, verdict)| verdict).collect()
    }

    /// Six ordinary trades contradict a guard, by .15 R each where little is at risk; one ruin, in which half the stake would
    /// have saved twelve R, confirms it at once.
    #[test]
    fn one_ruin_bears_a_guard_out() {
        let config = StagingConfig { usual_risk: 0.04, ..StagingConfig::default() };
        let mut guard = staged(0, Strategy::MeanReversion, -2.0);
        guard.belief.claim = guard.belief.claim.as_guard(config.usual_risk);
        guard.belief.confidence = 0.3;
        let mut beliefs = Beliefs::default();
        beliefs.stage(guard, CAP);
        for tick in 0..6 {
            assert_eq!(beliefs.test(trade(Strategy::MeanReversion, 0.3), tick, &config), []);
        }
        let left = beliefs.under_test()[0].confidence;
        assert!((0.2..0.22).contains(&left), "{left}");
        let decided = beliefs.test(trade(Strategy::MeanReversion, -14.0), 6, &config);
        assert!(matches!(decided[..], [(_, StagingVerdict::Promoted)]), "{decided:?}");
    }

    /// Claims of siblings, of the dead and of the Curator displace no conclusion of a dream, however strong, nor each other's.
    #[test]
    fn sources_have_rooms_of_their_own() {
        use crate::dream::integration::beliefs::ClaimSource;
        use crate::episode::Provenance;
        use morta_base::DreamId;
        let golem = GolemId::founder(0);
        let of = |number: u32, dream: bool, provenance: Provenance| {
            let mut entry = staged(number, Strategy::ALL[number as usize % 4], 0.1 * f64::from(number + 1));
            entry.belief.claim.pattern.asset = Some(number as u8);
            entry.belief.dream = dream.then_some(DreamId { golem, number: 0 });
            entry.belief.provenance = provenance;
            entry
        };
        let sibling = Provenance::Clade(GolemId::founder(1));
        let dead = Provenance::Predecessor(GolemId::founder(2));
        let mut beliefs = Beliefs::default();
        assert_eq!(beliefs.stage(of(0, true, Provenance::Own), 1), Staging::Added);
        for (number, provenance) in [(1, sibling), (2, dead), (3, Provenance::Own)] {
            assert_eq!(beliefs.stage(of(number, false, provenance), 1), Staging::Added, "{number}");
        }
        assert!(
            matches!(beliefs.stage(of(4, false, sibling), 1), Staging::Displaced(left) if left.id.number == 1)
        );
        assert_eq!(beliefs.stage(of(5, false, dead), 0), Staging::TurnedAway);
        assert!(
            matches!(beliefs.stage(of(6, true, dead), 1), Staging::Displaced(left) if left.id.number == 0)
        );
        let sources: Vec<ClaimSource> = beliefs.under_test().iter().map(|entry| entry.source()).collect();
        assert_eq!(
            sources,
            [ClaimSource::Dead, ClaimSource::Curator, ClaimSource::Siblings, ClaimSource::Dreams]
        );
    }

    /// Spec: from 0.2 to 0.7 takes exactly five confirmations without contradiction.
    #[test]
    fn five_confirmations_promote() {
        let mut beliefs = Beliefs::default();
        beliefs.stage(staged(0, Strategy::MeanReversion, 0.5), CAP);
        for tick in 1..5 {
            assert_eq!(outcome(&mut beliefs, 1.0, tick), []);
        }
        assert_eq!(outcome(&mut beliefs, 1.0, 5), [StagingVerdict::Promoted]);
    }

    /// From 0.2, three contradictions of 0.05 fall below 0.1.
    #[test]
    fn three_contradictions_refute() {
        let mut beliefs = Beliefs::default();
        beliefs.stage(staged(0, Strategy::MeanReversion, 0.5), CAP);
        assert_eq!(outcome(&mut beliefs, -1.0, 1), []);
        assert_eq!(outcome(&mut beliefs, -1.0, 2), []);
        assert_eq!(outcome(&mut beliefs, -1.0, 3), [StagingVerdict::Refuted]);
    }

    #[test]
    fn waiting_too_long_expires() {
        let mut beliefs = Beliefs::default();
        beliefs.stage(staged(0, Strategy::Breakout, 0.5), CAP);
        assert_eq!(outcome(&mut beliefs, 1.0, 5_000), []);
        assert_eq!(outcome(&mut beliefs, 1.0, 5_001), [StagingVerdict::Expired]);
    }

    #[test]
    fn a_full_buffer_keeps_the_stronger() {
        let mut beliefs = Beliefs::default();
        assert_eq!(beliefs.stage(staged(0, Strategy::Breakout, 0.5), 1), Staging::Added);
        assert_eq!(beliefs.stage(staged(1, Strategy::Momentum, 0.1), 1), Staging::TurnedAway);
        let Staging::Displaced(left) = beliefs.stage(staged(2, Strategy::Momentum, -0.9), 1) else {
            panic!("the stronger claim gets in")
        };
        assert_eq!(left.id.number, 0);
        assert_eq!(beliefs.under_test().len(), 1);
    }

    /// A claim that has been confirmed must not turn into its opposite and keep the trust.
    #[test]
    fn a_contrary_finding_does_not_turn_a_claim_around() {
        let mut beliefs = Beliefs::default();
        beliefs.stage(staged(0, Strategy::Breakout, 0.1), CAP);
        assert!(matches!(beliefs.stage(staged(1, Strategy::Breakout, -0.9), CAP), Staging::Merged(_)));
        assert_eq!(beliefs.under_test()[0].claim.expected_r, 0.1);
    }

    proptest::proptest! {
        /// Whatever is staged and whatever happens: never more than the cap, and no promotion from .2 without at least five
        /// confirmations more than half the contradictions make up for.
        #[test]
        fn the_cap_holds_and_promotion_takes_five(
            steps in proptest::collection::vec((0_usize..6, -1.0_f64..1.0), 1..200),
            cap in 1_u32..6,
        ) {
            let (mut beliefs, config) = (Beliefs::default(), StagingConfig::default());
            for (tick, (strategy, r)) in steps.into_iter().enumerate() {
                let strategy = Strategy::ALL[strategy];
                beliefs.stage(staged(tick as u32, strategy, r), cap);
                proptest::prop_assert!(beliefs.under_test().len() <= cap as usize);
                for (decided, verdict) in beliefs.test(trade(strategy, r), tick as Tick, &config) {
                    if verdict == StagingVerdict::Promoted {
                        let net = f64::from(decided.evidence.confirmed) - 0.5 * f64::from(decided.evidence.contradicted);
                        proptest::prop_assert!(decided.evidence.confirmed >= 5 && net >= 5.0 - 1e-9, "{decided:?}");
                    }
                }
            }
        }
    }

    fn by_size() -> StagingConfig {
        StagingConfig { promotion: Promotion::Sequential, ..StagingConfig::default() }
    }

    /// "+2.40 R" where .22 is true: by steps it is promoted for being right about the sign, by size it is refuted.
    #[test]
    fn the_size_of_a_claim_is_tested() {
        let decide = |expected_r: f64, config: &StagingConfig| {
            let mut beliefs = Beliefs::default();
            beliefs.stage(staged(0, Strategy::MeanReversion, expected_r), CAP);
            // Mean .22, more than the margin five times in nine.
            let outcomes = [1.0, -0.9, 0.8, 0.7, -1.0, 0.9, -0.52, 1.0, 0.0];
            (1..4_000_u64).find_map(|tick| {
                let r = outcomes[tick as usize % outcomes.len()];
                beliefs.note_outcome(r);
                let decided = beliefs.test(trade(Strategy::MeanReversion, r), tick, config);
                decided.into_iter().map(|(_, verdict)| verdict).next()
            })
        };
        assert_eq!(decide(2.4, &StagingConfig::default()), Some(StagingVerdict::Promoted));
        assert_eq!(decide(2.4, &by_size()), Some(StagingVerdict::Refuted));
        assert_eq!(decide(0.25, &by_size()), Some(StagingVerdict::Promoted));
    }

    proptest::proptest! {
        /// A claim and its negation, each under test in a life with the same outcomes: by size they never both rise, nor are both promoted.
        #[test]
        fn a_claim_and_its_negation_cannot_both_be_promoted(
            outcomes in proptest::collection::vec(-2.0_f64..2.0, 1..150),
            size in 0.05_f64..2.0,
        ) {
            let config = by_size();
            let mut lives = [size, -size].map(|expected_r| {
                let mut beliefs = Beliefs::default();
                beliefs.stage(staged(0, Strategy::MeanReversion, expected_r), CAP);
                beliefs
            });
            let mut promoted = 0;
            for (tick, r) in outcomes.into_iter().enumerate() {
                let trust = |beliefs: &Beliefs| beliefs.under_test().first().map(|claim| claim.confidence);
                let before = [trust(&lives[0]), trust(&lives[1])];
                for beliefs in &mut lives {
                    beliefs.note_outcome(r);
                    let decided = beliefs.test(trade(Strategy::MeanReversion, r), tick as Tick, &config);
                    promoted += decided.iter().filter(|(_, verdict)| *verdict == StagingVerdict::Promoted).count();
                }
                let rose = |place: usize| trust(&lives[place]) > before[place] && before[place].is_some();
                proptest::prop_assert!(!(rose(0) && rose(1)), "{r}");
            }
            proptest::prop_assert!(promoted < 2);
        }
    }

    #[test]
    fn the_same_subject_is_staged_once() {
        let mut beliefs = Beliefs::default();
        beliefs.stage(staged(0, Strategy::Breakout, 0.5), CAP);
        beliefs.stage(staged(1, Strategy::Breakout, 0.1), CAP);
        assert_eq!(beliefs.under_test().len(), 1);
        assert!((beliefs.under_test()[0].claim.expected_r - 0.3).abs() < 1e-12);
    }
}
