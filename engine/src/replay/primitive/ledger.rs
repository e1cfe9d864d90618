//! The primitives that a golem has met, alone and together, and the sets that could be put together from them (co-occurrence counts,
//! itemset mining).
//!
//! Counts are numbers of situations; a situation is one episode with the primitives it showed. Sets that never occurred though their
//! parts did are the material of imagined situations. Each rich dream labels what has been remembered since the last one (replay spec: the
//! taxonomy is built incrementally), and what was counted stays counted when its episodes are forgotten: a situation that was met once
//! isn't unmet for being forgotten. Nothing is handed on; an heir labels the episodes that it inherits.

use crate::episode::{EpisodeRecord, Grimoire};
use crate::replay::primitive::{MAX_RECOMBINED, NEIGHBOUR_TICKS, Neighbours, Primitive, PrimitiveSet, label};
use morta_base::EpisodeId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Counts of situations met, by the primitives they showed: a co-occurrence table (itemset counts).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PrimitiveLedger {
    /// Times that each exact set was met.
    situations: BTreeMap<PrimitiveSet, u32>,
    /// The set that each remembered episode showed.
    episodes: BTreeMap<EpisodeId, PrimitiveSet>,
}

impl PrimitiveLedger {
    /// The ledger after the episodes of a Grimoire that it hasn't labelled yet, inherited ones included, each with its neighbours of the
    /// same life (an incremental update). Counts of forgotten episodes stay; their labels go, for no trade asks for them any more.
    #[must_use]
    pub fn after(&self, grimoire: &Grimoire) -> Self {
        let mut episodes: Vec<&EpisodeRecord> = grimoire.records().iter().collect();
        episodes.sort_unstable_by_key(|episode| (episode.lived_by(), episode.opened, episode.id));
        let mut ledger = self.clone();
        ledger.episodes.retain(|episode, _| grimoire.contains(*episode));
        for life in episodes.chunk_by(|a, b| a.lived_by() == b.lived_by()) {
            for (place, episode) in life.iter().enumerate() {
                if ledger.episodes.contains_key(&episode.id) {
                    continue;
                }
                let earlier = || life[..place].iter().rev().copied();
                // Beyond the span no neighbour counts, so the search is short.
                let near = || earlier().take_while(|other| episode.opened - other.opened <= NEIGHBOUR_TICKS);
                let neighbours = Neighbours {
                    before: near().find(|other| other.asset == episode.asset),
                    elsewhere: near().find(|other| other.asset != episode.asset),
                };
                let situation = label(episode, neighbours);
                ledger.record(situation);
                ledger.episodes.insert(episode.id, situation);
            }
        }
        ledger
    }

    /// Counts one situation, an itemset. A situation without primitives isn't counted: it would make nothing known.
    pub fn record(&mut self, situation: PrimitiveSet) {
        if !situation.is_empty() {
            *self.situations.entry(situation).or_default() += 1;
        }
    }

    /// Looks up the primitives that an episode showed; none for an unknown episode.
    pub(crate) fn parts_of(&self, episode: EpisodeId) -> PrimitiveSet {
        self.episodes.get(&episode).copied().unwrap_or_default()
    }

    /// Times that a primitive was met, alone or with others: its marginal count (support).
    pub fn met(&self, primitive: Primitive) -> u32 {
        let with_it = self.situations.iter().filter(|(situation, _)| situation.contains(primitive));
        with_it.map(|(_, times)| times).sum()
    }

    /// Whether these have been met together, in one situation or as part of a larger one: a co-occurrence test by superset.
    pub(crate) fn met_together(&self, set: PrimitiveSet) -> bool {
        self.situations.keys().any(|situation| situation.includes(set))
    }

    /// Lists sets never met (novel combinations) although each of their members was, all of them composable. The most familiar comes first,
    /// by the count of its least familiar member, because a claim about a set rests on the weakest evidence among its parts; then smaller
    /// before larger, then the usual order.
    pub fn recombinations(&self) -> Vec<PrimitiveSet> {
        let met = Primitive::ALL.map(|primitive| self.met(primitive));
        let familiarity = |set: PrimitiveSet| set.iter().map(|p| met[p as usize]).min().unwrap_or(0);
        let is_new =
            |set: &PrimitiveSet| set.is_composable() && familiarity(*set) > 0 && !self.met_together(*set);
        let mut sets: Vec<PrimitiveSet> = PrimitiveSet::of_sizes(2, MAX_RECOMBINED).filter(is_new).collect();
        sets.sort_by_key(|set| (std::cmp::Reverse(familiarity(*set)), set.len(), *set));
        sets
    }
}
