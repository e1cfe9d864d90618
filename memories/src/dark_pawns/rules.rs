//! Keys for the rules that the sources leave open, or in which they contradict each other. They are hyperparameters, such as the decay rate
//! and the pruning threshold: rates are per dream, thresholds and salience are 0 to 1, words are found by whole word or substring, wounds
//! are valued by health bands, feelings by a running mean or its integer, salience has an initial value and a form of decay (linear,
//! exponential), the forgetting curve. Both ways are kept, because no source says which is meant. Log tools use all of them, from a TOML
//! file (`--rules`) over which `--no-valence` wins; a golem's memory takes its defaults from here and has a table of its own.

use crate::dark_pawns::{Node, Valence};
use morta_base::keys;
use morta_base::math::pow;

morta_base::words! {
    /// How words of speech are found.
    #[derive(Default)]
    pub enum WordMatching: Key {
        /// As words of their own.
        #[default]
        WholeWord = "whole-word",
        /// Anywhere, so that "this" greets and "skill" kills: the original.
        Substring = "substring",
    }

    /// The bands of the valence of damage.
    #[derive(Default)]
    pub enum DamageBands: Key {
        /// Below 5 %: −3; 5 to 15 %: −2; above: −1.
        #[default]
        Seed = "seed",
        /// Up to and with 5 % (5.99 % counts as 5): −3; to 15 %: −2; to 30 %: −1; above: 0.
        Original = "original",
    }

    /// Which of the two blends of an entity's valences is looked at.
    #[derive(Default)]
    pub enum ValenceSource: Key {
        /// The whole number, cut towards 0 at every encounter, which a later encounter can hardly raise.
        #[default]
        Integer = "integer",
        /// The mean that is kept beside it.
        Mean = "mean",
    }

    /// How strongly something new is remembered.
    #[derive(Default)]
    pub enum FirstSalience: Key {
        /// Fully: 1.
        #[default]
        Full = "full",
        /// As the original's server rates its facts: .5, a tenth for each point of feeling (so that what feels bad begins weaker), .15 for
        /// dealings with others and .1 for what is new, from .1 to 1.
        Felt = "felt",
    }
}

impl FirstSalience {
    /// The first salience of a node with this valence, 0 to 1 (initial weight).
    pub(super) fn value(self, valence: Valence, is_social: bool, is_new: bool) -> f64 {
        let more = |much: f64, is: bool| if is { much } else { 0.0 };
        match self {
            Self::Full => 1.0,
            Self::Felt => {
                let felt = 0.5 + f64::from(valence.get()) / 10.0;
                (felt + more(0.15, is_social) + more(0.1, is_new)).clamp(0.1, 1.0)
            }
        }
    }
}

morta_base::words! {
    /// What a dream takes away.
    #[derive(Default)]
    pub enum ForgettingForm: Key {
        /// The same of every memory: `decay_rate`.
        #[default]
        Subtract = "subtract",
        /// A share, as the original's server does of its facts: what felt weak halves in `half_life_dreams`, what felt strong (2 or 3, good or
        /// bad) at three quarters of that rate.
        ByFeeling = "by-feeling",
    }
}

keys! {
    /// How events are found, valued, remembered and told.
    pub struct DreamRules {
        /// Whether events carry valence; without, everything weighs 0 (the ablation inside dreaming).
        valence: bool = true;
        /// How words of speech are found.
        speech: WordMatching = WordMatching::default();
        /// The bands of the valence of damage.
        damage_bands: DamageBands = DamageBands::default();
        /// Whether deaths are events, −2 by a monster and −3 by a player.
        death_events: bool = true;
        /// Whether somebody spoken to becomes an entity, and a dealing an event whatever the verb.
        social_links: bool = true;
        /// Which blend relations are told by.
        valence_from: ValenceSource = ValenceSource::default();
        /// How strongly something new is remembered.
        first_salience: FirstSalience = FirstSalience::default();
        /// What a dream takes away.
        fading: ForgettingForm = ForgettingForm::default();
        /// Salience that every memory loses in a dream (`DecayRate`), where dreams subtract.
        decay_rate: f64 = 0.1, in 0.0..=1.0, "salience";
        /// Dreams in which what felt weak halves, where they take a share.
        half_life_dreams: f64 = 30.0, in 0.1..=1e6, "dreams";
        /// Salience below which a memory is forgotten (`PruneThreshold`).
        prune_threshold: f64 = 0.05, in 0.0..=1.0, "salience";
        /// Salience that an encounter adds (`ReinforceBonus`).
        reinforce_bonus: f64 = 0.2, in 0.0..=1.0, "salience";
        /// Salience below which an event isn't told of.
        told_from_salience: f64 = 0.15, in 0.0..=1.0, "salience";
        /// Minutes without events after which another session begins.
        session_gap_minutes: u32 = 30, in 0..=1_000_000, "minutes";
        /// Tokens of four bytes that the summary may take.
        summary_tokens: u32 = 500, in 0..=1_000_000, "tokens";
    }
}

/// Absolute valence from which a memory fades more slowly, where a dream takes a share. From the decay script of the original's server, as is
/// [`STRONG_RATE`].
const STRONG: u8 = 2;
/// Share of the usual rate at which strong memories fade: a night leaves 0.5^(0.75/30) of them, and 0.5^(1/30) of others.
const STRONG_RATE: f64 = 0.75;

impl DreamRules {
    /// The salience of a node after one dream: it decays by subtraction (linear decay) or exponentially with a half-life.
    pub fn faded<Id>(&self, node: &Node<Id>) -> f64 {
        match self.fading {
            ForgettingForm::Subtract => (node.salience - self.decay_rate).max(0.0),
            ForgettingForm::ByFeeling => {
                let is_strong = node.feeling(self.valence_from).get().unsigned_abs() >= STRONG;
                let rate = if is_strong { STRONG_RATE } else { 1.0 };
                node.salience * pow(0.5, rate / self.half_life_dreams)
            }
        }
    }
}
