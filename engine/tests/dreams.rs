//! Whole dreams in small worlds.

use crate::common::{self, learnable_by, of_kind};
use morta_base::{DreamId, EpisodeId, RuleId, Usdc};
use morta_engine::dream::config::ConsolidationConfig;
use morta_engine::dream::nrem::TriageVerdict;
use morta_engine::dream::schedule::Dollars;
use morta_engine::dream::{DreamPhase, DreamTier};
use morta_engine::episode::{ClaimKind, Evidence, FindingKind, StagingVerdict};
use morta_engine::event::{Event, EventKind};
use morta_engine::replay::LiveVerdicts;
use morta_engine::world::Scenario;
use std::collections::{BTreeMap, BTreeSet};

fn live(change: impl FnOnce(&mut Scenario)) -> Vec<Event> {
    let mut scenario = learnable_by("bardo", 4, 1_500);
    scenario.dream.dream_cycle_interval = 60;
    change(&mut scenario);
    common::live(scenario)
}

fn rich(budget: f64) -> impl FnOnce(&mut Scenario) {
    move |scenario| {
        scenario.dream.tier = DreamTier::Hardened;
        scenario.dream.budget.per_cycle_max = Dollars(Usdc::from_dollars(budget));
        scenario.golem.endowment_usdc = 500.0;
    }
}

/// Lives of both memories that dream by a Bardo have the causal knowledge of their dreams in their records.
#[test]
fn records_of_lives_have_what_dreams_foretold() {
    for memory in ["bardo", "bardo+owm"] {
        let events = live(|scenario| scenario.cohorts[0].memory = memory.into());
        let chances: u64 =
            of_kind!(event in events, EventKind::LifeEnded(life) => life.foresight.chances).sum();
        assert!(chances > 0, "{memory}");
    }
}

/// Whatever a dream may spend, it doesn't spend a micro-dollar more, neither in a phase nor altogether; and nothing is written
/// beyond the limit of its task.
#[test]
fn budgets_and_limits_hold_to_the_last_token() {
    for budget in [0.003, 0.05, 0.5] {
        let mut spent: BTreeMap<_, Usdc> = BTreeMap::new();
        let mut allowed: BTreeMap<_, Usdc> = BTreeMap::new();
        for event in live(rich(budget)) {
            let golem = event.golem;
            match &event.kind {
                EventKind::DreamPhase { budget, .. } => {
                    allowed.insert(golem, *budget);
                    spent.insert(golem, Usdc::ZERO);
                }
                EventKind::InferenceCharged { cost, output_tokens, task, .. } => {
                    let phase = spent.entry(golem).or_default();
                    *phase += *cost;
                    assert!(*phase <= allowed[&golem], "{task}: {phase} of {}", allowed[&golem]);
                    assert!(*output_tokens <= if task == "dissolve" { 80 } else { 200 }, "{task}");
                }
                EventKind::DreamCompleted { cost, .. } => assert!(*cost <= Usdc::from_dollars(budget)),
                _ => {}
            }
        }
        assert!(!allowed.is_empty(), "nobody dreamt");
    }
}

#[test]
fn a_rich_dream_goes_through_everything() {
    let (mut tasks, mut seen, mut kinds) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for event in live(rich(0.5)) {
        seen.insert(event.kind.name());
        match event.kind {
            EventKind::InferenceCharged { task, .. } => drop(tasks.insert(task)),
            EventKind::ClaimStaged { kind, .. } => drop(kinds.insert(format!("{kind:?}"))),
            _ => {}
        }
    }
    for task in
        "anticipate consolidate counterfactual dissolve find_patterns imagine observe recrystallise threaten"
            .split(' ')
    {
        assert!(tasks.contains(task), "{task} was never asked: {tasks:?}");
    }
    for kind in "dream_phase dream_hypothesis dream_counterfactual dream_completed dream_validated".split(' ')
    {
        assert!(seen.contains(kind), "no {kind}");
    }
    for kind in ["Insight", "Hypothesis", "Fragment"] {
        assert!(kinds.contains(kind), "no {kind} was ever put to the test: {kinds:?}");
    }
}

/// What is let go has been read in that very dream; the buffer never holds more than its rooms do.
#[test]
fn only_what_was_replayed_is_forgotten_and_the_buffer_is_bounded() {
    let eager = |scenario: &mut Scenario| {
        scenario.dream.consolidation.triage.forget_utility = 10.0;
        scenario.dream.consolidation.triage.forget_after_replays = 0;
        // Each kind of claim has room for ten of dreams', and for what others bring.
        scenario.dream.consolidation.kinds = vec![ClaimKind::Entry];
    };
    let rooms = ConsolidationConfig::default();
    let others = rooms.room.curator + rooms.room.siblings + rooms.room.dead;
    let most = rooms.max_staged_revisions + others;
    let mut forgotten = 0;
    let mut chosen: BTreeMap<DreamId, BTreeSet<EpisodeId>> = BTreeMap::new();
    for event in live(eager) {
        match event.kind {
            EventKind::DreamStarted { id, replayed, .. } => {
                chosen.insert(id, replayed.iter().map(|replayed| replayed.episode).collect());
            }
            EventKind::DreamCompleted { id, result, staged, journal, .. } => {
                let quality = journal.dream_quality_score;
                assert!(staged <= most && (0.0..=1.0).contains(&quality), "{staged} {quality}");
                let gone = || result.triage.iter().filter(|sorted| sorted.verdict == TriageVerdict::Forget);
                assert!(gone().all(|sorted| chosen[&id].contains(&sorted.episode)));
                assert!(result.episodes_forgotten <= gone().count() as u32);
                forgotten += result.episodes_forgotten;
            }
            _ => {}
        }
    }
    assert!(forgotten > 0);
}

/// Three phases, three exchanges; and none of the questions that belong to rich dreams.
#[test]
fn a_lightweight_dream_is_short_and_plain() {
    let mut dreams = 0;
    for event in live(|_| ()) {
        match event.kind {
            EventKind::DreamCompleted { began, .. } => {
                dreams += 1;
                assert!(event.tick - began <= 3, "{} ticks", event.tick - began);
            }
            EventKind::InferenceCharged { task, .. } => {
                assert!(
                    ["find_patterns", "counterfactual", "consolidate"].contains(&task.as_str()),
                    "{task}"
                );
            }
            _ => {}
        }
    }
    assert!(dreams > 0);
}

/// Though the journal is short, a dream hears of all its claims, kind by kind: what counts as replay's accuracy is of insights alone.
#[test]
fn every_verdict_reaches_its_dream() {
    let mut drawn: BTreeMap<RuleId, FindingKind> = BTreeMap::new();
    let (mut decided, mut heard) = (LiveVerdicts::default(), BTreeMap::new());
    for event in live(rich(0.5)) {
        match event.kind {
            EventKind::ClaimStaged { id, kind, dream: Some(_), .. } => drop(drawn.insert(id, kind)),
            EventKind::ClaimDecided { id, verdict, .. } => {
                let confirmed = verdict == StagingVerdict::Promoted;
                let kind = drawn.get(&id).filter(|_| confirmed || verdict == StagingVerdict::Refuted);
                kind.into_iter().for_each(|kind| decided.decide(*kind, confirmed));
            }
            EventKind::DreamValidated(found) => {
                assert_eq!(found.replay_predictive_accuracy, found.by_kind.replay_accuracy());
                assert_eq!(found.confirmed, found.by_kind.insights.confirmed);
                heard.insert(found.id, found.by_kind);
            }
            _ => {}
        }
    }
    let sum = |of_kind: fn(&LiveVerdicts) -> Evidence| {
        let mut sum = Evidence::NONE;
        heard.values().for_each(|live| sum.add(of_kind(live)));
        sum
    };
    assert_eq!(sum(|live| live.insights), decided.insights);
    assert_eq!(sum(|live| live.guards), decided.guards);
    assert_eq!(sum(|live| live.fragments), decided.fragments);
    assert_eq!(sum(|live| live.imagined), decided.imagined);
    assert!(
        decided.insights.tests() > 2 && decided.imagined.tests() + decided.fragments.tests() > 2,
        "{decided:?}"
    );
}

/// What replay cost is what was charged in its phase; what it proposed are the insights that were put to the test; and credit is complete where
/// there are decisions to divide an outcome among.
#[test]
fn metrics_of_replay_are_of_replay() {
    let (mut phase, mut cost) = (BTreeMap::new(), BTreeMap::<_, Usdc>::new());
    let mut insights: BTreeMap<DreamId, u32> = BTreeMap::new();
    let (mut dreams, mut novel, mut restating, mut partly) = (0, 0, 0, 0);
    for event in live(rich(0.5)) {
        let golem = event.golem;
        match event.kind {
            EventKind::DreamStarted { .. } => drop((phase.remove(&golem), cost.remove(&golem))),
            EventKind::DreamPhase { phase: entered, budget, budget_tokens, .. } => {
                phase.insert(golem, entered);
                // Every tier reads at $0.25 a million tokens at least.
                assert!(budget_tokens.is_some_and(|tokens| tokens <= 4 * budget.0 as u64));
            }
            EventKind::InferenceCharged { cost: paid, .. }
                if phase.get(&golem) == Some(&DreamPhase::Nrem) =>
            {
                *cost.entry(golem).or_default() += paid;
            }
            EventKind::ClaimStaged { kind: FindingKind::Insight, dream: Some(dream), .. } => {
                *insights.entry(dream).or_default() += 1;
            }
            EventKind::DreamCompleted { id, metrics, result, cost: whole, .. } => {
                dreams += 1;
                assert_eq!(metrics.total_inference_cost, cost.get(&golem).copied().unwrap_or_default());
                assert!(metrics.total_inference_cost <= whole);
                assert_eq!(metrics.playbook_revisions_proposed, insights.get(&id).copied().unwrap_or(0));
                assert!(metrics.novel_insights_generated <= result.insights_crystallized);
                assert_eq!(metrics.cost_per_insight.is_some(), metrics.novel_insights_generated > 0);
                assert!(metrics.credit_assignments_completed <= metrics.reverse_replays);
                novel += metrics.novel_insights_generated;
                restating += u32::from(metrics.novel_insights_generated < metrics.patterns_identified);
                partly += u32::from(metrics.credit_assignments_completed < metrics.reverse_replays);
            }
            _ => {}
        }
    }
    assert!(dreams > 10 && novel > 0 && restating > 0 && partly > 0, "{dreams} {novel} {restating} {partly}");
}
