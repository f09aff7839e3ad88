//! Were arms confounded with anything else?

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::BalanceRow;

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::{Linear, ticks};
use crate::svg::{Anchor, Svg, axis, wrap};
use crate::table::{Align, Table};
use crate::text::{number, words};
use crate::what;

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "balance",
    title: "Host mix and confounding",
    question: "Did arms differ in anything but what they were meant to differ in?",
    draw,
};

const LEFT: f64 = 250.0;
const RIGHT: f64 = 520.0;
const ROW: f64 = 34.0;
const TOP: f64 = 40.0;
/// Below this a difference counts as harmless; the analysis says by what it was judged.
const HARMLESS: f64 = 0.25;

fn draw(analysis: &Analysis) -> Figure {
    let rows = &analysis.balance;
    if rows.is_empty() {
        return SPEC.missing(
            "no circumstance can be compared over arms",
            "At least two arms with two trials each that say their order, hour, density or host pressure fill it.",
        );
    }
    let known = |row: &BalanceRow| row.imbalance.is_finite() && row.imbalance < 1e6;
    let most = rows.iter().filter(|row| known(row)).map(|row| row.imbalance).fold(2.0 * HARMLESS, f64::max);
    let lines = ticks(0.0, most.min(5.0), 5);
    let x = Linear::new((0.0, lines.last().copied().unwrap_or(1.0)), (LEFT, RIGHT));
    let bottom = TOP + ROW * rows.len() as f64;
    let mut svg = Svg::new(SPEC.id, WIDTH, bottom + 44.0);
    svg.rect("band", LEFT, TOP, x.at(HARMLESS) - LEFT, bottom - TOP);
    svg.text("tick", LEFT + 2.0, TOP - 8.0, Anchor::Start, "harmless");
    let places: Vec<(f64, String)> =
        lines.iter().map(|tick| (x.at(*tick), number::fixed(*tick, 2))).collect();
    axis::horizontal(
        &mut svg,
        &places,
        (TOP, bottom),
        "largest difference of arms, in standard deviations or shares",
        (LEFT + RIGHT) / 2.0,
    );
    for (i, row) in rows.iter().enumerate() {
        let y = TOP + ROW * (i as f64 + 0.5);
        svg.text(
            "label",
            LEFT - 14.0,
            y + 4.0,
            Anchor::End,
            &wrap::fit(&words::sentence(&row.what), 12.0, LEFT - 26.0),
        );
        let class = if row.confounded { "o-ceiling" } else { "o-pass" };
        svg.titled(&row.says, |svg| {
            svg.line("leader", (LEFT, y), (x.at(row.imbalance), y));
            svg.rect(class, x.at(row.imbalance) - 4.5, y - 4.5, 9.0, 9.0);
        });
        let (word, ink) =
            if row.confounded { ("▲ confounded", "t-ceiling") } else { ("balanced", "label") };
        svg.text(ink, RIGHT + 16.0, y - 2.0, Anchor::Start, word);
        let spread: Vec<&str> = row.by_arm.iter().map(|(_, value)| value.as_str()).collect();
        let spread = match (spread.first(), spread.last()) {
            (Some(first), Some(last)) => format!("{first} … {last}"),
            _ => String::new(),
        };
        svg.text(
            "tick small",
            RIGHT + 16.0,
            y + 11.0,
            Anchor::Start,
            &wrap::fit(&spread, 10.0, WIDTH - RIGHT - 22.0),
        );
    }
    let caption = format!(
        "For numbers: the largest difference of arm means in pooled standard deviations; for kinds: the largest difference of shares. An arm is confounded if that \
         is above a quarter and more than chance. Machine: {}",
        what::machine(analysis)
    );
    SPEC.figure(svg, caption, table(analysis, rows))
}

fn table(analysis: &Analysis, rows: &[BalanceRow]) -> Table {
    let mut table = Table::new(&["circumstance", ">imbalance", "finding"]);
    for arm in &analysis.arms {
        table.column(arm.name.as_str(), Align::Right);
    }
    for row in rows {
        let by_arm = analysis.arms.iter().map(|arm| {
            row.by_arm
                .iter()
                .find(|(name, _)| name == &arm.name)
                .map(|(_, value)| value.clone())
                .unwrap_or_default()
        });
        let imbalance =
            if row.imbalance < 1e6 { number::fixed(row.imbalance, 2) } else { "total".to_owned() };
        table.push([row.what.clone(), imbalance, row.says.clone()].into_iter().chain(by_arm));
    }
    table
}
