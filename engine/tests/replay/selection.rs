//! Selections worked out by hand, and what holds for all of them.

use crate::common::episodes::{episode, holding, id};
use crate::common::replay::{any_grimoire, context};
use crate::replay::utility::{alter, score_all};
use morta_base::{EpisodeId, Purpose, Stream, WorldSeed};
use morta_engine::episode::{Episode, Grimoire};
use morta_engine::market::Regime;
use morta_engine::replay::{
    NotSelected, Prioritization, ReplayConfig, ReplayContext, ReplayMode, Selection, SelectionPass,
    SelectionReason, decay, select,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn stream(tick: u64) -> Stream {
    WorldSeed(3).world(Purpose::Dream, 0, tick)
}

/// Ten episodes closing at 100, 200 … 1000 with surprise 1, 2 … 10 R and nothing else to tell them apart.
fn ten() -> Grimoire {
    let surprising = |number: u32| Episode {
        surprise: f64::from(number + 1),
        significance: 0.0,
        regret: 0.0,
        ..episode(number, u64::from(number + 1) * 100)
    };
    holding(0, (0..10).map(surprising))
}

fn chosen(grimoire: &Grimoire, config: &ReplayConfig, places: usize) -> Selection {
    select(grimoire, &context(1_000), config, places, &mut stream(0))
}

/// Of five places one is reserved. The regime is covered by the first four (9, 8, 7, 6), the oldest third (0, 1, 2)
/// is not: its best is 2.
#[test]
fn the_oldest_third_gets_the_reserved_place() {
    let selection = chosen(&ten(), &ReplayConfig::default(), 5);
    let picked: Vec<_> = selection.selected.iter().map(|s| (s.episode.number, s.reason)).collect();
    assert_eq!(
        picked,
        [
            (9, SelectionReason::TopUtility),
            (8, SelectionReason::TopUtility),
            (7, SelectionReason::TopUtility),
            (6, SelectionReason::TopUtility),
            (2, SelectionReason::TemporalDiversity),
        ]
    );
    assert_eq!(selection.selected[4].pass, SelectionPass::Diversity);
}

/// Two reserved of ten, only one needed: the other goes back to the first pass.
#[test]
fn places_diversity_does_not_need_go_back() {
    let mut grimoire = ten();
    for number in 10..30_u32 {
        let surprise = f64::from(number + 1);
        grimoire.insert(Episode { surprise, ..episode(number, u64::from(number + 1) * 100) }, 0);
    }
    let selection = select(&grimoire, &context(3_000), &ReplayConfig::default(), 10, &mut stream(0));
    let diverse = selection.selected.iter().filter(|s| s.pass == SelectionPass::Diversity).count();
    assert_eq!((selection.selected.len(), diverse), (10, 1));
}

/// With three demands and two places: a regime, the oldest third; a strong feeling goes unmet.
#[test]
fn demands_beyond_the_reserve_are_reported() {
    let mut grimoire = ten();
    alter(&mut grimoire, id(4), |other| {
        other.context.regime = Regime::Volatile;
        (other.surprise, other.closed) = (0.0, 1_000);
    });
    alter(&mut grimoire, id(3), |felt| felt.arousal = 0.9);
    let config = ReplayConfig { diversity_share: 0.5, ..ReplayConfig::default() };
    let situation = ReplayContext { affect: true, ..context(1_000) };
    let selection = select(&grimoire, &situation, &config, 4, &mut stream(0));
    assert_eq!(selection.unmet, [SelectionReason::EmotionalDiversity]);
    let reasons: Vec<_> = selection.selected.iter().map(|s| s.reason).collect();
    assert!(reasons.contains(&SelectionReason::RegimeDiversity(Regime::Volatile)), "{reasons:?}");
    let calm = select(&grimoire, &context(1_000), &config, 4, &mut stream(0));
    assert_eq!(calm.unmet, []);
}

#[test]
fn every_refusal_has_its_reason() {
    let config = ReplayConfig { min_utility: 0.2, ..ReplayConfig::default() };
    let selection = chosen(&ten(), &config, 3);
    let utilities = score_all(&ten(), &context(1_000), &config);
    let against = |number: u32| selection.reason_against(id(number), utilities[number as usize]);
    assert_eq!(against(9), None);
    assert!(matches!(against(0), Some(NotSelected::BelowThreshold { .. })));
    let lowest = utilities[8];
    match against(6) {
        Some(NotSelected::Outranked { utility, lowest_chosen }) => {
            assert!(utility < lowest);
            assert_eq!(lowest_chosen, Some(lowest));
        }
        other => panic!("{other:?}"),
    }
    let uniform = ReplayConfig { prioritization: Prioritization::Uniform, ..config };
    let selection = chosen(&ten(), &uniform, 3);
    let left_out = (0..10).find(|number| selection.episodes().all(|chosen| chosen != id(*number))).unwrap();
    assert!(matches!(
        selection.reason_against(id(left_out), utilities[left_out as usize]),
        Some(NotSelected::NotDrawn { .. })
    ));
}

#[test]
fn recency_and_surprise_follow_their_column() {
    let mut grimoire = ten();
    alter(&mut grimoire, id(0), |startling| startling.surprise = 99.0);
    for (prioritization, expected) in [(Prioritization::Recency, 1_000), (Prioritization::Surprise, 100)] {
        let config = ReplayConfig { prioritization, diversity_share: 0.0, ..ReplayConfig::default() };
        let selection = chosen(&grimoire, &config, 1);
        let first = grimoire.get(selection.selected[0].episode).unwrap();
        assert_eq!(first.closed, expected, "{prioritization:?}");
    }
}

#[test]
fn a_confused_golem_goes_by_surprise() {
    let situation = ReplayContext { mode: ReplayMode::Confused, ..context(1_000) };
    let selection = select(&ten(), &situation, &ReplayConfig::default(), 2, &mut stream(0));
    assert_eq!(selection.selected[0].reason, SelectionReason::MostSurprising);
}

/// Shares of 4,000 draws in which one of ten is the first, within five standard errors.
fn first_of_ten(prioritization: Prioritization, expected: &[(u32, f64)]) {
    let grimoire = ten();
    let config = ReplayConfig {
        prioritization,
        diversity_share: 0.0,
        min_utility: 0.0,
        recency_half_life_ticks: 1e12,
        normalization_quantile: 1.0,
        ..ReplayConfig::default()
    };
    let first =
        |tick| select(&grimoire, &context(1_000), &config, 1, &mut stream(tick)).selected[0].episode.number;
    let firsts: Vec<u32> = (0..4_000).map(first).collect();
    for (number, expected) in expected {
        let share = firsts.iter().filter(|first| *first == number).count() as f64 / 4_000.0;
        let error = (expected * (1.0_f64 - expected) / 4_000.0).sqrt();
        assert!((share - expected).abs() < 5.0 * error, "{number}: {share}");
    }
}

/// Rank 1 of ten is drawn first in 1/S of the cases, S = 1 + 2^−.6 + … + 10^−.6 = 4.451394; rank 10 in 10^−.6 as many.
#[test]
fn rank_sampling_follows_the_rank() {
    first_of_ten(Prioritization::Rank, &[(9, 0.224_648_73), (0, 0.056_429_21)]);
}

/// The first of ten with priorities in the ratio 1 : 2 : … : 10 is drawn in 10^.6 of 1 + 2^.6 + … + 10^.6 = 26.717542 cases, with next to no floor.
#[test]
fn proportional_sampling_follows_utility() {
    first_of_ten(Prioritization::Proportional, &[(9, 0.149_005_91)]);
}

proptest! {
    #[test]
    fn selections_fit_and_never_repeat(
        grimoire in any_grimoire(80),
        places in 0_usize..30,
        order in prop::sample::select(&Prioritization::ALL[..]),
        affect in any::<bool>(),
        tick in 0_u64..1_000,
    ) {
        let config = ReplayConfig { prioritization: order, ..ReplayConfig::default() };
        let situation = ReplayContext { affect, ..context(3_000) };
        let selection = select(&grimoire, &situation, &config, places, &mut stream(tick));
        let chosen: BTreeSet<EpisodeId> = selection.episodes().collect();
        prop_assert_eq!(chosen.len(), selection.selected.len());
        prop_assert!(chosen.len() <= places);
        let again = select(&grimoire, &situation, &config, places, &mut stream(tick));
        prop_assert_eq!(&selection, &again);
        for picked in &selection.selected {
            prop_assert!(picked.importance_weight > 0.0 && picked.importance_weight <= 1.0);
            if picked.pass == SelectionPass::UtilityRanked && order.goes_by_utility() {
                prop_assert!(picked.terms.utility > config.min_utility);
            }
        }
        let utilities = score_all(&grimoire, &situation, &config);
        for (record, utility) in grimoire.records().iter().zip(utilities) {
            let against = selection.reason_against(record.id, utility);
            prop_assert_eq!(against.is_none(), chosen.contains(&record.id));
        }
    }

    /// With places enough, every regime met of late, the oldest third and strong feelings are represented.
    #[test]
    fn diversity_is_honoured_where_there_is_room(grimoire in any_grimoire(80)) {
        let config = ReplayConfig::default();
        let situation = ReplayContext { affect: true, ..context(3_000) };
        let selection = select(&grimoire, &situation, &config, 30, &mut stream(0));
        prop_assert_eq!(&selection.unmet, &[]);
        let slots: Vec<usize> = selection.episodes().filter_map(|id| grimoire.slot_of(id)).collect();
        for slot in (0..grimoire.len()).filter(|&slot| !grimoire.inherited()[slot]) {
            let age = decay::elapsed(situation.tick, grimoire.closed()[slot]);
            let met = age <= config.regime_window_ticks as f64;
            let regime = grimoire.regimes()[slot];
            prop_assert!(!met || slots.iter().any(|&chosen| grimoire.regimes()[chosen] == regime));
        }
        if grimoire.arousal().iter().any(|&arousal| arousal >= 0.5) {
            prop_assert!(slots.iter().any(|&chosen| grimoire.arousal()[chosen] >= 0.5));
        }
        let mut ticks = grimoire.closed().to_vec();
        ticks.sort_unstable();
        if let Some(&oldest) = ticks.get((grimoire.len() / 3).wrapping_sub(1)) {
            prop_assert!(slots.iter().any(|&chosen| grimoire.closed()[chosen] <= oldest));
        }
    }
}
