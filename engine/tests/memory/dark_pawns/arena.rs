use crate::common::dark_pawns::{PAIRING, advice, attend, golem, pawns, trade};
use crate::common::lethe::drawn;
use crate::common::memory::observe;
use morta_base::BloodstainId;
use morta_engine::episode::{ContextPattern, EntryKind};
use morta_engine::lethe::Bequest;
use morta_engine::market::Regime;
use morta_engine::memory::dark_pawns::MarketNode;
use morta_engine::memory::{Bequeaths, DarkPawns, DarkPawnsConfig, InheritedItem, MemoryArchitecture, Voice};
use morta_memories::dark_pawns::{EdgeKind, NodeKind, Valence};

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

/// Without feelings the same things are remembered, and nothing follows from them.
#[test]
fn the_ablation_remembers_and_feels_nothing() {
    let mut memory = pawns(DarkPawnsConfig { valence: false, ..DarkPawnsConfig::default() });
    let mut feeling = pawns(DarkPawnsConfig::default());
    attend(&mut memory, 0, 100.0, true, 1.0);
    attend(&mut memory, 1, 4.0, false, 1.0);
    for number in 0..4 {
        observe(&mut memory, &trade(number, 5, -2.5), &[], 5);
        observe(&mut feeling, &trade(number, 5, -2.5), &[], 5);
    }
    assert_eq!(memory.graph().len(), feeling.graph().len() + 1, "the wound is an event more");
    assert!(memory.graph().nodes().all(|node| node.valence == Valence::NEUTRAL && node.mean() == 0.0));
    let heard = advice(&memory);
    assert_eq!((heard.expected_r, heard.veto), (0.1, false));
    assert!(memory.bequeath().iter().all(|bequest| matches!(bequest, Bequest::Scar(_))));
    assert!(feeling.bequeath().iter().any(|bequest| matches!(bequest, Bequest::Lesson(_))));
}

#[test]
fn an_unaffordable_summary_is_not_read() {
    let mut memory = pawns(DarkPawnsConfig { dream_interval_ticks: 1, ..DarkPawnsConfig::default() });
    attend(&mut memory, 0, 100.0, true, 1.0);
    observe(&mut memory, &trade(0, 1, -0.5), &[], 1);
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
    observe(&mut memory, &trade(0, 3, 0.5), &[], 3);
    let near = memory.graph().node(&MarketNode::NearDeath(trade(0, 0, 0.0).id)).unwrap();
    assert_eq!(near.valence.get(), -2);
    assert_eq!(near.label, "Down to 12.00 of 100.00 dollars in a trade by momentum");
    assert_eq!(memory.graph().node(&PAIRING).unwrap().mean(), -0.5);
    assert_eq!(memory.graph().node(&MarketNode::Asset(0)).unwrap().mean(), 1.0);
    // It was felt with that trade, and not with the next.
    observe(&mut memory, &trade(1, 4, 0.5), &[], 4);
    assert!(memory.graph().node(&MarketNode::NearDeath(trade(1, 0, 0.0).id)).is_none());
}

/// Four losses at salience 1: trust 4/(4 + 2), of which .85 crosses a generation.
#[test]
fn the_dead_are_met_and_warn() {
    let mut dead = DarkPawns::new(golem(4), DarkPawnsConfig::default());
    for number in 0..4 {
        let mut lost = trade(number, 5, -1.2 - f64::from(number));
        lost.id.golem = golem(4);
        observe(&mut dead, &lost, &[], 5);
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
    assert_eq!(lesson.claim.pattern, ContextPattern::from_regime(Regime::TrendingUp));

    let mut heir = pawns(DarkPawnsConfig::default());
    attend(&mut heir, 10, 100.0, true, 1.0);
    let received = heir
        .inherit(vec![drawn(golem(4), 0, bequests[0].clone()), drawn(golem(4), 1, bequests[4].clone())], 11);
    assert_eq!(received.scars, 1);
    let text = attend(&mut heir, 12, 100.0, true, 1.0).summary.unwrap().text;
    assert!(
        text.contains(
            "Met the stain of L4.G0: lost 4.20 R by momentum when trending up, on asset 0 (a difficult"
        ),
        "{text}"
    );
    assert!(text.contains("Was told by L4.G0: avoid momentum in trending up"), "{text}");
    assert!(text.contains("L4.G0 — friendly (met 2 times)"), "{text}");
    let pairing = heir.graph().node(&PAIRING).unwrap();
    let left = 0.7 + 0.2 * (4.0 / 6.0 * 0.85);
    assert!((pairing.salience - left).abs() < 1e-12, "{}", pairing.salience);
    assert!(heir.graph().edges().any(|edge| edge.kind == EdgeKind::Killed && edge.to == PAIRING));
    assert_eq!(heir.graph().nodes().filter(|node| node.kind == NodeKind::Event).count(), 2);
    let heard = advice(&heir);
    assert!(heard.expected_r < 0.1);
    assert_eq!(heard.why[0].provenance.bloodstain(), Some(BloodstainId { golem: golem(4), number: 0 }));

    // What came of it is followed.
    observe(&mut heir, &trade(0, 20, -1.0), &heard.why, 20);
    let [scar, warning] = heir.inheritance() else { panic!("two things were inherited") };
    assert!(matches!(scar.inherited_item, InheritedItem::Scar(_)) && scar.uses == 1 && scar.rank == 0);
    assert_eq!((warning.confirmed, warning.contradicted, warning.rank), (1, 0, 1));
}

/// Two trades and the three nodes they share are five items; the second trade is evidence on three nodes, one of which had tipped it.
#[test]
fn the_account_counts_what_was_of_use() {
    let mut memory = pawns(DarkPawnsConfig::default());
    observe(&mut memory, &trade(0, 1, 1.2), &[], 1);
    let why: Vec<Voice> = advice(&memory).why.into_iter().take(2).collect();
    memory.account_mut().unwrap().influenced_by(&[why[0].source]);
    observe(&mut memory, &trade(1, 2, 1.2), &why, 2);
    let census = memory.census();
    assert_eq!((census.stored, census.unused, census.evidence, census.self_evidence), (5, 3, 3, 1));
}

#[test]
fn the_state_survives_packing() {
    let mut memory = pawns(DarkPawnsConfig::default());
    attend(&mut memory, 0, 100.0, false, 1.0);
    observe(&mut memory, &trade(0, 1, -1.2), &[], 1);
    memory.inherit(vec![drawn(golem(4), 0, Bequest::Scar(trade(3, 1, -3.0)))], 2);
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
