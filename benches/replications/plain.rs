//! The same learners as plain loops over arrays, as in the prototypes: what an hour of programming would give.

use morta_base::{Purpose, Stream, WorldSeed, math};
use morta_replications::world::World;

const LAPS: usize = 50;
const UNKNOWN: usize = usize::MAX;

fn largest(row: &[f64; 4]) -> f64 {
    row.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// Dyna-Q with `n` random backups a step; returns how many it made.
pub fn dyna(world: &World, n: usize, seed: WorldSeed) -> u64 {
    let mut stream = seed.world(Purpose::Replication, 0, 0);
    let states = world.states();
    let mut q = vec![[0.0; 4]; states];
    let mut next = vec![[UNKNOWN; 4]; states];
    let mut reward = vec![[0.0; 4]; states];
    let mut seen: Vec<(usize, usize)> = Vec::new();
    let mut backups = 0;
    for _ in 0..LAPS {
        let mut state = world.starts[0] as usize;
        while !world.is_goal(state as u32) {
            let action = if stream.chance(0.1) {
                stream.below(4)
            } else {
                let most = largest(&q[state]);
                let best: Vec<usize> = (0..4).filter(|action| q[state][*action] == most).collect();
                best[stream.below(best.len())]
            };
            let to = world.lead(state as u32, action) as usize;
            let r = f64::from(u8::from(world.is_goal(to as u32)));
            q[state][action] += 0.1 * (r + 0.95 * largest(&q[to]) - q[state][action]);
            if next[state][action] == UNKNOWN {
                seen.push((state, action));
            }
            (next[state][action], reward[state][action]) = (to, r);
            for _ in 0..n {
                let (x, y) = seen[stream.below(seen.len())];
                q[x][y] += 0.1 * (reward[x][y] + 0.95 * largest(&q[next[x][y]]) - q[x][y]);
                backups += 1;
            }
            state = to;
        }
    }
    backups
}

fn softmax(row: &[f64; 4]) -> [f64; 4] {
    let most = largest(row);
    let weights = row.map(|value| math::exp(5.0 * (value - most)));
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

fn gain(row: &[f64; 4], action: usize, target: f64) -> f64 {
    let (before, mut after_row) = (softmax(row), *row);
    after_row[action] = target;
    let after = softmax(&after_row);
    (0..4).map(|a| (after[a] - before[a]) * after_row[a]).sum::<f64>().max(1e-10)
}

/// A row of (I − γT)⁻¹ by elimination.
fn need(t: &[Vec<f64>], at: usize) -> Vec<f64> {
    let n = t.len();
    let mut a: Vec<Vec<f64>> = (0..n)
        .map(|row| (0..n).map(|column| f64::from(u8::from(row == column)) - 0.9 * t[column][row]).collect())
        .collect();
    let mut x: Vec<f64> = (0..n).map(|row| f64::from(u8::from(row == at))).collect();
    for pivot in 0..n {
        for row in pivot + 1..n {
            let factor = a[row][pivot] / a[pivot][pivot];
            let top = a[pivot].clone();
            a[row].iter_mut().zip(&top).skip(pivot).for_each(|(value, above)| *value -= factor * above);
            x[row] -= factor * x[pivot];
        }
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|column| a[row][column] * x[column]).sum();
        x[row] = (x[row] - known) / a[row][row];
    }
    x
}

struct Learner {
    q: Vec<[f64; 4]>,
    next: Vec<[usize; 4]>,
    reward: Vec<[f64; 4]>,
}

impl Learner {
    /// Twenty backups by gain × need, sequences lengthened by greedy steps.
    fn session(&mut self, need: &[f64], stream: &mut Stream) -> u64 {
        let mut history: Vec<(usize, usize, usize, f64, usize)> = Vec::new();
        for _ in 0..20 {
            let (mut best, mut choice, mut ties) = (-1.0, (0, 0, 1), 0);
            for (x, row) in self.q.iter().enumerate() {
                for y in 0..4 {
                    let to = self.next[x][y];
                    if to == UNKNOWN || to == x {
                        continue;
                    }
                    let value = need[x] * gain(row, y, self.reward[x][y] + 0.9 * largest(&self.q[to]));
                    if value > best {
                        (best, choice, ties) = (value, (x, y, 1), 1);
                    } else if value == best {
                        ties += 1;
                        if stream.chance(1.0 / f64::from(ties)) {
                            choice = (x, y, 1);
                        }
                    }
                }
            }
            if let Some((value, longer)) =
                self.longer(need, &history, stream).filter(|(value, _)| *value > best)
            {
                (best, choice) = (value, longer);
            }
            assert!(best > 0.0, "something can be backed up");
            let (x, y, steps) = choice;
            let to = self.next[x][y];
            history.push((x, y, steps, self.reward[x][y], to));
            let mut target = largest(&self.q[to]);
            for &(x, y, _, r, _) in history.iter().rev().take(steps) {
                target = r + 0.9 * target;
                self.q[x][y] = target;
            }
        }
        history.len() as u64
    }

    fn longer(
        &self,
        need: &[f64],
        history: &[(usize, usize, usize, f64, usize)],
        stream: &mut Stream,
    ) -> Option<(f64, (usize, usize, usize))> {
        let start = history.iter().rposition(|made| made.2 == 1)?;
        let sequence = &history[start..];
        let x = history[history.len() - 1].4;
        let most = largest(&self.q[x]);
        let best: Vec<usize> = (0..4).filter(|action| self.q[x][*action] == most).collect();
        let y = best[stream.below(best.len())];
        let to = self.next[x][y];
        if to == UNKNOWN || sequence.iter().any(|made| made.0 == to || made.4 == to) {
            return None;
        }
        let mut target = self.reward[x][y] + 0.9 * largest(&self.q[to]);
        let mut sum = gain(&self.q[x], y, target);
        for &(x, y, _, r, _) in sequence.iter().rev() {
            target = r + 0.9 * target;
            sum += gain(&self.q[x], y, target);
        }
        Some((need[x] * sum, (x, y, sequence.len() + 1)))
    }
}

fn move_to(t: &mut [Vec<f64>], from: usize, to: usize) {
    t[from].iter_mut().for_each(|p| *p *= 0.1);
    t[from][to] += 0.9;
}

/// EVB on a track of two starts and two goals; returns how many backups it made.
pub fn evb(world: &World, seed: WorldSeed) -> u64 {
    let mut stream = seed.world(Purpose::Replication, 0, 0);
    let states = world.states();
    let mut t = vec![vec![0.0; states]; states];
    let (q, reward) = (vec![[0.0; 4]; states], vec![[0.0; 4]; states]);
    let mut learner = Learner { q, next: vec![[UNKNOWN; 4]; states], reward };
    for state in world.free() {
        for action in 0..4 {
            let to = world.lead(state, action) as usize;
            learner.next[state as usize][action] = to;
            t[state as usize][to] += 0.25;
        }
    }
    let (mut state, mut backups) = (world.starts[0] as usize, 0);
    for lap in 0..LAPS {
        let mut first = lap > 0;
        loop {
            let action = stream.weighted(&softmax(&learner.q[state])).expect("weights are above 0");
            let to = world.lead(state as u32, action) as usize;
            let ends = world.is_goal(to as u32);
            let r = if ends { (1.0 + 0.1 * stream.normal()).max(0.0) } else { 0.0 };
            move_to(&mut t, state, to);
            (learner.next[state][action], learner.reward[state][action]) = (to, r);
            learner.q[state][action] = r + 0.9 * largest(&learner.q[to]);
            if ends || first {
                backups += learner.session(&need(&t, state), &mut stream);
            }
            first = false;
            state = to;
            if ends {
                let start = world.start_after(Some(to as u32), &mut stream) as usize;
                move_to(&mut t, to, start);
                state = start;
                break;
            }
        }
    }
    backups
}
