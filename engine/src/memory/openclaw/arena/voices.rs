//! Voices on a candidate: notes, long-term memory and themes, each weighted in numbers of trades and expecting its result in R (retrieval
//! with weighted votes).
//!
//! Promoted notes speak at full weight wherever they fit and short-term ones softly, at most six of these by default, because the
//! architecture trusts promotion. A note's weight is its likeness times its trust times 2 (promoted) or .5 by default. Notes less than .5
//! alike are silent.

use super::note::{Circumstance, Note};
use super::{OpenClaw, ThemeBelief};
use crate::episode::Provenance;
use crate::memory::{Advice, Candidate, DecisionContext, Voice, VoiceSource};

impl OpenClaw {
    /// A memory search (top-k by likeness): all promoted notes that are alike enough, and the most similar short-term ones.
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

    /// The voice of a theme: its weight is its strength times `theme_weight`.
    pub(super) fn voice_of_theme(&self, belief: &ThemeBelief) -> Voice {
        Voice::new(
            VoiceSource::Node(belief.number),
            Provenance::Own,
            self.config.theme_weight * belief.theme.strength,
            belief.worth_r,
        )
    }

    /// The weighted mean of prior and voices; voices without weight aren't named.
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
    /// Whether a theme is about the candidate's strategy and the circumstances of the moment.
    pub(super) fn applies(&self, candidate: &Candidate, moment: &DecisionContext<'_>) -> bool {
        self.strategy.is_none_or(|strategy| strategy == candidate.strategy)
            && self.pattern.matches(&moment.context)
    }
}
