//! Wald's sequential test of the worth that a claim expects.
//!
//! A claim of r against the null of 0, outcomes x taken to be normal with variance σ², all in R: every outcome adds
//!
//! z = r/σ² · (x − r/2)
//!
//! to the logarithm of the likelihood ratio (Wald 1945, *Sequential Tests of Statistical Hypotheses*). Added to the logarithm of the odds at
//! which the claim was believed beforehand, it gives those at which it is believed now, so confidence is a posterior probability, and trust
//! that was inherited counts as prior odds. The test ends at Wald's boundaries, ln((1 − β)/α) and ln(β/(1 − α)), of those odds.
//!
//! The size is tested, not the sign alone: an outcome of half the claimed size adds nothing, and less counts against it. Since z is above 0
//! for a claim of gain only where x is beyond r/2 > 0, and for one of loss only below 0, no outcome can raise both a claim and its
//! negation; steps up and down by whether an outcome was more than a margin can. At r = 0 every outcome adds 0, and such a claim is never
//! decided. Results are in R, variances in R², confidence from 0 to 1. In the field this is the sequential probability ratio test (SPRT),
//! here with Bayesian prior odds. It is off by default (`dream.consolidation.staging.promotion` is `steps`, a fixed step of confidence for
//! each outcome). Switched on, it serves claims under test, rules, disproofs and the archive alike; σ is the spread of the golem's own
//! trades.

use morta_base::keys;
use morta_base::math;
use morta_base::moments::Running;
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// How outcomes move confidence and when a test is over.
    #[derive(Default)]
    pub enum Promotion: Key {
        /// By a fixed step up or down for each outcome, by whether it bore out the claimed direction (the specs').
        #[default]
        Steps = "steps",
        /// By the likelihood of the claimed size against that of nothing.
        Sequential = "sequential",
    }
}

keys! {
    /// The `[dream.consolidation.staging.sequential]` table.
    #[derive(Copy)]
    pub struct SequentialConfig {
        /// α: probability of promoting a claim that is worth no more than the null, at even odds beforehand.
        false_promotion: f64 = 0.1, in above(0.0).to(0.49), "probability";
        /// β: probability of refuting a claim that is worth what it says, at even odds beforehand.
        false_refutation: f64 = 0.1, in above(0.0).to(0.49), "probability";
    }
}

/// Standard deviation of outcomes that is supposed before any was seen, in R. Our choice: a trade is stopped out at −1 R.
const SUPPOSED_SPREAD_R: f64 = 1.0;
/// Outcomes that this counts as. Our choice: a dozen trades of one's own are heard more than the supposition.
const SUPPOSED_OUTCOMES: f64 = 10.0;

/// Odds are kept within a million to one either way, so that a confidence that was 0 or 1 can still be moved.
const LONGEST_LOG_ODDS: f64 = 13.815_510_557_964_274;

/// The running spread of a golem's outcomes, in R: a variance with a prior (shrinkage), as by Welford's algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread(Running);

impl Spread {
    /// Takes in an outcome: an online update of the running variance (Welford).
    pub fn note(&mut self, realised_r: f64) {
        self.0.take(realised_r);
    }

    /// The posterior variance σ², in R²: the sum of squares around the mean and those supposed beforehand, over the outcomes behind both.
    /// Without a supposition the first outcomes would have a variance near 0, and one of them would decide every test.
    pub fn variance(&self) -> f64 {
        let supposed = SUPPOSED_OUTCOMES * SUPPOSED_SPREAD_R * SUPPOSED_SPREAD_R;
        (supposed + self.0.squares()) / (SUPPOSED_OUTCOMES + self.0.count())
    }
}

/// The test at some keys and variance: the sequential probability ratio test (SPRT), a likelihood ratio test with early stopping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SequentialTest {
    config: SequentialConfig,
    variance: f64,
}

impl SequentialTest {
    /// Makes the test by these keys, at that variance of outcomes, in R². It has no state: the evidence is passed in.
    pub const fn new(config: SequentialConfig, variance: f64) -> Self {
        Self { config, variance }
    }

    /// The log-likelihood ratio of a claim by `count` outcomes that sum to `total_r`, between two normal distributions with one variance.
    pub fn evidence(&self, claimed_r: f64, total_r: f64, count: u32) -> f64 {
        claimed_r / self.variance * (total_r - f64::from(count) * (0.5 * claimed_r))
    }

    /// Updates a confidence by so much evidence for (above 0) or against: a Bayesian update in log odds (logit).
    pub fn moved(&self, confidence: f64, evidence: f64) -> f64 {
        probability(log_odds(confidence) + evidence)
    }

    /// Whether the odds are beyond the upper boundary of the SPRT, ln((1 − β)/α).
    pub fn promotes(&self, confidence: f64) -> bool {
        log_odds(confidence) >= self.upper()
    }

    /// Whether the odds are at or below the lower boundary, ln(β/(1 − α)): rejection of the claim by the SPRT.
    pub fn refutes(&self, confidence: f64) -> bool {
        log_odds(confidence) <= self.lower()
    }

    /// The upper boundary of the log-likelihood ratio: Wald's acceptance boundary.
    pub fn upper(&self) -> f64 {
        math::ln((1.0 - self.config.false_refutation) / self.config.false_promotion)
    }

    /// The lower boundary of the log-likelihood ratio, below 0: Wald's rejection boundary.
    pub fn lower(&self) -> f64 {
        math::ln(self.config.false_refutation / (1.0 - self.config.false_promotion))
    }
}

fn log_odds(p: f64) -> f64 {
    if p <= 0.0 {
        return -LONGEST_LOG_ODDS;
    }
    if p >= 1.0 {
        return LONGEST_LOG_ODDS;
    }
    math::ln(p / (1.0 - p)).clamp(-LONGEST_LOG_ODDS, LONGEST_LOG_ODDS)
}

fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + math::exp(-log_odds.clamp(-LONGEST_LOG_ODDS, LONGEST_LOG_ODDS)))
}
