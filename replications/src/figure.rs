//! Measured figures with their 95 % confidence intervals over seeds or mazes, compared with published ones, in the unit of the published
//! figure. A figure is inside if its interval overlaps the tolerance that was registered; a figure without a published value has no
//! verdict. Seeds of one maze are averaged first, except for `first_lap_below` and `updates`, which take single seeds. Means have Student's
//! interval, the median of `updates` that of its order statistics, and `first_lap_below` a bootstrap percentile interval. Intervals are not
//! corrected for the number of figures. A figure has a field for its source, so that it can be looked up.

use crate::life::Life;
use crate::registered::{Cell, FigureConfig, Measure, Outcome, Registered};
use morta_base::quantile::quantile;
use morta_base::{Purpose, WorldSeed};
use morta_stats::median::median;
use morta_stats::t_test::paired_t;
use serde::Serialize;

/// Level of all intervals of figures.
pub const LEVEL: f64 = 0.95;
/// Number of resamples for the one figure that is neither a mean nor a median.
const RESAMPLES: u64 = 1_000;

/// A point estimate with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Lower end of the interval; the value itself if all seeds agree.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// Number of seeds, or of mazes if the seeds of a maze are averaged.
    pub seeds: usize,
}

/// A row of the comparison table: the published figure, ours, and whether they agree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The world.
    pub world: String,
    /// The arm.
    pub arm: String,
    /// The measure in words.
    pub measure: String,
    /// What was published, if anything was.
    pub published: Option<f64>,
    /// The place of the publication, or the code by which the figure was found.
    pub from: String,
    /// The tolerance: figures from the first to the second are inside.
    pub range: Option<[f64; 2]>,
    /// Our figure; `None` if no seed has one.
    pub ours: Option<Estimate>,
    /// Whether our interval overlaps the tolerance; `None` if nothing was published.
    pub inside: Option<bool>,
    /// A remark.
    pub note: String,
}

/// Estimates the mean with Student's confidence interval; its width is 0 if the values are equal; `None` without values. The report's
/// learning curves are drawn by it too.
pub fn mean(values: &[f64]) -> Option<Estimate> {
    let first = *values.first()?;
    let seeds = values.len();
    Some(match paired_t(values, LEVEL) {
        Ok(test) => {
            Estimate { value: test.difference, low: test.interval.low, high: test.interval.high, seeds }
        }
        Err(_) => Estimate { value: first, low: first, high: first, seeds },
    })
}

/// Estimates the median with the confidence interval of its order statistics; the whole range if there are too few seeds. The report's plot
/// of cliffs uses it too.
pub fn middle(values: &[f64]) -> Option<Estimate> {
    let mut sorted = values.to_vec();
    let value = quantile(&mut sorted, 0.5)?;
    let (low, high) = match median(values, LEVEL) {
        Ok(found) => (found.interval.low, found.interval.high),
        Err(_) => (sorted[0], sorted[sorted.len() - 1]),
    };
    Some(Estimate { value, low, high, seeds: values.len() })
}

/// The first lap, from 1, whose mean number of steps is below `below`, with the percentile interval of resampled seeds; the number of laps plus one
/// if there is none.
fn first_below(lives: &[&Life], below: f64) -> Option<Estimate> {
    let laps = lives.first()?.steps.len();
    let first = |chosen: &[usize]| {
        let mean = |lap: usize| {
            chosen.iter().map(|&life| f64::from(lives[life].steps[lap])).sum::<f64>() / chosen.len() as f64
        };
        (0..laps).find(|lap| mean(*lap) < below).unwrap_or(laps) as f64 + 1.0
    };
    let resampled = |draw: u64| {
        let mut stream = WorldSeed::CONTROL.world(Purpose::Bootstrap, 0, draw);
        first(&lives.iter().map(|_| stream.below(lives.len())).collect::<Vec<usize>>())
    };
    let value = first(&(0..lives.len()).collect::<Vec<usize>>());
    let mut all: Vec<f64> = (0..RESAMPLES).map(resampled).collect();
    let mut end = |p| quantile(&mut all, p).expect("there are resamples");
    Some(Estimate {
        value,
        low: end((1.0 - LEVEL) / 2.0),
        high: end((1.0 + LEVEL) / 2.0),
        seeds: lives.len(),
    })
}

/// A figure's value over the units of its arm and world, in the order of seeds.
fn estimate(figure: &FigureConfig, units: &[Vec<&Outcome>]) -> Option<Estimate> {
    let of_units = |value: &dyn Fn(&Life) -> Option<f64>| {
        let of_unit = |unit: &Vec<&Outcome>| {
            let values: Vec<f64> = unit.iter().filter_map(|outcome| value(outcome.life()?)).collect();
            morta_base::moments::mean(&values)
        };
        mean(&units.iter().filter_map(of_unit).collect::<Vec<f64>>())
    };
    let per_lap = |run: usize| of_units(&|life| Some(f64::from(life.runs[run]) / life.steps.len() as f64));
    let counted = |life: &Life| life.steps.len().saturating_sub(life.laps_before as usize).max(1) as f64;
    match figure.measure {
        Measure::ForwardAtStart => per_lap(0),
        Measure::ForwardAtGoal => per_lap(1),
        Measure::ReverseAtStart => per_lap(2),
        Measure::ReverseAtGoal => per_lap(3),
        Measure::StepsInLap => {
            let lap = figure.lap.map_or(0, |lap| lap as usize - 1);
            of_units(&|life| Some(f64::from(life.steps[lap])))
        }
        Measure::StepsPerLap => of_units(&|life| {
            let steps = life.steps.iter().skip(life.laps_before as usize);
            Some(steps.map(|steps| f64::from(*steps)).sum::<f64>() / counted(life))
        }),
        Measure::Deaths => of_units(&|life| Some(100.0 * life.deaths_counted()? as f64 / counted(life))),
        Measure::FirstLapBelow => {
            let lives: Vec<&Life> = units.iter().flatten().filter_map(|outcome| outcome.life()).collect();
            first_below(&lives, figure.below.unwrap_or_default())
        }
        Measure::Agreement => of_units(&|life| morta_base::moments::mean(&life.agreements)),
        Measure::Updates => {
            let updates = units.iter().flatten().filter_map(|outcome| outcome.updates());
            middle(&updates.collect::<Vec<f64>>())
        }
    }
}

fn in_words(figure: &FigureConfig) -> String {
    let words = figure.measure.name().replace('_', " ");
    match (figure.lap, figure.below) {
        _ if figure.measure == Measure::Deaths => "deaths in 100 laps".to_owned(),
        (Some(lap), _) => format!("steps in lap {lap}"),
        (_, Some(below)) => format!("first lap below {below} steps"),
        _ => words,
    }
}

/// Computes all figures of a file in its order, as a comparison table; `outcomes[i]` belongs to `cells[i]`.
pub fn rows(file: &Registered, cells: &[Cell], outcomes: &[Outcome]) -> Vec<Row> {
    let mut rows = Vec::new();
    for (arm, config) in file.arms.iter().enumerate() {
        for figure in &config.figures {
            let world = file.world_of(figure).expect("the file was checked");
            let ours = estimate(figure, &file.units((world, arm), cells, outcomes));
            let overlaps = |ours: Estimate, [low, high]: [f64; 2]| ours.low <= high && ours.high >= low;
            rows.push(Row {
                world: file.worlds[world].name.clone(),
                arm: config.name.clone(),
                measure: in_words(figure),
                published: figure.published,
                from: figure.from.clone(),
                range: figure.range,
                ours,
                inside: ours.zip(figure.range).map(|(ours, range)| overlaps(ours, range)),
                note: figure.note.clone(),
            });
        }
    }
    rows
}
