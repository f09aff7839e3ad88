//! Do agents end at limits instead of by themselves?

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::DurationBin;

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::{Linear, Log, ticks};
use crate::svg::{Anchor, Svg, axis};
use crate::table::Table;
use crate::text::{number, time};

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "deadlines",
    title: "Deadline cliffs",
    question: "Do agents and their commands end at limits instead of by themselves?",
    draw,
};

const LEFT: f64 = 56.0;
const RIGHT: f64 = WIDTH - 24.0;

fn draw(analysis: &Analysis) -> Figure {
    let bins = &analysis.durations;
    let (Some(first), Some(last)) = (bins.first(), bins.last()) else {
        return SPEC.missing(
            "no trial says how long its agent took",
            "Records with phases fill it; some sources of imports keep none.",
        );
    };
    let x = Log::new(
        (first.from_ms.max(1) as f64, last.to_ms.max(first.from_ms.max(1) * 2) as f64),
        (LEFT, RIGHT),
    );
    let mut svg = Svg::new(SPEC.id, WIDTH, 376.0);
    let stacks: [(&str, &str, fn(&DurationBin) -> u64, fn(&DurationBin) -> u64); 2] = [
        ("Agent phases", "agent phases", |bin| bin.phases, |bin| bin.at_deadline),
        ("Commands", "commands", |bin| bin.commands, |_| 0),
    ];
    for (i, (heading, unit, by_themselves, at_limit)) in stacks.into_iter().enumerate() {
        let (top, bottom) = (40.0 + 180.0 * i as f64, 150.0 + 180.0 * i as f64);
        svg.text("head", 12.0, top - 26.0, Anchor::Start, heading);
        if i == 0 {
            svg.rect("heat h3", RIGHT - 330.0, top - 36.0, 12.0, 11.0);
            svg.text("label", RIGHT - 312.0, top - 26.0, Anchor::Start, "ended by themselves");
            svg.rect("o-ceiling", RIGHT - 160.0, top - 36.0, 12.0, 11.0);
            svg.text("label", RIGHT - 142.0, top - 26.0, Anchor::Start, "▲ at their time limit");
        }
        let most = bins.iter().map(|bin| by_themselves(bin).saturating_add(at_limit(bin))).max().unwrap_or(0);
        if most == 0 {
            svg.text("tick", LEFT, top + 20.0, Anchor::Start, "none recorded");
            continue;
        }
        let lines = ticks(0.0, most as f64, 3);
        let y = Linear::new((0.0, lines.last().copied().unwrap_or(1.0)), (bottom, top));
        axis::vertical(&mut svg, &y, &lines, (LEFT, RIGHT), unit, |tick| number::fixed(tick, 0));
        for bin in bins {
            let (left, right) = (x.at(bin.from_ms as f64), x.at(bin.to_ms as f64));
            let (own, late) = (by_themselves(bin), at_limit(bin));
            let title = format!(
                "{} to {}: {own} ended by themselves, {late} at their time limit",
                time::duration(bin.from_ms),
                time::duration(bin.to_ms)
            );
            svg.titled(&title, |svg| {
                let split = y.at(own as f64);
                svg.rect("heat h3", left, split, right - left - 1.0, bottom - split);
                let end = y.at(own.saturating_add(late) as f64);
                svg.rect("o-ceiling", left, end, right - left - 1.0, split - end);
                if late > 0 {
                    svg.text("tick small", (left + right) / 2.0, end - 3.0, Anchor::Middle, "▲");
                }
            });
        }
    }
    let places = x.ticks();
    let every = places.len().div_ceil(9).max(1);
    let places: Vec<(f64, String)> =
        places.into_iter().step_by(every).map(|tick| (x.at(tick), time::duration(tick as u64))).collect();
    axis::horizontal(&mut svg, &places, (330.0, 330.0), "how long it took (log scale)", (LEFT + RIGHT) / 2.0);
    let (phases, late) = bins.iter().fold((0u64, 0u64), |sum, bin| {
        (sum.0.saturating_add(bin.phases), sum.1.saturating_add(bin.at_deadline))
    });
    let commands = bins.iter().fold(0u64, |sum, bin| sum.saturating_add(bin.commands));
    let caption = format!(
        "n = {} agent phases, of which {} ended at their time limit, and {} commands. A spike at a round number is a limit of somebody's, not work.",
        number::count(phases.saturating_add(late)),
        number::count(late),
        number::count(commands)
    );
    SPEC.figure(svg, caption, table(bins))
}

fn table(bins: &[DurationBin]) -> Table {
    let mut table = Table::new(&[
        "took from … to",
        ">agent phases ended by themselves",
        ">at their time limit",
        ">commands",
    ]);
    for bin in bins.iter().filter(|bin| bin.phases + bin.at_deadline + bin.commands > 0) {
        let span = format!("{} … {}", time::duration(bin.from_ms), time::duration(bin.to_ms));
        table.push([
            span,
            number::count(bin.phases),
            number::count(bin.at_deadline),
            number::count(bin.commands),
        ]);
    }
    table
}
