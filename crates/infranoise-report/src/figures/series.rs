//! Lines over the arms with their intervals, named at their right end instead of in a legend.

use infranoise_analysis::doc::{ArmSummary, Estimate};
use infranoise_core::Shown;

use crate::svg::scale::{Bands, Linear};
use crate::svg::{Anchor, Svg, mark, wrap};
use crate::text::number;

/// One line: a place per arm, or none where nothing could be observed.
pub(super) struct Series {
    /// Its name.
    pub(super) name: &'static str,
    /// Its mark.
    pub(super) mark: Shown,
    /// The class of its line.
    pub(super) line: &'static str,
    /// The class of its name.
    pub(super) ink: &'static str,
    /// The class of the group that it stands in, so that a page can dim it.
    pub(super) group: &'static str,
    /// How far its marks stand beside the middle of an arm, so that whiskers do not hide each other.
    pub(super) shift: f64,
    /// An estimate per arm.
    pub(super) points: Vec<Option<Estimate>>,
}

impl Series {
    /// Draws line, whiskers and marks.
    pub(super) fn draw(&self, svg: &mut Svg, bands: &Bands, y: &Linear, arms: &[ArmSummary]) {
        let place = |i: usize| bands.centre(i) + self.shift;
        let seen = || self.points.iter().enumerate().filter_map(|(i, point)| point.map(|e| (i, e)));
        let line: Vec<(f64, f64)> = seen().map(|(i, e)| (place(i), y.at(e.value))).collect();
        svg.raw(&format!("<g class=\"{}\">", self.group));
        svg.polyline(self.line, &line);
        let whisker = self.line.replace(" dashed", "");
        for (i, e) in seen() {
            let arm = arms.get(i).map_or("", |arm| arm.name.as_str());
            let title = format!("{arm}: {} {} %, n = {}", self.name, number::percent_estimate(&e), e.n);
            svg.titled(&title, |svg| {
                svg.line(&whisker, (place(i), y.at(e.low)), (place(i), y.at(e.high)));
                mark::draw(svg, self.mark, place(i), y.at(e.value), 5.0);
            });
        }
        svg.raw("</g>\n");
    }

    /// The last arm in which it could be observed.
    fn last(&self) -> Option<(usize, Estimate)> {
        self.points.iter().enumerate().rev().find_map(|(i, point)| point.map(|e| (i, e)))
    }
}

/// The numbers between which a panel must reach.
pub(super) fn reach(series: &[Series]) -> Option<(f64, f64)> {
    let ends = series.iter().flat_map(|one| &one.points).flatten().map(|e| (e.low, e.high));
    let ends = ends.filter(|(low, high)| low.is_finite() && high.is_finite());
    ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// Names each line at its right end, with its last number.
pub(super) fn labels(svg: &mut Svg, series: &[Series], bands: &Bands, y: &Linear, right: f64) {
    let ends: Vec<(&Series, usize, f64)> =
        series.iter().filter_map(|one| one.last().map(|(i, e)| (one, i, e.value))).collect();
    let wanted: Vec<f64> = ends.iter().map(|(_, _, value)| y.at(*value) + 4.0).collect();
    for ((one, i, value), place) in ends.iter().zip(wrap::spread(&wanted, 16.0)) {
        let from = (bands.centre(*i) + one.shift + 8.0, y.at(*value));
        svg.line("leader", from, (right + 4.0, place - 4.0));
        let text = format!("{} {} %", one.name, number::percent(*value));
        svg.text(one.ink, right + 8.0, place, Anchor::Start, &text);
    }
    let unseen = series.iter().filter(|one| one.last().is_none());
    for (i, one) in unseen.enumerate() {
        let text = format!("{}: not observable", one.name);
        svg.text(one.ink, right - 8.0, y.range().1 + 16.0 + 18.0 * i as f64, Anchor::End, &text);
    }
}
