//! How large must a gap be before it means something?

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{Estimate, NoiseFloor};

use super::{Figure, FigureSpec, WIDTH};
use crate::find;
use crate::svg::scale::{Linear, ticks};
use crate::svg::{Anchor, Svg, axis};
use crate::table::Table;
use crate::text::number;

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "noise-floor",
    title: "Noise floor",
    question: "How large must a gap between two scores be before it means something?",
    draw,
};

const LEFT: f64 = 24.0;
const RIGHT: f64 = WIDTH - 24.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 80.0;

/// The difference that this sweep itself found between its outermost arms.
fn needle(analysis: &Analysis) -> Option<(String, Estimate)> {
    let last = analysis.arms.last()?;
    let comparison = find::against_first(analysis, &last.name)?;
    let effect = find::strict(comparison)?.these_tasks.test.as_ref()?.effect;
    effect.value.is_finite().then(|| (format!("{} against {}", comparison.arm, comparison.base), effect))
}

fn draw(analysis: &Analysis) -> Figure {
    let Some(floor) = analysis
        .noise_floor
        .as_ref()
        .filter(|floor| floor.matched.is_finite() && floor.unmatched.is_finite())
    else {
        let why = analysis
            .absent
            .get("noise_floor")
            .cloned()
            .unwrap_or_else(|| "the noise of repeats could not be estimated".to_owned());
        return SPEC.missing(&why, "At least two repeats of several tasks in one arm fill it.");
    };
    let needle = needle(analysis);
    let needle_end = needle.as_ref().map_or(0.0, |(_, e)| e.value.abs().max(e.high.abs()));
    let far = (floor.unmatched.max(needle_end).max(floor.detectable) * 1.15).clamp(0.05, 1.0);
    let lines = ticks(0.0, far, 8);
    let x = Linear::new((0.0, lines.last().copied().unwrap_or(1.0)), (LEFT, RIGHT));
    let mut svg = Svg::new(SPEC.id, WIDTH, BOTTOM + 86.0);
    let zones = [
        (0.0, floor.matched, "heat h0", "can't tell"),
        (floor.matched, floor.unmatched, "heat h1", "real only if machines match"),
        (floor.unmatched, x.domain().1, "heat h4", "real"),
    ];
    for (from, to, class, name) in zones {
        let (left, right) = (x.at(from), x.at(to));
        svg.rect(class, left, TOP, right - left, BOTTOM - TOP);
        let ink = if class.ends_with("h4") { "strong on" } else { "strong" };
        if right - left > crate::svg::wrap::width(name, 12.0) + 10.0 {
            svg.text(ink, (left + right) / 2.0, TOP + 22.0, Anchor::Middle, name);
        }
    }
    for (at, name) in [(floor.matched, "matched"), (floor.unmatched, "unmatched")] {
        svg.line("ink-line", (x.at(at), TOP - 6.0), (x.at(at), BOTTOM));
        let text = format!("{name} {}", number::fixed(at * 100.0, 1));
        let anchor = if x.at(at) > RIGHT - 60.0 { Anchor::End } else { Anchor::Start };
        svg.text(
            "tick",
            x.at(at) - if anchor == Anchor::Start { 2.0 } else { -2.0 },
            TOP - if name == "matched" { 12.0 } else { 26.0 },
            anchor,
            &text,
        );
    }
    let places: Vec<(f64, String)> =
        lines.iter().map(|tick| (x.at(*tick), axis::percent_tick(*tick))).collect();
    axis::horizontal(
        &mut svg,
        &places,
        (BOTTOM, BOTTOM),
        "size of a gap between two scores, points",
        (LEFT + RIGHT) / 2.0,
    );
    if let Some((name, effect)) = &needle {
        draw_needle(&mut svg, &x, name, effect);
    }
    SPEC.figure(svg, caption(analysis, floor), table(analysis, floor, needle.as_ref()))
}

/// This sweep's own widest difference, as an example on the scale.
fn draw_needle(svg: &mut Svg, x: &Linear, name: &str, effect: &Estimate) {
    let at = x.at(effect.value.abs());
    let (low, high) = if effect.low <= 0.0 && effect.high >= 0.0 {
        (0.0, effect.low.abs().max(effect.high.abs()))
    } else {
        (effect.low.abs().min(effect.high.abs()), effect.low.abs().max(effect.high.abs()))
    };
    let y = BOTTOM + 52.0;
    svg.line("l-pass", (x.at(low), y), (x.at(high), y));
    svg.rect("o-pass", at - 4.0, y - 4.0, 8.0, 8.0);
    let text = format!("here, {name}: {} points", number::points_estimate(effect));
    let anchor = if at > WIDTH * 0.42 { Anchor::End } else { Anchor::Start };
    svg.text("label", at, y + 20.0, anchor, &text);
}

fn caption(analysis: &Analysis, floor: &NoiseFloor) -> String {
    format!(
        "For {} tasks and {} of each. Below the matched floor a gap can't be told from the noise of repeats; between the floors it is real only if both \
         results ran on machines that are known to match; the unmatched floor allows for {} points, the largest shift that this sweep cannot exclude between its arms. \
         This design itself finds {} points with 80 % power.",
        number::count(analysis.about.tasks),
        number::plural(u64::from(analysis.about.repeats), "repeat"),
        number::fixed(floor.infra_shift * 100.0, 1),
        number::fixed(floor.detectable * 100.0, 1),
    )
}

fn table(analysis: &Analysis, floor: &NoiseFloor, needle: Option<&(String, Estimate)>) -> Table {
    let mut table = crate::tables::noise_floor(analysis);
    if table.rows.is_empty() {
        table.push(["noise floor".to_owned(), number::fixed(floor.matched * 100.0, 1)]);
    }
    if let Some((name, effect)) = needle {
        table.push([format!("difference found here, {name}"), number::points_estimate(effect)]);
    }
    table
}
