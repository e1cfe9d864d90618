//! The core of the memory contract, for `openclaw`: advice from notes, recording of searches, and phases of sleep when they are due.
//!
//! Expected results are in R, weights are numbers of trades, times are those of the memory's scaled clock. The three phases (light, deep,
//! REM) are background jobs with a price in tokens. They wait until no position is held, and one that can't be paid is left out.

use super::note::{Circumstance, Notes};
use super::{OpenClaw, Telling};
use crate::episode::{Context, EpisodeKind, Provenance};
use crate::memory::contract::{
    Advice, Attended, Attention, Candidate, DecisionContext, Experience, MemoryArchitecture, MemoryBirth,
    VoiceSource,
};
use crate::memory::family::{FamilyMember, MemoryKeys};
use morta_base::Tick;
use morta_memories::openclaw::schedule::{Phase, Timetable};

impl FamilyMember for OpenClaw {
    fn empty(birth: &MemoryBirth<'_>, keys: &MemoryKeys<'_>) -> Self {
        Self::new(birth.golem, keys.memory.openclaw.clone())
    }

    fn rebind(&mut self, keys: &MemoryKeys<'_>, now: Tick) {
        self.go_on_by(keys.memory.openclaw.clone(), now);
    }
}

impl MemoryArchitecture for OpenClaw {
    crate::capable_of!(account, bequeaths, reads);

    /// The prior, fitting promoted notes, the results of a search for the circumstance among the others, and applicable themes,
    /// each weighted by the number of trades that it counts as.
    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        advice.extend(candidates.iter().map(|candidate| {
            let query = Circumstance::from_context(candidate.strategy, &moment.context);
            let mut voices = self.notes_about(&query);
            let themes = self.beliefs.iter().filter(|belief| belief.applies(candidate, moment));
            voices.extend(themes.map(|belief| self.voice_of_theme(belief)));
            self.weigh(candidate, voices)
        }));
    }

    fn advise_without(
        &self,
        _: &Context,
        candidate: &Candidate,
        advice: &Advice,
        silent: VoiceSource,
    ) -> Advice {
        Advice::balanced(candidate, self.config.prior_weight, advice.others(silent))
    }

    /// Takes in a closed trade: the search that led to it is recorded, and it becomes a line of the day's note.
    fn observe(&mut self, experience: &Experience<'_>) {
        let Experience { episode, why, now, .. } = *experience;
        if episode.kind != EpisodeKind::Trade {
            return;
        }
        self.account.call_on_all(why);
        self.record_search(episode, why);
        let about = Circumstance::from_context(episode.strategy, &episode.context);
        self.write(Telling::of_trade(about, episode, Provenance::Own), now);
        self.keep_scar(episode);
        let margin = self.config.confirm_margin_r;
        self.inheritance.iter_mut().for_each(|inherited| {
            inherited.note_outcome(episode, why, |claim, r| claim.is_confirmed_by(r, margin), now)
        });
    }

    fn wants_attention(&self) -> bool {
        true
    }

    /// Runs the phases that are due, in order, while no position is held and while they can be paid. A phase that can't be paid, or has
    /// nothing to work on, is left out. A phase that had to wait runs once, however often it was due.
    fn attend(&mut self, attention: &Attention<'_>) -> Attended {
        let first = self.clock.look(attention);
        let now = self.clock.instant(attention.tick);
        if first {
            self.timetable = Some(Timetable::new(&self.config.dreaming, &self.zone, now));
        }
        let mut attended = Attended::default();
        let Some(timetable) = &mut self.timetable else { return attended };
        if !attention.idle || !timetable.is_due(now) {
            return attended;
        }
        let due = timetable.take_due(&self.config.dreaming, &self.zone, now);
        let (mut left, mut asleep) = (attention.inference_left, 0.0);
        for (_, phase) in due {
            let seen = self.looks_at(phase, now);
            let dearest = self.upkeep(phase, seen, seen.min(self.most_named(phase))).cost(attention.llm);
            if seen == 0 || dearest > left {
                continue;
            }
            let done = match phase {
                Phase::Light => self.light(seen, now),
                Phase::Rem => self.rem(seen, now),
                Phase::Deep => self.deep(seen, now),
            };
            left -= done.cost(attention.llm);
            if phase == Phase::Rem {
                attended.reflects = self.question_of_themes(attention, left);
            }
            asleep += self.config.costs.seconds(self.config.dreaming.execution(phase));
            attended.upkeep.push(done);
        }
        attended.asleep_ticks = self.clock.ticks(asleep);
        attended
    }

    /// Numbers its notes and themes after those of another memory of the same golem, or the log would name two of them by one number.
    fn count_on_from(&mut self, other: &Self) {
        if self.notes.count() == 0 && self.themes.is_empty() {
            self.notes = Notes::numbered_from(other.notes.next());
            self.first_theme = other.first_theme + other.themes.len() as u32;
        }
    }
}
