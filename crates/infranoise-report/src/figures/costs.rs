//! What arms cost.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{ArmSummary, CostRow};
use infranoise_core::ScoringRule;

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::{Linear, ticks};
use crate::svg::{Anchor, Svg, axis, wrap};
use crate::table::Table;
use crate::text::number;

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "costs",
    title: "Cost",
    question: "What did each arm cost, and what does a point of score cost?",
    draw,
};

const LEFT: f64 = 110.0;
const ROW: f64 = 30.0;

/// A column of bars: heading, unit, and its number.
type Column = (&'static str, &'static str, fn(&CostRow) -> Option<f64>);

const COLUMNS: [Column; 3] = [
    ("Time of trials", "hours", |row| Some(row.trial_hours)),
    ("Guaranteed memory", "GiB hours", |row| row.floor_gib_hours),
    ("Memory at peaks", "GiB hours", |row| row.peak_gib_hours),
];

fn draw(analysis: &Analysis) -> Figure {
    let rows = &analysis.costs;
    if rows.is_empty() {
        return SPEC.missing("no trial is recorded", "Recorded trials fill it; dollars and tokens come from the harness that is imported, or from a gateway of infranoise's own, of which there is none yet.");
    }
    let step = (WIDTH - LEFT) / COLUMNS.len() as f64;
    let (top, bottom) = (36.0, 36.0 + ROW * rows.len() as f64);
    let mut svg = Svg::new(SPEC.id, WIDTH, bottom + 44.0);
    for (i, row) in rows.iter().enumerate() {
        svg.text(
            "strong",
            LEFT - 12.0,
            top + ROW * i as f64 + 19.0,
            Anchor::End,
            &wrap::fit(row.arm.as_str(), 12.0, LEFT - 20.0),
        );
    }
    for (j, (heading, unit, of)) in COLUMNS.into_iter().enumerate() {
        let left = LEFT + step * j as f64;
        svg.text("head", left, 16.0, Anchor::Start, heading);
        let values: Vec<Option<f64>> =
            rows.iter().map(|row| of(row).filter(|value| value.is_finite())).collect();
        let most = values.iter().flatten().copied().fold(0.0, f64::max);
        if most <= 0.0 {
            svg.text("tick", left, top + 20.0, Anchor::Start, "not observed");
            continue;
        }
        let lines = ticks(0.0, most, 3);
        let x = Linear::new((0.0, lines.last().copied().unwrap_or(1.0)), (left, left + step - 76.0));
        let places: Vec<(f64, String)> = lines.iter().map(|tick| (x.at(*tick), amount(*tick))).collect();
        axis::horizontal(&mut svg, &places, (top, bottom), unit, left + (step - 76.0) / 2.0);
        for (i, value) in values.iter().enumerate() {
            let y = top + ROW * i as f64;
            let Some(value) = value else {
                svg.text("tick", left + 4.0, y + 19.0, Anchor::Start, "not observed");
                continue;
            };
            svg.rect("heat h3", left, y + 7.0, x.at(*value) - left, ROW - 14.0);
            svg.text("tick", x.at(*value) + 6.0, y + 19.0, Anchor::Start, &amount(*value));
        }
    }
    let dollars = if rows.iter().any(|row| row.dollars.is_some()) {
        "Dollars are the harness's own sums."
    } else {
        "Dollars and tokens: no trial says its own; a harness that keeps them, or a gateway of infranoise's own (there is none yet), would."
    };
    let n: u64 = rows.iter().map(|row| row.trials).sum();
    let caption = format!(
        "Sums over the trials of an arm, n = {} in all; GiB hours are memory times the time of each trial. {dollars}",
        number::count(n)
    );
    SPEC.figure(svg, caption, table(analysis, rows))
}

fn amount(value: f64) -> String {
    match value {
        value if value == 0.0 => "0".to_owned(),
        value if value >= 100.0 => number::count(value.round() as u64),
        value if value >= 1.0 => number::fixed(value, 1),
        value if value >= 0.01 => number::fixed(value, 2),
        value => number::fixed(value, 4),
    }
}

/// Solved trials of an arm, for the price of one.
fn solved(arm: Option<&ArmSummary>) -> Option<f64> {
    let row = arm?.score(ScoringRule::Strict)?;
    let share = row.value.or(row.estimate.map(|e| e.value))?;
    (share > 0.0).then_some(share * row.trials as f64)
}

fn table(analysis: &Analysis, rows: &[CostRow]) -> Table {
    let mut table = Table::new(&[
        "arm",
        ">trials",
        ">hours of trials",
        ">GiB hours guaranteed",
        ">GiB hours at peaks",
        ">CPU hours",
        ">tokens in",
        ">tokens out",
        ">dollars (trials that say)",
        ">minutes of trials per solved trial",
    ]);
    for row in rows {
        let say = |value: Option<f64>| value.map_or("not observed".to_owned(), amount);
        let tokens = |of: fn((u64, u64)) -> u64| {
            row.tokens.map_or("not recorded".to_owned(), |tokens| number::count(of(tokens)))
        };
        let arm = analysis.arms.iter().find(|arm| arm.name == row.arm);
        let each =
            solved(arm).map_or("none solved".to_owned(), |solved| amount(row.trial_hours * 60.0 / solved));
        table.push([
            row.arm.to_string(),
            number::count(row.trials),
            amount(row.trial_hours),
            say(row.floor_gib_hours),
            say(row.peak_gib_hours),
            say(row.cpu_hours),
            tokens(|t| t.0),
            tokens(|t| t.1),
            row.dollars
                .map_or("not recorded".to_owned(), |(sum, n)| format!("{} ({n})", number::fixed(sum, 2))),
            each,
        ]);
    }
    table
}
