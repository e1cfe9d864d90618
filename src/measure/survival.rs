//! Kaplan and Meier's estimate of survival, for the measures of a cell.

/// One life: how long it was watched, and whether it ended then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Observed {
    /// Age at the end, in ticks.
    pub age_ticks: u64,
    /// Whether that was its death; otherwise the run ended.
    pub died: bool,
}

/// The steps of the survival curve: age, and the share that lives beyond it (Kaplan and Meier 1958). At one age, deaths
/// come before the lives that were only watched that long.
fn curve(lives: &[Observed]) -> Vec<(u64, f64)> {
    let mut sorted = lives.to_vec();
    sorted.sort_unstable();
    let mut steps = Vec::new();
    let (mut share, mut at_risk) = (1.0, sorted.len());
    for same_age in sorted.chunk_by(|a, b| a.age_ticks == b.age_ticks) {
        let died = same_age.iter().filter(|life| life.died).count();
        if died > 0 {
            share *= 1.0 - died as f64 / at_risk as f64;
            steps.push((same_age[0].age_ticks, share));
        }
        at_risk -= same_age.len();
    }
    steps
}

/// Mean lifetime up to a horizon: the area under the survival curve until then, in ticks. `None` without lives, and when
/// all who were left were watched for less than the horizon.
pub fn restricted_mean_ticks(lives: &[Observed], horizon_ticks: u64) -> Option<f64> {
    let longest = lives.iter().map(|life| life.age_ticks).max()?;
    let steps = curve(lives);
    let extinct = steps.last().is_some_and(|(_, share)| *share <= 0.0);
    if longest < horizon_ticks && !extinct {
        return None;
    }
    let (mut area, mut from, mut share) = (0.0, 0, 1.0);
    for (age, after) in steps.into_iter().take_while(|(age, _)| *age < horizon_ticks) {
        area += share * (age - from) as f64;
        (from, share) = (age, after);
    }
    Some(area + share * (horizon_ticks - from) as f64)
}

/// The age that half of them reach: the first at which the survival curve is at or below one half. `None` when it stays
/// above.
pub fn median_ticks(lives: &[Observed]) -> Option<f64> {
    curve(lives).into_iter().find(|(_, share)| *share <= 0.5).map(|(age, _)| age as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Remission under 6-mercaptopurine, in weeks (Freireich et al. 1963), the standard example.
    fn remissions() -> Vec<Observed> {
        let died = [6, 6, 6, 7, 10, 13, 16, 22, 23].map(|age_ticks| Observed { age_ticks, died: true });
        let left = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
            .map(|age_ticks| Observed { age_ticks, died: false });
        died.into_iter().chain(left).collect()
    }

    /// The published survival curve: 0.857, 0.807, 0.753, 0.690, 0.627, 0.538, 0.448; median 23 weeks.
    #[test]
    fn the_curve_of_the_standard_example() {
        let steps = curve(&remissions());
        let expected =
            [(6, 0.857), (7, 0.807), (10, 0.753), (13, 0.690), (16, 0.627), (22, 0.538), (23, 0.448)];
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
        let dead = [Observed { age_ticks: 4, died: true }];
        assert_eq!(restricted_mean_ticks(&dead, 10), Some(4.0));
    }
}
