//! The Blind Cliffwalk (Schaul et al. 2016, section 3.1): a chain of n states. In each, one of two actions moves on and the other ends the
//! walk; only the last correct step has a reward, of 1. The memory is fixed: it holds all 2ⁿ sequences of actions, each cut off at its end,
//! so the rewarded transition is one of 2ⁿ⁺¹ − 2, and nothing is lived. The measure is the number of updates, at a learning rate of .25 by
//! default, until the mean squared error of all values is below `error` (1e-3 by default); a walk that never gets there returns
//! `updates_max`. It is the benchmark of prioritized experience replay with a sparse reward, taken because the right order of replay makes
//! an exponential difference there.

use crate::memory::{Memory, Transition};
use crate::mind::Mind;
use crate::order::{AnyOrder, Order, OrderConfig, back_up_next};
use crate::policy::Policy;
use crate::successor::Succession;
use morta_base::{Purpose, WorldSeed, keys};

keys! {
    /// How the memory of a cliff is learned.
    pub struct WalkConfig {
        /// Share of the way that an update goes (η).
        rate: f64 = 0.25, in above(0.0).to(1.0), "share";
        /// Standard deviation of the values at first; with 0 a greedy order never finds the end.
        deviation: f64 = 0.1, in 0.0..=10.0, "reward";
        /// Mean squared error over all 2n values below which they are known.
        error: f64 = 1e-3, in above(0.0).to(1.0), "reward squared";
        /// Updates after which it is given up.
        updates_max: u32 = 5_000_000, in 1..=1_000_000_000, "updates";
        /// How often an order looks at the whole memory anew, as a share of its size: when rank sorts it.
        session_share: f64 = 0.01, in above(0.0).to(10.0), "share";
        /// Inverse temperature of the choice that gain is about.
        inverse_temperature: f64 = 5.0, in 0.0..=100.0, "per reward";
    }
}

/// The learner before the first update, and the true values by entry.
fn mind(n: u32, config: &WalkConfig, seed: WorldSeed) -> (Mind, Vec<f64>) {
    let mut stream = seed.world(Purpose::Replication, 0, 0);
    let states = n as usize + 1;
    let right: Vec<u32> = (0..n).map(|_| stream.below(2) as u32).collect();
    let mut sequences: Vec<u32> = (0..1 << n).collect();
    stream.shuffle(&mut sequences);
    let discount = 1.0 - 1.0 / f64::from(n);
    let mut memory = Memory::new((2 << n) - 2, states, 2 * states, true);
    let mut succession = Succession::new(states);
    let mut item = 0;
    for sequence in sequences {
        for state in 0..n {
            let action = sequence >> state & 1;
            let goes_on = action == right[state as usize];
            // The state after the last has no values of its own; a walker that falls is there too.
            let next = if goes_on { state + 1 } else { n };
            let reward = f64::from(u8::from(goes_on && next == n));
            memory.put(item, Transition { state, entry: state * 2 + action, next, reward }, u64::from(item));
            item += 1;
            if !goes_on {
                break;
            }
        }
    }
    let mut truth = vec![0.0; 2 * n as usize];
    let mut worth = 1.0;
    for state in (0..n).rev() {
        truth[(state * 2 + right[state as usize]) as usize] = worth;
        worth *= discount;
        // A walker moves on with probability ½; nothing follows the end.
        succession.row_mut(state)[state as usize + 1] = if state + 1 < n { 0.5 } else { 0.0 };
    }
    let mut values: Vec<f64> = truth.iter().map(|_| config.deviation * stream.normal()).collect();
    values.resize(2 * states, 0.0);
    let policy = Policy::Softmax(config.inverse_temperature);
    let (rate, tick, rooms) = (config.rate, u64::from(item), vec![0; states]);
    let mind = Mind {
        actions: 2,
        values,
        memory,
        succession,
        policy,
        rate,
        discount,
        at: 0,
        tick,
        lap: Vec::new(),
        rooms,
    };
    (mind, truth)
}

/// Learns a cliff, and counts the updates until all values are known (convergence), at most `updates_max`.
pub fn walk(n: u32, config: &WalkConfig, order: &OrderConfig, seed: WorldSeed) -> u64 {
    let (mut mind, truth) = mind(n, config, seed);
    let mut order = AnyOrder::new(order, &mind.memory, &truth);
    let mut stream = seed.world(Purpose::Replication, 2, 0);
    let session = ((mind.memory.len() as f64 * config.session_share) as usize).max(1);
    let mut made = Vec::with_capacity(session);
    let enough = config.error * truth.len() as f64;
    for update in 0..u64::from(config.updates_max) {
        let error: f64 =
            mind.values.iter().zip(&truth).map(|(value, truth)| (value - truth) * (value - truth)).sum();
        if error < enough {
            return update;
        }
        // A session ends when it is full, or when its order returns nothing. A session without any backup ends the walk, because it would repeat for
        // ever.
        let is_full = made.len() == session;
        if update == 0 || is_full || !back_up_next(&mut mind, &mut order, &mut made, &mut stream) {
            made.clear();
            order.begin(&mind, session);
            if !back_up_next(&mut mind, &mut order, &mut made, &mut stream) {
                break;
            }
        }
        mind.tick += 1;
    }
    u64::from(config.updates_max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::OrderKind;

    #[test]
    fn the_memory_holds_every_sequence_up_to_its_end() {
        let (mind, truth) = mind(5, &WalkConfig::default(), WorldSeed(1));
        let memory = &mind.memory;
        assert_eq!((memory.len(), memory.candidates().len()), (62, 62));
        let paying = (0..62).filter(|item| memory.item(*item).reward > 0.0).count();
        assert_eq!(paying, 1, "one sequence of all reaches the end");
        let right: Vec<f64> = truth.iter().copied().filter(|value| *value > 0.0).collect();
        assert!((right[0] - 0.8_f64 * 0.8 * 0.8 * 0.8).abs() < 1e-12 && right[4] == 1.0, "{right:?}");
    }

    /// The oracle is faster than orders by error, and these are faster than random replay; all of them finish.
    #[test]
    fn orders_are_ranked_as_published() {
        let updates = |kind, exponent| -> u64 {
            let order = OrderConfig { kind, exponent, ..OrderConfig::default() };
            (0..11).map(|seed| walk(6, &WalkConfig::default(), &order, WorldSeed(seed))).sum::<u64>() / 11
        };
        let oracle = updates(OrderKind::Oracle, 0.0);
        let greedy = updates(OrderKind::Greedy, 0.0);
        let proportional = updates(OrderKind::Proportional, 0.6);
        let uniform = updates(OrderKind::Random, 0.0);
        assert!(
            oracle < greedy && greedy < proportional && proportional < uniform && uniform < 10_000,
            "{oracle} {greedy} {proportional} {uniform}"
        );
        assert!(updates(OrderKind::Sweeping, 0.0) < uniform);
    }
}
