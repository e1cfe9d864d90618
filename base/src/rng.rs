//! Keyed random streams.
//!
//! Every random number of a world is a function of *(seed, identity, purpose, tick)* and of its place in that
//! short stream, never of how many numbers another identity drew. Arms of an experiment therefore share their
//! luck wherever they share keys, and threads can't disturb it.
//!
//! The key is mixed to 256 bits with SplitMix64's finaliser (Steele, Lea & Flood 2014) and seeds a
//! PCG64-DXSM generator (O'Neill 2014, the variant NumPy uses): state from one half, stream from the other.
//!
//! Functions here are marked for inlining, because a golem draws a dozen times a tick, and the compiler inlines across crates only what
//! is marked. Users: `golem` for what happens to a golem, `world` for what belongs to none (the market, resampling, designs, replications,
//! load tests) and for a golem's dream, under a seed of its own that `word` drew. `CONTROL` draws for the controls of scars, legacies,
//! clades and gates and for the resamples of replications, so that they don't depend on a world's seed; other shuffled controls (a dream's
//! courses, heirs in mazes) draw from their own stream.
//!
//! It is a pseudorandom number generator with substreams by key, for common random numbers. A global generator was rejected, because one
//! more draw anywhere would change every later one.

use crate::id::GolemId;
use crate::units::Tick;
use rand::{Rng, RngExt};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Dxsm;
use serde::{Deserialize, Serialize};

/// The purpose that a random stream is drawn for. The numbers are part of every recorded run: never reuse or reorder them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[allow(missing_docs)]
pub enum Purpose {
    Regime = 1,
    Price = 2,
    PoolDepth = 3,
    Gas = 4,
    Oracle = 5,
    Shock = 6,
    Volume = 7,
    TruthTable = 8,
    FirstBar = 9,
    LawEra = 10,
    Crisis = 11,
    Genome = 16,
    Choice = 17,
    Exploration = 18,
    Dream = 19,
    Hazard = 20,
    Frailty = 21,
    Perception = 22,
    Perturbation = 23,
    Rumination = 27,
    LlmReader = 32,
    LlmLatency = 33,
    LetheDelay = 48,
    Curator = 49,
    Succession = 50,
    ScarControl = 51,
    LegacyControl = 52,
    CladeControl = 53,
    GateControl = 54,
    OwnMemory = 55,
    Bootstrap = 64,
    Permutation = 65,
    Arrival = 80,
    ServiceTime = 81,
    LoadBuffer = 82,
    Replication = 96,
}

/// The random seed of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WorldSeed(pub u64);

/// Identity of what belongs to the world and to no golem. No golem packs to it, because a shared identity would share random numbers.
const WORLD_IDENTITY: u64 = u64::MAX;

const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// SplitMix64's output function.
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl WorldSeed {
    /// The seed of research controls (scars, legacies, clades, gates) and of the resamples of replications: what they draw has nothing to
    /// do with the luck of a world.
    pub const CONTROL: Self = Self(0);

    /// The random stream of a golem for one purpose at one tick.
    #[inline]
    pub fn golem(self, golem: GolemId, purpose: Purpose, tick: Tick) -> Stream {
        self.keyed(golem.packed(), purpose, 0, tick)
    }

    /// The same for one part of what the purpose is, where a golem draws for several in one tick: a substream.
    #[inline]
    pub fn golem_part(self, golem: GolemId, purpose: Purpose, part: u32, tick: Tick) -> Stream {
        self.keyed(golem.packed(), purpose, part, tick)
    }

    /// The world's own stream (market, shocks) for one purpose, one part (an asset, say) and one tick. Under a derived seed it also serves
    /// a dream, whose part is then a stage.
    #[inline]
    pub fn world(self, purpose: Purpose, part: u32, tick: Tick) -> Stream {
        self.keyed(WORLD_IDENTITY, purpose, part, tick)
    }

    #[inline]
    fn keyed(self, identity: u64, purpose: Purpose, part: u32, tick: Tick) -> Stream {
        let mut z = mix(self.0.wrapping_add(GOLDEN_GAMMA));
        let mut absorb = |word: u64| {
            z = mix(z ^ word.wrapping_add(GOLDEN_GAMMA).wrapping_mul(GOLDEN_GAMMA));
            z
        };
        let a = absorb(identity);
        let b = absorb((u64::from(part) << 32) | u64::from(purpose as u32));
        let c = absorb(tick);
        let d = absorb(a ^ b.rotate_left(32));
        let state = (u128::from(c) << 64) | u128::from(d);
        let stream =
            (u128::from(mix(d.wrapping_add(GOLDEN_GAMMA))) << 64) | u128::from(mix(c ^ GOLDEN_GAMMA));
        Stream(Pcg64Dxsm::new(state, stream))
    }
}

/// A short stream of random numbers (PCG64) under one key.
#[derive(Clone, Debug)]
pub struct Stream(Pcg64Dxsm);

impl Stream {
    /// Draws from the uniform distribution on [0, 1).
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        self.0.random()
    }

    /// Draws uniformly from the range [low, high).
    #[inline]
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// Draws from the standard normal (Gaussian) distribution, with mean 0 and variance 1.
    #[inline]
    pub fn normal(&mut self) -> f64 {
        StandardNormal.sample(&mut self.0)
    }

    /// Draws a Bernoulli trial: true with the given probability; values outside [0, 1] count as the nearer end.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    /// Draws an integer uniformly from 0..n, by Lemire's method without bias.
    ///
    /// # Panics
    /// When `n` is zero.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "a choice needs something to choose from");
        self.0.random_range(0..n as u64) as usize
    }

    /// Puts things into random order by the Fisher-Yates shuffle: every order is equally likely. Draws one number for each thing but one.
    #[inline]
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }

    /// Deals values out among their places at random, each of them once: the control in which all there was to say is said of something else
    /// (permutation control).
    pub fn deal_out<'a, T: Copy + 'a>(&mut self, values: impl IntoIterator<Item = &'a mut T>) {
        let mut places: Vec<&mut T> = values.into_iter().collect();
        let mut dealt: Vec<T> = places.iter().map(|value| **value).collect();
        self.shuffle(&mut dealt);
        for (place, value) in places.iter_mut().zip(dealt) {
            **place = value;
        }
    }

    /// Draws one value (a sample) of a distribution.
    #[inline]
    pub fn sample<T>(&mut self, distribution: &impl Distribution<T>) -> T {
        distribution.sample(&mut self.0)
    }

    /// Draws an index from a categorical distribution: a weighted choice (roulette wheel selection), from one uniform. Negative and NaN
    /// weights count as 0; `None` when no weight is positive.
    #[inline]
    pub fn weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let positive = |w: &f64| if *w > 0.0 { *w } else { 0.0 };
        let total: f64 = weights.iter().map(positive).sum();
        if total.is_nan() || total <= 0.0 {
            return None;
        }
        let mut left = self.uniform() * total;
        for (index, weight) in weights.iter().enumerate() {
            left -= positive(weight);
            if left < 0.0 {
                return Some(index);
            }
        }
        weights.iter().rposition(|w| *w > 0.0)
    }

    /// Draws a full 64-bit word, to derive another key from.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: WorldSeed = WorldSeed(42);

    fn first(mut stream: Stream) -> u64 {
        stream.word()
    }

    #[test]
    fn every_part_of_the_key_matters() {
        let golem = GolemId::founder(3);
        let base = first(SEED.golem(golem, Purpose::Choice, 7));
        assert_eq!(base, first(SEED.golem(golem, Purpose::Choice, 7)));
        for other in [
            first(WorldSeed(43).golem(golem, Purpose::Choice, 7)),
            first(SEED.golem(golem.successor(), Purpose::Choice, 7)),
            first(SEED.golem(golem, Purpose::Hazard, 7)),
            first(SEED.golem(golem, Purpose::Choice, 8)),
            first(SEED.world(Purpose::Choice, 3, 7)),
        ] {
            assert_ne!(base, other);
        }
    }

    /// Golden values: they change with the key schedule or the generator, and every recorded run changes with them.
    #[test]
    fn golden_words() {
        let mut stream = SEED.golem(GolemId::founder(0), Purpose::Choice, 0);
        let words: Vec<u64> = (0..3).map(|_| stream.word()).collect();
        assert_eq!(words, GOLDEN_WORDS, "{words:?}");
    }
    const GOLDEN_WORDS: [u64; 3] = [4903059685672505323, 5568797518817096475, 12166694887540489528];

    #[test]
    fn neighbouring_keys_are_uncorrelated() {
        let n = 20_000;
        let uniforms: Vec<f64> =
            (0..n).map(|t| SEED.golem(GolemId::founder(1), Purpose::Choice, t).uniform()).collect();
        let mean = uniforms.iter().sum::<f64>() / n as f64;
        let lagged: f64 =
            uniforms.windows(2).map(|w| (w[0] - 0.5) * (w[1] - 0.5)).sum::<f64>() / n as f64 * 12.0;
        // Five standard errors of a mean of uniforms and of a lag-one autocorrelation.
        assert!((mean - 0.5).abs() < 5.0 / (12.0 * n as f64).sqrt(), "{mean}");
        assert!(lagged.abs() < 5.0 / (n as f64).sqrt(), "{lagged}");
    }

    #[test]
    fn weighted_choice_follows_its_weights() {
        let mut counts = [0_u32; 4];
        for tick in 0..10_000 {
            let pick = SEED.world(Purpose::Choice, 0, tick).weighted(&[1.0, 0.0, 3.0, f64::NAN]);
            counts[pick.unwrap()] += 1;
        }
        assert_eq!((counts[1], counts[3]), (0, 0));
        assert!((2_300..2_700).contains(&counts[0]), "{counts:?}");
        assert_eq!(SEED.world(Purpose::Choice, 0, 0).weighted(&[0.0]), None);
    }
}
