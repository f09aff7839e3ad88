//! Side by side: what ended trials, and how hard the host is pressed.

use infranoise_core::Shown;
use infranoise_report::text::number;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::head::fit;
use super::{Paint, bar};
use crate::pressure::{KINDS, Kind, Reading};
use crate::view::{CauseNow, View};

/// How many lines both sides take.
pub(super) const HEIGHT: u16 = 6;

pub(super) fn draw(view: &View, paint: Paint, area: Rect, frame: &mut Frame<'_>) {
    let half = Constraint::Percentage(50);
    let [left, right] = Layout::horizontal([half, half]).spacing(2).areas(area);
    frame.render_widget(Paragraph::new(causes(view, paint, left)), left);
    frame.render_widget(Paragraph::new(host(view, paint, right)), right);
}

fn causes(view: &View, paint: Paint, area: Rect) -> Vec<Line<'static>> {
    let wide = usize::from(area.width);
    let mut lines = vec![Line::styled("Infra errors by cause", paint.head())];
    if view.causes.is_empty() {
        lines.push(Line::styled("none so far", paint.dim()));
        return lines;
    }
    let room = usize::from(area.height).saturating_sub(2);
    let shown = if view.causes.len() <= room + 1 { view.causes.len() } else { room };
    for cause in view.causes.iter().take(shown) {
        let name = fit(&cause_words(cause), wide.saturating_sub(8));
        let line = vec![
            Span::styled(format!("{} ", bar::sign(cause.shown)), paint.outcome(cause.shown)),
            Span::raw(format!("{:>4} {name}", number::count(cause.count()))),
        ];
        lines.push(Line::from(line));
    }
    if shown < view.causes.len() {
        let rest: u64 = view.causes.iter().skip(shown).map(CauseNow::count).sum();
        lines.push(Line::styled(format!("  {rest:>4} by other causes"), paint.dim()));
    }
    lines
}

/// A cause in words; an outcome of its own name is not said twice.
pub(crate) fn cause_words(cause: &CauseNow) -> String {
    let phase = cause.phase.map(|phase| format!(" ({phase})")).unwrap_or_default();
    match cause.shown {
        Shown::Ceiling | Shown::Fault => format!("{}: {}{phase}", cause.blame, cause.cause),
        Shown::Pass | Shown::Fail | Shown::Undetermined | Shown::NotStarted => {
            format!("{}: {}{phase}", cause.shown, cause.cause)
        }
    }
}

fn host(view: &View, paint: Paint, area: Rect) -> Vec<Line<'static>> {
    let wide = usize::from(area.width);
    let here = view.pressure.now();
    let heading = match (here, view.pressure_in_records) {
        (Some(_), _) => "Host pressure, last 10 s",
        (None, Some(_)) => "Host pressure, in the last trials",
        (None, None) => "Host pressure",
    };
    let mut lines = vec![Line::styled(heading, paint.head())];
    match here.or(view.pressure_in_records) {
        Some(reading) => lines.extend(readings(view, reading, wide, paint)),
        None => lines.push(Line::styled("not counted where this runs", paint.dim())),
    }
    lines
}

fn readings(view: &View, reading: Reading, wide: usize, paint: Paint) -> Vec<Line<'static>> {
    let line = |kind: Kind| {
        let value = (kind.of)(&reading);
        let past: Vec<f64> = view.pressure.readings().map(kind.of).collect();
        let style = if value > 0.5 { paint.alarm() } else { ratatui::style::Style::new() };
        Line::from(vec![
            Span::raw(format!("{:7}", kind.name)),
            Span::styled(format!("{:>5} %  ", number::percent(value)), style),
            Span::styled(bar::spark(&past, 1.0, wide.saturating_sub(17)), paint.dim()),
        ])
    };
    KINDS.into_iter().map(line).collect()
}
