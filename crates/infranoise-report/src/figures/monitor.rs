//! What was known after each round.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::MonitorPoint;

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::{Linear, ticks};
use crate::svg::{Anchor, Svg, axis, num};
use crate::table::Table;
use crate::text::number;

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "monitor",
    title: "Sequential monitor",
    question: "How did the answer settle as trials came in, and could one have stopped?",
    draw,
};

const LEFT: f64 = 62.0;
const RIGHT: f64 = WIDTH - 140.0;
const TOP: f64 = 42.0;
const BOTTOM: f64 = 252.0;

fn draw(analysis: &Analysis) -> Figure {
    let points: Vec<&MonitorPoint> =
        analysis.monitor.iter().filter(|p| p.effect.low.is_finite() && p.effect.high.is_finite()).collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return SPEC.missing(
            "there are no rounds to look back on",
            "A sweep with two arms and at least two repeats fills it round by round; imported results have no rounds.",
        );
    };
    let margin = if analysis.about.margin.is_finite() { analysis.about.margin } else { 0.0 };
    let low = points.iter().map(|p| p.effect.low).fold(-margin, f64::min).max(-1.0);
    let high = points.iter().map(|p| p.effect.high).fold(margin, f64::max).min(1.0);
    let lines = ticks(low, high, 6);
    let y = Linear::new(
        (lines.first().copied().unwrap_or(-1.0), lines.last().copied().unwrap_or(1.0)),
        (BOTTOM, TOP),
    );
    let planned = f64::from(analysis.about.repeats.max(last.rounds));
    let x = Linear::new((f64::from(first.rounds) - 0.5, planned + 0.5), (LEFT, RIGHT));
    let mut svg = Svg::new(SPEC.id, WIDTH, BOTTOM + 62.0);
    svg.rect("band", LEFT, y.at(margin), RIGHT - LEFT, y.at(-margin) - y.at(margin));
    axis::vertical(&mut svg, &y, &lines, (LEFT, RIGHT), "points, loosest arm minus first", axis::points_tick);
    svg.line("zero", (LEFT, y.at(0.0)), (RIGHT, y.at(0.0)));
    looked(&mut svg, &points, &x, &y);
    let every = points.len().div_ceil(16);
    for (i, point) in points.iter().enumerate() {
        let at = x.at(f64::from(point.rounds));
        let title = format!(
            "after {}: {} points",
            number::plural(u64::from(point.rounds), "round"),
            number::points_estimate(&point.effect)
        );
        svg.titled(&title, |svg| {
            svg.line("l-pass", (at, y.at(point.effect.low)), (at, y.at(point.effect.high)));
            svg.rect("o-pass", at - 4.0, y.at(point.effect.value) - 4.0, 8.0, 8.0);
        });
        if i % every == 0 {
            svg.text("tick", at, BOTTOM + 18.0, Anchor::Middle, &point.rounds.to_string());
            svg.text("tick", at, BOTTOM + 34.0, Anchor::Middle, &number::count(point.trials));
        }
    }
    svg.text("tick", LEFT - 10.0, BOTTOM + 18.0, Anchor::End, "rounds");
    svg.text("tick", LEFT - 10.0, BOTTOM + 34.0, Anchor::End, "n");
    svg.text(
        "unit",
        (LEFT + RIGHT) / 2.0,
        BOTTOM + 54.0,
        Anchor::Middle,
        "rounds done (n: trials of both arms)",
    );
    svg.text(
        "t-pass",
        RIGHT + 8.0,
        y.at(last.effect.value) + 4.0,
        Anchor::Start,
        &format!("{} points", number::points(last.effect.value)),
    );
    SPEC.figure(svg, caption(analysis, &points), table(&points))
}

/// The interval that stays valid under looks, as a dashed outline.
fn looked(svg: &mut Svg, points: &[&MonitorPoint], x: &Linear, y: &Linear) {
    let known: Vec<(f64, (f64, f64))> =
        points.iter().filter_map(|p| Some((x.at(f64::from(p.rounds)), p.looked?))).collect();
    for side in [|ends: (f64, f64)| ends.0, |ends: (f64, f64)| ends.1] {
        let line: Vec<(f64, f64)> = known.iter().map(|(at, ends)| (*at, y.at(side(*ends)))).collect();
        svg.polyline("dash", &line);
        for (at, place) in line {
            svg.path("zero", &format!("M{} {}h8", num(at - 4.0), num(place)));
        }
    }
}

/// The first round after which the interval under looks excludes zero.
fn decided(points: &[&MonitorPoint]) -> Option<u32> {
    points.iter().find(|p| p.looked.is_some_and(|(low, high)| low > 0.0 || high < 0.0)).map(|p| p.rounds)
}

fn caption(analysis: &Analysis, points: &[&MonitorPoint]) -> String {
    let stop = match decided(points) {
        Some(round) if round < analysis.about.repeats => format!(
            "A difference was sure after {}; one could have stopped there.",
            number::plural(u64::from(round), "round")
        ),
        Some(_) => "A difference was sure only at the end.".to_owned(),
        None => "At no look was a difference sure.".to_owned(),
    };
    format!(
        "Difference of the strict score on these tasks so far, with the 95 % interval of a single look (solid) and the one that stays valid though one looks after \
         every round (dashed; Lan-DeMets, O'Brien-Fleming kind; none so early that a look can spend nothing). The band is the margin of equivalence. {stop}"
    )
}

fn table(points: &[&MonitorPoint]) -> Table {
    let mut table =
        Table::new(&[">rounds", ">trials of both arms", ">points [interval]", ">interval under looks"]);
    for point in points {
        let looked = point.looked.map_or("too early".to_owned(), |(low, high)| {
            format!("[{}, {}]", number::points(low), number::points(high))
        });
        table.push([
            point.rounds.to_string(),
            number::count(point.trials),
            number::points_cell(&point.effect),
            looked,
        ]);
    }
    table
}
