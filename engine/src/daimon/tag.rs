//! The arousal with which an episode is remembered, 0 to 1: emotional tagging of memory. The choice of replays, the onset of dreams,
//! reappraisal, sleep pressure, the Curator's priorities, the life review and the memory `generative-agents` read it later; retention
//! doesn't go by it.
//!
//! Three readings can be chosen (`daimon.tag`): the feelings' own arousal (the default), that times intensity, or a running quantile
//! (percentile rank) among the golem's own trades. A rank adapts to the golem, so that some episodes stand out in every life, calm or wild.
//! The golem tags each closed trade once, when it is awake; abstentions, and trades of golems without affect, have an arousal of 0.

use crate::daimon::Appraisal;
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// What an episode's arousal is taken from.
    #[derive(Default)]
    pub enum ArousalTag: Key {
        /// The arousal of the feelings themselves, by the rule table: of the result and of a bad surprise, which add up, but never beyond 1.
        #[default]
        Pad = "pad",
        /// That, times how strongly they were felt.
        Scaled = "scaled",
        /// The share of the golem's own trades so far that stirred it less, by `scaled`.
        Quantile = "quantile",
    }
}

/// Classes of arousal, .05 wide.
const CLASSES: usize = 20;
/// Factor on earlier trades at each trade: some two hundred count, so that a golem that has become calm finds a smaller shock arousing.
const KEPT: f32 = 0.995;

/// Weights of a golem's trades by class of arousal, older trades counting less: a decaying histogram for percentile ranks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ArousalRanks([f32; CLASSES]);

impl ArousalRanks {
    /// Returns the share of earlier trades with less arousal than this, half of those of its class included (mid-rank percentile); ½ before
    /// any. Then counts it, too, with exponential forgetting.
    pub fn rank(&mut self, arousal: f64) -> f64 {
        let class = ((arousal.clamp(0.0, 1.0) * CLASSES as f64) as usize).min(CLASSES - 1);
        let all: f32 = self.0.iter().sum();
        let below: f32 = self.0[..class].iter().sum();
        let rank = if all > 0.0 { f64::from((below + 0.5 * self.0[class]) / all) } else { 0.5 };
        self.0.iter_mut().for_each(|weight| *weight *= KEPT);
        self.0[class] += 1.0;
        rank
    }
}

/// The feelings of a closed trade, the pair of emotions at encoding: of its result, and of the miss of its expectation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Felt {
    /// The feeling of the result.
    pub outcome: Appraisal,
    /// The feeling of the miss.
    pub miss: Appraisal,
    /// Whether the miss was a bad surprise.
    pub surprising: bool,
}

impl Felt {
    /// The dominant emotion: the stronger of the two feelings, by arousal times intensity, which rumination brings back.
    pub fn strongest(&self) -> Appraisal {
        if scaled(&self.miss) > scaled(&self.outcome) { self.miss } else { self.outcome }
    }

    /// The arousal at encoding, with which the episode is remembered (emotional salience), 0 to 1; `rank` is called for ranks only, because
    /// a rank counts its trade.
    pub fn arousal(&self, tag: ArousalTag, rank: impl FnOnce(f64) -> f64) -> f64 {
        let strongest = scaled(&self.strongest()).clamp(0.0, 1.0);
        match tag {
            // What is left of the calm is stirred by the second, too (excitation transfer, Zillmann 1971). By the larger of the two nothing was ever
            // above .7, and the specs' "above .8 takes three to five dreams" spoke of no episode.
            ArousalTag::Pad => {
                let missed = if self.surprising { self.miss.pad.arousal } else { 0.0 };
                let calm = |arousal: f64| 1.0 - arousal.clamp(0.0, 1.0);
                1.0 - calm(self.outcome.pad.arousal) * calm(missed)
            }
            ArousalTag::Scaled => strongest,
            ArousalTag::Quantile => rank(strongest),
        }
    }
}

fn scaled(felt: &Appraisal) -> f64 {
    felt.pad.arousal * felt.intensity
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daimon::{Happening, RuleTable, appraise};

    fn felt(percent: f64, error: f64) -> Felt {
        let appraise = |happening| appraise(happening, &RuleTable::default());
        Felt {
            outcome: appraise(Happening::TradeClosed { percent }),
            miss: appraise(Happening::PredictionMissed { error }),
            surprising: error > 0.5,
        }
    }

    /// Digest section 10: profits .3, small losses .2, losses .7, bad surprises .6; what is both, 1 − .8·.4 = .68 and 1 − .3·.4 = .88. Scaled, a loss of 10 %
    /// is half as stirring, .35, and a miss of .6 .36.
    #[test]
    fn tags_by_hand() {
        for (percent, error, pad, scaled) in [
            (5.0, 0.1, 0.3, 0.15),
            (-2.0, 0.1, 0.2, 0.12),
            (-10.0, 0.1, 0.7, 0.35),
            (-2.0, 0.6, 0.68, 0.36),
            (-10.0, 0.6, 0.88, 0.36),
        ] {
            let felt = felt(percent, error);
            let tags = [ArousalTag::Pad, ArousalTag::Scaled].map(|tag| felt.arousal(tag, |_| 1.0));
            assert!(
                (tags[0] - pad).abs() < 1e-12 && (tags[1] - scaled).abs() < 1e-12,
                "{percent} {error}: {tags:?}"
            );
        }
    }
}
