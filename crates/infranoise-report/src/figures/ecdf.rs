//! Memory peaks by outcome: which share of trials stayed below a multiple of the spec?

use infranoise_analysis::Analysis;
use infranoise_core::Shown;

use super::{Figure, FigureSpec, WIDTH, ceilings};
use crate::svg::scale::{Linear, Log};
use crate::svg::{Anchor, Svg, axis, mark, num, wrap};
use crate::table::Table;
use crate::text::number;

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "peak-shares",
    title: "Memory peaks by outcome",
    question: "Do trials that pass take more memory than those that fail, and where do ceilings cut?",
    draw,
};

const LEFT: f64 = 56.0;
const RIGHT: f64 = WIDTH - 150.0;
const TOP: f64 = 62.0;
const BOTTOM: f64 = 282.0;
/// Steps of a curve in the drawing; the numbers behind it are all used.
const STEPS: usize = 160;

/// One outcome's peaks as multiples of the spec, sorted, and how many of them are where a kill cut them.
struct Curve {
    shown: Shown,
    multiples: Vec<f64>,
    censored: usize,
}

impl Curve {
    fn quantile(&self, share: f64) -> f64 {
        let last = self.multiples.len().saturating_sub(1);
        self.multiples.get((share * last as f64).round() as usize).copied().unwrap_or(0.0)
    }
}

fn curves(analysis: &Analysis) -> Vec<Curve> {
    let shown = [Shown::Pass, Shown::Fail, Shown::Ceiling, Shown::Fault, Shown::Undetermined];
    let of = |shown: Shown| {
        let mut multiples = Vec::new();
        let mut censored = 0;
        for point in analysis.peaks.iter().filter(|point| point.shown == shown) {
            let (Some(peak), Some(spec)) =
                (point.peak_bytes.filter(|peak| *peak > 0), point.spec_bytes.filter(|spec| *spec > 0))
            else {
                continue;
            };
            multiples.push(peak as f64 / spec as f64);
            censored += usize::from(point.censored);
        }
        multiples.sort_by(f64::total_cmp);
        Curve { shown, multiples, censored }
    };
    shown.into_iter().map(of).filter(|curve| !curve.multiples.is_empty()).collect()
}

fn line(shown: Shown) -> (&'static str, &'static str) {
    match shown {
        Shown::Pass => ("l-pass", "t-pass"),
        Shown::Fail | Shown::NotStarted => ("l-fail", "t-fail"),
        Shown::Ceiling => ("l-ceiling dashed", "t-ceiling"),
        Shown::Fault => ("l-fault dashed", "t-fault"),
        Shown::Undetermined => ("l-ink dashed", "label"),
    }
}

fn draw(analysis: &Analysis) -> Figure {
    let curves = curves(analysis);
    if curves.is_empty() {
        return SPEC.missing(
            "no trial has both a memory peak and a task spec",
            "The kernel's peak of each trial and a stated spec (or --assume-spec) fill it.",
        );
    }
    let all = || {
        curves
            .iter()
            .flat_map(|curve| curve.multiples.iter().copied())
            .chain(ceilings::of(analysis).into_iter().map(|c| c.0))
    };
    let (low, high) = all().fold((1.0, 1.0), |(low, high): (f64, f64), m| (low.min(m), high.max(m)));
    let ends = (low.log2().floor().exp2().max(1.0 / 16.0), high.log2().ceil().exp2().clamp(2.0, 64.0));
    let (x, y) = (Log::new(ends, (LEFT, RIGHT)), Linear::new((0.0, 1.0), (BOTTOM, TOP)));
    let mut svg = Svg::new(SPEC.id, WIDTH, BOTTOM + 44.0);
    axis::vertical(
        &mut svg,
        &y,
        &[0.0, 0.25, 0.5, 0.75, 1.0],
        (LEFT, RIGHT),
        "% of trials of the outcome",
        axis::percent_tick,
    );
    let places: Vec<(f64, String)> =
        x.ticks().into_iter().map(|tick| (x.at(tick), number::multiple(tick))).collect();
    axis::horizontal(
        &mut svg,
        &places,
        (TOP, BOTTOM),
        "memory peak as a multiple of the task spec (log scale)",
        (LEFT + RIGHT) / 2.0,
    );
    ceilings::draw(&mut svg, analysis, &|multiple| x.at(multiple), TOP, BOTTOM);
    let mut ends: Vec<(f64, f64)> = Vec::new();
    for curve in &curves {
        let count = curve.multiples.len();
        let steps = count.min(STEPS);
        let at = |step: usize| {
            (step as f64 / steps as f64, curve.quantile((step as f64 - 0.5).max(0.0) / steps as f64))
        };
        let mut path = format!("M{} {}", num(x.at(curve.quantile(0.0))), num(BOTTOM));
        for step in 1..=steps {
            let (share, multiple) = at(step);
            path += &format!("H{}V{}", num(x.at(multiple)), num(y.at(share)));
        }
        path += &format!("H{}", num(RIGHT));
        let says = format!(
            "{}: median {}, n = {}",
            curve.shown,
            number::multiple(curve.quantile(0.5)),
            number::count(count as u64)
        );
        svg.titled(&says, |svg| svg.path(line(curve.shown).0, &path));
        let middle = (x.at(curve.quantile(0.5)), y.at(0.5));
        mark::draw(&mut svg, curve.shown, middle.0, middle.1, 4.5);
        ends.push((y.at(0.5), middle.0));
    }
    let wanted: Vec<f64> = (0..curves.len()).map(|i| TOP + 20.0 + 34.0 * i as f64).collect();
    for (curve, place) in curves.iter().zip(wrap::spread(&wanted, 34.0)) {
        mark::draw(&mut svg, curve.shown, RIGHT + 18.0, place - 4.0, 4.5);
        svg.text(line(curve.shown).1, RIGHT + 30.0, place, Anchor::Start, &curve.shown.to_string());
        let n = format!("n = {}", number::count(curve.multiples.len() as u64));
        svg.text("tick", RIGHT + 30.0, place + 14.0, Anchor::Start, &n);
    }
    let caption = "Share of trials of each outcome whose peak lies below a multiple of the spec; the mark stands at the median. Dashed lines from above \
                   are the arms' ceilings. Peaks of killed trials are where they were cut: they wanted more, and how much more is not known.";
    SPEC.figure(svg, caption, table(&curves))
}

fn table(curves: &[Curve]) -> Table {
    let mut table = Table::new(&[
        "outcome",
        ">trials",
        ">of them cut at a ceiling",
        ">lower quartile, x the spec",
        ">median",
        ">upper quartile",
        ">highest",
    ]);
    for curve in curves {
        let quantiles = [0.25, 0.5, 0.75, 1.0].map(|share| number::multiple(curve.quantile(share)));
        let head = [
            curve.shown.to_string(),
            number::count(curve.multiples.len() as u64),
            number::count(curve.censored as u64),
        ];
        table.push(head.into_iter().chain(quantiles));
    }
    table
}
