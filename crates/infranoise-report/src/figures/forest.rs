//! Differences in the strict score, with their intervals: these tasks above, tasks like these below, never mixed.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{Claim, Comparison, Difference, Estimate};

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::{Linear, ticks};
use crate::svg::{Anchor, Svg, axis, wrap};
use crate::table::Table;
use crate::text::number;
use crate::{find, tables};

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "differences",
    title: "Differences in the strict score",
    question: "Which arms differ, which are equivalent, and where can't it be told?",
    draw,
};

const LEFT: f64 = 150.0;
const RIGHT: f64 = 500.0;
const ROW: f64 = 34.0;

type Row<'a> = (&'a Comparison, &'a Difference);

fn effect(claim: &Claim) -> Option<Estimate> {
    claim.test.as_ref().map(|test| test.effect)
}

fn draw(analysis: &Analysis) -> Figure {
    let rows: Vec<Row> = analysis.comparisons.iter().filter_map(|c| Some((c, find::strict(c)?))).collect();
    let effects = || rows.iter().flat_map(|(_, d)| [&d.these_tasks, &d.new_tasks]).filter_map(effect);
    if effects().next().is_none() {
        return SPEC.missing(
            "no two arms can be compared",
            "It needs at least two arms that have trials of the same tasks; intervals need at least two tasks or repeats.",
        );
    }
    let margin = analysis.about.margin;
    let finite = |value: f64, or: f64| if value.is_finite() { value } else { or };
    let low = effects().map(|e| finite(e.low, e.value)).fold(-margin, f64::min);
    let high = effects().map(|e| finite(e.high, e.value)).fold(margin, f64::max);
    let lines = ticks(low, high, 6);
    let ends = (lines.first().copied().unwrap_or(-1.0), lines.last().copied().unwrap_or(1.0));
    let x = Linear::new(ends, (LEFT, RIGHT));
    let mut svg = Svg::new(SPEC.id, WIDTH, 0.0);
    let mut top = 0.0;
    for (at, (heading, side)) in tables::SIDES.into_iter().enumerate() {
        svg.text("head", 12.0, top + 14.0, Anchor::Start, heading);
        let (from, to) = (top + 28.0, top + 28.0 + ROW * rows.len() as f64);
        svg.rect("band", x.at(-margin), from, x.at(margin) - x.at(-margin), to - from);
        let places: Vec<(f64, String)> =
            lines.iter().map(|tick| (x.at(*tick), axis::points_tick(*tick))).collect();
        axis::horizontal(&mut svg, &places, (from, to), "points (arm minus base)", (LEFT + RIGHT) / 2.0);
        svg.line("zero", (x.at(0.0), from), (x.at(0.0), to));
        for (i, row) in rows.iter().enumerate() {
            draw_row(&mut svg, row, side(row.1), at == 0, &x, from + ROW * (i as f64 + 0.5));
        }
        top = to + 62.0;
    }
    svg.set_height(top - 16.0);
    let caption = format!(
        "Difference of the strict score, arm minus base, with {} % intervals. The band is the margin of ±{} points within which arms count as \
         equivalent if it is proved. An interval across zero means that it can't be told, not that there is no difference.",
        find::level(analysis),
        number::fixed(margin * 100.0, 1)
    );
    SPEC.figure(svg, caption, table(analysis))
}

fn draw_row(svg: &mut Svg, row: &Row<'_>, claim: &Claim, with_verdict: bool, x: &Linear, y: f64) {
    let name = wrap::fit(&format!("{} against {}", row.0.arm, row.0.base), 12.0, LEFT - 20.0);
    svg.text("label", LEFT - 12.0, y + 4.0, Anchor::End, &name);
    let verdict = if with_verdict { row.1.verdict.says.as_str() } else { "" };
    let Some(effect) = effect(claim) else {
        let why = claim.why_not.as_deref().unwrap_or("no test");
        svg.text("tick", RIGHT + 14.0, y + 4.0, Anchor::Start, &wrap::fit(why, 11.0, WIDTH - RIGHT - 20.0));
        return;
    };
    let says = number::points_estimate(&effect);
    svg.titled(&format!("{name}: {says} points, {}", claim.scope), |svg| {
        svg.line("l-pass", (x.at(effect.low), y), (x.at(effect.high), y));
        for end in [effect.low, effect.high].into_iter().filter(|end| x.holds(*end)) {
            svg.line("l-pass", (x.at(end), y - 4.0), (x.at(end), y + 4.0));
        }
        let at = x.at(effect.value);
        svg.rect("o-pass", at - 4.0, y - 4.0, 8.0, 8.0);
    });
    let (first, second) = if with_verdict { (y - 2.0, y + 12.0) } else { (y + 4.0, y) };
    svg.text("label", RIGHT + 14.0, first, Anchor::Start, &says);
    if with_verdict {
        svg.text(
            "tick",
            RIGHT + 14.0,
            second,
            Anchor::Start,
            &wrap::fit(verdict, 11.0, WIDTH - RIGHT - 20.0),
        );
    }
}

/// Both claims, each row with what it is about.
fn table(analysis: &Analysis) -> Table {
    let mut table = Table::new(&["arm against base", "about", ">points [interval]", "verdict"]);
    for (comparison, difference) in analysis.comparisons.iter().filter_map(|c| Some((c, find::strict(c)?))) {
        for claim in [&difference.these_tasks, &difference.new_tasks] {
            let name = format!("{} against {}", comparison.arm, comparison.base);
            let points = match effect(claim) {
                Some(effect) => number::points_cell(&effect),
                None => claim.why_not.clone().unwrap_or_else(|| "no test".to_owned()),
            };
            let is_these = claim.scope == difference.these_tasks.scope;
            let verdict = if is_these { difference.verdict.says.clone() } else { String::new() };
            table.push([name, claim.scope.to_string(), points, verdict]);
        }
    }
    table
}
