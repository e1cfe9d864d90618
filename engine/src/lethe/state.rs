//! Deposit, rank, draw. The index is kept here; the bloodstains themselves are behind a store, so that the
//! same code serves memory and disk.

use crate::base::{BloodstainId, Lineage, Purpose, Tick, WorldSeed, math};
use crate::lethe::{Bloodstain, LetheConfig};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// A golem's last words to the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Testament {
    /// What it leaves.
    pub bloodstains: Vec<Bloodstain>,
}

/// A search for bloodstains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LetheQuery {
    /// The market as the asker sees it.
    pub embedding: Box<[f32]>,
    /// Most bloodstains wanted.
    pub limit: u32,
    /// The lineage whose bloodstains are kin's; none for somebody who is a stranger to all.
    pub kin: Option<Lineage>,
}

/// A bloodstain that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drawn {
    /// What was found.
    pub bloodstain: Bloodstain,
    /// Its place among the results, from 0.
    pub rank: u32,
    /// Its score, 0 to the sum of the weights.
    pub score: f64,
}

/// Why a store could not do its work.
#[derive(Debug, thiserror::Error)]
#[error("the Lethe's store failed: {0}")]
pub struct StoreError(pub String);

/// Where the bloodstains lie.
pub trait BloodstainStore {
    /// Keeps one.
    ///
    /// # Errors
    /// When it can't be kept safely.
    fn put(&mut self, bloodstain: &Bloodstain) -> Result<(), StoreError>;

    /// Finds one; `None` when it isn't there.
    ///
    /// # Errors
    /// When the store can't be read.
    fn get(&self, id: BloodstainId) -> Result<Option<Bloodstain>, StoreError>;

    /// Lets one go.
    ///
    /// # Errors
    /// When the store can't be written.
    fn remove(&mut self, id: BloodstainId) -> Result<(), StoreError>;
}

/// A store in memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MemoryStore(BTreeMap<BloodstainId, Bloodstain>);

impl BloodstainStore for MemoryStore {
    fn put(&mut self, bloodstain: &Bloodstain) -> Result<(), StoreError> {
        self.0.insert(bloodstain.id, bloodstain.clone());
        Ok(())
    }

    fn get(&self, id: BloodstainId) -> Result<Option<Bloodstain>, StoreError> {
        Ok(self.0.get(&id).cloned())
    }

    fn remove(&mut self, id: BloodstainId) -> Result<(), StoreError> {
        self.0.remove(&id);
        Ok(())
    }
}

/// What ranking needs to know of a bloodstain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    id: BloodstainId,
    available: Tick,
    died: Tick,
    quality: f64,
    is_scar: bool,
    embedding: Box<[f32]>,
}

/// The Lethe's index and rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lethe {
    config: LetheConfig,
    seed: WorldSeed,
    ticks_per_hour: f64,
    entries: VecDeque<Entry>,
}

/// Kinship of one's own lineage, and of all others.
const KIN: f64 = 1.0;
const STRANGER: f64 = 0.4;

impl Lethe {
    /// An empty Lethe in a world of such ticks.
    pub fn new(config: LetheConfig, seed: WorldSeed, tick_seconds: f64) -> Self {
        Self { config, seed, ticks_per_hour: 3_600.0 / tick_seconds, entries: VecDeque::new() }
    }

    /// How many bloodstains it holds.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Takes in a testament. Its bloodstains can be found after a delay of their own.
    ///
    /// # Errors
    /// When the store fails.
    pub fn deposit(
        &mut self,
        now: Tick,
        testament: Testament,
        store: &mut impl BloodstainStore,
    ) -> Result<(), StoreError> {
        for bloodstain in testament.bloodstains {
            let mut stream =
                self.seed.golem(bloodstain.id.golem, Purpose::LetheDelay, u64::from(bloodstain.id.number));
            let hours = stream.between(self.config.delay_hours_min, self.config.delay_hours_max);
            store.put(&bloodstain)?;
            self.entries.push_back(Entry {
                id: bloodstain.id,
                available: now + (hours * self.ticks_per_hour).round() as Tick,
                died: bloodstain.died,
                quality: bloodstain.quality(),
                is_scar: bloodstain.is_scar(),
                embedding: bloodstain.embedding,
            });
            if self.entries.len() > self.config.capacity as usize
                && let Some(oldest) = self.entries.pop_front()
            {
                store.remove(oldest.id)?;
            }
        }
        Ok(())
    }

    /// The best available bloodstains for an asker, best first; ties go to the older identity.
    ///
    /// # Errors
    /// When the store fails or has lost a bloodstain of the index.
    pub fn draw(
        &self,
        now: Tick,
        query: &LetheQuery,
        store: &impl BloodstainStore,
    ) -> Result<Vec<Drawn>, StoreError> {
        let mut ranked: Vec<(f64, BloodstainId)> = self
            .entries
            .iter()
            .filter(|entry| entry.available <= now)
            .map(|entry| (self.score(now, query, entry), entry.id))
            .collect();
        ranked.sort_by(|(a, a_id), (b, b_id)| b.total_cmp(a).then(a_id.cmp(b_id)));
        ranked.truncate(query.limit as usize);
        let find = |(rank, (score, id)): (usize, (f64, BloodstainId))| {
            let bloodstain = store
                .get(id)?
                .ok_or_else(|| StoreError(format!("bloodstain {id} is in the index but not there")))?;
            Ok(Drawn { bloodstain, rank: rank as u32, score })
        };
        ranked.into_iter().enumerate().map(find).collect()
    }

    /// Rank of layer L2 (digest section 15, X01): .35 semantic + .20 temporal e^(−h/168) + .25 quality + .10 provenance +
    /// .10 bloodstain, by default.
    fn score(&self, now: Tick, query: &LetheQuery, entry: &Entry) -> f64 {
        let config = &self.config;
        let semantic = 0.5 * (1.0 + math::cosine_similarity(&query.embedding, &entry.embedding));
        let hours = now.saturating_sub(entry.died) as f64 / self.ticks_per_hour;
        let temporal = math::exp(-hours / config.recency_hours);
        let kinship = if Some(entry.id.golem.lineage) == query.kin { KIN } else { STRANGER };
        config.semantic_weight * semantic
            + config.temporal_weight * temporal
            + config.quality_weight * entry.quality
            + config.provenance_weight * kinship
            + config.scar_weight * f64::from(u8::from(entry.is_scar))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::GolemId;
    use crate::episode::grimoire::tests::episode;
    use crate::lethe::Relic;
    use crate::mortality::Cause;

    fn bloodstain(lineage: u32, number: u32, surprise: f64) -> Bloodstain {
        let mut scar = episode(number, 100);
        scar.surprise = surprise;
        Bloodstain {
            id: BloodstainId { golem: GolemId::founder(lineage), number },
            cause: Cause::Economic,
            died: 100,
            age: 100,
            vitality: 0.05,
            context: scar.context,
            embedding: vec![1.0, 0.0].into(),
            relic: Relic::Scar(scar),
        }
    }

    fn lethe() -> Lethe {
        Lethe::new(LetheConfig::default(), WorldSeed(1), 40.0)
    }

    fn query(limit: u32) -> LetheQuery {
        LetheQuery { embedding: vec![1.0, 0.0].into(), limit, kin: Some(7) }
    }

    #[test]
    fn bloodstains_surface_after_one_to_six_hours() {
        let (mut lethe, mut store) = (lethe(), MemoryStore::default());
        let bloodstains = (0..50).map(|n| bloodstain(0, n, 1.0)).collect();
        lethe.deposit(100, Testament { bloodstains }, &mut store).unwrap();
        let found = |now| lethe.draw(now, &query(100), &store).unwrap().len();
        assert_eq!(found(100 + 89), 0);
        assert!((1..50).contains(&found(100 + 300)));
        assert_eq!(found(100 + 540), 50);
    }

    /// A perfect match of a stranger's scar of 3 R: .35 + .20·e^(−10/168) + .25 + .10·.4 + .10 = .928443.
    #[test]
    fn the_rank_is_the_weighted_sum() {
        let (mut lethe, mut store) = (lethe(), MemoryStore::default());
        lethe.deposit(100, Testament { bloodstains: vec![bloodstain(0, 0, 3.0)] }, &mut store).unwrap();
        let drawn = lethe.draw(1_000, &query(1), &store).unwrap();
        assert!((drawn[0].score - 0.928_443).abs() < 1e-6, "{}", drawn[0].score);
    }

    #[test]
    fn kin_and_quality_come_first() {
        let (mut lethe, mut store) = (lethe(), MemoryStore::default());
        let bloodstains = vec![bloodstain(0, 0, 0.3), bloodstain(7, 1, 0.3), bloodstain(0, 2, 3.0)];
        lethe.deposit(100, Testament { bloodstains }, &mut store).unwrap();
        let drawn = lethe.draw(10_000, &query(3), &store).unwrap();
        let order: Vec<u32> = drawn.iter().map(|d| d.bloodstain.id.number).collect();
        assert_eq!(order, [2, 1, 0]);
        assert_eq!(drawn.iter().map(|d| d.rank).collect::<Vec<_>>(), [0, 1, 2]);
    }

    /// The same scar is worth .06 less to a stranger: .10·(1 − .4).
    #[test]
    fn whoever_begins_afresh_has_no_kin() {
        let (mut lethe, mut store) = (lethe(), MemoryStore::default());
        lethe.deposit(100, Testament { bloodstains: vec![bloodstain(7, 0, 3.0)] }, &mut store).unwrap();
        let score = |kin| lethe.draw(1_000, &LetheQuery { kin, ..query(1) }, &store).unwrap()[0].score;
        assert!((score(Some(7)) - score(None) - 0.06).abs() < 1e-12);
    }

    #[test]
    fn the_oldest_leave_a_full_lethe() {
        let config = LetheConfig { capacity: 2, ..LetheConfig::default() };
        let (mut lethe, mut store) = (Lethe::new(config, WorldSeed(1), 40.0), MemoryStore::default());
        let bloodstains = (0..3).map(|n| bloodstain(0, n, 1.0)).collect();
        lethe.deposit(0, Testament { bloodstains }, &mut store).unwrap();
        assert_eq!(lethe.len(), 2);
        assert_eq!(store.get(BloodstainId { golem: GolemId::founder(0), number: 0 }).unwrap(), None);
    }
}
