use crate::common::bardo::{WELL, advice, bardo, bardo_with, golem, heir, said, tell, volatile};
use crate::common::memory::observe;
use morta_engine::curator::{Conclusion, Operation};
use morta_engine::episode::{Claim, ContextPattern, LeavingReason, Provenance};
use morta_engine::market::{Regime, Strategy};
use morta_engine::memory::bardo::Bardo;
use morta_engine::memory::{
    BardoConfig, ClockSigns, Curates, EntryMove, HandsOn, MemoryArchitecture, MemoryEvent, SuccessionConfig,
    Voice, VoiceSource, Way,
};
use proptest::prelude::{prop, prop_assert, proptest};

fn moves(bardo: &mut Bardo) -> Vec<EntryMove> {
    let of = |event| match event {
        MemoryEvent::EntryMoved(moved) => Some(moved),
        _ => None,
    };
    bardo.drain_events().into_iter().filter_map(of).collect()
}

/// A candidate is silent. Active at .6, on four outcomes, it counts 4·.6 episodes, after 7 days without a look 1/e of that.
#[test]
fn advice_weighs_by_effective_confidence() {
    let mut bardo = bardo(0);
    tell(&mut bardo, vec![Operation::Add(said(0.4, 0.6, &[1]))], 0);
    assert_eq!(advice(&bardo, 0), []);
    let id = bardo.beliefs().insights()[0].id;
    tell(&mut bardo, vec![Operation::Promote(id)], 0);
    let voice = advice(&bardo, 0)[0];
    assert_eq!((voice.source, voice.provenance), (VoiceSource::Insight(id), Provenance::Own));
    assert!((voice.weight - 2.4).abs() < 1e-12);
    let faded = advice(&bardo, 7 * 2_160)[0].weight;
    assert!((faded - 2.4 * 0.367_879_441).abs() < 1e-8, "{faded}");
}

/// Price and a regime, .6, .03·1.5 every 250 ticks: archived after 3,000; three outcomes bring it back at .3.
#[test]
fn demurrage_archives_and_experience_brings_back() {
    let mut bardo = bardo(0);
    tell(&mut bardo, vec![Operation::Add(said(0.4, 0.6, &[1]))], 0);
    for now in (50..3_000).step_by(50) {
        bardo.housekeeping(WELL, now);
        assert_eq!(bardo.beliefs().insights().len(), 1, "at {now}");
    }
    bardo.housekeeping(WELL, 3_000);
    assert_eq!((bardo.beliefs().insights().len(), bardo.beliefs().archived().len()), (0, 1));
    assert_eq!(moves(&mut bardo)[0].way, Way::Archived(LeavingReason::ZeroConfidence));
    for (number, r) in [(0, 1.0), (1, -1.0), (2, 1.0), (3, 1.0), (4, 1.0)] {
        assert_eq!(bardo.beliefs().insights().len(), 0);
        observe(&mut bardo, &volatile(number, 3_100, r), &[], 3_100);
    }
    assert_eq!(
        (bardo.beliefs().insights()[0].confidence, bardo.beliefs().insights()[0].is_active_insight()),
        (0.3, false)
    );
    assert_eq!(bardo.beliefs().archived(), []);
    assert_eq!(moves(&mut bardo)[0].way, Way::Restored);
}

#[test]
fn idle_entries_go_when_money_is_short() {
    let mut bardo = bardo(0);
    tell(&mut bardo, vec![Operation::Add(said(0.4, 0.6, &[1]))], 0);
    let poor = ClockSigns { economic: 0.29, ..WELL };
    bardo.housekeeping(poor, 500);
    assert_eq!(bardo.beliefs().insights().len(), 1);
    bardo.housekeeping(WELL, 501);
    assert_eq!(bardo.beliefs().insights().len(), 1);
    bardo.housekeeping(poor, 501);
    assert_eq!(moves(&mut bardo)[0].way, Way::Archived(LeavingReason::Idle));
}

/// +1 strength for a voice that spoke for a trade that paid, nothing for having been heard.
#[test]
fn only_success_strengthens() {
    let mut bardo = bardo(0);
    tell(&mut bardo, vec![Operation::Add(said(0.4, 0.6, &[1]))], 0);
    let id = bardo.beliefs().insights()[0].id;
    let voice = Voice::new(VoiceSource::Insight(id), Provenance::Own, 1.0, 0.4);
    observe(&mut bardo, &volatile(0, 20, -1.0), &[voice], 20);
    assert_eq!(
        (
            bardo.beliefs().insights()[0].standing.strength,
            bardo.beliefs().insights()[0].standing.last_accessed
        ),
        (1.0, 20)
    );
    observe(&mut bardo, &volatile(1, 30, 1.0), &[voice], 30);
    assert_eq!(
        (bardo.beliefs().insights()[0].standing.strength, bardo.beliefs().insights()[0].standing.accesses),
        (2.0, 2)
    );
}

/// The Curator proposes, and what is staged has to be borne out like everything else.
#[test]
fn a_proposal_is_put_to_the_test() {
    let mut bardo = bardo(0);
    tell(&mut bardo, vec![Operation::Add(said(0.4, 0.75, &[1]))], 0);
    let id = bardo.beliefs().insights()[0].id;
    let done = tell(&mut bardo, vec![Operation::Propose(id)], 3);
    assert_eq!((done.counts.proposed, done.staged[0].confidence, done.staged[0].dream), (1, 0.3, None));
    assert_eq!((bardo.beliefs().rules().len(), bardo.beliefs().under_test().len()), (0, 1));
    assert_eq!(tell(&mut bardo, vec![Operation::Propose(id)], 4).counts.proposed, 0);
}

/// Learned at .8 by generation 0 and never tested again: .8·.85 = .68, .68·.85² = .4913, .4913·.85³ = .301719….
#[test]
fn a_lesson_crosses_three_generations() {
    let config = SuccessionConfig::default();
    let mut living = bardo(0);
    tell(&mut living, vec![Operation::Add(said(0.4, 0.8, &[1]))], 0);
    // Demurrage takes something, which the heir doesn't feel.
    living.housekeeping(WELL, 1_000);
    assert!(living.beliefs().insights()[0].confidence < 0.8);
    for (generation, expected) in [(1, 0.68), (2, 0.4913), (3, 0.301_719_612_5)] {
        let legacy = living.legacy(None, None, &config);
        let from = legacy.from;
        living = bardo(generation);
        let received = living.receive_legacy(legacy, &heir(generation), &config);
        assert_eq!(received.candidates, 1, "{received:?}");
        let [insight] = living.beliefs().insights() else { panic!("{:?}", living.beliefs().insights()) };
        assert!((insight.confidence - expected).abs() < 1e-9, "{generation}: {}", insight.confidence);
        assert_eq!((insight.origin, insight.provenance), (golem(0), Provenance::Predecessor(from)));
        assert_eq!(
            (insight.standing.strength, insight.is_active_insight()),
            (1.0, false),
            "it has to earn its voice"
        );
    }
}

proptest! {
    /// Whatever happens, confidences stay in [0, 1], the active store and the archive within their bounds, and demurrage is paid for
    /// every interval once.
    #[test]
    fn bounds_hold_whatever_happens(
        steps in prop::collection::vec((0_u8..6, 0_usize..6, 0_usize..4, -1.5_f64..1.5, 1_u64..700), 1..120),
    ) {
        let config = BardoConfig { capacity: 20, archive_capacity: 5, ..BardoConfig::default() };
        let (mut bardo, mut now) = (bardo_with(0, config), 0);
        for (number, (what, strategy, regime, r, ticks)) in steps.into_iter().enumerate() {
            now += ticks;
            let subject = Claim::of_worth(Strategy::ALL[strategy], ContextPattern::from_regime(Regime::ALL[regime]), r);
            let known = bardo.beliefs().insights().get(number % 7).map(|insight| insight.id);
            let operation = match (what, known) {
                (0 | 1, _) => Operation::Add(Conclusion { claim: subject, ..said(r, r.abs() / 1.5, &[number as u32]) }),
                (2, Some(id)) => Operation::Upvote { id, by: 0.1, votes: said(r, 0.0, &[]) },
                (3, Some(id)) => Operation::Downvote { id, by: -0.15, votes: said(r, 0.0, &[]) },
                (4, Some(id)) => Operation::Propose(id),
                _ => {
                    let mut lived = volatile(number as u32, now, r);
                    (lived.strategy, lived.context.regime) = (subject.strategy, Regime::ALL[regime]);
                    observe(&mut bardo, &lived, &[], now);
                    continue;
                }
            };
            tell(&mut bardo, vec![operation], now);
            bardo.housekeeping(WELL, now);
            prop_assert!(bardo.beliefs().active().len() <= 20, "{} entries", bardo.beliefs().active().len());
            prop_assert!(bardo.beliefs().archived().len() <= 5);
            for entry in bardo.beliefs().active() {
                let (confidence, standing) = (entry.confidence, &entry.standing);
                prop_assert!((0.0..=1.0).contains(&confidence));
                prop_assert!(now - standing.paid_until < 250, "unpaid since {}", standing.paid_until);
            }
        }
    }
}

/// A population of millions must fit into memory.
#[test]
fn an_empty_one_is_small() {
    assert!(size_of::<Bardo>() < 1_400, "{} bytes", size_of::<Bardo>());
}
