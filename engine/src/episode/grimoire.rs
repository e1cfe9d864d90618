//! The Grimoire: a golem's episodes, stored in columns so that scoring them all is one pass over flat arrays.
//!
//! Invariant: all columns have one length, and slot `i` of each speaks of the same episode. Slots are reused when
//! an episode leaves; keep an [`EpisodeId`], not a slot, across changes. The outline (`outline.rs`) is always what it
//! would be if it were made anew.

use crate::base::{EpisodeId, Tick, math};
use crate::episode::Episode;
use crate::market::Regime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod directions;
mod outline;
mod saved;
mod survey;

pub(crate) use directions::{Direction, LANES};
pub(crate) use outline::Marks;

/// Capacity and forgetting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GrimoireConfig {
    /// Most episodes kept, 1 to 1,000,000; on overflow the least retained leaves.
    pub capacity: u32,
    /// Retention time constant of an episode, in ticks (48 hours of 40-second ticks), at least 1.
    pub episode_half_life_ticks: f64,
    /// How many times longer a bloodstain is retained, at least 1.
    pub bloodstain_half_life_multiple: f64,
}

impl Default for GrimoireConfig {
    fn default() -> Self {
        Self { capacity: 500, episode_half_life_ticks: 4_320.0, bloodstain_half_life_multiple: 3.0 }
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
    embeddings: Vec<f32>,
    closed: Vec<Tick>,
    regimes: Vec<Regime>,
    surprise: Vec<f32>,
    significance: Vec<f32>,
    regret: Vec<f32>,
    realised_r: Vec<f32>,
    arousal: Vec<f32>,
    bloodstain: Vec<bool>,
    priority: Vec<DreamPriority>,
    strength: Vec<f32>,
    last_accessed: Vec<Tick>,
    last_replayed: Vec<Option<Tick>>,
    replay_count: Vec<u32>,
    records: Vec<Episode>,
    outline: outline::Outline,
    survey: survey::Survey,
}

/// What follows from the rest is left out.
impl PartialEq for Grimoire {
    fn eq(&self, other: &Self) -> bool {
        self.config == other.config
            && self.dimensions == other.dimensions
            && self.records == other.records
            && self.regret == other.regret
            && self.priority == other.priority
            && self.strength == other.strength
            && self.last_accessed == other.last_accessed
            && self.last_replayed == other.last_replayed
            && self.replay_count == other.replay_count
    }
}

impl Grimoire {
    /// An empty store for embeddings of the given length. Nothing is allocated until the first episode.
    pub fn new(config: GrimoireConfig, dimensions: u32) -> Self {
        Self {
            config,
            dimensions,
            embeddings: Vec::new(),
            closed: Vec::new(),
            regimes: Vec::new(),
            surprise: Vec::new(),
            significance: Vec::new(),
            regret: Vec::new(),
            realised_r: Vec::new(),
            arousal: Vec::new(),
            bloodstain: Vec::new(),
            priority: Vec::new(),
            strength: Vec::new(),
            last_accessed: Vec::new(),
            last_replayed: Vec::new(),
            replay_count: Vec::new(),
            records: Vec::new(),
            outline: outline::Outline::default(),
            survey: survey::Survey::default(),
        }
    }

    /// How many episodes there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
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
        self.last_replayed[slot] = last;
        self.replay_count[slot] = count;
        self.priority[slot] = priority;
        self.outline_touch(slot, was_trusted);
    }

    fn push(&mut self, episode: Episode, now: Tick) {
        self.embeddings.extend_from_slice(&episode.embedding);
        self.closed.push(episode.closed);
        self.regimes.push(episode.context.regime);
        self.surprise.push(episode.surprise as f32);
        self.significance.push(episode.significance as f32);
        self.regret.push(episode.regret as f32);
        self.realised_r.push(episode.realised_r as f32);
        self.arousal.push(episode.arousal as f32);
        self.bloodstain.push(episode.is_inherited());
        self.priority.push(DreamPriority::Normal);
        self.strength.push(1.0);
        self.last_accessed.push(now);
        self.last_replayed.push(None);
        self.replay_count.push(0);
        self.records.push(episode);
        self.outline_push(self.len() - 1);
        self.survey_anew();
    }

    /// Takes an episode out; the last slot moves into its place.
    pub fn remove(&mut self, slot: usize) -> Episode {
        self.outline_remove(slot);
        self.survey_anew();
        let (dims, last) = (self.dimensions(), self.len() - 1);
        self.embeddings.copy_within(last * dims..(last + 1) * dims, slot * dims);
        self.embeddings.truncate(last * dims);
        self.closed.swap_remove(slot);
        self.regimes.swap_remove(slot);
        self.surprise.swap_remove(slot);
        self.significance.swap_remove(slot);
        self.regret.swap_remove(slot);
        self.realised_r.swap_remove(slot);
        self.arousal.swap_remove(slot);
        self.bloodstain.swap_remove(slot);
        self.priority.swap_remove(slot);
        self.strength.swap_remove(slot);
        self.last_accessed.swap_remove(slot);
        self.last_replayed.swap_remove(slot);
        self.replay_count.swap_remove(slot);
        self.records.swap_remove(slot)
    }

    /// e^(−(now − last accessed) / (half-life · strength)), in (0, 1] (replay spec, "dream-retrieval
    /// strengthening"; the spec's half-life is a time constant here). Bloodstains have a longer half-life.
    pub fn retention(&self, slot: usize, now: Tick) -> f64 {
        let multiple = if self.bloodstain[slot] { self.config.bloodstain_half_life_multiple } else { 1.0 };
        let time_constant = self.config.episode_half_life_ticks * multiple * f64::from(self.strength[slot]);
        math::exp(-(now.saturating_sub(self.last_accessed[slot]) as f64) / time_constant)
    }

    fn least_retained(&self, now: Tick) -> Option<usize> {
        (0..self.len()).min_by(|&a, &b| {
            let older = self.closed[a].cmp(&self.closed[b]);
            self.retention(a, now).total_cmp(&self.retention(b, now)).then(older)
        })
    }

    /// The slot of an episode, while it is stored.
    pub fn slot_of(&self, id: EpisodeId) -> Option<usize> {
        self.records.iter().position(|record| record.id == id)
    }

    /// The whole record.
    pub fn record(&self, slot: usize) -> &Episode {
        &self.records[slot]
    }

    /// All records, by slot.
    pub fn records(&self) -> &[Episode] {
        &self.records
    }

    /// All embeddings, slot after slot.
    pub fn embeddings(&self) -> &[f32] {
        &self.embeddings
    }

    /// One embedding.
    pub fn embedding(&self, slot: usize) -> &[f32] {
        &self.embeddings[slot * self.dimensions()..(slot + 1) * self.dimensions()]
    }

    /// Ticks at which the episodes closed.
    pub fn closed(&self) -> &[Tick] {
        &self.closed
    }

    /// Perceived regimes at the decisions.
    pub fn regimes(&self) -> &[Regime] {
        &self.regimes
    }

    /// Surprises, in R.
    pub fn surprise(&self) -> &[f32] {
        &self.surprise
    }

    /// Outcome significances, |profit| over stake.
    pub fn significance(&self) -> &[f32] {
        &self.significance
    }

    /// Counterfactual regrets, in R.
    pub fn regret(&self) -> &[f32] {
        &self.regret
    }

    /// Realised R-multiples.
    pub fn realised_r(&self) -> &[f32] {
        &self.realised_r
    }

    /// Arousals, 0 to 1.
    pub fn arousal(&self) -> &[f32] {
        &self.arousal
    }

    /// Which episodes came from bloodstains.
    pub fn bloodstain(&self) -> &[bool] {
        &self.bloodstain
    }

    /// The Curator's tags.
    pub fn priority(&self) -> &[DreamPriority] {
        &self.priority
    }

    /// Memory strengths, from 1.
    pub fn strength(&self) -> &[f32] {
        &self.strength
    }

    /// When each episode was last replayed, if ever.
    pub fn last_replayed(&self) -> &[Option<Tick>] {
        &self.last_replayed
    }

    /// How often each episode has been replayed.
    pub fn replay_count(&self) -> &[u32] {
        &self.replay_count
    }

    /// Notes a replay: counts it, strengthens the trace by `strengthen` and clears the Curator's tag.
    pub fn mark_replayed(&mut self, slot: usize, now: Tick, strengthen: f32) {
        let count = self.replay_count[slot] + 1;
        self.strength[slot] += strengthen;
        self.last_accessed[slot] = now;
        self.set_replays(slot, Some(now), count, DreamPriority::Normal);
    }

    /// Notes a waking retrieval that helped: the trace is strengthened and refreshed.
    pub fn reinforce(&mut self, slot: usize, now: Tick, strengthen: f32) {
        self.strength[slot] += strengthen;
        self.last_accessed[slot] = now;
    }

    /// Tags an episode for the next dream.
    pub fn tag(&mut self, slot: usize, priority: DreamPriority) {
        self.set_replays(slot, self.last_replayed[slot], self.replay_count[slot], priority);
    }

    /// Keeps what an episode came to and lets go of how: a rule has been drawn from it.
    pub fn abstract_away(&mut self, slot: usize) {
        self.records[slot].chain = Vec::new();
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
            let source = &self.records[slots[from]];
            let record = &mut dealt.records[slot];
            record.realised_r = source.realised_r;
            record.pnl = source.pnl;
            record.regret = source.regret;
            record.better_strategy = source.better_strategy;
            record.chain = source.chain.clone();
            dealt.realised_r[slot] = self.realised_r[slots[from]];
        }
        dealt.outline_anew();
        dealt.survey_anew();
        dealt
    }

    /// Lowers the arousal of an episode.
    pub fn set_arousal(&mut self, slot: usize, arousal: f32) {
        self.arousal[slot] = arousal;
        self.records[slot].arousal = f64::from(arousal);
    }
}

#[cfg(test)]
pub(crate) mod tests;
