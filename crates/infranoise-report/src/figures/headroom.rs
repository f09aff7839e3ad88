//! Success and infra errors against headroom, one above the other on the same arms.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{ArmSummary, Rate};
use infranoise_core::{ScoringRule, Shown};

use super::series::{self, Series};
use super::{Figure, FigureSpec, WIDTH};
use crate::find;
use crate::svg::scale::{Bands, Linear, ticks};
use crate::svg::{Anchor, Svg, axis};
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

fn scores(rule: ScoringRule, name: &'static str, mark: Shown, arms: &[ArmSummary], shift: f64) -> Series {
    let (line, ink) =
        if mark == Shown::Pass { ("l-pass thin", "t-pass") } else { ("l-fail thin dashed", "t-fail") };
    let points = arms.iter().map(|arm| arm.score(rule).and_then(|row| row.estimate)).collect();
    Series {
        name,
        mark,
        line,
        ink,
        group: if rule == ScoringRule::Strict { "r-strict" } else { "r-valid" },
        shift,
        points,
    }
}

fn rates(
    name: &'static str,
    mark: Shown,
    arms: &[ArmSummary],
    of: fn(&ArmSummary) -> &Rate,
    shift: f64,
) -> Series {
    let (line, ink) = if mark == Shown::Ceiling {
        ("l-ceiling thin", "t-ceiling")
    } else {
        ("l-fault thin dashed", "t-fault")
    };
    let seen = |arm: &ArmSummary| Some(of(arm)).filter(|rate| words::observable(rate))?.estimate;
    Series { name, mark, line, ink, group: "rates", shift, points: arms.iter().map(seen).collect() }
}

/// A grey band with its words.
struct Band {
    low: f64,
    high: f64,
    says: String,
}

/// One of the two panels.
struct Panel<'a> {
    heading: &'static str,
    unit: &'static str,
    top: f64,
    from_zero: bool,
    band: Option<Band>,
    numbers: Vec<u64>,
    series: &'a [Series],
}

impl Panel<'_> {
    /// Draws axis, series, names at the right end of the lines and the numbers of trials.
    fn draw(&self, svg: &mut Svg, arms: &[ArmSummary], bands: &Bands) {
        let (top, bottom) = (self.top + 36.0, self.top + 226.0);
        let (mut low, mut high) = series::reach(self.series).unwrap_or((0.0, 1.0));
        if let Some(band) = &self.band {
            (low, high) = (low.min(band.low), high.max(band.high));
        }
        let low = if self.from_zero { 0.0 } else { low.clamp(0.0, 0.95) };
        let lines = ticks(low, high.clamp(low + 0.05, 1.0), 5);
        let ends = (lines.first().copied().unwrap_or(0.0), lines.last().copied().unwrap_or(1.0));
        let y = Linear::new(ends, (bottom, top));
        svg.text("head", 12.0, self.top, Anchor::Start, self.heading);
        if let Some(band) = &self.band {
            svg.rect("band", LEFT, y.at(band.high), RIGHT - LEFT, y.at(band.low) - y.at(band.high));
        }
        axis::vertical(svg, &y, &lines, (LEFT, RIGHT), self.unit, axis::percent_tick);
        for one in self.series {
            one.draw(svg, bands, &y, arms);
        }
        if let Some(band) = &self.band {
            let between = bands.start(arms.len().saturating_sub(1));
            svg.text("tick", between, y.at(band.low) - 4.0, Anchor::Middle, &band.says);
        }
        series::labels(svg, self.series, bands, &y, RIGHT);
        axis::numbers(svg, bands, bottom + 22.0, LEFT - 8.0, &self.numbers);
    }
}

/// The margin of equivalence around the first arm's strict score.
fn margin(analysis: &Analysis) -> Option<Band> {
    let first = find::first_arm(analysis).filter(|_| analysis.arms.len() > 1)?;
    let score = first.score(ScoringRule::Strict)?.estimate?.value;
    let margin = analysis.about.margin;
    let says = format!("±{} points", axis::percent_tick(margin));
    Some(Band { low: (score - margin).max(0.0), high: (score + margin).min(1.0), says })
}

fn draw(analysis: &Analysis) -> Figure {
    let arms = &analysis.arms;
    if arms.iter().all(|arm| arm.scores.iter().all(|row| row.estimate.is_none())) {
        return SPEC
            .missing("no arm has a score", "It needs at least one recorded trial whose agent phase began.");
    }
    let mut svg = Svg::new(SPEC.id, WIDTH, 604.0);
    let bands = Bands::new(arms.len(), LEFT, RIGHT);
    Panel {
        heading: "Success",
        unit: "% (mean over tasks)",
        top: 16.0,
        from_zero: false,
        band: margin(analysis),
        numbers: arms.iter().map(|arm| arm.score(ScoringRule::Strict).map_or(0, |row| row.trials)).collect(),
        series: &[
            scores(ScoringRule::Strict, "strict", Shown::Pass, arms, -5.0),
            scores(ScoringRule::ValidOnly, "valid-only", Shown::Fail, arms, 5.0),
        ],
    }
    .draw(&mut svg, arms, &bands);
    Panel {
        heading: "Infra errors",
        unit: "% of trials whose agent phase began",
        top: 306.0,
        from_zero: true,
        band: None,
        numbers: arms.iter().map(|arm| arm.ceiling_kills.of).collect(),
        series: &[
            rates("ceiling kills", Shown::Ceiling, arms, |arm| &arm.ceiling_kills, -5.0),
            rates("faults", Shown::Fault, arms, |arm| &arm.faults, 5.0),
        ],
    }
    .draw(&mut svg, arms, &bands);
    axis::arms(&mut svg, arms, &bands, 562.0);
    SPEC.figure(svg, caption(analysis), table(analysis))
}

fn caption(analysis: &Analysis) -> String {
    let band = match margin(analysis) {
        Some(_) => format!(
            " The grey band is the margin of equivalence around {}.",
            find::first_arm(analysis).map_or("", |arm| arm.name.as_str())
        ),
        None => String::new(),
    };
    format!(
        "Whiskers are {} % intervals: of scores for tasks like these, of error rates for these tasks. Strict counts every planned trial; \
         valid-only drops faults and what never started. n is the number of trials that count.{band}",
        find::level(analysis)
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
            Some(row) => (words::score(Some(row)), row.trials),
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
