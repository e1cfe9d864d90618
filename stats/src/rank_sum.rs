//! Mann and Whitney's rank-sum test of two independent samples, by the rules of `scipy.stats.mannwhitneyu`. It is the
//! Mann-Whitney U test (Wilcoxon rank-sum test) with exact or asymptotic p-values, for samples that aren't paired. Rules
//! are scipy's, so that its figures can be compared to the digit. Comparisons by `paired` report it beside the paired tests, as if worlds
//! had not been shared; nothing is decided by it.

use crate::distribution::normal_two_sided;
use crate::error::StatsError;
use crate::ranks::midranks;
use crate::signed_rank::RankMethod;
use crate::summary::check;
use serde::{Deserialize, Serialize};

/// The exact distribution is used when the smaller sample has at most so many values, without ties (scipy's limit).
const EXACT_MAX: usize = 8;
/// Largest table of the exact distribution, entries; beyond it the approximation is good anyway.
const EXACT_TABLE_MAX: usize = 1_000_000;

/// The result of a rank-sum test (Mann-Whitney U test).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankSum {
    /// Pairs (x, y) with x > y, equal ones counted half.
    pub u: f64,
    /// How p was found.
    pub method: RankMethod,
    /// Two-sided p-value.
    pub p: f64,
}

/// Tests whether a value of `a` is as likely to exceed one of `b` as the other way round; the normal approximation has a
/// continuity correction (Mann-Whitney U test).
///
/// # Errors
/// When a sample is empty or not finite, or all values are the same.
pub fn rank_sum(a: &[f64], b: &[f64]) -> Result<RankSum, StatsError> {
    check("first sample", a, 1)?;
    check("second sample", b, 1)?;
    let both: Vec<f64> = a.iter().chain(b).copied().collect();
    let (ranks, ties) = midranks(&both);
    let (n_a, n_b, n) = (a.len() as f64, b.len() as f64, both.len() as f64);
    let u = ranks[..a.len()].iter().sum::<f64>() - n_a * (n_a + 1.0) / 2.0;
    let products = n_a * n_b;
    let table = a.len().saturating_mul(b.len()).saturating_mul(a.len().min(b.len()));
    if ties == 0.0 && a.len().min(b.len()) <= EXACT_MAX && table <= EXACT_TABLE_MAX {
        return Ok(RankSum { u, method: RankMethod::Exact, p: exact_p(a.len(), b.len(), u as usize) });
    }
    let spread = products / 12.0 * ((n + 1.0) - ties / (n * (n - 1.0)));
    if spread <= 0.0 {
        return Err(StatsError::Constant("the score of both samples".to_owned()));
    }
    let away = ((u - products / 2.0).abs() - 0.5).max(0.0);
    let p = normal_two_sided(away / spread.sqrt());
    Ok(RankSum { u, method: RankMethod::NormalWithContinuity, p })
}

/// Twice the larger-side tail, from the number of ways to choose `smaller` of the ranks with each sum.
fn exact_p(n_a: usize, n_b: usize, u: usize) -> f64 {
    let (few, many) = (n_a.min(n_b), n_a.max(n_b));
    let most = few * many;
    // ways[k][s]: ways in which k values of the smaller sample exceed s values of the larger in all.
    let mut ways = vec![vec![0.0_f64; most + 1]; few + 1];
    ways[0][0] = 1.0;
    for exceeded in 0..=many {
        for chosen in 1..=few {
            for sum in exceeded..=most {
                ways[chosen][sum] += ways[chosen - 1][sum - exceeded];
            }
        }
    }
    let counts = &ways[few];
    let all: f64 = counts.iter().sum();
    let far = u.max(most - u);
    (2.0 * counts[far..].iter().sum::<f64>() / all).min(1.0)
}
