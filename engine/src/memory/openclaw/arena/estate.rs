//! Exchange with the dead: what this memory leaves at death, and how it takes in bequests (knowledge transfer).
//!
//! Results are in R; confidence and trust run from 0 to 1, and trust falls by `confidence_decay` (.85) with each generation crossed,
//! without a ceiling. Scars are the own losing trades of the lowest R (five by default); lessons are the circumstances of promoted notes.
//! Inherited lessons aren't left again, since they are in the Lethe already.

use super::note::{Circumstance, Note};
use super::{OpenClaw, Telling};
use crate::episode::{Claim, ClaimKind, EntryKind, FindingKind, Lesson, Provenance};
use crate::lethe::{Bequest, Drawn, generations_crossed};
use crate::memory::legacy::InheritOutcome;
use crate::memory::{Bequeaths, Inheritance, InheritedItem};
use morta_base::{EpisodeId, Tick, math};
use morta_memories::openclaw::health::truth_confidence;

/// Most episodes named by a lesson; they stand in bloodstains and events.
const MOST_EPISODES: usize = 10;

impl Bequeaths for OpenClaw {
    /// Its worst trades, then lessons of long-term memory, the most certain first. Notes of inherited lessons are left out: they
    /// are in the Lethe already.
    fn bequeath(&self) -> Vec<Bequest> {
        let scars = self.scars.iter().cloned().map(Bequest::Scar);
        scars.chain(self.lessons().into_iter().map(Bequest::Lesson)).collect()
    }

    /// Bequests become notes of today with the name of their origin. A scar is the note of its trade; a lesson a note of its
    /// expectation, trusted by its confidence, less for every generation that it has crossed.
    fn inherit(&mut self, drawn: Vec<Drawn>, now: Tick) -> InheritOutcome {
        let mut received = InheritOutcome::default();
        for Drawn { bloodstain, rank, score, .. } in drawn {
            // It has no notes on staying in positions, nor on sequences, so such claims would never be found.
            if !bloodstain.bequest.is_understood(ClaimKind::Entry) {
                continue;
            }
            let source = Provenance::Bloodstain(bloodstain.id);
            let mut inheritance = match bloodstain.bequest {
                Bequest::Scar(episode) => {
                    received.scars += 1;
                    let about = Circumstance::from_context(episode.strategy, &episode.context);
                    self.write(Telling::of_trade(about, &episode, source), now);
                    Inheritance::new(source, InheritedItem::Scar(episode.id), episode.id.golem, now)
                }
                Bequest::Lesson(lesson) => {
                    received.candidates += 1;
                    let generations = generations_crossed(lesson.origin, bloodstain.id.golem, self.golem);
                    let decay = math::pow(self.config.confidence_decay, f64::from(generations));
                    let trust = lesson.confidence * decay;
                    let telling = Telling {
                        about: Note::about_lesson(&lesson),
                        realised_r: lesson.claim.expected_r,
                        trust,
                        provenance: source,
                        episode: None,
                        origin: lesson.origin,
                    };
                    self.write(telling, now);
                    Inheritance::lesson(source, &lesson, None, trust, now)
                }
            };
            (inheritance.rank, inheritance.score) = (rank, score);
            self.inheritance.push(inheritance);
        }
        received
    }

    fn inheritance(&self) -> &[Inheritance] {
        &self.inheritance
    }
}

impl OpenClaw {
    /// A lesson for each circumstance in long-term memory: the mean result of all own trades in it, at the confidence of its most
    /// certain promoted note.
    fn lessons(&self) -> Vec<Lesson> {
        let own = |note: &&Note| note.provenance == Provenance::Own;
        let mut lessons: Vec<Lesson> = Vec::new();
        for note in self.notes.iter().filter(own).filter(|note| note.promoted) {
            let confidence = self.store.entries.get(&note.key()).map_or(0.0, truth_confidence);
            let about = note.about;
            let known = lessons.iter_mut().find(|lesson| Note::about_lesson(lesson) == about);
            match known {
                Some(lesson) => lesson.confidence = lesson.confidence.max(confidence),
                None => lessons.push(self.lesson(about, confidence)),
            }
        }
        lessons.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        lessons.truncate(self.config.lessons as usize);
        lessons
    }

    fn lesson(&self, about: Circumstance, confidence: f64) -> Lesson {
        let same = |note: &&Note| note.provenance == Provenance::Own && note.about == about;
        let notes: Vec<&Note> = self.notes.about(about.strategy).filter(same).collect();
        let mean = notes.iter().map(|note| note.realised_r).sum::<f64>() / notes.len().max(1) as f64;
        let claim = Claim::of_worth(about.strategy, about.pattern, mean);
        let borne_out = |note: &&&Note| claim.is_confirmed_by(note.realised_r, self.config.confirm_margin_r);
        let confirmed = notes.iter().filter(borne_out).count() as u32;
        let learned_from: Vec<EpisodeId> =
            notes.iter().filter_map(|note| note.episode).take(MOST_EPISODES).collect();
        Lesson {
            kind: if mean > 0.0 { EntryKind::Heuristic } else { EntryKind::Warning },
            claim,
            confidence,
            confirmed,
            contradicted: notes.len() as u32 - confirmed,
            origin: self.golem,
            unfinished: false,
            finding: FindingKind::Insight,
            learned_from,
            outcomes_behind: notes.len() as u32,
        }
    }
}
