//! What a golem does in its sleep: nothing of its own will. Lived by the shipped scenario of nights, for its clade, pheromones, moods that go by
//! the tick, positions that are held in sleep, and calls.

use crate::common::{live, of_kind, planned, scenario_of};
use morta_base::{Digest, GolemId, Tick};
use morta_engine::dream::WakeSource;
use morta_engine::event::{Event, EventKind, ExitReason};
use morta_engine::lethe::PheromoneKind;
use morta_engine::lethe::pheromone::config::LOSS_R;
use morta_engine::world::{Scenario, Snapshot, World};
use std::collections::{BTreeMap, BTreeSet};

/// A night and a day.
fn nights(change: impl FnOnce(&mut Scenario)) -> Scenario {
    let mut scenario = scenario_of(include_str!("../../scenarios/nightly.toml"));
    scenario.ticks = 2_500;
    change(&mut scenario);
    scenario
}

/// The stretch of a dream: from the event in which it begins to the tick in which it ends.
struct Sleep {
    golem: GolemId,
    begins: usize,
    began: Tick,
    ended: Tick,
}

impl Sleep {
    /// What happens to the sleeper between falling asleep and the tick in which it wakes.
    fn events<'a>(&self, events: &'a [Event]) -> impl Iterator<Item = &'a Event> {
        let (golem, ended) = (self.golem, self.ended);
        let until = events.partition_point(|event| event.tick < ended);
        events[self.begins..until.max(self.begins)].iter().filter(move |event| event.golem == Some(golem))
    }

    /// What happens to it in the tick in which it wakes, and in the next: then it hears what waited, at the latest.
    fn waking<'a>(&self, events: &'a [Event]) -> impl Iterator<Item = &'a Event> {
        let (golem, ended) = (self.golem, self.ended);
        events
            .iter()
            .filter(move |event| event.golem == Some(golem) && (ended..=ended + 1).contains(&event.tick))
    }
}

fn sleeps(events: &[Event]) -> Vec<Sleep> {
    let (mut asleep, mut sleeps) = (BTreeMap::new(), Vec::new());
    for (begins, event) in events.iter().enumerate() {
        let Some(golem) = event.golem else { continue };
        match &event.kind {
            EventKind::DreamStarted { .. } => {
                asleep.insert(golem, (begins, event.tick));
            }
            EventKind::DreamCompleted { .. } | EventKind::DreamInterrupted { .. } => {
                let (begins, began) = asleep.remove(&golem).expect("a dream that ends has begun");
                sleeps.push(Sleep { golem, begins, began, ended: event.tick });
            }
            _ => {}
        }
    }
    sleeps
}

/// Nothing is perceived, felt, learned, exchanged, opened or closed but by the venue; and all of it happens in this world to those who are awake.
#[test]
fn a_sleeper_does_nothing_of_its_own_will() {
    let events = live(nights(|s| s.golem.holding.review_ticks = 5));
    let of_own_will = |kind: &EventKind| {
        matches!(
            kind,
            EventKind::MoodUpdate { .. }
                | EventKind::EmotionalShift { .. }
                | EventKind::SomaticMarker { .. }
                | EventKind::PheromoneDeposited(_)
                | EventKind::Received { .. }
                | EventKind::CladeSynced { .. }
                | EventKind::CladeDeath { .. }
                | EventKind::BorneOut { .. }
                | EventKind::Shared { .. }
                | EventKind::Voted(_)
                | EventKind::Curated { .. }
                | EventKind::ClaimStaged { .. }
                | EventKind::StayedOut { .. }
                | EventKind::Decided { .. }
                | EventKind::PositionLeft { .. }
        )
    };
    let sleeps = sleeps(&events);
    assert!(sleeps.len() > 50, "{}", sleeps.len());
    for sleep in &sleeps {
        let done: Vec<_> = sleep.events(&events).filter(|event| of_own_will(&event.kind)).collect();
        assert!(done.is_empty(), "{} slept from {} to {}: {done:?}", sleep.golem, sleep.began, sleep.ended);
    }
    for name in ["mood_update", "pheromone_deposited", "received", "clade_synced", "curated", "stayed_out"] {
        assert!(events.iter().any(|event| event.kind.name() == name), "nobody had a {name}");
    }
}

/// Stops rest with the venue, the end of a holding time doesn't: it waits for the first waking tick. What the venue closes has no feeling yet.
#[test]
fn stops_close_in_sleep_and_horizons_wait() {
    let events = live(nights(|_| ()));
    let (mut by_venue, mut waited) = (0, 0);
    for sleep in sleeps(&events) {
        for event in sleep.events(&events) {
            let EventKind::TradeClosed { episode, exit, asleep, .. } = &event.kind else { continue };
            assert!(asleep, "{event:?}");
            assert_eq!((*exit, episode.arousal), (ExitReason::Stop, 0.0), "tick {}", event.tick);
            by_venue += 1;
        }
        for event in events.iter().filter(|event| event.golem == Some(sleep.golem)) {
            let EventKind::TradeClosed { episode, exit: ExitReason::Horizon, .. } = &event.kind else {
                continue;
            };
            // Ordered in the waking tick or the next, filled a tick later.
            waited += u32::from(
                episode.opened < sleep.began && (sleep.ended + 1..=sleep.ended + 2).contains(&event.tick),
            );
        }
    }
    assert!(by_venue > 10, "{by_venue}");
    assert!(waited > 10, "{waited}");
    assert!(of_kind!(event in events, EventKind::TradeClosed { asleep: false, .. }).count() > by_venue);
}

/// A stop in a golem's sleep moves its mood, and leaves a pheromone for siblings, when the golem wakes.
#[test]
fn a_stop_in_sleep_takes_effect_on_waking() {
    let scenario = nights(|_| ());
    let events = live(scenario);
    let (mut lost, mut warned) = (0, 0);
    for sleep in sleeps(&events) {
        let died = |event: &Event| matches!(event.kind, EventKind::DeathInitiated { .. });
        for event in sleep.events(&events) {
            let EventKind::TradeClosed { episode, .. } = &event.kind else { continue };
            if episode.realised_r > -LOSS_R || sleep.waking(&events).any(died) {
                continue;
            }
            lost += 1;
            warned += u32::from(sleep.waking(&events).any(|event| match &event.kind {
                EventKind::PheromoneDeposited(left) => {
                    left.subject.kind == PheromoneKind::Threat
                        && left.subject.strategy == Some(episode.strategy)
                }
                _ => false,
            }));
        }
    }
    assert!(lost > 3, "{lost}");
    assert_eq!(warned, lost, "each loss leaves a pheromone when its golem wakes");
}

/// Siblings' lessons that arrive in sleep are received on waking. (Their order is tested beside the code: within one letter, lessons are ranked.)
#[test]
fn lessons_that_arrive_in_sleep_wait_for_the_waking() {
    let events = live(nights(|_| ()));
    let mut waited = 0;
    for sleep in sleeps(&events) {
        let slept_through = |event: &&Event| {
            matches!(event.kind, EventKind::Received { offered, .. }
                if offered >= sleep.began && offered + 2 < sleep.ended)
        };
        waited += sleep.waking(&events).filter(slept_through).count();
    }
    assert!(waited > 0);
}

/// A golem that slept through an exchange and wakes when the next one is due has one, and no second a tick later.
#[test]
fn an_exchange_on_waking_makes_up_for_those_slept_through() {
    let every = 5;
    let events = live(nights(|s| s.clade.sync_ticks = every));
    let answers: BTreeSet<(GolemId, Tick)> =
        of_kind!(event in events, EventKind::CladeSynced { .. } => (event.golem?, event.tick)).collect();
    let ends: BTreeSet<(GolemId, Tick)> = of_kind!(event in events,
        EventKind::DreamCompleted { .. } | EventKind::DreamInterrupted { .. } => (event.golem?, event.tick))
    .collect();
    let (mut made_up, mut due) = (0, 0);
    for born in of_kind!(event in events, EventKind::Born { .. }) {
        let of_it = answers.iter().filter(|(golem, _)| Some(*golem) == born.golem);
        // An answer that a golem takes in on waking has waited, so its tick says nothing of the exchange.
        for (golem, tick) in of_it.filter(|answer| !ends.contains(answer)) {
            // The answer comes a tick after the letter.
            let is_due = (tick - 1 - born.tick).is_multiple_of(every);
            assert!(!is_due || !answers.contains(&(*golem, tick + 1)), "{golem} at {tick}");
            (made_up, due) = (made_up + u32::from(!is_due), due + u32::from(is_due));
        }
    }
    assert!(made_up > 10 && due > 10, "{made_up}, {due}");
}

/// Wake interrupts that are disabled are those of siblings too; each that is not says why.
#[test]
fn an_interrupt_says_why_and_can_be_silenced() {
    let interrupts = |events: &[Event]| {
        of_kind!(event in events, EventKind::DreamInterrupted { source, reason, .. } => (*source, reason.unwrap()))
            .collect::<Vec<_>>()
    };
    let woken = interrupts(&live(nights(|_| ())));
    let siblings = woken.iter().filter(|(source, _)| *source == WakeSource::CladeAlert);
    assert!(siblings.count() > 0);
    for (source, reason) in &woken {
        assert_eq!(reason.source(), *source);
    }
    let silenced = interrupts(&live(nights(|s| s.dream.wake_interrupts.enabled = false)));
    assert!(silenced.iter().all(|(source, _)| *source == WakeSource::Death), "{silenced:?}");
}

/// What waits is part of the state: a world that is written down in the middle of its night goes on as if nothing had happened.
#[test]
fn what_waits_is_written_down() {
    let (plan, bars) = planned(nights(|s| s.ticks = 700));
    let (mut whole, mut parts) = (Digest::default(), Digest::default());
    crate::snapshots::live(&mut World::new(plan.clone(), bars.clone()), 700, &mut whole);
    let mut world = World::new(plan.clone(), bars.clone());
    for stop in (200..700).step_by(3) {
        crate::snapshots::live(&mut world, stop, &mut parts);
        let snapshot = Snapshot::read(&world.written_down()).expect("what was written can be read");
        world = World::resume(plan.clone(), bars.clone(), snapshot).expect("the same world");
    }
    crate::snapshots::live(&mut world, 700, &mut parts);
    assert_eq!(parts.hex(), whole.hex());
}
