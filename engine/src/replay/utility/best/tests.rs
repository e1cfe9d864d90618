//! The pass gives what working out all gives, to the last bit, at every width and however slots are divided.

use super::*;
use crate::common::episodes::{episode, take};
use crate::common::replay::{BIASES, STAIN, any_grimoire, context};
use crate::episode::{DreamPriority, Grimoire, GrimoireConfig};
use crate::market::{Regime, Strategy};
use crate::replay::prioritization::highest;
use crate::replay::{NeedWeights, ReplayConfig, ReplayContext};
use morta_base::{Purpose, Stream, WorldSeed};
use proptest::prelude::*;

const WIDTHS: [Width; 2] = [Width::Narrow, Width::Widest];

/// The best as they were found before there was a pass.
fn plainly(scorer: &Scorer<'_>, slots: Range<usize>, count: usize) -> Vec<(u32, u64)> {
    let utilities = scorer.utilities();
    let candidates: Vec<u32> = (slots.start as u32..slots.end as u32)
        .filter(|&slot| utilities[slot as usize] > scorer.config.min_utility)
        .collect();
    let best = highest(count, candidates, scorer.grimoire, |slot| utilities[slot]);
    best.into_iter().map(|slot| (slot, utilities[slot as usize].to_bits())).collect()
}

fn bits(ranked: Vec<Ranked>) -> Vec<(u32, u64)> {
    ranked.into_iter().map(|ranked| (ranked.slot, ranked.utility.to_bits())).collect()
}

fn market(dimensions: usize, stream: &mut Stream) -> Box<[f32]> {
    (0..dimensions).map(|_| stream.normal() as f32).collect()
}

/// Episodes of all kinds, in markets of so many dimensions.
fn many(count: u32, dimensions: u32, stream: &mut Stream) -> Grimoire {
    let config = GrimoireConfig { capacity: count, ..GrimoireConfig::default() };
    let mut grimoire = Grimoire::new(config, dimensions);
    for number in 0..count {
        let mut lived = episode(number, 50_000 + 7 * u64::from(number));
        lived.surprise = stream.normal().abs();
        lived.significance = stream.uniform() * stream.uniform();
        lived.regret = stream.normal().max(0.0);
        lived.realised_r = stream.normal();
        lived.context.regime = Regime::ALL[stream.below(Regime::COUNT)];
        lived.strategy = Strategy::ALL[stream.below(Strategy::COUNT)];
        lived.embedding = market(dimensions as usize, stream);
        if stream.below(10) == 0 {
            lived.provenance = STAIN;
        }
        let replays = stream.below(4) as u32;
        let last = (replays > 0).then(|| 50_000 + stream.below(30_000) as u64);
        let tags = [DreamPriority::Normal, DreamPriority::Medium, DreamPriority::High];
        grimoire.restore(lived, last, replays, tags[stream.below(3)]);
    }
    grimoire
}

#[test]
fn thousands_are_as_good_as_worked_out() {
    let mut stream = WorldSeed(6).world(Purpose::Dream, 0, 0);
    for (count, dimensions) in [(3_000, 32), (2_500, 64), (1_111, 5), (257, 16)] {
        let grimoire = many(count, dimensions, &mut stream);
        let embedding = market(dimensions as usize, &mut stream);
        for (bias, legacy) in BIASES.into_iter().zip([0.0, 0.5, 0.0, 1.0, 0.0, 0.3, 0.0]) {
            let situation =
                ReplayContext { embedding: &embedding, pad_bias: bias, legacy, ..context(75_000) };
            let config = ReplayConfig::default();
            let scorer = Scorer::new(&grimoire, &situation, &config);
            let all = 0..grimoire.len();
            let lens = Lens::for_scorer(&scorer).expect("numbers of a market are fit for single precision");
            assert!(lens.error.relative < 0.01, "{:?}", lens.error);
            for width in WIDTHS {
                for limit in [1, 10, 64] {
                    let found = bits(scorer.best_at(width, all.clone(), limit));
                    assert_eq!(found, plainly(&scorer, all.clone(), limit), "{count} {width:?} {bias:?}");
                }
            }
        }
    }
}

/// Else the pass would be of no use: of 3,000 episodes it leaves hardly more than are asked for.
#[test]
fn few_are_worked_out() {
    let mut stream = WorldSeed(7).world(Purpose::Dream, 0, 0);
    let grimoire = many(3_000, 32, &mut stream);
    let embedding = market(32, &mut stream);
    let situation = ReplayContext { embedding: &embedding, ..context(75_000) };
    let config = ReplayConfig::default();
    let scorer = Scorer::new(&grimoire, &situation, &config);
    let sought = Sought { slots: 0..3_000, count: 64, least: None, only: None };
    let contenders = scorer.contenders(Width::Widest, sought).len();
    assert!((64..80).contains(&contenders), "{contenders}");
}

/// An embedding whose length single precision can't square, and a half-life it can't tell moments apart in.
#[test]
fn values_beyond_single_precision_are_worked_out_exactly() {
    let mut stream = WorldSeed(8).world(Purpose::Dream, 0, 0);
    let mut grimoire = many(500, 8, &mut stream);
    let embedding = market(8, &mut stream);
    let situation = ReplayContext { embedding: &embedding, ..context(75_000) };
    let config = ReplayConfig::default();
    let hasty = ReplayConfig { recency_half_life_ticks: 1e-3, ..config.clone() };
    let check = |grimoire: &Grimoire, config: &ReplayConfig, is_trusted: bool| {
        let scorer = Scorer::new(grimoire, &situation, config);
        assert_eq!(Lens::for_scorer(&scorer).is_some(), is_trusted);
        assert_eq!(bits(scorer.best(10)), plainly(&scorer, 0..grimoire.len(), 10));
    };
    check(&grimoire, &config, true);
    check(&grimoire, &hasty, false);
    let third = grimoire.record(3).id;
    let mut vast = take(&mut grimoire, third);
    vast.embedding.fill(1e15);
    grimoire.restore(vast, None, 0, DreamPriority::Normal);
    check(&grimoire, &config, false);
    grimoire.remove(third);
    check(&grimoire, &config, true);
}

proptest! {
    #[test]
    fn the_pass_gives_what_working_out_all_gives(
        grimoire in any_grimoire(700),
        bias in prop::sample::select(&BIASES[..]),
        legacy in prop::sample::select(&[0.0, 0.3, 1.0][..]),
        limit in 0_usize..20,
        weights in (0.0_f64..=1.0, 0.0_f64..=1.0, 0.0_f64..=1.0),
        spacing_weight in prop::sample::select(&[0.0, 0.5, 0.95, 1.0][..]),
        replay_decay in prop::sample::select(&[0.0, 0.85, 1.0][..]),
        min_utility in prop::sample::select(&[0.0, 0.1, 0.4][..]),
        tags in prop::sample::select(&[(2.0, 1.5), (1.0, 4.0), (0.5, 0.0)][..]),
    ) {
        let need_weights = NeedWeights { similarity: weights.0, regime: weights.1, recency: weights.2 };
        let (curator_boost, curator_boost_medium) = tags;
        let config = ReplayConfig {
            need_weights,
            spacing_weight,
            replay_decay,
            min_utility,
            curator_boost,
            curator_boost_medium,
            ..ReplayConfig::default()
        };
        let situation = ReplayContext { pad_bias: bias, legacy, ..context(3_000) };
        let scorer = Scorer::new(&grimoire, &situation, &config);
        let expected = plainly(&scorer, 0..grimoire.len(), limit);
        for width in WIDTHS {
            prop_assert_eq!(&bits(scorer.best_at(width, 0..grimoire.len(), limit)), &expected);
        }
    }

    #[test]
    fn however_slots_are_divided(grimoire in any_grimoire(600), cuts in (0.0_f64..1.0, 0.0_f64..1.0), limit in 1_usize..30) {
        let (config, situation) = (ReplayConfig::default(), context(3_000));
        let scorer = Scorer::new(&grimoire, &situation, &config);
        let place = |share: f64| (share * grimoire.len() as f64) as usize;
        let (first, second) = (place(cuts.0.min(cuts.1)), place(cuts.0.max(cuts.1)));
        let parts = [0..first, first..second, second..grimoire.len()].map(|part| scorer.best_within(part, limit));
        prop_assert_eq!(scorer.merge(parts, limit), scorer.best(limit));
    }

    #[test]
    fn the_best_among_some(grimoire in any_grimoire(400), every in 1_usize..9) {
        let (config, situation) = (ReplayConfig::default(), context(3_000));
        let scorer = Scorer::new(&grimoire, &situation, &config);
        let some: Vec<u32> = (0..grimoire.len() as u32).step_by(every).collect();
        let utilities = scorer.utilities();
        let expected = highest(1, some.clone(), &grimoire, |slot| utilities[slot]);
        prop_assert_eq!(scorer.best_among(&some).map(|best| best.slot), expected.first().copied());
    }
}
