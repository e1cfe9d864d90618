//! The rule table: the feelings of happenings (digest section 10, A01; outcomes of dreams, insights and
//! threats that strike from section 7, A06).
//!
//! A rule is pleasure, arousal, dominance and an intensity. A profit of x % of the stake has intensity clamp(x/10, .1, .9), a loss clamp(x/20, .1, .9), a
//! miss e clamp(e, .2, .8), a dreamt threat its severity; the fourth number of the rule multiplies these. Elsewhere it is the intensity.
//! Pleasure, arousal and dominance run from −1 to 1, intensity from 0 to 1. The caller takes per cent of the position's largest size, loan
//! included, and a miss of |expected R − R|/2, at most 1. What the trigger lets pass moves the mood (not in mode `tick`); a trade's episode
//! is tagged all the same. In mode `chain` a model's answer replaces strong feelings. In psychology this is appraisal theory with the PAD
//! model (Mehrabian); as code it is a lookup table, so that each feeling can be changed by a key.

use crate::daimon::{Emotion, MoodCause, Pad};
use morta_base::TableChecker;
use morta_base::keys;
use serde::{Deserialize, Serialize};

/// A happening that can be felt: an emotion-eliciting event (stimulus), with its magnitude.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Happening {
    /// A trade closed with this profit (0 or more) or loss, per cent of the largest size it had.
    TradeClosed {
        /// Profit net of costs, per cent of the largest size.
        percent: f64,
    },
    /// An expectation missed by this much, in [0, 1].
    PredictionMissed {
        /// Size of the miss.
        error: f64,
    },
    /// The market's regime, as read by the golem, changed.
    RegimeShifted,
    /// A golem of its clade died.
    SiblingDied,
    /// A rule the golem was testing proved right.
    RuleValidated,
    /// A rule the golem was testing proved wrong.
    RuleContradicted,
    /// A threat was rehearsed in a dream.
    DreamThreat {
        /// Severity, 0 to 1: .8, .5 or .3 by the threat's tier.
        severity: f64,
    },
    /// A conclusion of a dream proved right.
    DreamConfirmed,
    /// A conclusion of a dream proved wrong.
    DreamRefuted,
    /// A dream brought a new insight.
    InsightGained,
    /// A threat that a dream has rehearsed struck while awake.
    ThreatRealised,
    /// A cycle of the Curator: the golem appraises its recent results. It comes at `curator.interval_ticks`, also in phases in which the
    /// Curator comes less often or not at all.
    CuratorCycle {
        /// Running mean result of its trades, in R.
        recent_r: f64,
    },
    /// A threat in a sibling's pheromone, with its feeling.
    ThreatSmelled(Pad),
    /// It is reminded that it will die.
    MortalityReminder(Appraisal),
}

impl Happening {
    /// Maps the happening, a stimulus, to its cause of a mood; a profit and a loss are two.
    pub const fn cause(self) -> MoodCause {
        match self {
            Self::TradeClosed { percent } if percent >= 0.0 => MoodCause::Profit,
            Self::TradeClosed { .. } => MoodCause::Loss,
            Self::PredictionMissed { .. } => MoodCause::PredictionMissed,
            Self::RegimeShifted => MoodCause::RegimeShifted,
            Self::SiblingDied => MoodCause::SiblingDied,
            Self::RuleValidated => MoodCause::RuleValidated,
            Self::RuleContradicted => MoodCause::RuleContradicted,
            Self::DreamThreat { .. } => MoodCause::DreamThreat,
            Self::DreamConfirmed => MoodCause::DreamConfirmed,
            Self::DreamRefuted => MoodCause::DreamRefuted,
            Self::InsightGained => MoodCause::InsightGained,
            Self::ThreatRealised => MoodCause::ThreatRealised,
            Self::CuratorCycle { .. } => MoodCause::CuratorCycle,
            Self::ThreatSmelled(_) => MoodCause::ThreatSmelled,
            Self::MortalityReminder(_) => MoodCause::MortalityReminder,
        }
    }

    /// Describes the happening (stimulus) in words, for the prompt of a language model.
    pub fn words(self) -> String {
        match self {
            Self::TradeClosed { percent } if percent >= 0.0 => {
                format!("a trade made {percent:.1} per cent of what was put into it")
            }
            Self::TradeClosed { percent } => {
                format!("a trade lost {:.1} per cent of what was put into it", -percent)
            }
            Self::PredictionMissed { error } => {
                format!("an expectation was missed, by {error:.2} on a scale from 0 to 1")
            }
            Self::RegimeShifted => "the market has turned into one of another kind".to_owned(),
            Self::SiblingDied => "a sibling has died".to_owned(),
            Self::RuleValidated => "a rule that was being tested has proved right".to_owned(),
            Self::RuleContradicted => "a rule that was being tested has proved wrong".to_owned(),
            Self::DreamThreat { severity } => {
                format!("a threat was rehearsed in a dream, of gravity {severity:.1} of 1")
            }
            Self::DreamConfirmed => "what a dream concluded has proved right".to_owned(),
            Self::DreamRefuted => "what a dream concluded has proved wrong".to_owned(),
            Self::InsightGained => "something new was understood".to_owned(),
            Self::ThreatRealised => "a threat that was rehearsed has struck".to_owned(),
            Self::CuratorCycle { recent_r } => {
                format!("time to take stock: trades have made {recent_r:+.2} R each of late")
            }
            Self::ThreatSmelled(_) => "siblings give warning of a threat".to_owned(),
            Self::MortalityReminder(affect) => {
                format!("it is brought home that life will end ({})", affect.emotion.name())
            }
        }
    }

    /// Whether it is felt however often it has been felt lately, past habituation: mortality, regimes, deaths of siblings, Curator cycles
    /// (digest section 10).
    pub(crate) const fn is_mandatory(self) -> bool {
        matches!(
            self,
            Self::MortalityReminder(_) | Self::RegimeShifted | Self::SiblingDied | Self::CuratorCycle { .. }
        )
    }

    /// Whether it is bad news of money: such feelings move faster where rates differ, by loss aversion (digest section 10, losses ×1.6).
    pub const fn is_loss(self) -> bool {
        matches!(self, Self::TradeClosed { percent } if percent < 0.0)
    }
}

/// A feeling with its intensity and its label: the result of a cognitive appraisal (stimulus evaluation), an emotion vector.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Appraisal {
    /// The feeling as pleasure, arousal and dominance.
    pub pad: Pad,
    /// Its intensity, 0 to 1.
    pub intensity: f64,
    /// Its label.
    pub emotion: Emotion,
}

impl Appraisal {
    /// Labels a feeling, however faint, by its octant.
    pub(super) fn new(pad: Pad, intensity: f64) -> Self {
        Self { pad, intensity, emotion: Emotion::from_pad(pad, 0.0) }
    }
}

/// Pleasure, arousal, dominance (each −1 to 1) and intensity (0 to 1) of a rule of appraisal. Where a rule computes its intensity from the
/// happening, the fourth number multiplies it.
pub(crate) type RuleRow = [f64; 4];

keys! {
    /// How things feel. Every rule is a list of pleasure, arousal and dominance (each −1 to 1) and intensity (0 to 1).
    /// Profits, losses, misses and dreamt threats reckon their intensity from their size; there the fourth number
    /// multiplies it.
    pub struct RuleTable {
        /// A trade that paid: intensity is per cent of the stake over 10, between .1 and .9.
        profit: RuleRow = [0.6, 0.3, 0.5, 1.0], in -1.0..=1.0, "PAD";
        /// A trade that lost: intensity is per cent of the stake over 20, between .1 and .9.
        loss: RuleRow = [-0.5, 0.7, -0.3, 1.0], in -1.0..=1.0, "PAD";
        /// Losses of no more than this, per cent of the stake, stir less.
        small_loss_percent: f64 = 5.0, in 0.0..=100.0, "per cent";
        /// Arousal of such a loss.
        small_loss_arousal: f64 = 0.2, in -1.0..=1.0, "PAD";
        /// An expectation missed by more than half: intensity is the miss, between .2 and .8.
        miss: RuleRow = [-0.3, 0.6, -0.2, 1.0], in -1.0..=1.0, "PAD";
        /// Pleasure of a smaller miss.
        small_miss_pleasure: f64 = -0.1, in -1.0..=1.0, "PAD";
        /// The regime changed.
        regime_shift: RuleRow = [-0.2, 0.7, -0.3, 0.6], in -1.0..=1.0, "PAD";
        /// A sibling died.
        sibling_death: RuleRow = [-0.4, 0.3, -0.2, 0.6], in -1.0..=1.0, "PAD";
        /// A rule under test proved right.
        validated: RuleRow = [0.3, -0.1, 0.3, 0.4], in -1.0..=1.0, "PAD";
        /// A rule under test proved wrong.
        contradicted: RuleRow = [-0.3, 0.2, 0.1, 0.4], in -1.0..=1.0, "PAD";
        /// A threat was dreamt of: pleasure and arousal are multiplied by its severity (.8, .5, .3 by tier), which is
        /// also the intensity.
        dream_threat: RuleRow = [-0.4, 0.5, -0.3, 1.0], in -1.0..=1.0, "PAD";
        /// What a dream concluded proved right. The intensity is proposed: the specs give none.
        dream_confirmed: RuleRow = [0.3, 0.1, 0.4, 0.4], in -1.0..=1.0, "PAD";
        /// What a dream concluded proved wrong. The intensity is proposed.
        dream_refuted: RuleRow = [-0.2, 0.4, -0.1, 0.4], in -1.0..=1.0, "PAD";
        /// Something new was understood. The intensity is proposed.
        insight: RuleRow = [0.2, 0.3, 0.2, 0.4], in -1.0..=1.0, "PAD";
        /// A threat struck. The intensity is proposed.
        threat_realised: RuleRow = [-0.4, 0.5, -0.3, 0.6], in -1.0..=1.0, "PAD";
    }
    also intensities_are_not_negative;
}

impl RuleTable {
    fn intensities_are_not_negative(&self, table: &mut TableChecker<'_>) {
        for (name, [.., intensity]) in [
            ("profit", self.profit),
            ("loss", self.loss),
            ("miss", self.miss),
            ("regime_shift", self.regime_shift),
            ("sibling_death", self.sibling_death),
            ("validated", self.validated),
            ("contradicted", self.contradicted),
            ("dream_threat", self.dream_threat),
            ("dream_confirmed", self.dream_confirmed),
            ("dream_refuted", self.dream_refuted),
            ("insight", self.insight),
            ("threat_realised", self.threat_realised),
        ] {
            let remedy = "the fourth number is an intensity, from 0 to 1";
            table.demand(intensity >= 0.0, &format!("{name}.3"), intensity, remedy);
        }
    }
}

/// The Curator's cycle: pleasure and dominance are multiplied by the running mean result in R, between −1 and 1. The digest (section 10) has it felt
/// in every cycle and names no feeling; our choice, that of a rule that proved right, a little fainter.
const CURATOR_CYCLE: RuleRow = [0.3, -0.1, 0.3, 0.3];

/// Size of a miss beyond which it is a bad surprise (digest section 10).
pub(crate) const LARGE_MISS: f64 = 0.5;

/// Looks a happening up in the rule table: the cognitive appraisal. Whether it is felt at all is decided by the trigger, afterwards.
pub fn appraise(happening: Happening, rules: &RuleTable) -> Appraisal {
    match happening {
        Happening::TradeClosed { percent } if percent >= 0.0 => {
            felt(rules.profit, (percent / 10.0).clamp(0.1, 0.9))
        }
        Happening::TradeClosed { percent } => {
            let [pleasure, arousal, dominance, scale] = rules.loss;
            let small = -percent <= rules.small_loss_percent;
            let arousal = if small { rules.small_loss_arousal } else { arousal };
            felt([pleasure, arousal, dominance, scale], (-percent / 20.0).clamp(0.1, 0.9))
        }
        Happening::PredictionMissed { error } => {
            let [pleasure, arousal, dominance, scale] = rules.miss;
            let large = error > LARGE_MISS;
            let pleasure = if large { pleasure } else { rules.small_miss_pleasure };
            let missed = felt([pleasure, arousal, dominance, scale], error.clamp(0.2, 0.8));
            if large { Appraisal { emotion: Emotion::Surprise, ..missed } } else { missed }
        }
        Happening::RegimeShifted => felt(rules.regime_shift, 1.0),
        Happening::SiblingDied => felt(rules.sibling_death, 1.0),
        Happening::RuleValidated => felt(rules.validated, 1.0),
        Happening::RuleContradicted => felt(rules.contradicted, 1.0),
        Happening::DreamThreat { severity } => {
            let [pleasure, arousal, dominance, scale] = rules.dream_threat;
            felt([pleasure * severity, arousal * severity, dominance, scale], severity)
        }
        Happening::DreamConfirmed => felt(rules.dream_confirmed, 1.0),
        Happening::DreamRefuted => felt(rules.dream_refuted, 1.0),
        Happening::InsightGained => felt(rules.insight, 1.0),
        Happening::ThreatRealised => felt(rules.threat_realised, 1.0),
        Happening::CuratorCycle { recent_r } => {
            let [pleasure, arousal, dominance, intensity] = CURATOR_CYCLE;
            let stock = recent_r.clamp(-1.0, 1.0);
            felt([pleasure * stock, arousal, dominance * stock, intensity], 1.0)
        }
        Happening::ThreatSmelled(pad) => Appraisal::new(pad, 1.0),
        Happening::MortalityReminder(affect) => affect,
    }
}

fn felt([pleasure, arousal, dominance, scale]: RuleRow, size: f64) -> Appraisal {
    Appraisal::new(Pad::new(pleasure, arousal, dominance), scale * size)
}
