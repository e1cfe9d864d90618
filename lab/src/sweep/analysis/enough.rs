//! Whether there are enough worlds to see the effect of interest, in the registered comparisons; verdicts don't depend on it.
//!
//! d = δ / s: δ the registered effect of interest (the measure's unit), s the standard deviation of the differences that was seen. Power is
//! that of a paired t test for d and n worlds. It is computed for the *registered* effect, never for the one that was found: power at the
//! observed effect is a function of p and says nothing new.
//!
//! It is a power analysis (sample size, number of seeds). Power is 0 to 1, at the registered error rate α. `Contrast` keeps it for
//! registered comparisons in the primary measure; the sentence warns by it where no result could have rejected.

use super::compare::DecisionRules;
use crate::sweep::sweep_file::{Correction, Preregistration, Test};
use morta_stats::power::{SeedsNeeded, paired_power, pairs_needed, seeds_needed};
use morta_stats::signed_rank::RankMethod;
use morta_stats::{Computed, PairedComparison, StatsError};
use serde::{Deserialize, Serialize};

/// A power analysis: what so many worlds (sample size) can show.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EnoughWorlds {
    /// The effect of interest δ, in the measure's unit.
    pub effect_of_interest: f64,
    /// Worlds for an interval of plus or minus that difference.
    pub for_half_width: Computed<SeedsNeeded>,
    /// That difference in standard deviations of the differences.
    pub effect_in_deviations: Computed<f64>,
    /// Chance of seeing it at the registered error rate, before any correction.
    pub power: Computed<f64>,
    /// The same at the error rate over the number of comparisons, the strictest the correction can ask for.
    pub power_strictest: Computed<f64>,
    /// The registered power, in (0, 1).
    pub wanted_power: f64,
    /// Worlds for that power, before any correction.
    pub for_power: Computed<u64>,
    /// The least p that the registered test can give with so many worlds (permutation test: 2/2ⁿ); none where it has no limit.
    pub smallest_p: Option<f64>,
    /// Whether a result could reject at all: the least p, corrected, is at or below the error rate. A sweep that can't decide says so
    /// before its figures.
    pub can_decide: bool,
}

impl EnoughWorlds {
    /// Reckons with the differences of a comparison. Without a spread (one world, or equal differences) power can't be computed.
    pub(crate) fn from_differences(
        differences: &[f64],
        figures: &PairedComparison,
        rules: &DecisionRules<'_>,
        registered: &Preregistration,
    ) -> Self {
        let effect = registered.effect_of_interest;
        let (alpha, worlds) = (registered.alpha, differences.len() as u64);
        let comparisons = rules.comparisons.max(1) as f64;
        let in_deviations = match figures.difference.standard_deviation {
            Some(deviation) if deviation > 0.0 => Ok(effect / deviation),
            Some(_) => Err(StatsError::Constant("the difference of the pairs".to_owned())),
            None => Err(StatsError::TooFew { subject: "worlds".to_owned(), found: 1, needed: 2 }),
        };
        let power = |alpha: f64| paired_power(in_deviations.clone()?, worlds, alpha);
        let for_power =
            in_deviations.clone().and_then(|effect| pairs_needed(effect, alpha, registered.power));
        let smallest_p = smallest_p(figures, registered.test);
        let corrected = match registered.correction {
            Correction::Holm => smallest_p.map(|p| rules.counted(p) * comparisons),
            Correction::BenjaminiHochberg => smallest_p.map(|p| rules.counted(p)),
        };
        Self {
            effect_of_interest: effect,
            for_half_width: seeds_needed(differences, effect, rules.options.level).into(),
            power: power(alpha).into(),
            power_strictest: power(alpha / comparisons).into(),
            wanted_power: registered.power,
            for_power: for_power.into(),
            effect_in_deviations: in_deviations.into(),
            smallest_p,
            can_decide: worlds > 1 && corrected.is_none_or(|p| p <= alpha),
        }
    }
}

/// The smallest two-sided p of a test with exact or drawn assignments: all n differences of one sign are one assignment of 2ⁿ on either
/// side, so 2/2ⁿ, differences of 0 left out. With five worlds that is .0625: no result could reject at .05, and the sentence says so.
fn smallest_p(figures: &PairedComparison, test: Test) -> Option<f64> {
    let ranks = figures.signed_rank.known()?;
    let of_exact = (0..ranks.used).fold(2.0, |p: f64, _| p / 2.0).min(1.0);
    match test {
        Test::PairedPermutation => figures.sign_flip.known().map(|test| match test.exact {
            true => of_exact,
            false => 1.0 / (test.assignments as f64 + 1.0),
        }),
        Test::Wilcoxon => (ranks.method == RankMethod::Exact).then_some(of_exact),
        Test::T => None,
    }
}
