//! The formula of utility by itself, independent of where an episode is stored: a Grimoire in the engine, a table of transitions in the
//! replications. [The room](super) has the symbols and the source. Gain and need have no unit: they are products and sums of shares from
//! 0 to 1, times boosts. It has no threshold: `min_utility` is compared by those who choose.

use super::UtilityTerms;
use crate::replay::ReplayConfig;
use crate::replay::decay::{Decay, ReplayDecays};
use crate::replay::scale::{Scale, inverse, normalize, unit};

/// The formula's inputs for one episode in one situation: the feature vector of the priority score, before yardsticks and weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ingredients {
    /// Error of the prediction, in the unit of the yardstick.
    pub surprise: f64,
    /// Result over stake, in the unit of the yardstick.
    pub significance: f64,
    /// Result of the best other choice beyond this one's, in the unit of the yardstick.
    pub regret: f64,
    /// Replays so far.
    pub replays: u32,
    /// Factor on gain: the boost of an inherited episode; 1 for others.
    pub bloodstain: f64,
    /// Likeness of the circumstances then and now, 0 to 1.
    pub likeness: f64,
    /// Whether the regime is the same.
    pub same_regime: bool,
    /// Ticks since it ended, at least 0.
    pub age: f64,
    /// Ticks since it was last replayed, at least 0; `None` when it never was.
    pub since_replay: Option<f64>,
    /// Factors of the Curator's tag, the mood and the turn to legacy; 1 without.
    pub boosts: [f64; 3],
}

/// The formula with its constants: a scoring function (priority of prioritised experience replay) for which everything that is the same
/// for all episodes is worked out once.
#[derive(Clone, Debug)]
pub struct Formula<'a> {
    /// Weights and boosts.
    config: &'a ReplayConfig,
    /// One over the yardstick of surprise; 0 for a yardstick of 0, as in the next two.
    pub(super) per_surprise: f64,
    /// One over the yardstick of significance.
    pub(super) per_significance: f64,
    /// One over the yardstick of regret.
    pub(super) per_regret: f64,
    /// Decay of the recency term with age.
    pub(super) recency: Decay,
    /// Decay of the spacing penalty since the last replay.
    pub(super) spacing: Decay,
    /// Powers of the replay decay.
    pub(super) decays: ReplayDecays,
}

impl<'a> Formula<'a> {
    /// Makes the formula of these constants and yardsticks, with the inverses of the yardsticks.
    pub fn new(config: &'a ReplayConfig, scale: Scale) -> Self {
        Self {
            config,
            per_surprise: inverse(scale.surprise),
            per_significance: inverse(scale.significance),
            per_regret: inverse(scale.regret),
            recency: config.decay_form.with(config.recency_half_life_ticks),
            spacing: config.decay_form.with(config.spacing_half_life_ticks),
            decays: ReplayDecays::new(config.replay_decay),
        }
    }

    /// Computes every term of one episode (the decomposed priority score). A yardstick of 0 makes its term 0. The order of the factors is
    /// fixed, because the last bit of a product depends on it and the column pass ([`Scorer::utilities`](super::Scorer::utilities)) has to
    /// have the same bits.
    pub fn terms(&self, of: &Ingredients) -> UtilityTerms {
        let (gain_base, [surprise, significance, regret]) = self.gain_base(of);
        let replay_decay = self.decays.after(of.replays);
        let gain = gain_base * replay_decay * of.bloodstain;
        let (need, [regime, recency]) = self.need(of);
        let spacing = of.since_replay.map_or(0.0, |ticks| self.spacing.left(ticks));
        let [curator, mood, legacy] = of.boosts;
        let rested = 1.0 - self.config.spacing_weight * spacing;
        let utility = gain * need * rested * curator * mood * legacy;
        UtilityTerms {
            surprise,
            significance,
            regret,
            gain_base,
            replay_decay,
            bloodstain: of.bloodstain,
            gain,
            likeness: of.likeness,
            regime,
            recency,
            need,
            spacing,
            curator,
            mood,
            legacy,
            utility,
        }
    }

    fn gain_base(&self, of: &Ingredients) -> (f64, [f64; 3]) {
        let weights = &self.config.gain_weights;
        let surprise = normalize(of.surprise, self.per_surprise);
        let significance = normalize(of.significance, self.per_significance);
        let regret = normalize(of.regret, self.per_regret);
        let sum = weights.surprise * surprise + weights.significance * significance + weights.regret * regret;
        (unit(sum), [surprise, significance, regret])
    }

    fn need(&self, of: &Ingredients) -> (f64, [f64; 2]) {
        let weights = &self.config.need_weights;
        let regime = if of.same_regime { 1.0 } else { self.config.regime_mismatch };
        let recency = self.recency.left(of.age);
        let sum = weights.similarity * of.likeness + weights.regime * regime + weights.recency * recency;
        (unit(sum), [regime, recency])
    }
}
