//! Voices on a candidate: notes, long-term memory and themes, each weighted in numbers of trades and expecting its result in R (retrieval
//! with weighted votes). Promoted notes speak at full weight and short-term ones softly, because the architecture trusts promotion.

use super::note::{Circumstance, Note};
use super::{OpenClaw, ThemeBelief};
use crate::episode::Provenance;
use crate::memory::{Advice, Candidate, DecisionContext, Voice, VoiceSource};

impl OpenClaw {
    pub(super) fn notes_about(&self, query: &Circumstance) -> Vec<Voice> {
        let most = self.config.search_results as usize;
        let mut lasting = Vec::new();
        let mut found: Vec<(f64, &Note)> = Vec::with_capacity(most + 1);
        // Newest first, so that of equally similar notes the newest are found.
        for note in self.notes.about(query.strategy) {
            let likeness = query.likeness(&note.about);
            if likeness < self.config.min_similarity {
                continue;
            }
            if note.promoted {
                lasting.push(voice_of_note(note, self.config.promoted_weight * likeness));
            } else if found.len() < most || found.last().is_some_and(|(worst, _)| likeness > *worst) {
                let place = found.partition_point(|(known, _)| *known >= likeness);
                found.insert(place, (likeness, note));
                found.truncate(most);
            }
        }
        let softly =
            |(likeness, note): (f64, &Note)| voice_of_note(note, self.config.short_term_weight * likeness);
        lasting.extend(found.into_iter().map(softly));
        lasting
    }

    pub(super) fn voice_of_theme(&self, belief: &ThemeBelief) -> Voice {
        Voice::new(
            VoiceSource::Node(belief.number),
            Provenance::Own,
            self.config.theme_weight * belief.theme.strength,
            belief.worth_r,
        )
    }

    pub(super) fn weigh(&self, candidate: &Candidate, voices: Vec<Voice>) -> Advice {
        let why = Advice::loudest(voices.iter().filter(|voice| voice.weight > 0.0).copied());
        let balanced = Advice::balanced(candidate, self.config.prior_weight, voices.iter());
        Advice { why, ..balanced }.with_voices(voices)
    }
}

fn voice_of_note(note: &Note, weight: f64) -> Voice {
    Voice::new(VoiceSource::Note(note.number), note.provenance, weight * note.trust, note.realised_r)
}

impl ThemeBelief {
    pub(super) fn applies(&self, candidate: &Candidate, moment: &DecisionContext<'_>) -> bool {
        self.strategy.is_none_or(|strategy| strategy == candidate.strategy)
            && self.pattern.matches(&moment.context)
    }
}
