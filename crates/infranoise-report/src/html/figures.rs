//! Every figure with its question, its caption and its table.

use infranoise_analysis::Analysis;

use super::scrolling;
use crate::figures::{FIGURES, Figure};
use crate::text::escape;

pub(super) fn section_body(analysis: &Analysis) -> String {
    // The verdict stands at the top of the page as text.
    let drawn = FIGURES.iter().filter(|spec| spec.id != "verdict").map(|spec| (spec.draw)(analysis));
    drawn.map(|figure| one(&figure)).collect()
}

pub(super) fn section(analysis: &Analysis) -> String {
    super::section("figures", "Figures", &section_body(analysis))
}

fn one(figure: &Figure) -> String {
    let Figure { id, title, question, svg, .. } = figure;
    let svg = scrolling(&format!("Figure: {title}"), svg);
    // What is missing, the drawing itself says.
    let words = match figure.missing {
        true => String::new(),
        false => format!(
            "<figcaption>{}</figcaption>\n<details class=\"data\"><summary>The numbers of this figure</summary>\n{}</details>\n",
            escape::markup(&figure.caption),
            scrolling(&format!("Numbers: {title}"), &figure.table.html())
        ),
    };
    format!(
        "<figure id=\"fig-{id}\">\n<h3>{title}</h3>\n<p class=\"q\">{question}</p>\n{svg}{words}</figure>\n"
    )
}
