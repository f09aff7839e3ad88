//! Small drawings of the live page: bars over planned trials, and curves of what a trial uses.

use infranoise_core::{Bytes, Shown};
use infranoise_report::svg::{Svg, num, pattern};
use infranoise_report::text::{escape, number, time, words};

use crate::curve::Curve;

/// A bar over planned trials: outcomes by pattern, then running, then what is pending. One bar of a page defines the patterns for all.
pub(super) fn bar(
    shown: &[u64; Shown::ALL.len()],
    running: u64,
    planned: u64,
    (width, height): (f64, f64),
    defines: bool,
) -> String {
    let mut svg = Svg::new("bar", width, height);
    if defines {
        pattern::define(&mut svg);
    }
    svg.rect("panel", 0.0, 0.0, width, height);
    let each = width / planned.max(1) as f64;
    let mut x = 0.0;
    for outcome in Shown::ALL {
        let part = shown[outcome as usize] as f64 * each;
        svg.filled(words::look(outcome).class, x, 0.0, part, height);
        x += part;
    }
    svg.rect("now", x, height * 0.3, running as f64 * each, height * 0.4);
    let done: u64 = shown.iter().sum();
    svg.finish(&format!("{done} of {planned} trials recorded, {running} running"))
}

/// The size of a curve: its width, its height, and whether it has room for words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) words: bool,
}

/// In the list of running trials.
pub(super) const SMALL: Size = Size { width: 240.0, height: 56.0, words: false };

/// On a trial's own page.
pub(super) const LARGE: Size = Size { width: 760.0, height: 220.0, words: true };

/// Memory as an area beneath its ceiling, CPUs in use as a line.
pub(super) fn curve(curve: &Curve, ceiling_bytes: Option<u64>, millicpu: Option<u32>, size: Size) -> String {
    let points = curve.points();
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return String::new() };
    let (left, right, top, bottom) = match size.words {
        true => (78.0, size.width - 64.0, 14.0, size.height - 26.0),
        false => (0.0, size.width, 2.0, size.height - 1.0),
    };
    let span = f64::from(last.at_ms.saturating_sub(first.at_ms)).max(1.0);
    let x = |at_ms: u32| left + f64::from(at_ms - first.at_ms) / span * (right - left);
    let most = curve.peak_bytes().max(ceiling_bytes.unwrap_or(0)).max(1) as f64 * 1.08;
    let y = |bytes: f64| bottom - bytes / most * (bottom - top);
    let mut body = String::new();
    let area: String =
        points.iter().map(|p| format!("L{} {}", num(x(p.at_ms)), num(y(p.memory_bytes as f64)))).collect();
    let base = num(bottom);
    body += &format!(
        "<path class=\"mem\" d=\"M{} {base}{area}L{} {base}Z\"/>",
        num(x(first.at_ms)),
        num(x(last.at_ms))
    );
    body += &format!("<path class=\"mem-line\" d=\"M{}\"/>", area.trim_start_matches('L'));
    if let Some(ceiling) = ceiling_bytes {
        let at = num(y(ceiling as f64));
        body += &format!("<path class=\"ceil\" d=\"M{} {at}H{}\"/>", num(left), num(right));
    }
    let cpus = curve.cpus();
    let ceiling_cpus = millicpu.map_or(0.0, |millicpu| f64::from(millicpu) / 1000.0);
    let busiest = cpus.iter().map(|(_, cpus)| *cpus).fold(ceiling_cpus, f64::max).max(0.1) * 1.08;
    if cpus.len() > 1 {
        let level = |cpus: f64| bottom - cpus / busiest * (bottom - top);
        let line: Vec<String> =
            cpus.iter().map(|(at_ms, cpus)| format!("{} {}", num(x(*at_ms)), num(level(*cpus)))).collect();
        body += &format!("<path class=\"cpu\" d=\"M{}\"/>", line.join("L"));
    }
    if size.words {
        body += &axes(most / 1.08, busiest / 1.08, span as u64, [left, right, top, bottom]);
    }
    let label = escape::markup(&label(curve, ceiling_bytes));
    format!(
        "<svg class=\"curve{}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{label}\">{body}</svg>",
        if size.words { " large" } else { "" },
        num(size.width),
        num(size.height)
    )
}

/// The ends of both scales, and the time between.
fn axes(bytes: f64, cpus: f64, span_ms: u64, [left, right, top, bottom]: [f64; 4]) -> String {
    let text = |x: f64, y: f64, anchor: &str, words: &str| {
        format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\">{}</text>",
            num(x),
            num(y),
            escape::markup(words)
        )
    };
    let high = top + (bottom - top) * (1.0 - 1.0 / 1.08);
    [
        format!(
            "<path class=\"axis\" d=\"M{} {}V{}H{}V{}\"/>",
            num(left),
            num(top),
            num(bottom),
            num(right),
            num(top)
        ),
        text(left - 6.0, high + 4.0, "end", &number::bytes(bytes as u64)),
        text(left - 6.0, bottom + 4.0, "end", "0"),
        text(right + 6.0, high + 4.0, "start", &format!("{} CPU", number::fixed(cpus, 1))),
        text(right + 6.0, bottom + 4.0, "start", "0"),
        text(left, bottom + 20.0, "start", "start"),
        text(right, bottom + 20.0, "end", &time::duration(span_ms)),
    ]
    .concat()
}

/// What a curve shows, for those who cannot see it.
fn label(curve: &Curve, ceiling_bytes: Option<u64>) -> String {
    let now = curve.last().map_or(0, |point| point.memory_bytes);
    let of = ceiling_bytes
        .map_or("without a ceiling".to_owned(), |bytes| format!("of a ceiling of {}", Bytes(bytes)));
    format!("Memory {} {of}, highest {}", number::bytes(now), number::bytes(curve.peak_bytes()))
}

/// A line of shares between 0 and 1.
pub(super) fn spark(shares: &[f64], label: &str) -> String {
    let (width, height) = (160.0, 24.0);
    let step = width / (crate::pressure::READINGS - 1) as f64;
    let from = width - step * shares.len().saturating_sub(1) as f64;
    let points: Vec<String> = shares
        .iter()
        .enumerate()
        .map(|(n, share)| {
            format!("{} {}", num(from + step * n as f64), num(height - 1.0 - share * (height - 2.0)))
        })
        .collect();
    let path = if points.len() < 2 {
        String::new()
    } else {
        format!("<path class=\"cpu\" d=\"M{}\"/>", points.join("L"))
    };
    format!(
        "<svg class=\"curve spark\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\"><path class=\"axis\" d=\"M0 {}H{width}\"/>{path}</svg>",
        escape::markup(label),
        height - 0.5
    )
}
