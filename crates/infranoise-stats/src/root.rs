//! A bracketing root finder.

use crate::error::{Result, StatError};

const MAX_STEPS: usize = 2_000;

/// The root of a continuous function between two points where its signs differ, to the last digit or so.
///
/// Method of Chandrupatla (1997): inverse quadratic interpolation where the three last points make it safe, bisection
/// otherwise; never slower than bisection by more than a constant. A point where the function is NaN ends the search
/// with an error. Complexity: about 10 evaluations for a smooth function, 2,000 at most.
///
/// # Errors
/// The function has the same sign (or is NaN) at both ends.
pub fn find_root(mut f: impl FnMut(f64) -> f64, low: f64, high: f64) -> Result<f64> {
    let no_root = StatError::NoRoot { low, high };
    let (mut a, mut b) = (low, high);
    let (mut fa, mut fb) = (f(a), f(b));
    if fa == 0.0 {
        return Ok(a);
    }
    if fb == 0.0 {
        return Ok(b);
    }
    if fa.is_nan() || fb.is_nan() || (fa < 0.0) == (fb < 0.0) {
        return Err(no_root);
    }
    let mut share = 0.5;
    for _ in 0..MAX_STEPS {
        let x = a + share * (b - a);
        let fx = f(x);
        if fx.is_nan() {
            return Err(no_root);
        }
        let (c, fc);
        if (fx < 0.0) == (fa < 0.0) {
            (c, fc) = (a, fa);
        } else {
            (c, fc) = (b, fb);
            (b, fb) = (a, fa);
        }
        (a, fa) = (x, fx);
        let (best, f_best) = if fa.abs() < fb.abs() { (a, fa) } else { (b, fb) };
        let resolution = 2.0 * f64::EPSILON * best.abs() + f64::MIN_POSITIVE;
        let smallest_share = resolution / (b - a).abs();
        if smallest_share > 0.5 || f_best == 0.0 {
            return Ok(best);
        }
        share = interpolate([a, b, c], [fa, fb, fc]).clamp(smallest_share, 1.0 - smallest_share);
    }
    Ok(if fa.abs() < fb.abs() { a } else { b })
}

/// Where to look next, as a share of the way from the first point to the second.
fn interpolate([a, b, c]: [f64; 3], [fa, fb, fc]: [f64; 3]) -> f64 {
    let xi = (a - b) / (c - b);
    let phi = (fa - fb) / (fc - fb);
    if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
        fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
    } else {
        0.5
    }
}

#[cfg(test)]
mod tests {
    use super::find_root;

    #[test]
    fn finds_roots_to_the_last_digits() {
        let check = |f: fn(f64) -> f64, low, high, expect: f64| {
            let root = find_root(f, low, high).unwrap();
            assert!((root - expect).abs() <= 4.0 * f64::EPSILON * expect.abs(), "{root} is not {expect}");
        };
        check(|x| x * x - 2.0, 0.0, 2.0, std::f64::consts::SQRT_2);
        check(|x| 2.0 - x * x, 0.0, 2.0, std::f64::consts::SQRT_2);
        check(f64::cos, 0.0, 3.0, std::f64::consts::FRAC_PI_2);
        check(|x| (x - 0.25).powi(3), -1.0, 7.0, 0.25);
        check(|x| x.recip() - 1e130, 1e-300, 1.0, 1e-130);
        check(|x| if x < 0.7 { -1.0 } else { 1.0 }, 0.0, 1.0, 0.7);
    }

    #[test]
    fn says_when_there_is_no_root_to_find() {
        assert!(find_root(|x| x * x + 1.0, -1.0, 1.0).is_err());
        assert!(find_root(|_| f64::NAN, -1.0, 1.0).is_err());
        assert_eq!(find_root(|x| x, 0.0, 1.0), Ok(0.0));
    }
}
