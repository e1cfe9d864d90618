//! The epistemic clock: how well a golem still foresees the market.
//!
//! `mortality.epistemic.fitness_form` names its measure. By *skill*, the default, memory's expectations of candidates are scored against
//! their outcomes (`skill`, `forecasts`).
//!
//! Two of the specs' forms (accuracy and R²) score predictions of the next class (of three) of five domains, each from the golem's own
//! counts of transitions between classes; the third ("pnl") is the share of trades that paid. Counts only grow, so an old golem's model is
//! hard to move: when the market changes its law, the old lose their fitness and the newborn don't. Those two measure that loss of
//! plasticity; no memory can help it. The classes are predicted whatever the form, because death by staleness and, by default, the mode
//! of replay (`dream.replay.confused_by`) depend on their accuracy.
//!
//! All measures of fitness run from 0 to 1. The model is a first-order Markov chain for each domain: a transition matrix of counts with a
//! prior on persistence. The classes are those of the first asset. Time is in ticks, forecasts are in R before costs. A golem learns at
//! each tick but those of its dreams.

use crate::market::{AssetView, GasClass, LiquidityClass, MarketView, Regime};
use crate::mortality::MortalityConfig;
use crate::mortality::fitness::{FitnessForm, PredictionRecord};
use crate::mortality::forecasts::{CandidateForecast, SettledForecast};
use crate::mortality::senescence::{Senescence, Stage};
use morta_base::Tick;
use serde::{Deserialize, Serialize};

/// Domains in which golems predict: price, volatility, yield, gas, protocol.
pub const DOMAINS: usize = 5;
/// Classes (labels) in each domain.
pub const CLASSES: usize = 3;
/// Weights of price, volatility, yield, gas and protocol in the fitness (digest section 11, M02).
pub(crate) const DOMAIN_WEIGHTS: [f64; DOMAINS] = [0.35, 0.25, 0.20, 0.10, 0.10];
/// Fitness before there are enough predictions (digest section 11, M01 and M02): a newborn is Stable, neither thriving nor senescent.
pub const COLD_START_FITNESS: f64 = 0.5;

/// A return within this many standard deviations of zero is flat. The digest asks for three classes a domain and gives no limits; this one
/// and the two bands below are our choice. A fifth of normal returns are flat by it.
const FLAT_RETURN: f64 = 0.25;
/// Volatility ratios outside this band are falling or rising.
const STEADY_VOLATILITY: (f64, f64) = (0.9, 1.1);
/// Fee income outside this band around its running mean is low or high; one limit is the reciprocal of the other.
const STEADY_YIELD: (f64, f64) = (0.8, 1.25);
/// Weight of the newest reading in the running mean of fee income; about the last fifty ticks count.
const YIELD_ALPHA: f64 = 0.02;

/// Ground truth labels (class labels) that predictions are scored against: the classes of the five domains at one tick, for every golem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed(pub [u8; DOMAINS]);

/// A discretiser (binning) of market features into three classes, with the state that the class of fee income needs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Observer {
    /// Fees of a dollar of liquidity since the world began, as of the last tick.
    last_fee_growth: f64,
    /// Running mean of its growth a tick; none before the first.
    mean_yield: Option<f64>,
}

impl Observer {
    /// Discretises and labels the tick for the classifiers, 0 to 2 in each domain, by the first asset: labels are alike for all golems, so
    /// one observer serves a world.
    pub(crate) fn observe(&mut self, view: &MarketView) -> Observed {
        let asset = view.asset(0);
        Observed([
            price_class(asset),
            band(asset.volatility_ratio, STEADY_VOLATILITY),
            self.yield_class(asset.fee_growth),
            match view.gas_class {
                GasClass::Low => 0,
                GasClass::Normal => 1,
                GasClass::Elevated | GasClass::Spike => 2,
            },
            match asset.liquidity {
                LiquidityClass::Crisis | LiquidityClass::Thin => 0,
                LiquidityClass::Normal => 1,
                LiquidityClass::Deep => 2,
            },
        ])
    }

    fn yield_class(&mut self, fee_growth: f64) -> u8 {
        let income = fee_growth - std::mem::replace(&mut self.last_fee_growth, fee_growth);
        let mean = self.mean_yield.get_or_insert(income);
        let class = if *mean > 0.0 { band(income / *mean, STEADY_YIELD) } else { 1 };
        *mean += YIELD_ALPHA * (income - *mean);
        class
    }
}

fn price_class(asset: &AssetView) -> u8 {
    band(asset.log_return / asset.volatility, (-FLAT_RETURN, FLAT_RETURN))
}

/// 0 below the band, 1 in it, 2 above.
fn band(value: f64, (low, high): (f64, f64)) -> u8 {
    u8::from(value >= low) + u8::from(value > high)
}

/// One golem's model of the market, a Markov chain (transition matrix of class counts), and the record of its prediction accuracy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epistemics {
    /// Number of times that class `to` followed class `from` in each domain, with a prior of 1 on staying: a newborn predicts persistence.
    counts: [[[f32; CLASSES]; CLASSES]; DOMAINS],
    /// The classes of the last waking tick, from which the next are predicted; none at birth and after sleep.
    last: Option<Observed>,
    /// Accuracy and the other measures of fitness.
    record: PredictionRecord,
    /// The clock that kills.
    senescence: Senescence,
}

impl Default for Epistemics {
    fn default() -> Self {
        let mut counts = [[[0.0; CLASSES]; CLASSES]; DOMAINS];
        for domain in &mut counts {
            for (class, row) in domain.iter_mut().enumerate() {
                row[class] = 1.0;
            }
        }
        Self { counts, last: None, record: PredictionRecord::default(), senescence: Senescence::default() }
    }
}

impl Epistemics {
    /// Takes in the observed classes: scores the prediction made from the last tick, then learns from it, in this order, or the prediction
    /// would know its outcome. `plasticity` is the weight of a new observation, a trait of the golem with a median of 1; `regime` is the
    /// golem's reading of the market when it predicted. Returns which domains it had right; `None` at the first tick. This is prequential
    /// evaluation (test, then train) of an online learning model with a learning rate.
    pub fn learn(
        &mut self,
        observed: Observed,
        plasticity: f32,
        regime: Option<Regime>,
        config: &MortalityConfig,
    ) -> Option<[bool; DOMAINS]> {
        let last = self.last.replace(observed);
        let right = last.map(|last| {
            let mut right = [false; DOMAINS];
            for (domain, right) in right.iter_mut().enumerate() {
                let (from, to) = (usize::from(last.0[domain]), usize::from(observed.0[domain]));
                let row = &mut self.counts[domain][from];
                *right = most_likely(row) == to;
                if config.epistemic.fitness_form == FitnessForm::RSquared {
                    self.record.note_pair(domain, expected_class(row), to as f32 - 1.0, &config.epistemic);
                }
                row[to] += plasticity;
            }
            self.record.note(right, regime, config);
            right
        });
        self.senescence.step(self.fitness(config), self.record.accuracy(), config);
        right
    }

    /// Passes a tick of sleep: nothing is observed, predicted or learned, but senescence is a clock and goes on. The prediction that was
    /// made on falling asleep is dropped: on waking, many ticks have passed, and it was of the next one alone.
    pub fn sleep(&mut self, config: &MortalityConfig) {
        self.last = None;
        self.senescence.step(self.fitness(config), self.record.accuracy(), config);
    }

    /// Notes closed trades, for the win rate, and the number of them with a profit. Only the form "pnl" uses them.
    pub(crate) fn note_trades(&mut self, trades: u32, wins: u32, config: &MortalityConfig) {
        self.record.note_trades(trades, wins, &config.epistemic);
    }

    /// Opens forecasts (predictions) of its memory at this tick, in R. Each strategy has one open forecast; the others are skipped.
    pub fn forecast(&mut self, forecasts: impl Iterator<Item = CandidateForecast>, now: Tick) {
        let open = self.record.forecasts_mut();
        forecasts.for_each(|forecast| open.open(&forecast, now));
    }

    /// Follows open forecasts on paper for one tick; those that come due are kept until they are scored.
    pub(crate) fn follow_forecasts(&mut self, view: &MarketView) {
        self.record.forecasts_mut().follow(view);
    }

    /// Scores the forecasts that have come due (forecast errors), and hands them on.
    pub(crate) fn score_forecasts(&mut self, config: &MortalityConfig, settled: impl FnMut(SettledForecast)) {
        self.record.forecasts_mut().score(&config.epistemic.skill, settled);
    }

    /// Epistemic fitness (model performance) in [0, 1], by the scenario's form; 0.5 until there are enough outcomes, and for no skill. In
    /// the form "accuracy" blind guessing among three classes scores 1/3, just under the senescence threshold of .35.
    pub fn fitness(&self, config: &MortalityConfig) -> f64 {
        self.record.fitness(config)
    }

    /// The track record of predictions behind the fitness: prediction accuracy, R squared, win rate and forecast skill.
    pub fn record(&self) -> &PredictionRecord {
        &self.record
    }

    /// The stage of its senescence (model staleness), by which golems change their behaviour.
    pub fn stage(&self) -> Stage {
        self.senescence.stage()
    }

    /// The senescence of its model, a state machine that may kill.
    pub fn senescence(&self) -> &Senescence {
        &self.senescence
    }
}

/// The mean of the next class under the counts, as a number from −1 to 1.
fn expected_class(row: &[f32; CLASSES]) -> f32 {
    (row[2] - row[0]) / (row[0] + row[1] + row[2])
}

fn most_likely(row: &[f32; CLASSES]) -> usize {
    let mut best = 0;
    for class in 1..CLASSES {
        if row[class] > row[best] {
            best = class;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mortality::fitness::EpistemicConfig;

    fn by_accuracy() -> MortalityConfig {
        let epistemic = EpistemicConfig { fitness_form: FitnessForm::Accuracy, ..EpistemicConfig::default() };
        MortalityConfig { epistemic, ..MortalityConfig::default() }
    }

    #[test]
    fn senescence_kills_after_its_grace() {
        let config = MortalityConfig { senescence_grace_ticks: 10, ..by_accuracy() };
        let mut epistemics = Epistemics::default();
        let mut died_after = None;
        for tick in 0..2_000_u64 {
            // Whatever was most likely does not happen: the adversary of this learner.
            let from = epistemics.last.map_or(0, |last| usize::from(last.0[0]));
            let next = (most_likely(&epistemics.counts[0][from]) + 1) % CLASSES;
            epistemics.learn(Observed([next as u8; DOMAINS]), 1.0, None, &config);
            if epistemics.stage() == Stage::Second {
                died_after = Some(tick);
                break;
            }
        }
        // 50 predictions before the fitness counts, already below the threshold by then, and 10 ticks of grace.
        assert_eq!(died_after, Some(60));
    }
}
