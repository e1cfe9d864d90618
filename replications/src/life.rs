//! A learner that runs laps, with sessions of replay between its steps: the training loop of tabular Q-learning with Dyna-style planning,
//! its hyperparameters (learning rate, discount factor, exploration, simulation parameters, a step limit for each lap) and its result. A
//! step backs up its own value first; a session then makes up to `backups` backups (20 by default) in the arm's order. Sessions are held at
//! the step into a goal and at the first step of every lap but the first (the default), or after every step (replay schedule,
//! replay timing). The order `none` has no sessions, and a fatal step is neither learned nor followed by one.
//!
//! Rewards have the unit of the world, about 1 for a goal. Random numbers are keyed by lap, so that orders of replay share their luck.
//! `lineage` runs the same laps for heirs, and further sessions at births.

use crate::events::significant_runs;
use crate::memory::{Memory, Transition};
use crate::mind::Mind;
use crate::order::{AnyOrder, Evb, Made, Order, OrderConfig, back_up_next};
use crate::policy::{Policy, PolicyKind};
use crate::successor::Succession;
use crate::world::World;
use morta_base::{Purpose, Stream, WorldSeed, keys};

morta_base::words! {
    /// When sessions are held.
    #[derive(Default)]
    pub enum ReplayAt: Key {
        /// At the step into a goal and at the first step after a start; none before the first reward.
        #[default]
        Ends = "ends",
        /// After every step.
        EveryStep = "every_step",
    }
}

keys! {
    /// How laps are lived.
    pub struct LifeConfig {
        /// How many.
        laps: u32 = 50, in 1..=100_000, "laps";
        /// Steps after which a lap ends without a goal.
        lap_steps_max: u32 = 10_000, in 1..=10_000_000, "steps";
        /// Backups in a session, at most.
        backups: u32 = 20, in 0..=100_000, "backups";
        /// When sessions are held.
        replay_at: ReplayAt = ReplayAt::Ends;
        /// How actions are chosen.
        policy: PolicyKind = PolicyKind::Softmax;
        /// β of softmax.
        inverse_temperature: f64 = 5.0, in 0.0..=100.0, "per reward";
        /// ε of ε-greedy.
        epsilon: f64 = 0.1, in 0.0..=1.0, "probability";
        /// γ.
        discount: f64 = 0.9, in 0.0..=0.9999, "per step";
        /// α of waking and of backups.
        rate: f64 = 1.0, in above(0.0).to(1.0), "share";
        /// How far a row of the transition matrix moves towards what happened.
        transition_rate: f64 = 0.9, in 0.0..=1.0, "share";
        /// Whether each action of each state was tried once before the first lap, for no reward.
        explored: bool = true;
        /// Whether steps that lead nowhere are replayed too.
        replay_stays: bool = false;
        /// Whether runs of backups are looked for.
        count_events: bool = true;
    }
}

impl LifeConfig {
    fn policy(&self) -> Policy {
        match self.policy {
            PolicyKind::Softmax => Policy::Softmax(self.inverse_temperature),
            PolicyKind::EpsilonGreedy => Policy::EpsilonGreedy(self.epsilon),
        }
    }
}

/// Sums over the sessions of a life, by state, which are drawn as heat maps. `heat` is filled where events are counted, need and gain under
/// the order `evb` alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields {
    /// Backups in runs that go forward, and in runs that go backward.
    pub heat: [Vec<f64>; 2],
    /// Need at the beginning of a session: at a start, at a goal.
    pub need: [Vec<f64>; 2],
    /// The largest gain of an action at the beginning of a session: at a start, at a goal.
    pub gain: [Vec<f64>; 2],
    /// Number of sessions at a start and at a goal in these sums.
    pub sessions: [f64; 2],
}

/// The result of a life (training run): the steps of each lap, and what its replay did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Life {
    /// Steps of each lap.
    pub steps: Vec<u32>,
    /// Runs: forward at a start, forward at a goal, backward at a start, backward at a goal.
    pub runs: [u32; 4],
    /// The sums by state.
    pub fields: Fields,
    /// Number of backups.
    pub backups: u64,
    /// Rank correlations of the replay spec with EVB over states, one for each session in which both rank anything.
    pub agreements: Vec<f64>,
    /// Number of first laps without influence on comparisons: the first lap, which no replay has preceded, or the laps of a lineage's first life.
    pub laps_before: u32,
    /// Laps, from 0, that ended in death; `None` without predators.
    pub deaths: Option<Vec<u32>>,
}

impl Life {
    /// Counts the deaths after the first laps, which comparisons leave out (burn-in).
    pub fn deaths_counted(&self) -> Option<usize> {
        Some(self.deaths.as_ref()?.iter().filter(|lap| **lap >= self.laps_before).count())
    }
}

/// Parts of the keys of random numbers. Each use has its own, so that a draw of one doesn't shift the others.
const CHOICE: u32 = 0;
const LUCK: u32 = 1;
const REPLAY: u32 = 2;
const SHUFFLE: u32 = 3;

/// A learner under way, with its order and its result so far (agent).
pub(crate) struct Liver<'a> {
    config: &'a LifeConfig,
    pub mind: Mind,
    pub order: AnyOrder,
    /// EVB beside the replay spec's order, to measure their agreement.
    beside: Evb,
    /// Backups of the session under way.
    made: Vec<Made>,
    /// The result so far; an heir goes on with its parent's.
    pub life: Life,
    /// The entry of the fatal step, if the learner is dead.
    pub killed_by: Option<u32>,
}

/// Runs a life in a world, which may change into another one after a number of laps (training run).
///
/// Choices, luck and replay draw from streams of their own, keyed by lap: orders of replay share the luck of a world wherever they do the same.
pub fn live(
    world: &World,
    change: Option<&(u32, World)>,
    config: &LifeConfig,
    order: &OrderConfig,
    seed: WorldSeed,
) -> Life {
    let mut liver = Liver::new(world, config, order);
    let mut start = first_start(world, seed);
    for lap in 0..config.laps {
        let world = change.filter(|(after, _)| lap >= *after).map_or(world, |(_, changed)| changed);
        start = liver.lap(world, lap, start, seed);
    }
    liver.life
}

/// The start of the first lap.
pub(crate) fn first_start(world: &World, seed: WorldSeed) -> u32 {
    world.start_after(None, &mut seed.world(Purpose::Replication, LUCK, u64::MAX))
}

impl<'a> Liver<'a> {
    /// A learner at the start of its first lap, with empty values (zero initialization of a Q-table).
    pub(crate) fn new(world: &World, config: &'a LifeConfig, order: &OrderConfig) -> Self {
        let (states, actions) = (world.states(), world.actions);
        let mut memory = Memory::new(states * actions, states, states * actions, config.replay_stays);
        let mut succession = Succession::new(states);
        let free: Vec<u32> = world.free().collect();
        if config.explored {
            for &state in &free {
                for action in 0..actions {
                    let (next, entry) = (world.lead(state, action), state * actions as u32 + action as u32);
                    memory.put(entry, Transition { state, entry, next, reward: 0.0 }, 0);
                    succession.row_mut(state)[next as usize] += 1.0 / actions as f64;
                }
            }
            for (place, &goal) in world.goals.iter().enumerate() {
                let row = succession.row_mut(goal);
                if world.random_starts {
                    free.iter().for_each(|state| row[*state as usize] = 1.0 / free.len() as f64);
                } else {
                    row[world.starts[(place + 1) % world.starts.len()] as usize] = 1.0;
                }
            }
        }
        let fields = || [vec![0.0; states], vec![0.0; states]];
        let fields = Fields { heat: fields(), need: fields(), gain: fields(), sessions: [0.0; 2] };
        let mind = Mind {
            actions,
            values: vec![0.0; states * actions],
            memory,
            succession,
            policy: config.policy(),
            rate: config.rate,
            discount: config.discount,
            at: 0,
            tick: 0,
            lap: Vec::new(),
            rooms: world.rooms.clone(),
        };
        let order = AnyOrder::new(order, &mind.memory, &[]);
        let beside = Evb::new(&OrderConfig::default());
        let deaths = world.has_predators().then(Vec::new);
        let life = Life { fields, deaths, laps_before: 1, ..Life::default() };
        Self { config, mind, order, beside, made: Vec::new(), life, killed_by: None }
    }

    /// Runs one lap; returns the start of the next (training episode).
    pub(crate) fn lap(&mut self, world: &World, lap: u32, start: u32, seed: WorldSeed) -> u32 {
        let stream = |part| seed.world(Purpose::Replication, part, u64::from(lap));
        let [mut choice, mut luck, mut replay, mut shuffle] = [CHOICE, LUCK, REPLAY, SHUFFLE].map(stream);
        let mut state = start;
        let mut room = vec![0.0; world.actions];
        for step in 1..=self.config.lap_steps_max {
            let action = self.mind.policy.choose(self.mind.row(state), &mut room, &mut choice);
            let (next, reward) = world.step(state, action, &mut luck);
            if world.kills(next, &mut luck) {
                // A fatal step isn't learned from, because the learner is dead; its heirs may be warned of it.
                self.killed_by = Some(state * world.actions as u32 + action as u32);
                self.life.steps.push(step);
                self.life.deaths.get_or_insert_default().push(lap);
                return world.start_after(None, &mut luck);
            }
            let item = self.learn(state, action, next, reward);
            let ends = world.is_goal(next);
            let at_ends = self.config.replay_at == ReplayAt::Ends;
            let first = step == 1 && lap > 0;
            // A session at the first step of a lap replays the lap before.
            if step == 1 && !(at_ends && first) {
                self.mind.lap.clear();
            }
            if !(at_ends && first) {
                self.mind.lap.push(item);
            }
            if !at_ends || ends || first {
                self.session(world, &mut replay, &mut shuffle);
            }
            if at_ends && first {
                self.mind.lap.clear();
                self.mind.lap.push(item);
            }
            state = next;
            if ends || step == self.config.lap_steps_max {
                self.life.steps.push(step);
                let start = world.start_after(ends.then_some(state), &mut luck);
                self.mind.succession.observe(state, start, self.config.transition_rate);
                return start;
            }
        }
        unreachable!("the last step of a lap ends it")
    }

    fn learn(&mut self, state: u32, action: usize, next: u32, reward: f64) -> u32 {
        let mind = &mut self.mind;
        mind.succession.observe(state, next, self.config.transition_rate);
        mind.tick += 1;
        mind.at = state;
        let item = state * mind.actions as u32 + action as u32;
        mind.memory.put(item, Transition { state, entry: item, next, reward }, mind.tick);
        let error = mind.back_up(item, mind.target(item));
        self.order.lived(mind, item, error);
        item
    }

    /// Replays by the order, up to the number of backups of a session (planning). It ends early where the order has none left.
    pub(crate) fn session(&mut self, world: &World, replay: &mut Stream, shuffle: &mut Stream) {
        if matches!(self.order, AnyOrder::None) {
            return;
        }
        let budget = self.config.backups as usize;
        if matches!(self.order, AnyOrder::Uniform(_)) && !self.config.count_events {
            // Nothing reads these backups, so none is recorded.
            self.life.backups += self.mind.back_up_at_random(budget, replay) as u64;
            return;
        }
        let place = usize::from(world.is_before_goal(self.mind.at));
        self.made.clear();
        self.order.begin(&self.mind, budget);
        self.look(place);
        while self.made.len() < budget
            && back_up_next(&mut self.mind, &mut self.order, &mut self.made, replay)
        {}
        self.life.backups += self.made.len() as u64;
        if self.config.count_events {
            for run in significant_runs(world, &self.made, shuffle) {
                let way = usize::from(!run.is_forward);
                self.life.runs[way * 2 + place] += 1;
                for made in &self.made[run.backups] {
                    self.life.fields.heat[way][made.step.state as usize] += 1.0;
                }
            }
        }
    }

    /// Records need and gain at the beginning of a session. For the utility of [`crate::order::specs`] it records the agreement of its order with
    /// EVB's, because that is what the replication asks.
    fn look(&mut self, place: usize) {
        let (mind, fields) = (&self.mind, &mut self.life.fields);
        match &self.order {
            AnyOrder::Evb(evb) => {
                fields.sessions[place] += 1.0;
                fields.need[place].iter_mut().zip(evb.need()).for_each(|(sum, need)| *sum += need);
                let most = most_by_state(mind, |item| evb.gain(item));
                fields.gain[place].iter_mut().zip(most).for_each(|(sum, gain)| *sum += gain.unwrap_or(0.0));
            }
            AnyOrder::Specs(specs) => {
                self.beside.begin(mind, self.config.backups as usize);
                let ours = most_by_state(mind, |item| specs.utility(item));
                let theirs = most_by_state(mind, |item| self.beside.value(mind, item));
                let both: (Vec<f64>, Vec<f64>) =
                    ours.into_iter().zip(theirs).filter_map(|(a, b)| a.zip(b)).unzip();
                // Before the first reward all gains are equal, so there is no ranking to agree with.
                self.life.agreements.extend(morta_stats::paired::rank_correlation(&both.0, &both.1).ok());
            }
            _ => {}
        }
    }
}

/// The largest value of each state's candidates; `None` for a state without any.
fn most_by_state(mind: &Mind, value: impl Fn(u32) -> f64) -> Vec<Option<f64>> {
    let mut most: Vec<Option<f64>> = vec![None; mind.rooms.len()];
    for &item in mind.memory.candidates() {
        let most = &mut most[mind.memory.item(item).state as usize];
        *most = Some(most.map_or(value(item), |most| most.max(value(item))));
    }
    most
}
