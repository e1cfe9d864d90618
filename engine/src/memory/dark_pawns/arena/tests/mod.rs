use super::*;
use crate::episode::grimoire::tests::episode;
use crate::episode::{Conditions, ContextPattern, EntryKind, EpisodeKind};
use crate::lethe::{Bequest, Bloodstain, Drawn, RankTerms};
use crate::llm::LlmConfig;
use crate::market::{PositionSide, Signal, Strategy};
use crate::memory::{
    Advice, Attended, Attention, Candidate, CladeTrust, DecisionContext, InheritedItem, MemoryArchitecture,
    UpkeepKind, Voice,
};
use crate::mortality::Cause;
use morta_base::BloodstainId;
use morta_memories::dark_pawns::{EdgeKind, NodeKind};

mod reading;

fn golem(lineage: u32) -> GolemId {
    GolemId::founder(lineage)
}

fn pawns(config: DarkPawnsConfig) -> DarkPawns {
    DarkPawns::new(golem(0), config)
}

/// A trade by momentum in a rising trend.
fn trade(number: u32, closed: Tick, realised_r: f64) -> Episode {
    Episode { realised_r, ..episode(number, closed) }
}

const PAIRING: MarketNode = MarketNode::Pairing(Strategy::Momentum, Regime::TrendingUp);

fn attend(memory: &mut DarkPawns, tick: Tick, equity: f64, idle: bool, left: f64) -> Attended {
    memory.attend(&Attention {
        tick,
        age: tick,
        time_s: 1_000_000_800 + 3_600 * tick as i64,
        tick_seconds: 3_600.0,
        equity: Usdc::from_dollars(equity),
        inference_left: Usdc::from_dollars(left),
        llm: &LlmConfig::default(),
        idle,
    })
}

fn advice_on(memory: &DarkPawns, strategy: Strategy, regime: Regime) -> Advice {
    let mut context = episode(0, 0).context;
    context.regime = regime;
    let moment = DecisionContext {
        tick: 100,
        context,
        conditions: Conditions::default(),
        time_s: 0,
        embedding: &[1.0, 0.0],
        true_regime: regime,
        law: crate::market::LawInForce::BASE,
    };
    let signal = Signal { strength: 1.0, stop_distance: 0.02, horizon_ticks: 10 };
    let candidate =
        Candidate { strategy, asset: 0, side: PositionSide::Long, signal, prior_r: 0.1, cost_r: 0.0 };
    let mut advice = Vec::new();
    memory.advise(&moment, &[candidate], &mut advice);
    advice.remove(0)
}

fn advice(memory: &DarkPawns) -> Advice {
    advice_on(memory, Strategy::Momentum, Regime::TrendingUp)
}

#[test]
fn results_are_felt_by_their_size() {
    let config = DarkPawnsConfig::default();
    let felt =
        [(-9.0, -3), (-2.0, -3), (-1.99, -2), (-0.25, -1), (-0.2, 0), (0.0, 0), (0.3, 1), (1.0, 2), (2.5, 3)];
    for (result_r, expected) in felt {
        assert_eq!(config.felt(result_r).get(), expected, "{result_r}");
    }
    let numb = DarkPawnsConfig { valence: false, ..config };
    assert_eq!(numb.felt(-9.0), Valence::NEUTRAL);
    let eager = DarkPawnsConfig { felt_from_r: [0.0; 3], ..numb };
    assert_eq!(DarkPawnsConfig { valence: true, ..eager }.felt(0.0), Valence::NEUTRAL);
}

/// One encounter has a quarter of its weight, 1/(1 + 3). A result of 1.2 R is felt as 2: .5·2·(.6 + .25 + .15)/4 = .25.
#[test]
fn one_trade_shifts_by_a_quarter_and_is_named() {
    let mut memory = pawns(DarkPawnsConfig::default());
    assert_eq!(advice(&memory).expected_r, 0.1);
    assert_eq!(advice(&memory).why, []);
    memory.observe(&trade(7, 5, 1.2), &[], 5);
    let heard = advice(&memory);
    assert!((heard.expected_r - 0.35).abs() < 1e-12 && (heard.confidence - 0.25).abs() < 1e-12, "{heard:?}");
    assert!(!heard.veto);
    let sources: Vec<VoiceSource> = heard.why.iter().map(|voice| voice.source).collect();
    let node = |node: MarketNode| VoiceSource::Node(memory.traces[&node].number);
    let strategy = MarketNode::Strategy(Strategy::Momentum);
    let named = [
        node(PAIRING),
        node(strategy),
        node(MarketNode::Asset(0)),
        VoiceSource::Episode(trade(7, 0, 0.0).id),
    ];
    assert_eq!(sources, named);
    assert!((heard.why[0].weight - 0.15).abs() < 1e-12 && (heard.why[0].expected_r - 1.1).abs() < 1e-12);
    // Elsewhere only the strategy and the asset speak, of another strategy the asset alone.
    assert!((advice_on(&memory, Strategy::Momentum, Regime::Volatile).expected_r - 0.2).abs() < 1e-12);
    assert!((advice_on(&memory, Strategy::Breakout, Regime::Volatile).expected_r - 0.1375).abs() < 1e-12);
}

#[test]
fn what_is_dangerous_here_is_forbidden_here() {
    let mut memory = pawns(DarkPawnsConfig::default());
    for number in 0..3 {
        assert!(!advice(&memory).veto, "after {number}");
        memory.observe(&trade(number, 5, -1.2), &[], 5);
    }
    assert!(advice(&memory).veto);
    assert!(!advice_on(&memory, Strategy::Momentum, Regime::Volatile).veto);
    memory.config.veto_dangerous = false;
    assert!(!advice(&memory).veto);
    assert!(advice(&memory).expected_r < 0.0);
}

/// Without feelings the same things are remembered, and nothing follows from them.
#[test]
fn the_ablation_remembers_and_feels_nothing() {
    let mut memory = pawns(DarkPawnsConfig { valence: false, ..DarkPawnsConfig::default() });
    let mut feeling = pawns(DarkPawnsConfig::default());
    attend(&mut memory, 0, 100.0, true, 1.0);
    attend(&mut memory, 1, 4.0, false, 1.0);
    for number in 0..4 {
        memory.observe(&trade(number, 5, -2.5), &[], 5);
        feeling.observe(&trade(number, 5, -2.5), &[], 5);
    }
    assert_eq!(memory.graph.len(), feeling.graph.len() + 1, "the wound is an event more");
    assert!(memory.graph.nodes().all(|node| node.valence == Valence::NEUTRAL && node.mean() == 0.0));
    let heard = advice(&memory);
    assert_eq!((heard.expected_r, heard.veto), (0.1, false));
    assert!(memory.bequeath().iter().all(|bequest| matches!(bequest, Bequest::Scar(_))));
    assert!(feeling.bequeath().iter().any(|bequest| matches!(bequest, Bequest::Lesson(_))));
}

#[test]
fn a_dream_waits_until_nothing_is_held_and_forgets_the_faint() {
    let config = DarkPawnsConfig { dream_interval_ticks: 4, dream_ticks: 2, ..DarkPawnsConfig::default() };
    let mut memory = pawns(config);
    assert_eq!(attend(&mut memory, 10, 100.0, true, 1.0), Attended::default());
    memory.observe(&trade(0, 11, -0.5), &[], 11);
    assert_eq!(attend(&mut memory, 13, 100.0, true, 1.0), Attended::default());
    assert_eq!(attend(&mut memory, 14, 100.0, false, 1.0), Attended::default());
    let dreamt = attend(&mut memory, 15, 100.0, true, 1.0);
    assert_eq!(dreamt.asleep_ticks, 2);
    let [upkeep] = dreamt.upkeep[..] else { panic!("one dream") };
    assert_eq!((upkeep.kind, upkeep.seen, upkeep.dropped), (UpkeepKind::Consolidation, 5, 0));
    let told = dreamt.summary.unwrap();
    let expected = "## Memory\n\n### Session 1 — Sep 9 at 1:00 PM\n\n\
        Lost 0.50 R by momentum when trending up, on asset 0 (unpleasant).\n\n### Relationships\n\n\
        asset 0 — unfriendly (met 1 time)\nmomentum — unfriendly (met 1 time)\n\
        momentum when trending up — unfriendly (met 1 time)\n";
    assert_eq!(told.text, expected);
    assert_eq!(u64::from(told.tokens), expected.len() as u64 / 4);
    assert_eq!(attend(&mut memory, 20, 100.0, true, 1.0).upkeep, []);
    let dreams = (0..9).map(|n| attend(&mut memory, 21 + 6 * n, 100.0, true, 1.0).upkeep[0].dropped);
    assert_eq!(dreams.collect::<Vec<u32>>(), [0, 0, 0, 0, 0, 0, 0, 0, 5]);
    assert!(memory.traces.is_empty() && memory.wounds.is_empty() && memory.graph.is_empty());
    assert_eq!(advice(&memory).why, []);
    assert_eq!(attend(&mut memory, 21 + 54, 100.0, true, 1.0).summary, None);
}

#[test]
fn what_cannot_be_paid_for_is_not_read() {
    let mut memory = pawns(DarkPawnsConfig { dream_interval_ticks: 1, ..DarkPawnsConfig::default() });
    attend(&mut memory, 0, 100.0, true, 1.0);
    memory.observe(&trade(0, 1, -0.5), &[], 1);
    let poor = attend(&mut memory, 1, 100.0, true, 0.0);
    assert_eq!((poor.upkeep.len(), poor.summary), (1, None));
}

/// Of 100 dollars 12 were left while it held the trade: 12 %, felt as −2 on top of what the trade made.
#[test]
fn a_near_death_is_felt_by_who_was_fought() {
    let mut memory = pawns(DarkPawnsConfig::default());
    attend(&mut memory, 0, 100.0, true, 1.0);
    attend(&mut memory, 1, 12.0, false, 1.0);
    attend(&mut memory, 2, 60.0, false, 1.0);
    memory.observe(&trade(0, 3, 0.5), &[], 3);
    let near = memory.graph.node(&MarketNode::NearDeath(trade(0, 0, 0.0).id)).unwrap();
    assert_eq!(near.valence.get(), -2);
    assert_eq!(near.label, "Down to 12.00 of 100.00 dollars in a trade by momentum");
    assert_eq!(memory.graph.node(&PAIRING).unwrap().mean(), -0.5);
    assert_eq!(memory.graph.node(&MarketNode::Asset(0)).unwrap().mean(), 1.0);
    // It was felt with that trade, and not with the next.
    memory.observe(&trade(1, 4, 0.5), &[], 4);
    assert!(memory.graph.node(&MarketNode::NearDeath(trade(1, 0, 0.0).id)).is_none());
}

#[test]
fn ties_say_what_an_event_was() {
    let mut memory = pawns(DarkPawnsConfig::default());
    memory.observe(&trade(0, 1, 1.2), &[], 1);
    memory.observe(&trade(1, 2, 1.2), &[], 2);
    let mut elsewhere = trade(2, 3, -1.2);
    elsewhere.context.regime = Regime::Volatile;
    memory.observe(&elsewhere, &[], 3);
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
    memory.observe(&staying_out, &[], 4);
    assert_eq!(memory, before);
    memory.config.remember_abstentions = true;
    memory.observe(&staying_out, &[], 4);
    assert_eq!(memory.graph.len(), before.graph.len() + 1);
}

fn drawn(bequest: Bequest, number: u32) -> Drawn {
    let scar = trade(0, 9, 0.0);
    let bloodstain = Bloodstain {
        id: BloodstainId { golem: golem(4), number },
        cause: Cause::Economic,
        died: 9,
        age: 9,
        vitality: 0.0,
        context: scar.context,
        embedding: scar.embedding,
        bequest,
    };
    Drawn { bloodstain, rank: number, score: 0.5, terms: RankTerms::default(), merged: 0 }
}

/// Four losses at salience 1: trust 4/(4 + 2), of which .85 crosses a generation.
#[test]
fn the_dead_are_met_and_warn() {
    let mut dead = DarkPawns::new(golem(4), DarkPawnsConfig::default());
    for number in 0..4 {
        let mut lost = trade(number, 5, -1.2 - f64::from(number));
        lost.id.golem = golem(4);
        dead.observe(&lost, &[], 5);
    }
    let bequests = dead.bequeath();
    let costs: Vec<f64> = bequests
        .iter()
        .filter_map(|bequest| match bequest {
            Bequest::Scar(scar) => Some(scar.realised_r),
            Bequest::Lesson(_) => None,
        })
        .collect();
    assert_eq!(costs, [-4.2, -3.2, -2.2, -1.2]);
    let Some(Bequest::Lesson(lesson)) = bequests.last() else { panic!("a lesson comes last") };
    assert_eq!((lesson.kind, lesson.confirmed, lesson.contradicted), (EntryKind::Warning, 4, 0));
    assert!((lesson.confidence - 4.0 / 6.0).abs() < 1e-12);
    assert!((lesson.claim.expected_r + 0.5 * 2.75).abs() < 1e-12, "{}", lesson.claim.expected_r);
    assert_eq!(lesson.claim.pattern, ContextPattern::of_regime(Regime::TrendingUp));

    let mut heir = pawns(DarkPawnsConfig::default());
    attend(&mut heir, 10, 100.0, true, 1.0);
    let received = heir.inherit(vec![drawn(bequests[0].clone(), 0), drawn(bequests[4].clone(), 1)], 11);
    assert_eq!(received.scars, 1);
    let told = attend(&mut heir, 12, 100.0, true, 1.0).summary.unwrap().text;
    assert!(
        told.contains(
            "Met the stain of L4.G0: lost 4.20 R by momentum when trending up, on asset 0 (a difficult"
        ),
        "{told}"
    );
    assert!(told.contains("Was told by L4.G0: avoid momentum in trending up"), "{told}");
    assert!(told.contains("L4.G0 — friendly (met 2 times)"), "{told}");
    let pairing = heir.graph.node(&PAIRING).unwrap();
    let left = 0.7 + 0.2 * (4.0 / 6.0 * 0.85);
    assert!((pairing.salience - left).abs() < 1e-12, "{}", pairing.salience);
    assert!(heir.graph.edges().any(|edge| edge.kind == EdgeKind::Killed && edge.to == PAIRING));
    assert_eq!(heir.graph.nodes().filter(|node| node.kind == NodeKind::Event).count(), 2);
    let heard = advice(&heir);
    assert!(heard.expected_r < 0.1);
    assert_eq!(heard.why[0].provenance.bloodstain(), Some(BloodstainId { golem: golem(4), number: 0 }));

    // What came of it is followed.
    heir.observe(&trade(0, 20, -1.0), &heard.why, 20);
    let [scar, warning] = heir.inheritance() else { panic!("two things were inherited") };
    assert!(matches!(scar.inherited_item, InheritedItem::Scar(_)) && scar.uses == 1 && scar.rank == 0);
    assert_eq!((warning.confirmed, warning.contradicted, warning.rank), (1, 0, 1));
}

#[test]
fn siblings_are_believed_as_far_as_they_are_trusted() {
    let mut giver = DarkPawns::new(golem(1), DarkPawnsConfig::default());
    (0..4).for_each(|number| giver.observe(&trade(number, 5, 1.2), &[], 5));
    let lessons: Vec<(GolemId, crate::episode::Lesson)> =
        giver.lessons().into_iter().map(|lesson| (golem(1), lesson)).collect();
    assert_eq!(lessons.len(), 1);
    let mut receiver = pawns(DarkPawnsConfig::default());
    let trust = CladeTrust { factor: 0.8, ceiling: 0.4 };
    let heard = receiver.hear_lessons(lessons, trust, 6).tested;
    assert_eq!(heard, [true]);
    let pairing = receiver.graph.node(&PAIRING).unwrap();
    assert_eq!((pairing.salience, pairing.valence.get()), (0.4, 2));
    assert_eq!(receiver.graph.node(&MarketNode::Kin(golem(1))).unwrap().valence.get(), 2);
    assert!(advice(&receiver).why.iter().all(|voice| voice.provenance == Provenance::Clade(golem(1))));
}

/// Two trades and the three nodes they share are five items; the second trade is evidence on three nodes, one of which had tipped it.
#[test]
fn the_account_counts_what_was_of_use() {
    let mut memory = pawns(DarkPawnsConfig::default());
    memory.observe(&trade(0, 1, 1.2), &[], 1);
    let why: Vec<Voice> = advice(&memory).why.into_iter().take(2).collect();
    memory.account.influenced_by(&[why[0].source]);
    memory.observe(&trade(1, 2, 1.2), &why, 2);
    let census = memory.census();
    assert_eq!((census.stored, census.unused, census.evidence, census.self_evidence), (5, 3, 3, 1));
}

#[test]
fn the_state_survives_packing() {
    let mut memory = pawns(DarkPawnsConfig::default());
    attend(&mut memory, 0, 100.0, false, 1.0);
    memory.observe(&trade(0, 1, -1.2), &[], 1);
    memory.inherit(vec![drawn(Bequest::Scar(trade(3, 1, -3.0)), 0)], 2);
    let packed = postcard::to_allocvec(&memory).unwrap();
    assert_eq!(postcard::from_bytes::<DarkPawns>(&packed).unwrap(), memory);
}

#[test]
fn keys_out_of_range_are_named() {
    let config = DarkPawnsConfig {
        felt_from_r: [1.0, 0.5, 2.0],
        dream_interval_ticks: 0,
        decay_rate: 2.0,
        ..DarkPawnsConfig::default()
    };
    let mut check = morta_base::Checker::default();
    morta_base::keys::Keys::check_keys(&config, &mut check.table("memory.dark_pawns"));
    let keys: Vec<String> = check.into_problems().into_iter().map(|problem| problem.key).collect();
    assert_eq!(
        keys,
        [
            "memory.dark_pawns.decay_rate",
            "memory.dark_pawns.dream_interval_ticks",
            "memory.dark_pawns.felt_from_r.1"
        ]
    );
}

#[test]
fn another_memory_of_the_same_golem_gives_new_numbers() {
    let mut old = pawns(DarkPawnsConfig::default());
    old.observe(&trade(0, 1, 1.2), &[], 1);
    let mut new = pawns(DarkPawnsConfig::default());
    new.count_on_from(&old);
    new.observe(&trade(1, 2, 1.2), &[], 2);
    let numbers = |memory: &DarkPawns| memory.traces.values().map(|trace| trace.number).collect::<Vec<u32>>();
    assert!(numbers(&new).iter().all(|number| !numbers(&old).contains(number)));
    let before = advice(&old).expected_r;
    old.config = DarkPawnsConfig { valence_r: 1.0, ..DarkPawnsConfig::default() };
    assert!((advice(&old).expected_r - 0.1 - 2.0 * (before - 0.1)).abs() < 1e-12);
}
