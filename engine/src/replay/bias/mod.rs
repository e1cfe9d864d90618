//! Moods that bias replay, and the objects that each is drawn to (replay spec, "emotional modulation of replay selection").
//!
//! The PAD vector (pleasure, arousal, dominance, each in [−1, 1]) is read once, when a dream cycle starts, and holds until it ends: the
//! spec's sampling rule, so that what is replayed early in a dream can't steer what is replayed later. The utility of episodes that the
//! mood is drawn to is multiplied by `bias_weight`, 2 by the spec's table. With affect off nothing is biased, whatever mood a golem has
//! left from before (a branch can switch affect off under way). In psychology this is mood-congruent memory under the PAD model of emotion
//! (valence, arousal, dominance); in the field, a bias on prioritised replay. The mood is found here, the test whether an episode is its
//! object is in `drawn`. A mood is an emotional state.

use crate::replay::ReplayConfig;
use morta_base::keys;

mod drawn;

pub(crate) use drawn::MoodPreference;

morta_base::words! {
    /// Which moods there are.
    #[derive(Default)]
    pub enum Moods: Key {
        /// The replay spec's anxious, confident, depleted and despairing.
        Four = "four",
        /// Those, and the daimon documents' hostile and disdainful.
        #[default]
        Six = "six",
    }
}

keys! {
    /// When a mood sets in, and what counts as its object.
    pub struct MoodConfig {
        /// Which moods there are.
        moods: Moods = Moods::Six;
        /// A PAD component above this is high, below its negative low.
        // The replay spec only says high and low; .3 is where the daimon documents' probe rule sets in (P < −.3 and A > .3).
        threshold: f64 = 0.3, in 0.0..=1.0, "PAD";
    }
}

morta_base::words! {
    /// A mood that colours replay: a mood octant with the object it is drawn to.
    pub enum PadBias {
        /// Aroused and displeased: drawn to warnings and to changes of regime.
        Anxious = "anxious",
        /// Pleased and in control: drawn to what is novel.
        Confident = "confident",
        /// Listless and not in control: drawn to what is known to work.
        Depleted = "depleted",
        /// Displeased and not in control: drawn to what can be passed on.
        Despairing = "despairing",
        /// Displeased, aroused and in control: drawn to recent failures.
        Hostile = "hostile",
        /// Displeased, listless and in control: drawn to other regimes.
        Disdainful = "disdainful",
    }
}

impl PadBias {
    /// Classifies a PAD vector (a mood) by rules, and returns its bias: each component is in [−1, 1]; `None` in a mood without bias. Where
    /// several fit, the one that needs all three components wins, i.e. hostile or disdainful, then the order of the spec's table, except
    /// that despairing comes before depleted, so that displeasure decides where a golem is displeased, listless and not in control at once.
    /// A component is high above `threshold` (default .3) and low below its negative.
    pub fn from_pad(pleasure: f64, arousal: f64, dominance: f64, config: &MoodConfig) -> Option<Self> {
        let high = |component: f64| component > config.threshold;
        let low = |component: f64| component < -config.threshold;
        let six = config.moods == Moods::Six;
        if six && low(pleasure) && high(arousal) && high(dominance) {
            Some(Self::Hostile)
        } else if six && low(pleasure) && low(arousal) && high(dominance) {
            Some(Self::Disdainful)
        } else if low(pleasure) && high(arousal) {
            Some(Self::Anxious)
        } else if high(pleasure) && high(dominance) {
            Some(Self::Confident)
        } else if low(pleasure) && low(dominance) {
            Some(Self::Despairing)
        } else if low(arousal) && low(dominance) {
            Some(Self::Depleted)
        } else {
            None
        }
    }
}

/// The share of a dream's budget for creative work, where `wanted` would be its share: never below the floor (`creative_floor`, default
/// .2), in any mood. (Replay spec, "minimum creative allocation": without it a golem in a low mood stops finding ways out exactly when it
/// needs them.) A budget floor for exploration (imagination). Only rich dreams ask, with half of the REM share as `wanted`.
pub fn creative_share(wanted: f64, config: &ReplayConfig) -> f64 {
    wanted.max(config.creative_floor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::episode;
    use crate::episode::{Grimoire, GrimoireConfig};
    use crate::market::{Regime, Strategy};
    use crate::replay::Scale;

    fn drawn_to(bias: PadBias, others: u32) -> Vec<bool> {
        let mut grimoire = Grimoire::new(GrimoireConfig::default(), 2);
        for (number, (regime, r, closed)) in [
            (Regime::TrendingUp, 0.5, 100),
            (Regime::TrendingUp, -1.0, 200),
            (Regime::Volatile, -0.2, 5_000),
            (Regime::Volatile, 0.4, 5_100),
        ]
        .into_iter()
        .enumerate()
        {
            let mut lived = episode(number as u32, closed);
            lived.context.regime = regime;
            lived.realised_r = r;
            lived.surprise = if number == 0 { 0.1 } else { 1.0 };
            grimoire.insert(lived, closed);
        }
        // With these, two trades of a kind are fewer than a twentieth.
        for number in 4..4 + others {
            let mut lived = episode(number, 5_150);
            lived.strategy = Strategy::Breakout;
            grimoire.insert(lived, 5_150);
        }
        let scale = Scale { surprise: 1.0, significance: 1.0, regret: 1.0 };
        let drawn = MoodPreference::for_bias(bias, &grimoire, (5_200, Regime::TrendingUp), &scale);
        (0..4).map(|slot| drawn.is_to(slot)).collect()
    }

    #[test]
    fn each_mood_is_drawn_to_its_object() {
        assert_eq!(drawn_to(PadBias::Anxious, 0), [false, true, true, false]);
        assert_eq!(drawn_to(PadBias::Confident, 36), [false; 4]);
        assert_eq!(drawn_to(PadBias::Confident, 37), [true; 4]);
        assert_eq!(drawn_to(PadBias::Depleted, 0), [true, false, false, false]);
        assert_eq!(drawn_to(PadBias::Hostile, 0), [false, false, true, false]);
        assert_eq!(drawn_to(PadBias::Disdainful, 0), [false, false, true, true]);
        // Momentum lost 0.5 R in sum when trending up and gained 0.2 when volatile: a gain in the first and a loss in
        // the second hold elsewhere.
        assert_eq!(drawn_to(PadBias::Despairing, 0), [true, false, true, false]);
    }
}
