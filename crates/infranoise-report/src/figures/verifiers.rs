//! Verifiers that did not do their work.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::VerifierRow;

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::{Linear, ticks};
use crate::svg::{Anchor, Svg, axis, wrap};
use crate::table::Table;
use crate::text::number;

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "verifiers",
    title: "Verifier flakes",
    question: "Did verifiers fail where the agent did not?",
    draw,
};

const LEFT: f64 = 250.0;
const RIGHT: f64 = WIDTH - 90.0;
const ROW: f64 = 24.0;
const TOP: f64 = 34.0;
const MOST_ROWS: usize = 60;

/// The kinds of trouble: name, class of the fill, sign.
const KINDS: [(&str, &str); 3] =
    [("no readable reward", "o-fault"), ("timed out", "o-ceiling"), ("an oracle failed", "heat h4")];

fn counts(row: &VerifierRow) -> [u64; 3] {
    [row.broken, row.timed_out, row.oracle_failed.unwrap_or(0)]
}

fn sum(row: &VerifierRow) -> u64 {
    counts(row).into_iter().fold(0, u64::saturating_add)
}

fn draw(analysis: &Analysis) -> Figure {
    if analysis.verified == 0 {
        return SPEC.missing(
            "no trial says what its verifier did",
            "Recorded trials that reached a verifier fill it; an oracle agent (-a oracle, several repeats) shows flakes that no model can hide.",
        );
    }
    let mut rows: Vec<&VerifierRow> = analysis.verifiers.iter().collect();
    rows.sort_by(|a, b| sum(b).cmp(&sum(a)).then_with(|| (&a.task, &a.arm).cmp(&(&b.task, &b.arm))));
    let caption = format!(
        "Tasks and arms in which a verifier ran out of time, left no readable reward, or failed an oracle; of {} that reached a verifier. Kills by the trial's own ceiling are \
         not counted here. A verifier that fails a right answer in silence is seen only with an oracle.",
        number::plural(analysis.verified, "trial")
    );
    if rows.is_empty() {
        let mut svg = Svg::new(SPEC.id, WIDTH, 64.0);
        svg.rect("panel", 0.0, 0.0, WIDTH, 64.0);
        let says = format!(
            "Each of the {} that reached a verifier has a readable reward.",
            number::plural(analysis.verified, "trial")
        );
        svg.text("head", 24.0, 38.0, Anchor::Start, &says);
        return SPEC.figure(svg, caption, table(&rows));
    }
    let most = rows.iter().map(|row| sum(row)).max().unwrap_or(1).max(1) as f64;
    let lines: Vec<f64> = ticks(0.0, most, 6).into_iter().filter(|tick| tick.fract() == 0.0).collect();
    let x = Linear::new((0.0, lines.last().copied().unwrap_or(most)), (LEFT, RIGHT));
    let shown = &rows[..rows.len().min(MOST_ROWS)];
    let bottom = TOP + ROW * shown.len() as f64;
    let mut svg = Svg::new(SPEC.id, WIDTH, bottom + 44.0);
    let mut at = 12.0;
    for (i, (name, class)) in KINDS.iter().enumerate() {
        svg.rect(class, at, 4.0, 14.0, 12.0);
        let name = format!("{} {name}", i + 1);
        svg.text("label", at + 20.0, 14.0, Anchor::Start, &name);
        at += 38.0 + wrap::width(&name, 12.0);
    }
    let places: Vec<(f64, String)> =
        lines.iter().map(|tick| (x.at(*tick), number::fixed(*tick, 0))).collect();
    axis::horizontal(&mut svg, &places, (TOP, bottom), "trials", (LEFT + RIGHT) / 2.0);
    for (i, row) in shown.iter().enumerate() {
        let y = TOP + ROW * i as f64;
        let name = wrap::fit(&format!("{} in {}", row.task, row.arm), 12.0, LEFT - 24.0);
        svg.text("label", LEFT - 12.0, y + 16.0, Anchor::End, &name);
        let mut from = 0u64;
        for (kind, n) in counts(row).into_iter().enumerate() {
            let to = from.saturating_add(n);
            let (left, right) = (x.at(from as f64), x.at(to as f64));
            svg.titled(&format!("{name}: {n} {}", KINDS[kind].0), |svg| {
                svg.rect(KINDS[kind].1, left, y + 4.0, right - left - 1.0, ROW - 8.0);
                if right - left > 14.0 {
                    svg.text(
                        "label on",
                        (left + right) / 2.0,
                        y + 16.0,
                        Anchor::Middle,
                        &(kind + 1).to_string(),
                    );
                }
            });
            from = to;
        }
        let of = format!("{} of {}", number::count(from), number::count(row.reached));
        svg.text("tick", x.at(from as f64) + 8.0, y + 16.0, Anchor::Start, &of);
    }
    SPEC.figure(svg, caption, table(&rows))
}

fn table(rows: &[&VerifierRow]) -> Table {
    let mut table = Table::new(&[
        "task",
        "arm",
        ">reached the verifier",
        ">graded",
        ">no readable reward",
        ">timed out",
        ">an oracle failed",
    ]);
    for row in rows {
        let oracle = row.oracle_failed.map_or("no oracle".to_owned(), number::count);
        let counts = [row.reached, row.graded, row.broken, row.timed_out].map(number::count);
        table.push([row.task.to_string(), row.arm.to_string()].into_iter().chain(counts).chain([oracle]));
    }
    table
}
