//! Tests of `bardo` that need its private parts: staging and admission, inheritance, upkeep, dreams without a world around them (unit tests
//! with hand-made episodes).

use super::*;
use crate::common::bardo::{WELL, advice, bardo, bardo_with, golem, heir, said, tell, volatile};
use crate::common::episodes::{claim, episode};
use crate::common::memory::observe;
use crate::curator::{CuratorConfig, Operation};
use crate::dream::cycle::Question;
use crate::dream::integration::{StagingResult, put_to_test};
use crate::dream::report::DreamFinding;
use crate::dream::schedule::PhaseBudgets;
use crate::dream::{Belief, Circumstances, DreamConfig, DreamCycle, DreamScope, DreamStep, DreamTier};
use crate::episode::{Claim, EntryKind, Evidence, FindingKind, Provenance};
use crate::lethe::Bequest;
use crate::llm::{CreativeMode, LlmConfig, Reply, SourcedClaim, Task};
use crate::market::{Regime, Strategy};
use crate::memory::{
    Bequeaths, ClockSigns, Curates, CuratorVisit, DreamOccasion, Dreams, HandsOn, InheritedItem,
    MemoryArchitecture, MemoryEvent, SuccessionConfig, Voice, VoiceSource,
};
use crate::mortality::Phase;
use crate::replay::{ReplayContext, ReplayMode, Uncertainty};
use morta_base::{BloodstainId, Purpose, Usdc, WorldSeed};

fn visit(cycle: u64, config: &CuratorConfig) -> CuratorVisit<'_> {
    CuratorVisit { cycle, deep: false, age_discount: 1.0, config }
}

fn proofs(bardo: &mut Bardo) -> usize {
    let is_proof = |event: &MemoryEvent| matches!(event, MemoryEvent::ProvedWrong(_));
    bardo.drain_events().iter().filter(|event| is_proof(event)).count()
}

fn dreamt(bardo: &Bardo, expected_r: f64, confidence: f64, sources: &[u32]) -> Belief {
    let id = RuleId { golem: golem(0), number: bardo.next_rule };
    Belief {
        finding: FindingKind::Hypothesis,
        dream: Some(morta_base::DreamId { golem: golem(0), number: 0 }),
        learned_from: said(0.0, 0.0, sources).learned_from,
        ..Belief::new(id, claim(expected_r), confidence, 0)
    }
}

fn dream_up(bardo: &mut Bardo, expected_r: f64, confidence: f64, sources: &[u32]) -> StagingResult {
    let belief = dreamt(bardo, expected_r, confidence, sources);
    let config = bardo.consolidation.clone();
    put_to_test(belief, false, &mut bardo.mind(), 0, &config)
}

/// A dream was interrupted when it had read one pattern, had one idea and had put neither in order: the next one does so with the
/// pattern, though it only consolidates, and puts it to the test. The idea, about which the reply is of no use, is left.
#[test]
fn the_next_dream_takes_up_unfinished_findings() {
    let (dream, llm) = (DreamConfig::default(), LlmConfig::default());
    let embedding = [0.0; 2];
    let now = ReplayContext {
        tick: 20,
        embedding: &embedding,
        regime: Regime::Volatile,
        pad_bias: None,
        affect: false,
        mode: ReplayMode::Normal,
        legacy: 0.0,
    };
    let mut bardo = bardo(0);
    let occasion = || DreamOccasion { cycle: 0, now, config: &dream, llm: &llm };
    let begin = |bardo: &Bardo, scope| {
        let phase = Phase::Stable;
        let circumstances = Circumstances {
            tier: DreamTier::Hardened,
            scope,
            by_phase: PhaseBudgets::divide(Usdc::from_dollars(0.5), phase, &dream.phases),
            phase,
            uncertainty: Uncertainty::Low,
            context: episode(0, 10).context,
            price: 100.0,
            gas: Usdc::ZERO,
            positions: Vec::new(),
            tick_seconds: 40.0,
            smelled: Vec::new(),
        };
        let id = morta_base::DreamId { golem: golem(0), number: 0 };
        let mut stream = WorldSeed(1).world(Purpose::Dream, 0, 0);
        DreamCycle::begin(
            id,
            20,
            Usdc::from_dollars(0.5),
            circumstances,
            &bardo.view(occasion()),
            &mut stream,
        )
    };
    let read = SourcedClaim { claim: claim(0.5), learned_from: vec![episode(0, 10).id] };
    let idea = SourcedClaim { claim: Claim { strategy: Strategy::Breakout, ..claim(0.3) }, ..read.clone() };
    let mut first = begin(&bardo, DreamScope::Full);
    let patterns = Reply::Patterns { batch: 0, patterns: vec![read.clone()], answers: Box::default() };
    let ideas = Reply::Imagined { mode: CreativeMode::Exploratory, ideas: vec![idea.clone()] };
    for reply in [patterns, ideas] {
        first.take_answer(reply, Usdc::ZERO, &bardo.view(occasion()));
    }
    bardo.note_broken_dream(&first.broken_off(), 21);
    let mut second = begin(&bardo, DreamScope::ConsolidationOnly);
    let DreamStep::Ask(questions) = second.next(&bardo.view(occasion())) else {
        panic!("it has something to do")
    };
    let [Question { task: Task::Consolidate { patterns }, .. }, _] = &questions[..] else {
        panic!("{questions:?}")
    };
    assert_eq!(patterns, std::slice::from_ref(&read));
    let claims = |found: &[DreamFinding]| -> Vec<Claim> { found.iter().map(|f| f.pattern.claim).collect() };
    second.take_answer(Reply::Consolidated(vec![read.clone()]), Usdc::ZERO, &bardo.view(occasion()));
    assert_eq!(claims(&second.findings_so_far()), [read.claim, idea.claim]);
    second.unreadable(Usdc::ZERO);
    let mut report = loop {
        match second.next(&bardo.view(occasion())) {
            DreamStep::Wake(report) => break report,
            DreamStep::Ask(asked) => asked.iter().for_each(|_| second.unreadable(Usdc::ZERO)),
            DreamStep::Wait => panic!("nothing is out"),
        }
    };
    assert_eq!((report.findings[0].kind, &report.nrem.patterns_found[..]), (FindingKind::Insight, &[][..]));
    bardo.integrate(&mut report, 22, 0.5);
    assert_eq!(claims(bardo.view(occasion()).unfinished), [idea.claim]);
    assert_eq!(bardo.beliefs.under_test()[0].claim.expected_r, 0.5);
}

/// A rule that eight outcomes bore out and that was drawn from one: nine to the heir, who has it under test, up to the cap.
#[test]
fn an_inherited_claim_weighs_what_its_outcomes_are_worth() {
    let config = SuccessionConfig::default();
    let weight = |keys: BardoConfig| {
        let mut dead = bardo(0);
        live_by_a_rule(&mut dead, 8);
        let mut living = bardo_with(1, keys);
        living.receive_legacy(dead.legacy(None, None, &config), &heir(1), &config);
        let [claim] = living.beliefs.under_test() else { panic!("{:?}", living.beliefs) };
        // Handed on untouched, it still rests on nine.
        assert_eq!(claim.lesson().outcomes_behind, 9);
        (advice(&living, 0)[0].weight / claim.confidence * 1e9).round() / 1e9
    };
    assert_eq!(weight(BardoConfig::default()), 9.0);
    assert_eq!(weight(BardoConfig { evidence_cap: 5.0, ..BardoConfig::default() }), 5.0);
}

/// What a dream made up says nothing until life has spoken to it once.
#[test]
fn an_invention_is_silent_until_it_is_tested() {
    let mut bardo = bardo(0);
    dream_up(&mut bardo, 0.4, 0.2, &[]);
    assert_eq!(advice(&bardo, 0).iter().map(|voice| voice.weight).sum::<f64>(), 0.0);
    observe(&mut bardo, &volatile(0, 10, 1.0), &[], 10);
    let claim = bardo.beliefs.under_test()[0].id;
    let spoken = advice(&bardo, 10);
    let voice = spoken.iter().find(|voice| voice.source == VoiceSource::Hypothesis(claim)).unwrap();
    assert!((voice.weight - 0.3).abs() < 1e-3, "one outcome at .3, ten ticks faded: {voice:?}");
}

/// A scar drawn from a bloodstain is no voice about R; it warns where its trade might be repeated, is named, is followed to what came of
/// that, and counts as of use when what it warned of lost.
#[test]
fn a_scar_warns_and_is_followed() {
    let mut bardo = bardo(1);
    let mut scar = volatile(0, 5, -3.0);
    scar.id.golem = golem(7);
    let from = BloodstainId { golem: golem(7), number: 0 };
    let inheritance = bardo.inherit_scar(scar.clone(), Provenance::Bloodstain(from), 0);
    bardo.later.inheritance.push(inheritance);
    let [guard] = advice(&bardo, 10)[..] else { panic!("{:?}", advice(&bardo, 10)) };
    assert_eq!((guard.source, guard.provenance), (VoiceSource::Guard(scar.id), Provenance::Bloodstain(from)));
    observe(&mut bardo, &volatile(1, 20, -0.5), &[guard], 20);
    let followed = bardo.inheritance()[0];
    assert_eq!(
        (followed.first_use, followed.uses, followed.warnings, followed.total_r),
        (Some(20), 1, 1, -0.5)
    );
    assert!(followed.worked());
    observe(&mut bardo, &volatile(2, 30, 2.0), &[guard], 30);
    assert!(!bardo.inheritance()[0].worked(), "a false alarm");
}

/// At 300 the phase changes: what would have been due since 0 is not owed, and the next payment is due at 550.
#[test]
fn a_new_phase_starts_the_clock_anew() {
    let mut bardo = bardo(0);
    tell(&mut bardo, vec![Operation::Add(said(0.4, 0.6, &[1]))], 0);
    live_by_a_rule(&mut bardo, 5);
    let lean = ClockSigns { phase: Phase::Conservation, ..WELL };
    bardo.housekeeping(WELL, 200);
    bardo.housekeeping(lean, 300);
    bardo.housekeeping(lean, 549);
    assert_eq!((bardo.beliefs.insights()[0].confidence, bardo.beliefs.rules()[0].confidence), (0.6, 0.8));
    bardo.housekeeping(lean, 550);
    // .03·1.5 for the insight; .03·1.5/1.2 for the rule.
    assert!((bardo.beliefs.insights()[0].confidence - 0.555).abs() < 1e-12);
    assert!((bardo.beliefs.rules()[0].confidence - 0.762_5).abs() < 1e-12);
}

/// A claim of gain at .2 that loses three times falls below .1: it is known to be wrong at 4/5, speaks of the result found with 4·.8,
/// isn't staged again, and fades at half rate to .3 at least.
#[test]
fn a_disproved_claim_speaks_with_the_result_found() {
    let mut bardo = bardo(0);
    assert!(matches!(dream_up(&mut bardo, 0.4, 0.2, &[1]), StagingResult::Staged { .. }));
    for number in 0..3 {
        observe(&mut bardo, &volatile(number, 10, -0.5), &[], 10);
    }
    let [wrong] = bardo.beliefs.proved_wrong() else { panic!("{:?}", bardo.beliefs) };
    assert_eq!((wrong.disproof().unwrap().found_r, wrong.confidence), (-0.5, 0.8));
    let refuted = wrong.id;
    assert_eq!(proofs(&mut bardo), 1);
    let refutes = |voice: &&Voice| voice.source == VoiceSource::AntiKnowledge(refuted);
    let voice = *advice(&bardo, 10).iter().find(refutes).expect("it speaks");
    assert!((voice.weight - 3.2).abs() < 1e-12 && voice.expected_r == -0.5);
    assert_eq!(dream_up(&mut bardo, 0.7, 0.2, &[1]), StagingResult::Denied(refuted));
    assert!(
        matches!(dream_up(&mut bardo, -0.7, 0.2, &[1]), StagingResult::Staged { .. }),
        "the opposite may be tested"
    );
    bardo.housekeeping(WELL, 1_000_000);
    assert_eq!(bardo.beliefs.proved_wrong()[0].confidence, 0.3);
    // The opposite, which would take it in, has waited for too long: it expires with the next trade, of whatever kind.
    observe(&mut bardo, &episode(3, 1_000_000), &[], 1_000_000);
    assert_eq!(bardo.beliefs.under_test(), []);
    assert!(
        matches!(dream_up(&mut bardo, 0.7, 0.2, &[1]), StagingResult::Staged { .. }),
        "it isn't firm any more"
    );
}

/// A dream at .3 and an insight at .45 that rest on different episodes gain .1 each, once; on the same ones nothing.
#[test]
fn a_dream_and_waking_life_gain_from_each_other_once() {
    for (sources, gain) in [(&[7, 8][..], 0.1), (&[1, 8][..], 0.0)] {
        let mut bardo = bardo(0);
        tell(&mut bardo, vec![Operation::Add(said(0.4, 0.45, &[1, 2]))], 0);
        let insight = bardo.beliefs.insights()[0].id;
        dream_up(&mut bardo, 0.3, 0.3, sources);
        let dreamt = bardo.beliefs.under_test()[0].id;
        observe(&mut bardo, &volatile(0, 5, 1.0), &[], 5);
        let config = CuratorConfig::default();
        let request = bardo.curator_request(visit(1, &config)).unwrap();
        assert_eq!(request.flagged.len(), 1, "one confirmation, .4: partially validated");
        let report = crate::curator::curate(&request, &config);
        let corroborates = |operation: &&Operation| matches!(operation, Operation::Corroborate { .. });
        assert_eq!(report.operations.iter().filter(corroborates).count(), 1);
        let done = bardo.apply_curator_report(report, 0.1, 6);
        assert_eq!(done.counts.corroborated, u32::from(gain > 0.0));
        let claim = bardo.beliefs.under_test().iter().find(|staged| staged.id == dreamt).unwrap();
        let known = bardo.beliefs.insights().iter().find(|known| known.id == insight).unwrap();
        assert!((claim.confidence - 0.4 - gain).abs() < 1e-12, "{claim:?}");
        assert!((known.confidence - 0.45 - gain).abs() < 1e-12, "{known:?}");
        let again = bardo.curator_request(visit(2, &config)).unwrap();
        assert_eq!(again.flagged.is_empty(), gain > 0.0);
    }
}

/// A trade whose cluster was too small waits through visits without work, and is handed in with the next trade.
#[test]
fn trades_wait_until_there_is_work() {
    let (mut bardo, config) = (bardo(0), CuratorConfig::default());
    observe(&mut bardo, &volatile(0, 5, 1.0), &[], 5);
    let request = bardo.curator_request(visit(1, &config)).unwrap();
    let report = crate::curator::curate(&request, &config);
    assert_eq!(report.waiting.len(), 1);
    bardo.apply_curator_report(report, 0.1, 6);
    assert_eq!(bardo.curator_request(visit(2, &config)), None);
    observe(&mut bardo, &volatile(1, 7, 1.0), &[], 7);
    let waiting = bardo.curator_request(visit(3, &config)).unwrap().waiting;
    assert_eq!(waiting.iter().map(|brief| brief.id.number).collect::<Vec<_>>(), [0]);
}

/// Makes a rule that life bore out so often.
fn live_by_a_rule(bardo: &mut Bardo, confirmed: u32) {
    let evidence = Evidence { confirmed, contradicted: 0 };
    let proven = Belief { evidence, ..dreamt(bardo, 0.4, 0.8, &[1]) };
    let rules = crate::dream::integration::take_over_defaults(
        vec![proven],
        &mut bardo.beliefs,
        0,
        &bardo.consolidation,
    );
    assert_eq!(rules.len(), 1);
}

/// The predecessor's playbook is a reference: its rules are tested, not in force; after three generations at .7 they are defaults,
/// at .8·.85³ = .4913, and .03 more because it is in the testament too.
#[test]
fn rules_are_tested_until_three_generations_have_proved_them() {
    let config = SuccessionConfig::default();
    for (generation, defaults, tested) in [(0, 0, 1), (1, 0, 1), (2, 1, 0)] {
        let mut dead = bardo(generation);
        live_by_a_rule(&mut dead, 5);
        let mut living = bardo(generation + 1);
        let received =
            living.receive_legacy(dead.legacy(None, None, &config), &heir(generation + 1), &config);
        assert_eq!((received.defaults.len(), received.staged.len()), (defaults, tested), "{received:?}");
        assert_eq!(living.beliefs.rules().len(), defaults);
        assert_eq!(living.inheritance()[0].became_rule, defaults == 1);
        if let [rule] = &received.defaults[..] {
            assert!((rule.confidence - 0.521_3).abs() < 1e-9, "{rule:?}");
            assert_eq!(rule.provenance, Provenance::Predecessor(dead.golem));
        }
    }
}

#[test]
fn disproofs_are_always_inherited() {
    let config = SuccessionConfig { max_entries: 1, ..SuccessionConfig::default() };
    let mut dead = bardo(0);
    dream_up(&mut dead, 0.4, 0.2, &[1]);
    (0..3).for_each(|number| observe(&mut dead, &volatile(number, 10, -0.5), &[], 10));
    let mut living = bardo(1);
    let received = living.receive_legacy(dead.legacy(None, None, &config), &heir(1), &config);
    assert_eq!(received.anti, 1);
    let wrong = living.beliefs.proved_wrong()[0].disproof().unwrap();
    assert_eq!((wrong.belief.confidence, wrong.found_r), (0.8, -0.5));
    assert!(matches!(dream_up(&mut living, 0.4, 0.2, &[1]), StagingResult::Denied(_)));
}

/// The most surprising unfinished thought is the first to be tested and the first the heir dreams of; a fourth one is kept as a
/// candidate.
#[test]
fn unfinished_thoughts_come_first() {
    let config = SuccessionConfig::default();
    let mut dead = bardo(0);
    for (strategy, expected_r) in [
        (Strategy::Momentum, 0.2),
        (Strategy::Breakout, -0.9),
        (Strategy::MeanReversion, 0.4),
        (Strategy::TrendFollowing, 0.3),
    ] {
        let mut thought = dreamt(&dead, expected_r, 0.2, &[1]);
        thought.claim.strategy = strategy;
        let consolidation = dead.consolidation.clone();
        put_to_test(thought, false, &mut dead.mind(), 0, &consolidation);
    }
    let mut living = bardo(1);
    let received = living.receive_legacy(dead.legacy(None, None, &config), &heir(1), &config);
    let order: Vec<Strategy> =
        living.beliefs.under_test().iter().map(|staged| staged.claim.strategy).collect();
    assert_eq!(order, [Strategy::Breakout, Strategy::MeanReversion, Strategy::TrendFollowing]);
    assert!(
        living
            .beliefs
            .under_test()
            .iter()
            .all(|staged| staged.trial().unwrap().unfinished && staged.confidence == 0.15)
    );
    assert_eq!(received.candidates, 1);
}

/// From its receipt to its outcome: used twice, one win, 1.5 R; its claim held in one of three trades.
#[test]
fn an_heirloom_is_followed_to_its_outcome() {
    let config = SuccessionConfig::default();
    let mut dead = bardo(0);
    live_by_a_rule(&mut dead, 5);
    let mut living = bardo(1);
    living.receive_legacy(dead.legacy(None, None, &config), &heir(1), &config);
    let InheritedItem::Lesson { entry: Some(id), .. } = living.inheritance()[0].inherited_item else {
        panic!()
    };
    let source = Provenance::Predecessor(golem(0));
    let voice = Voice::new(VoiceSource::Hypothesis(id), source, 1.0, 0.4);
    observe(&mut living, &volatile(0, 40, 2.0), &[voice], 40);
    observe(&mut living, &volatile(1, 50, -0.5), &[voice], 50);
    observe(&mut living, &volatile(2, 60, -0.5), &[], 60);
    let found = living.inheritance()[0];
    assert_eq!((found.source, found.origin, found.first_use), (source, golem(0), Some(40)));
    assert_eq!((found.uses, found.wins, found.total_r), (2, 1, 1.5));
    assert_eq!((found.confirmed, found.contradicted, found.became_rule), (1, 2, false));
    let growth = living.growth().unwrap();
    assert_eq!((growth.inherited, growth.validated, growth.contradicted, growth.questioned), (1, 0, 1, 1));
    // Nothing of its own, and a playbook that is empty where the predecessor's wasn't: −.2.
    assert_eq!((growth.novel, growth.playbook_distance), (0, 1.0));
    assert!((growth.ratchet() + 0.2).abs() < 1e-12);
}

/// What contradicts a trusted insight with little support waits for a cycle; it is dropped if that insight is still trusted.
#[test]
fn a_weak_contrary_heirloom_is_quarantined() {
    let mut bardo = bardo(0);
    tell(&mut bardo, vec![Operation::Add(said(0.4, 0.7, &[1]))], 0);
    let mut belief = bardo.beliefs.insights()[0].clone().into_belief();
    belief.claim.expected_r = -0.4;
    let outcomes = Evidence { confirmed: 0, contradicted: 3 };
    let contrary = curated::NewInsight { belief, kind: EntryKind::Warning, outcomes };
    assert_eq!(bardo.let_in(contrary, 0), curated::Entrance::Quarantine);
    assert_eq!(bardo.beliefs.insights().len(), 1);
    let done = tell(&mut bardo, Vec::new(), 50);
    assert_eq!(
        (done.counts.turned_away, bardo.beliefs.insights().len(), bardo.beliefs.leave_quarantine().len()),
        (1, 1, 0)
    );
}

#[test]
fn a_testament_leaves_scars_and_lessons() {
    let mut dead = bardo(0);
    live_by_a_rule(&mut dead, 5);
    observe(&mut dead, &volatile(0, 10, -1.0), &[], 10);
    let bequests = dead.bequeath();
    assert!(matches!(&bequests[..], [Bequest::Scar(_), Bequest::Lesson(_)]), "{bequests:?}");
}
