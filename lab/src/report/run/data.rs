//! A run's lives, and what its other tables add up to; read in one pass each.

use crate::report::rows::each;
use crate::run_folder::FinishedRun;
use crate::run_folder::tables::{Cast, LIVES};

/// A life, as far as a page needs it.
#[derive(Clone, Debug)]
pub struct Life {
    pub lineage: u64,
    pub generation: u64,
    pub golem: String,
    /// Place of its cohort.
    pub cohort: usize,
    pub born: u64,
    pub ended: u64,
    pub ticks: u64,
    /// Empty when it outlived the run.
    pub cause: String,
    pub trades: u64,
    pub total_r: f64,
    pub pnl_usdc: f64,
    pub endowment_usdc: f64,
    pub dreams: u64,
    pub costs: Costs,
}

/// What was paid, USDC.
#[derive(Clone, Copy, Debug, Default)]
pub struct Costs {
    pub compute: f64,
    pub inference: f64,
    pub gas: f64,
    pub lethe: f64,
}

/// Everybody's life, in the order of the table.
///
/// # Errors
/// When the table is missing or damaged.
pub fn lives(run: &FinishedRun) -> crate::Result<Vec<Life>> {
    const COLUMNS: [&str; 17] = [
        "lineage",
        "generation",
        "golem",
        "cohort_index",
        "born_tick",
        "ended_tick",
        "lifespan_ticks",
        "cause",
        "trades",
        "total_r",
        "pnl_usdc",
        "endowment_usdc",
        "dreams",
        "compute_paid_usdc",
        "inference_paid_usdc",
        "gas_paid_usdc",
        "lethe_paid_usdc",
    ];
    let mut lives = Vec::new();
    each(&run.path(LIVES), &COLUMNS, |row| {
        let sum = |column| row.float(column).unwrap_or(0.0);
        lives.push(Life {
            lineage: row.count(0),
            generation: row.count(1),
            golem: row.text(2).to_owned(),
            cohort: row.count(3) as usize,
            born: row.count(4),
            ended: row.count(5),
            ticks: row.count(6),
            cause: row.text(7).to_owned(),
            trades: row.count(8),
            total_r: sum(9),
            pnl_usdc: sum(10),
            endowment_usdc: sum(11),
            dreams: row.count(12),
            costs: Costs { compute: sum(13), inference: sum(14), gas: sum(15), lethe: sum(16) },
        });
    })?;
    Ok(lives)
}

/// Sums of R and numbers of trades by stretch of time, for each cohort.
pub struct Learning {
    pub stretches: Vec<Vec<(f64, u64)>>,
}

/// How many stretches a run is divided into, if it has as many ticks.
pub const STRETCHES: u64 = 30;

/// First tick of a stretch.
pub fn first_tick(ticks: u64, stretch: u64) -> u64 {
    let stretches = STRETCHES.clamp(1, ticks.max(1));
    (u128::from(ticks) * u128::from(stretch)).div_ceil(u128::from(stretches)) as u64
}

/// Adds up the trades.
///
/// # Errors
/// When the table is missing or damaged.
pub fn learning(run: &FinishedRun, cast: &Cast) -> crate::Result<Learning> {
    let ticks = run.manifest.ticks.max(1);
    let number = STRETCHES.clamp(1, ticks);
    let names: Vec<&str> = cast.cohorts().iter().map(|cohort| cohort.name.as_str()).collect();
    let mut stretches = vec![vec![(0.0, 0); number as usize]; names.len()];
    each(&run.path("trades.parquet"), &["cohort", "closed_tick", "realised_r"], |row| {
        let Some(cohort) = names.iter().position(|name| *name == row.text(0)) else { return };
        let stretch = u128::from(row.count(1)) * u128::from(number) / u128::from(ticks);
        let (sum, trades) = &mut stretches[cohort][(stretch as usize).min(number as usize - 1)];
        *sum += row.float(2).unwrap_or(0.0);
        *trades += 1;
    })?;
    Ok(Learning { stretches })
}

/// A moment of the whole world.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    pub tick: u64,
    pub purses_usdc: f64,
    /// All that golems have paid so far.
    pub paid: Costs,
}

/// Moments that are drawn, at most, and the last one.
const MOMENTS_MAX: u64 = 400;

/// The world over time.
///
/// # Errors
/// When the table is missing or damaged.
pub fn moments(run: &FinishedRun) -> crate::Result<Vec<Moment>> {
    let ticks = run.manifest.ticks;
    let every = ticks.div_ceil(MOMENTS_MAX).max(1);
    let wanted = [
        "tick",
        "purses_usdc",
        "compute_paid_usdc",
        "inference_paid_usdc",
        "gas_paid_usdc",
        "lethe_paid_usdc",
    ];
    let mut moments = Vec::new();
    each(&run.path("ticks.parquet"), &wanted, |row| {
        let tick = row.count(0);
        if tick % every == 0 || tick + 1 == ticks {
            let sum = |column| row.float(column).unwrap_or(0.0);
            let paid = Costs { compute: sum(2), inference: sum(3), gas: sum(4), lethe: sum(5) };
            moments.push(Moment { tick, purses_usdc: sum(1), paid });
        }
    })?;
    Ok(moments)
}

/// Dreams of a cohort.
#[derive(Clone, Copy, Debug, Default)]
pub struct DreamSums {
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
    /// Mean quality of those that were judged, 0 to 1.
    pub fn quality(&self) -> Option<f64> {
        (self.judged > 0).then(|| self.quality / self.judged as f64)
    }
}

/// Dreams by cohort.
///
/// # Errors
/// When the table is missing or damaged.
pub fn dreams(run: &FinishedRun, cast: &Cast) -> crate::Result<Vec<DreamSums>> {
    let mut sums = vec![DreamSums::default(); cast.cohorts().len()];
    let wanted =
        ["cohort", "outcome", "episodes_replayed", "inference_calls", "cost_usdc", "wasted_usdc", "quality"];
    each(&run.path("dreams.parquet"), &wanted, |row| {
        let cohort = cast.cohorts().iter().position(|cohort| cohort.name == row.text(0));
        let Some(of) = cohort.map(|cohort| &mut sums[cohort]) else { return };
        match row.text(1) {
            "completed" => of.completed += 1,
            "interrupted" => of.broken_off += 1,
            _ => of.unfinished += 1,
        }
        of.replayed += row.count(2);
        of.calls += row.count(3);
        of.cost_usdc += row.float(4).unwrap_or(0.0);
        of.wasted_usdc += row.float(5).unwrap_or(0.0);
        if let Some(quality) = row.float(6) {
            of.quality += quality;
            of.judged += 1;
        }
    })?;
    Ok(sums)
}
