//! The top of the page: what it is, the answer, four numbers, the way to the rest.

use infranoise_analysis::Analysis;

use super::figures::Chapters;
use super::list;
use crate::figures::verdict;
use crate::text::{escape, number, time, words};
use crate::what;

/// Everything above the first section.
pub(super) fn header(analysis: &Analysis, chapters: &Chapters) -> String {
    let about = &analysis.about;
    let when = about.started_at_ms.map(|ms| format!(" · {}", time::moment(ms))).unwrap_or_default();
    let kicker = format!(
        "infranoise · {} · {} on {} · {}{when}",
        about.sweep,
        about.subject,
        about.engine,
        number::plural(about.planned, "planned trial"),
    );
    let staged = match about.staged {
        true => format!("<p class=\"staged\">{}</p>\n", escape::markup(what::STAGED)),
        false => String::new(),
    };
    let tiles: String = verdict::tiles(analysis)
        .iter()
        .map(|tile| {
            let (label, value, detail) =
                (tile.label, escape::markup(&tile.value), escape::markup(&tile.detail));
            format!("<li><span>{label}</span><b>{value}</b><span>{detail}</span></li>\n")
        })
        .collect();
    format!(
        "<a class=\"skip\" href=\"#arms\">Skip to the table of arms</a>\n<header>\n<p class=\"kicker\">{}</p>\n<h1>{}</h1>\n\
         {staged}<ul class=\"tiles\">\n{tiles}</ul>\n{}{}</header>\n",
        escape::markup(&kicker),
        escape::markup(&words::sentence(&analysis.answer.headline)),
        list("answer", &analysis.answer.sentences),
        contents(analysis, chapters),
    )
}

fn contents(analysis: &Analysis, chapters: &Chapters) -> String {
    let mut links: Vec<(&str, &str)> = Vec::new();
    let mut link = |id, name| links.push((id, name));
    if !analysis.warnings.is_empty() {
        link("warnings", "Warnings");
    }
    link("what", "What this is");
    link("arms", "Arms");
    for (id, heading) in &chapters.links {
        link(id, heading);
    }
    if !analysis.comparisons.is_empty() {
        link("comparisons", "Comparisons");
    }
    if !analysis.matrix.is_empty() && !analysis.arms.is_empty() {
        link("tasks", "Tasks");
    }
    link("trials", "Trials");
    link("notes", "Rules and denominators");
    let items: String =
        links.iter().map(|(id, name)| format!("<li><a href=\"#{id}\">{name}</a></li>")).collect();
    format!("<nav aria-label=\"Contents\"><ul>{items}</ul></nav>\n")
}
