//! Fits expected results to observations, on a long walk of the same law and other luck, or on the recording itself.
//!
//! Several models are fitted to the first three quarters of the walk; the one whose decisions earn most a tick in the last quarter is then
//! fitted to all of it. Chosen by squared error instead, a model could win that predicts losses well and never trades. It is model
//! selection on a held-out set by the economic objective (decision-focused learning), with plain means, ridge regression and gradient
//! boosting as candidates, one model for each strategy and asset.
//!
//! Results are in R before costs, times in ticks. A plan does it once, where a cohort has `oracle-as-read` or a branch gives it to a golem;
//! the walk of 80,000 ticks by default is divided by the number of laws, and a law's share by that of assets, but then not below 20,000
//! ticks or that share if it is less; planned shocks take a second walk, and a recording is walked from end to end. Regimes are read by the
//! middle thresholds (1.5 and 1.6), not by those of each golem.

use super::features::{self, Seen};
use super::linear::Linear;
use super::trees::{self, Tree};
use crate::episode::Context;
use crate::market::truth::other_luck;
use crate::market::truth::timeline::{Timeline, over_at, shocks_come_round};
use crate::market::truth::walk::{Walk, WalkOutcome};
use crate::market::{AssetIndex, Bar, MarketConfig, MarketError, RegimeThresholds, ScheduledShock, Strategy};
use morta_base::{Tick, Usdc, WorldSeed};
use serde::{Deserialize, Serialize};

/// One tick in so many is learnt from: neighbouring ticks have nearly the same observations and outcomes.
const THIN: u64 = 3;
/// Fewest ticks of a walk, however many laws or assets share the work.
const TICKS_MIN: u64 = 20_000;
/// Thresholds of the observed regime. Golems have thresholds of their own as traits; these are the middle ones. The values of staying that
/// a plan works out for `oracle-as-read` go by them too.
pub const MIDDLE: RegimeThresholds = RegimeThresholds { trend: 1.5, volatility: 1.6 };
/// Numbers of trees to choose from; 0 is the ridge alone.
const ROUNDS: [usize; 4] = [0, 20, 40, 80];

/// A trained regression model of reward and duration: the fit of one strategy in one asset under one law.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Fitted {
    /// R before costs.
    reward: Linear,
    /// Trees on its residuals.
    trees: Vec<Tree>,
    /// Share of the horizon that is held.
    held_share: Linear,
}

impl Fitted {
    /// Predicts the result in R before costs (inference): an ensemble of the ridge and, on its residuals, the gradient-boosted trees.
    pub(crate) fn gross_r(&self, row: &[f32]) -> f64 {
        self.reward.at(row) + trees::sum(&self.trees, row)
    }

    /// Predicts the holding time of a trade in ticks, clamped to 1 and the horizon.
    pub(super) fn held_ticks(&self, row: &[f32], horizon_ticks: u32) -> f64 {
        let horizon = f64::from(horizon_ticks);
        (self.held_share.at(row) * horizon).clamp(1.0, horizon)
    }
}

/// All strategies in one asset under one law.
pub(super) type ByStrategy = [Fitted; Strategy::COUNT];

/// The kind of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Model {
    /// A mean for each strategy.
    Means,
    /// A ridge regression, and so many trees on its residuals.
    Boosted(usize),
}

/// The training data of the fit and its settings: a market to walk through.
#[derive(Clone, Copy, Debug)]
pub struct FitTo<'a> {
    /// The market.
    pub market: &'a MarketConfig,
    /// The seed of the world; the walk has other luck, so that it never is the world itself.
    pub seed: WorldSeed,
    /// Bars of replayed assets.
    pub bars: &'a [Vec<Bar>],
    /// Stake whose costs are taken.
    pub stake: Usdc,
    /// Ticks to walk.
    pub ticks: u64,
}

/// The trained models of a run, by asset: for quiet times, and for planned shocks where it plans any.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Laws {
    timeline: Timeline,
    quiet: Vec<ByStrategy>,
    shocked: Option<Vec<ByStrategy>>,
}

impl Laws {
    /// Looks up the models of all strategies in an asset, under the law of that tick.
    pub(super) fn at(&self, tick: Tick, asset: AssetIndex) -> &ByStrategy {
        let shocked = self.shocked.as_ref().filter(|_| self.timeline.is_shocked_at(tick));
        &shocked.unwrap_or(&self.quiet)[usize::from(asset)]
    }
}

/// Training and model selection on a hold-out set, for all laws of a run.
pub(super) fn fit(to: FitTo<'_>) -> Result<Laws, MarketError> {
    let calendar = &to.market.shocks.scheduled;
    let ticks = (to.ticks / to.market.assets.len() as u64).max(TICKS_MIN.min(to.ticks));
    let to = FitTo { ticks, ..to };
    let quiet = fit_law(to, &[])?;
    let shocks = shocks_come_round(calendar, ticks);
    let under_shocks = || fit_law(FitTo { ticks: ticks.max(over_at(&shocks)), ..to }, &shocks);
    let shocked = if shocks.is_empty() { None } else { Some(under_shocks()?) };
    Ok(Laws { timeline: Timeline::new(calendar), quiet, shocked })
}

/// An outcome of an asset, with the place of its row.
type Row = Option<u32>;

/// Observations of one asset, with their outcomes.
struct Sampled {
    rows: Vec<f32>,
    outcomes: Vec<WalkOutcome<Row>>,
    horizons: [u32; Strategy::COUNT],
}

impl Sampled {
    fn row(&self, place: u32, width: usize) -> &[f32] {
        &self.rows[place as usize * width..][..width]
    }
}

fn fit_law(to: FitTo<'_>, shocks: &[ScheduledShock]) -> Result<Vec<ByStrategy>, MarketError> {
    let width = features::width(to.market.embedding_dimensions as usize);
    let (sampled, ticks) = sample(to, shocks, width)?;
    let split = ticks * 3 / 4;
    let until = |end: Tick, model| -> Vec<ByStrategy> {
        sampled.iter().map(|own| fit_asset(own, width, end, model)).collect()
    };
    let most = ROUNDS[ROUNDS.len() - 1];
    let boosted = until(split, Model::Boosted(most));
    let means = until(split, Model::Means);
    let mut best = (Model::Means, held_out_rate(&sampled, &means, usize::MAX, width, split..ticks));
    for rounds in ROUNDS {
        let rate = held_out_rate(&sampled, &boosted, rounds, width, split..ticks);
        if rate > best.1 {
            best = (Model::Boosted(rounds), rate);
        }
    }
    Ok(until(ticks, best.0))
}

/// Walks through a world, and observes every candidate like a golem: all of them in the last quarter, and every third tick before.
fn sample(
    to: FitTo<'_>,
    shocks: &[ScheduledShock],
    width: usize,
) -> Result<(Vec<Sampled>, Tick), MarketError> {
    let dimensions = to.market.embedding_dimensions;
    let mut market = other_luck(to.market, to.seed, to.bars.to_vec(), shocks, dimensions)?;
    let ticks = market.ticks_available().unwrap_or(to.ticks);
    let felt = Timeline::new(shocks);
    let assets = to.market.assets.len();
    let mut walks: Vec<Walk<Row>> = (0..assets).map(|_| Walk::new()).collect();
    let mut rows: Vec<Vec<f32>> = vec![Vec::new(); assets];
    let mut horizons = vec![[1; Strategy::COUNT]; assets];
    for tick in 0..ticks {
        let is_felt = shocks.is_empty() || felt.is_shocked_at(tick);
        let kept = is_felt && (tick >= ticks * 3 / 4 || tick.is_multiple_of(THIN));
        for (asset, ((walk, rows), horizons)) in (0..).zip(walks.iter_mut().zip(&mut rows).zip(&mut horizons))
        {
            let view = market.view();
            let context = Context::read(view, asset, &MIDDLE);
            let embedding = &view.asset(asset).embedding;
            walk.visit(&market, asset, to.stake, |strategy, signal, cost_r| {
                horizons[strategy.index()] = signal.horizon_ticks;
                let side = signal.side(strategy).filter(|_| kept)?;
                features::push(&Seen { context: &context, embedding, signal, side, cost_r }, rows);
                Some((rows.len() / width - 1) as u32)
            });
        }
        if tick + 1 < ticks {
            market.step(&[]);
        }
    }
    let seen = walks.into_iter().zip(rows).zip(horizons);
    let sampled =
        seen.map(|((walk, rows), horizons)| Sampled { rows, outcomes: walk.finish(), horizons }).collect();
    Ok((sampled, ticks))
}

/// Fits all strategies of an asset to the trades that were over by a tick.
fn fit_asset(sampled: &Sampled, width: usize, end: Tick, model: Model) -> ByStrategy {
    Strategy::ALL.map(|strategy| {
        let (mut rows, mut gross_r, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        let horizon = sampled.horizons[strategy.index()];
        for outcome in &sampled.outcomes {
            let over = outcome.tick + u64::from(horizon) < end && outcome.tick.is_multiple_of(THIN);
            let Some(row) = outcome.label.filter(|_| over && outcome.strategy == strategy) else { continue };
            rows.extend_from_slice(sampled.row(row, width));
            gross_r.push(outcome.r_multiple + outcome.cost_r);
            shares.push(f64::from(outcome.ticks_held) / f64::from(horizon));
        }
        if gross_r.is_empty() {
            // It never signalled: its result is its cost, and it lasts for its whole horizon.
            let (reward, held_share) = (Linear::constant(0.0, width), Linear::constant(1.0, width));
            return Fitted { reward, trees: Vec::new(), held_share };
        }
        let rounds = match model {
            Model::Means => {
                let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
                let (reward, held_share) =
                    (Linear::constant(mean(&gross_r), width), Linear::constant(mean(&shares), width));
                return Fitted { reward, trees: Vec::new(), held_share };
            }
            Model::Boosted(rounds) => rounds,
        };
        let reward = Linear::fit(&rows, width, &gross_r);
        let held_share = Linear::fit(&rows, width, &shares);
        let mut left: Vec<f64> =
            rows.chunks_exact(width).zip(&gross_r).map(|(row, gross_r)| gross_r - reward.at(row)).collect();
        let trees = trees::boost(&rows, width, &mut left, rounds);
        Fitted { reward, trees, held_share }
    })
}

/// A candidate of the held-out part, with its prediction and outcome.
#[derive(Clone, Copy, Debug)]
struct Offer {
    tick: Tick,
    expected_r: f64,
    expected_ticks: f64,
    r_multiple: f64,
    ticks_held: u32,
}

/// R a tick of decisions by a model, with no more than so many of its trees.
fn held_out_rate(
    sampled: &[Sampled],
    model: &[ByStrategy],
    rounds: usize,
    width: usize,
    ticks: std::ops::Range<Tick>,
) -> f64 {
    let mut offers = Vec::new();
    for (own, fitted) in sampled.iter().zip(model) {
        for outcome in own.outcomes.iter().filter(|outcome| ticks.contains(&outcome.tick)) {
            let Some(row) = outcome.label else { continue };
            let row = own.row(row, width);
            let by = &fitted[outcome.strategy.index()];
            let said = trees::sum(&by.trees[..rounds.min(by.trees.len())], row);
            offers.push(Offer {
                tick: outcome.tick,
                expected_r: by.reward.at(row) + said - outcome.cost_r,
                expected_ticks: by.held_ticks(row, own.horizons[outcome.strategy.index()]) + 1.0,
                r_multiple: outcome.r_multiple,
                ticks_held: outcome.ticks_held,
            });
        }
    }
    offers.sort_by_key(|offer| offer.tick);
    let lasts = ticks.end.saturating_sub(ticks.start).max(1) as f64;
    // The value of time is what these decisions earn; the fixed point is reached in a few rounds.
    (0..4).fold(0.0, |rho: f64, _| earned(&offers, rho.max(0.0)) / lasts)
}

/// Sum of R if, whenever free, the candidate highest above its time is taken, if that beats waiting a tick.
fn earned(offers: &[Offer], rho: f64) -> f64 {
    let (mut free_at, mut sum) = (0, 0.0);
    for offered in offers.chunk_by(|a, b| a.tick == b.tick) {
        if offered[0].tick < free_at {
            continue;
        }
        let standing = |offer: &Offer| offer.expected_r - rho * (offer.expected_ticks - 1.0);
        let best = offered.iter().max_by(|a, b| standing(a).total_cmp(&standing(b)));
        if let Some(best) = best.filter(|best| standing(best) > 0.0) {
            sum += best.r_multiple;
            free_at = best.tick + u64::from(best.ticks_held) + 1;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(tick: Tick, expected_r: f64, expected_ticks: f64, r_multiple: f64) -> Offer {
        Offer { tick, expected_r, expected_ticks, r_multiple, ticks_held: expected_ticks as u32 - 1 }
    }

    /// At 0 a long trade (.9 R in 48 ticks) and a short one (.3 in 5); at 5 a short one again. While time is worth nothing the long one is
    /// taken and the later one missed; at .02 R a tick the long one falls below waiting and both short ones are taken.
    #[test]
    fn a_high_value_of_time_prefers_short_trades() {
        let offers = [offer(0, 0.9, 49.0, 1.0), offer(0, 0.3, 5.0, 0.4), offer(5, 0.3, 5.0, 0.5)];
        assert_eq!(earned(&offers, 0.0), 1.0);
        assert_eq!(earned(&offers, 0.02), 0.9);
        assert_eq!(earned(&offers, 1.0), 0.0, "nothing beats waiting");
    }
}
