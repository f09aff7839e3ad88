//! Task by arm: how many repeats passed, and what ended the others.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{TaskCell, TaskRow};
use infranoise_core::Shown;

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::Bands;
use crate::svg::{Anchor, Svg, axis, mark, wrap};
use crate::table::Table;
use crate::text::{number, words};

pub(super) const SPEC: FigureSpec =
    FigureSpec { id: "tasks", title: "Task by arm", question: "Which tasks change with headroom?", draw };

const LEFT: f64 = 210.0;
/// Rows beyond this are left out, those that change least first; the table has them all.
const MOST_ROWS: usize = 200;

fn count(cell: &TaskCell, shown: Shown) -> u64 {
    cell.counts.get(&shown).copied().unwrap_or(0)
}

fn share(cell: &TaskCell) -> f64 {
    count(cell, Shown::Pass) as f64 / cell.planned.max(1) as f64
}

/// How much a task's pass rate moves between arms: what moves most stands on top.
fn movement(row: &TaskRow) -> f64 {
    let shares = row.cells.iter().map(share);
    let (low, high) = shares.fold((1.0, 0.0), |(low, high): (f64, f64), s| (low.min(s), high.max(s)));
    high - low
}

fn kills(row: &TaskRow) -> u64 {
    row.cells.iter().map(|cell| count(cell, Shown::Ceiling) + count(cell, Shown::Fault)).sum()
}

/// Rows sorted: those that change most first, then those with most infra errors, then by name.
pub(crate) fn sorted(analysis: &Analysis) -> Vec<&TaskRow> {
    let mut rows: Vec<&TaskRow> = analysis.matrix.iter().collect();
    rows.sort_by(|a, b| {
        movement(b).total_cmp(&movement(a)).then(kills(b).cmp(&kills(a))).then_with(|| a.task.cmp(&b.task))
    });
    rows
}

/// What ended the repeats that did not pass, in words.
fn losses(cell: &TaskCell) -> Vec<(Shown, u64)> {
    let others = [Shown::Ceiling, Shown::Fault, Shown::Undetermined, Shown::NotStarted];
    others.into_iter().map(|shown| (shown, count(cell, shown))).filter(|(_, n)| *n > 0).collect()
}

fn cell(svg: &mut Svg, row: &TaskRow, cell: &TaskCell, x: f64, y: f64, width: f64, height: f64) {
    let passed = count(cell, Shown::Pass);
    let mut title = format!("{} in {}: {passed} of {} passed", row.task, cell.arm, cell.planned);
    for (shown, n) in losses(cell) {
        title += &format!(", {n} {shown}");
    }
    svg.titled(&title, |svg| {
        // Five steps, so that neighbours can be told apart; the number says the rest.
        let step = (share(cell) * 4.0).round() as usize;
        svg.rect(&format!("heat h{step}"), x, y, width - 2.0, height - 2.0);
        if height < 15.0 {
            small_cell(svg, cell, x, y, width, height);
            return;
        }
        let ink = if step >= 4 { "label on" } else { "label" };
        svg.text(ink, x + 7.0, y + height / 2.0 + 3.0, Anchor::Start, &format!("{passed}/{}", cell.planned));
        let mut right = x + width - 7.0;
        for (shown, n) in losses(cell).into_iter().rev() {
            let text = n.to_string();
            svg.text(&format!("{ink} small"), right, y + height / 2.0 + 3.0, Anchor::End, &text);
            right -= wrap::width(&text, 10.0) + 4.5;
            mark::draw(svg, shown, right, y + height / 2.0 - 0.5, 3.2);
            right -= 7.0;
        }
    });
}

/// Where rows are thin, only the marks of what ended trials remain.
fn small_cell(svg: &mut Svg, cell: &TaskCell, x: f64, y: f64, width: f64, height: f64) {
    for (i, (shown, _)) in losses(cell).into_iter().enumerate() {
        mark::draw(svg, shown, x + width - 12.0 - 10.0 * i as f64, y + height / 2.0 - 1.0, 3.0);
    }
}

fn draw(analysis: &Analysis) -> Figure {
    let rows = sorted(analysis);
    if rows.is_empty() || analysis.arms.is_empty() {
        return SPEC.missing("no task was planned", "A sweep over at least one task fills it.");
    }
    let height = if rows.len() <= 40 { 26.0 } else { 14.0 };
    let top = 64.0;
    let shown = rows.get(..MOST_ROWS).unwrap_or(&rows);
    let mut svg = Svg::new(SPEC.id, WIDTH, top + height * shown.len() as f64 + 8.0);
    let bands = Bands::new(analysis.arms.len(), LEFT, WIDTH - 8.0);
    mark::key(&mut svg, 12.0, 16.0, &[Shown::Ceiling, Shown::Fault, Shown::Undetermined, Shown::NotStarted]);
    axis::arms(&mut svg, &analysis.arms, &bands, 22.0);
    for (i, row) in shown.iter().enumerate() {
        let y = top + height * i as f64;
        let size = if height < 15.0 { "label small" } else { "label" };
        let name = wrap::fit(row.task.as_str(), if height < 15.0 { 10.0 } else { 12.0 }, LEFT - 24.0);
        svg.text(size, LEFT - 10.0, y + height / 2.0 + 3.0, Anchor::End, &name);
        for (j, one) in row.cells.iter().take(analysis.arms.len()).enumerate() {
            cell(&mut svg, row, one, bands.start(j), y, bands.step(), height);
        }
    }
    let caption = "Repeats that passed out of those planned; the stronger the colour, the more. Signs count the repeats that a ceiling or a fault \
                   ended, that are undetermined or never started; what is left failed by the agent's own doing. Tasks that change \
                   most between arms stand on top.";
    let left_out = match rows.len() - shown.len() {
        0 => String::new(),
        n => format!(" {} that change least stand in the table only.", number::plural(n as u64, "task")),
    };
    SPEC.figure(svg, format!("{caption}{left_out}"), table(analysis, &rows))
}

fn table(analysis: &Analysis, rows: &[&TaskRow]) -> Table {
    let mut table = Table::new(&["task", "memory spec"]);
    for arm in &analysis.arms {
        table.column(arm.name.as_str(), crate::table::Align::Left);
    }
    for row in rows {
        let spec = row.memory_spec_bytes.map_or("not stated".to_owned(), number::bytes);
        let cells = row.cells.iter().map(|cell| {
            let mut text = format!("{}/{}", count(cell, Shown::Pass), cell.planned);
            for (shown, n) in losses(cell) {
                text += &format!(" {n}{}", words::look(shown).letter);
            }
            text
        });
        table.push([row.task.to_string(), spec].into_iter().chain(cells));
    }
    table
}
