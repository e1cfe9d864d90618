//! What the epistemic clock measures: forecasts of memories are worth something where there is something to know, and nothing where there
//! isn't.

use crate::common::{live, of_kind, scenario_of};
use morta_engine::event::{Event, EventKind};
use morta_engine::mortality::Clock;
use morta_engine::mortality::fitness::FitnessForm;
use morta_engine::mortality::skill::ForecastTally;
use morta_engine::world::Scenario;
use morta_stats::t_test::paired_t;

const LEARNABLE: &str = include_str!("../../scenarios/controls/learnable-v1.toml");
const MARTINGALE: &str = include_str!("../../scenarios/controls/martingale.toml");

/// Cohorts of one world, one for each memory.
fn scenario(text: &str, memories: &[&str], ticks: u64, seed: u64) -> Scenario {
    let mut scenario = scenario_of(text);
    let cohort = scenario.cohorts[0].clone();
    scenario.cohorts = memories
        .iter()
        .map(|memory| {
            let mut cohort = cohort.clone();
            (cohort.name, cohort.memory) = ((*memory).to_owned(), (*memory).into());
            cohort.golems = 6;
            cohort
        })
        .collect();
    (scenario.ticks, scenario.seed) = (ticks, seed);
    scenario.mortality.epistemic.fitness_form = FitnessForm::Skill;
    scenario
}

/// Skill of each cohort's forecasts over one world, errors of its golems added up; and the mean fitness of its golems at the end.
fn skills(scenario: Scenario) -> (Vec<f64>, Vec<f64>) {
    let cohorts = scenario.cohorts.len();
    let golems = f64::from(scenario.cohorts[0].golems);
    let (mut tallies, mut fitness) = (vec![ForecastTally::default(); cohorts], vec![0.0; cohorts]);
    for event in live(scenario) {
        if let EventKind::LifeEnded(life) = event.kind {
            tallies[usize::from(life.cohort)] += life.forecasts;
            fitness[usize::from(life.cohort)] += life.fitness / golems;
        }
    }
    (tallies.iter().map(|tally| tally.skill().expect("forecasts came due")).collect(), fitness)
}

/// Skills by world, of the cohorts in their order.
fn in_worlds(
    text: &str,
    memories: &[&str],
    ticks: u64,
    seeds: std::ops::RangeInclusive<u64>,
) -> Vec<Vec<f64>> {
    seeds.map(|seed| skills(scenario(text, memories, ticks, seed)).0).collect()
}

fn differences(worlds: &[Vec<f64>], treated: usize, control: usize) -> Vec<f64> {
    worlds.iter().map(|skills| skills[treated] - skills[control]).collect()
}

/// Paired by world, both differences above 0 with their whole 95 % intervals. Settings were chosen on seeds 1 to 8.
#[test]
fn in_a_learnable_world_the_oracle_has_more_skill_than_bardo_and_bardo_more_than_no_memory() {
    let worlds = in_worlds(LEARNABLE, &["none", "bardo", "oracle"], 4_000, 10_001..=10_010);
    for (what, treated, control) in [("oracle over bardo", 2, 1), ("bardo over none", 1, 0)] {
        let found = paired_t(&differences(&worlds, treated, control), 0.95).expect("ten worlds");
        assert!(found.interval.low > 0.0, "{what}: {found:?} of {worlds:?}");
    }
    let oracle: Vec<f64> = worlds.iter().map(|skills| skills[2]).collect();
    let oracle = paired_t(&oracle, 0.95).expect("ten worlds");
    assert!(oracle.interval.low > 0.05, "the oracle has no skill: {oracle:?}");
}

/// In a martingale no memory's interval is above 0, not even the oracle's. None is far below 0 either, or the test would pass by imprecision.
#[test]
fn in_a_martingale_no_memory_has_skill() {
    let memories = [
        "none", "window", "rag", "bardo", "owm", "dark-pawns", "openclaw", "bardo+owm", "oracle-as-read",
        "oracle",
    ];
    let worlds = in_worlds(MARTINGALE, &memories, 3_000, 10_001..=10_008);
    for (index, memory) in memories.into_iter().enumerate() {
        let skills: Vec<f64> = worlds.iter().map(|skills| skills[index]).collect();
        let found = paired_t(&skills, 0.95).expect("eight worlds");
        assert!(found.interval.low <= 0.0, "{memory} foresees a martingale: {found:?} of {skills:?}");
        assert!(found.difference > -0.02, "{memory}: {found:?} of {skills:?}");
    }
}

/// By the spec's accuracy the martingale gives the highest fitness, and all memories the same. By skill neither holds.
#[test]
fn fitness_distinguishes_memories_by_skill_and_not_by_accuracy() {
    let fitness = |text, form| {
        let mut scenario = scenario(text, &["none", "oracle"], 2_000, 3);
        scenario.mortality.epistemic.fitness_form = form;
        skills(scenario).1
    };
    let by_accuracy = fitness(LEARNABLE, FitnessForm::Accuracy);
    assert!((by_accuracy[0] - by_accuracy[1]).abs() < 0.02, "{by_accuracy:?}");
    assert!(fitness(MARTINGALE, FitnessForm::Accuracy)[0] > by_accuracy[0]);
    let by_skill = fitness(LEARNABLE, FitnessForm::Skill);
    assert!(by_skill[1] > by_skill[0] + 0.1, "{by_skill:?}");
    assert!(fitness(MARTINGALE, FitnessForm::Skill)[1] < by_skill[1]);
}

/// The shipped world of epistemic deaths: of the deaths in four worlds 15 to 25 % are epistemic, most of them of golems without a memory and hardly
/// any of the oracle's. Settings were chosen on seeds 1 to 6.
#[test]
fn in_the_obsolete_world_golems_die_of_outdated_knowledge() {
    let text = include_str!("../../scenarios/obsolete.toml");
    let [mut deaths, mut epistemic] = [[0.0_f64; 4]; 2];
    for seed in 10_101..=10_104 {
        let mut scenario = scenario_of(text);
        scenario.seed = seed;
        let events = live(scenario);
        for (life, cause) in of_kind!(event in events, EventKind::LifeEnded(life) => (life, life.cause?)) {
            deaths[usize::from(life.cohort)] += 1.0;
            epistemic[usize::from(life.cohort)] +=
                f64::from(u8::from(cause.clock() == Some(Clock::Epistemic)));
        }
    }
    let share = epistemic.iter().sum::<f64>() / deaths.iter().sum::<f64>();
    assert!((0.15..=0.25).contains(&share), "{share}: {epistemic:?} of {deaths:?}");
    let [none, bardo, _, oracle] = [0, 1, 2, 3].map(|cohort| epistemic[cohort] / deaths[cohort]);
    assert!(none > bardo && bardo > oracle + 0.05 && oracle < 0.03, "{epistemic:?} of {deaths:?}");
}

/// With `tell_forecasts` the log has events of forecasts, and no other event changes. The events have the forecasts that skill is computed from: the
/// same number, and the same squared errors of a forecast of 0, which are the squared outcomes.
#[test]
fn events_of_forecasts_are_written_on_request_and_change_no_other() {
    let run = |tell| {
        let mut scenario = scenario(LEARNABLE, &["bardo", "none"], 1_000, 3);
        scenario.mortality.epistemic.tell_forecasts = tell;
        live(scenario)
    };
    let is_forecast = |event: &&Event| matches!(event.kind, EventKind::ForecastsSettled { .. });
    let (without, with) = (run(false), run(true));
    assert_eq!(without.iter().filter(is_forecast).count(), 0);
    assert!(with.iter().filter(|event| !is_forecast(event)).eq(&without));
    let (mut lives, mut number, mut squares) = (ForecastTally::default(), 0, 0.0);
    for event in &with {
        match &event.kind {
            EventKind::ForecastsSettled { settled, balance, vitality } => {
                number += settled.len() as u64;
                squares += settled.iter().map(|one| one.came_r * one.came_r).sum::<f64>();
                assert!(!settled.is_empty() && balance.is_positive() && (0.0..=1.0).contains(vitality));
            }
            EventKind::LifeEnded(life) => lives += life.forecasts,
            _ => {}
        }
    }
    assert!(number > 500 && number == lives.forecasts, "{number} in events, {} scored", lives.forecasts);
    assert!((squares - lives.errors.nothing).abs() < 1e-6 * squares, "{squares} {:?}", lives.errors);
}
