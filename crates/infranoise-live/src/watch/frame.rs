//! One picture of the screen, from a view and the keys pressed so far.

use infranoise_report::text::clean;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::keys::HELP;
use super::{Keys, Paint, arms, head, running, sides};
use crate::view::View;

/// Draws everything.
pub fn draw(view: &View, keys: &Keys, paint: Paint, frame: &mut Frame<'_>) {
    let area = frame.area();
    let complaints = u16::try_from(view.complaints.len()).unwrap_or(u16::MAX).min(3);
    // What matters most stays on a small screen: the head, some arms, some running trials, the keys.
    let rest = area.height.saturating_sub(3 + complaints + 1);
    let sides = if rest >= 18 { sides::HEIGHT } else { 0 };
    let gap = u16::from(rest > 8);
    let look = u16::from(view.monitor.is_some() && sides > 0);
    let arms = arms::height(view).min(rest.saturating_sub(sides + look + 3 * gap + 4).max(2));
    let [top, wrong, _, middle, _, both, looked, _, below, foot] = Layout::vertical([
        Constraint::Length(3),
        Constraint::Length(complaints),
        Constraint::Length(gap),
        Constraint::Length(arms),
        Constraint::Length(gap),
        Constraint::Length(sides),
        Constraint::Length(look),
        Constraint::Length(gap.min(sides)),
        Constraint::Fill(1),
        Constraint::Length(u16::from(keys.any())),
    ])
    .areas(area);
    head::draw(view, keys, paint, top, frame);
    let lines: Vec<Line<'_>> = view
        .complaints
        .iter()
        .map(|says| Line::styled(format!("! {}", clean::line(says)), paint.alarm()))
        .collect();
    frame.render_widget(Paragraph::new(lines), wrong);
    self::arms::draw(view, paint, middle, frame);
    self::sides::draw(view, paint, both, frame);
    if let Some(says) = &view.monitor {
        let says = head::fit(&clean::line(says), usize::from(looked.width).saturating_sub(9));
        let line = Line::from(vec![Span::styled("Monitor  ", paint.head()), Span::raw(says)]);
        frame.render_widget(Paragraph::new(line), looked);
    }
    running::draw(view, keys, paint, below, frame);
    frame.render_widget(Paragraph::new(foot_words(keys, paint, usize::from(area.width))), foot);
    if keys.help() {
        help(paint, area, frame);
    }
}

fn foot_words(keys: &Keys, paint: Paint, wide: usize) -> Line<'static> {
    let hold = if keys.paused() { "go on" } else { "hold" };
    let pairs = [("q", "quit"), ("p", hold), ("↑↓", "scroll"), ("?", "all keys")];
    let mut spans = Vec::new();
    for (key, does) in pairs {
        spans.push(Span::styled(key, paint.head()));
        spans.push(Span::styled(format!(" {does}   "), paint.dim()));
    }
    let says = "reads only: the sweep does not notice";
    let taken: usize = spans.iter().map(Span::width).sum();
    if taken + says.len() <= wide {
        spans.push(Span::styled(says, paint.dim()));
    }
    Line::from(spans)
}

fn help(paint: Paint, area: Rect, frame: &mut Frame<'_>) {
    let wide = 64.min(area.width);
    let high = (HELP.len() as u16 + 4).min(area.height);
    let place = Rect { x: (area.width - wide) / 2, y: (area.height - high) / 2, width: wide, height: high };
    let mut lines: Vec<Line<'_>> = HELP
        .iter()
        .map(|(key, does)| {
            Line::from(vec![Span::styled(format!(" {key:16}"), paint.head()), Span::raw(*does)])
        })
        .collect();
    lines.push(Line::raw(""));
    lines.push(Line::styled(" Bars: █ pass ░ fail ▲ ceiling ✕ fault ? undeterm. ○ not started", paint.dim()));
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" Keys ")), place);
}
