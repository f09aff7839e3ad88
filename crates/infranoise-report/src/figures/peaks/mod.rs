//! Memory peaks against the ceilings, in multiples of each task's spec.

use infranoise_analysis::Analysis;
use infranoise_core::Shown;

use row::{Row, draw_row, rows};

use super::{Figure, FigureSpec, WIDTH, ceilings};
use crate::svg::scale::Log;
use crate::svg::{Anchor, Svg, axis, mark, wrap};
use crate::table::Table;
use crate::text::number;

mod row;

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "peaks",
    title: "Memory peaks against the ceilings",
    question: "How much memory did trials take, and how much more would the killed ones have taken?",
    draw,
};

const LEFT: f64 = 170.0;
const RIGHT: f64 = WIDTH - 24.0;
/// Peaks outside of these multiples of the spec stand at the edge, so that the ceilings have room.
const LOWEST: f64 = 1.0 / 16.0;
const HIGHEST: f64 = 64.0;
/// Rows beyond this are left out, those with the lowest peaks first; the table has them all.
const MOST_ROWS: usize = 120;

fn draw(analysis: &Analysis) -> Figure {
    let all = rows(analysis);
    if all.is_empty() {
        return SPEC.missing(
            "no trial has both a memory peak and a task spec",
            "The kernel's peak of each trial and a stated spec (or --assume-spec) fill it.",
        );
    }
    let ceilings = ceilings::of(analysis);
    let multiples = || {
        all.iter()
            .flat_map(|row| row.1.iter().map(|point| point.multiple))
            .chain(ceilings.iter().map(|c| c.0))
    };
    let (low, high) = multiples().fold((1.0, 1.0), |(low, high): (f64, f64), m| (low.min(m), high.max(m)));
    let ends = (low.log2().floor().exp2().max(LOWEST), high.log2().ceil().exp2().clamp(2.0, HIGHEST));
    let x = Log::new(ends, (LEFT, RIGHT));
    let shown = &all[..all.len().min(MOST_ROWS)];
    let height = if shown.len() <= 40 { 30.0 } else { 13.0 };
    let (top, bottom) = (70.0, 70.0 + height * shown.len() as f64);
    let mut svg = Svg::new(SPEC.id, WIDTH, bottom + 44.0);
    mark::key(&mut svg, 12.0, 16.0, &outcomes(analysis));
    let label = |tick: f64| {
        let beyond = if tick <= ends.0 && low < ends.0 {
            "≤ "
        } else if tick >= ends.1 && high > ends.1 {
            "≥ "
        } else {
            ""
        };
        format!("{beyond}{}", number::multiple(tick))
    };
    let places: Vec<(f64, String)> = x.ticks().into_iter().map(|tick| (x.at(tick), label(tick))).collect();
    axis::horizontal(
        &mut svg,
        &places,
        (top, bottom),
        "memory peak as a multiple of the task spec (log scale)",
        (LEFT + RIGHT) / 2.0,
    );
    ceilings::draw(&mut svg, analysis, &|multiple| x.at(multiple), top, bottom);
    for (i, row) in shown.iter().enumerate() {
        let y = top + height * (i as f64 + 0.5);
        let size = if height < 15.0 { 10.0 } else { 12.0 };
        let class = if height < 15.0 { "label small" } else { "label" };
        svg.text(class, LEFT - 18.0, y + 4.0, Anchor::End, &wrap::fit(row.0.as_str(), size, LEFT - 28.0));
        draw_row(&mut svg, row, &x, y, height);
    }
    SPEC.figure(svg, caption(analysis, &all), table(&all))
}

/// The outcomes that occur, in the order of tables.
fn outcomes(analysis: &Analysis) -> Vec<Shown> {
    let occurs = |shown: &Shown| {
        analysis.peaks.iter().any(|point| point.shown == *shown && point.peak_bytes.is_some())
    };
    Shown::ALL.into_iter().filter(occurs).collect()
}

fn caption(analysis: &Analysis, rows: &[Row<'_>]) -> String {
    let drawn: usize = rows.iter().map(|row| row.1.len()).sum();
    let left_out = match analysis.peaks.len() - drawn {
        0 => String::new(),
        n => format!(" {} without a peak or a spec are left out.", number::plural(n as u64, "trial")),
    };
    let rows_out = match rows.len().saturating_sub(MOST_ROWS) {
        0 => String::new(),
        n => {
            format!(" The {} with the lowest peaks are only in the table.", number::plural(n as u64, "task"))
        }
    };
    format!(
        "Memory peaks of trials (n = {}) as the kernel counts them, page cache included; the larger a mark, the more trials it stands for. Dashed lines are the arms' ceilings. An arrow says that \
         a trial was killed there: its demand is at least this, and how much more is not known.{left_out}{rows_out}",
        number::count(drawn as u64)
    )
}

fn table(rows: &[Row<'_>]) -> Table {
    let mut table = Table::new(&[
        "task",
        "outcome",
        ">trials",
        ">lowest peak",
        ">median peak",
        ">highest peak",
        ">killed there",
    ]);
    for (task, points) in rows {
        for shown in Shown::ALL {
            let mut some: Vec<f64> =
                points.iter().filter(|p| p.of.shown == shown).map(|p| p.multiple).collect();
            some.sort_by(f64::total_cmp);
            let (Some(low), Some(high)) = (some.first(), some.last()) else { continue };
            let median = some.get(some.len() / 2).copied().unwrap_or(*high);
            let censored = points.iter().filter(|p| p.of.shown == shown && p.of.censored).count();
            let counts = (number::count(some.len() as u64), number::count(censored as u64));
            let peaks = [*low, median, *high].map(number::multiple);
            table.push(
                [task.to_string(), shown.to_string(), counts.0].into_iter().chain(peaks).chain([counts.1]),
            );
        }
    }
    table
}
