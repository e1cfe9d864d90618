//! The core of the memory contract, for `dark-pawns`: advice from feelings, and events in the graph after outcomes.
//!
//! Feelings are valences from −3 to 3, salience runs from 0 to 1, results are in R. A dream waits until no position is held and no
//! order is out, and its ticks (1 by default) are slept through. The graph is written here by verbs of `live`, `inherit` and `sleep`.

use super::{Clock, DarkPawns};
use crate::episode::{Context, EpisodeKind};
use crate::memory::contract::{
    Advice, Attended, Attention, Candidate, DecisionContext, Experience, MemoryArchitecture, MemoryBirth,
    VoiceSource,
};
use crate::memory::family::{FamilyMember, MemoryKeys};
use morta_base::Tick;

impl FamilyMember for DarkPawns {
    fn empty(birth: &MemoryBirth<'_>, keys: &MemoryKeys<'_>) -> Self {
        Self::new(birth.golem, keys.memory.dark_pawns.clone())
    }

    fn rebind(&mut self, keys: &MemoryKeys<'_>, _: Tick) {
        self.config = keys.memory.dark_pawns.clone();
    }
}

impl MemoryArchitecture for DarkPawns {
    crate::capable_of!(account, bequeaths, teaches, reads);

    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        let regime = moment.context.regime;
        advice.extend(candidates.iter().map(|candidate| self.advise_on(regime, candidate, None)));
    }

    fn advise_without(
        &self,
        context: &Context,
        candidate: &Candidate,
        _: &Advice,
        silent: VoiceSource,
    ) -> Advice {
        self.advise_on(context.regime, candidate, Some(silent))
    }

    /// Takes in an experience.
    fn observe(&mut self, experience: &Experience<'_>) {
        let Experience { episode, why, now, .. } = *experience;
        match episode.kind {
            EpisodeKind::Trade => self.live_through(episode, why, now),
            EpisodeKind::StayedOut if self.config.remember_abstentions => {
                self.remember_abstention(episode, now)
            }
            EpisodeKind::StayedOut => {}
        }
    }

    fn wants_attention(&self) -> bool {
        true
    }

    /// In a waking moment: dreams when it is time and no position is held; hands over a summary at birth, once something was
    /// inherited, and on waking, if its reading can be paid.
    fn attend(&mut self, attention: &Attention<'_>) -> Attended {
        let Attention { tick, time_s, tick_seconds, equity, idle, .. } = *attention;
        self.clock = Some(Clock { tick, time_s, tick_seconds });
        self.peak = self.peak.max(equity);
        if !idle {
            self.lowest = Some(self.lowest.map_or(equity, |lowest| lowest.min(equity)));
        }
        let interval = u64::from(self.config.dream_interval_ticks);
        let due = *self.next_dream.get_or_insert(tick + interval);
        let mut attended = Attended::default();
        if idle && tick >= due {
            attended.upkeep.push(self.dream());
            attended.asleep_ticks = self.config.dream_ticks;
            self.next_dream = Some(tick + u64::from(self.config.dream_ticks) + interval);
        }
        attended.summary = self.something_to_read(attention);
        attended.reads = attended.summary.is_some() && self.asks_a_model();
        attended
    }

    /// Takes over the other's counters, or the log would name two nodes or lessons by one number.
    fn count_on_from(&mut self, other: &Self) {
        self.next_number = self.next_number.max(other.next_number);
        self.next_lesson = self.next_lesson.max(other.next_lesson);
    }
}
