//! A run's lives, and sums of its other tables. This is aggregation for the page of a run. Each table is read in one pass and only lives
//! are kept whole, because a run may have millions of rows. Money is USDC, results are R, times are ticks; a mean over nothing is `None`
//! and never 0. Trades count in the stretch in which they closed.

use crate::io::error::Result;
use crate::io::table::selection;
use crate::run::run_folder::tables::Cast;
use crate::run::run_folder::{Dream, FinishedRun, TickRow, Trade};

selection! {
    /// A life, as far as a page needs it: columns of the lives table (life table row, column projection).
    pub(crate) struct LifeRow of crate::run::run_folder::Life {
        pub lineage: u32,
        pub generation: u32,
        pub golem: String,
        /// Place of its cohort.
        pub cohort_index: u16,
        pub born_tick: u64,
        pub ended_tick: u64,
        pub lifespan_ticks: u64,
        /// None when it outlived the run.
        pub cause: Option<String>,
        pub trades: u32,
        pub total_r: f64,
        pub pnl_usdc: f64,
        pub endowment_usdc: f64,
        pub dreams: u32,
        pub compute_paid_usdc: f64,
        pub inference_paid_usdc: f64,
        pub gas_paid_usdc: f64,
        pub lethe_paid_usdc: f64,
    }
}

/// Everybody's life, in the order of the table (life table rows).
///
/// # Errors
/// When the table is missing or damaged.
pub(super) fn lives(run: &FinishedRun) -> Result<Vec<LifeRow>> {
    run.rows::<LifeRow>()?.all()
}

selection! {
    struct TradeMade of Trade {
        cohort: String,
        closed_tick: u64,
        realised_r: f64,
    }
}

/// Stretches (time bins) that a run is divided into, if it has as many ticks. Our choice: a curve of thirty points is smooth, and each
/// point still rests on many trades.
pub(crate) const STRETCHES: u64 = 30;

/// The first tick of a time bin, by its number from 0.
pub(super) fn first_tick(ticks: u64, stretch: u64) -> u64 {
    let stretches = STRETCHES.clamp(1, ticks.max(1));
    // In 128 bits, because a manifest may claim any number of ticks; rounded up, so that it agrees with the stretch that `learning` puts a tick in.
    (u128::from(ticks) * u128::from(stretch)).div_ceil(u128::from(stretches)) as u64
}

/// Adds up the trades: sums of R and their numbers by stretch of time, for each cohort (learning curve aggregation).
///
/// # Errors
/// When the table is missing or damaged.
pub(super) fn learning(run: &FinishedRun, cast: &Cast) -> Result<Vec<Vec<(f64, u64)>>> {
    let ticks = run.manifest.ticks.max(1);
    let number = STRETCHES.clamp(1, ticks);
    let names: Vec<&str> = cast.cohorts().iter().map(|cohort| cohort.name.as_str()).collect();
    let mut stretches = vec![vec![(0.0, 0); number as usize]; names.len()];
    for trade in run.rows::<TradeMade>()? {
        let trade = trade?;
        let Some(cohort) = names.iter().position(|name| *name == trade.cohort) else { continue };
        let stretch = u128::from(trade.closed_tick) * u128::from(number) / u128::from(ticks);
        let (sum, trades) = &mut stretches[cohort][(stretch as usize).min(number as usize - 1)];
        *sum += trade.realised_r;
        *trades += 1;
    }
    Ok(stretches)
}

selection! {
    /// A moment of the whole world: balances, and all that golems have paid so far (time series sample).
    pub(crate) struct WorldMoment of TickRow {
        pub tick: u64,
        pub purses_usdc: f64,
        pub compute_paid_usdc: f64,
        pub inference_paid_usdc: f64,
        pub gas_paid_usdc: f64,
        pub lethe_paid_usdc: f64,
    }
}

/// Moments that are drawn, at most, and the last one (our choice: about one in two pixels, so more would not be seen).
const MOMENTS_MAX: u64 = 400;

/// The world over time (population time series).
///
/// # Errors
/// When the table is missing or damaged.
pub(super) fn moments(run: &FinishedRun) -> Result<Vec<WorldMoment>> {
    let ticks = run.manifest.ticks;
    let every = ticks.div_ceil(MOMENTS_MAX).max(1);
    let mut moments = Vec::new();
    for then in run.rows::<WorldMoment>()? {
        let then = then?;
        if then.tick % every == 0 || then.tick + 1 == ticks {
            moments.push(then);
        }
    }
    Ok(moments)
}

/// Running totals of a cohort's dreams: counts and costs, by outcome.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DreamSums {
    pub completed: u64,
    pub broken_off: u64,
    pub unfinished: u64,
    pub replayed: u64,
    pub calls: u64,
    pub cost_usdc: f64,
    pub wasted_usdc: f64,
    quality: f64,
    judged: u64,
}

impl DreamSums {
    /// The mean quality of the dreams that were judged, 0 to 1; none where none was.
    pub(super) fn quality(&self) -> Option<f64> {
        (self.judged > 0).then(|| self.quality / self.judged as f64)
    }
}

selection! {
    struct DreamEnded of Dream {
        cohort: String,
        outcome: String,
        episodes_replayed: Option<u32>,
        inference_calls: Option<u32>,
        cost_usdc: Option<f64>,
        wasted_usdc: Option<f64>,
        quality: Option<f64>,
    }
}

/// Dreams by cohort (dream statistics by cohort).
///
/// # Errors
/// When the table is missing or damaged.
pub(super) fn dreams(run: &FinishedRun, cast: &Cast) -> Result<Vec<DreamSums>> {
    let mut sums = vec![DreamSums::default(); cast.cohorts().len()];
    for dream in run.rows::<DreamEnded>()? {
        let dream = dream?;
        let cohort = cast.cohorts().iter().position(|cohort| cohort.name == dream.cohort);
        let Some(of) = cohort.map(|cohort| &mut sums[cohort]) else { continue };
        match dream.outcome.as_str() {
            "completed" => of.completed += 1,
            "interrupted" => of.broken_off += 1,
            _ => of.unfinished += 1,
        }
        of.replayed += u64::from(dream.episodes_replayed.unwrap_or(0));
        of.calls += u64::from(dream.inference_calls.unwrap_or(0));
        of.cost_usdc += dream.cost_usdc.unwrap_or(0.0);
        of.wasted_usdc += dream.wasted_usdc.unwrap_or(0.0);
        if let Some(quality) = dream.quality {
            of.quality += quality;
            of.judged += 1;
        }
    }
    Ok(sums)
}
