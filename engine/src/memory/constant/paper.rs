//! Fixed policies on paper: which of them earn most a tick in given worlds.
//!
//! There are far too many lists to live through all of them. So signals are paper-traded once, world by world, and lists are evaluated on
//! the results: whenever free, the first of the list that signals is taken, and it occupies its holder until it is over. A golem does the
//! same, but for the drift of prices between decision and fill. So golems then live through the best lists of each length, and their
//! results decide. `morta fit constant` uses this, on worlds by seeds of its own (101 to 140 by default), so that a comparison in others is
//! out of sample. Results are in R net of costs, times in ticks. It is policy search by greedy forward selection and local search (hill
//! climbing) on backtests.

use crate::market::truth::walk::{Walk, WalkOutcome};
use crate::market::{Bar, Impact, MarketConfig, MarketError, MarketState, Strategy};
use morta_base::{Tick, Usdc, WorldSeed};

/// Length of the embedding: it isn't read, so it is short.
const SHORT_EMBEDDING: u32 = 16;
/// Longest list that is tried. Measured on the shipped markets: lists stop gaining after six or fewer.
const LENGTH_MAX: usize = 12;
/// Least gain of a longer or other list, in R a tick: less is rounding, not money.
const GAIN_MIN: f64 = 1e-9;

/// A strategy of an asset as a flat index: the asset's index times the number of strategies, plus the strategy's.
pub type Cell = usize;

/// A backtest data set of one world: the offers (signals traded on paper), tick by tick.
#[derive(Clone, Debug)]
pub struct PaperWorld {
    ticks: Tick,
    /// Ticks between two decisions.
    interval: Tick,
    /// In the order of time; of one tick in that of cells.
    offers: Vec<Offer>,
    /// The first offer at or after each tick.
    from: Vec<u32>,
}

/// The result of one signal.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Offer {
    tick: Tick,
    cell: Cell,
    r_multiple: f64,
    ticks_held: u32,
}

/// Mean reward and count of a bandit arm: the mean of all trades of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CellMeans {
    /// Number of signals.
    pub trades: u64,
    /// R of a trade, net of costs.
    pub mean_r: f64,
    /// Ticks it is held.
    pub mean_ticks: f64,
}

impl CellMeans {
    /// R a tick, with the tick that its orders take.
    fn rate(&self) -> f64 {
        self.mean_r / (self.mean_ticks + 1.0)
    }
}

/// A simulation request: a world to walk through for the backtest, with the costs that golems pay there.
#[derive(Clone, Copy, Debug)]
pub struct PaperWalk<'a> {
    /// The market.
    pub market: &'a MarketConfig,
    /// The seed of the world.
    pub seed: WorldSeed,
    /// Bars of replayed assets.
    pub bars: &'a [Vec<Bar>],
    /// Ticks to walk.
    pub ticks: Tick,
    /// Stake whose costs are taken.
    pub stake: Usdc,
    /// Most that a round trip may cost, in R.
    pub max_cost_r: f64,
    /// Ticks between two decisions; at least 1.
    pub interval_ticks: Tick,
}

impl PaperWorld {
    /// Generates the backtest data set: paper-trades every signal, except those that cost more than golems pay.
    ///
    /// # Errors
    /// When the market can't be made.
    pub fn walk(walk: &PaperWalk<'_>) -> Result<Self, MarketError> {
        let PaperWalk { market, seed, bars, ticks, stake, max_cost_r, interval_ticks } = *walk;
        let config = MarketConfig {
            impact: Impact::PriceTaker,
            embedding_dimensions: SHORT_EMBEDDING,
            ..market.clone()
        };
        let mut market = MarketState::new(&config, seed, bars.to_vec())?;
        let mut walks: Vec<Walk<()>> = config.assets.iter().map(|_| Walk::new()).collect();
        for tick in 0..ticks {
            for (asset, walk) in (0..).zip(&mut walks) {
                walk.visit(&market, asset, stake, |_, _, _| ());
            }
            if tick + 1 < ticks {
                market.step(&[]);
            }
        }
        let mut offers = Vec::new();
        for (asset, walk) in walks.into_iter().enumerate() {
            let payable = |outcome: &WalkOutcome<()>| outcome.cost_r <= max_cost_r;
            offers.extend(walk.finish().into_iter().filter(payable).map(|outcome| Offer {
                tick: outcome.tick,
                cell: asset * Strategy::COUNT + outcome.strategy.index(),
                r_multiple: outcome.r_multiple,
                ticks_held: outcome.ticks_held,
            }));
        }
        Ok(Self::of_offers(offers, ticks, interval_ticks))
    }

    fn of_offers(mut offers: Vec<Offer>, ticks: Tick, interval: Tick) -> Self {
        offers.sort_by_key(|offer| (offer.tick, offer.cell));
        let from = (0..=ticks).map(|tick| offers.partition_point(|offer| offer.tick < tick) as u32).collect();
        Self { ticks, interval, offers, from }
    }

    /// R that a list earns.
    fn earned(&self, list: &[Cell]) -> f64 {
        let (mut tick, mut sum) = (0, 0.0);
        while tick < self.ticks {
            let speaking =
                &self.offers[self.from[tick as usize] as usize..self.from[tick as usize + 1] as usize];
            let first = list.iter().find_map(|cell| speaking.iter().find(|offer| offer.cell == *cell));
            // The order goes out at one barrier and its fill comes in at the next tick.
            let busy = first.map_or(1, |offer| u64::from(offer.ticks_held) + 1);
            sum += first.map_or(0.0, |offer| offer.r_multiple);
            tick = (tick + busy).next_multiple_of(self.interval);
        }
        sum
    }
}

/// Averages the results of trades by cell, the mean rewards of all arms: R net of costs and ticks held.
pub fn means(worlds: &[PaperWorld], cells: usize) -> Vec<CellMeans> {
    let mut sums = vec![CellMeans::default(); cells];
    for offer in worlds.iter().flat_map(|world| &world.offers) {
        let sum = &mut sums[offer.cell];
        sum.trades += 1;
        sum.mean_r += offer.r_multiple;
        sum.mean_ticks += f64::from(offer.ticks_held);
    }
    for sum in sums.iter_mut().filter(|sum| sum.trades > 0) {
        sum.mean_r /= sum.trades as f64;
        sum.mean_ticks /= sum.trades as f64;
    }
    sums
}

/// The reward rate of a policy: average R a tick of a list over all worlds.
pub fn rate(worlds: &[PaperWorld], list: &[Cell]) -> f64 {
    let ticks: Tick = worlds.iter().map(|world| world.ticks).sum();
    worlds.iter().map(|world| world.earned(list)).sum::<f64>() / ticks.max(1) as f64
}

/// Searches greedily for the best lists of strategies, and returns them, shortest first: the empty one, which stays out; each list with one
/// more cell, the one and the place by which it gains most (greedy forward selection); and the results of a local search, from the longest
/// of these and from all cells that pay by themselves in the order of R a tick, in which cells are moved, left out, added or replaced as
/// long as that gains (hill climbing). Forward selection alone stops where a quick trade leaves no room for slower ones that would earn
/// more together.
pub fn finalists(worlds: &[PaperWorld], means: &[CellMeans]) -> Vec<Vec<Cell>> {
    let cells = means.len();
    let mut lists: Vec<Vec<Cell>> = vec![Vec::new()];
    let mut best = (Vec::new(), 0.0);
    while best.0.len() < LENGTH_MAX {
        let Some(longer) = better(worlds, &best, with_one_more(&best.0, cells)) else { break };
        best = longer;
        lists.push(best.0.clone());
    }
    let mut paying: Vec<Cell> = (0..cells).filter(|cell| means[*cell].mean_r > 0.0).collect();
    paying.sort_by(|a, b| means[*b].rate().total_cmp(&means[*a].rate()));
    paying.truncate(LENGTH_MAX);
    let of_paying = rate(worlds, &paying);
    for mut best in [best, (paying, of_paying)] {
        while let Some(other) = better(worlds, &best, neighbours(&best.0, cells)) {
            best = other;
        }
        if !lists.contains(&best.0) {
            lists.push(best.0);
        }
    }
    lists
}

/// The best of some lists, if it is better than the present one.
fn better(
    worlds: &[PaperWorld],
    than: &(Vec<Cell>, f64),
    lists: impl Iterator<Item = Vec<Cell>>,
) -> Option<(Vec<Cell>, f64)> {
    let mut best: Option<(Vec<Cell>, f64)> = None;
    for list in lists {
        let rate = rate(worlds, &list);
        if rate > best.as_ref().map_or(than.1, |best| best.1) + GAIN_MIN {
            best = Some((list, rate));
        }
    }
    best
}

fn with_one_more(list: &[Cell], cells: usize) -> impl Iterator<Item = Vec<Cell>> {
    (0..cells).filter(|cell| !list.contains(cell)).flat_map(move |cell| {
        (0..=list.len()).map(move |place| {
            let mut list = list.to_vec();
            list.insert(place, cell);
            list
        })
    })
}

/// Neighbours of a list: without a cell, with it elsewhere, with another in its place, or with one more.
fn neighbours(list: &[Cell], cells: usize) -> impl Iterator<Item = Vec<Cell>> {
    let without = |place: usize| {
        let mut list = list.to_vec();
        let cell = list.remove(place);
        (list, cell)
    };
    let shorter = (0..list.len()).map(move |place| without(place).0);
    let moved = (0..list.len()).flat_map(move |place| {
        let (rest, cell) = without(place);
        (0..=rest.len()).map(move |to| {
            let mut list = rest.clone();
            list.insert(to, cell);
            list
        })
    });
    let replaced = (0..list.len()).flat_map(move |place| {
        (0..cells).filter(|cell| !list.contains(cell)).map(move |cell| {
            let mut list = list.to_vec();
            list[place] = cell;
            list
        })
    });
    let longer = with_one_more(list, cells).filter(|list| list.len() <= LENGTH_MAX);
    shorter.chain(moved).chain(replaced).chain(longer)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Cell = 0;
    const LARGE: Cell = 1;
    const LOSS: Cell = 2;

    /// Every tenth tick a trade of .5 R in 4 ticks and one of 1 R in 8 speak together, and at the tick after a loss; the small one speaks
    /// at the fifth tick as well, when it makes .1.
    fn world() -> PaperWorld {
        let offer = |tick, cell, r_multiple, ticks_held| Offer { tick, cell, r_multiple, ticks_held };
        let offers = (0..10).flat_map(|nth| {
            let tick = 10 * nth;
            [
                offer(tick, SMALL, 0.5, 4),
                offer(tick, LARGE, 1.0, 8),
                offer(tick + 1, LOSS, -1.0, 2),
                offer(tick + 5, SMALL, 0.1, 4),
            ]
        });
        PaperWorld::of_offers(offers.collect(), 100, 1)
    }

    /// By hand: the small one alone makes .6 in ten ticks, the large one 1.0, both with the small one first .6, and the other
    /// way round 1.0.
    #[test]
    fn the_first_that_speaks_is_taken_and_time_passes_by_it() {
        let worlds = [world()];
        for (list, expected) in [
            (vec![], 0.0),
            (vec![SMALL], 0.06),
            (vec![LARGE], 0.1),
            (vec![SMALL, LARGE], 0.06),
            (vec![LARGE, SMALL], 0.1),
            (vec![LOSS], -0.1),
            (vec![LOSS, LARGE], 0.1),
        ] {
            let found = rate(&worlds, &list);
            assert!((found - expected).abs() < 1e-12, "{list:?}: {found}");
        }
        let means = means(&worlds, 4);
        assert_eq!((means[LARGE].trades, means[LARGE].mean_r), (10, 1.0));
        assert!((means[SMALL].mean_r - 0.3).abs() < 1e-12);
        assert_eq!(means[3], CellMeans::default());
    }

    /// Golems that decide every eighth tick meet the small trade at 0, 40 and 80 and its weak half at none.
    #[test]
    fn decisions_come_at_intervals() {
        let PaperWorld { offers, .. } = world();
        let worlds = [PaperWorld::of_offers(offers, 100, 8)];
        assert!((rate(&worlds, &[SMALL]) - (3.0 * 0.5) / 100.0).abs() < 1e-12, "{}", rate(&worlds, &[SMALL]));
    }

    /// The large trade is the best by itself; the small one pays too and adds nothing to it; no list has the losing one.
    #[test]
    fn the_search_finds_the_best_list_and_leaves_losses_out() {
        let worlds = [world()];
        assert_eq!(finalists(&worlds, &means(&worlds, 3)), [vec![], vec![LARGE], vec![LARGE, SMALL]]);
    }
}
