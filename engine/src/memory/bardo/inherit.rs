//! What passes from the dead to the living, and back.

use super::{Bardo, DraftLesson};
use crate::base::{RuleId, Tick, math};
use crate::episode::{Claim, EntryKind, Episode, EpisodeKind, FindingKind, Lesson, Provenance, StagedClaim};
use crate::lethe::{Drawn, Relic, generations_crossed};
use crate::memory::Inheritance;

impl Bardo {
    /// Scars first (the trades that cost most, own ones only: what was inherited is already in the Lethe), then rules by
    /// confidence, then hypotheses that were under test and what the last dream found.
    pub(in crate::memory) fn bequeath(&self) -> Vec<Relic> {
        let mut scars: Vec<&Episode> = self
            .grimoire
            .records()
            .iter()
            .filter(|episode| episode.kind == EpisodeKind::Trade && !episode.is_inherited())
            .filter(|episode| episode.realised_r < 0.0)
            .collect();
        scars.sort_by(|a, b| a.realised_r.total_cmp(&b.realised_r).then(b.id.cmp(&a.id)));
        scars.truncate(self.config.scars as usize);
        let scars = scars.into_iter().cloned().map(Relic::Scar);

        let rules = self.playbook.rules().iter().map(|rule| Lesson {
            kind: kind_of(&rule.claim, EntryKind::Heuristic),
            claim: rule.claim,
            confidence: rule.confidence,
            confirmed: rule.confirmed,
            contradicted: rule.contradicted,
            origin: rule.origin,
            unfinished: false,
            finding: rule.kind,
            learned_from: rule.learned_from.clone(),
        });
        let mut lessons: Vec<Lesson> = rules.chain(self.unfinished()).collect();
        let drafted = self.draft.iter().map(|draft| self.drafted(draft));
        let untold = drafted.filter(|new| !lessons.iter().any(|known| known.claim.same_subject(&new.claim)));
        let untold: Vec<Lesson> = untold.collect();
        lessons.extend(untold);
        lessons.sort_by(|a, b| a.unfinished.cmp(&b.unfinished).then(b.confidence.total_cmp(&a.confidence)));
        lessons.truncate(self.config.lessons as usize);
        scars.chain(lessons.into_iter().map(Relic::Lesson)).collect()
    }

    /// Claims that had begun to be tested.
    fn unfinished(&self) -> impl Iterator<Item = Lesson> {
        let waiting = self.validated.iter().chain(self.staging.claims());
        waiting.filter(|staged| staged.confirmed > 0).map(|staged| Lesson {
            kind: EntryKind::Question,
            claim: staged.claim,
            confidence: staged.confidence,
            confirmed: staged.confirmed,
            contradicted: staged.contradicted,
            origin: staged.origin,
            unfinished: true,
            finding: staged.kind,
            learned_from: staged.learned_from.clone(),
        })
    }

    fn drafted(&self, draft: &DraftLesson) -> Lesson {
        Lesson {
            kind: EntryKind::Question,
            claim: draft.claim,
            confidence: draft.confidence,
            confirmed: 0,
            contradicted: 0,
            origin: self.golem,
            unfinished: true,
            finding: draft.kind,
            learned_from: draft.learned_from.clone(),
        }
    }

    /// Scars join the Grimoire as episodes; lessons are staged, trusted less the more generations they have crossed
    /// (confidence · .85^generations, at most .7; digest section 14), those a predecessor could not finish testing with more
    /// right to a place. Foreign rules never enter the playbook directly.
    pub(in crate::memory) fn inherit(&mut self, drawn: Vec<Drawn>, now: Tick) {
        for Drawn { bloodstain, rank, score, .. } in drawn {
            let provenance = Provenance::Bloodstain(bloodstain.id);
            let is_scar = bloodstain.is_scar();
            match bloodstain.relic {
                Relic::Scar(mut episode) => {
                    if episode.embedding.len() == self.grimoire.dimensions() {
                        episode.provenance = provenance;
                        self.grimoire.insert(episode, now);
                    }
                }
                Relic::Lesson(lesson) => {
                    let generations = generations_crossed(lesson.origin, bloodstain.id.golem, self.golem);
                    let left =
                        lesson.confidence * math::pow(self.config.confidence_decay, f64::from(generations));
                    let staged = StagedClaim {
                        id: RuleId { golem: self.golem, number: self.next_rule },
                        claim: lesson.claim,
                        confidence: left.min(self.config.confidence_ceiling),
                        staged: now,
                        confirmed: 0,
                        contradicted: 0,
                        total_r: 0.0,
                        last_tested: now,
                        kind: FindingKind::Lesson,
                        dream: None,
                        unfinished: lesson.unfinished,
                        origin: lesson.origin,
                        provenance,
                        learned_from: lesson.learned_from,
                    };
                    self.next_rule += 1;
                    self.staging.stage(staged, self.consolidation.max_staged_revisions);
                }
            }
            self.inheritance.push(Inheritance {
                bloodstain: bloodstain.id,
                drawn: now,
                rank,
                score,
                is_scar,
                uses: 0,
                wins: 0,
                total_r: 0.0,
            });
        }
    }
}

/// A claim that says to stay away is a warning, whatever else it would be.
pub(super) const fn kind_of(claim: &Claim, otherwise: EntryKind) -> EntryKind {
    if claim.expected_r > 0.0 { otherwise } else { EntryKind::Warning }
}
