//! What ended the trials that did not pass, by arm.

use std::collections::BTreeMap;

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{ArmSummary, CauseRow, cause_words};
use infranoise_core::Shown;

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::{Linear, ticks};
use crate::svg::{Anchor, Svg, axis, pattern, wrap};
use crate::table::{Align, Table};
use crate::text::{number, words};

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "causes",
    title: "Causes by arm",
    question: "What ended the trials that did not pass?",
    draw,
};

const LEFT: f64 = 120.0;
const ROW: f64 = 38.0;

/// A cause as it is told apart in this figure.
type Kind = (Shown, String);

fn kind(row: &CauseRow) -> Kind {
    (row.shown, cause_words(row.blame, row.cause, row.phase))
}

/// Causes with their totals, most blamable order first (as in tables), then the most frequent.
fn kinds(rows: &[&CauseRow]) -> Vec<(Kind, u64)> {
    let mut totals: BTreeMap<Kind, u64> = BTreeMap::new();
    for row in rows {
        *totals.entry(kind(row)).or_default() += row.count;
    }
    let mut kinds: Vec<(Kind, u64)> = totals.into_iter().collect();
    kinds.sort_by(|(a, n), (b, m)| a.0.cmp(&b.0).then(m.cmp(n)).then_with(|| a.1.cmp(&b.1)));
    kinds
}

/// A, B, C … and then numbers.
fn code(i: usize) -> String {
    match u8::try_from(i) {
        Ok(i) if i < 26 => char::from(b'A' + i).to_string(),
        _ => (i + 1).to_string(),
    }
}

fn count(rows: &[&CauseRow], arm: &ArmSummary, which: &Kind) -> u64 {
    rows.iter().filter(|row| row.arm == arm.name && &kind(row) == which).map(|row| row.count).sum()
}

fn bar(svg: &mut Svg, arm: &ArmSummary, rows: &[&CauseRow], kinds: &[(Kind, u64)], x: &Linear, y: f64) {
    let mut from = 0;
    for (i, (which, _)) in kinds.iter().enumerate() {
        let n = count(rows, arm, which);
        if n == 0 {
            continue;
        }
        let (left, right) = (x.at(from as f64), x.at((from + n) as f64));
        from += n;
        let title =
            format!("{}: {} {} of {} planned", arm.name, which.1, number::plural(n, "trial"), arm.planned);
        svg.titled(&title, |svg| {
            svg.filled(words::look(which.0).class, left, y, right - left - 1.0, ROW - 12.0);
            let label = code(i);
            if right - left > wrap::width(&label, 12.0) + 9.0 {
                let middle = (left + right) / 2.0;
                svg.rect("plate", middle - 7.5, y + 5.0, 15.0, 16.0);
                svg.text("strong", middle, y + 17.0, Anchor::Middle, &label);
            }
        });
    }
    svg.text("tick", x.at(from as f64) + 8.0, y + 17.0, Anchor::Start, &format!("{from} of {}", arm.planned));
}

fn draw(analysis: &Analysis) -> Figure {
    let rows: Vec<&CauseRow> =
        analysis.causes.iter().filter(|row| row.shown != Shown::Pass && row.count > 0).collect();
    if rows.is_empty() {
        return SPEC.missing(
            "no recorded trial failed",
            "Either every trial passed or none is recorded; the table of arms tells which.",
        );
    }
    let kinds = kinds(&rows);
    let most = analysis
        .arms
        .iter()
        .map(|arm| rows.iter().filter(|row| row.arm == arm.name).map(|row| row.count).sum());
    let most = most.max().unwrap_or(0) as f64;
    let lines = ticks(0.0, most.max(1.0), 6);
    let right = WIDTH - 90.0;
    let x = Linear::new((0.0, lines.last().copied().unwrap_or(1.0)), (LEFT, right));
    let bottom = 8.0 + ROW * analysis.arms.len() as f64;
    let keys = bottom + 66.0;
    let mut svg = Svg::new(SPEC.id, WIDTH, keys + 20.0 * kinds.len().div_ceil(2) as f64);
    pattern::define(&mut svg);
    let places: Vec<(f64, String)> =
        lines.iter().map(|tick| (x.at(*tick), number::fixed(*tick, 0))).collect();
    axis::horizontal(&mut svg, &places, (8.0, bottom), "trials that did not pass", (LEFT + right) / 2.0);
    for (i, arm) in analysis.arms.iter().enumerate() {
        let y = 12.0 + ROW * i as f64;
        let real = words::real_multiple(arm);
        let line = if real.is_some() { y + 12.0 } else { y + 17.0 };
        let name = wrap::fit(arm.name.as_str(), 12.0, LEFT - 20.0);
        svg.text("strong", LEFT - 12.0, line, Anchor::End, &name);
        if let Some(real) = real {
            svg.text("tick", LEFT - 12.0, y + 26.0, Anchor::End, &real);
        }
        bar(&mut svg, arm, &rows, &kinds, &x, y);
    }
    key(&mut svg, &kinds, keys);
    let caption = "Trials that did not pass, by whom and what ended them; colour and pattern tell the blame, letters the cause. The \
                   number at the end of a bar is out of planned trials.";
    SPEC.figure(svg, caption, table(analysis, &rows, &kinds))
}

fn key(svg: &mut Svg, kinds: &[(Kind, u64)], top: f64) {
    let half = kinds.len().div_ceil(2);
    for (i, ((shown, name), total)) in kinds.iter().enumerate() {
        let (x, y) = (12.0 + (i / half) as f64 * WIDTH / 2.0, top + 20.0 * (i % half) as f64);
        svg.filled(words::look(*shown).class, x, y - 11.0, 16.0, 14.0);
        svg.text("strong", x + 24.0, y, Anchor::Start, &code(i));
        let text = wrap::fit(&format!("{name}: {total}"), 12.0, WIDTH / 2.0 - 60.0);
        svg.text("label", x + 42.0, y, Anchor::Start, &text);
    }
}

fn table(analysis: &Analysis, rows: &[&CauseRow], kinds: &[(Kind, u64)]) -> Table {
    let mut table = Table::new(&["cause", "counts as"]);
    for arm in &analysis.arms {
        table.column(arm.name.as_str(), Align::Right);
    }
    table.column("all arms", Align::Right);
    for (which, total) in kinds {
        let counts = analysis.arms.iter().map(|arm| number::count(count(rows, arm, which)));
        let head = [which.1.clone(), which.0.to_string()];
        table.push(head.into_iter().chain(counts).chain([number::count(*total)]));
    }
    table
}
