//! One trial with its curve and the ends of its logs.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{PeakPoint, TrialRow};

use crate::extras::{LogTail, Reading, TrialFiles};
use crate::svg::scale::{Linear, ticks};
use crate::svg::{Anchor, Svg, axis};
use crate::text::{clean, escape, number, time, words};

/// All trial pages together take no more than this, so that the file stays one that can be sent.
const ROOM_BYTES: usize = 320_000;
/// Of each log so much of its end is shown.
const TAIL_BYTES: usize = 2_400;
/// Of each line so much is shown.
const LINE_CHARS: usize = 300;
const POINTS: usize = 120;

/// The section of single trials; nothing where no files are at hand.
pub(super) fn section(analysis: &Analysis, files: &[TrialFiles]) -> String {
    let rows: std::collections::HashMap<&str, &TrialRow> =
        analysis.trials.iter().map(|row| (row.trial.as_str(), row)).collect();
    let peaks: std::collections::HashMap<&str, &PeakPoint> =
        analysis.peaks.iter().map(|point| (point.trial.as_str(), point)).collect();
    let mut body = String::new();
    let mut shown = 0u64;
    for one in files {
        let Some(row) = rows.get(one.trial.as_str()) else { continue };
        let text = page(row, peaks.get(one.trial.as_str()).copied(), one);
        if body.len() + text.len() > ROOM_BYTES {
            break;
        }
        body += &text;
        shown += 1;
    }
    if shown == 0 {
        return String::new();
    }
    let lead = format!(
        "<p>Resources over time and the ends of the logs of {} of {}, those with infra errors first; the others are shown by <code>infranoise trial show</code> and \
         <code>infranoise trial logs</code>.</p>\n",
        number::count(shown),
        number::plural(analysis.trials.len() as u64, "trial")
    );
    super::section("pages", "Single trials", &(lead + &body))
}

/// The anchor of a trial's page.
pub(super) fn anchor(trial: &str) -> String {
    format!("page-{}", clean::short(trial, 240))
}

fn page(row: &TrialRow, peak: Option<&PeakPoint>, files: &TrialFiles) -> String {
    let look = words::look(row.shown);
    let mut body = String::new();
    for piece in &row.evidence {
        body += &format!("<li>{}</li>\n", escape::markup(&clean::short(piece, 400)));
    }
    let evidence =
        format!("<ul><li>rule {}</li>\n{body}</ul>\n", escape::markup(&clean::short(&row.rule, 80)));
    let curve = curve(&files.readings, peak.and_then(|peak| peak.ceiling_bytes));
    let logs: String = files.logs.iter().map(log).collect();
    format!(
        "<details class=\"page\" id=\"{}\"><summary><span class=\"o {}\"><i>{}</i> {}</span> <b>{}</b> in {}, repeat {}, {}</summary>\n{evidence}{curve}{logs}</details>\n",
        escape::markup(&anchor(&row.trial)),
        look.class,
        look.sign,
        row.shown,
        escape::markup(row.task.as_str()),
        escape::markup(row.arm.as_str()),
        row.repeat,
        time::duration(row.wall_ms),
    )
}

/// The readings thinned to so many, keeping the highest memory of each stretch.
fn thinned(readings: &[Reading]) -> Vec<Reading> {
    let stretch = readings.len().div_ceil(POINTS).max(1);
    readings
        .chunks(stretch)
        .filter_map(|some| some.iter().max_by_key(|reading| reading.memory_bytes).copied())
        .collect()
}

/// Memory over time with the trial's own ceiling.
fn curve(readings: &[Reading], ceiling: Option<u64>) -> String {
    let seen: Vec<(f64, f64)> = thinned(readings)
        .iter()
        .filter_map(|reading| Some((reading.at_ms as f64, reading.memory_bytes? as f64)))
        .collect();
    let (Some(first), Some(last)) = (seen.first(), seen.last()) else {
        return "<p class=\"note\">No readings over time.</p>\n".to_owned();
    };
    let most = seen.iter().map(|point| point.1).fold(ceiling.unwrap_or(0) as f64, f64::max).max(1.0);
    let unit = match most {
        most if most >= 2f64.powi(30) => (2f64.powi(30), "GiB of memory"),
        _ => (2f64.powi(20), "MiB of memory"),
    };
    let lines = ticks(0.0, most / unit.0, 3);
    let y = Linear::new((0.0, lines.last().copied().unwrap_or(1.0) * unit.0), (120.0, 24.0));
    let x = Linear::new((first.0, last.0.max(first.0 + 1.0)), (56.0, 560.0));
    let mut svg = Svg::new("curve", 600.0, 150.0);
    for tick in &lines {
        let at = y.at(tick * unit.0);
        svg.line("grid", (56.0, at), (560.0, at));
        svg.text(
            "tick",
            48.0,
            at + 4.0,
            Anchor::End,
            &number::fixed(*tick, usize::from(tick.fract() != 0.0)),
        );
    }
    svg.text("unit", 12.0, 12.0, Anchor::Start, unit.1);
    if let Some(ceiling) = ceiling {
        svg.line("l-ceiling dashed", (56.0, y.at(ceiling as f64)), (560.0, y.at(ceiling as f64)));
        svg.text("t-ceiling", 560.0, y.at(ceiling as f64) - 5.0, Anchor::End, "ceiling");
    }
    svg.polyline("l-pass", &seen.iter().map(|(at, bytes)| (x.at(*at), y.at(*bytes))).collect::<Vec<_>>());
    let places = [(56.0, time::duration(first.0 as u64)), (560.0, time::duration(last.0 as u64))];
    axis::horizontal(&mut svg, &places, (120.0, 120.0), "", 300.0);
    let label = format!(
        "Memory over time, {} readings, highest {}",
        number::count(readings.len() as u64),
        number::bytes(most as u64)
    );
    svg.finish(&label)
}

/// The end of a log, line by line, with everything that a browser or a terminal would act upon made visible.
fn log(log: &LogTail) -> String {
    let mut from = log.tail.len().saturating_sub(TAIL_BYTES);
    while !log.tail.is_char_boundary(from) {
        from += 1;
    }
    let tail = log.tail.get(from..).unwrap_or_default();
    let lines: Vec<String> =
        tail.lines().map(|line| escape::markup(&clean::short(&clean::line(line), LINE_CHARS))).collect();
    let left_out = if log.bytes as usize > tail.len() { ", the end of it" } else { "" };
    format!(
        "<h4>{} <span class=\"zero\">({}{left_out})</span></h4>\n<pre tabindex=\"0\">{}</pre>\n",
        escape::markup(&clean::short(&log.name, 120)),
        number::bytes(log.bytes),
        lines.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_log_is_text_and_short() {
        let bad = "</pre><script>alert(1)</script>\u{1b}[2J\u{202E}\0".to_owned();
        let tail = format!("{bad}\n{}\n{bad}", "x".repeat(1 << 20));
        let text = log(&LogTail { name: bad, bytes: tail.len() as u64, tail });
        assert!(!text.contains("<script") && !text.contains(['\u{1b}', '\u{202E}', '\0']));
        assert!(text.len() < 10_000 && text.matches("</pre>").count() == 1, "{text}");
    }
}
