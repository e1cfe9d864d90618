//! Inborn traits of a golem.
//!
//! A factor is e^(d z), z standard normal and d = `golem.diversity` (.2): its median is 1, and half of all golems are above it. With m = .3,
//! a child has z' = √(1 − m) z + √m n with n standard normal, so that z' is standard normal again and the
//! population's spread is that of its founders, in every generation. At d = 0 all golems are alike but for frailty, which has a spread of
//! its own. Traits have no unit: factors on a scenario's values, and PAD coordinates. No fitness selects among parents: a successor's
//! genome is made of its predecessor's (with `succession.policy = "continue"`), any other golem's is a founder's. In evolutionary
//! computation it is a real-valued genotype with Gaussian mutation (variance-preserving).

use crate::daimon::Pad;
use crate::daimon::personality::PersonalityConfig;
use crate::golem::GolemConfig;
use crate::market::RegimeThresholds;
use morta_base::{GolemId, Purpose, Stream, WorldSeed, math};
use serde::{Deserialize, Serialize};

/// Heritable traits, a genotype: each makes a middle value of the scenario times e^(d z), or plus d z. A golem keeps it for life but for
/// the bend.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Genome {
    /// Standard normal deviations, in this order: trend threshold, volatility threshold, risk, curiosity, plasticity, frailty, and
    /// pleasure, arousal and dominance of its nature.
    z: [f64; TRAITS],
    /// The change that life has made to its nature, its own life and its forebears'.
    bend: Pad,
    /// Follows from z, so it isn't saved and doesn't count when genomes are compared.
    #[serde(skip)]
    expressed: Expressed,
}

impl PartialEq for Genome {
    fn eq(&self, other: &Self) -> bool {
        (self.z, self.bend) == (other.z, other.bend)
    }
}

/// The factors e^(diversity · z) of the first traits, worked out once: three exponentials a golem and tick were a fiftieth of a world's time.
#[derive(Clone, Copy, Debug)]
struct Expressed {
    /// The diversity of these factors; none before the first step.
    diversity: Option<f64>,
    factors: [f64; FACTORS],
}

impl Default for Expressed {
    fn default() -> Self {
        Self { diversity: None, factors: [1.0; FACTORS] }
    }
}

/// m, how much of its difference a successor draws anew; the rest is its predecessor's. Our choice, with which a trait is half forgotten in four
/// generations; no consequence was found of half and twice as much (`scenarios/sensitivity/knobs.toml`).
const MUTATION: f64 = 0.3;
const TRAITS: usize = 9;
/// The first traits are factors.
const FACTORS: usize = 5;
/// The last three traits are those of its nature.
const NATURE: usize = 6;

impl Genome {
    /// A founder's genome: drawn at random for the first generation, by its id and the world's seed.
    pub fn founder(id: GolemId, seed: WorldSeed) -> Self {
        Self {
            z: draw(&mut seed.golem(id, Purpose::Genome, 0)),
            bend: Pad::default(),
            expressed: Expressed::default(),
        }
    }

    /// Makes a child's genome by mutation (Gaussian, asexual): each trait keeps √(1 − m) of the parent's deviation and draws √m anew, so
    /// that the spread of the population stays what it is. What life has done to the parent's nature fades by the same factor.
    pub fn child(self, id: GolemId, seed: WorldSeed) -> Self {
        let new = draw(&mut seed.golem(id, Purpose::Genome, 0));
        let (keep, change) = ((1.0 - MUTATION).sqrt(), MUTATION.sqrt());
        let mut z = self.z;
        z.iter_mut().zip(new).for_each(|(old, new)| *old = keep * *old + change * new);
        Self { z, bend: self.bend.scaled(keep), expressed: Expressed::default() }
    }

    /// Its thresholds between regimes (decision boundaries): 1.5 (a t-statistic) and 1.6 (a ratio) in the middle. The specs give none;
    /// these are our choice. Only the excess of the ratio over 1 varies, because a threshold below 1 would call calm markets volatile.
    pub(crate) fn regime_thresholds(&self, config: &GolemConfig) -> RegimeThresholds {
        RegimeThresholds {
            trend: 1.5 * self.factor(0, config),
            volatility: 1.0 + 0.6 * self.factor(1, config),
        }
    }

    /// Its risk appetite: factor on the share of the balance that it risks (`golem.risk_per_trade`).
    pub fn risk(&self, config: &GolemConfig) -> f64 {
        self.factor(2, config)
    }

    /// Its exploration tendency: factor on the spread of its choices and its exploration rate.
    pub(crate) fn curiosity(&self, config: &GolemConfig) -> f64 {
        self.factor(3, config)
    }

    /// Its learning rate, which is heritable: factor on the weight of one observation in its model of the market.
    pub(crate) fn plasticity(&self, config: &GolemConfig) -> f64 {
        self.factor(4, config)
    }

    /// Standard normal behind its frailty, the random effect of survival analysis; `mortality.frailty_spread` (0 by default) makes a factor
    /// of it.
    pub(crate) fn frailty_z(&self) -> f64 {
        self.z[5]
    }

    /// The mood it returns to, its temperament: a heritable set point.
    pub fn nature(&self, config: &GolemConfig, personality: &PersonalityConfig) -> Pad {
        personality.nature(self.inborn_nature(config), self.bend)
    }

    /// Lets its mood bend its nature a little, once every pull of personality (10 waking ticks). This drift of the temperament is
    /// Lamarckian.
    pub fn bend(&mut self, mood: Pad, config: &GolemConfig, personality: &PersonalityConfig) {
        self.bend = personality.bent(self.bend, self.inborn_nature(config), mood);
    }

    fn inborn_nature(&self, config: &GolemConfig) -> Pad {
        let [pleasure, arousal, dominance] = [0, 1, 2].map(|part| config.diversity * self.z[NATURE + part]);
        Pad::new(pleasure, arousal, dominance)
    }

    /// Works its factors (the phenotype) out for a diversity and caches them, unless they are known. Called at the beginning of each step,
    /// because keys may change between two.
    pub fn express(&mut self, config: &GolemConfig) {
        if self.expressed.diversity != Some(config.diversity) {
            let factors = std::array::from_fn(|index| math::exp(config.diversity * self.z[index]));
            self.expressed = Expressed { diversity: Some(config.diversity), factors };
        }
    }

    fn factor(&self, index: usize, config: &GolemConfig) -> f64 {
        if self.expressed.diversity == Some(config.diversity) {
            self.expressed.factors[index]
        } else {
            math::exp(config.diversity * self.z[index])
        }
    }
}

fn draw(stream: &mut Stream) -> [f64; TRAITS] {
    std::array::from_fn(|_| stream.normal())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_resemble_their_parents_and_keep_the_spread() {
        let seed = WorldSeed(3);
        let pairs: Vec<(f64, f64)> = (0..4_000)
            .map(|lineage| {
                let parent = GolemId::founder(lineage);
                let genome = Genome::founder(parent, seed);
                (genome.z[0], genome.child(parent.successor(), seed).z[0])
            })
            .collect();
        let n = pairs.len() as f64;
        let covariance = pairs.iter().map(|(a, b)| a * b).sum::<f64>() / n;
        let variance = pairs.iter().map(|(_, b)| b * b).sum::<f64>() / n;
        // Correlation √.7 and variance 1, within four standard errors.
        assert!((covariance - 0.7_f64.sqrt()).abs() < 0.09, "{covariance}");
        assert!((variance - 1.0).abs() < 0.09, "{variance}");
    }
}
