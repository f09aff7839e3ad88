//! The turning point: where success begins to rise faster than infra errors fall.

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{ArmSummary, TurningPoint};
use infranoise_core::Shown;

use super::{Figure, FigureSpec, WIDTH};
use crate::svg::scale::{Bands, Linear, ticks};
use crate::svg::{Anchor, Svg, axis, mark};
use crate::table::Table;
use crate::text::{number, words};

pub(super) const SPEC: FigureSpec = FigureSpec {
    id: "turning-point",
    title: "Turning point",
    question: "Above which headroom does success rise faster than infra errors fall?",
    draw,
};

const LEFT: f64 = 56.0;
const RIGHT: f64 = WIDTH - 150.0;

fn share(turning: &TurningPoint, arm: &ArmSummary) -> f64 {
    turning.shares.iter().find(|(name, _)| name == &arm.name).map_or(0.0, |(_, share)| *share)
}

fn draw(analysis: &Analysis) -> Figure {
    let Some(turning) = &analysis.turning_point else {
        return SPEC.missing(
            "there is no turning point to look for",
            "It needs at least three arms in order, with trials in each.",
        );
    };
    let arms = &analysis.arms;
    let rate = |arm: &ArmSummary| {
        turning.agent_failure_rates.iter().find(|(name, _)| name == &arm.name).map(|(_, rate)| *rate)
    };
    let interval =
        |arm: &ArmSummary| arm.agent_failures.estimate.filter(|_| words::observable(&arm.agent_failures));
    let ends = arms.iter().flat_map(|arm| {
        rate(arm)
            .into_iter()
            .chain(interval(arm).into_iter().flat_map(|e| [e.low, e.high]))
            .collect::<Vec<_>>()
    });
    let (low, high) = ends.fold((1.0, 0.0), |(low, high): (f64, f64), end| (low.min(end), high.max(end)));
    let lines = ticks(low.min(high), high.max(low + 0.02), 5);
    let bands = Bands::new(arms.len(), LEFT, RIGHT);
    let y = Linear::new(
        (lines.first().copied().unwrap_or(0.0), lines.last().copied().unwrap_or(1.0)),
        (190.0, 40.0),
    );
    let mut svg = Svg::new(SPEC.id, WIDTH, 350.0);
    svg.text("head", 12.0, 14.0, Anchor::Start, "Agent failures");
    axis::vertical(&mut svg, &y, &lines, (LEFT, RIGHT), "% of trials", axis::percent_tick);
    let places: Vec<(f64, f64)> =
        arms.iter().enumerate().filter_map(|(i, arm)| Some((bands.centre(i), y.at(rate(arm)?)))).collect();
    svg.polyline("l-fail thin", &places);
    for (i, arm) in arms.iter().enumerate() {
        let Some(value) = rate(arm) else { continue };
        let x = bands.centre(i);
        if let Some(e) = interval(arm) {
            svg.line("l-fail thin", (x, y.at(e.low)), (x, y.at(e.high)));
        }
        mark::draw(&mut svg, Shown::Fail, x, y.at(value), 5.0);
        if arm.name == turning.at {
            let top = interval(arm).map_or(value, |e| e.high);
            svg.text("strong", x, y.at(top) - 7.0, Anchor::Middle, "highest");
        }
    }
    if let Some((_, last)) = places.last() {
        svg.text("t-fail", RIGHT + 8.0, last + 4.0, Anchor::Start, "agent failures");
    }
    axis::numbers(
        &mut svg,
        &bands,
        234.0,
        LEFT - 8.0,
        &arms.iter().map(|arm| arm.agent_failures.of).collect::<Vec<_>>(),
    );
    shares(&mut svg, turning, arms, &bands, 258.0);
    axis::arms(&mut svg, arms, &bands, 308.0);
    SPEC.figure(svg, caption(turning), table(turning, arms))
}

/// How often each arm is the one with the highest rate when tasks are drawn anew.
fn shares(svg: &mut Svg, turning: &TurningPoint, arms: &[ArmSummary], bands: &Bands, top: f64) {
    svg.text("tick", RIGHT + 8.0, top + 40.0, Anchor::Start, "% of resamples in which");
    svg.text("tick", RIGHT + 8.0, top + 54.0, Anchor::Start, "this arm is the highest");
    for (i, arm) in arms.iter().enumerate() {
        let share = share(turning, arm);
        let (x, height) = (bands.centre(i), 36.0 * share);
        svg.rect("o-fail", x - 18.0, top + 50.0 - height, 36.0, height);
        svg.text(
            "tick",
            x,
            top + 44.0 - height,
            Anchor::Middle,
            &axis::percent_tick((share * 100.0).round() / 100.0),
        );
    }
    svg.line("rule", (LEFT, top + 50.0), (RIGHT, top + 50.0));
}

fn caption(turning: &TurningPoint) -> String {
    let set: Vec<&str> = turning.set_90.iter().map(|arm| arm.as_str()).collect();
    let set = match set.is_empty() {
        true => String::new(),
        false => format!(" Together {} hold at least 90 % of the resamples.", set.join(", ")),
    };
    format!(
        "Trials that ended without any infra error and yet failed. As long as headroom only removes infra errors, these can only rise; once \
         they fall, headroom helps the agent itself. Highest at {} here; whiskers are intervals for these tasks; the bars show how often each \
         arm is the highest when tasks are drawn anew ({} times).{set}",
        turning.at,
        number::count(u64::from(turning.draws))
    )
}

fn table(turning: &TurningPoint, arms: &[ArmSummary]) -> Table {
    let mut table = Table::new(&[
        "arm",
        ">agent failures, %",
        ">n",
        ">mean over tasks, %",
        ">resamples in which it is highest, %",
    ]);
    for arm in arms {
        let mean = turning.agent_failure_rates.iter().find(|(name, _)| name == &arm.name);
        table.push([
            words::arm(arm),
            words::rate(&arm.agent_failures),
            number::count(arm.agent_failures.of),
            mean.map(|(_, rate)| number::percent(*rate)).unwrap_or_default(),
            number::percent(share(turning, arm)),
        ]);
    }
    table
}
