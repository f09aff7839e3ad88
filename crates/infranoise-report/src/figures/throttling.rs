//! Throttling at the CPU ceiling, by arm and by whether trials passed.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::SpreadRow;

use super::boxes::{self, Boxes, ROW};
use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::{Linear, ticks};
use crate::svg::{Anchor, Svg, axis};
use crate::text::number;

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "throttling",
    title: "Throttling at the CPU ceiling",
    question: "How much of their time did trials wait for their own CPU ceiling, and did those that failed wait more?",
    draw,
};

const LEFT: f64 = 150.0;
const RIGHT: f64 = WIDTH - 150.0;

fn draw(analysis: &Analysis) -> Figure {
    let rows = &analysis.throttling;
    if rows.iter().all(|row| row.five.is_none()) {
        return SPEC.missing(
            "no trial says how long it was throttled",
            "The kernel's counters of a trial's control group fill it: run with the local engine, or observe the other harness.",
        );
    }
    let most = rows
        .iter()
        .filter_map(|row| row.five)
        .map(|five| five[4])
        .filter(|most| most.is_finite())
        .fold(0.01, f64::max);
    let lines = ticks(0.0, most, 6);
    let x = Linear::new((0.0, lines.last().copied().unwrap_or(1.0)), (LEFT, RIGHT));
    let mut svg = Svg::new(SPEC.id, WIDTH, 0.0);
    let mut top = 0.0;
    for (heading, passed) in [("Trials that passed", true), ("Trials that did not pass", false)] {
        let some: Vec<SpreadRow> = rows
            .iter()
            .filter(|row| row.passed == Some(passed))
            .map(|row| SpreadRow { passed: None, ..row.clone() })
            .collect();
        if some.is_empty() {
            continue;
        }
        svg.text("head", 12.0, top + 14.0, Anchor::Start, heading);
        let (from, to) = (top + 26.0, top + 26.0 + ROW * some.len() as f64);
        let places: Vec<(f64, String)> =
            lines.iter().map(|tick| (x.at(*tick), axis::percent_tick(*tick))).collect();
        axis::horizontal(&mut svg, &places, (from, to), "% of the agent phase", (LEFT + RIGHT) / 2.0);
        Boxes { rows: &some, at: &|value| x.at(value), says: &says, right: RIGHT + 12.0, left: LEFT }
            .draw(&mut svg, from);
        top = to + 58.0;
    }
    svg.set_height(top - 10.0);
    let caption = "Time in which some process of the trial was held back by its own CPU ceiling, summed over CPUs, as a share of the agent phase \
                   (above 100 % if several were held back at once). Box: quartiles; stroke: median; line below: its 95 % interval; thin line: all trials.";
    SPEC.figure(svg, caption, boxes::table(&[("throttled share", rows)], &says))
}

fn says(share: f64) -> String {
    format!("{} %", number::percent(share))
}
