//! The life review of a dying golem (digest section 13, M06). It asks a model one question: which strategies paid, and which cost, in the episodes
//! that the life felt most strongly? The answer can't be tested any more; the memory drafts it for testament, bequests and legacy, as
//! questions for successors to test. Costs are in dollars, waits in ticks, arousal runs from 0 to 1. It is an asynchronous request with a
//! timeout within a shutdown sequence. There is none after a death by chance, in a necrotic death (no money), for a memory that doesn't
//! dream, with fewer than two episodes of arousal above .3 (so none without affect) or without the money for the longest answer.

use crate::dream::account::Question;
use crate::dream::report::DreamFinding;
use crate::episode::{Claim, FindingKind};
use crate::golem::{Golem, Moment, Outbox};
use crate::lethe::testament::{LifeReview, Remembered};
use crate::llm::{BrokerAnswer, EpisodeBrief, Level, ReadingMethod, Reply, Task, Tier};
use crate::mortality::{Cause, DyingPhase, TestamentTier};
use morta_base::{DreamId, Tick, Usdc};
use serde::{Deserialize, Serialize};

/// The state of the review: which request is pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ReviewState {
    /// It hasn't begun.
    NotYet,
    /// The question is asked, under a number of its own among the golem's dreams.
    Waiting { dream: DreamId, since: Tick },
    /// It is over.
    Over,
}

/// The findings of the model, and their cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct ReviewOutcome {
    pub found: Vec<Claim>,
    pub cost: Usdc,
}

/// Fewest episodes that can have anything in common.
const LEAST_EPISODES: usize = 2;

impl Golem {
    /// Whether a death has a review: chance leaves no time to look back, and a necrotic death no money (digest section 13).
    pub(super) fn has_life_review(cause: Cause, tier: TestamentTier) -> bool {
        !cause.is_sudden() && tier > TestamentTier::Necrotic
    }

    /// Begins the review and waits for its answer, for `review_wait_ticks` at most: an answer that never came would keep a dying golem for ever. Returns
    /// whether it is still waiting.
    pub(super) fn advance_review(&mut self, cause: Cause, moment: &Moment<'_>, out: &mut Outbox) -> bool {
        let rites = self.mortal.rites.as_ref().expect("who dies has begun to");
        let (budget, state) = (rites.budget, rites.review_state);
        let next = match state {
            ReviewState::NotYet if Self::has_life_review(cause, budget.tier) => {
                self.report_phase(DyingPhase::Review, budget.review, moment, out);
                self.ask_review(moment, out)
            }
            ReviewState::Waiting { since, .. }
                if moment.tick - since <= moment.rules.mortality.thanatopsis.review_wait_ticks =>
            {
                state
            }
            ReviewState::NotYet | ReviewState::Waiting { .. } | ReviewState::Over => ReviewState::Over,
        };
        self.mortal.rites.as_mut().expect("it was there").review_state = next;
        next != ReviewState::Over
    }

    /// The episodes to look back on.
    pub(super) fn reviewed_episodes(&self, moment: &Moment<'_>) -> Vec<Remembered> {
        let config = &moment.rules.mortality.thanatopsis;
        let all = self.memory.dreams().map_or(Vec::new(), |dreamer| dreamer.reviewable());
        let (most, per_profile) = (config.review_episodes as usize, config.review_per_profile as usize);
        LifeReview::pick(all, config.review_min_arousal, most, per_profile)
    }

    fn ask_review(&mut self, moment: &Moment<'_>, out: &mut Outbox) -> ReviewState {
        let Some(question) = self.review_question(moment) else {
            return ReviewState::Over;
        };
        let dream = self.new_dream_id();
        self.ask(question, dream, out);
        ReviewState::Waiting { dream, since: moment.tick }
    }

    /// On the middling model if the death is rich, on the small one if it is standard; `None` when there is too little to ask about or the
    /// budget doesn't bear the longest answer.
    fn review_question(&self, moment: &Moment<'_>) -> Option<Question> {
        let rules = moment.rules;
        let rites = self.mortal.rites.as_ref()?;
        let grimoire = self.memory.dreams()?.grimoire();
        let brief = |seen: &Remembered| grimoire.get(seen.episode).map(EpisodeBrief::from);
        let episodes: Vec<EpisodeBrief> = self.reviewed_episodes(moment).iter().filter_map(brief).collect();
        if episodes.len() < LEAST_EPISODES {
            return None;
        }
        let task = Task::FindPatterns {
            batch: 0,
            episodes,
            credits: Vec::new(),
            what_ifs: Vec::new(),
            base_rates: Vec::new(),
            rules: Vec::new(),
            // A life is reviewed by its landmarks, and no successor will live by the findings before they have been tested, so
            // the level of all trades isn't needed.
            method: ReadingMethod::new(Level::Replayed, &rules.dream.reading),
            is_dreamt: false,
        };
        let tiers =
            if rites.budget.tier == TestamentTier::Rich { &[Tier::T1, Tier::T0][..] } else { &[Tier::T0] };
        let temperature = rules.dream.imagination.analytic_temperature;
        let means = rites.budget.review.min(self.purse.total());
        let affordable = |tier: &Tier| {
            let question = Question { task: task.clone(), tier: *tier, temperature };
            (question.most(&rules.llm) <= means).then_some(question)
        };
        tiers.iter().find_map(affordable)
    }

    /// Receives an answer while dying. Only the one it waits for is read and paid for.
    pub(super) fn hear_review(&mut self, answer: BrokerAnswer, moment: &Moment<'_>, out: &mut Outbox) {
        let waits_for = self.mortal.rites.as_ref().map(|rites| rites.review_state);
        let of = answer.dream();
        if !matches!(waits_for, Some(ReviewState::Waiting { dream, .. }) if dream == of) {
            return;
        }
        let mut review_outcome = ReviewOutcome::default();
        if let Some((reply, cost)) = self.pay_for_answer(answer, moment, out) {
            review_outcome.cost = cost;
            if let Some(Reply::Patterns { patterns, .. }) = reply {
                review_outcome.found = patterns.iter().map(|pattern| pattern.claim).collect();
                let finding =
                    |pattern| DreamFinding { pattern, kind: FindingKind::Insight, confidence: None };
                let findings: Vec<DreamFinding> = patterns.into_iter().map(finding).collect();
                if let Some(dreamer) = self.memory.dreams_mut() {
                    dreamer.draft_testament(&findings);
                }
            }
        }
        let rites = self.mortal.rites.as_mut().expect("it waits");
        rites.review_outcome = review_outcome;
        rites.review_state = ReviewState::Over;
    }
}
