//! `policy.toml`: our own form of a script policy.
//!
//! ```toml
//! think_ms = 20                      # before every step
//! prefer = ["brute", "lean"]         # the first whose condition holds; without this line: at random, by weight
//! setup = ["./prepare"]              # the set-up phase
//! env = { DEPTH = "9" }
//!
//! [strategies.brute]
//! when = { memory_at_least = "4x" }  # also memory_below, cpu_at_least, cpu_below, luck_below, luck_at_least
//! steps = ["./brute > answer", { run = "./report", think_ms = 100, keep_going = true }]
//! fallback = "lean"                  # or a list: the first whose condition holds
//!
//! [strategies.lean]
//! weight = 0.3                       # 1 if absent
//! steps = ["./lean > answer"]
//! ```
//! The tables of `[strategies]` keep the order of the file. Unknown keys are errors: this format is ours.

use std::str::FromStr;

use toml_edit::{Document, Item, TableLike};

use super::super::digest::sha256;
use super::super::report::{Report, Text};
use super::super::section::Section;
use super::{Choice, ScriptPolicy, Step, Strategy, When};

/// Reads a `policy.toml`.
pub(super) fn parse(text: Text<'_>, report: &mut Report) -> Option<ScriptPolicy> {
    let document = match Document::parse(text.text) {
        Ok(document) => document,
        Err(error) => {
            let what = format!("not TOML: {}", error.message().trim().replace('\n', ", "));
            report.error(text.place(error.span()), what, "correct the line");
            return None;
        }
    };
    let mut root = Section::root(text, document.as_table());
    let think_ms = root.whole(report, "think_ms", 0).unwrap_or(0);
    let prefer = root.texts(report, "prefer");
    let choice = if prefer.is_empty() { Choice::Weighted } else { Choice::Prefer(prefer) };
    let setup = root.texts(report, "setup");
    let env = variables(root.section(report, "env"), report);
    let mut tables = root.section(report, "strategies");
    let names: Vec<String> = tables.entries().into_iter().map(|(name, _)| name).collect();
    let strategies = names
        .into_iter()
        .map(|name| strategy(tables.section(report, &name), name, think_ms, report))
        .collect();
    root.finish_own(report);
    Some(ScriptPolicy {
        disk: false,
        path: text.path.to_owned(),
        sha256: sha256(text.text.as_bytes()),
        choice,
        strategies,
        setup,
        env,
        pids: None,
        cpu: None,
    })
}

fn strategy(mut table: Section<'_>, name: String, think_ms: u64, report: &mut Report) -> Strategy {
    let think_ms = table.whole(report, "think_ms", 0).unwrap_or(think_ms);
    let weight = table.share(report, "weight").unwrap_or(1.0);
    let when = when(table.section(report, "when"), report);
    let fallback = match table.item("fallback").and_then(Item::as_str) {
        Some(name) => vec![name.to_owned()],
        None => table.texts(report, "fallback"),
    };
    let steps = steps(&mut table, think_ms, report);
    table.finish_own(report);
    Strategy { name, weight, when, steps, fallback }
}

fn steps(table: &mut Section<'_>, think_ms: u64, report: &mut Report) -> Vec<Step> {
    let Some(list) = table.item("steps").and_then(Item::as_array) else {
        table.texts(report, "steps");
        return Vec::new();
    };
    let mut steps = Vec::new();
    for value in list {
        if let Some(command) = value.as_str() {
            steps.push(Step { command: command.to_owned(), think_ms, keep_going: false });
            continue;
        }
        let inner = value.as_inline_table().map(|inner| inner as &dyn TableLike);
        let Some(mut step) = inner.map(|inner| Section::root(table.source(), inner)) else {
            let what = format!("a step of `{}` is neither a text nor a table", table.full("steps"));
            report.error(table.source().place(value.span()), what, "write { run = \"command\" }");
            continue;
        };
        let think_ms = step.whole(report, "think_ms", 0).unwrap_or(think_ms);
        let keep_going = step.flag(report, "keep_going").unwrap_or(false);
        match step.text(report, "run") {
            Some(command) => steps.push(Step { command, think_ms, keep_going }),
            None => {
                let what = format!("a step of `{}` has no `run`", table.full("steps"));
                report.error(table.source().place(value.span()), what, "write { run = \"command\" }");
            }
        }
        step.finish_own(report);
    }
    steps
}

fn when(mut table: Section<'_>, report: &mut Report) -> When {
    let when = When {
        memory_at_least: amount(&mut table, "memory_at_least", report),
        memory_below: amount(&mut table, "memory_below", report),
        cpu_at_least: amount(&mut table, "cpu_at_least", report),
        cpu_below: amount(&mut table, "cpu_below", report),
        luck_below: table.share(report, "luck_below"),
        luck_at_least: table.share(report, "luck_at_least"),
    };
    table.finish_own(report);
    when
}

fn amount<T: FromStr<Err: std::fmt::Display>>(
    table: &mut Section<'_>,
    key: &str,
    report: &mut Report,
) -> Option<T> {
    let text = table.text(report, key)?;
    match text.parse() {
        Ok(amount) => Some(amount),
        Err(error) => {
            report.error(table.place(key), error.to_string(), "correct the value");
            None
        }
    }
}

fn variables(mut table: Section<'_>, report: &mut Report) -> Vec<(String, String)> {
    let names: Vec<String> = table.entries().into_iter().map(|(name, _)| name).collect();
    names.into_iter().filter_map(|name| table.text(report, &name).map(|value| (name, value))).collect()
}
