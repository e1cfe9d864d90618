//! When golems of whole worlds dream, and what it takes from them.

use crate::common::merge::merge;
use crate::common::{self, of_kind};
use morta_base::{GolemId, Usdc};
use morta_engine::dream::schedule::allowance::month_of;
use morta_engine::dream::{DreamOrder, DreamRefusal, DreamScope, DreamTier, DreamTrigger, WakeSource};
use morta_engine::episode::Lesson;
use morta_engine::event::{Event, EventKind};
use morta_engine::lethe::Bequest;
use morta_engine::mortality::Phase;
use morta_engine::world::Scenario;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// 2020-01-01, where synthetic worlds begin, in seconds since 1970.
const START_S: i64 = 1_577_836_800;

/// Two days of five-minute ticks: a window of four hours is 48 ticks.
fn scenario(change: Value) -> Scenario {
    let mut scenario = json!({
        "name": "sleepers", "seed": 11, "ticks": 576,
        "cohorts": [
            { "name": "bardo", "golems": 12, "memory": "bardo" },
            { "name": "none", "golems": 6, "memory": "none" }
        ],
        "market": {
            "tick_seconds": 300,
            "assets": [{ "symbol": "A", "source": { "kind": "synthetic" } }],
            "gas": { "base_usdc": 0.002 }
        },
        "dream": { "enabled": true, "min_episodes": 10, "dream_cycle_interval": 20 }
    });
    merge(&mut scenario, change);
    Scenario::from_value(scenario).expect("a scenario")
}

fn live(change: Value) -> Vec<Event> {
    common::live(scenario(change))
}

fn time_s(tick: u64) -> i64 {
    START_S + 300 * tick as i64
}

/// Whether it is between two and six at night.
fn at_night(tick: u64) -> bool {
    (2 * 3_600..6 * 3_600).contains(&time_s(tick).rem_euclid(86_400))
}

fn orders(events: &[Event]) -> Vec<(u64, GolemId, &DreamOrder)> {
    let started = of_kind!(event in events, EventKind::DreamStarted { order, .. } => (event.tick, event.golem?, &**order));
    started.collect()
}

fn decided(events: &[Event], lineages: std::ops::Range<u32>) -> Vec<u64> {
    let all = of_kind!(event in events, EventKind::Decided { .. } => (event.golem?.lineage, event.tick));
    all.filter(|(lineage, _)| lineages.contains(lineage)).map(|(_, tick)| tick).collect()
}

#[test]
fn golems_that_dream_do_not_trade_in_a_sleep_window() {
    let events = live(json!({}));
    let (sleepers, others) = (decided(&events, 0..12), decided(&events, 12..18));
    assert!(sleepers.iter().any(|tick| !at_night(*tick)));
    assert!(sleepers.iter().all(|tick| !at_night(*tick)), "a window suspends the heartbeat");
    assert!(others.iter().any(|tick| at_night(*tick)), "who doesn't dream doesn't sleep");
    let orders = orders(&events);
    let of_windows: Vec<u64> =
        orders.iter().filter(|(_, _, o)| o.trigger == DreamTrigger::Window).map(|(tick, ..)| *tick).collect();
    assert!(!of_windows.is_empty());
    // Granted in the window, asleep a tick later.
    assert!(of_windows.iter().all(|tick| at_night(*tick - 1)));
    assert!(orders.iter().all(|(_, _, o)| o.tier == DreamTier::Core && o.budget <= Usdc(3_000)));
}

#[test]
fn in_interval_and_autonomous_mode_there_are_no_windows() {
    for mode in ["interval", "autonomous"] {
        let events = live(json!({ "dream": { "schedule": { "mode": mode } } }));
        assert!(decided(&events, 0..12).iter().any(|tick| at_night(*tick)), "{mode}");
    }
}

/// Hardened, poorer than it would like to be: what was granted, and spent or wasted, stays within every cap.
#[test]
fn rich_dreams_fill_a_window_and_stay_within_their_caps() {
    let budget = json!({
        "per_cycle_max": "$0.20", "per_session_max": "$0.30", "monthly_max": "$0.55",
        "max_cycles_per_window": { "thriving": 4, "stable": 4, "conservation": 4, "declining": 4 }
    });
    let events = live(json!({ "dream": { "tier": "hardened", "budget": budget } }));
    let (mut months, mut nights) = (BTreeMap::new(), BTreeMap::new());
    let mut cycles: BTreeMap<(GolemId, i64), u32> = BTreeMap::new();
    let mut under_way = BTreeMap::new();
    for event in &events {
        let Some(golem) = event.golem else { continue };
        match &event.kind {
            EventKind::DreamStarted { order, .. } => {
                assert!(order.budget <= Usdc(200_000), "{order:?}");
                assert!(order.by_phase.total() <= order.budget);
                let asked_s = time_s(event.tick - 1);
                let night = (order.trigger == DreamTrigger::Window).then(|| asked_s.div_euclid(86_400));
                night.iter().for_each(|night| *cycles.entry((golem, *night)).or_default() += 1);
                under_way.insert(golem, (order.budget, month_of(asked_s), night));
            }
            EventKind::DreamCompleted { cost, .. } | EventKind::DreamInterrupted { cost, .. } => {
                let (budget, month, night) = under_way.remove(&golem).unwrap();
                assert!(*cost <= budget, "{golem} spent {cost} of {budget}");
                *months.entry((golem, month)).or_insert(Usdc::ZERO) += *cost;
                if let Some(night) = night {
                    *nights.entry((golem, night)).or_insert(Usdc::ZERO) += *cost;
                }
            }
            _ => {}
        }
    }
    assert!(cycles.values().any(|count| *count > 1), "a window has room for more than one rich cycle");
    assert!(cycles.values().all(|count| *count <= 4));
    assert!(nights.values().all(|spent| *spent <= Usdc(300_000)), "{nights:?}");
    assert!(months.values().all(|spent| *spent <= Usdc(550_000)), "{months:?}");
    assert!(months.values().any(|spent| spent.is_positive()));
}

#[test]
fn the_monthly_cap_ends_dreaming() {
    let budget = json!({ "monthly_max": 0.0015, "core_cycle_max_usdc": 0.012 });
    let change = json!({ "dream": { "schedule": { "mode": "interval" }, "budget": budget } });
    let events = live(change);
    let refused = of_kind!(event in events, EventKind::DreamRefused { reason: DreamRefusal::MonthSpent, .. });
    assert!(refused.count() > 0);
    let mut spent: BTreeMap<GolemId, Usdc> = BTreeMap::new();
    for (golem, cost) in
        of_kind!(event in events, EventKind::DreamCompleted { cost, .. } => (event.golem?, *cost))
    {
        *spent.entry(golem).or_default() += cost;
    }
    assert!(!spent.is_empty() && spent.values().all(|spent| *spent <= Usdc(1_500)), "{spent:?}");
}

#[test]
fn urgency_sends_golems_to_sleep() {
    let schedule = json!({ "mode": "autonomous", "autonomous_threshold": 0.7 });
    let events = live(json!({ "dream": { "schedule": schedule } }));
    let orders = orders(&events);
    assert!(!orders.is_empty());
    for (tick, golem, order) in &orders {
        assert!(order.trigger.is_urgency(), "{golem} at {tick}: {:?}", order.trigger);
        // A threshold of .7, less .2 when uncertain or neither thriving nor stable.
        assert!(order.urgency >= 0.5 - 1e-9, "{golem} at {tick}: {}", order.urgency);
        assert!((order.terms.score() - order.urgency).abs() < 1e-12);
    }
    // A dream at the earliest every dream_cycle_interval (or half of it, when money is short).
    let mut last: BTreeMap<GolemId, u64> = BTreeMap::new();
    for (tick, golem, _) in orders {
        let before = last.insert(golem, tick);
        assert!(before.is_none_or(|before| tick - before >= 10), "{golem}: {before:?}, {tick}");
    }
}

/// Ten ticks after a refusal at the earliest, however short the interval.
#[test]
fn a_golem_that_was_refused_waits_before_it_asks_again() {
    let schedule = json!({ "mode": "autonomous", "autonomous_threshold": 0.3, "max_concurrent": 1 });
    let events = live(json!({ "dream": { "dream_cycle_interval": 1, "schedule": schedule } }));
    let mut refused: BTreeMap<GolemId, Vec<u64>> = BTreeMap::new();
    for event in
        of_kind!(event in events, EventKind::DreamRefused { reason: DreamRefusal::TooManyDreaming, .. })
    {
        refused.entry(event.golem.unwrap()).or_default().push(event.tick);
    }
    let gaps: Vec<u64> = refused.values().flat_map(|at| at.windows(2).map(|two| two[1] - two[0])).collect();
    assert!(!gaps.is_empty() && gaps.iter().all(|gap| *gap > 10), "{gaps:?}");
}

#[test]
fn the_owner_is_obeyed_in_every_mode() {
    for mode in ["interval", "owner", "autonomous", "hybrid"] {
        let dream = json!({
            "dream_cycle_interval": 100_000, "min_episodes": 1,
            "schedule": { "mode": mode, "autonomous_threshold": 1.0, "uncertain_discount": 0.0, "stable_discount": 0.0,
                "position_is_pending": false },
            "windows": { "windows": [] },
            "directives": [{ "tick": 300, "cohort": "bardo", "lineage": 3 }, { "tick": 400, "cohort": "bardo" }]
        });
        let events = live(json!({ "dream": dream }));
        let orders = orders(&events);
        let of = |golem: u32, from: u64, to: u64| {
            let directives = orders.iter().filter(|(tick, whose, order)| {
                whose.lineage == golem
                    && (from..to).contains(tick)
                    && order.trigger == DreamTrigger::Directive
            });
            directives.count()
        };
        assert!(of(3, 300, 312) == 1, "{mode}: {orders:?}");
        assert_eq!(of(4, 300, 400), 0, "{mode}");
        assert!((0..12).filter(|golem| of(*golem, 400, 412) == 1).count() > 6, "{mode}");
        assert!(
            orders
                .iter()
                .all(|(_, _, order)| order.urgency > 0.0 && order.trigger == DreamTrigger::Directive)
        );
    }
}

/// Money runs out: on entering its terminal phase a golem dreams once more, and what it finds goes into its testament.
#[test]
fn the_terminal_dream_once_more_before_they_die() {
    let change = json!({
        "ticks": 1_500,
        "golem": { "compute_usdc_per_tick": 0.05, "purse": { "trading_share": 0.2 } },
        "dream": { "min_episodes": 5, "schedule": { "mode": "owner" }, "windows": { "windows": [] },
            "budget": { "core_cycle_max_usdc": 0.01, "min_llm_share": 0.01 } },
        "lethe": { "deposit_usdc": 0.0 }
    });
    let events = live(change);
    let emergencies: Vec<_> = orders(&events);
    assert!(!emergencies.is_empty(), "nobody dreamt before dying");
    for (_, golem, order) in &emergencies {
        assert_eq!((order.trigger, order.scope), (DreamTrigger::Emergency, DreamScope::Emergency));
        assert_eq!((order.behavioural_phase, order.urgency), (Phase::Terminal, 1.0));
        // Compressed: one batch.
        let mut own = of_kind!(event in events, EventKind::DreamStarted { replayed, .. } if event.golem == Some(*golem) => replayed.len());
        assert!(own.next().unwrap() <= order.batch_size as usize);
    }
    // An owner without windows or directives: whatever lessons there are come from emergency dreams.
    let has_dreamt = |event: &Event| emergencies.iter().any(|(_, golem, _)| Some(*golem) == event.golem);
    let last_words = of_kind!(event in events, EventKind::BloodstainLeft(left)
        if has_dreamt(event) && matches!(left.bequest, Bequest::Lesson(Lesson { unfinished: true, .. })));
    assert!(last_words.count() > 0, "what an emergency dream finds goes into the testament");
}

#[test]
fn alarms_and_calls_wake_dreamers_and_waste_their_budget() {
    let dream = json!({
        "schedule": { "mode": "interval" },
        "wake_interrupts": { "market_thresholds": [{ "asset": "A", "change_percent": 0.3, "window": "10m" }] }
    });
    let llm = json!({ "t0": {
        "input_usdc_per_mtok": 0.25, "output_usdc_per_mtok": 1.25, "latency_ticks": 6, "reading_noise_r": 0.3,
        "hallucination_rate": 0.1, "depth": 1, "max_patterns": 3
    } });
    let events = live(json!({ "dream": dream, "llm": llm }));
    let budgets: Vec<Usdc> = of_kind!(event in events,
        EventKind::DreamInterrupted { source: WakeSource::MarketThreshold, wasted, cost, .. } => *wasted + *cost)
    .collect();
    assert!(!budgets.is_empty() && budgets.iter().all(|budget| *budget == Usdc(3_000)), "{budgets:?}");

    let calls: Vec<Value> =
        (100..500).step_by(7).map(|tick| json!({ "tick": tick, "source": "clade" })).collect();
    let dream = json!({ "schedule": { "mode": "interval" }, "interrupts": calls });
    let events = live(json!({ "dream": dream, "llm": llm }));
    let called =
        || of_kind!(event in events, EventKind::DreamInterrupted { source: WakeSource::CladeAlert, .. });
    assert!(called().count() > 0);
    assert!(called().all(|event| event.tick % 7 == 2), "100 leaves 2");
}

/// The journal of a dream that its dreamer doesn't survive is kept.
#[test]
fn death_in_sleep_keeps_the_journal() {
    let llm = json!({ "t0": {
        "input_usdc_per_mtok": 0.25, "output_usdc_per_mtok": 1.25, "latency_ticks": 8, "reading_noise_r": 0.3,
        "hallucination_rate": 0.1, "depth": 1, "max_patterns": 3
    } });
    let change = json!({
        // Without the stochastic clock, because a sudden death leaves only the last snapshot.
        "ticks": 2_000, "mortality": { "stochastic_clock": false }, "llm": llm,
        "golem": { "compute_usdc_per_tick": 0.2 },
        "dream": { "schedule": { "mode": "interval" }, "min_episodes": 3, "max_batches": 5,
            "budget": { "core_cycle_max_usdc": 0.05 } },
        "lethe": { "deposit_usdc": 0.0 }
    });
    let events = live(change);
    let mut kept = 0;
    for event in &events {
        let EventKind::DreamInterrupted { id, source: WakeSource::Death, findings, .. } = &event.kind else {
            continue;
        };
        let replayed = of_kind!(event in events, EventKind::DreamReplayed { id: of, .. } if of == id);
        assert!(replayed.count() > 0, "what {id} did with its episodes is lost");
        let left =
            of_kind!(later in events, EventKind::BloodstainLeft(left) if later.golem == event.golem => left);
        let lessons: Vec<_> = left
            .filter_map(|bloodstain| match &bloodstain.bequest {
                Bequest::Lesson(Lesson { claim, .. }) => Some(claim),
                Bequest::Scar(_) => None,
            })
            .collect();
        for finding in findings {
            let is_left = lessons.iter().any(|claim| claim.same_subject(&finding.pattern.claim));
            assert!(
                is_left || lessons.len() >= 10,
                "{:?} of {:?} is lost",
                finding.pattern.claim,
                event.golem
            );
            kept += 1;
        }
    }
    assert!(kept > 0, "nobody died with something found");
}

#[test]
fn a_scenario_that_can_not_be_names_its_keys() {
    let dream = json!({
        "windows": { "windows": [{ "start": "02:00", "end": "06:00", "timezone": "Europe/Zurich" }] },
        "wake_interrupts": { "market_thresholds": [{ "asset": "B", "change_percent": 10, "window": "5m" }] },
        "directives": [{ "tick": 1, "cohort": "nobody" }],
        "interrupts": [{ "tick": 1, "source": "owner", "lineage": 18 }],
        "phases": { "nrem_allocation": 0.9 },
        "clocks": { "consolidate_below_hours": 100.0 }
    });
    let scenario = scenario(json!({ "dream": dream }));
    let keys: Vec<String> = scenario.check().into_iter().map(|problem| problem.key).collect();
    for key in [
        "dream.windows.windows.0.timezone",
        "dream.wake_interrupts.market_thresholds.0.asset",
        "dream.directives.0.cohort",
        "dream.interrupts.0.lineage",
        "dream.phases.nrem_allocation",
        "dream.clocks.press_below_hours",
    ] {
        assert!(keys.iter().any(|found| found == key), "{key} is missing from {keys:?}");
    }
    assert!(
        serde_json::from_value::<Scenario>(json!({ "dream": { "budget": { "monthly_max": "many" } } }))
            .is_err()
    );
}

/// What the clocks say is in the log: 200 ticks of money at five minutes each are 17 hours: only consolidation.
#[test]
fn when_money_is_short_a_dream_only_consolidates() {
    let change = json!({
        "golem": { "compute_usdc_per_tick": 0.25 },
        "dream": { "schedule": { "mode": "interval" }, "min_episodes": 3 }
    });
    let events = live(change);
    let orders = orders(&events);
    assert!(!orders.is_empty());
    let mut lean = 0;
    for event in &events {
        if let EventKind::DreamStarted { order, replayed, .. } = &event.kind {
            // Below 24 hours the economic urgency is above (72 − 24) / 66 = .727.
            if order.scope == DreamScope::Emergency {
                continue;
            }
            let short = order.clocks.economic > 48.0 / 66.0;
            assert_eq!(order.scope == DreamScope::ConsolidationOnly, short, "{order:?}");
            assert!(order.scope != DreamScope::ConsolidationOnly || replayed.is_empty());
            lean += u32::from(order.scope == DreamScope::ConsolidationOnly);
            assert!(order.dream_intensity >= 1.0 + 0.5 * order.clocks.economic - 1e-12);
        }
    }
    assert!(lean > 0);
}

#[test]
fn micro_consolidations_write_events() {
    let events = live(json!({ "dream": { "micro": { "episodes": 3 } } }));
    assert!(of_kind!(event in events, EventKind::MicroConsolidated { .. }).count() > 0);
}

/// How long each dream took that was dreamt to its end, how many questions were asked, and whether it was cut short.
fn lengths(events: &[Event]) -> Vec<(u64, u32, bool)> {
    of_kind!(event in events, EventKind::DreamCompleted { began, inference_calls, cut_short, .. } => {
        (event.tick - began, *inference_calls, *cut_short)
    })
    .collect()
}

/// Thirty to sixty ticks when thriving, and no less than ten in any phase but decline; without a pace, as long as the questions take.
#[test]
fn a_paced_dream_takes_the_time_of_its_phase() {
    let rich = |change: Value| {
        let mut all = json!({
            "dream": { "tier": "hardened", "schedule": { "mode": "interval" }, "wake_interrupts": { "enabled": false } }
        });
        merge(&mut all, change);
        live(all)
    };
    let quick = lengths(&rich(json!({})));
    let paced_events = rich(json!({ "dream": { "pace": { "keep": true } } }));
    let paced = lengths(&paced_events);
    assert!(quick.len() > paced.len() && paced.len() > 20, "{} and {}", quick.len(), paced.len());
    assert!(quick.iter().all(|(ticks, ..)| *ticks < 20), "{quick:?}");
    assert!(paced.iter().all(|(ticks, ..)| (5..=61).contains(ticks)), "{paced:?}");
    for event in &paced_events {
        let EventKind::DreamCompleted { id, began, .. } = event.kind else { continue };
        let mut ordered = of_kind!(event in paced_events, EventKind::DreamStarted { id: known, order, .. } if *known == id => order);
        let order = ordered.next().expect("it was begun");
        let range = match (order.scope, order.behavioural_phase) {
            (DreamScope::Full, Phase::Thriving) => 30..=61,
            (DreamScope::Full, Phase::Stable) => 20..=41,
            (DreamScope::Full, Phase::Conservation) => 10..=21,
            _ => 0..=11,
        };
        let ticks = event.tick - began;
        assert!(range.contains(&ticks), "{id}: {ticks} of {:?}", order.behavioural_phase);
    }
    assert!(paced.iter().any(|(ticks, ..)| *ticks >= 30), "{paced:?}");
    let few = lengths(&rich(json!({ "dream": { "pace": { "max_turns": 6 } } })));
    assert!(few.iter().all(|(_, calls, _)| *calls <= 6) && few.iter().any(|(_, calls, _)| *calls == 6));
    assert!(quick.iter().any(|(_, calls, _)| *calls > 6));
}

/// A model that takes twelve ticks to answer is not waited for when a dream's time is up after five; what it says then is paid for.
#[test]
fn a_dream_whose_time_is_up_does_not_wait() {
    let events = live(json!({
        "llm": { "t0": { "latency_ticks": 12 } },
        "dream": { "schedule": { "mode": "interval" }, "pace": { "timeout_ticks": 5 } }
    }));
    let dreams = lengths(&events);
    assert!(dreams.len() > 10);
    assert!(dreams.iter().all(|(ticks, calls, cut)| *ticks == 6 && *calls == 0 && *cut), "{dreams:?}");
    assert!(of_kind!(event in events, EventKind::InferenceCharged { .. }).count() > 10);
}
