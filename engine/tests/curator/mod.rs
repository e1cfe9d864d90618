mod config;
mod letter;

use crate::common::episodes::{episode, known_insight};
use morta_base::{GolemId, RuleId};
use morta_engine::curator::{
    Curatable, CuratorConfig, CuratorRequest, Flagged, KnownInsight, Operation, curate,
};
use morta_engine::episode::{Claim, ContextPattern, DreamPriority, HeldPattern};
use morta_engine::llm::EpisodeBrief;
use morta_engine::market::{Regime, Session, Strategy};

fn brief(number: usize, strategy: Strategy, realised_r: f64) -> EpisodeBrief {
    EpisodeBrief { strategy, realised_r, ..EpisodeBrief::from(&episode(number as u32, 1)) }
}

fn request(results: &[(Strategy, f64)]) -> CuratorRequest {
    let curatable = |(number, &(strategy, realised_r)): (usize, &(Strategy, f64))| Curatable {
        brief: brief(number, strategy, realised_r),
        priority: realised_r.abs(),
    };
    CuratorRequest {
        cycle: 7,
        episodes: results.iter().enumerate().map(curatable).collect(),
        age_discount: 1.0,
        ..CuratorRequest::default()
    }
}

fn known(number: u32, expected_r: f64, confidence: f64) -> KnownInsight {
    let pattern = ContextPattern::from_regime(Regime::TrendingUp);
    let claim = Claim::of_worth(Strategy::Momentum, pattern, expected_r);
    KnownInsight { accesses: 9, ..known_insight(number, claim, confidence) }
}

const AGREEING: [(Strategy, f64); 3] =
    [(Strategy::Momentum, 1.0), (Strategy::Momentum, 0.5), (Strategy::Momentum, 0.9)];

#[test]
fn what_agrees_becomes_an_insight() {
    let report = curate(&request(&AGREEING), &CuratorConfig::default());
    assert_eq!(report.tags, []);
    let [Operation::Add(found)] = &report.operations[..] else { panic!("{report:?}") };
    assert!((found.claim.expected_r - 0.8).abs() < 1e-12 && (found.confidence - 0.45).abs() < 1e-12);
    assert_eq!((found.confirmed, found.contradicted), (3, 0));
}

#[test]
fn what_disagrees_or_is_rare_is_tagged() {
    let mixed = [
        (Strategy::Momentum, 1.0),
        (Strategy::Momentum, -0.5),
        (Strategy::Momentum, 0.9),
        (Strategy::Breakout, 0.4),
    ];
    let report = curate(&request(&mixed), &CuratorConfig::default());
    assert_eq!(report.operations, []);
    let count = |priority| report.tags.iter().filter(|tag| tag.priority == priority).count();
    assert_eq!((count(DreamPriority::High), count(DreamPriority::Medium)), (3, 1));
    assert!(report.tags.iter().all(|tag| tag.cycle == 7));
    assert_eq!(report.tags[0].episode.number, 0, "the highest priority comes first");
    let few = CuratorConfig { max_tags: 2, ..CuratorConfig::default() };
    assert_eq!(curate(&request(&mixed), &few).tags.len(), 2);
}

/// Two trades wait for a third; they are tagged once.
#[test]
fn small_clusters_wait_for_the_next_cycle() {
    let config = CuratorConfig::default();
    let report = curate(&request(&AGREEING[..2]), &config);
    assert_eq!((report.waiting.len(), report.tags.len(), report.operations.len()), (2, 2, 0));
    let mut next = request(&AGREEING[2..]);
    next.waiting = report.waiting;
    let report = curate(&next, &config);
    assert!(matches!(&report.operations[..], [Operation::Add(found)] if found.confirmed == 3), "{report:?}");
    assert_eq!((report.waiting.len(), report.tags.len()), (0, 0));
}

/// Two of three for it: one vote up, +.1; two of three against it: one down, −.15. A different size is corrected.
#[test]
fn votes_are_netted() {
    let config = CuratorConfig::default();
    let mut mixed =
        request(&[(Strategy::Momentum, 1.0), (Strategy::Momentum, -0.5), (Strategy::Momentum, 0.9)]);
    mixed.insights = vec![known(1, 0.3, 0.3)];
    let report = curate(&mixed, &config);
    assert!(matches!(&report.operations[..], [Operation::Upvote { by, .. }] if *by == 0.1), "{report:?}");
    mixed.insights = vec![known(1, -0.3, 0.3)];
    let report = curate(&mixed, &config);
    assert!(matches!(&report.operations[..], [Operation::Downvote { by, .. }] if *by == -0.15), "{report:?}");
    let mut edited = request(&AGREEING);
    edited.insights = vec![known(1, 0.3, 0.3)];
    let report = curate(&edited, &config);
    let [Operation::Upvote { .. }, Operation::Edit { expected_r, .. }] = &report.operations[..] else {
        panic!("{report:?}")
    };
    assert!((expected_r - 0.8).abs() < 1e-12);
}

#[test]
fn a_vote_counts_in_the_same_cycle() {
    let mut up = request(&AGREEING);
    up.insights = vec![known(1, 0.8, 0.5)];
    let report = curate(&up, &CuratorConfig::default());
    assert!(
        matches!(&report.operations[..], [Operation::Upvote { .. }, Operation::Promote(_)]),
        "{report:?}"
    );
}

#[test]
fn deep_cycles_find_conflicts_and_merge() {
    let mut deep = CuratorRequest { deep: true, age_discount: 1.0, ..CuratorRequest::default() };
    let mut narrow = known(2, -0.4, 0.5);
    narrow.claim.pattern.session = Some(Session::Asia);
    deep.insights = vec![known(1, 0.4, 0.5), narrow];
    let config = CuratorConfig::default();
    assert_eq!(curate(&deep, &config).operations, [Operation::Conflict(deep.insights[0].id, narrow.id)]);
    // Neither in the other asset nor in a position that is held does the second say anything of the first.
    let elsewhere = [
        [Some(0), Some(1)].map(|asset| ContextPattern { asset, ..ContextPattern::default() }),
        [None, Some(HeldPattern::default())].map(|held| ContextPattern { held, ..ContextPattern::default() }),
    ];
    for patterns in elsewhere {
        let mut apart =
            CuratorRequest { insights: vec![known(1, 0.4, 0.5), known(2, -0.4, 0.5)], ..deep.clone() };
        apart.insights.iter_mut().zip(patterns).for_each(|(known, pattern)| known.claim.pattern = pattern);
        assert_eq!(curate(&apart, &config).operations, [], "{patterns:?}");
    }
    // 2/√6 = .816: alike enough for a limit of .8, and the more trusted one is kept.
    narrow.claim.expected_r = 0.4;
    narrow.confidence = 0.55;
    deep.insights[1] = narrow;
    assert_eq!(curate(&deep, &config).operations, []);
    let loose = CuratorConfig { merge_above: 0.8, ..config };
    let merged = Operation::Merge { kept: narrow.id, gone: deep.insights[0].id };
    assert_eq!(curate(&deep, &loose).operations, [merged]);
    assert_eq!(curate(&CuratorRequest { deep: false, ..deep }, &loose).operations, []);
}

#[test]
fn a_dream_and_waking_life_that_agree_are_named() {
    let insight = known(1, 0.4, 0.5);
    let dreamt =
        Flagged { id: RuleId { golem: GolemId::founder(0), number: 9 }, claim: known(0, 0.2, 0.0).claim };
    let mut request = CuratorRequest { age_discount: 1.0, ..CuratorRequest::default() };
    (request.insights, request.flagged) = (vec![insight], vec![dreamt]);
    let config = CuratorConfig::default();
    let expected = Operation::Corroborate { claim: dreamt.id, insight: insight.id, by: 0.1 };
    assert_eq!(curate(&request, &config).operations, [expected]);
    request.flagged[0].claim.expected_r = -0.2;
    assert_eq!(curate(&request, &config).operations, []);
}
