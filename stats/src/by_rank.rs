//! Runs drawn again by their ranks: sorted once, each resample is counted instead of sorted (counting sort), so that it takes as long as it
//! has runs. The figures are those of sorting it, to the bit. It is a fast bootstrap of the interquartile mean and of the probability of
//! improvement, that is the Mann-Whitney statistic (`aggregate`). The caller has checked that tasks have runs and scores are finite.

use crate::summary::mean;
use morta_base::rng::Stream;

/// The runs of all tasks in one order.
pub(super) struct Pooled {
    /// The scores, ascending.
    sorted: Vec<f64>,
    /// Of each task, the place of each run in that order.
    places: Vec<Vec<u32>>,
    /// Times that each place was drawn in this resample.
    drawn: Vec<u32>,
    /// The resample, ascending.
    again: Vec<f64>,
}

impl Pooled {
    /// Ranks the runs of all tasks once, for the interquartile mean (rank bootstrap).
    pub(crate) fn from_tasks(tasks: &[Vec<f64>]) -> Self {
        let all: Vec<f64> = tasks.iter().flatten().copied().collect();
        let mut order: Vec<u32> = (0..all.len() as u32).collect();
        order.sort_by(|a, b| all[*a as usize].total_cmp(&all[*b as usize]));
        let mut place = vec![0; all.len()];
        order.iter().zip(0..).for_each(|(run, at)| place[*run as usize] = at);
        let mut rest = place.into_iter();
        let places = tasks.iter().map(|runs| rest.by_ref().take(runs.len()).collect()).collect();
        let sorted: Vec<f64> = order.iter().map(|run| all[*run as usize]).collect();
        Self { drawn: vec![0; sorted.len()], again: Vec::with_capacity(sorted.len()), sorted, places }
    }

    /// The trimmed mean of a resample: without its lowest and its highest quarter.
    pub(crate) fn trimmed(&mut self, stream: &mut Stream) -> f64 {
        self.drawn.fill(0);
        for places in &self.places {
            draw(places, stream, &mut self.drawn);
        }
        self.again.clear();
        for (value, times) in self.sorted.iter().zip(&self.drawn) {
            self.again.extend(std::iter::repeat_n(*value, *times as usize));
        }
        let cut = self.again.len() / 4;
        mean(&self.again[cut..self.again.len() - cut])
    }
}

/// The runs of two arms in one task, by the distinct scores of both.
struct Task {
    /// The place of each run of the first arm among the distinct scores.
    x: Vec<u32>,
    /// The same of the second arm.
    y: Vec<u32>,
    /// Times that each score of the first arm was drawn.
    drawn_x: Vec<u32>,
    /// The same of the second arm.
    drawn_y: Vec<u32>,
}

impl Task {
    fn from_pair(x: &[f64], y: &[f64]) -> Self {
        let mut distinct: Vec<f64> = x.iter().chain(y).copied().collect();
        distinct.sort_by(f64::total_cmp);
        // 0 and −0 are one score.
        distinct.dedup_by(|a, b| a == b);
        let place = |value: &f64| distinct.partition_point(|known| known < value) as u32;
        let nothing = vec![0; distinct.len()];
        Self {
            x: x.iter().map(place).collect(),
            y: y.iter().map(place).collect(),
            drawn_x: nothing.clone(),
            drawn_y: nothing,
        }
    }

    /// The share of pairs that x wins, ties counted half. Sums of halves are exact, whatever their order.
    fn share(&self) -> f64 {
        let (mut below, mut twice) = (0_u64, 0_u64);
        for (x, y) in self.drawn_x.iter().zip(&self.drawn_y) {
            let not_above = below + u64::from(*y);
            twice += u64::from(*x) * (below + not_above);
            below = not_above;
        }
        twice as f64 / 2.0 / (self.x.len() * self.y.len()) as f64
    }
}

/// The runs of two arms.
pub(super) struct Both(Vec<Task>);

impl Both {
    /// Ranks the runs of two arms once, for the probability of improvement (a rank bootstrap).
    pub(crate) fn from_arms(x: &[Vec<f64>], y: &[Vec<f64>]) -> Self {
        Self(x.iter().zip(y).map(|(x, y)| Task::from_pair(x, y)).collect())
    }

    /// The probability of improvement in a resample: first the one arm's runs are drawn, of all tasks, then the other's.
    pub(crate) fn improvement(&mut self, stream: &mut Stream) -> f64 {
        for task in &mut self.0 {
            task.drawn_x.fill(0);
            draw(&task.x, stream, &mut task.drawn_x);
        }
        for task in &mut self.0 {
            task.drawn_y.fill(0);
            draw(&task.y, stream, &mut task.drawn_y);
        }
        self.0.iter().map(Task::share).sum::<f64>() / self.0.len() as f64
    }
}

fn draw(places: &[u32], stream: &mut Stream, drawn: &mut [u32]) {
    for _ in places {
        drawn[places[stream.below(places.len())] as usize] += 1;
    }
}
