//! What a difference in score is made of: infra errors removed, and the rest.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{Comparison, Decomposition, Part};
use infranoise_core::Shown;

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::{Linear, ticks};
use crate::svg::{Anchor, Svg, axis, pattern, wrap};
use crate::table::Table;
use crate::text::{number, words};

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "decomposition",
    title: "What the difference is made of",
    question: "Did headroom only remove infra errors, or did it help beyond that?",
    draw,
};

const LEFT: f64 = 150.0;
const RIGHT: f64 = 500.0;
const ROW: f64 = 52.0;

type Row<'a> = (&'a Comparison, &'a Decomposition);

/// The two parts with their names and the fill that tells them apart.
fn parts(of: &Decomposition) -> [(&'static str, Shown, &Part); 2] {
    [("infra errors removed", Shown::Ceiling, &of.noise_removed), ("the rest", Shown::Pass, &of.rest)]
}

fn says(part: &Part) -> String {
    match &part.estimate {
        Some(estimate) => number::points_estimate(estimate),
        // Without an interval, the tasks do not differ in it.
        None => format!("{} in each task", number::points(part.value)),
    }
}

fn draw(analysis: &Analysis) -> Figure {
    let rows: Vec<Row> =
        analysis.comparisons.iter().filter_map(|c| Some((c, c.decomposition.as_ref()?))).collect();
    if rows.is_empty() {
        return SPEC.missing(
            "no difference could be taken apart",
            "It needs two arms with the same tasks, and infra errors that can be observed in both.",
        );
    }
    let ends = rows.iter().flat_map(|(_, d)| {
        let parts = parts(d).into_iter().flat_map(|(_, _, part)| {
            let (low, high) = part.estimate.map_or((part.value, part.value), |e| (e.low, e.high));
            [low, high, part.value]
        });
        parts
            .chain([d.noise_removed_bounds.0, d.noise_removed_bounds.1])
            .filter(|end| end.is_finite())
            .collect::<Vec<_>>()
    });
    let (low, high) = ends.fold((-0.01, 0.01), |(low, high): (f64, f64), end| (low.min(end), high.max(end)));
    let lines = ticks(low, high, 6);
    let x = Linear::new(
        (lines.first().copied().unwrap_or(-1.0), lines.last().copied().unwrap_or(1.0)),
        (LEFT, RIGHT),
    );
    let bottom = 36.0 + ROW * rows.len() as f64;
    let mut svg = Svg::new(SPEC.id, WIDTH, bottom + 44.0);
    pattern::define(&mut svg);
    let mut at = 12.0;
    for (name, fill, _) in rows.first().map(|(_, d)| parts(d)).into_iter().flatten() {
        svg.filled(words::look(fill).class, at, 4.0, 14.0, 12.0);
        svg.text("label", at + 20.0, 14.0, Anchor::Start, name);
        at += 38.0 + wrap::width(name, 12.0);
    }
    let places: Vec<(f64, String)> =
        lines.iter().map(|tick| (x.at(*tick), axis::points_tick(*tick))).collect();
    axis::horizontal(&mut svg, &places, (28.0, bottom), "points of the strict score", (LEFT + RIGHT) / 2.0);
    svg.line("zero", (x.at(0.0), 28.0), (x.at(0.0), bottom));
    for (i, row) in rows.iter().enumerate() {
        draw_row(&mut svg, row, &x, 34.0 + ROW * i as f64);
    }
    let caption = "Points of the strict score that come from infra errors that went away, whose trials then pass at the rate of the others, and \
                   the rest: trials that a kill had maimed, or consistent with newly solved tasks. Lines are 95 % intervals for tasks like these; \
                   the dashed line shows how far the first part could reach if none or all of the killed trials had been doomed anyway.";
    SPEC.figure(svg, caption.replace("95 %", &level(&rows)), table(&rows))
}

fn level(rows: &[Row<'_>]) -> String {
    let level =
        rows.iter().find_map(|(_, d)| d.noise_removed.estimate.or(d.rest.estimate)).map_or(0.95, |e| e.level);
    format!("{} %", number::fixed(level * 100.0, 0))
}

fn draw_row(svg: &mut Svg, row: &Row<'_>, x: &Linear, y: f64) {
    let name = wrap::fit(&format!("{} against {}", row.0.arm, row.0.base), 12.0, LEFT - 20.0);
    svg.text("label", LEFT - 12.0, y + 22.0, Anchor::End, &name);
    for (i, (part_name, fill, part)) in parts(row.1).into_iter().enumerate() {
        let top = y + 19.0 * i as f64;
        let (from, to) = (x.at(0.0).min(x.at(part.value)), x.at(0.0).max(x.at(part.value)));
        svg.titled(&format!("{name}: {part_name} {} points", says(part)), |svg| {
            svg.filled(words::look(fill).class, from, top, to - from, 14.0);
            if let Some(estimate) = part.estimate {
                svg.line("ink-line", (x.at(estimate.low), top + 7.0), (x.at(estimate.high), top + 7.0));
            }
            if i == 0 {
                let (low, high) = row.1.noise_removed_bounds;
                svg.line("dash", (x.at(low), top + 16.0), (x.at(high), top + 16.0));
            }
        });
        svg.text("label", RIGHT + 14.0, top + 11.0, Anchor::Start, &says(part));
    }
}

fn table(rows: &[Row<'_>]) -> Table {
    let heads = [
        "arm against base",
        ">infra errors removed, points",
        ">if none … all were doomed",
        ">the rest, points",
        ">of it maimed, at most",
    ];
    let mut table = Table::new(&heads);
    table.column("killed pairs that failed anyway", crate::table::Align::Right);
    for (comparison, parts) in rows {
        let (low, high) = parts.noise_removed_bounds;
        let (doomed, killed) = parts.doomed_pairs;
        table.push([
            format!("{} against {}", comparison.arm, comparison.base),
            says(&parts.noise_removed),
            format!("{} … {}", number::points(high), number::points(low)),
            says(&parts.rest),
            format!("{} %", number::percent(parts.maimed_at_most)),
            format!("{} of {}", number::count(doomed), number::count(killed)),
        ]);
    }
    table
}
