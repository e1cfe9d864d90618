//! Survival, for the measures of a cell: the statistics room's estimates of one cohort's lives. Times are ticks of age. They are the
//! Kaplan-Meier median and the restricted mean survival time (RMST); a life that the run cut off is right-censored. Every life is seen from
//! its birth, so none is left-truncated and none is weighted. They are the estimators of the statistics crate, so that a table and a page
//! can't differ. The catalogue of measures calls both functions, for `lifespan_median_ticks` and `restricted_mean_ticks`. The meter's owner
//! gives the horizon: in a sweep `preregistration.survival.horizon_ticks`, or without a registered one the ticks of the run less one; in
//! `morta compare` always the ticks of the run less one, the greatest age that a golem of the first tick reaches.

use morta_stats::survival::kaplan_meier::KaplanMeier;
use morta_stats::survival::restricted_mean::restricted_mean;
use morta_stats::survival::{Group, Lifetimes};

/// Level of the intervals that the estimators compute besides; no measure shows one, because intervals of one world's lives decide nothing.
const LEVEL: f64 = 0.95;

/// One life (right-censored lifetime): the age up to which it was observed, and whether it ended then or is right-censored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObservedLifetime {
    /// Its age in ticks when it was last observed: the survival time.
    pub age_ticks: u64,
    /// Whether that was its death. A life that the end of the run cut off is right-censored: counted as a death, it would make lives look shorter.
    pub died: bool,
}

fn lifetimes(lives: &[ObservedLifetime]) -> Option<Lifetimes> {
    let ages = lives.iter().map(|life| life.age_ticks as f64).collect();
    Lifetimes::new(ages, lives.iter().map(|life| life.died).collect()).ok()
}

/// Mean lifetime up to a horizon: the area under the survival curve until then, in ticks (restricted mean survival time). `None` without
/// lives, and when the life that was observed longest is censored before the horizon: the curve is unknown beyond it.
pub(super) fn restricted_mean_ticks(lives: &[ObservedLifetime], horizon_ticks: u64) -> Option<f64> {
    let group = Group { name: String::new(), lifetimes: lifetimes(lives)? };
    restricted_mean(&group, horizon_ticks as f64, LEVEL).ok().map(|found| found.mean)
}

/// The median lifetime: the first age at which the survival curve is at or below one half, ticks (median survival time). `None` when it stays
/// above, as where most lives outlive the run.
pub(crate) fn median_ticks(lives: &[ObservedLifetime]) -> Option<f64> {
    KaplanMeier::from_lifetimes(&lifetimes(lives)?, LEVEL).ok()?.median.time
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Remission under 6-mercaptopurine, in weeks (Freireich et al. 1963), the standard example.
    fn remissions() -> Vec<ObservedLifetime> {
        let died =
            [6, 6, 6, 7, 10, 13, 16, 22, 23].map(|age_ticks| ObservedLifetime { age_ticks, died: true });
        let left = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
            .map(|age_ticks| ObservedLifetime { age_ticks, died: false });
        died.into_iter().chain(left).collect()
    }

    /// The published survival curve: 0.857, 0.807, 0.753, 0.690, 0.627, 0.538, 0.448; median 23 weeks.
    #[test]
    fn the_curve_of_the_standard_example() {
        let curve = KaplanMeier::from_lifetimes(&lifetimes(&remissions()).unwrap(), LEVEL).unwrap();
        let steps: Vec<(f64, f64)> = curve
            .steps
            .iter()
            .filter(|step| step.events > 0)
            .map(|step| (step.time, step.survival))
            .collect();
        let expected = [
            (6.0, 0.857),
            (7.0, 0.807),
            (10.0, 0.753),
            (13.0, 0.690),
            (16.0, 0.627),
            (22.0, 0.538),
            (23.0, 0.448),
        ];
        assert_eq!(steps.len(), expected.len());
        for ((age, share), (expected_age, expected_share)) in steps.into_iter().zip(expected) {
            assert_eq!(age, expected_age);
            assert!((share - expected_share).abs() < 5e-4, "{age}: {share}");
        }
        assert_eq!(median_ticks(&remissions()), Some(23.0));
    }

    /// The area under those steps: 6 + 0.857 + 3·0.807 + 3·0.753 + 3·0.690 + 6·0.627 + 0.538 = 17.909 up to week 23.
    #[test]
    fn the_restricted_mean_is_the_area() {
        let mean = restricted_mean_ticks(&remissions(), 23).unwrap();
        assert!((mean - 17.909).abs() < 1e-3, "{mean}");
        let whole = restricted_mean_ticks(&remissions(), 35).unwrap();
        assert!((whole - (mean + 12.0 * 0.4482)).abs() < 1e-3, "{whole}");
        assert_eq!(restricted_mean_ticks(&remissions(), 36), None, "nobody was watched for so long");
        assert_eq!(restricted_mean_ticks(&[], 5), None);
        let dead = [ObservedLifetime { age_ticks: 4, died: true }];
        assert_eq!(restricted_mean_ticks(&dead, 10), Some(4.0));
    }
}
