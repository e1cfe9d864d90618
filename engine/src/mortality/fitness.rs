//! The record of a golem's predictions: prediction accuracy, R² (coefficient of determination) and win rate, each from 0 to 1.
//!
//! They are running figures (exponential moving averages) instead of windows, so that a record doesn't grow with the life.
//!
//! Accuracy a ← a + α (Σ_d w_d [right in d] − a), w the weights of the five domains. R² = Σ_d w_d max(0, 1 − e_d / v_d), where e is the
//! running mean squared error and v the running variance of domain d, whose classes count as −1, 0 and 1. The share of wins is a running
//! mean over trades. Fitness is 0.5 until its form has enough values.
//!
//! Which of them is the fitness is a choice of performance metrics; by default it is none of them but the skill of memory's forecasts,
//! which the record holds too. The accuracy is kept in any case, because death by staleness and, by default, the mode of replay
//! (`dream.replay.confused_by`) go by it. Epistemic fitness is prediction skill (forecast skill).

use crate::market::Regime;
use crate::mortality::MortalityConfig;
use crate::mortality::epistemic::{COLD_START_FITNESS, DOMAIN_WEIGHTS, DOMAINS};
use crate::mortality::forecasts::Forecasts;
use crate::mortality::skill::SkillConfig;
use morta_base::keys;
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// What epistemic fitness is (the sources disagree; digest section 11).
    #[derive(Default)]
    pub enum FitnessForm: Key {
        /// Running weighted accuracy of the predicted classes (M02). It comes from counts that memory can't touch, and is highest where classes
        /// persist, whether or not there is anything to know.
        Accuracy = "accuracy",
        /// How much of the variance of what came true was foreseen: 1 − squared error over variance, at least 0, by domain and
        /// weighted like the accuracy (M01). Classes count as −1, 0 and 1; what is foreseen is their mean under the golem's
        /// counts.
        RSquared = "r_squared",
        /// Share of trades that paid (M02, the profit proxy).
        Pnl = "pnl",
        /// What the forecasts of its memory are worth beyond persistence, expecting nothing, and the prior (our own): 0.5 where they are worth no
        /// more.
        #[default]
        Skill = "skill",
    }
}

keys! {
    /// The `[mortality.epistemic]` table.
    pub struct EpistemicConfig {
        /// What epistemic fitness is.
        fitness_form: FitnessForm = FitnessForm::Skill;
        /// Whether the accuracy counts that the golem has in the present regime, once it has predicted there often
        /// enough.
        regime_matched: bool = false;
        /// Predictions over which the accuracy in a regime is averaged.
        regime_window: u32 = 50, in 1..=MAX_WINDOW, "predictions";
        /// Predictions in a regime before its accuracy counts.
        regime_min_matches: u32 = 10, in 0..=MAX_WINDOW, "predictions";
        /// Ticks a regime must have lasted for predictions in it to count there.
        regime_exempt_ticks: u32 = 20, in 0..=MAX_WINDOW, "ticks";
        /// Pairs over which R² is averaged.
        r_squared_window: u32 = 100, in 2..=MAX_WINDOW, "pairs";
        /// Pairs before R² counts.
        r_squared_min_pairs: u32 = 10, in 2..=MAX_WINDOW, "pairs";
        /// Trades over which the share of wins is averaged.
        pnl_window: u32 = 200, in 1..=MAX_WINDOW, "trades";
        /// Trades before it counts.
        pnl_min_trades: u32 = 10, in 1..=MAX_WINDOW, "trades";
        /// Weight of the newest prediction in the accuracy by domain: price.
        alpha_price: f64 = 0.02, in 1e-6..=1.0, "weight";
        /// The same for volatility.
        alpha_volatility: f64 = 0.005, in 1e-6..=1.0, "weight";
        /// The same for fee income.
        alpha_yield: f64 = 0.003, in 1e-6..=1.0, "weight";
        /// The same for gas.
        alpha_gas: f64 = 0.05, in 1e-6..=1.0, "weight";
        /// The same for the depth of the pool.
        alpha_protocol: f64 = 0.001, in 1e-6..=1.0, "weight";
        /// Fitness from which the second stage of senescence is left again, at least `mortality.senescence_threshold`.
        recovery_threshold: f64 = 0.45, in 0.0..=1.0, "fitness";
        /// Sharing threshold in the second stage.
        senescent_sharing: f64 = 0.2, in 0.0..=1.0, "trust";
        /// Fitness as skill.
        skill: SkillConfig = SkillConfig::default();
        /// Whether every forecast that comes due is told in the log (`forecasts_settled`), with the account and the vitality of then: what
        /// measures of information are made from. It is the most frequent of events where it is told, and changes no other.
        tell_forecasts: bool = false;
        /// Whether a model that is worse than guessing for too long kills.
        staleness_kills: bool = false;
        /// Accuracy below which a model is worse than guessing.
        staleness_threshold: f64 = 0.30, in 0.0..=1.0, "accuracy";
        /// Ticks that is borne.
        staleness_ticks: u64 = 500, in 1..=1_000_000_000_000, "ticks";
    }
}

impl EpistemicConfig {
    fn domain_alphas(&self) -> [f64; DOMAINS] {
        [self.alpha_price, self.alpha_volatility, self.alpha_yield, self.alpha_gas, self.alpha_protocol]
    }
}

const MAX_WINDOW: u32 = 1_000_000_000;

/// The accuracy in one regime.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct InRegime {
    /// Running mean of the weighted accuracy, 0 to 1.
    accuracy: f32,
    /// Predictions made in it, but for the first ticks of each stay.
    matches: u32,
}

/// Running squared error, mean and mean square of one domain's classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Spread {
    squared_error: f32,
    mean: f32,
    mean_square: f32,
}

/// A golem's record of predictions: the model's accuracy, R squared and win rate, and its open forecasts. All are running statistics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictionRecord {
    /// Predictions of classes so far.
    predictions: u32,
    /// Their running weighted accuracy, 0 to 1 (EWMA with `mortality.fitness_alpha`).
    accuracy: f64,
    /// The same by domain, unweighted, each with a key of its own.
    by_domain: [f32; DOMAINS],
    /// The regime of the last prediction, as the golem read it.
    regime: Option<Regime>,
    /// Predictions since it began.
    regime_ticks: u32,
    /// For the accuracy in the present regime (`regime_matched`).
    by_regime: [InRegime; Regime::COUNT],
    /// For R squared; empty under any other form.
    spreads: [Spread; DOMAINS],
    /// Closed trades so far.
    trades: u32,
    /// Running share of those that paid.
    win_share: f32,
    /// Forecasts of memory, for the skill.
    forecasts: Forecasts,
}

impl Default for PredictionRecord {
    fn default() -> Self {
        Self {
            predictions: 0,
            accuracy: COLD_START_FITNESS,
            by_domain: [COLD_START_FITNESS as f32; DOMAINS],
            regime: None,
            regime_ticks: 0,
            by_regime: [InRegime::default(); Regime::COUNT],
            spreads: [Spread::default(); DOMAINS],
            trades: 0,
            win_share: COLD_START_FITNESS as f32,
            forecasts: Forecasts::default(),
        }
    }
}

impl PredictionRecord {
    /// Takes in one prediction: which domains were right, and the regime in which it was made. The first ticks of a regime don't count for
    /// it: they were predicted from the regime before (digest section 11: regimes of less than 20 ticks are exempt).
    pub(super) fn note(&mut self, right: [bool; DOMAINS], regime: Option<Regime>, config: &MortalityConfig) {
        let accuracy =
            DOMAIN_WEIGHTS.into_iter().zip(right).map(|(weight, right)| if right { weight } else { 0.0 });
        let accuracy: f64 = accuracy.sum();
        self.predictions = self.predictions.saturating_add(1);
        self.accuracy += config.fitness_alpha * (accuracy - self.accuracy);
        let alphas = config.epistemic.domain_alphas();
        for (domain, (running, right)) in self.by_domain.iter_mut().zip(right).enumerate() {
            *running += alphas[domain] as f32 * (f32::from(u8::from(right)) - *running);
        }
        if regime != self.regime {
            (self.regime, self.regime_ticks) = (regime, 0);
        }
        self.regime_ticks = self.regime_ticks.saturating_add(1);
        if let Some(regime) = regime.filter(|_| self.regime_ticks >= config.epistemic.regime_exempt_ticks) {
            let here = &mut self.by_regime[regime.index()];
            here.matches = here.matches.saturating_add(1);
            here.accuracy +=
                (accuracy as f32 - here.accuracy) * alpha(here.matches, config.epistemic.regime_window);
        }
    }

    /// Takes in the foreseen mean of a domain's class and the observed class, both from −1 to 1. It must come before
    /// [`PredictionRecord::note`] of the same prediction, which counts it.
    pub(super) fn note_pair(&mut self, domain: usize, foreseen: f32, came: f32, config: &EpistemicConfig) {
        let alpha = alpha(self.predictions.saturating_add(1), config.r_squared_window);
        let spread = &mut self.spreads[domain];
        spread.squared_error += alpha * ((came - foreseen) * (came - foreseen) - spread.squared_error);
        spread.mean += alpha * (came - spread.mean);
        spread.mean_square += alpha * (came * came - spread.mean_square);
    }

    /// Updates the win rate by closed trades.
    pub(super) fn note_trades(&mut self, trades: u32, wins: u32, config: &EpistemicConfig) {
        for trade in 0..trades {
            self.trades = self.trades.saturating_add(1);
            let won = f32::from(u8::from(trade < wins));
            self.win_share += (won - self.win_share) * alpha(self.trades, config.pnl_window);
        }
    }

    /// Epistemic fitness by the scenario's form, the model's predictive performance: from 0 to 1; 0.5 at cold start.
    pub fn fitness(&self, config: &MortalityConfig) -> f64 {
        let epistemic = &config.epistemic;
        match epistemic.fitness_form {
            FitnessForm::Accuracy if self.predictions < config.min_predictions => COLD_START_FITNESS,
            FitnessForm::Accuracy if epistemic.regime_matched => {
                self.regime_matched(epistemic.regime_min_matches).unwrap_or(self.accuracy)
            }
            FitnessForm::Accuracy => self.accuracy,
            FitnessForm::RSquared if self.predictions < epistemic.r_squared_min_pairs => COLD_START_FITNESS,
            FitnessForm::RSquared => self.r_squared(),
            FitnessForm::Pnl if self.trades < epistemic.pnl_min_trades => COLD_START_FITNESS,
            FitnessForm::Pnl => f64::from(self.win_share),
            FitnessForm::Skill => epistemic.skill.fitness(self.forecasts.skill().recent()),
        }
    }

    /// The forecasts of its memory, open ones and those that are due: they make the skill score.
    pub fn forecasts(&self) -> &Forecasts {
        &self.forecasts
    }

    /// The forecasts, to open and follow them.
    pub(super) fn forecasts_mut(&mut self) -> &mut Forecasts {
        &mut self.forecasts
    }

    /// The running accuracy (smoothed hit rate) of classification, weighted by domain, 0 to 1, whatever the form; 0.5 at birth.
    pub fn accuracy(&self) -> f64 {
        self.accuracy
    }

    /// Accuracy by domain (price, volatility, yield, gas, protocol), each an exponential moving average from 0 to 1. Only events report it.
    pub fn by_domain(&self) -> [f32; DOMAINS] {
        self.by_domain
    }

    /// Regime-conditional accuracy, 0 to 1: that in the present regime, if it has predicted there at least `min_matches` times.
    pub fn regime_matched(&self, min_matches: u32) -> Option<f64> {
        let here = self.by_regime[self.regime?.index()];
        (here.matches > 0 && here.matches >= min_matches).then(|| f64::from(here.accuracy))
    }

    fn r_squared(&self) -> f64 {
        let of = |spread: &Spread| {
            let variance = f64::from(spread.mean_square - spread.mean * spread.mean);
            let error = f64::from(spread.squared_error);
            // A domain that never varies is foreseen wholly or not at all: the quotient would be 0/0.
            if variance <= STILL {
                f64::from(u8::from(error <= STILL))
            } else {
                (1.0 - error / variance).max(0.0)
            }
        };
        DOMAIN_WEIGHTS.into_iter().zip(&self.spreads).map(|(weight, spread)| weight * of(spread)).sum()
    }
}

/// Variance below which a domain counts as still.
const STILL: f64 = 1e-6;

/// Weight of the newest of `count` values: their plain mean at first, a running mean over about `window` later.
fn alpha(count: u32, window: u32) -> f32 {
    1.0 / count.min(window).max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(form: FitnessForm) -> MortalityConfig {
        let epistemic = EpistemicConfig { fitness_form: form, ..EpistemicConfig::default() };
        MortalityConfig { epistemic, ..MortalityConfig::default() }
    }

    /// One prediction right in everything: .5 + α·.5 with α = .02, .005, .003, .05, .001 (digest section 11, M02).
    #[test]
    fn domains_learn_at_their_own_pace() {
        let mut record = PredictionRecord::default();
        record.note([true; DOMAINS], None, &config(FitnessForm::Accuracy));
        for (found, expected) in record.by_domain().into_iter().zip([0.51, 0.5025, 0.5015, 0.525, 0.5005]) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
        assert!((record.accuracy() - 0.505).abs() < 1e-12);
    }

    /// Right in one regime and wrong in the other: the accuracy there is 1 or 0, after 19 exempt ticks and ten matches.
    #[test]
    fn each_regime_has_an_accuracy_of_its_own() {
        let mut matched = config(FitnessForm::Accuracy);
        matched.epistemic.regime_matched = true;
        let mut record = PredictionRecord::default();
        let live = |record: &mut PredictionRecord, right, regime, ticks| {
            (0..ticks).for_each(|_| record.note([right; DOMAINS], Some(regime), &matched));
        };
        live(&mut record, true, Regime::TrendingUp, 28);
        assert_eq!(record.regime_matched(10), None, "nine matches");
        live(&mut record, true, Regime::TrendingUp, 72);
        live(&mut record, false, Regime::Volatile, 100);
        assert_eq!(record.regime_matched(10), Some(0.0));
        live(&mut record, true, Regime::TrendingUp, 1);
        assert_eq!(record.regime_matched(10), Some(1.0), "one tick of a new stay is exempt");
        assert_eq!(record.fitness(&matched), 1.0);
        assert!(record.accuracy() < 0.5);
    }

    /// What came true is foreseen wholly, by half, or not at all: with outcomes of ±1 and foreseen values of half the size
    /// the squared error is a quarter of the variance.
    #[test]
    fn r_squared_by_hand() {
        let form = config(FitnessForm::RSquared);
        let after = |share: f32| {
            let mut record = PredictionRecord::default();
            for tick in 0..100 {
                let came = if tick % 2 == 0 { 1.0 } else { -1.0 };
                (0..DOMAINS).for_each(|domain| record.note_pair(domain, share * came, came, &form.epistemic));
                record.note([true; DOMAINS], None, &form);
            }
            record.fitness(&form)
        };
        assert!((after(1.0) - 1.0).abs() < 1e-6);
        assert!((after(0.5) - 0.75).abs() < 1e-3, "{}", after(0.5));
        assert_eq!(after(-1.0), 0.0);
        assert_eq!(PredictionRecord::default().fitness(&form), COLD_START_FITNESS);
    }

    #[test]
    fn profit_as_a_proxy_waits_for_ten_trades() {
        let form = config(FitnessForm::Pnl);
        let mut record = PredictionRecord::default();
        record.note_trades(9, 9, &form.epistemic);
        assert_eq!(record.fitness(&form), COLD_START_FITNESS);
        record.note_trades(1, 0, &form.epistemic);
        assert!((record.fitness(&form) - 0.9).abs() < 1e-6);
    }
}
