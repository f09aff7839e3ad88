//! The analysis as Markdown, for pull requests and notebooks.

use infranoise_analysis::Analysis;

use crate::extras::Extras;
use crate::figures::FIGURES;

use crate::text::{escape, words};
use crate::{find, html, tables, what};

/// The analysis as one Markdown document.
#[must_use]
pub fn markdown(analysis: &Analysis) -> String {
    markdown_with(analysis, &Extras::default())
}

/// The same with a comparison, where there is one.
#[must_use]
pub fn markdown_with(analysis: &Analysis, extras: &Extras) -> String {
    let md = escape::markdown;
    let mut out = format!(
        "# infranoise: {}\n\n**{}**\n\n",
        md(analysis.about.sweep.as_str()),
        md(&words::sentence(&analysis.answer.headline))
    );
    for sentence in &analysis.answer.sentences {
        out += &format!("* {}\n", md(sentence));
    }
    if !analysis.warnings.is_empty() {
        out += "\n## Before you believe the numbers\n\n";
        for warning in &analysis.warnings {
            out += &format!("* {}\n", md(warning));
        }
    }
    if let Some(found) = &extras.compared {
        let says = words::sentence(&found.judgement.says);
        out +=
            &format!("\n## The two results\n\n{}\n\n{}", md(&says), html::compared::card(found).markdown());
        for reservation in &found.card.reservations {
            out += &format!("* {}\n", md(reservation));
        }
    }
    out += "\n## What this is\n\n";
    if analysis.about.staged {
        out += &format!("* {}\n", md(what::STAGED));
    }
    for sentence in what::this_is(analysis) {
        out += &format!("* {}\n", md(&sentence));
    }
    out += &format!("* Machine: {}\n", md(&what::machine(analysis)));
    out += &format!(
        "\n## Arms\n\n{}\n{}",
        tables::outcomes(analysis).markdown(),
        tables::rates(analysis).markdown()
    );
    if !analysis.comparisons.is_empty() {
        for (heading, side) in tables::SIDES {
            out += &format!("\n## Score. {heading}\n\n{}", tables::scores(analysis, side).markdown());
        }
        out += &format!("\n## Differences in infra errors\n\n{}", tables::kills(analysis).markdown());
    }
    let together = [
        ("Trend over the arms", tables::trends(analysis)),
        ("What this design can see", tables::noise_floor(analysis)),
        ("Where the variance lies", tables::components(analysis)),
    ];
    for (name, table) in together.iter().filter(|(_, table)| !table.rows.is_empty()) {
        out += &format!("\n## {name}\n\n{}", table.markdown());
    }
    for spec in FIGURES {
        let figure = (spec.draw)(analysis);
        // Markdown has no picture; where the figure's table is one of the above it is not said twice.
        if figure.missing || ["verdict", "headroom", "differences"].contains(&spec.id) {
            continue;
        }
        out += &format!(
            "\n## {}\n\n*{}*\n\n{}\n{}\n",
            figure.title,
            figure.question,
            figure.table.markdown(),
            md(&figure.caption)
        );
    }
    out += "\n## Notes\n\n";
    for note in find::denominators(analysis).iter().chain(&analysis.footnotes) {
        out += &format!("* {}\n", md(note));
    }
    out + &format!("\nMade by {}.\n", md(&analysis.made_by))
}
