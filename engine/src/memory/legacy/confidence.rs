//! The first confidence of inherited entries (digest section 14), from 0 to 1: a trust discount by generations, with bonuses and a ceiling.
//!
//! It is for legacies alone, when an heir receives one; lessons of bloodstains are discounted by keys of the memory that draws them. An
//! heir trusts an inheritance less than its giver did, because markets change and because what is taken over unproved would spread. By
//! default .85 is left for each generation crossed (`succession.confidence_form` "geometric"), at most .7; an untested dream has .15.

use super::{AffectLegacy, ConfidenceForm, Heir, LegacyEntry, SuccessionConfig};
use morta_base::math;

/// Least confidence that a bonus leaves (digest section 14: clamp to [.05, original]).
const LEAST: f64 = 0.05;
/// Bonus after a redemptive life (digest section 14, M06).
const REDEMPTIVE_BONUS: f64 = 0.05;

/// First confidence of an inherited entry, which decays over the generations (digest section 14): by the configured form, or the special
/// value of its kind; then the bonuses, which never lift it above the predecessor's own confidence; at most the ceiling.
///
/// Under the geometric form the predecessor's confidence is discounted by the whole gap to the golem that first learned the entry (M05,
/// M07). An entry that no life on the way confirms is therefore discounted again in each generation, and fades faster than geometrically.
pub fn inherited_confidence(
    entry: &LegacyEntry,
    heir: &Heir,
    affect: Option<&AffectLegacy>,
    config: &SuccessionConfig,
) -> f64 {
    let original = entry.lesson.confidence;
    let base = special(entry, config).unwrap_or_else(|| formed(entry, heir, config));
    let added = bonus(entry, heir, affect, config);
    let lifted =
        if added > 0.0 { (base + added).min(original).max(LEAST.min(original)).max(base) } else { base };
    lifted.min(config.confidence_ceiling)
}

fn formed(entry: &LegacyEntry, heir: &Heir, config: &SuccessionConfig) -> f64 {
    let original = entry.lesson.confidence;
    match config.confidence_form {
        ConfidenceForm::Geometric => {
            let crossed = entry.generations_to(heir.generation);
            original * math::pow(config.confidence_decay, f64::from(crossed))
        }
        ConfidenceForm::Flat => config.flat_confidence,
        ConfidenceForm::Half => 0.5 * original,
        ConfidenceForm::DreamSplit if entry.lesson.confirmed > 0 && !entry.dream_validated => {
            config.lived_confidence
        }
        ConfidenceForm::DreamSplit => config.dreamt_confidence,
        ConfidenceForm::None => original,
    }
}

/// The special value of an untested dream: .15 (M06, D06).
fn special(entry: &LegacyEntry, config: &SuccessionConfig) -> Option<f64> {
    let lesson = &entry.lesson;
    let untested = lesson.unfinished && lesson.confirmed + lesson.contradicted == 0;
    untested.then_some(config.untested_confidence)
}

fn bonus(entry: &LegacyEntry, heir: &Heir, affect: Option<&AffectLegacy>, config: &SuccessionConfig) -> f64 {
    let when = |holds: bool, bonus: f64| if holds { bonus } else { 0.0 };
    when(entry.lesson.claim.pattern.regime == Some(heir.regime), config.regime_bonus)
        + when(entry.in_testament, config.testament_bonus)
        + affect.map_or(0.0, |felt| {
            config.diversity_bonus * felt.diversity + when(felt.redemptive, REDEMPTIVE_BONUS)
        })
}
