//! Every figure with its question, its caption and its table, in chapters; what could not be drawn stands in a list at the end.

use infranoise_analysis::Analysis;

use super::scrolling;
use crate::figures::{CHAPTERS, FIGURES, Figure};
use crate::text::{escape, words};

/// The chapters with what they hold, and the links to them.
pub(super) struct Chapters {
    pub(super) body: String,
    pub(super) links: Vec<(String, &'static str)>,
}

/// All chapters that hold a figure, then what could not be drawn.
pub(super) fn chapters(analysis: &Analysis) -> Chapters {
    // The verdict stands at the top of the page as text.
    let drawn: Vec<Figure> =
        FIGURES.iter().filter(|spec| spec.id != "verdict").map(|spec| (spec.draw)(analysis)).collect();
    let (mut out, mut links) = (String::new(), Vec::new());
    let starts = CHAPTERS.iter().filter_map(|(_, id)| drawn.iter().position(|figure| figure.id == *id));
    let ends = starts.clone().skip(1).chain([drawn.len()]);
    for ((i, (heading, _)), (from, to)) in CHAPTERS.iter().enumerate().zip(starts.zip(ends)) {
        let some = drawn.get(from..to).unwrap_or_default().iter().filter(|figure| !figure.missing);
        let body: String = some.map(one).collect();
        if !body.is_empty() {
            let id = if i == 0 { "figures".to_owned() } else { format!("figures-{}", i + 1) };
            out += &super::section(&id, heading, &body);
            links.push((id, *heading));
        }
    }
    out += &missing(drawn.iter().filter(|figure| figure.missing).collect());
    Chapters { body: out, links }
}

fn one(figure: &Figure) -> String {
    let Figure { id, title, question, svg, .. } = figure;
    let svg = scrolling(&format!("Figure: {title}"), svg);
    let words = format!(
        "<figcaption>{}</figcaption>\n<details class=\"data\"><summary>The numbers of this figure</summary>\n{}</details>\n",
        escape::markup(&figure.caption),
        scrolling(&format!("Numbers: {title}"), &figure.table.html())
    );
    format!(
        "<figure id=\"fig-{id}\">\n<h3>{title}</h3>\n<p class=\"q\">{question}</p>\n{svg}{words}</figure>\n"
    )
}

/// What could not be drawn, and what would provide it.
fn missing(figures: Vec<&Figure>) -> String {
    if figures.is_empty() {
        return String::new();
    }
    let items: String = figures
        .iter()
        .map(|figure| {
            let says = words::sentence(figure.caption.trim_start_matches("Nothing to draw: "));
            let says = escape::markup(&says);
            format!(
                "<dt id=\"fig-{}\">{}</dt>\n<dd>{} <span>{says}</span></dd>\n",
                figure.id, figure.title, figure.question
            )
        })
        .collect();
    super::section("missing", "What could not be drawn", &format!("<dl class=\"missing\">\n{items}</dl>\n"))
}
