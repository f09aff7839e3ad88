//! Trials that share a circumstance, side by side: the hour of the day, and how many ran at once.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{Estimate, GroupRow};
use infranoise_core::Shown;

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::{Bands, Linear, ticks};
use crate::svg::{Anchor, Svg, axis, mark};
use crate::table::Table;
use crate::text::number;

pub(super) const HOURS: FigureSpec = FigureSpec {
    id: "hours",
    title: "Time of day",
    question: "Do success and infra errors depend on the hour at which a trial began?",
    draw: hours,
};

pub(super) const CONCURRENCY: FigureSpec = FigureSpec {
    id: "concurrency",
    title: "Trials at once",
    question: "Do trials fare worse beside more others?",
    draw: concurrency,
};

const LEFT: f64 = 56.0;
const RIGHT: f64 = WIDTH - 24.0;

/// What differs between the two figures.
struct Words {
    unit: &'static str,
    head: &'static str,
    caption: &'static str,
}

fn hours(analysis: &Analysis) -> Figure {
    if analysis.hours.is_empty() {
        return HOURS.missing(
            "no trial says when it began",
            "Recorded trials with a date fill it; some sources of imports keep none.",
        );
    }
    let words = Words {
        unit: "hour of the day at the start, UTC",
        head: "hour (UTC)",
        caption: "All arms pooled, since blocks spread arms over the hours alike; empty hours held no trial. --spread and --windows give a \
                  sweep more hours.",
    };
    draw(&HOURS, &(0..24).collect::<Vec<_>>(), &analysis.hours, &words)
}

fn concurrency(analysis: &Analysis) -> Figure {
    if analysis.concurrency.is_empty() {
        return CONCURRENCY.missing(
            "no trial says how many ran beside it",
            "infranoise notes it for each trial that it runs; imported results do not hold it.",
        );
    }
    let most = analysis.concurrency.iter().map(|row| row.at).max().unwrap_or(1);
    let least = analysis.concurrency.iter().map(|row| row.at).min().unwrap_or(1);
    let places: Vec<u32> = if most - least < 40 {
        (least..=most).collect()
    } else {
        analysis.concurrency.iter().map(|row| row.at).take(40).collect()
    };
    let words = Words {
        unit: "trials that ran at once, this one included",
        head: "at once",
        caption: "All arms pooled. The density is the same in every arm by plan; early and late trials of a sweep run beside fewer others, so \
                  that an effect here may be one of time as well.",
    };
    draw(&CONCURRENCY, &places, &analysis.concurrency, &words)
}

fn draw(spec: &FigureSpec, places: &[u32], rows: &[GroupRow], words: &Words) -> Figure {
    let mut svg = Svg::new(spec.id, WIDTH, 452.0);
    let bands = Bands::new(places.len(), LEFT, RIGHT);
    let passed: Vec<(usize, Estimate)> = found(places, rows, |row| row.passed);
    let infra: Vec<(usize, Estimate)> = found(places, rows, |row| row.infra_errors);
    panel(&mut svg, "Success", Shown::Pass, &passed, &bands, 14.0);
    panel(&mut svg, "Infra errors", Shown::Ceiling, &infra, &bands, 216.0);
    let every = places.len().div_ceil(24);
    for (i, at) in places.iter().enumerate().filter(|(i, _)| i % every == 0) {
        svg.text("tick", bands.centre(i), 400.0, Anchor::Middle, &at.to_string());
    }
    svg.text("tick", LEFT - 10.0, 416.0, Anchor::End, "n");
    for (i, row) in
        places.iter().enumerate().filter_map(|(i, at)| Some((i, rows.iter().find(|row| row.at == *at)?)))
    {
        if every == 1 {
            svg.text("tick small", bands.centre(i), 416.0, Anchor::Middle, &number::count(row.trials));
        }
    }
    svg.text("unit", (LEFT + RIGHT) / 2.0, 438.0, Anchor::Middle, words.unit);
    let n: u64 = rows.iter().map(|row| row.trials).sum();
    let caption = format!(
        "Whiskers are 95 % intervals (Wilson); n is trials whose agent phase began, {} in all. {}",
        number::count(n),
        words.caption
    );
    spec.figure(svg, caption, table(rows, words))
}

fn found(places: &[u32], rows: &[GroupRow], of: fn(&GroupRow) -> Option<Estimate>) -> Vec<(usize, Estimate)> {
    let place = |row: &GroupRow| Some((places.iter().position(|at| *at == row.at)?, of(row)?));
    rows.iter().filter_map(place).collect()
}

fn panel(svg: &mut Svg, heading: &str, shown: Shown, points: &[(usize, Estimate)], bands: &Bands, top: f64) {
    svg.text("head", 12.0, top, Anchor::Start, heading);
    let (from, to) = (top + 28.0, top + 166.0);
    if points.is_empty() {
        svg.text("tick", LEFT, from + 20.0, Anchor::Start, "not observable");
        return;
    }
    let high = points.iter().map(|(_, e)| e.high).filter(|high| high.is_finite()).fold(0.05, f64::max);
    let lines = ticks(0.0, high.min(1.0), 4);
    let y = Linear::new((0.0, lines.last().copied().unwrap_or(1.0)), (to, from));
    axis::vertical(svg, &y, &lines, (LEFT, RIGHT), "% of trials", axis::percent_tick);
    let line = if shown == Shown::Pass { "l-pass thin" } else { "l-ceiling thin" };
    for (i, e) in points {
        let title = format!("{heading}: {} %, n = {}", number::percent_estimate(e), e.n);
        svg.titled(&title, |svg| {
            let x = bands.centre(*i);
            svg.line(line, (x, y.at(e.low)), (x, y.at(e.high)));
            mark::draw(svg, shown, x, y.at(e.value), 4.5);
        });
    }
}

fn table(rows: &[GroupRow], words: &Words) -> Table {
    let mut table = Table::new(&[words.head, ">trials", ">passed, %", ">infra errors, %"]);
    for row in rows {
        let share = |e: Option<Estimate>| e.map_or("not observable".to_owned(), |e| number::percent_cell(&e));
        table.push([
            row.at.to_string(),
            number::count(row.trials),
            share(row.passed),
            share(row.infra_errors),
        ]);
    }
    table
}
