//! The replay spec's utility as an order: the formula by which Morta's golems choose their dreams (`morta_engine::replay::utility`), with a maze in
//! place of a market.
//!
//! | term | here |
//! |---|---|
//! | surprise | \|TD\| of the transition |
//! | significance | \|reward\| |
//! | regret | the best value of its state less that of the action taken |
//! | likeness | cosine of the successor features of its state and of the state one is in, at least 0 |
//! | regime | whether both are in one room |
//! | recency, spacing, decay | steps since it was lived, since it was replayed; how often it was |
//!
//! Boosts (inheritance, the Curator's tag, mood, legacy) have no counterpart in a maze and are 1. Places for diversity go to rooms and to
//! the oldest part of the memory that the first pass left out, as in `morta_engine::replay::selection`. With `rescore` (the default) the
//! utilities of all transitions from and into a changed state are worked out anew after each backup; a golem's dream chooses once, which
//! is `rescore = false`.

use super::{Backup, Made, Order, OrderConfig, changed};
use crate::mind::Mind;
use crate::policy::largest;
use morta_base::dot::cosine_similarity;
use morta_base::{Stream, Tick};
use morta_engine::replay::decay::elapsed;
use morta_engine::replay::{Formula, Ingredients, ReplayConfig, Scale, reserved_places};

/// Prioritizes by the spec's utility: holds the scores of all candidates, and their replays so far.
#[derive(Clone, Debug)]
pub struct Specs {
    config: ReplayConfig,
    rescore: bool,
    /// Number of replays of each item, and the last one.
    replays: Vec<u32>,
    replayed_at: Vec<Option<Tick>>,
    /// For the session: likeness by state, yardsticks, utilities by item.
    likeness: Vec<f64>,
    scale: Scale,
    utility: Vec<f64>,
    /// For each item, whether it was chosen in this session.
    taken: Vec<bool>,
    /// Number of places by utility in the session, and of those for diversity.
    by_merit: usize,
    kept: usize,
    /// Rooms by the last visit, latest first; the tick up to which an item counts as old.
    rooms: Vec<u8>,
    oldest_until: Tick,
}

impl Specs {
    /// Makes the order with the constants of a file, over a memory of so many items.
    pub fn new(config: &OrderConfig, items: usize) -> Self {
        Self {
            config: config.replay.clone(),
            rescore: config.rescore,
            replays: vec![0; items],
            replayed_at: vec![None; items],
            likeness: Vec::new(),
            scale: Scale::default(),
            utility: vec![0.0; items],
            taken: vec![false; items],
            by_merit: 0,
            kept: 0,
            rooms: Vec::new(),
            oldest_until: 0,
        }
    }

    /// The utility of an item in the session under way (priority score).
    pub fn utility(&self, item: u32) -> f64 {
        self.utility[item as usize]
    }

    fn ingredients(&self, mind: &Mind, item: u32) -> Ingredients {
        let step = mind.memory.item(item);
        let rooms = &mind.rooms;
        Ingredients {
            surprise: mind.error(item).abs(),
            significance: step.reward.abs(),
            regret: largest(mind.row(step.state)) - mind.values[step.entry as usize],
            replays: self.replays[item as usize],
            bloodstain: 1.0,
            likeness: self.likeness[step.state as usize],
            same_regime: rooms[step.state as usize] == rooms[mind.at as usize],
            age: elapsed(mind.tick, mind.memory.lived_at(item)),
            since_replay: self.replayed_at[item as usize].map(|then| elapsed(mind.tick, then)),
            boosts: [1.0; 3],
        }
    }

    fn score(&mut self, mind: &Mind, items: impl Iterator<Item = u32>) {
        let formula = Formula::new(&self.config, self.scale);
        for item in items {
            self.utility[item as usize] = formula.terms(&self.ingredients(mind, item)).utility;
        }
    }

    /// The highest utility of the items that `counts` accepts, with its item; the first of equal ones. No item is chosen twice if a session is chosen
    /// at once.
    fn best(&self, mind: &Mind, counts: impl Fn(u32) -> bool) -> Option<(u32, f64)> {
        let mut best: Option<(u32, f64)> = None;
        for &item in mind.memory.candidates() {
            let utility = self.utility[item as usize];
            let may = self.rescore || !self.taken[item as usize];
            if may && best.is_none_or(|(_, most)| utility > most) && counts(item) {
                best = Some((item, utility));
            }
        }
        best
    }

    /// The choice for diversity among items that the session hasn't covered: a room, the oldest part, the other rooms.
    fn diverse(&self, mind: &Mind, made: &[Made]) -> Option<u32> {
        let room_of = |item: u32| mind.rooms[mind.memory.item(item).state as usize];
        let is_old = |item: u32| mind.memory.lived_at(item) <= self.oldest_until;
        let is_met = |meets: &dyn Fn(u32) -> bool| made.iter().any(|made| meets(made.backup.item));
        let is_open = |room: &&u8| !is_met(&|item| room_of(item) == **room);
        let room = || {
            self.rooms.iter().find(is_open).and_then(|room| self.best(mind, |item| room_of(item) == *room))
        };
        let old = || if is_met(&is_old) { None } else { self.best(mind, is_old) };
        // Alternates, so that two places aren't both spent on rooms.
        let best = if made.len() == self.by_merit { room().or_else(old) } else { old().or_else(room) };
        best.map(|(item, _)| item)
    }
}

impl Order for Specs {
    fn begin(&mut self, mind: &Mind, budget: usize) {
        let solved = mind.succession.solved(mind.discount);
        let features =
            |state: u32| solved.row(state).into_iter().map(|share| share as f32).collect::<Vec<f32>>();
        let here = features(mind.at);
        let states = (mind.values.len() / mind.actions) as u32;
        let alike = |state| cosine_similarity(&here, &features(state)).clamp(0.0, 1.0);
        self.likeness = (0..states).map(alike).collect();

        let candidates = mind.memory.candidates();
        let column = |term: fn(&Ingredients) -> f64| -> Vec<f32> {
            candidates.iter().map(|item| term(&self.ingredients(mind, *item)) as f32).collect()
        };
        let columns = [column(|of| of.surprise), column(|of| of.significance), column(|of| of.regret)];
        let [surprise, significance, regret] = &columns;
        self.scale = Scale::of_columns([surprise, significance, regret], self.config.normalization_quantile);
        self.score(mind, candidates.iter().copied());

        self.taken.fill(false);
        self.kept = reserved_places(budget, &self.config).min(budget);
        self.by_merit = budget - self.kept;
        let mut lived: Vec<(Tick, u8)> = candidates
            .iter()
            .map(|item| (mind.memory.lived_at(*item), mind.rooms[mind.memory.item(*item).state as usize]))
            .collect();
        lived.sort_unstable();
        let oldest = (lived.len() as f64 * self.config.oldest_share) as usize;
        self.oldest_until = lived.get(oldest.saturating_sub(1)).map_or(0, |(tick, _)| *tick);
        self.rooms.clear();
        for (_, room) in lived.into_iter().rev() {
            if !self.rooms.contains(&room) {
                self.rooms.push(room);
            }
        }
    }

    /// Chooses by utility first, then for diversity. Places that diversity doesn't need go back to utility.
    fn choose(&mut self, mind: &Mind, made: &[Made], _: &mut Stream) -> Option<Backup> {
        let worth_it = || self.best(mind, |_| true).filter(|(_, utility)| *utility > self.config.min_utility);
        let merit = worth_it().map(|(item, _)| item);
        if made.len() < self.by_merit && merit.is_none() {
            // No utility is left, so the places for diversity come now.
            self.by_merit = made.len();
        }
        let is_kept = (self.by_merit..self.by_merit + self.kept).contains(&made.len());
        let diverse = if is_kept { self.diverse(mind, made) } else { None };
        let item = diverse.or(merit)?;
        self.taken[item as usize] = true;
        Some(Backup { item, steps: 1 })
    }

    fn made(&mut self, mind: &Mind, made: &[Made]) {
        for made in changed(made) {
            let item = made.backup.item as usize;
            self.replays[item] += 1;
            self.replayed_at[item] = Some(mind.tick);
        }
        if self.rescore {
            for made in changed(made) {
                let state = made.step.state;
                let touched = mind.memory.leaving(state).iter().chain(mind.memory.arriving(state));
                self.score(mind, touched.copied());
            }
        }
    }
}
