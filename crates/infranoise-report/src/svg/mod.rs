//! A small SVG writer. Colours are classes, so that one drawing serves light, dark and print; every text is escaped.

use std::fmt::Write;

use crate::text::escape;

pub mod axis;
pub mod mark;
pub mod palette;
pub mod pattern;
pub mod scale;
pub mod wrap;

/// Which end of a text stands at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The text begins there.
    Start,
    /// The text is centred there.
    Middle,
    /// The text ends there.
    End,
}

/// A drawing in the making.
#[derive(Clone, Debug)]
pub struct Svg {
    id: &'static str,
    width: f64,
    height: f64,
    body: String,
}

/// A coordinate with at most one decimal; what is no number stands at 0, since a drawing must stay one.
#[must_use]
pub fn num(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let rounded = format!("{value:.1}");
    let short = rounded.strip_suffix(".0").unwrap_or(&rounded);
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

impl Svg {
    /// An empty drawing; `id` begins every id inside it.
    #[must_use]
    pub fn new(id: &'static str, width: f64, height: f64) -> Self {
        Self { id, width, height, body: String::new() }
    }

    /// The id that begins every id inside this drawing.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.id
    }

    /// Its width.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.width
    }

    /// A rectangle; one that is thinner than nothing is left out.
    pub fn rect(&mut self, class: &str, x: f64, y: f64, width: f64, height: f64) {
        if width > 0.0 && height > 0.0 {
            let (x, y, w, h) = (num(x), num(y), num(width), num(height));
            let _ =
                writeln!(self.body, r#"<rect class="{class}" x="{x}" y="{y}" width="{w}" height="{h}"/>"#);
        }
    }

    /// A rectangle with the pattern of an outcome.
    pub fn filled(&mut self, outcome: &str, x: f64, y: f64, width: f64, height: f64) {
        if width > 0.0 && height > 0.0 {
            let (x, y, w, h, id) = (num(x), num(y), num(width), num(height), self.id);
            let _ = writeln!(
                self.body,
                r##"<rect class="seg" fill="url(#{id}-{outcome})" x="{x}" y="{y}" width="{w}" height="{h}"/>"##
            );
        }
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let (x1, y1, x2, y2) = (num(from.0), num(from.1), num(to.0), num(to.1));
        let _ = writeln!(self.body, r#"<path class="{class}" d="M{x1} {y1}L{x2} {y2}"/>"#);
    }

    /// A line through points.
    pub fn polyline(&mut self, class: &str, points: &[(f64, f64)]) {
        if points.len() < 2 {
            return;
        }
        let joined: Vec<String> = points.iter().map(|(x, y)| format!("{} {}", num(*x), num(*y))).collect();
        self.path(class, &format!("M{}", joined.join("L")));
    }

    /// A path from its data.
    pub fn path(&mut self, class: &str, data: &str) {
        if !data.is_empty() {
            let _ = writeln!(self.body, r#"<path class="{class}" d="{data}"/>"#);
        }
    }

    /// A text, escaped.
    pub fn text(&mut self, class: &str, x: f64, y: f64, anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let (x, y, text) = (num(x), num(y), escape::markup(text));
        let _ = writeln!(self.body, r#"<text class="{class}" x="{x}" y="{y}"{anchor}>{text}</text>"#);
    }

    /// A group with a title, which browsers show when one points at it.
    pub fn titled(&mut self, title: &str, draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.body, "<g><title>{}</title>", escape::markup(title));
        draw(self);
        self.body.push_str("</g>\n");
    }

    /// Raw markup made by this crate, for definitions.
    pub(crate) fn raw(&mut self, markup: &str) {
        self.body.push_str(markup);
    }

    /// Grows the drawing downwards.
    pub fn set_height(&mut self, height: f64) {
        self.height = height;
    }

    /// The finished drawing with the words that a screen reader says for it.
    #[must_use]
    pub fn finish(self, label: &str) -> String {
        let (w, h, body) = (num(self.width), num(self.height), self.body);
        let label = escape::markup(label);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" viewBox=\"0 0 {w} {h}\" role=\"img\" \
             aria-label=\"{label}\">\n{body}</svg>\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_text_stays_text() {
        let mut svg = Svg::new("t", 100.0, 50.0);
        svg.text("ink", 1.0, 2.25, Anchor::End, "</text><script>x</script>\u{202E}");
        svg.titled("\"><b>", |svg| svg.rect("a", 0.0, -0.01, 10.0, 10.0));
        svg.rect("empty", 0.0, 0.0, 0.0, 10.0);
        insta::assert_snapshot!(svg.finish("a & b"));
    }
}
