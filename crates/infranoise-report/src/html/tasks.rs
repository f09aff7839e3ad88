//! Every task in a row of its own, so that one can be linked to.

use infranoise_analysis::Analysis;
use infranoise_core::Shown;

use super::scrolling;
use crate::text::{escape, number, words};

/// Rows beyond this are left out.
const MOST_ROWS: usize = 400;

/// The table of tasks.
pub(super) fn section(analysis: &Analysis) -> String {
    if analysis.matrix.is_empty() || analysis.arms.is_empty() {
        return String::new();
    }
    let heads: String = analysis
        .arms
        .iter()
        .map(|arm| format!("<th scope=\"col\" class=\"n\">{}", escape::markup(arm.name.as_str())))
        .collect();
    let mut rows = String::new();
    for row in analysis.matrix.iter().take(MOST_ROWS) {
        let task = escape::markup(row.task.as_str());
        rows += &format!(
            "<tr id=\"task-{task}\"><th scope=row><a href=\"#task-{task}\">{task}</a><td class=n>{}",
            row.memory_spec_bytes.map_or("not stated".to_owned(), number::bytes)
        );
        for cell in &row.cells {
            let count = |shown: Shown| cell.counts.get(&shown).copied().unwrap_or(0);
            let mut text = format!("{}/{}", count(Shown::Pass), cell.planned);
            for shown in [Shown::Ceiling, Shown::Fault, Shown::Undetermined, Shown::NotStarted] {
                if count(shown) > 0 {
                    text += &format!(" {}{}", count(shown), words::look(shown).letter);
                }
            }
            rows += &format!("<td class=n>{text}");
        }
        rows += "\n";
    }
    let left_out = match analysis.matrix.len().saturating_sub(MOST_ROWS) {
        0 => String::new(),
        n => format!(
            " {} more are in <code>infranoise analyze --json</code>.",
            number::plural(n as u64, "task")
        ),
    };
    let table = format!(
        "<table><thead><tr><th scope=\"col\">task<th scope=\"col\" class=\"n\">memory spec{heads}</thead><tbody>\n{rows}</tbody></table>"
    );
    let body = format!(
        "<p>Repeats that passed out of those planned. Letters count what did not end by the agent's own doing: C ceiling, X fault, U undetermined, N not started.{left_out}</p>\n{}",
        scrolling("Tasks by arm", &table)
    );
    super::section("tasks", "Tasks", &body)
}
