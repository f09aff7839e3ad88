//! Where the time of trials went, by arm.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::ClockRow;
use infranoise_core::Phase;

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::{Linear, ticks};
use crate::svg::{Anchor, Svg, axis, wrap};
use crate::table::Table;
use crate::text::{number, time};

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "clocks",
    title: "Where the time went",
    question: "What did trials spend their time on, and do time limits decide?",
    draw,
};

const LEFT: f64 = 110.0;
const RIGHT: f64 = WIDTH - 190.0;
const ROW: f64 = 38.0;

/// The parts of a bar: name and class of its fill.
const PARTS: [(&str, &str); 5] = [
    ("before the agent", "heat h1"),
    ("agent: commands", "heat h4"),
    ("agent: between commands", "heat h2"),
    ("verifier", "o-fail"),
    ("else", "panel seg"),
];

/// Mean milliseconds of each part.
fn parts(row: &ClockRow) -> [f64; 5] {
    let phase = |phase: Phase| row.phases_ms.get(&phase).copied().unwrap_or(0.0);
    let before = phase(Phase::Pull) + phase(Phase::Build) + phase(Phase::Start) + phase(Phase::Setup);
    let (agent, idle) = (phase(Phase::Agent), row.agent_idle_ms.unwrap_or(0.0).min(phase(Phase::Agent)));
    let verify = phase(Phase::Verify);
    [before, agent - idle, idle, verify, (row.wall_ms - before - agent - verify).max(0.0)]
}

fn draw(analysis: &Analysis) -> Figure {
    let rows = &analysis.clocks;
    if rows.iter().all(|row| row.phases_ms.is_empty()) {
        return SPEC.missing(
            "no trial says how long its phases took",
            "Records with phases fill it; some sources of imports keep none.",
        );
    }
    let ends = rows.iter().map(|row| row.wall_interval_ms.map_or(row.wall_ms, |(_, high)| high));
    let most = ends.filter(|end| end.is_finite()).fold(1.0, f64::max);
    let (scale, unit) = match most {
        most if most < 180_000.0 => (1_000.0, "seconds per trial, mean"),
        most if most < 10_800_000.0 => (60_000.0, "minutes per trial, mean"),
        _ => (3_600_000.0, "hours per trial, mean"),
    };
    let lines = ticks(0.0, most / scale, 6);
    let x = Linear::new((0.0, lines.last().copied().unwrap_or(1.0) * scale), (LEFT, RIGHT));
    let (top, bottom) = (34.0, 34.0 + ROW * rows.len() as f64);
    let mut svg = Svg::new(SPEC.id, WIDTH, bottom + 44.0);
    key(&mut svg, rows);
    let decimals = usize::from(lines.get(1).is_some_and(|step| *step < 1.0));
    let places: Vec<(f64, String)> =
        lines.iter().map(|tick| (x.at(tick * scale), number::fixed(*tick, decimals))).collect();
    axis::horizontal(&mut svg, &places, (top, bottom), unit, (LEFT + RIGHT) / 2.0);
    for (i, row) in rows.iter().enumerate() {
        bar(&mut svg, row, &x, top + ROW * i as f64);
    }
    let idle = if rows.iter().any(|row| row.agent_idle_ms.is_some()) {
        " Between commands an agent waits for its model or thinks; the model's own share cannot be told without a gateway."
    } else {
        " How much of the agent phase was waiting for a model cannot be told: its commands are not recorded one by one."
    };
    let caption = format!(
        "Mean time of a trial by phase; the whisker is the 95 % interval of the mean. n is trials.{idle}"
    );
    SPEC.figure(svg, caption, table(rows))
}

fn key(svg: &mut Svg, rows: &[ClockRow]) {
    let mut at = 12.0;
    for (i, (name, class)) in PARTS.iter().enumerate() {
        if rows.iter().all(|row| parts(row)[i] <= 0.0) {
            continue;
        }
        svg.rect(class, at, 4.0, 14.0, 12.0);
        svg.text("label", at + 20.0, 14.0, Anchor::Start, name);
        at += 38.0 + wrap::width(name, 12.0);
    }
}

fn bar(svg: &mut Svg, row: &ClockRow, x: &Linear, y: f64) {
    svg.text("strong", LEFT - 12.0, y + 22.0, Anchor::End, &wrap::fit(row.arm.as_str(), 12.0, LEFT - 20.0));
    let mut from = 0.0;
    for ((name, class), ms) in PARTS.iter().zip(parts(row)) {
        let (left, right) = (x.at(from), x.at(from + ms));
        from += ms;
        svg.titled(&format!("{}: {name} {}", row.arm, time::duration(ms as u64)), |svg| {
            svg.rect(class, left, y + 7.0, right - left - 0.6, ROW - 16.0);
        });
    }
    if let Some((low, high)) = row.wall_interval_ms {
        svg.line("ink-line", (x.at(low), y + ROW / 2.0 - 1.0), (x.at(high), y + ROW / 2.0 - 1.0));
    }
    let says = format!("{} · n = {}", time::duration(row.wall_ms.max(0.0) as u64), number::count(row.trials));
    svg.text("label", RIGHT + 12.0, y + 16.0, Anchor::Start, &says);
    let late = match row.timed_out {
        0 => "no agent timed out".to_owned(),
        n => format!("{} timed out, {} passed", number::count(n), number::count(row.timed_out_passed)),
    };
    svg.text("tick", RIGHT + 12.0, y + 30.0, Anchor::Start, &late);
}

fn table(rows: &[ClockRow]) -> Table {
    let mut table = Table::new(&[
        "arm",
        ">trials",
        ">mean time [interval]",
        ">before the agent",
        ">agent",
        ">of it between commands",
        ">verifier",
        ">agents timed out",
        ">of them passed",
    ]);
    let say = |ms: f64| time::duration(ms.max(0.0) as u64);
    for row in rows {
        let [before, commands, idle, verify, _] = parts(row);
        let interval = row
            .wall_interval_ms
            .map(|(low, high)| format!(" [{}, {}]", say(low), say(high)))
            .unwrap_or_default();
        table.push([
            row.arm.to_string(),
            number::count(row.trials),
            format!("{}{interval}", say(row.wall_ms)),
            say(before),
            say(commands + idle),
            row.agent_idle_ms.map_or("not recorded".to_owned(), say),
            say(verify),
            number::count(row.timed_out),
            number::count(row.timed_out_passed),
        ]);
    }
    table
}
