//! Axes: quiet grid lines, labels with units, arms with their trials.

use infranoise_analysis::doc::ArmSummary;

use super::scale::{Bands, Linear};
use super::{Anchor, Svg};
use crate::text::words;

/// Horizontal grid lines with labels at the left, and the unit above them.
pub fn vertical(
    svg: &mut Svg,
    scale: &Linear,
    ticks: &[f64],
    x: (f64, f64),
    unit: &str,
    label: fn(f64) -> String,
) {
    for &tick in ticks {
        let y = scale.at(tick);
        svg.line("grid", (x.0, y), (x.1, y));
        svg.text("tick", x.0 - 8.0, y + 4.0, Anchor::End, &label(tick));
    }
    let top = scale.range().0.min(scale.range().1);
    svg.text("unit", x.0 - 8.0 - 36.0, top - 12.0, Anchor::Start, unit);
}

/// Vertical grid lines with labels below, and the unit beneath them.
pub fn horizontal(svg: &mut Svg, places: &[(f64, String)], y: (f64, f64), unit: &str, unit_at: f64) {
    for (x, label) in places {
        svg.line("grid", (*x, y.0), (*x, y.1));
        svg.text("tick", *x, y.1 + 16.0, Anchor::Middle, label);
    }
    svg.text("unit", unit_at, y.1 + 34.0, Anchor::Middle, unit);
}

/// Arms along a horizontal axis, an uncapped one with its real multiple; returns how far down the labels reach.
pub fn arms(svg: &mut Svg, arms: &[ArmSummary], bands: &Bands, y: f64) -> f64 {
    for (i, arm) in arms.iter().enumerate() {
        svg.text("strong", bands.centre(i), y + 18.0, Anchor::Middle, arm.name.as_str());
        if let Some(real) = words::real_multiple(arm) {
            svg.text("tick", bands.centre(i), y + 33.0, Anchor::Middle, &real);
        }
    }
    y + 33.0
}

/// One line of numbers of trials beneath a panel.
pub fn numbers(svg: &mut Svg, bands: &Bands, y: f64, x: f64, numbers: &[u64]) {
    svg.text("tick", x, y, Anchor::End, "n");
    for (i, n) in numbers.iter().enumerate() {
        svg.text("tick", bands.centre(i), y, Anchor::Middle, &crate::text::number::count(*n));
    }
}

/// A share as a tick label in per cent, without needless decimals.
#[must_use]
pub fn percent_tick(share: f64) -> String {
    let percent = share * 100.0;
    let whole = (percent - percent.round()).abs() < 1e-6;
    crate::text::number::fixed(percent, usize::from(!whole))
}

/// A difference of shares as a tick label in points.
#[must_use]
pub fn points_tick(share: f64) -> String {
    let label = percent_tick(share);
    if share > 1e-9 { format!("+{label}") } else { label }
}
