//! What became of something inherited, from the day it came to its outcome.

use crate::episode::{Claim, Context, Episode, Lesson, Provenance};
use crate::market::Strategy;
use crate::memory::contract::{Voice, VoiceSource};
use morta_base::{EpisodeId, GolemId, RuleId, Tick};
use serde::{Deserialize, Serialize};

/// What was inherited.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InheritedItem {
    /// Somebody else's episode.
    Scar(EpisodeId),
    /// A claim.
    Lesson {
        /// The heir's entry for it; none if it found no place.
        entry: Option<RuleId>,
        /// What it says.
        claim: Claim,
    },
}

/// What became of something inherited.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inheritance {
    /// From whom: a bloodstain, the predecessor, or somebody of the clade.
    pub source: Provenance,
    /// The episode or the claim.
    // Its name in recorded logs.
    #[serde(rename = "heirloom")]
    pub inherited_item: InheritedItem,
    /// Who first lived or learned it.
    pub origin: GolemId,
    /// When it came.
    pub drawn: Tick,
    /// Its rank among what was drawn with it; 0 for what wasn't drawn.
    pub rank: u32,
    /// Its score then; 0 for what wasn't drawn.
    pub score: f64,
    /// Trust in it to begin with; none for scars.
    pub confidence: Option<f64>,
    /// When it first spoke in a decision whose outcome is known, by that outcome.
    pub first_use: Option<Tick>,
    /// Trades in whose decision it spoke.
    pub uses: u32,
    /// Of these, trades of which it warned, as a scar does.
    #[serde(default)]
    pub warnings: u32,
    /// Of its uses, trades that made money.
    pub wins: u32,
    /// What they made together, in R.
    pub total_r: f64,
    /// Outcomes of this life that bore its claim out, whether it spoke or not.
    pub confirmed: u32,
    /// Outcomes that spoke against its claim.
    pub contradicted: u32,
    /// Whether it was in force as a rule.
    pub became_rule: bool,
}

impl Inheritance {
    /// Something that has just come.
    pub const fn new(source: Provenance, inherited_item: InheritedItem, origin: GolemId, now: Tick) -> Self {
        Self {
            source,
            inherited_item,
            origin,
            drawn: now,
            rank: 0,
            score: 0.0,
            confidence: None,
            first_use: None,
            uses: 0,
            warnings: 0,
            wins: 0,
            total_r: 0.0,
            confirmed: 0,
            contradicted: 0,
            became_rule: false,
        }
    }

    /// A lesson that has just come, and the entry that holds it now.
    pub fn lesson(
        source: Provenance,
        lesson: &Lesson,
        entry: Option<RuleId>,
        confidence: f64,
        now: Tick,
    ) -> Self {
        let inherited_item = InheritedItem::Lesson { entry, claim: lesson.claim };
        Self { confidence: Some(confidence), ..Self::new(source, inherited_item, lesson.origin, now) }
    }

    /// Whether it is an episode rather than a lesson.
    pub const fn is_scar(&self) -> bool {
        matches!(self.inherited_item, InheritedItem::Scar(_))
    }

    /// Whether it is held as that entry.
    pub fn is_entry(&self, id: RuleId) -> bool {
        matches!(self.inherited_item, InheritedItem::Lesson { entry: Some(entry), .. } if entry == id)
    }

    /// Follows it from its first use to its outcomes; a claim is held against every trade it speaks of, which confirms it or doesn't.
    pub fn hear_of_life(
        &mut self,
        episode: &Episode,
        why: &[Voice],
        confirms: impl Fn(&Claim, f64) -> bool,
        now: Tick,
    ) {
        let spoken = || why.iter().filter(|voice| self.speaks_in(voice));
        let (speaks, warns) = (spoken().next().is_some(), spoken().all(|voice| voice.source.is_guard()));
        if speaks {
            self.first_use.get_or_insert(now);
            self.uses += 1;
            self.warnings += u32::from(warns);
            self.wins += u32::from(episode.realised_r > 0.0);
            self.total_r += episode.realised_r;
        }
        if let InheritedItem::Lesson { claim, .. } = &self.inherited_item
            && claim.applies(episode.strategy, &episode.context)
        {
            let confirmed = confirms(claim, episode.realised_r);
            self.confirmed += u32::from(confirmed);
            self.contradicted += u32::from(!confirmed);
        }
    }

    /// Holds its claim against what staying in a position came to.
    pub fn hear_of_position(&mut self, strategy: Strategy, context: &Context, stayed_r: f64, margin_r: f64) {
        if let InheritedItem::Lesson { claim, .. } = &self.inherited_item
            && claim.applies(strategy, context)
        {
            let confirmed = claim.is_confirmed_by(stayed_r, margin_r);
            self.confirmed += u32::from(confirmed);
            self.contradicted += u32::from(!confirmed);
        }
    }

    /// Whether it was of use: the trades it spoke for made money together or, where it mostly warned, those it warned of lost some.
    pub fn worked(&self) -> bool {
        if 2 * self.warnings > self.uses { self.total_r < 0.0 } else { self.total_r > 0.0 }
    }

    /// Whether it is what speaks: the very episode or entry, or something that was concluded from its bloodstain.
    pub fn speaks_in(&self, voice: &Voice) -> bool {
        let from_bloodstain = self.source.bloodstain().is_some() && voice.provenance == self.source;
        from_bloodstain
            || match voice.source {
                VoiceSource::Episode(id) | VoiceSource::Guard(id) => {
                    self.inherited_item == InheritedItem::Scar(id)
                }
                VoiceSource::Rule(id)
                | VoiceSource::Hypothesis(id)
                | VoiceSource::Insight(id)
                | VoiceSource::AntiKnowledge(id)
                | VoiceSource::Stake(id)
                | VoiceSource::Warning(id) => self.is_entry(id),
                VoiceSource::Node(_)
                | VoiceSource::Note(_)
                | VoiceSource::Plan(_)
                | VoiceSource::Gut
                | VoiceSource::Truth(_) => false,
            }
    }
}
