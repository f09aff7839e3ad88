//! One self-contained page: it asks for nothing, reads without scripts, follows the reader's theme and prints.

use infranoise_analysis::Analysis;

use crate::svg::palette;
use crate::text::{escape, time};

mod figures;
mod head;
mod sections;
mod trials;

/// The page's own script: filter and sort, nothing else.
pub const SCRIPT: &str = include_str!("script.js");

/// SHA-256 of [`SCRIPT`] in base64, for the page's content security policy; a test proves it fresh.
pub const SCRIPT_SHA256: &str = include_str!("script.sha256").trim_ascii_end();

const STYLE: &str = include_str!("style.css");

/// The analysis as one HTML file.
#[must_use]
pub fn html(analysis: &Analysis) -> String {
    let title = escape::markup(&format!("infranoise: {}", analysis.about.sweep));
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{SCRIPT_SHA256}'; img-src data:; base-uri 'none'; \
         form-action 'none'"
    );
    let parts = [
        head::header(analysis),
        "<main>\n".to_owned(),
        sections::warnings(analysis),
        sections::what(analysis),
        sections::arms(analysis),
        figures::section(analysis),
        sections::comparisons(analysis),
        sections::together(analysis),
        trials::section(analysis),
        sections::notes(analysis),
        "</main>\n".to_owned(),
        footer(analysis),
    ];
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n\
         <style>\n{}{STYLE}{}</style>\n</head>\n<body>\n{}<script>{SCRIPT}</script>\n</body>\n</html>\n",
        palette::page_variables(),
        palette::FIGURE_CSS,
        parts.concat()
    )
}

/// A section of the page with its heading.
fn section(id: &str, heading: &str, body: &str) -> String {
    format!(
        "<section id=\"{id}\" aria-labelledby=\"{id}-h\">\n<h2 id=\"{id}-h\">{heading}</h2>\n{body}</section>\n"
    )
}

/// A wide table in a frame that scrolls by keyboard too.
fn scrolling(label: &str, table: &str) -> String {
    format!("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\">{table}</div>\n")
}

/// Sentences as a list.
fn list(class: &str, sentences: &[String]) -> String {
    let items: String = sentences.iter().map(|text| format!("<li>{}</li>\n", escape::markup(text))).collect();
    format!("<ul class=\"{class}\">\n{items}</ul>\n")
}

fn footer(analysis: &Analysis) -> String {
    let when = match (analysis.about.started_at_ms, analysis.about.ended_at_ms) {
        (Some(start), Some(end)) => format!(
            "Trials ran from {} to {} ({}). ",
            time::moment(start),
            time::moment(end),
            time::duration(end.saturating_sub(start))
        ),
        _ => String::new(),
    };
    let version = analysis.version;
    format!(
        "<footer><p>{when}Made by {} from an analysis document of version {}.{}. This file asks for nothing from any network.</p></footer>\n",
        escape::markup(&analysis.made_by),
        version.major,
        version.minor
    )
}
