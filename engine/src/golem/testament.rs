//! The testament of a dying golem (digest section 13: nine sections, an autopsy after an epistemic death, unvalidated dreams). Results are
//! in R, money is in dollars. It assembles the post-mortem report from memory, mortality state and affect. At a sudden death the sections
//! are those of the last snapshot, whatever the memory; at any other a memory that dreams fills them, and those of others are empty. It is
//! written to the log, for people and tables to read; successors get bloodstains (`thanatopsis`) and the legacy (`succession`), not this
//! document.

use crate::golem::mortal::LastRites;
use crate::golem::{Golem, Moment};
use crate::lethe::bloodstain::CausalNote;
use crate::lethe::bloodstain::{Bequest, DeathMark, ScarNote};
use crate::lethe::testament::{DeathTestament, LifeReview, Saying, Section, SectionKind};
use crate::mortality::{Cause, Clock};

impl Golem {
    /// The testament: from present knowledge, or after a sudden death from the last snapshot alone, because such a death leaves no time to write one.
    pub(super) fn testament(&self, cause: Cause, rites: &LastRites, moment: &Moment<'_>) -> DeathTestament {
        let bequests = self.bequest(cause);
        let dreamer = self.memory.dreams();
        let sections = match (cause.is_sudden(), dreamer) {
            (true, _) => Section::of_bequests(&bequests),
            (false, Some(dreamer)) => dreamer.testament_sections(&moment.rules.dream.replay.causal),
            (false, None) => Section::none(),
        };
        let failed = cause.clock() == Some(Clock::Epistemic);
        let autopsy = dreamer.filter(|_| failed).map_or(Vec::new(), |dreamer| dreamer.autopsy());
        let unvalidated_dreams =
            dreamer.filter(|_| !cause.is_sudden()).map_or(Vec::new(), |dreamer| dreamer.unvalidated_dreams());
        let snapshot = self.mortal.snapshot.as_ref().map(|snapshot| snapshot.tick);
        DeathTestament {
            mark: self.death_mark(cause, rites, &bequests, &sections),
            budget: rites.budget,
            as_of: if cause.is_sudden() { snapshot } else { Some(moment.tick) },
            unfinished: bequests.iter().filter(|bequest| is_unfinished(bequest)).count() as u32,
            sections,
            autopsy,
            unvalidated_dreams,
            arc: self.mortal.story.arc(),
            review: Self::has_life_review(cause, rites.budget.tier).then(|| self.review(rites, moment)),
            stranded: self.mortal.stranded,
        }
    }

    fn review(&self, rites: &LastRites, moment: &Moment<'_>) -> LifeReview {
        LifeReview {
            episodes: self.reviewed_episodes(moment),
            findings: rites.review_outcome.found.clone(),
            cost: rites.review_outcome.cost,
            landmarks: self.mortal.landmarks.moments(),
            turning_points: self.mortal.story.turns().to_vec(),
        }
    }

    fn death_mark(
        &self,
        cause: Cause,
        rites: &LastRites,
        bequests: &[Bequest],
        sections: &[Section],
    ) -> DeathMark {
        let scar = |bequest: &Bequest| match bequest {
            Bequest::Scar(episode) => Some(ScarNote { episode: episode.id, realised_r: episode.realised_r }),
            Bequest::Lesson(_) => None,
        };
        DeathMark {
            cause,
            tick: rites.began,
            age: rites.began - self.born,
            vitality: rites.vitality,
            rung: self.mortal.rung,
            warnings: self.mortal.warnings(),
            causal_edges: edges(sections),
            scars: bequests.iter().filter_map(scar).take(DeathMark::MAX_SCARS).collect(),
            valence: self.affect.pad(),
            context: rites.context,
            position: rites.position,
        }
    }
}

fn is_unfinished(bequest: &Bequest) -> bool {
    matches!(bequest, Bequest::Lesson(lesson) if lesson.unfinished)
}

fn edges(sections: &[Section]) -> Vec<CausalNote> {
    let section = sections.iter().find(|section| section.kind == SectionKind::CausalEdges);
    let note = |saying: &Saying| match saying {
        Saying::Edge(note) => Some(note.clone()),
        Saying::Claim(_) | Saying::Loss { .. } | Saying::Feeling { .. } => None,
    };
    let entries = section.map_or(&[][..], |section| &section.entries);
    entries.iter().filter_map(|entry| note(&entry.saying)).take(DeathMark::MAX_EDGES).collect()
}
