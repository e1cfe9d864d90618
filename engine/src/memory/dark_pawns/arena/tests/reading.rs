//! Voices of subjects without a node, and a model's stances on the summary.

use super::*;
use crate::common::memory::{candidate, observe};
use crate::llm::{Reply, Task, Tier, TierConfig, simulated};
use crate::memory::{Advice, Reads};
use morta_base::{Purpose, WorldSeed};

/// Without the pairing, one trade shifts by .5·2·(.25 + .15)/4 = .1 instead of .25; what isn't there can't be missed.
#[test]
fn a_node_can_be_left_unheard() {
    let mut memory = pawns(DarkPawnsConfig::default());
    observe(&mut memory, &trade(0, 1, 1.2), &[], 1);
    let advised = advice(&memory);
    assert_eq!(advised.heard, advised.why[..3]);
    let candidate = candidate(Strategy::Momentum, 0.1);
    let advise_without =
        |memory: &DarkPawns, source| memory.advise_on(Regime::TrendingUp, &candidate, Some(source));
    assert!((advise_without(&memory, advised.why[0].source).expected_r - 0.2).abs() < 1e-12);
    assert_eq!(advise_without(&memory, VoiceSource::Node(99)).expected_r, advised.expected_r);
    for number in 1..4 {
        observe(&mut memory, &trade(number, 5, -2.5), &[], 5);
    }
    let forbidden = advice(&memory);
    assert!(forbidden.veto && !advise_without(&memory, advised.why[0].source).veto);
}

/// A real summary is read by a perfect reader, and its stances speak as the nodes they are about: three trades lost 2.5 R each, so
/// (−7.5 + 2·(−2/3)·(3/5)) / 5 = −1.66, held to −1, which is a feeling of −3 at a weight of .3.
#[test]
fn stances_speak_as_their_nodes() {
    let mut memory = pawns(DarkPawnsConfig { veto_dangerous: false, ..DarkPawnsConfig::default() });
    for number in 0..3 {
        observe(&mut memory, &trade(number, 5, -2.5), &[], 5);
    }
    let before = advice(&memory);
    let found = attend(&mut memory, 24, 100.0, true, 1.0);
    assert!(found.reads || found.summary.is_none());
    let text = attend(&mut memory, 48, 100.0, true, 1.0).summary.or(found.summary).unwrap().text;
    let tier = TierConfig { reading_noise_r: 0.0, hallucination_rate: 0.0, ..TierConfig::for_tier(Tier::T2) };
    let mut stream = WorldSeed(1).world(Purpose::LlmReader, 0, 0);
    let reply = simulated::answer(&Task::Read, Some(&text), &tier, 0.4, &mut stream);
    let Reply::Stances(stances) = reply else { panic!("{reply:?}") };
    let of_pairing = |stance: &&Stance| stance.regime == Some(Regime::TrendingUp);
    let pairing = stances.iter().find(of_pairing).unwrap_or_else(|| panic!("{stances:?} of {text}"));
    assert_eq!((pairing.strategy, pairing.strength), (Strategy::Momentum, -1.0));
    let faded = advice(&memory);
    memory.receive_stances(vec![*pairing]);
    let after = advice(&memory);
    let weights = |advice: &Advice| advice.heard.iter().map(|voice| voice.weight).sum::<f64>();
    assert!((weights(&after) - weights(&faded) - 0.3).abs() < 1e-12, "{before:?} {after:?}");
    // The sum of weights is below 1, so the shift adds up: .5 · .3 · (−3) = −.45.
    assert!(weights(&after) < 1.0);
    assert!((after.expected_r - faded.expected_r + 0.45).abs() < 1e-12);
    let speaks = |advice: &Advice| {
        let node = VoiceSource::Node(memory.traces[&PAIRING].number);
        advice
            .heard
            .iter()
            .filter(|voice| voice.source == node && voice.provenance == Provenance::Own)
            .count()
    };
    assert_eq!((speaks(&faded), speaks(&after)), (1, 2));
    // What memory doesn't hold is silent.
    let unknown = Stance { strategy: Strategy::Breakout, regime: None, strength: 1.0 };
    memory.receive_stances(vec![unknown]);
    assert_eq!(
        advice_on(&memory, Strategy::Breakout, Regime::Volatile).heard.len(),
        1,
        "only the asset is known"
    );
    let silent = DarkPawnsConfig { reading_weight: 0.0, ..DarkPawnsConfig::default() };
    memory.config = silent;
    observe(&mut memory, &trade(9, 49, 1.0), &[], 49);
    let woken = attend(&mut memory, 90, 100.0, true, 1.0);
    assert!(woken.summary.is_some() && !woken.reads);
}
