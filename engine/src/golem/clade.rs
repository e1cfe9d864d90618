//! A golem's exchange with its siblings, and its votes on the bloodstains that it drew (social learning: gossip with quotas, and
//! relevance feedback).
//!
//! Trust runs from 0 to 1, quotas are lessons a simulated hour, prices are in dollars. Clades are off by default (`clade.enabled`), and
//! only a golem whose memory teaches takes part; every heir votes, with or without a clade. It exchanges every `clade.sync_ticks` of its
//! age; warnings go at once. A lesson that a sibling gives goes to the memory with the giver's trust times `clade.trust`, at most the
//! ceiling, and is tested there, not believed (`dark-pawns` tests nothing and counts it by its trust). Letters are written at the end of a
//! tick, so that their order doesn't depend on what happened where in it.

use crate::daimon::{Happening, Pad};
use crate::episode::{Claim, EntryKind, Lesson};
use crate::event::EventKind;
use crate::golem::state::Activity;
use crate::golem::{Golem, Letter, Moment, Outbox};
use crate::lethe::clade::{CladeSync, Shared, SharingRule};
use crate::lethe::{CladeConfig, CladeLetter, CladeNews, Vote};
use crate::memory::{CladeTrust, ReceivedLessons};
use crate::mortality::Cause;
use morta_base::lazy_box::LazyBox;
use morta_base::{BloodstainId, GolemId, Purpose, Tick, Usdc, WorldSeed};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Trades in which a bequest must have spoken before its heir votes on it while alive. Our choice: as many as heirs make a quorum.
const VOTE_AFTER_USES: u32 = 3;

/// Growth of trust from which a shared lesson is shared again: one confirmation's worth (the specs' +.1), so that siblings hear of each step up.
const SHARED_AGAIN: f64 = 0.1;
/// Most lessons a golem remembers having shared; the oldest are forgotten, and may be shared again. It bounds the memory of a golem that shares for ever.
const MAX_SHARED: usize = 1_000;
const SECONDS_AN_HOUR: f64 = 3_600.0;

/// A count that starts anew with every hour of simulated time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Hourly {
    hour: u64,
    count: u32,
}

impl Hourly {
    /// The number left in this hour of at most `most`.
    fn left(&self, hour: u64, most: u32) -> u32 {
        if self.hour == hour { most.saturating_sub(self.count) } else { most }
    }

    fn add(&mut self, hour: u64, count: u32) {
        *self = Self { hour, count: if self.hour == hour { self.count + count } else { count } };
    }
}

/// A golem's (social) state towards its clade: pending syncs and shared claims.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct CladeState {
    /// Whether something happened that it may have learned from.
    experienced: bool,
    /// Whether an exchange fell into its sleep: it is made up for on waking.
    slept_through_sync: bool,
    exchange: LazyBox<Exchange>,
}

/// The record of giving and taking; made when first needed, because most golems have no siblings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Exchange {
    /// Claims that it shared, each with the trust in it then.
    #[serde(rename = "told")]
    shared: Vec<(Claim, f64)>,
    /// Lessons that it offered, against its quota.
    pushed: Hourly,
    /// Lessons of siblings that it took in, against its quota.
    taken_in: Hourly,
    /// Bloodstains that it has voted on while alive.
    voted: BTreeSet<BloodstainId>,
    /// Claims of siblings that life has borne out, to be written to them at the end of the tick.
    borne_out: Vec<(GolemId, Claim)>,
}

impl CladeState {
    /// Notes that life has borne out a sibling's claim. Letters to siblings are written at the end of a tick, after all others, so that the order of
    /// letters doesn't depend on where in the tick a claim was decided.
    pub(super) fn note_borne_out(&mut self, giver: GolemId, claim: Claim) {
        self.exchange.make().borne_out.push((giver, claim));
    }

    pub(super) fn take_borne_out(&mut self) -> Vec<(GolemId, Claim)> {
        self.exchange.take_part(|exchange| &mut exchange.borne_out)
    }
}

impl Golem {
    /// Notes that it may have learned something: votes and warnings are looked at in such ticks only, because in most ticks there is
    /// nothing new to go through.
    pub(super) fn note_experience(&mut self) {
        self.clade_state.experienced = true;
    }

    /// Whether it takes part in its clade's exchanges, be there living siblings or not: lessons on the board are for heirs too.
    fn is_in_clade(&self, moment: &Moment<'_>) -> bool {
        moment.rules.clades.clade_of(self.id.lineage).is_some() && self.memory.teaches().is_some()
    }

    /// The exchanges at the end of its tick: votes on bloodstains that it drew, the exchange with its clade when it is due, and warnings at once.
    /// An exchange that falls into a sleep is made up for on waking; skipped, dreamers would hear less of their siblings than others.
    pub(super) fn sync_with_clade(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        if matches!(self.activity, Activity::Dying(_)) {
            return;
        }
        let due = (moment.tick - self.born).is_multiple_of(moment.rules.clade.sync_ticks);
        if self.is_dreaming() {
            self.clade_state.slept_through_sync |= due;
            return;
        }
        let experienced = std::mem::take(&mut self.clade_state.experienced);
        if experienced {
            self.vote(false, moment, out);
        }
        if !self.is_in_clade(moment) {
            return;
        }
        for (giver, claim) in self.clade_state.take_borne_out() {
            self.write(Letter::Clade(CladeLetter::BorneOut { giver, claim }), out);
        }
        let missed = std::mem::take(&mut self.clade_state.slept_through_sync);
        if due || missed {
            let offers = self.offer(|_| true, moment, out);
            let most = moment.rules.clade.ingest_per_hour;
            let sync = CladeSync {
                offers,
                mood: self.mood_to_share(),
                embedding: moment.view.asset(0).embedding.clone(),
                limit: self.clade_state.exchange.make().taken_in.left(hour(moment), most),
            };
            self.write(Letter::Clade(CladeLetter::Sync(Box::new(sync))), out);
        } else if experienced {
            let lessons = self.offer(|kind| kind == EntryKind::Warning, moment, out);
            if !lessons.is_empty() {
                let embedding = moment.view.asset(0).embedding.clone();
                self.write(Letter::Clade(CladeLetter::Share { lessons, embedding }), out);
            }
        }
    }

    /// Last votes and last words.
    pub(super) fn announce_death(&mut self, cause: Cause, moment: &Moment<'_>, out: &mut Outbox) {
        self.vote(true, moment, out);
        self.leave_death_pheromones(moment, out);
        if self.is_in_clade(moment) {
            let lessons = self.offer(|_| true, moment, out);
            let embedding = moment.view.asset(0).embedding.clone();
            self.write(Letter::Clade(CladeLetter::Farewell { cause, lessons, embedding }), out);
        }
    }

    /// Votes whether bloodstains that it drew worked: once while alive, when each has been used often enough, and once in dying.
    fn vote(&mut self, in_dying: bool, moment: &Moment<'_>, out: &mut Outbox) {
        let after = if in_dying { 1 } else { VOTE_AFTER_USES };
        let mut votes = Vec::new();
        for inherited in self.inheritance() {
            let Some(bloodstain) = inherited.source.bloodstain() else { continue };
            let has_voted = || {
                self.clade_state.exchange.get().is_some_and(|exchange| exchange.voted.contains(&bloodstain))
            };
            if inherited.uses >= after && (in_dying || !has_voted()) {
                votes.push(Vote { bloodstain, worked: inherited.worked(), in_dying });
            }
        }
        if votes.is_empty() {
            return;
        }
        for vote in &votes {
            self.clade_state.exchange.make().voted.insert(vote.bloodstain);
            self.tell(moment.tick, EventKind::Voted(*vote), out);
        }
        self.write(Letter::Clade(CladeLetter::Votes(votes)), out);
    }

    /// Selects the lessons to share now: not shared before, trusted enough for their kind and for the golem's readiness to share, and as
    /// many as the hour and the purse allow, the most trusted first. Pays for them and writes an event of each.
    fn offer(
        &mut self,
        wanted: impl Fn(EntryKind) -> bool,
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) -> Vec<Lesson> {
        let clade = &moment.rules.clade;
        let sharing = match clade.sharing {
            SharingRule::Phase => self.sharing_threshold(&moment.rules.mortality),
            SharingRule::Hazard => CladeConfig::sharing_by_hazard(self.hazard_now(moment)),
            SharingRule::Affect => self.share_threshold(moment),
        };
        let known = |lesson: &Lesson| {
            let mut shared =
                self.clade_state.exchange.get().into_iter().flat_map(|exchange| &exchange.shared);
            let before = shared.find(|(claim, _)| claim.same_subject(&lesson.claim));
            before.is_some_and(|(_, trust)| lesson.confidence < trust + SHARED_AGAIN)
        };
        let age = clade.heuristic_age_ticks;
        let teacher = self.memory.teaches();
        let mut lessons = teacher.map_or(Vec::new(), |memory| memory.lessons(moment.tick, age));
        if clade.shuffle_claims {
            // The control of sharing: the same number of lessons about the same subjects, with the expectations dealt out among them. Its draws are the
            // control seed's, so that arms with and without it share all other luck.
            let stream = &mut WorldSeed::CONTROL.golem(self.id, Purpose::CladeControl, moment.tick);
            stream.deal_out(lessons.iter_mut().map(|lesson| &mut lesson.claim.expected_r));
        }
        lessons.retain(|lesson| {
            let from = clade.threshold(lesson.kind, sharing);
            wanted(lesson.kind) && from.is_some_and(|from| lesson.confidence >= from) && !known(lesson)
        });
        lessons.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        let price = Usdc::from_dollars(clade.write_usdc);
        let affordable = match price {
            Usdc::ZERO => usize::MAX,
            price => (self.purse.total().0.max(0) / price.0) as usize,
        };
        let left = self.clade_state.exchange.make().pushed.left(hour(moment), clade.push_per_hour) as usize;
        lessons.truncate(left.min(affordable));
        self.clade_state.exchange.make().pushed.add(hour(moment), lessons.len() as u32);
        for lesson in &lessons {
            self.pay_lethe(price, out);
            self.note_shared(lesson);
            let (kind, claim, confidence) = (lesson.kind, lesson.claim, lesson.confidence);
            self.tell(moment.tick, EventKind::Shared { kind, claim, confidence }, out);
        }
        lessons
    }

    fn note_shared(&mut self, lesson: &Lesson) {
        let shared = &mut self.clade_state.exchange.make().shared;
        shared.retain(|(claim, _)| !claim.same_subject(&lesson.claim));
        if shared.len() == MAX_SHARED {
            shared.remove(0);
        }
        shared.push((lesson.claim, lesson.confidence));
    }

    pub(super) fn receive_clade_news(&mut self, news: CladeNews, moment: &Moment<'_>, out: &mut Outbox) {
        match news {
            CladeNews::Synced { shared, moods } => {
                let lessons = shared.len() as u32;
                let mood = mean_mood(&moods);
                let felt: Vec<Pad> = moods.iter().map(|(_, mood)| *mood).collect();
                self.catch_moods(&felt, moment);
                let siblings = moods.len() as u32;
                self.tell(moment.tick, EventKind::CladeSynced { siblings, lessons, mood }, out);
                self.receive_shared(shared, moment, out);
            }
            CladeNews::Lesson(shared) => self.receive_shared(vec![shared], moment, out),
            CladeNews::SiblingDied { sibling, cause } => {
                self.tell(moment.tick, EventKind::CladeDeath { sibling, cause }, out);
                self.appraise(Happening::SiblingDied, moment, out);
            }
            CladeNews::BorneOut { by, claim } => {
                if let Some(memory) = self.memory.teaches_mut() {
                    memory.note_confirmed_lesson(&claim, moment.tick);
                }
                self.tell(moment.tick, EventKind::BorneOut { by, claim }, out);
            }
        }
    }

    /// Takes in as many lessons as the hour allows; the others are dropped. The dying take in none: they test nothing any more.
    fn receive_shared(&mut self, mut shared: Vec<Shared>, moment: &Moment<'_>, out: &mut Outbox) {
        if matches!(self.activity, Activity::Dying(_)) {
            return;
        }
        let clade = &moment.rules.clade;
        shared.truncate(
            self.clade_state.exchange.make().taken_in.left(hour(moment), clade.ingest_per_hour) as usize
        );
        self.clade_state.exchange.make().taken_in.add(hour(moment), shared.len() as u32);
        let trust = CladeTrust { factor: clade.trust, ceiling: clade.trust_ceiling };
        let lessons = shared.iter().map(|shared| (shared.giver, shared.lesson.clone())).collect();
        let ReceivedLessons { tested, received } = match self.memory.teaches_mut() {
            Some(memory) => memory.receive_lessons(lessons, trust, moment.tick),
            None => ReceivedLessons::ignored(shared.len()),
        };
        self.report_received(received, moment, out);
        for (Shared { giver, offered, in_dying, lesson }, staged) in shared.into_iter().zip(tested) {
            let (claim, confidence) = (lesson.claim, lesson.confidence);
            let kind = EventKind::Received { giver, offered, in_dying, claim, confidence, staged };
            self.tell(moment.tick, kind, out);
        }
    }
}

/// The hour of simulated time, counted from tick 0.
fn hour(moment: &Moment<'_>) -> u64 {
    hour_of(moment.tick, moment.rules.tick_seconds)
}

fn hour_of(tick: Tick, tick_seconds: f64) -> u64 {
    (tick as f64 * tick_seconds / SECONDS_AN_HOUR) as u64
}

/// The mean mood of siblings; neutral when there are none.
fn mean_mood(moods: &[(GolemId, Pad)]) -> Pad {
    let mean = |part: fn(&Pad) -> f64| {
        moods.iter().map(|(_, mood)| part(mood)).sum::<f64>() / (moods.len().max(1) as f64)
    };
    Pad::new(mean(|mood| mood.pleasure), mean(|mood| mood.arousal), mean(|mood| mood.dominance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_has_so_many_and_the_next_one_again() {
        let mut pushed = Hourly::default();
        pushed.add(0, 60);
        pushed.add(0, 30);
        assert_eq!(pushed.left(0, 100), 10);
        assert_eq!(pushed.left(1, 100), 100);
        pushed.add(1, 1);
        assert_eq!(pushed.left(1, 100), 99);
        assert_eq!((hour_of(89, 40.0), hour_of(90, 40.0), hour_of(5, 3_600.0)), (0, 1, 5));
    }
}
