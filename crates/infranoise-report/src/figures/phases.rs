//! In which phase did what end trials?

use std::collections::BTreeMap;

use infranoise_analysis::Analysis;
use infranoise_core::{Phase, Shown};

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::Bands;
use crate::svg::{Anchor, Svg, mark, wrap};
use crate::table::{Align, Table};
use crate::text::number;

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "phases",
    title: "Phase by cause",
    question: "In which phase did what end the trials that did not pass?",
    draw,
};

const LEFT: f64 = 240.0;
const ROW: f64 = 28.0;
const TOP: f64 = 30.0;

/// What ended trials and what they count as, with counts by phase; the commonest first.
type Row = ((Shown, String), BTreeMap<Option<Phase>, u64>);

fn rows(analysis: &Analysis) -> Vec<Row> {
    let mut rows: BTreeMap<(Shown, String), BTreeMap<Option<Phase>, u64>> = BTreeMap::new();
    for row in analysis.causes.iter().filter(|row| row.shown != Shown::Pass && row.count > 0) {
        let cell = rows.entry((row.shown, row.cause.to_string())).or_default().entry(row.phase).or_default();
        *cell = cell.saturating_add(row.count);
    }
    let mut rows: Vec<Row> = rows.into_iter().collect();
    let total = |row: &Row| row.1.values().fold(0u64, |sum, n| sum.saturating_add(*n));
    rows.sort_by(|a, b| total(b).cmp(&total(a)).then_with(|| a.0.cmp(&b.0)));
    rows
}

fn draw(analysis: &Analysis) -> Figure {
    let rows = rows(analysis);
    if rows.is_empty() {
        return SPEC.missing(
            "no recorded trial failed",
            "Either every trial passed or none is recorded; the table of arms tells which.",
        );
    }
    let mut columns: Vec<Option<Phase>> = Phase::ALL.into_iter().map(Some).collect();
    if rows.iter().any(|row| row.1.contains_key(&None)) {
        columns.push(None);
    }
    let name = |phase: &Option<Phase>| phase.map_or("no phase".to_owned(), |phase| phase.to_string());
    let most = rows.iter().flat_map(|row| row.1.values()).copied().max().unwrap_or(1).max(1) as f64;
    let bands = Bands::new(columns.len(), LEFT, WIDTH - 8.0);
    let mut svg = Svg::new(SPEC.id, WIDTH, TOP + ROW * rows.len() as f64 + 8.0);
    for (i, phase) in columns.iter().enumerate() {
        svg.text("strong", bands.centre(i), TOP - 12.0, Anchor::Middle, &name(phase));
    }
    for (i, ((shown, cause), counts)) in rows.iter().enumerate() {
        let y = TOP + ROW * i as f64;
        mark::draw(&mut svg, *shown, LEFT - 14.0, y + ROW / 2.0 - 1.0, 4.0);
        let words = wrap::fit(&format!("{cause} ({shown})"), 13.0, LEFT - 36.0);
        svg.text("label", LEFT - 26.0, y + ROW / 2.0 + 3.0, Anchor::End, &words);
        for (j, phase) in columns.iter().enumerate() {
            let n = counts.get(phase).copied().unwrap_or(0);
            let title = format!("{cause} in {}: {}", name(phase), number::plural(n, "trial"));
            svg.titled(&title, |svg| {
                // The area stands for the count: five steps of its root.
                let step = if n == 0 { 0 } else { 1 + ((n as f64 / most).sqrt() * 3.0).round() as usize };
                svg.rect(&format!("heat h{}", step.min(4)), bands.start(j), y, bands.step() - 2.0, ROW - 2.0);
                let ink = if step >= 4 { "label on" } else { "label" };
                if n > 0 {
                    svg.text(ink, bands.centre(j), y + ROW / 2.0 + 3.0, Anchor::Middle, &number::count(n));
                }
            });
        }
    }
    let n = rows.iter().flat_map(|row| row.1.values()).fold(0u64, |sum, n| sum.saturating_add(*n));
    let caption = format!(
        "Trials that did not pass (n = {}), all arms together; the sign says what they count as.",
        number::count(n)
    );
    let mut table = Table::new(&["cause", "counts as"]);
    for phase in &columns {
        table.column(&name(phase), Align::Right);
    }
    for ((shown, cause), counts) in &rows {
        let cells = columns.iter().map(|phase| number::count(counts.get(phase).copied().unwrap_or(0)));
        table.push([cause.clone(), shown.to_string()].into_iter().chain(cells));
    }
    SPEC.figure(svg, caption, table)
}
