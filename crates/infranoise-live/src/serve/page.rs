//! Whole pages: they can be read without scripts; the script only brings what is new.

use infranoise_report::figures::{CHAPTERS, FIGURES};
use infranoise_report::svg::palette;
use infranoise_report::text::{escape, time};

use super::moment::Moment;
use super::parts::{SECTIONS, figure_part};

/// The script of every page.
pub(super) const SCRIPT: &str = include_str!("live.js");

/// The stylesheet of every page.
pub(super) fn style() -> String {
    format!("{}{}{}", palette::page_variables(), palette::FIGURE_CSS, include_str!("live.css"))
}

/// A page around a body.
pub(super) fn page(title: &str, attributes: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{}</title>\n<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"/live.css\">\n\
         <script src=\"/live.js\" defer></script>\n</head>\n<body{attributes}>\n{body}</body>\n</html>\n",
        escape::markup(title)
    )
}

/// A part in its place.
fn slot(moment: &Moment, id: &str) -> String {
    format!("<div data-part=\"{id}\">{}</div>\n", moment.part(id))
}

/// The page of a sweep.
pub(super) fn sweep(moment: &Moment, several: bool) -> String {
    let back = if several { "<p class=\"back\"><a href=\"/\">All sweeps</a></p>\n" } else { "" };
    let sections: String = SECTIONS
        .iter()
        .map(|(id, heading)| {
            format!("<section id=\"{id}\" aria-labelledby=\"{id}-h\"><h2 id=\"{id}-h\">{heading}</h2>\n{}</section>\n", slot(moment, id))
        })
        .collect();
    let body = format!(
        "<a class=\"skip\" href=\"#arms\">Skip to the arms</a>\n<header>\n{back}{}{NOTICE}</header>\n<main>\n{sections}{}</main>\n{FOOTER}",
        slot(moment, "state"),
        chapters(moment),
    );
    page(&moment.title, &format!(" data-events=\"events\" data-since=\"{}\"", moment.mark()), &body)
}

/// The figures in the chapters of the report.
fn chapters(moment: &Moment) -> String {
    let mut out = String::new();
    // The verdict stands at the top in words.
    for spec in FIGURES.iter().filter(|spec| spec.id != "verdict") {
        if let Some(place) = CHAPTERS.iter().position(|(_, first)| *first == spec.id) {
            let heading = escape::markup(CHAPTERS[place].0);
            let end = if out.is_empty() { "" } else { "</section>\n" };
            out += &format!(
                "{end}<section id=\"figures-{place}\" aria-labelledby=\"figures-{place}-h\"><h2 id=\"figures-{place}-h\">{heading}</h2>\n"
            );
            if place == 0 {
                out += &slot(moment, "stamp");
            }
        }
        out += &slot(moment, &figure_part(spec.id));
    }
    if out.is_empty() { out } else { out + "</section>\n" }
}

/// Whether the page follows, or stands still.
const NOTICE: &str = "<p class=\"sight\" role=\"status\" data-sight></p>\n<noscript><p class=\"sight\">Without scripts this page stands still: \
                      load it again to see what is new.</p></noscript>\n";

const FOOTER: &str = "<footer><p>This page reads the journal of the sweep and cannot change it. It asks for nothing from any other server.</p></footer>\n";

/// The page of a trial around its part.
pub(super) fn trial(sweep: &str, folder: &str, part: &str) -> String {
    let body = format!(
        "<header>\n<p class=\"back\"><a href=\"../\">{}</a></p>\n{NOTICE}</header>\n<main data-part=\"trial\">{part}</main>\n{FOOTER}",
        escape::markup(sweep)
    );
    page(&format!("{folder} · {sweep} · infranoise"), " data-poll=\"?part\"", &body)
}

/// A line in the list of sweeps: its name, and when it was last written.
pub(super) fn list(sweeps: &[(String, Option<u64>)]) -> String {
    let rows: String = sweeps
        .iter()
        .map(|(name, written_ms)| {
            let name = escape::markup(name);
            let when = written_ms.map(time::moment).unwrap_or_default();
            format!("<tr><th scope=row><a href=\"/r/{name}/\">{name}</a><td>{when}\n")
        })
        .collect();
    let table = match sweeps.is_empty() {
        true => "<p class=\"muted\">There is no sweep here any more.</p>".to_owned(),
        false => format!(
            "<table><thead><tr><th scope=col>sweep</th><th scope=col>last written</th></tr></thead><tbody>{rows}</tbody></table>"
        ),
    };
    let body = format!(
        "<header><p class=\"kicker\">infranoise live</p><h1>Sweeps</h1></header>\n<main>{table}</main>\n{FOOTER}"
    );
    page("Sweeps · infranoise", "", &body)
}

/// A page that says why there is nothing to show.
pub(super) fn sorry(says: &str) -> String {
    let body = format!(
        "<header><p class=\"kicker\">infranoise live</p><h1>Nothing to show</h1></header>\n<main><p>{}</p><p><a href=\"/\">Back to the beginning</a></p></main>\n{FOOTER}",
        escape::markup(says)
    );
    page("infranoise", "", &body)
}
