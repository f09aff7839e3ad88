//! The list of trials with their evidence. Rows that matter most are written into the page; with scripts, all can be searched.

use std::collections::HashMap;

use infranoise_analysis::Analysis;
use infranoise_analysis::doc::{TrialRow, cause_words};
use infranoise_core::Shown;
use serde_json::{Value, json};

use super::{pack, scrolling};
use crate::extras::TrialFiles;
use crate::text::{clean, escape, number, words};

/// Rows that are written into the page itself.
const STATIC_ROWS: usize = 600;

/// Beyond so many trials the page leaves out the evidence of those that passed or failed by themselves.
const LARGE: usize = 20_000;

/// The longest piece of evidence that the page keeps, in characters.
const EVIDENCE: usize = 240;

pub(super) fn section(analysis: &Analysis, files: &[TrialFiles]) -> String {
    if analysis.trials.is_empty() {
        return super::section("trials", "Trials", "<p>No trial is recorded.</p>\n");
    }
    let mut rows: Vec<&TrialRow> = analysis.trials.iter().collect();
    rows.sort_by_key(|row| rank(row.shown));
    let shown = rows.len().min(STATIC_ROWS);
    let body: String = rows.iter().take(STATIC_ROWS).map(|row| line(row)).collect();
    let table = format!(
        "<table><thead><tr><th scope=\"col\">task</th><th scope=\"col\">arm</th><th scope=\"col\" class=\"n\">repeat</th>\
         <th scope=\"col\">outcome</th><th scope=\"col\">cause and evidence</th><th scope=\"col\" class=\"n\">took</th>\
         <th scope=\"col\" class=\"n\">memory peak</th></tr></thead><tbody>\n{body}</tbody></table>"
    );
    let left_out = match rows.len() - shown {
        0 => String::new(),
        n => format!(
            "<p class=\"note left-out\">Shown are {} of {} trials, those with infra errors first; the other {} are in the table of tasks \
             above, and in full with <code>infranoise trial list</code>.</p>\n",
            number::count(shown as u64),
            number::count(rows.len() as u64),
            number::count(n as u64)
        ),
    };
    let data = pack::block("trial-data", &data(analysis, &rows, files).to_string());
    let body = format!(
        "<p>Each trial with the rule that decided and what shows it. Open a cause to see its evidence.</p>\n{left_out}{}{data}",
        scrolling("List of trials", &table)
    );
    super::section("trials", "Trials", &body)
}

/// Infra errors first, passes last.
fn rank(shown: Shown) -> u8 {
    match shown {
        Shown::Fault => 0,
        Shown::Undetermined => 1,
        Shown::Ceiling => 2,
        Shown::NotStarted => 3,
        Shown::Fail => 4,
        Shown::Pass => 5,
    }
}

fn cause(row: &TrialRow) -> String {
    match row.shown {
        Shown::Pass => row.cause.to_string(),
        Shown::Fail | Shown::Ceiling | Shown::Fault | Shown::Undetermined | Shown::NotStarted => {
            cause_words(row.blame, row.cause, row.phase)
        }
    }
}

/// One row; closing tags that HTML does not need are left out, since there may be hundreds.
fn line(row: &TrialRow) -> String {
    let text = |text: &str| escape::markup(&clean::short(text, EVIDENCE));
    let look = words::look(row.shown);
    let pieces = row.evidence.iter().map(|piece| text(piece));
    let survived = row.survived.iter().map(|event| format!("lived through: {}", text(event)));
    let pair =
        row.pair_in_loosest.map(|shown| format!("the same task and repeat in the loosest arm: {shown}"));
    let items: String = pieces.chain(survived).chain(pair).map(|piece| format!("<li>{piece}")).collect();
    format!(
        "<tr id=\"trial-{}\"><th scope=row>{}<td>{}<td class=n>{}<td><span class=\"o {}\"><i>{}</i> {}</span><td><details class=ev><summary>{}\
         </summary><ul><li>rule {}{items}</ul></details><td class=n>{:.1} s<td class=n>{}\n",
        text(&row.trial),
        text(row.task.as_str()),
        text(row.arm.as_str()),
        row.repeat,
        look.class,
        look.sign,
        row.shown,
        text(&cause(row)),
        text(&row.rule),
        row.wall_ms as f64 / 1000.0,
        row.peak_bytes.map(number::bytes).unwrap_or_default(),
    )
}

/// Texts by number, so that what is said of a thousand trials is stored once.
#[derive(Default)]
struct Words {
    texts: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Words {
    fn number(&mut self, text: &str) -> usize {
        let text = clean::short(text, EVIDENCE);
        if let Some(n) = self.numbers.get(&text) {
            return *n;
        }
        self.texts.push(text.clone());
        self.numbers.insert(text, self.texts.len() - 1);
        self.texts.len() - 1
    }
}

/// All trials for the script.
fn data(analysis: &Analysis, rows: &[&TrialRow], files: &[TrialFiles]) -> Value {
    let mut words = Words::default();
    let is_large = rows.len() > LARGE;
    let pages: Vec<String> = files.iter().map(|one| clean::short(&one.trial, EVIDENCE)).collect();
    let rows: Vec<Value> = rows.iter().map(|row| compact(row, is_large, &mut words)).collect();
    let outcomes = Shown::ALL.map(|shown| {
        let look = words::look(shown);
        json!({"name": shown.to_string(), "sign": look.sign, "class": look.class})
    });
    let arms: Vec<&str> = analysis.arms.iter().map(|arm| arm.name.as_str()).collect();
    json!({"outcomes": outcomes, "arms": arms, "words": words.texts, "rows": rows, "pages": pages})
}

fn place(shown: Shown) -> usize {
    Shown::ALL.iter().position(|one| *one == shown).unwrap_or(0)
}

fn compact(row: &TrialRow, is_large: bool, words: &mut Words) -> Value {
    let mut numbers = |texts: &[String]| texts.iter().map(|text| words.number(text)).collect::<Vec<_>>();
    // Among very many trials those that ended by the agent's own doing keep their rule and lose its readings.
    let is_plain = matches!(row.shown, Shown::Pass | Shown::Fail);
    let evidence = if is_large && is_plain { Vec::new() } else { numbers(&row.evidence) };
    let survived = numbers(&row.survived);
    let (task, arm) = (words.number(row.task.as_str()), words.number(row.arm.as_str()));
    let (cause, rule) = (words.number(&cause(row)), words.number(&row.rule));
    let pair = row.pair_in_loosest.map(place);
    let mut cells = json!([
        task,
        arm,
        row.repeat,
        place(row.shown),
        cause,
        rule,
        row.wall_ms,
        row.peak_bytes,
        evidence,
        survived,
        pair,
        row.attempts
    ]);
    let usual = format!("{}__{}__{}", row.task.as_str().replace('/', "~"), row.arm, row.repeat);
    if let Some(cells) = cells.as_array_mut().filter(|_| row.trial != usual) {
        cells.push(json!(words.number(&row.trial)));
    }
    cells
}
