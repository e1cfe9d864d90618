//! The reader of the simulated model: constants and noise that its answers share (noise model of a mock language model).
//!
//! Noise and effects are in R, rates of hallucination from 0 to 1. A hotter temperature reads worse: noise and invention are the tier's
//! times temperature / .4, the rate at most 1. Noise falls with the tier by default (.3, .15, .05 R), so that a dearer model reads better.
//! Counterfactuals and consolidation are free of noise. Dreams also apply `SHRINKAGE` and `LEAST_EFFECT_R` to what they work out by formula
//! (scars, robustness); the parser of real replies halves a fragment's outcome by `HINDSIGHT_DISCOUNT`.

use crate::episode::{Claim, ContextPattern};
use crate::llm::config::TierConfig;
use crate::llm::task::SourcedClaim;
use crate::market::{Regime, Strategy};
use morta_base::Stream;

/// Imagined episodes that are added to every mean, of the usual result where one is known, else of 0. Our choice: of two equal results
/// half is believed.
pub(crate) const SHRINKAGE: f64 = 2.0;
/// Effects smaller than this aren't reported, in R. Our choice: less than half of what a claim must be confirmed by (.25 R), so
/// that the test and not the reader decides.
pub(crate) const LEAST_EFFECT_R: f64 = 0.1;
/// Factor on a counterfactual gain: the alternative was chosen with its outcome in sight, so it is the best of several by luck
/// too. Our choice, the half. Fragments and combined ideas take their outcome by it as well.
pub(super) const HINDSIGHT_DISCOUNT: f64 = 0.5;

/// The temperature at which a tier reads as its table says, the analytic one by default; reading noise and invention grow in
/// proportion to the temperature.
pub const SOBER_TEMPERATURE: f64 = 0.4;

/// A tier at a temperature: its noise in R and its rate of hallucination there (`invention`, at most 1).
pub(super) struct Reader<'a> {
    pub tier: &'a TierConfig,
    pub noise_r: f64,
    pub invention: f64,
}

impl<'a> Reader<'a> {
    /// Makes a reader at a sampling temperature: noise and invention grow in proportion to it.
    pub(super) fn at(tier: &'a TierConfig, temperature: f64) -> Self {
        let heat = temperature / SOBER_TEMPERATURE;
        let invention = (tier.hallucination_rate * heat).min(1.0);
        Self { tier, noise_r: tier.reading_noise_r * heat, invention }
    }
}

/// The largest result that a hallucination claims, also about a theme of OpenClaw, in R, either way. Our choice: large enough to be
/// reported, small enough to be believed.
pub(super) const MADE_UP_R: f64 = 0.6;

/// A hallucination: a random pattern without sources.
pub(super) fn hallucinate(stream: &mut Stream) -> SourcedClaim {
    let strategy = Strategy::ALL[stream.below(Strategy::COUNT)];
    let pattern = ContextPattern::from_regime(Regime::ALL[stream.below(Regime::COUNT)]);
    let claim = Claim::of_worth(strategy, pattern, stream.between(-MADE_UP_R, MADE_UP_R));
    SourcedClaim { claim, learned_from: Vec::new() }
}
