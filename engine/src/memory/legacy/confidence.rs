//! How far an heir trusts what it is handed.

use super::{AffectLegacy, ConfidenceForm, Heir, LegacyEntry, SuccessionConfig};
use morta_base::math;

/// Least confidence that a bonus leaves (digest section 14).
const LEAST: f64 = 0.05;

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
            config.diversity_bonus * felt.diversity + when(felt.redemptive, config.redemptive_bonus)
        })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::episode::standing::tests::claim;
    use crate::episode::{EntryKind, FindingKind, Lesson};
    use crate::market::Regime;
    use morta_base::GolemId;

    /// A claim on the volatile regime, learned by generation 0.
    pub(crate) fn entry(confidence: f64, confirmed: u32) -> LegacyEntry {
        LegacyEntry {
            written: 0,
            lesson: Lesson {
                kind: EntryKind::Insight,
                claim: claim(0.4),
                confidence,
                confirmed,
                contradicted: 0,
                origin: GolemId::founder(0),
                unfinished: false,
                finding: FindingKind::Insight,
                learned_from: Vec::new(),
                outcomes_behind: confirmed,
            },
            last_validated: 0,
            dream_validated: false,
            in_testament: false,
        }
    }

    const HEIR: Heir = Heir { generation: 2, regime: Regime::TrendingUp, now: 0 };

    fn check(entry: &LegacyEntry, heir: Heir, config: &SuccessionConfig, expected: f64) {
        let found = inherited_confidence(entry, &heir, None, config);
        assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
    }

    /// .8 · .85² = .578 after two generations; .4 flat; .4 half; .25 and .15 split; .7 at most undiscounted.
    #[test]
    fn the_five_forms() {
        let with = |confidence_form| SuccessionConfig { confidence_form, ..SuccessionConfig::default() };
        let lived = entry(0.8, 3);
        check(&lived, HEIR, &with(ConfidenceForm::Geometric), 0.578);
        check(&lived, HEIR, &with(ConfidenceForm::Flat), 0.4);
        check(&entry(0.6, 3), HEIR, &with(ConfidenceForm::Half), 0.3);
        check(&lived, HEIR, &with(ConfidenceForm::DreamSplit), 0.25);
        let dreamt = LegacyEntry { dream_validated: true, ..lived.clone() };
        check(&dreamt, HEIR, &with(ConfidenceForm::DreamSplit), 0.15);
        check(&lived, HEIR, &with(ConfidenceForm::None), 0.7);
        check(&entry(0.6, 3), HEIR, &with(ConfidenceForm::None), 0.6);
    }

    #[test]
    fn untested_dreams_have_a_value_of_their_own() {
        let config = SuccessionConfig::default();
        let mut untested = entry(0.8, 0);
        untested.lesson.unfinished = true;
        check(&untested, HEIR, &config, 0.15);
    }

    /// .578 + .1 for the regime + .03 for the testament = .708, held to .7; .5 · .7225 + .13 = .49125 stays below .5; affect adds .1
    /// times its diversity and .05.
    #[test]
    fn bonuses_stay_between_five_hundredths_and_the_original() {
        let config = SuccessionConfig::default();
        let at_home = Heir { regime: Regime::Volatile, ..HEIR };
        let told = |confidence| LegacyEntry { in_testament: true, ..entry(confidence, 3) };
        check(&told(0.8), at_home, &config, 0.7);
        check(&told(0.5), at_home, &config, 0.491_25);
        check(&told(0.3), at_home, &config, 0.3);
        check(&told(0.04), at_home, &config, 0.04);
        let affect = AffectLegacy { diversity: 0.5, redemptive: true, tags: Vec::new() };
        let found = inherited_confidence(&entry(0.8, 3), &HEIR, Some(&affect), &config);
        assert!((found - 0.678).abs() < 1e-12, "{found}");
    }
}
