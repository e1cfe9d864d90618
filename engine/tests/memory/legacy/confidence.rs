use crate::common::episodes::{claim, lesson};
use morta_engine::market::Regime;
use morta_engine::memory::legacy::confidence::inherited_confidence;
use morta_engine::memory::legacy::{AffectLegacy, ConfidenceForm, LegacyEntry};
use morta_engine::memory::{Heir, SuccessionConfig};

/// A claim on the volatile regime, learned by generation 0.
pub(crate) fn entry(confidence: f64, confirmed: u32) -> LegacyEntry {
    LegacyEntry {
        written: 0,
        lesson: lesson(claim(0.4), confidence, confirmed),
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
    let in_testament = |confidence| LegacyEntry { in_testament: true, ..entry(confidence, 3) };
    check(&in_testament(0.8), at_home, &config, 0.7);
    check(&in_testament(0.5), at_home, &config, 0.491_25);
    check(&in_testament(0.3), at_home, &config, 0.3);
    check(&in_testament(0.04), at_home, &config, 0.04);
    let affect = AffectLegacy { diversity: 0.5, redemptive: true };
    let found = inherited_confidence(&entry(0.8, 3), &HEIR, Some(&affect), &config);
    assert!((found - 0.678).abs() < 1e-12, "{found}");
}
