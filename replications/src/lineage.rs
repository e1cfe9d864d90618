//! A lineage in one maze: successive lives, and the knowledge that an heir receives from the life before.
//!
//! Stains are stored in the engine's own Lethe and drawn from it, so that an heir first receives what Morta's rank puts first. The legacy
//! of a golem ([`morta_engine::memory::legacy::select`]) is about strategies and market contexts and has no meaning for steps, so an heir
//! of the kinds `replay` and `shuffled` receives all replayable transitions of its parent, a `fresh` one none.
//!
//! Shuffled heirs and permuted stains are negative controls (permutation control), and a kind of heirs is an experimental condition
//! (control group, knowledge transfer). It is intergenerational transfer of experience (transfer learning, warm start of the replay
//! buffer). All worlds of mazes are run here; an immortal arm is a lineage of one learner, which gets the same birth sessions at the same
//! laps. Between two lives there are `lineage.sessions` birth sessions (20 by default), and with `stains` other than `none` the heir draws
//! up to `draws` stains (8 by default). A life ends after `lineage.laps` laps (10 by default), or at a death by a predator. Immortal
//! learners live in mazes without predators only (`Registered` refuses others): here a learner that isn't replaced would stay marked as
//! killed, and be succeeded at every lap.

use crate::life::{Life, LifeConfig, Liver, first_start};
use crate::memory::Transition;
use crate::order::{Order as _, OrderConfig};
use crate::world::World;
use morta_base::{BloodstainId, EpisodeId, GolemId, Purpose, Stream, WorldSeed, keys};
use morta_engine::episode::{Context, Episode};
use morta_engine::lethe::{
    Bequest, Bloodstain, CladeMap, Deposit, Lethe, LetheConfig, LetheQuery, MemoryStore,
};
use morta_engine::market::Regime;
use morta_engine::mortality::Cause;

/// Parts of the keys of random numbers, beside those of a life.
const BIRTH: u32 = 4;
const CONTROL: u32 = 5;
/// Duration of a step for the Lethe, in seconds: a scenario's tick by default.
const STEP_SECONDS: f64 = 40.0;

morta_base::words! {
    /// Who lives after a life is over, and with which transitions.
    #[derive(Default)]
    pub enum Heirs: Key {
        /// The same learner goes on.
        #[default]
        Immortal = "immortal",
        /// An heir that is handed none.
        Fresh = "fresh",
        /// An heir that is handed its parent's, and replays them at its birth.
        Replay = "replay",
        /// The same with where they led and what they brought dealt out among them at random: as many, of the same pairs, and nothing to be
        /// learned from them.
        Shuffled = "shuffled",
    }

    /// The warnings that an heir receives about earlier deaths.
    #[derive(Default)]
    pub enum Stains: Key {
        /// Nothing.
        #[default]
        None = "none",
        /// In which state which action killed.
        True = "true",
        /// The same of as many, with the states permuted among those that the lineage has visited.
        Permuted = "permuted",
    }
}

keys! {
    /// How a lineage lives on.
    pub struct LineageConfig {
        /// Laps of a life that no death cuts short.
        laps: u32 = 10, in 1..=100_000, "laps";
        /// Sessions of replay between two lives: at the birth of an heir, and at the same lap of an immortal learner.
        sessions: u32 = 20, in 0..=10_000, "sessions";
        /// Stains that an heir draws, at most.
        draws: u32 = 8, in 0..=1_000, "stains";
        /// What an heir holds a stained action to cost.
        penalty: f64 = 1.0, in 0.0..=100.0, "reward";
    }
}

/// An arm's rules of inheritance for its lineages.
#[derive(Clone, Copy, Debug)]
pub struct Handing<'a> {
    /// The heirs.
    pub heirs: Heirs,
    /// The warnings.
    pub stains: Stains,
    /// The order of replay.
    pub order: &'a OrderConfig,
}

/// Runs a lineage of `life.laps` laps in a maze, given once for each of its goals; the goal changes after a fixed number of laps
/// (generations).
///
/// Lives draw from the streams of a lone learner's laps, so all arms share the luck of a lap wherever they do the same.
pub fn live_on(
    maze: &[World],
    laps_each_goal: u32,
    (life, config): (&LifeConfig, &LineageConfig),
    handing: Handing<'_>,
    seed: WorldSeed,
) -> Life {
    let mut line = Line::new(&maze[0], life, config, handing, seed);
    let mut start = 0;
    let mut left = config.laps;
    for lap in 0..life.laps {
        let world = &maze[(lap / laps_each_goal) as usize % maze.len()];
        if lap % laps_each_goal == 0 {
            // After the change the start may be inside a wall.
            start = first_start(world, seed);
        }
        if lap > 0 && (left == 0 || line.living.killed_by.is_some()) {
            line.succeed(world, lap, start);
            left = config.laps;
        }
        start = line.living.lap(world, lap, start, seed);
        left -= 1;
    }
    Life { laps_before: config.laps, ..line.living.life }
}

struct Line<'a> {
    life: &'a LifeConfig,
    config: &'a LineageConfig,
    handing: Handing<'a>,
    seed: WorldSeed,
    /// The learner of the present life.
    living: Liver<'a>,
    /// The stains of all deaths so far, with their store.
    lethe: Lethe,
    store: MemoryStore,
    /// The fatal entry of each generation.
    killed_by: Vec<Option<u32>>,
    /// By state, whether a memory of the lineage has a transition from it (with `explored` every free state); permuted stains go to these.
    visited: Vec<bool>,
}

impl<'a> Line<'a> {
    fn new(
        world: &World,
        life: &'a LifeConfig,
        config: &'a LineageConfig,
        handing: Handing<'a>,
        seed: WorldSeed,
    ) -> Self {
        // A child is born at its parent's death, so stains must surface without delay.
        let lethe = LetheConfig { delay_hours_min: 0.0, delay_hours_max: 0.0, ..LetheConfig::default() };
        Self {
            life,
            config,
            handing,
            seed,
            living: Liver::new(world, life, handing.order),
            lethe: Lethe::new(lethe, seed, STEP_SECONDS, CladeMap::default()),
            store: MemoryStore::default(),
            killed_by: Vec::new(),
            visited: vec![false; world.states()],
        }
    }

    /// Begins the next life by the arm's rules.
    fn succeed(&mut self, world: &World, lap: u32, start: u32) {
        self.bury(world);
        let mut handed = Vec::new();
        let memory = &self.living.mind.memory;
        if matches!(self.handing.heirs, Heirs::Replay | Heirs::Shuffled) {
            handed.extend(memory.candidates().iter().map(|item| memory.item(*item)));
        }
        if self.handing.heirs == Heirs::Shuffled {
            let mut outcomes: Vec<(u32, f64)> = handed.iter().map(|step| (step.next, step.reward)).collect();
            self.stream(CONTROL, lap).shuffle(&mut outcomes);
            handed.iter_mut().zip(outcomes).for_each(|(step, outcome)| (step.next, step.reward) = outcome);
        }
        let warnings = self.warnings(start, lap);
        if self.handing.heirs != Heirs::Immortal {
            let heir = Liver::new(world, self.life, self.handing.order);
            let parent = std::mem::replace(&mut self.living, heir);
            (self.living.life, self.living.mind.tick) = (parent.life, parent.mind.tick);
        }
        handed.into_iter().for_each(|step| self.take_over(step));
        for entry in warnings {
            // The warning is a transition back to the same state with a penalty. It isn't replayed, and holds until the heir survives the step
            // itself.
            let state = entry / world.actions as u32;
            self.take_over(Transition { state, entry, next: state, reward: -self.config.penalty });
            self.living.mind.values[entry as usize] = -self.config.penalty;
        }
        let [mut replay, mut shuffle] = [0, 1].map(|part| self.stream(BIRTH + 2 * part, lap));
        (0..self.config.sessions).for_each(|_| self.living.session(world, &mut replay, &mut shuffle));
    }

    fn stream(&self, part: u32, lap: u32) -> Stream {
        self.seed.world(Purpose::Replication, part, u64::from(lap))
    }

    fn take_over(&mut self, step: Transition) {
        let mind = &mut self.living.mind;
        mind.succession.observe(step.state, step.next, self.life.transition_rate);
        mind.memory.put(step.entry, step, 0);
        let error = mind.error(step.entry);
        self.living.order.lived(&self.living.mind, step.entry, error);
    }

    /// Records the states that the ended life has visited, and leaves a stain of its fatal step.
    fn bury(&mut self, world: &World) {
        let mind = &self.living.mind;
        for state in world.free() {
            self.visited[state as usize] |= !mind.memory.leaving(state).is_empty();
        }
        if let Some(entry) = self.living.killed_by {
            let golem = GolemId { lineage: 0, generation: self.killed_by.len() as u32 };
            let surprise = mind.values[entry as usize] + self.config.penalty;
            let stain = stain(golem, entry as usize, surprise, mind.tick, world);
            self.visited[entry as usize / world.actions] = true;
            self.lethe
                .deposit(mind.tick, Deposit { bloodstains: vec![stain] }, &mut self.store)
                .expect("a store in memory takes everything");
        }
        self.killed_by.push(self.living.killed_by);
    }

    /// Fatal entries of ancestors, as the Lethe ranks them for an heir in its parent's place.
    fn warnings(&self, start: u32, lap: u32) -> Vec<u32> {
        if self.handing.stains == Stains::None || self.lethe.is_empty() {
            return Vec::new();
        }
        let mind = &self.living.mind;
        let need = mind.succession.solved(mind.discount).row(start);
        let embedding = need.iter().map(|need| *need as f32).collect();
        let query = LetheQuery { embedding, limit: self.config.draws, kin: Some(0) };
        let drawn =
            self.lethe.draw(mind.tick, &query, &self.store).expect("a store in memory keeps everything");
        let of =
            |golem: GolemId| self.killed_by[golem.generation as usize].expect("only the killed leave stains");
        let mut warnings: Vec<u32> = drawn.iter().map(|drawn| of(drawn.bloodstain.id.golem)).collect();
        if self.handing.stains == Stains::Permuted {
            let visited: Vec<u32> =
                (0..).zip(&self.visited).filter(|(_, is)| **is).map(|(state, _)| state).collect();
            let mut permuted = visited.clone();
            self.stream(CONTROL, lap).shuffle(&mut permuted);
            let actions = mind.actions as u32;
            for entry in &mut warnings {
                let place = visited.binary_search(&(*entry / actions)).expect("a fatal state was visited");
                *entry = permuted[place] * actions + *entry % actions;
            }
        }
        warnings
    }
}

/// A death in the form of the Lethe: a scar with the state as market and the action as asset, so that equal deaths are drawn once.
fn stain(golem: GolemId, entry: usize, surprise: f64, died: u64, world: &World) -> Bloodstain {
    let mut embedding = vec![0.0; world.states()];
    embedding[entry / world.actions] = 1.0;
    let embedding: Box<[f32]> = embedding.into();
    let asset = (entry % world.actions) as u8;
    // None of these values is used: a maze has no market.
    let context = Context { asset, ..Context::neutral(Regime::RangeBound) };
    let episode = Episode {
        asset,
        context,
        realised_r: -surprise,
        surprise: surprise.max(0.0),
        embedding: embedding.clone(),
        ..Episode::neutral(EpisodeId { golem, number: 0 }, died)
    };
    let id = BloodstainId { golem, number: 0 };
    let bequest = Bequest::Scar(episode);
    Bloodstain { id, cause: Cause::Stochastic, died, age: died, vitality: 0.0, context, embedding, bequest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::life::ReplayAt;
    use crate::order::OrderKind;
    use crate::world::WorldConfig;

    fn maze(table: &str) -> Vec<World> {
        let config: WorldConfig = toml::from_str(&format!("name = 'w'\nmazes = {table}")).unwrap();
        config.maze(40)
    }

    fn lived(maze: &[World], heirs: Heirs, stains: Stains, draws: u32, seed: u64) -> Life {
        let life = LifeConfig {
            laps: 60,
            backups: 10,
            replay_at: ReplayAt::EveryStep,
            inverse_temperature: 20.0,
            discount: 0.95,
            rate: 0.5,
            explored: false,
            count_events: false,
            ..LifeConfig::default()
        };
        let order = OrderConfig { kind: OrderKind::Random, ..OrderConfig::default() };
        let config = LineageConfig { sessions: 100, draws, ..LineageConfig::default() };
        live_on(maze, 30, (&life, &config), Handing { heirs, stains, order: &order }, WorldSeed(seed))
    }

    /// Number of steps of the first laps of lives after the first, over ten seeds.
    fn steps_at_birth(maze: &[World], heirs: Heirs) -> u32 {
        let births = |life: Life| life.steps.iter().skip(10).step_by(10).sum::<u32>();
        (40..50).map(|seed| births(lived(maze, heirs, Stains::None, 8, seed))).sum()
    }

    /// An heir with its parent's transitions knows the way at birth. An heir with shuffled transitions has to search, as one without any.
    #[test]
    fn an_heir_knows_the_transitions_that_it_receives() {
        let maze = maze("{}");
        let [immortal, heir, shuffled, fresh] =
            [Heirs::Immortal, Heirs::Replay, Heirs::Shuffled, Heirs::Fresh]
                .map(|heirs| steps_at_birth(&maze, heirs));
        assert!(immortal < heir && 3 * heir < shuffled.min(fresh), "{immortal} {heir} {shuffled} {fresh}");
    }

    #[test]
    fn stains_save_heirs_that_draw_them() {
        let maze = maze("{ predators = 6, kill = 0.3 }");
        let deaths = |stains, draws| -> usize {
            let of = |seed| lived(&maze, Heirs::Replay, stains, draws, seed).deaths_counted().unwrap();
            (40..50).map(of).sum()
        };
        let (warned, none) = (deaths(Stains::True, 8), deaths(Stains::None, 8));
        assert!(2 * warned < none && 2 * warned < deaths(Stains::Permuted, 8), "{warned} {none}");
        assert!(warned < deaths(Stains::True, 1), "one stain warns of less than eight do");
        // Drawing is the only difference, so an heir that draws nothing dies as often as one without stains.
        assert_eq!(none, deaths(Stains::True, 0));
    }

    /// A lineage dies on two steps of a corridor, twice on one of them. The Lethe returns each once, and first the one that is nearer to the parent's
    /// place. A permutation changes only states, among the visited ones.
    #[test]
    fn the_lethe_ranks_fatal_steps() {
        let maze = maze("{ rows = 2, columns = 12, walls = 0.0, predators = 1 }");
        let (life, order) = (LifeConfig::default(), OrderConfig::default());
        let drawn = |draws, stains| {
            let config = LineageConfig { draws, ..LineageConfig::default() };
            let handing = Handing { heirs: Heirs::Fresh, stains, order: &order };
            let mut line = Line::new(&maze[0], &life, &config, handing, WorldSeed(7));
            for entry in [42, 42, 9] {
                line.living.killed_by = Some(entry);
                line.bury(&maze[0]);
            }
            line.living.mind.succession = crate::successor::Succession::new(maze[0].states());
            line.living.mind.succession.observe(0, 2, 1.0);
            line.warnings(0, 3)
        };
        assert_eq!((drawn(8, Stains::True), drawn(1, Stains::True)), (vec![9, 42], vec![9]));
        let permuted = drawn(8, Stains::Permuted);
        assert_eq!(permuted.iter().map(|entry| entry % 4).collect::<Vec<u32>>(), [1, 2]);
        assert!(permuted[0] / 4 != permuted[1] / 4 && drawn(8, Stains::None).is_empty());
    }
}
