//! Fills that differ by pattern as well as by colour.

use infranoise_core::Shown;

use super::{Anchor, Svg, wrap};
use crate::text::words;

/// What lies on the ground colour of an outcome, in a tile of six by six.
fn hatch(shown: Shown) -> &'static str {
    match shown {
        Shown::Pass => "",
        Shown::Fail => "",
        Shown::Ceiling => r#"<path class="hatch" d="M-1 7L7 -1M-1 1L1 -1M5 7L7 5"/>"#,
        Shown::Fault => r#"<path class="hatch" d="M0 0L6 6M6 0L0 6"/>"#,
        Shown::Undetermined => r#"<circle class="dot" cx="3" cy="3" r="1.2"/>"#,
        Shown::NotStarted => r#"<path class="hatch-ink" d="M0 3H2"/>"#,
    }
}

/// Defines the fills of all outcomes in a drawing; [`Svg::filled`] uses them.
pub fn define(svg: &mut Svg) {
    let id = svg.id();
    svg.raw("<defs>");
    for shown in Shown::ALL {
        let class = words::look(shown).class;
        svg.raw(&format!(
            "<pattern id=\"{id}-{class}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">\
             <rect class=\"o-{class}\" width=\"6\" height=\"6\"/>{}</pattern>",
            hatch(shown)
        ));
    }
    svg.raw("</defs>\n");
}

/// A key: each given outcome with its fill and its name; returns where it ends.
pub fn key(svg: &mut Svg, x: f64, y: f64, outcomes: &[Shown]) -> f64 {
    let mut x = x;
    for &shown in outcomes {
        svg.filled(words::look(shown).class, x, y - 10.0, 14.0, 12.0);
        let name = shown.to_string();
        svg.text("label", x + 20.0, y, Anchor::Start, &name);
        x += 20.0 + wrap::width(&name, 12.0) + 18.0;
    }
    x
}
