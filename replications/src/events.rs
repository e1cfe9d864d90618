//! Replay events: runs of backups that go forward or backward along the world, as forward and reverse replay of the hippocampus (Mattar &
//! Daw 2018, methods, after Davidson et al. 2009). `life` looks for them in every session where `count_events` is set, and counts them by
//! start and goal; nothing that the learner does depends on them. A run has at least five states, and 500 shuffles decide, because short
//! runs arise by chance.

use crate::order::Made;
use crate::world::World;
use morta_base::Stream;

/// Least number of states of a run: five, as in Mattar & Daw (2018, methods).
const STATES_MIN: usize = 5;
/// Number of shuffles of a run, and rank that it must exceed on one side: 2.5 % of 500 (Davidson et al. 2009).
const SHUFFLES: usize = 500;
const BEYOND: usize = 12;

/// A run, i.e. a replay event: the range of its backups, and its direction, forward or reverse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Indices in the session.
    pub backups: std::ops::Range<usize>,
    /// Whether it is forward replay, in the learner's direction of movement; false for reverse replay.
    pub is_forward: bool,
}

/// 1 where the first action leads to the second state, −1 where the second action leads to the first, and 0 for states that aren't
/// neighbours.
fn direction(world: &World, [first, second]: [(u32, usize); 2]) -> i32 {
    if world.lead(second.0, second.1) == first.0 {
        -1
    } else {
        i32::from(world.lead(first.0, first.1) == second.0)
    }
}

fn mean_direction(world: &World, pairs: &[(u32, usize)]) -> f64 {
    let sum: i32 = pairs.windows(2).map(|two| direction(world, [two[0], two[1]])).sum();
    f64::from(sum) / (pairs.len() - 1) as f64
}

/// Detects replay events by a permutation test: runs of at least five states, all forward or all backward, beyond the 12th and the 488th of
/// 500 random orders of the same states and actions.
pub fn significant_runs(world: &World, made: &[Made], stream: &mut Stream) -> Vec<Run> {
    let pair = |made: &Made| (made.step.state, made.step.entry as usize % world.actions);
    let pairs: Vec<(u32, usize)> = made.iter().map(pair).collect();
    let directions: Vec<i32> = pairs.windows(2).map(|two| direction(world, [two[0], two[1]])).collect();
    let mut runs = Vec::new();
    let mut start = 0;
    for same in directions.chunk_by(|a, b| a == b) {
        let backups = start..start + same.len() + 1;
        start += same.len();
        if same[0] != 0 && backups.len() >= STATES_MIN && is_beyond(world, &pairs[backups.clone()], stream) {
            runs.push(Run { backups, is_forward: same[0] > 0 });
        }
    }
    runs
}

fn is_beyond(world: &World, pairs: &[(u32, usize)], stream: &mut Stream) -> bool {
    let found = mean_direction(world, pairs);
    let mut shuffled = pairs.to_vec();
    let draw = |_| {
        stream.shuffle(&mut shuffled);
        mean_direction(world, &shuffled)
    };
    let mut by_chance: Vec<f64> = (0..SHUFFLES).map(draw).collect();
    by_chance.sort_unstable_by(f64::total_cmp);
    found < by_chance[BEYOND - 1] || found > by_chance[SHUFFLES - BEYOND - 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Transition;
    use crate::order::Backup;
    use crate::world::WorldConfig;
    use morta_base::{Purpose, WorldSeed};

    /// Six steps to the right along a track, then the same from the end, then four that are too few.
    #[test]
    fn runs_go_forward_and_backward() {
        let config = WorldConfig { map: vec!["A.......a".to_owned()], ..WorldConfig::default() };
        let (world, _) = config.build().unwrap();
        let made: Vec<Made> = [0, 1, 2, 3, 4, 5, 7, 6, 5, 4, 3, 2, 6, 0, 1, 2, 3]
            .map(|state: u32| {
                let (entry, next) = (state * 4 + 2, state + 1);
                let step = Transition { state, entry, next, reward: 0.0 };
                Made { backup: Backup { item: entry, steps: 1 }, step, error: 0.0 }
            })
            .to_vec();
        let runs = significant_runs(&world, &made, &mut WorldSeed(1).world(Purpose::Replication, 3, 0));
        let run = |backups, is_forward| Run { backups, is_forward };
        assert_eq!(runs, [run(0..6, true), run(6..12, false)]);
    }
}
