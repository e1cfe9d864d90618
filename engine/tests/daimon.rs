//! Affect in whole worlds: what it changes, and what it must not.

mod affect;
mod appraisal;
mod behaviour;
mod config;
mod contagion;
mod grief;
mod helplessness;
mod label;
mod mood;
mod mortality_affect;
mod pad;
mod personality;
mod rumination;
mod somatic;
mod summary;
mod tag;
mod tick_appraisal;
mod trigger;

use crate::common::{learnable_by, live, of_kind};
use morta_base::{GolemId, Usdc, WorldSeed};
use morta_engine::daimon::{AffectMode, BehaviourConfig, MoodCause, Pad};
use morta_engine::dream::schedule::ScheduleMode;
use morta_engine::event::{Event, EventKind};
use morta_engine::golem::{Birth, Moment, Outbox};
use morta_engine::market::MarketState;
use morta_engine::memory::VoiceSource;
use morta_engine::mortality::narrative::NarrativeArc;
use morta_engine::world::scenario::PopulationPolicy;
use morta_engine::world::{MarketService, Plan, Scenario};
use std::collections::BTreeSet;

fn scenario(cohort: &str, change: impl FnOnce(&mut Scenario)) -> Scenario {
    let mut scenario = learnable_by(cohort, 6, 1_000);
    scenario.dream.dream_cycle_interval = 60;
    scenario.population.policy = PopulationPolicy::Fixed;
    scenario.mortality.hazard_scale = 1_000.0;
    change(&mut scenario);
    scenario
}

fn without_couplings() -> BehaviourConfig {
    BehaviourConfig {
        exploration: false,
        risk: false,
        probing: false,
        sharing: false,
        helplessness: false,
        gut: false,
        grief: false,
        action_score: false,
        ..BehaviourConfig::default()
    }
}

/// Takes out of a log what is affect and nothing else.
fn without_affect(events: Vec<Event>) -> Vec<Event> {
    events
        .into_iter()
        .filter_map(|mut event| {
            match &mut event.kind {
                EventKind::MoodUpdate { .. }
                | EventKind::EmotionalShift { .. }
                | EventKind::SomaticMarker { .. }
                | EventKind::Appraised { .. } => return None,
                EventKind::TradeClosed { episode, .. } => episode.arousal = 0.0,
                // A testament tells what was felt, and so does the arc of a life.
                EventKind::TestamentWritten(_) => return None,
                EventKind::LifeEnded(life) => (life.affect, life.arc) = (None, NarrativeArc::Stable),
                _ => {}
            }
            Some(event)
        })
        .collect()
}

/// Feeling draws from no one's luck: with every coupling to behaviour cut, golems without memory live the very same lives
/// with and without it.
#[test]
fn without_couplings_feeling_changes_nothing() {
    let feeling = live(scenario("none", |s| s.daimon.behaviour = without_couplings()));
    let numb = live(scenario("none", |s| s.daimon.enabled = false));
    assert!(feeling.iter().any(|event| matches!(event.kind, EventKind::MoodUpdate { .. })), "they felt");
    assert!(feeling.iter().any(|event| matches!(event.kind, EventKind::Born { parent: Some(_), .. })));
    let same = |a: &[Event], b: &[Event]| {
        a.iter().zip(b).find(|(a, b)| a != b).map(|(a, b)| format!("{a:?}\n{b:?}"))
    };
    let felt_nothing = |event: &Event| match &event.kind {
        EventKind::MoodUpdate { .. } | EventKind::EmotionalShift { .. } | EventKind::SomaticMarker { .. } => {
            false
        }
        EventKind::LifeEnded(life) => life.affect.is_none(),
        EventKind::TradeClosed { episode, .. } => episode.arousal == 0.0,
        _ => true,
    };
    assert!(numb.iter().all(felt_nothing), "the numb have no affect");
    let (left, right) = (without_affect(feeling), without_affect(numb.clone()));
    assert_eq!(same(&left, &right), None);
    assert_eq!(left.len(), right.len());
    let off = live(scenario("none", |s| s.daimon.mode = AffectMode::Off));
    assert_eq!(off, numb, "two ways to say the same");
}

/// With the couplings, lives differ from the first decisions on; births and the market don't.
#[test]
fn feeling_changes_decisions_and_not_the_world() {
    let worlds = [true, false].map(|enabled| {
        live(scenario("none", |s| {
            s.daimon.enabled = enabled;
            s.population.policy = PopulationPolicy::Immortal;
        }))
    });
    let market = |events: &[Event]| -> Vec<_> {
        of_kind!(event in events, EventKind::TickClosed(tick) => (tick.price, tick.gas, tick.true_regime))
            .collect()
    };
    let births = |events: &[Event]| -> Vec<Event> {
        of_kind!(event in events, EventKind::Born { .. }).cloned().collect()
    };
    assert_eq!(market(&worlds[0]), market(&worlds[1]));
    assert_eq!(births(&worlds[0]), births(&worlds[1]));
    let decisions = |events: &[Event]| -> Vec<Event> {
        of_kind!(event in events, EventKind::Decided { .. }).cloned().collect()
    };
    assert_ne!(decisions(&worlds[0]), decisions(&worlds[1]));
    let [feeling, _] = worlds;
    let guts = |event: &Event| matches!(&event.kind, EventKind::Decided { why, .. } if why.iter().any(|voice| voice.source == VoiceSource::Gut));
    assert!(feeling.iter().any(guts), "nobody listened to its gut");
}

type Change<'a> = &'a dyn Fn(&mut Scenario);

/// Each coupling by itself, and each way to make moods, does something.
#[test]
fn every_switch_is_connected() {
    let with = |change: Change<'_>| {
        without_affect(live(scenario("bardo", |s| {
            s.ticks = 1_200;
            // Stakes that the largest share doesn't cap, or caution would change none.
            s.golem.max_position_share = 1.0;
            s.daimon.behaviour = without_couplings();
            change(s);
        })))
    };
    let base = with(&|_| ());
    let changes: [(&str, Change<'_>); 9] = [
        ("exploration", &|s| s.daimon.behaviour.exploration = true),
        ("risk", &|s| s.daimon.behaviour.risk = true),
        ("probing", &|s| {
            s.daimon.behaviour.probing = true;
            s.daimon.personality.pleasure = -0.5;
            s.daimon.personality.arousal = 0.5;
        }),
        ("gut", &|s| s.daimon.behaviour.gut = true),
        ("grief", &|s| s.daimon.behaviour.grief = true),
        ("action_score", &|s| s.daimon.behaviour.action_score = true),
        ("residual", &|s| {
            s.daimon.behaviour.exploration = true;
            s.daimon.mode = AffectMode::Residual;
        }),
        ("tick", &|s| {
            s.daimon.behaviour.exploration = true;
            s.daimon.mode = AffectMode::Tick;
        }),
        ("off", &|s| s.daimon.mode = AffectMode::Off),
    ];
    let mut different = vec![base];
    for (name, change) in changes {
        let changed = with(change);
        assert!(different.iter().all(|other| *other != changed), "{name} changes nothing");
        different.push(changed);
    }
}

/// What is strongly felt waits for the model's word and moves the mood by it; a model without noise says what the rule table says. What it
/// can't be asked for want of money is felt by the table at once.
#[test]
fn a_model_appraises_what_is_strong() {
    let felt = |change: Change<'_>| -> Vec<(Pad, Pad, f64, bool)> {
        let events = live(scenario("none", |s| {
            s.daimon.mode = AffectMode::Chain;
            change(s);
        }));
        assert!(events.iter().any(|event| matches!(event.kind, EventKind::MoodUpdate { .. })), "they feel");
        of_kind!(event in events, EventKind::Appraised { pad, by_rule, intensity, by_model, .. } => {
            (*pad, *by_rule, *intensity, *by_model)
        })
        .collect()
    };
    let noisy = felt(&|_| ());
    assert!(noisy.len() > 50, "{}", noisy.len());
    assert!(noisy.iter().all(|(.., by_model)| *by_model), "the simulated model is always understood");
    let off = |appraisals: &[(Pad, Pad, f64, bool)]| {
        appraisals.iter().map(|(pad, rule, ..)| pad.distance(*rule)).fold(0.0, f64::max)
    };
    assert!(off(&noisy) > 0.01, "T0 reads with noise");
    let exact = felt(&|s| {
        s.llm.t0.reading_noise_r = Some(0.0);
        s.llm.t0.hallucination_rate = Some(0.0);
    });
    assert!(exact.len() > 50 && off(&exact) == 0.0, "{} {}", exact.len(), off(&exact));
    assert!(felt(&|s| s.daimon.chain.magnitude = 1.0).is_empty(), "nothing is felt so strongly");
    let refused = felt(&|s| s.llm.budget_usdc = Some(0.0));
    assert!(refused.len() > 50 && off(&refused) == 0.0, "the rule table speaks");
    assert!(refused.iter().all(|(.., by_model)| !by_model));
}

/// A golem without control for two hundred ticks presses harder for a dream; golems of a gentle temperament never get there.
#[test]
fn helplessness_presses_for_a_dream() {
    let requests = |dominance: f64, helplessness: bool| {
        let change = |s: &mut Scenario| {
            s.dream.schedule.mode = ScheduleMode::Hybrid;
            s.golem.diversity = 0.0;
            s.daimon.personality.dominance = dominance;
            s.daimon.behaviour = BehaviourConfig { helplessness, ..without_couplings() };
            s.daimon.behaviour.helplessness_load = 1.0;
            s.population.policy = PopulationPolicy::Immortal;
        };
        let events = live(scenario("bardo", change));
        of_kind!(event in events, EventKind::DreamStarted { order, .. } => order.terms.emotional)
            .fold(0.0, f64::max)
    };
    assert!(requests(-0.9, true) > requests(-0.9, false));
    assert_eq!(requests(0.5, true), requests(0.5, false));
}

/// A mood is reported once it has moved far enough, a shift at most once in ten ticks; the shares in a life sum to one.
#[test]
fn mood_events_are_rare_and_lives_sum_them_up() {
    let events = live(scenario("bardo", |_| ()));
    let mut causes = BTreeSet::new();
    let (mut updates, mut shifts, mut golem_ticks) = (0_u64, 0_u64, 0_u64);
    for event in &events {
        match &event.kind {
            EventKind::MoodUpdate { cause, .. } => {
                updates += 1;
                causes.insert(*cause);
            }
            EventKind::EmotionalShift { from, to, .. } => {
                assert_ne!(from, to);
                shifts += 1;
            }
            EventKind::TickClosed(tick) => golem_ticks += u64::from(tick.alive),
            EventKind::LifeEnded(life) => {
                let affect = life.affect.as_ref().expect("everybody felt something");
                assert!((affect.share_by_mood.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                assert!(affect.mean_pleasure.abs() <= 1.0 && affect.mean_arousal.abs() <= 1.0);
            }
            _ => {}
        }
    }
    assert!(updates > 10 && shifts > 10, "{updates} updates, {shifts} shifts");
    assert!(
        10 * shifts <= golem_ticks && 10 * updates <= golem_ticks,
        "{updates}, {shifts} in {golem_ticks}"
    );
    for cause in [MoodCause::RegimeShifted, MoodCause::Grief, MoodCause::MortalityReminder] {
        assert!(causes.contains(&cause), "{cause:?} moved nobody: {causes:?}");
    }
}

/// The panic of its siblings moves a golem that feels, and no other; it doesn't become a mood of its own.
#[test]
fn moods_are_catching() {
    for enabled in [true, false] {
        let scenario = scenario("none", |s| {
            s.daimon.enabled = enabled;
            s.golem.diversity = 0.0;
        });
        let market = MarketState::new(&scenario.market, WorldSeed(1), vec![Vec::new()]).unwrap();
        let (_, now) = MarketService::open(market);
        let plan = Plan::new(scenario, &[Vec::new()]).unwrap();
        let birth = Birth {
            id: GolemId::founder(0),
            cohort: 0,
            parent: None,
            born: 0,
            endowment: Usdc::from_dollars(50.0),
            legacy: None,
        };
        let mut out = Outbox::default();
        let mut golem = plan.born(birth, &mut out);
        let moment = Moment {
            tick: 0,
            seed: plan.seed(),
            view: &now.view,
            observed: now.observed,
            true_regimes: &now.true_regimes,
            law: now.law,
            rules: plan.rules(0),
            pheromones: &Default::default(),
        };
        golem.catch_moods(&[Pad::new(-1.0, 1.0, -1.0), Pad::new(-1.0, 0.6, 1.0)], &moment);
        golem.step(&moment, Vec::new(), &mut out);
        let caught: Vec<Pad> =
            of_kind!(event in out.events, EventKind::MoodUpdate { pad, cause: MoodCause::Contagion, .. } => *pad)
                .collect();
        assert_eq!(caught.len(), usize::from(enabled));
        assert!(caught.iter().all(|pad| pad.distance(Pad::new(-0.3, 0.24, 0.0)) < 1e-3), "{caught:?}");
        assert_eq!(golem.mood_to_share(), Pad::default());
    }
}
