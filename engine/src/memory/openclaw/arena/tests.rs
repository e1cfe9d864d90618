//! The memory of a golem, without a world around it: unit tests of notes, sleep phases, promotion and advice, by trades made by hand.

use super::sleep::circumstances;
use super::*;
use crate::common::openclaw::{HOUR, advise, attend, attend_with, context, memory, trade, well_trodden};
use crate::episode::{EntryKind, VolatilityBand};
use crate::lethe::Bequest;
use crate::llm::LlmConfig;
use crate::market::{Regime, Session};
use crate::memory::{Attended, Bequeaths, Reads, UpkeepKind};
use morta_base::{BloodstainId, Usdc};

#[test]
fn a_search_finds_the_likest_and_of_these_the_newest() {
    let mut memory = memory();
    memory.config.search_results = 2;
    attend_with(&mut memory, 0, false, Usdc::ZERO);
    let (here, there) =
        (context(Session::Asia, Regime::TrendingUp), context(Session::Europe, Regime::TrendingUp));
    for (number, place) in [here, here, here, there].into_iter().enumerate() {
        trade(&mut memory, number as u32, 1 + number as Tick, place, 0.1);
    }
    let found: Vec<VoiceSource> =
        advise(&memory, here, Strategy::Momentum).why.iter().map(|voice| voice.source).collect();
    assert_eq!(found, [VoiceSource::Note(2), VoiceSource::Note(1)]);
}

#[test]
fn deep_sleep_promotes_what_is_well_trodden_and_it_speaks_louder() {
    let mut memory = well_trodden();
    let here = context(Session::Asia, Regime::TrendingUp);
    let weight = |memory: &OpenClaw| {
        let voices = advise(memory, here, Strategy::Momentum).why;
        voices.iter().find(|voice| voice.source == VoiceSource::Note(0)).map(|voice| voice.weight)
    };
    // Notes of the last days are as like and newer.
    memory.config.search_results = 20;
    assert_eq!(weight(&memory), Some(0.5));
    let slept = attend(&mut memory, 24 * 10 + 3);
    let deep = slept.upkeep.iter().find(|done| done.kind == UpkeepKind::Deep).unwrap();
    assert_eq!((deep.seen, deep.promoted, deep.dropped), (1, 1, 0), "{slept:?}");
    assert_eq!(weight(&memory), Some(2.0));
    assert!(memory.long_term().contains("source=memory/1970-01-01.md:3-3]"), "{}", memory.long_term());
    let again = attend(&mut memory, 24 * 11 + 3);
    assert!(again.upkeep.iter().all(|done| done.promoted == 0));
}

/// Sunday at five, REM sleep: the note's tags are in all traces; its outcome is no circumstance, so four beliefs are left.
#[test]
fn themes_become_faint_beliefs() {
    let mut memory = well_trodden();
    let slept = attend(&mut memory, 24 * 10 + 6);
    let rem = slept.upkeep.iter().find(|done| done.kind == UpkeepKind::Rem).unwrap();
    assert_eq!((rem.seen, rem.made), (1, 5));
    assert_eq!(memory.beliefs().len(), 4);
    assert!(memory.beliefs().iter().all(|belief| (belief.mean_r - 0.8).abs() < 1e-12));
    let strange = advise(&memory, context(Session::Europe, Regime::Volatile), Strategy::Breakout);
    let voices: Vec<(VoiceSource, f64)> =
        strange.why.iter().map(|voice| (voice.source, voice.weight)).collect();
    let middling = memory.beliefs().iter().find(|belief| belief.pattern.volatility.is_some()).unwrap();
    assert_eq!(voices, [(VoiceSource::Node(middling.number), 0.5)], "only the volatility is the same");
    let numbers: Vec<u32> = memory.beliefs().iter().map(|belief| belief.number).collect();
    memory.beliefs.clear();
    memory.timetable =
        Some(Timetable::new(&memory.config.dreaming, &memory.zone, memory.clock.instant(24 * 10)));
    attend(&mut memory, 24 * 10 + 7);
    let same: Vec<u32> = memory.beliefs().iter().map(|belief| belief.number).collect();
    assert_eq!(same, numbers, "a theme keeps its number");
}

/// What a model makes of the themes takes the place of their means; without the money nobody is asked, and the means hold.
#[test]
fn a_model_says_what_themes_are_worth() {
    let after = 24 * 10 + 6;
    let asking = || {
        let mut memory = well_trodden();
        memory.config.reflection = config::ReflectionBy::Model;
        memory
    };
    assert_eq!(
        attend(&mut well_trodden(), after).reflects,
        None,
        "by their means, unless a model says otherwise"
    );
    let mut memory = asking();
    let slept = attend(&mut memory, after);
    let (tier, themes) = slept.reflects.expect("it asks");
    assert_eq!((tier, themes.len()), (memory.config.tiers[1], 4));
    assert!(themes.iter().all(|theme| (theme.mean_r - 0.8).abs() < 1e-12 && theme.trades == 1), "{themes:?}");
    let middling = memory.beliefs().iter().position(|belief| belief.pattern.volatility.is_some()).unwrap();
    let expected = |memory: &OpenClaw| {
        advise(memory, context(Session::Europe, Regime::Volatile), Strategy::Breakout).expected_r
    };
    let before = expected(&memory);
    memory.receive_reflections(vec![(middling as u32, -1.0), (99, 5.0)]);
    assert_eq!(memory.beliefs()[middling].worth_r, -1.0);
    assert!(memory.beliefs().iter().filter(|belief| belief.worth_r == -1.0).count() == 1);
    assert!(expected(&memory) < before, "{} {before}", expected(&memory));
    let asleep_for = slept.upkeep.iter().map(|done| done.cost(&LlmConfig::default())).sum::<Usdc>();
    let poor = attend_with(&mut asking(), after, true, asleep_for);
    assert_eq!((poor.upkeep.len(), poor.reflects), (slept.upkeep.len(), None), "nothing is left for it");
}

#[test]
fn phases_wait_until_nothing_is_held_and_are_paid_for() {
    let mut memory = well_trodden();
    let tick = 24 * 10 + 3;
    assert_eq!(attend_with(&mut memory, tick, false, Usdc::from_dollars(1.0)), Attended::default());
    let mut poor = memory.clone();
    let nothing = attend_with(&mut poor, tick + 1, true, Usdc(1));
    assert!(nothing.upkeep.is_empty() && nothing.asleep_ticks == 0, "{nothing:?}");
    memory.config.costs.sleep_seconds = [0.0, HOUR, 0.0];
    let slept = attend(&mut memory, tick + 1);
    let kinds: Vec<UpkeepKind> = slept.upkeep.iter().map(|done| done.kind).collect();
    // The last of the light phases was at midnight, REM's on Sunday the fourth, deep sleep's at three: each runs once.
    assert_eq!(kinds, [UpkeepKind::Rem, UpkeepKind::Light, UpkeepKind::Deep]);
    assert_eq!(slept.asleep_ticks, 3);
    for done in &slept.upkeep {
        let (_, input, output) = done.tokens.unwrap();
        assert_eq!(input, 200 + 20, "{done:?}");
        assert!(output > 5 && done.cost(&LlmConfig::default()) > Usdc::ZERO, "{done:?}");
    }
}

#[test]
fn the_clock_runs_by_its_scale() {
    let mut memory = memory();
    memory.clock = ScaledClock::new(24.0);
    attend_with(&mut memory, 100, false, Usdc::ZERO);
    let at = |memory: &OpenClaw, tick| memory.clock.instant(tick).to_string();
    assert_eq!(at(&memory, 100), "1970-01-05T04:00:00.000Z");
    assert_eq!(at(&memory, 101), "1970-01-06T04:00:00.000Z");
    assert_eq!(memory.clock.ticks(36.0 * HOUR), 2);
    attend_with(&mut memory, 103, false, Usdc::ZERO);
    assert_eq!(at(&memory, 102), "1970-01-07T04:00:00.000Z");
    let faster = OpenClawConfig { time_scale: 48.0, ..memory.config.clone() };
    memory.go_on_by(faster, 103);
    assert_eq!(at(&memory, 103), "1970-01-08T04:00:00.000Z", "what was lived stays as long as it was");
    assert_eq!(at(&memory, 104), "1970-01-10T04:00:00.000Z");
}

#[test]
fn promoted_notes_are_left_as_lessons_and_losses_as_scars() {
    let mut memory = well_trodden();
    memory.config.scars = 2;
    memory.scars.truncate(2);
    attend(&mut memory, 24 * 10 + 3);
    let bequests = memory.bequeath();
    let Bequest::Lesson(lesson) = bequests.last().unwrap() else { panic!("{bequests:?}") };
    assert_eq!((bequests.len(), lesson.kind), (3, EntryKind::Warning));
    // Two trades were made in just these circumstances: +.8 and, on days 0 and 6, −.5.
    assert!((lesson.claim.expected_r - (0.8 - 0.5 - 0.5) / 3.0).abs() < 1e-12, "{lesson:?}");
    assert_eq!((lesson.confirmed, lesson.contradicted, lesson.learned_from.len()), (2, 1, 3));
    assert!(lesson.confidence > 0.85, "{lesson:?}");

    let bloodstain = |bequest, number| crate::lethe::Drawn {
        bloodstain: crate::lethe::Bloodstain {
            id: BloodstainId { golem: GolemId::founder(0), number },
            cause: crate::mortality::Cause::Economic,
            died: 300,
            age: 300,
            vitality: 0.0,
            context: context(Session::Asia, Regime::TrendingUp),
            embedding: Box::default(),
            bequest,
        },
        rank: number,
        score: 0.5,
        terms: crate::lethe::RankTerms::default(),
        merged: 0,
    };
    let drawn = (0..).zip(bequests).map(|(number, bequest)| bloodstain(bequest, number)).collect();
    let mut heir = OpenClaw::new(GolemId::founder(0).successor(), OpenClawConfig::default());
    attend_with(&mut heir, 400, false, Usdc::ZERO);
    let received = heir.inherit(drawn, 401);
    assert_eq!((received.scars, received.candidates, heir.notes().count()), (2, 1, 3));
    let note = heir.notes().get(2).unwrap();
    assert!((note.trust - lesson_trust(&memory)).abs() < 1e-12 && note.origin == GolemId::founder(0));
    assert!(
        heir.notes().text(note.day).unwrap().contains("L0.G0 told: momentum trending_up middling asia: loss")
    );
    let advice = trade(&mut heir, 0, 402, context(Session::Asia, Regime::TrendingUp), 1.0);
    assert!(advice.why.iter().any(|voice| voice.provenance.bloodstain().is_some()));
    let uses: Vec<u32> = heir.inheritance().iter().map(|inherited| inherited.uses).collect();
    assert_eq!(uses, [1, 1, 1], "what is found has spoken");
    assert!(heir.bequeath().is_empty(), "an inherited claim is in the Lethe already");
}

fn lesson_trust(memory: &OpenClaw) -> f64 {
    let bequests = memory.bequeath();
    let lessons = bequests.iter().filter_map(|bequest| match bequest {
        Bequest::Lesson(lesson) => Some(lesson.confidence),
        Bequest::Scar(_) => None,
    });
    0.85 * lessons.fold(0.0, f64::max)
}

#[test]
fn tags_name_circumstances_or_nothing() {
    let tags = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
    let (strategy, pattern) =
        circumstances(&tags(&["range-bound", "mean-reversion", "wild", "europe"])).unwrap();
    assert_eq!(strategy, Some(Strategy::MeanReversion));
    assert_eq!((pattern.regime, pattern.session), (Some(Regime::RangeBound), Some(Session::Europe)));
    assert_eq!(pattern.volatility, Some(VolatilityBand::Wild));
    assert_eq!(circumstances(&tags(&["win"])), None);
    assert_eq!(circumstances(&tags(&["asia", "europe"])), None, "no decision is in both");
}
