//! The card of configurations: what arms ask for, what was held, and in what they differ.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{SettingCell, SettingRow};

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::Bands;
use crate::svg::{Anchor, Svg, wrap};
use crate::table::{Align, Table};

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "settings",
    title: "Configurations",
    question: "In what do arms differ, and was what they ask for really held?",
    draw,
};

const LEFT: f64 = 150.0;
const ROW: f64 = 36.0;
const TOP: f64 = 30.0;

/// How a cell's holding is marked: by sign first.
fn sign(cell: &SettingCell) -> &'static str {
    match (cell.held.as_deref(), cell.firm) {
        (None | Some("not asked for"), _) => "",
        (Some(_), true) => "✓ ",
        (Some(_), false) => "! ",
    }
}

fn draw(analysis: &Analysis) -> Figure {
    let rows = &analysis.settings;
    let count = rows.first().map_or(0, |row| row.arms.len());
    if count == 0 {
        return SPEC.missing("no arm says what it asks for", "An analysis document of version 1.1 or later holds it: run infranoise report on the sweep's folder again.");
    }
    let bands = Bands::new(count, LEFT, WIDTH - 8.0);
    let mut svg = Svg::new(SPEC.id, WIDTH, TOP + ROW * rows.len() as f64 + 4.0);
    for (j, cell) in rows.iter().flat_map(|row| row.arms.iter()).take(count).enumerate() {
        svg.text(
            "strong",
            bands.start(j) + 8.0,
            TOP - 12.0,
            Anchor::Start,
            &wrap::fit(cell.arm.as_str(), 12.0, bands.step() - 12.0),
        );
    }
    for (i, row) in rows.iter().enumerate() {
        let y = TOP + ROW * i as f64;
        if !row.same {
            svg.rect("band", 0.0, y, WIDTH, ROW - 1.0);
        }
        svg.line("grid", (0.0, y - 0.5), (WIDTH, y - 0.5));
        let name = if row.same { row.what.clone() } else { format!("≠ {}", row.what) };
        svg.text(
            if row.same { "label" } else { "strong" },
            12.0,
            y + 21.0,
            Anchor::Start,
            &wrap::fit(&name, 12.0, LEFT - 20.0),
        );
        for (j, cell) in row.arms.iter().enumerate() {
            let (x, most) = (bands.start(j) + 8.0, bands.step() - 12.0);
            let line = if cell.held.is_some() { y + 15.0 } else { y + 21.0 };
            svg.text("label", x, line, Anchor::Start, &wrap::fit(&cell.asked, 12.0, most));
            if let Some(held) = &cell.held {
                let class = if cell.firm { "tick small" } else { "t-ceiling small" };
                svg.text(
                    class,
                    x,
                    y + 28.0,
                    Anchor::Start,
                    &wrap::fit(&format!("{}{held}", sign(cell)), 10.0, most),
                );
            }
        }
    }
    let differ: Vec<&str> = rows.iter().filter(|row| !row.same).map(|row| row.what.as_str()).collect();
    let differ = if differ.is_empty() {
        "Arms ask for the same.".to_owned()
    } else {
        format!("Arms differ in {} (≠, shaded).", differ.join(", "))
    };
    let caption = format!(
        "{differ} Above in each cell: what the arm asks for; below: what the engine read back over its trials (✓ held in every trial, ! not everywhere). Multiples \
         are of each task's spec."
    );
    SPEC.figure(svg, caption, table(rows))
}

fn table(rows: &[SettingRow]) -> Table {
    let mut table = Table::new(&["setting", "same in all arms"]);
    for cell in rows.first().map(|row| row.arms.as_slice()).unwrap_or_default() {
        table.column(cell.arm.as_str(), Align::Left);
    }
    for row in rows {
        let cells = row.arms.iter().map(|cell| match &cell.held {
            Some(held) => format!("{} ({held})", cell.asked),
            None => cell.asked.clone(),
        });
        let same = if row.same { "yes" } else { "no" };
        table.push([row.what.clone(), same.to_owned()].into_iter().chain(cells));
    }
    table
}
