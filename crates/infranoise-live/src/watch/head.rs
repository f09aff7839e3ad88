//! The top: which sweep, how it stands, how far it is.

use infranoise_core::Shown;
use infranoise_report::text::{clean, number, time};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::{Keys, Paint, bar};
use crate::view::View;

/// Two lines: a name, and a bar.
pub(super) fn draw(view: &View, keys: &Keys, paint: Paint, area: Rect, frame: &mut Frame<'_>) {
    let plan = &view.plan;
    let held = if keys.paused() { " (held)" } else { "" };
    let right =
        format!("{}{held}  {} ", view.status.word(), view.spent_ms.map(time::duration).unwrap_or_default());
    let who = format!("  {} on {}", plan.subject, plan.engine);
    let room = usize::from(area.width).saturating_sub(right.chars().count());
    let name = clean::short(plan.sweep.as_str(), 40);
    let left = fit(&format!("{name}{}", clean::line(&who)), room);
    let pad = room.saturating_sub(clean::columns(&left));
    let title = Line::from(vec![
        Span::styled(left, paint.head()),
        Span::raw(" ".repeat(pad)),
        Span::styled(right, paint.head()),
    ]);
    let counted = format!(" {}/{}", view.done, view.planned);
    let width = usize::from(area.width).saturating_sub(counted.len() + 1);
    let mut spans = bar::stacked(&view.shown, view.running.len() as u64, view.planned, width, paint);
    spans.push(Span::styled(counted, paint.head()));
    let lines = vec![title, Line::from(spans), Line::from(words(view))];
    frame.render_widget(Paragraph::new(lines), area);
}

/// How far it is, in words.
pub(super) fn words(view: &View) -> String {
    let mut parts = vec![
        format!("{} done", number::count(view.done)),
        format!("{} running", number::count(view.running.len() as u64)),
        format!("{} pending", number::count(view.pending())),
    ];
    if let Some(coverage) = coverage(view) {
        parts.push(format!("coverage {coverage}"));
    }
    if let Some(left) = view.left_ms.filter(|_| view.status.goes_on()) {
        parts.push(format!("about {} left", time::duration(left)));
    }
    if let Some(says) = view.status.sentence() {
        parts.push(clean::line(&says));
    }
    parts.join(" · ")
}

/// The share of recorded trials whose agent phase started.
pub(super) fn coverage(view: &View) -> Option<String> {
    let recorded: u64 = view.shown.iter().sum();
    let started = recorded - view.count(Shown::NotStarted);
    (recorded > 0).then(|| format!("{} %", number::fixed(started as f64 / recorded as f64 * 100.0, 1)))
}

/// As much of a clean text as fits into so many columns.
pub(super) fn fit(text: &str, columns: usize) -> String {
    if clean::columns(text) <= columns {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut taken = 0;
    for c in text.chars() {
        taken += clean::columns_of(c);
        if taken + 1 > columns {
            break;
        }
        out.push(c);
    }
    out + "…"
}
