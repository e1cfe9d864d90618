//! Worlds that share data: how many independent ones they are worth, and the interval of their mean.
//!
//! Worlds that replay overlapping stretches of one recording see the same days, and their scores go up and down together. An interval that takes
//! them for independent is too narrow: forty worlds that overlap by three quarters are worth ten.
//!
//! It is the effective sample size of autocorrelated data with a moving block bootstrap. Sweeps whose worlds replay overlapping stretches
//! of a recording (`market.start_within_bars` above 0) take the interval of a contrast from it; the p-values of their tests still take
//! worlds for independent, so a verdict of a difference needs both. A remark on the sweep file, before a world is lived, names the
//! effective number. Where all worlds replay the same bars there is a remark alone. Recordings are short, so that many worlds must overlap.

use crate::blocks::draw;
use crate::bootstrap::Bootstrap;
use crate::distribution::{normal_quantile, student_quantile};
use crate::error::StatsError;
use crate::summary::{Interval, check, is_constant, mean};
use serde::{Deserialize, Serialize};

/// The part of a recording that a world replays: from its start up to, but without, its end (a half-open interval). Places are numbers of
/// bars; only their differences count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stretch {
    /// First place.
    pub start: u64,
    /// The place after the last; above the start.
    pub end: u64,
}

/// The mean of worlds that share data (overlap).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OverlapMean {
    /// Worlds.
    pub worlds: u64,
    /// Effective sample size: from 1, where all worlds share all data, to their number.
    pub effective_worlds: f64,
    /// Neighbours that are drawn together: no world shares data with one that many places away.
    pub block: u64,
    /// The mean of the worlds.
    pub mean: f64,
    /// By how much the resampled interval was widened, at least 1.
    pub widening: f64,
    /// The interval of the mean.
    pub interval: Interval,
}

/// The effective number of worlds, n / deff with Kish's design effect (1965) deff = 1 + (n − 1)·ρ̄, where ρ̄ is the mean correlation of two
/// worlds (effective sample size). It is taken to be the share of data that they have in common, overlap / √(length·length): exactly that
/// of two sums over the stretches of one series without memory, and the most it can be where worlds have luck of their own besides.
///
/// # Errors
/// When there are no worlds, or a stretch is empty.
pub fn effective_worlds(stretches: &[Stretch]) -> Result<f64, StatsError> {
    Ok(Overlaps::from_stretches(stretches)?.effective_worlds())
}

/// Estimates the mean of the worlds' scores with the interval of a circular block bootstrap (Politis & Romano 1992), in the order of their
/// stretches (moving block bootstrap).
///
/// Blocks are moving ones and not groups of worlds that share anything, because worlds in a chain, each overlapping the next, are one such
/// group, of which nothing could be drawn. A block is as long as sharing reaches. That is known to leave out part of the dependence across
/// the edges of blocks (Künsch 1989); how much follows from the overlaps, and deviations from the mean are widened by its square root. As few
/// worlds know their own spread badly, they are also widened by Student's t of the effective worlds − 1 over the normal.
///
/// # Errors
/// When lengths differ, scores are not finite or all the same, a stretch is empty, there are fewer than two effective worlds or two blocks,
/// or a parameter is out of range.
pub fn overlap_mean(
    scores: &[f64],
    stretches: &[Stretch],
    bootstrap: &Bootstrap,
) -> Result<OverlapMean, StatsError> {
    bootstrap.check()?;
    check("scores of worlds", scores, 2)?;
    if scores.len() != stretches.len() {
        let (found, expected) = (stretches.len(), scores.len());
        return Err(StatsError::LengthsDiffer { subject: "stretches".to_owned(), found, expected });
    }
    if is_constant(scores) {
        return Err(StatsError::Constant("the score of the worlds".to_owned()));
    }
    let overlaps = Overlaps::from_stretches(stretches)?;
    let effective = overlaps.effective_worlds();
    if effective < 2.0 {
        let subject = "effective worlds (they share nearly all of their data)".to_owned();
        return Err(StatsError::TooFew { subject, found: effective as usize, needed: 2 });
    }
    let (worlds, block) = (scores.len(), overlaps.block);
    if worlds < 2 * block {
        let subject = format!("worlds in blocks of {block}, as far as sharing reaches");
        return Err(StatsError::TooFew { subject, found: worlds, needed: 2 * block });
    }
    let sorted: Vec<f64> = overlaps.order.iter().map(|world| scores[*world]).collect();
    let mut places = Vec::with_capacity(worlds + block);
    let resampled = bootstrap.distribution(|stream| {
        draw(stream, worlds, block, &mut places);
        places.iter().map(|place| sorted[*place]).sum::<f64>() / worlds as f64
    });
    let plain = bootstrap.percentile(resampled);
    let upper = 0.5 + bootstrap.level / 2.0;
    let few = student_quantile(upper, effective - 1.0) / normal_quantile(upper);
    let (centre, widening) = (mean(scores), overlaps.missed_by_blocks() * few);
    let widened = |end: f64| centre + widening * (end - centre);
    let interval = Interval { low: widened(plain.low), high: widened(plain.high), level: bootstrap.level };
    Ok(OverlapMean {
        worlds: worlds as u64,
        effective_worlds: effective,
        block: block as u64,
        mean: centre,
        widening,
        interval,
    })
}

/// What the worlds share, in the order of their stretches.
struct Overlaps {
    /// The world at each place.
    order: Vec<usize>,
    /// Places that sharing reaches, the world's own among them.
    block: usize,
    /// Sum over all ordered pairs, each world with itself among them, of the share in common.
    sum: f64,
    /// The same sum, each pair counted by the share of blocks that hold it whole: 1 − distance / block.
    within_blocks: f64,
}

impl Overlaps {
    fn from_stretches(stretches: &[Stretch]) -> Result<Self, StatsError> {
        if stretches.is_empty() {
            return Err(StatsError::TooFew { subject: "stretches".to_owned(), found: 0, needed: 1 });
        }
        if let Some(index) = stretches.iter().position(|stretch| stretch.start >= stretch.end) {
            return Err(StatsError::OutOfRange {
                subject: format!("end of stretch, row {}", index + 1),
                value: stretches[index].end.to_string(),
                remedy: format!("above its start, {}", stretches[index].start),
            });
        }
        let mut order: Vec<usize> = (0..stretches.len()).collect();
        order.sort_by_key(|world| (stretches[*world], *world));
        let sorted: Vec<Stretch> = order.iter().map(|world| stretches[*world]).collect();
        // By ascending start, those that share data with a world stand right behind it.
        let sharing = |place: usize| {
            let one = sorted[place];
            let until = sorted.partition_point(|other| other.start < one.end);
            (place + 1..until).map(move |other| other - place)
        };
        let block = 1 + (0..sorted.len()).filter_map(|place| sharing(place).next_back()).max().unwrap_or(0);
        let worlds = sorted.len() as f64;
        let (mut sum, mut within_blocks) = (worlds, worlds);
        for (place, one) in sorted.iter().enumerate() {
            for distance in sharing(place) {
                let other = sorted[place + distance];
                let length = |stretch: &Stretch| (stretch.end - stretch.start) as f64;
                let common = (one.end.min(other.end) - other.start) as f64;
                let share = common / (length(one) * length(&other)).sqrt();
                sum += 2.0 * share;
                within_blocks += 2.0 * share * (1.0 - distance as f64 / block as f64);
            }
        }
        Ok(Self { order, block, sum, within_blocks })
    }

    fn effective_worlds(&self) -> f64 {
        let worlds = self.order.len() as f64;
        worlds * worlds / self.sum
    }

    /// The standard error of the mean over what the bootstrap's is expected to be, both for scores that are as alike as the overlaps say:
    /// √(V / E) with V = Σρ / n² and, for blocks of b, E = (Σρ·(1 − distance/b) − b·Σρ/n) / n².
    fn missed_by_blocks(&self) -> f64 {
        let expected = self.within_blocks - self.block as f64 / self.order.len() as f64 * self.sum;
        // The expected square of a deviation: 0 only where all worlds are one, which was refused.
        assert!(expected > 0.0, "worlds that differ have block means that differ");
        (self.sum / expected).sqrt().max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::math::exp;
    use morta_base::{Purpose, WorldSeed};

    fn chain(worlds: u64, step: u64, length: u64) -> Vec<Stretch> {
        (0..worlds).map(|world| Stretch { start: world * step, end: world * step + length }).collect()
    }

    /// By hand: two of three worlds share half, so Σρ = 4 and n² / Σρ = 9 / 4; a chain of forty halves has 1,600 / 79.
    #[test]
    fn shared_data_is_not_worth_two_worlds() {
        let three = [(5, 15), (20, 30), (0, 10)].map(|(start, end)| Stretch { start, end });
        assert_eq!(effective_worlds(&three).unwrap(), 2.25);
        assert_eq!(effective_worlds(&chain(40, 50, 100)).unwrap(), 1600.0 / 79.0);
        assert_eq!(effective_worlds(&chain(40, 100, 100)).unwrap(), 40.0);
        assert_eq!(effective_worlds(&[three[0]; 7]).unwrap(), 1.0);
        // A stretch of 10 within one of 40 shares 10 / √400.
        let within = [(0, 40), (10, 20)].map(|(start, end)| Stretch { start, end });
        assert_eq!(effective_worlds(&within).unwrap(), 4.0 / 3.0);
    }

    /// How many of 95 % intervals hold the truth, 0: scores are sums over the stretches of one series (seed 36), and the interval takes the
    /// claimed ones for what they are.
    fn coverage(stretches: &[Stretch], claimed: &[Stretch], is_skewed: bool) -> f64 {
        let last = stretches.iter().map(|stretch| stretch.end).max().unwrap();
        let holds = |trial: u64| {
            let mut stream = WorldSeed(36).world(Purpose::Bootstrap, 1, trial);
            let mut sums = vec![0.0];
            for place in 0..last as usize {
                let normal = stream.normal();
                // A log-normal day of mean 0 and of skewness 1.75.
                let day = if is_skewed { exp(0.5 * normal) - exp(0.125) } else { normal };
                sums.push(sums[place] + day);
            }
            let score = |stretch: &Stretch| sums[stretch.end as usize] - sums[stretch.start as usize];
            let scores: Vec<f64> = stretches.iter().map(score).collect();
            let bootstrap = Bootstrap { resamples: 200, level: 0.95, seed: WorldSeed(trial), part: 0 };
            let interval = overlap_mean(&scores, claimed, &bootstrap).unwrap().interval;
            interval.low <= 0.0 && 0.0 <= interval.high
        };
        (0..2_000).filter(|trial| holds(*trial)).count() as f64 / 2_000.0
    }

    /// Apart, half shared and three quarters shared; 95 ± 1.5 %, and a percent less where days are skewed, as of any interval of a mean. Taken
    /// for independent, forty worlds that share three quarters cover the truth in two of three cases.
    #[test]
    fn intervals_of_worlds_that_share_data_hold_the_truth() {
        for (step, is_skewed, least) in
            [(20, false, 0.935), (10, false, 0.935), (5, false, 0.935), (5, true, 0.925)]
        {
            let stretches = chain(40, step, 20);
            let share = coverage(&stretches, &stretches, is_skewed);
            assert!((least..=0.965).contains(&share), "{share} with steps of {step}");
        }
        let share = coverage(&chain(40, 5, 20), &chain(40, 20, 20), false);
        assert!(share < 0.75, "{share} where sharing is ignored");
    }

    #[test]
    fn the_order_of_worlds_does_not_matter_and_sharing_widens() {
        let scores = [0.3, 1.2, -0.4, 2.0, 0.9, 1.1, -0.2, 0.5, 1.6, 0.1, 0.8, -0.7];
        let bootstrap = Bootstrap { resamples: 2_000, level: 0.95, seed: WorldSeed(5), part: 0 };
        let apart = overlap_mean(&scores, &chain(12, 10, 10), &bootstrap).unwrap();
        let sharing = overlap_mean(&scores, &chain(12, 5, 10), &bootstrap).unwrap();
        assert_eq!((apart.block, sharing.block), (1, 2));
        let turned = |of: &[f64]| of.iter().rev().copied().collect::<Vec<f64>>();
        let backwards: Vec<Stretch> = chain(12, 5, 10).into_iter().rev().collect();
        let found = overlap_mean(&turned(&scores), &backwards, &bootstrap).unwrap();
        assert_eq!(found.interval, sharing.interval);
        assert!(sharing.widening > apart.widening);
    }

    #[test]
    fn worlds_that_are_one_are_refused() {
        let bootstrap = Bootstrap { resamples: 100, level: 0.95, seed: WorldSeed(0), part: 0 };
        let error = |scores: &[f64], stretches: &[Stretch]| {
            overlap_mean(scores, stretches, &bootstrap).unwrap_err().to_string()
        };
        let scores = [1.0, 2.0, 4.0, 3.0];
        let same =
            "effective worlds (they share nearly all of their data): 1 of them, and at least 2 are needed";
        assert_eq!(error(&scores, &chain(4, 1, 100)), same);
        let long = "worlds in blocks of 3, as far as sharing reaches: 4 of them, and at least 6 are needed";
        assert_eq!(error(&scores, &chain(4, 5, 11)), long);
        assert_eq!(error(&scores, &chain(3, 5, 5)), "stretches: 3 rows where 4 are expected");
        assert_eq!(error(&[1.0; 4], &chain(4, 5, 5)), "the score of the worlds is constant");
        let empty = [Stretch { start: 3, end: 3 }];
        let why = "end of stretch, row 1 = 3: must be above its start, 3";
        assert_eq!(effective_worlds(&empty).unwrap_err().to_string(), why);
    }
}
