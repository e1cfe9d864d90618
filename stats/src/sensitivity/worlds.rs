//! Where every point of a design is lived in the same worlds: how far a figure is from what other points and other worlds would give, and
//! how much of an effect luck alone would leave. Figures are in the output's unit or shares of variance; the p-value of luck is from 0 to 1
//! (sign-flip test, jackknife over worlds). The caller corrects the p-values of all factors of an output by Holm's rule.

use crate::bootstrap::Bootstrap;
use crate::distribution::normal_quantile;
use crate::error::StatsError;
use crate::summary::{Interval, check, check_share, variance};
use morta_base::quantile::quantile;
use morta_base::{Purpose, WorldSeed};
use serde::{Deserialize, Serialize};

/// A figure (estimate) with its two sources of error (standard errors).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FigureSpread {
    /// The figure.
    pub value: f64,
    /// Standard error from there being so many rows of the design (trajectories, base samples): the standard deviation of the figure over
    /// resampled rows, as SALib has it.
    pub rows_error: f64,
    /// Standard error from there being so many worlds, by the jackknife over worlds; none where one fewer leave no figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worlds_error: Option<f64>,
    /// The normal interval of both errors together; of the first alone where there is no other.
    pub interval: Interval,
}

impl FigureSpread {
    /// Estimates the error of a statistic that is computed from rows and worlds, both by index from 0; it is `None` where these leave no
    /// figure (bootstrap, jackknife). Rows may come several times. Worlds are not resampled but left out one at a time: a world that comes
    /// twice would look like one without luck.
    ///
    /// # Errors
    /// When all rows and worlds leave no figure, or hardly any resample of the rows does; when the bootstrap is out of range.
    pub fn by_resampling(
        rows: usize,
        worlds: usize,
        bootstrap: &Bootstrap,
        statistic: impl Fn(&[usize], &[usize]) -> Option<f64>,
    ) -> Result<Self, StatsError> {
        bootstrap.check()?;
        let (all_rows, all_worlds): (Vec<usize>, Vec<usize>) = ((0..rows).collect(), (0..worlds).collect());
        let none = || StatsError::Constant("what is left of the output".to_owned());
        let value = statistic(&all_rows, &all_worlds).ok_or_else(none)?;
        let resample = |number: u32| {
            let mut stream = bootstrap.seed.world(Purpose::Bootstrap, bootstrap.part, number.into());
            let drawn: Vec<usize> = (0..rows).map(|_| stream.below(rows)).collect();
            statistic(&drawn, &all_worlds)
        };
        let resampled: Vec<f64> = (0..bootstrap.resamples).filter_map(resample).collect();
        check("resampled figures", &resampled, 2)?;
        let rows_error = variance(&resampled).sqrt();
        let worlds_error = jackknife(&all_rows, &all_worlds, &statistic);
        let half = normal_quantile(0.5 + bootstrap.level / 2.0)
            * (rows_error * rows_error + worlds_error.map_or(0.0, |error| error * error)).sqrt();
        let interval = Interval { low: value - half, high: value + half, level: bootstrap.level };
        Ok(Self { value, rows_error, worlds_error, interval })
    }

    /// Cuts the interval of a figure that is a size off at 0, for a normal interval doesn't know that it can't be less.
    pub fn of_size(mut self) -> Self {
        self.interval.low = self.interval.low.max(0.0);
        self
    }
}

/// The standard error by leaving out each world in turn (Tukey 1958).
fn jackknife(
    rows: &[usize],
    worlds: &[usize],
    statistic: &impl Fn(&[usize], &[usize]) -> Option<f64>,
) -> Option<f64> {
    let without = |left_out: &usize| {
        let rest: Vec<usize> = worlds.iter().copied().filter(|world| world != left_out).collect();
        if rest.is_empty() { None } else { statistic(rows, &rest) }
    };
    let values =
        worlds.iter().map(without).collect::<Option<Vec<f64>>>().filter(|values| values.len() > 1)?;
    let count = values.len() as f64;
    Some((variance(&values) * (count - 1.0) * (count - 1.0) / count).sqrt())
}

/// The null distribution of an effect: what luck alone makes of it, with the p-value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Luck {
    /// The null level of the size, in the output's unit: effects of a factor that only reshuffles luck stay below it in so many of 100 cases as the
    /// level says.
    pub threshold: f64,
    /// The p-value, 0 to 1: the chance of an effect of this size or more by luck alone.
    pub p: f64,
}

impl Luck {
    /// Holds the size of effects, the mean over rows of the absolute mean over worlds, against what it would be if each effect in each world could as
    /// well have had the other sign (Fisher 1935): that is what a factor does that sends a world down another path without changing what worlds are
    /// like (sign-flip null distribution). Effects are by row and world, `None` where there is none. In one world p is 1, because a single sign can
    /// be flipped without changing a size.
    ///
    /// # Errors
    /// When there is no effect, or the level isn't between 0 and 1.
    pub fn by_flipping(
        effects: &[Vec<Option<f64>>],
        level: f64,
        draws: u32,
        seed: WorldSeed,
        part: u32,
    ) -> Result<Self, StatsError> {
        check_share("level", level)?;
        let rows: Vec<Vec<f64>> = effects.iter().map(|row| row.iter().flatten().copied().collect()).collect();
        let rows: Vec<Vec<f64>> = rows.into_iter().filter(|row: &Vec<f64>| !row.is_empty()).collect();
        if rows.is_empty() || draws == 0 {
            return Err(StatsError::TooFew { subject: "effects".to_owned(), found: 0, needed: 1 });
        }
        let found = size(&rows, |value| value);
        // Sums that differ in the order of their rounding are the same.
        let least = found - found * 1e-12;
        let draw = |number: u32| {
            let mut stream = seed.world(Purpose::Permutation, part, u64::from(number));
            size(&rows, |value| if stream.below(2) == 0 { value } else { -value })
        };
        let mut flipped: Vec<f64> = (0..draws).map(draw).collect();
        let extreme = flipped.iter().filter(|size| **size >= least).count();
        let threshold = quantile(&mut flipped, level).unwrap_or(found);
        Ok(Self { threshold, p: (extreme + 1) as f64 / (f64::from(draws) + 1.0) })
    }
}

fn size(rows: &[Vec<f64>], mut signed: impl FnMut(f64) -> f64) -> f64 {
    let row = |row: &Vec<f64>| row.iter().map(|value| signed(*value)).sum::<f64>().abs() / row.len() as f64;
    rows.iter().map(row).sum::<f64>() / rows.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOOTSTRAP: Bootstrap = Bootstrap { resamples: 2_000, level: 0.95, seed: WorldSeed(4), part: 0 };

    fn noise(row: usize, world: usize) -> f64 {
        WorldSeed(9).world(Purpose::Bootstrap, row as u32, world as u64).normal()
    }

    /// Of a plain mean both errors are known: s / √n over rows and over worlds.
    #[test]
    fn errors_are_those_of_a_mean() {
        let (rows, worlds) = (40, 12);
        let value = |row: usize, world: usize| noise(row, 999) + 2.0 * noise(998, world);
        let statistic = |rows: &[usize], worlds: &[usize]| {
            let all = rows.iter().flat_map(|row| worlds.iter().map(move |world| value(*row, *world)));
            Some(all.sum::<f64>() / (rows.len() * worlds.len()) as f64)
        };
        let found = FigureSpread::by_resampling(rows, worlds, &BOOTSTRAP, statistic).unwrap();
        let deviation = |values: Vec<f64>| (variance(&values) / values.len() as f64).sqrt();
        let over_rows = deviation((0..rows).map(|row| value(row, 0)).collect());
        let over_worlds = deviation((0..worlds).map(|world| value(0, world)).collect());
        assert!((found.rows_error / over_rows - 1.0).abs() < 0.05, "{found:?} {over_rows}");
        assert!((found.worlds_error.unwrap() / over_worlds - 1.0).abs() < 1e-9, "{found:?} {over_worlds}");
        let both = over_rows.hypot(over_worlds) * 1.96;
        assert!(((found.interval.high - found.value) / both - 1.0).abs() < 0.05);
        assert_eq!(FigureSpread::by_resampling(rows, 1, &BOOTSTRAP, statistic).unwrap().worlds_error, None);
        assert!(FigureSpread::by_resampling(rows, worlds, &BOOTSTRAP, |_, _| None).is_err());
    }

    /// A factor that only reshuffles luck is said to matter about as often as the level says; one that acts everywhere always is.
    #[test]
    fn luck_is_distinguished_from_effects() {
        let effects = |case: usize, systematic: f64| -> Vec<Vec<Option<f64>>> {
            let row =
                |row: usize| (0..4).map(|world| Some(noise(case * 100 + row, world) + systematic)).collect();
            (0..10).map(row).collect()
        };
        let p = |case: usize, systematic: f64| {
            Luck::by_flipping(&effects(case, systematic), 0.95, 400, WorldSeed(1), case as u32).unwrap().p
        };
        let false_ones = (0..200).filter(|case| p(*case, 0.0) <= 0.05).count();
        assert!((2..=20).contains(&false_ones), "{false_ones} of 200");
        assert!((0..20).all(|case| p(case, 2.0) < 0.01));
        let single: Vec<Vec<Option<f64>>> = effects(0, 2.0).iter().map(|row| vec![row[0], None]).collect();
        assert_eq!(Luck::by_flipping(&single, 0.95, 400, WorldSeed(1), 0).unwrap().p, 1.0);
        assert!(Luck::by_flipping(&[vec![None]], 0.95, 400, WorldSeed(1), 0).is_err());
    }
}
