//! Memory peaks against the ceilings, in multiples of each task's spec.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::PeakPoint;
use infranoise_core::{Shown, TaskId};
use std::collections::BTreeMap;

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::Log;
use crate::svg::{Anchor, Svg, axis, mark, num, wrap};
use crate::table::Table;
use crate::text::number;

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "peaks",
    title: "Memory peaks against the ceilings",
    question: "How much memory did trials take, and how much more would the killed ones have taken?",
    draw,
};

const LEFT: f64 = 170.0;
const RIGHT: f64 = WIDTH - 24.0;
/// Rows beyond this are left out, those with the lowest peaks first; the table has them all.
const MOST_ROWS: usize = 120;

/// A point whose peak and spec are both known.
struct Point<'a> {
    of: &'a PeakPoint,
    multiple: f64,
}

/// One task with its points, highest peak first.
type Row<'a> = (&'a TaskId, Vec<Point<'a>>);

fn rows(analysis: &Analysis) -> Vec<Row<'_>> {
    let mut by_task: BTreeMap<&TaskId, Vec<Point>> = BTreeMap::new();
    for of in &analysis.peaks {
        if let (Some(peak), Some(spec)) =
            (of.peak_bytes.filter(|peak| *peak > 0), of.spec_bytes.filter(|spec| *spec > 0))
        {
            by_task.entry(&of.task).or_default().push(Point { of, multiple: peak as f64 / spec as f64 });
        }
    }
    let highest = |row: &Row| row.1.iter().map(|point| point.multiple).fold(0.0, f64::max);
    let mut rows: Vec<Row> = by_task.into_iter().collect();
    rows.sort_by(|a, b| highest(b).total_cmp(&highest(a)).then_with(|| a.0.cmp(b.0)));
    rows
}

/// Ceilings as multiples of the spec, with the arm's name; arms whose multiple differs by task have none.
fn ceilings(analysis: &Analysis) -> Vec<(f64, &str)> {
    let of =
        |arm: &'_ infranoise_analysis::doc::ArmSummary| arm.headroom?.amount().map(|factor| factor.as_f64());
    analysis.arms.iter().filter_map(|arm| Some((of(arm)?, arm.name.as_str()))).collect()
}

fn draw(analysis: &Analysis) -> Figure {
    let all = rows(analysis);
    if all.is_empty() {
        return SPEC.missing(
            "no trial has both a memory peak and a task spec",
            "The kernel's peak of each trial and a stated spec (or --assume-spec) fill it.",
        );
    }
    let ceilings = ceilings(analysis);
    let multiples = || {
        all.iter()
            .flat_map(|row| row.1.iter().map(|point| point.multiple))
            .chain(ceilings.iter().map(|c| c.0))
    };
    let low = multiples().fold(1.0, f64::min).log2().floor().exp2().max(1.0 / 1024.0);
    let high = multiples().fold(1.0, f64::max).log2().ceil().exp2().min(1024.0);
    let x = Log::new((low, high.max(low * 2.0)), (LEFT, RIGHT));
    let shown = &all[..all.len().min(MOST_ROWS)];
    let height = if shown.len() <= 40 { 30.0 } else { 13.0 };
    let (top, bottom) = (70.0, 70.0 + height * shown.len() as f64);
    let mut svg = Svg::new(SPEC.id, WIDTH, bottom + 44.0);
    mark::key(&mut svg, 12.0, 16.0, &outcomes(analysis));
    let places: Vec<(f64, String)> =
        x.ticks().into_iter().map(|tick| (x.at(tick), number::multiple(tick))).collect();
    axis::horizontal(
        &mut svg,
        &places,
        (top, bottom),
        "memory peak as a multiple of the task spec (log scale)",
        (LEFT + RIGHT) / 2.0,
    );
    draw_ceilings(&mut svg, &ceilings, &x, top, bottom);
    for (i, row) in shown.iter().enumerate() {
        let y = top + height * (i as f64 + 0.5);
        let size = if height < 15.0 { 10.0 } else { 12.0 };
        let class = if height < 15.0 { "label small" } else { "label" };
        svg.text(class, LEFT - 10.0, y + 4.0, Anchor::End, &wrap::fit(row.0.as_str(), size, LEFT - 20.0));
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

fn draw_ceilings(svg: &mut Svg, ceilings: &[(f64, &str)], x: &Log, top: f64, bottom: f64) {
    let wanted: Vec<f64> = ceilings.iter().map(|(multiple, _)| x.at(*multiple)).collect();
    for ((place, spread), (_, name)) in wanted.iter().zip(wrap::spread(&wanted, 30.0)).zip(ceilings) {
        svg.path(
            "dash",
            &format!(
                "M{} {}L{} {}V{}",
                num(spread),
                num(top - 16.0),
                num(*place),
                num(top - 4.0),
                num(bottom)
            ),
        );
        svg.text("tick", spread, top - 20.0, Anchor::Middle, name);
    }
}

/// Trials of a row that would hide each other: one mark for them all, with their number.
struct Group<'a> {
    shown: Shown,
    bin: i64,
    points: Vec<&'a Point<'a>>,
}

/// Groups by outcome and place; places closer than a mark is wide are one.
fn groups<'a>(row: &'a Row<'a>, x: &Log) -> Vec<Group<'a>> {
    let mut groups: BTreeMap<(i64, Shown), Group> = BTreeMap::new();
    for point in &row.1 {
        let (shown, bin) = (point.of.shown, (x.at(point.multiple) / 8.0).round() as i64);
        let group = groups.entry((bin, shown)).or_insert_with(|| Group { shown, bin, points: Vec::new() });
        group.points.push(point);
    }
    groups.into_values().collect()
}

fn draw_row(svg: &mut Svg, row: &Row<'_>, x: &Log, y: f64, height: f64) {
    let groups = groups(row, x);
    let is_tall = height > 15.0;
    for group in &groups {
        let beside = groups.iter().filter(|other| other.bin == group.bin);
        let (of, nth) =
            (beside.clone().count(), beside.take_while(|other| other.shown < group.shown).count());
        let place = y + (nth as f64 - (of as f64 - 1.0) / 2.0) * height / (of as f64).max(2.2);
        let n = group.points.len();
        let at = group.points.iter().map(|point| x.at(point.multiple)).sum::<f64>() / n as f64;
        let is_censored = group.points.iter().any(|point| point.of.censored);
        svg.titled(&title(row, group), |svg| {
            mark::draw(svg, group.shown, at, place, if is_tall { 3.4 } else { 2.4 });
            if is_censored {
                svg.path(
                    "l-ceiling hair",
                    &format!("M{} {}h7m-3 -2.5l3 2.5l-3 2.5", num(at + 5.0), num(place)),
                );
            }
            if n > 1 && is_tall {
                let beside = if is_censored { 15.0 } else { 6.0 };
                svg.text("tick count", at + beside, place + 3.0, Anchor::Start, &n.to_string());
            }
        });
    }
}

fn title(row: &Row<'_>, group: &Group<'_>) -> String {
    let arms: BTreeMap<&str, usize> = group.points.iter().fold(BTreeMap::new(), |mut arms, point| {
        *arms.entry(point.of.arm.as_str()).or_default() += 1;
        arms
    });
    let arms: Vec<String> = arms.into_iter().map(|(arm, n)| format!("{n} in {arm}")).collect();
    let highest = group.points.iter().max_by(|a, b| a.multiple.total_cmp(&b.multiple));
    let peak = highest.map(|point| {
        let at_least = if point.of.censored { "at least " } else { "" };
        format!(
            "{at_least}{} ({})",
            number::multiple(point.multiple),
            number::bytes(point.of.peak_bytes.unwrap_or(0))
        )
    });
    format!("{}, {}: {}; {}", row.0, group.shown, peak.unwrap_or_default(), arms.join(", "))
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
        "Memory peaks of trials (n = {}) as the kernel counts them, page cache included; a number beside a mark says how many trials it stands for. Dashed lines are the arms' ceilings. An arrow says that \
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
