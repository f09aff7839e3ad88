//! Arms: how far each is, how its trials ended, and its two rates as of the last analysis.

use infranoise_core::{ScoringRule, Shown};
use infranoise_report::text::words;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::head::fit;
use super::{Paint, bar};
use crate::view::{ArmNow, View};

/// The columns that stand on the narrowest screen: name, done, bar, running, six outcomes.
const NAME: usize = 11;
const BAR: usize = 14;

/// How many lines arms take, with their heading.
pub(super) fn height(view: &View) -> u16 {
    u16::try_from(view.arms.len()).unwrap_or(u16::MAX).saturating_add(1)
}

pub(super) fn draw(view: &View, paint: Paint, area: Rect, frame: &mut Frame<'_>) {
    let wide = usize::from(area.width);
    let mut head = format!("{:NAME$}{:>9} {:BAR$} {:>3}", "arm", "done", "", "run");
    for shown in Shown::ALL {
        head += &format!("{:>5}", words::look(shown).letter);
    }
    head += rate_heads(wide);
    let mut lines = vec![Line::styled(fit(&head, wide), paint.dim())];
    let room = usize::from(area.height).saturating_sub(1);
    let fits = view.arms.len() <= room;
    let shown = if fits { view.arms.len() } else { room.saturating_sub(1) };
    lines.extend(view.arms.iter().take(shown).map(|arm| row(view, arm, wide, paint)));
    if !fits {
        lines.push(Line::styled(format!("… and {} more arms", view.arms.len() - shown), paint.dim()));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

fn rate_heads(wide: usize) -> &'static str {
    match wide {
        116.. => "   infra errors, % [95]     strict score, % [95]",
        92.. => "   infra errors, % [95]",
        _ => "  infra, %",
    }
}

fn row(view: &View, arm: &ArmNow, wide: usize, paint: Paint) -> Line<'static> {
    let name = fit(&arm.name, NAME - 1);
    let mut spans = vec![Span::raw(format!("{name:NAME$}{:>9} ", format!("{}/{}", arm.done, arm.planned)))];
    spans.extend(bar::stacked(&arm.shown, arm.running, arm.planned, BAR, paint));
    spans.push(Span::raw(format!(" {:>3}", arm.running)));
    for shown in Shown::ALL {
        let count = arm.shown[shown as usize];
        let style = if count > 0 { paint.outcome(shown) } else { paint.dim() };
        spans.push(Span::styled(format!("{count:>5}"), style));
    }
    spans.push(Span::raw(rates(view, arm, wide)));
    Line::from(spans)
}

/// Rates as of the last analysis: of recorded trials, with their intervals where there is room.
fn rates(view: &View, arm: &ArmNow, wide: usize) -> String {
    let Some((analysis, _)) = &view.analysis else { return String::new() };
    let Some(summary) = analysis.arms.iter().find(|summary| summary.name.as_str() == arm.name) else {
        return String::new();
    };
    if arm.done == 0 {
        return String::new();
    }
    let infra = words::rate(&summary.infra_errors);
    // Only an arm that is whole has a strict score: a trial that is not recorded yet would count as failed.
    let strict = match summary.not_recorded {
        0 => words::score(summary.score(ScoringRule::Strict)),
        _ => "when it is whole".to_owned(),
    };
    match wide {
        116.. => format!("   {infra:<22}   {strict}"),
        92.. => format!("   {infra}"),
        _ => format!("{:>10}", infra.split(" [").next().unwrap_or_default()),
    }
}
