//! The board of a clade, kept by the Lethe: its members, the lessons offered lately, and the members that have received them.
//!
//! A board instead of letters from golem to golem, so that a newborn can be offered lessons from before its birth, and a lesson is stored once rather
//! than once for each of twenty siblings. It is a blackboard (message board, publish-subscribe) with a bounded log and an offset for each
//! member. Ranks are weighted sums of scores from 0 to 1, times are in ticks and simulated hours. They matter only when more is new than
//! the asker may take in (`clade.ingest_per_hour`); what is left out then isn't offered to it again. Trust is discounted by the receiver,
//! not here. The Lethe service passes each letter in, at the barrier; a golem is a member from its first exchange to its farewell, or, if
//! it died by fault, until its successor's first exchange.

use crate::daimon::Pad;
use crate::episode::Lesson;
use crate::lethe::clade::letter::{CladeSync, Shared};
use crate::lethe::clade::map::CladeId;
use crate::lethe::rank::Learned;
use crate::lethe::{CladeConfig, CladeLetter, CladeMap, CladeNews, LetheConfig};
use crate::mortality::Cause;
use morta_base::dot::cosine_similarity;
use morta_base::{GolemId, LetterId, Lineage, Tick, math};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// The most lessons kept for a clade; the oldest are dropped first. Our choice: twenty golems that offer as much as they may fill it in five hours.
const MAX_KEPT: usize = 10_000;
const HOURS_A_DAY: f64 = 24.0;
/// Time constant of the temporal term, hours: a week (digest section 15).
const RECENCY_HOURS: f64 = 168.0;
/// Weight of likeness to the present market (digest section 15, X01, layer L1, as the four below).
const WEIGHT_OF_LIKENESS: f64 = 0.40;
/// Weight of recency.
const WEIGHT_OF_RECENCY: f64 = 0.25;
/// Weight of the quality of a lesson: the giver's confidence in it.
const WEIGHT_OF_TRUST: f64 = 0.15;
/// Weight of the provenance of a lesson with its giver.
const WEIGHT_OF_PROVENANCE: f64 = 0.15;
/// Weight of a lesson among the giver's last words.
const WEIGHT_OF_LAST_WORDS: f64 = 0.05;

/// A living golem of a clade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Member {
    golem: GolemId,
    /// Its own mood at its last exchange, which siblings catch.
    mood: Pad,
    /// Number of the first lesson that it hasn't been offered.
    #[serde(rename = "heard")]
    next_offer: u64,
    /// Number of the first lesson that was offered after it became a member.
    since: u64,
}

/// A lesson on the board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Kept {
    /// Its place in all that the clade was ever offered.
    number: u64,
    shared: Shared,
    /// The market as the giver saw it.
    embedding: Box<[f32]>,
    /// Whether it was sent to all members of its time at once: an exchange must not offer it to them again.
    #[serde(rename = "told")]
    was_broadcast: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Clade {
    /// By lineage slot: a successor takes the place of the dead.
    members: BTreeMap<Lineage, Member>,
    /// Lessons, oldest first.
    kept: VecDeque<Kept>,
    /// Number of the next lesson.
    next: u64,
}

/// All clades of a world: a blackboard for each, a bounded publish-subscribe log with read offsets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CladeBoard {
    config: CladeConfig,
    /// For its scores of provenance alone.
    provenance: LetheConfig,
    ticks_per_hour: f64,
    map: CladeMap,
    clades: BTreeMap<CladeId, Clade>,
}

impl CladeBoard {
    /// An empty board. Of the Lethe's keys it uses the provenance scores.
    pub fn new(config: CladeConfig, lethe: LetheConfig, map: CladeMap, tick_seconds: f64) -> Self {
        let ticks_per_hour = 3_600.0 / tick_seconds;
        Self { config, provenance: lethe, ticks_per_hour, map, clades: BTreeMap::new() }
    }

    /// Replaces the keys. If golems are divided into other clades, the boards begin empty; golems become members again at their next
    /// exchange. Membership is soft state.
    pub fn rebind(&mut self, config: CladeConfig, lethe: LetheConfig, map: CladeMap) {
        if map != self.map {
            self.clades.clear();
        }
        (self.config, self.provenance, self.map) = (config, lethe, map);
    }

    /// Receives a letter, and adds the messages that follow from it, to the writer and to its siblings, to `out`.
    pub fn receive(
        &mut self,
        now: Tick,
        letter: LetterId,
        content: CladeLetter,
        out: &mut Vec<(GolemId, CladeNews)>,
    ) {
        let writer = letter.golem;
        let Some(id) = self.map.clade_of(writer.lineage) else { return };
        let oldest = now.saturating_sub((self.config.store_days * HOURS_A_DAY * self.ticks_per_hour) as Tick);
        let clade = self.clades.entry(id).or_default();
        while clade.kept.front().is_some_and(|kept| kept.shared.offered < oldest) {
            clade.kept.pop_front();
        }
        match content {
            CladeLetter::Sync(sync) => self.sync(now, id, writer, *sync, out),
            CladeLetter::Share { lessons, embedding } => {
                clade.broadcast(writer, shared_by(now, writer, lessons, false), &embedding, out);
            }
            CladeLetter::Farewell { cause, lessons, embedding } => {
                clade.announce_death(writer, cause, out);
                clade.broadcast(writer, shared_by(now, writer, lessons, true), &embedding, out);
            }
            CladeLetter::BorneOut { giver, claim } => {
                // Not to a successor in the giver's slot, because it didn't share the claim.
                if clade.members.get(&giver.lineage).is_some_and(|member| member.golem == giver) {
                    out.push((giver, CladeNews::BorneOut { by: writer, claim }));
                }
            }
            CladeLetter::Pheromone(_) | CladeLetter::Votes(_) => {
                unreachable!("pheromones and votes are not for the board")
            }
        }
    }

    fn sync(
        &mut self,
        now: Tick,
        id: CladeId,
        writer: GolemId,
        sync: CladeSync,
        out: &mut Vec<(GolemId, CladeNews)>,
    ) {
        let CladeSync { offers, mood, embedding, limit } = sync;
        let clade = &self.clades[&id];
        let known = clade.members.get(&writer.lineage).filter(|member| member.golem == writer);
        let (next_offer, since) = known.map_or((0, clade.next), |member| (member.next_offer, member.since));
        let is_news = |kept: &&Kept| {
            let was_sent = kept.was_broadcast && kept.number >= since;
            kept.number >= next_offer && !was_sent && kept.shared.giver != writer
        };
        let news: Vec<&Kept> = clade.kept.iter().filter(is_news).collect();
        let shared = self.best(now, news, &embedding, limit as usize);
        let clade = self.clades.get_mut(&id).expect("the clade has just been looked up");
        let others = clade.members.values().filter(|member| member.golem.lineage != writer.lineage);
        let moods = others.map(|member| (member.golem, member.mood)).collect();
        out.push((writer, CladeNews::Synced { shared, moods }));
        for shared in shared_by(now, writer, offers, false) {
            clade.keep(shared, embedding.clone(), false);
        }
        let member = Member { golem: writer, mood, next_offer: clade.next, since };
        clade.members.insert(writer.lineage, member);
    }

    /// At most `limit` lessons, the best by the rank of layer L1 (digest section 15, X01: .40 semantic + .25 temporal + .15 quality +
    /// .15 provenance + .05 bloodstain), in the order in which they were offered: a receiver tests them in that order, so a limit that doesn't bind
    /// changes nothing.
    fn best(&self, now: Tick, news: Vec<&Kept>, embedding: &[f32], limit: usize) -> Vec<Shared> {
        let mut ranked: Vec<(f64, &Kept)> =
            news.into_iter().map(|kept| (self.rank(now, kept, embedding), kept)).collect();
        if ranked.len() > limit {
            ranked.sort_by(|(a, a_kept), (b, b_kept)| b.total_cmp(a).then(a_kept.number.cmp(&b_kept.number)));
            ranked.truncate(limit);
            ranked.sort_by_key(|(_, kept)| kept.number);
        }
        ranked.into_iter().map(|(_, kept)| kept.shared.clone()).collect()
    }

    fn rank(&self, now: Tick, kept: &Kept, embedding: &[f32]) -> f64 {
        let Shared { giver, offered, in_dying, lesson } = &kept.shared;
        let hours = now.saturating_sub(*offered) as f64 / self.ticks_per_hour;
        let provenance = Learned::by(*giver, lesson).weight(&self.provenance);
        // Cosines from −1 to 1 become similarities from 0 to 1. Last words replace the spec's term for bloodstains, because both are left at a death.
        WEIGHT_OF_LIKENESS * 0.5 * (1.0 + cosine_similarity(embedding, &kept.embedding))
            + WEIGHT_OF_RECENCY * math::exp(-hours / RECENCY_HOURS)
            + WEIGHT_OF_TRUST * lesson.confidence
            + WEIGHT_OF_PROVENANCE * provenance
            + WEIGHT_OF_LAST_WORDS * f64::from(u8::from(*in_dying))
    }
}

impl Clade {
    fn keep(&mut self, shared: Shared, embedding: Box<[f32]>, was_broadcast: bool) {
        self.kept.push_back(Kept { number: self.next, shared, embedding, was_broadcast });
        self.next += 1;
        if self.kept.len() > MAX_KEPT {
            self.kept.pop_front();
        }
    }

    /// Sends lessons to every sibling at once, and keeps them for golems that are born later.
    fn broadcast(
        &mut self,
        giver: GolemId,
        lessons: Vec<Shared>,
        embedding: &[f32],
        out: &mut Vec<(GolemId, CladeNews)>,
    ) {
        let siblings = self.members.values().filter(|member| member.golem.lineage != giver.lineage);
        for member in siblings {
            out.extend(lessons.iter().map(|shared| (member.golem, CladeNews::Lesson(shared.clone()))));
        }
        lessons.into_iter().for_each(|shared| self.keep(shared, embedding.into(), true));
    }

    fn announce_death(&mut self, golem: GolemId, cause: Cause, out: &mut Vec<(GolemId, CladeNews)>) {
        self.members.remove(&golem.lineage);
        let died = CladeNews::SiblingDied { sibling: golem, cause };
        out.extend(self.members.values().map(|member| (member.golem, died.clone())));
    }
}

fn shared_by(now: Tick, giver: GolemId, lessons: Vec<Lesson>, in_dying: bool) -> Vec<Shared> {
    lessons.into_iter().map(|lesson| Shared { giver, offered: now, in_dying, lesson }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes;
    use crate::episode::{Claim, ContextPattern};
    use crate::market::Strategy;

    fn board(change: impl FnOnce(&mut CladeConfig)) -> CladeBoard {
        let mut config = CladeConfig { enabled: true, ..CladeConfig::default() };
        change(&mut config);
        let map = CladeMap::new([6], 3);
        CladeBoard::new(config, LetheConfig::default(), map, 40.0)
    }

    fn lesson(confidence: f64) -> Lesson {
        let claim = Claim::of_worth(Strategy::Momentum, ContextPattern::default(), confidence);
        episodes::lesson(claim, confidence, 3)
    }

    fn write(
        board: &mut CladeBoard,
        now: Tick,
        lineage: u32,
        letter: CladeLetter,
    ) -> Vec<(GolemId, CladeNews)> {
        let mut out = Vec::new();
        board.receive(
            now,
            LetterId { golem: GolemId::founder(lineage), number: now as u32 },
            letter,
            &mut out,
        );
        out
    }

    fn sync(offers: Vec<Lesson>, limit: u32) -> CladeLetter {
        let mood = Pad::new(0.5, 0.0, 0.0);
        CladeLetter::Sync(Box::new(CladeSync { offers, mood, embedding: vec![1.0, 0.0].into(), limit }))
    }

    fn shared(news: &[(GolemId, CladeNews)]) -> Vec<f64> {
        let CladeNews::Synced { shared, .. } = &news[0].1 else { panic!("{news:?}") };
        shared.iter().map(|shared| shared.lesson.confidence).collect()
    }

    #[test]
    fn siblings_hear_of_each_lesson_once_and_strangers_never() {
        let mut board = board(|_| {});
        write(&mut board, 0, 0, sync(vec![lesson(0.9)], 100));
        let first = write(&mut board, 1, 1, sync(vec![lesson(0.7)], 100));
        assert_eq!(shared(&first), [0.9]);
        let CladeNews::Synced { moods, .. } = &first[0].1 else { panic!("{first:?}") };
        assert_eq!(moods[..], [(GolemId::founder(0), Pad::new(0.5, 0.0, 0.0))]);
        assert_eq!(shared(&write(&mut board, 2, 1, sync(vec![], 100))), [] as [f64; 0]);
        assert_eq!(shared(&write(&mut board, 3, 0, sync(vec![], 100))), [0.7]);
        assert_eq!(shared(&write(&mut board, 4, 3, sync(vec![], 100))), [] as [f64; 0]);
    }

    /// 7 days of 2,160 ticks.
    #[test]
    fn lessons_are_kept_for_a_week() {
        let mut board = board(|_| {});
        write(&mut board, 0, 0, sync(vec![lesson(0.9)], 100));
        assert_eq!(shared(&write(&mut board, 7 * 2_160, 1, sync(vec![], 100))), [0.9]);
        assert_eq!(shared(&write(&mut board, 7 * 2_160 + 1, 2, sync(vec![], 100))), [] as [f64; 0]);
    }

    /// .40 + .25·e^(−1/168) + .15·.9 + .15·1 + 0 for one's own insight of trust .9 an hour ago in the same market.
    #[test]
    fn of_too_many_the_best_are_taken_in() {
        let mut board = board(|_| {});
        write(&mut board, 0, 0, sync(vec![lesson(0.6), lesson(0.9), lesson(0.7)], 100));
        let kept = &board.clades[&0].kept[1];
        let expected = 0.40 + 0.25 * math::exp(-1.0 / 168.0) + 0.15 * 0.9 + 0.15;
        assert!((board.rank(90, kept, &[1.0, 0.0]) - expected).abs() < 1e-12);
        assert_eq!(shared(&write(&mut board, 90, 1, sync(vec![], 2))), [0.9, 0.7]);
    }

    #[test]
    fn the_living_hear_of_a_death_and_the_last_words() {
        let mut board = board(|_| {});
        for lineage in [0, 1, 2, 3] {
            write(&mut board, 0, lineage, sync(vec![], 100));
        }
        let farewell = CladeLetter::Farewell {
            cause: Cause::Economic,
            lessons: vec![lesson(0.3)],
            embedding: vec![1.0, 0.0].into(),
        };
        let news = write(&mut board, 5, 1, farewell);
        let died = |to| {
            let sibling = GolemId::founder(1);
            (GolemId::founder(to), CladeNews::SiblingDied { sibling, cause: Cause::Economic })
        };
        assert_eq!(news[..2], [died(0), died(2)]);
        let receivers: Vec<_> =
            news[2..].iter().map(|(to, news)| (to.lineage, matches!(news, CladeNews::Lesson(_)))).collect();
        assert_eq!(receivers, [(0, true), (2, true)]);
        assert_eq!(shared(&write(&mut board, 6, 0, sync(vec![], 100))), [] as [f64; 0], "it was sent before");
        let heir = LetterId { golem: GolemId::founder(1).successor(), number: 0 };
        let mut for_heir = Vec::new();
        board.receive(6, heir, sync(vec![], 100), &mut for_heir);
        assert_eq!(shared(&for_heir), [0.3], "who is born later hears it too");
        let again = CladeLetter::BorneOut { giver: GolemId::founder(1), claim: lesson(0.3).claim };
        assert_eq!(write(&mut board, 7, 0, again), [], "the dead hear nothing");
        let claim = lesson(0.3).claim;
        let borne_out = write(&mut board, 7, 0, CladeLetter::BorneOut { giver: GolemId::founder(2), claim });
        assert_eq!(
            borne_out,
            [(GolemId::founder(2), CladeNews::BorneOut { by: GolemId::founder(0), claim })]
        );
    }
}
