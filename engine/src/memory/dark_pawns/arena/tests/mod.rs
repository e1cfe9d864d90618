use super::*;
use crate::common::dark_pawns::{PAIRING, advice, advice_on, attend, golem, pawns, trade};
use crate::common::memory::observe;
use crate::episode::EpisodeKind;
use crate::market::Strategy;
use crate::memory::{Attended, CladeTrust, MemoryArchitecture, Teaches, UpkeepKind};
use morta_memories::dark_pawns::EdgeKind;

/// One encounter has a quarter of its weight, 1/(1 + 3). A result of 1.2 R is felt as 2: .5·2·(.6 + .25 + .15)/4 = .25.
#[test]
fn one_trade_shifts_by_a_quarter_and_is_named() {
    let mut memory = pawns(DarkPawnsConfig::default());
    assert_eq!(advice(&memory).expected_r, 0.1);
    assert_eq!(advice(&memory).why, []);
    observe(&mut memory, &trade(7, 5, 1.2), &[], 5);
    let advised = advice(&memory);
    assert!(
        (advised.expected_r - 0.35).abs() < 1e-12 && (advised.confidence - 0.25).abs() < 1e-12,
        "{advised:?}"
    );
    assert!(!advised.veto);
    let sources: Vec<VoiceSource> = advised.why.iter().map(|voice| voice.source).collect();
    let node = |node: MarketNode| VoiceSource::Node(memory.traces[&node].number);
    let strategy = MarketNode::Strategy(Strategy::Momentum);
    let named = [
        node(PAIRING),
        node(strategy),
        node(MarketNode::Asset(0)),
        VoiceSource::Episode(trade(7, 0, 0.0).id),
    ];
    assert_eq!(sources, named);
    assert!((advised.why[0].weight - 0.15).abs() < 1e-12 && (advised.why[0].expected_r - 1.1).abs() < 1e-12);
    // Elsewhere only the strategy and the asset speak, of another strategy the asset alone.
    assert!((advice_on(&memory, Strategy::Momentum, Regime::Volatile).expected_r - 0.2).abs() < 1e-12);
    assert!((advice_on(&memory, Strategy::Breakout, Regime::Volatile).expected_r - 0.1375).abs() < 1e-12);
}

#[test]
fn a_dangerous_strategy_is_forbidden_in_its_regime() {
    let mut memory = pawns(DarkPawnsConfig::default());
    for number in 0..3 {
        assert!(!advice(&memory).veto, "after {number}");
        observe(&mut memory, &trade(number, 5, -1.2), &[], 5);
    }
    assert!(advice(&memory).veto);
    assert!(!advice_on(&memory, Strategy::Momentum, Regime::Volatile).veto);
    memory.config.veto_dangerous = false;
    assert!(!advice(&memory).veto);
    assert!(advice(&memory).expected_r < 0.0);
}

#[test]
fn a_dream_waits_until_nothing_is_held_and_forgets_the_faint() {
    let config = DarkPawnsConfig { dream_interval_ticks: 4, dream_ticks: 2, ..DarkPawnsConfig::default() };
    let mut memory = pawns(config);
    assert_eq!(attend(&mut memory, 10, 100.0, true, 1.0), Attended::default());
    observe(&mut memory, &trade(0, 11, -0.5), &[], 11);
    assert_eq!(attend(&mut memory, 13, 100.0, true, 1.0), Attended::default());
    assert_eq!(attend(&mut memory, 14, 100.0, false, 1.0), Attended::default());
    let dreamt = attend(&mut memory, 15, 100.0, true, 1.0);
    assert_eq!(dreamt.asleep_ticks, 2);
    let [upkeep] = dreamt.upkeep[..] else { panic!("one dream") };
    assert_eq!((upkeep.kind, upkeep.seen, upkeep.dropped), (UpkeepKind::Consolidation, 5, 0));
    let summary = dreamt.summary.unwrap();
    let expected = "## Memory\n\n### Session 1 — Sep 9 at 1:00 PM\n\n\
        Lost 0.50 R by momentum when trending up, on asset 0 (unpleasant).\n\n### Relationships\n\n\
        asset 0 — unfriendly (met 1 time)\nmomentum — unfriendly (met 1 time)\n\
        momentum when trending up — unfriendly (met 1 time)\n";
    assert_eq!(summary.text, expected);
    assert_eq!(u64::from(summary.tokens), expected.len() as u64 / 4);
    assert_eq!(attend(&mut memory, 20, 100.0, true, 1.0).upkeep, []);
    let dreams = (0..9).map(|n| attend(&mut memory, 21 + 6 * n, 100.0, true, 1.0).upkeep[0].dropped);
    assert_eq!(dreams.collect::<Vec<u32>>(), [0, 0, 0, 0, 0, 0, 0, 0, 5]);
    assert!(memory.traces.is_empty() && memory.wounds.is_empty() && memory.graph.is_empty());
    assert_eq!(advice(&memory).why, []);
    assert_eq!(attend(&mut memory, 21 + 54, 100.0, true, 1.0).summary, None);
}

#[test]
fn ties_say_what_an_event_was() {
    let mut memory = pawns(DarkPawnsConfig::default());
    observe(&mut memory, &trade(0, 1, 1.2), &[], 1);
    observe(&mut memory, &trade(1, 2, 1.2), &[], 2);
    let mut elsewhere = trade(2, 3, -1.2);
    elsewhere.context.regime = Regime::Volatile;
    observe(&mut memory, &elsewhere, &[], 3);
    let mut kinds: Vec<EdgeKind> = memory.graph.edges().map(|edge| edge.kind).collect();
    kinds.sort();
    use EdgeKind::{Fought, Involved, OccurredIn, SimilarTo, TookFrom, TransitionedTo};
    let expected = [
        [OccurredIn; 3].as_slice(),
        &[Involved; 4],
        &[TransitionedTo],
        &[TookFrom; 2],
        &[Fought; 3],
        &[SimilarTo],
    ];
    assert_eq!(kinds, expected.concat());
    let staying_out = Episode { kind: EpisodeKind::StayedOut, ..trade(3, 4, 0.0) };
    let before = memory.clone();
    observe(&mut memory, &staying_out, &[], 4);
    assert_eq!(memory, before);
    memory.config.remember_abstentions = true;
    observe(&mut memory, &staying_out, &[], 4);
    assert_eq!(memory.graph.len(), before.graph.len() + 1);
}

#[test]
fn siblings_are_believed_as_far_as_they_are_trusted() {
    let mut giver = DarkPawns::new(golem(1), DarkPawnsConfig::default());
    (0..4).for_each(|number| observe(&mut giver, &trade(number, 5, 1.2), &[], 5));
    let lessons: Vec<(GolemId, crate::episode::Lesson)> =
        giver.lessons(5, 0).into_iter().map(|lesson| (golem(1), lesson)).collect();
    assert_eq!(lessons.len(), 1);
    let mut receiver = pawns(DarkPawnsConfig::default());
    let trust = CladeTrust { factor: 0.8, ceiling: 0.4 };
    let tested = receiver.receive_lessons(lessons, trust, 6).tested;
    assert_eq!(tested, [true]);
    let pairing = receiver.graph.node(&PAIRING).unwrap();
    assert_eq!((pairing.salience, pairing.valence.get()), (0.4, 2));
    assert_eq!(receiver.graph.node(&MarketNode::Kin(golem(1))).unwrap().valence.get(), 2);
    assert!(advice(&receiver).why.iter().all(|voice| voice.provenance == Provenance::Clade(golem(1))));
}

#[test]
fn another_memory_of_the_same_golem_gives_new_numbers() {
    let mut old = pawns(DarkPawnsConfig::default());
    observe(&mut old, &trade(0, 1, 1.2), &[], 1);
    let mut new = pawns(DarkPawnsConfig::default());
    new.count_on_from(&old);
    observe(&mut new, &trade(1, 2, 1.2), &[], 2);
    let numbers = |memory: &DarkPawns| memory.traces.values().map(|trace| trace.number).collect::<Vec<u32>>();
    assert!(numbers(&new).iter().all(|number| !numbers(&old).contains(number)));
    let before = advice(&old).expected_r;
    old.config = DarkPawnsConfig { valence_r: 1.0, ..DarkPawnsConfig::default() };
    assert!((advice(&old).expected_r - 0.1 - 2.0 * (before - 0.1)).abs() < 1e-12);
}

mod reading;
