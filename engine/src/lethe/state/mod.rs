//! The Lethe's deposits, ranks and draws. The index is kept here; the bloodstains themselves are behind a store, so that the
//! same code serves memory and disk. Scores are sums of weighted terms from 0 to 1 times a boost, delays are in simulated hours, capacity
//! is a number of bloodstains. It is a vector index with similarity search, near-duplicate removal, k-anonymity and first-in-first-out
//! eviction. The Lethe service calls it at barriers: deposits of the dying, draws of newborns (once, eight by default), votes of heirs. A
//! draw takes nothing out. A replication (`replications::lineage`) runs the same index for learners in mazes, without a world or a service.

use crate::lethe::clade::CladeMap;
use crate::lethe::config::DelayRule;
use crate::lethe::rank::{IndexEntry, RankTerms};
use crate::lethe::{
    Bequest, Bloodstain, BloodstainStore, EarlierBloodstain, EarlierBloodstains, LetheConfig, StoreError,
    Vote,
};
use morta_base::{BloodstainId, Lineage, Purpose, Tick, WorldSeed};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The letter that carries a dead golem's bloodstains to the Lethe: a write request with several records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deposit {
    /// The bloodstains it leaves. Lessons have the circumstances of the death, scars those in which they were received.
    pub bloodstains: Vec<Bloodstain>,
}

/// A query (similarity search, top k) for bloodstains, which every newborn with a use for them writes once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LetheQuery {
    /// The market as the asker sees it.
    pub embedding: Box<[f32]>,
    /// Most bloodstains wanted.
    pub limit: u32,
    /// The lineage whose bloodstains are kin's; `None` for an asker without kin.
    pub kin: Option<Lineage>,
}

/// A bloodstain that was found: a search result with its explained score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drawn {
    /// The bloodstain.
    pub bloodstain: Bloodstain,
    /// Its place among the results, from 0.
    pub rank: u32,
    /// Its score, the sum of the terms times their boost.
    pub score: f64,
    /// The terms of the score.
    pub terms: RankTerms,
    /// Number of duplicates behind it.
    pub merged: u32,
}

/// The Lethe's index and rules: a vector index over a record store, with an exact scan (brute force).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lethe {
    config: LetheConfig,
    seed: WorldSeed,
    ticks_per_hour: f64,
    clades: CladeMap,
    entries: VecDeque<IndexEntry>,
    /// By bloodstain, the number that had come before it: less `gone`, the place of its entry. So votes find an entry without a search, and evictions don't
    /// renumber the others.
    places: BTreeMap<BloodstainId, u64>,
    /// Number of evicted entries, the oldest first.
    gone: u64,
}

impl Lethe {
    /// An empty Lethe, in a world of such ticks and clades.
    pub fn new(config: LetheConfig, seed: WorldSeed, tick_seconds: f64, clades: CladeMap) -> Self {
        Self {
            config,
            seed,
            ticks_per_hour: 3_600.0 / tick_seconds,
            clades,
            entries: VecDeque::new(),
            places: BTreeMap::new(),
            gone: 0,
        }
    }

    /// Number of bloodstains in the index, those that can't be found yet included.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the index holds no bloodstain.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Takes bloodstains of earlier runs into the index, in one load (a warm start); the store must hold them already. All of them can be
    /// found at once, and beyond the capacity the oldest are left out.
    pub fn load_earlier(&mut self, earlier_bloodstains: &EarlierBloodstains) {
        let mut oldest_first: Vec<&EarlierBloodstain> = earlier_bloodstains.bloodstains.iter().collect();
        oldest_first.sort_by(|a, b| {
            b.hours_before.total_cmp(&a.hours_before).then(a.bloodstain.id.cmp(&b.bloodstain.id))
        });
        let excess = oldest_first.len().saturating_sub(self.config.capacity as usize);
        for earlier in &oldest_first[excess..] {
            self.push(IndexEntry::new(&earlier.bloodstain, 0, Some(earlier.hours_before)));
        }
    }

    fn push(&mut self, entry: IndexEntry) {
        self.places.insert(entry.id, self.gone + self.entries.len() as u64);
        self.entries.push_back(entry);
    }

    /// Goes on by other keys and clades (reconfiguration); where there is less room, the oldest bloodstains are evicted.
    ///
    /// # Errors
    /// When the store fails; nothing has changed then.
    pub fn rebind(
        &mut self,
        config: LetheConfig,
        clades: CladeMap,
        store: &mut impl BloodstainStore,
    ) -> Result<(), StoreError> {
        self.evict_beyond(config.capacity, store)?;
        (self.config, self.clades) = (config, clades);
        Ok(())
    }

    /// Lets the oldest go, so that no more than the capacity are left; on an error all stay.
    fn evict_beyond(&mut self, capacity: u32, store: &mut impl BloodstainStore) -> Result<(), StoreError> {
        let excess = self.entries.len().saturating_sub(capacity as usize);
        if excess == 0 {
            return Ok(());
        }
        let oldest: Vec<BloodstainId> = self.entries.iter().take(excess).map(|entry| entry.id).collect();
        store.remove(&oldest)?;
        self.entries.drain(..excess);
        self.gone += excess as u64;
        for id in &oldest {
            self.places.remove(id);
        }
        Ok(())
    }

    /// Iterates over the bloodstains it holds, in the order of identities.
    pub fn ids(&self) -> impl Iterator<Item = BloodstainId> + '_ {
        self.places.keys().copied()
    }

    /// Removes (deletes) a bloodstain as if it had never been left; false when it isn't there. Golems that have drawn it keep it. Only a
    /// branch of a run asks for it (`World::remove_bloodstain`); eviction by capacity is part of `deposit`.
    ///
    /// # Errors
    /// When the store fails; nothing has changed then.
    pub fn remove(&mut self, id: BloodstainId, store: &mut impl BloodstainStore) -> Result<bool, StoreError> {
        let Some(place) = self.places.get(&id).copied() else { return Ok(false) };
        store.remove(&[id])?;
        self.places.remove(&id);
        let index = (place - self.gone) as usize;
        self.entries.remove(index);
        for later in self.entries.iter().skip(index) {
            *self.places.get_mut(&later.id).expect("every entry has a place") -= 1;
        }
        Ok(true)
    }

    /// Takes in a deposit. Each bloodstain can be found after a delay of its own (an embargo): the digest (section 15) hides by it which
    /// death left it.
    ///
    /// # Errors
    /// When the store fails.
    pub fn deposit(
        &mut self,
        now: Tick,
        deposit: Deposit,
        store: &mut impl BloodstainStore,
    ) -> Result<(), StoreError> {
        for bloodstain in deposit.bloodstains {
            let hours = self.delay_hours(&bloodstain);
            store.put(&bloodstain)?;
            let available = now + (hours * self.ticks_per_hour).round() as Tick;
            self.push(IndexEntry::new(&bloodstain, available, None));
            self.evict_beyond(self.config.capacity, store)?;
        }
        Ok(())
    }

    /// The delay in simulated hours: random between one and six (digest section 15, X00), or by domain (M16). Its stream is keyed by the bloodstain, so that
    /// one more deposit changes no other delay.
    fn delay_hours(&self, bloodstain: &Bloodstain) -> f64 {
        let config = &self.config;
        match (config.delay, &bloodstain.bequest) {
            (DelayRule::Uniform, _) => {
                let number = u64::from(bloodstain.id.number);
                let mut stream = self.seed.golem(bloodstain.id.golem, Purpose::LetheDelay, number);
                stream.between(config.delay_hours_min, config.delay_hours_max)
            }
            (DelayRule::Domain, Bequest::Scar(_)) => config.delays.hours(None),
            (DelayRule::Domain, Bequest::Lesson(lesson)) => config.delays.hours(Some(lesson.domain())),
        }
    }

    /// Counts the votes of heirs (relevance feedback); those on bloodstains that are gone are void.
    pub fn count_votes(&mut self, votes: &[Vote]) {
        for vote in votes {
            if let Some(place) = self.places.get(&vote.bloodstain) {
                self.entries[(place - self.gone) as usize].votes.count(vote);
            }
        }
    }

    /// Draws the top k available bloodstains for an asker, without duplicates, best first; ties go to the older identity.
    ///
    /// # Errors
    /// When the store fails or has lost a bloodstain of the index.
    pub fn draw(
        &self,
        now: Tick,
        query: &LetheQuery,
        store: &impl BloodstainStore,
    ) -> Result<Vec<Drawn>, StoreError> {
        let around = (self.ticks_per_hour, &self.clades);
        let terms = |entry: &IndexEntry| entry.rank(now, query, &self.config, around);
        // Scores alone are sorted, in one piece of memory, and the terms of the few that are handed out are worked out again: with the terms
        // of all, in a list that grew, a draw took new memory each time, and that was a thirtieth of a world's time.
        let mut ranked: Vec<(f64, &IndexEntry)> = Vec::with_capacity(self.entries.len());
        ranked.extend(self.offered(now, query.kin).map(|entry| (terms(entry).score(), entry)));
        ranked
            .sort_unstable_by(|(a, a_entry), (b, b_entry)| b.total_cmp(a).then(a_entry.id.cmp(&b_entry.id)));
        let find = |(rank, (score, entry, merged)): (usize, (f64, &IndexEntry, u32))| {
            let id = entry.id;
            let bloodstain = store
                .get(id)?
                .ok_or_else(|| StoreError(format!("bloodstain {id} is in the index but not there")))?;
            Ok(Drawn { bloodstain, rank: rank as u32, score, terms: terms(entry), merged })
        };
        self.merge(ranked, query.limit as usize).into_iter().enumerate().map(find).collect()
    }

    /// The bloodstains that an asker may draw: surfaced, not refuted by a quorum, and its kin's or one of a crowd's (k-anonymity of 5; digest section
    /// 15, X00).
    fn offered(&self, now: Tick, kin: Option<Lineage>) -> impl Iterator<Item = &IndexEntry> {
        let surfaced = move |entry: &&IndexEntry| entry.available <= now;
        let crowded = self.is_crowded(now);
        let is_kin = move |entry: &IndexEntry| {
            let left_by = entry.id.golem.lineage;
            kin.is_some_and(|kin| left_by == kin || self.clades.are_siblings(left_by, kin))
        };
        // What failed most of its quorum isn't handed out any more: votes would be for nothing else.
        let withdrawn = |entry: &IndexEntry| entry.votes.is_refuted(&self.config);
        self.entries
            .iter()
            .filter(surfaced)
            .filter(move |entry| (crowded || is_kin(entry)) && !withdrawn(entry))
    }

    /// Whether enough golems have left bloodstains that none is identified by its bequest.
    fn is_crowded(&self, now: Tick) -> bool {
        let need = self.config.anonymity as usize;
        let mut crowd = BTreeSet::new();
        let mut surfaced = self.entries.iter().filter(|entry| entry.available <= now);
        need <= 1
            || surfaced.any(|entry| {
                crowd.insert(entry.id.golem);
                crowd.len() >= need
            })
    }

    /// The best of the ranked, each subject once, with the number of its duplicates. Duplicates are counted beyond the limit as well: `merged` says how many
    /// agree, whatever the asker's limit.
    fn merge<'a>(&self, ranked: Vec<(f64, &'a IndexEntry)>, limit: usize) -> Vec<(f64, &'a IndexEntry, u32)> {
        let mut kept: Vec<(f64, &IndexEntry, u32)> = Vec::new();
        for (score, entry) in ranked {
            let alike = |known: &IndexEntry| known.duplicates(entry, self.config.merge_above);
            match kept.iter().position(|(_, known, _)| alike(known)) {
                Some(index) => kept[index].2 += 1,
                None if kept.len() < limit => kept.push((score, entry, 0)),
                None => {}
            }
        }
        kept
    }
}
