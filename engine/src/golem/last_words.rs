//! Writing the testament.

use crate::golem::mortal::LastRites;
use crate::golem::{Golem, Moment};
use crate::lethe::bloodstain::CausalNote;
use crate::lethe::bloodstain::{DeathMark, Relic, ScarNote};
use crate::lethe::testament::{DeathTestament, LifeReview, Saying, Section, SectionKind};
use crate::mortality::{Cause, Clock};

impl Golem {
    /// Everything it has to say. A sudden death has only the last snapshot to say it with.
    pub(super) fn testament(
        &self,
        cause: Cause,
        rites: &LastRites,
        reviews: bool,
        moment: &Moment<'_>,
    ) -> DeathTestament {
        let relics = self.bequest(cause);
        let dreamer = self.memory.dreamer();
        let sections = match (cause.is_sudden(), dreamer) {
            (true, _) => Section::of_relics(&relics),
            (false, Some(bardo)) => bardo.testament_sections(&moment.rules.dream.replay.causal),
            (false, None) => Section::none(),
        };
        let failed = cause.clock() == Some(Clock::Epistemic);
        let autopsy = dreamer.filter(|_| failed).map_or(Vec::new(), |bardo| bardo.autopsy());
        let unvalidated_dreams =
            dreamer.filter(|_| !cause.is_sudden()).map_or(Vec::new(), |bardo| bardo.unvalidated_dreams());
        let snapshot = self.mortal.snapshot.as_ref().map(|snapshot| snapshot.tick);
        DeathTestament {
            mark: self.death_mark(cause, rites, &relics, &sections),
            budget: rites.budget,
            as_of: if cause.is_sudden() { snapshot } else { Some(moment.tick) },
            unfinished: relics.iter().filter(|relic| is_unfinished(relic)).count() as u32,
            sections,
            autopsy,
            unvalidated_dreams,
            arc: self.mortal.story.arc(),
            review: reviews.then(|| self.review(moment)),
            stranded: self.mortal.stranded,
        }
    }

    fn review(&self, moment: &Moment<'_>) -> LifeReview {
        let config = &moment.rules.mortality.thanatopsis;
        let all = self.memory.dreamer().map_or(Vec::new(), |bardo| bardo.reviewable());
        let (most, per_profile) = (config.review_episodes as usize, config.review_per_profile as usize);
        LifeReview {
            episodes: LifeReview::pick(all, config.review_min_arousal, most, per_profile),
            landmarks: self.mortal.landmarks.moments(),
            turning_points: self.mortal.story.turns().to_vec(),
        }
    }

    fn death_mark(
        &self,
        cause: Cause,
        rites: &LastRites,
        relics: &[Relic],
        sections: &[Section],
    ) -> DeathMark {
        let scar = |relic: &Relic| match relic {
            Relic::Scar(episode) => Some(ScarNote { episode: episode.id, realised_r: episode.realised_r }),
            Relic::Lesson(_) => None,
        };
        DeathMark {
            cause,
            tick: rites.began,
            age: rites.began - self.born,
            vitality: rites.vitality,
            rung: self.mortal.rung,
            warnings: self.mortal.warnings(),
            causal_edges: edges(sections),
            scars: relics.iter().filter_map(scar).take(DeathMark::MAX_SCARS).collect(),
            valence: self.mood.pad(),
            context: rites.context,
            position: rites.position,
        }
    }
}

fn is_unfinished(relic: &Relic) -> bool {
    matches!(relic, Relic::Lesson(lesson) if lesson.unfinished)
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
