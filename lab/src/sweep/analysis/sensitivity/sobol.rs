//! Sobol indices: shares of a measure's variance over the design that one key, or two together, account for (first order Saltelli et al.
//! 2010, total Jansen 1999, pairs Saltelli 2002; the estimators of SALib).
//!
//! | index | is | 0 to 1 but for errors of sampling |
//! |---|---|---|
//! | first order | V(E(y \| key)) / V(y) | the key alone |
//! | total | E(V(y \| all other keys)) / V(y) | the key with everything that it does together with others |
//! | total − first order | | interaction |
//!
//! Outputs are centred first, within a world by the mean of all its points, for the mean over worlds by the mean of these: the estimators
//! are products of outputs, and a mean far from 0 would be most of their variance. Pairs, which need `second_order`, have the reading
//! within a world alone; keys have that of the mean too, where there are two worlds or more. Estimates of few rows may leave
//! the range of 0 to 1.

use super::morris::average;
use super::outputs::Outputs;
use super::{Effects, Statistic};
use crate::sweep::sweep_file::Axis;
use crate::sweep::sweep_file::sensitivity::BaseRow;
use morta_stats::bootstrap::Bootstrap;
use morta_stats::sensitivity::sobol::{Indices, PairRow, SobolRow, second_order};
use morta_stats::sensitivity::worlds::FigureSpread;
use morta_stats::{Computed, StatsError};
use serde::{Deserialize, Serialize};

/// Sobol indices, i.e. shares of variance: of the mean over worlds with what luck adds taken out, and within a world, averaged over worlds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SobolFigures {
    /// First order: the key alone.
    pub first: Computed<FigureSpread>,
    /// Total: with everything it does together with others.
    pub total: Computed<FigureSpread>,
    /// Total less first order: what it does together with others.
    pub interaction: Computed<FigureSpread>,
    /// First order within a world.
    pub world_first: Computed<FigureSpread>,
    /// Total within a world.
    pub world_total: Computed<FigureSpread>,
    /// Total less first order within a world.
    pub world_interaction: Computed<FigureSpread>,
}

/// The second-order Sobol index of two keys: what they do together beyond what each does alone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PairSensitivity {
    /// One key.
    pub key: String,
    /// The other.
    pub with: String,
    /// The second-order index within a world, averaged over worlds.
    pub second: Computed<FigureSpread>,
}

impl SobolFigures {
    /// Whether the usual figures are those of the mean over worlds; false where only figures within a world are known, as with one world
    /// (estimate type): a check that the total index of the mean is known.
    pub(crate) fn is_of_mean(&self) -> bool {
        self.total.known().is_some()
    }

    /// The total index of the mean over worlds; that within a world where the former can't be computed, as with one world
    /// (total-order Sobol index).
    pub(crate) fn usual_total(&self) -> &Computed<FigureSpread> {
        if self.is_of_mean() { &self.total } else { &self.world_total }
    }

    /// The first-order index of the mean; within a world where that can't be computed (first-order Sobol index).
    pub(crate) fn usual_first(&self) -> &Computed<FigureSpread> {
        if self.is_of_mean() { &self.first } else { &self.world_first }
    }

    /// The interaction of the mean; within a world where that can't be computed (total minus first-order index).
    pub(crate) fn usual_interaction(&self) -> &Computed<FigureSpread> {
        if self.is_of_mean() { &self.interaction } else { &self.world_interaction }
    }
}

/// The rows of a key, and the means that are taken off the outputs first.
struct KeyRows {
    /// By base sample and world.
    rows: Vec<Vec<Option<SobolRow>>>,
    /// The mean of each world's outputs, and the mean of these.
    centres: Vec<f64>,
    centre: f64,
}

/// The figures of a key, and its effects (Sobol indices of one factor).
pub(crate) fn of_key(
    samples: &[BaseRow],
    axis: usize,
    outputs: &Outputs<'_>,
    bootstrap: &Bootstrap,
) -> (SobolFigures, Effects) {
    let of_sample = |sample: &BaseRow| -> Vec<Option<SobolRow>> {
        let row = |world| {
            let at = |point| outputs.at(point, world);
            Some(SobolRow { a: at(sample.a)?, b: at(sample.b)?, ab: at(sample.ab[axis])? })
        };
        (0..outputs.worlds).map(row).collect()
    };
    let rows: Vec<_> = samples.iter().map(of_sample).filter(|row| row.iter().any(Option::is_some)).collect();
    let effect = |row: &Vec<Option<SobolRow>>| row.iter().map(|row| row.map(|row| row.ab - row.a)).collect();
    let effects = rows.iter().map(effect).collect();
    let centres = centres(samples, outputs);
    let centre = average(centres.iter().copied()).unwrap_or(0.0);
    (KeyRows { rows, centres, centre }.figures(outputs.worlds, bootstrap), effects)
}

/// The mean of all outputs of each world.
fn centres(samples: &[BaseRow], outputs: &Outputs<'_>) -> Vec<f64> {
    let points = || {
        samples.iter().flat_map(|row| [row.a, row.b].into_iter().chain(row.ab.clone()).chain(row.ba.clone()))
    };
    let centre = |world| average(points().filter_map(|point| outputs.at(point, world)));
    (0..outputs.worlds).map(|world| centre(world).unwrap_or(0.0)).collect()
}

impl KeyRows {
    fn figures(&self, worlds: usize, bootstrap: &Bootstrap) -> SobolFigures {
        let first = |indices: Indices| indices.first;
        let total = |indices: Indices| indices.total;
        let together = |indices: Indices| indices.total - indices.first;
        let of_mean = |part: fn(Indices) -> f64| {
            self.known(
                &self.of_mean(&all(self.rows.len()), &all(worlds)),
                worlds,
                bootstrap,
                &|rows, worlds| self.of_mean(rows, worlds).ok().map(part),
            )
        };
        let in_world = |part: fn(Indices) -> f64| {
            self.known(
                &self.in_worlds(&all(self.rows.len()), &all(worlds)),
                worlds,
                bootstrap,
                &|rows, worlds| self.in_worlds(rows, worlds).ok().map(part),
            )
        };
        SobolFigures {
            first: of_mean(first),
            total: of_mean(total),
            interaction: of_mean(together),
            world_first: in_world(first),
            world_total: in_world(total),
            world_interaction: in_world(together),
        }
    }

    /// A figure with its errors, or why there is none.
    fn known(
        &self,
        whole: &Result<Indices, StatsError>,
        worlds: usize,
        bootstrap: &Bootstrap,
        statistic: &Statistic<'_>,
    ) -> Computed<FigureSpread> {
        match whole {
            Ok(_) => FigureSpread::by_resampling(self.rows.len(), worlds, bootstrap, statistic).into(),
            Err(error) => Err(error.clone()).into(),
        }
    }

    fn of_mean(&self, rows: &[usize], worlds: &[usize]) -> Result<Indices, StatsError> {
        let row = |row: &usize| -> Vec<SobolRow> {
            worlds.iter().filter_map(|world| self.rows[*row][*world]).collect()
        };
        let found: Vec<Vec<SobolRow>> = rows.iter().map(row).collect();
        if worlds.len() < 2 {
            return Err(StatsError::TooFew { subject: "worlds".to_owned(), found: worlds.len(), needed: 2 });
        }
        // A base sample that was lived in one world only has no spread over worlds, so luck couldn't be taken out of it.
        let found: Vec<Vec<SobolRow>> = found.into_iter().filter(|worlds| worlds.len() >= 2).collect();
        Indices::of_mean(&found, self.centre)
    }

    fn in_worlds(&self, rows: &[usize], worlds: &[usize]) -> Result<Indices, StatsError> {
        let mut found = Vec::new();
        let mut why = StatsError::TooFew { subject: "worlds".to_owned(), found: 0, needed: 1 };
        for world in worlds {
            let of_world: Vec<SobolRow> = rows.iter().filter_map(|row| self.rows[*row][*world]).collect();
            match Indices::from_rows(&of_world, self.centres[*world]) {
                Ok(indices) => found.push(indices),
                Err(error) => why = error,
            }
        }
        let mean = |part: fn(&Indices) -> f64| average(found.iter().map(part));
        let (first, total) = (mean(|one| one.first), mean(|one| one.total));
        first.zip(total).map(|(first, total)| Indices { first, total }).ok_or(why)
    }
}

fn all(count: usize) -> Vec<usize> {
    (0..count).collect()
}

/// All pairs of keys, those that do most together first; none where the design has no points for them (factor interactions).
pub(super) fn pairs(
    samples: &[BaseRow],
    axes: &[Axis],
    outputs: &Outputs<'_>,
    bootstrap: &Bootstrap,
) -> Vec<PairSensitivity> {
    if samples.iter().all(|row| row.ba.is_empty()) {
        return Vec::new();
    }
    let centres = centres(samples, outputs);
    let numbers = (0..axes.len()).flat_map(|one| (one + 1..axes.len()).map(move |other| (one, other)));
    let pair = |(one, other): (usize, usize)| {
        let of_sample = |sample: &BaseRow| -> Vec<Option<PairRow>> {
            let row = |world| {
                let at = |point| outputs.at(point, world);
                let (a, b) = (at(sample.a)?, at(sample.b)?);
                let (ab_j, ab_k, ba_j) = (at(sample.ab[one])?, at(sample.ab[other])?, at(sample.ba[one])?);
                Some(PairRow { a, b, ab_j, ab_k, ba_j })
            };
            (0..outputs.worlds).map(row).collect()
        };
        let rows: Vec<_> =
            samples.iter().map(of_sample).filter(|row| row.iter().any(Option::is_some)).collect();
        let second = FigureSpread::by_resampling(rows.len(), outputs.worlds, bootstrap, |picked, worlds| {
            let of_world = |world: &usize| {
                let found: Vec<PairRow> = picked.iter().filter_map(|row| rows[*row][*world]).collect();
                second_order(&found, centres[*world]).ok()
            };
            average(worlds.iter().filter_map(of_world))
        });
        PairSensitivity { key: axes[one].key.clone(), with: axes[other].key.clone(), second: second.into() }
    };
    let mut found: Vec<PairSensitivity> = numbers.map(pair).collect();
    let size = |pair: &PairSensitivity| pair.second.known().map_or(f64::NEG_INFINITY, |second| second.value);
    found.sort_by(|one, other| size(other).total_cmp(&size(one)));
    found
}
