//! Credit inside a trade: the value of staying in, for each state of a position, learnt from the steps of remembered trades.
//!
//! A step leads from one review of a position to the next, or to its end. Symbols: s and s′ its states, V(s) the value of staying
//! over leaving in R, Δr the change of the open result in R, ρ the golem's mean reward in R a tick, Δticks the step's length, α
//! the learning rate. A step earns Δr less ρ·Δticks, the worth of its time, and leads to the value of staying in s′, or to 0 if
//! that is less, because one may leave:
//!
//! ```text
//! V(s) ← V(s) + α·(Δr − ρ·Δticks + max(0, V(s′)) − V(s)),   V = 0 at the end
//! ```
//!
//! That is Q-learning of the two actions stay and leave, with leaving worth 0, by differential values (Watkins 1989; Schwartz
//! 1993). Backwards, one pass carries the result of the end to every step before it; forwards it takes as many passes as there
//! are steps (Lin 1992; Foster & Wilson 2006; Mattar & Daw 2018). The field calls it temporal credit assignment with tabular Q-learning;
//! the order of updates is experience replay, in reverse as hippocampal reverse replay. A dream replays the trades that it read, on top
//! of the values of earlier dreams, without a model; only trades that were reviewed while open have steps (`golem.holding.review_ticks`, 0
//! and so none by default). The claims become insights that waking life has to test first; no waking decision looks a value
//! up. Values of a life aren't handed on. The replay order may be backward replay or forward.

use crate::episode::{Claim, ContextPattern, Course, HeldPattern, Review};
use crate::market::{Held, Strategy};
use morta_base::keys;
use morta_base::{EpisodeId, Stream};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

morta_base::words! {
    /// In which order the steps of a trade are gone through.
    #[derive(Default)]
    pub enum CreditOrder: Key {
        /// The last step first.
        #[default]
        Reverse = "reverse",
        /// As they were lived.
        Forward = "forward",
        /// All steps of all trades in any order.
        Scattered = "scattered",
        /// Not at all.
        Off = "off",
    }
}

keys! {
    /// The `[dream.replay.credit]` table: credit for the steps inside a trade, where golems think positions over
    /// (`golem.holding.review_ticks`).
    pub struct CreditConfig {
        /// In which order the steps are gone through: "reverse", "forward", "scattered" or "off".
        order: CreditOrder = CreditOrder::default();
        /// Weight α of one step in the value of the state it starts from.
        // Our choice: a state's value rests on the last five steps or so (1/α).
        learning_rate: f64 = 0.2, in above(0.0).to(1.0), "weight";
        /// Steps from a state that must have been gone through before its value is concluded from.
        // Our choices: at the learning rate above, three steps move a value by half of what they earned (1 − .8³).
        least_steps: u32 = 3, in 1..=10_000, "steps";
        /// Smallest value, above or below 0, that is worth a claim, in R.
        least_value_r: f64 = 0.05, in 0.0..=100.0, "R";
        /// Most claims that one dream draws from values, the firmest first.
        max_claims: u32 = 5, in 0..=1_000, "claims";
    }
}

/// A state of a position, by the strategy that opened it: a discrete state of the Q-table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HoldState {
    /// The strategy that opened it.
    pub strategy: Strategy,
    /// Its circumstances within the trade.
    pub held: Held,
}

/// The value of staying in a state: an action value (Q-value) over that of leaving, with its visit count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StayValue {
    /// Value over leaving, in R.
    pub value_r: f64,
    /// Steps replayed from it.
    pub steps: u32,
}

/// The Q-table of the stay action: values of all states met in replay, sorted by state so that a lookup is a binary search and the bytes
/// have one order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StayValues(Vec<(HoldState, StayValue)>);

/// One step of a trade (transition: state, reward, next state).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    /// The state at the review that it starts from.
    from: HoldState,
    /// Δr less ρ·Δticks, in R.
    earned_r: f64,
    /// The state at the next review; `None` at the end of the trade.
    to: Option<HoldState>,
}

impl StayValues {
    /// Looks up the value of a state in the Q-table, by binary search; `None` if it was never met.
    pub fn get(&self, state: &HoldState) -> Option<&StayValue> {
        self.place(state).ok().map(|place| &self.0[place].1)
    }

    /// Iterates over all entries of the Q-table, states with their values, in the order of states.
    pub fn iter(&self) -> impl Iterator<Item = &(HoldState, StayValue)> {
        self.0.iter()
    }

    fn place(&self, state: &HoldState) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.cmp(state))
    }

    fn value_r(&self, state: &HoldState) -> f64 {
        self.get(state).map_or(0.0, |known| known.value_r)
    }

    /// Moves the value of the step's first state towards what the step earned and led to.
    fn learn(&mut self, step: &Step, rate: f64) {
        let ahead = step.to.map_or(0.0, |to| self.value_r(&to).max(0.0));
        let place = self.place(&step.from).unwrap_or_else(|place| {
            self.0.insert(place, (step.from, StayValue::default()));
            place
        });
        let known = &mut self.0[place].1;
        known.value_r += rate * (step.earned_r + ahead - known.value_r);
        known.steps = known.steps.saturating_add(1);
    }

    /// Goes once through the courses of replayed trades in the configured order; the steps of each are in the order they were lived. Once, because a
    /// dream reads a trade once; no consequence was found of one to four times (`scenarios/sensitivity/knobs.toml`).
    fn replay(&mut self, courses: &[Vec<Step>], config: &CreditConfig, stream: &mut Stream) {
        let rate = config.learning_rate;
        match config.order {
            CreditOrder::Off => {}
            CreditOrder::Reverse => {
                courses.iter().flat_map(|steps| steps.iter().rev()).for_each(|step| self.learn(step, rate));
            }
            CreditOrder::Forward => courses.iter().flatten().for_each(|step| self.learn(step, rate)),
            CreditOrder::Scattered => {
                let mut steps: Vec<&Step> = courses.iter().flatten().collect();
                stream.shuffle(&mut steps);
                steps.into_iter().for_each(|step| self.learn(step, rate));
            }
        }
    }
}

fn state(course: &Course, review: &Review) -> HoldState {
    HoldState { strategy: course.strategy, held: review.held }
}

fn steps(course: &Course) -> Vec<Step> {
    let earned = |review: &Review, tick: u64, r: f64| {
        r - review.open_r - review.rho * tick.saturating_sub(review.tick) as f64
    };
    let between = course.reviews.windows(2).map(|pair| Step {
        from: state(course, &pair[0]),
        earned_r: earned(&pair[0], pair[1].tick, pair[1].open_r),
        to: Some(state(course, &pair[1])),
    });
    let last = course.reviews.last().map(|review| Step {
        from: state(course, review),
        earned_r: earned(review, course.ended, course.end_r),
        to: None,
    });
    between.chain(last).collect()
}

/// The result of replaying the steps of trades: the updated Q-table, and the claims read off it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CreditedSteps {
    /// The values afterwards.
    pub values: StayValues,
    /// The claims, each with the trades of this dream that it was read from.
    pub claims: Vec<(Claim, Vec<EpisodeId>)>,
}

/// Replays the courses of trades on top of known values (temporal-difference learning). With `shuffled`, a research control, the earnings
/// of steps are dealt out among them at random: their states and lengths stay, so that any claim that is still drawn is noise.
///
/// Claims are drawn from states of these trades, the firmest first: |value|·√steps, which orders by the z-score of a mean where all steps
/// vary alike.
pub fn assign_to_steps(
    replayed: &[&Course],
    known: &StayValues,
    config: &CreditConfig,
    shuffled: bool,
    stream: &mut Stream,
) -> CreditedSteps {
    let mut values = known.clone();
    let mut all: Vec<Vec<Step>> = replayed.iter().map(|course| steps(course)).collect();
    if shuffled {
        stream.deal_out(all.iter_mut().flatten().map(|step| &mut step.earned_r));
    }
    values.replay(&all, config, stream);
    let mut sources: BTreeMap<HoldState, BTreeSet<EpisodeId>> = BTreeMap::new();
    for course in replayed {
        for review in &course.reviews {
            sources.entry(state(course, review)).or_default().insert(course.episode);
        }
    }
    let mut claims: Vec<(f64, Claim, Vec<EpisodeId>)> = sources
        .into_iter()
        .filter_map(|(state, from)| {
            let StayValue { value_r, steps } = *values.get(&state)?;
            let pattern = ContextPattern {
                held: Some(HeldPattern::from_held(state.held)),
                ..ContextPattern::default()
            };
            let claim = Claim::of_worth(state.strategy, pattern, value_r);
            let is_worth_it = steps >= config.least_steps && value_r.abs() >= config.least_value_r;
            is_worth_it.then(|| (value_r.abs() * f64::from(steps).sqrt(), claim, from.into_iter().collect()))
        })
        .collect();
    claims.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
    claims.truncate(config.max_claims as usize);
    let claims = claims.into_iter().map(|(_, claim, from)| (claim, from)).collect();
    CreditedSteps { values, claims }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::course;
    use crate::market::{HoldStage, OpenBand};
    use morta_base::{Purpose, WorldSeed};

    fn whole(order: CreditOrder) -> CreditConfig {
        CreditConfig { order, learning_rate: 1.0, least_steps: 1, ..CreditConfig::default() }
    }

    fn stream() -> Stream {
        WorldSeed(7).world(Purpose::Dream, 0, 0)
    }

    fn at(values: &StayValues, stage: HoldStage, open: OpenBand) -> f64 {
        let found = values.iter().find(|(state, _)| (state.held.stage, state.held.open) == (stage, open));
        found.map_or(0.0, |(_, known)| known.value_r)
    }

    /// Early and just behind, half-way and just behind, late and behind, then 1 R at the end. Backwards, one pass tells the
    /// first step of it: +1.1 from −.1 R; forwards, the first pass reaches the last step only, the third the first.
    #[test]
    fn backwards_one_pass_reaches_the_first_step() {
        let lived = course(0, &[-0.1, -0.2, -0.3, -0.2, -0.1], 1.0, 0.0);
        // Reviews at ticks 4, 8, 12, 16, 20: early, half-way twice, late twice.
        let once = |order| {
            assign_to_steps(&[&lived], &StayValues::default(), &whole(order), false, &mut stream()).values
        };
        let (back, forth) = (once(CreditOrder::Reverse), once(CreditOrder::Forward));
        let first = (HoldStage::Early, OpenBand::Behind);
        assert!(at(&back, first.0, first.1) > 1.0, "{back:?}");
        assert!((at(&forth, first.0, first.1) + 0.1).abs() < 1e-12, "{forth:?}");
        assert!(at(&forth, HoldStage::Late, OpenBand::Behind) > 1.0);
        let mut later = forth;
        for _ in 0..3 {
            later =
                assign_to_steps(&[&lived], &later, &whole(CreditOrder::Forward), false, &mut stream()).values;
        }
        assert!(at(&later, first.0, first.1) > 0.9, "{later:?}");
    }

    /// Half-way and ahead it falls to the stop: staying is worth −1.2 R there, and before it nothing less than the .1 R on the way: an earlier
    /// state must not be charged with a loss that leaving would have avoided.
    #[test]
    fn a_state_that_is_left_costs_nothing_before() {
        let lived = course(0, &[0.1, 0.2], -1.0, 0.0);
        let found = assign_to_steps(
            &[&lived],
            &StayValues::default(),
            &whole(CreditOrder::Reverse),
            false,
            &mut stream(),
        );
        assert!((at(&found.values, HoldStage::Middle, OpenBand::Ahead) + 1.2).abs() < 1e-12);
        assert!((at(&found.values, HoldStage::Early, OpenBand::Ahead) - 0.1).abs() < 1e-12);
        let claims: Vec<String> = found.claims.iter().map(|(claim, _)| claim.to_string()).collect();
        assert_eq!(
            claims,
            [
                "leave momentum when half-way, ahead, its signal standing: -1.20 R",
                "stay in momentum when early, ahead, its signal standing: +0.10 R"
            ]
        );
    }

    /// Sixteen ticks at .02 R each take .32 R off what the end brings.
    #[test]
    fn time_is_taken_off() {
        let lived = course(0, &[0.0, 0.0], 0.2, 0.02);
        let found = assign_to_steps(
            &[&lived],
            &StayValues::default(),
            &whole(CreditOrder::Reverse),
            false,
            &mut stream(),
        );
        assert!((at(&found.values, HoldStage::Middle, OpenBand::Ahead) - (0.2 - 0.32)).abs() < 1e-12);
    }

    /// A tenth of what it should be after one step at a rate of .1, 19 % after two.
    #[test]
    fn values_are_learnt_at_the_rate() {
        let config = CreditConfig { learning_rate: 0.1, least_steps: 1, ..CreditConfig::default() };
        let lived = course(0, &[0.0], 1.0, 0.0);
        let mut values = StayValues::default();
        for expected in [0.1, 0.19] {
            values = assign_to_steps(&[&lived], &values, &config, false, &mut stream()).values;
            assert!((at(&values, HoldStage::Early, OpenBand::Ahead) - expected).abs() < 1e-12);
        }
    }

    /// Shuffled, what was earned goes to other states; the sum stays.
    #[test]
    fn shuffled_steps_earn_the_same_in_all() {
        let lived: Vec<Course> =
            (0..20).map(|n| course(n, &[0.1, -0.2, 0.6], if n % 2 == 0 { 1.0 } else { -1.0 }, 0.0)).collect();
        let all: Vec<&Course> = lived.iter().collect();
        let slow = CreditConfig { learning_rate: 0.05, least_steps: 1, ..CreditConfig::default() };
        let of =
            |shuffled| assign_to_steps(&all, &StayValues::default(), &slow, shuffled, &mut stream()).values;
        let late = |values: &StayValues| at(values, HoldStage::Middle, OpenBand::FarAhead);
        assert!(late(&of(false)) < -0.3 && late(&of(true)) > late(&of(false)) + 0.1);
        let off = CreditConfig { order: CreditOrder::Off, ..slow };
        let nothing = assign_to_steps(&all, &StayValues::default(), &off, false, &mut stream());
        assert_eq!(nothing, CreditedSteps::default());
    }
}
