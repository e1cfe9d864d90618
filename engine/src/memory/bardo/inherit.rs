//! What passes from the dead to the living, and back.

use super::Bardo;
use crate::base::{RuleId, Tick, math};
use crate::episode::{Claim, Episode, EpisodeKind, FindingKind, Provenance, StagedClaim};
use crate::lethe::{Drawn, Relic};
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

        let rules = self.playbook.rules().iter().map(|rule| {
            let origin_generation = rule.id.golem.generation;
            (rule.claim, rule.confidence, origin_generation, false, &rule.learned_from)
        });
        let waiting = self.validated.iter().chain(self.staging.claims());
        let unfinished = waiting.filter(|staged| staged.confirmed > 0).map(|staged| {
            let origin_generation = staged.id.golem.generation;
            (staged.claim, staged.confidence, origin_generation, true, &staged.learned_from)
        });
        let told = |claim: &Claim| {
            let rules = self.playbook.rules().iter().map(|rule| &rule.claim);
            let waiting = self.validated.iter().chain(self.staging.claims());
            let unfinished = waiting.filter(|staged| staged.confirmed > 0).map(|staged| &staged.claim);
            rules.chain(unfinished).any(|known| known.same_subject(claim))
        };
        let drafted = self.draft.iter().filter(|lesson| !told(&lesson.claim)).map(|lesson| {
            (lesson.claim, lesson.confidence, self.golem.generation, true, &lesson.learned_from)
        });
        let mut lessons: Vec<_> = rules.chain(unfinished).chain(drafted).collect();
        lessons.sort_by(|a, b| a.3.cmp(&b.3).then(b.1.total_cmp(&a.1)));
        lessons.truncate(self.config.lessons as usize);
        let lessons =
            lessons.into_iter().map(|(claim, confidence, origin_generation, unfinished, sources)| {
                Relic::Lesson {
                    claim,
                    confidence,
                    origin_generation,
                    unfinished,
                    learned_from: sources.clone(),
                }
            });
        scars.chain(lessons).collect()
    }

    /// Scars join the Grimoire as episodes; lessons are staged, trusted less the more generations they have crossed
    /// (confidence · .85^generations, at most .7; digest section 14), those a predecessor could not finish testing with more
    /// right to a place. Foreign rules never enter the playbook directly.
    pub(in crate::memory) fn inherit(&mut self, drawn: Vec<Drawn>, generation: u32, now: Tick) {
        for Drawn { bloodstain, rank, score } in drawn {
            let provenance = Provenance::Bloodstain(bloodstain.id);
            let is_scar = bloodstain.is_scar();
            match bloodstain.relic {
                Relic::Scar(mut episode) => {
                    if episode.embedding.len() == self.grimoire.dimensions() {
                        episode.provenance = provenance;
                        self.grimoire.insert(episode, now);
                    }
                }
                Relic::Lesson { claim, confidence, origin_generation, learned_from, unfinished } => {
                    let generations = generation.abs_diff(origin_generation).max(1);
                    let left = confidence * math::pow(self.config.confidence_decay, f64::from(generations));
                    let staged = StagedClaim {
                        id: RuleId { golem: self.golem, number: self.next_rule },
                        claim,
                        confidence: left.min(self.config.confidence_ceiling),
                        staged: now,
                        confirmed: 0,
                        contradicted: 0,
                        total_r: 0.0,
                        last_tested: now,
                        kind: FindingKind::Lesson,
                        dream: None,
                        unfinished,
                        provenance,
                        learned_from,
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
