//! Two results against each other: the verdict and the card of what they have in common.

use infranoise_analysis::compare::{Comparing, Same};

use super::scrolling;
use crate::table::Table;
use crate::text::{escape, number};

/// The card as a table.
pub(crate) fn card(found: &Comparing) -> Table {
    let name = |place: usize| found.analysis.arms.get(place).map_or("?", |arm| arm.name.as_str()).to_owned();
    let mut table = Table::new(&["", "what", &name(0), &name(1)]);
    for row in &found.card.rows {
        let sign = match row.same {
            Same::Same => "=",
            Same::Different => "≠",
            Same::Unknown => "?",
        };
        table.push([sign.to_owned(), row.what.clone(), row.base.clone(), row.other.clone()]);
    }
    table
}

/// Tasks that differ in success, the largest first.
pub(crate) fn flips(found: &Comparing) -> Table {
    let mut table = Table::new(&["task", ">passed in the base", ">passed in the other"]);
    for flip in &found.flips {
        let of = |(passed, all): (u32, u32)| format!("{passed} of {all}");
        table.push([flip.task.to_string(), of(flip.base), of(flip.other)]);
    }
    table
}

pub(super) fn section(found: &Comparing) -> String {
    let reservations: String =
        found.card.reservations.iter().map(|says| format!("<li>{}</li>\n", escape::markup(says))).collect();
    let reservations = if reservations.is_empty() {
        reservations
    } else {
        format!("<ul class=\"warn\">\n{reservations}</ul>\n")
    };
    let comparable = if found.card.comparable { "" } else { "<p><b>The two are not comparable.</b></p>\n" };
    let mut body = format!(
        "{comparable}{reservations}{}",
        scrolling("What the two have in common", &card(found).html())
    );
    if !found.flips.is_empty() {
        body += &format!(
            "<details><summary>{} differ in success</summary>\n{}</details>\n",
            number::plural(found.flips.len() as u64, "task"),
            scrolling("Tasks that differ in success", &flips(found).html())
        );
    }
    super::section("compared", "What the two results have in common", &body)
}
