//! The utility of replaying an episode: gain (how much there is to learn from it) times need (how likely its circumstances are to
//! come again).
//!
//! Symbols, all of one episode (Mattar & Daw 2018; replay spec, "utility-weighted episode selection"; rulings 1–4):
//!
//! - gain = clamp(w_s·surprise + w_o·significance + w_r·regret) · decayⁿ · bloodstain
//! - need = clamp(w_e·likeness + w_g·regime + w_t·recency)
//! - utility = gain · need · (1 − w_p·spacing) · curator · mood · legacy
//!
//! with surprise, significance and regret as shares of the buffer's own high quantile, in [0, 1]. The weights are the spec's:
//! w_s, w_o, w_r = .4, .3, .3; w_e, w_g, w_t = .4, .3, .3; w_p = .5. Boosts multiply and aren't clamped (ruling 4), so utilities
//! of boosted episodes may exceed 1: clamped, all of them would tie.
//!
//! The gain is a heuristic of the spec. Mattar & Daw's own gain is the improvement of the policy that a replay brings, and needs a model
//! of values that a trading golem hasn't got; `morta replicate` holds the two against each other in mazes. Terms run from 0 to 1, boosts
//! are factors that are 1 where they don't apply, and nothing has a unit. In prioritised experience replay this is the priority;
//! prediction error (TD error) is one of its terms. The formula of one episode is in `formula`, the exact utilities of all are in
//! `columns`, the best few in `best`, which screens by `lens` and `pass`.

use crate::episode::Grimoire;
use crate::market::Regime;
use crate::replay::ReplayConfig;
use crate::replay::bias::{MoodPreference, PadBias};
use crate::replay::decay;
use crate::replay::legacy::Transfer;
use crate::replay::scale::Scale;
use crate::replay::similarity::Probe;
use morta_base::Tick;
use serde::{Deserialize, Serialize};

mod best;
mod columns;
mod formula;
mod lens;
mod pass;

pub use best::Ranked;
pub use formula::{Formula, Ingredients};

morta_base::words! {
    /// What a dream goes after: the replay policy is ordinary prioritisation, or prediction error when the golem is confused.
    #[derive(Default)]
    pub enum ReplayMode {
        /// What the configured prioritization puts first.
        #[default]
        Normal = "normal",
        /// What confused it most: the largest |expected − realised| first, whatever the prioritization.
        Confused = "confused",
    }
}

impl ReplayMode {
    /// Chooses the mode: confused when predictions are right too seldom; `accuracy` in [0, 1] (dream spec, "three-clock modulation": below
    /// .5). Which accuracy it is, the caller takes from `confused_by`.
    pub fn of_accuracy(accuracy: f64, config: &ReplayConfig) -> Self {
        if accuracy < config.confused_below_accuracy { Self::Confused } else { Self::Normal }
    }
}

/// The dreamer's situation: the query of a replay selection (scoring context), by which need is judged. A dream selects once, by that of
/// its start, so that the order of questions can't change what is chosen; at later steps its view has the situation of that tick.
/// `morta score` makes one from its state file, and `morta loadtest` takes those of living golems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReplayContext<'a> {
    /// Now.
    pub tick: Tick,
    /// The market's embedding now, of the Grimoire's dimension; golems take that of the world's first asset.
    pub embedding: &'a [f32],
    /// The golem's reading of the regime now, of the first asset too.
    pub regime: Regime,
    /// The bias of its mood, if it has one.
    pub pad_bias: Option<PadBias>,
    /// Whether the golem has affect at all; without it no place is reserved for emotional diversity.
    pub affect: bool,
    /// What is replayed first.
    pub mode: ReplayMode,
    /// Progress of the turn to legacy, 0 to 1 (see [`LegacyConfig::turn`](super::LegacyConfig::turn)).
    pub legacy: f64,
}

/// Every term and factor of one episode's utility: the decomposed priority score, for explainability.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct UtilityTerms {
    /// Surprise as a share of the buffer's yardstick, 0 to 1.
    pub surprise: f64,
    /// Outcome significance as a share of the buffer's yardstick, 0 to 1.
    pub significance: f64,
    /// Counterfactual regret as a share of the buffer's yardstick, 0 to 1.
    pub regret: f64,
    /// Their weighted sum, clamped to [0, 1].
    pub gain_base: f64,
    /// The share that earlier replays leave of the gain, 0 to 1.
    pub replay_decay: f64,
    /// Factor on gain for inherited episodes; 1 for others.
    pub bloodstain: f64,
    /// Gain with decay and boost.
    pub gain: f64,
    /// Likeness of the market then and now, 0 to 1.
    pub likeness: f64,
    /// 1 in the same regime, and the mismatch value in another.
    pub regime: f64,
    /// The share that time has left, 0 to 1.
    pub recency: f64,
    /// Need: their weighted sum, clamped to [0, 1].
    pub need: f64,
    /// How fresh the last replay is, 0 (never) to 1 (this tick).
    pub spacing: f64,
    /// Factor for the Curator's tag; 1 without.
    pub curator: f64,
    /// Factor of the mood; 1 for an episode that it isn't drawn to.
    pub mood: f64,
    /// Factor of the turn to legacy; 1 for a young golem.
    pub legacy: f64,
    /// gain · need · (1 − spacing weight · spacing) · curator · mood · legacy.
    pub utility: f64,
}

impl UtilityTerms {
    /// The factors of a utility besides base gain and need: decay, boosts and spacing.
    pub(crate) fn beside_gain_and_need(&self, spacing_weight: f64) -> f64 {
        let boosts = self.bloodstain * self.curator * self.mood * self.legacy;
        self.replay_decay * boosts * (1.0 - spacing_weight * self.spacing)
    }
}

/// Scores the episodes of one Grimoire in one situation: a scoring function (ranking function) bound to a replay buffer and a query.
/// Dreams, `morta score` and the load test of scoring use it.
#[derive(Clone, Debug)]
pub struct Scorer<'a> {
    /// The buffer.
    grimoire: &'a Grimoire,
    /// The situation of the dreamer.
    context: ReplayContext<'a>,
    /// Weights, boosts and thresholds.
    config: &'a ReplayConfig,
    /// Yardsticks of the gain terms.
    scale: Scale,
    /// The market now, to which each episode's is compared.
    probe: Probe<'a>,
    /// The formula with its constants.
    formula: Formula<'a>,
    /// The episodes that the mood prefers; `None` without a biased mood.
    drawn: Option<MoodPreference<'a>>,
    /// Transferability by kind; `None` as long as the turn to legacy hasn't begun.
    transfer: Option<Transfer>,
}

impl<'a> Scorer<'a> {
    /// Prepares to score, against yardsticks of the Grimoire itself (quantile normalisation).
    ///
    /// # Panics
    /// When the context's embedding hasn't the Grimoire's dimension, or its legacy isn't in [0, 1].
    pub fn new(grimoire: &'a Grimoire, context: &ReplayContext<'a>, config: &'a ReplayConfig) -> Self {
        let scale = Scale::from_grimoire(grimoire, config.normalization_quantile);
        Self::with_scale(grimoire, context, config, scale)
    }

    /// Prepares to score against precomputed yardsticks (normalization constants), which are injected: a caller that scores in many
    /// situations measures the buffer once (a bench alone; dreams take [`Scorer::new`]).
    ///
    /// # Panics
    /// As [`Scorer::new`].
    pub fn with_scale(
        grimoire: &'a Grimoire,
        context: &ReplayContext<'a>,
        config: &'a ReplayConfig,
        scale: Scale,
    ) -> Self {
        assert_eq!(
            context.embedding.len(),
            grimoire.dimensions(),
            "embeddings of one world have one dimension"
        );
        assert!((0.0..=1.0).contains(&context.legacy), "the turn to legacy is a share");
        let now = (context.tick, context.regime);
        let drawn = context.pad_bias.map(|bias| MoodPreference::for_bias(bias, grimoire, now, &scale));
        Self {
            grimoire,
            context: *context,
            config,
            scale,
            probe: Probe::new(context.embedding),
            formula: Formula::new(config, scale),
            drawn,
            transfer: (context.legacy > 0.0).then(|| Transfer::from_grimoire(grimoire)),
        }
    }

    /// What is replayed first.
    pub(crate) fn mode(&self) -> ReplayMode {
        self.context.mode
    }

    /// Share of utility that a replay of this very tick takes away.
    pub(crate) fn spacing_weight(&self) -> f64 {
        self.config.spacing_weight
    }

    /// The buffer's yardsticks: the constants that normalise its terms.
    pub fn scale(&self) -> &Scale {
        &self.scale
    }

    /// Breaks the score of one episode down into its terms, by slot. Its utility has the bits of the column pass.
    pub fn terms(&self, slot: usize) -> UtilityTerms {
        let grimoire = self.grimoire;
        let ticks_since = |then| decay::elapsed(self.context.tick, then);
        self.formula.terms(&Ingredients {
            surprise: f64::from(grimoire.surprise()[slot]),
            significance: f64::from(grimoire.significance()[slot]),
            regret: f64::from(grimoire.regret()[slot]),
            replays: grimoire.replay_count()[slot],
            bloodstain: if grimoire.inherited()[slot] { self.config.bloodstain_boost } else { 1.0 },
            likeness: self.probe.likeness(grimoire.embedding(slot)),
            same_regime: grimoire.regimes()[slot] == self.context.regime,
            age: ticks_since(grimoire.closed()[slot]),
            since_replay: grimoire.last_replayed()[slot].map(ticks_since),
            boosts: self.boosts(slot),
        })
    }
}
