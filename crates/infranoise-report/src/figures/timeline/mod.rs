//! Trials on the clock, over what the host was going through.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::TimelinePoint;
use infranoise_core::Shown;

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::{Linear, ticks};
use crate::svg::{Anchor, Svg, axis, mark, num, wrap};
use crate::table::{Align, Table};
use crate::text::{number, time, words};

mod pressure;

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "timeline",
    title: "Timeline over host pressure",
    question: "Did infra errors come in waves, and was the host under pressure then?",
    draw,
};

const LEFT: f64 = 110.0;
const RIGHT: f64 = WIDTH - 130.0;

/// Beyond so many trials bars and signs that touch are drawn as one.
const CROWDED: usize = 8_000;

/// The first lane that is free when a trial begins, for each trial in order of start.
fn lanes(points: &[&TimelinePoint]) -> (Vec<usize>, usize) {
    let mut free: Vec<u64> = Vec::new();
    let mut lanes = Vec::with_capacity(points.len());
    for point in points {
        let lane = free.iter().position(|until| *until <= point.start_ms).unwrap_or(free.len());
        match free.get_mut(lane) {
            Some(until) => *until = point.end_ms,
            None => free.push(point.end_ms),
        }
        lanes.push(lane);
    }
    (lanes, free.len())
}

/// A scale of time in the unit that fits, as label makers.
fn unit(end_ms: f64) -> (f64, &'static str) {
    match end_ms {
        ms if ms < 180_000.0 => (1_000.0, "seconds since the first trial"),
        ms if ms < 10_800_000.0 => (60_000.0, "minutes since the first trial"),
        _ => (3_600_000.0, "hours since the first trial"),
    }
}

fn draw(analysis: &Analysis) -> Figure {
    let mut points: Vec<&TimelinePoint> = analysis.timeline.iter().collect();
    points.sort_by_key(|point| (point.start_ms, point.position));
    let end = points.iter().map(|point| point.end_ms).max().unwrap_or(0) as f64;
    if points.is_empty() || end <= 0.0 {
        return SPEC.missing(
            "no trial has a place on the clock",
            "Recorded trials with a start and an end fill it.",
        );
    }
    let (lanes, count) = lanes(&points);
    let step = (160.0 / count as f64).clamp(2.0, 16.0);
    let x = Linear::new((0.0, end), (LEFT, RIGHT));
    let mut svg = Svg::new(SPEC.id, WIDTH, 0.0);
    svg.text("head", 12.0, 14.0, Anchor::Start, "Trials");
    key(&mut svg, &points);
    svg.text(
        "tick",
        LEFT - 10.0,
        40.0 + step * count as f64 / 2.0,
        Anchor::End,
        &number::plural(count as u64, "lane"),
    );
    bars(&mut svg, &points, &lanes, &x, 30.0, step);
    let below = rugs(&mut svg, &points, &x, 30.0 + step * count as f64 + 14.0);
    svg.text("head", 12.0, below + 26.0, Anchor::Start, "Host pressure");
    let (top, bottom) = (below + 60.0, below + 150.0);
    pressure::draw(&mut svg, &points, &x, (top, bottom), end);
    let (scale, unit) = unit(end);
    let tick = |at: &f64| (x.at(at * scale), number::fixed(*at, usize::from(end / scale < 5.0)));
    let places: Vec<_> =
        ticks(0.0, end / scale, 8).iter().filter(|at| **at * scale <= end).map(tick).collect();
    axis::horizontal(&mut svg, &places, (bottom, bottom), unit, (LEFT + RIGHT) / 2.0);
    svg.set_height(bottom + 44.0);
    let caption = format!(
        "Each bar is a trial (n = {}) in the first free lane; signs repeat the outcomes that are not the agent's. Pressure is the share of time \
         in which some task on the host waited, averaged over the trials that ran at the moment. The whole took {}.",
        number::count(points.len() as u64),
        time::duration(end as u64)
    );
    SPEC.figure(svg, caption, table(&points, end))
}

/// The colours of the bars that occur; the signs below say the same without colour.
fn key(svg: &mut Svg, points: &[&TimelinePoint]) {
    let mut at = LEFT;
    for shown in Shown::ALL.into_iter().filter(|shown| points.iter().any(|point| point.shown == *shown)) {
        svg.rect(&format!("o-{} seg", words::look(shown).class), at, 4.0, 12.0, 11.0);
        let name = shown.to_string();
        svg.text("label", at + 17.0, 14.0, Anchor::Start, &name);
        at += 34.0 + wrap::width(&name, 12.0);
    }
}

/// Bars nearer to each other than this are drawn as one, so that a hundred thousand trials stay a small drawing.
const APART: f64 = 0.7;

fn bars(svg: &mut Svg, points: &[&TimelinePoint], lanes: &[usize], x: &Linear, top: f64, step: f64) {
    for shown in Shown::ALL {
        let mut places: Vec<(usize, f64, f64)> = points
            .iter()
            .zip(lanes)
            .filter(|(point, _)| point.shown == shown)
            .map(|(point, lane)| (*lane, x.at(point.start_ms as f64), x.at(point.end_ms as f64)))
            .collect();
        places.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut merged: Vec<(usize, f64, f64)> = Vec::new();
        for place in places {
            let is_crowded = points.len() > CROWDED;
            match merged.last_mut().filter(|last| is_crowded && last.0 == place.0 && place.1 - last.2 < APART)
            {
                Some(last) => last.2 = last.2.max(place.2),
                None => merged.push(place),
            }
        }
        let mut data = String::new();
        for (lane, from, to) in merged {
            let y = top + step * lane as f64;
            let (width, height) = ((to - from - 0.6).max(0.6), (step - 1.5).max(1.0));
            data += &format!("M{} {}h{}v{}h-{}z", num(from), num(y), num(width), num(height), num(width));
        }
        svg.path(&format!("o-{} bar", words::look(shown).class), &data);
    }
}

/// A row of signs for each outcome that is not the agent's own doing; returns how far down they reach.
fn rugs(svg: &mut Svg, points: &[&TimelinePoint], x: &Linear, top: f64) -> f64 {
    let mut y = top;
    for shown in [Shown::Ceiling, Shown::Fault, Shown::Undetermined, Shown::NotStarted] {
        let places: Vec<(f64, f64)> = points
            .iter()
            .filter(|point| point.shown == shown)
            .map(|point| (x.at(point.end_ms as f64), y))
            .collect();
        if places.is_empty() {
            continue;
        }
        svg.text("tick", LEFT - 10.0, y + 4.0, Anchor::End, &shown.to_string());
        let mut drawn = places.clone();
        if points.len() > CROWDED {
            drawn.sort_by(|a, b| a.0.total_cmp(&b.0));
            drawn.dedup_by(|a, b| a.0 - b.0 < 2.0);
        }
        mark::draw_many(svg, shown, &drawn, 3.0);
        svg.text("tick", RIGHT + 8.0, y + 4.0, Anchor::Start, &number::count(places.len() as u64));
        y += 14.0;
    }
    y
}

/// Ten stretches of time with their outcomes and the pressure.
fn table(points: &[&TimelinePoint], end: f64) -> Table {
    let mut table = Table::new(&["trials that ended from … to"]);
    for shown in Shown::ALL {
        table.column(&shown.to_string(), Align::Right);
    }
    table.column("CPU pressure, %", Align::Right);
    table.column("memory pressure, %", Align::Right);
    for tenth in 0..10u64 {
        let (from, to) = (end * tenth as f64 / 10.0, end * (tenth + 1) as f64 / 10.0);
        let some: Vec<&&TimelinePoint> =
            points.iter().filter(|p| (p.end_ms as f64) > from && p.end_ms as f64 <= to).collect();
        let mean = |of: fn(&TimelinePoint) -> Option<f64>| {
            let seen: Vec<f64> = some.iter().filter_map(|p| of(p)).collect();
            let mean = seen.iter().sum::<f64>() / seen.len() as f64;
            if seen.is_empty() { "not observable".to_owned() } else { number::percent(mean) }
        };
        let counts =
            Shown::ALL.map(|shown| number::count(some.iter().filter(|p| p.shown == shown).count() as u64));
        let head = format!("{} … {}", time::duration(from as u64), time::duration(to as u64));
        let pressures = [mean(|p| p.host_cpu_pressure), mean(|p| p.host_memory_pressure)];
        table.push(std::iter::once(head).chain(counts).chain(pressures));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use infranoise_core::{ArmId, TaskId};

    /// A trial that passed, on the clock.
    pub(super) fn point(start_ms: u64, end_ms: u64, cpu: f64) -> TimelinePoint {
        TimelinePoint {
            trial: "t".to_owned(),
            position: 0,
            arm: ArmId::try_new("1x").unwrap(),
            task: TaskId::try_new("t").unwrap(),
            shown: Shown::Pass,
            start_ms,
            end_ms,
            host_cpu_pressure: Some(cpu),
            host_memory_pressure: None,
        }
    }

    #[test]
    fn lanes_are_reused() {
        let points = [point(0, 100, 0.2), point(10, 50, 0.4), point(50, 90, 0.0)];
        let points: Vec<&TimelinePoint> = points.iter().collect();
        assert_eq!(lanes(&points), (vec![0, 1, 1], 2));
    }
}
