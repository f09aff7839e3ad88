//! Traffic of trials.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::SpreadRow;

use super::boxes::{self, Boxes, ROW};
use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::Log;
use crate::svg::{Anchor, Svg, axis};
use crate::text::number;

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "egress",
    title: "Network traffic",
    question: "How much did trials send and receive, and does it differ between arms?",
    draw,
};

const LEFT: f64 = 150.0;
const RIGHT: f64 = WIDTH - 170.0;

fn draw(analysis: &Analysis) -> Figure {
    let groups: [(&str, &[SpreadRow]); 2] = [("received", &analysis.received), ("sent", &analysis.sent)];
    let highest =
        groups.iter().flat_map(|(_, rows)| rows.iter()).filter_map(|row| row.five).map(|five| five[4]);
    let most = highest.filter(|most| most.is_finite()).fold(0.0, f64::max);
    if most <= 0.0 {
        return SPEC.missing(
            "no trial has any traffic on record",
            "Trials with a network of their own (--network) have counters; by host, and with failures of DNS and HTTP, a gateway of infranoise's own would count it, and there is none yet.",
        );
    }
    let x = Log::new((1024.0, most.log2().ceil().exp2().clamp(4096.0, 2f64.powi(60))), (LEFT, RIGHT));
    let mut svg = Svg::new(SPEC.id, WIDTH, 0.0);
    let mut top = 0.0;
    let ticks = x.ticks();
    let every = ticks.len().div_ceil(7);
    for (heading, rows) in groups {
        svg.text(
            "head",
            12.0,
            top + 14.0,
            Anchor::Start,
            if heading == "sent" { "Sent" } else { "Received" },
        );
        let (from, to) = (top + 26.0, top + 26.0 + ROW * rows.len() as f64);
        let places: Vec<(f64, String)> =
            ticks.iter().step_by(every).map(|tick| (x.at(*tick), says(*tick))).collect();
        axis::horizontal(&mut svg, &places, (from, to), "bytes per trial (log scale)", (LEFT + RIGHT) / 2.0);
        Boxes { rows, at: &|value| x.at(value), says: &says, right: RIGHT + 12.0, left: LEFT }
            .draw(&mut svg, from);
        top = to + 58.0;
    }
    svg.set_height(top - 10.0);
    let caption = "Bytes through the network interface of each trial. Box: quartiles; stroke: median; line below: its 95 % interval; thin line: all \
                   trials. By host, and with failures of DNS and HTTP, only a gateway could count it.";
    SPEC.figure(svg, caption, boxes::table(&groups, &says))
}

fn says(bytes: f64) -> String {
    number::bytes(bytes.max(0.0) as u64)
}
