//! The memory of a golem, without a world around it.

use crate::common::episodes::{episode, lesson};
use crate::common::memory::observe;
use crate::common::openclaw::{advise, attend, attend_with, context, memory, trade, well_trodden};
use morta_base::Usdc;
use morta_engine::episode::{Claim, ContextPattern, EpisodeKind};
use morta_engine::market::{Regime, Session, Strategy};
use morta_engine::memory::openclaw::arena::OpenClaw;
use morta_engine::memory::openclaw::arena::note::{Circumstance, Note};
use morta_engine::memory::{Advice, MemoryArchitecture, VoiceSource};

#[test]
fn a_trade_is_a_line_of_the_days_note_and_speaks_where_it_fits() {
    let mut memory = memory();
    attend_with(&mut memory, 0, false, Usdc::ZERO);
    let here = context(Session::Asia, Regime::TrendingUp);
    assert_eq!(
        trade(&mut memory, 0, 25, here, 0.8),
        Advice { why: Vec::new(), ..advise(&crate::common::openclaw::memory(), here, Strategy::Momentum) }
    );
    let day = memory.notes().get(0).unwrap().day;
    assert_eq!(day.to_string(), "1970-01-02");
    let text = memory.notes().text(day).unwrap();
    assert_eq!(text, "# 1970-01-02\n\nmomentum trending_up middling asia: win +0.80 R, note 0\n");
    assert_eq!(memory.notes().get(0).unwrap().tags().len(), 5);

    // Likeness: all of four features, three, and another strategy; .5 trades against the 3 of the prior.
    let same = advise(&memory, here, Strategy::Momentum);
    assert!((same.expected_r - (3.0 * 0.1 + 0.5 * 0.8) / 3.5).abs() < 1e-12, "{same:?}");
    assert_eq!(same.why[0].source, VoiceSource::Note(0));
    let near = advise(&memory, context(Session::Europe, Regime::TrendingUp), Strategy::Momentum);
    assert!((near.why[0].weight - 0.375).abs() < 1e-12);
    assert!(advise(&memory, here, Strategy::Breakout).why.is_empty());
    assert!(!same.veto);

    let mut stayed_out = episode(9, 26);
    stayed_out.kind = EpisodeKind::StayedOut;
    observe(&mut memory, &stayed_out, &[], 26);
    assert_eq!(memory.notes().count(), 1, "an abstention leaves no note");
}

/// What spoke was found: the query is the circumstance of the decision, the score the likeness, the time that of the decision.
#[test]
fn a_decision_acted_on_is_a_search() {
    let memory = well_trodden();
    let entry = &memory.store().entries["memory:memory/1970-01-01.md:3:3"];
    assert_eq!((entry.recall_count, entry.recall_days.len()), (10, 10));
    assert_eq!(entry.query_hashes.len(), 6, "three sessions in two regimes");
    // Days 0, 2, 4, 6, 8 are in the same regime, days 0, 3, 6, 9 in the same session: 2 of them in both.
    let expected = [1.0, 0.5, 0.75, 0.75, 0.75, 0.5, 1.0, 0.5, 0.75, 0.75];
    assert!((entry.total_score - expected.iter().sum::<f64>()).abs() < 1e-9, "{entry:?}");
    assert_eq!(entry.concept_tags, ["momentum", "trending-up", "middling", "asia", "win"]);
    let census = memory.census();
    assert_eq!((census.evidence, census.self_evidence), (10, 0), "nothing it said had tipped anything");
    assert_eq!((census.stored, census.unused), (11, 10));
}

/// A memory that takes the place of this one names nothing as this one did.
#[test]
fn numbers_go_on_where_another_memory_left_off() {
    let mut old = well_trodden();
    attend(&mut old, 24 * 10 + 6);
    let mut new = memory();
    new.count_on_from(&old);
    attend_with(&mut new, 300, false, Usdc::ZERO);
    let here = context(Session::Asia, Regime::TrendingUp);
    trade(&mut new, 0, 301, here, 0.5);
    let why = advise(&new, here, Strategy::Momentum).why;
    assert_eq!(why[0].source, VoiceSource::Note(11), "after the eleven notes of the other");
    trade(&mut new, 1, 302, here, 0.5);
    assert_eq!(new.store().entries.len(), 1);
    attend(&mut new, 24 * 17 + 6);
    let themes: Vec<u32> = new.beliefs().iter().map(|belief| belief.number).collect();
    assert!(themes.iter().all(|number| *number >= 4) && !themes.is_empty(), "{themes:?}");
}

#[test]
fn a_lesson_that_names_less_is_less_like() {
    let claim = Claim::of_worth(Strategy::Momentum, ContextPattern::from_regime(Regime::TrendingUp), 0.4);
    let about = Note::about_lesson(&lesson(claim, 0.8, 1));
    let query = Circumstance::from_context(Strategy::Momentum, &context(Session::Asia, Regime::TrendingUp));
    assert!((query.likeness(&about) - 2.0 / 8.0_f64.sqrt()).abs() < 1e-12);
    assert_eq!((query.likeness(&query), query.query().as_str()), (1.0, "momentum trending_up middling asia"));
}

/// Checkpoints hold it byte for byte.
#[test]
fn it_is_plain_data() {
    let mut memory = well_trodden();
    attend(&mut memory, 24 * 10 + 6);
    let bytes = postcard::to_stdvec(&memory).unwrap();
    assert_eq!(postcard::from_bytes::<OpenClaw>(&bytes).unwrap(), memory);
    let json = serde_json::to_string(&memory).unwrap();
    assert_eq!(serde_json::from_str::<OpenClaw>(&json).unwrap(), memory);
}
