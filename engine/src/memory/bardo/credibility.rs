//! Credibility: κ, the number of outcomes that the general counts as beside the specific, from the spread of the golem's own
//! outcomes.
//!
//! The golem's trades are grouped by strategy and regime. With the variance s² within groups and the variance τ² between their true means,
//! the best linear estimate of a group's mean from its n outcomes weighs them n to κ against the mean of all, where
//!
//! κ = s² / τ²
//!
//! (Bühlmann & Straub 1970, "Glaubwürdigkeit für Schadensätze"; both variances by their unbiased estimates of moments):
//!
//! s² = Σᵢ Σⱼ (xᵢⱼ − x̄ᵢ)² / Σᵢ(nᵢ − 1),  τ² = (Σᵢ nᵢ(x̄ᵢ − x̄)² − (k − 1)·s²) / (N − Σᵢ nᵢ²/N)
//!
//! Few groups estimate τ² badly, and a newborn has none, so both variances are mixed with a prior one, by degrees of freedom: s²
//! with 1 R² ([`SUPPOSED_WITHIN`]), τ² with s² over the weight of a decision's prior (a constant 3), so that κ begins as that weight. κ is
//! a number of outcomes, variances are in R². It is worked out after each own trade and used by `pooling`, unless
//! `memory.bardo.shrinkage_outcomes` fixes another. It is empirical Bayes shrinkage (credibility theory, random effects): the more alike
//! strategies and regimes are, the more the general counts.

use crate::market::{Regime, Strategy};
use morta_base::moments::Running;
use serde::{Deserialize, Serialize};

/// Degrees of freedom of the prior variance of 1 R² within groups (a stop is at −1 R): as for the sequential test, whose spread
/// counts as ten outcomes.
const SUPPOSED_WITHIN: f64 = 10.0;
/// Degrees of freedom of the prior variance between groups. Our choice: a golem that trades three strategies in two regimes has
/// five of its own, so that its own estimate then counts about as much as the prior one.
const SUPPOSED_BETWEEN: f64 = 4.0;

/// Running moments by group (one-way random effects): a golem's outcomes by strategy and regime; no groups before the first trade.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Outcomes {
    groups: Vec<Running>,
}

impl Outcomes {
    /// Updates the running moments of a group online (Welford), by the result of a trade.
    pub(super) fn note(&mut self, strategy: Strategy, regime: Regime, realised_r: f64) {
        if self.groups.is_empty() {
            self.groups = vec![Running::default(); Strategy::COUNT * Regime::COUNT];
        }
        self.groups[strategy.index() * Regime::COUNT + regime.index()].take(realised_r);
    }

    /// Estimates κ in outcomes, the shrinkage parameter (a ratio of variance components): `supposed` before there are two groups; 0 only if
    /// `supposed` is.
    pub(crate) fn kappa(&self, supposed: f64) -> f64 {
        let groups = || self.groups.iter().filter_map(|group| Some((group.count(), group.mean()?)));
        let (k, n) = groups().fold((0.0, 0.0), |(k, sum), (n, _)| (k + 1.0, sum + n));
        if k < 2.0 {
            return supposed;
        }
        let squares: f64 = self.groups.iter().map(Running::squares).sum();
        let within = (SUPPOSED_WITHIN + squares) / (SUPPOSED_WITHIN + (n - k));
        let mean = groups().map(|(n, mean_r)| n * mean_r).sum::<f64>() / n;
        let spread: f64 = groups().map(|(n, mean_r)| n * (mean_r - mean) * (mean_r - mean)).sum();
        let size = n - groups().map(|(n, _)| n * n).sum::<f64>() / n;
        let between = ((spread - (k - 1.0) * within) / size).max(0.0);
        let freedom = k - 1.0;
        let supposed_between = within / supposed;
        let between =
            (SUPPOSED_BETWEEN * supposed_between + freedom * between) / (SUPPOSED_BETWEEN + freedom);
        within / between
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(groups: &[(Strategy, Regime, &[f64])]) -> Outcomes {
        let mut outcomes = Outcomes::default();
        for (strategy, regime, results) in groups {
            results.iter().for_each(|r| outcomes.note(*strategy, *regime, *r));
        }
        outcomes
    }

    #[test]
    fn a_newborn_supposes() {
        assert_eq!(Outcomes::default().kappa(3.0), 3.0);
        assert_eq!(outcomes(&[(Strategy::Momentum, Regime::Volatile, &[1.0, -1.0])]).kappa(3.0), 3.0);
    }

    /// Two groups of 10 with means ±1 and squares of 10 each: s² = (10 + 20)/(10 + 18) = 15/14; τ² by moments
    /// (20 − 15/14)/(20 − 10) = 1.892857; mixed (4·(15/14)/3 + 1.892857)/5 = .664286; κ = 1.612903.
    #[test]
    fn groups_that_differ_speak_for_themselves() {
        let (up, down) = ([2.0, 0.0].repeat(5), [0.0, -2.0].repeat(5));
        let apart = outcomes(&[
            (Strategy::Momentum, Regime::Volatile, &up),
            (Strategy::Momentum, Regime::TrendingUp, &down),
        ]);
        assert!((apart.kappa(3.0) - 1.612_903_225_806_451_6).abs() < 1e-12, "{}", apart.kappa(3.0));
        // The same outcomes without a difference: τ² is the supposed one, shared among 5 degrees of freedom, and κ 3·5/4.
        let alike = [1.0, -1.0].repeat(5);
        let same = outcomes(&[
            (Strategy::Momentum, Regime::Volatile, &alike),
            (Strategy::Momentum, Regime::TrendingUp, &alike),
        ]);
        assert!((same.kappa(3.0) - 3.75).abs() < 1e-12, "{}", same.kappa(3.0));
    }
}
