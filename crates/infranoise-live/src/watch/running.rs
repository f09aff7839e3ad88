//! Running trials with what they use.

use infranoise_core::Bytes;
use infranoise_report::text::time;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::head::fit;
use super::{Keys, Paint, bar};
use crate::view::{TrialNow, View};

pub(super) fn draw(view: &View, keys: &Keys, paint: Paint, area: Rect, frame: &mut Frame<'_>) {
    let room = usize::from(area.height).saturating_sub(1);
    let count = view.running.len();
    let first = keys.scroll().min(count.saturating_sub(room));
    let last = (first + room).min(count);
    let which = match count {
        0 => String::new(),
        _ if room > 0 && last - first < count => format!(" {}–{} of {count}", first + 1, last),
        _ => format!(" {count}"),
    };
    let mut lines = vec![Line::styled(format!("Running{which}"), paint.head())];
    if count == 0 {
        lines.push(Line::styled("no trial is in its sandbox", paint.dim()));
    }
    lines.extend(view.running[first..last].iter().map(|trial| row(trial, usize::from(area.width), paint)));
    frame.render_widget(Paragraph::new(lines), area);
}

fn row(trial: &TrialNow, wide: usize, paint: Paint) -> Line<'static> {
    let key = &trial.key;
    let names = (wide / 3).clamp(16, 40);
    let attempt =
        if trial.attempt.0 > 0 { format!(" attempt {}", trial.attempt.0 + 1) } else { String::new() };
    let name = fit(&format!("{} {} #{}{attempt}", key.task, key.arm, key.repeat), names);
    let phase = trial.phase.map(|(phase, _)| phase.to_string()).unwrap_or_else(|| "waits".to_owned());
    let span = short_span(trial.for_ms);
    let mut spans = vec![Span::raw(format!("{name:names$} {phase:7}{span:>7}  "))];
    let style =
        if trial.share().is_some_and(|share| share > 0.9) { paint.alarm() } else { Default::default() };
    spans.push(Span::styled(format!("{:>21}", memory(trial)), style));
    let Some(curve) = &trial.curve else { return Line::from(spans) };
    let taken = names + 1 + 7 + 7 + 2 + 21;
    let room = wide.saturating_sub(taken + 12).min(40);
    let most = trial.ceiling_bytes.unwrap_or_else(|| curve.peak_bytes()).max(1);
    let past: Vec<f64> = curve.points().iter().map(|point| point.memory_bytes as f64).collect();
    let picture = bar::spark(&past, most as f64, room);
    spans.push(Span::styled(format!(" {picture:room$}"), paint.dim()));
    if let Some(cpus) = curve.cpus_now() {
        spans.push(Span::raw(format!(" {cpus:>4.1} CPU")));
    }
    Line::from(spans)
}

/// Memory now, of its ceiling.
fn memory(trial: &TrialNow) -> String {
    let Some(last) = trial.curve.as_ref().and_then(|curve| curve.last()) else {
        return String::new();
    };
    let now = Bytes(last.memory_bytes / Bytes::KIB * Bytes::KIB);
    match trial.ceiling_bytes {
        Some(ceiling) => format!("{now} / {}", Bytes(ceiling)),
        None => format!("{now}, no ceiling"),
    }
}

/// A span in at most six columns.
fn short_span(ms: u64) -> String {
    match ms {
        0..60_000 => format!("{} s", ms / 1000),
        60_000..3_600_000 => format!("{}m{:02}", ms / 60_000, ms / 1000 % 60),
        _ => time::duration(ms).replace(" h ", "h").replace(" min", ""),
    }
}
