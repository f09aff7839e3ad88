//! How a measurement spreads over trials: one line per arm with lowest, quartiles, median and highest.

use infranoise_analysis::doc::SpreadRow;

use crate::svg::{Anchor, Svg, wrap};
use crate::table::Table;
use crate::text::number;

/// One group of lines, with the place of a number and its words.
pub(super) struct Boxes<'a> {
    pub(super) rows: &'a [SpreadRow],
    pub(super) at: &'a dyn Fn(f64) -> f64,
    pub(super) says: &'a dyn Fn(f64) -> String,
    /// Where the line of numbers beside the boxes begins.
    pub(super) right: f64,
    pub(super) left: f64,
}

/// The height of a line.
pub(super) const ROW: f64 = 26.0;

impl Boxes<'_> {
    /// Draws all lines beneath each other.
    pub(super) fn draw(&self, svg: &mut Svg, top: f64) {
        for (i, row) in self.rows.iter().enumerate() {
            let y = top + ROW * (i as f64 + 0.5);
            let name = match row.passed {
                Some(true) => format!("{}, passed", row.arm),
                Some(false) => format!("{}, not passed", row.arm),
                None => row.arm.to_string(),
            };
            svg.text(
                "label",
                self.left - 12.0,
                y + 4.0,
                Anchor::End,
                &wrap::fit(&name, 12.0, self.left - 20.0),
            );
            self.one(svg, row, &name, y);
        }
    }

    fn one(&self, svg: &mut Svg, row: &SpreadRow, name: &str, y: f64) {
        let Some(five) = row.five else {
            let why = if row.not_observed > 0 { "not observed" } else { "no trial" };
            svg.text("tick", self.right, y + 4.0, Anchor::Start, why);
            return;
        };
        let [low, q1, median, q3, high] = five.map(self.at);
        let title = format!(
            "{name}: median {}, quartiles {} and {}",
            (self.says)(five[2]),
            (self.says)(five[1]),
            (self.says)(five[3])
        );
        svg.titled(&title, |svg| {
            svg.line("l-fail thin", (low, y), (high, y));
            svg.rect("heat h2", q1, y - 7.0, (q3 - q1).max(1.0), 14.0);
            if let Some((from, to)) = row.median_interval {
                svg.line("l-pass", ((self.at)(from), y + 9.0), ((self.at)(to), y + 9.0));
            }
            svg.line("ink-line", (median, y - 8.0), (median, y + 8.0));
        });
        let text = format!("{} · n = {}", (self.says)(five[2]), number::count(row.n));
        svg.text("tick", self.right, y + 4.0, Anchor::Start, &text);
    }
}

/// The same in words.
pub(super) fn table(groups: &[(&str, &[SpreadRow])], says: &dyn Fn(f64) -> String) -> Table {
    let mut table = Table::new(&[
        "what",
        "arm",
        "trials that",
        ">n",
        ">not observed",
        ">lowest",
        ">lower quartile",
        ">median",
        ">[interval]",
        ">upper quartile",
        ">highest",
    ]);
    for (what, rows) in groups {
        for row in *rows {
            let five = row.five.map_or([const { String::new() }; 5], |five| five.map(says));
            let [low, q1, median, q3, high] = five;
            let kind = match row.passed {
                Some(true) => "passed",
                Some(false) => "did not pass",
                None => "began",
            };
            let interval =
                row.median_interval.map(|(a, b)| format!("[{}, {}]", says(a), says(b))).unwrap_or_default();
            table.push([
                (*what).to_owned(),
                row.arm.to_string(),
                kind.to_owned(),
                number::count(row.n),
                number::count(row.not_observed),
                low,
                q1,
                median,
                interval,
                q3,
                high,
            ]);
        }
    }
    table
}
