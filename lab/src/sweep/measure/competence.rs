//! Four competences of a memory, by the names of MemoryAgentBench (Hu, Wang and McAuley 2025): accurate retrieval, test-time learning,
//! long-range understanding and selective forgetting, each as what it is worth in R per tick of a golem's time (learning as its rise with
//! each trade, unlearning in ticks). All figures are signed; those that are missing have nothing to compare.
//!
//! A trade belongs to the *true* regime of its asset when the golem decided, which the golem need not have read rightly: by the regime as
//! read, a memory that reads badly would be measured in circumstances of its own making. A **visit** is a run of trades of one life in one
//! regime of one asset; its first [`FIRST_TRADES`] count. The time of a trade goes from the close of the trade before it
//! (or the first decision of the life) to its own close, so that waiting counts.
//!
//! It is a memory benchmark for agents in a non-stationary environment. Its figures are measures of the catalogue and the profile of a
//! sweep; none of them acts on golems. A change of law is one of the market's law, or a shock that begins another regime (`law.rs`).

use super::law::LawChange;
use morta_base::{GolemId, Tick};
use morta_engine::episode::Episode;
use morta_engine::market::Regime;
use std::collections::BTreeMap;

/// Trades at the beginning of a visit that measure what was known when it began. Our choice, because one trade alone would be luck, and
/// later ones profit from what was learned in the visit.
const FIRST_TRADES: u32 = 5;
/// Trades of a life over which its learning is followed. Our choice, because learning levels off, and a line over a whole life would
/// measure how long it was.
const LEARNING_TRADES: u32 = 50;
/// Share of the run after which a regime that was last lived in the same life counts as long ago. Our choice: it is a share and no number
/// of ticks, because in longer runs every visit would become one of long ago.
const LONG_AGO_SHARE: f64 = 0.1;
/// Stretches in which gains are kept, to be divided by changes of law that may come at any tick. Our choice: a change is then placed to 0.2
/// % of the run, and a cohort keeps tens of kilobytes instead of every trade.
const STRETCHES: usize = 512;

/// The reward rate of some trades: their gain, R, and the time they took, ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rate {
    r: f64,
    ticks: f64,
}

impl Rate {
    fn take(&mut self, r: f64, ticks: f64) {
        self.r += r;
        self.ticks += ticks;
    }

    /// The average reward, R per tick; `None` without any time.
    pub(super) fn value(self) -> Option<f64> {
        (self.ticks > 0.0).then(|| self.r / self.ticks)
    }

    fn less(self, other: Self) -> Option<f64> {
        Some(self.value()? - other.value()?)
    }
}

/// A place to trade: the asset and its true regime.
type Spot = (usize, Regime);

/// What a visit is to the golem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Familiar {
    /// The first visit of the life; it has no earlier place to be compared with.
    Newborn,
    /// Neither in this life nor, as far as the run was recorded, in an earlier one of its lineage.
    Never,
    /// In an earlier life of its lineage only.
    Inherited,
    /// In this life; whether long ago.
    Lived { long_ago: bool },
}

/// The state of a lineage that is followed.
#[derive(Clone, Debug, Default)]
struct Trail {
    generation: u32,
    /// Trades of the present life.
    trades: u32,
    /// When the last of them closed; at first the first decision.
    closed: Tick,
    visit: Option<(Spot, Familiar)>,
    /// Trades of the present visit.
    of_visit: u32,
    /// When, and in which generation, each spot was last traded in.
    visits: BTreeMap<Spot, (Tick, u32)>,
}

/// R and time by regime in one stretch of the run.
type Stretch = [Rate; Regime::COUNT];

/// Measures the memory competences of a cohort by following its trades.
#[derive(Clone, Debug, Default)]
pub struct Competence {
    run_ticks: Tick,
    /// By lineage.
    trails: BTreeMap<u32, Trail>,
    /// The first trades of visits: to places new to the lineage, to those lived in before in the same life, and of the latter those of long
    /// ago, with those of earlier lives.
    first: Rate,
    again: Rate,
    long_ago: Rate,
    learning: Learning,
    /// All trades by when they closed, in [`STRETCHES`] equal parts of the run; empty before the first.
    stretches: Vec<Stretch>,
    changes: Vec<LawChange>,
}

impl Competence {
    /// Starts for a run of this many ticks.
    pub fn new(run_ticks: Tick) -> Self {
        Self { run_ticks, ..Self::default() }
    }

    /// Takes in a change of what pays (concept drift).
    pub fn law_changed(&mut self, change: LawChange) {
        self.changes.push(change);
    }

    /// Takes in a trade that was closed, which begins one of the visits, or goes on with one.
    pub fn traded(&mut self, golem: GolemId, episode: &Episode, regime: Regime) {
        let spot = (usize::from(episode.asset), regime);
        let long_ago = (LONG_AGO_SHARE * self.run_ticks as f64) as Tick;
        let trail = self.trails.entry(golem.lineage).or_default();
        if trail.trades == 0 || trail.generation != golem.generation {
            trail.generation = golem.generation;
            (trail.trades, trail.visit, trail.closed) = (0, None, episode.opened);
        }
        if trail.visit.is_none_or(|(at, _)| at != spot) {
            trail.visit = Some((spot, trail.familiarity(spot, episode.opened, long_ago)));
            trail.of_visit = 0;
        }
        trail.trades += 1;
        trail.of_visit += 1;
        // A trade that closes within the tick of the one before it takes that tick.
        let ticks = episode.closed.saturating_sub(trail.closed).max(1) as f64;
        trail.closed = episode.closed;
        trail.visits.insert(spot, (episode.closed, golem.generation));
        let r = episode.realised_r;
        if trail.trades <= LEARNING_TRADES {
            self.learning.take(f64::from(trail.trades), r, ticks);
        }
        if trail.of_visit <= FIRST_TRADES {
            let familiar = trail.visit.map_or(Familiar::Newborn, |(_, familiar)| familiar);
            match familiar {
                Familiar::Newborn => {}
                Familiar::Never => self.first.take(r, ticks),
                Familiar::Inherited => self.long_ago.take(r, ticks),
                Familiar::Lived { long_ago } => {
                    self.again.take(r, ticks);
                    if long_ago {
                        self.long_ago.take(r, ticks);
                    }
                }
            }
        }
        let stretch = self.stretch_of(episode.closed);
        if self.stretches.is_empty() {
            self.stretches = vec![Stretch::default(); STRETCHES];
        }
        self.stretches[stretch][regime.index()].take(r, ticks);
    }

    /// Measures accurate retrieval: R per tick at the beginning of a visit to a place that was lived in before in the same life, less that
    /// of first visits. First visits of newborns are left out, because a newborn lacks more than knowledge of that place.
    pub fn retrieval(&self) -> Option<f64> {
        self.again.less(self.first)
    }

    /// Measures test-time learning: by how much R per tick rises with every trade since birth (regression slope).
    pub fn learning(&self) -> Option<f64> {
        self.learning.slope()
    }

    /// Long-range understanding: R per tick at the beginning of a visit to what was last lived in an earlier life of the lineage, or a
    /// tenth of the run ago, less that of first visits (long-term memory competence).
    pub(crate) fn long_range(&self) -> Option<f64> {
        self.long_ago.less(self.first)
    }

    /// Ticks to unlearn: (1 − early / late) · length of the first half, with early and late the R per tick in the first and second halves
    /// of the times after changes of law, all changes pooled, and the length a mean over changes (adaptation lag). It is the gain that the
    /// first halves lack, in ticks of the second halves' gain. `None` without a change, or where the second halves gain nothing, for then
    /// there is no unit.
    pub fn unlearning_ticks(&self) -> Option<f64> {
        let (mut early, mut late, mut lengths) = (Rate::default(), Rate::default(), 0.0);
        let mut epochs = 0.0;
        for (from, to, _) in self.epochs() {
            let middle = from + (to - from) / 2;
            self.stretches[from..middle].iter().flatten().for_each(|rate| early.take(rate.r, rate.ticks));
            self.stretches[middle..to].iter().flatten().for_each(|rate| late.take(rate.r, rate.ticks));
            lengths += (middle - from) as f64 * self.run_ticks as f64 / STRETCHES as f64;
            epochs += 1.0;
        }
        let (early, late) = (early.value()?, late.value()?);
        (late > 0.0).then(|| (1.0 - early / late) * lengths / epochs)
    }

    /// The loss in what is still true: R per tick, in regimes that a change of law did not touch, in the second half of the time before it
    /// less that in the first half of the time after it (catastrophic forgetting). Forgetting everything at a change would look good
    /// without this measure beside it.
    pub(crate) fn still_true_lost(&self) -> Option<f64> {
        let (mut before, mut after) = (Rate::default(), Rate::default());
        let mut since = 0;
        for (from, to, change) in self.epochs() {
            let kept = |stretch: &Stretch, rate: &mut Rate| {
                for (own, touched) in stretch.iter().zip(change.touched) {
                    if !touched {
                        rate.take(own.r, own.ticks);
                    }
                }
            };
            self.stretches[since + (from - since) / 2..from].iter().for_each(|one| kept(one, &mut before));
            self.stretches[from..from + (to - from) / 2].iter().for_each(|one| kept(one, &mut after));
            since = from;
        }
        before.less(after)
    }

    /// From each change to the next or to the end of the run, in stretches, with the change; those too short to be halved are left out.
    fn epochs(&self) -> impl Iterator<Item = (usize, usize, LawChange)> + '_ {
        let starts = self.changes.iter().map(|change| self.stretch_of(change.tick));
        let ends = starts.clone().skip(1).chain([STRETCHES]);
        let epochs = starts.zip(ends).zip(&self.changes).map(|((from, to), change)| (from, to, *change));
        epochs.filter(|(from, to, _)| !self.stretches.is_empty() && to.saturating_sub(*from) >= 2)
    }

    fn stretch_of(&self, tick: Tick) -> usize {
        let stretch = u128::from(tick) * STRETCHES as u128 / u128::from(self.run_ticks.max(1));
        (stretch as usize).min(STRETCHES - 1)
    }
}

impl Trail {
    fn familiarity(&self, spot: Spot, now: Tick, long_ago: Tick) -> Familiar {
        match self.visits.get(&spot) {
            Some((tick, generation)) if *generation == self.generation => {
                Familiar::Lived { long_ago: now.saturating_sub(*tick) >= long_ago.max(1) }
            }
            Some(_) => Familiar::Inherited,
            None if self.trades == 0 => Familiar::Newborn,
            None => Familiar::Never,
        }
    }
}

/// Least squares of R per tick on the number of trades since birth, each trade weighted by its time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Learning {
    /// Ticks of all trades.
    weight: f64,
    /// Sums over trades: ticks · number, ticks · number², R, number · R. R per tick times ticks is R, so R needs no weight.
    x: f64,
    x_squares: f64,
    r: f64,
    x_r: f64,
}

impl Learning {
    fn take(&mut self, x: f64, r: f64, ticks: f64) {
        self.weight += ticks;
        self.x += ticks * x;
        self.x_squares += ticks * x * x;
        self.r += r;
        self.x_r += x * r;
    }

    fn slope(&self) -> Option<f64> {
        let spread = self.weight * self.x_squares - self.x * self.x;
        // Sums of whole numbers: rounding is far below a single trade's share.
        (spread > 0.5).then(|| (self.weight * self.x_r - self.x * self.r) / spread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::fixtures::{episode, golem};

    const UP: Regime = Regime::TrendingUp;
    const DOWN: Regime = Regime::TrendingDown;

    /// Trades of ten ticks, one after the other from a tick on.
    fn trades(into: &mut Competence, generation: u32, from: Tick, regime: Regime, results: &[f64]) {
        for (place, r) in (0..).zip(results) {
            let opened = from + 10 * place;
            into.traded(golem(generation), &episode(golem(generation), (opened, opened + 10), *r), regime);
        }
    }

    /// A first visit that makes .1 a tick, and one that comes back and makes .4 a tick; the newborn's visit and what comes after five
    /// trades don't count.
    #[test]
    fn familiar_visits_are_compared_with_first_ones() {
        let mut one = Competence::new(10_000);
        trades(&mut one, 0, 0, UP, &[9.0; 3]);
        assert_eq!(one.retrieval(), None);
        trades(&mut one, 0, 30, DOWN, &[1.0; 5]);
        trades(&mut one, 0, 80, UP, &[4.0, 4.0, 4.0, 4.0, 4.0, -70.0]);
        assert!((one.retrieval().unwrap() - 0.3).abs() < 1e-12, "{:?}", one.retrieval());
        assert_eq!(one.long_range(), None, "80 ticks of 10,000 are not long ago");
    }

    /// The heir meets what its predecessor knew and makes .2 a tick there; a tenth of the run later it comes back and makes .4.
    #[test]
    fn an_earlier_life_and_a_tenth_of_the_run_are_long_ago() {
        let mut one = Competence::new(1_000);
        trades(&mut one, 0, 0, UP, &[0.0; 2]);
        trades(&mut one, 0, 20, DOWN, &[1.0; 2]);
        trades(&mut one, 1, 100, UP, &[2.0]);
        assert!((one.long_range().unwrap() - 0.1).abs() < 1e-12, "{:?}", one.long_range());
        assert_eq!(one.retrieval(), None, "nothing was lived twice in one life");
        trades(&mut one, 1, 110, Regime::Volatile, &[1.0]);
        trades(&mut one, 1, 120, UP, &[0.0]);
        assert!((one.retrieval().unwrap() + 0.1).abs() < 1e-12);
        let before = one.long_range();
        trades(&mut one, 1, 130, Regime::Volatile, &[0.0]);
        assert_eq!(one.long_range(), before, "ten ticks ago is no long time");
        trades(&mut one, 1, 240, UP, &[44.0]);
        assert!(one.long_range() > before);
    }

    /// R per tick rises by .01 with every trade, whatever time trades take.
    #[test]
    fn the_slope_is_that_of_the_line() {
        let mut one = Competence::new(1_000);
        for number in 1..=60 {
            let ticks = if number % 2 == 0 { 3.0 } else { 10.0 };
            one.learning.take(f64::from(number), ticks * (0.2 + 0.01 * f64::from(number)), ticks);
        }
        assert!((one.learning().unwrap() - 0.01).abs() < 1e-9, "{:?}", one.learning());
        let mut two = Competence::new(1_000);
        trades(&mut two, 0, 0, UP, &[1.0]);
        assert_eq!(two.learning(), None, "one trade is no line");
    }

    /// After the change at 512, trades make half of what they make from 768 on: 128 ticks' worth is lacking. In the untouched regime .4 a
    /// tick are made before, and .1 after it.
    #[test]
    fn unlearning_costs_time_and_the_still_true() {
        let mut one = Competence::new(1_024);
        trades(&mut one, 0, 256, UP, &[4.0; 25]);
        assert_eq!((one.unlearning_ticks(), one.still_true_lost()), (None, None));
        let mut touched = [false; Regime::COUNT];
        touched[DOWN.index()] = true;
        one.law_changed(LawChange { tick: 512, touched });
        trades(&mut one, 0, 516, DOWN, &[2.0; 12]);
        trades(&mut one, 0, 636, UP, &[1.0; 6]);
        trades(&mut one, 0, 696, DOWN, &[3.0; 6]);
        trades(&mut one, 0, 768, DOWN, &[4.0; 25]);
        let late = one.unlearning_ticks().unwrap();
        assert!((late - 128.0).abs() < 6.0, "{late}");
        let lost = one.still_true_lost().unwrap();
        assert!((lost - 0.3).abs() < 0.01, "{lost}");
    }
}
