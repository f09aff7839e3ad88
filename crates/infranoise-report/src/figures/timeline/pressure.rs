//! What the host was going through while trials ran.

use infranoise_analysis::doc::TimelinePoint;

use super::{LEFT, RIGHT};
use crate::svg::scale::{Linear, ticks};
use crate::svg::{Anchor, Svg, axis, wrap};

/// Into how many stretches of time the figure is divided.
const BINS: usize = 100;

/// A pressure over time: the mean of the trials that ran in each bin, by how long they ran in it.
fn pressure(points: &[&TimelinePoint], end: f64, of: fn(&TimelinePoint) -> Option<f64>) -> Vec<Option<f64>> {
    let width = end / BINS as f64;
    let mut sums = vec![(0.0, 0.0); BINS];
    for point in points {
        let Some(share) = of(point) else { continue };
        let (from, to) = (point.start_ms as f64, point.end_ms as f64);
        let first = (from / width) as usize;
        let last = ((to / width) as usize).min(BINS - 1);
        for (bin, sum) in sums.iter_mut().enumerate().take(last + 1).skip(first) {
            let overlap = to.min(width * (bin + 1) as f64) - from.max(width * bin as f64);
            sum.0 += share * overlap.max(0.0);
            sum.1 += overlap.max(0.0);
        }
    }
    sums.into_iter().map(|(sum, weight)| (weight > 0.0).then(|| sum / weight)).collect()
}

/// Draws CPU and memory pressure below the trials.
pub(super) fn draw(svg: &mut Svg, points: &[&TimelinePoint], x: &Linear, y: (f64, f64), end: f64) {
    let cpu = pressure(points, end, |point| point.host_cpu_pressure);
    let memory = pressure(points, end, |point| point.host_memory_pressure);
    let most = cpu.iter().chain(&memory).flatten().fold(0.0f64, |a, b| a.max(*b));
    let lines = ticks(0.0, most.max(0.05), 3);
    let scale = Linear::new((0.0, lines.last().copied().unwrap_or(1.0)), (y.1, y.0));
    axis::vertical(svg, &scale, &lines, (LEFT, RIGHT), "% of time", axis::percent_tick);
    let mut ends = Vec::new();
    for (name, line, ink, shares) in
        [("CPU", "l-pass thin", "t-pass", &cpu), ("memory", "l-fault thin", "t-fault", &memory)]
    {
        let place = |(i, share): (usize, &Option<f64>)| {
            share.map(|share| (x.at(end * (i as f64 + 0.5) / BINS as f64), scale.at(share)))
        };
        let seen: Vec<(f64, f64)> = shares.iter().enumerate().filter_map(place).collect();
        svg.polyline(line, &seen);
        let last = seen.last().map_or(y.1, |last| last.1);
        let text = if seen.is_empty() { format!("{name}: not observable") } else { name.to_owned() };
        ends.push((text, ink, last));
    }
    let wanted: Vec<f64> = ends.iter().map(|(_, _, place)| place + 4.0).collect();
    for ((text, ink, _), place) in ends.iter().zip(wrap::spread(&wanted, 15.0)) {
        svg.text(ink, RIGHT + 8.0, place, Anchor::Start, text);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::point;
    use super::*;

    #[test]
    fn pressure_is_weighted_by_how_long_trials_ran() {
        let points = [point(0, 100, 0.2), point(10, 50, 0.4), point(50, 90, 0.0)];
        let points: Vec<&TimelinePoint> = points.iter().collect();
        let shares = pressure(&points, 100.0, |point| point.host_cpu_pressure);
        let close = |share: Option<f64>, to: f64| share.is_some_and(|share| (share - to).abs() < 1e-9);
        assert!(close(shares[0], 0.2) && close(shares[20], 0.3) && close(shares[60], 0.1), "{shares:?}");
        assert!(pressure(&points, 100.0, |point| point.host_memory_pressure).iter().all(Option::is_none));
    }
}
