//! Paired flips: the same task, repeat and seed in two arms, where one passed and the other did not.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::Comparison;
use infranoise_core::Shown;

use super::{Figure, FigureSpec, WIDTH};
use crate::find;
use crate::svg::scale::{Linear, ticks};
use crate::svg::{Anchor, Svg, axis, pattern, wrap};
use crate::table::Table;
use crate::text::{number, words};

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "flips",
    title: "Paired flips",
    question: "How many trials changed sides between two arms, and which way?",
    draw,
};

const LEFT: f64 = 150.0;
const RIGHT: f64 = 540.0;
const ROW: f64 = 30.0;

fn draw(analysis: &Analysis) -> Figure {
    let rows: Vec<&Comparison> = analysis.comparisons.iter().filter(|c| c.pairs > 0).collect();
    if rows.is_empty() {
        return SPEC.missing(
            "no two arms have a pair of trials",
            "Trials of the same task and repeat in two arms make a pair.",
        );
    }
    let down = rows.iter().map(|c| c.flips_down).max().unwrap_or(0) as f64;
    let up = rows.iter().map(|c| c.flips_up).max().unwrap_or(0) as f64;
    let lines = ticks(-down.max(1.0), up.max(1.0), 6);
    let x = Linear::new(
        (lines.first().copied().unwrap_or(-1.0), lines.last().copied().unwrap_or(1.0)),
        (LEFT, RIGHT),
    );
    let bottom = 34.0 + ROW * rows.len() as f64;
    let mut svg = Svg::new(SPEC.id, WIDTH, bottom + 44.0);
    pattern::define(&mut svg);
    svg.text("t-fail", x.at(0.0) - 8.0, 14.0, Anchor::End, "← passed before, fails now");
    svg.text("t-pass", x.at(0.0) + 8.0, 14.0, Anchor::Start, "failed before, passes now →");
    let whole = |tick: &&f64| (**tick - tick.round()).abs() < 1e-9;
    let places: Vec<(f64, String)> =
        lines.iter().filter(whole).map(|tick| (x.at(*tick), number::fixed(tick.abs(), 0))).collect();
    axis::horizontal(&mut svg, &places, (26.0, bottom), "pairs that changed sides", (LEFT + RIGHT) / 2.0);
    for (i, row) in rows.iter().enumerate() {
        draw_row(&mut svg, row, &x, 32.0 + ROW * i as f64);
    }
    svg.line("zero", (x.at(0.0), 26.0), (x.at(0.0), bottom));
    let caption = "Pairs of trials with the same task, repeat and seed, one in each arm; whatever did not pass counts as failed. The net difference \
                   with its interval, about these tasks, stands in the table and in the figure of differences.";
    SPEC.figure(svg, caption, table(&rows))
}

fn draw_row(svg: &mut Svg, row: &Comparison, x: &Linear, y: f64) {
    let name = wrap::fit(&format!("{} against {}", row.arm, row.base), 12.0, LEFT - 20.0);
    svg.text("label", LEFT - 12.0, y + 13.0, Anchor::End, &name);
    let zero = x.at(0.0);
    let (left, right) = (x.at(-(row.flips_down as f64)), x.at(row.flips_up as f64));
    svg.titled(
        &format!("{name}: {} up, {} down of {} pairs", row.flips_up, row.flips_down, row.pairs),
        |svg| {
            svg.filled(words::look(Shown::Fail).class, left, y, zero - left, 18.0);
            svg.filled(words::look(Shown::Pass).class, zero, y, right - zero, 18.0);
        },
    );
    svg.text("tick", left - 6.0, y + 13.0, Anchor::End, &number::count(row.flips_down));
    svg.text("tick", right + 6.0, y + 13.0, Anchor::Start, &number::count(row.flips_up));
    svg.text(
        "tick",
        RIGHT + 40.0,
        y + 13.0,
        Anchor::Start,
        &format!("of {}", number::plural(row.pairs, "pair")),
    );
}

fn table(rows: &[&Comparison]) -> Table {
    let mut table = Table::new(&[
        "arm against base",
        ">failed, now passes",
        ">passed, now fails",
        ">pairs",
        ">net, points [interval]",
    ]);
    for row in rows {
        let net = find::strict(row).and_then(|difference| difference.these_tasks.test.as_ref());
        table.push([
            format!("{} against {}", row.arm, row.base),
            number::count(row.flips_up),
            number::count(row.flips_down),
            number::count(row.pairs),
            net.map_or("not compared".to_owned(), |test| number::points_cell(&test.effect)),
        ]);
    }
    table
}
