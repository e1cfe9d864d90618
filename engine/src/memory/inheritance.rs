//! The fate of an inherited item, from its arrival to the outcomes of its use (provenance tracking, outcome attribution).
//!
//! Results are in R, confidence runs from 0 to 1, times are in ticks. It answers whether inheritance helps: an item that is never used
//! can't, and a vote of the heir rests on this record. Each memory keeps the record itself and decides by its own margin what confirms a
//! claim; the record changes no trade of the heir, but its votes change what others draw.

use crate::episode::{Claim, Context, Episode, Lesson, Provenance};
use crate::market::Strategy;
use crate::memory::contract::{Voice, VoiceSource};
use morta_base::{EpisodeId, GolemId, RuleId, Tick};
use serde::{Deserialize, Serialize};

/// What was inherited, the unit of transfer learning between golems: an episode or a rule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InheritedItem {
    /// An episode of another golem.
    Scar(EpisodeId),
    /// A claim.
    Lesson {
        /// The heir's entry for it; none if it found no place.
        entry: Option<RuleId>,
        /// The claim.
        claim: Claim,
    },
}

/// A usage record of one inherited item (knowledge transfer), with counts of uses, outcomes and wins, from which a win rate follows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inheritance {
    /// Its source: a bloodstain, the predecessor, or a sibling.
    pub source: Provenance,
    /// The episode or the claim.
    // The name in recorded logs, which a rename would make unreadable.
    #[serde(rename = "heirloom")]
    pub inherited_item: InheritedItem,
    /// The golem that first lived or learned it.
    pub origin: GolemId,
    /// Tick of its arrival.
    pub drawn: Tick,
    /// Its rank among the items drawn with it; 0 for an item that wasn't drawn.
    pub rank: u32,
    /// Its score then; 0 for an item that wasn't drawn.
    pub score: f64,
    /// First confidence; none for scars.
    pub confidence: Option<f64>,
    /// Tick of the first outcome of a decision in which it spoke.
    pub first_use: Option<Tick>,
    /// Trades in whose decision it spoke.
    pub uses: u32,
    /// Of these, trades against which it warned, as a scar does.
    #[serde(default)]
    pub warnings: u32,
    /// Of its uses, trades that made money.
    pub wins: u32,
    /// Their summed result, in R.
    pub total_r: f64,
    /// Outcomes of this life that confirmed its claim, whether it spoke or not.
    pub confirmed: u32,
    /// Outcomes that contradicted its claim.
    pub contradicted: u32,
    /// Whether it became a rule in force.
    pub became_rule: bool,
}

impl Inheritance {
    /// Makes the usage record of an item that has just arrived, without use.
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

    /// Makes the record of a lesson (a transferred rule) that has just arrived, and its entry.
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

    /// Whether it is a transferred experience (episode) and no lesson.
    pub const fn is_scar(&self) -> bool {
        matches!(self.inherited_item, InheritedItem::Scar(_))
    }

    /// Whether it is that entry (rule) of the heir's memory: ids are compared.
    pub(crate) fn is_entry(&self, id: RuleId) -> bool {
        matches!(self.inherited_item, InheritedItem::Lesson { entry: Some(entry), .. } if entry == id)
    }

    /// Attributes the outcome of a trade: counts a use if it spoke in the decision, and holds its claim against every trade that it applies
    /// to.
    pub(crate) fn note_outcome(
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
        self.note_test(episode.strategy, &episode.context, |claim| confirms(claim, episode.realised_r));
    }

    /// Holds its claim, if it applies, against a result: that of a trade, or of staying in a position.
    pub(crate) fn note_test(
        &mut self,
        strategy: Strategy,
        context: &Context,
        confirms: impl FnOnce(&Claim) -> bool,
    ) {
        if let InheritedItem::Lesson { claim, .. } = &self.inherited_item
            && claim.applies(strategy, context)
        {
            let confirmed = confirms(claim);
            self.confirmed += u32::from(confirmed);
            self.contradicted += u32::from(!confirmed);
        }
    }

    /// Whether the item was useful, by which the heir votes on bloodstains: its trades gained in sum or, if it mostly warned, the trades
    /// that it warned against lost in sum.
    pub fn worked(&self) -> bool {
        if 2 * self.warnings > self.uses { self.total_r < 0.0 } else { self.total_r > 0.0 }
    }

    /// Whether the voice is its own, of the very episode or entry, or of a conclusion from its bloodstain: attribution (credit assignment)
    /// by provenance.
    pub(crate) fn speaks_in(&self, voice: &Voice) -> bool {
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
