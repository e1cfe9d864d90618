//! A reader of the simulated model: what all its answers share, whatever is asked.

use crate::episode::{Claim, ContextPattern};
use crate::llm::config::TierConfig;
use crate::llm::task::Pattern;
use crate::market::{Regime, Strategy};
use morta_base::Stream;

/// Imagined episodes of the usual result that every mean is shrunk by.
pub(crate) const SHRINKAGE: f64 = 2.0;
/// Effects smaller than this aren't reported, in R.
pub(crate) const LEAST_EFFECT_R: f64 = 0.1;
/// What a counterfactual gain counts for, because the road not taken was seen only afterwards.
pub(super) const HINDSIGHT_DISCOUNT: f64 = 0.5;

/// The temperature at which a tier reads as its table says; reading noise and invention grow in proportion to it.
pub const SOBER_TEMPERATURE: f64 = 0.4;

/// A tier at a temperature.
pub(super) struct Reader<'a> {
    pub tier: &'a TierConfig,
    pub noise_r: f64,
    pub invention: f64,
}

impl<'a> Reader<'a> {
    /// Noise and invention grow in proportion to the temperature.
    pub fn at(tier: &'a TierConfig, temperature: f64) -> Self {
        let heat = temperature / SOBER_TEMPERATURE;
        let invention = (tier.hallucination_rate * heat).min(1.0);
        Self { tier, noise_r: tier.reading_noise_r * heat, invention }
    }
}

/// A pattern out of nowhere.
pub(super) fn hallucinate(stream: &mut Stream) -> Pattern {
    let strategy = Strategy::ALL[stream.below(Strategy::COUNT)];
    let pattern = ContextPattern::from_regime(Regime::ALL[stream.below(Regime::COUNT)]);
    let claim = Claim::of_worth(strategy, pattern, stream.between(-0.6, 0.6));
    Pattern { claim, learned_from: Vec::new() }
}
