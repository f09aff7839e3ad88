//! The mark of each outcome: told apart by shape first, by colour only second.

use std::fmt::Write;

use infranoise_core::Shown;

use super::{Svg, num};
use crate::text::words;

/// The outline of an outcome's mark around a point.
#[must_use]
pub fn outline(shown: Shown, x: f64, y: f64, r: f64) -> String {
    let at = |dx: f64, dy: f64| format!("{} {}", num(x + dx * r), num(y + dy * r));
    // The diameter is made from the radius as it is written, so that rounding leaves a circle a circle.
    let circle = |r: f64| {
        let radius = (r * 10.0).round() / 10.0;
        let (r, d) = (num(radius), num(2.0 * radius));
        format!("a{r} {r} 0 0 0 {d} 0a{r} {r} 0 0 0 -{d} 0z")
    };
    match shown {
        Shown::Pass | Shown::Fail => format!("M{}{}", at(-1.0, 0.0), circle(r)),
        Shown::Ceiling => format!("M{}L{}L{}z", at(0.0, -1.15), at(1.1, 0.85), at(-1.1, 0.85)),
        Shown::Fault => {
            format!("M{}L{}M{}L{}", at(-0.9, -0.9), at(0.9, 0.9), at(-0.9, 0.9), at(0.9, -0.9))
        }
        Shown::Undetermined => {
            format!("M{}L{}L{}L{}z", at(0.0, -1.25), at(1.25, 0.0), at(0.0, 1.25), at(-1.25, 0.0))
        }
        Shown::NotStarted => {
            format!("M{}L{}L{}L{}z", at(-0.7, -0.7), at(0.7, -0.7), at(0.7, 0.7), at(-0.7, 0.7))
        }
    }
}

/// One mark.
pub fn draw(svg: &mut Svg, shown: Shown, x: f64, y: f64, r: f64) {
    svg.path(&format!("m-{}", words::look(shown).class), &outline(shown, x, y, r));
}

/// Many marks of one outcome as a single path, so that thousands stay small.
pub fn draw_many(svg: &mut Svg, shown: Shown, points: &[(f64, f64)], r: f64) {
    let mut data = String::new();
    for (x, y) in points {
        let _ = write!(data, "{}", outline(shown, *x, *y, r));
    }
    svg.path(&format!("m-{}", words::look(shown).class), &data);
}

/// A key: each given outcome with its mark and its name; returns where it ends.
pub fn key(svg: &mut Svg, x: f64, y: f64, outcomes: &[Shown]) -> f64 {
    let mut x = x;
    for &shown in outcomes {
        draw(svg, shown, x + 5.0, y - 4.0, 4.0);
        let name = shown.to_string();
        svg.text("label", x + 15.0, y, super::Anchor::Start, &name);
        x += 15.0 + super::wrap::width(&name, 12.0) + 18.0;
    }
    x
}
