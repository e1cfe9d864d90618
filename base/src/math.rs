//! Elementary functions that give the same bits on every platform (through `libm`), and two curves that several parts of the engine share
//! (the half-life also with OpenClaw's memory): logistic and half-life. The standard library's functions aren't used for results, because
//! they differ in the last bits between platforms (determinism of floating-point), and a run's digest holds those bits. They are marked for
//! inlining because the loops that call them are in other crates.

/// eˣ (exponential function).
#[inline]
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// 2ˣ, a power of two.
#[inline]
pub fn exp2(x: f64) -> f64 {
    libm::exp2(x)
}

/// Natural logarithm (log), the same bits on every platform; −∞ of 0, NaN below.
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

/// The complementary error function (erfc), 1 − erf x, exact to rounding far into the tail.
#[inline]
pub fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

/// The logarithm of the gamma function (log-gamma) at a positive number.
#[inline]
pub fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// Rounds to the integer nearest to x, halves away from zero, as `x.round() as i64` has it: NaN gives 0, values beyond the range saturate.
/// Processors without an instruction for it, which is what a portable build supposes, round by a call of the C library, at every booking of
/// money and several times a golem and tick.
#[inline]
pub fn nearest(x: f64) -> i64 {
    let whole = x as i64;
    let rest = x - whole as f64;
    whole.saturating_add(i64::from(rest >= 0.5)).saturating_sub(i64::from(rest <= -0.5))
}

/// The logistic curve (sigmoid) 1 / (1 + e^(−steepness·(x − centre))), in (0, 1).
///
/// ```
/// use morta_base::math::logistic;
/// assert_eq!(logistic(0.3, 0.3, 10.0), 0.5);
/// ```
#[inline]
pub fn logistic(x: f64, centre: f64, steepness: f64) -> f64 {
    1.0 / (1.0 + exp(-steepness * (x - centre)))
}

/// Exponential decay: the part left of 1 after `elapsed` at the given half-life, 2^(−elapsed/half_life).
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

    /// Halves, the numbers beside them, both ends of what an integer and a double hold exactly, and what is no number.
    #[test]
    fn the_nearest_integer_is_that_of_the_standard_library() {
        let mut numbers = vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, -0.0, 5e-324];
        for power in 0..64 {
            let two = exp2(f64::from(power));
            for x in [two, two - 0.5, two + 0.5, 0.75 * two, two / 3.0, 0.5 / two] {
                numbers.extend([x, x.next_up(), x.next_down()].into_iter().flat_map(|x| [x, -x]));
            }
        }
        assert!(numbers.iter().all(|x| nearest(*x) == x.round() as i64), "{numbers:?}");
    }
}
