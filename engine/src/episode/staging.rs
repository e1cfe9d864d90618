//! The staging buffer: what a dream concluded waits here until waking experience has confirmed it.

use crate::base::{DreamId, EpisodeId, GolemId, RuleId, Tick};
use crate::episode::{Claim, Context, EntryKind, EntryNature, Provenance, Standing};
use crate::keys;
use crate::market::Strategy;
use serde::{Deserialize, Serialize};

keys! {
    /// The staging constants (spec rulings 7 and 10).
    pub struct StagingConfig {
        /// Confidence gained by a confirming episode.
        confirm_step: f64 = 0.10, in 1e-6..=1.0, "confidence";
        /// Confidence lost by a contradicting episode.
        contradict_step: f64 = 0.05, in 0.0..=1.0, "share";
        /// Confidence at which a claim is promoted.
        promote_at: f64 = 0.70, in 1e-6..=1.0, "confidence";
        /// Confidence below which a claim is refuted.
        refute_below: f64 = 0.10, in 0.0..=1.0, "share";
        /// Ticks after which a claim that is neither promoted nor refuted expires.
        expiry_ticks: u64 = 5_000, in 1..=1_000_000_000_000, "ticks";
        /// Result in R a trade must reach to confirm a claim of gain (and stay under to confirm a claim of loss).
        confirm_margin_r: f64 = 0.25, in -100.0..=100.0, "R";
    }
}

/// What kind of conclusion a claim is; by it the admission gate knows how far such conclusions are to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// Read from replayed experience.
    Insight,
    /// A counterfactual or imagined strategy.
    Hypothesis,
    /// A hypothesis that turns a basic assumption around.
    Transformation,
    /// A fragment from the edge of sleep.
    Fragment,
    /// A guard against a rehearsed threat.
    Guard,
    /// A lesson drawn from a bloodstain.
    Lesson,
}

/// A claim under test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StagedClaim {
    /// Its identity, kept when it becomes a rule.
    pub id: RuleId,
    /// What it says.
    pub claim: Claim,
    /// Trust in it so far, 0 to 1.
    pub confidence: f64,
    /// When it was staged.
    pub staged: Tick,
    /// Waking episodes that bore it out.
    pub confirmed: u32,
    /// Waking episodes that spoke against it.
    pub contradicted: u32,
    /// Sum of the outcomes of both, in R.
    pub total_r: f64,
    /// When an outcome last spoke to it; when it was staged, if none has.
    pub last_tested: Tick,
    /// What kind of conclusion it is.
    pub kind: FindingKind,
    /// The dream it comes from; none for what was inherited.
    pub dream: Option<DreamId>,
    /// Whether a predecessor died while testing it.
    pub unfinished: bool,
    /// Who first learned it.
    pub origin: GolemId,
    /// Where it comes from.
    pub provenance: Provenance,
    /// How it stands.
    pub standing: Standing,
    /// The episodes it was learned from.
    pub learned_from: Vec<EpisodeId>,
}

/// What an unfinished thought of a predecessor counts for against others (the Zeigarnik effect; our own value).
const ZEIGARNIK: f64 = 1.5;

impl StagedClaim {
    /// How much room it deserves: confident claims of a large effect stay when the buffer is full, and what a predecessor
    /// could not finish testing stays before others.
    pub fn utility(&self) -> f64 {
        let weight = if self.unfinished { ZEIGARNIK } else { 1.0 };
        weight * self.confidence * self.claim.expected_r.abs()
    }

    /// How it ages: a warning if it says to stay away, a fragment if it came at the edge of sleep, else a question.
    pub const fn nature(&self) -> EntryNature {
        let kind = match self.kind {
            _ if self.claim.expected_r <= 0.0 => EntryKind::Warning,
            FindingKind::Fragment => EntryKind::StrategyFragment,
            _ => EntryKind::Question,
        };
        EntryNature::of(kind, &self.claim, self.provenance, (self.confirmed, self.contradicted))
    }

    /// Whether a dream drew it and few outcomes have borne it out so far: one to three, at a confidence of .3 to .5 (digest
    /// section 5, "ladder").
    pub fn is_partially_validated(&self) -> bool {
        self.dream.is_some()
            && (1..=3).contains(&self.confirmed)
            && (0.3 - CONFIDENCE_EPSILON..=0.5 + CONFIDENCE_EPSILON).contains(&self.confidence)
    }

    /// Mean outcome of the episodes that tested it, in R; `None` before any has.
    pub fn live_mean_r(&self) -> Option<f64> {
        let tests = self.confirmed + self.contradicted;
        (tests > 0).then(|| self.total_r / f64::from(tests))
    }
}

/// How a claim left the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StagingVerdict {
    /// Confirmed often enough; ready for the playbook.
    Promoted,
    /// Contradicted too often.
    Refuted,
    /// Neither within its time.
    Expired,
    /// A stronger claim needed the room.
    Displaced,
}

/// What became of a claim that asked to be tested.
#[derive(Clone, Debug, PartialEq)]
pub enum Staging {
    /// It is under test.
    Added,
    /// It is under test, and this weaker one had to leave.
    Displaced(Box<StagedClaim>),
    /// One on its subject is under test already.
    Merged,
    /// The buffer is full of stronger ones.
    TurnedAway,
}

/// Claims under test, at most the configured number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StagingBuffer {
    claims: Vec<StagedClaim>,
}

/// Additions of 0.1 and 0.05 don't sum exactly in binary; thresholds are compared to within this.
const CONFIDENCE_EPSILON: f64 = 1e-9;

impl StagingBuffer {
    /// The claims under test, oldest first.
    pub fn claims(&self) -> &[StagedClaim] {
        &self.claims
    }

    /// Adds a claim, unless one on the same subject is already waiting or the buffer is full of stronger ones. Where the
    /// waiting one points the same way, the newer estimate of its size is averaged in; where it points the other way, it
    /// stays as it is, because its tests were of what it said.
    pub fn stage(&mut self, new: StagedClaim, most: u32) -> Staging {
        if let Some(known) = self.claims.iter_mut().find(|known| known.claim.same_subject(&new.claim)) {
            if (known.claim.expected_r > 0.0) == (new.claim.expected_r > 0.0) {
                known.claim.expected_r = 0.5 * (known.claim.expected_r + new.claim.expected_r);
            }
            return Staging::Merged;
        }
        let id = new.id;
        self.claims.push(new);
        if self.claims.len() <= most as usize {
            return Staging::Added;
        }
        let weakest = (0..self.claims.len())
            .min_by(|&a, &b| self.claims[a].utility().total_cmp(&self.claims[b].utility()))
            .expect("the buffer has just been added to");
        let left = self.claims.remove(weakest);
        if left.id == id { Staging::TurnedAway } else { Staging::Displaced(Box::new(left)) }
    }

    /// Holds every waiting claim that speaks of this decision against its outcome, and takes out what is decided:
    /// promoted, refuted or expired.
    pub fn validate(
        &mut self,
        strategy: Strategy,
        context: &Context,
        realised_r: f64,
        tick: Tick,
        config: &StagingConfig,
    ) -> Vec<(StagedClaim, StagingVerdict)> {
        for staged in &mut self.claims {
            if !staged.claim.applies(strategy, context) {
                continue;
            }
            staged.total_r += realised_r;
            staged.last_tested = tick;
            if staged.claim.is_confirmed_by(realised_r, config.confirm_margin_r) {
                staged.confirmed += 1;
                staged.standing.validate(tick);
                staged.confidence = (staged.confidence + config.confirm_step).min(1.0);
            } else {
                staged.contradicted += 1;
                staged.confidence = (staged.confidence - config.contradict_step).max(0.0);
            }
        }
        self.take_decided(tick, config)
    }

    /// The claims under test, to be changed: what is said of them stays as it is.
    pub fn claims_mut(&mut self) -> impl Iterator<Item = &mut StagedClaim> {
        self.claims.iter_mut()
    }

    fn take_decided(&mut self, tick: Tick, config: &StagingConfig) -> Vec<(StagedClaim, StagingVerdict)> {
        let mut decided = Vec::new();
        self.claims.retain(|staged| {
            let trusted = staged.confidence >= config.promote_at - CONFIDENCE_EPSILON;
            // Trust that was inherited has to be earned once at least.
            let verdict = if trusted && staged.confirmed > 0 {
                StagingVerdict::Promoted
            } else if staged.confidence < config.refute_below - CONFIDENCE_EPSILON {
                StagingVerdict::Refuted
            } else if tick.saturating_sub(staged.staged) > config.expiry_ticks {
                StagingVerdict::Expired
            } else {
                return true;
            };
            decided.push((staged.clone(), verdict));
            false
        });
        decided
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::GolemId;
    use crate::episode::ContextPattern;
    use crate::market::{GasClass, LiquidityClass, Regime, Session};

    const CAP: u32 = 10;
    const CONTEXT: Context = Context {
        regime: Regime::RangeBound,
        volatility_quintile: 2,
        liquidity: LiquidityClass::Normal,
        gas: GasClass::Low,
        session: Session::Europe,
    };

    fn staged(number: u32, strategy: Strategy, expected_r: f64) -> StagedClaim {
        StagedClaim {
            id: RuleId { golem: GolemId::founder(0), number },
            claim: Claim { strategy, pattern: ContextPattern::of_regime(Regime::RangeBound), expected_r },
            confidence: 0.2,
            staged: 0,
            confirmed: 0,
            contradicted: 0,
            total_r: 0.0,
            last_tested: 0,
            kind: FindingKind::Hypothesis,
            dream: None,
            unfinished: false,
            origin: GolemId::founder(0),
            provenance: Provenance::Own,
            standing: Standing::new(0),
            learned_from: Vec::new(),
        }
    }

    fn outcome(buffer: &mut StagingBuffer, r: f64, tick: Tick) -> Vec<StagingVerdict> {
        let verdicts = buffer.validate(Strategy::MeanReversion, &CONTEXT, r, tick, &StagingConfig::default());
        verdicts.into_iter().map(|(_, verdict)| verdict).collect()
    }

    /// Spec: from 0.2 to 0.7 takes exactly five confirmations without contradiction.
    #[test]
    fn five_confirmations_promote() {
        let mut buffer = StagingBuffer::default();
        buffer.stage(staged(0, Strategy::MeanReversion, 0.5), CAP);
        for tick in 1..5 {
            assert_eq!(outcome(&mut buffer, 1.0, tick), []);
        }
        assert_eq!(outcome(&mut buffer, 1.0, 5), [StagingVerdict::Promoted]);
    }

    /// From 0.2, three contradictions of 0.05 fall below 0.1.
    #[test]
    fn three_contradictions_refute() {
        let mut buffer = StagingBuffer::default();
        buffer.stage(staged(0, Strategy::MeanReversion, 0.5), CAP);
        assert_eq!(outcome(&mut buffer, -1.0, 1), []);
        assert_eq!(outcome(&mut buffer, -1.0, 2), []);
        assert_eq!(outcome(&mut buffer, -1.0, 3), [StagingVerdict::Refuted]);
    }

    #[test]
    fn waiting_too_long_expires() {
        let mut buffer = StagingBuffer::default();
        buffer.stage(staged(0, Strategy::Breakout, 0.5), CAP);
        assert_eq!(outcome(&mut buffer, 1.0, 5_000), []);
        assert_eq!(outcome(&mut buffer, 1.0, 5_001), [StagingVerdict::Expired]);
    }

    #[test]
    fn a_full_buffer_keeps_the_stronger() {
        let mut buffer = StagingBuffer::default();
        assert_eq!(buffer.stage(staged(0, Strategy::Breakout, 0.5), 1), Staging::Added);
        assert_eq!(buffer.stage(staged(1, Strategy::Momentum, 0.1), 1), Staging::TurnedAway);
        let Staging::Displaced(left) = buffer.stage(staged(2, Strategy::Momentum, -0.9), 1) else {
            panic!("the stronger claim gets in")
        };
        assert_eq!(left.id.number, 0);
        assert_eq!(buffer.claims().len(), 1);
    }

    /// A claim that has been confirmed must not turn into its opposite and keep the trust.
    #[test]
    fn a_contrary_finding_does_not_turn_a_claim_around() {
        let mut buffer = StagingBuffer::default();
        buffer.stage(staged(0, Strategy::Breakout, 0.1), CAP);
        assert_eq!(buffer.stage(staged(1, Strategy::Breakout, -0.9), CAP), Staging::Merged);
        assert_eq!(buffer.claims()[0].claim.expected_r, 0.1);
    }

    proptest::proptest! {
        /// Whatever is staged and whatever happens: never more than the cap, and no promotion from .2 without at least five
        /// confirmations more than half the contradictions make up for.
        #[test]
        fn the_cap_holds_and_promotion_takes_five(
            steps in proptest::collection::vec((0_usize..6, -1.0_f64..1.0), 1..200),
            cap in 1_u32..6,
        ) {
            let (mut buffer, config) = (StagingBuffer::default(), StagingConfig::default());
            for (tick, (strategy, r)) in steps.into_iter().enumerate() {
                let strategy = Strategy::ALL[strategy];
                buffer.stage(staged(tick as u32, strategy, r), cap);
                proptest::prop_assert!(buffer.claims().len() <= cap as usize);
                for (decided, verdict) in buffer.validate(strategy, &CONTEXT, r, tick as Tick, &config) {
                    if verdict == StagingVerdict::Promoted {
                        let net = f64::from(decided.confirmed) - 0.5 * f64::from(decided.contradicted);
                        proptest::prop_assert!(decided.confirmed >= 5 && net >= 5.0 - 1e-9, "{decided:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_same_subject_is_staged_once() {
        let mut buffer = StagingBuffer::default();
        buffer.stage(staged(0, Strategy::Breakout, 0.5), CAP);
        buffer.stage(staged(1, Strategy::Breakout, 0.1), CAP);
        assert_eq!(buffer.claims().len(), 1);
        assert!((buffer.claims()[0].claim.expected_r - 0.3).abs() < 1e-12);
    }
}
