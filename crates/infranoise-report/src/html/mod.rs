//! One self-contained page: it asks for nothing, reads without scripts, follows the reader's theme and prints.

use infranoise_analysis::Analysis;

use crate::extras::Extras;
use crate::svg::palette;
use crate::text::{escape, time};

pub(crate) mod compared;
mod figures;
mod head;
mod pack;
mod page;
mod sections;
mod tasks;
mod trials;

/// The page's own script: filters, sorting, links, tooltips, copies and downloads.
pub const SCRIPT: &str = include_str!("script.js");

/// SHA-256 of [`SCRIPT`] in base64, for the page's content security policy; a test proves it fresh.
pub const SCRIPT_SHA256: &str = include_str!("script.sha256").trim_ascii_end();

const STYLE: &str = include_str!("style.css");

/// The analysis as one HTML file.
#[must_use]
pub fn html(analysis: &Analysis) -> String {
    html_with(analysis, &Extras::default())
}

/// The analysis as one HTML file, with logs, curves and a comparison where they are at hand.
#[must_use]
pub fn html_with(analysis: &Analysis, extras: &Extras) -> String {
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{SCRIPT_SHA256}'; img-src data:; base-uri 'none'; \
         form-action 'none'"
    );
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n<style>\n{}</style>\n",
        palette::page_variables()
    );
    let body = parts(analysis, extras) + &format!("<script>{SCRIPT}</script>\n");
    whole(analysis, &head, &body)
}

/// The analysis as an HTML file for paper: no script, no control, light, everything opened. Any browser or typesetter of HTML makes a
/// PDF of it.
#[must_use]
pub fn printable(analysis: &Analysis, extras: &Extras) -> String {
    let policy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n<style>\n{}</style>\n",
        palette::light_variables()
    );
    let body = parts(analysis, &Extras { trials: Vec::new(), compared: extras.compared.clone() });
    // Numbers behind figures and evidence of single trials stay closed: paper is finite, and the drawings say the same.
    whole(analysis, &head, &body.replace("<details>", "<details open>"))
}

fn parts(analysis: &Analysis, extras: &Extras) -> String {
    let chapters = figures::chapters(analysis);
    let parts = [
        head::header(analysis, &chapters),
        "<main>\n".to_owned(),
        sections::warnings(analysis),
        extras.compared.as_ref().map(compared::section).unwrap_or_default(),
        sections::what(analysis),
        sections::arms(analysis),
        chapters.body,
        sections::comparisons(analysis),
        sections::together(analysis),
        tasks::section(analysis),
        trials::section(analysis, &extras.trials),
        page::section(analysis, &extras.trials),
        sections::notes(analysis),
        "</main>\n".to_owned(),
        footer(analysis),
    ];
    parts.concat()
}

fn whole(analysis: &Analysis, head: &str, body: &str) -> String {
    let title = escape::markup(&format!("infranoise: {}", analysis.about.sweep));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{head}\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n\
         <style>\n{STYLE}</style>\n<style id=\"figure-css\">\n{}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        palette::FIGURE_CSS
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
