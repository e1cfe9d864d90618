//! Looks before the end: how much of alpha each may spend, and the bound that spends it (Lan & DeMets 1983).
//!
//! A trial that is tested at every look as if it were the last one finds an effect that isn't there more often than alpha says: five looks
//! at .05 make .14 (Armitage, McPherson & Rowe 1969). A spending function, fixed beforehand, says how much of alpha is gone by which share
//! of the data; when and how often one looks may then be chosen freely, as long as it isn't chosen by what was seen.
//!
//! It is a group sequential design (alpha spending, interim analysis); shares are from 0 to 1, bounds are z-scores. Preregistered sweeps
//! use it, whose file names the looks and the spending; at a look the repeated p-values are corrected for several comparisons in place of
//! the plain ones. Early looks save worlds, because a large effect shows before the end. The integration is in `density`; `reach` refuses
//! looks at which the test can decide nothing.

mod density;
mod reach;

pub use reach::reachable_looks;

use crate::distribution::{normal_quantile, normal_two_sided};
use crate::error::StatsError;
use crate::summary::check_share;
use density::StillGoing;
use morta_base::math::{exp, ln, ln_1p};
use serde::{Deserialize, Serialize};
use std::f64::consts::E;

/// Most looks of a trial: more are no looks but a series.
const LOOKS_MAX: usize = 50;
/// Least distance of two looks as a share of the data; the grid of the integration is as fine as the square root of it.
const GAP_MIN: f64 = 1e-3;
/// No bound is beyond: a spending below its 1.2e-15 is less than what the integration rounds away (`ldbounds` 1.1 has 8 as well).
const BOUND_MAX: f64 = 8.0;
/// Repeated p-values are looked for between these, about as small as bounds are.
const REPEATED_MIN: f64 = 1e-15;
const REPEATED_MAX: f64 = 1.0 - 1e-9;
/// Halvings of the logarithm of a repeated p-value: 35 / 2⁴⁰ is less than any that matters.
const REPEATED_HALVINGS: u32 = 40;
/// Halvings of the interval from 0 to the largest bound, until it is as narrow as rounding.
const HALVINGS: u32 = 56;

morta_base::words! {
    /// How alpha is spent over the share t of the data, in (0, 1]; two-sided, half of alpha on either side.
    #[derive(Default)]
    pub enum Spending: Key {
        /// Like O'Brien and Fleming's bounds: 4·(1 − Φ(z/√t)) with z the upper quantile of α/4. Next to nothing early, nearly all of alpha
        /// at the end; the default, because the last look then costs little.
        #[default]
        OBrienFleming = "obrien_fleming",
        /// Like Pocock's bounds: α·ln(1 + (e − 1)·t). About the same bound at every look.
        Pocock = "pocock",
    }
}

impl Spending {
    /// The alpha spent so far: the part of a two-sided `alpha` in (0, 1) that a share of the data in (0, 1] spends.
    pub fn spent(self, alpha: f64, fraction: f64) -> f64 {
        match self {
            Self::OBrienFleming => 2.0 * normal_two_sided(normal_quantile(alpha / 4.0) / fraction.sqrt()),
            Self::Pocock => alpha * ln_1p((E - 1.0) * fraction),
        }
    }
}

/// One look (interim analysis): its bound, and the findings at it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// The share of all data that is there, in (0, 1].
    pub fraction: f64,
    /// The trial ends when |z| is at least this; at most 8.
    pub z: f64,
    /// The same as a two-sided p-value: the trial ends when p is at most this.
    pub p: f64,
    /// What of alpha is spent up to this look and with it.
    pub spent: f64,
}

/// The (alpha spending) bound of each look, for increasing shares of the data. The last share needn't be 1: what isn't spent is kept.
///
/// Without an effect, the scores Z·√t of a trial are a Brownian motion. The density of those that were not stopped is carried from look to
/// look by numerical integration, and each bound is where what lies beyond it is what this look may spend.
///
/// # Errors
/// When alpha is not within (0, 1), or the looks are none, more than 50, not increasing by .001 or more, or beyond 1.
///
/// ```
/// use morta_stats::looks::{Spending, look_bounds};
/// let looks = look_bounds(Spending::OBrienFleming, 0.05, &[0.2, 0.4, 0.6, 0.8, 1.0]).unwrap();
/// let bounds: Vec<String> = looks.iter().map(|look| format!("{:.3}", look.z)).collect();
/// assert_eq!(bounds, ["4.877", "3.357", "2.680", "2.290", "2.031"]);
/// ```
pub fn look_bounds(spending: Spending, alpha: f64, fractions: &[f64]) -> Result<Vec<Look>, StatsError> {
    check_share("alpha", alpha)?;
    check_fractions(fractions)?;
    let mut looks: Vec<Look> = Vec::with_capacity(fractions.len());
    let mut going = StillGoing::at_start();
    for (index, fraction) in fractions.iter().copied().enumerate() {
        let before = looks.last().map_or(0.0, |look| look.spent);
        let spent = spending.spent(alpha, fraction);
        let z = bound(&going, fraction, spent - before);
        if let Some(next) = fractions.get(index + 1) {
            going = going.after(fraction, z, next - fraction);
        }
        looks.push(Look { fraction, z, p: normal_two_sided(z), spent });
    }
    Ok(looks)
}

/// The repeated p-value of the last of these looks (Jennison & Turnbull 1984): the smallest alpha whose bound there a test with this
/// p-value reaches. It is at most alpha exactly where p is at most the bound, so that whatever corrects p-values corrects it; 1 where no
/// alpha is enough.
///
/// # Errors
/// As [`look_bounds`], and when p is not within [0, 1].
pub fn repeated_p(spending: Spending, fractions: &[f64], p: f64) -> Result<f64, StatsError> {
    if !(0.0..=1.0).contains(&p) {
        let remedy = "from 0 to 1".to_owned();
        return Err(StatsError::OutOfRange { subject: "p".to_owned(), value: p.to_string(), remedy });
    }
    // The one look at the end spends all of alpha: nothing is repeated.
    if fractions == [1.0] {
        return Ok(p);
    }
    let reaches = |alpha: f64| {
        let looks = look_bounds(spending, alpha, fractions)?;
        Ok::<bool, StatsError>(looks.last().is_some_and(|look| p <= look.p))
    };
    let (mut low, mut high) = (ln(REPEATED_MIN), 0.0);
    if !reaches(REPEATED_MAX)? {
        return Ok(1.0);
    }
    if reaches(REPEATED_MIN)? {
        return Ok(REPEATED_MIN);
    }
    for _ in 0..REPEATED_HALVINGS {
        let middle = f64::midpoint(low, high);
        if reaches(exp(middle).min(REPEATED_MAX))? { high = middle } else { low = middle }
    }
    // The end of the interval that does reach it, so that a p at the bound itself is never a rounding above alpha.
    Ok(exp(high).min(1.0))
}

/// Where as much lies beyond as may be spent.
fn bound(going: &StillGoing, fraction: f64, share: f64) -> f64 {
    let (mut low, mut high) = (0.0, BOUND_MAX);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if going.share_beyond(fraction, middle) > share {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

fn check_fractions(fractions: &[f64]) -> Result<(), StatsError> {
    let out_of_range = |subject: String, value: String, remedy: &str| {
        Err(StatsError::OutOfRange { subject, value, remedy: remedy.to_owned() })
    };
    if fractions.is_empty() || fractions.len() > LOOKS_MAX {
        return out_of_range("looks".to_owned(), fractions.len().to_string(), "from 1 to 50 of them");
    }
    let mut before = 0.0;
    for (index, fraction) in fractions.iter().enumerate() {
        // Written so that NaN is refused; the sum of ten tenths may be a rounding short of the gap.
        if !(fraction - before >= GAP_MIN * (1.0 - 1e-9) && *fraction <= 1.0) {
            let subject = format!("fraction of the data at look {}", index + 1);
            return out_of_range(
                subject,
                fraction.to_string(),
                "at most 1, and 0.001 or more above the look before",
            );
        }
        before = *fraction;
    }
    Ok(())
}
