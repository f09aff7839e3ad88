//! The first thing that people see: a table of arms, a picture, the answer and what limits it.

use infranoise_analysis::Analysis;
use infranoise_core::Shown;

use crate::find;
use crate::table::{Align, Column, Table};
use crate::text::{number, words};

pub(crate) mod lines;
pub(crate) mod paint;
mod picture;
mod rows;

use paint::Paint;

/// The analysis for a terminal of this width.
#[must_use]
pub fn terminal(analysis: &Analysis, width: usize, colour: bool) -> String {
    let paint = Paint { colour };
    let width = width.clamp(60, 200);
    let mut out = head(analysis, width, paint);
    if analysis.arms.is_empty() {
        out.push("No arm, so there is nothing to show.".to_owned());
    }
    for table in rows::tables(analysis, width) {
        out.push(String::new());
        out.extend(rows::painted(&table, paint));
    }
    if analysis.arms.iter().any(|arm| arm.planned > 0) {
        out.push(String::new());
        out.extend(picture::bars(analysis, width, paint));
        out.extend(picture::sparks(analysis, paint));
    }
    out.push(String::new());
    out.extend(
        lines::wrap(&words::sentence(&analysis.answer.headline), width, "")
            .iter()
            .map(|line| paint.bold(line)),
    );
    for sentence in &analysis.answer.sentences {
        out.extend(lines::wrap(sentence, width, "  "));
    }
    if !analysis.warnings.is_empty() {
        out.push(String::new());
        for warning in &analysis.warnings {
            out.extend(lines::wrap(warning, width, "! "));
        }
    }
    out.push(String::new());
    for note in notes(analysis) {
        out.extend(lines::wrap(&note, width, "  ").iter().map(|line| paint.dim(line)));
    }
    out.join("\n") + "\n"
}

fn head(analysis: &Analysis, width: usize, paint: Paint) -> Vec<String> {
    let about = &analysis.about;
    let mut out = lines::wrap(
        &format!("{} · {} on {} (root: {})", about.sweep, about.subject, about.engine, about.root),
        width,
        "",
    );
    if let Some(line) = out.first_mut() {
        *line = paint.bold(line);
    }
    let size = format!(
        "{} × {} × {} = {} planned, {} recorded",
        number::plural(about.tasks, "task"),
        number::plural(analysis.arms.len() as u64, "arm"),
        number::plural(u64::from(about.repeats), "repeat"),
        number::plural(about.planned, "trial"),
        number::count(about.recorded),
    );
    out.extend(lines::wrap(&size, width, ""));
    if about.staged {
        out.extend(lines::wrap(crate::what::STAGED, width, ""));
    }
    out
}

/// What the numbers above are out of, in a few lines; the report and docs/methods.md say the rest.
fn notes(analysis: &Analysis) -> Vec<String> {
    let mut notes = vec![format!("in brackets: {} % intervals", find::level(analysis))];
    notes.extend(find::denominators(analysis));
    notes.push("strict: all planned trials count, and what did not pass is a fail".to_owned());
    if let Some(first) = find::first_arm(analysis).filter(|_| analysis.arms.len() > 1) {
        notes.push(format!("vs {}: difference of the strict score on these tasks", first.name));
    }
    let joined: Vec<String> = notes.iter().map(|note| note.trim_end_matches('.').to_owned()).collect();
    vec![format!("{}. The report has every rule and denominator.", joined.join("; "))]
}

/// A column of a terminal table.
fn column(head: &str, align: Align) -> Column {
    Column { head: head.to_owned(), align }
}

/// Whether a column holds the numbers of an outcome, by its heading.
fn outcome_of(table: &Table, at: usize) -> Option<Shown> {
    let head = &table.columns.get(at)?.head;
    Shown::ALL.into_iter().find(|shown| words::look(*shown).head == head)
}
