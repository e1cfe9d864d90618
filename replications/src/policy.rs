//! How an action is chosen from its values, and what a changed value is worth to that choice (the gain of `evb`). They are softmax
//! (Boltzmann) and epsilon-greedy policies; probabilities are 0 to 1, gains are in the unit of reward. Both rules are there, because
//! publications use either. The learner's target doesn't depend on the policy: Q-learning is off-policy. A `PolicyKind` is the
//! action selection rule (exploration strategy).

use morta_base::{Stream, math};

morta_base::words! {
    /// A rule of choice.
    #[derive(Default)]
    pub enum PolicyKind: Key {
        /// P(a) ∝ e^(β·Q(a)).
        #[default]
        Softmax = "softmax",
        /// The best with probability 1 − ε, else any; equals share alike.
        EpsilonGreedy = "epsilon_greedy",
    }
}

/// A rule of choice with its constant (softmax or epsilon-greedy policy).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Policy {
    /// With the inverse temperature β, 0 (all alike) or more.
    Softmax(f64),
    /// With the probability ε of any action, 0 to 1.
    EpsilonGreedy(f64),
}

/// Finds the largest value of a row (maximum Q-value; `greedy` has the argmax). Rows of two and four are written out, because almost every
/// backup reads one of these.
#[inline(always)]
pub fn largest(row: &[f64]) -> f64 {
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    match *row {
        [a, b] => larger(a, b),
        [a, b, c, d] => larger(larger(a, b), larger(c, d)),
        _ => row.iter().fold(f64::NEG_INFINITY, |most, &value| larger(most, value)),
    }
}

/// Draws the greedy action (argmax): the index of one of the largest values of a row, with equal probability. No number is drawn if there
/// is only one.
pub fn greedy(row: &[f64], stream: &mut Stream) -> usize {
    let most = largest(row);
    let mut equals = row.iter().filter(|value| **value == most).count();
    let mut pick = if equals > 1 { stream.below(equals) } else { 0 };
    for (action, value) in row.iter().enumerate() {
        if *value == most {
            if pick == 0 {
                return action;
            }
            (pick, equals) = (pick - 1, equals - 1);
        }
    }
    unreachable!("the largest of a row is in it, and {equals} are left")
}

impl Policy {
    /// Computes the weights of the choice, one for each value of a row.
    ///
    /// Softmax weights are not taken relative to the largest value: one changed value then changes one weight. Values are of the size of a
    /// reward (about 1), so nothing overflows.
    pub fn weigh(self, row: &[f64], weights: &mut [f64]) {
        match self {
            Self::Softmax(beta) => {
                weights.iter_mut().zip(row).for_each(|(weight, value)| *weight = math::exp(beta * value));
            }
            Self::EpsilonGreedy(epsilon) => {
                let most = largest(row);
                let equals = row.iter().filter(|value| **value == most).count() as f64;
                let each = epsilon / row.len() as f64;
                for (weight, value) in weights.iter_mut().zip(row) {
                    *weight = each + if *value == most { (1.0 - epsilon) / equals } else { 0.0 };
                }
            }
        }
    }

    /// Selects an action; `room` has a place for each. ε-greedy draws whether, then which; softmax draws once.
    pub fn choose(self, row: &[f64], room: &mut [f64], stream: &mut Stream) -> usize {
        match self {
            Self::EpsilonGreedy(epsilon) if stream.chance(epsilon) => stream.below(row.len()),
            Self::EpsilonGreedy(_) => greedy(row, stream),
            Self::Softmax(_) => {
                self.weigh(row, room);
                stream.weighted(room).expect("softmax weights are above 0")
            }
        }
    }

    /// Computes the gain (policy improvement) of a backup that moves the value of one action of a row to `after` (Mattar & Daw 2018,
    /// equation 4): what the policy expects after it less what it expected before, both in the values after it.
    ///
    /// Σₐ π_after(a)·Q_after(a) − Σₐ π_before(a)·Q_after(a),
    ///
    /// in the unit of reward, 0 when nothing changes. `weights` are those of the row before.
    #[inline(always)]
    pub fn gain(self, row: &[f64], weights: &[f64], action: usize, after: f64) -> f64 {
        let Self::Softmax(beta) = self else { return self.gain_by_definition(row, weights, action, after) };
        // Only one weight changes, so one exponential suffices in place of eight.
        let weight_after = math::exp(beta * after);
        let (mut sum, mut expected) = (0.0, 0.0);
        for (place, (weight, value)) in weights.iter().zip(row).enumerate() {
            if place != action {
                sum += weight;
                expected += weight * value;
            }
        }
        (expected + weight_after * after) / (sum + weight_after)
            - (expected + weights[action] * after) / (sum + weights[action])
    }

    fn gain_by_definition(self, row: &[f64], weights: &[f64], action: usize, after: f64) -> f64 {
        let mut changed = row.to_vec();
        changed[action] = after;
        let mut new = vec![0.0; row.len()];
        self.weigh(&changed, &mut new);
        let expects = |weights: &[f64]| {
            let products = weights.iter().zip(&changed).map(|(weight, value)| weight * value);
            products.sum::<f64>() / weights.iter().sum::<f64>()
        };
        expects(&new) - expects(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::{Purpose, WorldSeed};

    /// The short way of softmax is the definition; and a learner that was indifferent gains half of (1 − e^−β)/(1 + e^−β) by learning that one
    /// of two actions is worth 1.
    #[test]
    fn gain_is_its_definition() {
        let policy = Policy::Softmax(5.0);
        let row = [0.3, -0.2, 0.9, 0.9];
        let mut weights = [0.0; 4];
        policy.weigh(&row, &mut weights);
        for (action, after) in [(0, 1.0), (2, 0.1), (3, 0.9), (1, -0.2)] {
            let short = policy.gain(&row, &weights, action, after);
            assert!((short - policy.gain_by_definition(&row, &weights, action, after)).abs() < 1e-12);
        }
        let sharp = math::exp(-5.0);
        let by_hand = 0.5 * (1.0 - sharp) / (1.0 + sharp);
        assert!((policy.gain(&[0.0, 0.0], &[1.0, 1.0], 0, 1.0) - by_hand).abs() < 1e-12);
        assert_eq!(policy.gain(&row, &weights, 2, row[2]), 0.0, "what changes nothing gains nothing");
    }

    #[test]
    fn equals_are_chosen_alike() {
        let mut stream = WorldSeed(3).world(Purpose::Choice, 0, 0);
        let mut counts = [0_u32; 4];
        let mut room = [0.0; 4];
        for _ in 0..9_000 {
            counts[Policy::EpsilonGreedy(0.0).choose(&[1.0, 0.5, 1.0, 1.0], &mut room, &mut stream)] += 1;
        }
        assert_eq!(counts[1], 0);
        // Five standard errors of a third of 9,000.
        assert!(counts.iter().all(|&count| count == 0 || (2_776..3_224).contains(&count)), "{counts:?}");
    }
}
