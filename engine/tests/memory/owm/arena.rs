//! A golem's outcome-weighted memory from experience to advice, and on to an heir.

use crate::common::episodes::episode;
use crate::common::lethe;
use crate::common::memory::{self, observe};
use morta_base::{BloodstainId, GolemId, Tick, Usdc};
use morta_engine::episode::{Conditions, Context, EntryKind, Episode, EpisodeKind, Provenance};
use morta_engine::lethe::{Bequest, Drawn};
use morta_engine::llm::LlmConfig;
use morta_engine::market::{Regime, Strategy};
use morta_engine::memory::owm::Owm;
use morta_engine::memory::owm::arena::OwmSurroundings;
use morta_engine::memory::owm::config::{Abstentions, ExpectationWeight};
use morta_engine::memory::{
    Advice, Attention, Bequeaths, Candidate, DecisionContext, MemoryArchitecture, OwmConfig, UpkeepKind,
    Voice, VoiceSource,
};
use morta_memories::owm::prospective::PlanStatus;
use morta_memories::owm::score::sigmoid;

const HOUR: f64 = 3_600.0;

fn memory(config: OwmConfig) -> Owm {
    of_golem(GolemId::founder(0), config)
}

fn of_golem(golem: GolemId, config: OwmConfig) -> Owm {
    let symbols = vec!["XAU".to_owned()];
    let around = OwmSurroundings { tick_seconds: HOUR, endowment: 100.0, usual_risk: 0.02, symbols };
    Owm::new(golem, config, around)
}

fn context() -> Context {
    episode(0, 0).context
}

fn conditions() -> Conditions {
    Conditions { price: 100.0, atr_fast: 1.0, atr_slow: 1.0, spread_over_atr: 0.1, drawdown: 0.0 }
}

fn lived(number: u32, closed: Tick, realised_r: f64) -> Episode {
    Episode { realised_r, conditions: conditions(), ..episode(number, closed) }
}

fn candidate() -> Candidate {
    memory::candidate(Strategy::Momentum, 0.2)
}

fn advise(owm: &Owm, tick: Tick, drawdown: f64) -> Advice {
    let conditions = Conditions { drawdown, ..conditions() };
    let moment = DecisionContext { conditions, ..memory::moment(tick, context(), &[]) };
    memory::advice_on(owm, &moment, candidate())
}

fn attend(owm: &mut Owm, tick: Tick, equity: f64) -> Vec<(UpkeepKind, u32, u32)> {
    let (llm, equity) = (LlmConfig::default(), Usdc::from_dollars(equity));
    let attention = Attention { time_s: 0, equity, inference_left: Usdc::ZERO, ..memory::waking(tick, &llm) };
    let upkeep = owm.attend(&attention).upkeep;
    upkeep.into_iter().map(|done| (done.kind, done.made, done.dropped)).collect()
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "found {found}, expected {expected}");
}

#[test]
fn nothing_remembered_is_the_prior_and_the_usual_size() {
    let advice = advise(&memory(OwmConfig::default()), 0, 0.0);
    assert_eq!(advice, Advice::prior(&candidate()));
}

/// Two outcomes in the very circumstances of the decision: only their quality sets their scores apart.
#[test]
fn episodes_speak_by_their_scores() {
    let mut owm = memory(OwmConfig::default());
    observe(&mut owm, &lived(0, 10, 1.0), &[], 10);
    observe(&mut owm, &lived(1, 10, -1.0), &[], 10);
    let found = advise(&owm, 10, 0.0);
    // σ is 1, a remembered drawdown of 0 earns nothing (.9 of likeness). Confidence was ½ before the first, and moved by sigmoid(1) after.
    let trust = 0.9 * 0.5 + 0.1 * sigmoid(1.0);
    let (gain, loss) = (sigmoid(2.0) * 0.9 * 0.75, sigmoid(-2.0) * 0.9 * (0.5 + 0.5 * trust));
    let mean = (gain - loss) / (gain + loss);
    close(found.expected_r, (3.0 * 0.2 + (gain + loss) * mean) / (3.0 + gain + loss));
    close(found.confidence, (gain + loss) / (3.0 + gain + loss));
    assert_eq!(found.size_multiplier, 1.0, "too little comes to mind to stake by it");
    let named: Vec<VoiceSource> = found.why.iter().map(|voice| voice.source).collect();
    assert_eq!(named, [0, 1].map(|number| VoiceSource::Episode(lived(number, 0, 0.0).id)));

    let likeness = OwmConfig { expectation: ExpectationWeight::Likeness, ..OwmConfig::default() };
    let mut even = memory(likeness);
    observe(&mut even, &lived(0, 10, 1.0), &[], 10);
    observe(&mut even, &lived(1, 10, -1.0), &[], 10);
    let found = advise(&even, 10, 0.0);
    assert!(
        (found.expected_r - 0.2 * 3.0 / (3.0 + 1.8 * 0.75)).abs() < 0.01,
        "gains weigh no more: {found:?}"
    );
}

#[test]
fn sizes_follow_kelly_within_bounds() {
    let sized = |outcomes: [f64; 2]| {
        let mut owm = memory(OwmConfig::default());
        for number in 0..12 {
            observe(&mut owm, &lived(number, 10, outcomes[usize::from(number % 3 == 2)]), &[], 10);
        }
        advise(&owm, 10, 0.0)
    };
    let good = sized([2.0, -1.0]);
    assert_eq!(good.size_multiplier, 1.5, "{good:?}");
    assert!(
        good.why.iter().any(|voice| matches!(voice.source, VoiceSource::Insight(_))),
        "the belief speaks"
    );
    assert_eq!(sized([1.0, 1.0]).size_multiplier, 0.5, "no loss to reckon with: Kelly is 0");
}

#[test]
fn beliefs_that_trades_lose_lead_to_plans_to_skip_them() {
    let mut owm = memory(OwmConfig::default());
    for number in 0..11 {
        let r = if number < 2 { 0.5 } else { -1.0 };
        observe(&mut owm, &lived(number, 10, r), &[], 10);
    }
    // Beta(3, 9) when ten outcomes were known, .25.
    let done = attend(&mut owm, 11, 100.0);
    assert_eq!(done, [(UpkeepKind::Induction, 1, 0), (UpkeepKind::Planning, 1, 0)]);
    let found = advise(&owm, 12, 0.0);
    assert!(found.veto, "{found:?}");
    assert_eq!(found.why[0].source, VoiceSource::Plan(0));
    assert_eq!(owm.mind().plans()[0].trigger.to_json()["strategy"], "momentum");
    // Thirty days are 720 hours; then the plan is void, and the next loss renews it.
    let later = 10 + 721;
    assert_eq!(attend(&mut owm, later, 100.0), [(UpkeepKind::Planning, 0, 1)]);
    assert!(!advise(&owm, later, 0.0).veto);
    observe(&mut owm, &lived(11, later, -1.0), &[], later);
    assert!(advise(&owm, later, 0.0).veto);
    let census = owm.census();
    // Twelve episodes, a belief and two plans, the second of which says the same again.
    assert_eq!((census.stored, census.restated), (15, 1));
}

#[test]
fn a_deep_drawdown_halves_sizes_until_the_plan_was_acted_on() {
    let mut owm = memory(OwmConfig::default());
    assert_eq!(attend(&mut owm, 1, 84.0), [(UpkeepKind::Planning, 1, 0)]);
    assert_eq!(advise(&owm, 2, 0.10).size_multiplier, 1.0);
    let found = advise(&owm, 2, 0.16);
    assert_eq!((found.size_multiplier, found.veto), (0.5, false));
    observe(&mut owm, &lived(0, 5, -0.7), &found.why, 5);
    let plan = &owm.mind().plans()[0];
    assert_eq!((plan.status, plan.outcome_pnl_r), (PlanStatus::Triggered, Some(-0.7)));
    assert_eq!(advise(&owm, 6, 0.16).size_multiplier, 1.0);
    assert_eq!(attend(&mut owm, 6, 83.0), [(UpkeepKind::Planning, 1, 0)], "its reason persists");
    assert_eq!(advise(&owm, 6, 0.17).size_multiplier, 0.5);
    close(owm.mind().affect().drawdown(), 0.17);
}

#[test]
fn decisions_to_stay_out_are_remembered_as_configured() {
    let abstained = Episode { kind: EpisodeKind::StayedOut, ..lived(0, 10, 3.0) };
    let outcomes =
        [Abstentions::Ignored, Abstentions::Open, Abstentions::Counterfactual].map(|abstentions| {
            let mut owm = memory(OwmConfig { abstentions, ..OwmConfig::default() });
            observe(&mut owm, &abstained, &[], 10);
            let shelves = owm.mind().shelves();
            shelves.first().map(|shelf| shelf.records()[0].pnl_r)
        });
    assert_eq!(outcomes, [None, Some(None), Some(Some(3.0))]);
}

#[test]
fn recall_is_rehearsed_and_accounted_for() {
    let mut owm = memory(OwmConfig::default());
    observe(&mut owm, &lived(0, 10, 1.0), &[], 10);
    let why = advise(&owm, 20, 0.0).why;
    observe(&mut owm, &lived(1, 25, 1.0), &why, 25);
    assert_eq!(owm.mind().shelves()[0].records()[0].retrievals, 1);
    let census = owm.census();
    assert_eq!((census.stored, census.unused), (2, 1));
}

fn drawn(bequests: Vec<Bequest>, from: GolemId) -> Vec<Drawn> {
    bequests.into_iter().zip(0..).map(|(bequest, number)| lethe::drawn(from, number, bequest)).collect()
}

#[test]
fn heirs_remember_the_scars_and_hold_the_beliefs_of_the_dead() {
    let parent = GolemId::founder(0);
    let mut dead = memory(OwmConfig { scars: 2, ..OwmConfig::default() });
    for number in 0..12 {
        let r = if number % 4 == 0 { 1.0 } else { -0.5 - 0.1 * f64::from(number) };
        observe(&mut dead, &lived(number, 10, r), &[], 10);
    }
    let bequests = dead.bequeath();
    let scars: Vec<f64> = bequests
        .iter()
        .filter_map(|bequest| match bequest {
            Bequest::Scar(episode) => Some(episode.realised_r),
            Bequest::Lesson(_) => None,
        })
        .collect();
    assert_eq!(scars.len(), 2);
    close(scars[0], -1.6);
    close(scars[1], -1.5);
    let Bequest::Lesson(lesson) = &bequests[2] else { panic!("a belief is left: {bequests:?}") };
    assert_eq!((lesson.kind, lesson.claim.pattern.regime), (EntryKind::Warning, Some(Regime::TrendingUp)));
    assert!(lesson.claim.expected_r < 0.0 && lesson.confirmed > lesson.contradicted && !lesson.unfinished);

    let mut heir = of_golem(parent.successor(), OwmConfig::default());
    let received = heir.inherit(drawn(bequests.clone(), parent), 110);
    assert_eq!((received.scars, heir.inheritance().len()), (2, 3));
    let found = advise(&heir, 120, 0.0);
    assert!(found.expected_r < 0.2, "{found:?}");
    let bloodstain = |number| Provenance::Bloodstain(BloodstainId { golem: parent, number });
    let said: Vec<Provenance> = found.why.iter().map(|voice| voice.provenance).collect();
    assert_eq!(said.len(), 3);
    assert!((0..3).all(|number| said.contains(&bloodstain(number))), "{said:?}");

    // Without the belief, the expectation is the mean of the prior and the scars.
    let belief =
        found.heard.iter().find(|voice| matches!(voice.source, VoiceSource::Insight(_))).unwrap().source;
    let (sum, weights) = found
        .heard
        .iter()
        .filter(|voice| voice.source != belief)
        .fold((3.0 * 0.2, 3.0), |(sum, weights), voice| {
            (sum + voice.weight * voice.expected_r, weights + voice.weight)
        });
    let unheard = MemoryArchitecture::advise_without(&heir, &context(), &candidate(), &found, belief);
    close(unheard.expected_r, sum / weights);
    assert!(unheard.expected_r > found.expected_r && unheard.size_multiplier == found.size_multiplier);
    heir.account_mut().unwrap().influenced_by(&[belief]);
    observe(&mut heir, &lived(40, 125, -1.0), &found.why, 125);
    let used: Vec<(u32, u32)> = heir.inheritance().iter().map(|i| (i.uses, i.confirmed)).collect();
    assert_eq!(used, [(1, 0), (1, 0), (1, 1)]);
    assert_eq!(heir.census().self_evidence, 1);
    // What is drawn again adds to what is known.
    heir.inherit(drawn(bequests, parent), 130);
    assert_eq!(heir.mind().beliefs().len(), 1);
    assert_eq!(heir.mind().shelves()[0].records().len(), 3);
}

#[test]
fn an_outcome_that_was_spoken_for_by_a_plan_is_the_plans() {
    let mut owm = memory(OwmConfig::default());
    let voice = Voice::new(VoiceSource::Plan(7), Provenance::Own, 1.0, 0.0);
    observe(&mut owm, &lived(0, 10, 1.0), &[voice], 10);
    assert!(owm.mind().plans().is_empty(), "a plan that is gone needs nothing");
}

#[test]
fn a_memory_survives_being_put_down() {
    let mut owm = memory(OwmConfig::default());
    for number in 0..12 {
        observe(&mut owm, &lived(number, 10, -1.0), &[], 10);
    }
    attend(&mut owm, 11, 70.0);
    let bytes = postcard::to_allocvec(&owm).unwrap();
    let back: Owm = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(back, owm);
    let text = serde_json::to_string(&owm).unwrap();
    assert_eq!(serde_json::from_str::<Owm>(&text).unwrap(), owm);
}
