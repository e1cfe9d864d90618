//! The bounds lie in their order in the positive control: chance below who remembers nothing, below who knows what can be seen, below who
//! knows the truth; and one skill alone is worth something, but less than all of them.

use crate::common::{learnable, world_of};
use morta_engine::event::EventKind;
use morta_engine::memory::MemoryName;

const MEMBERS: [&str; 7] =
    ["random", "none", "oracle-as-read", "oracle", "oracle-abstains", "oracle-chooses", "oracle-sizes"];

/// R and growth of the balance of each member in a world.
fn live(seed: u64) -> Vec<(f64, f64)> {
    let mut scenario = learnable();
    (scenario.seed, scenario.ticks) = (seed, 2_500);
    scenario.memory.oracle_as_read.walk_ticks = 20_000;
    let like = scenario.cohorts[0].clone();
    let cohort = |name: &str| {
        let mut cohort = like.clone();
        (cohort.name, cohort.memory, cohort.golems) = (name.to_owned(), MemoryName::from(name), 6);
        cohort
    };
    scenario.cohorts = MEMBERS.into_iter().map(cohort).collect();
    let mut world = world_of(scenario);
    let mut came = vec![(0.0, 0.0); MEMBERS.len()];
    world.live_until(u64::MAX, |_, _| ()).expect("no service fails");
    for event in world.finish() {
        if let EventKind::LifeEnded(life) = &event.kind {
            let own = &mut came[usize::from(life.cohort)];
            own.0 += life.total_r;
            own.1 += (life.balance - life.endowment).dollars();
        }
    }
    came
}

#[test]
fn bounds_lie_in_their_order() {
    let worlds: Vec<Vec<(f64, f64)>> = (1..=3).map(live).collect();
    let place = |name: &str| MEMBERS.iter().position(|member| *member == name).expect("it is a member");
    let r = |name: &str| worlds.iter().map(|world| world[place(name)].0).sum::<f64>();
    let gained = |name: &str| worlds.iter().map(|world| world[place(name)].1).sum::<f64>();
    let all: Vec<(&str, f64, f64)> = MEMBERS.iter().map(|name| (*name, r(name), gained(name))).collect();
    for (lower, higher) in [
        ("random", "none"),
        ("none", "oracle-as-read"),
        ("oracle-as-read", "oracle"),
        ("none", "oracle-abstains"),
        ("none", "oracle-chooses"),
        ("oracle-chooses", "oracle"),
    ] {
        assert!(r(lower) < r(higher), "{lower} < {higher}: {all:?}");
    }
    // Sizes don't show in R, but in money.
    assert!(gained("none") < gained("oracle-sizes"), "{all:?}");
}
