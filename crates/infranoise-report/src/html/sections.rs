//! The sections that are words and tables.

use infranoise_analysis::Analysis;

use super::{list, scrolling, section};
use crate::table::Table;
use crate::text::escape;
use crate::{find, tables, what};

/// What one should know before believing the numbers; nothing where there is nothing.
pub(super) fn warnings(analysis: &Analysis) -> String {
    if analysis.warnings.is_empty() {
        return String::new();
    }
    section("warnings", "Before you believe the numbers", &list("warn", &analysis.warnings))
}

pub(super) fn what(analysis: &Analysis) -> String {
    let sentences: String =
        what::this_is(analysis).iter().map(|text| format!("<p>{}</p>\n", escape::markup(text))).collect();
    let machine = escape::markup(&what::machine(analysis));
    section("what", "What this is", &format!("{sentences}<p>Machine: {machine}</p>\n{}", held(analysis)))
}

/// What the engine really held, by arm.
fn held(analysis: &Analysis) -> String {
    let mut table = Table::new(&["arm", "kill scope", "what the engine held, read back", ">trials"]);
    for arm in &analysis.arms {
        for (words, n) in &arm.enforcement {
            table.push([arm.name.to_string(), arm.kill_scope.to_string(), words.clone(), n.to_string()]);
        }
    }
    if table.rows.is_empty() {
        return "<p class=\"note\">What the engine held was not recorded.</p>\n".to_owned();
    }
    let table = scrolling("What the engine held", &table.html());
    format!("<details><summary>What the engine really held</summary>\n{table}</details>\n")
}

pub(super) fn arms(analysis: &Analysis) -> String {
    if analysis.arms.is_empty() {
        return section("arms", "Arms", "<p>There is no arm.</p>\n");
    }
    let denominators = find::denominators(analysis).join(" ");
    let body = format!(
        "<h3>How planned trials ended</h3>\n{}<h3>Error rates and scores</h3>\n{}<p class=\"note\">In brackets: {} % intervals. {} \
         Bounds: all that is unknown fails or passes.</p>\n",
        scrolling("How planned trials ended", &tables::outcomes(analysis).html()),
        scrolling("Error rates and scores", &tables::rates(analysis).html()),
        find::level(analysis),
        escape::markup(&denominators),
    );
    section("arms", "Arms", &body)
}

pub(super) fn comparisons(analysis: &Analysis) -> String {
    if analysis.comparisons.is_empty() {
        return String::new();
    }
    let mut body = String::from("<p>Each difference is the arm minus its base.</p>\n");
    for (heading, side) in tables::SIDES {
        let table =
            scrolling(&format!("Differences in score. {heading}"), &tables::scores(analysis, side).html());
        body += &format!("<h3>Score. {heading}</h3>\n{table}");
    }
    let kills = scrolling("Differences in infra errors", &tables::kills(analysis).html());
    body += &format!("<h3>Infra errors, on these tasks</h3>\n{kills}");
    section("comparisons", "Comparisons", &body)
}

/// What all arms say together; nothing where nothing could be estimated.
pub(super) fn together(analysis: &Analysis) -> String {
    let parts = [
        ("Trend over the arms in their order", tables::trends(analysis)),
        ("What this design can see", tables::noise_floor(analysis)),
        ("Where the variance lies", tables::components(analysis)),
    ];
    let known = parts.into_iter().filter(|(_, table)| !table.rows.is_empty());
    let body: String =
        known.map(|(name, table)| format!("<h3>{name}</h3>\n{}", scrolling(name, &table.html()))).collect();
    if body.is_empty() { body } else { section("together", "All arms together", &body) }
}

pub(super) fn notes(analysis: &Analysis) -> String {
    let few = list("notes", &find::denominators(analysis));
    let rules = list("notes", &analysis.footnotes);
    let body = format!("{few}<details><summary>Scoring rules and methods</summary>\n{rules}</details>\n");
    section("notes", "Rules and denominators", &body)
}
