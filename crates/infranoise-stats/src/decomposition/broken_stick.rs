//! A line with one knot, fitted to a curve of a few points: a picture, not a test.

use crate::check;
use crate::error::{Result, StatError};

/// A continuous line with one change of slope.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BrokenStick {
    /// Where the slope changes.
    pub knot: f64,
    /// The first line's value at zero.
    pub intercept: f64,
    /// Slope before the knot.
    pub slope_before: f64,
    /// Slope after it.
    pub slope_after: f64,
    /// Sum of squared residuals.
    pub sse: f64,
}

/// The continuous two-piece line with the smallest sum of squares.
///
/// Exact, without iteration: the best knot is either where the least-squares lines of the points left and right of it
/// cross, or one of the points (Hudson 1966). With six points it is only a picture. Complexity: O(n^2).
///
/// # Errors
/// Fewer than four points, positions that do not increase, a value that is not finite.
pub fn broken_stick(x: &[f64], y: &[f64]) -> Result<BrokenStick> {
    check::same_length("x", x.len(), "y", y.len())?;
    check::at_least("points", 4, x.len())?;
    check::increasing("the positions", x)?;
    check::all_finite("value", y)?;
    let at_points = x[1..x.len() - 1].iter().map(|&knot| bent_at(x, y, knot));
    let between = (2..=x.len() - 2).filter_map(|split| crossing(x, y, split));
    let finite =
        |fit: &BrokenStick| fit.sse.is_finite() && fit.knot.is_finite() && fit.slope_after.is_finite();
    let best = at_points
        .chain(between)
        .filter(finite)
        .reduce(|best, next| if next.sse < best.sse { next } else { best });
    best.ok_or(StatError::NoInformation {
        what: "a curve whose points are too close to each other, or too far apart,",
    })
}

/// A least-squares line: intercept, slope and sum of squared residuals.
fn line(x: &[f64], y: &[f64]) -> (f64, f64, f64) {
    let n = x.len() as f64;
    let (mean_x, mean_y) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let sxx: f64 = x.iter().map(|x| (x - mean_x).powi(2)).sum();
    let sxy: f64 = x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let slope = sxy / sxx;
    let intercept = mean_y - slope * mean_x;
    let sse = x.iter().zip(y).map(|(x, y)| (y - intercept - slope * x).powi(2)).sum();
    (intercept, slope, sse)
}

/// The two free lines left and right of `split`, if they cross between the neighbouring points.
fn crossing(x: &[f64], y: &[f64], split: usize) -> Option<BrokenStick> {
    let (intercept, before, sse_left) = line(&x[..split], &y[..split]);
    let (right, after, sse_right) = line(&x[split..], &y[split..]);
    let knot = (intercept - right) / (after - before);
    (x[split - 1] <= knot && knot <= x[split]).then_some(BrokenStick {
        knot,
        intercept,
        slope_before: before,
        slope_after: after,
        sse: sse_left + sse_right,
    })
}

/// The best line with its knot at a given place: least squares on 1, x and the part of x beyond the knot.
fn bent_at(x: &[f64], y: &[f64], knot: f64) -> BrokenStick {
    // Take the line out of both the bend and the values; what is left has one coefficient.
    let bend: Vec<f64> = x.iter().map(|x| (x - knot).max(0.0)).collect();
    let (bend_intercept, bend_slope, bend_squares) = line(x, &bend);
    let rest = |x: f64, bend: f64| bend - bend_intercept - bend_slope * x;
    let product: f64 = x.iter().zip(&bend).zip(y).map(|((&x, &bend), y)| rest(x, bend) * y).sum();
    let change = product / bend_squares;
    let straight: Vec<f64> = y.iter().zip(&bend).map(|(y, bend)| y - change * bend).collect();
    let (intercept, slope_before, sse) = line(x, &straight);
    BrokenStick { knot, intercept, slope_before, slope_after: slope_before + change, sse }
}
