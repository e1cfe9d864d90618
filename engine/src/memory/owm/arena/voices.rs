//! Advice on a candidate: the voices of recalled episodes and of beliefs, the effect of plans, and the size of the position.
//!
//! Expectations are in R, weights in numbers of episodes, sizes are factors from the Kelly criterion over the usual risk, by default
//! between .5 and 1.5 (1 while too few episodes are recalled), times the factors of plans that apply. By default good outcomes are recalled
//! more easily and so weigh more (`memory.owm.expectation = "score"`): the expectation is not a fair mean. A plan to skip vetoes the trade.
//! `bardo+owm` takes recall and size from here, and neither beliefs nor plans.

use super::{Owm, mapping};
use crate::episode::Provenance;
use crate::memory::owm::config::ExpectationWeight;
use crate::memory::{Advice, Candidate, DecisionContext, Voice, VoiceSource};
use morta_memories::owm::prospective::{ActionType, Plan, applicable};
use morta_memories::owm::recall::Query;
use morta_memories::owm::recollect::{RankedMemory, Recollected};
use morta_memories::owm::score::DAY_S;
use morta_memories::owm::strength;
use morta_memories::owm::trigger::FieldValue;

/// Episodes that are named one by one; the others are added to the voices of these, as in Bardo's recall, so that both are named
/// alike in events.
const LOUDEST: usize = 3;

impl Owm {
    /// The recall query of a moment.
    pub(in crate::memory) fn query(&self, moment: &DecisionContext<'_>) -> Query {
        Query {
            now_s: self.seconds(moment.tick),
            context: mapping::context(&moment.context, &moment.conditions),
            mood: self.mind.affect().mood(),
        }
    }

    /// The episodes recalled for a candidate, as voices, and the size of position that they suggest.
    pub(in crate::memory) fn recall(&self, candidate: &Candidate, query: &Query) -> (Vec<Voice>, f64) {
        let recalled = self.mind.recall_domain(mapping::domain(candidate.strategy, candidate.asset), query);
        (self.episodes_speak(&recalled), self.size(&recalled))
    }

    /// The advice on a candidate: the weighted mean of prior, episodes and beliefs, its size, and the effect of plans.
    pub(super) fn advise_on(&self, candidate: &Candidate, query: &Query) -> Advice {
        let recalled = self.mind.recall_domain(mapping::domain(candidate.strategy, candidate.asset), query);
        let mut voices = self.episodes_speak(&recalled);
        voices.extend(self.beliefs_speak(candidate, query));
        let (expected_r, confidence) = self.balance(candidate, voices.iter());
        let plans = self.plans_for(candidate, query);
        let size_multiplier = self.size(&recalled) * plans.iter().map(|plan| scale(plan)).product::<f64>();
        let veto = plans.iter().any(|plan| plan.action.kind == ActionType::SkipTrade);
        let unsorted = voices.clone();
        voices.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        // Plans that act are named first, so that they are never cut off and their outcome can be noted.
        let spoken = plans.iter().filter(|plan| acts(plan)).map(|plan| plan_voice(plan, expected_r));
        let mut why: Vec<Voice> = spoken.chain(voices).collect();
        why.truncate(Advice::MAX_VOICES);
        Advice {
            expected_r,
            confidence,
            size_multiplier,
            veto,
            why,
            heard: unsorted,
            ..Advice::prior(candidate)
        }
    }

    /// The weighted average of prior and voices, in expected R, and the voices' share of all weight.
    pub(super) fn balance<'a>(
        &self,
        candidate: &Candidate,
        voices: impl Iterator<Item = &'a Voice> + Clone,
    ) -> (f64, f64) {
        let spoken = voices.clone().fold(0.0, |sum, voice| sum + voice.weight);
        let total = self.config.prior_weight + spoken;
        let surplus =
            voices.fold(0.0, |sum, voice| sum + voice.weight * (voice.expected_r - candidate.prior_r));
        let share = |part: f64| if total > 0.0 { part / total } else { 0.0 };
        (candidate.prior_r + share(surplus), share(spoken))
    }

    /// The weighted mean outcome of all recalled episodes, its weight capped, shared out among the loudest by their weight.
    fn episodes_speak(&self, recalled: &[RankedMemory<'_>]) -> Vec<Voice> {
        let outcome = |ranked: &RankedMemory<'_>| match ranked.memory {
            Recollected::Episodic(memory) => memory.pnl_r.map(|r| (self.weight(ranked), r)),
            Recollected::Semantic(_) | Recollected::Prospective(_) => None,
        };
        let known = recalled.iter().filter_map(outcome);
        let (weight, weighted_r) = known.fold((0.0, 0.0), |(sum, sum_r), (w, r)| (sum + w, sum_r + w * r));
        if weight <= 0.0 {
            return Vec::new();
        }
        let mut loudest: Vec<&RankedMemory<'_>> =
            recalled.iter().filter(|ranked| outcome(ranked).is_some()).collect();
        loudest.sort_by(|a, b| self.weight(b).total_cmp(&self.weight(a)));
        loudest.truncate(LOUDEST);
        let named: f64 = loudest.iter().map(|ranked| self.weight(ranked)).sum();
        let total = weight.min(self.config.max_recall_weight);
        let voice = |ranked: &RankedMemory<'_>| {
            let origin = self.origin_of(&ranked.memory)?;
            Some(Voice::new(
                VoiceSource::Episode(origin.id),
                origin.provenance,
                total * self.weight(ranked) / named,
                weighted_r / weight,
            ))
        };
        loudest.into_iter().filter_map(voice).collect()
    }

    fn weight(&self, ranked: &RankedMemory<'_>) -> f64 {
        match self.config.expectation {
            ExpectationWeight::Score => ranked.score,
            ExpectationWeight::Likeness if ranked.components.quality > 0.0 => {
                ranked.score / ranked.components.quality
            }
            ExpectationWeight::Likeness => 0.0,
        }
    }

    /// Beliefs about such trades, weighted by their certainty and by the strength that time has left them (digest section 5:
    /// semantic strength, times .3 in another regime).
    fn beliefs_speak(&self, candidate: &Candidate, query: &Query) -> impl Iterator<Item = Voice> {
        let domain = mapping::domain(candidate.strategy, candidate.asset);
        let about =
            self.mind.beliefs().iter().filter(move |belief| belief.scope.fits(domain, &query.context));
        about.filter_map(|belief| {
            let age_days = (query.now_s - belief.updated_s) / DAY_S;
            let regime = query.context.regime;
            let strength =
                strength::semantic(belief.retrieval_strength, age_days, belief.scope.regime, regime);
            Some(Voice::new(
                self.belief_voice(belief.id),
                self.provenance_of(belief.id),
                self.config.belief_weight * belief.certainty() * strength,
                belief.mean_r()?,
            ))
        })
    }

    fn provenance_of(&self, belief: u32) -> Provenance {
        let adopted = self.adopted.iter().find(|adopted| adopted.belief == belief);
        adopted.map_or(Provenance::Own, |adopted| adopted.provenance)
    }

    /// The Kelly fraction from memory over the usual risk, within bounds; the usual size while too few episodes are recalled.
    /// (The digest's Kelly is 0 at cold start, by which no golem would ever make a first trade.)
    fn size(&self, recalled: &[RankedMemory<'_>]) -> f64 {
        if recalled.len() < self.config.mind.kelly.least_memories as usize {
            return self.config.cold_size;
        }
        let fraction = self.mind.stake_by(recalled);
        (fraction / self.around.usual_risk).clamp(self.config.smallest_size, self.config.largest_size)
    }

    fn plans_for(&self, candidate: &Candidate, query: &Query) -> Vec<&Plan> {
        applicable(self.mind.plans(), query.now_s, |name| self.field(name, candidate, query))
    }

    /// The value of a field that a trigger may name: of the context, the golem's state, or the pending signal.
    fn field(&self, name: &str, candidate: &Candidate, query: &Query) -> Option<FieldValue<'_>> {
        let (context, affect) = (&query.context, self.mind.affect());
        match name {
            "type" => Some(FieldValue::Text("signal")),
            "strategy" => Some(FieldValue::Text(candidate.strategy.name())),
            "symbol" => self.around.symbols.get(usize::from(candidate.asset)).map(|s| FieldValue::Text(s)),
            "regime" => context.regime.map(|label| FieldValue::Text(label.name())),
            "volatility_regime" => context.volatility_regime.map(|label| FieldValue::Text(label.name())),
            "session" => context.session.map(|label| FieldValue::Text(label.name())),
            "atr_d1" => context.atr_d1.map(FieldValue::Number),
            "atr_h1" => context.atr_h1.map(FieldValue::Number),
            "spread_as_atr_pct" => context.spread_as_atr_pct.map(FieldValue::Number),
            "drawdown_pct" => context.drawdown_pct.map(FieldValue::Number),
            "price" => context.price.map(FieldValue::Number),
            "confidence" => Some(FieldValue::Number(affect.confidence)),
            "consecutive_losses" => Some(FieldValue::Number(f64::from(affect.consecutive_losses))),
            _ => None,
        }
    }
}

/// The parameter of plans that change sizes.
pub(super) const LOTS: &str = "lots";

fn scale(plan: &Plan) -> f64 {
    let sizes = plan.action.kind == ActionType::AdjustParam && plan.action.parameter.as_deref() == Some(LOTS);
    plan.action.magnitude.filter(|_| sizes).map_or(1.0, |factor| factor.max(0.0))
}

const fn acts(plan: &Plan) -> bool {
    matches!(plan.action.kind, ActionType::AdjustParam | ActionType::SkipTrade)
}

/// A plan expects nothing by itself: its voice repeats the expectation, and its weight is the plan's priority.
const fn plan_voice(plan: &Plan, expected_r: f64) -> Voice {
    Voice::new(VoiceSource::Plan(plan.id), Provenance::Own, plan.priority, expected_r)
}
