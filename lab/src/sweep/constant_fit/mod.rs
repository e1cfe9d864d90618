//! `morta fit constant`: fits the policy of the memory `constant` to a market, the best list of strategies that are taken whenever they
//! speak. The result is a table for the scenario file; a scenario whose market differs from the fitted one refuses it.
//!
//! Signals of all worlds are paper-traded first, and lists searched by their outcomes: greedy forward selection, then hill climbing. Then
//! golems live by each list so found (none, one of each length, and those of the climbing) in the same worlds, and the one that earns most
//! R a golem-tick there is taken. Paper trades alone know neither balances nor deaths, and living by every list would take as many runs as
//! there are lists, times worlds. A world's outcomes depend on its seed alone and worlds are combined in the order of seeds, so the fit is
//! the same to the byte on any number of threads.
//!
//! It is policy search over constant policies: the best static baseline in hindsight.

mod lived;
mod table;

use crate::io::error::{At as _, Error, Result};
use crate::io::in_order::in_order;
use crate::run::laboratory::Laboratory;
use crate::run::scenario_file::{self, Overrides, Scenario};
use crate::sweep::sweep_run::CellWatch;
use lived::{Came, live};
use morta_base::{Usdc, WorldSeed};
use morta_engine::market::{MarketConfig, Strategy};
use morta_engine::memory::constant::paper::{Cell, CellMeans, PaperWalk, PaperWorld, finalists, means};
use morta_engine::memory::constant::{ConstantCell, ConstantConfig, digest};
use morta_stats::t_test::paired_t;
use serde::Serialize;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Most worlds of a fit (seed limit): the outcomes of all of them are held in memory.
pub(crate) const WORLDS_MAX: u64 = 1_000;
/// Keys of a scenario that say who lives in it, which a policy for everybody isn't fitted to; and an earlier policy, which a fit must not
/// start from.
const WITHOUT_COHORTS: [&str; 7] = [
    "cohorts=[{ name = \"constant\", golems = 1, memory = \"none\" }]",
    "memory.constant={}",
    "dream={ enabled = false }",
    "mortality.kills=[]",
    "faults=[]",
    "lethe={}",
    "llm={}",
];

/// A fit as a user asks for it (policy search request): the scenario file, overrides of its keys, and the seed range of the worlds.
#[derive(Clone, Debug)]
pub struct ConstantFitRequest {
    /// The scenario file.
    pub scenario: PathBuf,
    /// Keys of it that are changed before, `KEY=VALUE`.
    pub set: Vec<String>,
    /// Seeds of the worlds.
    pub seeds: RangeInclusive<u64>,
}

/// How it is fitted; none of it changes the result (policy search options): the number of jobs, a cancellation flag, and a watch of the
/// progress.
#[derive(Clone, Copy)]
pub struct ConstantFitOptions<'a> {
    /// Worlds at once, each on a thread of its own.
    pub jobs: usize,
    /// Ends it when it is set.
    pub stop: &'a AtomicBool,
    /// Hears of worlds as they are lived, for a line of progress.
    pub watch: &'a dyn CellWatch,
}

/// An evaluated policy that golems lived by: its list, and its average reward with a standard error.
#[derive(Clone, Debug, Serialize)]
pub struct LivedPolicy {
    /// The list, in the order of preference: asset and strategy.
    pub takes: Vec<(String, Strategy)>,
    /// R a golem-tick, mean over worlds.
    pub r_per_golem_tick: f64,
    /// Standard error of the mean.
    pub standard_error: f64,
    /// How far it lies below the best one, paired by world: the mean and its standard error; none of the best one itself.
    pub below_best: Option<(f64, f64)>,
}

/// The result of a fit: the best constant policy of a market.
#[derive(Clone, Debug, Serialize)]
pub struct FittedConstant {
    /// The table for the scenario file.
    #[serde(rename = "constant")]
    pub config: ConstantConfig,
    /// Earnings of golems with it in the worlds of the fit, R a golem-tick. They are a little too good, because the policy was chosen by
    /// these worlds.
    pub r_per_golem_tick: f64,
    /// Standard error of that, over worlds.
    pub standard_error: f64,
    /// All lists that golems lived by, the shortest first.
    pub policies: Vec<LivedPolicy>,
}

/// Fits a constant policy to a market, by a policy search with hill climbing.
///
/// # Errors
/// [`Error::Invalid`] when the scenario isn't valid or its recordings are too short, [`Error::Stopped`] when it was stopped.
pub fn fit_constant(
    request: &ConstantFitRequest,
    options: ConstantFitOptions<'_>,
    laboratory: &Laboratory,
) -> Result<FittedConstant> {
    let (first, last) = (*request.seeds.start(), *request.seeds.end());
    let worlds = last.saturating_sub(first).saturating_add(1);
    if first > last || !(2..=WORLDS_MAX).contains(&worlds) || last > i64::MAX as u64 {
        let line = format!("--worlds {first}..{last}: must be 2 to {WORLDS_MAX} seeds, the smaller first");
        return Err(Error::invalid(line));
    }
    let set = request.set.iter().cloned().chain(WITHOUT_COHORTS.map(str::to_owned)).collect();
    let loaded =
        scenario_file::load(&request.scenario, &Overrides { set, ..Overrides::default() }, laboratory)?;
    // Refuses recordings that are too short, whatever the seed.
    loaded.plan()?;
    let golem = &loaded.scenario.golem;
    let seeds: Vec<u64> = request.seeds.clone().collect();
    let paper = each(&seeds, options, |seed| {
        let walked = PaperWorld::walk(&PaperWalk {
            market: &loaded.scenario.market,
            seed: WorldSeed(*seed),
            bars: &loaded.bars,
            ticks: loaded.scenario.ticks,
            // The largest position that a newborn may take.
            stake: Usdc::from_dollars(golem.endowment_usdc).scaled(golem.max_position_share),
            max_cost_r: golem.max_cost_r,
            interval_ticks: golem.decision_interval_ticks,
        });
        walked.at(&request.scenario)
    })?;
    let cells = loaded.scenario.market.assets.len() * Strategy::COUNT;
    let means = means(&paper, cells);
    let lists = finalists(&paper, &means);
    drop(paper);
    let of_list = |list: &Vec<Cell>| table_of(&loaded, (first, last), list, &means);
    let tables: Vec<ConstantConfig> = lists.iter().map(of_list).collect();
    let cells: Vec<(usize, u64)> =
        (0..tables.len()).flat_map(|table| seeds.iter().map(move |seed| (table, *seed))).collect();
    let came = each(&cells, options, |(table, seed)| live(&loaded, &tables[*table], *seed))?;
    judged(tables, &came.chunks(seeds.len()).collect::<Vec<_>>())
}

/// Takes the table that golems earned most by, the shortest of several.
fn judged(tables: Vec<ConstantConfig>, came: &[&[Came]]) -> Result<FittedConstant> {
    let rates: Vec<Vec<f64>> = came.iter().map(|worlds| worlds.iter().map(Came::rate).collect()).collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let best = (0..tables.len()).fold(
        0,
        |best, own| {
            if mean(&rates[own]) > mean(&rates[best]) { own } else { best }
        },
    );
    let error = |values: &[f64]| {
        let found = paired_t(values, 0.95).map(|found| found.standard_error);
        // Equal differences have a standard error of 0, by which the test can't divide.
        found.unwrap_or(0.0)
    };
    let policy = |own: usize| {
        let less: Vec<f64> = rates[best].iter().zip(&rates[own]).map(|(best, own)| best - own).collect();
        LivedPolicy {
            takes: tables[own].taken().map(|cell| (cell.asset.clone(), cell.strategy)).collect(),
            r_per_golem_tick: mean(&rates[own]),
            standard_error: error(&rates[own]),
            below_best: (own != best).then(|| (mean(&less), error(&less))),
        }
    };
    let policies: Vec<LivedPolicy> = (0..tables.len()).map(policy).collect();
    let LivedPolicy { r_per_golem_tick, standard_error, .. } = policies[best];
    let config = tables.into_iter().nth(best).ok_or_else(|| Error::failed("no policy was lived by"))?;
    Ok(FittedConstant { config, r_per_golem_tick, standard_error, policies })
}

/// The table of a list: what it takes in its order, then every other cell that ever spoke.
fn table_of(
    loaded: &Scenario,
    (first_seed, last_seed): (u64, u64),
    list: &[Cell],
    means: &[CellMeans],
) -> ConstantConfig {
    let market: &MarketConfig = &loaded.scenario.market;
    let listed: BTreeSet<Cell> = list.iter().copied().collect();
    let others = (0..means.len()).filter(|cell| !listed.contains(cell) && means[*cell].trades > 0);
    let cell = |cell: Cell| ConstantCell {
        asset: market.assets[cell / Strategy::COUNT].symbol.clone(),
        strategy: Strategy::ALL[cell % Strategy::COUNT],
        takes: listed.contains(&cell),
        // As many digits as a reader can use: only the order of the list decides, and it doesn't depend on them.
        expected_r: (means[cell].mean_r * 1e4).round() / 1e4,
    };
    ConstantConfig {
        market: digest(market),
        first_seed,
        last_seed,
        cells: list.iter().copied().chain(others).map(cell).collect(),
    }
}

/// Calls a function for each of some worlds on threads, and returns the results in the order of worlds.
fn each<A: Sync, T: Send>(
    worlds: &[A],
    ConstantFitOptions { jobs, stop, watch }: ConstantFitOptions<'_>,
    work: impl Fn(&A) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    watch.begun(worlds.len() as u64, 0);
    let done = in_order(worlds.len(), (jobs, "world-"), stop, |place| {
        let came = work(&worlds[place]);
        watch.cell_ended(false);
        came
    });
    watch.over();
    done.map_err(|done| Error::stopped(format!("stopped after {done} of {} worlds", worlds.len())))?
        .into_iter()
        .collect()
}
