//! Wilcoxon's signed-rank test of paired differences (Wilcoxon 1945), by the rules of `scipy.stats.wilcoxon`. It is a test of paired
//! differences that uses their ranks, so that one outlier counts no more than the largest rank. Its p-value is from the exact
//! distribution or the normal approximation. Comparisons by `paired` report it always; a sweep may register it as the test that decides
//! ("wilcoxon"), a compared table may not. `morta stats calibration` checks its p-values.

use crate::distribution::normal_two_sided;
use crate::error::StatsError;
use crate::ranks::midranks;
use crate::summary::check;
use serde::{Deserialize, Serialize};

/// Most differences for the exact distribution when there are neither ties nor zeros (scipy's limit).
const EXACT_MAX: usize = 50;
/// Most differences for it when there are (scipy's limit for enumerating all signs).
const EXACT_TIED_MAX: usize = 13;

morta_base::words! {
    /// How a p-value of ranks was found: exact distribution or normal approximation.
    pub enum RankMethod {
        /// From every assignment of signs or groups.
        Exact = "exact",
        /// Normal approximation, ties taken from the variance.
        Normal = "normal",
        /// The same, the statistic drawn half a rank towards its mean.
        NormalWithContinuity = "normal_with_continuity",
    }
}

/// The result of a Wilcoxon signed-rank test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignedRank {
    /// Differences that are not zero; zeros are left out (Wilcoxon's own rule).
    pub used: u64,
    /// Differences that are zero.
    pub zeros: u64,
    /// The sum of the ranks of positive differences.
    pub positive_ranks: f64,
    /// The sum of the ranks of negative differences.
    pub negative_ranks: f64,
    /// How p was found.
    pub method: RankMethod,
    /// Two-sided p-value.
    pub p: f64,
}

/// Tests whether the differences are symmetric about 0 (Wilcoxon signed-rank test). Exact for up to 50 differences without
/// ties and zeros, and for up to 13 with them; otherwise by the normal approximation, with a continuity correction if asked
/// for. These are scipy's rules, so that its users find the same p.
///
/// # Errors
/// When there are no differences, they are not finite, or all of them are zero.
pub fn signed_rank(differences: &[f64], continuity: bool) -> Result<SignedRank, StatsError> {
    check("paired differences", differences, 1)?;
    let left: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    if left.is_empty() {
        return Err(StatsError::Constant("the difference of the pairs (0 everywhere)".to_owned()));
    }
    let sizes: Vec<f64> = left.iter().map(|d| d.abs()).collect();
    let (ranks, ties) = midranks(&sizes);
    let positive_ranks: f64 = left.iter().zip(&ranks).filter(|(d, _)| **d > 0.0).map(|(_, r)| r).sum();
    let n = left.len() as f64;
    let total = n * (n + 1.0) / 2.0;
    let zeros = differences.len() - left.len();
    let plain = ties == 0.0 && zeros == 0;
    let exact = differences.len() <= if plain { EXACT_MAX } else { EXACT_TIED_MAX };
    let (method, p) = if exact {
        (RankMethod::Exact, exact_p(&ranks, positive_ranks))
    } else {
        let spread = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0).sqrt();
        let away = (positive_ranks - total / 2.0).abs();
        let (method, away) = if continuity {
            (RankMethod::NormalWithContinuity, (away - 0.5).max(0.0))
        } else {
            (RankMethod::Normal, away)
        };
        (method, normal_two_sided(away / spread))
    };
    Ok(SignedRank {
        used: left.len() as u64,
        zeros: zeros as u64,
        positive_ranks,
        negative_ranks: total - positive_ranks,
        method,
        p,
    })
}

/// Twice the smaller tail over all assignments of signs. Midranks are multiples of a half, so sums are counted in halves.
fn exact_p(ranks: &[f64], positive: f64) -> f64 {
    let halves: Vec<usize> = ranks.iter().map(|rank| (2.0 * rank) as usize).collect();
    let mut ways = vec![0.0_f64; halves.iter().sum::<usize>() + 1];
    ways[0] = 1.0;
    let mut reached = 0;
    for half in halves {
        for sum in (0..=reached).rev() {
            ways[sum + half] += ways[sum];
        }
        reached += half;
    }
    let observed = (2.0 * positive) as usize;
    let all: f64 = ways.iter().sum();
    let (below, above): (f64, f64) = (ways[..=observed].iter().sum(), ways[observed..].iter().sum());
    (2.0 * below.min(above) / all).min(1.0)
}
