//! Figures: each answers one question, says its units and numbers of trials, and has a table that says the same.
//!
//! To add one: a file with a [`FigureSpec`] and its `draw`, a line in [`FIGURES`], a snapshot.

use infranoise_analysis::Analysis;

use crate::svg::palette::{self, Theme};
use crate::svg::{Anchor, Svg, wrap};
use crate::table::Table;

mod apart;
mod balance;
mod boxes;
mod causes;
mod ceilings;
mod clocks;
mod costs;
mod deadlines;
mod decomposition;
mod demand;
mod ecdf;
mod egress;
mod flips;
mod forest;
mod gauge;
mod groups;
mod headroom;
mod heat_map;
mod latency;
mod monitor;
mod needs;
mod peaks;
mod phases;
mod series;
mod settings;
mod strategies;
mod throttling;
mod timeline;
mod turning;
pub(crate) mod verdict;
mod verifiers;

/// A picture with its words and its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// A short name, stable across versions; also its anchor in the page.
    pub id: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// The question that it answers.
    pub question: &'static str,
    /// The drawing; its colours are classes of the page's stylesheet.
    pub svg: String,
    /// How to read it: units, intervals, denominators.
    pub caption: String,
    /// The same numbers as words.
    pub table: Table,
    /// Whether its data is missing, so that the drawing only says what would provide it.
    pub missing: bool,
}

impl Figure {
    /// The drawing as a file of its own.
    #[must_use]
    pub fn file(&self, theme: Theme) -> String {
        palette::standalone(&self.svg, theme)
    }
}

/// A figure before there is data.
pub struct FigureSpec {
    /// A short name, stable across versions.
    pub id: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// The question that it answers.
    pub question: &'static str,
    /// Draws it.
    pub draw: fn(&Analysis) -> Figure,
}

/// Every figure, in the order of the page.
pub const FIGURES: &[FigureSpec] = &[
    verdict::SPEC,
    headroom::SPEC,
    forest::SPEC,
    heat_map::SPEC,
    decomposition::SPEC,
    turning::SPEC,
    flips::SPEC,
    causes::SPEC,
    phases::SPEC,
    verifiers::SPEC,
    strategies::SPEC,
    peaks::SPEC,
    needs::SPEC,
    demand::SPEC,
    ecdf::SPEC,
    timeline::SPEC,
    groups::HOURS,
    clocks::SPEC,
    deadlines::SPEC,
    throttling::SPEC,
    latency::SPEC,
    gauge::SPEC,
    apart::SPEC,
    monitor::SPEC,
    settings::SPEC,
    balance::SPEC,
    groups::CONCURRENCY,
    egress::SPEC,
    costs::SPEC,
];

/// The chapters of the page: heading, and the figure that begins it. The verdict stands before the first.
pub const CHAPTERS: &[(&str, &str)] = &[
    ("Did resources move the score?", "headroom"),
    ("What ended trials", "causes"),
    ("Memory", "peaks"),
    ("Time", "timeline"),
    ("Can the numbers be believed?", "noise-floor"),
];

/// The width of every figure, in its own units.
pub(crate) const WIDTH: f64 = 760.0;

impl FigureSpec {
    /// The figure of this name.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Self> {
        FIGURES.iter().find(|spec| spec.id == id)
    }

    /// A finished figure.
    fn figure(&self, svg: Svg, caption: impl Into<String>, table: Table) -> Figure {
        let label = format!("{}. {}", self.title, self.question);
        Figure {
            id: self.id,
            title: self.title,
            question: self.question,
            svg: svg.finish(&label),
            caption: caption.into(),
            table,
            missing: false,
        }
    }

    /// What stands in a figure's place where its data is missing, with what would provide it.
    fn missing(&self, lacks: &str, remedy: &str) -> Figure {
        let mut svg = Svg::new(self.id, WIDTH, 96.0);
        svg.rect("panel", 0.0, 0.0, WIDTH, 96.0);
        let says = format!("Nothing to draw: {lacks}");
        svg.text("head", 24.0, 36.0, Anchor::Start, &wrap::fit(&says, 13.0, WIDTH - 48.0));
        for (i, line) in wrap::lines(remedy, 12.0, WIDTH - 48.0).iter().take(2).enumerate() {
            svg.text("tick", 24.0, 58.0 + 16.0 * i as f64, Anchor::Start, line);
        }
        let caption = format!("Nothing to draw: {lacks}. {remedy}");
        Figure { missing: true, ..self.figure(svg, caption, Table::default()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_questions_are_questions() {
        let ids: BTreeSet<_> = FIGURES.iter().map(|spec| spec.id).collect();
        assert_eq!(ids.len(), FIGURES.len());
        for spec in FIGURES {
            assert!(spec.question.ends_with('?'), "{}", spec.id);
            assert!(FigureSpec::find(spec.id).is_some_and(|found| found.title == spec.title));
        }
        let places: Vec<_> =
            CHAPTERS.iter().map(|(_, id)| FIGURES.iter().position(|spec| spec.id == *id)).collect();
        assert!(
            places.iter().all(Option::is_some) && places.is_sorted(),
            "chapters begin with figures, in order"
        );
    }
}
