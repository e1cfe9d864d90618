//! Advice on staying in a position, from claims about it and from positions that went through the same state (exit policy, optimal stopping
//! by case-based estimation).
//!
//! Values are in R over leaving, durations in ticks. Each position counts once for a state, at its first visit (first-visit Monte Carlo).
//! It is asked only where golems review positions, which is off by default (`golem.holding.review_ticks` 0); the golem leaves when the
//! advice is below `golem.holding.leave_below_r`. A course is taken in once its end is known, so a position that was left early is followed
//! on paper.

use super::Bardo;
use super::pooling::pool;
use crate::dream::integration::beliefs::TradeOutcome;
use crate::episode::{ClaimKind, Context, Course, Provenance};
use crate::market::{Held, Strategy};
use crate::memory::{Advice, DecisionContext, Holding, HoldingAdvice, Holds, Pooling, Voice, VoiceSource};
use morta_base::{EpisodeId, Tick};

impl Holds for Bardo {
    /// The mean of all voices and of the position's plan. `None` without any voice: the plan alone would be no advice.
    fn advise_holding(&self, moment: &DecisionContext<'_>, holding: &Holding<'_>) -> Option<HoldingAdvice> {
        let strategy = holding.candidate.strategy;
        let mut voices = self.claims_about(strategy, &moment.context, moment.tick);
        if let Some(held) = moment.context.held.filter(|_| self.config.holding.recall) {
            voices.extend(self.positions_like(strategy, &held));
        }
        if voices.is_empty() {
            return None;
        }
        let prior = (holding.as_planned_r(), PRIOR_POSITIONS);
        let stay_r = match self.config.pooling {
            Pooling::Once => pool(prior, self.kappa(), voices.iter_mut()).expected_r,
            Pooling::Sum => {
                let weight: f64 = voices.iter().map(|voice| voice.weight).sum();
                let weighted_r: f64 = voices.iter().map(|voice| voice.weight * voice.expected_r).sum();
                let total = prior.1 + weight;
                if total > 0.0 { (weighted_r + prior.0 * prior.1) / total } else { 0.0 }
            }
        };
        Some(HoldingAdvice { stay_r, why: Advice::loudest(voices) })
    }

    /// Takes in the course of a position: it is remembered, and every claim about staying that applies to a state on its way is
    /// held against it.
    fn observe_course(&mut self, course: &Course, now: Tick) {
        for review in course.first_visits() {
            let context = course.context_at(review);
            let outcome = TradeOutcome {
                strategy: course.strategy,
                context: &context,
                realised_r: course.stayed_r(review),
            };
            self.validate(outcome, now);
            let margin = self.consolidation.staging.margin_r(ClaimKind::Exit);
            let TradeOutcome { strategy, realised_r, .. } = outcome;
            for inherited in &mut self.later.inheritance {
                inherited.note_test(strategy, &context, |claim| claim.is_confirmed_by(realised_r, margin));
            }
            self.call_on_claims_about(strategy, &context);
        }
        let courses = &mut self.later.courses;
        courses.insert(course.episode, course.clone());
        while courses.len() > MOST_COURSES {
            courses.pop_first();
        }
    }
}

/// Most positions remembered; the oldest is forgotten. Our choice, and no bound in lives of weeks: half and twice as many
/// changed no byte of four worlds (`scenarios/sensitivity/knobs.toml`).
const MOST_COURSES: usize = 200;

/// Imagined positions in which staying in came to what was expected of the rest when it was entered. Our choice, as for entries: the first
/// three count as much as not knowing. No consequence was found of half and twice as many (`scenarios/sensitivity`).
const PRIOR_POSITIONS: f64 = 3.0;

impl Bardo {
    /// Positions of the same strategy that were in this state, one voice each.
    fn positions_like(&self, strategy: Strategy, held: &Held) -> impl Iterator<Item = Voice> {
        let courses = self.later.courses.values().filter(move |course| course.strategy == strategy);
        courses.filter_map(move |course| {
            let review = course.first_visits().find(|review| review.held == *held)?;
            Some(Voice::new(
                VoiceSource::Episode(course.episode),
                Provenance::Own,
                1.0,
                course.stayed_r(review),
            ))
        })
    }

    /// Credits the claims about staying that spoke in a review.
    fn call_on_claims_about(&mut self, strategy: Strategy, context: &Context) {
        let about = self.beliefs.active().iter().filter(|entry| entry.claim.applies(strategy, context));
        about.for_each(|entry| self.account.call_on(VoiceSource::Rule(entry.id)));
    }

    /// Iterates over the stored trajectories: positions whose course is remembered, by their trade.
    pub fn courses(&self) -> impl Iterator<Item = (&EpisodeId, &Course)> {
        self.later.courses.iter()
    }
}
