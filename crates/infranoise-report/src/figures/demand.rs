//! The share of trials that would want more than a ceiling.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::DemandPoint;

use super::{Figure, FigureSpec, WIDTH, ceilings};
use crate::svg::scale::{Linear, Log};
use crate::svg::{Anchor, Svg, axis, num};
use crate::table::Table;
use crate::text::number;

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "demand",
    title: "Demand for memory",
    question: "How high must a ceiling be so that 99 % of trials fit below it?",
    draw,
};

const LEFT: f64 = 56.0;
const RIGHT: f64 = WIDTH - 24.0;
const TOP: f64 = 62.0;
const BOTTOM: f64 = 282.0;

/// The smallest multiple that leaves no more than a share above it, by the curve and by the upper end of its interval.
fn needed(points: &[DemandPoint], share: f64) -> (Option<f64>, Option<f64>) {
    let first = |of: &dyn Fn(&DemandPoint) -> Option<f64>| {
        points.iter().find(|point| of(point).is_some_and(|value| value <= share)).map(|point| point.multiple)
    };
    // Where the curve is at zero there is no interval; nothing is claimed for it then.
    (first(&|point| Some(point.exceeds)), first(&|point| point.interval.map(|(_, high)| high)))
}

fn draw(analysis: &Analysis) -> Figure {
    let sane = |point: &&DemandPoint| (1e-3..=1e3).contains(&point.multiple) && point.exceeds.is_finite();
    let points: Vec<DemandPoint> = analysis.demand.iter().filter(sane).cloned().collect();
    let points = points.as_slice();
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return SPEC.missing(
            "no trial has both a memory peak and a task spec",
            "The kernel's peak of each trial and a stated spec (or --assume-spec) fill it.",
        );
    };
    let x = Log::new((first.multiple.max(1e-3), last.multiple.max(first.multiple * 2.0)), (LEFT, RIGHT));
    let y = Linear::new((0.0, 1.0), (BOTTOM, TOP));
    let mut svg = Svg::new(SPEC.id, WIDTH, BOTTOM + 44.0);
    axis::vertical(
        &mut svg,
        &y,
        &[0.0, 0.25, 0.5, 0.75, 1.0],
        (LEFT, RIGHT),
        "% of trials that want more",
        axis::percent_tick,
    );
    let places: Vec<(f64, String)> =
        x.ticks().into_iter().map(|tick| (x.at(tick), number::multiple(tick))).collect();
    axis::horizontal(
        &mut svg,
        &places,
        (TOP, BOTTOM),
        "ceiling as a multiple of the task spec (log scale)",
        (LEFT + RIGHT) / 2.0,
    );
    let known: Vec<(f64, f64, f64)> =
        points.iter().filter_map(|p| p.interval.map(|(low, high)| (p.multiple, low, high))).collect();
    let upper = known.iter().map(|(m, _, high)| format!("{} {}", num(x.at(*m)), num(y.at(*high))));
    let lower = known.iter().rev().map(|(m, low, _)| format!("{} {}", num(x.at(*m)), num(y.at(*low))));
    let outline: Vec<String> = upper.chain(lower).collect();
    if outline.len() > 2 {
        svg.path("heat h1 area", &format!("M{}z", outline.join("L")));
    }
    let curve: Vec<(f64, f64)> =
        points.iter().map(|point| (x.at(point.multiple), y.at(point.exceeds))).collect();
    svg.polyline("l-pass", &curve);
    ceilings::draw(&mut svg, analysis, &|multiple| x.at(multiple), TOP, BOTTOM);
    let says = match needed(points, 0.01) {
        (Some(at), Some(sure)) => {
            format!("99 % fit below {}; {} to be sure", number::multiple(at), number::multiple(sure))
        }
        (Some(at), None) => format!("99 % fit below {}, as far as seen", number::multiple(at)),
        (None, _) => "no ceiling that was tried holds 99 %".to_owned(),
    };
    svg.text("head", RIGHT, 16.0, Anchor::End, &says);
    let caption = format!(
        "Share of trials whose memory peak lies above a ceiling (Kaplan-Meier over all arms, n = {}), with its 95 % band. A trial that was killed at its \
         ceiling wanted more than that, and how much more is not known: it counts as unseen from there on, not as a peak.",
        number::count(
            analysis.peaks.iter().filter(|p| p.peak_bytes.is_some() && p.spec_bytes.is_some()).count() as u64
        )
    );
    SPEC.figure(svg, caption, table(points))
}

fn table(points: &[DemandPoint]) -> Table {
    let mut table = Table::new(&[
        "share of trials that fit",
        ">ceiling, x the spec",
        ">to be sure (upper end of the 95 % band)",
    ]);
    for share in [0.5, 0.8, 0.9, 0.95, 0.99] {
        let (at, sure) = needed(points, 1.0 - share);
        let say = |value: Option<f64>| value.map_or("more than was tried".to_owned(), number::multiple);
        table.push([format!("{} %", number::fixed(share * 100.0, 0)), say(at), say(sure)]);
    }
    table
}
