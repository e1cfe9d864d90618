//! The expected value of a backup (Mattar & Daw 2018): gain × need.
//!
//! - gain: what a backup does to the choice in the states that it changes ([`Policy::gain`](crate::policy::Policy::gain)), at least 10⁻¹⁰ for
//!   each, because a backup that changes nothing now is not worth nothing;
//! - need: how much of the discounted future is spent in the state of the last step ([`Solved::row`](crate::successor::Solved::row)).
//!
//! Candidates are single transitions, and the sequence under way lengthened by a greedy step that closes no loop: an n-step backup of all of
//! them. Equals go to the shorter backup, then to one by lot.
//!
//! It is the prioritization of memory access by gain and need: the order `evb` of a file. It is also computed beside the order `specs`,
//! which is compared with it (the measure `agreement`), then with the default settings whatever the arm's. Gain is in the unit of reward,
//! need in discounted visits.

use super::{Backup, GainReading, Made, Order, OrderConfig, changed};
use crate::mind::Mind;
use crate::policy::greedy;
use morta_base::Stream;

/// Least gain of a step (the public code's `minGain`).
const LEAST_GAIN: f64 = 1e-10;

/// Gains and needs of everything that may be replayed; after a backup only what it can have changed is worked out anew (expected value of a
/// backup).
#[derive(Clone, Debug)]
pub struct Evb {
    /// How gain is read; only the reading `policy` is computed anew after a backup.
    reading: GainReading,
    /// Whether need counts; if not, it is 1 everywhere.
    weighs_need: bool,
    /// Whether the sequence under way may grow to an n-step backup.
    lengthens: bool,
    /// Need by state, for the whole session.
    need: Vec<f64>,
    /// Weights of choice by entry, and gains by item.
    weights: Vec<f64>,
    gain: Vec<f64>,
}

impl Evb {
    /// Makes the order with the readings of gain and need that a file asks for.
    pub fn new(config: &OrderConfig) -> Self {
        Self {
            reading: config.gain,
            weighs_need: config.need,
            lengthens: config.lengthen,
            need: Vec::new(),
            weights: Vec::new(),
            gain: Vec::new(),
        }
    }

    /// The need of each state in the session under way, by the successor representation.
    pub fn need(&self) -> &[f64] {
        &self.need
    }

    /// Computes the gain of backing an item up alone, i.e. the policy improvement.
    pub fn gain(&self, item: u32) -> f64 {
        self.gain[item as usize]
    }

    /// Computes the expected value of backing an item up alone: gain × need.
    #[inline(always)]
    pub fn value(&self, mind: &Mind, item: u32) -> f64 {
        self.need[mind.memory.item(item).state as usize] * self.gain[item as usize]
    }

    fn gain_of(&self, mind: &Mind, state: u32, entry: u32, target: f64) -> f64 {
        if self.reading != GainReading::Policy {
            return 1.0;
        }
        let start = state as usize * mind.actions;
        let value = mind.values[entry as usize];
        let after = value + mind.rate * (target - value);
        let weights = &self.weights[start..start + mind.actions];
        mind.policy.gain(mind.row(state), weights, entry as usize - start, after).max(LEAST_GAIN)
    }

    fn work_out(&mut self, mind: &Mind, item: u32) {
        let step = mind.memory.item(item);
        self.gain[item as usize] = self.gain_of(mind, step.state, step.entry, mind.target(item));
    }

    fn weigh(&mut self, mind: &Mind, state: u32) {
        let start = state as usize * mind.actions;
        mind.policy.weigh(mind.row(state), &mut self.weights[start..start + mind.actions]);
    }

    /// The sequence under way, one greedy step longer; `None` where that isn't known or closes a loop.
    fn lengthened(&self, mind: &Mind, made: &[Made], stream: &mut Stream) -> Option<(Backup, f64)> {
        let last = made.last()?;
        let start = made.iter().rposition(|made| made.backup.steps == 1).unwrap_or(0);
        let sequence = &made[start..];
        let at = last.step.next;
        let action = greedy(mind.row(at), stream);
        let item = mind.memory.of_entry(at * mind.actions as u32 + action as u32)?;
        let step = mind.memory.item(item);
        if sequence.iter().any(|made| made.step.state == step.next || made.step.next == step.next) {
            return None;
        }
        let mut target = mind.target(item);
        let mut gain = self.gain_of(mind, step.state, step.entry, target);
        for earlier in sequence.iter().rev() {
            target = earlier.step.reward + mind.discount * target;
            gain += self.gain_of(mind, earlier.step.state, earlier.step.entry, target);
        }
        if self.reading == GainReading::One {
            gain = 1.0;
        }
        let steps = sequence.len() as u32 + 1;
        Some((Backup { item, steps }, self.need[step.state as usize] * gain))
    }
}

impl Order for Evb {
    fn begin(&mut self, mind: &Mind, _: usize) {
        let states = mind.values.len() / mind.actions;
        self.need = match self.weighs_need {
            true => mind.succession.solved(mind.discount).row(mind.at),
            false => vec![1.0; states],
        };
        self.weights.resize(mind.values.len(), 0.0);
        self.gain.resize(mind.memory.len(), 0.0);
        (0..states as u32).for_each(|state| self.weigh(mind, state));
        mind.memory.candidates().iter().for_each(|item| self.work_out(mind, *item));
    }

    fn choose(&mut self, mind: &Mind, made: &[Made], stream: &mut Stream) -> Option<Backup> {
        let candidates = mind.memory.candidates();
        let (mut best, mut equals) = (-1.0, 0);
        for &item in candidates {
            let value = self.value(mind, item);
            if value > best {
                (best, equals) = (value, 1);
            } else if value == best {
                equals += 1;
            }
        }
        let longer = if self.lengthens { self.lengthened(mind, made, stream) } else { None };
        match longer.filter(|(_, value)| *value > best) {
            Some((backup, _)) => Some(backup),
            None if equals == 0 => None,
            None => {
                let nth = if equals > 1 { stream.below(equals) } else { 0 };
                let is_best = |item: &&u32| self.value(mind, **item) == best;
                candidates.iter().filter(is_best).nth(nth).map(|&item| Backup { item, steps: 1 })
            }
        }
    }

    /// A changed row bears on its own gains and, by way of its largest value, on those of what leads to it.
    fn made(&mut self, mind: &Mind, made: &[Made]) {
        if self.reading != GainReading::Policy {
            return;
        }
        for changed in changed(made) {
            self.weigh(mind, changed.step.state);
        }
        for changed in changed(made) {
            let state = changed.step.state;
            for &item in mind.memory.leaving(state).iter().chain(mind.memory.arriving(state)) {
                self.work_out(mind, item);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Memory, Transition};
    use crate::order::back_up_next;
    use crate::policy::Policy;
    use crate::successor::Succession;
    use morta_base::{Purpose, WorldSeed};

    /// A corridor of four states whose right end pays 1, walked to the right with certainty, from its left end.
    fn corridor() -> Mind {
        let mut memory = Memory::new(8, 5, 10, false);
        let mut succession = Succession::new(5);
        for state in 0..4_u32 {
            for (action, next) in [(0, state.saturating_sub(1)), (1, state + 1)] {
                let entry = state * 2 + action;
                let reward = f64::from(u8::from(next == 4));
                memory.put(entry, Transition { state, entry, next, reward }, 0);
            }
            succession.observe(state, state + 1, 1.0);
        }
        let (policy, values) = (Policy::Softmax(5.0), vec![0.0; 10]);
        let (rate, discount) = (1.0, 0.9);
        let (lap, rooms) = (Vec::new(), vec![0; 5]);
        Mind { actions: 2, values, memory, succession, policy, rate, discount, at: 0, tick: 0, lap, rooms }
    }

    fn session(mind: &mut Mind, order: &mut Evb, budget: usize, made: &mut Vec<Made>, stream: &mut Stream) {
        made.clear();
        order.begin(mind, budget);
        while made.len() < budget && back_up_next(mind, order, made, stream) {}
    }

    /// Only the step into the reward gains at first; then its predecessor, until the values are 1, .9, .81, .729 from the right.
    #[test]
    fn reward_is_carried_backwards_one_state_at_a_time() {
        let mut mind = corridor();
        let mut order = Evb::new(&OrderConfig::default());
        let mut made = Vec::new();
        session(&mut mind, &mut order, 4, &mut made, &mut WorldSeed(1).world(Purpose::Replication, 0, 0));
        let states: Vec<u32> = made.iter().map(|made| made.step.state).collect();
        assert_eq!(states, [3, 2, 1, 0]);
        for (state, worth) in [1.0, 0.9, 0.81, 0.729].into_iter().rev().enumerate() {
            assert!((mind.values[state * 2 + 1] - worth).abs() < 1e-12);
        }
        // Need of the corridor's own walk: 1, γ, γ², γ³.
        assert!(order.need().iter().zip([1.0, 0.9, 0.81, 0.729]).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    /// What is kept from backup to backup is what working everything out anew gives, to the bit.
    #[test]
    fn what_is_kept_is_what_working_out_all_gives() {
        let mut mind = corridor();
        let mut order = Evb::new(&OrderConfig::default());
        let mut stream = WorldSeed(2).world(Purpose::Replication, 0, 0);
        let mut made = Vec::new();
        for budget in 1..9 {
            session(&mut mind, &mut order, budget, &mut made, &mut stream);
            let mut fresh = Evb::new(&OrderConfig::default());
            fresh.begin(&mind, budget);
            for &item in mind.memory.candidates() {
                assert_eq!(order.value(&mind, item).to_bits(), fresh.value(&mind, item).to_bits());
            }
        }
    }
}
