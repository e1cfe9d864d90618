//! The Grimoire: a golem's episodes, stored in columns so that scoring them all is one pass over flat arrays.
//!
//! Invariant: all columns (`columns.rs`) have one length, and slot `i` of each belongs to the same episode. Slots are reused when an
//! episode leaves, so code that changes a Grimoire or outlives a borrow names episodes by [`EpisodeId`]; slots are for passes over the
//! columns, during which the borrow keeps them valid. The outline (`outline.rs`) always equals one that is made anew; `directions.rs` has
//! its quantised embeddings, `survey.rs` cached figures, `saved.rs` the form in a checkpoint. In reinforcement learning it is the replay
//! buffer, in agent engineering the episodic memory or vector store. It is bounded: on overflow (500 by default) the episode with the
//! lowest retention leaves (eviction). Retention runs from 0 to 1 and falls exponentially in ticks since the last access (forgetting
//! curve), by a time constant that replays and recalls that paid make longer. Nothing else leaves by age. The memories that dream (`bardo`)
//! have one each; OWM and others keep stores of their own. `morta score` and load tests fill one from a file or with made-up episodes, to
//! score replays.

use crate::episode::{Episode, EpisodeKind, EpisodeRecord};
use morta_base::keys;
use morta_base::lazy_box::LazyBox;
use morta_base::{EpisodeId, Tick, math};
use serde::Deserialize;

mod columns;
mod directions;
mod outline;
mod saved;
mod survey;

use columns::{Columns, Copies, Traces};
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
        /// Whether scars of the dead are averaged, in recall and in dreams, with what trades earn. They were chosen because they
        /// ended terribly, so their mean says how bad it can get, and not what is to be expected; true for comparison.
        scars_as_evidence: bool = false;
    }
}

morta_base::words! {
    /// The urgency of an episode's replay, as the Curator or micro-consolidation sees it. A replay priority level (prioritized experience
    /// replay).
    #[derive(Default)]
    pub enum DreamPriority {
        /// Not tagged.
        #[default]
        Normal = "normal",
        /// Tagged; its replay utility is times `dream.replay.curator_boost_medium`.
        Medium = "medium",
        /// Tagged; its replay utility is times `dream.replay.curator_boost`.
        High = "high",
    }
}

/// A columnar episode store of bounded capacity: a replay buffer (experience replay memory) with a forgetting curve.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "saved::Saved<'static>")]
pub struct Grimoire {
    config: GrimoireConfig,
    dimensions: u32,
    columns: LazyBox<Columns>,
}

/// Compares the saved columns; the others follow from them.
impl PartialEq for Grimoire {
    fn eq(&self, other: &Self) -> bool {
        let (one, two) = (&*self.columns, &*other.columns);
        self.config == other.config
            && self.dimensions == other.dimensions
            && one.records == two.records
            && one.embeddings == two.embeddings
            && one.traces == two.traces
    }
}

impl Grimoire {
    /// An empty replay buffer for embeddings of the given length. Nothing is allocated until the first episode (lazy allocation).
    pub fn new(config: GrimoireConfig, dimensions: u32) -> Self {
        Self { config, dimensions, columns: LazyBox::default() }
    }

    /// Number of episodes, the size of the replay buffer.
    pub fn len(&self) -> usize {
        self.columns.records.len()
    }

    /// Whether it holds no episode.
    pub fn is_empty(&self) -> bool {
        self.columns.records.is_empty()
    }

    /// Whether an episode may be averaged with others of its kind: a trade that wasn't handed over for its outcome, so that a mean has no
    /// selection bias.
    pub(crate) fn is_evidence(&self, episode: &EpisodeRecord) -> bool {
        episode.kind == EpisodeKind::Trade && self.is_fair(episode)
    }

    /// Whether an episode came here without regard to its outcome: it was lived through, or scars count as well. A mean over scars would
    /// have a selection bias: it would be that of trades chosen because they ended terribly. Guards drawn from scars, and the control that
    /// deals outcomes, tell scars apart by it.
    pub fn is_fair(&self, episode: &EpisodeRecord) -> bool {
        self.config.scars_as_evidence || !episode.is_inherited()
    }

    /// `is_evidence` of a slot, from the columns: waking recall asks it of every episode at every decision.
    pub(crate) fn is_evidence_at(&self, slot: usize) -> bool {
        self.trades()[slot] && (self.config.scars_as_evidence || !self.inherited()[slot])
    }

    /// The trades from which earnings may be averaged without selection bias, in the order of slots.
    pub fn evidence(&self) -> impl Iterator<Item = &EpisodeRecord> + Clone {
        self.records().iter().filter(|episode| self.is_evidence(episode))
    }

    /// Capacity: the most episodes it keeps.
    pub fn capacity(&self) -> usize {
        self.config.capacity as usize
    }

    /// Dimension of the embeddings (vector length), one for a world.
    pub fn dimensions(&self) -> usize {
        self.dimensions as usize
    }

    /// The most bytes an episode takes (memory footprint), its decision chain aside: vectors may be grown to twice what they hold, and so
    /// may the nodes of the index. Its direction takes half as much as its embedding.
    pub const fn bytes_of_episode(dimensions: u32) -> u64 {
        let embedding = dimensions as usize * size_of::<f32>();
        let index = size_of::<(EpisodeId, u32)>();
        let row = Copies::ROW_BYTES + Traces::ROW_BYTES + outline::ROW_BYTES;
        2 * (size_of::<EpisodeRecord>() + row + index + embedding + embedding / 2) as u64
    }

    /// Goes on by other keys; where there is less room, the least retained episodes are evicted. More room changes nothing else.
    pub fn rebind(&mut self, config: GrimoireConfig, now: Tick) {
        self.config = config;
        while self.len() > self.capacity() {
            let weakest = self.least_retained(now).expect("what is over full is not empty");
            self.take_out(weakest);
        }
    }

    /// Stores an episode, and on overflow evicts the least retained of the others, whose record is returned. An episode already known (by
    /// its id) is left as it is.
    ///
    /// # Panics
    /// When the embedding's length isn't the store's: embeddings of one world have one dimension.
    pub fn insert(&mut self, episode: Episode, now: Tick) -> Option<EpisodeRecord> {
        if self.contains(episode.id) {
            return None;
        }
        let evicted = (self.len() >= self.capacity()).then(|| {
            let weakest = self.least_retained(now).expect("a full store of capacity 1 or more is not empty");
            self.take_out(weakest)
        });
        let (record, embedding) = episode.parts();
        self.push(record, &embedding, now);
        evicted
    }

    /// Adds an episode with its history of replays, as an import knows it.
    ///
    /// # Panics
    /// When its id is known already, there is no room, or the embedding's length isn't the store's.
    ///
    /// Deserialisation of an episode with its replay history.
    pub fn restore(
        &mut self,
        episode: Episode,
        last_replayed: Option<Tick>,
        replay_count: u32,
        priority: DreamPriority,
    ) {
        assert!(self.len() < self.capacity(), "an import fits its store");
        assert!(!self.contains(episode.id), "an import names an episode once");
        let (slot, closed) = (self.len(), episode.closed);
        let (record, embedding) = episode.parts();
        self.push(record, &embedding, closed);
        self.set_replays(slot, last_replayed, replay_count, priority);
    }

    fn set_replays(&mut self, slot: usize, last: Option<Tick>, count: u32, priority: DreamPriority) {
        let was_trusted = self.is_trusted(slot);
        let traces = &mut self.columns.traces;
        traces.last_replayed[slot] = last;
        traces.replay_count[slot] = count;
        traces.priority[slot] = priority;
        self.outline_touch(slot, was_trusted);
    }

    fn push(&mut self, record: EpisodeRecord, embedding: &[f32], now: Tick) {
        assert_eq!(embedding.len(), self.dimensions(), "embeddings of one world have one dimension");
        let slot = self.len();
        let columns = &mut *self.columns;
        columns.embeddings.extend_from_slice(embedding);
        columns.copies.push(&record, embedding);
        columns.traces.push(&record, now);
        columns.slots.insert(record.id, slot as u32);
        columns.records.push(record);
        self.outline_push(slot);
        self.survey_anew();
        self.assert_one_length();
    }

    /// Takes an episode out, if it is stored: a deletion by id, which triage asks for at the end of a dream.
    pub fn remove(&mut self, id: EpisodeId) -> Option<EpisodeRecord> {
        self.slot_of(id).map(|slot| self.take_out(slot))
    }

    /// Takes a slot out; the last moves into its place.
    fn take_out(&mut self, slot: usize) -> EpisodeRecord {
        self.outline_remove(slot);
        self.survey_anew();
        let (dims, last) = (self.dimensions(), self.len() - 1);
        let columns = &mut *self.columns;
        columns.embeddings.copy_within(last * dims..(last + 1) * dims, slot * dims);
        columns.embeddings.truncate(last * dims);
        columns.copies.swap_remove(slot);
        columns.traces.swap_remove(slot);
        let taken = columns.records.swap_remove(slot);
        columns.slots.remove(&taken.id);
        if let Some(moved) = columns.records.get(slot) {
            columns.slots.insert(moved.id, slot as u32);
        }
        self.assert_one_length();
        taken
    }

    fn assert_one_length(&self) {
        let (columns, rows) = (&*self.columns, self.len());
        debug_assert!(
            columns.copies.are_all_of(rows)
                && columns.traces.are_all_of(rows)
                && columns.outline.are_all_of(rows)
                && columns.slots.len() == rows,
            "all columns have one length"
        );
    }

    /// Retention, the forgetting curve (Ebbinghaus): e^(−(now − last accessed) / (half-life · strength)), in (0, 1] (replay spec,
    /// "dream-retrieval strengthening"; the spec's half-life is a time constant here). Bloodstains have a longer half-life. Eviction goes
    /// by it, and so does the pool of fading memories at a dream's onset.
    pub fn retention(&self, slot: usize, now: Tick) -> f64 {
        let multiple = if self.inherited()[slot] { self.config.bloodstain_half_life_multiple } else { 1.0 };
        let time_constant = self.config.episode_half_life_ticks * multiple * f64::from(self.strength()[slot]);
        math::exp(-(now.saturating_sub(self.last_accessed()[slot]) as f64) / time_constant)
    }

    /// The slot that leaves on overflow; of equally retained ones the oldest, so that the order of slots, which removals change, doesn't
    /// decide.
    fn least_retained(&self, now: Tick) -> Option<usize> {
        (0..self.len()).min_by(|&a, &b| {
            let older = self.closed()[a].cmp(&self.closed()[b]);
            self.retention(a, now).total_cmp(&self.retention(b, now)).then(older)
        })
    }

    /// Looks up the slot (row number) of an episode, while it is stored; it is valid until the Grimoire changes.
    pub fn slot_of(&self, id: EpisodeId) -> Option<usize> {
        self.columns.slots.get(&id).map(|slot| *slot as usize)
    }

    /// Whether an episode is stored: a membership test by id.
    pub fn contains(&self, id: EpisodeId) -> bool {
        self.columns.slots.contains_key(&id)
    }

    /// Looks up the record of an episode by its id, while it is stored, without its embedding.
    pub fn get(&self, id: EpisodeId) -> Option<&EpisodeRecord> {
        self.slot_of(id).map(|slot| self.record(slot))
    }

    /// Looks up the embedding vector of an episode by its id, while it is stored.
    pub(crate) fn embedding_of(&self, id: EpisodeId) -> Option<&[f32]> {
        self.slot_of(id).map(|slot| self.embedding(slot))
    }

    /// The centroid of the embeddings of some episodes, up to its length; `None` when none of them is stored. Cosines don't depend on length,
    /// so the sum serves as well as the mean.
    pub(crate) fn centroid(&self, ids: impl Iterator<Item = EpisodeId>) -> Option<Vec<f32>> {
        ids.filter_map(|id| self.embedding_of(id)).fold(None, |sum, embedding| {
            let mut sum = sum.unwrap_or_else(|| vec![0.0_f32; embedding.len()]);
            sum.iter_mut().zip(embedding).for_each(|(total, x)| *total += x);
            Some(sum)
        })
    }

    /// Copies an episode with its embedding, as it can be handed on in a bequest, while it is stored.
    pub fn episode(&self, id: EpisodeId) -> Option<Episode> {
        self.slot_of(id).map(|slot| self.record(slot).clone().with_embedding(self.embedding(slot).into()))
    }

    /// The record (row) at a slot; panics beyond the last.
    pub fn record(&self, slot: usize) -> &EpisodeRecord {
        &self.columns.records[slot]
    }

    /// All records as a slice, by slot. Slots are in no order of time.
    pub fn records(&self) -> &[EpisodeRecord] {
        &self.columns.records
    }

    /// All embedding vectors, slot after slot: a row-major matrix.
    pub fn embeddings(&self) -> &[f32] {
        &self.columns.embeddings
    }

    /// The embedding at a slot: a row of the embedding matrix.
    pub fn embedding(&self, slot: usize) -> &[f32] {
        &self.columns.embeddings[slot * self.dimensions()..(slot + 1) * self.dimensions()]
    }

    /// Notes a replay: increments the replay count, strengthens the trace by `strengthen` and clears the tag. Nothing happens when the
    /// episode has left. Replay strengthens as rehearsal does in spaced repetition.
    pub fn mark_replayed(&mut self, id: EpisodeId, now: Tick, strengthen: f32) {
        let Some(slot) = self.slot_of(id) else { return };
        let count = self.replay_count()[slot] + 1;
        self.strengthen(slot, now, strengthen);
        self.set_replays(slot, Some(now), count, DreamPriority::Normal);
    }

    /// Notes a waking retrieval that helped: the trace is strengthened and refreshed (the testing effect). Nothing happens when the episode
    /// has left.
    pub fn reinforce(&mut self, id: EpisodeId, now: Tick, strengthen: f32) {
        if let Some(slot) = self.slot_of(id) {
            self.strengthen(slot, now, strengthen);
        }
    }

    fn strengthen(&mut self, slot: usize, now: Tick, by: f32) {
        self.columns.traces.strength[slot] += by;
        self.columns.traces.last_accessed[slot] = now;
    }

    /// Tags an episode for prioritised replay in the next dream; a higher tag that it has stays. Nothing happens when the episode has left.
    pub fn tag(&mut self, id: EpisodeId, priority: DreamPriority) {
        if let Some(slot) = self.slot_of(id) {
            let priority = priority.max(self.priority()[slot]);
            self.set_replays(slot, self.last_replayed()[slot], self.replay_count()[slot], priority);
        }
    }

    /// Keeps the outcome of an episode and drops its decision chain, once a rule has been drawn from it. Returns whether it is stored. The
    /// gist stays without the detail.
    pub fn abstract_away(&mut self, id: EpisodeId) -> bool {
        let slot = self.slot_of(id);
        slot.into_iter().for_each(|slot| self.columns.records[slot].chain = Vec::new());
        slot.is_some()
    }

    /// A copy in which the outcomes of the named trades (result, profit, regret, better strategy and chain) are dealt out among them anew,
    /// `order[i]` being the place among `slots` that `slots[i]` gets its outcome from. Everything that decides the choice of replays stays.
    /// This is the research control "dreams without information", a permutation.
    ///
    /// # Panics
    /// When `order` isn't as long as `slots`.
    #[must_use]
    pub(crate) fn with_dealt_outcomes(&self, slots: &[usize], order: &[usize]) -> Self {
        assert_eq!(slots.len(), order.len(), "every trade gets one outcome");
        let mut dealt = self.clone();
        for (&slot, &from) in slots.iter().zip(order) {
            let source = self.record(slots[from]);
            let record = &mut dealt.columns.records[slot];
            record.realised_r = source.realised_r;
            record.pnl = source.pnl;
            record.regret = source.regret;
            record.better_strategy = source.better_strategy;
            record.chain = source.chain.clone();
            dealt.columns.copies.realised_r[slot] = self.realised_r()[slots[from]];
            // Outcomes don't decide whether it is trusted.
            dealt.outline_touch(slot, self.is_trusted(slot));
        }
        dealt.survey_anew();
        dealt
    }

    /// Takes a share, 0 to 1, off the arousal of an episode, multiplicatively. Returns whether it is stored. In this processing of
    /// emotional memories (extinction), the affect fades while the content stays.
    pub fn depotentiate(&mut self, id: EpisodeId, share: f32) -> bool {
        let slot = self.slot_of(id);
        if let Some(slot) = slot {
            let arousal = self.arousal()[slot] * (1.0 - share);
            self.columns.copies.arousal[slot] = arousal;
            self.columns.records[slot].arousal = f64::from(arousal);
        }
        slot.is_some()
    }
}

#[cfg(test)]
mod tests;
