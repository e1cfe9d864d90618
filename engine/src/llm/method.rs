//! Methods of reading replayed episodes: corrections for how they were chosen.
//!
//! Episodes that are replayed first are no random sample. By utility and by surprise they are chosen for their outcomes, so their
//! mean is that of outliers. The correction depends on the choice:
//!
//! - at random and all alike, or the latest: none; their mean is unbiased.
//! - at random by priority: each counts by its importance weight (Schaul et al. 2016), and means are normalised by the sum of the weights.
//! - the highest of an order: there is no probability to divide by, since most episodes had none. But the mean of all trades of a
//!   strategy in a regime is known from the whole memory. The replayed ones are therefore read for how they *differ* from each
//!   other, and their level is set to that of all (the difference estimator of survey sampling; Deville & Särndal 1992 call it
//!   calibration). Of a subject that is exactly a strategy in a regime this leaves the mean of all its trades; of a finer one,
//!   that plus its own difference.
//!
//! The dream chooses the level: the usual one as soon as one episode was taken by merit, and else the replayed ones' own, because draws are
//! put right by their weights. A life's review always reads at the replayed level. No consequence was found of other corrections
//! (`scenarios/sensitivity/knobs.toml`). Only the simulated model reckons so; a real model gets the means and a sentence about the choice.
//!
//! Results are in R, weights are 0 or more. A level is the baseline to which readings are anchored; generalisation is rule induction over
//! subsets of features. In the field this is bias correction by importance weighting (selection bias, importance sampling), calibration
//! estimators and shrinkage; the features of claims are a feature selection. The usual level is a base rate.

use crate::episode::Feature;
use morta_base::keys;
use serde::{Deserialize, Serialize};

keys! {
    /// The `[dream.reading]` table: how replayed episodes are read.
    pub struct ReadingConfig {
        /// What circumstances claims may name: any of the features, or a fixed chain: "any" or "chain".
        generalisation: Generalisation = Generalisation::default();
        /// The features claims range over ("any"). The four that claims could name at first were "regime", "volatility", "liquidity" and
        /// "session". "after", the golem's trade before and whether it gained, makes claims about sequences.
        features: Vec<Feature> = Feature::OF_MARKET.to_vec(), len 0..=Feature::COUNT;
    }
}

morta_base::words! {
    /// How circumstances are generalised from an episode.
    #[derive(Default)]
    pub enum Generalisation: Key {
        /// Every choice of features, as many at once as the tier holds together; and none at all. Of choices that pick out the same episodes,
        /// the one that names least speaks for all.
        #[default]
        Any = "any",
        /// Regime; regime and volatility; these and liquidity; these and session: as deep as the tier goes.
        Chain = "chain",
    }

    /// Where the level of what is read comes from.
    #[derive(Default)]
    pub enum Level {
        /// The episodes themselves, by their weights.
        #[default]
        Replayed = "replayed",
        /// What is usual; the episodes say how finer circumstances differ from it.
        Usual = "usual",
    }
}

/// The method of reading one batch, part of the task: the estimator for biased samples and the features that claims may name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadingMethod {
    /// The level.
    pub level: Level,
    /// The generalisation of circumstances.
    pub generalisation: Generalisation,
    /// The features that claims may name.
    pub features: Vec<Feature>,
}

impl ReadingMethod {
    /// Makes the method at this level: the level is decided batch by batch, all else by the keys.
    pub fn new(level: Level, config: &ReadingConfig) -> Self {
        Self { level, generalisation: config.generalisation, features: config.features.clone() }
    }
}
