//! Waking outcomes for and against a claim, as two counts: successes and failures of a Bernoulli trial.
//!
//! Trust by them is the mean of a Beta posterior with a uniform prior (Laplace's rule of succession), above 0 and below 1. The caller
//! decides what is for and what against: the Bardo memory by `StagingConfig::hearing`, the Curator by the sign of a trade's result, other
//! memories by `Claim::is_confirmed_by`. Support goes into the admission gate, doubt into the confidence of a disproof, quality into
//! ageing, pruning and the choice of a legacy; a claim's own confidence moves by steps or by likelihood, not by these counts. Only waking
//! outcomes count: a dream that imagines a success would otherwise confirm itself. The dream journal counts the verdicts of life on a
//! dream's conclusions in the same type (`replay::metrics`).

use serde::{Deserialize, Serialize};

/// Counts of waking outcomes for and against a claim: the sufficient statistic of a Beta-Bernoulli model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Outcomes for it.
    pub confirmed: u32,
    /// Outcomes against it.
    pub contradicted: u32,
}

impl Evidence {
    /// Before any outcome.
    pub const NONE: Self = Self { confirmed: 0, contradicted: 0 };

    /// The sample size: outcomes of either kind.
    pub const fn tests(self) -> u32 {
        self.confirmed + self.contradicted
    }

    /// Accumulates outcomes counted elsewhere: the merge of two sufficient statistics.
    pub const fn add(&mut self, more: Self) {
        self.confirmed += more.confirmed;
        self.contradicted += more.contradicted;
    }

    /// Trust in a claim by its tests alone, by Laplace's rule of succession: (confirmed + 1)/(tests + 2), above 0 and below 1; 1/2 before
    /// any test. It is a Beta posterior mean (additive smoothing).
    pub fn support(self) -> f64 {
        (f64::from(self.confirmed) + 1.0) / (f64::from(self.tests()) + 2.0)
    }

    /// Trust in a claim's being wrong, by the same rule: (contradicted + 1)/(tests + 2) (our own; no source gives a value). Support and
    /// doubt sum to 1.
    pub fn doubt(self) -> f64 {
        (f64::from(self.contradicted) + 1.0) / (f64::from(self.tests()) + 2.0)
    }

    /// The track record of an entry, a quality score: confidence · v/(v + c + 1), 0 to 1, with v outcomes for and c against (digest section
    /// 2, "quality"). The 1 keeps an entry confirmed once from being as good as one confirmed a hundred times: a track record score with a
    /// sample size penalty; 0 before any confirmation.
    pub fn quality(self, confidence: f64) -> f64 {
        let (v, c) = (f64::from(self.confirmed), f64::from(self.contradicted));
        confidence * v / (v + c + 1.0)
    }
}
