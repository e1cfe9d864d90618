//! Golems that live by a fixed policy: rollouts of one world, evaluated by R a golem-tick, the sum of R over all lives by the ticks they
//! lived (policy evaluation). `morta fit constant` lives four golems a world so, each by the memory `constant` with a candidate policy.
//! Golems are lived and not only paper-traded, because balances and deaths bound what a policy can earn. Dreams, kills, faults, Lethes and
//! models are off, as the caller has set them; the memory has no other part.

use crate::io::error::{Error, Result};
use crate::run::scenario_file::Scenario;
use morta_engine::event::{Event, EventKind};
use morta_engine::memory::MemoryName;
use morta_engine::memory::constant::ConstantConfig;
use morta_engine::world::{Cohort, Plan, World};

/// Golems of a world. Our choice: they differ in stakes and costs alone, so more of them add little; worlds are what gives precision.
const GOLEMS: u32 = 4;

/// The earnings of the golems of one world (rollout return).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Came {
    /// Sum of R over all lives, those that outlived the world included.
    r: f64,
    /// Sum of their lifespans.
    ticks: u64,
}

impl Came {
    /// The average reward, R a golem-tick; without ticks there is no division by zero.
    pub(super) fn rate(&self) -> f64 {
        self.r / self.ticks.max(1) as f64
    }

    fn take(&mut self, event: &Event) {
        if let EventKind::LifeEnded(life) = &event.kind {
            self.r += life.total_r;
            self.ticks += life.lifespan();
        }
    }
}

/// Lives through one world of a scenario by a policy (policy rollout).
pub(super) fn live(loaded: &Scenario, policy: &ConstantConfig, seed: u64) -> Result<Came> {
    let mut scenario = loaded.scenario.clone();
    scenario.seed = seed;
    scenario.memory.constant = policy.clone();
    scenario.cohorts = vec![Cohort {
        name: "constant".to_owned(),
        golems: GOLEMS,
        memory: MemoryName::CONSTANT,
        dreams: None,
        policy: None,
    }];
    let refused = |problems: Vec<morta_base::Problem>| {
        let file = loaded.path.display();
        Error::all(problems.iter().map(|problem| format!("{file}: {problem}")))
    };
    let plan = Plan::new(scenario, &loaded.bars).map_err(refused)?;
    let mut world = World::new(plan, loaded.bars.clone());
    let mut came = Came::default();
    let lived = world.live_until(u64::MAX, |_, lived| lived.events.iter().for_each(|event| came.take(event)));
    lived.map_err(|error| Error::failed(format!("world {seed}: {error}")))?;
    world.finish().iter().for_each(|event| came.take(event));
    Ok(came)
}
