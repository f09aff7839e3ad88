//! The answer at a glance: the headline and four numbers.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{ArmSummary, Estimate};
use infranoise_core::ScoringRule;

use super::{Figure, FigureSpec, WIDTH};
use crate::find;
use crate::svg::{Anchor, Svg, wrap};
use crate::table::Table;
use crate::text::{number, words};

pub(super) const SPEC: FigureSpec =
    FigureSpec { id: "verdict", title: "Verdict", question: "What does this sweep say, in one look?", draw };

/// One number with what it is and what limits it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tile {
    pub(crate) label: &'static str,
    pub(crate) value: String,
    pub(crate) detail: String,
}

fn ends(analysis: &Analysis) -> Option<(&ArmSummary, Option<&ArmSummary>)> {
    let first = analysis.arms.first()?;
    Some((first, analysis.arms.last().filter(|last| last.name != first.name)))
}

/// A number in the first and in the last arm, with both intervals.
fn pair(
    first: (&ArmSummary, Option<Estimate>),
    last: Option<(&ArmSummary, Option<Estimate>)>,
) -> (String, String) {
    let value = |e: Option<Estimate>| e.map_or("?".to_owned(), |e| format!("{} %", number::percent(e.value)));
    let detail = |(arm, e): (&ArmSummary, Option<Estimate>)| {
        let interval = e.map_or("no trial".to_owned(), |e| number::percent_interval(&e));
        format!("{} {interval}", arm.name)
    };
    match last {
        _ if first.1.is_none() && last.is_none_or(|last| last.1.is_none()) => {
            ("no trial".to_owned(), String::new())
        }
        Some(last) => (
            format!("{} → {}", value(first.1), value(last.1)),
            format!("{} → {}", detail(first), detail(last)),
        ),
        None => (value(first.1), detail(first)),
    }
}

fn infra(analysis: &Analysis) -> Option<Tile> {
    let (first, last) = ends(analysis)?;
    let label = "Infra errors";
    if !words::observable(&first.infra_errors) {
        let detail = "what ended trials cannot be seen here".to_owned();
        return Some(Tile { label, value: "not observable".to_owned(), detail });
    }
    let seen = |arm: &ArmSummary| arm.infra_errors.estimate.filter(|_| words::observable(&arm.infra_errors));
    let (value, detail) = pair((first, seen(first)), last.map(|arm| (arm, seen(arm))));
    Some(Tile { label, value, detail })
}

fn score(analysis: &Analysis) -> Option<Tile> {
    let (first, last) = ends(analysis)?;
    let strict = |arm: &ArmSummary| arm.score(ScoringRule::Strict).and_then(|row| row.estimate);
    let (value, mut detail) = pair((first, strict(first)), last.map(|arm| (arm, strict(arm))));
    let difference = last.and_then(|last| find::against_first(analysis, &last.name)).and_then(find::strict);
    if let Some(difference) = difference {
        let effect = difference.these_tasks.test.as_ref();
        let effect =
            effect.map(|test| format!("{} points on these tasks: ", number::points_estimate(&test.effect)));
        detail = format!("{}{}", effect.unwrap_or_default(), difference.verdict.says);
    }
    Some(Tile { label: "Strict score", value, detail })
}

fn coverage(analysis: &Analysis) -> Option<Tile> {
    let least = analysis.arms.iter().min_by(|a, b| a.coverage.total_cmp(&b.coverage))?;
    let is_alike = analysis.arms.iter().all(|arm| arm.coverage <= least.coverage);
    let which = if is_alike { "in every arm".to_owned() } else { format!("in {}, the lowest", least.name) };
    let detail = format!("of planned trials began their agent phase, {which}");
    Some(Tile { label: "Coverage", value: format!("{} %", number::percent(least.coverage)), detail })
}

fn noise_floor(analysis: &Analysis) -> Tile {
    let label = "Noise floor";
    match &analysis.noise_floor {
        Some(floor) => Tile {
            label,
            value: format!("{} points", number::fixed(floor.matched * 100.0, 1)),
            detail: format!(
                "smallest score difference that can be told from none; {} if the other's machine is not known to match",
                number::fixed(floor.unmatched * 100.0, 1)
            ),
        },
        None => Tile {
            label,
            value: "unknown".to_owned(),
            detail: analysis
                .absent
                .get("noise_floor")
                .cloned()
                .unwrap_or_else(|| "it could not be estimated from these trials".to_owned()),
        },
    }
}

/// The four numbers.
pub(crate) fn tiles(analysis: &Analysis) -> Vec<Tile> {
    let known = [infra(analysis), score(analysis), coverage(analysis)];
    known.into_iter().flatten().chain([noise_floor(analysis)]).collect()
}

fn draw(analysis: &Analysis) -> Figure {
    let mut svg = Svg::new(SPEC.id, WIDTH, 0.0);
    // Bold type is wider than the writer's guess, so it wraps as if it were larger.
    let headline = wrap::lines(&words::sentence(&analysis.answer.headline), 26.0, WIDTH - 48.0);
    let headline = headline.get(..headline.len().min(4)).unwrap_or_default();
    for (i, line) in headline.iter().enumerate() {
        svg.text("big", 24.0, 40.0 + 28.0 * i as f64, Anchor::Start, line);
    }
    let top = 40.0 + 28.0 * headline.len() as f64;
    let tiles = tiles(analysis);
    let step = (WIDTH - 48.0) / tiles.len().max(1) as f64;
    let mut table = Table::new(&["number", "value", "limits"]);
    let mut bottom = top + 60.0;
    for (i, tile) in tiles.iter().enumerate() {
        let x = 24.0 + step * i as f64;
        svg.line("rule", (x, top), (x + step - 20.0, top));
        svg.text("tick", x, top + 20.0, Anchor::Start, tile.label);
        svg.text("head", x, top + 42.0, Anchor::Start, &tile.value);
        for (j, line) in wrap::lines(&tile.detail, 10.5, step - 24.0).iter().take(6).enumerate() {
            let y = top + 60.0 + 14.0 * j as f64;
            svg.text("tick small", x, y, Anchor::Start, line);
            bottom = bottom.max(y);
        }
        table.push([tile.label.to_owned(), tile.value.clone(), tile.detail.clone()]);
    }
    if analysis.about.staged {
        bottom += 30.0;
        svg.text(
            "tick",
            24.0,
            bottom,
            Anchor::Start,
            "Staged demo: probes with a designed truth, in a composed mix.",
        );
    }
    svg.set_height(bottom + 20.0);
    SPEC.figure(svg, analysis.answer.sentences.join(" "), table)
}
