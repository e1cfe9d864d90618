//! Bequests of the dead, and their reception by the living: knowledge transfer by way of the Lethe.
//!
//! Confidence runs from 0 to 1, falls by a factor (.85) for each generation crossed, and is .7 at most (keys of `memory.bardo`). Order
//! matters: what comes first in a list of bequests is what a limited number of draws can still pass on. Five scars and ten lessons are left
//! at most by default. An inherited lesson has to pass its test in the heir's own life before it is a rule; a disproof counts as one at
//! once, unless the heir has its own on the subject.

use super::Bardo;
use crate::dream::integration::beliefs::Disproof;
use crate::dream::integration::{StagingResult, put_to_test};
use crate::dream::{Belief, BeliefEntry};
use crate::episode::{EntryKind, Episode, Lesson, Provenance};
use crate::lethe::{Bequest, Drawn, generations_crossed};
use crate::memory::legacy::InheritOutcome;
use crate::memory::{Bequeaths, Inheritance, InheritedItem, VoiceSource};
use morta_base::{RuleId, Tick, math};

impl Bequeaths for Bardo {
    /// Its bequests: scars first (own trades only, because inherited ones are already in the Lethe), then rules by confidence,
    /// then hypotheses under test and the last dream's findings.
    fn bequeath(&self) -> Vec<Bequest> {
        self.renew_bequests(Vec::new())
    }

    fn renew_bequests(&self, earlier: Vec<Bequest>) -> Vec<Bequest> {
        let scars = self.own_scars(earlier).map(Bequest::Scar);
        scars.chain(self.testament().into_iter().map(Bequest::Lesson)).collect()
    }

    /// Scars join the Grimoire as episodes. Lessons are staged at confidence · .85^generations, at most .7 (digest section 14), a
    /// predecessor's unfinished ones with priority. Foreign rules never enter the playbook directly. Claims disproved in another
    /// life are stored as disproved. Returns the new claims under test, and those that were displaced.
    fn inherit(&mut self, drawn: Vec<Drawn>, now: Tick) -> InheritOutcome {
        let mut received = InheritOutcome::default();
        for Drawn { bloodstain, rank, score, .. } in drawn {
            let provenance = Provenance::Bloodstain(bloodstain.id);
            let mut inheritance = match bloodstain.bequest {
                Bequest::Scar(episode) => self.inherit_scar(episode, provenance, now),
                Bequest::Lesson(lesson) => {
                    let generations = generations_crossed(lesson.origin, bloodstain.id.golem, self.golem);
                    let left =
                        lesson.confidence * math::pow(self.config.confidence_decay, f64::from(generations));
                    let confidence = left.min(self.config.confidence_ceiling);
                    match lesson.kind {
                        EntryKind::AntiKnowledge => self.inherit_anti(&lesson, confidence, provenance, now),
                        _ => self.inherit_lesson(lesson, confidence, provenance, now, &mut received),
                    }
                }
            };
            (inheritance.rank, inheritance.score) = (rank, score);
            self.later.inheritance.push(inheritance);
        }
        received
    }

    fn inheritance(&self) -> &[Inheritance] {
        &self.later.inheritance
    }
}

/// The source of a lesson in a testament.
enum Left<'a> {
    Entry(&'a BeliefEntry),
    Draft(&'a Lesson),
}

impl Bardo {
    /// The lessons that there is room for, those that passed their test first, then by confidence.
    pub(super) fn testament(&self) -> Vec<Lesson> {
        let rules = self.beliefs.rules().iter().map(|rule| (false, rule));
        let held: Vec<(bool, &BeliefEntry)> =
            rules.chain(self.unfinished().map(|claim| (true, claim))).collect();
        let is_new = |draft: &&Lesson| !held.iter().any(|(_, known)| known.claim.same_subject(&draft.claim));
        let drafts = self.later.draft.iter().filter(is_new);
        let trust = |entry: &BeliefEntry| entry.standing.before_demurrage(entry.confidence);
        // Ranked before anything is copied: a snapshot is taken every few ticks, and most of what is known finds no room in it.
        let mut ranked: Vec<(bool, f64, Left<'_>)> = held
            .iter()
            .map(|(unfinished, entry)| (*unfinished, trust(entry), Left::Entry(entry)))
            .chain(drafts.map(|draft| (draft.unfinished, draft.confidence, Left::Draft(draft))))
            .collect();
        ranked.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        ranked.truncate(self.config.lessons as usize);
        let lesson = |left: Left<'_>| match left {
            Left::Entry(entry) => entry.lesson(),
            Left::Draft(draft) => draft.clone(),
        };
        ranked.into_iter().map(|(_, _, left)| lesson(left)).collect()
    }

    /// Claims under test with at least one confirmation.
    fn unfinished(&self) -> impl Iterator<Item = &BeliefEntry> {
        let waiting = self.beliefs.awaiting_admission().iter().chain(self.beliefs.under_test());
        waiting.filter(|staged| staged.evidence.confirmed > 0)
    }

    /// Stores a scar as an episode of another golem; one whose embedding has another length is recorded and not stored.
    pub(super) fn inherit_scar(
        &mut self,
        mut episode: Episode,
        source: Provenance,
        now: Tick,
    ) -> Inheritance {
        let (id, origin) = (episode.id, episode.id.golem);
        if episode.embedding.len() == self.grimoire.dimensions() {
            episode.provenance = source;
            self.account.store(VoiceSource::Episode(id), false);
            self.grimoire.insert(episode, now);
        }
        Inheritance::new(source, InheritedItem::Scar(id), origin, now)
    }

    fn inherit_anti(
        &mut self,
        lesson: &Lesson,
        confidence: f64,
        source: Provenance,
        now: Tick,
    ) -> Inheritance {
        let id = self.new_rule_id();
        let belief = Belief::handed_over(lesson, id, confidence, source, now);
        self.take_over_disproof(Disproof { belief, found_r: 0.0 });
        Inheritance::lesson(source, lesson, Some(id), confidence, now)
    }

    /// Takes over a disproof, unless this life has one on its subject: its own comes first.
    pub(super) fn take_over_disproof(&mut self, disproof: Disproof) {
        let known = self.beliefs.proved_wrong();
        if !known.iter().any(|known| known.claim.same_subject(&disproof.belief.claim)) {
            self.beliefs.prove_wrong(disproof);
        }
    }

    /// Stages a lesson at that confidence.
    pub(super) fn inherit_lesson(
        &mut self,
        lesson: Lesson,
        confidence: f64,
        source: Provenance,
        now: Tick,
        received: &mut InheritOutcome,
    ) -> Inheritance {
        let id = RuleId { golem: self.golem, number: self.next_rule };
        let belief = Belief::handed_over(&lesson, id, confidence, source, now);
        let consolidation = self.consolidation.clone();
        let entry = match put_to_test(belief, lesson.unfinished, &mut self.mind(), now, &consolidation) {
            StagingResult::Staged { claim, displaced } => {
                let id = claim.id;
                self.account_for_staged(&claim);
                received.displaced.extend(displaced.map(|left| *left));
                received.staged.push(*claim);
                Some(id)
            }
            StagingResult::Known(id) => Some(id),
            StagingResult::Denied(_) | StagingResult::NoRoom => None,
        };
        Inheritance::lesson(source, &lesson, entry, confidence, now)
    }
}
