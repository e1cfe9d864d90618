//! How far an heir trusts what it is handed.

use super::{AffectLegacy, ConfidenceForm, Heir, LegacyEntry, SuccessionConfig};
use morta_base::math;

/// Least confidence that a bonus leaves (digest section 14).
const LEAST: f64 = 0.05;
/// What is added after a life that took a turn for the better (digest section 14).
const REDEMPTIVE_BONUS: f64 = 0.05;

/// The confidence an inherited entry starts from (digest section 14): by the form in force, or the special value of its kind; then
/// the bonuses, which never lift it above the predecessor's own confidence; at most the ceiling.
///
/// Under the geometric form the predecessor's own value is discounted by the whole gap to whoever first learned it, as M05 and
/// M07 have it: what nobody bears out on the way fades faster than geometrically.
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

/// Untested dreams: .15.
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
