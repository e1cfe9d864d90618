//! The design of Saltelli (2002; Saltelli et al. 2010): two independent samples A and B of the unit cube, and for each factor A with B's
//! column of it (A_B), for interactions of pairs also B with A's (B_A). A and B are the two halves of the dimensions of one Sobol' sequence
//! (direction numbers of Joe & Kuo), scrambled as Owen does (Burley 2020, "Practical Hash-based Owen Scrambling"). It is Saltelli sampling
//! from a scrambled Sobol sequence (quasi-Monte Carlo, low discrepancy). The sequence is scrambled, because an unscrambled one begins in a
//! corner of the cube. The sweep file asks for base samples that are a power of two; each row has `factors + 2` points, or `2 factors +
//! 2` with interactions of pairs.

use super::Factor;
use crate::error::StatsError;
use morta_base::{Purpose, WorldSeed};

/// Most rows: the sequence is no longer.
pub const ROWS_MAX: usize = 1 << 16;
/// Most factors: the sequence has 256 dimensions, and each factor takes two.
pub const FACTORS_MAX: usize = sobol_burley::NUM_DIMENSIONS as usize / 2;

/// The design of Saltelli: the sample matrices A and B, a point a row.
#[derive(Clone, Debug, PartialEq)]
pub struct SaltelliDesign {
    /// A.
    pub a: Vec<Vec<f64>>,
    /// B.
    pub b: Vec<Vec<f64>>,
}

impl SaltelliDesign {
    /// Makes so many rows from a Sobol sequence (low discrepancy). They fill the cube evenly when they are a power of two.
    ///
    /// # Errors
    /// When there are no factors or too many, one has fewer than two levels, or there are no rows or too many.
    pub fn new(factors: &[Factor], rows: usize, seed: WorldSeed) -> Result<Self, StatsError> {
        Factor::check_all(factors)?;
        for (subject, found, most) in [("factors", factors.len(), FACTORS_MAX), ("rows", rows, ROWS_MAX)] {
            if !(1..=most).contains(&found) {
                let (subject, value) = (subject.to_owned(), found.to_string());
                return Err(StatsError::OutOfRange { subject, value, remedy: format!("from 1 to {most}") });
            }
        }
        let scramble = seed.world(Purpose::Permutation, 0, 2).word() as u32;
        let at = |row: usize, dimension: usize| {
            f64::from(sobol_burley::sample(row as u32, dimension as u32, scramble))
        };
        let half = |from: usize| -> Vec<Vec<f64>> {
            let point = |row| (0..factors.len()).map(|factor| at(row, from + factor)).collect();
            (0..rows).map(point).collect()
        };
        Ok(Self { a: half(0), b: half(factors.len()) })
    }

    /// A row of A_B: that of A, but for one factor, which is as in B (Saltelli matrix).
    pub fn ab(&self, row: usize, factor: usize) -> Vec<f64> {
        with(&self.a[row], &self.b[row], factor)
    }

    /// A row of B_A: that of B, but for one factor, which is as in A (Saltelli matrix).
    pub fn ba(&self, row: usize, factor: usize) -> Vec<f64> {
        with(&self.b[row], &self.a[row], factor)
    }
}

fn with(point: &[f64], other: &[f64], factor: usize) -> Vec<f64> {
    let mut point = point.to_vec();
    point[factor] = other[factor];
    point
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What makes the sequence one: each of 64 equal shares of every dimension holds one of 64 points.
    #[test]
    fn every_share_of_every_dimension_has_one_point() {
        let design = SaltelliDesign::new(&[Factor::Range; 5], 64, WorldSeed(7)).unwrap();
        for (sample, factor) in
            [&design.a, &design.b].into_iter().flat_map(|half| (0..5).map(move |f| (half, f)))
        {
            let mut shares: Vec<usize> = sample.iter().map(|point| (point[factor] * 64.0) as usize).collect();
            shares.sort_unstable();
            assert_eq!(shares, (0..64).collect::<Vec<_>>());
        }
        assert_ne!(design, SaltelliDesign::new(&[Factor::Range; 5], 64, WorldSeed(8)).unwrap());
        let (ab, ba) = (design.ab(3, 2), design.ba(3, 2));
        assert_eq!(
            (ab[2], ab[1], ba[2], ba[1]),
            (design.b[3][2], design.a[3][1], design.a[3][2], design.b[3][1])
        );
    }

    #[test]
    fn more_than_the_sequence_holds_is_refused() {
        let refused = |factors: usize, rows| {
            SaltelliDesign::new(&vec![Factor::Range; factors], rows, WorldSeed(0)).unwrap_err().to_string()
        };
        assert_eq!(refused(129, 4), "factors = 129: must be from 1 to 128");
        assert_eq!(refused(2, 0), "rows = 0: must be from 1 to 65536");
    }
}
