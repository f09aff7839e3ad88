//! The arms' ceilings as dashed lines with their names.

use infranoise_analysis::Analysis;

use crate::svg::{Anchor, Svg, num, wrap};

/// Ceilings as multiples of the spec, with the arm's name; arms whose multiple differs by task have none.
pub(super) fn of(analysis: &Analysis) -> Vec<(f64, &str)> {
    let amount =
        |arm: &'_ infranoise_analysis::doc::ArmSummary| arm.headroom?.amount().map(|factor| factor.as_f64());
    analysis.arms.iter().filter_map(|arm| Some((amount(arm)?, arm.name.as_str()))).collect()
}

/// A dashed line for each ceiling between two heights, with the arm's name above.
pub(super) fn draw(svg: &mut Svg, analysis: &Analysis, at: &dyn Fn(f64) -> f64, top: f64, bottom: f64) {
    let ceilings = of(analysis);
    let wanted: Vec<f64> = ceilings.iter().map(|(multiple, _)| at(*multiple)).collect();
    for ((place, spread), (_, name)) in wanted.iter().zip(wrap::spread(&wanted, 30.0)).zip(ceilings) {
        let (bend, from, to, end) = (num(top - 16.0), num(spread), num(*place), num(top - 4.0));
        svg.path("dash", &format!("M{from} {bend}L{to} {end}V{}", num(bottom)));
        svg.text("tick", spread, top - 20.0, Anchor::Middle, name);
    }
}
