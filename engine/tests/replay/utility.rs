//! Hand-computed scores, and properties of all of them.

use crate::common::episodes::{episode, holding, id, take};
use crate::common::replay::{BIASES, STAIN, any_grimoire, context};
use morta_base::{Digest, EpisodeId, Purpose, WorldSeed};
use morta_engine::episode::{DreamPriority, Episode, Grimoire, GrimoireConfig};
use morta_engine::market::Regime;
use morta_engine::replay::{PadBias, ReplayConfig, ReplayContext, ReplayMode, Scorer};
use proptest::prelude::*;

/// The utility of every episode, by slot.
pub(crate) fn score_all(grimoire: &Grimoire, context: &ReplayContext<'_>, config: &ReplayConfig) -> Vec<f64> {
    Scorer::new(grimoire, context, config).utilities()
}

/// Two episodes, so that with the maximum as yardstick (2.0 R, 0.5, 1.0 R) the first has round shares.
fn pair() -> Grimoire {
    let mut first = episode(0, 0);
    (first.surprise, first.significance, first.regret) = (1.0, 0.25, 1.0);
    let mut largest = episode(1, 0);
    (largest.surprise, largest.significance, largest.regret) = (2.0, 0.5, 0.0);
    largest.embedding = vec![0.0, 1.0].into();
    largest.context.regime = Regime::RangeBound;
    holding(0, [first, largest])
}

/// Takes an episode out, changes it and puts it back, behind the others.
pub(crate) fn alter(grimoire: &mut Grimoire, id: EpisodeId, change: impl FnOnce(&mut Episode)) {
    let mut episode = take(grimoire, id);
    change(&mut episode);
    grimoire.insert(episode, 0);
}

fn by_maximum() -> ReplayConfig {
    ReplayConfig { normalization_quantile: 1.0, ..ReplayConfig::default() }
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-7, "{found} is not {expected}");
}

/// gain = 0.4·0.5 + 0.3·0.5 + 0.3·1 = 0.65; need = 0.4·1 + 0.3·1 + 0.3·2^(−2160/2160) = 0.85; their product 0.5525.
#[test]
fn utility_by_hand() {
    let (grimoire, config) = (pair(), by_maximum());
    let context = context(2_160);
    let terms = Scorer::new(&grimoire, &context, &config).terms(0);
    assert_eq!((terms.surprise, terms.significance, terms.regret), (0.5, 0.5, 1.0));
    near(terms.gain, 0.65);
    assert_eq!((terms.likeness, terms.regime, terms.recency), (1.0, 1.0, 0.5));
    near(terms.need, 0.85);
    near(terms.utility, 0.5525);
}

/// The other: gain = 0.4 + 0.3 = 0.7; need = 0 + 0.3·0.3 + 0.3·0.5 = 0.24; utility 0.168.
#[test]
fn another_regime_and_a_market_at_a_right_angle() {
    let (grimoire, config) = (pair(), by_maximum());
    let terms = Scorer::new(&grimoire, &context(2_160), &config).terms(1);
    assert_eq!((terms.likeness, terms.regime), (0.0, 0.3));
    near(terms.utility, 0.168);
}

/// Replayed twice, last 500 ticks ago: gain 0.65·0.85² = 0.469625, spacing 1/2, so the utility is
/// 0.469625·0.85·0.75 = 0.299385938; and the same again gives the same, since nothing is compounded.
#[test]
fn decay_and_spacing_both_apply() {
    let (mut grimoire, config) = (pair(), by_maximum());
    let first = grimoire.record(0).id;
    grimoire.mark_replayed(first, 1_000, 0.5);
    grimoire.mark_replayed(first, 1_660, 0.5);
    for _ in 0..2 {
        let terms = Scorer::new(&grimoire, &context(2_160), &config).terms(0);
        near(terms.replay_decay, 0.7225);
        near(terms.spacing, 0.5);
        near(terms.utility, 0.299_385_937_5);
    }
}

/// A bloodstain lifts gain 0.65 to 0.78, a high tag doubles the utility: 0.78·0.85·2 = 1.326, above 1; a medium tag makes it half as
/// much again: 0.663·1.5 = 0.9945.
#[test]
fn boosts_multiply_and_may_exceed_one() {
    let config = by_maximum();
    let mut grimoire = pair();
    let id = grimoire.record(0).id;
    alter(&mut grimoire, id, |inherited| inherited.provenance = STAIN);
    let slot = grimoire.len() - 1;
    grimoire.tag(id, DreamPriority::Medium);
    near(Scorer::new(&grimoire, &context(2_160), &config).terms(slot).utility, 0.994_5);
    let deaf = ReplayConfig { curator_boost_medium: 1.0, ..config.clone() };
    near(Scorer::new(&grimoire, &context(2_160), &deaf).terms(slot).utility, 0.663);
    grimoire.tag(id, DreamPriority::High);
    let terms = Scorer::new(&grimoire, &context(2_160), &config).terms(slot);
    near(terms.gain, 0.78);
    near(terms.need, 0.85);
    near(terms.utility, 1.326);
}

/// Spec: a bloodstain of base gain 0.5 has 0.6 after the boost.
#[test]
fn bloodstain_gain_of_the_spec() {
    let config = by_maximum();
    let mut grimoire = pair();
    let first = grimoire.record(0).id;
    alter(&mut grimoire, first, |inherited| {
        inherited.provenance = STAIN;
        (inherited.surprise, inherited.significance, inherited.regret) = (1.0, 0.5, 0.0);
    });
    near(Scorer::new(&grimoire, &context(0), &config).terms(1).gain, 0.6);
}

#[test]
fn the_e_fold_form_is_the_literal_spec() {
    let config = ReplayConfig { decay_form: morta_engine::replay::DecayForm::EFold, ..by_maximum() };
    let terms = Scorer::new(&pair(), &context(2_160), &config).terms(0);
    near(terms.recency, 0.367_879_441_2);
}

#[test]
fn a_buffer_without_any_surprise_has_no_gain_from_it() {
    let flat = Episode { surprise: 0.0, significance: 0.0, regret: 0.0, ..episode(0, 0) };
    let terms = Scorer::new(&holding(0, [flat]), &context(0), &ReplayConfig::default()).terms(0);
    assert_eq!((terms.surprise, terms.gain, terms.utility), (0.0, 0.0, 0.0));
}

/// With ticks of a replay or an episode ahead of now (inherited ones), nothing has elapsed.
#[test]
fn the_future_counts_as_now() {
    let terms = Scorer::new(&holding(0, [episode(0, 900)]), &context(100), &ReplayConfig::default()).terms(0);
    assert_eq!(terms.recency, 1.0);
}

/// Anxious, at the stop: the utility doubles. Wholly transferable and half turned to legacy: ×1.5.
#[test]
fn mood_and_legacy_multiply() {
    let config = by_maximum();
    let mut grimoire = pair();
    let first = grimoire.record(0).id;
    alter(&mut grimoire, first, |stopped| stopped.realised_r = -1.0);
    let mut situation = context(2_160);
    situation.pad_bias = Some(PadBias::Anxious);
    let terms = Scorer::new(&grimoire, &situation, &config).terms(1);
    assert_eq!(terms.mood, 2.0);
    near(terms.utility, 1.105);
    for (number, regime) in [(10, Regime::RangeBound), (11, Regime::RangeBound)] {
        let mut loss = episode(number, 0);
        (loss.realised_r, loss.context.regime) = (-3.0, regime);
        grimoire.insert(loss, 0);
    }
    situation.legacy = 0.5;
    assert_eq!(Scorer::new(&grimoire, &situation, &config).terms(1).legacy, 1.5);
}

#[test]
fn poor_predictions_confuse() {
    let config = ReplayConfig::default();
    assert_eq!(ReplayMode::of_accuracy(0.49, &config), ReplayMode::Confused);
    assert_eq!(ReplayMode::of_accuracy(0.50, &config), ReplayMode::Normal);
}

/// Would change with the order of a sum, the polynomial of 2^(−x) or the lanes of the likeness, and so with every
/// recorded dream.
#[test]
fn golden_scores() {
    let mut stream = WorldSeed(11).world(Purpose::Dream, 0, 0);
    let mut grimoire = Grimoire::new(GrimoireConfig::default(), 16);
    for number in 0..200 {
        let mut lived = episode(number, u64::from(number) * 37);
        (lived.surprise, lived.significance, lived.regret) =
            (stream.uniform(), stream.uniform(), stream.uniform());
        lived.context.regime = Regime::ALL[stream.below(4)];
        lived.embedding = (0..16).map(|_| stream.normal() as f32).collect();
        grimoire.insert(lived, 0);
        for replay in 0..number % 3 {
            grimoire.mark_replayed(id(number), 3_000 + u64::from(replay) * 1_000, 0.5);
        }
    }
    let embedding: Vec<f32> = (0..16).map(|_| stream.normal() as f32).collect();
    let situation = ReplayContext { embedding: &embedding, ..context(7_500) };
    let mut digest = Digest::default();
    digest.record(&score_all(&grimoire, &situation, &ReplayConfig::default()));
    assert_eq!(digest.hex(), "f41ab6d384d2d17f36e9495456c41057e668fb4fc5b18b1bdcf40ca0038be5af");
}

proptest! {
    #[test]
    fn the_column_pass_has_the_bits_of_the_single_score(
        grimoire in any_grimoire(60),
        bias in prop::sample::select(&BIASES[..]),
        legacy in prop::sample::select(&[0.0, 0.3, 1.0][..]),
    ) {
        let config = ReplayConfig::default();
        let situation = ReplayContext { pad_bias: bias, legacy, ..context(3_000) };
        let scores = score_all(&grimoire, &situation, &config);
        let scorer = Scorer::new(&grimoire, &situation, &config);
        for (slot, score) in scores.iter().enumerate() {
            prop_assert_eq!(score.to_bits(), scorer.terms(slot).utility.to_bits());
            prop_assert!(*score >= 0.0 && score.is_finite());
        }
    }

    /// More surprise, significance or regret never makes a replay worth less, on the same yardstick.
    #[test]
    fn utility_grows_with_each_gain_term(grimoire in any_grimoire(20), more in 0.0_f64..2.0, which in 0_u8..3) {
        let (config, situation) = (ReplayConfig::default(), context(3_000));
        let mut raised = grimoire.clone();
        let id = raised.record(0).id;
        alter(&mut raised, id, |first| match which {
            0 => first.surprise += more,
            1 => first.significance += more,
            _ => first.regret += more,
        });
        let last = raised.len() - 1;
        let mut before = grimoire.clone();
        alter(&mut before, id, |_| ());
        let before = Scorer::new(&before, &situation, &config);
        let after = Scorer::with_scale(&raised, &situation, &config, *before.scale());
        prop_assert!(after.terms(last).utility >= before.terms(last).utility);
    }
}
