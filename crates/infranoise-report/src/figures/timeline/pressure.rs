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
    let kinds = [("CPU", "l-ink", "strong", &cpu), ("memory", "l-ink dashed", "label", &memory)];
    for (i, (name, line, ink, shares)) in kinds.into_iter().enumerate() {
        let place = |at: usize, share: f64| (x.at(end * (at as f64 + 0.5) / BINS as f64), scale.at(share));
        let mut last = None;
        // A stretch without a trial is a gap, not a line.
        let numbered: Vec<(usize, Option<f64>)> = shares.iter().copied().enumerate().collect();
        for run in numbered.chunk_by(|a, b| a.1.is_some() == b.1.is_some()) {
            let seen: Vec<(f64, f64)> =
                run.iter().filter_map(|(at, share)| Some(place(*at, (*share)?))).collect();
            svg.polyline(line, &seen);
            last = seen.last().map(|(_, y)| *y).or(last);
        }
        match last {
            Some(last) => ends.push((name, ink, last + 4.0)),
            None => {
                let text = format!("{name} pressure: not observable");
                svg.text(ink, (LEFT + RIGHT) / 2.0, y.0 + 26.0 + 20.0 * i as f64, Anchor::Middle, &text);
            }
        }
    }
    let wanted: Vec<f64> = ends.iter().map(|(_, _, place)| *place).collect();
    for ((name, ink, _), place) in ends.iter().zip(wrap::spread(&wanted, 15.0)) {
        svg.text(ink, RIGHT + 8.0, place, Anchor::Start, name);
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
