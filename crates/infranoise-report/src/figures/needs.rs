//! What each task seems to need, beside what its spec says.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::NeedRow;
use infranoise_core::Shown;

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::Log;
use crate::svg::{Anchor, Svg, axis, mark, num, wrap};
use crate::table::Table;
use crate::text::number;

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "needs",
    title: "Floor and ceiling by task",
    question: "What floor and ceiling does each task seem to need, and whose spec is too tight?",
    draw,
};

const LEFT: f64 = 180.0;
const RIGHT: f64 = WIDTH - 200.0;
const TOP: f64 = 34.0;
/// Rows beyond this are left out, those closest to their spec first; the table has them all.
const MOST_ROWS: usize = 90;

fn multiple(row: &NeedRow, bytes: Option<u64>) -> Option<f64> {
    let spec = row.spec_bytes.filter(|spec| *spec > 0)?;
    Some(bytes? as f64 / spec as f64)
}

/// The highest demand that was seen, killed or not.
fn highest(row: &NeedRow) -> f64 {
    multiple(row, row.highest_bytes.max(row.killed_at_bytes)).unwrap_or(0.0)
}

fn draw(analysis: &Analysis) -> Figure {
    let mut rows: Vec<&NeedRow> = analysis.needs.iter().filter(|row| highest(row) > 0.0).collect();
    if rows.is_empty() {
        return SPEC.missing(
            "no task has both a memory peak and a spec",
            "The kernel's peak of each trial and a stated spec (or --assume-spec) fill it.",
        );
    }
    rows.sort_by(|a, b| highest(b).total_cmp(&highest(a)).then_with(|| a.task.cmp(&b.task)));
    let shown = &rows[..rows.len().min(MOST_ROWS)];
    let row_height = if shown.len() <= 40 { 24.0 } else { 15.0 };
    let ends = rows
        .iter()
        .flat_map(|row| {
            [multiple(row, row.floor_bytes), multiple(row, row.ceiling_bytes), Some(highest(row))]
        })
        .flatten();
    let (low, high) = ends.fold((0.5, 2.0), |(low, high): (f64, f64), m| (low.min(m), high.max(m)));
    let x = Log::new(
        (low.log2().floor().exp2().max(1.0 / 32.0), high.log2().ceil().exp2().min(128.0)),
        (LEFT, RIGHT),
    );
    let bottom = TOP + row_height * shown.len() as f64;
    let mut svg = Svg::new(SPEC.id, WIDTH, bottom + 44.0);
    let places: Vec<(f64, String)> =
        x.ticks().into_iter().map(|tick| (x.at(tick), number::multiple(tick))).collect();
    axis::horizontal(
        &mut svg,
        &places,
        (TOP, bottom),
        "memory as a multiple of the task spec (log scale)",
        (LEFT + RIGHT) / 2.0,
    );
    svg.line("zero", (x.at(1.0), TOP - 6.0), (x.at(1.0), bottom));
    svg.text("tick", x.at(1.0), TOP - 12.0, Anchor::Middle, "spec");
    svg.text("tick", RIGHT + 14.0, TOP - 12.0, Anchor::Start, "floor to ceiling");
    for (i, row) in shown.iter().enumerate() {
        one(&mut svg, row, &x, TOP + row_height * (i as f64 + 0.5), row_height);
    }
    SPEC.figure(svg, caption(&rows), table(&rows))
}

fn one(svg: &mut Svg, row: &NeedRow, x: &Log, y: f64, height: f64) {
    let (class, size) = if height < 20.0 { ("label small", 10.0) } else { ("label", 12.0) };
    svg.text(class, LEFT - 14.0, y + 4.0, Anchor::End, &wrap::fit(row.task.as_str(), size, LEFT - 26.0));
    let half = height / 2.0 - 4.0;
    let title = format!(
        "{}: {}; {} killed of {}",
        row.task,
        says(row),
        row.killed,
        number::plural(row.trials, "trial")
    );
    svg.titled(&title, |svg| {
        if let Some(floor) = multiple(row, row.floor_bytes) {
            match multiple(row, row.ceiling_bytes) {
                Some(ceiling) => {
                    svg.rect("heat h2", x.at(floor), y - half, x.at(ceiling) - x.at(floor), 2.0 * half)
                }
                // Open at the right: how far up it must reach, nobody has seen.
                None => {
                    svg.rect("heat h1", x.at(floor), y - half, x.at(highest(row)) - x.at(floor), 2.0 * half)
                }
            }
        }
        if let Some(median) = multiple(row, row.median_bytes) {
            svg.line("ink-line", (x.at(median), y - half), (x.at(median), y + half));
        }
        if let Some(highest) = multiple(row, row.highest_bytes) {
            mark::draw(svg, Shown::Pass, x.at(highest), y, 3.5);
        }
        if let Some(killed) = multiple(row, row.killed_at_bytes) {
            let at = x.at(killed);
            mark::draw(svg, Shown::Ceiling, at, y, 3.5);
            if row.ceiling_bytes.is_none() {
                svg.path("l-ceiling thin", &format!("M{} {}h14m-4 -3l4 3l-4 3", num(at + 6.0), num(y)));
            }
        }
    });
    svg.text(class, RIGHT + 14.0, y + 4.0, Anchor::Start, &wrap::fit(&says(row), size, WIDTH - RIGHT - 18.0));
}

fn says(row: &NeedRow) -> String {
    let floor = row.floor_bytes.map_or("?".to_owned(), number::bytes);
    match (row.ceiling_bytes, row.killed_at_bytes) {
        (Some(ceiling), _) => format!("{floor} to {}", number::bytes(ceiling)),
        (None, Some(killed)) => format!("{floor} to more than {}", number::bytes(killed)),
        (None, None) => format!("{floor} to ?"),
    }
}

fn caption(rows: &[&NeedRow]) -> String {
    let tight = rows.iter().filter(|row| row.under_provisioned).count() as u64;
    let n: u64 = rows.iter().map(|row| row.trials).sum();
    let left_out = match rows.len().saturating_sub(MOST_ROWS) {
        0 => String::new(),
        more => format!(" {} more stand in the table only.", number::plural(more as u64, "task")),
    };
    let tight = match tight {
        0 => "No task wants its whole spec or more".to_owned(),
        1 => "One task wants its whole spec or more".to_owned(),
        n => format!("{} tasks want their whole spec or more", number::count(n)),
    };
    format!(
        "A first answer from what {} took, by a plain rule: floor is the median peak (the stroke) of trials that were not killed, ceiling a \
         quarter above the highest such peak (●), both up to the next MiB. ▲ is the highest ceiling at which a trial was killed; an arrow says \
         that it is the highest demand seen, so that no ceiling can be named. {tight}. Peaks include page cache. Whether scores at floor and \
         ceiling are alike, only trials at both can tell.{left_out}",
        number::plural(n, "trial"),
    )
}

fn table(rows: &[&NeedRow]) -> Table {
    let mut table = Table::new(&[
        "task",
        ">spec",
        ">trials",
        ">killed",
        ">median peak",
        ">highest peak",
        ">killed at",
        ">floor",
        ">ceiling",
        "spec too tight",
    ]);
    let say = |bytes: Option<u64>| bytes.map_or(String::new(), number::bytes);
    for row in rows {
        let ceiling = row.ceiling_bytes.map_or("not seen".to_owned(), number::bytes);
        table.push([
            row.task.to_string(),
            say(row.spec_bytes),
            number::count(row.trials),
            number::count(row.killed),
            say(row.median_bytes),
            say(row.highest_bytes),
            say(row.killed_at_bytes),
            say(row.floor_bytes),
            ceiling,
            if row.under_provisioned { "yes".to_owned() } else { "no".to_owned() },
        ]);
    }
    table
}
