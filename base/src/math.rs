//! Elementary functions that give the same bits on every platform (through `libm`), and two curves that several parts of the engine share:
//! logistic and half-life. The standard library's functions aren't used for results, because they differ in the last bits between
//! platforms (determinism of floating-point), and a run's digest holds those bits. They are marked for inlining because the loops that
//! call them are in other crates.

/// eˣ (exponential function).
#[inline]
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// 2ˣ (power of two).
#[inline]
pub fn exp2(x: f64) -> f64 {
    libm::exp2(x)
}

/// Natural logarithm, the same bits on every platform; −∞ of 0, NaN below (natural log).
#[inline]
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// ln(1 + x), exact for small x (log1p).
#[inline]
pub fn ln_1p(x: f64) -> f64 {
    libm::log1p(x)
}

/// xʸ (power function).
#[inline]
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// Sine of an angle in radians (sine).
#[inline]
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Cosine of an angle in radians (cosine).
#[inline]
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Hyperbolic tangent, the same bits on every platform (tanh).
#[inline]
pub fn tanh(x: f64) -> f64 {
    libm::tanh(x)
}

/// The complementary error function, 1 − erf x, exact to rounding far into the tail (erfc).
#[inline]
pub fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

/// The logarithm of the gamma function at a positive number (log gamma).
#[inline]
pub fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// The logistic curve 1 / (1 + e^(−steepness·(x − centre))), in (0, 1).
///
/// ```
/// use morta_base::math::logistic;
/// assert_eq!(logistic(0.3, 0.3, 10.0), 0.5);
/// ```
#[inline]
pub fn logistic(x: f64, centre: f64, steepness: f64) -> f64 {
    1.0 / (1.0 + exp(-steepness * (x - centre)))
}

/// What is left of 1 after `elapsed` at the given half-life: 2^(−elapsed/half_life) (exponential decay, half-life).
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_life_halves() {
        assert_eq!(half_life_decay(500.0, 500.0), 0.5);
        assert_eq!(half_life_decay(0.0, 0.0), 1.0);
        assert_eq!(half_life_decay(1.0, 0.0), 0.0);
    }
}
