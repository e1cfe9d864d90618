//! Elementary functions that give the same bits on every platform (through `libm`), and the few shapes that
//! several rooms share. They are marked for inlining because the loops that call them are in other crates.

/// eˣ.
#[inline]
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// 2ˣ.
#[inline]
pub fn exp2(x: f64) -> f64 {
    libm::exp2(x)
}

/// Natural logarithm, the same bits on every platform; −∞ of 0, NaN below.
#[inline]
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// ln(1 + x), exact for small x.
#[inline]
pub fn ln_1p(x: f64) -> f64 {
    libm::log1p(x)
}

/// xʸ.
#[inline]
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// Sine of an angle in radians.
#[inline]
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Cosine of an angle in radians.
#[inline]
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Hyperbolic tangent, the same bits on every platform.
#[inline]
pub fn tanh(x: f64) -> f64 {
    libm::tanh(x)
}

/// The complementary error function, 1 − erf x, exact to rounding far into the tail.
#[inline]
pub fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

/// The logarithm of the gamma function at a positive number.
#[inline]
pub fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// The logistic curve 1 / (1 + e^(−steepness·(x − centre))), in (0, 1).
///
/// ```
/// use morta_memories::base::math::logistic;
/// assert_eq!(logistic(0.3, 0.3, 10.0), 0.5);
/// ```
#[inline]
pub fn logistic(x: f64, centre: f64, steepness: f64) -> f64 {
    1.0 / (1.0 + exp(-steepness * (x - centre)))
}

/// What is left of 1 after `elapsed` at the given half-life: 2^(−elapsed/half_life).
///
/// A half-life that is not positive leaves nothing, except at no elapsed time.
#[inline]
pub fn half_life_decay(elapsed: f64, half_life: f64) -> f64 {
    if elapsed <= 0.0 {
        1.0
    } else if half_life <= 0.0 {
        0.0
    } else {
        exp2(-elapsed / half_life)
    }
}

/// Cosine of the angle between two vectors of equal length, in [−1, 1]; 0 when either is all zeros.
///
/// # Panics
/// When their lengths differ, which no two embeddings of one world do.
#[inline]
pub fn cosine_similarity(a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len(), "embeddings of one world have one dimension");
    let (mut dot, mut aa, mut bb) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (&x, &y) in a.iter().zip(b) {
        let (x, y) = (f64::from(x), f64::from(y));
        dot += x * y;
        aa += x * x;
        bb += y * y;
    }
    if aa == 0.0 || bb == 0.0 { 0.0 } else { (dot / (aa * bb).sqrt()).clamp(-1.0, 1.0) }
}

/// The p-quantile (p in [0, 1]) of the values by linear interpolation between order statistics (Hyndman & Fan
/// type 7, numpy's default); `None` when there are none. The values are sorted in place.
pub fn quantile(values: &mut [f64], p: f64) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let position = p.clamp(0.0, 1.0) * (values.len() - 1) as f64;
    let (below, share) = (position.floor(), position.fract());
    let lower = values[below as usize];
    let upper = values[(below as usize + 1).min(values.len() - 1)];
    Some(lower + share * (upper - lower))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_life_halves() {
        assert_eq!(half_life_decay(500.0, 500.0), 0.5);
        assert_eq!(half_life_decay(0.0, 0.0), 1.0);
        assert_eq!(half_life_decay(1.0, 0.0), 0.0);
    }

    #[test]
    fn cosine_of_known_vectors() {
        assert_eq!(cosine_similarity(&[1.0, 0.0], &[0.0, 2.0]), 0.0);
        assert_eq!(cosine_similarity(&[1.0, 1.0], &[2.0, 2.0]), 1.0);
        assert_eq!(cosine_similarity(&[1.0, 0.0], &[-3.0, 0.0]), -1.0);
        assert_eq!(cosine_similarity(&[0.0, 0.0], &[1.0, 0.0]), 0.0);
    }

    /// numpy 2.x: np.quantile([4, 1, 3, 2], [0, .25, .5, .95, 1]).
    #[test]
    fn quantiles_match_numpy() {
        for (p, expected) in [(0.0, 1.0), (0.25, 1.75), (0.5, 2.5), (0.95, 3.85), (1.0, 4.0)] {
            let found = quantile(&mut [4.0, 1.0, 3.0, 2.0], p).unwrap();
            assert!((found - expected).abs() < 1e-12, "{p}: {found}");
        }
        assert_eq!(quantile(&mut [], 0.5), None);
    }
}
