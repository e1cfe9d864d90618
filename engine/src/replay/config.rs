//! The replay settings (`[dream.replay]` of a scenario): the hyperparameters of prioritised experience replay
//! (prioritized experience replay). Its gain and its need are each a linear combination of three terms.
//!
//! What is called confusion is an accuracy metric below a threshold. Weights and shares run from 0 to 1 (`bias_weight`, a factor, to 10),
//! half-lives are in ticks, thresholds in the unit that each key names. Dreams act by them, and dreaming is off by default
//! (`dream.enabled`); the urge to dream goes by `legacy` too, and a testament's causal edges by `causal`; `morta score` and the replication
//! of replay orders read the same keys. Sources are beside the keys; where the spec leaves a value open, the comment says what ours was
//! chosen by. Gain and need are the two factors of Mattar & Daw's priority; intensity scales the batch size.
//! Need weights make need a weighted sum, where prioritized replay has the successor representation.

use crate::replay::{
    DecayForm, Prioritization, bias, causal, credit, forward, legacy, perturbed, reverse, stakes,
};
use morta_base::TableChecker;
use morta_base::keys;

morta_base::words! {
    /// What a golem's prediction accuracy is, for the purposes of replay.
    #[derive(Default)]
    pub(crate) enum ConfusedBy: Key {
        /// The accuracy of the classes it predicts.
        #[default]
        Classes = "classes",
        /// Its epistemic fitness.
        Fitness = "fitness",
        /// How often life has borne out what its latest dreams concluded (replay spec, "replay predictive accuracy").
        Replays = "replays",
    }
}

keys! {
    /// Shares of the three things there are to learn from an episode.
    pub struct GainWeights {
        /// Weight of how wrong the prediction was.
        // Gain weights of the replay spec's `compute_replay_utility`.
        surprise: f64 = 0.4, in 0.0..=1.0, "weight";
        /// Weight of how much was at stake.
        significance: f64 = 0.3, in 0.0..=1.0, "weight";
        /// Weight of what the best other strategy would have made beyond it.
        // As the two above: the gain weights of `compute_replay_utility` (replay spec).
        regret: f64 = 0.3, in 0.0..=1.0, "weight";
    }
}

keys! {
    /// Shares of the three signs that an episode's circumstances will come again.
    pub struct NeedWeights {
        /// Weight of the likeness of the market then and now.
        // Need weights of the replay spec's `compute_replay_utility`.
        similarity: f64 = 0.4, in 0.0..=1.0, "weight";
        /// Weight of the regime being the same.
        regime: f64 = 0.3, in 0.0..=1.0, "weight";
        /// Weight of how recent it is.
        recency: f64 = 0.3, in 0.0..=1.0, "weight";
    }
}

keys! {
    /// How a dream's uncertainty scales the batch size.
    pub struct IntensityConfig {
        /// Whether it does; otherwise every batch has `batch_size`.
        // Dream spec, "dream intensity modulation". Off, dreams of sure and of unsure golems can be compared at one batch size.
        scales_batch: bool = true;
        /// Factor on `batch_size` when the golem predicts well.
        // The dream spec's table of intensity has batches of 5, 10 and 15; these factors give them at the default batch size of
        // 10.
        low: f64 = 0.5, in above(0.0).to(10.0), "factor";
        /// Factor on `batch_size` in between.
        medium: f64 = 1.0, in above(0.0).to(10.0), "factor";
        /// Factor on `batch_size` when it predicts badly.
        high: f64 = 1.5, in above(0.0).to(10.0), "factor";
        /// Epistemic fitness below which uncertainty is high; where fitness is skill, a twentieth as far from .5.
        // Thresholds of the dream spec, "dream intensity modulation".
        high_below_fitness: f64 = 0.5, in 0.0..=1.0, "fitness";
        /// Epistemic fitness below which it is at least medium, at least `high_below_fitness`.
        medium_below_fitness: f64 = 0.7, in 0.0..=1.0, "fitness";
    }
    also steps_are_in_order;
}

impl IntensityConfig {
    fn steps_are_in_order(&self, table: &mut TableChecker<'_>) {
        table.in_order(&[
            ("high_below_fitness", self.high_below_fitness),
            ("medium_below_fitness", self.medium_below_fitness),
        ]);
    }
}

keys! {
    /// Every constant of replay. All of them may be swept.
    pub struct ReplayConfig {
        /// Episodes in one batch; 5 to 15 is the useful range.
        batch_size: u32 = 10, in 1..=MAX_BATCH_SIZE, "episodes";
        /// How the batch size follows the dream's uncertainty.
        intensity: IntensityConfig = IntensityConfig::default();
        /// What decides which episodes come first.
        prioritization: Prioritization = Prioritization::Utility;
        /// Share of replays that are perturbed.
        // Replay spec: about 30 % of replays.
        perturbation_rate: f64 = 0.3, in 0.0..=1.0, "share";
        /// Share of the places kept for diversity.
        // Replay spec, pass 2: "reserve 20 % of slots".
        diversity_share: f64 = 0.2, in 0.0..=1.0, "share";
        /// Utility an episode must exceed to be chosen for its utility.
        // Dream spec, phase 1: episodes are filtered by utility > 0.1.
        min_utility: f64 = 0.1, in 0.0..=10.0, "utility";
        /// Ticks in which the recency of an episode halves (the default: a day of 40-second ticks).
        // Ruling 2: the spec leaves its value open.
        recency_half_life_ticks: f64 = 2_160.0, in above(0.0), "ticks";
        /// Ticks in which the penalty for a recent replay halves.
        // Ruling 2. The spec leaves its value open; the least gap between two dreams in the daimon documents, so that half the
        // penalty is over when the next dream may begin.
        spacing_half_life_ticks: f64 = 500.0, in above(0.0), "ticks";
        /// Whether those two are half-lives or time constants.
        decay_form: DecayForm = DecayForm::HalfLife;
        /// Factor on gain for each earlier replay.
        // Replay spec, "replay decay".
        replay_decay: f64 = 0.85, in 0.0..=1.0, "factor";
        /// Factor on the gain of an inherited episode.
        // Replay spec, "bloodstain feedback": the boost applies to gain, not to utility, so that need can still rule an inherited
        // episode out.
        bloodstain_boost: f64 = 1.2, in 0.0..=10.0, "factor";
        /// Factor on the utility of an episode the Curator tagged high.
        // Dream spec, phase 1: episodes tagged high get a 2x boost.
        curator_boost: f64 = 2.0, in 0.0..=10.0, "factor";
        /// Factor on the utility of an episode the Curator tagged medium. The specs tag so and name no factor; the default is halfway between
        /// none and that of a high tag. 1 leaves medium tags without effect.
        curator_boost_medium: f64 = 1.5, in 0.0..=10.0, "factor";
        /// Weights of gain.
        gain_weights: GainWeights = GainWeights::default();
        /// Weights of need.
        need_weights: NeedWeights = NeedWeights::default();
        /// Quantile of the golem's own buffer that counts as 1 in surprise, significance and regret.
        // Ruling 3: the spec leaves `normalize` undefined.
        normalization_quantile: f64 = 0.95, in above(0.0).to(1.0), "quantile";
        /// Regime term of an episode from another regime.
        // The two constants of `compute_replay_utility` (0.3 for another regime, 0.5 on spacing).
        regime_mismatch: f64 = 0.3, in 0.0..=1.0, "need";
        /// Share of utility a replay of this very tick takes away.
        spacing_weight: f64 = 0.5, in 0.0..=1.0, "weight";
        /// How long ago a regime may have been met for diversity to ask for it, in ticks (the default: 30 days of
        /// 40-second ticks).
        // Replay spec, pass 2: "last 30 days" and "oldest third".
        regime_window_ticks: u64 = 64_800, in 1.., "ticks";
        /// Share of the episodes that count as the oldest.
        oldest_share: f64 = 1.0 / 3.0, in 0.0..=1.0, "share";
        /// Arousal from which an episode counts as emotional.
        // The daimon documents' bound for depotentiation, above which an episode still has a charge to lose.
        high_arousal: f64 = 0.5, in 0.0..=1.0, "arousal";
        /// Factor on the utility of episodes the mood is drawn to.
        // Replay spec, PAD table: anxious 2×. It gives the other moods no factor; ours is the same.
        bias_weight: f64 = 2.0, in 0.0..=10.0, "weight";
        /// When the mood is drawn to what.
        mood: bias::MoodConfig = bias::MoodConfig::default();
        /// Least share of a dream's budget for creative work in any mood.
        creative_floor: f64 = 0.2, in 0.0..=1.0, "share";
        /// Prediction accuracy below which replay goes after what confused the golem most, whatever the prioritization.
        confused_below_accuracy: f64 = 0.5, in 0.0..=1.0, "accuracy";
        /// What counts as that accuracy: "classes" (of predicted gas, depth, volatility and the like, the specs'), "fitness" (epistemic
        /// fitness, of which .5 is no better than yesterday where it is skill: most golems are confused then) or "replays" (the share of
        /// what its latest dreams concluded that life has borne out, of what it has decided).
        confused_by: ConfusedBy = ConfusedBy::Classes;
        /// The latest dreams whose conclusions count, under "replays" (our own key).
        confused_dreams: u32 = 5, in 1..=1_000, "dreams";
        /// Conclusions that life must have decided for it to count at all, under "replays" (our own key).
        confused_least_decided: u32 = 4, in 1..=1_000, "conclusions";
        /// How old golems turn to what they can pass on.
        legacy: legacy::LegacyConfig = legacy::LegacyConfig::default();
        /// Memory strength gained by being replayed.
        // Replay spec, "dream-retrieval strengthening": half of what a live confirmation gives, because no market has confirmed
        // it.
        strength_per_replay: f64 = 0.5, in 0.0..=10.0, "strength";
        /// Credit assignment.
        reverse: reverse::ReverseConfig = reverse::ReverseConfig::default();
        /// Credit for the steps inside a trade.
        credit: credit::CreditConfig = credit::CreditConfig::default();
        /// Conclusions about how much to put in (our own table).
        stakes: stakes::StakesConfig = stakes::StakesConfig::default();
        /// The causal graph.
        causal: causal::CausalConfig = causal::CausalConfig::default();
        /// Anticipation.
        forward: forward::ForwardConfig = forward::ForwardConfig::default();
        /// Sizes of the perturbations.
        perturbations: perturbed::PerturbationConfig = perturbed::PerturbationConfig::default();
        /// What-ifs as multiples of the deviation that was measured (by default fifteen basis points become 50, 100 and
        /// 200).
        // Replay spec, "deviation-anchored replay": its sizes for a deviation of 15 basis points.
        deviation_multiples: Vec<f64> = vec![10.0 / 3.0, 20.0 / 3.0, 40.0 / 3.0], in 0.0..=1_000.0, "factor", len 1..=MAX_DEVIATION_MULTIPLES;
    }
}

/// Largest batch: far beyond any prompt, small enough that selection stays linear in the buffer.
pub(crate) const MAX_BATCH_SIZE: u32 = 1_000;

/// Most what-ifs drawn from one deviation.
pub(crate) const MAX_DEVIATION_MULTIPLES: usize = 16;
