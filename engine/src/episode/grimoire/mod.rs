//! The Grimoire: a golem's episodes, stored in columns so that scoring them all is one pass over flat arrays.
//!
//! Invariant: all columns have one length, and slot `i` of each speaks of the same episode. Slots are reused when
//! an episode leaves; keep an [`EpisodeId`], not a slot, across changes. The outline (`outline.rs`) is always what it
//! would be if it were made anew.

use crate::base::lazy_box::LazyBox;
use crate::base::{EpisodeId, Tick, math};
use crate::episode::Episode;
use crate::keys;
use crate::market::Regime;
use serde::{Deserialize, Serialize};

mod columns;
mod directions;
mod outline;
mod saved;
mod survey;

use columns::Filled;
pub(crate) use directions::{Direction, LANES};
pub(crate) use outline::Marks;

keys! {
    /// Capacity and forgetting.
    pub struct GrimoireConfig {
        /// Most episodes kept; on overflow the least retained leaves.
        capacity: u32 = 500, in 1..=1_000_000, "episodes";
        /// Retention time constant of an episode, in ticks (48 hours of 40-second ticks).
        episode_half_life_ticks: f64 = 4_320.0, in 1.0..=1e12, "ticks";
        /// How many times longer a bloodstain is retained.
        bloodstain_half_life_multiple: f64 = 3.0, in 1.0..=1e6, "factor";
    }
}

/// How urgently the Curator wants an episode replayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DreamPriority {
    /// Not tagged.
    #[default]
    Normal,
    /// Tagged, no boost.
    Medium,
    /// Tagged; its replay utility is doubled.
    High,
}

/// Columnar episode store of bounded capacity.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "saved::Saved")]
pub struct Grimoire {
    config: GrimoireConfig,
    dimensions: u32,
    columns: LazyBox<Filled>,
}

/// What follows from the rest is left out.
impl PartialEq for Grimoire {
    fn eq(&self, other: &Self) -> bool {
        let (one, two) = (&*self.columns, &*other.columns);
        self.config == other.config
            && self.dimensions == other.dimensions
            && one.records == two.records
            && one.regret == two.regret
            && one.priority == two.priority
            && one.strength == two.strength
            && one.last_accessed == two.last_accessed
            && one.last_replayed == two.last_replayed
            && one.replay_count == two.replay_count
    }
}

impl Grimoire {
    /// An empty store for embeddings of the given length. Nothing is allocated until the first episode.
    pub fn new(config: GrimoireConfig, dimensions: u32) -> Self {
        Self { config, dimensions, columns: LazyBox::default() }
    }

    /// How many episodes there are.
    pub fn len(&self) -> usize {
        self.columns.records.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.columns.records.is_empty()
    }

    /// Most episodes it keeps.
    pub fn capacity(&self) -> usize {
        self.config.capacity as usize
    }

    /// Length of the embeddings.
    pub fn dimensions(&self) -> usize {
        self.dimensions as usize
    }

    /// Goes on by other keys; where there is less room, the least retained episodes go.
    pub fn rebind(&mut self, config: GrimoireConfig, now: Tick) {
        self.config = config;
        while self.len() > self.capacity() {
            let weakest = self.least_retained(now).expect("what is over full is not empty");
            self.remove(weakest);
        }
    }

    /// Stores an episode, and on overflow takes out the least retained of the others. An episode already known (by
    /// its id) is left as it is.
    ///
    /// # Panics
    /// When the embedding's length isn't the store's: embeddings of one world have one dimension.
    pub fn insert(&mut self, episode: Episode, now: Tick) -> Option<Episode> {
        assert_eq!(episode.embedding.len(), self.dimensions(), "embeddings of one world have one dimension");
        if self.slot_of(episode.id).is_some() {
            return None;
        }
        let evicted = (self.len() >= self.capacity()).then(|| {
            let weakest = self.least_retained(now).expect("a full store of capacity 1 or more is not empty");
            self.remove(weakest)
        });
        self.push(episode, now);
        evicted
    }

    /// Adds an episode with its history of replays, as an import knows it. Its id must be new, and there must be room.
    ///
    /// # Panics
    /// When there is no room, or the embedding's length isn't the store's.
    pub fn restore(
        &mut self,
        episode: Episode,
        last_replayed: Option<Tick>,
        replay_count: u32,
        priority: DreamPriority,
    ) {
        assert!(self.len() < self.capacity(), "an import fits its store");
        assert_eq!(episode.embedding.len(), self.dimensions(), "embeddings of one world have one dimension");
        let (slot, closed) = (self.len(), episode.closed);
        self.push(episode, closed);
        self.set_replays(slot, last_replayed, replay_count, priority);
    }

    fn set_replays(&mut self, slot: usize, last: Option<Tick>, count: u32, priority: DreamPriority) {
        let was_trusted = self.is_trusted(slot);
        self.columns.last_replayed[slot] = last;
        self.columns.replay_count[slot] = count;
        self.columns.priority[slot] = priority;
        self.outline_touch(slot, was_trusted);
    }

    fn push(&mut self, episode: Episode, now: Tick) {
        let columns = &mut *self.columns;
        columns.embeddings.extend_from_slice(&episode.embedding);
        columns.closed.push(episode.closed);
        columns.regimes.push(episode.context.regime);
        columns.surprise.push(episode.surprise as f32);
        columns.significance.push(episode.significance as f32);
        columns.regret.push(episode.regret as f32);
        columns.realised_r.push(episode.realised_r as f32);
        columns.arousal.push(episode.arousal as f32);
        columns.bloodstain.push(episode.is_inherited());
        columns.priority.push(DreamPriority::Normal);
        columns.strength.push(1.0);
        columns.last_accessed.push(now);
        columns.last_replayed.push(None);
        columns.replay_count.push(0);
        columns.records.push(episode);
        self.outline_push(self.len() - 1);
        self.survey_anew();
    }

    /// Takes an episode out; the last slot moves into its place.
    pub fn remove(&mut self, slot: usize) -> Episode {
        self.outline_remove(slot);
        self.survey_anew();
        let (dims, last) = (self.dimensions(), self.len() - 1);
        let columns = &mut *self.columns;
        columns.embeddings.copy_within(last * dims..(last + 1) * dims, slot * dims);
        columns.embeddings.truncate(last * dims);
        columns.closed.swap_remove(slot);
        columns.regimes.swap_remove(slot);
        columns.surprise.swap_remove(slot);
        columns.significance.swap_remove(slot);
        columns.regret.swap_remove(slot);
        columns.realised_r.swap_remove(slot);
        columns.arousal.swap_remove(slot);
        columns.bloodstain.swap_remove(slot);
        columns.priority.swap_remove(slot);
        columns.strength.swap_remove(slot);
        columns.last_accessed.swap_remove(slot);
        columns.last_replayed.swap_remove(slot);
        columns.replay_count.swap_remove(slot);
        columns.records.swap_remove(slot)
    }

    /// e^(−(now − last accessed) / (half-life · strength)), in (0, 1] (replay spec, "dream-retrieval
    /// strengthening"; the spec's half-life is a time constant here). Bloodstains have a longer half-life.
    pub fn retention(&self, slot: usize, now: Tick) -> f64 {
        let multiple =
            if self.columns.bloodstain[slot] { self.config.bloodstain_half_life_multiple } else { 1.0 };
        let time_constant =
            self.config.episode_half_life_ticks * multiple * f64::from(self.columns.strength[slot]);
        math::exp(-(now.saturating_sub(self.columns.last_accessed[slot]) as f64) / time_constant)
    }

    fn least_retained(&self, now: Tick) -> Option<usize> {
        (0..self.len()).min_by(|&a, &b| {
            let older = self.columns.closed[a].cmp(&self.columns.closed[b]);
            self.retention(a, now).total_cmp(&self.retention(b, now)).then(older)
        })
    }

    /// The slot of an episode, while it is stored.
    pub fn slot_of(&self, id: EpisodeId) -> Option<usize> {
        self.columns.records.iter().position(|record| record.id == id)
    }

    /// The whole record.
    pub fn record(&self, slot: usize) -> &Episode {
        &self.columns.records[slot]
    }

    /// All records, by slot.
    pub fn records(&self) -> &[Episode] {
        &self.columns.records
    }

    /// All embeddings, slot after slot.
    pub fn embeddings(&self) -> &[f32] {
        &self.columns.embeddings
    }

    /// One embedding.
    pub fn embedding(&self, slot: usize) -> &[f32] {
        &self.columns.embeddings[slot * self.dimensions()..(slot + 1) * self.dimensions()]
    }

    /// Ticks at which the episodes closed.
    pub fn closed(&self) -> &[Tick] {
        &self.columns.closed
    }

    /// Perceived regimes at the decisions.
    pub fn regimes(&self) -> &[Regime] {
        &self.columns.regimes
    }

    /// Surprises, in R.
    pub fn surprise(&self) -> &[f32] {
        &self.columns.surprise
    }

    /// Outcome significances, |profit| over stake.
    pub fn significance(&self) -> &[f32] {
        &self.columns.significance
    }

    /// Counterfactual regrets, in R.
    pub fn regret(&self) -> &[f32] {
        &self.columns.regret
    }

    /// Realised R-multiples.
    pub fn realised_r(&self) -> &[f32] {
        &self.columns.realised_r
    }

    /// Arousals, 0 to 1.
    pub fn arousal(&self) -> &[f32] {
        &self.columns.arousal
    }

    /// Which episodes came from bloodstains.
    pub fn bloodstain(&self) -> &[bool] {
        &self.columns.bloodstain
    }

    /// The Curator's tags.
    pub fn priority(&self) -> &[DreamPriority] {
        &self.columns.priority
    }

    /// Memory strengths, from 1.
    pub fn strength(&self) -> &[f32] {
        &self.columns.strength
    }

    /// When each episode was last replayed, if ever.
    pub fn last_replayed(&self) -> &[Option<Tick>] {
        &self.columns.last_replayed
    }

    /// How often each episode has been replayed.
    pub fn replay_count(&self) -> &[u32] {
        &self.columns.replay_count
    }

    /// Notes a replay: counts it, strengthens the trace by `strengthen` and clears the Curator's tag.
    pub fn mark_replayed(&mut self, slot: usize, now: Tick, strengthen: f32) {
        let count = self.columns.replay_count[slot] + 1;
        self.columns.strength[slot] += strengthen;
        self.columns.last_accessed[slot] = now;
        self.set_replays(slot, Some(now), count, DreamPriority::Normal);
    }

    /// Notes a waking retrieval that helped: the trace is strengthened and refreshed.
    pub fn reinforce(&mut self, slot: usize, now: Tick, strengthen: f32) {
        self.columns.strength[slot] += strengthen;
        self.columns.last_accessed[slot] = now;
    }

    /// Tags an episode for the next dream.
    pub fn tag(&mut self, slot: usize, priority: DreamPriority) {
        self.set_replays(slot, self.columns.last_replayed[slot], self.columns.replay_count[slot], priority);
    }

    /// Keeps what an episode came to and lets go of how: a rule has been drawn from it.
    pub fn abstract_away(&mut self, slot: usize) {
        self.columns.records[slot].chain = Vec::new();
    }

    /// A copy in which the outcomes of the named trades (result, regret and the better strategy) are dealt out among them
    /// anew, `order[i]` being the place among `slots` that `slots[i]` gets its outcome from. Everything that decides what is
    /// replayed stays. This is the research control "dreams without information".
    ///
    /// # Panics
    /// When `order` isn't as long as `slots`.
    #[must_use]
    pub fn with_dealt_outcomes(&self, slots: &[usize], order: &[usize]) -> Self {
        assert_eq!(slots.len(), order.len(), "every trade gets one outcome");
        let mut dealt = self.clone();
        for (&slot, &from) in slots.iter().zip(order) {
            let source = &self.columns.records[slots[from]];
            let record = &mut dealt.columns.records[slot];
            record.realised_r = source.realised_r;
            record.pnl = source.pnl;
            record.regret = source.regret;
            record.better_strategy = source.better_strategy;
            record.chain = source.chain.clone();
            dealt.columns.realised_r[slot] = self.columns.realised_r[slots[from]];
            // Outcomes don't decide whether it is trusted.
            dealt.outline_touch(slot, self.is_trusted(slot));
        }
        dealt.survey_anew();
        dealt
    }

    /// Lowers the arousal of an episode.
    pub fn set_arousal(&mut self, slot: usize, arousal: f32) {
        self.columns.arousal[slot] = arousal;
        self.columns.records[slot].arousal = f64::from(arousal);
    }
}

#[cfg(test)]
pub(crate) mod tests;
