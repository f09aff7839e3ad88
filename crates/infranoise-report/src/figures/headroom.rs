//! Success and infra errors against headroom, one above the other on the same arms.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{ArmSummary, Estimate, Rate, ScoreRow};
use infranoise_core::{ScoringRule, Shown};

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::{Bands, Linear, ticks};
use crate::svg::{Anchor, Svg, axis, mark, wrap};
use crate::table::Table;
use crate::text::{number, words};

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "headroom",
    title: "Success and infra errors against headroom",
    question: "Do infra errors fall with headroom, and does success follow?",
    draw,
};

const LEFT: f64 = 56.0;
const RIGHT: f64 = WIDTH - 150.0;

/// One line of a panel: a place per arm, or none where nothing could be observed.
struct Series {
    name: &'static str,
    mark: Shown,
    line: &'static str,
    ink: &'static str,
    shift: f64,
    points: Vec<Option<Estimate>>,
}

impl Series {
    fn scores(rule: ScoringRule, name: &'static str, mark: Shown, arms: &[ArmSummary], shift: f64) -> Self {
        let (line, ink) =
            if mark == Shown::Pass { ("l-pass thin", "t-pass") } else { ("l-fail thin dashed", "t-fail") };
        let points = arms.iter().map(|arm| arm.score(rule).and_then(|row| row.estimate)).collect();
        Self { name, mark, line, ink, shift, points }
    }

    fn rates(
        name: &'static str,
        mark: Shown,
        arms: &[ArmSummary],
        of: fn(&ArmSummary) -> &Rate,
        shift: f64,
    ) -> Self {
        let (line, ink) = if mark == Shown::Ceiling {
            ("l-ceiling thin", "t-ceiling")
        } else {
            ("l-fault thin dashed", "t-fault")
        };
        let seen = |arm: &ArmSummary| Some(of(arm)).filter(|rate| words::observable(rate))?.estimate;
        Self { name, mark, line, ink, shift, points: arms.iter().map(seen).collect() }
    }

    fn draw(&self, svg: &mut Svg, bands: &Bands, y: &Linear, arms: &[ArmSummary]) {
        let place = |i: usize| bands.centre(i) + self.shift;
        let seen: Vec<(usize, Estimate)> =
            self.points.iter().enumerate().filter_map(|(i, point)| point.map(|e| (i, e))).collect();
        let line: Vec<(f64, f64)> = seen.iter().map(|(i, e)| (place(*i), y.at(e.value))).collect();
        svg.polyline(self.line, &line);
        for (i, estimate) in &seen {
            let name = arms.get(*i).map_or("", |arm| arm.name.as_str());
            let title =
                format!("{name}: {} {} %, n = {}", self.name, number::percent_estimate(estimate), estimate.n);
            svg.titled(&title, |svg| {
                let whisker = self.line.replace(" dashed", "");
                svg.line(&whisker, (place(*i), y.at(estimate.low)), (place(*i), y.at(estimate.high)));
                mark::draw(svg, self.mark, place(*i), y.at(estimate.value), 5.0);
            });
        }
    }
}

/// The numbers between which a panel must reach.
fn reach<'s>(series: impl Iterator<Item = &'s Series>) -> Option<(f64, f64)> {
    let ends =
        series.flat_map(|series| &series.points).flatten().map(|estimate| (estimate.low, estimate.high));
    ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// A panel: axis, series, labels at the right end of the lines.
fn panel(
    svg: &mut Svg,
    arms: &[ArmSummary],
    bands: &Bands,
    series: &[Series],
    top: f64,
    from_zero: bool,
    band: Option<(f64, f64)>,
) {
    let bottom = top + 190.0;
    let (mut low, mut high) = reach(series.iter()).unwrap_or((0.0, 1.0));
    if let Some(band) = band {
        (low, high) = (low.min(band.0), high.max(band.1));
    }
    let low = if from_zero { 0.0 } else { low.max(0.0) };
    let lines = ticks(low, high.clamp(low + 0.05, 1.0), 5);
    let ends = (lines.first().copied().unwrap_or(0.0), lines.last().copied().unwrap_or(1.0));
    let y = Linear::new(ends, (bottom, top));
    if let Some(band) = band {
        svg.rect("band", LEFT, y.at(band.1), RIGHT - LEFT, y.at(band.0) - y.at(band.1));
    }
    axis::vertical(svg, &y, &lines, (LEFT, RIGHT), "% of trials", axis::percent_tick);
    for one in series {
        one.draw(svg, bands, &y, arms);
    }
    labels(svg, series, bands, &y);
}

fn labels(svg: &mut Svg, series: &[Series], bands: &Bands, y: &Linear) {
    let last = |one: &Series| one.points.iter().rposition(Option::is_some);
    let ends: Vec<(&Series, usize, Estimate)> = series
        .iter()
        .filter_map(|one| last(one).and_then(|i| Some((one, i, one.points.get(i).copied()??))))
        .collect();
    let wanted: Vec<f64> = ends.iter().map(|(_, _, e)| y.at(e.value) + 4.0).collect();
    for ((one, i, estimate), place) in ends.iter().zip(wrap::spread(&wanted, 16.0)) {
        svg.line(
            "leader",
            (bands.centre(*i) + one.shift + 8.0, y.at(estimate.value)),
            (RIGHT + 4.0, place - 4.0),
        );
        let text = format!("{} {} %", one.name, number::percent(estimate.value));
        svg.text(one.ink, RIGHT + 8.0, place, Anchor::Start, &text);
    }
    for one in series.iter().filter(|one| last(one).is_none()) {
        svg.text(
            one.ink,
            RIGHT + 8.0,
            y.range().1 + 12.0,
            Anchor::Start,
            &format!("{}: not observable", one.name),
        );
    }
}

fn draw(analysis: &Analysis) -> Figure {
    let arms = &analysis.arms;
    if arms.iter().all(|arm| arm.scores.iter().all(|row| row.estimate.is_none())) {
        return SPEC
            .missing("no arm has a score", "It needs at least one recorded trial whose agent phase began.");
    }
    let mut svg = Svg::new(SPEC.id, WIDTH, 580.0);
    let bands = Bands::new(arms.len(), LEFT, RIGHT);
    let margin = analysis.about.margin;
    let first = arms.first().and_then(|arm| arm.score(ScoringRule::Strict)).and_then(|row| row.estimate);
    let band =
        first.filter(|_| arms.len() > 1).map(|e| ((e.value - margin).max(0.0), (e.value + margin).min(1.0)));
    svg.text("head", 12.0, 16.0, Anchor::Start, "Success");
    let success = [
        Series::scores(ScoringRule::Strict, "strict", Shown::Pass, arms, -5.0),
        Series::scores(ScoringRule::ValidOnly, "valid-only", Shown::Fail, arms, 5.0),
    ];
    panel(&mut svg, arms, &bands, &success, 52.0, false, band);
    let counted = |arm: &ArmSummary| arm.score(ScoringRule::Strict).map_or(0, |row: &ScoreRow| row.trials);
    axis::numbers(&mut svg, &bands, 258.0, LEFT - 8.0, &arms.iter().map(counted).collect::<Vec<_>>());
    svg.text("head", 12.0, 296.0, Anchor::Start, "Infra errors");
    let infra = [
        Series::rates("ceiling kills", Shown::Ceiling, arms, |arm| &arm.ceiling_kills, -5.0),
        Series::rates("faults", Shown::Fault, arms, |arm| &arm.faults, 5.0),
    ];
    panel(&mut svg, arms, &bands, &infra, 332.0, true, None);
    axis::numbers(
        &mut svg,
        &bands,
        538.0,
        LEFT - 8.0,
        &arms.iter().map(|arm| arm.ceiling_kills.of).collect::<Vec<_>>(),
    );
    axis::arms(&mut svg, arms, &bands, 540.0);
    SPEC.figure(svg, caption(analysis, first), table(analysis))
}

fn caption(analysis: &Analysis, first: Option<Estimate>) -> String {
    let level = first.map_or(95.0, |estimate| estimate.level * 100.0);
    let band = match analysis.arms.first() {
        Some(arm) if analysis.arms.len() > 1 => format!(
            " The grey band is {} points around the strict score of {}: the margin of equivalence.",
            number::points(analysis.about.margin).replace('+', "±"),
            arm.name
        ),
        _ => String::new(),
    };
    format!(
        "Whiskers are {} % intervals: of scores for tasks like these, of error rates for these tasks. Strict counts every planned \
         trial; valid-only drops faults and what never started. Error rates are out of trials whose agent phase began.{band}",
        number::fixed(level, 0)
    )
}

fn table(analysis: &Analysis) -> Table {
    let mut table = Table::new(&[
        "arm",
        ">strict, %",
        ">n",
        ">valid-only, %",
        ">n",
        ">ceiling kills, %",
        ">faults, %",
        ">n",
    ]);
    for arm in &analysis.arms {
        let score = |rule| match arm.score(rule) {
            Some(row) => {
                (row.estimate.map_or("no trial".to_owned(), |e| number::percent_estimate(&e)), row.trials)
            }
            None => ("not computed".to_owned(), 0),
        };
        let (strict, valid) = (score(ScoringRule::Strict), score(ScoringRule::ValidOnly));
        table.push([
            words::arm(arm),
            strict.0,
            number::count(strict.1),
            valid.0,
            number::count(valid.1),
            words::rate(&arm.ceiling_kills),
            words::rate(&arm.faults),
            number::count(arm.ceiling_kills.of),
        ]);
    }
    table
}
